"""The grid of 13 × 13 classes of hands, coloured by what is done with them: for the terminal, and as SVG.

Pairs stand on the diagonal, suited hands above it, offsuit ones below. A cell is filled from the left by the share of every action, and
from the bottom by how much of the class is in the range.
"""

from collections.abc import Mapping, Sequence
from html import escape

from zermelo.results import weighted

__all__ = ["action_colours", "grid_svg", "grid_text", "hand_class_at"]

RANKS = "AKQJT98765432"
COLOURS = {"fold": "#6f9bd1", "check": "#5aa469", "call": "#5aa469"}
BETS = ("#f9ded3", "#f4bfa8", "#ec9473", "#e57b68", "#dd6a63")  # sizes of bets, the smallest first
CELL = 44
Kind = tuple[float, Mapping[str, float], float, float]  # weight of all its hands, frequencies, value, mean weight of a hand
Classes = Mapping[str, Kind]


def action_colours(actions: Sequence[str]) -> dict[str, str]:
    """Blue folds, green checks and calls, the redder the larger the bet."""
    bets = [action for action in actions if action not in COLOURS]
    steps = max(1, len(bets) - 1)
    return {action: COLOURS.get(action) or BETS[round(1 + bets.index(action) * (len(BETS) - 2) / steps)] for action in actions}


def hand_class_at(row: int, column: int) -> str:
    """The class of hands in a cell, such as AKs."""
    if row == column:
        return RANKS[row] * 2
    return f"{RANKS[row]}{RANKS[column]}s" if row < column else f"{RANKS[column]}{RANKS[row]}o"


def grid_svg(classes: Classes, actions: Sequence[str], title: str) -> str:
    """The grid as an SVG document, with a legend."""
    colours = action_colours(actions)
    most = max((mean for _, _, _, mean in classes.values()), default=1.0) or 1.0
    size = CELL * len(RANKS)
    whole = sum(weight for weight, _, _, _ in classes.values()) or 1.0
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size + 56}" width="{size}" height="{size + 56}" '
            f'font-family="system-ui, sans-serif" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>'
            f'<rect width="100%" height="100%" fill="#ffffff"/>'
        )
    ]
    for row in range(len(RANKS)):
        for column in range(len(RANKS)):
            parts.append(_cell(row, column, classes.get(hand_class_at(row, column)), colours, most))
    at = 4
    parts.append(f'<text x="4" y="{size + 20}" font-size="14" fill="#222">{escape(title)}</text>')
    for action in actions:
        share = sum(weight * often[action] for weight, often, _, _ in classes.values()) / whole
        label = f"{action} {share:.1%}"
        parts.append(f'<rect x="{at}" y="{size + 32}" width="14" height="14" fill="{colours[action]}"/>')
        parts.append(f'<text x="{at + 19}" y="{size + 44}" font-size="13" fill="#222">{escape(label)}</text>')
        at += 34 + 8 * len(label)
    return "".join([*parts, "</svg>\n"])


def _cell(row: int, column: int, known: Kind | None, colours: Mapping[str, str], most: float) -> str:
    kind, left, top = hand_class_at(row, column), column * CELL, row * CELL
    parts = [f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="#eceae6" stroke="#ffffff"/>']
    if known is not None and known[0] > 0:
        _, often, value, mean = known
        height = (CELL - 1) * min(1.0, max(0.1, mean / most))
        across = float(left)
        for action, share in often.items():
            wide = (CELL - 1) * share
            if wide > 0.05:
                below = top + CELL - 1 - height
                shape = f'x="{across:.2f}" y="{below:.2f}" width="{wide:.2f}" height="{height:.2f}"'
                parts.append(f'<rect {shape} fill="{colours[action]}"/>')
            across += wide
        said = weighted((action, f"{share:.1%}") for action, share in often.items())
        parts.append(f"<title>{kind}: {escape(said)}; value {value:.4g}</title>")
        parts.append(f'<text x="{left + 3}" y="{top + CELL - 5}" font-size="9" fill="#222">{value:.3g}</text>')
    parts.append(f'<text x="{left + 3}" y="{top + 13}" font-size="11" fill="#222">{kind}</text>')
    return f"<g>{''.join(parts)}</g>"


def grid_text(classes: Classes, actions: Sequence[str]) -> list[list[tuple[str, str]]]:
    """[row][column] text and background of a cell: the class, in the colour of what is done most; an empty colour outside the range."""
    colours = action_colours(actions)
    rows = []
    for row in range(len(RANKS)):
        cells = []
        for column in range(len(RANKS)):
            kind = hand_class_at(row, column)
            known = classes.get(kind)
            if known is None or known[0] <= 0:
                cells.append((kind, ""))
                continue
            cells.append((kind, _blend([(colours[action], share) for action, share in known[1].items()])))
        rows.append(cells)
    return rows


def _blend(parts: Sequence[tuple[str, float]]) -> str:
    mixed = [sum(share * int(colour[place : place + 2], 16) for colour, share in parts) for place in (1, 3, 5)]
    return "#" + "".join(f"{round(min(255.0, max(0.0, value))):02x}" for value in mixed)
