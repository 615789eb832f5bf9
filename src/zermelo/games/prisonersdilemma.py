"""The prisoner's dilemma: two prisoners may keep their word and deny, or defect and confess; payoffs are 4 minus the years in jail.

Both do better by defecting, whatever the other does, and both do worse when both defect. Source: A. W. Tucker (1950).
"""

from zermelo.trees.matrix import Matrix

__all__ = ["PRISONERS_DILEMMA"]

CHOICES = ("Coop", "Def")

PRISONERS_DILEMMA = Matrix.cells(
    [
        [(3, 3), (0, 4)],
        [(4, 0), (1, 1)],
    ],
    strategies=(CHOICES, CHOICES),
    title="Prisoner's dilemma",
)
