"""Solution concepts, each on a published example."""

import math
from fractions import Fraction

import pytest

from zermelo.equilibrium.extensive.concepts.agent_quantal import AgentQuantal
from zermelo.equilibrium.matrix.coalitions import core, in_core, shapley_value
from zermelo.equilibrium.matrix.correlated import Correlated
from zermelo.equilibrium.matrix.evolution import AlphaRank, evolutionarily_stable
from zermelo.equilibrium.matrix.refinements import PerfectEquilibria
from zermelo.equilibrium.matrix.repeated import payoff_set
from zermelo.equilibrium.matrix.stackelberg import Stackelberg
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.errors import ZermeloError
from zermelo.formats.efg import tree_from_efg
from zermelo.games.battleofthesexes import BATTLE_OF_THE_SEXES
from zermelo.games.kuhn import Kuhn
from zermelo.games.prisonersdilemma import PRISONERS_DILEMMA
from zermelo.trees.matrix import Matrix

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


def symmetric(*rows: tuple[int, ...]) -> Matrix:
    return Matrix.of([list(row) for row in rows], [list(column) for column in zip(*rows, strict=True)])


def test_commitment_of_conitzer_and_sandholm() -> None:
    """2006, the introduction's example: committing to half and half gains 7/2, where the only equilibrium gives 2."""
    found = Stackelberg().solve(Matrix.of([[2, 4], [1, 3]], [[1, 0], [0, 1]]))
    assert found.exact
    assert found.leader == (Fraction(1, 2), Fraction(1, 2))
    assert found.reply == 1
    assert found.value[0] == Fraction(7, 2)


def test_the_best_commitment_where_sums_are_constant_is_the_equilibrium() -> None:
    """Von Neumann's theorem, with denominators that no small fraction meets; nothing is lost by rounding."""
    table = [[20, 28, -30, -37], [3, -14, -19, -50], [30, -24, 48, -16], [-43, -22, -23, 37]]
    found = Stackelberg().solve(Matrix.of(table))
    assert found.exact
    assert found.value[0] == AllEquilibria().solve(Matrix.of(table)).equilibria[0].value[0] == Fraction(-57272, 11959)
    correlated = Correlated("player 1").solve(Matrix.of(table))
    assert correlated.exact
    assert correlated.value[0] == found.value[0]


@pytest.mark.parametrize(
    ("game", "stable", "source"),
    [
        (symmetric((-1, 2), (0, 1)), {(Fraction(1, 2), Fraction(1, 2))}, "hawk and dove, V = 2, C = 4: Maynard Smith and Price 1973"),
        (symmetric((0, -1, 1), (1, 0, -1), (-1, 1, 0)), set(), "rock, paper, scissors: neutrally stable only"),
        (symmetric((2, 0), (0, 1)), {(1, 0), (0, 1)}, "coordination: both pure ones"),
        (symmetric((1, 1), (1, 0)), {(1, 0)}, "the second strategy is a best reply to the first, and earns less against itself"),
        (symmetric((1, 1), (1, 1)), set(), "everything is alike"),
        (symmetric((0, 1, 1), (1, 0, 1), (1, 1, 0)), {(Fraction(1, 3),) * 3}, "everybody different: the centre is stable"),
    ],
)
def test_evolutionarily_stable_strategies(game: Matrix, stable: set[tuple[Fraction, ...]], source: str) -> None:
    assert {each.strategy for each in evolutionarily_stable(game) if each.stable} == stable, source


def test_only_symmetric_games_have_stable_strategies() -> None:
    with pytest.raises(ZermeloError, match="symmetric"):
        evolutionarily_stable(BATTLE_OF_THE_SEXES)


def test_alpha_rank_of_the_battle_of_the_sexes() -> None:
    """Omidshafiei and others 2019, section 3: both coordinated profiles share the time."""
    shares = AlphaRank(alpha=100).solve(BATTLE_OF_THE_SEXES).shares
    assert shares[0] == pytest.approx(0.5, abs=1e-3)
    assert shares[3] == pytest.approx(0.5, abs=1e-3)


def test_alpha_rank_keeps_the_digits_of_rare_changes() -> None:
    """Two strategies of one population share time as 1 to e^(α (m - 1)), by the formula of the fixation probabilities."""
    bad, good = AlphaRank(alpha=10, population=50).solve(Matrix.of([0, 1])).shares
    assert math.log(good / bad) == pytest.approx(490)
    with pytest.raises(ZermeloError, match="4,000 profiles"):
        AlphaRank().solve(Matrix.of([[0] * 100] * 100))


@pytest.mark.slow
def test_shapley_values() -> None:
    """The Security Council (Roth 1988): 421/2145 for a permanent member, 4/2145 for another; and gloves, two left and one right."""

    def passes(members: frozenset[int]) -> int:
        return int(len(members) >= 9 and members >= frozenset(range(5)))

    council = shapley_value(15, passes)
    assert council[0] == Fraction(421, 2145)
    assert council[14] == Fraction(4, 2145)
    assert shapley_value(3, lambda group: min(len(group & {0, 1}), len(group & {2}))) == (Fraction(1, 6), Fraction(1, 6), Fraction(2, 3))


def test_cores() -> None:
    gloves = core(3, lambda group: min(len(group & {0, 1}), len(group & {2})))
    assert gloves.point == (0, 0, 1)  # the only one
    assert in_core(2, lambda group: len(group) == 2, (Fraction(1, 2), Fraction(1, 2)))
    majority = core(3, lambda group: int(len(group) >= 2))
    assert majority.point is None
    assert {len(group) for group, _ in majority.objections} == {2}
    with pytest.raises(ZermeloError, match="empty coalition"):
        shapley_value(2, lambda group: 1)


def test_decimal_payoffs_are_the_fractions_that_they_print_as() -> None:
    found = payoff_set(Matrix.of([[0.1, 0.3], [0.2, 0.7]], [[0.3, 0.1], [0.4, 0.1]]))
    assert found.minmax == (Fraction(1, 5), Fraction(3, 10))
    assert found.corners == ((Fraction(11, 30), Fraction(3, 10)), (Fraction(1, 5), Fraction(2, 5)), (Fraction(1, 5), Fraction(3, 10)))
    (stable,) = evolutionarily_stable(Matrix.of([[0.1, 0.3], [0.2, 0.1]], [[0.1, 0.2], [0.3, 0.1]]))
    assert (stable.strategy, stable.value) == ((Fraction(2, 3), Fraction(1, 3)), Fraction(1, 6))


def test_payoffs_of_the_repeated_prisoners_dilemma() -> None:
    """By hand: held down to 1 each, and the lines from (0, 4) and (4, 0) to (3, 3) are cut at 11/3."""
    found = payoff_set(PRISONERS_DILEMMA)
    assert found.minmax == (1, 1)
    assert set(found.corners) == {(1, 1), (Fraction(11, 3), 1), (3, 3), (1, Fraction(11, 3))}


def test_the_imperfect_equilibrium_is_left_out() -> None:
    """Myerson 1978: the second of two pure equilibria is weakly dominated."""
    game = Matrix.of([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    found = PerfectEquilibria().solve(game)
    assert [profile.strategies for profile in found.equilibria] == [((1, 0), (1, 0))]


def test_seltens_horse_has_one_sequential_outcome() -> None:
    """Kreps and Wilson 1982: (D, c, L) is an equilibrium, but not sequential; play ends after C and c."""
    found = AgentQuantal().solve(tree_from_efg(HORSE))
    assert found.value == pytest.approx((1, 1, 1), abs=1e-3)
    assert found.behaviour[2][1] >= 3 / 4 - 1e-3  # the third player mostly R, else the second would deviate
    assert found.regret < 1e-4
    assert sum(found.beliefs[2]) == pytest.approx(1)


def test_a_tree_with_too_many_agents_is_refused() -> None:
    with pytest.raises(ZermeloError, match="up to 1,000 nodes"):
        AgentQuantal().solve(Kuhn(cards=12))
