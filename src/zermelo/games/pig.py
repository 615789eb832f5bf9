"""Pig: roll a die as often as you dare and add up; a 1 loses the turn's points, `hold` keeps them, and who first has 100 wins.

Source: John Scarne, Scarne on Dice (1945); solved by T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig,
The UMAP Journal 25 (2004). The payoff is 1 for the winner, so the value is the first player's chance to win.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, Game, player_name

__all__ = ["HOLD", "ROLL", "Pig", "Turn"]

ROLL, HOLD = 0, 1


class Turn(NamedTuple):
    mine: int  # points that are safe: of the player whose turn it is …
    theirs: int  # … and of the opponent
    points: int  # of this turn, not safe yet
    turn: int  # whose turn it is
    rolling: bool  # is the die in the air?


@dataclass(frozen=True)
class Pig(Game):
    """The dice game of pressing your luck."""

    goal: int = 100

    total = 1
    payoffs = (0, 1)
    seats = ("First", "Second")
    cover = 2

    def __post_init__(self) -> None:
        if self.goal < 1:
            raise ZermeloError(f"Pig needs a goal of 1 or more, not {self.goal}.")

    def start(self) -> Turn:
        return Turn(0, 0, 0, MAX, False)

    def player(self, turn: Turn) -> int:
        return CHANCE if turn.rolling else turn.turn

    def actions(self, turn: Turn) -> Iterator[int]:
        """Nobody holds nothing, and nobody rolls who can hold and win."""
        if turn.theirs < self.goal and turn.mine + turn.points < self.goal:
            yield ROLL
        if turn.points > 0:
            yield HOLD

    def chances(self, turn: Turn) -> Iterator[tuple[int, int]]:
        for face in range(1, 7):
            yield face, 1

    def result(self, turn: Turn, action: int) -> Turn:
        if turn.rolling and action == 1:
            return Turn(turn.theirs, turn.mine, 0, 1 - turn.turn, False)
        if turn.rolling:
            return Turn(turn.mine, turn.theirs, turn.points + action, turn.turn, False)
        if action == ROLL:
            return Turn(turn.mine, turn.theirs, turn.points, turn.turn, True)
        return Turn(turn.theirs, turn.mine + turn.points, 0, 1 - turn.turn, False)

    def terminal(self, turn: Turn) -> bool:
        return turn.theirs >= self.goal

    def utility(self, turn: Turn) -> int:
        return turn.turn  # the winner has just handed over the die

    def tier(self, turn: Turn) -> int:
        """Points that are safe stay safe."""
        return turn.mine + turn.theirs

    def name(self, turn: Turn, action: int) -> str:
        return str(action) if turn.rolling else ("roll", "hold")[action]

    def show(self, turn: Turn) -> str:
        max_points, min_points = (turn.mine, turn.theirs) if turn.turn == MAX else (turn.theirs, turn.mine)
        doing = "rolls" if turn.rolling else "moves"
        return f"Max {max_points}, Min {min_points}; {('Max', 'Min')[turn.turn]} {doing} with {turn.points}"

    def read(self, text: str) -> Turn:
        words = text.replace(",", " ").replace(";", " ").split()
        match words:
            case ["Max", most, "Min", least, ("Max" | "Min") as whose, ("rolls" | "moves") as doing, "with", points]:
                mine, theirs = (int(most), int(least)) if whose == "Max" else (int(least), int(most))
                return Turn(mine, theirs, int(points), int(whose == "Min"), doing == "rolls")
        raise ZermeloError(f"{text!r} is not a position of Pig: write it like {self.show(self.start())!r}.")

    def board(self, turn: Turn) -> dict[str, Any]:
        """The die, and what both have and what is at stake."""
        have = (turn.mine, turn.theirs) if turn.turn == MAX else (turn.theirs, turn.mine)
        sheet = [[player_name(self, seat), points] for seat, points in enumerate(have)]
        caption = f"{player_name(self, turn.turn)} {'rolls' if turn.rolling else 'rolls or holds'}, with {turn.points} at stake this turn."
        return {"kind": "dice", "dice": [["?"]], "table": [*sheet, ["At stake", turn.points]], "caption": caption}
