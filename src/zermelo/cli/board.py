"""A board with its free cells named, for whoever is asked for a move."""

from zermelo.rules import Action, Game, State, action_name

__all__ = ["named_cells"]


def named_cells(game: Game, state: State, actions: list[Action]) -> str:
    """The board as the game shows it; where that leaves the names of moves out, a grid with each name in the cell that the move fills.

    Which cell that is shows in the board after the move: the one that is no longer empty.
    """
    shown = str(getattr(game, "show", str)(state))
    names = {action: action_name(game, state, action) for action in actions}
    if set(names.values()) <= set(shown.split()):
        return shown
    before = grid(game, state)
    if before is None:
        return shown
    cells: dict[tuple[int, int], str] = {}
    for action, name in names.items():
        after = grid(game, game.result(state, action))
        filled = [] if after is None else newly_filled(before, after)
        if len(filled) > 1 or (filled and filled[0] in cells):
            return shown
        cells.update(dict.fromkeys(filled, name))
    if not cells:
        return shown
    texts = [[mark or cells.get((r, c), ".") for c, mark in enumerate(row)] for r, row in enumerate(before)]
    width = max(len(text) for row in texts for text in row)
    return "\n".join(" ".join(text.rjust(width) for text in row) for row in texts)


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
