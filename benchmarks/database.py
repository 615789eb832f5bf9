"""Whole games: positions a second, how much of the memory's bandwidth that is, and probes. Every answer is asserted.

    python benchmarks/database.py [--quick] [--threads N]

1. two games without loops and two with loops, solved into a file: by number (sorted, 64 bits) and by the game's own `rank`
2. one probe of a block that is not decompressed yet, and many probes at once from the uncompressed form
3. with `--large` Connect Four on 5 × 5 and 6 × 4, 70 and 95 million positions (four minutes, 3 GB of disk)

Times include enumeration, values and the file; compiling is not counted. Bandwidth is that of copying a large array, measured here; a
position's share of it counts the bytes of numbers, edges and scores that are read and written at least once.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zermelo.games.connect4 import ConnectFour
from zermelo.games.mnk import MNK
from zermelo.rules import Game
from zermelo.solve.database import Database
from zermelo.solve.strong import Strong, StrongResult


class Token(NamedTuple):
    first: int
    second: int
    turn: int


@dataclass(frozen=True)
class Ring(Game):
    """Two tokens on a ring: the mover steps his own one forward or back; who reaches the other's place wins. It can go round for ever."""

    spots: int = 700
    payoffs = (-1, 1)

    def start(self) -> Token:
        return Token(0, self.spots // 2, 0)

    def player(self, state: Token) -> int:
        return state.turn

    def actions(self, state: Token) -> Iterator[int]:
        yield 1
        yield 2
        yield self.spots - 1

    def result(self, state: Token, step: int) -> Token:
        if state.turn == 0:
            return Token((state.first + step) % self.spots, state.second, 1)
        return Token(state.first, (state.second + step) % self.spots, 0)

    def terminal(self, state: Token) -> bool:
        return state.first == state.second

    def utility(self, state: Token) -> int:
        return 1 if state.turn == 1 else -1


@dataclass(frozen=True)
class RankedRing(Ring):
    """The same, which numbers its own states."""

    def size(self) -> int:
        return 2 * self.spots * self.spots

    def rank(self, state: Token) -> int:
        return (state.first * self.spots + state.second) * 2 + state.turn

    def unrank(self, number: int) -> Token:
        return Token(number // 2 // self.spots, number // 2 % self.spots, number % 2)


@dataclass(frozen=True)
class Take(Game):
    """Two heaps, from which one or two counters are taken; who takes the last one wins. No loops."""

    counters: int = 700
    payoffs = (-1, 1)

    def start(self) -> Token:
        return Token(self.counters, self.counters, 0)

    def player(self, state: Token) -> int:
        return state.turn

    def actions(self, state: Token) -> Iterator[int]:
        for taken in range(1, 3):
            if state.first >= taken:
                yield taken
            if state.second >= taken:
                yield taken + 2

    def result(self, state: Token, action: int) -> Token:
        if action <= 2:
            return Token(state.first - action, state.second, 1 - state.turn)
        return Token(state.first, state.second - (action - 2), 1 - state.turn)

    def terminal(self, state: Token) -> bool:
        return state.first + state.second == 0

    def utility(self, state: Token) -> int:
        return 1 if state.turn == 1 else -1

    def size(self) -> int:
        return 2 * (self.counters + 1) ** 2

    def rank(self, state: Token) -> int:
        return (state.first * (self.counters + 1) + state.second) * 2 + state.turn

    def unrank(self, number: int) -> Token:
        return Token(number // 2 // (self.counters + 1), number // 2 % (self.counters + 1), number % 2)


GAMES: list[tuple[str, Game, Game, int | None, str]] = [  # name, a small one to compile with, the game, its positions, by what
    ("Connect Four 5 × 4, no loops", ConnectFour(5, 4), ConnectFour(5, 4), 3_945_711, "number"),
    ("(4,4,4), no loops", MNK(4, 4, 4), MNK(4, 4, 4), None, "number"),
    ("two heaps, no loops", Take(), Take(), None, "rank"),
    ("ring, loops", Ring(), Ring(), None, "number"),
    ("ring, loops", RankedRing(), RankedRing(), None, "rank"),
]
LARGE = [(ConnectFour(5, 5), 69_763_700, 0, None), (ConnectFour(6, 4), 94_910_577, -1, 24)]


def bandwidth() -> float:
    """Bytes a second that copying reads and writes."""
    source = np.ones(1 << 24, np.int64)
    target = np.empty_like(source)
    best = 0.0
    for _ in range(5):
        began = time.perf_counter()
        np.copyto(target, source)
        best = max(best, 2 * source.nbytes / (time.perf_counter() - began))
    return best


def timed(game: Game, folder: Path, threads: int) -> tuple[StrongResult, float]:
    """The fastest of two solves, the first of which has also compiled."""
    results = [Strong(symmetry=False, threads=threads).solve(game, out=folder / "game.zdb") for _ in range(2)]
    best = min(results, key=lambda result: result.seconds)
    return best, best.seconds


def speeds(folder: Path, threads: int, quick: bool) -> None:
    """Positions a second."""
    whole = bandwidth()
    print(f"copying moves {whole / 1e9:.1f} GB a second")
    for name, _, game, positions, by in GAMES[:1] if quick else GAMES:
        result, seconds = timed(game, folder, threads)
        assert positions in (None, result.positions), result.positions
        moved = result.positions * (8 * 4 + 4 * 2) + result.edges * 8 * 3
        print(
            f"{name}, by {by}: {result.positions:,} positions, {result.edges / result.positions:.1f} edges each, {seconds:.2f} s on "
            f"{threads} thread{'s' if threads > 1 else ''}: {result.positions / seconds / 1e6:.2f} million a second, "
            f"{moved / seconds / whole:.1%} of the bandwidth"
        )


def probes(folder: Path) -> None:
    """Single and many."""
    game = ConnectFour(5, 4)
    Strong(symmetry=False).solve(game, out=folder / "probe.zdb")
    with Database(folder / "probe.zdb", game) as database:
        states = [database.positions.state(int(number)) for number in database.firsts[:500]]
        times = []
        for state in states:
            database.kept.clear()
            began = time.perf_counter()
            database.probe(state)
            times.append(time.perf_counter() - began)
        print(
            f"one probe, block not decompressed: {np.median(times) * 1e6:.1f} µs (median), {np.quantile(times, 0.99) * 1e6:.1f} µs (99 %)"
        )
        bulk = database.bulk()
        numbers = np.random.default_rng(1).permutation(bulk.numbers)
        began = time.perf_counter()
        codes = bulk.look(numbers)
        elapsed = time.perf_counter() - began
        assert (codes > 0).all()
        print(f"by number, in memory: {len(numbers) / elapsed / 1e6:.1f} million a second, in random order")
    ring = RankedRing(600)
    Strong(compress=False).solve(ring, out=folder / "dense.zdb")
    with Database(folder / "dense.zdb", ring) as database:
        bulk = database.bulk()
        numbers = np.random.default_rng(1).permutation(len(bulk.codes))
        began = time.perf_counter()
        codes = bulk.look(numbers)
        elapsed = time.perf_counter() - began
        assert (codes > 0).sum() == database.header.count
        print(f"dense, in memory: {len(numbers) / elapsed / 1e6:.1f} million a second, in random order")


def large(folder: Path) -> None:
    """The largest boards that are counted here."""
    for game, positions, value, distance in LARGE:
        result = Strong(symmetry=False).solve(game, out=folder / "large.zdb")
        assert (result.positions, result.value, result.distance) == (positions, value, distance)
        print(f"{game}: {result.positions:,} positions, value {value}, {result.seconds:.0f} s, {result.bytes:,} bytes")


def main() -> None:
    words = sys.argv[1:]
    threads = int(words[words.index("--threads") + 1]) if "--threads" in words else 1
    with tempfile.TemporaryDirectory() as name:
        speeds(Path(name), threads, "--quick" in words)
        probes(Path(name))
        if "--large" in words:
            large(Path(name))


if __name__ == "__main__":
    main()
