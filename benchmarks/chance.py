"""Chance, and how much of it need not be looked at. Ratios from one run, each with its answer asserted.

    python benchmarks/chance.py [--quick]

1. Pig by value iteration over all its positions, against the published chance of the first player
2. Star1 and Star2 against plain expectiminimax on the same positions of two dice games: same value, fewer nodes
3. the compiled engine against the reference engine on the same search: same value, same nodes (expected: above 100 times)
4. 2048: the greatest chance of making each tile, by value iteration and by expectiminimax

3 is measured in processor time. Answers are the same everywhere. `--quick` leaves out Pig to 100 and 2048 on nine cells.
"""

import sys
import time
from math import isclose
from typing import Any

from zermelo.games.einstein import EinStein
from zermelo.games.hypergammon import Hypergammon
from zermelo.games.pig import Pig
from zermelo.games.twenty48 import Twenty48
from zermelo.search.expectiminimax import Expectiminimax
from zermelo.search.star import Star1, Star2
from zermelo.search.value_iteration import ValueIteration

# 53.06 % for 100: T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004)
PIG = {10: 0.709424322598, 20: 0.615558549805, 50: 0.546150844167, 100: 0.530592725274}
TILES = {(2, 2, 8): 1.0, (2, 2, 16): 0.96251125375, (2, 2, 32): 0.082887289072, (2, 2, 64): 0.0, (3, 3, 32): 1.0}  # counted independently
POSITIONS: list[tuple[str, Any, int]] = [
    ("EinStein on 3 × 3, depth 11", EinStein(3), 11),
    ("Hypergammon on 8 points, depth 7", Hypergammon(8, 2, 4), 7),
]


def pig(quick: bool) -> None:
    """Value iteration over all positions."""
    for goal, value in PIG.items():
        if quick and goal > 20:
            continue
        found = ValueIteration().search(Pig(goal))
        assert found.exact
        assert isclose(found.value, value, abs_tol=1e-11), found.value
        print(f"Pig to {goal}: the first player wins {found.value:.12f} ({found.nodes:,} positions, {found.extra['sweeps']} sweeps)")


def pruning() -> None:
    """Nodes of plain searches, without a table and with one."""
    for name, game, depth in POSITIONS:
        for memory in (0, 64 << 20):
            plain, one, two = (kind(depth=depth, memory=memory, backend="compiled").search(game) for kind in (Expectiminimax, Star1, Star2))
            assert isclose(plain.value, one.value, abs_tol=1e-12)
            assert isclose(plain.value, two.value, abs_tol=1e-12)
            print(f"{name}, {'with a' if memory else 'no'} table: value {plain.value:.6f}; expectiminimax {plain.nodes:,} nodes")
            for star, found in (("Star1", one), ("Star2", two)):
                print(f"    {star} {found.nodes:,} nodes: {plain.nodes / found.nodes:.1f} times fewer")


def engines(quick: bool) -> None:
    """The same search on both engines."""
    game, depth = EinStein(3), 9 if quick else 11
    seconds, results = [], []
    for backend in ("reference", "compiled"):
        search = Expectiminimax(depth=depth, memory=0, plain=True, backend=backend)  # type: ignore[arg-type]
        if backend == "compiled":
            search.search(game)  # compiled, and in the cache
        began = time.process_time()
        results.append(search.search(game))
        seconds.append(time.process_time() - began)
    assert (results[0].value, results[0].nodes) == (results[1].value, results[1].nodes)
    assert [found.backend for found in results] == ["reference", "compiled"]
    print(f"EinStein on 3 × 3, expectiminimax to depth {depth}: {results[0].nodes:,} nodes")
    print(f"    reference {seconds[0]:.2f} s, compiled {seconds[1] * 1e3:.2f} ms: {seconds[0] / seconds[1]:,.0f} times")


def tiles(quick: bool) -> None:
    """The greatest chance of making a tile, by two routes."""
    for (width, height, goal), value in TILES.items():
        if quick and width > 2:
            continue
        game = Twenty48(width, height, goal)
        routes = ValueIteration().search(game), Expectiminimax(memory=512 << 20).search(game)
        assert all(isclose(found.value, value, abs_tol=1e-11) for found in routes), [found.value for found in routes]
        print(f"2048 on {width} × {height}: a {goal} with {routes[0].value:.12f} ({routes[0].nodes:,} positions), both ways")


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    pruning()
    engines(quick)
    pig(quick)
    tiles(quick)


if __name__ == "__main__":
    main()
