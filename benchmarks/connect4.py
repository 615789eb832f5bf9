"""How strong is the proof of Connect Four from rules in plain Python? Every score is asserted.

    python benchmarks/connect4.py [--quick] [--threads N] [--empty] [SET …]

1. positions of Pascal Pons' test sets, each with an empty table, beside the figures of the best public C++ solver (measured on one 2.8 GHz
   core over its own sets of 1,000; L1_R3: 20). Timed is what it times: finding the scores of positions that have been read; and emptying
   the table, which its times leave out
2. the easier sets as a user gives them: all states in one call of `prove_many`, which keeps its table from state to state, with everything
   that Python does around it; and 50 of them each in a call of `Prove(textbook=True).search`, which also finds a line of best play
3. the hard positions with two threads against one
4. with `--empty`: the empty board, who wins, with a table of 1 GiB; takes minutes

Times are by the clock on the wall, the least of three runs (of one for L1_R2 and L1_R3): they mean something on an idle machine only. The
positions are those of connect4_positions.txt, 20 a set; where the whole sets lie in ../shared/truth/connect4 (500 a set), all of L3_R1,
L2_R1, L2_R2 and L1_R1, 100 of L1_R2 and 20 of L1_R3.
"""

import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.games.connect4 import ConnectFour, Stones
from zermelo.runtime.backend import choose
from zermelo.scores import unpack
from zermelo.search.proof.prove import Prove
from zermelo.search.proof.prove_driver import Prover, score_range
from zermelo.search.proof.prove_many import prove_many
from zermelo.search.proof.questions import Narrowing

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
RUNS = 3
HARD = ("L1_R2", "L1_R3")  # sets that are measured once, and in the first way only
ALONE = 50  # positions that are given to `Prove.search`
QUICK = ("L3_R1", "L2_R1", "L1_R1")


class Measured(NamedTuple):
    """Means of a set."""

    nodes: float
    ms: float

    @property
    def speed(self) -> float:
        """Million nodes a second."""
        return self.nodes / self.ms / 1e3


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


def separately(prover: Prover, game: ConnectFour, chosen: list[tuple[str, int]]) -> Measured:
    """Each position with an empty table."""
    states, before = [after(game, moves) for moves, _ in chosen], prover.nodes
    rows = prover.rows(states, *score_range(game))
    prover.forget()
    began, number = time.perf_counter(), 0
    while (number := prover.settle(rows, number, emptied=True)) < len(states):
        ask_all(prover, states[number], rows, number)
        prover.forget()
        number += 1
    seconds = time.perf_counter() - began
    for number, (moves, published) in enumerate(chosen):
        found = prover.known(rows, number)
        assert found.low == found.high
        assert published_score(found.low, moves) == published, moves
    return Measured((prover.nodes - before) / len(chosen), seconds / len(chosen) * 1e3)


def ask_all(prover: Prover, state: Stones, rows: Any, number: int) -> None:
    """Settles a state that several threads have to be asked about question by question."""
    known, begun = Narrowing(*score_range(ConnectFour())), prover.known(rows, number)
    known.low, known.high, known.reach = begun.low, begun.high, begun.reach
    while not known.settled:
        threshold = known.question()
        known.learn(threshold, prover.ask(state, threshold).score)
    prover.write_known(rows, number, known.low, known.high, None)


def together(prover: Prover, game: ConnectFour, chosen: list[tuple[str, int]]) -> Measured:
    """All positions in one call of `prove_many`; its nodes are those of a prover that keeps its table."""
    states, before = [after(game, moves) for moves, _ in chosen], prover.nodes
    prover.forget()
    prover.settle(prover.rows(states, *score_range(game)))
    nodes, seconds = prover.nodes - before, []
    for _ in range(RUNS):
        began = time.perf_counter()
        found = prove_many(game, states, proof=Prove(memory=MEMORY, backend="compiled"))
        seconds.append(time.perf_counter() - began)
        for (moves, published), proven in zip(chosen, found, strict=True):
            assert_published(moves, proven.value, proven.distance, published)
    return Measured(nodes / len(chosen), min(seconds) / len(chosen) * 1e3)


def alone(game: ConnectFour, chosen: list[tuple[str, int]]) -> float:
    """Milliseconds of a call of `Prove.search`, with everything from the table's memory to the line of best play."""
    proof, seconds = Prove(textbook=True, memory=MEMORY, backend="compiled"), 0.0
    for moves, published in chosen[:ALONE]:
        state, began = after(game, moves), time.perf_counter()
        found = proof.search(game, state)
        seconds += time.perf_counter() - began
        assert_published(moves, found.value, found.distance, published)
    return seconds / len(chosen[:ALONE]) * 1e3


def assert_published(moves: str, value: float, distance: int | None, published: int) -> None:
    lead = 0 if distance is None else 22 - (len(moves) + distance + 1) // 2
    assert (lead if (value > 0) == (len(moves) % 2 == 0) else -lead) == published, moves


def prover_for(game: ConnectFour, threads: int) -> Prover:
    compiled = choose(game, "compiled").compiled
    assert compiled is not None
    return Prover(compiled, game, MEMORY, threads=threads)


def sets(game: ConnectFour, names: list[str], most: int, threads: int) -> None:
    """All sets, beside the C++ solver's figures."""
    head = f"{'set':6} {'positions':>9} {'mean nodes':>12} {'C++':>12} {'mean ms':>10} {'C++':>8} {'Mnodes/s':>9} {'C++':>5}"
    print(head + ("" if threads > 1 else f"   {'prove_many: nodes':>17} {'ms':>10} {'Mnodes/s':>9}   {'Prove.search: ms':>16}"))
    prover = prover_for(game, threads)
    for name in names:
        limit, solver_nodes, solver_ms = SOLVER[name]
        chosen, hard = positions(name, min(most, limit)), name in HARD
        assert chosen
        found = min((separately(prover, game, chosen) for _ in range(1 if hard else RUNS)), key=by_time)
        line = f"{name:6} {len(chosen):9} {found.nodes:12,.0f} {solver_nodes:12,} {found.ms:10.4f} {solver_ms:8} {found.speed:9.1f}"
        line += f" {solver_nodes / solver_ms / 1e3:5.1f}"
        if threads == 1 and not hard:
            many, single = together(prover, game, chosen), min(alone(game, chosen) for _ in range(RUNS))
            line += f"   {many.nodes:17,.0f} {many.ms:10.4f} {many.speed:9.1f}   {single:16.3f}"
        print(line, flush=True)


def by_time(measured: Measured) -> float:
    return measured.ms


def speed_up(game: ConnectFour) -> None:
    """The same hard positions with one thread and with two."""
    for name in HARD:
        chosen = positions(name, SOLVER[name][0])
        one, two = (separately(prover_for(game, threads), game, chosen).ms for threads in (1, 2))
        print(f"{name} with two threads: {one:.1f} ms → {two:.1f} ms a position, {one / two:.2f} times as fast")


def empty_board(game: ConnectFour, threads: int) -> None:
    """Who wins from the start."""
    found = Prove(weak=True, textbook=True, threads=threads, memory=1 << 30, backend="compiled").search(game)
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
