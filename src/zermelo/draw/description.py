"""What a board is: plain data that `board(state)` gives, and from which terminal, page, notebook and export draw it.

A description is a dictionary of texts, numbers, lists and dictionaries. Every kind may have a
`caption`, and `turned` where the first player's side is above. Only `kind` and the first field
of each kind below are needed; three lines are enough for a proper board:

    def board(self, state):
        return {"kind": "grid", "look": "stones", "rows": [["X", "", "O"], …]}

    grid    rows: lists of marks, "" for an empty cell; look: see below; coordinates: "a1" (rows count from below), "a8" (from above)
            or [columns, rows]; line: cells of the winning line; check: a cell; floor: [row, column, figure] below the pieces;
            hands: whose → marks beside the board; walls: ["h" or "v", row, column], two cells long, below or right of that cell;
            bold: rows and columns of each part of the board; large: [row, column, mark] over a whole part; dice: faces beside it
    hexes   rows as above, each half a cell further right; edges: true where top and bottom belong to the first player, the sides to the
            second
    graph   points: [x, y] each; lines: pairs of points; marks: one a point; names: one a point
    pegs    pegs: the sizes of the discs on each peg, from the bottom
    pits    rows: the upper and the lower row of seeds; stores: the left and the right one, if there are any; labels: of the stores
    piles   piles: how many counters each heap has
    dots    size: rows and columns of boxes; lines: ["h", row, column] and ["v", row, column], perhaps with whose: 0 or 1; boxes: rows of
            owners, "" for nobody
    cards   hands: whose → cards, such as "Ks", or "?" face down; table: open cards; pot: chips; chips: whose → chips before them
    dice    dice: faces in each cup; cups: names; table: [name, points, is it still open?] below
    points  points: [mark, checkers] from the first point on; bar, off: [first, second] player's checkers; dice: faces; homeward: true where
            the first point is at the lower right

The `look` of a grid: `chess` (letters are pieces, capitals white), `draughts` (`b`, `w`, capitals are kings), `men` (checkers on squares),
`othello`, `frame` (discs in an upright frame), `go` (stones on lines), `paper` (noughts and crosses), `stones` (discs on cells), `tiles`
(numbers that slide), `doubling` (2048's colours), `blocks` (coloured cells), `joined` (neighbours with one mark are one piece), `holes` (of
a round board; `#` is not a hole), `sea`, `coins`, `pins`, `tokens` (marks in rings); without one, marks are written into cells.

`figures` of a grid or graph says how marks are drawn: `{"T": "tiger", "w": "stack w"}`; `zermelo.draw.figures` has the names.

Marks belong to players: `X`, `x`, `b`, `1` … to the first, `O`, `o`, `w` to the second, unless `owners` (mark → player) says otherwise;
`colours` names the players' colours: white, black, red, blue, yellow.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

__all__ = ["KINDS", "LOOKS", "chain", "fault_of", "longest_run", "owner_of"]

KINDS = ("grid", "hexes", "graph", "pegs", "pits", "piles", "dots", "cards", "dice", "points")
LOOKS = (
    *("plain", "chess", "draughts", "men", "othello", "frame", "go", "paper", "stones"),
    *("tiles", "doubling", "blocks", "joined", "holes", "sea", "coins", "pins", "tokens"),
)
FIRST, SECOND, THIRD = ("X", "x", "b", "B", "●", "1"), ("O", "o", "w", "W", "○", "2"), ("Z", "z", "n", "3")
LARGEST = 60  # rows or columns of a grid that is drawn


def owner_of(board: Mapping[str, Any], mark: str) -> int:
    """Whose a mark is: the player's number, -1 where it is nobody's."""
    owners = board.get("owners")
    if isinstance(owners, Mapping) and mark in owners:
        return int(owners[mark])
    return 0 if mark in FIRST else 1 if mark in SECOND else 2 if mark in THIRD else -1


def fault_of(board: Any) -> str:
    """Why this cannot be drawn, in one sentence; empty where it can."""
    if not isinstance(board, Mapping):
        return f"board() gives {type(board).__name__}, not a dictionary."
    kind = board.get("kind")
    if kind not in KINDS:
        return f"board() gives the kind {kind!r}; the kinds are {', '.join(KINDS)}."
    try:
        return FAULTS[kind](board)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        return f"board() gives data that does not fit the kind {kind!r}: {type(error).__name__}: {error}."


def _grid(board: Mapping[str, Any]) -> str:
    rows = board.get("rows")
    if not _lists(rows) or not rows or not max(len(row) for row in rows):
        return f"A board of the kind {board['kind']!r} needs `rows`: lists of marks."
    if len(rows) > LARGEST or max(len(row) for row in rows) > LARGEST:
        return f"The board has more than {LARGEST} rows or columns."
    look = board.get("look", "plain")
    if look not in LOOKS:
        return f"board() gives the look {look!r}; the looks are {', '.join(LOOKS)}."
    return _extras(board)


def _extras(board: Mapping[str, Any]) -> str:
    """What is wrong with what lies on, between and beside the cells."""
    down, across = len(board["rows"]), max(len(row) for row in board["rows"])
    cells = [*(tuple(cell)[:2] for cell in board.get("floor", ())), *map(tuple, board.get("line") or ())]
    if board.get("check"):
        cells.append(tuple(board["check"]))
    if any(not (0 <= row < down and 0 <= column < across) for row, column in cells):
        return "A cell of `floor`, `line` or `check` is not on the board."
    if any(way not in ("h", "v") or not _number(row) or not _number(column) for way, row, column in board.get("walls", ())):
        return 'A wall is ["h", row, column] or ["v", row, column].'
    figures, hands = board.get("figures", {}), board.get("hands", {})
    if not isinstance(figures, Mapping) or not all(isinstance(figure, str) for figure in figures.values()):
        return "`figures` is a dictionary of marks and the names of figures."
    if not isinstance(hands, Mapping) or not all(_list(held) for held in hands.values()):
        return "`hands` is a dictionary of lists of marks."
    return ""


def _graph(board: Mapping[str, Any]) -> str:
    points, marks = board.get("points"), board.get("marks")
    if not _lists(points) or not points or not all(len(point) == 2 and all(map(_number, point)) for point in points):
        return "A board of the kind 'graph' needs `points`: pairs of numbers."
    if marks is not None and len(marks) != len(points):
        return f"The graph has {len(points)} points and {len(marks)} marks."
    if any(not 0 <= int(end) < len(points) for line in board.get("lines", ()) for end in line):
        return "A line of the graph leads to a point that there is not."
    return ""


def _pits(board: Mapping[str, Any]) -> str:
    rows: Any = board.get("rows")
    fits = _lists(rows) and len(rows) == 2 and len(rows[0]) == len(rows[1]) > 0
    if not fits or not all(_number(seeds) for row in rows for seeds in row):
        return "Pits need two `rows` of as many numbers each."
    return "" if len(board.get("stores") or ()) in (0, 2) else "Pits have two `stores` or none."


def _pegs(board: Mapping[str, Any]) -> str:
    pegs: Any = board.get("pegs")
    fits = _lists(pegs) and pegs and all(isinstance(size, int) and size > 0 for peg in pegs for size in peg)
    return "" if fits else "A board of the kind 'pegs' needs `pegs`: a list of the sizes of discs for each."


def _piles(board: Mapping[str, Any]) -> str:
    piles = board.get("piles")
    fits = isinstance(piles, Sequence) and all(isinstance(pile, int) and pile >= 0 for pile in piles)
    return "" if fits else "A board of the kind 'piles' needs `piles`: whole numbers that are not negative."


def _dots(board: Mapping[str, Any]) -> str:
    rows, columns = board["size"]
    return "" if 0 < rows <= LARGEST and 0 < columns <= LARGEST and _lists(board.get("lines", [])) else "Dots need a `size` and `lines`."


def _cards(board: Mapping[str, Any]) -> str:
    hands = board.get("hands")
    fits = isinstance(hands, Mapping) and all(_list(cards) for cards in hands.values())
    return "" if fits else "A board of the kind 'cards' needs `hands`: a dictionary of lists."


def _dice(board: Mapping[str, Any]) -> str:
    return "" if _lists(board.get("dice")) else "A board of the kind 'dice' needs `dice`: a list of faces for each cup."


def _points(board: Mapping[str, Any]) -> str:
    points = board.get("points")
    fits = _lists(points) and points and all(len(point) == 2 and isinstance(point[1], int) for point in points)
    return "" if fits else "A board of the kind 'points' needs `points`: a mark and a number each."


def _list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _lists(value: Any) -> bool:
    return _list(value) and all(map(_list, value))


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


FAULTS = {
    "grid": _grid,
    "hexes": _grid,
    "graph": _graph,
    "pegs": _pegs,
    "pits": _pits,
    "piles": _piles,
    "dots": _dots,
    "cards": _cards,
    "dice": _dice,
    "points": _points,
}


def longest_run(rows: Sequence[Sequence[Any]]) -> list[list[int]]:
    """The cells of the longest straight run of one mark: the line that won, where lines win."""
    best: list[list[int]] = []
    for row, marks in enumerate(rows):
        for column, mark in enumerate(marks):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run, r, c = [], row, column
                while 0 <= r < len(rows) and 0 <= c < len(rows[r]) and mark and rows[r][c] == mark:
                    run.append([r, c])
                    r, c = r + down, c + right
                best = max(best, run, key=len)
    return best


def chain(rows: Sequence[Sequence[Any]]) -> list[list[int]]:
    """The shortest chain of hexagons that joins the first player's or the second player's two sides; none where there is none."""
    down, across = len(rows), len(rows[0])
    for owner in (0, 1):
        own = [(r, c) for r in range(down) for c in range(across) if owner_of({}, str(rows[r][c] or "")) == owner]
        paths = {cell: [cell] for cell in own if cell[owner] == 0}
        waiting = list(paths)
        for row, column in waiting:
            path = paths[row, column]
            if (row, column)[owner] == (down, across)[owner] - 1:
                return [list(cell) for cell in path]
            for cell in (
                (row, column + 1),
                (row, column - 1),
                (row + 1, column),
                (row - 1, column),
                (row + 1, column - 1),
                (row - 1, column + 1),
            ):
                if cell in own and cell not in paths:
                    paths[cell] = [*path, cell]
                    waiting.append(cell)
    return []
