"""The benchmark of playouts asserts its answers; here it is only made sure that it runs."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "mcts.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--playouts", "2000"], "playouts a second from the start, one thread"),
        (["--threads", "--playouts", "3000"], "two searches"),
        (["--strength", "--positions", "12", "--playouts", "1000"], "keeps the value"),
    ],
)
def test_the_benchmark_of_playouts_runs(arguments: list[str], words: str) -> None:
    printed = subprocess.run([sys.executable, str(PROGRAM), *arguments], capture_output=True, text=True, check=True).stdout
    assert words in printed
