"""Networks: how fast games against itself are, and how well a network has learned tic-tac-toe and Connect Four on a small board.

    python benchmarks/network.py               trains both (minutes), then measures them against solved positions; --plot FILE draws it
    python benchmarks/network.py --game NAME   one of them only; --seconds S ends its training sooner
    python benchmarks/network.py --speed       playouts a second: in games against itself, and of one search

The positions of the last table are not those of the learning curve, and the search is the compiled one, which does without PyTorch.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from zermelo.draw.lessons import plot_lessons
from zermelo.learn.network.model import evaluator
from zermelo.learn.network.selfplay import FAMILY, SelfPlay
from zermelo.learn.network.solved_positions import lost_games, measure_of
from zermelo.learn.network.training import Lesson, Training
from zermelo.registry import find
from zermelo.search.montecarlo.network.inputs import look_at
from zermelo.search.montecarlo.network.network_file import Network, Sizes, new_weights
from zermelo.search.montecarlo.network.puct import NetworkSearch
from zermelo.search.montecarlo.network.puct_driver import NetworkTree
from zermelo.search.montecarlo.network.tree_arrays import symmetry_of

BOARD = "connect4(width=5,height=4)"
RUNS = {  # the game, how it is learned, and the least share of best moves with the most playouts
    "tictactoe": (Training(iterations=10, games=300, seed=1, threads=2), 1.0),
    BOARD: (Training(iterations=40, games=500, seed=1, threads=2), 0.95),
}
FRESH = 600  # positions of the last table
PLAYOUTS = (1, 25, 100, 400)


def tell(lesson: Lesson) -> None:
    """One line an iteration."""
    gate = "" if lesson.gate is None else f"{lesson.gate:5.2f}{' ' if lesson.passed else '✗'}"
    shares = f"{100 * (lesson.policy_share or 0):6.2f} {100 * (lesson.search_share or 0):6.2f}"
    print(f"{lesson.iteration:4d} {lesson.games:7,d} games {lesson.seconds:6.1f} s  gate {gate}  best moves {shares}", flush=True)


def learn(name: str, settings: Training, least: float, seconds: float | None, folder: Path) -> list[tuple[float, float, float]]:
    """Trains a network, measures it, and gives its curve."""
    game, file = find(name), folder / f"{name.partition('(')[0]}.npz"
    print(f"{name}: {settings.games} games an iteration with {settings.playouts} playouts a move, {settings.threads} threads")
    result = settings.run(game, name, file, seconds=seconds, tell=tell)
    measure = measure_of(game, FRESH, settings.seed + 1)
    assert measure is not None
    print(f"{len(measure.truths):,} {'' if measure.whole else 'other '}positions in which a mistake is possible:")
    share = 0.0
    for playouts in PLAYOUTS:
        search = NetworkSearch(str(file), playouts=playouts)
        share = measure.share([search.search(game, state).action or 0 for state in measure.states])
        print(f"  {playouts:4d} playouts  {100 * share:6.2f} % best moves")
    assert seconds is not None or share >= least, f"{share} is less than {least}"
    if measure.whole:
        search = NetworkSearch(str(file), playouts=PLAYOUTS[-1])
        met, lost = lost_games(game, lambda states: [search.search(game, state).action or 0 for state in states])
        print(f"  {lost} of the games lost, whatever the other side did ({met:,} positions met)")
        assert seconds is not None or lost == 0
    return [(each.seconds, 1 - (each.policy_share or 0), 1 - (each.search_share or 0)) for each in result.lessons]


def speed() -> None:
    """Playouts a second."""
    print(f"playouts a second{'self-play, 1 thread':>30}{'2 threads':>12}{'one search':>12}")
    for name in RUNS:
        game = find(name)
        sight = look_at(game, symmetry_of(game, FAMILY))
        sizes = Sizes(sight.inputs, sight.outputs)
        weights = new_weights(sizes, 1)
        evaluate, figures = evaluator(sizes, weights), []
        SelfPlay().play(game, sight, evaluate, 4, 0, 1)
        for threads in (1, 2):
            begun = time.perf_counter()
            samples = SelfPlay().play(game, sight, evaluate, 400, 1, threads)
            figures.append(64 * len(samples.inputs) / (time.perf_counter() - begun))
        tree = NetworkTree(game, game.start(), Network(name, "", sight, sizes, weights), 1.5, 1 << 30)
        begun = time.perf_counter()
        tree.grow(20_000, None)
        figures.append(20_000 / (time.perf_counter() - begun))
        assert tree.playouts == 20_000
        print(f"{name:>30}{figures[0]:>17,.0f}{figures[1]:>12,.0f}{figures[2]:>12,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(RUNS))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    if given.speed:
        speed()
        return
    curves = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in [given.game] if given.game else RUNS:
            settings, least = RUNS[name]
            settings = settings if given.threads is None else replace(settings, threads=given.threads)
            curves[name] = learn(name, settings, least, given.seconds, Path(folder))
    if given.plot is not None:
        plot_lessons(curves, given.plot, "A network that learns by playing against itself")


if __name__ == "__main__":
    main()
