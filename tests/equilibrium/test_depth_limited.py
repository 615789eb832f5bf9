"""Depth-limited solving with values at the edge, against the exact answer of the whole game."""

import pytest

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.resolving.depth_limited import EdgeGame
from zermelo.equilibrium.extensive.sequences.arrays import Arrays
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.errors import ZermeloError
from zermelo.games.holdem import Holdem
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.prisonersdilemma import PRISONERS_DILEMMA

LEDUC = -0.085606424078  # tests/known/leduc.toml


def losses(arrays: Arrays, top: Strategy, exact: float) -> float:
    """What the parts before the edge cost both players, with best play behind it."""
    lost = 0.0
    for player in range(2):
        mine = {name: row for name, row in top.to_dict().items() if "at the edge" not in name and arrays.named(name)[0] == player}
        value = RegretMinimization("pcfr+", iterations=400, locked=mine).solve(arrays).value[player]
        lost += (exact if player == 0 else -exact) - value
    return lost


def test_several_ways_to_go_on_are_worth_more_than_one_on_leduc() -> None:
    arrays = unfold(Leduc(), backend="reference")
    blueprint = RegretMinimization("cfr", iterations=100).solve(arrays).strategies
    lost = {}
    for ways in (1, 4):
        cut = EdgeGame(Leduc(), blueprint, ways=ways)
        found = LinearProgram().solve(unfold(cut, backend="reference"))
        lost[ways] = losses(arrays, found.strategies, LEDUC)
    assert lost[4] < 0.06 < 0.12 < lost[1]  # of a value of 0.0856; the blueprint's own exploitability is 0.096


@pytest.mark.slow
def test_a_turn_spot_before_the_river() -> None:
    spot = Holdem(board="Qs Jh 2h 7c", oop="AcAd,KhQh,8s7s", ip="KcKd,9h8h", bets="50%", raises="a")
    arrays = unfold(spot, backend="reference")
    exact = LinearProgram().solve(arrays).value[0]
    blueprint = RegretMinimization("cfr", iterations=10).solve(arrays).strategies
    lost = {}
    for ways in (1, 4):
        cut = EdgeGame(spot, blueprint, ways=ways)
        lost[ways] = losses(arrays, LinearProgram().solve(unfold(cut, backend="reference")).strategies, exact)
    assert lost[4] < lost[1] < spot.pot


def test_an_edge_behind_the_end_changes_nothing() -> None:
    blueprint = RegretMinimization("cfr", iterations=2).solve(unfold(Kuhn(), backend="reference")).strategies
    cut = EdgeGame(Kuhn(), blueprint, depth=9)
    assert LinearProgram().solve(unfold(cut, backend="reference")).value[0] == pytest.approx(-1 / 18)
    shallow = unfold(EdgeGame(Kuhn(), blueprint, depth=3), backend="reference")
    assert shallow.histories < 58 + 6 * 2 * (1 + 4 + 16)
    with pytest.raises(ZermeloError, match="add up to a constant"):
        EdgeGame(PRISONERS_DILEMMA, blueprint)
