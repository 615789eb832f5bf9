"""The same questions to other libraries for game trees, in one process on one core: times and ratios, with every answer asserted.

    python benchmarks/others.py [--quick]

1. tic-tac-toe to the end by alpha-beta: OpenSpiel's `alpha_beta_search`, easyAI's `Negamax(9)`; the value is 0
2. lines of moves of chess from the start (perft): python-chess by its own generator
3. simulations a second of UCT on Connect Four: OpenSpiel's C++ `MCTSBot`

What is not installed is left out: `pip install open_spiel easyAI chess`. Ours are rules in Python, compiled; compiling is not counted, and
told apart by `benchmarks/foundation.py`. Equilibria beside OpenSpiel and Gambit: `benchmarks/equilibrium_others.py`.
"""

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import zermelo

QUICK = "--quick" in sys.argv


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What came out, and the processor time that it took."""
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


def row(who: str, seconds: float, ours: float) -> None:
    """One line of the table."""
    print(f"  {who:30} {seconds:9.4f} s {seconds / ours:10,.2f} times ours")


def alpha_beta() -> None:
    """The whole of tic-tac-toe."""
    print("1. tic-tac-toe to the end by alpha-beta")
    search, game = zermelo.AlphaBeta(textbook=True), zermelo.game("tictactoe")
    search.search(game)  # compiles
    found, ours = timed(lambda: [search.search(game) for _ in range(20)][-1])
    ours /= 20
    assert (found.value, found.exact) == (0, True)
    row(f"zermelo ({found.backend})", ours, ours)
    if find_spec("pyspiel"):
        import pyspiel
        from open_spiel.python.algorithms.minimax import alpha_beta_search

        (value, _), theirs = timed(lambda: alpha_beta_search(pyspiel.load_game("tic_tac_toe")))
        assert value == 0
        row("OpenSpiel (Python search)", theirs, ours)
    if find_spec("easyAI"):
        from easyAI import Negamax
        from easyAI.games.TicTacToe import TicTacToe

        algorithm, board = Negamax(9), TicTacToe([None, None])
        _, theirs = timed(lambda: algorithm(board))
        assert algorithm.alpha == 0
        row("easyAI", theirs, ours)


def move_counts() -> None:
    """Perft of chess."""
    if not find_spec("chess"):
        return
    import chess

    depth, leaves = (2, 400) if QUICK else (3, 8_902)
    print(f"2. chess, {leaves:,} lines of {depth} moves")
    zermelo.perft("chess", 1)  # compiles
    found, ours = timed(lambda: zermelo.perft("chess", depth))
    assert found.leaves == leaves
    row(f"zermelo ({found.backend})", ours, ours)

    def count(board: chess.Board, left: int) -> int:
        if left == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(board, left - 1)
            board.pop()
        return total

    counted, theirs = timed(lambda: count(chess.Board(), depth))
    assert counted == leaves
    row("python-chess", theirs, ours)


def simulations() -> None:
    """UCT from the start of Connect Four."""
    if not find_spec("pyspiel"):
        return
    import pyspiel

    playouts = 5_000 if QUICK else 50_000
    print(f"3. Connect Four, {playouts:,} simulations of UCT")
    search, game = zermelo.MCTS(playouts=playouts, solver=False, exploration=1.0, seed=1, backend="compiled"), zermelo.game("connect4")
    search.search(game, limits=zermelo.Limits(seed=2))  # compiles
    found, ours = timed(lambda: search.search(game))
    assert found.extra["playouts"] == playouts
    row("zermelo (compiled)", ours, ours)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    rules = pyspiel.load_game("connect_four")
    bot = pyspiel.MCTSBot(rules, evaluator, 2.0, playouts, 1000, False, 1, False, pyspiel.ChildSelectionPolicy.UCT)
    action, theirs = timed(lambda: bot.step(rules.new_initial_state()))
    assert 0 <= action < 7
    row("OpenSpiel (C++)", theirs, ours)


if __name__ == "__main__":
    alpha_beta()
    move_counts()
    simulations()
