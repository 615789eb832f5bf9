"""Positions as numbers, and back, in plain Python; compiled code does the same in `engine/kernels/expand.py`.

A position is a state, folded with its equals by symmetry where that is asked for. Its number is what the game's `rank` says; without
`rank` the words of the state stand side by side, each in as many bits as it needs in this game, the first word lowest.
"""

from dataclasses import dataclass, replace
from typing import Any

from zermelo.engine.layout import NotNumericError, Shape, pack, shape_of, unpack
from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, ask, has

__all__ = ["MOST_BITS", "Numbering", "Positions", "TooWideError", "first_numbering", "is_ranked", "narrowest"]

MOST_BITS = 63
ALL_BITS = (1 << 64) - 1
SIGN = 65  # asks for a sign instead of bits


class TooWideError(ZermeloError):
    """Positions that do not fit a number."""


@dataclass(frozen=True)
class Numbering:
    """How the positions of one game are numbered; a database's header says it."""

    symmetric: bool  # are states that are alike by `canonical` one position?
    size: int  # by `rank`: how many numbers there are; 0: by words
    bits: tuple[int, ...]  # [word]
    signed: tuple[bool, ...]  # [word] may it be negative? 0, -1, 1, -2, … are counted as 0, 1, 2, 3, …

    @property
    def layout(self) -> list[int]:
        """The same for the kernel."""
        return [*self.bits, *map(int, self.signed)]

    def widened(self, word: int, needed: int, game: Game) -> "Numbering":
        """With room for a word that did not fit; more than 64 bits ask for the sign."""
        if needed > 64:
            changed = replace(self, signed=tuple(sign or at == word for at, sign in enumerate(self.signed)))
        else:
            changed = replace(self, bits=tuple(needed if at == word else bits for at, bits in enumerate(self.bits)))
        if sum(changed.bits) > MOST_BITS:
            raise TooWideError(
                f"The positions of {type(game).__name__} do not fit {MOST_BITS} bits (the words of a state need {sum(changed.bits)}): "
                "give the game `rank`, `unrank` and `size`, or smaller parameters."
            )
        return changed

    def to_dict(self) -> dict[str, Any]:
        return {"symmetric": self.symmetric, "size": self.size, "bits": list(self.bits), "signed": list(self.signed)}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Numbering":
        return cls(bool(data["symmetric"]), int(data["size"]), tuple(map(int, data["bits"])), tuple(map(bool, data["signed"])))


def is_ranked(game: Game) -> bool:
    """Does the game number its own states?"""
    return has(game, "rank") and has(game, "unrank") and has(game, "size")


def first_numbering(game: Game, words: int, symmetric: bool) -> Numbering:
    """Before anything is known about the words of a state."""
    size = int(ask(game, "size")) if is_ranked(game) else 0
    return Numbering(symmetric and has(game, "canonical"), size, (1,) * words, (False,) * words)


def narrowest(game: Game, states: list[State], symmetric: bool) -> Numbering:
    """The narrowest numbering in which these positions have numbers."""
    try:
        shape = shape_of(game.start(), getattr(game, "word", 64))
        rows = [pack(state, shape) for state in states]
    except (NotNumericError, OverflowError, TypeError) as error:
        raise ZermeloError(f"The positions of {type(game).__name__} are not numbers, so there is no database of them: {error}.") from None
    numbering = first_numbering(game, shape.words, symmetric)
    if numbering.size:
        return numbering
    for word, column in enumerate(zip(*rows, strict=True)):
        signed = min(column) < 0
        if signed:
            numbering = numbering.widened(word, SIGN, game)
        most = max((each << 1 ^ each >> 63 if signed else each).bit_length() for each in column)
        numbering = numbering.widened(word, max(1, most), game)
    return numbering


class Positions:
    """From states to numbers and back, by the rules as they are written."""

    def __init__(self, game: Game, numbering: Numbering) -> None:
        self.game, self.numbering = game, numbering
        self.shape: Shape = shape_of(game.start(), getattr(game, "word", 64))

    def canonical(self, state: State) -> State:
        """The position that a state is folded into."""
        return ask(self.game, "canonical", state)[0] if self.numbering.symmetric else state

    def number(self, state: State) -> int | None:
        """The number of a state's position; None where it has none, and so is not in the database."""
        position = self.canonical(state)
        if self.numbering.size:
            number = int(ask(self.game, "rank", position))
            return number if 0 <= number < self.numbering.size else None
        number, at = 0, 0
        for word, bits, signed in zip(pack(position, self.shape), self.numbering.bits, self.numbering.signed, strict=True):
            folded = (word << 1 ^ word >> 63) & ALL_BITS if signed else word & ALL_BITS
            if folded >> bits:
                return None
            number |= folded << at
            at += bits
        return number

    def state(self, number: int) -> State:
        """The position with this number."""
        if self.numbering.size:
            return ask(self.game, "unrank", number)
        words = []
        for bits, signed in zip(self.numbering.bits, self.numbering.signed, strict=True):
            folded = number & (1 << bits) - 1
            words.append((folded >> 1) ^ -(folded & 1) if signed else folded)
            number >>= bits
        return unpack(words, self.shape)
