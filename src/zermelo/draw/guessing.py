"""A board for rules that say nothing about one: a grid, where the text that they print or the state itself plainly is one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from math import isqrt
from typing import Any

from zermelo.rules import Game, State, ask, has

__all__ = ["guessed", "guessed_board", "guessed_from_state"]

EMPTY = ("", " ", ".", "·", "-", "_")
BLOCKS = {"#", "■", "█", "▪"}
PEOPLE = {"X", "x", "O", "o", "●", "○"}
SMALLEST, LARGEST = 3, 19  # sides of a square that is stored as one row of cells
KINDS_OF_MARKS = 14  # more different marks in a row of cells are no pieces
SHAPES = (("height", "width"), ("rows", "columns"), ("n", "m"), ("size", "size"))  # parameters that say how a row of cells is folded


def guessed_board(game: Game, state: State) -> dict[str, Any] | None:
    """A grid from what the rules print, otherwise from the state; None where neither is one."""
    found = guessed(str(ask(game, "show", state))) if has(game, "show") else None
    return found or guessed_from_state(game, state)


def guessed(text: str) -> dict[str, Any] | None:
    """A grid from a board in letters that is plainly one: two rows or more, all of as many short marks; None where it is not."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    while len(rows) > 2 and (len(rows[-1]) != len(rows[0]) or "move" in rows[-1]):  # a last line says who moves
        rows.pop()
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2 or any(len(mark) > 3 for row in rows for mark in row):
        return None
    return grid([["" if mark in EMPTY else mark for mark in row] for row in rows])


def guessed_from_state(game: Game, state: State) -> dict[str, Any] | None:
    """A grid from a state that is one, or has one among its parts: rows of cells, or one row of as many cells as a board has."""
    found = [rows for part in parts(state) if (rows := rows_in(game, part)) is not None]
    return grid(marked(found[0])) if len(found) == 1 else None


def parts(state: State) -> Iterator[Any]:
    """The state, then what it consists of."""
    yield state
    if is_dataclass(state) and not isinstance(state, type):
        yield from (getattr(state, field.name) for field in fields(state))
    elif isinstance(state, tuple | list) and not nested(state):
        yield from (part for part in state if isinstance(part, tuple | list | str) and len(part) > 1)


def nested(value: Any) -> bool:
    """Is this a list of rows of cells, all as long as the first?"""
    rows = isinstance(value, tuple | list) and len(value) > 1 and all(isinstance(row, tuple | list | str) for row in value)
    return rows and len(value[0]) > 1 and len({len(row) for row in value}) == 1 and all(map(cells, value))


def cells(row: Sequence[Any]) -> bool:
    """Are these short marks, numbers, or nothing?"""
    return all(cell is None or isinstance(cell, int) or (isinstance(cell, str) and len(cell) <= 2) for cell in row)


def rows_in(game: Game, part: Any) -> list[list[Any]] | None:
    """The rows of a grid; None where the part is none."""
    if nested(part):
        return [list(row) for row in part]
    if not isinstance(part, str | tuple | list) or not cells(part) or len(set(part)) > KINDS_OF_MARKS:
        return None
    tall, wide = shape(game, len(part))
    return [list(part[start : start + wide]) for start in range(0, len(part), wide)] if tall else None


def shape(game: Game, count: int) -> tuple[int, int]:
    """Rows and columns of a board with so many cells: what the game's parameters say, otherwise a square; zeros where nothing fits."""
    for names in SHAPES:
        tall, wide = (getattr(game, name, None) for name in names)
        if isinstance(tall, int) and isinstance(wide, int) and tall * wide == count and min(tall, wide) > 1:
            return tall, wide
    side = isqrt(count)
    return (side, side) if side * side == count and SMALLEST <= side <= LARGEST else (0, 0)


def marked(rows: list[list[Any]]) -> list[list[str]]:
    """Cells as marks: 1 and 2, or 1 and −1, are two players' where 0 is empty; 0 and 1 are where None is."""
    values = {cell for row in rows for cell in row}
    signs: Mapping[Any, str] = {}
    if None in values:
        signs = {0: "X", 1: "O"} if values <= {None, 0, 1} else {1: "X", 2: "O"} if values <= {None, 1, 2} else {}
    elif values <= {0, 1, 2}:
        signs = {1: "X", 2: "O"}
    elif values <= {0, 1, -1}:
        signs = {1: "X", -1: "O"}

    def mark(cell: Any) -> str:
        nothing = cell is None or (cell == 0 and None not in values) or (isinstance(cell, str) and cell in EMPTY)
        return "" if nothing else signs.get(cell, str(cell))

    return [[mark(cell) for cell in row] for row in rows]


def grid(rows: list[list[str]]) -> dict[str, Any]:
    """A grid of these marks: noughts and crosses on paper or as stones, anything else in its cell."""
    known = {mark for row in rows for mark in row if mark}
    look = "blocks" if known and known <= BLOCKS else "plain" if not known <= PEOPLE else "paper" if len(rows[0]) <= 5 else "stones"
    return {"kind": "grid", "look": look, "rows": rows}
