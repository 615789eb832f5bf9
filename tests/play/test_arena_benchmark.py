"""The benchmark of the arena runs and asserts its answers."""

import runpy
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "arena.py"


@pytest.mark.slow
def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(BENCHMARK))["main"](["--games", "4"])
    assert "games a minute" in capsys.readouterr().out
