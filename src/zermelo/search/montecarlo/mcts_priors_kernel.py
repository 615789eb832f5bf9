"""Kernel template: Monte Carlo tree search with priors, hints, urgency or a policy for playouts, on one thread."""

from zermelo.search.montecarlo.search_kernel import SIGNATURES

__all__ = ["SIGNATURES"]

EXTRAS = False
INFORMED = True
TOGETHER = False
