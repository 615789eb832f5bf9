"""Unfolding: the same arrays by Python and by compiled rules, the published sizes, and what is refused."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.sequences.arrays import EMPTY, Arrays
from zermelo.equilibrium.extensive.sequences.size_estimate import TreeTooLargeError, estimate_histories
from zermelo.equilibrium.extensive.sequences.treeplex import unfold, unfold_reference
from zermelo.errors import RulesError, ZermeloError
from zermelo.formats.efg import read_efg
from zermelo.games.goofspiel import Goofspiel
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.games.onecardpoker import OneCardPoker
from zermelo.games.phantomtictactoe import PhantomTicTacToe
from zermelo.games.pig import Pig
from zermelo.games.twoworlds import TWO_WORLDS
from zermelo.rules import CHANCE, Game
from zermelo.trees.branches import Chance, Max, Min
from zermelo.trees.tree import Tree

PLENTY = 1 << 33
BACKENDS = ["reference", pytest.param("compiled", marks=pytest.mark.slow)]

SIZES = [  # game, histories, ends, information sets, source
    (Kuhn(), 58, 30, 12, "Kuhn 1950, cards dealt one at a time"),
    (Kuhn(players=3), 617, 312, 48, "three players' betting has 25 nodes, 13 ends"),
    (Leduc(), 9457, 5520, 936, "OpenSpiel leduc_poker"),
    (LiarsDice(faces=3), 1 + 3 + 9 * 127, 9 * 63, 192, "9 rolls; every set of 6 bids is one line, and called unless empty"),
    (TWO_WORLDS, 19, 10, 4, "counted by hand"),
]


@pytest.mark.parametrize(("game", "histories", "ends", "sets", "source"), SIZES)
def test_sizes_are_the_published_ones(game: Game, histories: int, ends: int, sets: int, source: str) -> None:
    arrays = unfold_reference(game, game.start(), None, PLENTY)
    assert (arrays.histories, len(arrays.leaves), arrays.sets) == (histories, ends, sets), source


SLOW = [
    pytest.param(game, marks=pytest.mark.slow)
    for game in (
        Kuhn(), LiarsDice(faces=3), LiarsDice(dice=2, faces=2), Goofspiel(3), Goofspiel(3, shuffled=True, hidden=False, points=True),
        OneCardPoker(4, (1, 2)), PhantomTicTacToe(2, 2, 2),
    )
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("game", [Kuhn(players=3), Leduc(), *SLOW])
def test_compiled_rules_give_the_same_arrays(game: Game) -> None:
    fast = unfold(game, backend="compiled")
    slow = unfold_reference(game, game.start(), None, PLENTY)
    same_arrays(fast, slow)
    assert fast.backend == "compiled"


def same_arrays(fast: Arrays, slow: Arrays) -> None:
    assert fast.histories == slow.histories
    assert fast.fingerprint() == slow.fingerprint()
    assert fast.probabilities == slow.probabilities
    for column in ("leaves", "chance", "payoffs"):
        assert np.array_equal(getattr(fast, column), getattr(slow, column)), column
    for one, other in zip(fast.plexes, slow.plexes, strict=True):
        for column in ("first", "count", "parent", "actions"):
            assert np.array_equal(getattr(one, column), getattr(other, column)), column
    assert [list(states) for states in fast.states] == [list(states) for states in slow.states]


@pytest.mark.slow
def test_parents_come_first_and_leaves_add_up() -> None:
    arrays = unfold(Leduc())
    for plex in arrays.plexes:
        assert (plex.parent < plex.first).all()
        assert plex.sequences == 1 + plex.count.sum()
        plan = plex.plan(plex.uniform())
        for number in range(plex.sets):
            assert plan[list(plex.span(number))].sum() == pytest.approx(plan[plex.parent[number]])
        assert np.allclose(plex.behaviour(plan), plex.uniform())
    # under any plans the leaves' probabilities add up to 1
    reach = arrays.weights.copy()
    for player, plex in enumerate(arrays.plexes):
        reach *= plex.plan(plex.uniform())[arrays.leaves[:, player]]
    assert reach.sum() == pytest.approx(1)


def test_chance_stays_exact() -> None:
    tree = Tree.of(Chance({"a": (Fraction(1, 3), Max(1, 2)), "b": (Fraction(2, 3), Max(3, Fraction(1, 7)))}))
    arrays = unfold(tree)
    assert set(arrays.probabilities) == {1, Fraction(1, 3), Fraction(2, 3)}
    assert arrays.exact_payoffs is not None
    assert (Fraction(1, 7), Fraction(-1, 7)) in arrays.exact_payoffs
    shares, payoffs = arrays.exact_leaves()
    assert sum(share * vector[0] for share, vector in zip(shares, payoffs, strict=True)) == Fraction(1 + 2, 3) + Fraction(2 * 22, 21)


def test_names_are_unique_and_lead_back() -> None:
    arrays = unfold(Kuhn(), backend="reference")
    names = [arrays.set_name(player, number) for player in range(2) for number in range(arrays.plexes[player].sets)]
    assert len(set(names)) == 12
    assert "Opener: Qpb" in names
    player, number = arrays.named("Opener: Qpb")
    assert [arrays.sequence_name(player, number, place) for place in range(2)] == ["fold", "call"]
    assert arrays.find(player, arrays.information(player, number)) == number
    assert arrays.find(player, (99, 99)) is None
    with pytest.raises(ZermeloError, match="did you mean Opener: Qpb"):
        arrays.named("Opener: Qbp")


def test_perfect_information_has_a_set_for_every_history() -> None:
    tree = Tree.of(Max(Left=Min(Left=5, Right=1), Right=Min(Left=-3, Right=6)))
    arrays = unfold(tree)
    assert [plex.sets for plex in arrays.plexes] == [1, 2]
    assert (arrays.plexes[1].parent == EMPTY).all()


class Cards(NamedTuple):
    drawn: int
    first: int
    second: int
    over: bool


@dataclass(frozen=True)
class Forgetful(Game):
    """Max chooses twice and forgets, at the second choice, what he did before."""

    forgets: bool = True
    uneven: bool = False  # the second choice has other actions after the first one's 1, which `information` hides

    def start(self) -> Cards:
        return Cards(-1, -1, -1, False)

    def player(self, state: Cards) -> int:
        return CHANCE if state.drawn < 0 else 0 if state.first < 0 else 1 if self.uneven else 0

    def chances(self, state: Cards):  # type: ignore[no-untyped-def]
        yield 0, 1
        yield 1, 1

    def actions(self, state: Cards):  # type: ignore[no-untyped-def]
        yield 0
        yield 1
        if self.uneven and state.first == 1:
            yield 2

    def result(self, state: Cards, action: int) -> Cards:
        if state.drawn < 0:
            return state._replace(drawn=action)
        if state.first < 0:
            return state._replace(first=action)
        return state._replace(second=action, over=True)

    def terminal(self, state: Cards) -> bool:
        return state.over

    def utility(self, state: Cards) -> int:
        return state.first + state.second

    def information(self, state: Cards, player: int) -> tuple[int, int, int]:
        seen = -1 if self.forgets or self.uneven else state.first
        return state.drawn, int(state.first >= 0), seen

    def name(self, state: Cards, action: int) -> str:
        return f"{'abc' if state.drawn < 0 else 'xyz'}"[action]


@pytest.mark.parametrize("backend", BACKENDS)
def test_imperfect_recall_names_the_two_histories(backend: str) -> None:
    with pytest.raises(RulesError, match=r"imperfect recall: Max .* after \[a x\] and after \[a y\]"):
        unfold(Forgetful(), backend=backend)  # type: ignore[arg-type]
    assert unfold(Forgetful(forgets=False), backend=backend).sets == 6  # type: ignore[arg-type]


@pytest.mark.parametrize("backend", BACKENDS)
def test_sets_with_different_actions_name_the_two_histories(backend: str) -> None:
    with pytest.raises(RulesError, match=r"Min knows the same .* after \[a x\] and after \[a y\] but has other actions"):
        unfold(Forgetful(uneven=True), backend=backend)  # type: ignore[arg-type]


def test_a_tree_too_large_is_refused_before_it_starts() -> None:
    with pytest.raises(TreeTooLargeError, match=r"about .* histories, .*more than the .* allowed: use the method mccfr"):
        unfold(PhantomTicTacToe(), memory=1 << 30)


@pytest.mark.parametrize("backend", BACKENDS)
def test_growth_is_watched(backend: str) -> None:
    with pytest.raises(TreeTooLargeError, match="allowed"):
        unfold(LiarsDice(faces=4), memory=100_000, backend=backend)  # type: ignore[arg-type]


def test_the_estimate_is_near() -> None:
    assert estimate_histories(Pig(), Pig().start()) == float("inf")  # a one returns the dice
    assert estimate_histories(Kuhn(), Kuhn().start()) == pytest.approx(58, rel=0.3)
    assert estimate_histories(LiarsDice(faces=3), LiarsDice(faces=3).start(), probes=2000) == pytest.approx(1147, rel=0.3)


def test_a_game_for_one_and_an_ended_game_are_refused() -> None:
    from zermelo.games.eightpuzzle import EightPuzzle

    with pytest.raises(ZermeloError, match="one player"):
        unfold(EightPuzzle())
    with pytest.raises(ZermeloError, match="evaluate"):
        unfold(Kuhn(), depth=3)


@dataclass(frozen=True)
class Judged(Kuhn):
    """Kuhn poker with an estimate of unfinished hands: the higher card's ante."""

    def evaluate(self, hand) -> float:  # type: ignore[no-untyped-def]
        return 1.0 if hand.cards[0] > hand.cards[1] else -1.0


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_depth_limit_judges_what_is_left(backend: str) -> None:
    arrays = unfold(Judged(), depth=3, backend=backend)  # type: ignore[arg-type]
    assert (arrays.judged, len(arrays.leaves), arrays.sets) == (12, 12, 3)
    deep = unfold(Judged(), depth=9, backend=backend)  # type: ignore[arg-type]
    assert (deep.judged, deep.histories) == (0, 58)


NEVER = """EFG 2 R "a branch that never happens" { "A" "B" }

c "" 1 "" { "never" 0 "always" 1 } 0
p "" 1 1 "" { "x" "y" } 0
p "" 2 1 "" { "u" "v" } 0
t "" 1 "" { 5, -5 }
t "" 2 "" { 6, -6 }
t "" 3 "" { 7, -7 }
p "" 1 2 "" { "x" "y" } 0
t "" 4 "" { 1, -1 }
t "" 5 "" { 2, -2 }
"""


def test_sets_that_cannot_be_reached_are_solved_around_and_named(tmp_path: Path) -> None:
    (tmp_path / "never.efg").write_text(NEVER)
    arrays = unfold(read_efg(tmp_path / "never.efg"))
    assert arrays.unreachable() == [(0, 0), (1, 0)]
    assert "2 information sets cannot be reached" in arrays.notes[-1]
    assert "A: the node after never" in arrays.notes[-1]
    for result in (LinearProgram().solve(arrays), RegretMinimization("cfr+", iterations=2000).solve(arrays)):
        assert result.value[0] == pytest.approx(2, abs=1e-3)
        assert result.exploitability == pytest.approx(0, abs=1e-3)
        assert arrays.notes[-1] in result.notes
    assert unfold(Kuhn()).unreachable() == []


class Guess(Game):
    """Max hides a coin, Min guesses where; moves are words and pairs."""

    def start(self) -> tuple[Any, ...]:
        return ()

    def player(self, state: tuple[Any, ...]) -> int:
        return len(state)

    def actions(self, state: tuple[Any, ...]) -> list[Any]:
        return ["left", "right"] if not state else [("guess", "left"), ("guess", "right")]

    def result(self, state: tuple[Any, ...], action: Any) -> tuple[Any, ...]:
        return (*state, action if not state else action[1])

    def terminal(self, state: tuple[Any, ...]) -> bool:
        return len(state) == 2

    def utility(self, state: tuple[Any, ...]) -> int:
        return -1 if state[1] == state[0] else 2 if state[0] == "left" else 1

    def information(self, state: tuple[Any, ...], player: int) -> tuple[int, int]:
        return player, len(state)


@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_actions_may_be_words_and_tuples(backend: Any) -> None:
    arrays = unfold(Guess(), backend=backend)
    assert arrays.backend == backend
    assert [arrays.set_actions(player, 0) for player in (0, 1)] == [["left", "right"], [("guess", "left"), ("guess", "right")]]
    assert float(LinearProgram().solve(arrays).value[0]) == pytest.approx(0.2)
