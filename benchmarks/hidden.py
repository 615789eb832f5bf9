"""Playouts under hidden information: how far the strategies that they find can be exploited, on Kuhn and Leduc poker.

    python benchmarks/hidden.py [--quick] [--plot FILE]
    python benchmarks/hidden.py --speed [--quick]      playouts a second, compiled beside interpreted

IS-UCT and Smooth IS-UCT play the average strategy of one search from the start of the game. Determinized UCT, information-set MCTS and
PO-UCT search anew at every information set and play the move that they find best there. Exploitability is NashConv divided by the number
of players, by exact best replies. The run asserts strategy fusion on the two worlds of the AIPT chapter and that smooth self-play improves;
the run for speed, that both backends find the same.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zermelo.equilibrium.extensive.sequences.arrays import Arrays
from zermelo.equilibrium.extensive.sequences.best_response import exploitability, uniform
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.games.twoworlds import TWO_WORLDS
from zermelo.rules import CHANCE, Game, State, knowledge, legal_actions
from zermelo.search.montecarlo.hidden.determinized import Determinized
from zermelo.search.montecarlo.hidden.ismcts import ISMCTS
from zermelo.search.montecarlo.hidden.isuct import ISUCT
from zermelo.search.montecarlo.hidden.pouct import POUCT
from zermelo.search.montecarlo.hidden.smooth import SmoothUCT

SEED = 7
Maker = Callable[[int], Any]  # playouts → algorithm

LOCAL: dict[str, Maker] = {
    "determinized": lambda playouts: Determinized(playouts=playouts, seed=SEED),
    "ismcts, single observer": lambda playouts: ISMCTS(playouts=playouts, seed=SEED, observers="single"),
    "ismcts, multiple observers": lambda playouts: ISMCTS(playouts=playouts, seed=SEED),
    "pouct": lambda playouts: POUCT(playouts=playouts, seed=SEED),
}
WHOLE: dict[str, Maker] = {
    "isuct": lambda playouts: ISUCT(playouts=playouts, seed=SEED),
    "smooth": lambda playouts: SmoothUCT(playouts=playouts, seed=SEED),
}


def compiled(algorithm: Any) -> Any:
    """The same search on the compiled backend, however few its playouts."""
    return replace(algorithm, backend="compiled")


def information_sets(game: Game) -> list[tuple[int, Any, State]]:
    """(player, information, one of its states) of every information set."""
    found: dict[tuple[int, Any], State] = {}
    stack = [game.start()]
    while stack:
        state = stack.pop()
        if game.terminal(state):
            continue
        mover = game.player(state)
        if mover != CHANCE:
            found.setdefault((mover, knowledge(game, state, mover)), state)
        stack += [game.result(state, action) for action in legal_actions(game, state)]
    return [(mover, known, state) for (mover, known), state in found.items()]


def searched_everywhere(game: Game, algorithm: Any, sets: list[tuple[int, Any, State]]) -> Strategy:
    """The best move of a search at every information set, as a strategy."""
    tables: tuple[dict[Any, dict[int, float]], ...] = tuple({} for _ in range(game.players))
    for mover, known, state in sets:
        tables[mover][known] = {algorithm.search(game, state).action: 1.0}
    return Strategy(game, tables)


def row(label: str, arrays: Arrays, strategy: Strategy, begun: float) -> float:
    value = exploitability(arrays, strategy)
    print(f"  {label:44} {value:8.4f}   {time.perf_counter() - begun:6.1f} s")
    return value


def measure(game: Game, local: tuple[int, ...], whole: tuple[int, ...]) -> dict[str, list[tuple[int, float]]]:
    """Exploitability of every algorithm against playouts."""
    arrays, sets = unfold(game), information_sets(game)
    print(f"{type(game).__name__}: {len(sets)} information sets; every action alike: {exploitability(arrays, uniform(arrays)):.4f}")
    curves: dict[str, list[tuple[int, float]]] = {}
    for name, make in WHOLE.items():
        for playouts in whole:
            begun = time.perf_counter()
            found = row(f"{name}, {playouts:,} playouts", arrays, Strategy(game, compiled(make(playouts)).strategy(game)), begun)
            curves.setdefault(name, []).append((playouts, found))
    for name, make in LOCAL.items():
        for playouts in local:
            begun = time.perf_counter()
            found = row(f"{name}, {playouts:,} a set", arrays, searched_everywhere(game, compiled(make(playouts)), sets), begun)
            curves.setdefault(name, []).append((playouts * len(sets), found))
    return curves


def show_fusion() -> None:
    """The AIPT chapter's two worlds."""
    state = TWO_WORLDS.result(TWO_WORLDS.start(), 0)
    print("Two worlds: what the guess is believed to be worth (truth: 0; the sure payoff: 1)")
    believed = {}
    for name, make in LOCAL.items():
        found = make(10_000).search(TWO_WORLDS, state)  # a tree: data, which the reference backend searches
        believed[name] = found.scores[0]
        print(f"  {name:44} {found.scores[0]:8.3f}")
    assert believed["determinized"] > 0.8
    assert believed["ismcts, single observer"] < 0.5
    assert believed["ismcts, multiple observers"] < 0.5


def dealt(game: Game) -> State:
    """The first state in which a player moves, by the first thing that can happen each time."""
    state = game.start()
    while game.player(state) == CHANCE:
        state = game.result(state, legal_actions(game, state)[0])
    return state


def show_speed(interpreted: int, many: int) -> None:
    """Playouts a second of processor time on both backends."""
    print(f"playouts a second of processor time: {many:,} compiled beside {interpreted:,} interpreted, whose first ones are the same")
    for game in (Kuhn(), Leduc(), LiarsDice()):
        state = dealt(game)
        for name, make in (WHOLE | LOCAL).items():
            same = compiled(make(interpreted)).search(game, state)  # and compiles
            speeds, answers = [], []
            for algorithm in (compiled(make(many)), replace(make(interpreted), backend="reference")):
                begun = time.process_time()
                answers.append(algorithm.search(game, state))
                speeds.append(answers[-1].extra["playouts"] / (time.process_time() - begun))
            assert same.extra["visits"] == answers[1].extra["visits"]
            print(f"  {type(game).__name__:12} {name:28} {speeds[0]:12,.0f} {speeds[1]:10,.0f}   {speeds[0] / speeds[1]:6.0f}")


def plot(curves: dict[str, dict[str, list[tuple[int, float]]]], file: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(curves), figsize=(11, 4.2), sharey=False)
    for axis, (game, lines) in zip(axes, curves.items(), strict=True):
        for marker, (name, points) in zip("osD^vP", lines.items(), strict=False):
            axis.plot(*zip(*points, strict=True), marker=marker, label=name, linewidth=1.4, markersize=4)
        axis.set(xscale="log", yscale="log", title=game, xlabel="playouts in all", ylabel="exploitability")
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="Kuhn poker only, with few playouts")
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--speed", action="store_true", help="playouts a second, compiled beside interpreted")
    options = parser.parse_args()
    if options.speed:
        show_speed(300 if options.quick else 10_000, 3_000 if options.quick else 300_000)
        return
    show_fusion()
    kuhn = measure(Kuhn(), (100, 1_000), (300, 3_000) if options.quick else (1_000, 10_000, 100_000, 1_000_000, 10_000_000))
    curves = {"Kuhn poker": kuhn}
    assert kuhn["smooth"][-1][1] < kuhn["smooth"][0][1]
    if not options.quick:
        curves["Leduc poker"] = measure(Leduc(), (30, 300, 3_000), (3_000, 30_000, 300_000, 3_000_000, 10_000_000))
    if options.plot:
        plot(curves, options.plot)


if __name__ == "__main__":
    main()
