"""Patterns (n-tuples): features that are made from the board, for games that give none.

A pattern is a few cells in a line, or in a block of two rows. What its cells hold, read as one number, chooses a weight from the pattern's
table; each player to move has tables of their own, so that nothing is assumed about the meaning of the board. (W. W. Bledsoe and
I. Browning, 1959; S. M. Lucas, Learning to play Othello with n-tuple systems, 2008.)

Compiled code reads cells from the state, not from `board`. So the place of a cell is found out first: in random games, what a cell shows
must follow from who is to move and from one bit of some of the state's fields, or from one letter of a state that is a text.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, ask, has, legal_actions

__all__ = ["Patterns", "patterns_of"]

SEED = 1913
SAMPLES = 1_000  # states of random games among which cells are told apart
LONGEST = 300  # moves of such a game
MOST_BITS = 16  # of a pattern
MOST_WEIGHTS = 1 << 18  # of all patterns together
GRID, HEXES = ((0, 1), (1, 0), (1, 1), (1, -1)), ((0, 1), (1, 0), (1, -1))  # steps to a neighbour: down, right
FIELDS = 6  # the most of which a cell may depend

Cell = tuple[int, int]  # row and column
Shown = tuple[int, dict[Cell, Any], State]  # who is to move, what every cell shows, the state


@dataclass(frozen=True)
class Patterns:
    """Which bits of a state are read together."""

    fields: tuple[int, ...]  # numbers of the state's items in which a cell has its bit
    cells: tuple[tuple[int, ...], ...]  # [pattern, cell] the number of the bit
    letters: bool = False  # the state is a text: `cells` are places in it, and `fields` the bits that tell its letters apart

    @property
    def bits(self) -> int:
        """Of a pattern: its table has 2 ** bits weights."""
        return len(self.fields) * len(self.cells[0])

    @property
    def weights(self) -> int:
        """Of all tables, for both players to move."""
        return 2 * len(self.cells) << self.bits

    def places(self, state: State, player: int) -> list[int]:
        """The number of the weight that each pattern chooses."""
        count = len(self.cells)
        return [((player * count + number) << self.bits) + self.contents(state, number) for number in range(count)]

    def contents(self, state: State, number: int) -> int:
        """What the cells of a pattern hold, as a number."""
        code = 0
        for bit in self.cells[number]:
            for item in self.fields:
                code = code << 1 | (ord(state[bit]) >> item if self.letters else state[item] >> bit) & 1
        return code


def patterns_of(game: Game, length: int) -> Patterns:
    """All lines of `length` cells, and all blocks of two rows with that many cells, of a game whose board is a grid."""
    steps, states = board_steps(game), list(random_states(game))
    letters = isinstance(states[0], str)
    fields, bits = letters_of_cells(game, states) if letters else bits_of_cells(game, states)
    if len(fields) * length > MOST_BITS:
        raise ZermeloError(
            f"Patterns of {length} cells with {len(fields)} bits each are too long: take at most {MOST_BITS // len(fields)} cells."
        )
    found = dict.fromkeys(shapes(bits, steps, length))
    if not found or length < 1:
        raise ZermeloError(f"The board of {type(game).__name__} has no line of {length} cells: choose shorter patterns.")
    patterns = Patterns(fields, tuple(tuple(bits[cell] for cell in cells) for cells in found), letters)
    if patterns.weights > MOST_WEIGHTS:
        raise ZermeloError(f"{len(found)} patterns of {length} cells have {patterns.weights:,} weights: choose shorter patterns.")
    return patterns


def shapes(cells: dict[Cell, int], steps: Sequence[Cell], length: int) -> Iterator[tuple[Cell, ...]]:
    """Lines in every direction, then blocks of two rows."""
    for down, right in steps:
        for row, column in cells:
            line = tuple((row + down * place, column + right * place) for place in range(length))
            if all(cell in cells for cell in line):
                yield line
    for row, column in cells if length >= 4 and length % 2 == 0 else ():
        block = tuple((row + down, column + place) for down in (0, 1) for place in range(length // 2))
        if all(cell in cells for cell in block):
            yield block


def board_steps(game: Game) -> Sequence[Cell]:
    """Neighbours on the game's board, which must be a grid of squares or of hexagons."""
    board = ask(game, "board", game.start()) if has(game, "board") else {}
    kind = board.get("kind")
    if kind not in ("grid", "hexes"):
        raise ZermeloError(f"{type(game).__name__} has no board of rows from which patterns could be made: give it `features(state)`.")
    return GRID if kind == "grid" else HEXES


def marks(game: Game, state: State) -> dict[Cell, Any]:
    """What every cell shows."""
    rows = ask(game, "board", state)["rows"]
    return {(row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)}


def random_states(game: Game) -> Iterator[State]:
    """States of seeded random games in which somebody moves."""
    chance, seen = Random(SEED), 0
    while seen < SAMPLES:
        state = game.start()
        for _ in range(LONGEST):
            legal = legal_actions(game, state)
            seen += 1
            if not legal or seen > SAMPLES:
                break
            yield state
            state = game.result(state, chance.choice(legal))


def bits_of_cells(game: Game, states: Sequence[State]) -> tuple[tuple[int, ...], dict[Cell, int]]:
    """The fields that hold the board, and the bit of every cell that ever changes."""
    name = type(game).__name__
    first = states[0]
    if not isinstance(first, tuple):
        raise ZermeloError(
            f"Patterns need a state that is a text or a tuple of numbers, and {name} has a {type(first).__name__}: give it features."
        )
    fields = tuple(place for place, item in enumerate(first) if isinstance(item, int) and not isinstance(item, bool))
    width = max((state[place].bit_length() for state in states for place in fields), default=0)
    shown = [(game.player(state), marks(game, state), state) for state in states]
    changing = [cell for cell in shown[0][1] if len({board[cell] for _, board, _ in shown}) > 1]
    bits: dict[Cell, int] = {}
    for cell in changing if 0 < len(fields) <= FIELDS else ():
        fitting = [bit for bit in range(width) if follows(shown, cell, fields, bit)]
        if len(fitting) != 1:
            break
        bits[cell] = fitting[0]
    if not bits or len(bits) < len(changing):
        raise ZermeloError(f"The cells of {name}'s board are not single bits of its state, so patterns cannot read them: give it features.")
    for place in fields:  # a field that is not needed, such as who is to move, is left out
        others = tuple(other for other in fields if other != place)
        if others and all(follows(shown, cell, others, bit) for cell, bit in bits.items()):
            fields = others
    return fields, bits


def letters_of_cells(game: Game, states: Sequence[State]) -> tuple[tuple[int, ...], dict[Cell, int]]:
    """The bits that tell the letters of a text apart, and the place of every cell in it."""
    shown = [(game.player(state), marks(game, state), state) for state in states]
    places = range(min(map(len, states)))
    found = {
        cell: next((place for place in places if tells(shown, cell, itemgetter(slice(place, place + 1)))), None)
        for cell in shown[0][1]
        if len({board[cell] for _, board, _ in shown}) > 1
    }
    cells = {cell: place for cell, place in found.items() if place is not None}
    if not cells or len(cells) < len(found):
        raise ZermeloError(f"The cells of {type(game).__name__}'s board are not letters of its state: give it features.")
    alphabet = {ord(state[place]) for state in states for place in cells.values()}
    bits = [bit for bit in range(max(alphabet).bit_length()) if len({letter >> bit & 1 for letter in alphabet}) > 1]
    for bit in list(bits):  # one that is not needed is left out
        others = [other for other in bits if other != bit]
        if len({tuple(letter >> other & 1 for other in others) for letter in alphabet}) == len(alphabet):
            bits = others
    return tuple(bits), cells


def follows(shown: Sequence[Shown], cell: Cell, fields: Sequence[int], bit: int) -> bool:
    """Does what a cell shows follow from this bit of these fields, and from who is to move?"""
    return tells(shown, cell, lambda state: tuple(state[place] >> bit & 1 for place in fields))


def tells(shown: Sequence[Shown], cell: Cell, read: Callable[[State], Sequence[Any]]) -> bool:
    """Does what a cell shows follow from what is read, and from who is to move?"""
    meaning: dict[tuple[Any, ...], Any] = {}
    return all(meaning.setdefault((player, *read(state)), board[cell]) == board[cell] for player, board, state in shown)
