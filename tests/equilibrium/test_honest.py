"""What a result says: no theorem that is false, no work after the answer, no value that was not measured."""

import math
from fractions import Fraction
from random import Random
from threading import Event
from typing import Any

import pytest

from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.sequences.best_response import expected
from zermelo.equilibrium.extensive.sequences.certificate import certify
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.equilibrium.extensive.solver import EquilibriumSolver
from zermelo.equilibrium.matrix.quantal import LogitPath
from zermelo.equilibrium.matrix.supports import SupportEnumeration
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.errors import ZermeloError
from zermelo.formats.efg import tree_from_efg
from zermelo.games.goofspiel import Goofspiel
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.games.prisonersdilemma import PRISONERS_DILEMMA
from zermelo.trees.matrix import Matrix


def test_a_general_sum_has_no_bounds_of_the_value_but_every_player_a_regret() -> None:
    arrays = unfold(PRISONERS_DILEMMA, backend="reference")
    rough = RegretMinimization("cfr", iterations=5).solve(arrays)
    certificate = certify(arrays, rough.strategies)
    assert certificate.bounds is None  # "between 1.1 and 1.3" was printed, and the only equilibrium is worth 1
    assert len(certificate.regrets) == 2
    assert all(regret > 0 for regret in certificate.regrets)
    assert certificate.to_dict()["bounds"] is None
    assert certify(unfold(Kuhn(), backend="reference"), EquilibriumSolver(backend="reference").solve(Kuhn()).strategies).bounds is not None


def test_auto_minimizes_regret_where_that_reaches_the_target() -> None:
    coarse = EquilibriumSolver(target=0.01, backend="reference").solve(Leduc())
    assert coarse.method != "lp"
    assert coarse.stopped == "target"
    assert coarse.exploitability is not None
    assert coarse.exploitability <= 0.01
    assert EquilibriumSolver(target=1e-9, backend="reference").solve(Kuhn()).method == "lp"


def test_a_run_ends_when_floats_have_nothing_left_to_gain() -> None:
    result = EquilibriumSolver("pcfr+", seconds=600, backend="reference").solve(Kuhn())
    assert result.stopped == "converged"
    assert result.seconds < 60


@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_a_tree_that_would_take_longer_than_the_time_is_not_waited_for(backend: Any) -> None:
    game = Goofspiel(cards=6)
    result = EquilibriumSolver(seconds=0.02, backend=backend).solve(game)
    assert (result.method, result.histories) == ("mccfr", None)
    assert "too many for the time allowed" in " ".join(result.notes)
    stop = Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        unfold(game, backend=backend, stop=stop)


def test_the_first_rows_name_only_their_own_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    named = []

    def name_information(game: LiarsDice, information: object) -> str:
        named.append(information)
        return str(information)

    monkeypatch.setattr(LiarsDice, "name_information", name_information)
    arrays = unfold(LiarsDice(faces=3), backend="reference")
    strategy = Strategy.of(arrays, [plex.uniform() for plex in arrays.plexes])
    rows = strategy.first_rows()
    assert [next(rows).player for _ in range(3)] == [0, 0, 0]
    assert len(named) == 3


def test_action_values_of_kuhn_at_its_equilibrium() -> None:
    """Kuhn 1950: with the king after check and bet, a call is worth 2 and a fold −1; with the jack a call loses 2."""
    result = EquilibriumSolver(backend="reference").solve(Kuhn())
    rows = {row.name: row for row in result.strategies.rows}
    assert rows["Opener: Kpb"].values == pytest.approx({"fold": -1, "call": 2})
    assert rows["Opener: Jpb"].to_dict()["actions"]["call"]["regret"] == pytest.approx(1)
    assert sum(row.reach or 0 for row in result.strategies.rows if row.name in ("Opener: J", "Opener: Q", "Opener: K")) == pytest.approx(1)
    whole = sum((row.reach or 0) * sum(w * row.values[a] for a, w in row.probabilities.items())
                for row in result.strategies.rows if row.name in ("Opener: J", "Opener: Q", "Opener: K"))  # fmt: skip
    assert whole == pytest.approx(-1 / 18)
    assert Fraction(whole).limit_denominator(100) == Fraction(-1, 18)
    assert "sets" in result.to_dict()
    assert "<table>" in result._repr_html_()
    assert "Strategy(Kuhn" in repr(result.strategies)


def test_a_set_that_the_others_never_allow_has_no_values() -> None:
    arrays = unfold(Kuhn(), backend="reference")
    never = Strategy.from_dict(arrays, {f"Opener: {card}": {"check": 1, "bet": 0} for card in "JQK"})
    rows = {row.name: row for row in never.rows}
    assert rows["Dealer: Jb"].values == {}
    assert rows["Dealer: Jb"].reach == 0
    assert not any(math.isnan(value) for row in never.rows for value in row.values.values())
    assert expected(arrays, [never, never])[0] == pytest.approx(
        sum(
            (row.reach or 0) * sum(w * row.values[a] for a, w in row.probabilities.items())
            for row in never.rows
            if row.name in ("Opener: J", "Opener: Q", "Opener: K")
        )
    )


def test_the_logit_branch_is_not_lost_where_payoffs_differ_in_size() -> None:
    """Shoham and Leyton-Brown 2008, figure 5.15: steps that grew with the precision jumped to another branch and ran back to λ = 0."""
    game = Matrix.of([[1, 1], [0, 0], [1, 3]], [[1, 1], [1000, 0], [0, 1]])
    found = LogitPath().solve(game)
    assert found.notes == ()
    assert found.equilibria[0].regret <= 1e-5


def test_the_walk_beyond_a_small_limit() -> None:
    random = Random(7)
    game = Matrix.of(*([[random.randrange(10**9) for _ in range(11)] for _ in range(11)] for _ in range(2)))
    with pytest.raises(ZermeloError, match="raise the limit"):
        AllEquilibria(arithmetic="floating", limit=100).solve(game)
    with pytest.raises(ZermeloError, match="time is up"):
        AllEquilibria(arithmetic="exact", seconds=1e-6).solve(game)
    assert len(AllEquilibria(arithmetic="floating", limit=100_000).solve(game)) % 2 == 1


def test_supports_stop_when_the_time_is_up() -> None:
    random = Random(1)
    table = [[[(random.random(), random.random(), random.random()) for _ in range(4)] for _ in range(4)] for _ in range(4)]
    found = SupportEnumeration(seconds=1e-6).solve(Matrix.cells(table))
    assert not found.complete
    assert "time was up" in found.notes[-1]


ALONE = """EFG 2 R "A bet on a coin, or none" { "Gambler" }
p "" 1 1 "" { "bet" "pass" } 0
c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0
t "" 1 "" { 3 }
t "" 2 "" { -1 }
t "" 3 "" { 0 }
"""
NAMED = """EFG 2 R "Matching pennies" { "Player 1" "Player 2" }
p "" 1 1 "" { "heads" "tails" } 0
p "" 2 1 "" { "heads" "tails" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "" { "heads" "tails" } 0
t "" 3 "" { -1, 1 }
t "" 4 "" { 1, -1 }
"""


def test_one_player_gets_the_best_plan() -> None:
    result = EquilibriumSolver(backend="reference", certify=True).solve(tree_from_efg(ALONE))
    assert result.value == (1,)
    assert result.certificate.equilibrium
    with pytest.raises(ZermeloError, match="one player"):
        EquilibriumSolver("cfr", backend="reference").solve(tree_from_efg(ALONE))


def test_players_are_called_as_their_file_calls_them() -> None:
    result = EquilibriumSolver(backend="reference").solve(tree_from_efg(NAMED))
    assert [row.name.split(":")[0] for row in result.strategies.rows] == ["Player 1", "Player 2"]
