"""Scores: an outcome first, then how soon.

Everywhere in Zermelo a sooner win is better than a later one, and a later loss better than a sooner one. A search therefore compares
`Score(value, soon)`, Max's payoff and a tie-break that counts actions to the end, in this order. Max wants the larger score, Min the
smaller; both halves are seen from Max, so one comparison serves both players.

    value above the draw:  soon = -distance    (Max hurries, Min delays)
    value below the draw:  soon = +distance    (Max delays, Min hurries)
    a draw:                soon = 0

A score belongs to one state; `lift` carries it one action towards the root. So it does not depend on the path, and a table may keep it.

Rules speak of scores in one case, `bounds(state)`, and there a score is a single `int` made by `score(lead, distance)`, which orders
in the same way and compiles to a few instructions.
"""

from typing import Any, NamedTuple

__all__ = ["LONGEST", "UNIT", "Score", "leaf", "lift", "lower", "score", "unpack"]

LONGEST = (1 << 20) - 1  # the longest line of actions that a score can tell apart
UNIT = 1 << 21  # one unit of payoff in a packed score; half units stay whole numbers


class Score(NamedTuple):
    """Max's payoff, then how soon: see the module's text."""

    value: Any
    soon: int

    def distance(self) -> int:
        """Actions to the end; 0 for a draw, whose length is not kept."""
        return abs(self.soon)


def leaf(value: Any) -> Score:
    """The score of a state in which the game is over, or judged."""
    return Score(value, 0)


def lift(child: Score, draw: Any) -> Score:
    """The score of a state whose chosen action leads to a state with score `child`."""
    if child.value > draw:
        return Score(child.value, child.soon - 1)
    if child.value < draw:
        return Score(child.value, child.soon + 1)
    return child


def lower(bound: Score, draw: Any) -> Score:
    """The inverse of `lift`: a window's bound as the child must see it."""
    if bound.value > draw:
        return Score(bound.value, bound.soon + 1)
    if bound.value < draw:
        return Score(bound.value, bound.soon - 1)
    return bound


def score(lead: float, distance: int) -> int:
    """A packed score for `bounds`.

    Parameters
    ----------
    lead : float
        Max's payoff less the draw, a multiple of a half.
    distance : int
        Actions until it is reached.

    Returns
    -------
    int
    """
    if lead > 0:
        return int(lead * 2097152) - distance
    if lead < 0:
        return int(lead * 2097152) + distance
    return 0


def unpack(packed: int, draw: Any) -> Score:
    """A packed score as a `Score`; the inverse of `score`."""
    half = UNIT // 2
    if packed > 0:
        halves = -(-packed // half)
        return Score(halves / 2 + draw, packed - halves * half)
    if packed < 0:
        halves = packed // half
        return Score(halves / 2 + draw, packed - halves * half)
    return Score(draw, 0)
