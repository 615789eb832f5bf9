"""Small boards inside the nodes of an SVG: the same pictures as everywhere, made small; letters where a board cannot be drawn."""

from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

from zermelo.draw.description import fault_of
from zermelo.draw.picture import markup
from zermelo.draw.pictures import picture_of

__all__ = ["Miniature", "is_known", "letters", "miniature", "text_width"]

WIDEST, TALLEST = 78.0, 62.0
CAPTION = 9.0


class Miniature(NamedTuple):
    """A drawn board."""

    width: float
    height: float
    svg: str


def is_known(board: Any) -> bool:
    """Is this plain data that can be drawn?"""
    return isinstance(board, Mapping) and not fault_of(board)


def miniature(board: Any, text: str = "") -> Miniature | None:
    """The board as a picture; its text where it cannot be drawn; None where there is neither."""
    if not is_known(board):
        return letters(text.splitlines()) if text else None
    made = picture_of(board)
    scale = min(WIDEST / made.width, TALLEST / made.height)
    width, height = made.width * scale, made.height * scale
    box = f"{made.left:g} {made.top:g} {made.width:g} {made.height:g}"
    drawn = f'<svg class="zt-board" viewBox="{box}" width="{width:.1f}" height="{height:.1f}">{markup(made.shapes)}</svg>'
    caption = str(board.get("caption") or "")
    if not caption:
        return Miniature(width, height, drawn)
    wide = max(width, text_width(caption, CAPTION))
    words = f'<text class="zt-cap" x="{wide / 2:.1f}" y="{height + CAPTION + 1:.1f}">{escape(caption)}</text>'
    return Miniature(wide, height + CAPTION + 4, f'<g transform="translate({(wide - width) / 2:.1f} 0)">{drawn}</g>{words}')


def text_width(text: str, size: float) -> float:
    """About how wide a text is, rather too wide than too narrow: there is no font to measure."""
    wide = sum(
        1.0 if letter in "MWmw@%—∞≈≤≥" else 0.76 if letter.isupper() else 0.36 if letter in "ijl.,:;|!'()[] " else 0.6 for letter in text
    )
    return wide * size


def letters(lines: list[str]) -> Miniature:
    """A board in letters of equal width."""
    size = 9.0
    width = max((len(line) for line in lines), default=0) * size * 0.62
    rows = (
        f'<text class="zt-mono" x="0" y="{(number + 0.85) * size * 1.15:.1f}" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return Miniature(width, len(lines) * size * 1.15, "".join(rows))
