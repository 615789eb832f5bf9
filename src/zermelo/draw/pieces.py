"""Pieces, each drawn around its own middle: chessmen, stones, crowned men, cards, dice. Outlines are in a box of 100 × 100."""

from collections.abc import Sequence
from typing import Any

from zermelo.draw.picture import Shape, letters, shape

__all__ = ["CHESS", "INK", "SIDES", "card", "chessman", "cross", "crowned", "die", "disc", "nought", "stone"]

KNIGHT = (
    "M32 76c0-19 17-20 17-34-6 6-11 6-15 9-4 6-9 8-13 5-4-4-3-9 1-14 4-6 5-10 8-16 2-5 6-8 11-10l2-9 8 8c18 3 28 18 28 38 0 9-1 16-3 23z"
)
BASE = "M23 90v-5q0-9 10-9h34q10 0 10 9v5z"

CHESS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # piece → (outlines, lines inside)
    "p": (("M50 17a14 14 0 0 1 8 25.500h7v7h-8q1 15 12 26.500H31q11-11.500 12-26.500h-8v-7h7A14 14 0 0 1 50 17z", BASE), ()),
    "r": (("M27 18h11v8h6.500v-8h11v8H62v-8h11v19l-8 7v24l6 8H29l6-8V44l-8-7z", BASE), ("M35 45h30M35 67h30",)),
    "b": (
        ("M50 10a6 6 0 0 1 4 10.500q16 12 16 27 0 9-9 14.500l4 14H35l4-14q-9-5.500-9-14.500 0-15 16-27A6 6 0 0 1 50 10z", BASE),
        ("M39 62.500h22M50 33v16M42 41h16",),
    ),
    "n": (
        (
            KNIGHT,
            BASE,
        ),
        ("M55 24c10 5 16 15 16 29", "M37 31.500a2 2 0 1 0 .1 0z"),
    ),
    "q": (
        ("M31 76l-10-41 15 14 3-25 11 22 11-22 3 25 15-14-10 41z", BASE),
        (
            "M31 66h38",
            "M20 25.500a5 5 0 1 0 .1 0z",
            "M38.500 15a5 5 0 1 0 .1 0z",
            "M61.500 15a5 5 0 1 0 .1 0z",
            "M80 25.500a5 5 0 1 0 .1 0z",
        ),
    ),
    "k": (
        (
            "M46.500 8h7v7H60v7h-6.500v12h-7V22H40v-7h6.500z",
            "M50 42c5-14 31-13 31 4 0 13-10 18-12 30H31c-2-12-12-17-12-30 0-17 26-18 31-4z",
            BASE,
        ),
        ("M50 44v18M32 67h36",),
    ),
}
CROWN = "M28 66l-5-28 15 11 12-19 12 19 15-11-5 28z"
SUITS = {
    "s": "M50 10c8 18 36 28 36 50 0 20-22 24-31 10 1 10 4 15 9 20H36c5-5 8-10 9-20-9 14-31 10-31-10 0-22 28-32 36-50z",
    "h": "M50 88C30 70 12 56 12 35c0-22 28-28 38-8 10-20 38-14 38 8 0 21-18 35-38 53z",
    "d": "M50 8l34 42-34 42-34-42z",
    "c": "M50 10a19 19 0 0 1 15 31 19 19 0 1 1-10 28c1 10 4 16 9 21H36c5-5 8-11 9-21a19 19 0 1 1-10-28 19 19 0 0 1 15-31z",
}
PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}  # cells of a 3 × 3 face

SIDES = (("red", "red-edge"), ("blue", "blue-edge"), ("yellow", "yellow-edge"))  # of stones, where a game has no colours of its own
INK = (("black", "black-edge"), ("white", "white-edge"), ("red", "red-edge"))


def disc(fill: str, edge: str, radius: float, rings: bool = True) -> list[Shape]:
    made = [shape("circle", cx=0, cy=0, r=radius, fill=f"@{fill}", stroke=f"@{edge}", stroke_width=max(1.0, radius / 12))]
    if rings:
        ring = "black-mark" if fill == "black" else edge
        made.append(shape("circle", cx=0, cy=0, r=radius * 0.66, fill="none", stroke=f"@{ring}", stroke_width=1, opacity=0.55))
    return made


def stone(owner: int, radius: float, colours: Sequence[tuple[str, str]] = SIDES, rings: bool = True) -> list[Shape]:
    fill, edge = colours[owner % len(colours)] if owner >= 0 else ("wood", "wood-line")
    made = disc(fill, edge, radius, rings)
    if owner == 1 and colours is SIDES:  # never by colour alone: the second player's stones have a dot
        made.append(shape("circle", cx=0, cy=0, r=radius * 0.2, fill="@white"))
    return made


def crowned(owner: int, radius: float) -> list[Shape]:
    fill = "@gold" if owner == 0 else "@rail"
    scale = radius / 50
    crown = shape("path", d=CROWN, fill=fill, transform=f"scale({scale:.2f}) translate(-50 -48)")
    return [*stone(owner, radius, INK), crown]


def chessman(mark: str, side: float) -> list[Shape]:
    outlines, lines = CHESS[mark.lower()]
    white = mark.isupper()
    fill, edge, inner = ("@white", "@white-edge", "@white-edge") if white else ("@black", "@black-edge", "@black-mark")
    parts = [shape("path", d=path, fill=fill, stroke=edge, stroke_width=3.4, stroke_linejoin="round") for path in outlines]
    for path in lines:
        closed = path.endswith("z")
        parts.append(
            shape(
                "path",
                d=path,
                fill=(fill if mark.lower() == "q" else inner) if closed else "none",
                stroke=edge if closed else inner,
                stroke_width=3,
                stroke_linecap="round",
            )
        )
    scale = side * 0.9 / 100
    return [["g", {"transform": f"scale({scale:.3f}) translate(-50 -51)"}, parts]]


def cross(reach: float, stroke: str = "@red") -> list[Shape]:
    return [
        shape(
            "path",
            d=f"M{-reach:g} {-reach:g}L{reach:g} {reach:g}M{reach:g} {-reach:g}L{-reach:g} {reach:g}",
            stroke=stroke,
            stroke_width=reach * 0.36,
            stroke_linecap="round",
            fill="none",
        )
    ]


def nought(radius: float, stroke: str = "@blue") -> list[Shape]:
    return [shape("circle", cx=0, cy=0, r=radius, stroke=stroke, stroke_width=radius * 0.36, fill="none")]


def die(face: Any, side: float) -> list[Shape]:
    """A die's face; a closed one where it is not known."""
    unknown = str(face) in ("?", "")
    made = [
        shape(
            "rect",
            x=-side / 2,
            y=-side / 2,
            width=side,
            height=side,
            rx=side / 6,
            fill="@back" if unknown else "@card",
            stroke="@line",
            stroke_width=1.5,
        )
    ]
    pips = PIPS.get(int(face)) if str(face).isdecimal() else None
    for pip in pips or ():
        made.append(shape("circle", cx=(pip % 3 - 1) * side / 4, cy=(pip // 3 - 1) * side / 4, r=side / 11, fill="@card-black"))
    if pips is None:
        made.append(letters(0, side * 0.16, "?" if unknown else str(face), side * 0.46, "@white" if unknown else "@card-black"))
    return made


def card(name: str, wide: float = 46, tall: float = 64) -> list[Shape]:
    """A card: `Ks` has a rank and a suit, `?` lies face down, anything else is written."""
    unknown = name in ("?", "")
    made = [
        shape(
            "rect",
            x=-wide / 2,
            y=-tall / 2,
            width=wide,
            height=tall,
            rx=6,
            fill="@back" if unknown else "@card",
            stroke="@line" if not unknown else "@card",
            stroke_width=2,
        )
    ]
    if unknown:
        weave = "".join(f"M{-wide / 2 + 6:g} {-tall / 2 + step:g}l{wide - 12:g} 8" for step in range(8, int(tall) - 12, 9))
        return [*made, shape("path", d=weave, stroke="@card", stroke_width=1.5, opacity=0.5, fill="none")]
    suit = name[-1] if 1 < len(name) < 4 and name[-1] in SUITS else ""
    colour = "@card-red" if suit in ("h", "d") else "@card-black"
    rank = name[:-1] if suit else name
    if suit:
        made.append(letters(-wide / 2 + 6, -tall / 2 + 20, rank, 18, colour, "start", font_weight=700))
        made.append(shape("path", d=SUITS[suit], fill=colour, transform="translate(-11 -2) scale(.27)"))
    else:
        made.append(letters(0, 9 if len(rank) < 4 else 5, rank, min(26.0, 68 / max(len(rank), 1)), colour, font_weight=700))
    return made
