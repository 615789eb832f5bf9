"""Small Yahtzee, alone: roll dice, keep some and roll the rest again, then score them in a category that is still free.

A face's category scores the sum of that face, `chance` the sum of all dice, and `equal` a prize where all dice show the same. The value
is the expected score. The rules are those of Yahtzee (E. S. Lowe, 1956) with fewer dice and categories, so that it can be solved at once;
the full game was solved by T. Verhoeff and by J. Glenn.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, Game
from zermelo.words import replace

__all__ = ["Roll", "SmallYahtzee"]


class Roll(NamedTuple):
    faces: tuple[int, ...]  # [face] dice that show it
    rolling: int  # dice that are in the air
    again: int  # times that dice may still be rolled in this round
    used: int  # bit c: category c is taken; faces first, then chance, then equal
    score: int


@dataclass(frozen=True)
class SmallYahtzee(Game):
    """A solitaire of dice and categories."""

    dice: int = 2
    sides: int = 3
    rolls: int = 2  # a round, the first one counted
    prize: int = 10  # for equal dice

    players = 1

    def __post_init__(self) -> None:
        if not (1 <= self.dice <= 5 and 2 <= self.sides <= 6 and 1 <= self.rolls <= 3):
            raise ZermeloError(
                f"Small Yahtzee has 1 to 5 dice of 2 to 6 sides and 1 to 3 rolls, not {self.dice} dice of {self.sides} sides and "
                f"{self.rolls} rolls."
            )

    @property
    def categories(self) -> int:
        return self.sides + 2

    @property
    def payoffs(self) -> tuple[float, float]:
        faces = sum(range(1, self.sides + 1)) * self.dice
        return 0, faces + self.sides * self.dice + self.prize

    def start(self) -> Roll:
        return Roll((0,) * self.sides, self.dice, self.rolls - 1, 0, 0)

    def player(self, roll: Roll) -> int:
        return CHANCE if roll.rolling else MAX

    def chances(self, roll: Roll) -> Iterator[tuple[int, int]]:
        for face in range(self.sides):
            yield face, 1

    def kept(self, action: int, face: int) -> int:
        """How many dice of a face an action keeps: its digit to the base dice + 1, behind the categories."""
        code = action - self.categories
        for _ in range(face):
            code //= self.dice + 1
        return code % (self.dice + 1)

    def may_keep(self, roll: Roll, action: int) -> bool:
        """Are there as many dice of each face, and is at least one rolled again?"""
        total = 0
        for face in range(self.sides):
            if self.kept(action, face) > roll.faces[face]:
                return False
            total += self.kept(action, face)
        return total < self.dice

    def actions(self, roll: Roll) -> Iterator[int]:
        if not self.terminal(roll):
            for category in range(self.categories):
                if not roll.used >> category & 1:
                    yield category
            if roll.again:
                for action in range(self.categories, self.categories + (self.dice + 1) ** self.sides):
                    if self.may_keep(roll, action):
                        yield action

    def result(self, roll: Roll, action: int) -> Roll:
        if roll.rolling:
            return Roll(replace(roll.faces, action, roll.faces[action] + 1), roll.rolling - 1, roll.again, roll.used, roll.score)
        faces = roll.faces
        left = 0
        for face in range(self.sides):
            dice = self.kept(action, face) if action >= self.categories else 0
            faces = replace(faces, face, dice)
            left += dice
        if action >= self.categories:
            return Roll(faces, self.dice - left, roll.again - 1, roll.used, roll.score)
        used = roll.used | 1 << action
        over = used == (1 << self.categories) - 1
        return Roll(faces, 0 if over else self.dice, 0 if over else self.rolls - 1, used, roll.score + self.points(roll, action))

    def terminal(self, roll: Roll) -> bool:
        return roll.used == (1 << self.categories) - 1

    def utility(self, roll: Roll) -> int:
        return roll.score

    def points(self, roll: Roll, category: int) -> int:
        total = 0
        most = 0
        for face in range(self.sides):
            total += (face + 1) * roll.faces[face]
            most = max(most, roll.faces[face])
        if category < self.sides:
            return (category + 1) * roll.faces[category]
        if category == self.sides:
            return total
        return self.prize if most == self.dice else 0

    def cost(self, roll: Roll, action: int) -> int:
        return 0  # only the score counts

    def category_name(self, category: int) -> str:
        return (*(f"{face + 1}s" for face in range(self.sides)), "chance", "equal")[category]

    def name(self, roll: Roll, action: int) -> str:
        if roll.rolling:
            return str(action + 1)
        if action < self.categories:
            return self.category_name(action)
        return "keep" + "".join(str(face + 1) * self.kept(action, face) for face in range(self.sides))

    def show(self, roll: Roll) -> str:
        dice = "".join(str(face + 1) * count for face, count in enumerate(roll.faces))
        taken = " ".join(self.category_name(category) for category in range(self.categories) if roll.used >> category & 1)
        return f"dice {dice or 'none'}, {roll.rolling} in the air, {roll.again} rolls left, {roll.score} points, taken: {taken or 'none'}"

    def read(self, text: str) -> Roll:
        words = text.replace(",", " ").split()
        match words:
            case ["dice", dice, rolling, "in", "the", "air", again, "rolls", "left", score, "points", "taken:", *taken] if taken:
                names = [self.category_name(category) for category in range(self.categories)]
                used = sum(1 << names.index(word) for word in taken if word in names)
                faces = tuple(dice.count(str(face + 1)) for face in range(self.sides))
                return Roll(faces, int(rolling), int(again), used, int(score))
        raise ZermeloError(f"{text!r} is not a position of Small Yahtzee: write it like {self.show(self.start())!r}.")

    def board(self, roll: Roll) -> dict[str, Any]:
        dice = [face + 1 for face, count in enumerate(roll.faces) for _ in range(count)]
        return {"kind": "dice", "dice": [[*dice, *["?"] * roll.rolling]], "caption": f"{roll.score} points"}
