"""The figures of a tree or a search: branching factor b, depth d, b^d, visited nodes, effective branching factor, alpha-beta's best case.

Sources, see docs/theory/sources.md: the OpenGenus article (O(b^d)) and the CSC384 slides (O(b^(d/2)) with the best moves first); the
exact best case b^⌈d/2⌉ + b^⌊d/2⌋ − 1 is D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975),
and the effective branching factor S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach.
"""

import math
from dataclasses import dataclass
from typing import Any

from zermelo.rules import CHANCE, MAX, MIN
from zermelo.trees.trace import Trace
from zermelo.trees.tree import Tree

__all__ = ["TreeStatistics", "best_case", "effective_branching_factor", "least_leaves", "statistics"]


@dataclass(frozen=True)
class TreeStatistics:
    """The size of a tree, in the terms of textbooks. For a search, `nodes` are those that it visited."""

    nodes: int  # visited, the root included
    leaves: int  # of these, nodes without any below
    depth: int  # d: actions on the longest line
    branching: float  # b: legal actions a node, averaged over the nodes where somebody moves
    full: float  # leaves of the full tree: its own where it is known, otherwise b^d, which is right for a uniform tree only
    best: float  # leaves that alpha-beta visits at least: the tree's own, or b^⌈d/2⌉ + b^⌊d/2⌋ − 1 of a uniform one
    effective: float  # b*: the branching factor of a uniform tree of this depth with as many nodes as were visited
    cutoffs: int = 0  # places where a search skipped something, or could have
    skipped: int = 0  # actions that it never tried
    uniform: bool = True  # are `full` and `best` those of a uniform tree with this b and d?

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it; numbers too large for a float are null."""
        return {name: None if isinstance(value, float) and math.isinf(value) else value for name, value in vars(self).items()}

    def text(self) -> str:
        """The figures, one per line."""
        full, best = ("b^d", "best case b^⌈d/2⌉ + b^⌊d/2⌋ − 1") if self.uniform else ("leaves of the tree", "least leaves for alpha-beta")
        lines = [
            f"branching factor b                 {_short(self.branching)}",
            f"depth d                            {self.depth}",
            f"{full:<35}{_short(self.full)}",
            f"{best:<35}{_short(self.best)}",
            f"nodes visited                      {self.nodes:,}",
            f"leaves visited                     {self.leaves:,}",
            f"effective branching factor b*      {_short(self.effective)}",
        ]
        if self.cutoffs:
            lines.append(f"cut-offs                           {self.cutoffs:,}, skipping {self.skipped:,} actions")
        return "\n".join(lines)


def statistics(subject: Tree | Trace) -> TreeStatistics:
    """The figures of a tree, or of the tree that a search visited."""
    if isinstance(subject, Tree):
        parents, moves, cutoffs, skipped = list(subject.parents), [len(below) for below in subject.children], 0, 0
        leaves = moves.count(0)
    else:
        parents, moves, cutoffs, skipped = _visited(subject)
        leaves = sum(event.kind == "leaf" for event in subject.events)
    depths = [0] * len(parents)
    for node in range(1, len(parents)):
        depths[node] = depths[parents[node]] + 1
    depth, inner = max(depths), sum(count > 0 for count in moves)
    branching = sum(moves) / inner if inner else 0.0
    effective = effective_branching_factor(len(parents), depth)
    whole = subject if isinstance(subject, Tree) else subject.game
    least = least_leaves(whole) if isinstance(whole, Tree) else None
    if isinstance(whole, Tree) and least is not None:
        full, best = float(sum(not below for below in whole.children)), float(least)
    else:
        full, best = _power(branching, depth), best_case(branching, depth)
    return TreeStatistics(len(parents), leaves, depth, branching, full, best, effective, cutoffs, skipped, least is None)


def least_leaves(tree: Tree) -> int | None:
    """Leaves of this tree that alpha-beta visits at least, in the best order of all actions; None where it does not apply.

    Knuth and Moore's argument for any tree: the value v has to be proven from both sides. That it is at least v takes one action of Max
    and every one of Min, that it is at most v the other way round; the two proofs share one leaf.
    """
    if tree.players != 2 or tree.total is None or CHANCE in tree.movers or len(tree) == 0:
        return None
    values: list[Any] = [None] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        below = [values[child] for child in tree.children[node]]
        values[node] = (tree.utilities[node] or (0,))[0] if not below else (max if tree.movers[node] == MAX else min)(below)
    sizes = [_proof(tree, values, prover) for prover in (MAX, MIN)]
    return int(sum(sizes)) - 1


def _proof(tree: Tree, values: list[Any], prover: int) -> float:
    """Leaves of the smallest proof that this player gets the root's value at least."""
    sizes: list[float] = [1.0] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        enough = values[node] >= values[0] if prover == MAX else values[node] <= values[0]
        below = [sizes[child] for child in tree.children[node]]
        if not enough:
            sizes[node] = math.inf
        elif below:
            sizes[node] = min(below) if tree.movers[node] == prover else sum(below)
    return sizes[0]


def best_case(branching: float, depth: int) -> float:
    """Leaves of a uniform tree that alpha-beta visits when the best action always comes first; infinite beyond a float's range."""
    return _power(branching, (depth + 1) // 2) + _power(branching, depth // 2) - 1


def effective_branching_factor(nodes: int, depth: int) -> float:
    """b* with nodes = 1 + b* + b*² + … + b*^depth, the root counted."""
    if depth == 0:
        return 0.0
    low, high = 0.0, float(max(1, nodes - 1))
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if _uniform(middle, depth) > nodes else (middle, high)
    return high


def _visited(trace: Trace) -> tuple[list[int], list[int], int, int]:
    """[node] → parent and number of legal actions; cut-offs and skipped actions of the whole search."""
    parents = [visit.parent for visit in trace.visits]
    moves = [0] * len(parents)
    for parent in parents[1:]:
        moves[parent] += 1
    cutoffs = skipped = 0
    for event in trace.events:
        if event.kind == "cutoff":
            cutoffs += 1
            skipped += len(event.skipped)
            moves[event.node] += len(event.skipped)
    return parents, moves, cutoffs, skipped


def _uniform(branching: float, depth: int) -> float:
    """Nodes of a uniform tree."""
    if abs(branching - 1) < 1e-9:
        return float(depth + 1)
    return (_power(branching, depth + 1) - 1) / (branching - 1)


def _power(base: float, exponent: int) -> float:
    try:
        return float(base) ** exponent
    except OverflowError:
        return math.inf


def _short(value: float) -> str:
    if math.isinf(value):
        return "more than 10^308"
    return f"{value:,.0f}" if value == int(value) and value < 1e15 else f"{value:,.4g}" if value < 1e6 else f"{value:.3e}"
