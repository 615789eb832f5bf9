"""Kernels begin unoptimised and are optimised while they work: the same results, the same nodes."""

import subprocess
import sys
from functools import cached_property
from typing import Any

import pytest

from zermelo.compiler import kernel as kernels
from zermelo.compiler import rules as compiled_rules
from zermelo.compiler.faults import CAPACITY
from zermelo.compiler.game import CompiledGame, compiled_game
from zermelo.compiler.layout import layout_of
from zermelo.compiler.machine import OPTIMISED, QUICK, Code, calls_itself, quick_code
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Watch
from zermelo.registry import find
from zermelo.rules import Game
from zermelo.search.classic.alphabeta_driver import CompiledSearch
from zermelo.search.deepening.deepening import Deepening
from zermelo.search.plan import Plan


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))


def searched(compiled: CompiledGame, depth: int) -> tuple[Any, int]:
    game = compiled.game
    engine = CompiledSearch(compiled, game, Plan("alphabeta", depth=depth, pruning=True), Watch())  # type: ignore[arg-type]
    return engine.search(game.start(), (), depth).value, engine.nodes


def test_optimised_code_takes_over_within_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "WORTH_OPTIMISING", 1e9)
    compiled = CompiledGame(find("connect4(width=5,height=4)"))
    quick = searched(compiled, 9)
    kernel = compiled.ready("alphabeta")
    assert kernel.code.level == QUICK
    monkeypatch.setattr(kernels, "WORTH_OPTIMISING", 0.0)
    monkeypatch.setattr(kernels.threading, "Thread", Now)
    assert searched(compiled, 9) == quick
    assert kernel.code.level == OPTIMISED
    assert searched(compiled, 9) == quick


class Now:
    """A thread that is done when it is started."""

    def __init__(self, target: Any, name: str) -> None:
        self.start = target


def test_what_is_optimised_already_is_taken_from_the_cache() -> None:
    compiled = CompiledGame(find("nim"))
    kernel = compiled.ready("alphabeta")
    assert (kernel.code.level, kernel.code.from_cache) == (QUICK, False)
    kernel.optimise()
    again = CompiledGame(find("nim")).ready("alphabeta")
    assert (again.code.level, again.code.from_cache) == (OPTIMISED, True)


FUNCTION = "define i64 @{}(i64 %a) {{\n  %r = call i64 @{}(i64 %a)\n  ret i64 %r\n}}\n"
ONCE = "define i64 @f(i64 %a) {\n  ret i64 %a\n}\n" + FUNCTION.format("g", "f")
AGAIN = FUNCTION.format("f", "g") + FUNCTION.format("g", "f")


@pytest.mark.parametrize(("text", "level"), [(ONCE, QUICK), (AGAIN, OPTIMISED)])
def test_what_calls_itself_is_optimised_at_once(text: str, level: int) -> None:
    assert calls_itself(text) == (level == OPTIMISED)
    assert quick_code(text).level == level
    assert Code(text, QUICK).address("g") != 0


def test_what_is_kept_shallow_may_call_itself_unoptimised() -> None:
    assert quick_code(AGAIN, bounded="f").level == QUICK
    assert quick_code(AGAIN, bounded="h").level == OPTIMISED


class Line(Game):
    """One move each time; who makes the last of 150 wins."""

    def start(self) -> Any:
        return 0

    def player(self, state: Any) -> int:
        return state % 2

    def actions(self, state: Any) -> Any:
        return [1]

    def result(self, state: Any, action: Any) -> Any:
        return state + 1

    def terminal(self, state: Any) -> bool:
        return state == 150

    def utility(self, state: Any) -> int:
        return -1


LEFT = """
import threading
from zermelo.compiler import machine

begun, engine = threading.Event(), machine.machine(machine.QUICK)
emit = type(engine).emit_object


def slow(engine, module):
    begun.set()
    threading.Event().wait(0.5)
    found = emit(engine, module)
    print("emitted", flush=True)
    return found


def work():
    while True:
        machine.compile_text("define void @f() { ret void }", machine.QUICK, engine)


type(engine).emit_object = slow
threading.Thread(target=work, daemon=True).start()
begun.wait()
"""


def test_a_process_that_ends_waits_for_the_code_that_is_being_made() -> None:
    """LLVM's tables are torn down at exit; a thread that still reads them aborts the process."""
    done = subprocess.run([sys.executable, "-c", LEFT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "emitted\n", "")


class Tabled(TicTacToe):
    @cached_property
    def corners(self) -> tuple[int, ...]:
        return 0, 2, 6, 8


def test_tables_that_a_game_keeps_do_not_count_as_a_change_of_its_rules() -> None:
    game = Tabled()
    compiled = compiled_game(game)
    assert game.corners[1] == 2
    assert compiled_game(game) is compiled


def test_kernels_keep_the_rules_that_they_call_when_these_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_rules, "LONG", 0)
    compiled = CompiledGame(find("kalah(holes=3,seeds=2)"))
    kernel, code = compiled.ready("perft"), compiled.rules.code
    compiled.rules.grow(CAPACITY, None, None)
    assert compiled.rules.code is not code
    assert kernel.rules is not None
    assert code in kernel.rules.codes


@pytest.mark.parametrize("threads", [1, 2])
def test_lines_too_long_for_unoptimised_code_are_searched(threads: int) -> None:
    found = Deepening(backend="compiled", threads=threads, depth=200).search(Line())
    assert (found.value, found.exact, found.distance) == (-1, True, 150)


def test_long_rules_are_optimised_with_the_kernel_that_calls_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_rules, "LONG", 0)
    compiled = CompiledGame(find("kalah(holes=3,seeds=2)"))
    kernel = compiled.ready("alphabeta")
    quick = searched(compiled, 6)
    assert (compiled.rules.code.level, kernel.hurried) == (QUICK, True)
    kernel.optimise()
    assert (compiled.rules.code.level, kernel.hurried) == (compiled_rules.LEVEL, False)
    assert searched(compiled, 6) == quick
    again = CompiledGame(find("kalah(holes=3,seeds=2)"))
    assert not again.ready("alphabeta").hurried
    assert searched(again, 6) == quick


def test_a_board_keeps_its_length_when_something_else_needs_more_room() -> None:
    positions = [("." * 9, (1, 2)), ("x" * 9, (1,))]
    board, moves = layout_of(positions, room=2).items  # type: ignore[attr-defined]
    assert (board.length, moves.capacity) == (9, 6)
