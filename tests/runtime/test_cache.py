"""The compile cache: filled once, used by every later process, never damaged, never in the way."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zermelo.compiler.cache import cache_folder

COUNT = """
import json, sys
from corpus.styles import PlainTuple
from zermelo.runtime.backend import choose
from zermelo.search.classic.perft import perft

game = PlainTuple(int(sys.argv[1]))
counted = perft(game, 3, backend="compiled")
kernel = choose(game, "compiled", family="perft").compiled.ready("perft")
print(json.dumps({"leaves": counted.leaves, "cached": kernel.code.from_cache, "notes": counted.notes}))
"""
Run = Callable[..., dict[str, object]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Use compiled rules in a process of its own, with a cache of its own."""

    def start(cache: Path | None = None, counters: int = 9) -> dict[str, object]:
        paths = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = os.environ | {"ZERMELO_CACHE": str(cache or tmp_path / "cache"), "PYTHONPATH": paths}
        done = subprocess.run([sys.executable, "-c", COUNT, str(counters)], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        answer: dict[str, object] = json.loads(done.stdout)
        return answer

    return start


def objects(cache: Path) -> list[Path]:
    return sorted(file for file in cache.rglob("*.o"))


def test_the_second_process_compiles_nothing(run: Run, tmp_path: Path) -> None:
    assert run()["cached"] is False
    assert run()["cached"] is True
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700


def test_damage_is_noticed_and_repaired(run: Run, tmp_path: Path) -> None:
    whole = run()
    for file in objects(tmp_path / "cache"):
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    assert run() == whole
    assert run()["cached"] is True


def test_a_cache_that_is_no_folder_is_done_without(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = run(tmp_path / "file")
    (note,) = answer["notes"]  # type: ignore[misc]
    assert "cannot be written" in note


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="the superuser may write anywhere")
def test_a_filled_cache_that_cannot_be_written_is_used(run: Run, tmp_path: Path) -> None:
    run()
    for path in (*(tmp_path / "cache").rglob("*"), tmp_path / "cache"):
        path.chmod(0o500)
    assert run()["cached"] is True


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("ZERMELO_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "zermelo"


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has such modes")
def test_a_folder_that_others_may_write_to_is_closed(run: Run, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    run(shared)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o700
