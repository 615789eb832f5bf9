"""A board as a picture: shapes with colours by the name of their part, and the places where moves begin and end.

A shape is `[tag, attributes, children]` as in SVG; a colour such as `@wood` is the name of a part, so that the page may be light or dark.
`places` says where on the picture a move can begin or end; a key is a row and a column, a point, or whose card it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

__all__ = ["CELL", "PALETTE", "Picture", "Place", "Shape", "letters", "margin", "markup", "shape", "svg_of"]

CELL = 60.0

PALETTE = {  # part of a board → its colour on paper
    "ink": "#1d2129",
    "muted": "#626872",
    "line": "#cfc8ba",
    "surface": "#fffdf9",
    "paper": "#f8f6f1",
    "light": "#eedfc4",
    "dark": "#b58a60",
    "wood": "#d9b98a",
    "wood-line": "#5c4023",
    "pit": "#96663c",
    "tray": "#bf8b5b",
    "tray-edge": "#a06f42",
    "rail": "#6d4a2d",
    "green": "#2f7d54",
    "green-line": "#1d5738",
    "green-edge": "#1b2a23",
    "felt": "#2b6b4c",
    "felt-line": "#5d9478",
    "frame": "#2459a6",
    "frame-edge": "#1a4179",
    "red": "#c23b2e",
    "red-edge": "#8f2a20",
    "yellow": "#ecbf3d",
    "yellow-edge": "#b88a14",
    "blue": "#2a66b8",
    "blue-edge": "#1b437d",
    "teal": "#23744a",
    "white": "#fdfaf3",
    "white-edge": "#2a2521",
    "black": "#35312e",
    "black-edge": "#12100e",
    "black-mark": "#d9cdbb",
    "seed": "#efe3c0",
    "triangle": "#a5573a",
    "triangle2": "#8b7b5e",
    "field": "#e6d3ad",
    "tile": "#e8d9b8",
    "tile-edge": "#c3a875",
    "card": "#ffffff",
    "card-red": "#b3261e",
    "card-black": "#1d2129",
    "back": "#2459a6",
    "gold": "#e2b93b",
    "win": "#23744a",
    "check": "#d4463a",
}
Shape = list[Any]


class Place(NamedTuple):
    """Where on a picture a move can begin or end: a box around the middle, where its value is written, and whether something is there."""

    x: float
    y: float
    width: float
    height: float
    tag: tuple[float, float]
    full: bool


@dataclass
class Picture:
    """A board, drawn."""

    width: float
    height: float
    shapes: list[Shape] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    left: float = 0.0
    top: float = 0.0

    def add(self, tag: str, **attributes: Any) -> None:
        self.shapes.append(shape(tag, **attributes))

    def piece(self, key: str, x: float, y: float, shapes: list[Shape]) -> None:
        """What can be moved: shapes around its own middle."""
        self.shapes.append(["g", {"data-piece": key, "transform": f"translate({x:g} {y:g})"}, shapes])

    def text(self, x: float, y: float, words: str, size: float, fill: str = "@ink", anchor: str = "middle", **more: Any) -> None:
        self.shapes.append(letters(x, y, words, size, fill, anchor, **more))

    def place(self, key: str, x: float, y: float, side: float, full: bool, tag: tuple[float, float] | None = None, tall: float = 0) -> None:
        self.places[key] = Place(x, y, side, tall or side, tag or (x, y), full)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for the page."""
        box = [round(number, 1) for number in (self.left, self.top, self.width, self.height)]
        return {
            "box": box,
            "shapes": self.shapes,
            "places": {key: [round(n, 1) for n in (*at[:4], *at.tag)] + [int(at.full)] for key, at in self.places.items()},
        }


def shape(tag: str, **attributes: Any) -> Shape:
    """One shape; numbers are kept to a tenth."""
    short = {name.replace("_", "-"): round(value, 1) if isinstance(value, float) else value for name, value in attributes.items()}
    return [tag, short, []]


def letters(x: float, y: float, words: str, size: float, fill: str = "@ink", anchor: str = "middle", **more: Any) -> Shape:
    made = shape("text", x=x, y=y, font_size=size, fill=fill, text_anchor=anchor, **{"font_weight": 600, **more})
    return [made[0], made[1], [words]]


def margin(made: Picture, edge: float) -> None:
    """A picture with an edge around it."""
    made.left, made.top = made.left - edge, made.top - edge
    made.width, made.height = made.width + 2 * edge, made.height + 2 * edge


def svg_of(picture: Picture, width: float | None = None, title: str = "") -> str:
    """The picture as an SVG of its own, in the colours of paper."""
    wide = width or picture.width
    tall = picture.height * wide / picture.width
    box = f"{picture.left:g} {picture.top:g} {picture.width:g} {picture.height:g}"
    words = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{wide:.0f}" height="{tall:.0f}" '
        f'font-family="system-ui, sans-serif">{words}{markup(picture.shapes)}</svg>'
    )


def markup(shapes: Sequence[Any]) -> str:
    """Shapes as the elements of an SVG."""
    parts = []
    for made in shapes:
        if isinstance(made, str):
            parts.append(escape(made))
            continue
        tag, attributes, children = made
        written = "".join(
            f' {name}="{PALETTE[value[1:]] if isinstance(value, str) and value.startswith("@") else escape(str(value))}"'
            for name, value in attributes.items()
            if not name.startswith("data-")
        )
        parts.append(f"<{tag}{written}>{markup(children)}</{tag}>" if children else f"<{tag}{written}/>")
    return "".join(parts)
