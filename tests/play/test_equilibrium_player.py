"""The equilibrium as a player and as a teacher."""

from random import Random

import pytest

from zermelo.errors import ZermeloError
from zermelo.play.equilibrium_player import EquilibriumPlayer, advise, is_small
from zermelo.play.match import Match
from zermelo.play.setup import open_position
from zermelo.registry import find


@pytest.mark.parametrize(("position", "choice", "cost"), [("QK", "bet", 1 / 6), ("QK", "check", 0), ("KQ", "bet", 0), ("JQ", "check", 0)])
def test_a_choice_costs_what_the_equilibrium_loses_by_it(position: str, choice: str, cost: float) -> None:
    """H. W. Kuhn, A simplified two-person poker (1950): opening with a bet on the queen is never right."""
    game = find("kuhn")
    state = open_position(game, position).state
    action = next(each for each in game.actions(state) if game.name(state, each) == choice)
    found = advise(game, state, action)
    assert sum(found.frequencies.values()) == pytest.approx(1)
    assert found.cost == pytest.approx(cost, abs=1e-6)


def test_it_plays_what_it_mixes() -> None:
    game = find("kuhn")
    match = Match(game, open_position(game, "QK"))
    assert {game.name(match.state, EquilibriumPlayer().choose(match, Random(seed)).action) for seed in range(20)} == {"check"}


def test_large_games_are_not_small_and_open_ones_need_no_equilibrium() -> None:
    assert is_small(find("kuhn"))
    assert not is_small(find("phantomtictactoe"))
    game = find("tictactoe")
    with pytest.raises(ZermeloError, match="Nothing is hidden"):
        EquilibriumPlayer().choose(Match(game, open_position(game, None)), Random(0))
