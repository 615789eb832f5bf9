"""How fast is a game written in plain Python? Ratios from one run, each with its answer asserted.

    python benchmarks/foundation.py [--quick]

1. the compiled backend against the reference backend on the same search: same value, same nodes (expected: above 100 times)
2. compiled perft of Connect Four (expected: above 100 million leaves a second on an idle core)
3. the first compiled answer of a fresh process, from an empty cache (a few seconds) and from a full one (below one second in all)

1 and 2 are measured in processor time, the best of several runs, so that a busy machine matters less; 3 is the clock on the wall.
Answers are the same everywhere. `--quick` looks less deep.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from zermelo.games.connect4 import ConnectFour
from zermelo.games.tictactoe import TicTacToe
from zermelo.search import AlphaBeta, Minimax, perft

CONNECT_FOUR_LEAVES = {8: 5_673_234, 9: 39_394_572}  # counted independently
TIC_TAC_TOE_NODES = 549_946  # OpenSpiel's get_all_states_test

FIRST_ANSWER = """
from zermelo.games.tictactoe import TicTacToe
from zermelo.search import Minimax
found = Minimax(textbook=True, backend="compiled").search(TicTacToe())
assert (found.value, found.nodes, found.backend) == (0, 549946, "compiled"), found
"""


def timed(work: Callable[[], Any], repeat: int = 1, clock: Callable[[], float] = time.process_time) -> tuple[Any, float]:
    """The result, and the shortest time of so many runs."""
    times = []
    for _ in range(repeat):
        began = clock()
        result = work()
        times.append(clock() - began)
    return result, min(times)


def engines(quick: bool) -> None:
    """The same searches on both backends."""
    searches: list[tuple[str, Any, Any]] = [
        (
            "tic-tac-toe, minimax to the end",
            TicTacToe(),
            lambda backend: Minimax(textbook=True, depth=6 if quick else None, backend=backend),
        ),
        ("Connect Four, alpha-beta to depth 6", ConnectFour(), lambda backend: AlphaBeta(depth=6, memory=0, backend=backend)),
    ]
    for name, game, make in searches:
        make("compiled").search(game)  # compiled, and in the cache
        slow, slow_seconds = timed(lambda make=make, game=game: make("reference").search(game))
        fast, fast_seconds = timed(lambda make=make, game=game: make("compiled").search(game), 10)
        assert (fast.backend, slow.backend) == ("compiled", "reference")
        assert (fast.value, fast.action, fast.nodes, fast.scores) == (slow.value, slow.action, slow.nodes, slow.scores)
        assert quick or fast.nodes == TIC_TAC_TOE_NODES or game != TicTacToe()
        print(f"{name}: {fast.nodes:,} nodes, value {fast.value:g}")
        print(
            f"    reference {slow_seconds * 1e3:,.0f} ms, compiled {fast_seconds * 1e3:,.1f} ms: {slow_seconds / fast_seconds:,.0f} times"
        )
        print(f"    {fast.nodes / fast_seconds / 1e6:.1f} million nodes a second")


def leaves(quick: bool) -> None:
    """Move counts of Connect Four."""
    depth = 8 if quick else 9
    perft(ConnectFour(), 1, backend="compiled")
    found, seconds = timed(lambda: perft(ConnectFour(), depth, backend="compiled"), 10)
    assert (found.leaves, found.backend) == (CONNECT_FOUR_LEAVES[depth], "compiled")
    print(f"Connect Four, perft to depth {depth}: {found.leaves:,} leaves, {found.leaves / seconds / 1e6:,.0f} million a second")


def first_answers() -> None:
    """Whole processes, from start to exit."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ZERMELO_CACHE": folder}
        run = [sys.executable, "-c", FIRST_ANSWER]
        _, empty = timed(lambda: subprocess.run(run, env=environment, check=True), 1, time.perf_counter)
        _, full = timed(lambda: subprocess.run(run, env=environment, check=True), 3, time.perf_counter)
    print(f"tic-tac-toe, first compiled answer of a process: {empty:.1f} s from an empty cache, {full:.2f} s from a full one")


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    engines(quick)
    leaves(quick)
    first_answers()


if __name__ == "__main__":
    main()
