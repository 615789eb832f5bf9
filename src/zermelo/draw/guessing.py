"""A board for rules that say nothing about one: a grid, where the text that they print or the state itself plainly is one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from math import isqrt
from typing import Any

from zermelo.draw.grids import own_colours
from zermelo.rules import CHANCE, Action, Game, State, ask, has

__all__ = ["guessed", "guessed_board", "guessed_from_state"]

EMPTY = ("", " ", ".", "·", "-", "_")
BLOCKS = {"#", "■", "█", "▪"}
CHECKERS = ({"b", "w"}, {"B", "W"})
PEOPLE = {"X", "x", "O", "o", "●", "○"}
SMALLEST, LARGEST = 3, 19  # sides of a square that is stored as one row of cells
KINDS_OF_MARKS = 14  # more different marks in a row of cells are no pieces
SHAPES = (("height", "width"), ("rows", "columns"), ("n", "m"), ("size", "size"))  # parameters that say how a row of cells is folded


def guessed_board(game: Game, state: State) -> dict[str, Any] | None:
    """A grid from what the rules print, otherwise from the state; None where neither is one.

    What had another size at the start, or was no grid there, is a list of moves and no board.
    """
    start = game.start()
    found, first = guessed_alone(game, state), guessed_alone(game, start)
    if found is None or first is None or shape_of(found) != shape_of(first):
        return None
    if not marks_of(first) and not marks_of(found):  # an empty board looks as it does after a move
        after = next((game.result(start, action) for action in moves_of(game, start)), start)
        return dressed(game, guessed_alone(game, after) or found) | {"rows": found["rows"]}
    return dressed(game, found)


def guessed_alone(game: Game, state: State) -> dict[str, Any] | None:
    """A grid from what one state says."""
    found = guessed(str(ask(game, "show", state))) if has(game, "show") else None
    return found or guessed_from_state(game, state) or guessed_from_stones(game, state)


def shape_of(board: Mapping[str, Any]) -> list[int]:
    return [len(row) for row in board["rows"]]


def marks_of(board: Mapping[str, Any]) -> set[str]:
    return {mark for row in board["rows"] for mark in row if mark}


def moves_of(game: Game, state: State) -> list[Action]:
    """What a player may do; nothing where the game is over or chance is to move."""
    return [] if game.terminal(state) or game.player(state) == CHANCE else list(game.actions(state))


def dressed(game: Game, board: dict[str, Any]) -> dict[str, Any]:
    """Pieces have the colours that players are named for, and letters that begin the players' names are their pieces."""
    seats = [str(seat) for seat in getattr(game, "seats", None) or ()]
    coloured = {"colours": seats} if own_colours({"colours": seats}) else {}
    if board["look"] in ("paper", "stones"):
        return {**board, "look": "stones", **coloured} if coloured else board
    owners = {letter: seat for seat, name in enumerate(seats) for letter in (name[:1].upper(), name[:1].lower())}
    marks = marks_of(board)
    if not seats or not marks <= owners.keys() or len(owners) < 2 * len(seats) or len(marks) > len(seats):
        return board
    return {**board, "look": "men" if board["look"] == "men" else "stones", "owners": owners, **coloured}


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


def guessed_from_stones(game: Game, state: State) -> dict[str, Any] | None:
    """A grid from a state that holds two sets of cells (row, column), one for each player, where every cell of a rectangle can be taken."""
    sets = [part for part in components(state) if isinstance(part, tuple | list | set | frozenset)]
    if len(sets) != 2 or not all(is_cell(cell) for part in sets for cell in part):
        return None
    start = game.start()
    free = moves_of(game, start)
    held = {tuple(cell) for part in components(start) if isinstance(part, tuple | list | set | frozenset) for cell in part}
    cells = held | {tuple(action) for action in free} if all(map(is_cell, free)) else set()
    if not cells:
        return None
    top, left = (min(cell[part] for cell in cells) for part in (0, 1))
    down, across = (max(cell[part] for cell in cells) + 1 - low for part, low in ((0, top), (1, left)))
    if min(down, across) < 2 or len(cells) != down * across or not {tuple(cell) for part in sets for cell in part} <= cells:
        return None
    rows = [[""] * across for _ in range(down)]
    for stones, mark in zip(sets, "XO", strict=True):
        for row, column in stones:
            rows[row - top][column - left] = mark
    return grid(rows)


def is_cell(value: Any) -> bool:
    """Is this a row and a column?"""
    return isinstance(value, tuple | list) and len(value) == 2 and all(type(part) is int and part >= 0 for part in value)


def components(state: State) -> Iterator[Any]:
    """What the state consists of."""
    if is_dataclass(state) and not isinstance(state, type):
        yield from (getattr(state, field.name) for field in fields(state))
    elif isinstance(state, tuple | list):
        yield from state


def parts(state: State) -> Iterator[Any]:
    """The state, then what it consists of."""
    yield state
    if not nested(state):
        yield from (part for part in components(state) if isinstance(part, tuple | list | str) and len(part) > 1)


def nested(value: Any) -> bool:
    """Is this a list of rows of cells, all as long as the first?"""
    rows = isinstance(value, tuple | list) and len(value) > 1 and all(isinstance(row, tuple | list | str) for row in value)
    return rows and len(value[0]) > 1 and len({len(row) for row in value}) == 1 and all(map(cells, value))


def cells(row: Sequence[Any]) -> bool:
    """Are these short marks, numbers, or nothing?"""
    return all(cell is None or isinstance(cell, int) or (isinstance(cell, str) and len(cell) <= 2) for cell in row)


def rows_in(game: Game, part: Any) -> list[list[Any]] | None:
    """The rows of a grid; None where the part is none."""
    if isinstance(part, str) and "\n" in part:
        part = tuple(line for line in part.splitlines() if line)
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
    if known <= PEOPLE:
        look = "paper" if len(rows[0]) <= 5 else "stones"
    else:
        look = "blocks" if known <= BLOCKS else "men" if known in CHECKERS else "plain"
    return {"kind": "grid", "look": look, "rows": rows}
