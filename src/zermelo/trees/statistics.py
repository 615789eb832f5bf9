"""The figures of a tree or a search: branching factor b, depth d, b^d, visited nodes, effective branching factor, alpha-beta's best case.

Sources: documents 000 (O(b^d)) and 001 (O(b^(d/2)) with the best moves first) in docs/theory/sources.md; the exact best case
b^⌈d/2⌉ + b^⌊d/2⌋ − 1 is D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6 (1975), and the
effective branching factor S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach.
"""

import math
from dataclasses import dataclass
from typing import Any

from zermelo.trees.trace import Trace
from zermelo.trees.tree import Tree

__all__ = ["TreeStatistics", "best_case", "effective_branching_factor", "statistics"]


@dataclass(frozen=True)
class TreeStatistics:
    """What 000 and 001 say about the size of a tree. Of a search, `nodes` are those that it visited."""

    nodes: int  # visited, the root included
    leaves: int  # of these, nodes without any below
    depth: int  # d: actions on the longest line
    branching: float  # b: legal actions a node, averaged over the nodes where somebody moves
    full: float  # b^d: leaves of the full tree
    best: float  # leaves that alpha-beta visits at least: b^⌈d/2⌉ + b^⌊d/2⌋ − 1
    effective: float  # b*: the branching factor of a uniform tree of this depth with as many nodes as were visited
    cutoffs: int = 0  # places where a search skipped something, or could have
    skipped: int = 0  # actions that it never tried

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it; numbers too large for a float are null."""
        return {name: None if isinstance(value, float) and math.isinf(value) else value for name, value in vars(self).items()}

    def text(self) -> str:
        """The figures, one a line."""
        lines = [
            f"branching factor b                 {_short(self.branching)}",
            f"depth d                            {self.depth}",
            f"b^d                                {_short(self.full)}",
            f"best case b^⌈d/2⌉ + b^⌊d/2⌋ − 1    {_short(self.best)}",
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
    return TreeStatistics(
        len(parents), leaves, depth, branching, _power(branching, depth), best_case(branching, depth), effective, cutoffs, skipped
    )


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
