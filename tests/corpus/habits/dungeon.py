"""Roll and move through a dungeon: fight monsters with dice, collect gold, flee any time. One hero against the house."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from zermelo import CHANCE, Game


@dataclass(frozen=True)
class Monster:
    name: str
    strength: int
    gold: int

    def __str__(self) -> str:
        return f"{self.name} ({self.strength})"


class Rooms:
    ALL: ClassVar[list[Monster]] = [Monster("rat", 2, 1), Monster("orc", 4, 3), Monster("dragon", 5, 8)]

    @classmethod
    def at(cls, depth: int) -> Monster:
        return cls.ALL[depth]

    @staticmethod
    def odds(strength: int) -> Fraction:
        return Fraction(7 - strength, 6)


@dataclass(frozen=True)
class Hero:
    depth: int = 0
    gold: int = 0
    lives: int = 2
    fighting: bool = False
    fled: bool = False


@dataclass(frozen=True)
class Dungeon(Game):
    lives: int = 2
    players = 1

    def start(self) -> Hero:
        return Hero(lives=self.lives)

    def player(self, hero: Hero) -> int:
        return CHANCE if hero.fighting else 0

    def actions(self, hero: Hero):
        return ["fight", "sneak", "flee"] if hero.depth < 2 else ["fight", "flee"]

    def chances(self, hero: Hero):
        win = Rooms.odds(Rooms.at(hero.depth).strength)
        yield "win", win
        yield "lose", 1 - win

    def result(self, hero: Hero, action: str) -> Hero:
        match action:
            case "flee":
                return Hero(hero.depth, hero.gold, hero.lives, fled=True)
            case "sneak":
                return Hero(hero.depth + 1, hero.gold, hero.lives)
            case "fight":
                return Hero(hero.depth, hero.gold, hero.lives, fighting=True)
            case "win":
                return Hero(hero.depth + 1, hero.gold + Rooms.at(hero.depth).gold, hero.lives)
            case "lose":
                return Hero(hero.depth, hero.gold, hero.lives - 1)
            case _:
                raise ValueError(f"unknown action {action!r}")

    def terminal(self, hero: Hero) -> bool:
        return hero.fled or hero.lives == 0 or hero.depth == len(Rooms.ALL)

    def utility(self, hero: Hero) -> int:
        return hero.gold if hero.lives else 0
