"""The table of a compiled proof: how its entries are made, which the kernel `prove` reads out of its head.

Entries lie in pairs. Where keys have one word, an entry has one word too: the place of an entry tells part of a key's hash, the entry
holds the rest, the bound, and how much work it was. It is tried first with keys that leave their upper bits free; where a key needs these,
or a bound more bits, a more spacious form takes over.
"""

import math
from dataclasses import dataclass

from zermelo.compiler.game import CompiledGame
from zermelo.errors import ZermeloError
from zermelo.rules import Game, draw_value
from zermelo.runtime.asking import knowing
from zermelo.search.kept_table import Table

__all__ = ["Area", "Form", "forms_of", "identifying", "new_table", "require_own"]

FAMILY = "prove"
MOST_ENTRIES = (1 << 32) - 1  # the kernel scales 32 bits of a hash
EFFORT_BITS = 5  # of the work that a state took, in an entry of one word


@dataclass(frozen=True)
class Form:
    """How entries are made. With `code_bits`, the bits of a bound, they have one word, and `spare` upper bits of keys are not in use."""

    width: int  # words of an entry, or of a pair where entries lie in pairs
    code_bits: int = 0
    spare: int = 0

    @property
    def kind(self) -> str:
        """What a table of this form is called."""
        return f"{FAMILY} {self.width} {self.code_bits} {self.spare}"

    def entries(self, memory: int) -> int:
        """How many entries, or pairs, so many bytes hold."""
        return min(memory // (8 * self.width), MOST_ENTRIES)

    def fits(self, memory: int) -> bool:
        """Does an entry of a table of so many bytes hold all that it has to?"""
        return not self.code_bits or told_by_place(self.entries(memory)) + self.spare - self.code_bits >= EFFORT_BITS


@dataclass(frozen=True)
class Area:
    """A table's place in the array of a search."""

    begin: int
    entries: int
    form: Form

    @property
    def lift(self) -> int:
        """Bits of a hash that an entry's place tells."""
        return told_by_place(self.entries)

    @property
    def end(self) -> int:
        return self.begin + self.entries * self.form.width


def forms_of(game: Game, key_words: int, memory: int, distance_bits: int) -> tuple[Form, ...]:
    """The forms for a table of so many bytes, the smallest first; the last holds all. Short bounds have so many bits for how soon."""
    several = Form(2 * (key_words + 1))
    bits = code_bits(game, distance_bits) if key_words == 1 else 0
    small = (Form(2, bits, bits), Form(2, bits, 0)) if bits else ()
    return (*(form for form in small if form.fits(memory)), several)


def identifying(game: Game, symmetry: bool, values: bool) -> tuple[str, ...]:
    """Rules that tell by which state the table knows another one. The `rest` serves where only values are asked for, of declared range."""
    return (*(("canonical",) if symmetry else ()), *(("rest",) if values and game.payoffs is not None else ()))


def new_table(compiled: CompiledGame, game: Game, memory: int, values: bool) -> Table:
    """An empty table for proofs of this game, or only of its values, with or without an oracle."""
    asking = knowing(compiled, game, FAMILY, identifying(game, True, values))[0]
    forms = forms_of(game, compiled.facts.key_words, memory, asking.module(FAMILY).DISTANCE_BITS)
    shapes = {form.kind: (form.width, form.entries(memory)) for form in forms}
    return Table(repr(game), owner_of(compiled, game, values), forms[0].kind, *shapes[forms[0].kind], shapes=shapes, huge_pages=True)


def require_own(table: Table, compiled: CompiledGame, game: Game, values: bool) -> None:
    """Raises where a table was not made for such proofs of this game; one from before the rules were given more room begins again."""
    if table.game == repr(game) and table.owner not in (owner_of(compiled, game, each) for each in (True, False)):
        table.begin_again(new_table(compiled, game, table.bytes, values))
    if (table.game, table.owner) != (repr(game), owner_of(compiled, game, values)):
        raise ZermeloError("The table was made for another game or for another search: make one with this search's `new_table`.")


def owner_of(compiled: CompiledGame, game: Game, values: bool) -> str:
    """A hash of the rules and the search whose table it is."""
    return str(knowing(compiled, game, FAMILY, identifying(game, True, values))[0].identity(FAMILY))


def code_bits(game: Game, distance_bits: int) -> int:
    """Bits that a bound on a score takes in an entry of one word; 0 where the game does not say how large its payoffs are."""
    if game.payoffs is None:
        return 0
    halves: int = math.ceil(2 * max(abs(payoff - draw_value(game)) for payoff in game.payoffs))
    return 2 + (halves << distance_bits).bit_length()


def told_by_place(entries: int) -> int:
    """Bits of a hash that need not be kept in a table of so many entries: the kernel scales the upper 32 bits to their number."""
    return 32 - (-(-(1 << 32) // entries) - 1).bit_length() if entries else 0
