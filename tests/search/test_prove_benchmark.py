"""The benchmark of proofs asserts its answers; here it is only made sure that it runs."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_connect_four_benchmark_runs():
    program = Path(__file__).parents[2] / "benchmarks" / "connect4.py"
    printed = subprocess.run([sys.executable, str(program), "--quick"], capture_output=True, text=True, check=True).stdout
    assert [line.split()[0] for line in printed.splitlines()] == ["set", "L3_R1", "L2_R1", "L1_R1"]
