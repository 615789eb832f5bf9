"""Stag hunt: a stag needs both hunters and feeds them best, a hare can be caught by one alone.

Source: J.-J. Rousseau, Discourse on Inequality (1755), part two; payoffs 4 for the stag, 3 for a hare, 0 for a stag hunted alone.
"""

from zermelo.trees.matrix import Matrix

__all__ = ["STAG_HUNT"]

PREY = ("stag", "hare")

STAG_HUNT = Matrix.cells(
    [
        [(4, 4), (0, 3)],
        [(3, 0), (3, 3)],
    ],
    strategies=(PREY, PREY),
    title="Stag hunt",
)
