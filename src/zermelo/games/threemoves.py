"""Three moves for Max, two or three replies for Min: s1 is worth −6, s2 is worth 3, s3 is worth −10, so Max goes to s2.

Source: "Minimax Strategy – Intuitions" of the CSC384 slides, see docs/theory/sources.md. The text gives the payoffs of t2, t4 and t6, the
replies that Min chooses; the figure with the others is lost, and here they are any numbers that Min would not choose.
"""

from zermelo.trees.branches import Leaf, Max, Min
from zermelo.trees.tree import Tree

__all__ = ["THREE_MOVES"]

THREE_MOVES = Tree.of(
    Max(
        label="s0",
        s1=Min(label="s1", t1=Leaf(7, label="t1"), t2=Leaf(-6, label="t2"), t3=Leaf(4, label="t3")),
        s2=Min(label="s2", t4=Leaf(3, label="t4"), t5=Leaf(9, label="t5")),
        s3=Min(label="s3", t6=Leaf(-10, label="t6"), t7=Leaf(2, label="t7")),
    ),
    title="Three moves",
)
