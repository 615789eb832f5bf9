"""Perft that counts completed turns, against published counts of English draughts, in which a chain of jumps is one move."""

import pytest

from zermelo.errors import ZermeloError
from zermelo.games.dotsandboxes import DotsAndBoxes
from zermelo.games.draughts import Draughts
from zermelo.games.eightpuzzle import EightPuzzle
from zermelo.search.classic.perft import perft

SOURCE = "Aart Bik, perft of checkers, to depth 20"
TURNS = [1, 7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128]


def test_a_chain_of_jumps_is_one_turn():
    for depth, lines in enumerate(TURNS[:9]):
        counted = perft(Draughts(), depth, backend="compiled", turns=True)
        assert (counted.leaves, counted.turns, counted.backend) == (lines, True, "compiled"), SOURCE
    assert perft(Draughts(), 7, backend="compiled").leaves == 179_255, "485 lines of seven single jumps and moves end inside a turn"


def test_both_engines_count_turns_alike():
    for depth in (0, 1, 4):
        counts = [perft(Draughts(), depth, backend=backend, turns=True) for backend in ("reference", "compiled")]
        assert len({(count.leaves, count.finished, count.nodes) for count in counts}) == 1


def test_the_last_turn_ends_with_the_game():
    """Four lines of the only box: the second player's last one completes it, and the game is over before he could go on."""
    counts = [perft(DotsAndBoxes(1, 1), depth, backend="reference", turns=True) for depth in (3, 4, 5)]
    assert [(count.leaves, count.finished) for count in counts] == [(24, 0), (24, 0), (0, 24)]


def test_a_single_player_has_no_turns():
    with pytest.raises(ZermeloError, match="one player, whose turn never ends"):
        perft(EightPuzzle(), 3, turns=True)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [9, 10, 11])
def test_turns_to_the_depth_that_was_recounted(depth):
    assert perft(Draughts(), depth, backend="compiled", turns=True).leaves == TURNS[depth], SOURCE
