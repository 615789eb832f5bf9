"""The tree in letters, for a terminal."""

from zermelo.draw.scene import Mark, Scene
from zermelo.rules import player_role

__all__ = ["write"]


def write(scene: Scene, ascii_only: bool = False) -> str:
    """One line a node: the action, the node's label, who moves, the value; the chosen line has heavy branches and a ◀."""
    branch, last, heavy, heavy_last, down, mark_chosen = (
        ("|-- ", "`-- ", "|== ", "`== ", "|   ", " <--")
        if ascii_only
        else (
            "├── ",
            "└── ",
            "┝━━ ",
            "┕━━ ",
            "│   ",
            " ◀",
        )
    )
    children = scene.children()
    lines: list[str] = []
    waiting: list[tuple[int, str, bool]] = [(0, "", True)]
    while waiting:
        number, indent, is_last = waiting.pop()
        mark = scene.marks[number]
        if mark.parent < 0:
            lines.append(_words(scene, mark))
            below = ""
        else:
            twig = (heavy_last if is_last else heavy) if mark.chosen else (last if is_last else branch)
            lines.append(f"{indent}{twig}{_words(scene, mark)}{mark_chosen if mark.chosen else ''}")
            below = indent + ("    " if is_last else down)
        ordered = children[number]
        waiting.extend((child, below, child == ordered[-1]) for child in reversed(ordered))
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return _plain(text) if ascii_only else text


def _words(scene: Scene, mark: Mark) -> str:
    """A node in one line."""
    if mark.kind == "fold":
        return f"… {'at least ' if mark.at_least else ''}{mark.hidden:,} more {'node' if mark.hidden == 1 else 'nodes'}"
    action = mark.action + (f" ({mark.probability})" if mark.probability else "") + (f" ×{mark.copies}" if mark.copies > 1 else "")
    mover = "" if mark.kind in ("end", "judged") or mark.player is None else player_role(scene.game, mark.player)
    value = ("≈ " if mark.kind == "judged" and mark.value else "") + mark.value
    facts = [mark.label, mover, value, mark.window, mark.note if mark.note != "depth limit" else ""]
    if mark.information is not None and mark.player is not None:
        facts.append(f"{{{mark.information}}}")
    if mark.pruned:
        facts.append("pruned" if mark.cut else "")
    described = "  ".join(fact for fact in facts if fact)
    return f"{action}: {described}" if action and described else action or described


def _plain(text: str) -> str:
    """Only letters that every terminal has."""
    for sign, letters in {"∞": "inf", "≤": "<=", "≥": ">=", "≈": "~", "×": "x", "…": "...", "α": "alpha", "β": "beta"}.items():
        text = text.replace(sign, letters)
    return text
