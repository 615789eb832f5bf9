"""A win within the depth is proven, and a limit that nobody has set is said, or small games are played to the end."""

from random import Random

import pytest

from zermelo import AlphaBeta, Minimax, Negamax
from zermelo.formats.position import parse_position
from zermelo.play.match import Match
from zermelo.play.players import parse_player
from zermelo.registry import find


@pytest.mark.parametrize("engine", [AlphaBeta, Minimax, Negamax])
@pytest.mark.parametrize("backend", ["reference", "auto"])
def test_a_win_within_the_depth_is_exact(engine, backend):
    """Cells 0, 4, 1, 8: X completes the top row with 2."""
    game = find("tictactoe")
    place = parse_position(game, "0418")
    result = engine(depth=3, backend=backend).search(game, place.state)
    assert (result.value, result.distance, result.exact) == (1, 1, True)


def test_an_estimate_at_the_full_depth_is_no_proof():
    game = find("tictactoe")
    result = AlphaBeta(depth=2, backend="reference").search(game)
    assert not result.exact
    assert result.distance is None


@pytest.mark.parametrize("moves", ["", "0", "4", "04", "08"])
def test_minimax_without_a_limit_plays_tic_tac_toe_to_the_end(moves):
    game = find("tictactoe")
    match = Match(game, parse_position(game, moves or None))
    choice = parse_player("minimax(backend='reference')").choose(match, Random(1))
    best = AlphaBeta().search(game, match.state)
    assert choice.action in best.actions
    assert choice.result.exact


def test_a_limit_that_nobody_has_set_is_said():
    game = find("connect4")
    choice = parse_player("minimax(backend='reference')").choose(Match(game, parse_position(game, None)), Random(1))
    assert "nodes a move, not to the end of the game" in choice.result.notes[-1]
