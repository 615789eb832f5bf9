"""Alpha-beta's cuts explained: a tree in which the search, from left to right, never looks at three of its nodes.

Left, worth −4: after 7 the second reply reaches 8, more than Min's 7, and is cut (no move is left there). Middle, at most −9: less than
Max's −4, so the reply 3 with its children is never looked at. Right is worth 1 and so is the root.

Source: section 3.3 of Lan et al. (2023), see docs/theory/sources.md. Its figure is lost; the text gives the root and the two nodes Left and
Middle, 7 of (5, 7), (1, −2, 8), 7, −9 with one child, and 3 with children. The remaining numbers are chosen to fit.
"""

from zermelo.trees.branches import Max, Min
from zermelo.trees.tree import Tree

__all__ = ["PRUNING"]

PRUNING = Tree.of(
    Max(
        Left=Min(Max(5, 7), Max(1, -2, 8), Max(-4, -6)),
        Middle=Min(Max(2, 7), Max(-9), Max(3, 0)),
        Right=Min(Max(1, -3), Max(4, 6)),
    ),
    title="Alpha-beta's cuts",
)
