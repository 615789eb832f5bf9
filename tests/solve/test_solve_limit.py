"""The limit of positions, which every way to solve a whole game keeps to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pytest
from whole_games import Laps

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game
from zermelo.solve.limit import TooManyPositionsError
from zermelo.solve.strong import StrongSolver, work_folder
from zermelo.solve.sweeping import Sweeping

WAYS = {
    "memory": StrongSolver(),
    "memory, two threads": StrongSolver(threads=2),
    "array": StrongSolver(resident=False),
    "array, two threads": StrongSolver(resident=False, threads=2),
    "files": StrongSolver(resident=False, dense=False),
    "files, two threads": StrongSolver(resident=False, dense=False, threads=2),
    "reference": StrongSolver(backend="reference"),
}


class Heap(NamedTuple):
    left: int
    turn: int


@dataclass(frozen=True)
class Cliff(Game):
    """Take one to three counters. Far from the start there are no actions, so that whoever goes there finds broken rules."""

    counters: int = 3_000
    broken: int = 2_000

    def start(self) -> Heap:
        return Heap(self.counters, 0)

    def player(self, heap: Heap) -> int:
        return heap.turn

    def actions(self, heap: Heap) -> Iterator[int]:
        if heap.left >= self.broken:
            yield from range(1, 4)

    def result(self, heap: Heap, action: int) -> Heap:
        return Heap(heap.left - action, 1 - heap.turn)

    def terminal(self, heap: Heap) -> bool:
        return heap.left == 0

    def utility(self, heap: Heap) -> float:
        return 1 if heap.turn == 1 else -1

    def size(self) -> int:
        return 2 * self.counters + 2

    def rank(self, heap: Heap) -> int:
        return 2 * heap.left + heap.turn

    def unrank(self, number: int) -> Heap:
        return Heap(number // 2, number % 2)


@pytest.fixture(autouse=True)
def few_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The look ahead must not find them all."""
    monkeypatch.setattr("zermelo.solve.estimate.COUNTED", 8)


@pytest.mark.parametrize("way", WAYS)
def test_as_many_positions_as_allowed_are_solved(way: str) -> None:
    free = WAYS[way].solve(Laps())
    bound = replace(WAYS[way], positions=free.positions).solve(Laps())
    assert (bound.positions, bound.value, bound.parameters["positions"]) == (free.positions, free.value, free.positions)
    with pytest.raises(TooManyPositionsError, match=f"^Laps has more than {free.positions - 1} positions, which is the limit: raise it"):
        replace(WAYS[way], positions=free.positions - 1).solve(Laps())


@pytest.mark.parametrize("way", WAYS)
def test_nobody_goes_far_beyond_the_limit(way: str) -> None:
    with pytest.raises(RulesError, match="has no actions"):
        WAYS[way].solve(Cliff())
    with pytest.raises(TooManyPositionsError, match="more than 100 positions"):
        replace(WAYS[way], positions=100).solve(Cliff())


def test_a_position_that_two_threads_have_met_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    look = Sweeping.look
    monkeypatch.setattr(Sweeping, "look", lambda self, numbers: look(self, numbers).repeat(2))
    positions = WAYS["array"].solve(Laps()).positions
    assert replace(WAYS["array"], positions=positions).solve(Laps()).positions == positions


@pytest.mark.parametrize("way", ["memory", "array", "files"])
def test_a_higher_limit_goes_on_where_a_lower_one_stopped(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.resident.SAVED_EVERY", 0)
    monkeypatch.setattr("zermelo.solve.sweeping.SAVED_EVERY", 0)
    monkeypatch.setattr("zermelo.solve.sweeping.SAVING_SHARE", 0)
    whole, stopped = tmp_path / "whole.zdb", tmp_path / "stopped.zdb"
    positions = WAYS[way].solve(Laps(), out=whole, name="laps").positions
    for most in (positions - 1, positions - 10):
        with pytest.raises(TooManyPositionsError):
            replace(WAYS[way], positions=most).solve(Laps(), out=stopped, name="laps")
        assert work_folder(stopped).is_dir()
    replace(WAYS[way], positions=positions).solve(Laps(), out=stopped, name="laps")
    assert stopped.read_bytes() == whole.read_bytes()
    assert not work_folder(stopped).exists()


def test_what_is_counted_in_the_look_ahead_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(TooManyPositionsError):
        StrongSolver(positions=3).solve(Laps(), out=tmp_path / "x.zdb")
    assert list(tmp_path.iterdir()) == []


def test_a_limit_is_at_least_1() -> None:
    with pytest.raises(ZermeloError, match="limit of positions is at least 1, not 0"):
        StrongSolver(positions=0).solve(Laps())
