"""Two moves for Player 1, two replies for Player 2: the value is 1, reached by Left, Right.

Going Right could bring 6, but then Player 2 replies Left and it costs 3. Source: "Basic Tree" of the AIPT chapter in
docs/theory/sources.md, payoffs written there as 5,−5 and so on.
"""

from zermelo.trees.branches import Max, Min
from zermelo.trees.tree import Tree

__all__ = ["TWO_LEVEL"]

TWO_LEVEL = Tree.of(
    Max(Left=Min(Left=5, Right=1), Right=Min(Left=-3, Right=6)),
    title="The two-level tree",
)
