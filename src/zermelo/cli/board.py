"""A board with its free cells named, shown when a person is asked for a move."""

import re

from zermelo.rules import Action, Game, State, action_name

__all__ = ["action_at", "named_cells"]

ROW_AND_COLUMN = re.compile(r"\(?\s*(?:row)?\s*(\d+)[\s,]+(?:col(?:umn)?)?\s*(\d+)\s*\)?", re.IGNORECASE)


def named_cells(game: Game, state: State, actions: list[Action]) -> str:
    """The board as the game shows it; where that leaves the names of moves out, a grid with each name in the cell that the move fills."""
    shown = str(getattr(game, "show", str)(state))
    names = {action: action_name(game, state, action) for action in actions}
    if set(names.values()) <= set(shown.split()):
        return shown
    cells = filled_cells(game, state, actions)
    before = grid(game, state)
    if not cells or before is None:
        return shown
    texts = [[mark or (names[cells[r, c]] if (r, c) in cells else ".") for c, mark in enumerate(row)] for r, row in enumerate(before)]
    width = max(len(text) for row in texts for text in row)
    return "\n".join(" ".join(text.rjust(width) for text in row) for row in texts)


def action_at(game: Game, state: State, actions: list[Action], text: str) -> Action | None:
    """The action that fills the cell which the text names by row and column, both from 0: `1 2`, `(1, 2)`, `row 1 column 2`."""
    found = ROW_AND_COLUMN.fullmatch(text.strip())
    return None if found is None else filled_cells(game, state, actions).get((int(found[1]), int(found[2])))


def filled_cells(game: Game, state: State, actions: list[Action]) -> dict[tuple[int, int], Action]:
    """Which cell each action fills, by row and column; none where that is not so on this board.

    It shows in the board after the move: the cell is no longer empty.
    """
    cells: dict[tuple[int, int], Action] = {}
    before = grid(game, state)
    for action in actions if before is not None else []:
        after = grid(game, game.result(state, action))
        filled = [] if after is None or before is None else newly_filled(before, after)
        if len(filled) > 1 or (filled and filled[0] in cells):
            return {}
        cells.update(dict.fromkeys(filled, action))
    return cells


def grid(game: Game, state: State) -> list[list[str]] | None:
    """Rows of marks, "" where a cell is empty; None where the game has no such board."""
    board = getattr(game, "board", None)
    data = None if board is None else board(state)
    if not isinstance(data, dict) or data.get("kind") != "grid":
        return None
    return [[str(cell) for cell in row] for row in data["rows"]]


def newly_filled(before: list[list[str]], after: list[list[str]]) -> list[tuple[int, int]]:
    """Places that were empty and are not any more."""
    return [(r, c) for r, row in enumerate(before) for c, mark in enumerate(row) if not mark and after[r][c]]
