"""Searches: minimax, negamax, alpha-beta, proof, and move counts. Each runs on the reference engine or compiled, with one answer."""

from zermelo.search.alphabeta import AlphaBeta
from zermelo.search.minimax import Minimax
from zermelo.search.negamax import Negamax
from zermelo.search.perft import perft
from zermelo.search.prove import Prove

__all__ = ["AlphaBeta", "Minimax", "Negamax", "Prove", "perft"]
