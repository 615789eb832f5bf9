"""Long and narrow games: few positions a round, and very many rounds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from whole_games import PONG, SMALL_CONNECT4, Laps, PlainLaps

from zermelo.compiler.faults import Fault
from zermelo.rules import Game
from zermelo.runtime.backend import choose
from zermelo.solve.game_statistics import game_statistics
from zermelo.solve.job import UNASKED, Job, WidenError, kernel_of, look
from zermelo.solve.numbering import Numbering, first_numbering
from zermelo.solve.resident import FOLLOWED, Resident, TooLargeError
from zermelo.solve.strong import StrongSolver
from zermelo.solve.workers import Progress, WorkerPool


class Counters(NamedTuple):
    there: int
    turn: int


@dataclass(frozen=True)
class Endless(Game):
    """One to three counters are put, and never taken."""

    fewest: int = 1

    def start(self) -> Counters:
        return Counters(self.fewest, 0)

    def player(self, state: Counters) -> int:
        return state.turn

    def actions(self, state: Counters) -> Iterator[int]:
        yield from range(1, 4)

    def result(self, state: Counters, action: int) -> Counters:
        return Counters(state.there + action, 1 - state.turn)

    def terminal(self, state: Counters) -> bool:
        return state.there == 0

    def utility(self, state: Counters) -> float:
        return 1


@dataclass(frozen=True)
class Broken(Endless):
    def result(self, state: Counters, action: int) -> Counters:
        if state.there > 1_000:
            raise OverflowError
        return Counters(state.there + action, 1 - state.turn)


class Counting(Progress):
    """How often somebody tells that the work has gone on."""

    def __init__(self) -> None:
        super().__init__(None)
        self.times = 0

    def add(self, positions: int) -> None:
        self.times += 1


def graph_of(game: Game, most: int, progress: Progress | None = None, memory: int = 1 << 26) -> Resident:
    """The graph as far as so many positions."""
    numbering: Numbering = first_numbering(game, choose(game, "compiled", UNASKED).required.program.state, symmetric=False)
    while True:
        job = Job(game, numbering, "")
        try:
            graph = Resident(job, look(job, *kernel_of(job), game.start())[1], memory)
            graph.explore(WorkerPool(), progress or Progress(None), most=most)
        except WidenError as narrow:
            numbering = narrow.widened(game, numbering)
        else:
            return graph


def used(graph: Resident) -> list[Any]:
    """All that a graph holds."""
    done, count, edges = graph.done, graph.count, graph.edge_count
    arrays = graph.numbers[:count], graph.movers[:done], graph.scores[:done], graph.first[: done + 1], graph.edges[:edges]
    return [done, count, *(array.tolist() for array in arrays)]


@pytest.mark.parametrize("room", [1, 1 << 17], ids=["room for one child", "room for many"])
@pytest.mark.parametrize("game", [Laps(), PlainLaps(), PONG, SMALL_CONNECT4], ids=lambda game: type(game).__name__)
def test_a_graph_is_the_same_however_positions_are_looked_at(game: Game, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.resident.ROOM", room)
    found = used(graph_of(game, 1 << 20))
    assert found[0] == found[1]
    for narrow in (0, 1 << 30):  # round by round, and one by one
        monkeypatch.setattr("zermelo.solve.resident.NARROW", narrow)
        assert used(graph_of(game, 1 << 20)) == found


def test_narrow_rounds_do_not_take_a_call_each() -> None:
    told = Counting()
    graph = graph_of(Endless(), 40_000, told)
    assert 40_000 <= graph.count < 40_010
    assert told.times < 3 * (40_000 // FOLLOWED + 20)  # 20: each time that numbers become wider, and arrays longer


def test_a_narrow_graph_that_does_not_fit_says_so() -> None:
    with pytest.raises(TooLargeError):
        graph_of(Endless(), 1 << 20, memory=1 << 20)


def test_rules_that_break_far_from_the_start_do_so() -> None:
    with pytest.raises(Fault, match="OverflowError"):
        graph_of(Broken(), 1 << 20)


def test_a_long_line_is_solved() -> None:
    @dataclass(frozen=True)
    class Line(Endless):
        def actions(self, state: Counters) -> Iterator[int]:
            yield 1

        def terminal(self, state: Counters) -> bool:
            return state.there == 30_000

    found = StrongSolver().solve(Line())
    assert (found.positions, found.value, found.distance) == (30_000, 1, 29_999)


def test_a_game_without_an_end_has_random_games_alone() -> None:
    """A million positions are counted before that is said, so this test would take long if each round took a call."""
    found = game_statistics(Endless(), games=1)
    assert (found.plies, found.least, (found.estimated or 0) >= 1 << 20) == ((), True, True)
    assert "no end in sight" in found.reason
    assert np.isfinite(found.random.branching)
