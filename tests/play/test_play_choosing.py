"""The algorithm that fits a game where nobody names one."""

import pytest

from zermelo.play import default_algorithm
from zermelo.play.algorithms import ALGORITHMS
from zermelo.play.choosing import algorithms_to_compare
from zermelo.registry import find

FITS = [  # game; engine without a limit, within a time, to a depth
    ("tictactoe", "alphabeta", "deepening", "alphabeta"),
    ("split", "alphabeta", "deepening", "alphabeta"),
    ("pig", "valueiteration", "star2", "star2"),
    ("einstein", "star2", "star2", "star2"),
    ("twenty48", "expectiminimax", "expectiminimax", "expectiminimax"),
    ("eightpuzzle", "idastar", "idastar", "alphabeta"),
    ("threenim", "maxn", "maxn", "maxn"),
]


@pytest.mark.parametrize(("name", "unlimited", "limited", "to_depth"), FITS)
def test_every_kind_of_game_has_its_engine(name, unlimited, limited, to_depth):
    game = find(name)
    chosen = default_algorithm(game), default_algorithm(game, limited=True), default_algorithm(game, to_depth=True)
    assert chosen == (unlimited, limited, to_depth)
    assert set(chosen) <= set(ALGORITHMS)


COMPARED = [
    ("tictactoe", ("minimax", "alphabeta")),
    ("einstein", ("expectiminimax", "star1", "star2")),
    ("twenty48", ("expectimax", "expectiminimax")),
    ("eightpuzzle", ("astar", "idastar")),
    ("threenim", ("maxn", "paranoid", "coalition")),
]


@pytest.mark.parametrize(("name", "engines"), COMPARED)
def test_engines_are_compared_with_others_of_their_kind(name, engines):
    assert algorithms_to_compare(find(name)) == engines


def test_hidden_cards_are_not_looked_at_unless_they_are_open():
    game = find("kuhn")
    assert default_algorithm(game) == "ismcts"
    assert default_algorithm(game, perfect_information=True) == "star2"
