"""Searches: minimax, negamax, alpha-beta, proof, cheapest ways for one player, and move counts. Engines that share a search agree."""

from zermelo.search.alphabeta import AlphaBeta
from zermelo.search.astar import AStar
from zermelo.search.deepening import Deepening
from zermelo.search.idastar import IDAStar
from zermelo.search.lrta import LRTA
from zermelo.search.minimax import Minimax
from zermelo.search.negamax import Negamax
from zermelo.search.perft import perft
from zermelo.search.prove import Prove
from zermelo.search.prove_many import prove_many
from zermelo.search.realtime import RealTime

__all__ = ["LRTA", "AStar", "AlphaBeta", "Deepening", "IDAStar", "Minimax", "Negamax", "Prove", "RealTime", "perft", "prove_many"]
