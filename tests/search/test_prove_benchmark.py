"""The benchmarks of proofs assert their answers; here it is only made sure that they run."""

import subprocess
import sys
from pathlib import Path

import pytest


def printed_by(name):
    program = Path(__file__).parents[2] / "benchmarks" / name
    return subprocess.run([sys.executable, str(program), "--quick"], capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.slow
def test_the_connect_four_benchmark_runs():
    assert [line.split()[0] for line in printed_by("connect4.py")] == ["set", "L3_R1", "L2_R1", "L1_R1"]


@pytest.mark.slow
def test_the_benchmark_of_dots_and_boxes_runs():
    lines = [line.split() for line in printed_by("dots.py") if line]
    assert [line[0] for line in lines] == ["board", "1", "2", "3", "3", "symmetry:", "order:", "chains:", "rest:"]
    assert all(float(line[1]) > 1 for line in lines[-4:])  # more nodes without
