"""Two worlds: chance picks one, nobody sees which. Max may take 1 for sure, or go on and guess the world later: 1 if right, else -1.

Who looks into both worlds as if they were open believes that both ways are worth 1 (strategy fusion); in truth the guess is worth 0.
Source: the two-worlds example of AIPT section 2.2, after J. Long et al., Understanding the Success of Perfect Information Monte Carlo
Sampling in Game Tree Search, AAAI 2010.
"""

from zermelo.trees.branches import Chance, Max, Min
from zermelo.trees.tree import Tree

__all__ = ["TWO_WORLDS"]


def world(left: int, right: int) -> Max:
    """One world: where the guess `left` and the guess `right` lead."""
    replies = {reply: Max(left=left, right=right, information=f"guess after {reply}") for reply in ("left", "right")}
    return Max(left=Min(replies, information="reply"), right=1, information="start")


TWO_WORLDS = Tree.of(Chance({"World 1": (1, world(left=-1, right=1)), "World 2": (1, world(left=1, right=-1))}), title="Two worlds")
