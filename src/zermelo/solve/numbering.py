"""Positions as numbers, and back, in plain Python; compiled code does the same in `runtime/numbers_kernel.py`.

A position is a state, folded with its equals by symmetry where that is asked for. Its number is what the game's `rank` says. Without
`rank` the fields of the state stand side by side, each in as many bits as it needs in this game, the first field lowest. A field that
holds a letter is counted among the letters that occur there.
"""

import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from zermelo.compiler.faults import Unsupported
from zermelo.compiler.fields import Field, classes_in, described, fields_of, item_of, numbers_of, restored
from zermelo.compiler.layout import TooLargeError, layout_of
from zermelo.compiler.types import Type
from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, ask, has
from zermelo.runtime.oracle import FieldCodes

__all__ = ["MOST_BITS", "Numbering", "Positions", "TooWideError", "UnnumberedError", "first_numbering", "is_ranked", "narrowest"]

MOST_BITS = 63


class TooWideError(ZermeloError):
    """Positions that do not fit a number."""


class UnnumberedError(ZermeloError):
    """A position without a number, in a game that numbers some of its positions."""


@dataclass(frozen=True)
class Numbering:
    """How the positions of one game are numbered; a database's header says it."""

    symmetric: bool  # are states that are alike by `canonical` one position?
    size: int  # by `rank`: how many numbers there are; 0: by fields
    layout: str = ""  # of a state, what `described` gives, as JSON; "" with `rank`
    codes: FieldCodes = field(default_factory=FieldCodes)

    def widened(self, which: int, value: int, fields: list[Field], game: Game) -> "Numbering":
        """With room for the value of a field that did not fit."""
        codes = self.codes.widened(which, value, fields)
        if sum(codes.bits) > MOST_BITS:
            raise TooWideError(
                f"The positions of {type(game).__name__} do not fit {MOST_BITS} bits (the fields of a state need {sum(codes.bits)}): "
                "give the game `rank`, `unrank` and `size`, or smaller parameters."
            )
        return replace(self, codes=codes)

    def to_dict(self) -> dict[str, Any]:
        return {"symmetric": self.symmetric, "size": self.size, "layout": self.layout} | self.codes.to_dict()

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Numbering":
        return cls(bool(data["symmetric"]), int(data["size"]), str(data["layout"]), FieldCodes.from_dict(data))


def is_ranked(game: Game) -> bool:
    """Does the game number its own states?"""
    return has(game, "rank") and has(game, "unrank") and has(game, "size")


def first_numbering(game: Game, layout: Type, symmetric: bool) -> Numbering:
    """Before anything is known about the fields of a state."""
    symmetric = symmetric and has(game, "canonical")
    if is_ranked(game):
        return Numbering(symmetric, int(ask(game, "size")))
    return Numbering(symmetric, 0, json.dumps(described(layout)), FieldCodes.first(len(fields_of(layout))))


def narrowest(game: Game, states: list[State], symmetric: bool) -> Numbering:
    """The narrowest numbering in which these positions have numbers."""
    if is_ranked(game):
        return Numbering(symmetric and has(game, "canonical"), int(ask(game, "size")))
    try:
        from zermelo.compiler.program import Samples

        layout, rows = laid_out(states, [list(Samples(game).states), states], getattr(game, "word", 64))
    except Unsupported as error:
        raise UnnumberedError(
            f"The positions of {type(game).__name__} are not numbers, so there is no database of them: {error}."
        ) from None
    numbering, fields = first_numbering(game, layout, symmetric), fields_of(layout)
    for which, column in enumerate(zip(*rows, strict=True)):
        for value in sorted(set(column)) if fields[which].letter else (min(column), max(column)):
            numbering = numbering.widened(which, value, fields, game)
    return numbering


def laid_out(states: list[State], samples: list[list[State]], word: int) -> tuple[Type, list[list[int]]]:
    """The first layout that holds all states, of those that samples suggest (compiled searches have that of random games); the fields."""
    *likely, surely = (layout_of(sample, word=word) for sample in samples)
    for layout in likely:
        fields = fields_of(layout)
        with suppress(TooLargeError):
            return layout, [numbers_of(state, layout, fields) for state in states]
    fields = fields_of(surely)
    try:
        return surely, [numbers_of(state, surely, fields) for state in states]
    except TooLargeError:  # such as a negative number where the rules say u64
        raise Unsupported("a state holds a number that the type written for it does not") from None


class Positions:
    """From states to numbers and back, by the rules as they are written."""

    def __init__(self, game: Game, numbering: Numbering) -> None:
        self.game, self.numbering = game, numbering

    @cached_property
    def layout(self) -> Type:
        """The layout of states that the numbering was made for."""
        game = self.game
        try:
            data = json.loads(self.numbering.layout)
            try:
                found = restored(data, classes_in(layout_of([game.start()])))
            except ZermeloError:  # a class that only later states have
                from zermelo.compiler.program import Samples

                found = restored(data, classes_in(layout_of(list(Samples(game).states))))
        except (Unsupported, ValueError):
            raise ZermeloError("The file describes states in a way that the rules do not have: make it again.") from None
        assert found is not None
        return found

    @cached_property
    def fields(self) -> list[Field]:
        return fields_of(self.layout)

    def canonical(self, state: State) -> State:
        """The position that a state is folded into."""
        return ask(self.game, "canonical", state)[0] if self.numbering.symmetric else state

    def number(self, state: State) -> int | None:
        """The number of a state's position; None where it has none, and so is not in the database."""
        position = self.canonical(state)
        if self.numbering.size:
            number = int(ask(self.game, "rank", position))
            return number if 0 <= number < self.numbering.size else None
        try:
            return self.numbering.codes.number(numbers_of(position, self.layout, self.fields))
        except TooLargeError:
            return None

    def state(self, number: int) -> State:
        """The position with this number."""
        if self.numbering.size:
            return ask(self.game, "unrank", number)
        return item_of(self.numbering.codes.values(number), self.layout, self.fields)
