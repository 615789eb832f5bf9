"""The K-Q-J bluff: three cards, an ante of one unit each; Player 1 holds J and has seen that Player 2 holds Q.

He may check or bet one more unit, and hopes that a bet makes Player 2 fold. Against the best reply it does not: the value is −1, reached
by CHECK, CHECK. Source: the OpenGenus article, see docs/theory/sources.md, whose labels are kept.
"""

from zermelo.trees.branches import Leaf, Max, Min
from zermelo.trees.tree import Tree

__all__ = ["KQJ"]

KQJ = Tree.of(
    Max(
        label="P1A",
        CHECK=Min(
            label="P2A",
            CHECK=Leaf(-1, label="E1"),
            BET=Max(label="P1B", FOLD=Leaf(-1, label="E2"), CALL=Leaf(-2, label="E3")),
        ),
        BET=Min(label="P2B", FOLD=Leaf(1, label="E4"), CALL=Leaf(-2, label="E5")),
    ),
    title="The K-Q-J bluff",
)
