"""Whole games: positions a second, how much of the memory's bandwidth that is, probes, and how good estimates are. Answers are asserted.

    python benchmarks/database.py [--quick] [--threads N] [--large]

1. two games without loops and two with loops by the game's own `rank`, and the same number by sorted numbers of 64 bits, each solved into a
   file, with one thread and with N (two, if nothing is said); a game with longer rules; two of the first again in one array of codes
2. one probe of a block that is not decompressed yet, and many probes at once from the uncompressed form
3. the estimate before the work against the truth
4. with `--large` Connect Four on 5 × 5 and 6 × 4, 70 and 95 million positions (3 GB of disk)

Times are the faster of two, and include looking ahead, enumeration, values and the file; compiling is not counted. Bandwidth is that of
copying a large array, measured in the same run; a solve's share of it counts only what must pass at least once: a position's number,
score and links twice, an edge three times.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zermelo.games.connect4 import ConnectFour
from zermelo.games.mnk import MNK
from zermelo.games.sixmensmorris import SixMensMorris
from zermelo.rules import Game
from zermelo.solve.database import Database
from zermelo.solve.estimate import Estimate
from zermelo.solve.strong import StrongResult, StrongSolver


class Token(NamedTuple):
    first: int
    second: int
    turn: int


@dataclass(frozen=True)
class Ring(Game):
    """Two tokens on a ring: the mover steps his own one forward or back, the first also two forward; the first wins when they meet.

    Nothing keeps the tokens from going round forever, so wins are found backwards only.
    """

    spots: int = 700
    payoffs = (-1, 1)

    def start(self) -> Token:
        return Token(0, self.spots // 2, 0)

    def player(self, state: Token) -> int:
        return state.turn

    def actions(self, state: Token) -> Iterator[int]:
        yield 1
        yield self.spots - 1
        if state.turn == 0:
            yield 2

    def result(self, state: Token, step: int) -> Token:
        if state.turn == 0:
            return Token((state.first + step) % self.spots, state.second, 1)
        return Token(state.first, (state.second + step) % self.spots, 0)

    def terminal(self, state: Token) -> bool:
        return state.first == state.second

    def utility(self, state: Token) -> int:
        return 1


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


@dataclass(frozen=True)
class Chase(Ring):
    """The same ring with more ways to go: the first also seven forward, the second also two back."""

    def actions(self, state: Token) -> Iterator[int]:
        yield 1
        yield self.spots - 1
        if state.turn == 0:
            yield 2
            yield 7
        else:
            yield self.spots - 2


@dataclass(frozen=True)
class RankedChase(RankedRing, Chase):
    """The same, which numbers its own states."""


@dataclass(frozen=True)
class Heaps(Take):
    """Up to three counters from a heap."""

    counters: int = 1400

    def actions(self, state: Token) -> Iterator[int]:
        for taken in range(1, 4):
            if state.first >= taken:
                yield taken
            if state.second >= taken:
                yield taken + 3

    def result(self, state: Token, action: int) -> Token:
        if action <= 3:
            return Token(state.first - action, state.second, 1 - state.turn)
        return Token(state.first, state.second - (action - 3), 1 - state.turn)


# name, the game, its positions, its value
GAMES: list[tuple[str, Game, int, int]] = [
    ("by rank, no loops, two heaps, 1 or 2", Take(2000), 2 * 2001**2 - 4, -1),
    ("by rank, no loops, two heaps, 1 to 3", Heaps(1400), 2 * 1401**2 - 4, -1),
    ("by rank, loops, ring", RankedRing(2000), 2 * 2000**2, 1),
    ("by rank, loops, chase", RankedChase(1400), 2 * 1400**2, 1),
    ("by number, no loops, Connect Four 5 × 4", ConnectFour(5, 4), 3_945_711, 0),
    ("by number, no loops, (4,4,4)", MNK(4, 4, 4), 9_722_011, 0),
    ("by number, loops, ring", Ring(1000), 2 * 1000**2, 1),
    ("by number, loops, chase", Chase(700), 2 * 700**2, 1),
]
FOLDED: list[tuple[str, Game, int, int]] = [  # positions that are alike once, so that the rules take longer than anything else
    ("by number, loops, six men's morris", SixMensMorris(), 6_017_969, 0),
]
IN_ONE_ARRAY = [GAMES[0], GAMES[3]]  # again without the graph, by sweeps over one byte or two a number
ESTIMATED: list[tuple[Game, int]] = [  # J. Tromp's counts, and one that two ways of solving agree on
    (ConnectFour(4, 4), 161_029),
    (ConnectFour(4, 5), 1_706_255),
    (ConnectFour(5, 4), 3_945_711),
    (ConnectFour(4, 6), 15_835_683),
    (ConnectFour(5, 5), 69_763_700),
    (ConnectFour(6, 4), 94_910_577),
    (MNK(4, 4, 4), 9_722_011),
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


def timed(game: Game, folder: Path, threads: int, resident: bool, symmetry: bool) -> StrongResult:
    """The faster of two solves, the first of which has also compiled."""
    plan = StrongSolver(symmetry=symmetry, threads=threads, resident=resident)
    (folder / "game.zdb").unlink(missing_ok=True)  # of another game, which a solve does not replace
    results = [plan.solve(game, out=folder / "game.zdb") for _ in range(2)]
    assert len({(result.positions, result.wins, result.losses, result.draws) for result in results}) == 1
    return min(results, key=lambda result: result.seconds)


def speeds(folder: Path, threads: int, quick: bool) -> None:
    """Positions a second with one thread and with several."""
    whole = bandwidth()
    print(f"copying moves {whole / 1e9:.1f} GB a second")
    rows = [(*row, True, False) for row in GAMES] + [(*row, True, True) for row in FOLDED]
    rows += [(f"one array, {row[0]}", *row[1:], False, False) for row in IN_ONE_ARRAY]
    for name, game, positions, value, resident, symmetry in rows[4:5] if quick else rows:
        for count in sorted({1, threads}):
            result = timed(game, folder, count, resident, symmetry)
            assert (result.positions, result.value) == (positions, value), (result.positions, result.value)
            moved = result.positions * 2 * (8 + 4 + 4) + result.edges * 4 * 3
            print(
                f"{name}: {result.positions:,} positions, {result.edges / result.positions:.1f} edges each, {count} thread"
                f"{'s' if count > 1 else ''}: {result.seconds:.2f} s, {result.positions / result.seconds / 1e6:.2f} million a second, "
                f"{moved / result.seconds / whole:.1%} of the bandwidth",
                flush=True,
            )


def probes(folder: Path) -> None:
    """Single and many."""
    game = ConnectFour(5, 4)
    StrongSolver(symmetry=False).solve(game, out=folder / "probe.zdb")
    with Database(folder / "probe.zdb", game) as database:
        states = [database.positions.state(int(number)) for number in database.firsts[:500]]
        times, found = [], []
        for state in states:
            database.kept.clear()
            began = time.perf_counter()
            found.append(database.probe(state))
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
        assert found == [database.header.scores[code - 1] for code in bulk.look(database.firsts[:500]).tolist()]
        print(f"by number, in memory: {len(numbers) / elapsed / 1e6:.1f} million a second, in random order")
    ring = RankedRing(600)
    StrongSolver(compress=False).solve(ring, out=folder / "dense.zdb")
    with Database(folder / "dense.zdb", ring) as database:
        bulk = database.bulk()
        numbers = np.random.default_rng(1).permutation(len(bulk.codes))
        began = time.perf_counter()
        codes = bulk.look(numbers)
        elapsed = time.perf_counter() - began
        assert (codes > 0).sum() == database.header.count
        print(f"dense, in memory: {len(numbers) / elapsed / 1e6:.1f} million a second, in random order")


def estimates(quick: bool) -> None:
    """What is said before the work, against what is known."""
    errors = []
    for game, positions in ESTIMATED[:3] if quick else ESTIMATED:
        guess = guessed(game)
        assert guess.exact == (guess.positions == positions)
        errors.append(max(guess.positions / positions, positions / guess.positions))
        assert guess.fewest <= positions <= guess.most, "outside the range that is told"
        print(
            f"{game}: estimated {guess.positions:,} ({guess.fewest:,} to {guess.most:,}), in truth {positions:,}: "
            f"{guess.positions / positions:.2f} of it",
            flush=True,
        )
    assert max(errors) < 10, "no longer within an order of magnitude"


def guessed(game: Game) -> Estimate:
    """The estimate alone: the solve is given up when it is announced."""
    found: list[Estimate] = []

    def announce(guess: Estimate) -> None:
        found.append(guess)
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        StrongSolver(symmetry=False).solve(game, announce=announce)
    return found[0]


def large(folder: Path) -> None:
    """The largest boards that are counted here."""
    for game, positions, value, distance in LARGE:
        (folder / "large.zdb").unlink(missing_ok=True)
        result = StrongSolver(symmetry=False).solve(game, out=folder / "large.zdb")
        assert (result.positions, result.value, result.distance) == (positions, value, distance)
        print(f"{game}: {result.positions:,} positions, value {value}, {result.seconds:.0f} s, {result.bytes:,} bytes")


def main() -> None:
    words = sys.argv[1:]
    quick = "--quick" in words
    threads = int(words[words.index("--threads") + 1]) if "--threads" in words else 2
    with tempfile.TemporaryDirectory() as name:
        speeds(Path(name), threads, quick)
        probes(Path(name))
        estimates(quick)
        if "--large" in words:
            large(Path(name))


if __name__ == "__main__":
    main()
