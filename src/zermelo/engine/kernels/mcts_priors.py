"""Kernel template: Monte Carlo tree search with priors, hints or urgency, on one thread."""

from zermelo.engine.kernels.parts.montecarlosearch import SIGNATURES

__all__ = ["SIGNATURES"]

EXTRAS = False
INFORMED = True
TOGETHER = False
