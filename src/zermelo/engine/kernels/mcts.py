"""Kernel template: Monte Carlo tree search by plain UCT, with or without proof, on one or more threads."""

from zermelo.engine.kernels.parts.montecarlosearch import SIGNATURES

__all__ = ["SIGNATURES"]

EXTRAS = False
