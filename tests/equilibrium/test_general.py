"""What `auto` does with games of a general sum or of many players: one exact equilibrium of a small one, regret minimization elsewhere."""

import pytest

from zermelo.api import best
from zermelo.equilibrium.extensive.exact.general import small_equilibrium
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.equilibrium.extensive.solver import EquilibriumSolver
from zermelo.formats.efg import tree_from_efg
from zermelo.games.kuhn import Kuhn
from zermelo.games.threenim import ThreeNim
from zermelo.rules import Game
from zermelo.trees.matrix import Matrix

SEXES = """EFG 2 R "Battle of the Sexes, behind a choice to stay at home" { "He" "She" }
p "" 1 1 "" { "out" "home" } 0
p "" 1 2 "" { "fight" "ballet" } 0
p "" 2 1 "" { "fight" "ballet" } 0
t "" 1 "" { 3, 1 }
t "" 2 "" { 0, 0 }
p "" 2 1 "" { "fight" "ballet" } 0
t "" 2 "" { 0, 0 }
t "" 3 "" { 1, 3 }
t "" 4 "" { 2, 2 }
"""
HORSE = """EFG 2 R "Selten's horse (1975)" { "1" "2" "3" }
p "" 1 1 "" { "C" "D" } 0
p "" 2 1 "" { "c" "d" } 0
t "" 1 "" { 1, 1, 1 }
p "" 3 1 "" { "L" "R" } 0
t "" 2 "" { 4, 4, 0 }
t "" 3 "" { 0, 0, 1 }
p "" 3 1 "" { "L" "R" } 0
t "" 4 "" { 3, 2, 2 }
t "" 5 "" { 0, 0, 0 }
"""
PENNIES_FOR_THREE = """EFG 2 R "Odd one out pays, in the manner of three-player matching pennies" { "1" "2" "3" }
p "" 1 1 "" { "h" "t" } 0
p "" 2 1 "" { "h" "t" } 0
p "" 3 1 "" { "h" "t" } 0
t "" 1 "" { 1, 1, -1 }
t "" 2 "" { 1, -1, 1 }
p "" 3 1 "" { "h" "t" } 0
t "" 3 "" { -1, -1, -1 }
t "" 4 "" { -1, 1, 1 }
p "" 2 1 "" { "h" "t" } 0
p "" 3 1 "" { "h" "t" } 0
t "" 5 "" { -1, 1, 1 }
t "" 6 "" { -1, -1, -1 }
p "" 3 1 "" { "h" "t" } 0
t "" 7 "" { 1, -1, 1 }
t "" 8 "" { 1, 1, -1 }
"""
TRUST = """EFG 2 R "One-shot trust" { "Buyer" "Seller" }
p "" 1 1 "" { "trust" "keep" } 0
p "" 2 1 "" { "honour" "abuse" } 0
t "" 1 "" { 2, 2 }
t "" 2 "" { 0, 3 }
t "" 3 "" { 1, 1 }
"""
SMALL = [
    (tree_from_efg(SEXES), "lcp"),
    (tree_from_efg(HORSE), "pure"),
    (tree_from_efg(PENNIES_FOR_THREE), "supports"),
    (tree_from_efg(TRUST), "subgame-perfect"),
    (ThreeNim((1, 2)), "subgame-perfect"),  # states that several lines lead to
]


@pytest.mark.parametrize(("game", "method"), SMALL, ids=["sexes", "horse", "pennies", "trust", "nim"])
def test_small_games_have_an_exact_equilibrium(game: Game, method: str) -> None:
    result = EquilibriumSolver(backend="reference").solve(game)
    assert result.method == method
    assert result.exploitability == pytest.approx(0, abs=1e-12)
    assert result.stopped == "solved"
    assert "there may be others" in result.guarantee
    assert result.strategies.arrays is not None


def test_a_certificate_of_a_general_sum() -> None:
    certificate = EquilibriumSolver(certify=True, backend="reference").solve(tree_from_efg(SEXES)).certificate
    assert certificate.equilibrium


def test_backward_induction_finds_what_everybody_knows() -> None:
    result = EquilibriumSolver(backend="reference").solve(tree_from_efg(TRUST))
    assert result.value == (1.0, 1.0)
    assert list(result.strategies.to_dict().values()) == [{"trust": 0.0, "keep": 1.0}, {"honour": 0.0, "abuse": 1.0}]


def test_larger_games_are_left_to_regret_minimization() -> None:
    arrays = unfold(Kuhn(players=3), backend="reference")
    assert small_equilibrium(Kuhn(players=3), arrays) is None
    result = EquilibriumSolver(backend="reference").solve(Kuhn(players=3))
    assert "coarse correlated" in result.guarantee
    assert result.exploitability is not None
    assert result.exploitability < 1e-3


def test_what_only_regret_minimization_does_is_left_to_it() -> None:
    assert EquilibriumSolver(iterations=50, backend="reference").solve(tree_from_efg(SEXES)).iterations == 50
    payoffs = SEXES.replace("{ 3, 1 }", "{ 10000000000000000000, -10000000000000000000 }").replace("{ 1, 3 }", "{ 1, -1 }")
    huge = tree_from_efg(payoffs.replace("{ 2, 2 }", "{ 2, -2 }"))  # a constant sum whose payoffs are too different for a linear program
    assert EquilibriumSolver(backend="reference").solve(huge).exploitability == pytest.approx(0, abs=1e-9)


def test_the_choice_of_a_lone_player_in_a_table_costs_nothing() -> None:
    """Gilboa 1997, figure 1: the absent-minded driver's best plan goes on twice, for 1; a step was counted as in a puzzle, which gave 0."""
    tree = tree_from_efg(
        'EFG 2 R "" { "Driver" } p "" 1 1 "" { "B" "E" } 0 p "" 1 1 "" { "B" "E" } 0 t "" 1 "" { 1 } t "" 2 "" { 4 } t "" 3 "" { 0 }'
    )
    found = EquilibriumSolver(certify=True).solve(tree)
    assert found.value == (1,)
    assert found.certificate.value == (1,)
    assert best(Matrix.of([3, 5, 1])).value == 5
