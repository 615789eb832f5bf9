"""The tree as an SVG that stands alone: no script, no font, no second file.

Max is a triangle that points up, Min one that points down, chance a circle, the end a box; colour only repeats that. The chosen line is
thick, other optimal actions are darker than the rest, pruned branches are grey, dashed and cut through by two short strokes. The picture
brings its own light background, so that it reads the same on a dark page.
"""

import math
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from zermelo.draw.boards import Miniature, miniature, text_width
from zermelo.draw.scene import Mark, Scene, hidden_text
from zermelo.draw.tree_layout import layout
from zermelo.rules import MAX, MIN, Game, player_role

__all__ = ["paint"]

VALUE, SMALL, HEADING = 13.0, 10.5, 15.0  # sizes of text
MARGIN = 18.0
GAP = 14.0  # between neighbours
ROW = 46.0  # between rows, at least
STUB = 12.0  # from a node to the stub that hides all below it
LABEL_AT = 0.77  # part of the edge at which the action's name stands
BELOW_BOARD = 10.0  # from a board to the shape below it
TALL = 19.0  # half the height of a shape
WIDEST = 16.0  # a branch that every playout took
LONG_VALUE = 48.0  # wider values stand beside the shape, not in it

STYLE = """
.zt{font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2430}
.zt text{text-anchor:middle;stroke:none}
.zt .zt-bg{fill:#fbfaf6}
.zt .zt-h{font-size:15px;font-weight:600}
.zt .zt-v{font-size:13px;font-weight:600}
.zt .zt-s{font-size:10.5px;text-anchor:start;fill:#4a5160}
.zt .zt-n{font-weight:600;fill:#1f2430}
.zt .zt-c{fill:#a3241f;font-weight:600}
.zt .zt-l{font-size:10.5px;paint-order:stroke;stroke:#fbfaf6;stroke-width:4px;stroke-linejoin:round}
.zt .zt-lb{font-weight:700}
.zt .zt-leg{font-size:10.5px;text-anchor:start;fill:#4a5160}
.zt .zt-cap{font-size:9px;fill:#4a5160}
.zt .zt-end{text-anchor:end}
.zt .zt-mono{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:9px;text-anchor:start}
.zt .zt-e{stroke:#9aa1ad;stroke-width:1.2;fill:none}
.zt .zt-eo{stroke:#4a5160;stroke-width:2}
.zt .zt-ec{stroke:#0a5fb4;stroke-width:4}
.zt .zt-ep{stroke:#b9bec7;stroke-dasharray:4 3}
.zt .zt-cut{stroke:#a3241f;stroke-width:2;fill:none}
.zt .zt-k{stroke:#4a5160;stroke-width:1.4;fill:#fff}
.zt .zt-max{fill:#dcefdc}
.zt .zt-min{fill:#fadfe4}
.zt .zt-chance{fill:#fdf0c4}
.zt .zt-player{fill:#dfe9f7}
.zt .zt-judged{stroke-dasharray:3 2}
.zt .zt-fold{fill:#eceae4;stroke:#8a8f98;stroke-dasharray:2 2}
.zt .zt-kc{stroke:#0a5fb4;stroke-width:3}
.zt .zt-p{opacity:.45}
.zt .zt-i{stroke:#7a5ea8;stroke-width:1.4;stroke-dasharray:2 4;fill:none}
.zt .zt-it{font-style:italic;fill:#5d4490;paint-order:stroke;stroke:#fbfaf6;stroke-width:4px;stroke-linejoin:round}
.zt .zt-board{fill:#fff;stroke:#6b7280;stroke-width:1}
.zt .zt-lines{stroke:#aab0ba;stroke-width:.8;fill:none}
.zt .zt-marked{fill:#fdf0c4}
.zt .zt-x{stroke:#1f2430;stroke-width:1.8;fill:none;stroke-linecap:round}
.zt .zt-o{stroke:#a3241f;stroke-width:1.8;fill:none}
.zt .zt-full{fill:#1f2430}
.zt .zt-card{fill:#fff;stroke:#6b7280;stroke-width:.9}
.zt .zt-back{fill:#d5d9e0;stroke:#6b7280;stroke-width:.9}
.zt .zt-cell{font-weight:600}
""".replace("\n", "")

LEGEND = {
    "max": "Max moves",
    "min": "Min moves",
    "player": "a player moves",
    "chance": "chance",
    "end": "the end, with its payoff",
    "judged": "an estimate",
    "fold": "nodes not drawn",
}


@dataclass
class _Box:
    """How much room a mark needs, and where its parts are: from the top, a board, then the shape."""

    mark: Mark
    board: Miniature | None
    inside: str  # text in the shape
    beside: list[tuple[str, str]]  # (class, text) to the right of the shape
    half: float  # half the width of the shape
    tall: float  # half its height
    left: float
    right: float
    height: float
    under: str = ""  # text below a shape that has nothing else below it

    def shape_top(self) -> float:
        """How far below the top the shape begins."""
        return self.board.height + BELOW_BOARD if self.board is not None else 0.0


def paint(scene: Scene) -> str:
    """The SVG of a scene."""
    together = _information_sets(scene)
    boxes = [_box(mark, number in together) for number, mark in enumerate(scene.marks)]
    children, depths = scene.children(), scene.depths()
    across = layout(children, [box.left + GAP / 2 for box in boxes], [box.right + GAP / 2 for box in boxes])
    width = max((x + box.right for x, box in zip(across, boxes, strict=True)), default=0) + GAP / 2
    legend, legend_width, legend_height = _legend(scene, max(width, 360))
    width = max(width, text_width(scene.title, HEADING) * 1.1, legend_width)
    shift = MARGIN + (width - max(x + box.right for x, box in zip(across, boxes, strict=True))) / 2
    across = [x + shift for x in across]
    down, bottom = _rows(scene, boxes, across, depths)
    total_width, total_height = width + 2 * MARGIN, bottom + legend_height + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zt" role="img" aria-label="{escape(_sentence(scene))}" '
        f'viewBox="0 0 {total_width:.0f} {total_height:.0f}" width="{total_width:.0f}" height="{total_height:.0f}" '
        'style="max-width:100%;height:auto">'
    )
    parts = [
        head,
        f"<title>{escape(scene.title)}</title><desc>{escape(_description(scene))}</desc><style>{STYLE}</style>",
        f'<rect class="zt-bg" x="0" y="0" width="{total_width:.0f}" height="{total_height:.0f}" rx="8"/>',
        f'<text class="zt-h" x="{total_width / 2:.1f}" y="{MARGIN + 10:.1f}">{escape(scene.title)}</text>',
        *_set_lines(scene, boxes, across, down, together),
        *_edges(scene, boxes, across, down),
        *(_node(box, x, y) for box, x, y in zip(boxes, across, down, strict=True)),
        *_edge_labels(scene, boxes, across, down),
        f'<g transform="translate({(total_width - legend_width) / 2:.1f} {bottom + 14:.1f})">{legend}</g>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _typographic(number: str) -> str:
    """A number, or several, with minus signs as long as a digit."""
    return number.replace("-", "−")


def _box(mark: Mark, in_set: bool) -> _Box:
    """The room that a mark needs."""
    board = miniature(mark.board, mark.text) if mark.kind != "fold" else None
    value = _typographic(("≈ " if mark.kind == "judged" and mark.value else "") + mark.value)
    inside, beside = value, []
    if mark.kind == "fold":
        inside = ""
    elif mark.kind == "player":
        inside = str((mark.player or 0) + 1)
        beside.append(("zt-n", value))
    elif mark.kind not in ("end", "judged") and text_width(value, VALUE) > LONG_VALUE:
        inside = ""
        beside.append(("zt-n", value))
    over = mark.kind in ("end", "judged", "fold")
    under = hidden_text(mark) if mark.kind == "fold" else mark.label if over else ""
    if not over and mark.label:
        beside.insert(0, ("", mark.label))
    if not over:
        beside += [("", _typographic(mark.window)), ("zt-c" if "cut" in mark.note else "", mark.note)]
    elif mark.note and mark.kind != "judged":
        under = f"{under} {mark.note}".strip()
    if in_set:
        beside.append(("zt-it", mark.information or ""))
    beside = [(look, text) for look, text in beside if text]
    half, tall = _shape_size(mark, inside)
    left = right = max(half, text_width(under, SMALL) / 2)
    if beside:
        right = max(right, half + 5 + max(text_width(text, SMALL) for _, text in beside))
    height = 2 * tall + (14 if under else 0)
    if board is not None:
        left, right, height = max(left, board.width / 2 + 3), max(right, board.width / 2 + 3), height + board.height + BELOW_BOARD
    name = text_width(_edge_text(mark), SMALL) / 2 / LABEL_AT
    return _Box(mark, board, inside, beside, half, tall, max(left, name), max(right, name), height, under)


def _shape_size(mark: Mark, inside: str) -> tuple[float, float]:
    """Half the width and half the height of a mark's shape."""
    wide = text_width(inside, VALUE)
    if mark.kind in ("max", "min"):
        return max(20.0, wide / 2 / 0.56 + 3), TALL
    if mark.kind == "player":
        return TALL, TALL
    if mark.kind == "chance":
        radius = max(15.0, wide / 2 + 5)
        return radius, radius
    if mark.kind == "fold":
        return 11.0, 8.0
    return max(14.0, wide / 2 + 7), 12.0


def _rows(scene: Scene, boxes: list[_Box], across: list[float], depths: list[int]) -> tuple[list[float], float]:
    """[mark] → y of its top, and the lowest y of all. Rows with far-reaching edges stand further apart; a lone stub hangs close."""
    rows = max(depths) + 1
    heights, reach = [0.0] * rows, [0.0] * rows
    for number, (box, depth) in enumerate(zip(boxes, depths, strict=True)):
        heights[depth] = max(heights[depth], box.height)
        if number:
            reach[depth] = max(reach[depth], abs(across[number] - across[box.mark.parent]))
    tops = [MARGIN + 26.0]
    for row in range(1, rows):
        tops.append(tops[-1] + heights[row - 1] + ROW + min(120.0, 0.1 * reach[row]))
    down = [tops[depth] for depth in depths]
    for below in scene.children():
        if len(below) == 1 and boxes[below[0]].mark.kind == "fold":
            above = boxes[below[0]].mark.parent
            down[below[0]] = down[above] + boxes[above].height + STUB
    return down, max(y + box.height for y, box in zip(down, boxes, strict=True))


def _edge_text(mark: Mark) -> str:
    """The name of the action, with its probability and how many siblings it stands for."""
    parts = [mark.action, f"({mark.probability})" if mark.probability else "", f"×{mark.copies}" if mark.copies > 1 else ""]
    return " ".join(part for part in parts if part)


def _ends(scene: Scene, boxes: list[_Box], across: list[float], down: list[float], number: int) -> tuple[float, float, float, float]:
    """Where the edge to a mark begins and ends."""
    above, mark = scene.marks[number].parent, boxes[number].mark
    under = boxes[above]
    begin = down[above] + under.height
    end = down[number]
    if boxes[number].board is None and mark.kind == "min":
        end += 0.5
    return across[above], begin, across[number], end


def _edges(scene: Scene, boxes: list[_Box], across: list[float], down: list[float]) -> list[str]:
    """Lines from parents to children, the chosen one on top, and the strokes through pruned ones."""
    drawn: list[tuple[int, str]] = []
    for number, mark in enumerate(scene.marks[1:], 1):
        x1, y1, x2, y2 = _ends(scene, boxes, across, down, number)
        look = "zt-ec" if mark.chosen else "zt-ep" if mark.pruned else "zt-eo" if mark.optimal else ""
        wide = f' style="stroke-width:{max(0.8, WIDEST * mark.share):.1f}"' if mark.visits else ""
        line = f'<line class="zt-e {look}"{wide} x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'
        drawn.append((2 if mark.chosen else 1 if mark.optimal else 0, line + (_strokes(x1, y1, x2, y2) if mark.cut else "")))
    return [line for _, line in sorted(drawn, key=lambda pair: pair[0])]


def _strokes(x1: float, y1: float, x2: float, y2: float) -> str:
    """Two short parallel strokes across a line."""
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1e-9)
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    path = ""
    for distance in (-2.5, 2.5):
        x, y = x1 + (x2 - x1) * 0.4 + along_x * distance, y1 + (y2 - y1) * 0.4 + along_y * distance
        path += f"M{x - along_y * 7:.1f} {y + along_x * 7:.1f}L{x + along_y * 7:.1f} {y - along_x * 7:.1f}"
    return f'<path class="zt-cut" d="{path}"/>'


def _edge_labels(scene: Scene, boxes: list[_Box], across: list[float], down: list[float]) -> list[str]:
    labels = []
    for number, mark in enumerate(scene.marks[1:], 1):
        text = _edge_text(mark)
        if text:
            x1, y1, x2, y2 = _ends(scene, boxes, across, down, number)
            x, y = x1 + (x2 - x1) * LABEL_AT, y1 + (y2 - y1) * LABEL_AT + 2
            look = "zt-l zt-lb" if mark.chosen else "zt-l zt-p" if mark.pruned else "zt-l"
            labels.append(f'<text class="{look}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>')
    return labels


def _node(box: _Box, x: float, y: float) -> str:
    """A mark with all that belongs to it."""
    mark, parts = box.mark, []
    if box.board is not None:
        parts.append(f'<g transform="translate({x - box.board.width / 2:.1f} {y + 2:.1f})">{box.board.svg}</g>')
        y += box.shape_top()
    middle = y + box.tall
    parts.append(_shape(mark, x, middle, box.half, box.tall))
    if box.inside:
        drop = {"max": 13.5, "min": -4.0}.get(mark.kind, 4.7)
        if mark.kind == "player":
            drop = {0: 12.0, 1: -3.0}.get(mark.player or 0, 4.7)
        parts.append(f'<text class="zt-v" x="{x:.1f}" y="{middle + drop:.1f}">{escape(box.inside)}</text>')
    first = middle - (len(box.beside) - 1) * 6 + 3.5
    for number, (look, text) in enumerate(box.beside):
        parts.append(f'<text class="zt-s {look}" x="{x + box.half + 5:.1f}" y="{first + number * 12:.1f}">{escape(text)}</text>')
    if box.under:
        parts.append(f'<text class="zt-cap" x="{x:.1f}" y="{middle + box.tall + 11:.1f}">{escape(box.under)}</text>')
    tip = f"<title>{escape(_tip(mark))}</title>"
    return f'<g class="zt-p">{tip}{"".join(parts)}</g>' if mark.pruned else f"<g>{tip}{''.join(parts)}</g>"


def _shape(mark: Mark, x: float, y: float, half: float, tall: float) -> str:
    look = f'class="zt-k zt-{mark.kind}{" zt-kc" if mark.chosen else ""}"'
    form: str = mark.kind
    if form == "player":
        form = {0: "max", 1: "min"}.get(mark.player or 0, "polygon")
    if form in ("max", "fold"):
        return f'<polygon {look} points="{x:.1f},{y - tall:.1f} {x + half:.1f},{y + tall:.1f} {x - half:.1f},{y + tall:.1f}"/>'
    if form == "min":
        return f'<polygon {look} points="{x - half:.1f},{y - tall:.1f} {x + half:.1f},{y - tall:.1f} {x:.1f},{y + tall:.1f}"/>'
    if form == "chance":
        return f'<circle {look} cx="{x:.1f}" cy="{y:.1f}" r="{half:.1f}"/>'
    if form == "polygon":
        return f'<polygon {look} points="{_polygon(x, y, tall, (mark.player or 0) + 3)}"/>'
    rounding = 9 if form == "judged" else 2
    return f'<rect {look} x="{x - half:.1f}" y="{y - tall:.1f}" width="{2 * half:.1f}" height="{2 * tall:.1f}" rx="{rounding}"/>'


def _polygon(x: float, y: float, radius: float, corners: int) -> str:
    """A regular polygon that stands on an edge: a pentagon for the third player, a hexagon for the fourth, …"""
    turns = [math.pi * (2 * corner / corners + 1 / corners) for corner in range(corners)]
    return " ".join(f"{x + radius * math.sin(turn):.1f},{y + radius * math.cos(turn):.1f}" for turn in turns)


def _information_sets(scene: Scene) -> dict[int, int]:
    """Mark → number of its information set, for the sets that have more than one mark here."""
    sets: dict[tuple[int | None, str], list[int]] = {}
    for number, mark in enumerate(scene.marks):
        if mark.information is not None:
            sets.setdefault((mark.player, mark.information), []).append(number)
    several = [marks for marks in sets.values() if len(marks) > 1]
    return {mark: number for number, marks in enumerate(several) for mark in marks}


def _set_lines(scene: Scene, boxes: list[_Box], across: list[float], down: list[float], together: dict[int, int]) -> list[str]:
    """A dotted line between neighbours that a player cannot tell apart; the names at the nodes say the rest.

    Where all nodes of a set are to be joined, an arc goes over those that stand between them.
    """
    rows: dict[float, list[tuple[float, int]]] = {}
    for number, mark in enumerate(scene.marks):
        if mark.kind not in ("end", "judged", "fold"):
            rows.setdefault(down[number], []).append((across[number], number))
    parts = []
    for row in rows.values():
        for (x1, one), (x2, other) in pairwise(sorted(row)):
            if together.get(one, -1) == together.get(other, -2):
                y1, y2 = (_middle(boxes, down, each) for each in (one, other))
                parts.append(f'<line class="zt-i" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    if scene.joined:
        parts += _set_arcs(boxes, across, down, together, {pair for row in rows.values() for pair in _side_by_side(row)})
    return parts


def _middle(boxes: list[_Box], down: list[float], mark: int) -> float:
    """How far down the middle of a mark's shape is."""
    return down[mark] + boxes[mark].shape_top() + boxes[mark].tall


def _side_by_side(row: list[tuple[float, int]]) -> list[tuple[int, int]]:
    return [(one, other) for (_, one), (_, other) in pairwise(sorted(row))]


def _set_arcs(
    boxes: list[_Box], across: list[float], down: list[float], together: dict[int, int], lines: set[tuple[int, int]]
) -> list[str]:
    """An arc between every two next nodes of a set that no straight line joins."""
    sets: dict[int, list[int]] = {}
    for mark, number in together.items():
        sets.setdefault(number, []).append(mark)
    parts = []
    for number, marks in sets.items():
        lift = 18 + 7 * (number % 6)  # so that the arcs of one row can be told apart
        for one, other in pairwise(sorted(marks, key=lambda mark: across[mark])):
            if (one, other) not in lines:
                x1, x2, y1, y2 = across[one], across[other], _middle(boxes, down, one), _middle(boxes, down, other)
                top = min(y1, y2) - lift
                parts.append(
                    f'<path class="zt-i" d="M{x1:.1f} {y1:.1f} C{x1 + 12:.1f} {top:.1f} {x2 - 12:.1f} {top:.1f} {x2:.1f} {y2:.1f}"/>'
                )
    return parts


def _legend(scene: Scene, most: float) -> tuple[str, float, float]:
    """What the shapes and lines mean, as far as they occur; with its width and height."""
    entries: list[tuple[str, str]] = []
    seen = dict.fromkeys(mark.kind for mark in scene.marks)
    for kind, words in LEGEND.items():
        if kind in seen:
            mark = Mark(kind, player=2)
            entries.append((_shape(mark, 8, 0, 7, 6), escape(_mover_words(scene.game, kind) or words)))
    if any(mark.chosen for mark in scene.marks[1:]):
        entries.append(('<line class="zt-e zt-ec" x1="0" y1="0" x2="16" y2="0"/>', "best play"))
    if any(mark.optimal and not mark.chosen for mark in scene.marks):
        entries.append(('<line class="zt-e zt-eo" x1="0" y1="0" x2="16" y2="0"/>', "best at its node"))
    if any(mark.pruned for mark in scene.marks):
        entries.append((f'<line class="zt-e zt-ep" x1="0" y1="0" x2="18" y2="0"/>{_strokes(0, 0, 22, 0)}', "pruned, never visited"))
    if _information_sets(scene):
        entries.append(('<line class="zt-i" x1="0" y1="0" x2="18" y2="0"/>', "one information set: the same name in italics"))
    if any(mark.window for mark in scene.marks):
        entries.append(("", "[α, β] window on entering"))
    parts, x, y, widest = [], 0.0, 8.0, 0.0
    for picture, words in entries:
        room = (22 if picture else 0) + text_width(words, SMALL) + 16
        if x and x + room > most:
            x, y = 0.0, y + 18
        parts.append(
            f'<g transform="translate({x:.1f} {y:.1f})">{picture}<text class="zt-leg" x="{22 if picture else 0}" y="3.5">{words}</text></g>'
        )
        x += room
        widest = max(widest, x - 16)
    return "".join(parts), widest, y + 12


def _mover_words(game: Game, kind: str) -> str:
    """Which of two opponents moves, by name; nothing for other nodes and games."""
    return f"{player_role(game, {'max': MAX, 'min': MIN}[kind])} moves" if kind in ("max", "min") and game.players == 2 else ""


def _tip(mark: Mark) -> str:
    """What a pointer sees over a node."""
    words = [mark.action and f"after {mark.action}", mark.label, {"max": "Max", "min": "Min", "chance": "chance"}.get(mark.kind, "")]
    words += [f"player {(mark.player or 0) + 1}" if mark.kind == "player" else "", f"value {mark.value}" if mark.value else ""]
    words += [f"window {mark.window}" if mark.window else "", mark.note, "never visited" if mark.pruned else ""]
    words += [f"{hidden_text(mark)} nodes not drawn" if mark.hidden else ""]
    return ", ".join(word for word in words if word)


def _sentence(scene: Scene) -> str:
    value = scene.marks[0].value
    return f"{scene.title}: a game tree{f' of value {value}' if value else ''}"


def _description(scene: Scene) -> str:
    """The picture in words, for those who do not see it."""
    line = [mark.action for mark in scene.marks[1:] if mark.chosen]
    drawn, hidden = sum(mark.kind != "fold" for mark in scene.marks), sum(mark.hidden for mark in scene.marks)
    pruned = sum(mark.cut for mark in scene.marks)
    words = [f"{_sentence(scene)}. {drawn} nodes are drawn"]
    words.append(f", {hidden:,} are folded" if hidden else "")
    words.append(f"; best play is {', '.join(line)}" if line else "")
    words.append(f"; {pruned} branches are pruned" if pruned else "")
    return "".join(words) + "."
