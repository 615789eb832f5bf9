"""An alpha cut: C1 is worth 20 to Max, so that once D shows C2 to be worth 15 at most, the rest of C2 is never looked at.

Source: "Alpha Pruning" of the Comp 212 slides, see docs/theory/sources.md. The text says that alpha is 20 and that C2's children after D
are pruned; the figure with the payoffs is lost, and here they are any numbers for which that is so.
"""

from zermelo.trees.branches import Leaf, Max, Min
from zermelo.trees.tree import Tree

__all__ = ["ALPHA_CUT"]

ALPHA_CUT = Tree.of(
    Max(
        label="A",
        C1=Min(label="C1", B1=Leaf(20, label="B1"), B2=Leaf(25, label="B2")),
        C2=Min(label="C2", D=Max(label="D", D1=Leaf(10, label="D1"), D2=Leaf(15, label="D2")), E=Leaf(30, label="E"), F=Leaf(5, label="F")),
    ),
    title="An alpha cut",
)
