"""Lemke's method on the sequence form: exact equilibria of two players with general sums and hidden information."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import pytest

from zermelo.equilibrium.extensive.exact.lemke import Lemke, rows_of
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.equilibrium.extensive.solver import EquilibriumSolver
from zermelo.errors import ZermeloError
from zermelo.games.kuhn import Kuhn
from zermelo.rules import CHANCE, Game


class Round(NamedTuple):
    cards: tuple[int, ...]
    moves: str


@dataclass(frozen=True)
class RakedPoker(Game):
    """One card each of `ranks`, one bet, and the house takes a tenth of a pot that was called: the sum is not constant."""

    ranks: int = 4
    total = None
    payoffs = (-3, 3)

    def start(self) -> Round:
        return Round((), "")

    def player(self, state: Round) -> int:
        return CHANCE if len(state.cards) < 2 else len(state.moves) % 2

    def chances(self, state: Round) -> Iterator[tuple[int, int]]:
        return ((card, 1) for card in range(self.ranks) if card not in state.cards)

    def actions(self, state: Round) -> list[int]:
        return [0, 1]

    def result(self, state: Round, action: int) -> Round:
        if len(state.cards) < 2:
            return Round((*state.cards, action), "")
        return Round(state.cards, state.moves + "pb"[action])

    def terminal(self, state: Round) -> bool:
        return state.moves in ("pp", "bp", "bb", "pbp", "pbb")

    def utility(self, state: Round) -> tuple[float, float]:
        if state.moves == "bp":
            return 1, -1
        if state.moves == "pbp":
            return -1, 1
        stake = 1 if state.moves == "pp" else 2
        win = stake - 2 * stake * 0.125
        return (win, -stake) if state.cards[0] > state.cards[1] else (-stake, win)

    def information(self, state: Round, player: int) -> tuple[int, str]:
        return (state.cards[player], state.moves)


@dataclass(frozen=True)
class Signals(Game):
    """A type, a signal, a reply, with random payoffs: every kind of pooling and separating turns up."""

    seed: int = 0
    types: int = 3
    total = None
    payoffs = (0, 9)

    def start(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return (CHANCE, 0, 1)[len(state)]

    def chances(self, state: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(kind, kind + 1) for kind in range(self.types)]

    def actions(self, state: tuple[int, ...]) -> list[int]:
        return [0, 1, 2]

    def result(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) == 3

    def utility(self, state: tuple[int, ...]) -> tuple[int, int]:
        random = Random(f"{self.seed} {state}")
        return random.randrange(10), random.randrange(10)

    def information(self, state: tuple[int, ...], player: int) -> tuple[int, ...]:
        return state[player : player + 1]


@pytest.mark.parametrize("seed", range(12))
def test_random_signals_get_an_exact_equilibrium_and_floats_agree(seed: int) -> None:
    arrays = unfold(Signals(seed), backend="reference")
    exact = Lemke(exact=True).solve(arrays)
    assert exact.certificate.equilibrium
    floats = Lemke(exact=False).solve(arrays)
    assert floats.exploitability == pytest.approx(0, abs=1e-9)
    assert floats.value == pytest.approx(exact.value)  # the same path


def test_raked_poker_is_solved_exactly_where_regret_minimization_promised_nothing() -> None:
    result = EquilibriumSolver(certify=True, backend="reference").solve(RakedPoker())
    assert result.method == "lcp"
    assert result.certificate.equilibrium
    assert result.certificate.bounds is None
    assert sum(result.value) < 0  # the rake


def test_the_linear_program_and_lemke_agree_on_kuhn() -> None:
    result = EquilibriumSolver("lcp", certify=True, backend="reference").solve(Kuhn())
    assert str(result.certificate.value[0]) == "-1/18"


def test_a_larger_program_runs_in_floats() -> None:
    arrays = unfold(RakedPoker(16), backend="reference")
    assert rows_of(arrays) > 160
    result = Lemke().solve(arrays)
    assert result.certificate is None
    assert result.exploitability == pytest.approx(0, abs=1e-9)


def test_limits_are_said() -> None:
    with pytest.raises(ZermeloError, match="time is up"):
        Lemke(seconds=1e-9).solve(unfold(RakedPoker(), backend="reference"))
    with pytest.raises(ZermeloError, match="neither iterations nor a target"):
        EquilibriumSolver("lcp", target=0.1, backend="reference").solve(Kuhn())
