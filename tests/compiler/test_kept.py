"""What an earlier process found out about a game is used again, and only for a game of the same content."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from zermelo.compiler.content import content_of
from zermelo.compiler.game import CompiledGame, compiled_game, known
from zermelo.compiler.program import Program
from zermelo.compiler.records import is_record
from zermelo.games.kuhn import Kuhn
from zermelo.games.tictactoe import TicTacToe
from zermelo.rules import Game
from zermelo.search.classic.alphabeta import AlphaBeta

STEPS = [1, 2]


@dataclass(frozen=True)
class Count(Game):
    """Count down in steps; who cannot move has lost."""

    heap: int = 7
    bonus: ClassVar[int] = 0

    def start(self) -> Any:
        return (self.heap, 0)

    def player(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> list[int]:
        return [step for step in STEPS if step <= state[0]]

    def result(self, state: Any, step: Any) -> Any:
        return (state[0] - step, 1 - state[1])

    def terminal(self, state: Any) -> bool:
        return bool(state[0] == 0)

    def utility(self, state: Any) -> int:
        return self.worth(state) + self.bonus

    def worth(self, state: Any) -> int:
        return 1 if state[1] else -1

    def show(self, state: Any) -> str:
        return f"{state[0]} left"


@dataclass(frozen=True)
class Mixed(Count):
    """Its moves are ints and texts."""

    def actions(self, state: Any) -> list[Any]:
        return [1, "two", "three"][: state[0]]

    def result(self, state: Any, step: Any) -> Any:
        return (state[0] - {1: 1, "two": 2, "three": 3}[step], 1 - state[1])


class Unsure(Count):
    """Nobody can tell what these rules depend on."""

    def worth(self, state: Any) -> int:
        return 1 if globals()["STEPS"][0] == state[1] else -1


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))


def without_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: Any, **named: Any) -> None:
        raise AssertionError("the rules are compiled")

    monkeypatch.setattr(Program, "__init__", refuse)


@pytest.mark.parametrize("game", [TicTacToe(), Count(), Mixed(), Kuhn()], ids=str)
def test_a_second_process_needs_no_compiler(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    first = CompiledGame(game)
    kernel, facts, obstacles = first.ready("perft"), first.facts, first.obstacles()
    without_compiler(monkeypatch)
    second = CompiledGame(game)
    again = second.ready("perft")
    assert (second.facts, second.obstacles(), second.layout) == (facts, obstacles, first.layout)
    assert again.code.from_cache
    assert {name: value for name, value in vars(again).items() if name.isupper()} == {
        name: value for name, value in vars(kernel).items() if name.isupper()
    }
    state = game.start()
    assert second.state(second.row(state)) == state
    for compiled in (first, second):
        assert compiled.rules.terminal(state) is False
        assert compiled.rules.player(state) == game.player(state)
    assert first.identity("perft") == second.identity("perft")


@pytest.mark.parametrize("game", [TicTacToe(), Count()], ids=str)
def test_kept_kernels_search_and_share_the_same_records(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def searched() -> tuple[Any, int, dict[str, Any]]:
        known.clear()
        found = AlphaBeta(backend="compiled").search(game)
        kernel = compiled_game(game).leaving(("order",)).ready("alphabeta")
        records = {name: value.dtype for name, value in vars(kernel).items() if is_record(value)}
        assert records
        return found.value, found.nodes, records

    first = searched()
    without_compiler(monkeypatch)
    assert searched() == first


def test_code_that_is_not_kept_is_written_for_the_same_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    CompiledGame(TicTacToe()).ready("perft")
    second = CompiledGame(TicTacToe())
    second.ready("perft")
    assert not isinstance(second.rules.program, Program)
    row = second.row(TicTacToe().start())
    second.ready("alphabeta")
    assert isinstance(second.rules.program, Program)
    assert np.array_equal(second.row(TicTacToe().start()), row)


def test_room_that_was_made_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first = CompiledGame(Count())
    first.rules.grow(2, None, None)
    first.growth.keep(first.rules)
    without_compiler(monkeypatch)
    assert CompiledGame(Count()).rules.room == first.rules.room == 2


def test_content_is_that_of_all_that_rules_use(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(game: Game) -> str:
        content = content_of(game)
        assert content is not None
        return content.key

    usual = key(Count())
    assert key(Count(7)) == usual
    assert key(Count(8)) != usual
    with monkeypatch.context() as changed:
        changed.setattr(Count, "bonus", 1)
        assert key(Count()) != usual
    with monkeypatch.context() as changed:
        changed.setitem(globals(), "STEPS", [1, 3])
        assert key(Count()) != usual
    with monkeypatch.context() as changed:
        changed.setattr(Count, "worth", lambda self, state: 2)
        assert key(Count()) != usual
    assert key(Count()) == usual


def test_what_cannot_be_told_is_not_kept() -> None:
    assert content_of(Unsure()) is None
