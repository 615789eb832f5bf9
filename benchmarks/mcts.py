"""Monte Carlo tree search: playouts a second beside OpenSpiel, two threads beside one, and how often the best move is found.

    python benchmarks/mcts.py             playouts a second; beside OpenSpiel's MCTS in C++ and in Python, where `open_spiel` is installed
    python benchmarks/mcts.py --threads   two threads on one tree beside one, and beside two searches that share nothing
    python benchmarks/mcts.py --strength  share of optimal moves on solved positions of Connect Four, against playouts; --plot FILE draws it

Both sides of the first table use UCB1 with the same constant (2 for payoffs of ±1, which is `exploration=1`), the same number of
playouts and one uniformly random playout a leaf, without proofs; OpenSpiel's Python, which is slow, makes fewer. The seconds of the
first table are the processor's, and Zermelo's code is optimised before they are counted. What the settings win against each other is
measured by `benchmarks/mcts_settings.py`.
"""

import argparse
import importlib.util
import math
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

from connect4 import after, positions
from mygame import Chomp

from zermelo import Game
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.connect4 import ConnectFour
from zermelo.games.othello import Othello
from zermelo.games.tictactoe import TicTacToe
from zermelo.search.montecarlo.mcts import MCTS, MCTSSession
from zermelo.search.montecarlo.mcts_driver import PlayoutTree
from zermelo.search.proof.prove import Prove

GAMES: list[tuple[str, Game, str | None, int]] = [  # name, rules, what OpenSpiel calls it, playouts
    ("Connect Four", ConnectFour(), "connect_four", 100_000),
    ("tic-tac-toe", TicTacToe(), "tic_tac_toe", 200_000),
    ("Othello", Othello(), "othello", 5_000),
    ("Breakthrough", Breakthrough(8, 8), "breakthrough", 20_000),
    ("Chomp, 40 lines", Chomp(7, 5), None, 200_000),
]
PLAIN = MCTS(solver=False, exploration=1.0)
STRENGTHS = {"plain UCT": PLAIN, "default": MCTS(), "random playouts": MCTS(policy="random"), "two threads": MCTS(threads=2)}

SETS = ("L3_R1", "L2_R1", "L1_R1", "L2_R2")  # positions with few stones to come, and with more


def fastest(measure: Callable[[], float], runs: int = 5) -> float:
    """Playouts a second of the fastest of several runs."""
    return max(measure() for _ in range(runs))


def warm(game: Game) -> None:
    """Compiles the kernels of one thread and of several, and optimises them: a first search begins with code that is not."""
    for threads in (1, 2):
        session = MCTSSession(MCTS(playouts=1, exploration=1.0, solver=False, seed=1, threads=threads, backend="compiled"), game)
        session.search()
        assert isinstance(session.tree, PlayoutTree)
        session.tree.kernel.optimise()


def ours(game: Game, playouts: int, threads: int = 1, clock: Callable[[], float] = time.process_time) -> float:
    """Playouts a second of this library."""
    begun = clock()
    found = MCTS(playouts=playouts, exploration=1.0, solver=False, seed=1, threads=threads, backend="compiled").search(game)
    seconds = clock() - begun
    assert found.extra["playouts"] == playouts
    assert sum(found.extra["visits"].values()) == playouts
    return playouts / seconds


def open_spiel_cpp(name: str, playouts: int) -> float:
    """Playouts a second of OpenSpiel's `MCTSBot`."""
    import pyspiel

    game = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, playouts, 4_000, False, 1, False)
    state = game.new_initial_state()
    begun = time.process_time()
    root = bot.mcts_search(state)
    seconds = time.process_time() - begun
    assert root.explore_count == playouts
    return playouts / seconds


def open_spiel_python(name: str, playouts: int) -> float:
    """Playouts a second of OpenSpiel's MCTS in Python."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game, generator = pyspiel.load_game(name), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, playouts, mcts.RandomRolloutEvaluator(1, generator), solve=False, random_state=generator)
    state = game.new_initial_state()
    begun = time.process_time()
    bot.mcts_search(state)
    return playouts / (time.process_time() - begun)


def has_open_spiel() -> bool:
    """Can the other side be measured?"""
    return importlib.util.find_spec("pyspiel") is not None


def speed(most: int | None) -> None:
    """The first table."""
    other = has_open_spiel()
    print(
        "playouts a second of processor time from the start, one thread (fastest of five)"
        + ("" if other else "; open_spiel is not installed")
    )
    print(f"{'':20}{'playouts':>10}{'Zermelo':>12}{'OpenSpiel C++':>15}{'ratio':>8}{'OpenSpiel Python':>18}{'ratio':>8}")
    for name, game, theirs, usual in GAMES:
        playouts = min(usual, most or usual)
        warm(game)
        mine = fastest(partial(ours, game, playouts))
        line = f"{name:20}{playouts:10,}{mine:12,.0f}"
        if other and theirs is not None:
            cpp = fastest(partial(open_spiel_cpp, theirs, playouts), 3)
            python = open_spiel_python(theirs, max(playouts // 200, 20))
            line += f"{cpp:15,.0f}{mine / cpp:7.1f}×{python:18,.0f}{mine / python:7.0f}×"
        print(line, flush=True)


# --- threads


def ours_twice(game: Game, playouts: int) -> float:
    """Playouts a second of two searches at the same time that share nothing: what two cores can do."""
    begun = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(ours, game, playouts) for _ in range(2)]:
            done.result()
    return 2 * playouts / (time.perf_counter() - begun)


def threads(most: int | None) -> None:
    """The second table."""
    print("playouts a second from the start (fastest of five)")
    print(f"{'':20}{'playouts':>10}{'one thread':>12}{'two threads':>13}{'ratio':>8}{'two searches':>14}{'ratio':>8}")
    for name, game, _, usual in GAMES:
        playouts = min(4 * usual, most or 4 * usual)
        warm(game)
        one, two = (fastest(partial(ours, game, playouts, count, time.perf_counter)) for count in (1, 2))
        apart = fastest(partial(ours_twice, game, playouts))
        print(f"{name:20}{playouts:10,}{one:12,.0f}{two:13,.0f}{two / one:7.2f}×{apart:14,.0f}{apart / one:7.2f}×", flush=True)


# --- how often the best move is found


def solved_positions(count: int) -> list[tuple[Any, set[int]]]:
    """Positions of Pascal Pons' test sets (those of benchmarks/connect4.py), with all moves that keep the value, proven."""
    game, found = ConnectFour(), []
    for name in SETS:
        taken = 0
        for moves, _ in positions(name, 500):
            if taken == count // len(SETS):
                break
            state = after(game, moves)
            truth = Prove(weak=True).search(game, state)
            if len(truth.actions) < len(truth.scores):  # where every move is as good there is nothing to find
                found.append((state, set(truth.actions)))
                taken += 1
    return found


def strength(count: int, most: int, plot: Path | None) -> None:
    """The third table: the share of positions in which the chosen move keeps the value."""
    solved = solved_positions(count)
    count = len(solved)
    print(f"share of {count} solved Connect Four positions in which the move keeps the value, ± standard error")
    print(f"{'playouts':>10}" + "".join(f"{name:>18}" for name in STRENGTHS))
    rows: list[tuple[float, ...]] = []
    playouts = 10
    while playouts <= most:
        shares = []
        for algorithm in STRENGTHS.values():
            right = [
                replace(algorithm, playouts=playouts, seed=number).search(ConnectFour(), state).action in best
                for number, (state, best) in enumerate(solved)
            ]
            shares.append(sum(right) / count)
        rows.append((playouts, *shares))
        print(f"{playouts:10,}" + "".join(f"{share:10.3f} ± {math.sqrt(share * (1 - share) / count):.3f}" for share in shares), flush=True)
        playouts = playouts * 3 if str(playouts)[0] == "1" else playouts // 3 * 10
    assert rows[-1][2] > rows[0][2], "more playouts must find more"
    if plot is not None:
        draw(rows, count, plot)


def draw(rows: list[tuple[float, ...]], count: int, path: Path) -> None:
    """The third table as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4))
    axes = figure.subplots()
    for number, label in enumerate(STRENGTHS, 1):
        beside = 1.06 ** (number - (len(STRENGTHS) + 1) / 2)  # so that error bars can be told apart
        shares = [row[number] for row in rows]
        errors = [1.96 * math.sqrt(share * (1 - share) / count) for share in shares]
        upwards = [min(error, 1 - share) for error, share in zip(errors, shares, strict=True)]
        places = [row[0] * beside for row in rows]
        axes.errorbar(
            places, shares, yerr=(errors, upwards), marker="o", markersize=4, linewidth=1.3, capsize=2, elinewidth=0.8, label=label
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylim(0.4, 1.02)
    axes.set_xlabel("playouts a move")
    axes.set_ylabel("share of optimal moves")
    axes.set_title(f"{count} solved positions of Connect Four")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--strength", action="store_true")
    parser.add_argument("--playouts", type=int)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    if given.threads:
        threads(given.playouts)
    elif given.strength:
        strength(given.positions, given.playouts or 100_000, given.plot)
    else:
        speed(given.playouts)


if __name__ == "__main__":
    main()
