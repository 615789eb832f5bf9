"""Hypergammon: backgammon with three checkers a player; smaller boards and dice make versions that can be solved.

Two dice say how far checkers go; a point with two checkers of the opponent is closed, a single one there is hit and must enter again from
the bar; once all are in the last quarter of the board they are borne off, and who first has none left wins.
Source: the rules of backgammon and of its variant Hypergammon. Here dice are played one after the other, each if it can be; every game
counts the same; and the first roll may be a double.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, Game
from zermelo.words import replace

__all__ = ["Hypergammon", "Position"]

PASS = 0
BAR = 0


class Position(NamedTuple):
    """Points count in each player's own direction: 0 is the bar, 1 … points the board, points + 1 is off.

    Point p of one player is point points + 1 - p of the other.
    """

    first: tuple[int, ...]  # [point] Max's checkers
    second: tuple[int, ...]  # Min's
    turn: int
    large: int  # the dice that are left to play, the larger first; 0: none
    small: int  # 0 where one die is left, or none
    more: int  # times that a double's number is still to be played after these


@dataclass(frozen=True)
class Hypergammon(Game):
    """Backgammon with few checkers."""

    points: int = 24
    checkers: int = 3
    sides: int = 6  # of a die

    payoffs = (-1, 1)
    seats = ("White", "Black")

    def __post_init__(self) -> None:
        if not (4 <= self.points <= 24 and 1 <= self.checkers <= 5 and 2 <= self.sides <= 6 and 2 * self.checkers <= self.points):
            raise ZermeloError(
                f"Hypergammon needs 4 to 24 points, 1 to 5 checkers on at most half of them and dice of 2 to 6 sides, not {self.points} "
                f"points, {self.checkers} checkers and {self.sides} sides."
            )

    @property
    def home(self) -> int:
        """The first point of the last quarter."""
        return self.points - max(1, self.points // 4) + 1

    def start(self) -> Position:
        checkers = tuple(1 if 1 <= point <= self.checkers else 0 for point in range(self.points + 2))
        return Position(checkers, checkers, MAX, 0, 0, 0)

    def player(self, position: Position) -> int:
        return position.turn if position.large else CHANCE

    def chances(self, position: Position) -> Iterator[tuple[int, int]]:
        """large * 8 + small"""
        for large in range(1, self.sides + 1):
            for small in range(1, large + 1):
                yield large * 8 + small, 1 if large == small else 2

    def target(self, mine: tuple[int, ...], theirs: tuple[int, ...], point: int, die: int) -> int:
        """Where a checker gets to with a die, or -1 where it cannot go."""
        if mine[point] == 0 or (point != BAR and mine[BAR] > 0):
            return -1
        to = point + die
        if to <= self.points:
            return -1 if theirs[self.points + 1 - to] > 1 else to
        for other in range(self.home):
            if mine[other] > 0:
                return -1  # not all are home
        if to > self.points + 1:
            for other in range(self.home, point):
                if mine[other] > 0:
                    return -1  # a checker further behind must go first
        return self.points + 1

    def actions(self, position: Position) -> Iterator[int]:
        """1 + point * 2, and 1 more for the smaller die; PASS where no die can be played"""
        if not self.terminal(position):
            mine, theirs = (position.first, position.second) if position.turn == MAX else (position.second, position.first)
            playable = False
            for point in range(self.points + 1):
                if self.target(mine, theirs, point, position.large) >= 0:
                    playable = True
                    yield 1 + point * 2
                if position.small and position.small != position.large and self.target(mine, theirs, point, position.small) >= 0:
                    playable = True
                    yield 2 + point * 2
            if not playable:
                yield PASS

    def result(self, position: Position, action: int) -> Position:
        if position.large == 0:
            large, small = action // 8, action % 8
            return Position(position.first, position.second, position.turn, large, small, 2 if large == small else 0)
        if action == PASS:
            return Position(position.first, position.second, 1 - position.turn, 0, 0, 0)
        mine, theirs = (position.first, position.second) if position.turn == MAX else (position.second, position.first)
        point, with_small = (action - 1) // 2, (action - 1) % 2
        to = self.target(mine, theirs, point, position.small if with_small else position.large)
        mine = replace(mine, point, mine[point] - 1)
        mine = replace(mine, to, mine[to] + 1)
        if to <= self.points and theirs[self.points + 1 - to] == 1:
            theirs = replace(theirs, self.points + 1 - to, 0)
            theirs = replace(theirs, BAR, theirs[BAR] + 1)
        first, second = (mine, theirs) if position.turn == MAX else (theirs, mine)
        large, small, more = position.large, position.small, position.more
        if more > 0:
            more -= 1
        elif with_small:
            small = 0
        else:
            large, small = small, 0
        done = large == 0 or mine[self.points + 1] == self.checkers
        return Position(first, second, 1 - position.turn, 0, 0, 0) if done else Position(first, second, position.turn, large, small, more)

    def terminal(self, position: Position) -> bool:
        return position.first[self.points + 1] == self.checkers or position.second[self.points + 1] == self.checkers

    def utility(self, position: Position) -> int:
        return 1 if position.first[self.points + 1] == self.checkers else -1

    def pips(self, checkers: tuple[int, ...]) -> int:
        """Points that all checkers have to go."""
        total = 0
        for point in range(self.points + 1):
            total += checkers[point] * (self.points + 1 - point)
        return total

    def evaluate(self, position: Position) -> float:
        return (self.pips(position.second) - self.pips(position.first)) / (self.checkers * (self.points + 1))

    def order(self, position: Position, action: int) -> int:
        """Hits first, then checkers that are far behind."""
        if action == PASS:
            return 0
        mine, theirs = (position.first, position.second) if position.turn == MAX else (position.second, position.first)
        point = (action - 1) // 2
        to = self.target(mine, theirs, point, position.small if (action - 1) % 2 else position.large)
        hit = 0 < to <= self.points and theirs[self.points + 1 - to] == 1
        return (2 * self.points if hit else self.points) - point

    def name(self, position: Position, action: int) -> str:
        if position.large == 0:
            return f"{action // 8}-{action % 8}"
        if action == PASS:
            return "pass"
        point, die = (action - 1) // 2, position.small if (action - 1) % 2 else position.large
        to = point + die
        return f"{point or 'bar'}/{to if to <= self.points else f'off-{die}'}"

    def show(self, position: Position) -> str:
        left = [str(die) for die in (position.large, position.small) if die]
        doing = f"moves {' '.join(left)} more {position.more}" if left else "rolls"
        sides = f"{' '.join(map(str, position.first))} | {' '.join(map(str, position.second))}"
        return f"{sides} | {('Max', 'Min')[position.turn]} {doing}"

    def read(self, text: str) -> Position:
        parts = [part.split() for part in text.split("|")]
        if len(parts) == 3 and len(parts[0]) == len(parts[1]) == self.points + 2 and parts[2][:1] in (["Max"], ["Min"]):
            first, second = (tuple(int(word) for word in part) for part in parts[:2])
            turn, words = int(parts[2][0] == "Min"), parts[2][1:]
            if words == ["rolls"]:
                return Position(first, second, turn, 0, 0, 0)
            dice = [int(word) for word in words[1 : words.index("more")]]
            return Position(first, second, turn, dice[0], dice[1] if len(dice) > 1 else 0, int(words[-1]))
        raise ZermeloError(f"{text!r} is not a position of Hypergammon: write it like {self.show(self.start())!r}.")

    def board(self, position: Position) -> dict[str, Any]:
        """The first player's way goes up from point 1; the second's comes down."""
        points = []
        for point in range(1, self.points + 1):
            ours, theirs = position.first[point], position.second[self.points + 1 - point]
            points.append(["X" if ours else "O" if theirs else "", ours or theirs])
        last = self.points + 1
        dice = [position.large] * position.more + [position.small] if position.more > 1 else [position.large, position.small]
        return {
            "kind": "points",
            "points": points,
            "bar": [position.first[0], position.second[0]],
            "off": [position.first[last], position.second[last]],
            "dice": [face for face in dice if face],
        }
