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
        (["--playouts", "2000"], "playouts a second of processor time from the start, one thread"),
        (["--threads", "--playouts", "3000"], "two searches"),
        (["--strength", "--positions", "12", "--playouts", "1000"], "keeps the value"),
    ],
)
def test_the_benchmark_of_playouts_runs(arguments: list[str], words: str) -> None:
    printed = subprocess.run([sys.executable, str(PROGRAM), *arguments], capture_output=True, text=True, check=True).stdout
    assert words in printed


@pytest.mark.slow
def test_the_benchmark_of_settings_runs(tmp_path: Path) -> None:
    program, store = PROGRAM.with_name("mcts_settings.py"), tmp_path / "store.json"
    arguments = ["--pairs", "2", "--playouts", "20", "--only", "itself", "--store", str(store)]
    first = subprocess.run([sys.executable, str(program), *arguments], capture_output=True, text=True, check=True).stdout
    again = subprocess.run(
        [sys.executable, str(program), "--pairs", "0", "--playouts", "20", "--store", str(store)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "itself" in first
    assert again == first


@pytest.mark.slow
def test_the_benchmark_of_settings_plays_what_the_page_on_playouts_names() -> None:
    arguments = ["--pairs", "1", "--playouts", "20", "--opponent", "0.35", "--only", "random playouts"]
    program = str(PROGRAM.with_name("mcts_settings.py"))
    assert "random playouts" in subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_the_benchmark_of_policies_runs(tmp_path: Path) -> None:
    arguments = ["--pairs", "2", "--playouts", "20", "--epsilon", "0.25", "--only", "Connect", "--store", str(tmp_path / "store.json")]
    program = str(PROGRAM.with_name("mcts_policies.py"))
    printed = subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=True).stdout
    assert "20 playouts, epsilon 0.25" in printed
    assert "Connect Four" in printed


@pytest.mark.slow
@pytest.mark.parametrize(("arguments", "words"), [(["--quick"], "smooth, 3,000 playouts"), (["--quick", "--speed"], "LiarsDice")])
def test_the_benchmark_of_hidden_information_runs(arguments: list[str], words: str) -> None:
    program = str(PROGRAM.with_name("hidden.py"))
    assert words in subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=True).stdout
