"""How strong is the proof of Connect Four from rules in plain Python? Every score is asserted.

    python benchmarks/connect4.py [--quick] [--threads N] [--empty] [SET …]

1. mean nodes and mean time for positions of Pascal Pons' test sets, with an empty table for each, beside the figures of the best public
   C++ solver (measured on one 2.8 GHz core over its own sets of 1,000; L1_R3: 20); then the same with a table that is kept from position to
   position, which is as right, but not what the C++ solver's figures are about
2. the hard positions with two threads against one, by the clock on the wall: means something on an idle machine only
3. with `--empty`: the empty board, who wins, with a table of 1 GiB; takes minutes

Times of one thread are processor time, so that a busy machine matters less. The positions are those of connect4_positions.txt, 20 a
set; where the whole sets lie in ../shared/truth/connect4 (500 a set), all of L3_R1, L2_R1, L2_R2 and L1_R1, 100 of L1_R2 and 20 of L1_R3.
"""

import sys
import time
from pathlib import Path
from typing import NamedTuple

from zermelo.engine.backend import choose
from zermelo.engine.prover import Prover, score_range
from zermelo.games.connect4 import ConnectFour, Stones
from zermelo.scores import unpack
from zermelo.search.narrowing import Narrowing
from zermelo.search.prove import Prove

MEMORY = 64 << 20  # bytes of the table
CARRIED = Path(__file__).with_name("connect4_positions.txt")
WHOLE_SETS = Path(__file__).resolve().parents[2] / "shared" / "truth" / "connect4"
SOLVER = {  # set: positions to take at most, mean nodes and mean milliseconds of the C++ solver
    "L3_R1": (500, 51, 0.011),
    "L2_R1": (500, 449, 0.081),
    "L1_R1": (500, 3_300, 0.44),
    "L2_R2": (500, 39_800, 5.9),
    "L1_R2": (100, 1_190_000, 166),
    "L1_R3": (20, 25_600_000, 3_800),
}
HARD = ("L1_R3",)  # sets that take so long that they are measured once only
QUICK = ("L3_R1", "L2_R1", "L1_R1")


class Measured(NamedTuple):
    nodes: int
    seconds: float  # processor time
    elapsed: float  # on the wall


def positions(name: str, most: int) -> list[tuple[str, int]]:
    """(moves, score for the side to move) of a set."""
    whole = WHOLE_SETS / f"Test_{name}"
    if whole.is_file():
        rows = [line.split() for line in whole.read_text(encoding="utf-8").splitlines()]
    else:
        rows = [line.split()[1:] for line in CARRIED.read_text(encoding="utf-8").splitlines() if line.startswith(name)]
    return [(moves, int(published)) for moves, published in rows[:most]]


def after(game: ConnectFour, moves: str) -> Stones:
    state = game.start()
    for move in moves:
        state = game.result(state, int(move) - 1)
    return state


def published_score(packed: int, moves: str) -> int:
    """A packed score as the sets write it: 22 less the winner's stones, seen by the side to move."""
    value, soon = unpack(packed, 0)
    lead = 22 - (len(moves) + abs(soon) + 1) // 2
    return 0 if value == 0 else lead if (value > 0) == (len(moves) % 2 == 0) else -lead


def measure(prover: Prover, game: ConnectFour, moves: str, published: int, kept: bool = False) -> Measured:
    """One position, proven with an empty table, or with one that is kept."""
    if not kept:
        prover.forget()
    state, before, known = after(game, moves), prover.nodes, Narrowing(*score_range(game))
    began, clock = time.process_time(), time.perf_counter()
    found = prover.settle(state, known.low, known.high)
    known.low, known.high, known.reach = found.low, found.high, found.reach
    while not known.settled:
        threshold = known.question()
        known.learn(threshold, prover.ask(state, threshold).score)
    measured = Measured(prover.nodes - before, time.process_time() - began, time.perf_counter() - clock)
    assert known.low == known.high
    assert published_score(known.low, moves) == published, moves
    return measured


def prover_for(game: ConnectFour, threads: int) -> Prover:
    compiled = choose(game, "compiled").compiled
    assert compiled is not None
    return Prover(compiled, game, MEMORY, threads=threads)


def sets(game: ConnectFour, names: list[str], most: int, threads: int) -> None:
    """All sets, beside the C++ solver's figures."""
    head = f"{'set':6} {'positions':>9} {'mean nodes':>12} {'C++':>12} {'mean ms':>10} {'C++':>8} {'Mnodes/s':>9} {'C++':>5}"
    print(f"{head}   {'kept: nodes':>12} {'ms':>10}")
    prover = prover_for(game, threads)
    for name in names:
        limit, solver_nodes, solver_ms = SOLVER[name]
        chosen = positions(name, min(most, limit))
        assert chosen
        nodes, ms = means([measure(prover, game, moves, published) for moves, published in chosen], threads)
        speeds = f"{nodes / ms / 1e3:9.1f} {solver_nodes / solver_ms / 1e3:5.1f}"
        if name not in HARD:
            prover.forget()
            nodes_kept, ms_kept = means([measure(prover, game, moves, published, kept=True) for moves, published in chosen], threads)
            speeds += f"   {nodes_kept:12,.0f} {ms_kept:10.3f}"
        print(f"{name:6} {len(chosen):9} {nodes:12,.0f} {solver_nodes:12,} {ms:10.3f} {solver_ms:8} {speeds}", flush=True)


def means(each: list[Measured], threads: int) -> tuple[float, float]:
    """(nodes, milliseconds) a position: processor time of one thread, the clock on the wall of several."""
    nodes = sum(one.nodes for one in each) / len(each)
    return nodes, sum(one.seconds if threads == 1 else one.elapsed for one in each) / len(each) * 1e3


def speed_up(game: ConnectFour) -> None:
    """The same hard positions with one thread and with two."""
    chosen = positions("L1_R2", 20)
    elapsed = []
    for threads in (1, 2):
        prover = prover_for(game, threads)
        elapsed.append(sum(measure(prover, game, moves, published).elapsed for moves, published in chosen))
    print(f"two threads: {elapsed[0]:.2f} s → {elapsed[1]:.2f} s, {elapsed[0] / elapsed[1]:.2f} times as fast")


def empty_board(game: ConnectFour, threads: int) -> None:
    """Who wins from the start."""
    found = Prove(weak=True, plain=True, threads=threads, memory=1 << 30, backend="compiled").search(game)
    assert (found.value, found.exact) == (1, True)
    print(f"empty board, {threads} threads: Max wins, {found.nodes:,} nodes (C++ 1,608,000,000), {found.seconds:.0f} s (C++ 269 s)")


def main() -> None:
    words = sys.argv[1:]
    threads = int(words[words.index("--threads") + 1]) if "--threads" in words else 1
    game = ConnectFour()
    if "--empty" in words:
        empty_board(game, threads)
        return
    quick, chosen = "--quick" in words, [word for word in words if word in SOLVER]
    sets(game, chosen or list(QUICK if quick else SOLVER), 20 if quick else 500, threads)
    if not quick and not chosen and threads == 1:
        speed_up(game)


if __name__ == "__main__":
    main()
