"""Kernel template: Monte Carlo tree search with everything: also all moves as first, shared nodes, and chance outside the tree, on one or
more threads."""

from zermelo.search.montecarlo.search_kernel import SIGNATURES

__all__ = ["SIGNATURES"]

EXTRAS = True
INFORMED = True
TOGETHER = True
