"""Dominance, correlated equilibrium, quantal response and learning dynamics."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zermelo.equilibrium.matrix.correlated import Correlated, gains
from zermelo.equilibrium.matrix.dominance import dominated_strategies, eliminate
from zermelo.equilibrium.matrix.dynamics import FictitiousPlay, RegretMatching, Replicator
from zermelo.equilibrium.matrix.quantal import LogitPath
from zermelo.errors import ZermeloError
from zermelo.formats.nfg import read_nfg
from zermelo.registry import find
from zermelo.trees.matrix import Matrix

DATA = Path(__file__).resolve().parent.parent / "data" / "gambit"
F = Fraction


def matrix(name: str) -> Matrix:
    game = find(name)
    assert isinstance(game, Matrix)
    return game


# --- dominance


def test_the_dilemma_is_solved_by_dominance() -> None:
    found = eliminate(matrix("prisonersdilemma"))
    assert found.solvable
    assert found.kept == ((1,), (1,))
    assert [each.words(found.game) for each in found.rounds[0]] == [
        "Player 1: Coop is strictly dominated by Def",
        "Player 2: Coop is strictly dominated by Def",
    ]


MIXED = Matrix.of([[3, 0], [0, 3], [1, 1]], [[0, 1], [1, 0], [0, 0]])
WEAK = Matrix.of([[1, 1], [1, 0]], [[1, 1], [1, 0]])


def test_a_mixture_may_dominate_where_nothing_pure_does() -> None:
    (only,) = dominated_strategies(MIXED)
    assert (only.player, only.strategy, only.by) == (0, 2, (F(1, 2), F(1, 2), 0))
    assert dominated_strategies(MIXED, mixed=False) == ()
    assert eliminate(MIXED).kept == ((0, 1), (0, 1))


def test_weak_dominance() -> None:
    assert dominated_strategies(WEAK) == ()
    assert {(each.player, each.strategy, each.kind) for each in dominated_strategies(WEAK, "weak")} == {(0, 1, "weak"), (1, 1, "weak")}
    assert eliminate(WEAK, "weak").solvable
    half = Matrix.of([[4, 0, 1], [0, 4, 1], [2, 2, 0]], [[0, 0, 0]] * 3)  # row 3 equals the mixture but for the last column
    assert [(each.strategy, each.kind) for each in dominated_strategies(half, "weak") if each.player == 0] == [(2, "weak")]
    with pytest.raises(ZermeloError, match="strict or weak"):
        eliminate(WEAK, "strong")  # type: ignore[arg-type]


def test_rounds_follow_each_other() -> None:
    """Guess a number from 1 to 4; whoever is nearer to half of the other's wins: in rounds only 1 is left."""
    size = 4
    rows = [[-abs(2 * (own + 1) - (other + 1)) for other in range(size)] for own in range(size)]
    game = Matrix.of(rows, [[-abs(2 * (other + 1) - (own + 1)) for other in range(size)] for own in range(size)])
    found = eliminate(game)
    assert found.solvable
    assert len(found.rounds) == 2
    assert found.kept == ((0,), (0,))


# --- correlated equilibrium

CHICKEN = Matrix.cells([[(6, 6), (2, 7)], [(7, 2), (0, 0)]])  # Aumann 1974


@pytest.mark.parametrize(
    ("objective", "value"),
    [("welfare", (F(21, 4), F(21, 4))), ("fairness", (F(21, 4), F(21, 4))), ("player 1", (7, 2)), ("player 2", (2, 7))],
)
def test_chicken(objective: str, value: Any) -> None:
    found = Correlated(objective).solve(CHICKEN)
    assert found.exact
    assert found.value == value
    assert found.regret <= 0
    assert max(gains(CHICKEN, found.distribution)) <= 0


def test_obeying_may_fail() -> None:
    assert max(gains(CHICKEN, [1, 0, 0, 0])) == 1
    assert Correlated().solve(CHICKEN).named() == {"1, 1": F(1, 2), "1, 2": F(1, 4), "2, 1": F(1, 4)}
    with pytest.raises(ZermeloError, match="did you mean fairness"):
        Correlated("fairnes").solve(CHICKEN)


def test_coarse_ones_are_at_least_as_good() -> None:
    game = matrix("shapley")
    fine, coarse = Correlated().solve(game), Correlated(coarse=True).solve(game)
    assert sum(coarse.value) >= sum(fine.value)
    assert sum(fine.value) == 1


def test_three_players() -> None:
    game = read_nfg(DATA / "catalog_journals_ijgt_nau2004_sec5.nfg")
    assert sum(map(float, Correlated().solve(game).value)) == pytest.approx(3)


# --- quantal response


def test_published_logit_equilibria() -> None:
    """Asserted in Gambit's tests, test_logit_lambda_1, to three digits at λ = 1."""
    first, second = LogitPath().at(read_nfg(DATA / "const_sum_game.nfg"), [1.0])[0].strategies
    assert first == pytest.approx((0.643, 0.357), abs=1e-3)
    assert second == pytest.approx((0.5883, 0.41168), abs=1e-3)


def test_every_point_of_the_branch_is_a_logit_equilibrium() -> None:
    import numpy as np

    game = Matrix.of([[3, 0, 5], [1, 4, 0], [2, 2, 2]], [[0, 3, 1], [4, 0, 2], [1, 1, 3]])
    path = LogitPath().trace(game)
    assert path.points[0].precision == 0
    assert path.end.regret < 1e-7
    for point in path.points[:: max(1, len(path.points) // 20)]:
        if point.precision > 200:
            continue
        for player, own in enumerate(point.strategies):
            table = np.moveaxis(game.array(player), player, 0)
            payoffs = table @ np.array(point.strategies[1 - player])
            weights = np.exp(point.precision * (payoffs - payoffs.max()))
            assert list(own) == pytest.approx((weights / weights.sum()).tolist(), abs=1e-7)


@pytest.mark.parametrize("name", ["rockpaperscissors", "prisonersdilemma", "battleofthesexes", "staghunt", "shapley"])
def test_branches_end_in_equilibria(name: str) -> None:
    found = LogitPath().solve(matrix(name)).equilibria[0]
    assert found.exact
    assert found.regret == 0


@pytest.mark.parametrize(
    ("first", "second", "played"),
    [
        ([[1, 0.5, 3], [3, 0, 1]], [[2, -3.5, 4], [4, 0, 2]], [(1, 0), (0, 0, 1)]),  # another branch passes close by
        ([[2, 0, 1], [0, 2, 1], [-1, -1, -1]], [[2, 0, -1], [0, 2, -1], [1, 1, -1]], [(0.5, 0.5, 0)] * 2),  # and here it crosses
    ],
)
def test_no_step_leaps_to_another_branch(first: list[list[float]], second: list[list[float]], played: list[tuple[float, ...]]) -> None:
    """One strategy, played ever more rarely, breaks the tie between two equilibria; where nothing breaks it the branch goes straight on."""
    strategies = LogitPath().solve(Matrix.of(first, second)).equilibria[0].strategies
    for mixed, expected in zip(strategies, played, strict=True):
        assert tuple(map(float, mixed)) == pytest.approx(expected, abs=1e-6)


def test_branches_are_asked_for_what_they_have() -> None:
    with pytest.raises(ZermeloError, match="at least 0"):
        LogitPath().at(CHICKEN, [-1.0])
    with pytest.raises(ZermeloError, match="does not reach"):
        LogitPath(steps=2).at(CHICKEN, [1e5])


# --- dynamics


def test_fictitious_play_and_regret_matching_approach_the_value() -> None:
    game = Matrix.of([[3, -1], [-2, 1]])  # value 1/7
    for method in (FictitiousPlay(iterations=3000), RegretMatching(iterations=3000)):
        run = method.solve(game)
        assert run.end.exploitability < 0.05
        assert float(run.end.value[0]) == pytest.approx(1 / 7, abs=0.05)
        assert run.times[0] == 0
        assert run.times[-1] == 3000
        assert len(run.times) == len(run.averages) == len(run.exploitabilities) <= 202


def test_shapleys_game_never_settles_under_fictitious_play() -> None:
    run = FictitiousPlay(iterations=3000, start=[(1, 0, 0), (0, 1, 0)]).solve(matrix("shapley"))
    assert min(run.exploitabilities[len(run.exploitabilities) // 2 :]) > 0.05
    assert len({reply.index(1.0) for reply, _ in run.strategies[len(run.strategies) // 2 :]}) >= 2


def test_replicators_circle_in_rock_paper_scissors_and_keep_the_product() -> None:
    start = [(0.5, 0.3, 0.2), (0.5, 0.3, 0.2)]
    run = Replicator(duration=30, start=start).solve(matrix("rockpaperscissors"))
    products = [own[0] * own[1] * own[2] for own, _ in run.strategies]
    assert products == pytest.approx([0.03] * len(products), rel=1e-5)  # a constant of the motion (Zeeman 1980)


def test_replicators_leave_dominated_strategies() -> None:
    run = Replicator(duration=60).solve(matrix("prisonersdilemma"))
    assert run.strategies[-1][0][1] > 0.999
    assert run.end.to_dict()["value"]


def test_runs_can_be_repeated_and_are_plain_data() -> None:
    game = matrix("staghunt")
    assert RegretMatching(iterations=50).solve(game).averages == RegretMatching(iterations=50).solve(game).averages
    assert RegretMatching(iterations=50).solve(game).to_dict()["method"] == "regret matching"
    with pytest.raises(ZermeloError, match="at least one iteration"):
        FictitiousPlay(iterations=0).solve(game)
    with pytest.raises(ZermeloError, match="not a distribution"):
        FictitiousPlay(start=[(1, 1), (1, 0)]).solve(game)


# --- plots


def test_runs_and_branches_are_plotted(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from zermelo.draw.trajectories import plot_trajectory

    for number, run in enumerate((FictitiousPlay(iterations=30).solve(matrix("shapley")), LogitPath().trace(CHICKEN))):
        target = tmp_path / f"{number}.svg"
        plot_trajectory(run, target)
        assert target.read_text(encoding="utf-8").count("<path") > 10
    with pytest.raises(ZermeloError, match="an ending such as"):
        plot_trajectory(LogitPath().trace(CHICKEN), tmp_path / "curve.txt")
    with pytest.raises(ZermeloError, match="cannot be written"):
        plot_trajectory(LogitPath().trace(CHICKEN), tmp_path / "no folder" / "curve.svg")
