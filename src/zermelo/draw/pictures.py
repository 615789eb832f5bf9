"""Boards as pictures: one painter for each kind of description, used by the page, by notebooks and by exported files alike."""

from collections.abc import Callable, Mapping
from math import dist
from typing import Any

from zermelo.draw.description import fault_of, owner_of
from zermelo.draw.grids import figure_of, grid_picture, own_colours, rows_of
from zermelo.draw.picture import CELL, Picture, Place, letters, margin, shape
from zermelo.draw.pieces import INK, SIDES, card, die, stone

__all__ = ["picture_of"]

MOST_COUNTERS = 100  # of a heap that are drawn
WIDEST = 30  # cells that a graph is wide or high at most, however close some of its points stand together


def picture_of(board: Mapping[str, Any], turned: bool = False) -> Picture:
    """The board as a picture, seen from the other side where it is `turned`. What cannot be drawn is a ValueError with the reason."""
    fault = fault_of(board)
    if fault:
        raise ValueError(fault)
    return PAINTERS[board["kind"]](board, turned != bool(board.get("turned")))


def _hexes(board: Mapping[str, Any], turned: bool) -> Picture:
    rows = rows_of(board)
    across, down = max(map(len, rows)), len(rows)
    radius = CELL / 3**0.5
    made = Picture((across + (down - 1) / 2) * CELL, radius * (1.5 * down + 0.5))
    corners = (
        (0, -radius),
        (CELL / 2, -radius / 2),
        (CELL / 2, radius / 2),
        (0, radius),
        (-CELL / 2, radius / 2),
        (-CELL / 2, -radius / 2),
    )

    def middle(row: int, column: int) -> tuple[float, float]:
        return (column + 0.5 + row / 2) * CELL, radius + row * 1.5 * radius

    for row, marks in enumerate(rows):
        for column, mark in enumerate(marks):
            x, y = middle(row, column)
            made.add(
                "polygon",
                points=" ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners),
                fill="@surface",
                stroke="@line",
                stroke_width=1.5,
            )
            made.place(f"{row},{column}", x, y, CELL * 0.84, bool(mark))
    if board.get("edges"):
        top = [(middle(0, c), corners[5], corners[0], corners[1]) for c in range(across)]
        bottom = [(middle(down - 1, c), corners[4], corners[3], corners[2]) for c in range(across)]
        left = [(middle(r, 0), corners[5], corners[4], corners[3]) for r in range(down)]
        right = [(middle(r, across - 1), corners[0], corners[1], corners[2]) for r in range(down)]
        for side, colour in ((left, "blue"), (right, "blue"), (top, "red"), (bottom, "red")):
            points = [(x + dx, y + dy) for (x, y), *three in side for dx, dy in three]
            made.add(
                "polyline",
                points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
                fill="none",
                stroke=f"@{colour}",
                stroke_width=6,
                stroke_linejoin="round",
                stroke_linecap="round",
            )
    for row, marks in enumerate(rows):
        for column, mark in enumerate(marks):
            if mark:
                made.piece(f"{row},{column}", *middle(row, column), stone(owner_of(board, mark), CELL * 0.36))
    for column in range(across):
        x, y = middle(0, column)
        made.text(x - CELL * 0.3, y - radius - 8, chr(ord("a") + column) if column < 26 else str(column + 1), 12, "@muted")
    for row in range(down):
        x, y = middle(row, 0)
        made.text(x - CELL * 0.5 - 14, y + 8, str(row + 1), 12, "@muted")
    joined = [middle(*cell) for cell in board.get("line") or ()]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in joined)
    if len(joined) > 1:
        made.add(
            "polyline",
            points=path,
            fill="none",
            stroke="@gold",
            stroke_width=9,
            stroke_linejoin="round",
            stroke_linecap="round",
            opacity=0.85,
        )
    made.top, made.height = -24, made.height + 30
    made.left, made.width = -24, made.width + 34
    return made


def _graph(board: Mapping[str, Any], turned: bool) -> Picture:
    xs, ys = [float(x) for x, _ in board["points"]], [float(y) for _, y in board["points"]]
    places = sorted(set(zip(xs, ys, strict=True)))
    step = min((dist(one, other) for number, one in enumerate(places) for other in places[:number]), default=1.0)
    scale, edge = CELL * 1.05 / max(step, (max(xs) - min(xs)) / WIDEST, (max(ys) - min(ys)) / WIDEST), 40.0
    left, top = min(xs), min(ys)
    wide, tall = (max(xs) - left) * scale + 2 * edge, (max(ys) - top) * scale + 2 * edge
    spots = [((x - left) * scale + edge, (y - top) * scale + edge) for x, y in zip(xs, ys, strict=True)]
    if turned:
        spots = [(wide - x, tall - y) for x, y in spots]
    made = Picture(wide, tall)
    made.add("rect", x=0, y=0, width=wide, height=tall, rx=10, fill="@wood")
    path = "".join(f"M{spots[a][0]:.1f} {spots[a][1]:.1f}L{spots[b][0]:.1f} {spots[b][1]:.1f}" for a, b in board.get("lines", ()))
    made.add("path", d=path, stroke="@wood-line", stroke_width=2.4, fill="none", stroke_linecap="round")
    marks = [str(mark or "") for mark in board.get("marks") or [""] * len(spots)]
    figures, colours = board.get("figures") or {}, own_colours(board) or (INK[1], INK[0])
    for number, ((x, y), mark) in enumerate(zip(spots, marks, strict=True)):
        if not board.get("crossings"):
            made.add("circle", cx=x, cy=y, r=6, fill="@wood-line")
        made.place(str(number), x, y, CELL * 0.8, bool(mark), (x + 20, y - 20) if mark else (x, y))
        if mark:
            man = figures.get(mark)
            made.piece(str(number), x, y, figure_of(board, man, mark) if man else stone(owner_of(board, mark), 21, colours))
    won = " ".join(f"{spots[point][0]:.1f},{spots[point][1]:.1f}" for point in board.get("line") or ())
    if won:
        made.add("polyline", points=won, fill="none", stroke="@win", stroke_width=8, stroke_linecap="round", opacity=0.8)
    for number, name in enumerate(board.get("names", ())):
        x, y = spots[number]
        made.text(x + 14, y + 24, str(name), 12, "@wood-line", "start")
    return made


SEEDS = (
    (0, 0),
    (-8, -6),
    (8, 6),
    (8, -7),
    (-8, 7),
    (0, -12),
    (0, 12),
    (-14, 1),
    (14, 0),
    (-4, 5),
    (5, -3),
    (-12, -12),
    (12, 12),
    (12, -12),
)


def _pits(board: Mapping[str, Any], turned: bool) -> Picture:
    rows = [[int(seeds) for seeds in row] for row in board["rows"]]
    keys = [[(row, column) for column in range(len(rows[0]))] for row in (0, 1)]
    stores = [int(seeds) for seeds in board.get("stores") or ()]
    names = [str(name) for name in board.get("labels", ("", ""))]
    if turned:
        rows, keys = [row[::-1] for row in rows[::-1]], [row[::-1] for row in keys[::-1]]
        stores, names = stores[::-1], names[::-1]
    pit, first = 66.0, 84.0 if stores else 18.0
    wide = pit * len(rows[0]) + 2 * first
    made = Picture(wide, 190)
    made.add("rect", x=0, y=6, width=wide, height=184, rx=46, fill="@tray-edge")
    made.add("rect", x=0, y=0, width=wide, height=184, rx=46, fill="@tray")
    for side, seeds in enumerate(stores):
        x = wide - 42 if side else 42.0
        made.add("ellipse", cx=x, cy=92, rx=27, ry=64, fill="@pit", stroke="@rail", stroke_width=2)
        _seeds(made, x, 92, seeds, 1.7)
        made.text(x, 92 + 84, str(seeds), 15, "@white")
        if names[side]:
            made.text(x, -8, names[side], 15, "@muted")
    for row in (0, 1):
        for column, seeds in enumerate(rows[row]):
            x, y = first + (column + 0.5) * pit, 58.0 if row == 0 else 126.0
            made.add("circle", cx=x, cy=y, r=27, fill="@pit", stroke="@rail", stroke_width=2)
            _seeds(made, x, y, seeds)
            made.text(x, 22 if row == 0 else 174, str(seeds), 14, "@white")
            made.place(",".join(map(str, keys[row][column])), x, y, 58, True, (x, -12 if row == 0 else 204))
    made.top, made.height = -26, 244
    return made


def _seeds(made: Picture, x: float, y: float, count: int, stretch: float = 1.0) -> None:
    for number in range(min(count, len(SEEDS))):
        dx, dy = SEEDS[number]
        made.add(
            "circle", cx=x + dx, cy=y + dy * stretch, r=6, fill=("@seed", "@gold", "@wood")[number % 3], stroke="@rail", stroke_width=0.8
        )


def _pegs(board: Mapping[str, Any], turned: bool) -> Picture:
    """Discs on pegs, as wide as they are large."""
    pegs = [[int(size) for size in peg] for peg in board["pegs"]]
    largest = max([size for peg in pegs for size in peg] + [1])
    count = max(sum(map(len, pegs)), 1)
    step, wide, thick = 170.0, 154.0, min(36.0, 280 / count)
    tall = count * thick + 60
    made = Picture(len(pegs) * step, tall + 40)
    made.add("rect", x=0, y=tall, width=made.width, height=16, rx=6, fill="@rail")
    for number, peg in enumerate(pegs):
        x = (number + 0.5) * step
        made.add("rect", x=x - 6, y=34, width=12, height=tall - 32, rx=6, fill="@tray")
        for place, size in enumerate(peg):
            long = 44 + (wide - 44) * size / largest
            fill, edge = SIDES[size % len(SIDES)]
            body = {"width": long, "height": thick - 2, "rx": thick / 2 - 1, "fill": f"@{fill}", "stroke": f"@{edge}"}
            disc = shape("rect", x=-long / 2, y=-thick / 2 + 1, stroke_width=1.6, **body)
            top = place == len(peg) - 1
            key = str(number) if top else ""
            ink = "@card-black" if fill == "yellow" else "@white"
            made.piece(key, x, tall - (place + 0.5) * thick, [disc, letters(0, 5, str(size), min(15.0, thick * 0.6), ink)])
        made.place(str(number), x, (tall + 34) / 2, step - 12, bool(peg), (x, 16), tall - 20)
        made.text(x, tall + 34, str(number + 1), 14, "@muted")
    return made


def _piles(board: Mapping[str, Any], turned: bool) -> Picture:
    sizes = [int(pile) for pile in board["piles"]]
    tall = max([3, *sizes])
    step = 30.0 if tall <= 12 else max(8.0, 360 / tall)
    made = Picture(max(len(sizes), 1) * 150.0, tall * step + 44)
    base = tall * step + 6
    for pile, count in enumerate(sizes):
        x = pile * 150.0 + 50
        made.add("rect", x=x - 46, y=base, width=92, height=7, rx=3.5, fill="@rail")
        for left in range(min(count, MOST_COUNTERS)):
            y = base - (left + 0.5) * step
            made.piece(
                f"{pile},{left}",
                x,
                y,
                [
                    shape(
                        "rect",
                        x=-40,
                        y=-step / 2 + 1.5,
                        width=80,
                        height=step - 3,
                        rx=min(13.0, step / 2 - 1),
                        fill="@red",
                        stroke="@red-edge",
                        stroke_width=1.5,
                    )
                ],
            )
            made.place(f"{pile},{left}", x, y, 84, True, (x + 68, y), step)
        made.text(x, base + 28, str(count), 16, "@muted")
    made.left, made.width = -6, made.width + 12
    return made


def _dots(board: Mapping[str, Any], turned: bool) -> Picture:
    rows, columns = board["size"]
    made = Picture(columns * CELL, rows * CELL)
    drawn = {tuple(line[:3]): int(line[3]) if len(line) > 3 else 1 for line in board.get("lines", ())}
    boxes = board.get("boxes") or []
    for row in range(rows):
        for column in range(columns):
            closed = {("h", row, column), ("h", row + 1, column), ("v", row, column), ("v", row, column + 1)} <= drawn.keys()
            owner = str(boxes[row][column]) if row < len(boxes) and column < len(boxes[row]) else ""
            if closed or owner:
                fill = SIDES[owner_of(board, owner)][0] if owner_of(board, owner) >= 0 else "gold"
                made.add(
                    "rect", x=column * CELL + 3, y=row * CELL + 3, width=CELL - 6, height=CELL - 6, rx=4, fill=f"@{fill}", opacity=0.28
                )
                if owner:
                    made.text((column + 0.5) * CELL, (row + 0.5) * CELL + 9, owner, 26, f"@{fill}", font_weight=700)
    for row in range(rows + 1):
        for column in range(columns):
            _line(made, ("h", row, column), drawn, (column + 0.5) * CELL, row * CELL, CELL, 0)
    for row in range(rows):
        for column in range(columns + 1):
            _line(made, ("v", row, column), drawn, column * CELL, (row + 0.5) * CELL, 0, CELL)
    for row in range(rows + 1):
        for column in range(columns + 1):
            made.add("circle", cx=column * CELL, cy=row * CELL, r=6.5, fill="@ink")
    margin(made, 20)
    return made


def _line(made: Picture, key: tuple[str, int, int], drawn: Mapping[Any, int], x: float, y: float, wide: float, tall: float) -> None:
    name = ",".join(map(str, key))
    if key in drawn:
        made.piece(
            name,
            x,
            y,
            [
                shape(
                    "line",
                    x1=-wide / 2,
                    x2=wide / 2,
                    y1=-tall / 2,
                    y2=tall / 2,
                    stroke=f"@{SIDES[drawn[key] % len(SIDES)][0]}",
                    stroke_width=7,
                    stroke_linecap="round",
                )
            ],
        )
    made.places[name] = Place(x, y, wide * 0.7 or 24, tall * 0.7 or 24, (x, y), key in drawn)


def _cards(board: Mapping[str, Any], turned: bool) -> Picture:
    hands = [(str(owner), [str(card_) for card_ in cards]) for owner, cards in board["hands"].items()]
    if not turned:  # the first player sits below
        hands = hands[::-1]
    chips, table = board.get("chips") or {}, [str(name) for name in board.get("table", ())]
    wide = max([360.0, len(table) * 52 + 150.0, *(len(cards) * 52 + 2 * (54 + 9.0 * len(owner)) for owner, cards in hands)])
    tall = (len(hands) + bool(table or "pot" in board)) * 92 + 16
    made = Picture(wide, tall)
    made.add("rect", x=0, y=0, width=wide, height=tall, rx=min(tall, wide) / 3, fill="@felt", stroke="@rail", stroke_width=9)
    made.add(
        "rect",
        x=16,
        y=16,
        width=wide - 32,
        height=tall - 32,
        rx=min(tall, wide) / 3 - 14,
        fill="none",
        stroke="@felt-line",
        stroke_width=1.5,
    )
    middle = (len(hands) + 1) // 2
    y = 54.0
    for number, (owner, cards) in enumerate([*hands[:middle], ("", table), *hands[middle:]]):
        if number == middle:
            if not table and "pot" not in board:
                continue
            _row_of_cards(made, "Table", table, wide, y)
            if "pot" in board:
                pot = wide / 2 + len(table) * 26 + 46 if table else wide / 2
                made.add("circle", cx=pot, cy=y - 8, r=13, fill="@red", stroke="@card", stroke_width=3, stroke_dasharray="5 4")
                made.text(pot, y + 24, f"pot {board['pot']}", 14, "@white")
        else:
            _row_of_cards(made, owner, cards, wide, y)
            made.text(44, y + 5, owner, 15, "@white", "start")
            if owner in chips:
                x = wide / 2 + max(len(cards), 1) * 26 + 34
                made.add("circle", cx=x, cy=y - 8, r=11, fill="@blue", stroke="@card", stroke_width=3, stroke_dasharray="4 3")
                made.text(x, y + 20, str(chips[owner]), 14, "@white")
        y += 92
    margin(made, 8)
    return made


def _row_of_cards(made: Picture, owner: str, cards: list[str], wide: float, y: float) -> None:
    first = wide / 2 - (len(cards) - 1) * 26
    for index, name in enumerate(cards):
        x = first + index * 52
        made.piece(f"{owner},{index}", x, y, card(name))
        made.place(f"{owner},{index}", x, y, 46, True, (x, y + 40), 64)


def _dice(board: Mapping[str, Any], turned: bool) -> Picture:
    cups = [list(cup) for cup in board["dice"]]
    names = [str(name) for name in board.get("cups", [""] * len(cups))]
    order = list(range(len(cups))) if turned else list(range(len(cups)))[::-1]
    most = max([len(cup) for cup in cups] + [2])
    wide = max(380.0 if len(board.get("table", ())) > 6 else 240.0, most * 62 + (110 if any(names) else 20))
    made = Picture(wide, max(1, len(cups)) * 78.0 + 10)
    made.add("rect", x=0, y=0, width=made.width, height=made.height, rx=18, fill="@felt", stroke="@rail", stroke_width=7)
    for row, cup in enumerate(order):
        y = row * 78 + 44
        if names[cup]:
            made.text(20, y + 5, names[cup], 15, "@white", "start")
        first = (wide + (90 if any(names) else 0)) / 2 - (len(cups[cup]) - 1) * 31
        for index, face in enumerate(cups[cup]):
            made.piece(f"{cup},{index}", first + index * 62, y, die(face, 50))
            made.place(f"{cup},{index}", first + index * 62, y, 50, True, (first + index * 62, y + 34))
    _score_sheet(made, [list(row) for row in board.get("table", ())])
    margin(made, 6)
    return made


def _score_sheet(made: Picture, rows: list[list[Any]]) -> None:
    """Names and points below the dice, in two columns where there are many; what is still open is paler."""
    columns = 2 if len(rows) > 6 else 1
    down, wide, top = -(-len(rows) // columns), made.width / columns, made.height + 16
    for number, (name, points, *still) in enumerate(rows):
        x, y = number // down * wide, top + number % down * 26
        made.add("line", x1=x + 8, x2=x + wide - 8, y1=y + 24, y2=y + 24, stroke="@line", stroke_width=1)
        made.text(x + 12, y + 17, str(name), 14, "@muted" if still and still[0] else "@ink", "start", font_weight=500)
        made.text(x + wide - 12, y + 17, str(points), 14, "@muted" if still and still[0] else "@ink", "end")
        made.places[str(name)] = Place(x + wide / 2, y + 12, wide - 10, 25, (x + wide * 0.74, y + 12), not (still and still[0]))
    made.height += down * 26 + 16 if rows else 0


def _points(board: Mapping[str, Any], turned: bool) -> Picture:
    """Backgammon's points: one row where there are at most 12, with the bar at its beginning; else two, with the bar between the halves."""
    points = [(str(mark or ""), int(count)) for mark, count in board["points"]]
    bar, off = board.get("bar", (0, 0)), board.get("off", (0, 0))
    double = len(points) > 12
    half = (len(points) + 1) // 2 if double else len(points)
    step, tall = 46.0, 170.0
    wide = half * step + 132
    made = Picture(wide, (2 * tall + 50) if double else tall + 60)
    made.add("rect", x=0, y=0, width=wide, height=made.height, rx=10, fill="@rail")
    made.add("rect", x=12, y=12, width=wide - 24, height=made.height - 24, fill="@field")
    before = half // 2 if double else 0  # points to the left of the bar
    bar_at = 12 + before * step + 23
    made.add("rect", x=bar_at - 23, y=0, width=46, height=made.height, fill="@rail")
    made.add("rect", x=wide - 66, y=12, width=8, height=made.height - 24, fill="@rail")
    for number, (mark, count) in enumerate(points):
        upper = double and number >= half
        column = (len(points) - 1 - number) if upper else number
        column = half - 1 - column if turned != bool(board.get("homeward")) else column
        x = 12 + (column + 0.5) * step + (46 if column >= before else 0)
        base, way = (12.0, 1) if upper != (turned and double) else (made.height - 12, -1)
        made.add(
            "path",
            d=f"M{x - step / 2:.1f} {base:.1f}h{step:.1f}L{x:.1f} {base + way * tall * 0.86:.1f}z",
            fill="@triangle" if number % 2 else "@triangle2",
        )
        made.text(x, base - way * 2 + (0 if way > 0 else 10), str(number + 1), 10, "@field")
        made.places[str(number + 1)] = Place(x, base + way * 66, step, 132, (x, base + way * (tall * 0.96)), bool(count))
        _checkers(made, str(number + 1), x, base, way, count, owner_of(board, mark))
    floor = made.height - 12
    for owner, (waiting, done) in enumerate(zip(bar, off, strict=True)):
        base, way = (floor, -1) if (owner == 0) != turned else (12.0, 1)
        _checkers(made, "bar" if owner == 0 else "bar2", bar_at, base, way, waiting, owner)
        _checkers(made, "off" if owner == 0 else "off2", wide - 35, base, way, done, owner)
    for key, x, ink in (("bar", bar_at, "@field"), ("off", wide - 35, "@rail")):
        made.places[key] = Place(x, made.height / 2, 40, made.height - 40, (x, made.height / 2), False)
        made.text(x, made.height / 2 + 4, key, 12, ink)
    dice = list(board.get("dice", ()))
    middle = (wide - 66 + bar_at + 23) / 2
    for index, face in enumerate(dice):
        x, y = middle + (index - (len(dice) - 1) / 2) * 46, made.height / 2 if double else 42.0
        made.shapes.append(["g", {"transform": f"translate({x:.1f} {y:.1f})"}, die(face, 36)])
    return made


def _checkers(made: Picture, key: str, x: float, base: float, way: int, count: int, owner: int) -> None:
    for number in range(min(count, 5)):
        last = number == min(count, 5) - 1
        shapes = stone(owner, 19, (INK[1], INK[0]))
        if last and count > 5:
            shapes.append(letters(0, 6, str(count), 16, "@red"))
        y = base + way * (20 + number * 30)
        if last:
            made.piece(key, x, y, shapes)
        else:
            made.shapes.append(["g", {"transform": f"translate({x:g} {y:g})"}, shapes])


PAINTERS: dict[str, Callable[[Mapping[str, Any], bool], Picture]] = {
    "grid": grid_picture,
    "hexes": _hexes,
    "graph": _graph,
    "pegs": _pegs,
    "pits": _pits,
    "piles": _piles,
    "dots": _dots,
    "cards": _cards,
    "dice": _dice,
    "points": _points,
}
