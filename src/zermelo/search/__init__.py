"""Searches: minimax, negamax, alpha-beta, proof, cheapest ways for one player, and move counts. Algorithms that share a search agree."""

from typing import TYPE_CHECKING

from zermelo.lazily import lazily

if TYPE_CHECKING:
    from zermelo.search.classic.alphabeta import AlphaBeta
    from zermelo.search.classic.minimax import Minimax
    from zermelo.search.classic.negamax import Negamax
    from zermelo.search.classic.perft import perft
    from zermelo.search.deepening.deepening import Deepening
    from zermelo.search.proof.prove import Prove
    from zermelo.search.proof.prove_many import prove_many
    from zermelo.search.puzzles.astar import AStar
    from zermelo.search.puzzles.idastar import IDAStar
    from zermelo.search.puzzles.lrta import LRTA
    from zermelo.search.puzzles.realtime import RealTime

__all__ = ["LRTA", "AStar", "AlphaBeta", "Deepening", "IDAStar", "Minimax", "Negamax", "Prove", "RealTime", "perft", "prove_many"]

HOMES = {
    "AlphaBeta": "classic.alphabeta",
    "Minimax": "classic.minimax",
    "Negamax": "classic.negamax",
    "perft": "classic.perft",
    "Deepening": "deepening.deepening",
    "Prove": "proof.prove",
    "prove_many": "proof.prove_many",
    "AStar": "puzzles.astar",
    "IDAStar": "puzzles.idastar",
    "LRTA": "puzzles.lrta",
    "RealTime": "puzzles.realtime",
}
__getattr__ = lazily(__name__, HOMES)
