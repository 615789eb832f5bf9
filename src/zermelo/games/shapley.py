"""Shapley's game: a three by three game in which fictitious play never settles, but circles in ever longer rounds.

Source: L. S. Shapley, "Some topics in two-person games", Advances in Game Theory, Annals of Mathematics Studies 52 (1964), 1-28.
"""

from zermelo.trees.matrix import Matrix

__all__ = ["SHAPLEY"]

SHAPLEY = Matrix.of(
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
    strategies=(("top", "middle", "bottom"), ("left", "centre", "right")),
    title="Shapley's game",
)
