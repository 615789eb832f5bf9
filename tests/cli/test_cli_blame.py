"""Whose fault an exception is: the rules' only where code of a game was at work."""

import errno
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Run

from zermelo.cli.blame import is_compiled, rules_error
from zermelo.errors import RulesError
from zermelo.registry.rules_file import load_file

RULES = """import json
from zermelo import Game

class Faulty(Game):
    def start(self): return json.loads("{")
    def player(self, state): return {}[state]
    def actions(self, state): return open("/no/such/folder/of/rules")
"""


Borrowed = Callable[[Callable[[], object]], Exception]


def caught(call: Callable[[], object]) -> Exception:
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.fixture
def borrowed() -> Borrowed:
    """Catches an exception as if only libraries had been at work: the frames of this file, which are the user's, are taken off."""

    def caught_outside(call: Callable[[], object]) -> Exception:
        error = caught(call)
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        return error.with_traceback(trace)

    return caught_outside


@pytest.mark.parametrize(
    ("method", "line", "reason"),
    [
        ("start", 5, "start: json.decoder.JSONDecodeError"),
        ("player", 6, "player: KeyError: 0"),
        ("actions", 7, "actions: FileNotFoundError: [Errno 2]"),
    ],
)
def test_the_innermost_line_of_rules_is_told(borrowed: Borrowed, tmp_path: Path, method: str, line: int, reason: str) -> None:
    (tmp_path / "faulty.py").write_text(RULES)
    kind = load_file(tmp_path / "faulty.py").Faulty
    told = rules_error(borrowed(lambda: getattr(kind, method)(*[None, 0][: 1 if method == "start" else 2])))
    assert isinstance(told, RulesError)
    assert f"faulty.py:{line}: the rules raise in {reason}" in str(told)


def test_an_installed_package_is_not_the_rules(borrowed: Borrowed) -> None:
    numpy = pytest.importorskip("numpy")
    assert rules_error(borrowed(lambda: numpy.stack([]))) is None
    assert rules_error(borrowed(lambda: json.loads("{"))) is None


def test_what_the_system_refuses_is_told_plainly(borrowed: Borrowed, tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    error = borrowed(lambda: parquet.ParquetWriter(str(tmp_path / "nowhere" / "x.parquet"), arrow.schema([])))
    assert str(rules_error(error)) == "The work stopped (No such file or directory): fix that and start again."


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (OSError(errno.ENOSPC, "Error writing bytes to file. Detail: [errno 28]"), "The work stopped (No space left on device): fix that"),
        (OSError(errno.ENOSPC, "full", "/a/b.zdb"), "The work stopped (No space left on device, /a/b.zdb): fix that"),
        (OSError("the scheduler has gone."), "The work stopped (the scheduler has gone): fix that"),
        (TimeoutError(), "The work stopped (TimeoutError): fix that"),
    ],
)
def test_a_refusal_without_a_number_or_a_file(error: OSError, part: str) -> None:
    assert part in str(rules_error(error))


RARE = """from typing import NamedTuple
from zermelo import Game

class Heap(NamedTuple):
    ones: int
    left: int
    turn: int

class Rare(Game):
    payoffs = (-1, 1)
    def start(self): return Heap(0, 40, 0)
    def player(self, heap): return heap.turn
    def actions(self, heap): yield from range(1, min(3, heap.left) + 1)
    def result(self, heap, taken):
        ones = heap.ones + (1 if taken == 1 else 0)
        return Heap(ones, heap.left - taken + (0 // (ones - 21) if ones == 21 else 0), 1 - heap.turn)
    def terminal(self, heap): return heap.left == 0
    def utility(self, heap): return 1 if heap.turn == 1 else -1
"""


@pytest.mark.parametrize("words", [("solve",), ("solve", "--all")], ids=" ".join)
def test_rules_that_raise_only_in_compiled_code_are_told_in_a_sentence(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    """No random game takes one so often, so nothing is noticed before the search."""
    file = tmp_path / "rare.py"
    file.write_text(RARE)
    done = run(words[0], str(file), *words[1:])
    assert done.code == 2
    assert "rare.py:16: the rules raise in result: ZeroDivisionError" in done.err  # said by the rules as written


def test_what_is_not_compiled_is_not_taken_for_it() -> None:
    """A library's own code may raise without a frame of its own, too."""
    numpy = pytest.importorskip("numpy")

    def call() -> None:
        numpy.empty(-1)

    assert not is_compiled(caught(call).__traceback__)
    assert rules_error(MemoryError()) is None
