"""The linear program and certificates: published values, Kuhn's family of equilibria, exact arithmetic against floats."""

import threading
from fractions import Fraction

import numpy as np
import pytest

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.sequences.best_response import measure, uniform
from zermelo.equilibrium.extensive.sequences.certificate import certify
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.equilibrium.extensive.solver import EquilibriumSolver
from zermelo.errors import ZermeloError
from zermelo.games.goofspiel import Goofspiel
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.games.onecardpoker import OneCardPoker
from zermelo.games.phantomtictactoe import PhantomTicTacToe
from zermelo.games.twoworlds import TWO_WORLDS
from zermelo.rules import Game
from zermelo.trees.branches import Chance, Max, Min
from zermelo.trees.tree import Tree

# Values for Max. "Independent program": a sequence-form program of its own; Liar's Dice has OpenSpiel's rules.
VALUES: list[tuple[Game, Fraction | float, str]] = [
    (Kuhn(), Fraction(-1, 18), "Kuhn 1950"),
    (Kuhn(cards=5), Fraction(-1, 15), "one-card poker with the same ranks"),
    (OneCardPoker(3), Fraction(-1, 18), "is Kuhn poker"),
    (OneCardPoker(4), Fraction(-1, 24), "independent program"),
    (OneCardPoker(5), Fraction(-1, 15), "independent program"),
    (OneCardPoker(6), Fraction(-11, 180), "independent program"),
    (OneCardPoker(7), Fraction(-1, 14), "independent program"),
    (Leduc(), -0.085606424078, "independent program"),
    (LiarsDice(faces=2), Fraction(1, 2), "independent program"),
    (LiarsDice(faces=3), Fraction(1, 9), "independent program"),
    (LiarsDice(faces=4), Fraction(1, 16), "independent program"),
    (LiarsDice(dice=2, faces=2), Fraction(7, 8), "independent program"),
    (Goofspiel(4), Fraction(0), "symmetric"),
    (Goofspiel(4, hidden=False), Fraction(0), "symmetric"),
    (Goofspiel(3, shuffled=True, points=True), Fraction(0), "symmetric"),
    (TWO_WORLDS, Fraction(1), "Max goes right"),
    (PhantomTicTacToe(2, 2, 2), Fraction(1), "two cells of four are always a line"),
]


@pytest.mark.parametrize(("game", "value", "source"), VALUES, ids=lambda item: repr(item)[:60])
def test_published_values(game: Game, value: Fraction | float, source: str) -> None:
    arrays = unfold(game, backend="reference")
    result = LinearProgram().solve(arrays)
    assert result.value[0] == pytest.approx(float(value), abs=1e-9), source
    assert result.exploitability == pytest.approx(0, abs=1e-9)
    certificate = certify(arrays, result.strategies)
    low, high = certificate.bounds or (0, 0)
    assert low - Fraction(1, 10**11) <= Fraction(value) <= high + Fraction(1, 10**11)
    assert certificate.exploitability < Fraction(1, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize(("faces", "value"), [(5, 1 / 125), (6, -0.027131782946)])
def test_larger_liars_dice(faces: int, value: float) -> None:
    arrays = unfold(LiarsDice(faces=faces))
    result = LinearProgram().solve(arrays)
    assert result.value[0] == pytest.approx(value, abs=1e-9)
    run = RegretMinimization("dcfr", target=1e-3).solve(arrays)
    assert run.value[0] == pytest.approx(value, abs=2e-3)


def test_kuhn_is_exactly_minus_one_eighteenth() -> None:
    arrays = unfold(Kuhn(), backend="reference")
    certificate = certify(arrays, LinearProgram().solve(arrays).strategies)
    assert certificate.equilibrium
    assert certificate.value == (Fraction(-1, 18), Fraction(1, 18))
    assert certificate.bounds == (Fraction(-1, 18), Fraction(-1, 18))
    data = certificate.to_dict()
    assert data["value"] == ["-1/18", "1/18"]
    assert data["exploitability"] == "0"


@pytest.mark.parametrize("method", ["lp", "dcfr", "pcfr+"])
def test_kuhn_strategies_are_in_the_known_family(method: str) -> None:
    """Kuhn 1950: Max bets J with α in [0, 1/3] and K with 3α, calls with Q with α + 1/3; Min has one strategy."""
    arrays = unfold(Kuhn(), backend="reference")
    solver = LinearProgram() if method == "lp" else RegretMinimization(method, iterations=20_000)
    played = solver.solve(arrays).strategies.to_dict()
    alpha = played["Opener: J"]["bet"]
    near = {"abs": 1e-9 if method == "lp" else 1e-2}
    assert -1e-9 <= alpha <= 1 / 3 + near["abs"]
    assert played["Opener: K"]["bet"] == pytest.approx(3 * alpha, **near)
    assert played["Opener: Q"]["bet"] == pytest.approx(0, **near)
    assert played["Opener: Qpb"]["call"] == pytest.approx(alpha + 1 / 3, **near)
    expected = {"Dealer: Jp": ("bet", 1 / 3), "Dealer: Qp": ("bet", 0), "Dealer: Kp": ("bet", 1)}
    expected |= {"Dealer: Jb": ("call", 0), "Dealer: Qb": ("call", 1 / 3), "Dealer: Kb": ("call", 1)}
    for name, (action, share) in expected.items():
        assert played[name][action] == pytest.approx(share, **near), name


def test_a_certificate_says_what_floats_say() -> None:
    for game in (Leduc(), Kuhn(players=3), LiarsDice(faces=3)):
        arrays = unfold(game, backend="reference")
        random = np.random.default_rng(5)
        columns = []
        for plex in arrays.plexes:
            plan = plex.uniform() * random.uniform(0.1, 1, plex.sequences)
            columns.append(plex.behaviour(plan))
        strategy = Strategy.of(arrays, columns)
        certificate = certify(arrays, strategy)
        floats = measure(arrays, certificate.strategies)
        assert [float(value) for value in certificate.value] == pytest.approx(list(floats.value), abs=1e-9)
        assert [float(reply) for reply in certificate.replies] == pytest.approx(list(floats.replies), abs=1e-9)
        assert float(certificate.exploitability) == pytest.approx(measure(arrays, strategy).exploitability, abs=1e-9)
        for plan, whole, plex in zip(certificate.plans, certificate.denominators, arrays.plexes, strict=True):
            assert plan[0] == whole
            for number in range(plex.sets):  # flows are exact, whatever rounding did
                assert sum(plan[sequence] for sequence in plex.span(number)) == plan[plex.parent[number]]


def test_numbers_that_64_bits_cannot_hold_stay_exact() -> None:
    huge = 10**15 + 1
    tree = Tree.of(
        Chance(
            {"a": (Fraction(1, 10**9 + 7), Max({"x": huge, "y": Fraction(1, 3)}, information="I")),
             "b": (Fraction(10**9 + 6, 10**9 + 7), Max({"x": -huge, "y": Fraction(2, 7)}, information="I"))}
        )
    )  # fmt: skip
    arrays = unfold(tree)
    certificate = certify(arrays, uniform(arrays))
    worth = Fraction(1, 10**9 + 7)
    x = worth * huge - (1 - worth) * huge
    y = worth * Fraction(1, 3) + (1 - worth) * Fraction(2, 7)
    assert certificate.value[0] == (x + y) / 2
    assert certificate.replies[0] == max(x, y)


def test_a_constant_sum_other_than_zero() -> None:
    tree = Tree.of(Max({"a": Min({"c": (3, 1), "d": (1, 3)}, information="M"), "b": Min({"c": (0, 4), "d": (2, 2)}, information="M")}))
    assert tree.total == 4
    arrays = unfold(tree)
    result = LinearProgram().solve(arrays)
    assert result.value == pytest.approx((1.5, 2.5))
    certificate = certify(arrays, result.strategies)
    assert certificate.value == (Fraction(3, 2), Fraction(5, 2))
    assert certificate.bounds == (Fraction(3, 2), Fraction(3, 2))


def test_the_program_refuses_other_games() -> None:
    with pytest.raises(ZermeloError, match="two players whose payoffs add up to a constant; for this game use auto, cfr"):
        LinearProgram().solve(unfold(Kuhn(players=3), backend="reference"))
    with pytest.raises(ZermeloError, match="no algorithm"):
        LinearProgram(algorithm="magic").solve(unfold(Kuhn(), backend="reference"))
    assert LinearProgram(algorithm="interior").solve(unfold(Kuhn(), backend="reference")).value[0] == pytest.approx(-1 / 18)
    with pytest.raises(ZermeloError, match="more time"):
        LinearProgram(seconds=1e-9).solve(unfold(Leduc(), backend="reference"))


def test_the_linear_program_ends_when_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS looks at no flag: a solve that never comes back is left behind."""
    stop, released = threading.Event(), threading.Event()

    def endless(*_: object, **__: object) -> None:
        stop.set()
        released.wait(60)

    monkeypatch.setattr("scipy.optimize.linprog", endless)
    try:
        with pytest.raises(KeyboardInterrupt):
            EquilibriumSolver("lp", stop=stop, backend="reference").solve(Kuhn())
    finally:
        released.set()
