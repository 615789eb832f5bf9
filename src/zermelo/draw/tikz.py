"""The tree as a LaTeX document with TikZ, which compiles as it is (`pdflatex tree.tex`); the tikzpicture can be copied into another.

Places come from the same layout as the SVG's. Boards are left out: nodes carry values, labels and windows. Styles begin with `zt`, because
TikZ has its own meaning for names such as `name` and `end`.
"""

import re

from zermelo.draw.boards import text_width
from zermelo.draw.scene import Mark, Scene, hidden_text
from zermelo.draw.tree_layout import layout

__all__ = ["write_tikz"]

UNIT = 30.0  # of the layout, in a centimetre
NAME_AT = 0.66  # part of the edge at which the action's name stands
ROW = 2.2  # centimetres
HEAD = r"""\documentclass[tikz,border=4pt]{standalone}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amssymb}
\usetikzlibrary{shapes.geometric}
\begin{document}
\begin{tikzpicture}[
  every node/.style={font=\small, inner sep=1.5pt},
  zt max/.style={draw, fill=green!12, regular polygon, regular polygon sides=3, minimum size=13mm, inner sep=0pt},
  zt min/.style={draw, fill=red!12, regular polygon, regular polygon sides=3, shape border rotate=180, minimum size=13mm, inner sep=0pt},
  zt player/.style={draw, fill=blue!10, regular polygon, minimum size=9mm, inner sep=0pt},
  zt chance/.style={draw, fill=yellow!25, circle, minimum size=7mm},
  zt end/.style={draw, fill=white, rectangle, minimum size=5mm, inner sep=2.5pt},
  zt judged/.style={draw, dashed, fill=white, rectangle, rounded corners=2mm, minimum size=5mm, inner sep=2.5pt},
  zt fold/.style={draw, densely dotted, fill=black!8, regular polygon, regular polygon sides=3, minimum size=5mm, inner sep=0pt},
  zt value/.style={font=\small, inner sep=0pt, label distance=0pt},
  zt tight/.style={zt value, font=\scriptsize},
  zt chosen/.style={draw=blue!70!black, line width=1.6pt},
  zt optimal/.style={draw=black!75, line width=0.9pt},
  zt edge/.style={draw=black!45},
  zt pruned/.style={draw=black!30, text=black!45, fill=black!4},
  zt pruned edge/.style={draw=black!30, dashed},
  zt cut/.style={draw=red!70!black, line width=0.9pt},
  zt name/.style={font=\scriptsize, fill=white, inner sep=1pt, text=black},
  zt note/.style={font=\scriptsize, align=left, text=black!70},
  zt set/.style={draw=violet!70, dotted, line width=0.9pt},
]
"""
TAIL = r"""\end{tikzpicture}
\end{document}
"""
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    "∞": r"$\infty$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≈": r"$\approx$",
    "×": r"$\times$",
    "−": r"$-$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "…": r"\ldots{}",
    "●": r"$\bullet$",
    "○": r"$\circ$",
    "♠": r"$\spadesuit$",
    "♥": r"$\heartsuit$",
    "♦": r"$\diamondsuit$",
    "♣": r"$\clubsuit$",
}


def write_tikz(scene: Scene) -> str:
    """The whole document."""
    halves = [_half(mark) for mark in scene.marks]
    across = layout(scene.children(), halves, [half + _note_width(mark) for half, mark in zip(halves, scene.marks, strict=True)])
    places = [(x / UNIT, -ROW * depth) for x, depth in zip(across, scene.depths(), strict=True)]
    body = [f"  % {' '.join(scene.title.split())}"]
    body += [_node(number, mark, *places[number]) for number, mark in enumerate(scene.marks)]
    body += [_edge(number, mark) for number, mark in enumerate(scene.marks) if mark.parent >= 0]
    body += [_cut(places[mark.parent], places[number]) for number, mark in enumerate(scene.marks) if mark.cut]
    body += _information_sets(scene)
    return HEAD + "\n".join(body) + "\n" + TAIL


def escaped(text: str) -> str:
    """Text in which LaTeX finds no commands, with proper minus signs before numbers that stand alone."""
    return "".join(SPECIAL.get(letter, letter) for letter in re.sub(r"(?<![^\s(\[,])-(?=[\d.∞])", "−", text))


def _half(mark: Mark) -> float:
    """Half the room for a node's shape and the name above it."""
    return max(20.0, text_width(mark.value, 10) / 2 + 8, text_width(_name(mark), 9) / 2 / NAME_AT + 2)


def _note_width(mark: Mark) -> float:
    return max((text_width(text, 8) + 4 for text in _notes(mark)), default=0.0) if mark.kind not in ("end", "judged", "fold") else 0.0


def _notes(mark: Mark) -> list[str]:
    value = mark.value if mark.kind == "player" else ""
    return [text for text in (mark.label, value, mark.window, mark.note) if text]


def _name(mark: Mark) -> str:
    return mark.action + (f" ({mark.probability})" if mark.probability else "") + (f" ×{mark.copies}" if mark.copies > 1 else "")


def _node(number: int, mark: Mark, x: float, y: float) -> str:
    style = [f"zt {mark.kind}"]
    if mark.kind == "player":
        style.append(f"regular polygon sides={3 if mark.player == 1 else (mark.player or 0) + 3}")
        if mark.player == 1:
            style.append("shape border rotate=180")
    style += ["zt pruned"] if mark.pruned else ["zt chosen"] if mark.chosen else []
    inside = escaped(str((mark.player or 0) + 1) if mark.kind == "player" else "" if mark.kind == "fold" else mark.value)
    if mark.kind in ("max", "min") and inside:  # a label, because text inside would blow the triangle up
        style.append(f"label={{[{'zt tight' if len(mark.value) > 3 else 'zt value'}]center:{{{inside}}}}}")
        inside = ""
    line = rf"  \node[{', '.join(style)}] (n{number}) at ({x:.3f}, {y:.3f}) {{{inside}}};"
    if mark.kind == "fold":
        return line + rf" \node[zt note, below] at (n{number}.south) {{{hidden_text(mark)}}};"
    if mark.kind in ("end", "judged"):
        words = escaped(" ".join(text for text in (mark.label, mark.note) if text))
        return line + (rf" \node[zt note, below] at (n{number}.south) {{{words}}};" if words else "")
    words = r"\\ ".join(escaped(text) for text in _notes(mark))
    return line + (rf" \node[zt note, right=6.5mm] at (n{number}.center) {{{words}}};" if words else "")


def _edge(number: int, mark: Mark) -> str:
    style = (
        "zt pruned edge" if mark.pruned else "zt edge, zt chosen" if mark.chosen else "zt edge, zt optimal" if mark.optimal else "zt edge"
    )
    name = f" node[zt name, pos={NAME_AT}] {{{escaped(_name(mark))}}}" if _name(mark) else ""
    return rf"  \draw[{style}] (n{mark.parent}) --{name} (n{number});"


def _cut(begin: tuple[float, float], end: tuple[float, float]) -> str:
    """Two short strokes across an edge."""
    (x1, y1), (x2, y2) = begin, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    strokes = []
    for distance in (-0.05, 0.05):
        x, y = x1 + (x2 - x1) * 0.4 + along_x * distance, y1 + (y2 - y1) * 0.4 + along_y * distance
        strokes.append(f"({x - along_y * 0.18:.3f}, {y + along_x * 0.18:.3f}) -- ({x + along_y * 0.18:.3f}, {y - along_x * 0.18:.3f})")
    return rf"  \draw[zt cut] {' '.join(strokes)};"


def _information_sets(scene: Scene) -> list[str]:
    sets: dict[tuple[int | None, str], list[int]] = {}
    for number, mark in enumerate(scene.marks):
        if mark.information is not None:
            sets.setdefault((mark.player, mark.information), []).append(number)
    chains = (" -- ".join(f"(n{number})" for number in numbers) for numbers in sets.values() if len(numbers) > 1)
    return [rf"  \draw[zt set] {chain};" for chain in chains]
