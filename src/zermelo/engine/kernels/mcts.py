"""Kernel template: Monte Carlo tree search by plain UCT, with or without proof, on one thread."""

from zermelo.engine.kernels.parts.montecarlosearch import SIGNATURES

__all__ = ["SIGNATURES"]

EXTRAS = False
INFORMED = False
TOGETHER = False
