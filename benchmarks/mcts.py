"""Monte Carlo tree search: playouts a second beside OpenSpiel, threads, what each variant wins, and how often the best move is found.

    python benchmarks/mcts.py             playouts a second; beside OpenSpiel's MCTS in C++ and in Python, where `open_spiel` is installed
    python benchmarks/mcts.py --features  games of every variant against the plain search, with error bars
    python benchmarks/mcts.py --strength  share of optimal moves on solved positions of Connect Four, against playouts; --plot FILE draws it

Both sides of the first table use UCB1 with the same constant (2 for payoffs of ±1, which is `exploration=1`), the same number of
playouts and one uniformly random playout a leaf, without proofs.
"""

import argparse
import importlib.util
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
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
from zermelo.search.mcts import MCTS
from zermelo.search.prove import Prove

GAMES: list[tuple[str, Game, str | None]] = [  # name, rules, what OpenSpiel calls it
    ("Connect Four", ConnectFour(), "connect_four"),
    ("tic-tac-toe", TicTacToe(), "tic_tac_toe"),
    ("Othello", Othello(), "othello"),
    ("Breakthrough", Breakthrough(8, 8), "breakthrough"),
    ("Chomp, 40 lines", Chomp(7, 5), None),
]


SETS = ("L3_R1", "L2_R1", "L1_R1", "L2_R2")  # positions with few stones to come, and with more


def fastest(measure: Callable[[], float], runs: int = 3) -> float:
    """Playouts a second of the fastest of several runs."""
    return max(measure() for _ in range(runs))


def ours(game: Game, playouts: int, threads: int = 1) -> float:
    """Playouts a second of this library."""
    found = MCTS(playouts=playouts, exploration=1.0, solver=False, seed=1, threads=threads, backend="compiled").search(game)
    assert found.extra["playouts"] == playouts
    assert sum(found.extra["visits"].values()) == playouts
    return playouts / found.seconds


def open_spiel_cpp(name: str, playouts: int) -> float:
    """Playouts a second of OpenSpiel's `MCTSBot`."""
    import pyspiel

    game = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, playouts, 4_000, False, 1, False)
    state = game.new_initial_state()
    begun = time.perf_counter()
    root = bot.mcts_search(state)
    seconds = time.perf_counter() - begun
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
    begun = time.perf_counter()
    bot.mcts_search(state)
    return playouts / (time.perf_counter() - begun)


def has_open_spiel() -> bool:
    """Can the other side be measured?"""
    return importlib.util.find_spec("pyspiel") is not None


def speed(playouts: int) -> None:
    """The first table."""
    other = has_open_spiel()
    print("playouts a second from the start, one thread (fastest of three)" + ("" if other else "; open_spiel is not installed"))
    print(f"{'':20}{'Zermelo':>12}{'OpenSpiel C++':>15}{'ratio':>8}{'OpenSpiel Python':>18}{'ratio':>8}")
    for name, game, theirs in GAMES:
        ours(game, 100)  # compiled from here on
        mine = fastest(lambda game=game: ours(game, playouts))
        line = f"{name:20}{mine:12,.0f}"
        if other and theirs is not None:
            cpp = fastest(lambda theirs=theirs: open_spiel_cpp(theirs, max(playouts // 10, 100)))
            python = open_spiel_python(theirs, max(playouts // 1_000, 20))
            line += f"{cpp:15,.0f}{mine / cpp:7.1f}×{python:18,.0f}{mine / python:7.0f}×"
        print(line)
    one, two = (fastest(lambda count=count: ours(ConnectFour(), 2 * playouts, count)) for count in (1, 2))
    print(f"two threads on one tree, Connect Four: {one:,.0f} → {two:,.0f} playouts a second, {two / one:.2f}×")


# --- what each variant wins

PLAIN = MCTS(solver=False, exploration=1.0)
VARIANTS: dict[str, dict[str, Any]] = {
    "exploration 0.35": {"exploration": 0.35},
    "exploration 0.5": {"exploration": 0.5},
    "exploration 0.7": {"exploration": 0.7},
    "exploration 1.4": {"exploration": 1.4},
    "solver": {"solver": True},
    "solver, exploration 0.5": {"solver": True, "exploration": 0.5},
    "RAVE": {"rave": 0},
    "GRAVE 50, exploration 0.2": {"rave": 50, "exploration": 0.2},
    "urgency 0": {"urgency": 0.0},
    "PUCT, evaluate's priors": {"selection": "puct", "priors": "evaluate"},
    "progressive bias 0.5": {"bias": 0.5},
    "transpositions": {"transpositions": True},
    "playouts by order": {"policy": "order"},
    "playouts by evaluate": {"policy": "evaluate"},
    "cut-off 4": {"cutoff": 4},
    "final value": {"final": "value"},
    "final secure": {"final": "secure"},
}


def duel(game: Game, first: MCTS, second: MCTS, seed: int) -> float:
    """What the first gets, from 0 to 1, when it moves first in a game that begins with two random moves."""
    state, moves = game.start(), random.Random(seed)
    low, high = game.payoffs or (-1, 1)
    for _ in range(2):
        state = game.result(state, moves.choice(list(game.actions(state))))
    ply = 0
    while not game.terminal(state):
        mover = first if game.player(state) == 0 else second
        found = replace(mover, seed=1_000 * seed + ply).search(game, state)
        assert found.action is not None
        state, ply = game.result(state, found.action), ply + 1
    payoff = float(game.utility(state))
    return 0.5 if payoff == (low + high) / 2 else float(payoff > (low + high) / 2)


def features(games: int, playouts: int) -> None:
    """The second table: each variant against plain UCT, as many playouts each, both colours from the same openings."""
    print(f"share of points against plain UCT (exploration 1, no solver), {playouts:,} playouts a move, {games} games, ± standard error")
    rules: list[tuple[str, Game]] = [("Connect Four", ConnectFour()), ("Breakthrough 6 × 6", Breakthrough(6, 6))]
    print(f"{'':28}" + "".join(f"{name:>22}" for name, _ in rules))
    for name, switches in VARIANTS.items():
        line = f"{name:28}"
        for _, game in rules:
            if any(switches.get(key) in ("evaluate", "order") and not hasattr(game, switches[key]) for key in ("policy", "priors")):
                line += f"{'–':>22}"
                continue
            line += f"{score(game, switches, games, playouts):>22}"
        print(line, flush=True)


def score(game: Game, switches: dict[str, Any], games: int, playouts: int) -> str:
    """Points of a variant with their standard error."""
    variant, plain = replace(PLAIN, playouts=playouts, **switches), replace(PLAIN, playouts=playouts)
    points = []
    for number in range(games // 2):
        points += [duel(game, variant, plain, number), 1 - duel(game, plain, variant, number)]
    error = statistics.stdev(points) / math.sqrt(len(points))
    return f"{statistics.mean(points):.2f} ± {error:.2f}"


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
    print(f"{'playouts':>10}{'plain UCT':>16}{'default':>16}")
    rows = []
    playouts = 10
    while playouts <= most:
        shares = []
        for algorithm in (PLAIN, MCTS()):
            right = [
                replace(algorithm, playouts=playouts, seed=number).search(ConnectFour(), state).action in best
                for number, (state, best) in enumerate(solved)
            ]
            shares.append(sum(right) / count)
        rows.append((playouts, *shares))
        print(f"{playouts:10,}" + "".join(f"{share:9.3f} ± {math.sqrt(share * (1 - share) / count):.3f}" for share in shares), flush=True)
        playouts = playouts * 3 if str(playouts)[0] == "1" else playouts // 3 * 10
    assert rows[-1][2] > rows[0][2], "more playouts must find more"
    if plot is not None:
        draw(rows, count, plot)


def draw(rows: list[tuple[int, float, float]], count: int, path: Path) -> None:
    """The third table as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4))
    axes = figure.subplots()
    for number, label in ((1, "plain UCT"), (2, "default")):
        errors = [1.96 * math.sqrt(row[number] * (1 - row[number]) / count) for row in rows]
        axes.errorbar([row[0] for row in rows], [row[number] for row in rows], yerr=errors, marker="o", capsize=3, label=label)
    axes.set_xscale("log")
    axes.set_ylim(0.4, 1.01)
    axes.set_xlabel("playouts a move")
    axes.set_ylabel("share of optimal moves")
    axes.set_title(f"{count} solved positions of Connect Four")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--features", action="store_true")
    parser.add_argument("--strength", action="store_true")
    parser.add_argument("--playouts", type=int)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    if given.features:
        features(given.games, given.playouts or 1_000)
    elif given.strength:
        strength(given.positions, given.playouts or 100_000, given.plot)
    else:
        speed(given.playouts or 200_000)


if __name__ == "__main__":
    main()
