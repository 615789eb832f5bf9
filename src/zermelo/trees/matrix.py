"""Matrix games: every player chooses once, nobody sees the other choices, and a table says who gets what.

    dilemma = Matrix.cells([[(3, 3), (0, 4)], [(4, 0), (1, 1)]], strategies=[["Coop", "Def"], ["Coop", "Def"]])
    pennies = Matrix.of([[1, -1], [-1, 1]])           # one table: the second player gets the negative
    bimatrix = Matrix.of(rows, columns)               # one table a player, nested lists or arrays
    majority = Matrix.of(first, second, third)        # any number of players

A matrix game is a game like any other: the choices are written one after the other, and `information` leaves the earlier ones out, so
that every algorithm for hidden information runs on it. Payoffs stay as they were given (int, float, Fraction); `exact` reads them as
rational numbers, a float as the decimal number that it prints as.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from html import escape
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

from zermelo.errors import ZermeloError, nearest
from zermelo.rules import Action, Game

if TYPE_CHECKING:
    import numpy

__all__ = ["Choices", "Matrix", "Number", "exact"]

MOST_SHOWN = 400  # cells of a table in a notebook

Number = int | float | Fraction
Choices = tuple[int, ...]  # a state: the strategies chosen so far, the first player's first


def exact(value: Number) -> Fraction:
    """A payoff as a rational number; a float is read as the decimal number that it prints as, so that 0.1 is 1/10."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


@dataclass(frozen=True, repr=False)
class Matrix(Game):
    """A game in normal form for one player or more.

    A profile is one strategy a player. Profiles are numbered like the cells of an array, the last player's strategy changing fastest:
    for two players cell (row, column) is `row * columns + column`.

    Parameters
    ----------
    strategies : tuple
        [player][strategy] its name.
    tables : tuple
        [player][profile] the player's payoff.
    names : tuple of str, optional
        [player] the player's name; Player 1, Player 2, … by default.
    title : str, default ""
        What the game is called.
    """

    strategies: tuple[tuple[str, ...], ...]
    tables: tuple[tuple[Number, ...], ...]
    names: tuple[str, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        self._judge()
        if not self.names:
            object.__setattr__(self, "names", tuple(f"Player {player + 1}" for player in range(self.players)))

    def _judge(self) -> None:
        if not self.strategies:
            raise ZermeloError("A matrix game needs at least one player.")
        for player, names in enumerate(self.strategies):
            if not names:
                raise ZermeloError(f"Player {player + 1} has no strategy; every player needs at least one.")
            if len(set(names)) < len(names):
                twice = next(name for place, name in enumerate(names) if name in names[:place])
                raise ZermeloError(f"Two strategies of player {player + 1} are called {twice!r}; give each its own name.")
        cells = math.prod(self.shape)
        if len(self.tables) != self.players or (self.names and len(self.names) != self.players):
            raise ZermeloError(f"A matrix game for {self.players} players needs {self.players} tables and names.")
        for player, table in enumerate(self.tables):
            if len(table) != cells:
                raise ZermeloError(f"The table of player {player + 1} has {len(table)} payoffs; {cells} profiles need one each.")
            if not all(map(_is_number, table)):
                cell = next(cell for cell, payoff in enumerate(table) if not _is_number(payoff))
                where = self.profile_name(self.profile(cell))
                raise ZermeloError(f"The payoff of player {player + 1} at {where} is {table[cell]!r}, which is not a finite number.")

    @classmethod
    def of(cls, *tables: Any, strategies: Sequence[Sequence[str]] | None = None, names: Sequence[str] = (), title: str = "") -> "Matrix":
        """A game from one table a player, nested sequences or arrays of one shape; a single table with rows and columns is zero-sum."""
        if not tables:
            raise ZermeloError("A matrix game needs at least one table of payoffs.")
        shapes, flat = zip(*(_flatten(table) for table in tables), strict=True)
        if len(set(shapes)) > 1:
            raise ZermeloError(f"The tables have different shapes: {', '.join('×'.join(map(str, shape)) for shape in shapes)}.")
        shape = shapes[0]
        if len(tables) == 1 and len(shape) == 2:
            flat = (flat[0], tuple(-payoff for payoff in flat[0]))
        if len(flat) != len(shape):
            raise ZermeloError(f"{len(tables)} tables with {len(shape)} dimensions: give one table a player, with one dimension a player.")
        return cls(_named(shape, strategies), flat, tuple(names), title)

    @classmethod
    def cells(
        cls, table: Any, *, strategies: Sequence[Sequence[str]] | None = None, names: Sequence[str] = (), title: str = ""
    ) -> "Matrix":
        """A game from one table whose cells hold all payoffs, as books print it: rows of `(3, 3)`; the innermost sequences are cells."""
        shape, flat = _flatten(table)
        if len(shape) < 2 or shape[-1] != len(shape) - 1:
            raise ZermeloError(
                "Every cell needs one payoff per player: for two players write rows of pairs, such as [[(3, 3), (0, 4)], …]."
            )
        players = shape[-1]
        return cls(_named(shape[:-1], strategies), tuple(flat[player::players] for player in range(players)), tuple(names), title)

    # What the table says.

    @property
    def players(self) -> int:
        return len(self.strategies)

    @cached_property
    def total(self) -> Number | None:  # type: ignore[override]  # exact numbers, and a property that is worked out once
        """What every cell adds up to, exactly; None: general sum."""
        if self.players == 2 and all(other == -own for own, other in zip(*self.tables, strict=True)):
            return 0
        first = sum(exact(table[0]) for table in self.tables)
        if any(sum(map(exact, cell)) != first for cell in zip(*self.tables, strict=True)):
            return None
        return int(first) if first.denominator == 1 else first

    @cached_property
    def payoffs(self) -> tuple[Number, Number]:  # type: ignore[override]  # as `total`
        """Lowest and highest payoff of any player."""
        return min(map(min, self.tables)), max(map(max, self.tables))

    @property
    def shape(self) -> tuple[int, ...]:
        """How many strategies each player has."""
        return tuple(map(len, self.strategies))

    @property
    def perfect_information(self) -> bool:
        """Only a game in which nobody, or one player alone, has a choice hides nothing."""
        return sum(size > 1 for size in self.shape) < 2

    @property
    def cost(self) -> Callable[[Choices, int], int] | None:
        """What a choice costs a player who is alone: nothing, the table says it all; None with opponents."""
        return _nothing if self.players == 1 else None

    def cell(self, profile: Sequence[int]) -> int:
        """The number of a profile."""
        number = 0
        for strategy, size in zip(profile, self.shape, strict=True):
            number = number * size + strategy
        return number

    def profile(self, cell: int) -> Choices:
        """The inverse of `cell`."""
        choices = []
        for size in reversed(self.shape):
            cell, strategy = divmod(cell, size)
            choices.append(strategy)
        return tuple(reversed(choices))

    def profiles(self) -> Iterator[Choices]:
        """All profiles, in the order of their numbers."""
        return product(*map(range, self.shape))

    def payoff(self, profile: Sequence[int]) -> tuple[Number, ...]:
        """What each player gets."""
        cell = self.cell(profile)
        return tuple(table[cell] for table in self.tables)

    def array(self, player: int) -> "numpy.ndarray[Any, numpy.dtype[numpy.float64]]":
        """One player's payoffs as an array of floats, one axis a player; made once, and not to be written to."""
        arrays: dict[int, numpy.ndarray[Any, numpy.dtype[numpy.float64]]] = self.__dict__.setdefault("_arrays", {})
        if player not in arrays:
            import numpy as np

            arrays[player] = np.array(self.tables[player], dtype=np.float64).reshape(self.shape)
            arrays[player].flags.writeable = False
        return arrays[player]

    @cached_property
    def integers(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """[player] the exact payoffs over one denominator: payoff = number[profile] / denominator."""
        return tuple(_common_denominator(list(map(exact, table))) for table in self.tables)

    def strategy(self, player: int, name: str) -> int:
        """The number of a strategy that is called by its name."""
        if name not in self.strategies[player]:
            raise ZermeloError(f"{self.names[player]} has no strategy {name}: {nearest(name, self.strategies[player])}")
        return self.strategies[player].index(name)

    def profile_name(self, profile: Sequence[int]) -> str:
        """The profile in words."""
        return ", ".join(names[strategy] for names, strategy in zip(self.strategies, profile, strict=True))

    def restrict(self, kept: Sequence[Sequence[int]]) -> "Matrix":
        """The game in which each player has only the strategies in `kept`, in that order."""
        cells = [self.cell(profile) for profile in product(*kept)]
        strategies = tuple(tuple(names[each] for each in chosen) for names, chosen in zip(self.strategies, kept, strict=True))
        return Matrix(strategies, tuple(tuple(table[cell] for cell in cells) for table in self.tables), self.names, self.title)

    # The six functions of a game.

    def start(self) -> Choices:
        return ()

    def player(self, state: Choices, /) -> int:
        return len(state)

    def actions(self, state: Choices, /) -> Iterator[Action]:
        yield from range(len(self.strategies[len(state)]))

    def result(self, state: Choices, action: Action, /) -> Choices:
        return (*state, action)

    def terminal(self, state: Choices, /) -> bool:
        return len(state) == self.players

    def utility(self, state: Choices, /) -> Any:
        vector = self.payoff(state)
        return vector[0] if self.players == 1 or (self.players == 2 and self.total is not None) else vector

    # Hidden information.

    def information(self, state: Choices, player: int, /) -> Choices:
        """A player's own choice, or nothing before it; all choices once all are made."""
        return state if len(state) == self.players else state[player : player + 1]

    def sample(self, state: Choices, player: int, random: Random, /) -> Choices:
        """Another state in which that player knows the same: the others' choices are drawn."""
        if len(state) == self.players:
            return state
        return tuple(own if seat == player else random.randrange(len(self.strategies[seat])) for seat, own in enumerate(state))

    # Presentation.

    def name(self, state: Choices, action: Action, /) -> str:
        return self.strategies[len(state)][action]

    def name_information(self, information: Choices, /) -> str:
        """What a player knows, in words."""
        if not information:
            return "nothing chosen yet"
        return self.profile_name(information) if len(information) == self.players else f"own choice {information[0] + 1}"

    def show(self, state: Choices, /) -> str:
        """The table, and the choices once all are made; until then only how many are."""
        complete = len(state) == self.players
        return f"{self.table()}\n{'chosen: ' + self.profile_name(state) if complete else f'{len(state)} of {self.players} have chosen'}"

    def table(self) -> str:
        """The payoffs as text: rows are the first player's strategies, columns the second's; further players make further tables."""
        blocks = []
        for rest in product(*map(range, self.shape[2:])):
            heading = ", ".join(f"{self.names[seat]}: {self.strategies[seat][each]}" for seat, each in enumerate(rest, start=2))
            blocks.append("\n".join([heading] * bool(rest) + self._block(rest)))
        return "\n\n".join(blocks)

    def _repr_html_(self) -> str:
        shown = self.table() if math.prod(self.shape) <= MOST_SHOWN else "…"
        return f"<p>{escape(repr(self))}</p><pre>{escape(shown)}</pre>"

    def _block(self, rest: Choices) -> list[str]:
        columns: tuple[str, ...] = self.strategies[1] if self.players > 1 else ("",)
        rows = [["", *columns]]
        for row, name in enumerate(self.strategies[0]):
            cells = [self.payoff((row, column, *rest) if self.players > 1 else (row,)) for column in range(len(columns))]
            rows.append([name, *(", ".join(map(str, cell)) for cell in cells)])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]

    def __repr__(self) -> str:
        return f"Matrix({self.title + ': ' if self.title else ''}{'×'.join(map(str, self.shape))}, {self.players} players)"


def _nothing(state: Choices, action: int) -> int:
    return 0


def _common_denominator(values: list[Fraction]) -> tuple[tuple[int, ...], int]:
    denominator = math.lcm(*(value.denominator for value in values))
    return tuple(value.numerator * (denominator // value.denominator) for value in values), denominator


def _is_number(payoff: Any) -> bool:
    kind = type(payoff)
    return kind is int or kind is Fraction or (kind is float and math.isfinite(payoff))


def _flatten(table: Any) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    """The shape of an array or of nested sequences, and its numbers in order, as Python's own."""
    if hasattr(table, "tolist"):
        return tuple(table.shape), tuple(table.ravel().tolist())
    if not isinstance(table, Sequence) or isinstance(table, str):
        return (), (table,)
    if not table:
        raise ZermeloError("A table of payoffs has an empty row; every player needs at least one strategy.")
    if set(map(type, table)) <= {int, float, Fraction}:
        return (len(table),), tuple(table)
    shapes, parts = zip(*map(_flatten, table), strict=True)
    if len(set(shapes)) > 1:
        raise ZermeloError("The rows of a table differ in length; every profile needs a payoff.")
    return (len(table), *shapes[0]), tuple(number for part in parts for number in part)


def _named(shape: tuple[int, ...], strategies: Sequence[Sequence[str]] | None) -> tuple[tuple[str, ...], ...]:
    """The names of all strategies; numbers from 1 where none are given."""
    if strategies is None:
        return tuple(tuple(str(number) for number in range(1, size + 1)) for size in shape)
    named = tuple(tuple(names) for names in strategies)
    if tuple(map(len, named)) != shape:
        given, needed = ("×".join(map(str, sizes)) for sizes in (map(len, named), shape))
        raise ZermeloError(f"There are names for {given} strategies, but the table has {needed}.")
    return named
