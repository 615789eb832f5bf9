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
    first: int  # Max's dice: how many of each face, as digits in base dice + 1, the lowest face first
    second: int  # Min's dice
    rolled: int  # dice on the table so far, Max's first
    bids: int  # one bit a bid that was made: bit (number - 1) * faces + face - 1
    turn: int
    called: bool


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
        return Cups(0, 0, 0, 0, MAX, False)

    def player(self, cups: Cups) -> int:
        return CHANCE if cups.rolled < 2 * self.dice else cups.turn

    def chances(self, cups: Cups) -> Iterator[tuple[int, int]]:
        for face in range(1, self.faces + 1):
            yield face, 1

    def actions(self, cups: Cups) -> Iterator[int]:
        if self.terminal(cups):
            return
        lowest = cups.bids.bit_length()
        yield from range(lowest, self.call)
        if lowest > 0:
            yield self.call

    def result(self, cups: Cups, action: int) -> Cups:
        if cups.rolled < self.dice:
            return cups._replace(first=cups.first + (self.dice + 1) ** (action - 1), rolled=cups.rolled + 1)
        if cups.rolled < 2 * self.dice:
            return cups._replace(second=cups.second + (self.dice + 1) ** (action - 1), rolled=cups.rolled + 1)
        if action == self.call:
            return cups._replace(turn=1 - cups.turn, called=True)
        return cups._replace(bids=cups.bids | 1 << action, turn=1 - cups.turn)

    def terminal(self, cups: Cups) -> bool:
        return cups.called

    def matching(self, dice: int, face: int) -> int:
        """Dice of one player that show the face or are wild."""
        shown: int = dice // (self.dice + 1) ** (face - 1) % (self.dice + 1)
        wild: int = dice // (self.dice + 1) ** (self.faces - 1) % (self.dice + 1)
        return shown if face == self.faces else shown + wild

    def utility(self, cups: Cups) -> int:
        last = cups.bids.bit_length() - 1
        number, face = last // self.faces + 1, last % self.faces + 1
        holds = self.matching(cups.first, face) + self.matching(cups.second, face) >= number
        bidder = cups.turn  # the caller has just handed over the turn
        return 1 if holds == (bidder == MAX) else -1

    def information(self, cups: Cups, player: int) -> tuple[int, int, int, int]:
        """His own dice, how many are rolled, the bids, and whether the bluff was called."""
        return (cups.first if player == MAX else cups.second), cups.rolled, cups.bids, int(cups.called)

    def sample(self, cups: Cups, player: int, random: Random) -> Cups:
        """The same bids over another roll of the other player."""
        hidden = min(cups.rolled, self.dice) if player != MAX else max(cups.rolled - self.dice, 0)
        roll = sum((self.dice + 1) ** random.randrange(self.faces) for _ in range(hidden))
        return cups._replace(second=roll) if player == MAX else cups._replace(first=roll)

    def bid_name(self, bid: int) -> str:
        """How many, then the face: 2x6."""
        return f"{bid // self.faces + 1}x{bid % self.faces + 1}"

    def bids_text(self, bids: int) -> str:
        return " ".join(self.bid_name(bid) for bid in range(self.call) if bids >> bid & 1)

    def dice_text(self, dice: int) -> str:
        faces = "".join(str(face) * (dice // (self.dice + 1) ** (face - 1) % (self.dice + 1)) for face in range(1, self.faces + 1))
        return faces if self.faces < 10 else " ".join(faces)

    def name(self, cups: Cups, action: int) -> str:
        if self.player(cups) == CHANCE:
            return str(action)
        return "liar" if action == self.call else self.bid_name(action)

    def name_information(self, information: tuple[int, int, int, int]) -> str:
        dice, _, bids, called = information
        return f"{self.dice_text(dice)} {self.bids_text(bids)}{' liar' if called else ''}".strip()

    def show(self, cups: Cups) -> str:
        """Max's dice, Min's dice, then the bids: `3 | 5 | 1x3 2x3`."""
        bids = self.bids_text(cups.bids) + (" liar" if cups.called else "")
        return " | ".join([self.dice_text(cups.first) or "?", self.dice_text(cups.second) or "?", bids.strip() or "-"])

    def read(self, text: str) -> Cups:
        parts = [part.strip() for part in text.split("|")]
        cups = self.start()
        if len(parts) == 3:
            rolls = [face for part in parts[:2] for face in part.replace("?", "").replace(" ", "")]
            cups = self._replay(cups, rolls, parts[2].replace("-", "").split())
            if self.show(cups) == text.strip():
                return cups
        raise ZermeloError(f"{text!r} is not a position of liar's dice: write it like '3 | 5 | 1x3 2x3'.")

    def _replay(self, cups: Cups, rolls: list[str], words: list[str]) -> Cups:
        for word in [*rolls, *words]:
            named = {} if self.terminal(cups) else {self.name(cups, action): action for action in self._legal(cups)}
            if word not in named:
                break
            cups = self.result(cups, named[word])
        return cups

    def _legal(self, cups: Cups) -> list[int]:
        return [face for face, _ in self.chances(cups)] if self.player(cups) == CHANCE else list(self.actions(cups))

    def board(self, cups: Cups) -> dict[str, Any]:
        dice = [list(self.dice_text(cups.first).replace(" ", "")), list(self.dice_text(cups.second).replace(" ", ""))]
        names = [player_name(self, MAX), player_name(self, MIN)]
        return {"kind": "dice", "dice": dice, "cups": names, "caption": self.bids_text(cups.bids)}
