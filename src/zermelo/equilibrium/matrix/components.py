"""How the extreme equilibria of a two-player game hang together.

Draw every first-player strategy that occurs in an extreme equilibrium as a point on the left, every second-player strategy as a point on
the right, and every extreme equilibrium as a line between two points. The set of all equilibria is then the union of the *maximal Nash
subsets*: for every maximal complete part (X, Y) of that picture, all mixtures of X against all mixtures of Y (Winkels 1979; Avis,
Rosenberg, Savani, von Stengel 2010). Subsets that share a point belong to one topologically connected *component*.
"""

from collections import deque
from collections.abc import Sequence

__all__ = ["connected", "maximal_subsets"]

Pair = tuple[int, int]  # (number of a first-player strategy, number of a second-player strategy)


def maximal_subsets(pairs: Sequence[Pair]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All maximal complete bipartite parts, in order; a lone pair is one by itself."""
    partners: dict[int, frozenset[int]] = {}
    for left, right in pairs:
        partners[left] = partners.get(left, frozenset()) | {right}
    # The right sides of maximal parts are exactly the intersections of partner sets that are not empty.
    closed = set(partners.values())
    waiting = deque(closed)
    while waiting:
        side = waiting.popleft()
        for other in partners.values():
            shared = side & other
            if shared and shared not in closed:
                closed.add(shared)
                waiting.append(shared)
    parts = [(tuple(sorted(left for left, theirs in partners.items() if side <= theirs)), tuple(sorted(side))) for side in closed]
    return sorted(parts)


def connected(pairs: Sequence[Pair]) -> list[tuple[int, ...]]:
    """The components, each as the numbers of its pairs."""
    by_left: dict[int, list[int]] = {}
    by_right: dict[int, list[int]] = {}
    for number, (left, right) in enumerate(pairs):
        by_left.setdefault(left, []).append(number)
        by_right.setdefault(right, []).append(number)
    found: list[tuple[int, ...]] = []
    seen: set[int] = set()
    for start in range(len(pairs)):
        if start in seen:
            continue
        component, waiting = {start}, [start]
        while waiting:
            left, right = pairs[waiting.pop()]
            fresh = {*by_left[left], *by_right[right]} - component
            component |= fresh
            waiting.extend(fresh)
        seen |= component
        found.append(tuple(sorted(component)))
    return found
