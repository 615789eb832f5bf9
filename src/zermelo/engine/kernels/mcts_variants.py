"""Kernel template: Monte Carlo tree search with everything that plain UCT does without.

Priors, hints, urgency, all moves as first, shared nodes, policies for playouts, and chance outside the tree.
"""

from zermelo.engine.kernels.parts.montecarlosearch import SIGNATURES

__all__ = ["SIGNATURES"]

EXTRAS = True
