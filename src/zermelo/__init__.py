"""Zermelo: write the rules of a game once, in plain Python, and get every answer its tree holds."""

from typing import TYPE_CHECKING, Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import CHANCE, MAX, MIN, Game
from zermelo.scores import score
from zermelo.words import Word, bits, lsb, popcount, replace, shift, u64, u128, u256

if TYPE_CHECKING:
    from zermelo.play.strategies import Strategy, strategy
    from zermelo.search.alphabeta import AlphaBeta
    from zermelo.search.coalition import Coalition
    from zermelo.search.deepening import Deepening
    from zermelo.search.expectiminimax import Expectiminimax
    from zermelo.search.layers import Layers
    from zermelo.search.maxn import MaxN
    from zermelo.search.mcts import MCTS
    from zermelo.search.minimax import Minimax
    from zermelo.search.negamax import Negamax
    from zermelo.search.opponent import Expectimax
    from zermelo.search.paranoid import Paranoid
    from zermelo.search.perft import perft
    from zermelo.search.prove import Prove
    from zermelo.search.star import Star1, Star2
    from zermelo.search.value_iteration import ValueIteration
    from zermelo.trees.backward_induction import BackwardInduction
    from zermelo.trees.branches import Chance, Leaf, Max, Min, Player
    from zermelo.trees.tree import Tree
    from zermelo.trees.unfold import unfold

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "MAX",
    "MCTS",
    "MIN",
    "AlphaBeta",
    "BackwardInduction",
    "Chance",
    "Coalition",
    "Deepening",
    "Expectimax",
    "Expectiminimax",
    "Game",
    "Layers",
    "Leaf",
    "Max",
    "MaxN",
    "Min",
    "Minimax",
    "Negamax",
    "Paranoid",
    "Player",
    "Prove",
    "RulesError",
    "Star1",
    "Star2",
    "Strategy",
    "Tree",
    "ValueIteration",
    "Word",
    "ZermeloError",
    "__version__",
    "bits",
    "lsb",
    "perft",
    "popcount",
    "replace",
    "score",
    "shift",
    "strategy",
    "u64",
    "u128",
    "u256",
    "unfold",
]

_HOMES = {  # where the names live that are loaded only when somebody asks: rules files import this package and nothing heavy
    "AlphaBeta": "zermelo.search.alphabeta",
    "Minimax": "zermelo.search.minimax",
    "Negamax": "zermelo.search.negamax",
    "perft": "zermelo.search.perft",
    "Prove": "zermelo.search.prove",
    "Coalition": "zermelo.search.coalition",
    "Deepening": "zermelo.search.deepening",
    "Expectimax": "zermelo.search.opponent",
    "Expectiminimax": "zermelo.search.expectiminimax",
    "MaxN": "zermelo.search.maxn",
    "MCTS": "zermelo.search.mcts",
    "Paranoid": "zermelo.search.paranoid",
    "Star1": "zermelo.search.star",
    "Star2": "zermelo.search.star",
    "Layers": "zermelo.search.layers",
    "ValueIteration": "zermelo.search.value_iteration",
    "Strategy": "zermelo.play.strategies",
    "strategy": "zermelo.play.strategies",
    "BackwardInduction": "zermelo.trees.backward_induction",
    "Chance": "zermelo.trees.branches",
    "Leaf": "zermelo.trees.branches",
    "Max": "zermelo.trees.branches",
    "Min": "zermelo.trees.branches",
    "Player": "zermelo.trees.branches",
    "Tree": "zermelo.trees.tree",
    "unfold": "zermelo.trees.unfold",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
