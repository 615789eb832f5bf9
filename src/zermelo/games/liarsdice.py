"""Liar's dice: both players roll in secret and bid in turn how many dice of a face there are at least; who doubts the last bid calls.

A bid must be higher than the last: more dice, or as many of a higher face. The highest face is wild and counts as any. If the bid holds
the caller loses, otherwise the bidder. Source: C. Ferguson and T. Ferguson, Models for the Game of Liar's Dice, Stochastic Games and
Related Topics (1991).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, MIN, Game, player_name

__all__ = ["Cups", "LiarsDice"]


class Cups(NamedTuple):
    first: tuple[int, ...]  # Max's dice, in order of size
    second: tuple[int, ...]  # Min's dice
    bids: tuple[int, ...]  # from 0, the lowest bid: (number - 1) * faces + face - 1; the number behind the highest bid is a call


@dataclass(frozen=True)
class LiarsDice(Game):
    """Raise the bid or call the bluff."""

    dice: int = 1  # of each player
    faces: int = 6

    payoffs = (-1, 1)
    seats = ("Opener", "Caller")

    def __post_init__(self) -> None:
        if self.dice < 1 or self.faces < 2 or 2 * self.dice * self.faces > 60:
            raise ZermeloError(f"Liar's dice needs a die with two faces and at most 60 bids, not {self.dice} dice of {self.faces} faces.")

    @property
    def call(self) -> int:
        """The action behind all bids."""
        return 2 * self.dice * self.faces

    def start(self) -> Cups:
        return Cups((), (), ())

    def player(self, cups: Cups) -> int:
        return CHANCE if len(cups.second) < self.dice else len(cups.bids) % 2

    def chances(self, cups: Cups) -> Iterator[tuple[int, int]]:
        for face in range(1, self.faces + 1):
            yield face, 1

    def actions(self, cups: Cups) -> Iterator[int]:
        if not cups.bids:
            yield from range(self.call)
        else:
            yield from range(cups.bids[-1] + 1, self.call + 1)

    def result(self, cups: Cups, action: int) -> Cups:
        if len(cups.first) < self.dice:
            return cups._replace(first=tuple(sorted((*cups.first, action))))
        if len(cups.second) < self.dice:
            return cups._replace(second=tuple(sorted((*cups.second, action))))
        return cups._replace(bids=(*cups.bids, action))

    def terminal(self, cups: Cups) -> bool:
        return len(cups.bids) > 0 and cups.bids[-1] == self.call

    def utility(self, cups: Cups) -> int:
        """The bidder wins if there are as many dice as he said that show the face or are wild."""
        bid = cups.bids[-2]
        number, face = bid // self.faces + 1, bid % self.faces + 1
        holds = sum(die in (face, self.faces) for die in cups.first + cups.second) >= number
        bidder = len(cups.bids) % 2
        return 1 if holds == (bidder == MAX) else -1

    def information(self, cups: Cups, player: int) -> tuple[tuple[int, ...], int, tuple[int, ...]]:
        """His own dice, how many are rolled, and the bids."""
        return (cups.first if player == MAX else cups.second), len(cups.first) + len(cups.second), cups.bids

    def sample(self, cups: Cups, player: int, random: Random) -> Cups:
        """The same bids over another roll of the other player."""
        hidden = cups.second if player == MAX else cups.first
        roll = tuple(sorted(random.randint(1, self.faces) for _ in hidden))
        return cups._replace(second=roll) if player == MAX else cups._replace(first=roll)

    def bid_name(self, bid: int) -> str:
        """How many, then the face: 2x6."""
        return "liar" if bid == self.call else f"{bid // self.faces + 1}x{bid % self.faces + 1}"

    def bids_text(self, bids: tuple[int, ...]) -> str:
        return " ".join(map(self.bid_name, bids))

    def dice_text(self, dice: tuple[int, ...]) -> str:
        return ("" if self.faces < 10 else " ").join(map(str, dice))

    def name(self, cups: Cups, action: int) -> str:
        return str(action) if self.player(cups) == CHANCE else self.bid_name(action)

    def name_information(self, information: tuple[tuple[int, ...], int, tuple[int, ...]]) -> str:
        dice, _, bids = information
        return f"{self.dice_text(dice)} {self.bids_text(bids)}".strip()

    def show(self, cups: Cups) -> str:
        """Max's dice, Min's dice, then the bids: `3 | 5 | 1x3 2x3`."""
        return " | ".join([self.dice_text(cups.first) or "?", self.dice_text(cups.second) or "?", self.bids_text(cups.bids) or "-"])

    def read(self, text: str) -> Cups:
        parts = [part.strip() for part in text.split("|")]
        if len(parts) == 3:
            rolls = [part.replace("?", "") for part in parts[:2]]
            words = [word for roll in rolls for word in (roll if self.faces < 10 else roll.split())]
            cups = self._replay([*words, *parts[2].replace("-", "").split()])
            if self.show(cups) == text.strip():
                return cups
        raise ZermeloError(f"{text!r} is not a position of liar's dice: write it like '3 | 5 | 1x3 2x3'.")

    def _replay(self, words: list[str]) -> Cups:
        cups = self.start()
        for word in words:
            if self.terminal(cups):
                break
            legal = (face for face, _ in self.chances(cups)) if self.player(cups) == CHANCE else self.actions(cups)
            action = next((action for action in legal if self.name(cups, action) == word), None)
            if action is None:
                break
            cups = self.result(cups, action)
        return cups

    def board(self, cups: Cups) -> dict[str, Any]:
        dice = [[str(die) for die in roll] for roll in (cups.first, cups.second)]
        names = [player_name(self, MAX), player_name(self, MIN)]
        return {"kind": "dice", "dice": dice, "cups": names, "caption": self.bids_text(cups.bids)}
