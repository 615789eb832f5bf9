"""More different scores than a database holds: how early that is noticed, by every way to solve a game."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from zermelo.rules import Game
from zermelo.solve import group_values, work
from zermelo.solve.distinct import Distinct, TooManyCodesError
from zermelo.solve.external_retrograde import Levels
from zermelo.solve.reachable import shards
from zermelo.solve.strong import StrongSolver

LENGTH, MOST = 60, 10
IN_FILES = StrongSolver(resident=False, dense=False)
SENTENCE = "^This game has more than 10 different pairs of value and distance: a database holds no more.$"


class Place(NamedTuple):
    place: int
    turn: int


@dataclass(frozen=True)
class Road(Game):
    """A token goes forward to the last place, where Max wins: one round a step, and one distance."""

    length: int = LENGTH

    def start(self) -> Place:
        return Place(0, 0)

    def player(self, at: Place) -> int:
        return at.turn

    def actions(self, at: Place) -> Iterator[int]:
        yield 1

    def result(self, at: Place, action: int) -> Place:
        return Place(at.place + action, 1 - at.turn)

    def terminal(self, at: Place) -> bool:
        return at.place == self.length

    def utility(self, at: Place) -> float:
        return 1


@dataclass(frozen=True)
class Back(Road):
    """Max may also go back, so that all positions are one group."""

    def actions(self, at: Place) -> Iterator[int]:
        yield 1
        if at.turn == 0 and at.place > 0:
            yield -1


@dataclass(frozen=True)
class NumberedBack(Back):
    def size(self) -> int:
        return 2 * self.length + 2

    def rank(self, at: Place) -> int:
        return 2 * at.place + at.turn

    def unrank(self, number: int) -> Place:
        return Place(number // 2, number % 2)


@dataclass(frozen=True)
class NumberedRoad(Road):
    def size(self) -> int:
        return 2 * self.length + 2

    def rank(self, at: Place) -> int:
        return 2 * at.place + at.turn

    def unrank(self, number: int) -> Place:
        return Place(number // 2, number % 2)


@dataclass(frozen=True)
class Star(Road):
    """One step to one of many ends, each with another payoff."""

    def actions(self, at: Place) -> Iterator[int]:
        yield from range(1, self.length)

    def terminal(self, at: Place) -> bool:
        return at.place > 0

    def utility(self, at: Place) -> float:
        return at.place


@pytest.fixture(autouse=True)
def few_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.distinct.MOST_CODES", MOST)
    monkeypatch.setattr("zermelo.solve.strong.SMALL", 1)  # no look by the rules as written first, which would notice it alone


def counted(monkeypatch: pytest.MonkeyPatch, place: Any, name: str) -> list[Any]:
    """What a function is called with from now on."""
    calls: list[Any] = []
    function: Callable[..., Any] = getattr(place, name)

    def call(*arguments: Any) -> Any:
        calls.append(arguments)
        return function(*arguments)

    monkeypatch.setattr(place, name, call)
    return calls


@pytest.mark.parametrize("game", [Road(), Back(), NumberedRoad(), NumberedBack(), Star()], ids=lambda game: type(game).__name__)
@pytest.mark.parametrize(
    "plan",
    [
        StrongSolver(),
        StrongSolver(resident=False),
        IN_FILES,
        StrongSolver(resident=False, dense=False, threads=2),
        StrongSolver(backend="reference"),
    ],
    ids=["memory", "array", "files", "threads", "reference"],
)
def test_every_way_says_the_same_and_leaves_nothing_behind(game: Game, plan: StrongSolver, tmp_path: Path) -> None:
    for out in (tmp_path / "x.zdb", None):
        with pytest.raises(TooManyCodesError, match=SENTENCE):
            plan.solve(game, out=out)
        assert list(tmp_path.iterdir()) == []


def test_as_many_as_a_database_holds_are_solved() -> None:
    for plan in (StrongSolver(), IN_FILES, StrongSolver(resident=False), StrongSolver(backend="reference")):
        assert plan.solve(NumberedRoad(MOST - 1)).longest == MOST - 1


def test_groups_are_not_all_solved_before(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, group_values, "settle_shard")
    with pytest.raises(TooManyCodesError):
        IN_FILES.solve(Road())
    assert len(calls) == MOST + 1


def test_a_group_is_not_solved_to_its_end_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_values, "shards", lambda count, size: shards(count, 2))
    calls = counted(monkeypatch, group_values, "settle_shard")
    with pytest.raises(TooManyCodesError):
        IN_FILES.solve(Star())
    assert len(calls) == MOST // 2 + 1


def test_levels_are_not_all_dealt_with_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.retrograde.POSITION_BYTES", 1 << 40)  # too much for memory
    calls = counted(monkeypatch, Levels, "spread")
    for plan, game, known in ((IN_FILES, Back(), 0), (StrongSolver(resident=False), NumberedBack(), 1)):  # the array has met the end before
        calls.clear()
        with pytest.raises(TooManyCodesError):
            plan.solve(game)
        assert len(calls) == MOST + 1 - known


def test_what_an_array_has_shown_is_not_found_out_again_in_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.sweeping.LARGEST_SHORT", 5)
    monkeypatch.setattr("zermelo.solve.sweeping.LARGEST", MOST + 2)  # three codes are not scores, so that there is room for as many as MOST
    begun = counted(monkeypatch, work, "Distinct")
    with pytest.raises(TooManyCodesError):
        StrongSolver(resident=False).solve(NumberedRoad())
    assert [len(*known) for known in begun] == [MOST]


def test_scores_are_counted() -> None:
    distinct = Distinct([1, 2])
    distinct.add(np.array([2, 3, 3], np.int32))
    assert (distinct.number, sorted(distinct.counts[distinct.counts > 0].tolist())) == (3, [1, 2, 2])
    with pytest.raises(TooManyCodesError):
        distinct.add(np.arange(MOST, MOST + 8, dtype=np.int32))


def test_a_table_that_grows_keeps_all_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.distinct.MOST_CODES", (1 << 16) - 1)
    scores = np.repeat(np.arange(-20_000, 20_000, 2, dtype=np.int32), 3)
    distinct = Distinct()
    distinct.add(scores)
    distinct.add(scores[:6])
    order = distinct.in_order()
    assert distinct.number == 20_000
    assert (distinct.slots[order] - (1 << 32)).tolist() == list(range(-20_000, 20_000, 2))
    assert distinct.counts[order].tolist() == [6, 6] + [3] * 19_998
