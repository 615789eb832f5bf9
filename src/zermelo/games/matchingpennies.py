"""Matching pennies: both show a side of a penny; the first player wins where they are the same, the second where they differ.

Source: J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior (1944), section 14.7.
"""

from zermelo.trees.matrix import Matrix

__all__ = ["MATCHING_PENNIES"]

SIDES = ("heads", "tails")

MATCHING_PENNIES = Matrix.of([[1, -1], [-1, 1]], strategies=(SIDES, SIDES), title="Matching pennies")
