"""Othello's knowledge changes no answer, and endgames that others have solved are solved to the same scores."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.games.othello import Discs, Othello
from zermelo.scores import score
from zermelo.search import AlphaBeta, Prove, perft
from zermelo.words import popcount

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "othello.py"
# J. Feinstein's line of best play on 6 × 6 (1993), in the coordinates of that board; White wins by 4.
FEINSTEIN = "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 pass e1 f1"  # the pass is White's


def late(size: int, free: int, seed: int) -> Discs:
    """A state of a random game with so many free cells, in which somebody can move."""
    chance, game = random.Random(seed), Othello(size)
    while True:
        discs = game.start()
        while not game.terminal(discs):
            if size * size - popcount(discs.mine | discs.theirs) == free:
                return discs
            discs = game.result(discs, chance.choice(list(game.actions(discs))))


def after(game: Othello, names: list[str]) -> Discs:
    discs = game.start()
    for name in names:
        discs = game.result(discs, next(action for action in game.actions(discs) if game.name(discs, action) == name))
    return discs


def plain_lead(game: Othello, mine: int, theirs: int, cell: int) -> int:
    """The discs that a disc on this cell turns, cell by cell."""
    found = 0
    for down, right in ((d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r):
        row, column, run = cell // game.size + down, cell % game.size + right, 0
        while 0 <= row < game.size and 0 <= column < game.size and theirs >> row * game.size + column & 1:
            run |= 1 << row * game.size + column
            row, column = row + down, column + right
        if 0 <= row < game.size and 0 <= column < game.size and mine >> row * game.size + column & 1:
            found |= run
    return found


@pytest.mark.parametrize("size", [4, 6, 8])
def test_discs_are_turned_as_counted_cell_by_cell(size):
    game = Othello(size)
    for seed in range(12):
        discs = late(size, random.Random(seed).randint(2, size * size - 8), seed)
        mine, theirs = discs.mine, discs.theirs
        turned = {cell: plain_lead(game, mine, theirs, cell) for cell in range(size * size) if not (mine | theirs) >> cell & 1}
        assert [cell for cell in turned if turned[cell]] == [action for action in game.actions(discs) if action < size * size]
        assert all(game.turned(mine, theirs, cell) == discs_turned for cell, discs_turned in turned.items())


@pytest.mark.parametrize("fill", [False, True])
@pytest.mark.parametrize("free", [1, 2, 3, 5])
def test_bounds_hold_at_the_end_of_the_game(free, fill):
    game, settled = Othello(6, fill), 0
    for seed in range(12):
        discs = late(6, free, seed)
        found = AlphaBeta(knowledge=False, backend="reference").search(game, discs)
        low, high = game.bounds(discs)
        assert low <= score(found.value, found.distance or 0) <= high
        settled += low // (1 << 21) == high // (1 << 21) or low == high
    assert free > 3 or settled >= 10, "with three free cells or fewer the lead is known"


def test_anchored_discs_stay():
    """In random games no disc that is anchored is ever turned."""
    game, chance = Othello(6), random.Random(3)
    for _ in range(20):
        discs, kept = game.start(), [0, 0]
        while not game.terminal(discs):
            discs = game.result(discs, chance.choice(list(game.actions(discs))))
            black, white = (discs.mine, discs.theirs) if discs.black else (discs.theirs, discs.mine)
            assert kept[0] & ~black == 0
            assert kept[1] & ~white == 0
            kept = [game.anchored(black), game.anchored(white)]


def test_feinsteins_line_ends_with_four_discs_for_white():
    game = Othello(6)
    end = after(game, FEINSTEIN.split())
    assert game.terminal(end)
    assert game.utility(end) == -4


@pytest.mark.slow
@pytest.mark.parametrize("free", [10, 12, 14])
def test_six_by_six_endgames_agree_with_plain_search(free):
    """Knowledge and order, questions with a null window and a table against a search that has none of them."""
    for seed in range(3):
        discs = late(6, free, seed)
        textbook = AlphaBeta(memory=0, ordering=False, knowledge=False, textbook=True).search(Othello(6), discs)
        found = Prove(textbook=True).search(Othello(6), discs)
        assert (found.value, found.exact) == (textbook.value, True), (free, seed)
        assert found.nodes < textbook.nodes


@pytest.mark.slow
@pytest.mark.parametrize("free", [16, 18, 20])
def test_the_table_changes_nothing_in_larger_endgames(free):
    game, line = Othello(6), FEINSTEIN.split()
    states = [late(6, free, seed) for seed in range(2)]
    states += [
        discs for discs in (after(game, line[:plies]) for plies in range(len(line))) if 36 - popcount(discs.mine | discs.theirs) == free
    ]
    for discs in states:
        leads = [Prove(distance=False, textbook=True, memory=memory).search(game, discs).value for memory in (64 << 20, 0)]
        assert leads[0] == leads[1]
    assert leads[0] == -4, "Feinstein's line is best play"


@pytest.mark.slow
def test_published_endgames_are_solved():
    """FFO 1–19; the benchmark asserts every score, and 40–42 without `--quick`."""
    printed = subprocess.run([sys.executable, str(BENCHMARK), "--quick"], capture_output=True, text=True, check=True).stdout
    assert [line.split()[0] for line in printed.splitlines()[2:21]] == [str(number) for number in range(1, 20)]


@pytest.mark.slow
def test_perft_of_othello_to_the_published_depths():
    source = "Aart Bik: a pass is a ply, and a finished game stays a leaf at deeper depths"
    for size, depth, lines in ((8, 9, 3_005_288), (8, 10, 24_571_284), (6, 10, 14_976_792)):
        counted = perft(Othello(size), depth, backend="compiled")
        assert counted.leaves + counted.finished == lines, source
