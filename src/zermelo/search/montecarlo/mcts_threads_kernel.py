"""Kernel template: Monte Carlo tree search by UCT, or with priors, hints, urgency or a policy for playouts, on several threads."""

from zermelo.search.montecarlo.search_kernel import SIGNATURES

__all__ = ["SIGNATURES"]

EXTRAS = False
INFORMED = True
TOGETHER = True
