"""The tree in the DOT language of Graphviz, for those who like to lay it out again."""

from itertools import pairwise

from zermelo.draw.scene import Mark, Scene, hidden_text

__all__ = ["write_dot"]

SHAPES = {"max": "triangle", "min": "invtriangle", "chance": "circle", "end": "box", "judged": "box", "fold": "triangle"}
FILLS = {"max": "#dcefdc", "min": "#fadfe4", "chance": "#fdf0c4", "end": "white", "judged": "white", "fold": "#eceae4", "player": "#dfe9f7"}


def write_dot(scene: Scene) -> str:
    """A digraph with the same shapes and lines as the SVG; `//` stands on the edges that are cut."""
    lines = [
        "digraph tree {",
        f"  graph [label={_quoted(scene.title)}, labelloc=t, ordering=out, fontname=Helvetica];",
        "  node [fontname=Helvetica, fontsize=11, style=filled];",
        "  edge [fontname=Helvetica, fontsize=10, arrowhead=none];",
    ]
    lines += [f"  n{number} [{_attributes(_node(mark))}];" for number, mark in enumerate(scene.marks)]
    lines += [f"  n{mark.parent} -> n{number} [{_attributes(_edge(mark))}];" for number, mark in enumerate(scene.marks) if mark.parent >= 0]
    lines += _information_sets(scene)
    return "\n".join([*lines, "}"]) + "\n"


def _node(mark: Mark) -> dict[str, str]:
    value = ("≈ " if mark.kind == "judged" else "") + mark.value
    words = [hidden_text(mark) if mark.kind == "fold" else value, mark.label, mark.window, mark.note]
    if mark.kind == "player":
        words.insert(0, f"player {(mark.player or 0) + 1}")
    shape = SHAPES.get(mark.kind) or {0: "triangle", 1: "invtriangle"}.get(mark.player or 0, "polygon")
    attributes = {"label": "\n".join(word for word in words if word), "shape": shape, "fillcolor": FILLS[mark.kind]}
    if shape == "polygon":
        attributes["sides"] = str((mark.player or 0) + 3)
    if mark.kind in ("judged", "fold") or mark.pruned:
        attributes["style"] = "filled,dashed"
    if mark.pruned:
        attributes |= {"color": "#b9bec7", "fontcolor": "#8a8f98", "fillcolor": "#f1f1ee"}
    elif mark.chosen:
        attributes |= {"color": "#0a5fb4", "penwidth": "2.5"}
    return attributes


def _edge(mark: Mark) -> dict[str, str]:
    name = mark.action + (f" ({mark.probability})" if mark.probability else "") + (f" ×{mark.copies}" if mark.copies > 1 else "")
    attributes = {"label": f"{name} //" if mark.cut else name}
    if mark.pruned:
        attributes |= {"style": "dashed", "color": "#b9bec7", "fontcolor": "#8a8f98"}
    elif mark.chosen:
        attributes |= {"color": "#0a5fb4", "penwidth": "3.5"}
    elif mark.optimal:
        attributes |= {"color": "#4a5160", "penwidth": "1.8"}
    else:
        attributes |= {"color": "#9aa1ad"}
    if mark.visits:
        attributes["penwidth"] = f"{max(0.5, 12 * mark.share):.1f}"
    return attributes


def _information_sets(scene: Scene) -> list[str]:
    """Dotted edges between nodes that a player cannot tell apart."""
    sets: dict[tuple[int | None, str], list[int]] = {}
    for number, mark in enumerate(scene.marks):
        if mark.information is not None:
            sets.setdefault((mark.player, mark.information), []).append(number)
    dotted = '[style=dotted, constraint=false, color="#7a5ea8"]'
    return [f"  n{one} -> n{other} {dotted};" for nodes in sets.values() for one, other in pairwise(nodes)]


def _attributes(attributes: dict[str, str]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in attributes.items())


def _quoted(text: str) -> str:
    """A DOT string; a line's end is written as \\n."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
