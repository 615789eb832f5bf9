"""Boards of rows and columns: the ground of each look, what stands in the cells, coordinates, and the line that won."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.draw.description import owner_of
from zermelo.draw.figures import Paint, figure
from zermelo.draw.picture import CELL, PALETTE, Picture, Place, Shape, letters, margin, shape
from zermelo.draw.pieces import CHESS, INK, SIDES, chessman, cross, crowned, die, disc, nought, stone

__all__ = ["figure_of", "grid_picture", "rows_of", "side_colours"]

DOUBLING = {2: "#eee4da", 4: "#ede0c8", 8: "#f2b179", 16: "#f59563", 32: "#f67c5f", 64: "#f65e3b", 128: "#edcf72", 256: "#edcc61"}
DOUBLED, EMPTY_TILE, DOUBLING_GROUND = "#edc22e", "#cdc1b4", "#bbada0"


def rows_of(board: Mapping[str, Any]) -> list[list[str]]:
    return [["" if cell is None or cell == "." else str(cell) for cell in row] for row in board["rows"]]


@dataclass
class Grid:
    """A grid being drawn: where its cells are, and what stands in them."""

    board: Mapping[str, Any]
    rows: list[list[str]]
    turned: bool
    look: str

    @property
    def columns(self) -> int:
        return max(len(row) for row in self.rows)

    def middle(self, row: int, column: int) -> tuple[float, float]:
        if self.turned:
            row, column = len(self.rows) - 1 - row, self.columns - 1 - column
        return (column + 0.5) * CELL, (row + 0.5) * CELL

    def cells(self) -> Iterator[tuple[int, int, str, float, float]]:
        for row, marks in enumerate(self.rows):
            for column, mark in enumerate(marks):
                yield row, column, mark, *self.middle(row, column)


def grid_picture(board: Mapping[str, Any], turned: bool) -> Picture:
    rows = rows_of(board)
    look = str(board.get("look") or natural_look(rows))
    upright = look in UPRIGHT
    grid = Grid(board, rows, turned and not upright, look)
    made = Picture(grid.columns * CELL, len(rows) * CELL)
    GROUNDS.get(look, _plain_ground)(made, grid)
    if look in CHECKERED and board.get("coordinates", True):
        _inner_coordinates(made, grid)
    elif board.get("coordinates"):
        _outer_coordinates(made, grid)
    for cell in (board.get("check") and [board["check"]]) or ():
        x, y = grid.middle(*cell)
        made.add("circle", cx=x, cy=y, r=CELL * 0.46, fill="@check", opacity=0.6)
    for row, column, name in board.get("floor", ()):
        made.shapes.append(["g", {"transform": "translate({:g} {:g})".format(*grid.middle(row, column))}, figure_of(board, str(name), "")])
    if look == "joined":
        _joined(made, grid)
    else:
        _pieces(made, grid)
    if look == "frame":
        _frame_front(made, grid)
    _walls(made, grid)
    _large(made, grid)
    _winning_line(made, grid)
    margin(made, 4 if look in ("chess", "draughts", "men", "plain", "blocks", "tiles", "paper", "stones", "tokens") else 0)
    _beside(made, grid)
    return made


def _pieces(made: Picture, grid: Grid) -> None:
    for row, column, mark, x, y in grid.cells():
        key = f"{row},{column}"
        if grid.look == "holes" and mark == "#":
            continue
        made.place(key, x, y, CELL, bool(mark), _tag(grid.look, x, y, bool(mark)))
        if mark:
            made.piece(key, x, y, _man(grid.board, grid.look, mark))


def _joined(made: Picture, grid: Grid) -> None:
    """Neighbouring cells with one mark are one piece, which is taken up anywhere and called by its first cell."""
    cells = {(row, column): mark for row, column, mark, _, _ in grid.cells()}
    for (row, column), mark in cells.items():
        if not mark:
            made.place(f"{row},{column}", *grid.middle(row, column), CELL, False)
        elif cells.get((row, column - 1)) != mark and cells.get((row - 1, column)) != mark and not _elsewhere(cells, row, column, mark):
            group = [cell for cell, other in cells.items() if other == mark]
            _joined_piece(made, grid, group, mark)


def _elsewhere(cells: Mapping[tuple[int, int], str], row: int, column: int, mark: str) -> bool:
    """Does the piece begin at another cell, further up?"""
    return min(cell for cell, other in cells.items() if other == mark) != (row, column)


def _joined_piece(made: Picture, grid: Grid, group: list[tuple[int, int]], mark: str) -> None:
    middles = {cell: grid.middle(*cell) for cell in group}
    xs, ys = [x for x, _ in middles.values()], [y for _, y in middles.values()]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    owner = owner_of(grid.board, mark)
    fill, edge = (own_colours(grid.board) or SIDES)[owner % 2] if owner >= 0 else JOINED[sum(map(ord, mark)) % len(JOINED)]
    half = CELL / 2 - 4
    straight = len(set(xs)) == 1 or len(set(ys)) == 1
    bodies = [(min(xs), min(ys), max(xs), max(ys))] if straight else []
    for row, column in () if straight else group:
        for other in ((row, column + 1), (row + 1, column)):
            if other in middles:
                (x1, y1), (x2, y2) = middles[row, column], middles[other]
                bodies.append((min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)))
    shapes = []
    for paint, grown in ((edge, half + 2), (fill, half)):  # the outline of all cells first, so that none is seen between them
        for x1, y1, x2, y2 in bodies or [(x, y, x, y)]:
            wide, tall = x2 - x1 + 2 * grown, y2 - y1 + 2 * grown
            shapes.append(shape("rect", x=x1 - grown - x, y=y1 - grown - y, width=wide, height=tall, rx=12, fill=f"@{paint}"))
    if owner >= 0 and (len(mark) > 1 or mark in "XO"):
        sign = "@card-black" if fill in ("white", "yellow") else "@white"
        for a, b in middles.values():
            shapes.append(["g", {"transform": f"translate({a - x:g} {b - y:g})"}, cross(8, sign) if owner == 0 else nought(8, sign)])
    elif len(mark) == 1:
        shapes.append(letters(0, 9, mark, 24, "@card-black" if fill in ("white", "yellow", "tile", "gold") else "@white", font_weight=700))
    first = min(group)
    key = f"{first[0]},{first[1]}"
    made.piece(key, x, y, shapes)
    made.places[key] = Place(x, y, max(xs) - min(xs) + CELL, max(ys) - min(ys) + CELL, (x + CELL * 0.24, y - CELL * 0.34), True)


def figure_of(board: Mapping[str, Any], name: str, mark: str) -> list[Shape]:
    """A figure in the colours of the mark's owner."""
    owner = owner_of(board, mark)
    colours = own_colours(board) or SIDES
    fill, edge = colours[owner % len(colours)] if owner >= 0 else ("tile", "tile-edge")
    return figure(name, Paint(fill, edge))


def _walls(made: Picture, grid: Grid) -> None:
    """Walls two cells long between cells, and places for those that may come."""
    if "walls" not in grid.board:
        return
    standing = {tuple(wall) for wall in grid.board["walls"]}
    for row in range(len(grid.rows) - 1):
        for column in range(grid.columns - 1):
            x, y = ((a + b) / 2 for a, b in zip(grid.middle(row, column), grid.middle(row + 1, column + 1), strict=True))
            across, down = grid.middle(row, column)
            for way in ("h", "v"):
                key, full = f"{way},{row},{column}", (way, row, column) in standing
                if full:
                    long, thick = 2 * CELL - 10, 11.0
                    wide, tall = (long, thick) if way == "h" else (thick, long)
                    made.piece(key, x, y, [shape("rect", x=-wide / 2, y=-tall / 2, width=wide, height=tall, rx=5, fill="@rail")])
                at = (across, y) if way == "h" else (x, down)
                box = (CELL * 0.7, 16.0) if way == "h" else (16.0, CELL * 0.7)
                made.places[key] = Place(at[0], at[1], box[0], box[1], at, full)


def _large(made: Picture, grid: Grid) -> None:
    """Marks over a whole part of the board, and the lines between its parts."""
    if not grid.board.get("bold"):
        return
    down, across = grid.board["bold"]
    path = "".join(f"M{column * CELL:g} 0V{len(grid.rows) * CELL:g}" for column in range(across, grid.columns, across))
    path += "".join(f"M0 {row * CELL:g}H{grid.columns * CELL:g}" for row in range(down, len(grid.rows), down))
    stroke = "@ink" if grid.look == "paper" else "@wood-line"
    made.add("path", d=path, stroke=stroke, stroke_width=5, fill="none", stroke_linecap="round")
    for row, column, mark in grid.board.get("large", ()):
        x, y = (column + 0.5) * across * CELL, (row + 0.5) * down * CELL
        half = min(down, across) * CELL / 2 - 5
        made.add("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, rx=8, fill="@surface", opacity=0.82)
        drawn = cross(half * 0.62) if owner_of(grid.board, str(mark)) == 0 else nought(half * 0.66)
        if owner_of(grid.board, str(mark)) >= 0:
            made.shapes.append(["g", {"transform": f"translate({x:g} {y:g})"}, drawn])


def _beside(made: Picture, grid: Grid) -> None:
    """Hands above and below the board, the first player's below; dice at its right."""
    hands = [(str(name), ["" if mark is None else str(mark) for mark in held]) for name, held in grid.board.get("hands", {}).items()]
    wide = 96.0 if any(mark.startswith("steps") for mark in grid.board.get("figures", {}).values()) else CELL
    for number, (name, held) in enumerate(hands[:2]):
        below = (number == 0) != grid.turned
        size = max(0.5, min(1.0, 2 * made.width / (wide * max(len(held), 1))))  # two rows at most, as long as they can be seen
        step, tall = wide * size, CELL * size
        each = max(1, int(made.width // step))
        lines = max(1, -(-len(held) // each))
        top = made.top + made.height if below else made.top - lines * tall - 22
        made.text(made.left + 6, top + 16, name, 13, "@muted", "start")
        for index, mark in enumerate(held):
            x = made.left + made.width / 2 + (index % each - (min(len(held), each) - 1) / 2) * step
            y = top + 24 + (index // each + 0.5) * tall
            man = _man(grid.board, grid.look, mark)
            made.piece(f"{name},{index}", x, y, man if size == 1 else [["g", {"transform": f"scale({size:.2f})"}, man]])
            made.place(f"{name},{index}", x, y, step - 4, True, (x + 14 * size, y - 24 * size), tall - 4)
        made.height += lines * tall + 26
        made.top = made.top if below else top
    for name, held in hands[2:]:  # what is nobody's lies at the side
        x, middle = made.left + made.width + wide / 2 + 10, made.top + made.height / 2
        made.text(x, middle - len(held) * 32 - 8, name, 13, "@muted")
        for index, mark in enumerate(held):
            y = middle + (index - (len(held) - 1) / 2) * 64
            made.piece(f"{name},{index}", x, y, _man(grid.board, grid.look, mark))
            made.place(f"{name},{index}", x, y, wide - 4, True, (x, y - 34), 60)
        made.width += wide + 16
    dice = list(grid.board.get("dice", ()))
    if dice:
        middle, side = made.top + made.height / 2, made.left + made.width + 36
        for index, face in enumerate(dice):
            drawn = die(face, 44)
            made.shapes.append(["g", {"transform": f"translate({side:g} {middle + (index - (len(dice) - 1) / 2) * 54:g})"}, drawn])
        made.width += 68


def natural_look(rows: list[list[str]]) -> str:
    """How a board looks that does not say it: noughts and crosses on paper where there is nothing else."""
    marks = {mark for row in rows for mark in row if mark}
    return "paper" if marks <= {"X", "O"} and max(map(len, rows)) <= 5 else "plain"


def _tag(look: str, x: float, y: float, full: bool) -> tuple[float, float]:
    """Where a move's value stands: above the frame or the row, in the corner beside a piece, in the middle of an empty cell."""
    if look == "frame":
        return x, -20
    if look in ABOVE:
        return x, y - CELL * 0.5 - 12
    return (x + CELL * 0.24, y - CELL * 0.34) if full or look in ("chess", "draughts", "men") else (x, y)


def _man(board: Mapping[str, Any], look: str, mark: str) -> list[Shape]:
    owner = owner_of(board, mark)
    figures = board.get("figures") or {}
    if mark in figures:
        return figure_of(board, figures[mark], mark)
    if look == "holes":
        return figure("ball", Paint(*(own_colours(board) or (SIDES[1],))[0]))
    if mark == "#" and look != "blocks":
        return [shape("rect", x=-CELL / 2 + 2, y=-CELL / 2 + 2, width=CELL - 4, height=CELL - 4, rx=5, fill="@rail")]
    colours = side_colours(board, look)
    if look == "tokens" and owner >= 0 and own_colours(board):
        ink = "@card-black" if colours[owner][0] == "white" else "@card"
        return [*stone(owner, CELL * 0.38, colours), letters(0, 8, mark, 22, ink, font_weight=700)]
    if look == "chess" and mark.lower() in CHESS:
        return chessman(mark, CELL)
    if look == "draughts" and mark.isupper():
        return crowned(owner, CELL * 0.38)
    if look in ("othello", "go"):
        return stone(owner, CELL * 0.42, colours, rings=False)
    if look in ("draughts", "frame") or (look in ("men", "stones") and owner >= 0):
        return stone(owner, CELL * (0.4 if look == "frame" else 0.38), colours)
    if look in ("paper", "plain") and mark in "XxOo":
        return cross(CELL * 0.28) if mark in "Xx" else nought(CELL * 0.3)
    if look in PATTERNS:
        return PATTERNS[look](mark, owner)
    size = min(26.0, 70 / max(len(mark), 1))
    return [letters(0, size * 0.35, mark, size)]


LOOK_COLOURS = {
    "chess": (INK[1], INK[0]),
    "men": (INK[1], INK[0]),
    "draughts": INK,
    "othello": INK,
    "go": INK,
    "frame": (SIDES[0], SIDES[2], ("teal", "green-edge")),
}
KIND_COLOURS = {"graph": (INK[1], INK[0]), "points": (INK[1], INK[0]), "hexes": SIDES, "dots": SIDES}
SIDED = ("paper", "stones", "joined")  # looks of grids whose pieces are red and blue


def side_colours(board: Mapping[str, Any], look: str | None = None) -> tuple[tuple[str, str], ...]:
    """The colours of the players' pieces, each with that of its edge; none where pieces belong to nobody."""
    look = look or str(board.get("look", "plain"))
    if own_colours(board):
        return own_colours(board)
    if board.get("kind", "grid") != "grid":
        return KIND_COLOURS.get(board["kind"], ())
    sided = look in SIDED or "owners" in board or (look == "plain" and natural_look(rows_of(board)) == "paper")
    return LOOK_COLOURS.get(look) or (SIDES if sided else ())


def own_colours(board: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The players' colours, where `colours` names them; none where it names something else."""
    named = [str(colour).lower() for colour in board.get("colours", ())]
    known = all(f"{colour}-edge" in PALETTE for colour in named)
    return tuple((colour, f"{colour}-edge") for colour in named) if known else ()


def _number_tile(mark: str, owner: int) -> list[Shape]:
    half = CELL / 2 - 2
    return [
        shape("rect", x=-half, y=-half, width=2 * half, height=2 * half, rx=7, fill="@tile", stroke="@tile-edge", stroke_width=1.5),
        letters(0, 9, mark, 26 if len(mark) < 3 else 18, "@rail", font_weight=700),
    ]


def _double_tile(mark: str, owner: int) -> list[Shape]:
    worth, half = int(mark) if mark.isdecimal() else 0, CELL / 2 - 4
    size = {1: 28, 2: 25, 3: 20}.get(len(mark), 16)
    return [
        shape("rect", x=-half, y=-half, width=2 * half, height=2 * half, rx=5, fill=DOUBLING.get(worth, DOUBLED)),
        letters(0, size * 0.36, mark, size, "#5f574f" if worth <= 4 else "#1d2129", font_weight=700),
    ]


def _block(mark: str, owner: int) -> list[Shape]:
    half = CELL / 2 - 1.5
    if mark in ("n", "N"):
        return stone(-1, CELL * 0.3, rings=False)
    owner = -1 if mark in ("■", "#") else owner
    fill = SIDES[owner][0] if owner >= 0 else "rail" if mark in ("■", "#") else "tile"
    made = [shape("rect", x=-half, y=-half, width=2 * half, height=2 * half, rx=6, fill=f"@{fill}")]
    if owner < 0 and mark not in ("■", "#"):
        made.append(letters(0, 8, mark, min(24.0, 60 / max(len(mark), 1))))
    elif owner >= 0:
        made += cross(9, "@white") if owner == 0 else nought(9, "@white")
    return made


def _coin(mark: str, owner: int) -> list[Shape]:
    return [*disc("gold", "yellow-edge", CELL * 0.42), letters(0, 8, mark, 22, "#1d2129", font_weight=700)]


def _pin(mark: str, owner: int) -> list[Shape]:
    path = "M-6 24c-7-10-9-20-5-30 2-6 3-9 2-14a9 9 0 0 1 18 0c-1 5 0 8 2 14 4 10 2 20-5 30z"
    return [
        shape("path", d=path, fill="@white", stroke="@white-edge", stroke_width=1.6),
        shape("path", d="M-7-9H7M-7-5H7", stroke="@red", stroke_width=2),
    ]


def _token(mark: str, owner: int) -> list[Shape]:
    fill, edge = SIDES[owner % len(SIDES)] if owner >= 0 else ("tile", "tile-edge")
    return [*disc(fill, edge, CELL * 0.4), letters(0, 8, mark, 22, "@white" if owner >= 0 else "@ink", font_weight=700)]


PATTERNS: dict[str, Callable[[str, int], list[Shape]]] = {
    "tiles": _number_tile,
    "doubling": _double_tile,
    "blocks": _block,
    "coins": _coin,
    "pins": _pin,
    "tokens": _token,
}


def _plain_ground(made: Picture, grid: Grid) -> None:
    made.add("rect", x=0, y=0, width=made.width, height=made.height, rx=4, fill="@surface", stroke="@line", stroke_width=1.5)
    _lines(made, grid, "@line", 1.2)


def _lines(made: Picture, grid: Grid, stroke: str, width: float) -> None:
    path = "".join(f"M{column * CELL:g} 0V{made.height:g}" for column in range(1, grid.columns))
    path += "".join(f"M0 {row * CELL:g}H{made.width:g}" for row in range(1, len(grid.rows)))
    if path:
        made.add("path", d=path, stroke=stroke, stroke_width=width, fill="none", stroke_linecap="round")


def _checkered(made: Picture, grid: Grid) -> None:
    made.add("rect", x=0, y=0, width=made.width, height=made.height, fill="@light")
    dark = [(row, column) for row in range(len(grid.rows)) for column in range(grid.columns) if (row + column) % 2]
    made.add("path", d="".join(f"M{c * CELL:g} {r * CELL:g}h{CELL:g}v{CELL:g}h-{CELL:g}z" for r, c in dark), fill="@dark")


def _paper(made: Picture, grid: Grid) -> None:
    parts = bool(grid.board.get("bold"))  # the lines between the parts are drawn as people draw the board
    _lines(made, grid, "@line" if parts else "@ink", 2 if parts else 3.5)


def _cloth(made: Picture, grid: Grid) -> None:
    edge = 10
    made.add("rect", x=-edge, y=-edge, width=made.width + 2 * edge, height=made.height + 2 * edge, rx=8, fill="@green-edge")
    made.add("rect", x=0, y=0, width=made.width, height=made.height, fill="@green")
    _lines(made, grid, "@green-line", 1.6)
    if len(grid.rows) == grid.columns == 8:
        for x, y in ((2, 2), (2, 6), (6, 2), (6, 6)):
            made.add("circle", cx=x * CELL, cy=y * CELL, r=4, fill="@green-line")
    margin(made, edge)


def _goban(made: Picture, grid: Grid) -> None:
    made.add("rect", x=0, y=0, width=made.width, height=made.height, rx=4, fill="@wood")
    half = CELL / 2
    path = "".join(f"M{(c + 0.5) * CELL:g} {half:g}V{made.height - half:g}" for c in range(grid.columns))
    path += "".join(f"M{half:g} {(r + 0.5) * CELL:g}H{made.width - half:g}" for r in range(len(grid.rows)))
    made.add("path", d=path, stroke="@wood-line", stroke_width=1.5, fill="none")
    for row in _stars(len(grid.rows)):
        for column in _stars(grid.columns):
            made.add("circle", cx=(column + 0.5) * CELL, cy=(row + 0.5) * CELL, r=4.5, fill="@wood-line")


def _stars(length: int) -> tuple[int, ...]:
    """Star points along one side."""
    if length < 7:
        return (length // 2,) if length % 2 and length > 3 else ()
    first = 3 if length > 12 else 2
    return (first, length // 2, length - 1 - first) if length % 2 else (first, length - 1 - first)


def _frame(made: Picture, grid: Grid) -> None:
    edge = 8
    made.add("rect", x=-edge, y=-edge, width=made.width + 2 * edge, height=made.height + 2 * edge + 4, rx=14, fill="@paper")
    margin(made, edge)
    made.height += 10
    made.top -= 26
    made.height += 26


def _frame_front(made: Picture, grid: Grid) -> None:
    """The frame stands before the discs, with a hole for each."""
    edge, wide, tall = 8, grid.columns * CELL, len(grid.rows) * CELL
    r = CELL * 0.39
    holes = "".join(
        f"M{(c + 0.5) * CELL - r:.1f} {(y + 0.5) * CELL:g}a{r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0z"
        for y in range(len(grid.rows))
        for c in range(grid.columns)
    )
    outer = f"M{-edge + 12} {-edge}H{wide + edge - 12:g}q12 0 12 12V{tall + edge:g}H{-edge}V{-edge + 12}q0-12 12-12z"
    made.add("path", d=outer + holes, fill="@frame", fill_rule="evenodd", data_front=1)
    made.add("rect", x=-edge - 4, y=tall + edge, width=wide + 2 * edge + 8, height=6, rx=3, fill="@frame-edge")
    margin(made, 4)


def _tray(made: Picture, grid: Grid) -> None:
    made.add("rect", x=-6, y=-6, width=made.width + 12, height=made.height + 12, rx=10, fill="@rail")
    made.add("rect", x=0, y=0, width=made.width, height=made.height, rx=5, fill="@pit")
    margin(made, 6)


def _doubling_ground(made: Picture, grid: Grid) -> None:
    made.add("rect", x=-4, y=-4, width=made.width + 8, height=made.height + 8, rx=8, fill=DOUBLING_GROUND)
    for _, _, _, x, y in grid.cells():
        made.add("rect", x=x - CELL / 2 + 4, y=y - CELL / 2 + 4, width=CELL - 8, height=CELL - 8, rx=5, fill=EMPTY_TILE)
    margin(made, 4)


def _felt(made: Picture, grid: Grid) -> None:
    made.add("rect", x=-10, y=-10, width=made.width + 20, height=made.height + 20, rx=16, fill="@felt")
    margin(made, 10)
    made.top, made.height = made.top - ROOM, made.height + ROOM


def _lane(made: Picture, grid: Grid) -> None:
    made.add("rect", x=-8, y=-6, width=made.width + 16, height=made.height + 12, rx=8, fill="@wood")
    made.add("path", d=f"M-8 {made.height - 4:g}H{made.width + 8:g}", stroke="@wood-line", stroke_width=2)
    margin(made, 8)
    made.top, made.height = made.top - ROOM, made.height + ROOM


def _wooden(made: Picture, grid: Grid) -> None:
    """Squares on wood."""
    made.add("rect", x=-4, y=-4, width=made.width + 8, height=made.height + 8, rx=8, fill="@wood-line")
    made.add("rect", x=0, y=0, width=made.width, height=made.height, rx=4, fill="@wood")
    _lines(made, grid, "@wood-line", 1.4)


def _round(made: Picture, grid: Grid) -> None:
    """A board of wood with a hole for each peg."""
    made.add("rect", x=-8, y=-8, width=made.width + 16, height=made.height + 16, rx=26, fill="@rail")
    made.add("rect", x=-3, y=-3, width=made.width + 6, height=made.height + 6, rx=22, fill="@tray")
    for _, _, mark, x, y in grid.cells():
        if mark != "#":
            made.add("circle", cx=x, cy=y, r=13, fill="@pit", stroke="@rail", stroke_width=1.5)
    margin(made, 8)


def _sea(made: Picture, grid: Grid) -> None:
    made.add("rect", x=0, y=0, width=made.width, height=made.height, rx=4, fill="@frame")
    _lines(made, grid, "@felt-line", 1.2)


def _road(made: Picture, grid: Grid) -> None:
    made.add("rect", x=-6, y=-6, width=made.width + 12, height=made.height + 12, rx=10, fill="@rail")
    made.add("rect", x=0, y=0, width=made.width, height=made.height, rx=5, fill="@field")
    _lines(made, grid, "@tile-edge", 1.2)
    if isinstance(grid.board.get("exit"), int):
        y = grid.board["exit"] * CELL
        made.add("rect", x=made.width - 1, y=y + 3, width=9, height=CELL - 6, fill="@field")
    margin(made, 6)


CHECKERED = ("chess", "draughts", "men")
ABOVE, ROOM = ("coins", "pins"), 24  # looks of one row, with room above it for values
UPRIGHT = ("frame", "tiles", "doubling", "paper", "coins", "pins", "blocks", "joined", "holes", "sea", "plain")
JOINED = (
    *(("blue", "blue-edge"), ("yellow", "yellow-edge"), ("teal", "green-edge")),
    *(("triangle2", "rail"), ("triangle", "red-edge"), ("white", "white-edge")),
)
GROUNDS: dict[str, Callable[[Picture, Grid], None]] = {
    "chess": _checkered,
    "draughts": _checkered,
    "men": _checkered,
    "paper": _paper,
    "othello": _cloth,
    "go": _goban,
    "frame": _frame,
    "tiles": _tray,
    "doubling": _doubling_ground,
    "coins": _felt,
    "pins": _lane,
    "stones": _wooden,
    "tokens": _wooden,
    "joined": _road,
    "holes": _round,
    "sea": _sea,
}


def _labels(grid: Grid) -> tuple[list[str], list[str]]:
    """Names of the columns and of the rows as they are stored."""
    names = grid.board.get("coordinates", "a1")
    if isinstance(names, list | tuple):
        return list(map(str, names[0])), list(map(str, names[1]))
    columns = [chr(ord("a") + column) if column < 26 else str(column + 1) for column in range(grid.columns)]
    rows = [str(row + 1) for row in range(len(grid.rows))]
    return columns, rows if names == "a8" else rows[::-1]


def _inner_coordinates(made: Picture, grid: Grid) -> None:
    columns, rows = _labels(grid)
    last = len(grid.rows) - 1
    for column, name in enumerate(columns):
        x, y = grid.middle(0 if grid.turned else last, column)
        dark = (round(x / CELL - 0.5) + round(y / CELL - 0.5)) % 2
        made.text(x + CELL / 2 - 3, y + CELL / 2 - 4, name, 11, "@light" if dark else "@dark", "end")
    for row, name in enumerate(rows):
        x, y = grid.middle(row, grid.columns - 1 if grid.turned else 0)
        dark = (round(x / CELL - 0.5) + round(y / CELL - 0.5)) % 2
        made.text(x - CELL / 2 + 3, y - CELL / 2 + 13, name, 11, "@light" if dark else "@dark", "start")


def _outer_coordinates(made: Picture, grid: Grid) -> None:
    columns, rows = _labels(grid)
    bottom, left = made.top + made.height, made.left
    for column, name in enumerate(columns):
        made.text(grid.middle(0, column)[0], bottom + 13, name, 12, "@muted")
    for row, name in enumerate(rows):
        made.text(left - 10, grid.middle(row, 0)[1] + 4, name, 12, "@muted")
    made.left, made.width, made.height = left - 22, made.width + 22, made.height + 18


def _winning_line(made: Picture, grid: Grid) -> None:
    cells = [grid.middle(*cell) for cell in grid.board.get("line") or ()]
    if len(cells) > 1:
        (x1, y1), (x2, y2) = cells[0], cells[-1]
        made.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="@win", stroke_width=8, stroke_linecap="round", opacity=0.8)
