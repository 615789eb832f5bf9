"""Is a tree lawful? Every fault is one sentence that names the node. `Tree` asks when it is made, so no unlawful tree exists."""

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE

if TYPE_CHECKING:
    from zermelo.trees.tree import Tree

__all__ = ["NOBODY", "NO_PARENT", "NUMBERS", "describe", "judge"]

NO_PARENT = -1
NOBODY = -2
NUMBERS = (int, float, Fraction)
TOLERANCE = 1e-9  # how far sums of floats may be off


def judge(tree: "Tree") -> bool:
    """Raise a ZermeloError about the first fault; otherwise tell whether every information set is a single node."""
    if not tree.movers:
        raise ZermeloError("The tree has no node; give it at least a root.")
    if tree.players < 1:
        raise ZermeloError(f"A tree has at least one player, not {tree.players}.")
    for node, below in enumerate(tree.children):
        if below:
            _judge_branch(tree, node, below)
        else:
            _judge_end(tree, node)
    return _judge_information(tree)


def describe(labels: Any, parents: Any, choices: Any, node: int) -> str:
    """A node in words: "node P1B (after CHECK, BET)", "the root", "the node after CHECK, BET"."""
    steps: list[str] = []
    above = node
    while parents[above] != NO_PARENT:
        steps.append(choices[above])
        above = parents[above]
    steps.reverse()
    if len(steps) > 8:
        steps = [*steps[:3], f"… {len(steps) - 6} more …", *steps[-3:]]
    path, label = ", ".join(steps), labels[node]
    if not path:
        return f"the root {label}" if label else "the root"
    return f"node {label} (after {path})" if label else f"the node after {path}"


def _judge_branch(tree: "Tree", node: int, below: tuple[int, ...]) -> None:
    mover = tree.movers[node]
    if mover != CHANCE and not 0 <= mover < tree.players:
        raise ZermeloError(f"At {tree.place(node)} player {mover + 1} moves, but the tree has {tree.players} players.")
    if tree.utilities[node] is not None:
        raise ZermeloError(f"There is a payoff at {tree.place(node)}, where the game goes on; payoffs belong to the ends.")
    choices = {tree.choices[child] for child in below}
    if len(choices) < len(below):
        labels = [tree.choices[child] for child in below]
        twice = next(label for place, label in enumerate(labels) if label in labels[:place])
        raise ZermeloError(f"Two actions at {tree.place(node)} have the label {twice!r}; give each its own.")
    if "" in choices:
        raise ZermeloError(f"An action at {tree.place(node)} has an empty label; give it a name.")
    if mover == CHANCE:
        _judge_chance(tree, node, [tree.weights[child] for child in below])


def _judge_chance(tree: "Tree", node: int, weights: list[Any]) -> None:
    for weight in weights:
        if isinstance(weight, bool) or not isinstance(weight, NUMBERS) or not math.isfinite(weight) or weight < 0:
            raise ZermeloError(f"A chance weight at {tree.place(node)} is {weight!r}; weights are numbers of at least 0.")
    total = sum(weights)
    if all(isinstance(weight, int) for weight in weights):
        if total == 0:
            raise ZermeloError(f"The chance weights at {tree.place(node)} are all 0; at least one outcome must be possible.")
    elif abs(total - 1) > (TOLERANCE if any(isinstance(weight, float) for weight in weights) else 0):
        raise ZermeloError(f"The chance weights at {tree.place(node)} add up to {total}; weights that are not all whole must add up to 1.")


def _judge_end(tree: "Tree", node: int) -> None:
    vector = tree.utilities[node]
    if vector is None:
        raise ZermeloError(f"A payoff is missing at {tree.place(node)}, where the game ends.")
    for payoff in vector:
        if isinstance(payoff, bool) or not isinstance(payoff, NUMBERS):
            raise ZermeloError(f"The payoff at {tree.place(node)} is {payoff!r}, which is not a number.")
        if not math.isfinite(payoff):
            raise ZermeloError(f"The payoff at {tree.place(node)} is {payoff}; payoffs must be finite numbers.")
    if len(vector) != tree.players:
        payoffs = "is 1 payoff" if len(vector) == 1 else f"are {len(vector)} payoffs"
        raise ZermeloError(f"There {payoffs} at {tree.place(node)}, but the tree has {tree.players} players; give one each.")
    if tree.total is not None and tree.players > 1 and abs(sum(vector) - tree.total) > TOLERANCE:
        raise ZermeloError(f"The payoffs at {tree.place(node)} add up to {sum(vector)}, but the tree's total is {tree.total}.")


def _judge_information(tree: "Tree") -> bool:
    perfect = True
    for nodes in tree.information_sets.values():
        first = nodes[0]
        labels = [tree.choices[child] for child in tree.children[first]]
        for node in nodes[1:]:
            perfect = False
            others = [tree.choices[child] for child in tree.children[node]]
            if others != labels:
                raise ZermeloError(
                    f"The information set {tree.informations[node]!r} holds nodes with different actions: {', '.join(labels)} at "
                    f"{tree.place(first)}, but {', '.join(others) or 'none'} at {tree.place(node)}."
                )
    return perfect
