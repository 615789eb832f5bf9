"""Games a minute in the arena at a fixed number of nodes a move, on one core and on two; asserts that both play the same games.

    python benchmarks/arena.py [--games N]

What was measured is in docs/howto/matches.md.
"""

import argparse
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from zermelo.play.arena import Outcome, Tournament

MATCHES = [  # game, players, each with a limit on nodes
    ("connect4", ["deepening(nodes=1000)", "deepening(nodes=4000)"]),
    ("nim(heaps=(5, 6, 7))", ["minimax(depth=3, backend='reference')", "minimax(depth=2, backend='reference')"]),
]


def moves(outcome: Outcome) -> list[tuple[str, ...]]:
    """The games in the order of the schedule."""
    return [record.moves for record in outcome.records]


def measured(game: str, players: list[str], games: int, workers: int) -> tuple[Outcome, float]:
    """A match, and its seconds; compiling and the start of processes come before, as they do once in a long match."""
    trial, match = Tournament(game, players, games=8, seed=99), Tournament(game, players, games=games, seed=1)
    trial.run()
    if workers == 1:
        begun = time.perf_counter()
        return match.run(), time.perf_counter() - begun
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as processes:
        trial.run(executor=processes, workers=workers)
        begun = time.perf_counter()
        return match.run(executor=processes, workers=workers), time.perf_counter() - begun


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100)
    wanted: Any = parser.parse_args(arguments)
    print(f"{'game':24}{'workers':>8}{'games':>8}{'seconds':>9}{'games a minute':>16}{'moves a second':>16}")
    for game, players in MATCHES:
        found = []
        for workers in (1, 2):
            outcome, seconds = measured(game, players, wanted.games, workers)
            assert len(outcome.records) == wanted.games
            assert not outcome.forfeits()
            made = sum(map(len, moves(outcome)))
            rates = f"{60 * wanted.games / seconds:>16,.0f}{made / seconds:>16,.0f}"
            print(f"{game:24}{workers:>8}{wanted.games:>8}{seconds:>9.1f}{rates}")
            found.append(moves(outcome))
        assert found[0] == found[1], "two cores must play the games of one"


if __name__ == "__main__":
    main()
