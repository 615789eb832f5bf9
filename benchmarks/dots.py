"""Dots and Boxes: nodes and time of proofs, and what each piece of the game's knowledge is worth. Every value is asserted.

    python benchmarks/dots.py [--quick] [--large] [--threads N]

1. values of boards up to 3 × 4 boxes (`--quick`: 3 × 3), J. Barker and R. Korf, Solving Dots-And-Boxes (2012)
2. the largest of them again without one piece of knowledge: nodes and time as multiples
3. with `--large` 4 × 4 boxes, a thousand million nodes and a table of 8 GB

Times are those of a second proof, so that compiling is not counted.
"""

import sys
import time
from dataclasses import dataclass
from typing import Any

from zermelo.games.dotsandboxes import DotsAndBoxes
from zermelo.search import Prove

VALUES = {(1, 7): -1, (2, 4): 2, (3, 3): -3, (2, 5): -2, (3, 4): 0}
QUICK = ((1, 7), (2, 4), (3, 3))


@dataclass(frozen=True)
class WithoutSymmetry(DotsAndBoxes):
    canonical = None  # type: ignore[assignment]  # as if it were not written


@dataclass(frozen=True)
class WithoutChains(DotsAndBoxes):
    candidates = None  # type: ignore[assignment]  # likewise


@dataclass(frozen=True)
class WithoutOrder(DotsAndBoxes):
    order = None  # type: ignore[assignment]  # likewise


@dataclass(frozen=True)
class WithoutRest(DotsAndBoxes):
    rest = None  # type: ignore[assignment]  # likewise


def proven(game: DotsAndBoxes, value: int, again: bool = True, **settings: Any) -> tuple[int, float]:
    """Nodes and seconds of a proof of the game's value."""
    proof = Prove(textbook=True, distance=False, **settings)
    for _ in range(1 + again):
        began = time.perf_counter()
        found = proof.search(game)
        seconds = time.perf_counter() - began
        assert (found.value, found.exact) == (value, True), (game, found.value)
    return found.nodes, seconds


def main(words: list[str]) -> None:
    threads = int(words[words.index("--threads") + 1]) if "--threads" in words else 1
    boards = QUICK if "--quick" in words else tuple(VALUES)
    print(f"{'board':>7} {'value':>6} {'nodes':>15} {'seconds':>9}")
    for board in boards:
        nodes, seconds = proven(DotsAndBoxes(*board), VALUES[board], threads=threads)
        print(f"{board[0]:>3} × {board[1]} {VALUES[board]:>6} {nodes:>15,} {seconds:>9.2f}", flush=True)
    board = boards[-1]
    print(f"\n{board[0]} × {board[1]}, one thread, times as much without …")
    nodes, seconds = proven(DotsAndBoxes(*board), VALUES[board])
    for lacking in (WithoutSymmetry, WithoutOrder, WithoutChains, WithoutRest):
        more, longer = proven(lacking(*board), VALUES[board])
        name = lacking.__name__.removeprefix("Without").lower()
        print(f"{name:>10}: {more / nodes:6.2f} nodes, {longer / seconds:6.2f} time", flush=True)
    if "--large" in words:
        nodes, seconds = proven(DotsAndBoxes(4, 4), 0, again=False, threads=threads, memory=8 << 30)
        print(f"\n  4 × 4      0 {nodes:>15,} {seconds:>9.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
