"""How fast are endgames of Othello solved from rules in plain Python? Every score is asserted.

    python benchmarks/othello.py [--quick] [--threads N] [--memory MEBIBYTES]

Positions 1–19 and 40–42 of the FFO endgame test suite, with an empty table for each: nodes and time until the exact lead in discs is
proven, as `zermelo solve "othello(fill=true)" --plain --no-distance` does it. `--quick` leaves out 40–42. Then perft of
Othello and of draughts, with their published counts. Times of one thread are processor time, so that a busy machine matters less.
"""

import sys
import time
from pathlib import Path
from typing import NamedTuple

from zermelo.games.draughts import Draughts
from zermelo.games.othello import Discs, Othello
from zermelo.rules import Game
from zermelo.search.classic.perft import perft
from zermelo.search.proof.prove import Prove
from zermelo.words import popcount

MEMORY = 256 << 20  # bytes of the table
SUITE = Path(__file__).with_name("ffo_positions.txt")
HARD = 40  # the number from which on positions take seconds

COUNTS: list[tuple[Game, bool, int, int]] = [  # game, completed turns?, depth, lines: Aart Bik's counts
    (Othello(8), False, 9, 3_005_288),
    (Othello(8), False, 10, 24_571_284),
    (Othello(6), False, 10, 14_976_792),
    (Draughts(), True, 9, 3_963_680),
    (Draughts(), True, 10, 18_391_564),
]


class Endgame(NamedTuple):
    number: int  # in the suite
    discs: Discs
    best: int  # the lead of the side to move under best play, free cells counting for the winner


def endgames() -> list[Endgame]:
    """The positions of ffo_positions.txt: number, 64 cells, side to move, score."""
    found = []
    for line in SUITE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            number, cells, side, best = line.split()
            black, white = (sum(1 << cell for cell, mark in enumerate(cells) if mark == disc) for disc in "XO")
            discs = Discs(black, white, True) if side == "X" else Discs(white, black, False)
            found.append(Endgame(int(number), discs, int(best)))
    return found


def solve_suite(quick: bool, threads: int, memory: int) -> None:
    game = Othello(8, fill=True)
    prove = Prove(distance=False, textbook=True, threads=threads, memory=memory, backend="compiled")
    prove.search(game, endgames()[0].discs)  # compiles
    print(f"FFO endgames, table of {memory >> 20} MiB, {threads} thread{'s' if threads > 1 else ''}")
    print("number  free  score         nodes  seconds  million nodes a second")
    for endgame in endgames():
        if quick and endgame.number >= HARD:
            continue
        began = time.process_time() if threads == 1 else time.perf_counter()
        found = prove.search(game, endgame.discs)
        seconds = (time.process_time() if threads == 1 else time.perf_counter()) - began
        nodes, mine = found.nodes, found.value if endgame.discs.black else -found.value
        assert found.exact, f"position {endgame.number} is not proven"
        assert mine == endgame.best, f"position {endgame.number}: {mine} instead of {endgame.best}"
        free = 64 - popcount(endgame.discs.mine | endgame.discs.theirs)
        print(f"{endgame.number:6}  {free:4}  {mine:+5}  {nodes:12,}  {seconds:7.2f}  {nodes / max(seconds, 1e-9) / 1e6:22.1f}", flush=True)


def count_moves() -> None:
    for game, turns, depth, lines in COUNTS:
        counted = perft(game, depth, backend="compiled", turns=turns)
        assert counted.leaves + counted.finished == lines, f"{game} to depth {depth}: {counted.leaves + counted.finished}"
        kind, speed = "turns" if turns else "moves", counted.leaves / counted.seconds / 1e6
        print(f"{game!r:30} {depth:2} {kind}  {lines:12,} lines  {counted.seconds:6.2f} s  {speed:6.1f} million a second")


def option(name: str, default: int) -> int:
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else default


if __name__ == "__main__":
    solve_suite("--quick" in sys.argv, option("--threads", 1), option("--memory", MEMORY >> 20) << 20)
    count_moves()
