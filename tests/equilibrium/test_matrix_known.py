"""Equilibria that Gambit's own tests assert (tests/data/gambit/known.json): each is one here too, exactly, and our methods find it."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zermelo.equilibrium.extensive.exact.agent_form import agent_form
from zermelo.equilibrium.extensive.exact.behaviour import Behaviour
from zermelo.equilibrium.extensive.exact.normal_form import NormalForm, normal_form
from zermelo.equilibrium.matrix.lemke_howson import LemkeHowson
from zermelo.equilibrium.matrix.profile import Profile
from zermelo.equilibrium.matrix.pure_equilibria import PureEquilibria, pure_profiles
from zermelo.equilibrium.matrix.supports import SupportEnumeration
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.equilibrium.matrix.zero_sum import ZeroSum
from zermelo.formats.efg import read_efg
from zermelo.formats.nfg import read_nfg
from zermelo.trees.matrix import Matrix

DATA = Path(__file__).resolve().parent.parent / "data" / "gambit"
CASES = json.loads((DATA / "known.json").read_text(encoding="utf-8"))["cases"]
MANY = "3_player_PI"  # hundreds of supports, nearly all of which hold continua: seconds
IRRATIONAL = {"test_enumpoly_strategy_3"}  # asserted in decimals


def cases(*kinds: str) -> list[Any]:
    """The cases of these kinds as parameters of a test."""
    found = [case for case in CASES if case["list"].startswith(kinds)]
    assert found
    return [pytest.param(case, id=case["id"], marks=[pytest.mark.slow] if case["game"].startswith(MANY) else []) for case in found]


def load(case: dict[str, Any]) -> tuple[Matrix, NormalForm | None]:
    """The game as a matrix, and the form that it came from where the case has a tree."""
    if case["game"].endswith(".nfg"):
        return read_nfg(DATA / case["game"]), None
    form = normal_form(read_efg(DATA / case["game"]))
    return form.matrix, form


def numbers(nested: Any) -> Any:
    return [numbers(each) for each in nested] if isinstance(nested, list) else Fraction(str(nested))


def asserted(case: dict[str, Any], form: NormalForm | None) -> list[Any]:
    """The case's equilibria as mixed strategies; behaviour strategies are translated."""
    found = []
    for equilibrium in numbers(case["equilibria"]):
        if form is not None and isinstance(equilibrium[0][0], list):
            found.append(form.mixed(Behaviour.of(form.tree, equilibrium)))
        else:
            found.append(tuple(map(tuple, equilibrium)))
    return found


@pytest.mark.parametrize("case", [case for case in CASES if not case["list"].startswith("enumpure_agent")], ids=lambda case: case["id"])
def test_asserted_equilibria_have_no_regret(case: dict[str, Any]) -> None:
    matrix, form = load(case)
    for strategies in asserted(case, form):
        if case["id"] in IRRATIONAL:
            strategies = [[float(weight) for weight in strategy] for strategy in strategies]
            assert Profile.of(matrix, strategies).regret < 1e-12
        else:
            assert Profile.of(matrix, strategies).regret == 0


@pytest.mark.parametrize("case", [each for each in cases("enumpure") if "agent" not in each.values[0]["list"]])
def test_pure_equilibria(case: dict[str, Any]) -> None:
    matrix, form = load(case)
    found = {profile.strategies for profile in PureEquilibria().solve(matrix).equilibria}
    assert found == set(asserted(case, form))


@pytest.mark.parametrize("case", cases("enumpure_agent"))
def test_pure_equilibria_of_the_agent_form(case: dict[str, Any]) -> None:
    tree = read_efg(DATA / case["game"])
    form = normal_form(agent_form(tree))
    found = {tuple(form.matrix.strategies[agent][choice] for agent, choice in enumerate(profile)) for profile in pure_profiles(form.matrix)}
    sets = normal_form(tree).sets
    expected = set()
    for equilibrium in numbers(case["equilibria"]):
        chosen = [
            each.actions[actions.index(1)]
            for own, own_sets in zip(equilibrium, sets, strict=True)
            for actions, each in zip(own, own_sets, strict=True)
        ]
        expected.add(tuple(chosen))
    assert found == expected


@pytest.mark.parametrize("case", cases("enummixed"))
@pytest.mark.parametrize("arithmetic", ["auto", "exact"])
def test_all_equilibria(case: dict[str, Any], arithmetic: Any) -> None:
    matrix, form = load(case)
    found = AllEquilibria(arithmetic).solve(matrix)
    assert found.complete
    assert {profile.strategies for profile in found.equilibria} == set(asserted(case, form))


@pytest.mark.parametrize("case", cases("lp_"))
def test_linear_programs(case: dict[str, Any]) -> None:
    matrix, _ = load(case)
    found = ZeroSum().solve(matrix).equilibria[0]
    assert found.exact
    assert found.regret == 0
    assert [float(worth) for worth in found.value] == pytest.approx([float(Fraction(text)) for text in case["value"]])


@pytest.mark.parametrize("case", cases("lcp_"))
@pytest.mark.parametrize("exact", [False, True])
def test_lemke_howson(case: dict[str, Any], exact: bool) -> None:
    matrix, _ = load(case)
    found = LemkeHowson(exact=exact).solve(matrix).equilibria[0]
    assert found.regret <= (0 if found.exact else 1e-9)
    if matrix.total is not None:
        assert float(found.value[0]) == pytest.approx(float(Fraction(case["value"][0])), abs=1e-9)


@pytest.mark.parametrize("case", [each for each in cases("lcp_strategy") if each.values[0]["all"] and "kuhn" not in each.values[0]["game"]])
def test_what_complementary_pivoting_reaches_is_extreme(case: dict[str, Any]) -> None:
    matrix, form = load(case)
    found = {profile.strategies for profile in AllEquilibria().solve(matrix).equilibria}
    assert set(asserted(case, form)) <= found
    assert {profile.strategies for profile in LemkeHowson().every(matrix).equilibria} <= found


@pytest.mark.parametrize("case", cases("enumpoly"))
def test_support_enumeration(case: dict[str, Any]) -> None:
    """Every asserted equilibrium is listed. Where the case counts strategies (not behaviour, which can stand for several) no other is."""
    matrix, form = load(case)
    solver = AllEquilibria() if matrix.players == 2 else SupportEnumeration()
    found = solver.solve(matrix).equilibria
    assert all(profile.regret <= (0 if profile.exact else 1e-12) for profile in found)
    for strategies in asserted(case, form):
        assert any(close(profile.strategies, strategies, 1e-12 if case["id"] in IRRATIONAL else 0) for profile in found)
    if case["list"] in ("enumpoly_strategy", "enumpoly_behavior_unordered"):
        assert len(found) == len(case["equilibria"])


def close(first: Any, second: Any, tolerance: float) -> bool:
    return all(
        abs(mine - theirs) <= tolerance for one, other in zip(first, second, strict=True) for mine, theirs in zip(one, other, strict=True)
    )


def test_one_equilibrium_is_enough_where_one_is_asked_for() -> None:
    matrix = normal_form(read_efg(DATA / "3_player.efg")).matrix
    found = SupportEnumeration(stop_after=1).solve(matrix)
    assert len(found) == 1
    assert not found.complete
    assert found.equilibria[0].regret == 0
