"""Results of solution concepts: a sentence as text, a table in a notebook, names escaped."""

from typing import Any

import pytest

from zermelo.equilibrium.extensive.concepts.agent_quantal import AgentQuantal
from zermelo.equilibrium.extensive.concepts.trigger_correlated import TriggerCorrelated
from zermelo.equilibrium.extensive.exact.subgames import SubgamePerfect
from zermelo.equilibrium.extensive.public.public_solver import PublicSolver
from zermelo.equilibrium.matrix.correlated import Correlated
from zermelo.equilibrium.matrix.dominance import eliminate
from zermelo.equilibrium.matrix.evolution import AlphaRank
from zermelo.equilibrium.matrix.methods import solve_matrix
from zermelo.equilibrium.matrix.stackelberg import Stackelberg
from zermelo.games.holdem import Holdem
from zermelo.registry import find
from zermelo.trees.matrix import Matrix

ROWS: list[tuple[Any, str, str, list[str]]] = [
    (AgentQuantal(), "kuhn", "Assessment(sequential equilibrium: value -0.0555", ["Dealer: Qb", "fold"]),
    (TriggerCorrelated(), "split", "Mediation(EFCE: value ", ["plans"]),
    (SubgamePerfect(), "kqj", "SubgamePerfectResult(pure: 2 subgame-perfect equilibria; 4 subgames)", ["-1, 1"]),
    (Stackelberg(), "battleofthesexes", "Commitment(reply ", ["probability"]),
    (AlphaRank(), "rockpaperscissors", "Ranking(α = 10: ", ["share"]),
    (Correlated(), "staghunt", "CorrelatedEquilibrium(correlated: value 4, 4)", ["profile"]),
]


@pytest.mark.parametrize(("concept", "name", "begins", "words"), ROWS)
def test_a_concept_shows_itself(concept: Any, name: str, begins: str, words: list[str]) -> None:
    found = concept.solve(find(name))
    assert repr(found).startswith(begins)
    assert len(repr(found)) < 200
    page = found._repr_html_()
    assert page.count("<table>") == 1
    assert all(word in page for word in words)


def test_eliminations_and_ranges_show_themselves() -> None:
    struck = eliminate(find("prisonersdilemma"))  # type: ignore[arg-type]
    assert repr(struck) == "Elimination(2 struck out, left are Player 1: Def; Player 2: Def)"
    found = PublicSolver(iterations=10).solve(Holdem())
    assert repr(found.at("check")).startswith("RangePoint(ip on Qs Jh 2h 7c 3d: check: ")
    page = found._repr_html_()
    assert page.count("<svg") == page.count("<table>") == 1
    assert "KdQd" in page


def test_names_are_escaped() -> None:
    named = Matrix.of([[1, -1], [-1, 1]], names=("<b>", "&"))
    assert "<th>&lt;b&gt;</th>" in solve_matrix(named, "lp")._repr_html_()


def test_games_trees_and_tables_show_themselves() -> None:
    assert "<svg" in (find("tictactoe")._repr_svg_() or "")
    assert "<svg" in (find("kqj")._repr_svg_() or "")
    table: Any = find("prisonersdilemma")
    assert "Coop" in table._repr_html_()
    assert table._repr_svg_() is None
