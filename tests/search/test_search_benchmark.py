"""The benchmark asserts its answers; here it is only made sure that it runs."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_foundation_benchmark_runs():
    program = Path(__file__).parents[2] / "benchmarks" / "foundation.py"
    printed = subprocess.run([sys.executable, str(program), "--quick"], capture_output=True, text=True, check=True).stdout
    assert "times" in printed
    assert "million a second" in printed
    assert "from a full one" in printed


@pytest.mark.slow
def test_the_puzzle_benchmark_runs():
    program = Path(__file__).parents[2] / "benchmarks" / "puzzle.py"
    printed = subprocess.run([sys.executable, str(program), "--quick"], capture_output=True, text=True, check=True).stdout
    assert "times fewer nodes" in printed
    assert "million nodes a second" in printed
    assert "all reached the goal" in printed
