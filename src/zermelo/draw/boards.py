"""Small boards inside the nodes of an SVG: grids, hexes, piles, cards and dice, drawn from a game's plain data.

Each kind gives its size and its elements, with the upper left corner at (0, 0). Who a stone belongs to is told by its form first and by
its shade second. Data of an unknown kind has no miniature; the node then shows the board in letters, if the game has that.
"""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, NamedTuple

__all__ = ["Miniature", "is_known", "letters", "miniature", "text_width"]

GRID_SIDE = 57.0  # the longer side of a grid, unless its cells would be too small or too large
CELL_LEAST, CELL_MOST = 7.0, 19.0
READABLE = 11.0  # cells from this size on carry their text; smaller ones carry discs where they can
COUNTERS_SHOWN = 8  # of a pile; a longer one shows its number only
CAPTION = 9.0

PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}  # cells of a 3 × 3 face


class Miniature(NamedTuple):
    """A drawn board."""

    width: float
    height: float
    svg: str


def is_known(board: Any) -> bool:
    """Is this plain data that can be drawn in miniature?"""
    return isinstance(board, Mapping) and board.get("kind") in PAINTERS


def miniature(board: Any, text: str = "") -> Miniature | None:
    """The board as a picture; its text where the data is of no known kind; None where there is neither."""
    if not is_known(board):
        return letters(text.splitlines()) if text else None
    made = PAINTERS[board["kind"]](board)
    caption = str(board.get("caption") or "")
    if not caption:
        return made
    width = max(made.width, text_width(caption, CAPTION))
    shift = (width - made.width) / 2
    words = f'<text class="zt-cap" x="{width / 2:.1f}" y="{made.height + CAPTION + 1:.1f}">{escape(caption)}</text>'
    return Miniature(width, made.height + CAPTION + 4, f'<g transform="translate({shift:.1f} 0)">{made.svg}</g>{words}')


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


def _grid(board: Mapping[str, Any]) -> Miniature:
    rows = [[str(cell) for cell in row] for row in board.get("rows", [])]
    across, down = max(map(len, rows), default=0), len(rows)
    side = min(CELL_MOST, max(CELL_LEAST, GRID_SIDE / max(across, down, 1)))
    width, height = across * side, down * side
    parts = [f'<rect class="zt-board" x="0" y="0" width="{width:.1f}" height="{height:.1f}"/>']
    path = "".join(f"M{number * side:.1f} 0V{height:.1f}" for number in range(1, across))
    path += "".join(f"M0 {number * side:.1f}H{width:.1f}" for number in range(1, down))
    if path:
        parts.append(f'<path class="zt-lines" d="{path}"/>')
    marked = {tuple(cell) for cell in board.get("marks", []) if isinstance(cell, list | tuple) and len(cell) == 2}
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if (row, column) in marked:
                parts.append(
                    f'<rect class="zt-marked" x="{column * side:.1f}" y="{row * side:.1f}" width="{side:.1f}" height="{side:.1f}"/>'
                )
            parts.append(_cell(cell, (column + 0.5) * side, (row + 0.5) * side, side))
    return Miniature(width, height, "".join(parts))


def _hexes(board: Mapping[str, Any]) -> Miniature:
    rows = [[str(cell) for cell in row] for row in board.get("rows", [])]
    across, down = max(map(len, rows), default=0), len(rows)
    side = min(CELL_MOST, max(CELL_LEAST, GRID_SIDE * 1.3 / max(across + down / 2, 1)))
    radius = side / 3**0.5
    parts = []
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            x, y = (column + 0.5 + row / 2) * side, radius + row * 1.5 * radius
            corners = ((0, -1), (0.5, -0.5), (0.5, 0.5), (0, 1), (-0.5, 0.5), (-0.5, -0.5))
            points = " ".join(f"{x + right * side:.1f},{y + below * radius:.1f}" for right, below in corners)
            parts.append(f'<polygon class="zt-board" points="{points}"/>{_cell(cell, x, y, side)}')
    return Miniature((across + (down - 1) / 2) * side, radius * (1.5 * down + 0.5), "".join(parts))


def _cell(cell: str, x: float, y: float, side: float) -> str:
    """A stone: X and O as cross and ring, small ones as a full and an open disc, anything else as text."""
    if not cell or cell == " " or cell == ".":
        return ""
    reach = side * 0.28
    if cell in ("X", "x") and side >= READABLE:
        down, up = f"l{2 * reach:.1f} {2 * reach:.1f}", f"l{2 * reach:.1f} {-2 * reach:.1f}"
        return f'<path class="zt-x" d="M{x - reach:.1f} {y - reach:.1f}{down}M{x - reach:.1f} {y + reach:.1f}{up}"/>'
    if cell in ("X", "x", "●"):
        return f'<circle class="zt-full" cx="{x:.1f}" cy="{y:.1f}" r="{side * 0.36:.1f}"/>'
    if cell in ("O", "o", "○"):
        return f'<circle class="zt-o" cx="{x:.1f}" cy="{y:.1f}" r="{side * (0.3 if side >= READABLE else 0.32):.1f}"/>'
    size = min(side * 0.72, 1.5 * side / max(len(cell), 1))
    return f'<text class="zt-cell" x="{x:.1f}" y="{y + size * 0.35:.1f}" font-size="{size:.1f}">{escape(cell)}</text>'


def _piles(board: Mapping[str, Any]) -> Miniature:
    """Counters one above the other, with their number below."""
    piles = [int(pile) for pile in board.get("piles", [])]
    highest = max((pile for pile in piles if pile <= COUNTERS_SHOWN), default=0)
    step, column = 6.0, 17.0
    base = max(highest, 1) * step + 2
    parts = [f'<path class="zt-lines" d="M0 {base:.1f}H{len(piles) * column:.1f}"/>']
    for number, pile in enumerate(piles):
        x = (number + 0.5) * column
        for counter in range(pile if pile <= COUNTERS_SHOWN else 0):
            parts.append(f'<rect class="zt-full" x="{x - 6:.1f}" y="{base - (counter + 1) * step + 1:.1f}" width="12" height="4" rx="2"/>')
        parts.append(f'<text class="zt-cap" x="{x:.1f}" y="{base + 9:.1f}">{pile}</text>')
    return Miniature(max(len(piles), 1) * column, base + 11, "".join(parts))


def _cards(board: Mapping[str, Any]) -> Miniature:
    """One row a hand: whose it is, then the cards."""
    hands = {str(owner): [str(card) for card in cards] for owner, cards in dict(board.get("hands", {})).items()}
    names = max((text_width(owner, CAPTION) for owner in hands), default=0) + 4
    parts, width, top = [], names, 0.0
    for owner, cards in hands.items():
        parts.append(f'<text class="zt-cap zt-end" x="{names - 4:.1f}" y="{top + 12:.1f}">{escape(owner)}</text>')
        x = names
        for card in cards:
            wide = max(12.0, text_width(card, 10) + 5)
            back = card in ("?", "")
            parts.append(
                f'<rect class="{"zt-back" if back else "zt-card"}" x="{x:.1f}" y="{top:.1f}" width="{wide:.1f}" height="16" rx="2"/>'
            )
            parts.append(f'<text class="zt-cell" x="{x + wide / 2:.1f}" y="{top + 11.7:.1f}" font-size="10">{escape(card)}</text>')
            x += wide + 2
        width, top = max(width, x - 2), top + 18
    return Miniature(width, max(top - 2, 1), "".join(parts))


def _dice(board: Mapping[str, Any]) -> Miniature:
    """One row a cup; faces of 1 to 6 with pips, others with text."""
    side, parts, width, top = 15.0, [], 0.0, 0.0
    for cup in board.get("dice", []):
        for number, face in enumerate(cup):
            x = number * (side + 2)
            parts.append(f'<rect class="zt-card" x="{x:.1f}" y="{top:.1f}" width="{side}" height="{side}" rx="3"/>')
            known = PIPS.get(int(face)) if str(face).isdigit() else None
            for pip in known or ():
                across, down = x + (pip % 3 + 1) * side / 4, top + (pip // 3 + 1) * side / 4
                parts.append(f'<circle class="zt-full" cx="{across:.1f}" cy="{down:.1f}" r="1.4"/>')
            if known is None:
                parts.append(f'<text class="zt-cell" x="{x + side / 2:.1f}" y="{top + 11:.1f}" font-size="10">{escape(str(face))}</text>')
            width = max(width, x + side)
        top += side + 3 if cup else 0
    return Miniature(max(width, 1), max(top - 3, 1), "".join(parts))


PAINTERS: dict[str, Callable[[Mapping[str, Any]], Miniature]] = {
    "grid": _grid,
    "hexes": _hexes,
    "piles": _piles,
    "cards": _cards,
    "dice": _dice,
}
