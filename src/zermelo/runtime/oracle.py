"""Oracles know the exact scores of some states. A search consults one and takes its scores as proven.

A database of every position, or of all endgames, is an oracle (`zermelo.solve.database_oracle`). Searches know only this interface. The
reference backend calls `score`; a compiled search reads the oracle's arrays.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from zermelo.compiler.fields import Field
from zermelo.rules import State
from zermelo.scores import Score

__all__ = ["FieldCodes", "Oracle", "OracleArrays"]

ALL_BITS = (1 << 64) - 1


@dataclass(frozen=True)
class FieldCodes:
    """How the fields of a state (`zermelo.compiler.fields`) make one number: side by side, the first field lowest."""

    bits: tuple[int, ...] = ()  # [field]
    signed: tuple[bool, ...] = ()  # [field] may it be negative? 0, -1, 1, -2, … are counted as 0, 1, 2, 3, …
    letters: tuple[tuple[int, ...], ...] = ()  # [field] values that are counted by their place here; (): any value, by itself

    def number(self, values: list[int]) -> int | None:
        """The number of these fields; None where one of them has no place in it."""
        number, at = 0, 0
        for value, bits, signed, letters in zip(values, self.bits, self.signed, self.letters, strict=True):
            if letters:
                if value not in letters:
                    return None
                code = letters.index(value)
            else:
                code = (value << 1 ^ value >> 63) & ALL_BITS if signed else value & ALL_BITS
            if code >> bits:
                return None
            number |= code << at
            at += bits
        return number

    def values(self, number: int) -> list[int]:
        """The fields that a number was made of."""
        found = []
        for bits, signed, letters in zip(self.bits, self.signed, self.letters, strict=True):
            code = number & (1 << bits) - 1
            found.append(letters[code] if letters else code >> 1 ^ -(code & 1) if signed else code)
            number >>= bits
        return found

    def widened(self, which: int, value: int, fields: list[Field]) -> "FieldCodes":
        """With room for the value of a field that did not fit."""
        if fields[which].letter:
            letters = tuple(sorted({*self.letters[which], value}))
            alike = {at for at, other in enumerate(fields) if other.group == fields[which].group}
            return replace(
                self,
                letters=tuple(letters if at in alike else old for at, old in enumerate(self.letters)),
                bits=tuple((len(letters) - 1).bit_length() if at in alike else bits for at, bits in enumerate(self.bits)),
            )
        value = value if fields[which].signed else value & ALL_BITS
        signed = self.signed[which] or value < 0
        extra = signed and not self.signed[which]
        needed = max(self.bits[which] + extra, (value << 1 ^ value >> 63 if signed else value).bit_length())
        return replace(
            self,
            signed=tuple(sign or (signed and at == which) for at, sign in enumerate(self.signed)),
            bits=tuple(needed if at == which else bits for at, bits in enumerate(self.bits)),
        )

    def part(self, which: int) -> "FieldCodes":
        """That of one field."""
        return FieldCodes((self.bits[which],), (self.signed[which],), (self.letters[which],))

    @classmethod
    def first(cls, count: int) -> "FieldCodes":
        """Before anything is known about so many fields."""
        return cls((0,) * count, (False,) * count, ((),) * count)

    def array(self) -> Any:
        """The same for `runtime/numbers_kernel.py`."""
        import numpy as np

        ends = list(itertools.accumulate(map(len, self.letters), initial=0))
        return np.array([*self.bits, *map(int, self.signed), *ends, *itertools.chain(*self.letters)], np.int64)

    def to_dict(self) -> dict[str, Any]:
        return {"bits": list(self.bits), "signed": list(self.signed), "letters": [list(each) for each in self.letters]}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "FieldCodes":
        letters = tuple(tuple(map(int, each)) for each in data["letters"])
        return cls(tuple(map(int, data["bits"])), tuple(map(bool, data["signed"])), letters)


@dataclass(frozen=True, eq=False)
class OracleArrays:
    """Numbers of positions and what is known about each, in memory. A number's code counts `scores` from 1; 0: not known."""

    symmetric: bool  # is a state's position the one that `canonical` folds it into?
    size: int  # numbers are what `rank` says, below this; 0: they are made of the fields of the state
    layout: str  # of a state whose fields these are
    fields: FieldCodes
    least_tier: int | None  # no state of a lower `tier` is known; None: the game does not say
    scores: tuple[Score, ...]  # [code - 1]
    number: Callable[[State], int | None]  # the same by the rules as they are written, and
    samples: tuple[State, ...]  # some states that are known, to compare with what compiled rules say
    codes: Any  # uint8 or uint16: [number], or [place] where `numbers` says whose they are
    numbers: Any = None  # int64[place], in any order
    slots: Any = None  # int32[hash]: place + 1, 0 where nothing is; a power of two long; see `hash_of_number` in `search/oracle_kernel.py`


class Oracle(Protocol):
    """Knows the exact scores of some states."""

    @property
    def name(self) -> str:
        """What the oracle is called in results."""

    def score(self, state: State) -> Score | None:
        """The exact score of a state; None where it is not known."""

    def arrays(self) -> OracleArrays | None:
        """All that is known, for compiled searches; None where it does not fit memory."""
