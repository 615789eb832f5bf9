"""Whose fault an exception is: the rules' only where code of a game was at work."""

import errno
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from zermelo.cli.blame import rules_error
from zermelo.errors import RulesError
from zermelo.registry.files import load_file

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
    assert str(rules_error(error)) == "The work stopped (No such file or directory): mend that and start again."


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (OSError(errno.ENOSPC, "Error writing bytes to file. Detail: [errno 28]"), "The work stopped (No space left on device): mend that"),
        (OSError(errno.ENOSPC, "full", "/a/b.zdb"), "The work stopped (No space left on device, /a/b.zdb): mend that"),
        (OSError("the scheduler has gone."), "The work stopped (the scheduler has gone): mend that"),
        (TimeoutError(), "The work stopped (TimeoutError): mend that"),
    ],
)
def test_a_refusal_without_a_number_or_a_file(error: OSError, part: str) -> None:
    assert part in str(rules_error(error))
