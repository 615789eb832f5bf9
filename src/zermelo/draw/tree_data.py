"""The tree as plain data, for programs that draw it themselves: the marks of a picture, the steps of a search, the figures beside it."""

import math
from fractions import Fraction
from typing import Any

from zermelo.draw.scene import Mark, Scene
from zermelo.rules import CHANCE, player_role
from zermelo.scores import Score
from zermelo.trees.trace import Trace
from zermelo.trees.tree import Tree
from zermelo.trees.tree_size import statistics

__all__ = ["data_of"]


def data_of(scene: Scene, subject: Any) -> dict[str, Any]:
    """What `zermelo tree --json` prints. Numbers that are no JSON become text ("1/3") or null (infinite)."""
    data: dict[str, Any] = {
        "title": scene.title,
        "value": plain(scene.marks[0].number),
        "line": [mark.action for mark in scene.marks[1:] if mark.chosen],
        "nodes": [_mark(scene, number, mark) for number, mark in enumerate(scene.marks)],
    }
    if isinstance(subject, Tree | Trace):
        data["statistics"] = statistics(subject).to_dict()
    if isinstance(subject, Trace):
        data["algorithm"] = subject.algorithm
        data["steps"] = _steps(scene, subject)
    return data


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Score):
        return plain(value.value)
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _mark(scene: Scene, number: int, mark: Mark) -> dict[str, Any]:
    """One node; what is empty or false is left out."""
    facts: dict[str, Any] = {
        "id": number,
        "parent": mark.parent if mark.parent >= 0 else None,
        "kind": mark.kind,
        "player": None if mark.player is None or mark.player == CHANCE else player_role(scene.game, mark.player),
        "action": mark.action or None,
        "value": plain(mark.number),
        "bound": {"≤": "upper", "≥": "lower"}.get(mark.value[:1]),
        "window": plain(mark.bounds),
        "label": mark.label or None,
        "probability": mark.probability or None,
        "note": mark.note or None,
        "visits": mark.visits or None,
        "information": mark.information,
        "chosen": mark.chosen or None,
        "optimal": mark.optimal or None,
        "pruned": mark.pruned or None,
        "cut": mark.cut or None,
        "copies": mark.copies if mark.copies > 1 else None,
        "hidden": mark.hidden or None,
        "board": mark.board,
        "text": mark.text or None,
    }
    always = ("id", "parent", "kind")
    return {name: fact for name, fact in facts.items() if fact is not None or name in always}


def _steps(scene: Scene, trace: Trace) -> list[dict[str, Any]]:
    """The search step by step, about those nodes that are drawn."""
    drawn = {mark.node: number for number, mark in enumerate(scene.marks) if mark.kind != "fold"}
    steps = []
    for event in trace.events:
        if event.node not in drawn or (event.child is not None and event.child not in drawn):
            continue
        step: dict[str, Any] = {"step": event.kind, "node": drawn[event.node]}
        if event.value is not None:
            step["value"] = plain(event.value)
        if event.alpha is not None and event.beta is not None:
            step["window"] = plain((event.alpha, event.beta))
        if event.child is not None:
            step |= {"child": drawn[event.child], "improved": event.improved}
        if event.reason is not None:
            step["reason"] = event.reason
        steps.append(step)
    return steps
