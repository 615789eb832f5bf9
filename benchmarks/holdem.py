"""Texas hold'em over ranges: how long spots take to a share of the pot, and whether the evaluator counts all hands rightly.

    python benchmarks/holdem.py            river and turn, one thread
    python benchmarks/holdem.py --count    all 133,784,560 hands of seven cards by category, against the published counts
    python benchmarks/holdem.py --flop     TexasSolver's example of its README, two threads

The ratios are to postflop-solver 0.1 (Rust, one thread), as measured once on a 2.8 GHz core: river 171 × 248 hands 0.07 s and all 1,081
hands 0.21 s to 0.1 % of the pot, turn 1.4 s to 0.5 %; the spots are of the same size, but not the same spots. TexasSolver's README gives
172 s with six threads and 1.6 GB to 0.29 % for its flop.
"""

import argparse
import resource
import time
from itertools import combinations
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.public.public_result import RangeResult
from zermelo.equilibrium.extensive.public.public_solver import PublicSolver
from zermelo.games._cards import CATEGORIES, strengths
from zermelo.games.holdem import Holdem

PUBLISHED = (23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584)
HERS = "QQ:0.5,JJ:0.75,TT,99,88,77,66,55,44,33,22,AKo:0.25,AQs,AQo:0.75,AJs,AJo:0.75,ATs,ATo:0.75,A9s,A8s,A7s,A6s,A5s,A4s,A3s,A2s,KQ,KJ,\
KTs,KTo:0.5,K9s,K8s,K7s,K6s,K5s,K4s:0.5,K3s:0.5,K2s:0.5,QJ,QTs,Q9s,Q8s,Q7s,JTs,JTo:0.5,J9s,J8s,T9s,T8s,T7s,98s,97s,96s,87s,86s,76s,75s,65s,64s,\
54s,53s,43s"
HIS = "AA,KK,QQ,JJ,TT,99:0.75,88:0.75,77:0.5,66:0.25,55:0.25,AK,AQs,AQo:0.75,AJs,AJo:0.5,ATs:0.75,A6s:0.25,A5s:0.75,A4s:0.75,A3s:0.5,\
A2s:0.5,KQs,KQo:0.5,KJs,KTs:0.75,K5s:0.25,K4s:0.25,QJs:0.75,QTs:0.75,Q9s:0.5,JTs:0.75,J9s:0.75,J8s:0.75,T9s:0.75,T8s:0.75,T7s:0.75,98s:0.75,\
97s:0.75,96s:0.5,87s:0.75,86s:0.5,85s:0.5,76s:0.75,75s:0.5,65s:0.75,64s:0.5,54s:0.75,53s:0.5,43s:0.5"
RIVER = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
SIZES: dict[str, Any] = {"bets": "50%,a", "raises": "60%,a", "pot": 50, "stack": 200}


def solved(name: str, game: Holdem, target: float, other: float, threads: int = 1) -> RangeResult:
    """Solve, assert what was asked for, print time and ratio."""
    PublicSolver(iterations=1, threads=threads).solve(game)  # kernels are loaded
    began, cpu = time.perf_counter(), time.process_time()
    found = PublicSolver(target=target, threads=threads).solve(game)
    seconds, core = time.perf_counter() - began, time.process_time() - cpu
    assert found.percent <= target
    assert abs(sum(found.value) - game.pot) < 1e-2 * game.pot
    memory = found.to_dict()["memory"] / 1e6
    print(
        f"{name:34} {found.form.sizes[0]:5} × {found.form.sizes[1]:<5} {found.percent:6.3f} % {found.iterations:5} iterations "
        f"{seconds:8.3f} s ({core:.3f} s of cores) {memory:8.1f} MB   ratio {core / other:.2f}",
        flush=True,
    )
    return found


def count() -> None:
    """All hands of seven cards, by category: the first three cards in a loop, the other four as arrays."""
    began = time.perf_counter()
    found = np.zeros(len(CATEGORIES), np.int64)
    pairs = np.array(list(combinations(range(52), 4)), np.int64)
    masks = np.stack([np.where(pairs % 4 == suit, 1 << pairs // 4, 0).sum(axis=1) for suit in range(4)], axis=1).astype(np.int32)
    starts = np.searchsorted(pairs[:, 0], np.arange(53))
    for three in combinations(range(48), 3):
        rest = masks[starts[three[2] + 1] :].copy()
        for card in three:
            rest[:, card % 4] |= 1 << card // 4
        found += np.bincount(strengths(rest, 7) >> 26, minlength=len(found))
    assert tuple(found.tolist()) == PUBLISHED, found
    seconds = time.perf_counter() - began
    print(f"{found.sum():,} hands in {seconds:.1f} s, {found.sum() / seconds / 1e6:.1f} million a second; every category as published:")
    for name, hands in zip(CATEGORIES, found.tolist(), strict=True):
        print(f"  {name:16} {hands:12,}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("count", "flop"):
        parser.add_argument(f"--{name}", action="store_true")
    asked = parser.parse_args()
    if asked.count:
        count()
    elif asked.flop:
        solved("flop, TexasSolver's example", Holdem("Qs Jh 2h", oop=HERS, ip=HIS, donks="river: 50%", **SIZES), 0.29, 172.0 * 6, threads=2)
        print(f"largest memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")
    else:
        solved(
            "river",
            Holdem("Qs Jh 2h 8c 3d", oop=RIVER, ip=HIS, **SIZES),
            0.1,
            0.07,
        )
        solved("river, every hand", Holdem("Qs Jh 2h 8c 3d", oop="random", ip="random", **SIZES), 0.1, 0.21)
        solved("turn", Holdem("Qs Jh 2h 8c", oop=HERS, ip=HIS, **SIZES), 0.5, 1.4)


if __name__ == "__main__":
    main()
