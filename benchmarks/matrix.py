"""How fast are matrix games? Every answer is asserted, so that an empty run fails.

    python benchmarks/matrix.py [--quick]

1. all equilibria of random 10 × 10 games, found in floats and each verified in exact arithmetic (expected: about 5 ms, at most 10)
2. the same, wholly in exact arithmetic (expected: below half a second)
3. the same for a 16 × 16 game in whole numbers from 0 to 9, with its ties (expected: about a second)
4. Lemke–Howson on random 15 × 15 games, the regret verified (expected: at most 0.1 ms)
5. a zero-sum 1000 × 1000 game to a gap of 1e-4 by predictive regret matching+ (expected: at most 0.5 s); a smaller one also by HiGHS
6. the 4 × 4 coordination game, whose 15 equilibria everybody knows

Times are processor time of one thread, the median over the games; `--quick` takes fewer and smaller ones and leaves HiGHS out.
"""

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from zermelo.equilibrium.matrix.lemke_howson import LemkeHowson
from zermelo.equilibrium.matrix.profile import Profile
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.equilibrium.matrix.zero_sum import RegretMatchingPlus, optimal_strategies
from zermelo.trees.matrix import Matrix


def random_game(seed: int, size: int) -> Matrix:
    """Payoffs from the normal distribution."""
    random = np.random.default_rng(seed)
    return Matrix.of(random.standard_normal((size, size)), random.standard_normal((size, size)))


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and the processor time of this thread."""
    began = time.thread_time()
    result = work()
    return result, time.thread_time() - began


def enumeration(quick: bool) -> None:
    """All equilibria, by both routes, on the same games."""
    count = 3 if quick else 10
    AllEquilibria("floating").solve(random_game(0, 3))  # compiles, or loads from the cache
    floating, exactly, found = [], [], 0
    for seed in range(count):
        game, again = random_game(seed, 10), random_game(seed, 10)  # a second copy, so that the second route finds nothing prepared
        one, seconds = timed(lambda game=game: AllEquilibria("floating").solve(game))
        other, more = timed(lambda again=again: AllEquilibria("exact").solve(again))
        assert [profile.strategies for profile in one.equilibria] == [profile.strategies for profile in other.equilibria]
        assert all(profile.regret == 0 for profile in one.equilibria)
        floating.append(seconds)
        exactly.append(more)
        found += len(one)
    print(f"all equilibria of {count} random 10 × 10 games ({found} in all)")
    for words, times in (("in floats, each verified exactly", floating), ("wholly exact", exactly)):
        low, middle, high = (1e3 * each for each in (min(times), median(times), max(times)))
        print(f"  {words:<34}{middle:8.2f} ms  (from {low:.2f} to {high:.2f})")


def ties(quick: bool) -> None:
    """Payoffs in whole numbers from 0 to 9, most of whose vertices are degenerate."""
    random, size = np.random.default_rng(7), 12 if quick else 16
    game = Matrix.of(random.integers(0, 10, (size, size)), random.integers(0, 10, (size, size)))
    found, seconds = timed(lambda: AllEquilibria("floating").solve(game))
    assert found.degenerate
    assert all(Profile.of(game, each.strategies).regret == 0 for each in found.equilibria)
    print(f"all {len(found)} equilibria of {size} × {size} payoffs from 0 to 9   {seconds:.2f} s")


def paths(quick: bool) -> None:
    """Lemke–Howson, the game's table read into arrays included."""
    games = [random_game(seed, 15) for seed in range(50 if quick else 500)]
    LemkeHowson().solve(random_game(1000, 15))
    times = []
    for game in games:
        found, seconds = timed(lambda game=game: LemkeHowson().solve(game))
        assert found.equilibria[0].regret < 1e-9
        assert not found.notes
        times.append(seconds)
    print(f"Lemke–Howson on {len(games)} random 15 × 15 games     {1e6 * median(times):8.1f} µs")


def zero_sum(quick: bool) -> None:
    """A large table, by regret matching and by linear program."""
    size = 300 if quick else 1000
    table = np.random.default_rng(size).standard_normal((size, size))
    RegretMatchingPlus().minimize(table[:4, :4])
    (rows, columns, gap, iterations), seconds = timed(lambda: RegretMatchingPlus(1e-4).minimize(table))
    measured = float((table @ columns).max() - (rows @ table).min())
    assert gap <= 1e-4
    assert abs(gap - measured) < 1e-9
    print(f"zero-sum {size} × {size}, gap {gap:.1e}: regret matching+  {seconds:8.3f} s  ({iterations} iterations)")
    if not quick:
        smaller = np.ascontiguousarray(table[:400, :400])
        (rows, columns, _, _), seconds = timed(lambda: RegretMatchingPlus(1e-4).minimize(smaller))
        (x, y), program = timed(lambda: optimal_strategies(smaller))
        value = float((np.array(x) @ smaller).min())
        assert float((smaller @ np.array(y)).max()) - value < 1e-9
        assert float((rows @ smaller).min()) <= value <= float((smaller @ columns).max()) + 1e-9
        print(f"zero-sum 400 × 400: regret matching+ {seconds:.3f} s to 1e-4, HiGHS {program:.3f} s (ratio {program / seconds:.0f})")


def coordination() -> None:
    """A count that everybody knows."""
    table = np.eye(4, dtype=int)
    found, seconds = timed(lambda: AllEquilibria("exact").solve(Matrix.of(table, table)))
    assert len(found) == 15
    print(f"4 × 4 coordination, exact: 15 equilibria   {1e3 * seconds:8.2f} ms")


def main() -> None:
    """Runs everything."""
    quick = "--quick" in sys.argv[1:]
    enumeration(quick)
    ties(quick)
    paths(quick)
    zero_sum(quick)
    coordination()


if __name__ == "__main__":
    main()
