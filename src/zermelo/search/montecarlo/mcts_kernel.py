"""Kernel template: Monte Carlo tree search by plain UCT, with or without proof, on one thread."""

from zermelo.search.montecarlo.search_kernel import SIGNATURES

__all__ = ["SIGNATURES"]

EXTRAS = False
INFORMED = False
TOGETHER = False
