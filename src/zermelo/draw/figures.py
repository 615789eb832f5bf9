"""Figures that a board may ask for by name: animals, chessmen in any colour, towers, stacks, cups, crates, pegs and the like.

A description's `figures` says how a mark is drawn: `{"T": "tiger", "2w": "tower 2"}`. The first word is a name of `FIGURES`, the rest is
its argument. Each figure is drawn around its own middle, in a cell of `CELL`, in the colours of the mark's owner.
"""

from collections.abc import Callable
from typing import NamedTuple

from zermelo.draw.picture import CELL, Shape, letters, shape
from zermelo.draw.pieces import CHESS, disc

__all__ = ["FIGURES", "Paint", "figure"]

PEGS = ("red", "blue", "yellow", "teal", "white", "black", "gold", "rail", "felt-line")  # colours of Mastermind's pegs


class Paint(NamedTuple):
    """An owner's colours, by the names of their parts."""

    fill: str
    edge: str

    @property
    def mark(self) -> str:
        """What can be read on the fill."""
        return "card-black" if self.fill in ("white", "yellow", "tile", "gold") else "card"


Painter = Callable[[str, Paint], list[Shape]]


def figure(text: str, paint: Paint) -> list[Shape]:
    """The figure of that name; its letters where there is none."""
    name, _, argument = text.partition(" ")
    painter = FIGURES.get(name)
    if painter is None:
        return [*disc(paint.fill, paint.edge, CELL * 0.38), letters(0, 8, text[:3], 20, f"@{paint.mark}", font_weight=700)]
    return painter(argument, paint)


def scaled(size: float, shapes: list[Shape], x: float = 0, y: float = 0) -> list[Shape]:
    return [["g", {"transform": f"translate({x:g} {y:g}) scale({size:g})"}, shapes]]


def path(d: str, fill: str, edge: str = "", width: float = 1.6) -> Shape:
    stroke = {"stroke": f"@{edge}", "stroke_width": width, "stroke_linejoin": "round", "stroke_linecap": "round"} if edge else {}
    return shape("path", d=d, fill=f"@{fill}" if fill else "none", **stroke)


def dot(x: float, y: float, radius: float, fill: str, edge: str = "", width: float = 1.6) -> Shape:
    stroke = {"stroke": f"@{edge}", "stroke_width": width} if edge else {}
    return shape("circle", cx=x, cy=y, r=radius, fill=f"@{fill}", **stroke)


def oval(x: float, y: float, across: float, down: float, fill: str, edge: str = "") -> Shape:
    stroke = {"stroke": f"@{edge}", "stroke_width": 1.6} if edge else {}
    return shape("ellipse", cx=x, cy=y, rx=across, ry=down, fill=f"@{fill}", **stroke)


# --- chessmen and plain men


def chess_outline(letter: str) -> Painter:
    def painter(argument: str, paint: Paint) -> list[Shape]:
        outlines, lines = CHESS[letter]
        inner = "black-mark" if paint.fill in ("black", "red", "blue", "teal") else paint.edge
        parts = [path(line, paint.fill, paint.edge, 3.4) for line in outlines]
        parts += [path(line, paint.fill if line.endswith("z") else "", paint.edge if line.endswith("z") else inner, 3) for line in lines]
        return [["g", {"transform": f"scale({CELL * 0.009:.3f}) translate(-50 -51)"}, parts]]

    return painter


def ball(argument: str, paint: Paint) -> list[Shape]:
    return [dot(0, 0, 17, paint.fill, paint.edge), shape("ellipse", cx=-5, cy=-7, rx=6, ry=4, fill="@card", opacity=0.4)]


def written(argument: str, paint: Paint) -> list[Shape]:
    """A disc with letters on it."""
    size = 24.0 if len(argument) < 2 else 18.0
    return [
        *disc(paint.fill, paint.edge, CELL * 0.4, rings=False),
        letters(0, size * 0.36, argument, size, f"@{paint.mark}", font_weight=700),
    ]


def ringed(argument: str, paint: Paint) -> list[Shape]:
    """A pale disc whose letters and ring have the owner's colour, as on the men of Xiangqi."""
    return [
        dot(0, 0, 25, "tile", "rail", 1.5),
        shape("circle", cx=0, cy=0, r=21, fill="none", stroke=f"@{paint.edge}", stroke_width=1.6),
        letters(0, 9, argument, 25, f"@{paint.edge}", font_weight=700),
    ]


# --- animals: a head on a disc in its owner's colour


def animal(head: list[Shape]) -> Painter:
    def painter(argument: str, paint: Paint) -> list[Shape]:
        return [*disc(paint.fill, paint.edge, CELL * 0.43, rings=False), *head]

    return painter


def eyes(x: float, y: float, radius: float = 2.2) -> list[Shape]:
    return [dot(-x, y, radius, "card-black"), dot(x, y, radius, "card-black")]


MOUTH = path("M0 7v3M-5 13q5 3 10 0", "", "card-black", 1.8)
TIGER = [
    *(dot(x, -11, 5.5, "gold", "white-edge") for x in (-11, 11)),
    path("M0-14c11 0 17 7 17 15S9 17 0 17-17 9-17 1-11-14 0-14z", "gold", "white-edge"),
    path("M0-13v6M-5-12l1 5M5-12l-1 5M-16-1l6 1M-15 5l6-1M16-1l-6 1M15 5l-6-1", "", "white-edge", 2.2),
    oval(0, 9, 8, 6, "card"),
    path("M-3 4h6l-3 4z", "red", "white-edge", 1),
    *eyes(6.5, 0),
    MOUTH,
]
GOAT = [
    path("M-7-9C-10-18-16-18-18-14M7-9C10-18 16-18 18-14", "", "rail", 4),
    path("M-9-2l-10-1 8 7zM9-2l10-1-8 7z", "tile", "white-edge"),
    path("M0-12c7 0 10 5 10 11 0 8-5 15-10 15S-10 7-10-1c0-6 3-11 10-11z", "card", "white-edge"),
    path("M-3 14l3 7 3-7z", "tile", "white-edge"),
    *eyes(4.5, -1, 1.9),
    path("M-2 8h4l-2 2.500z", "card-black", "card-black", 1),
]
FOX = [
    path("M-16-15L-4-9H4L16-15 14 0 0 17-14 0z", "triangle", "white-edge"),
    path("M-13-1L0 17 13-1 5 5 0 14-5 5z", "card", "white-edge", 1),
    *eyes(6, -1),
    dot(0, 15, 2.6, "card-black"),
]
GOOSE = [
    path("M-12 16C-14 4-4 6-4-3c-6-2-6-12 2-13 7-1 10 4 8 9-1 4-1 6 2 9 5 5 4 11 1 14z", "card", "white-edge"),
    path("M-9-9l-9 3 10 2z", "gold", "white-edge", 1.2),
    dot(-3, -10, 1.8, "card-black"),
]
HARE = [
    path("M-8-4C-14-20-8-24-4-20c3 3 2 10 2 14zM8-4C14-20 8-24 4-20 1-17 2-10 2-6z", "tile", "white-edge"),
    path("M0-9c9 0 13 6 13 12S8 17 0 17-13 9-13 3-9-9 0-9z", "tile", "white-edge"),
    *eyes(5.5, 1),
    path("M-2.500 6h5l-2.500 3z", "red", "white-edge", 0.8),
    path("M0 9v3M-3 14q3 2 6 0", "", "card-black", 1.5),
]
HOUND = [
    path("M0-13c9 0 12 6 12 13 0 9-5 16-12 16S-12 9-12 0c0-7 3-13 12-13z", "tray", "white-edge"),
    path("M-10-11c-8-1-10 8-9 17 4 1 8-2 9-6zM10-11c8-1 10 8 9 17-4 1-8-2-9-6z", "rail", "white-edge"),
    oval(0, 9, 6.5, 5.5, "field"),
    *eyes(5, -2),
    oval(0, 6, 3, 2.2, "card-black"),
    path("M0 8v3M-4 12q4 2 8 0", "", "card-black", 1.5),
]
LION = [
    path(
        "M0-22l6 5 8-2 1 8 7 4-4 7 4 7-7 4-1 8-8-2-6 5-6-5-8 2-1-8-7-4 4-7-4-7 7-4 1-8 8 2z",
        "triangle",
        "white-edge",
        1.2,
    ),
    dot(0, 0, 13, "gold", "white-edge"),
    *eyes(4.8, -2),
    path("M-3 3h6l-3 3z", "card-black", "card-black", 1),
    path("M0 6v2M-4 10q4 2.500 8 0", "", "card-black", 1.5),
]
GIRAFFE = [
    path("M-6-14v-7M6-14v-7", "", "rail", 2.6),
    dot(-6, -21, 2.4, "rail"),
    dot(6, -21, 2.4, "rail"),
    path("M-9-8l-10-3 7 8zM9-8l10-3-7 8z", "gold", "white-edge"),
    path("M0-15c7 0 10 5 9 12L7 12c0 5-3 7-7 7s-7-2-7-7L-9-3c-1-7 2-12 9-12z", "gold", "white-edge"),
    *(dot(x, y, 2.4, "triangle") for x, y in ((-4, -10), (4, -8), (0, -3))),
    oval(0, 12, 6.5, 5.5, "tile", "white-edge"),
    *eyes(5.5, 1, 1.9),
    *(dot(x, 11, 1, "card-black") for x in (-2.5, 2.5)),
]
ELEPHANT = [
    oval(-14, -3, 8, 11, "triangle2", "white-edge"),
    oval(14, -3, 8, 11, "triangle2", "white-edge"),
    path("M0-15c8 0 12 6 11 13-1 5-4 8-7 9v8c0 4-7 4-7 0V7c-4-1-7-4-8-9-1-7 3-13 11-13z", "field", "white-edge"),
    *eyes(5.5, -4, 1.9),
    path("M-3 10h6M-3 14h6", "", "white-edge", 1.2),
]
CHICK = [
    dot(0, 1, 16, "yellow", "white-edge"),
    path("M0-15q-5-5-1-8M0-15q4-5 5-4", "", "white-edge", 1.8),
    *eyes(6, -2),
    path("M-5 4h10l-5 6z", "red", "white-edge", 1.2),
]
HEN = [
    path("M-9-12q-2-9 4-6 2-6 6-1 6-4 6 2 4 1 1 6z", "red", "white-edge", 1.4),
    dot(0, 2, 16, "card", "white-edge"),
    *eyes(6, -2),
    path("M-5 3h10L0 10z", "gold", "white-edge", 1.2),
    path("M-2 11q2 8 5 1z", "red", "white-edge", 1),
]

# --- things


def keeper(argument: str, paint: Paint) -> list[Shape]:
    return [
        path("M-17 25c0-15 7-20 17-20s17 5 17 20z", "blue", "blue-edge"),
        dot(0, -6, 12, "field", "white-edge"),
        path("M-14-9c0-10 7-14 14-14s14 4 14 14z", "gold", "yellow-edge"),
        path("M-17-9h34", "", "yellow-edge", 3),
        *eyes(4.5, -4, 1.7),
    ]


def crate(argument: str, paint: Paint) -> list[Shape]:
    fill, edge = ("gold", "yellow-edge") if argument else ("tray", "rail")
    return [
        shape("rect", x=-23, y=-23, width=46, height=46, rx=4, fill=f"@{fill}", stroke=f"@{edge}", stroke_width=2.5),
        shape("rect", x=-16, y=-16, width=32, height=32, fill="none", stroke=f"@{edge}", stroke_width=2.2),
        path("M-16-16l32 32M16-16l-32 32", "", edge, 2.2),
    ]


def goal(argument: str, paint: Paint) -> list[Shape]:
    return [shape("circle", cx=0, cy=0, r=11, fill="none", stroke="@red", stroke_width=3), dot(0, 0, 4, "red")]


def wall(argument: str, paint: Paint) -> list[Shape]:
    h = CELL / 2
    return [
        shape("rect", x=-h, y=-h, width=CELL, height=CELL, fill="@rail"),
        path("M-30-10H30M-30 10H30M0-30v20M-15-10v20M15-10v20M0 10v20", "", "tray-edge", 1.6),
    ]


def plate(argument: str, paint: Paint) -> list[Shape]:
    """A mark on the floor: a temple, a hill, a throne."""
    return [shape("rect", x=-23, y=-23, width=46, height=46, rx=8, fill=f"@{paint.fill}", opacity=0.28)]


def burnt(argument: str, paint: Paint) -> list[Shape]:
    """A square that is no longer there."""
    return [dot(0, 0, 17, "rail"), path("M-8-8L8 8M8-8L-8 8", "", "field", 4)]


def gap(argument: str, paint: Paint) -> list[Shape]:
    h = CELL / 2 - 1
    return [shape("rect", x=-h, y=-h, width=2 * h, height=2 * h, rx=3, fill="@paper"), path("M-9-9L9 9M9-9L-9 9", "", "line", 3)]


def nothing(argument: str, paint: Paint) -> list[Shape]:
    """No cell at all: the page is seen."""
    h = CELL / 2 + 1
    return [shape("rect", x=-h, y=-h, width=2 * h, height=2 * h, fill="@paper")]


def tower(argument: str, paint: Paint) -> list[Shape]:
    """Storeys of a tower seen from above; the fourth is a dome."""
    level = int(argument) if argument.isdecimal() else 0
    made = []
    for storey, half in ((1, 27.0), (2, 21.5), (3, 16.0)):
        if level >= storey:
            made.append(
                shape("rect", x=-half, y=-half, width=2 * half, height=2 * half, rx=5, fill="@card", stroke="@triangle2", stroke_width=2)
            )
    if level >= 4:
        made += [dot(0, 0, 14, "blue", "blue-edge", 2), shape("ellipse", cx=-4, cy=-5, rx=5, ry=4, fill="@card", opacity=0.5)]
    elif level:
        made.append(letters(21, -13, str(level), 11, "@card-black", font_weight=700))
    return made


def builder(argument: str, paint: Paint) -> list[Shape]:
    return [path("M-11 16c0-11 4-14 11-14s11 3 11 14z", paint.fill, paint.edge, 2), dot(0, -6, 8.5, paint.fill, paint.edge, 2)]


def stack(argument: str, paint: Paint) -> list[Shape]:
    """Flat stones (w, b), standing ones (W, B) and capstones (C, c) from the bottom up; capitals C and letters w are the first player's."""
    seen = argument[-7:]
    step = 6.0 if len(seen) > 1 else 0.0
    made: list[Shape] = []
    base = 8.0 + step * (len(seen) - 1) / 2
    for number, mark in enumerate(seen):
        fill, edge = ("white", "white-edge") if mark in "wWC" else ("black", "black-edge")
        y = base - number * step - 8
        if mark in "wb":
            made.append(shape("rect", x=-19, y=y - 3, width=38, height=12, rx=2.5, fill=f"@{fill}", stroke=f"@{edge}", stroke_width=1.8))
        elif mark in "WB":
            made.append(path(f"M-16 {y + 8:g}L4 {y - 22:g}h12L-4 {y + 8:g}z", fill, edge, 2))
        else:
            made += [path(f"M-12 {y + 8:g}c0-14 4-12 5-18a7 7 0 1 1 14 0c1 6 5 4 5 18z", fill, edge, 2)]
    if len(argument) > 1:
        made.append(letters(24, 26, str(len(argument)), 11, "@card-black", "end", font_weight=700))
    return made


def cup(argument: str, paint: Paint) -> list[Shape]:
    """A cup of one of four sizes."""
    size = 0.46 + 0.18 * (int(argument) if argument.isdecimal() else 0)
    body = path("M-16-20h32l6 38q-22 8-44 0z", paint.fill, paint.edge, 2)
    face = [dot(-6, 1, 3.2, paint.mark), dot(6, 1, 3.2, paint.mark)]
    return scaled(min(size, 1.06), [body, oval(0, -20, 16, 5, paint.fill, paint.edge), *face])


def prism(argument: str, paint: Paint) -> list[Shape]:
    """A piece of Quarto: tall or short, dark or light, square or round, hollow or solid."""
    tall, dark, square, hollow = ((argument + "0000")[k] == "1" for k in range(4))
    fill, edge, top = ("rail", "black-edge", "tray") if dark else ("tile", "wood-line", "card")
    high = 30.0 if tall else 12.0
    y = 16.0
    if square:
        made = [
            path(f"M-16 {y - high:g}v{high:g}l16 8 16-8v{-high:g}z", fill, edge, 1.8),
            path(f"M-16 {y - high:g}l16-8 16 8-16 8z", top, edge, 1.8),
        ]
    else:
        made = [
            path(f"M-15 {y - high:g}v{high:g}a15 7 0 0 0 30 0v{-high:g}z", fill, edge, 1.8),
            oval(0, y - high, 15, 7, top, edge),
        ]
    if hollow:
        made.append(oval(0, y - high, 7, 3.2, "card-black"))
    return made


def peg(argument: str, paint: Paint) -> list[Shape]:
    """A peg of Mastermind, by the number of its colour; a number is written on it, so that nobody has to tell colours."""
    number = int(argument) if argument.isdecimal() else 0
    if not number:
        return [dot(0, 0, 8, "rail")]
    fill = PEGS[(number - 1) % len(PEGS)]
    ink = "card-black" if fill in ("yellow", "white", "gold") else "card"
    return [dot(0, 0, 20, fill, "rail", 2), letters(0, 6, argument, 17, f"@{ink}", font_weight=700)]


def answer(argument: str, paint: Paint) -> list[Shape]:
    """How many pegs are in their place (black), and how many colours elsewhere (white)."""
    exact, near = (int(part) for part in argument.split())
    total = exact + near
    made: list[Shape] = []
    for number in range(total):
        x, y = (number % 3 - (min(total, 3) - 1) / 2) * 15, (number // 3 - (total - 1) // 3 / 2) * 15
        made.append(dot(x, y, 6, "black", "black-edge") if number < exact else dot(x, y, 6, "white", "white-edge"))
    return made or [path("M-6 0H6", "", "field", 3)]


def ship(argument: str, paint: Paint) -> list[Shape]:
    struck = [path("M-9-9L9 9M9-9L-9 9", "", "red", 5)] if argument == "hit" else []
    return [shape("rect", x=-24, y=-16, width=48, height=32, rx=12, fill="@triangle2", stroke="@black-edge", stroke_width=2), *struck]


def splash(argument: str, paint: Paint) -> list[Shape]:
    return [path("M-11-11L11 11M11-11L-11 11", "", "red", 6)] if argument == "hit" else [dot(0, 0, 7, "card", "blue-edge")]


def cube(argument: str, paint: Paint) -> list[Shape]:
    """A cube with a cross, a ring or nothing on top."""
    made = [
        shape("rect", x=-27, y=-27, width=54, height=54, rx=7, fill="@tray"),
        shape("rect", x=-27, y=-27, width=54, height=49, rx=7, fill="@tile", stroke="@tile-edge", stroke_width=1.5),
    ]
    if argument == "X":
        made.append(path("M-11-13L11 9M11-13L-11 9", "", "red", 6.5))
    elif argument == "O":
        made.append(shape("circle", cx=0, cy=-2, r=12, fill="none", stroke="@blue", stroke_width=6.5))
    return made


def steps(argument: str, paint: Paint) -> list[Shape]:
    """A card with a name and the steps it allows: `ox 1,0;0,1;-1,0`, each forward and to the right."""
    name, _, listed = argument.partition(" ")
    taken = {tuple(int(part) for part in step.split(",")) for step in listed.split(";") if step}
    made = [shape("rect", x=-44, y=-27, width=88, height=54, rx=5, fill="@card", stroke="@tile-edge", stroke_width=1.5)]
    for row in range(5):
        for column in range(5):
            here = (2 - row, column - 2)
            fill = "card-black" if here == (0, 0) else "teal" if here in taken else "field"
            made.append(shape("rect", x=-40 + column * 9, y=-22.5 + row * 9, width=8, height=8, fill=f"@{fill}"))
    made.append(letters(24, 4, name, min(10.0, 56 / len(name)), "@card-black"))
    return made


FIGURES: dict[str, Painter] = {
    **{name: chess_outline(name[0] if name != "knight" else "n") for name in ("pawn", "rook", "bishop", "knight", "queen", "king")},
    "ball": ball,
    "letter": written,
    "ring": ringed,
    "tiger": animal(TIGER),
    "goat": animal(GOAT),
    "fox": animal(FOX),
    "goose": animal(GOOSE),
    "hare": animal(HARE),
    "hound": animal(HOUND),
    "lion": animal(LION),
    "giraffe": animal(GIRAFFE),
    "elephant": animal(ELEPHANT),
    "chick": animal(CHICK),
    "hen": animal(HEN),
    "keeper": keeper,
    "crate": crate,
    "goal": goal,
    "wall": wall,
    "plate": plate,
    "burnt": burnt,
    "gap": gap,
    "nothing": nothing,
    "tower": tower,
    "builder": builder,
    "stack": stack,
    "cup": cup,
    "prism": prism,
    "peg": peg,
    "answer": answer,
    "ship": ship,
    "splash": splash,
    "cube": cube,
    "steps": steps,
}
