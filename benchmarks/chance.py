"""Chance, and how much of it need not be looked at. Ratios from one run, each with its answer asserted.

    python benchmarks/chance.py [--quick]

1. Pig by value iteration over all its positions, against the published chance of the first player
2. Star1 and Star2 against plain expectiminimax on the same positions of two dice games: same value, fewer nodes
3. the compiled backend against the reference backend on the same searches: same value, same nodes (expected: above 100 times)
4. 2048 on four cells: the greatest chance of making each tile, by value iteration and by expectiminimax; nine are in `tiles.py`

3 is measured in processor time. Answers are the same everywhere. `--quick` leaves out Pig beyond 20, and searches less deep in 3.
"""

import sys
import time
from dataclasses import replace
from math import isclose
from typing import Any

from zermelo.games.einstein import EinStein
from zermelo.games.hypergammon import Hypergammon
from zermelo.games.pig import Pig
from zermelo.games.threenim import ThreeNim
from zermelo.games.twenty48 import Twenty48
from zermelo.search.chance.expectiminimax import Expectiminimax
from zermelo.search.chance.star import Star1, Star2
from zermelo.search.chance.value_iteration import ValueIteration
from zermelo.search.players.maxn import MaxN

# 53.06 % for 100: T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004)
PIG = {10: 0.709424322598, 20: 0.615558549805, 50: 0.546150844167, 100: 0.530592725274}
TILES = {(2, 2, 8): 1.0, (2, 2, 16): 0.96251125375, (2, 2, 32): 0.082887289072, (2, 2, 64): 0.0}  # counted independently
REPEAT = 5  # of the compiled search, whose time is the mean
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
    """The same searches on both backends, without a table."""
    dice, deep = EinStein(3), 9 if quick else 11
    searches: list[tuple[str, Any, Any]] = [
        ("EinStein on 3 × 3, expectiminimax", dice, Expectiminimax(depth=deep, memory=0, textbook=True)),
        ("EinStein on 3 × 3, Star1", dice, Star1(depth=deep, memory=0, textbook=True)),
        ("EinStein on 3 × 3, Star2", dice, Star2(depth=deep, memory=0, textbook=True)),
        ("Nim for three, max^n", ThreeNim((3, 4, 5)), MaxN(depth=6 if quick else 7, memory=0, textbook=True)),
    ]
    for name, game, search in searches:
        compiled = replace(search, backend="compiled")
        compiled.search(game)  # compiled, and in the cache
        began = time.process_time()
        slow = replace(search, backend="reference").search(game)
        middle = time.process_time()
        for _ in range(REPEAT):
            quickly = compiled.search(game)
        seconds = middle - began, (time.process_time() - middle) / REPEAT
        assert (slow.value, slow.nodes) == (quickly.value, quickly.nodes)
        assert (slow.backend, quickly.backend) == ("reference", "compiled")
        print(f"{name} to depth {search.depth}: {slow.nodes:,} nodes")
        print(f"    reference {seconds[0]:.2f} s, compiled {seconds[1] * 1e3:.2f} ms: {seconds[0] / seconds[1]:,.0f} times", flush=True)


def tiles() -> None:
    """The greatest chance of making a tile, by two routes."""
    for (width, height, goal), value in TILES.items():
        game = Twenty48(width, height, goal)
        routes = ValueIteration().search(game), Expectiminimax(memory=512 << 20).search(game)
        assert all(isclose(found.value, value, abs_tol=1e-11) for found in routes), [found.value for found in routes]
        print(f"2048 on {width} × {height}: a {goal} with {routes[0].value:.12f} ({routes[0].nodes:,} positions), both ways")


def main() -> None:
    quick = "--quick" in sys.argv[1:]
    pruning()
    engines(quick)
    pig(quick)
    tiles()


if __name__ == "__main__":
    main()
