"""The compile cache: filled once, used by every later process, never stale, never damaged, never in the way."""

import hashlib
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zermelo.engine.cache import cache_folder, fingerprint, open_entry

COUNT = """
import json, sys
import numpy as np
from corpus.styles import PlainTuple
from zermelo.engine.backend import choose

game = PlainTuple(int(sys.argv[1]))
choice = choose(game, "compiled")
numba_before = "numba" in sys.modules
module = choice.compiled.module("selfcheck")
row = np.zeros(choice.compiled.words, np.int64)
module.begin(row)
hits, misses = (sum(counter.values()) for counter in (module.begin.stats.cache_hits, module.begin.stats.cache_misses))
print(json.dumps({"row": row.tolist(), "hits": hits, "misses": misses, "numba": numba_before, "notes": choice.notes}))
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., dict[str, object]]:
    """Use compiled rules in a process of its own, with a cache of its own."""

    def start(cache: Path | None = None, counters: int = 9) -> dict[str, object]:
        environment = os.environ | {"ZERMELO_CACHE": str(cache or tmp_path / "cache"), "PYTHONPATH": str(Path(__file__).parents[1])}
        command = [sys.executable, "-c", COUNT, str(counters)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answer: dict[str, object] = json.loads(done.stdout)
        return answer

    return start


def test_the_second_process_compiles_nothing(run: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    assert run() == {"row": [9, 0], "hits": 0, "misses": 1, "numba": True, "notes": []}
    assert run() == {"row": [9, 0], "hits": 1, "misses": 0, "numba": False, "notes": []}
    assert run(counters=8) == {"row": [8, 0], "hits": 0, "misses": 1, "numba": True, "notes": []}
    assert len(list((tmp_path / "cache").iterdir())) == 2
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert all(stat.S_IMODE(entry.stat().st_mode) == 0o700 for entry in (tmp_path / "cache").iterdir())


@pytest.mark.slow
def test_damage_is_noticed_and_repaired(run: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    run()
    (folder,) = (tmp_path / "cache").iterdir()
    for code in folder.glob("*.code"):
        code.write_bytes(code.read_bytes()[:-100] + bytes(100))
    assert run()["misses"] == 1
    assert run()["hits"] == 1
    (folder / "module.py").write_text("raise SystemExit")
    assert run() == {"row": [9, 0], "hits": 0, "misses": 1, "numba": True, "notes": []}
    assert "raise SystemExit" not in (folder / "module.py").read_text()
    (folder / "verdict.json").write_text("{")
    assert run()["numba"] is True  # checked again
    assert run()["numba"] is False


def test_processes_that_fill_the_cache_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    environment = os.environ | {"ZERMELO_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", COUNT, "7"]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        out, error = process.communicate()
        assert process.returncode == 0, error
        assert json.loads(out)["row"] == [7, 0]
    (entry,) = (tmp_path / "cache").iterdir()
    assert not list(entry.glob(".new-*"))


def test_a_cache_that_is_no_folder_is_done_without(run: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = run(tmp_path / "file")
    assert answer["row"] == [9, 0]
    (note,) = answer["notes"]  # type: ignore[misc]
    assert "cannot be used" in note
    assert "this process alone" in note


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="the superuser may write anywhere")
def test_a_filled_cache_that_cannot_be_written_is_used(run: Callable[..., dict[str, object]], tmp_path: Path) -> None:
    run()
    for path in (*(tmp_path / "cache").iterdir(), tmp_path / "cache"):
        path.chmod(0o500)
    assert run() == {"row": [9, 0], "hits": 1, "misses": 0, "numba": False, "notes": []}


def test_files_that_cannot_be_written_are_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    entry = open_entry("Game", "family", "text", "digest")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    entry.write("verdict.json", "{}")
    assert entry.read("verdict.json") is None
    assert open_entry("Game", "family", "text", "digest").folder == entry.folder  # a filled one is used as it is
    other = open_entry("Game", "family", "other text", "other")
    assert other.folder is None
    assert other.note is not None


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("ZERMELO_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "zermelo"


def test_a_folder_that_others_may_write_to_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("ZERMELO_CACHE", str(shared))
    open_entry("Game", "family", "text", "digest")
    assert stat.S_IMODE(shared.stat().st_mode) == 0o700


def test_a_fingerprint_tells_texts_apart() -> None:
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint("ab") == fingerprint("ab")
    assert len(fingerprint("")) <= len(hashlib.sha256().hexdigest())
