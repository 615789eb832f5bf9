"""What a search for one player tells a recorder: its whole tree at once, with minus the least f below each node as the node's value."""

from collections.abc import Container, Sequence
from typing import Any, NamedTuple

from zermelo.rules import MAX, Action, State
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["Branch", "record_tree"]


class Branch(NamedTuple):
    """A node of the tree."""

    parent: int  # smaller than the node's own number; NO_PARENT at the root, which is 0
    action: Action | None  # that led here
    state: State
    bound: Any  # f; counts where nothing is below the node
    reason: str  # "terminal", "depth" (at the edge) or "repetition" (it, or all beyond it, was found elsewhere); likewise


def record_tree(recorder: Recorder, branches: Sequence[Branch], way: Container[int]) -> None:
    """Tells all nodes, then all values from the edge up. Of children that are equally good the one on the way is chosen."""
    children: list[list[int]] = [[] for _ in branches]
    for node, branch in enumerate(branches):
        recorder.enter(branch.parent, branch.action, branch.state, None if branch.reason == "terminal" else MAX)
        if branch.parent != NO_PARENT:
            children[branch.parent].append(node)
    values = [-branch.bound if branch.bound else 0 for branch in branches]
    for node in reversed(range(len(branches))):
        if not children[node]:
            recorder.leaf(node, values[node], branches[node].reason)
            continue
        chosen = next((child for child in children[node] if child in way), None)
        best = children[node][0]
        for child in children[node]:
            improved = child == children[node][0] or values[child] > values[best] or (child == chosen and values[child] == values[best])
            best = child if improved else best
            recorder.child(node, child, values[best], improved)
        values[node] = values[best]
        recorder.leave(node, values[node], branches[best].action)
