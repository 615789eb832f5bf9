"""One boundary: whatever goes wrong ends in a sentence and an exit code, within a second or two."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run

from zermelo.cli.commands import best
from zermelo.compiler.game import known

ZERMELO = [sys.executable, "-m", "zermelo"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("best", "tictactoe", "--depth", "99999999999999999999"), "is too large"),
        (("solve", "nim", "--all", "--threads", "10000"), "too many: this machine has"),
        (("equilibrium", "kuhn", "--method", "mccfr", "--threads", "10000"), "too many: this machine has"),
        (("equilibrium", "kuhn", "--target", "nan"), "not nan"),
        (("best", "tictactoe", "--time", "inf"), "inf is not a finite number"),
        (("best", "tictactoe", "--memory", "9" * 30 + "T"), "more memory than any machine has"),
        (("best", "nim((1000000,))"), "more than 100,000 moves in its first position: choose smaller parameters"),
        (("equilibrium", "nim((9999999999,))", "--json"), "heaps is at most 1,048,576, not 9999999999."),
        (("games", "nim((1000000,))"), "choose smaller parameters"),
        (("best", "connect4(width=1000000)"), "width is at most 100, not 1000000."),
        (("grundy", "nim((5,))", "--sequence", "99999999999"), "is not in the range 0<=x<=1000000"),
    ],
    ids=lambda part: part[-1] if isinstance(part, tuple) else "",
)
def test_what_is_too_large_is_said_at_once(run, words, said):
    done = run(*words)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_a_fault_of_ours_is_a_sentence_and_a_file(run, monkeypatch):
    monkeypatch.setattr(best, "open_game", {}.__getitem__)
    done = run("best", "tictactoe")
    assert done.code == 3
    assert done.err.startswith("Zermelo failed, which is a fault of ours (KeyError: 'tictactoe'). The details are in ")
    file = Path(done.err.split("The details are in ")[1].split(": please")[0])
    assert "Traceback" in file.read_text(encoding="utf-8")
    file.unlink()


@pytest.mark.skipif(os.name == "nt", reason="no such streams")
def test_closed_streams_are_no_fault():
    done = subprocess.run(["/bin/sh", "-c", f"{' '.join(ZERMELO)} best nim >&- 2>&-"], check=False, timeout=120)
    assert done.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_sigterm_does_what_ctrl_c_does():
    """The best so far is printed, and the exit code says that it was interrupted."""
    process = subprocess.Popen(
        [*ZERMELO, "best", "draughts", "--backend", "reference", "--engine", "alphabeta"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert "nodes" in process.stderr.readline()  # the search is under way, however busy the machine is
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "best move" in out
    assert "Interrupted." in err


@pytest.mark.parametrize("words", [("solve", "tictactoe"), ("solve", "tictactoe", "--all"), ("best", "tictactoe", "--engine", "mcts")])
def test_an_interrupted_compiler_is_named(run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.compiler.game.CompiledRules", interrupt)
    known.clear()
    done = run(*words)
    assert done.code == 130
    assert "Interrupted while the rules were being compiled: there is nothing to show yet." in done.err


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "/dev/zero"),
        ("best", "tictactoe", "--weights", "/dev/zero"),
        ("equilibrium", "kuhn", "--start", "/dev/zero"),
    ],
)
def test_a_device_without_end_is_no_file(run: Run, words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.code == 2
    assert "/dev/zero is a device, not a file." in done.err


@pytest.mark.parametrize(
    ("words", "most"),
    [
        (("best", "tictactoe", "--depth", "99999999999999999999"), "at most"),
        (("best", "tictactoe", "--seed", "9" * 5000), "at most"),
    ],
)
def test_a_number_that_is_too_large_is_called_that(run: Run, words: tuple[str, ...], most: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert "is too large" in done.err
    assert most in done.err


def test_perft_that_is_interrupted_shows_a_smaller_count(run, monkeypatch):
    from zermelo.cli.commands import perft

    count = perft.perft

    def interrupted(game, depth, *others, **options):
        if depth == 5:
            raise KeyboardInterrupt
        return count(game, depth, *others, **options)

    monkeypatch.setattr(perft, "perft", interrupted)
    monkeypatch.setattr(perft, "SOON", 0.0)
    done = run("perft", "tictactoe", "--depth", "5")
    assert done.code == 130
    assert done.out.startswith("9 lines of 1 move,")
    assert "Interrupted: 5 moves were not counted, 1 were." in done.err


LONG, DEEP = "9" * 5000, 50_000
READ_JSON = [["equilibrium", "kuhn", "--start"], ["equilibrium", "kuhn", "--lock"], ["equilibrium", "holdem", "--lock"], ["verify"]]


@pytest.mark.parametrize(
    ("words", "ending", "text"),
    [
        *((words, ".json", text) for words in READ_JSON for text in (LONG, "[" * DEEP, '{"a":' * DEEP)),
        (["equilibrium", "kuhn", "--start"], ".csv", "information_set,ac\rtion,probability\n"),
        (["equilibrium"], "spot.toml", f"pot = {LONG}"),
        (["equilibrium"], "spot.toml", "pot = " + "[" * DEEP),
        (["equilibrium", "--method", "shapley"], ".toml", f"players = {LONG}"),
        (["best", "go(size=5)", "--position"], ".sgf", f"(;SZ[{LONG}])"),
        (["best", "go(size=5)", "--position"], ".sgf", "(;SZ[²])"),
        (["best", "go(size=5)", "--position"], ".sgf", f"(;SZ[5]KM[{LONG}])"),
        (["best", "chess", "--position"], ".pgn", f"1. {LONG}"),
        (["best", "tictactoe", "--weights"], ".json", LONG),
        (["best", "tictactoe", "--depth", "1", "--table"], ".table", LONG),
    ],
    ids=lambda part: str(part)[:30],
)
def test_every_file_with_endless_numbers_or_depth_is_refused(run: Run, tmp_path: Path, words: list[str], ending: str, text: str) -> None:
    file = tmp_path / f"broken{ending}"
    file.write_text(text)
    done = run(*words, str(file))
    assert done.code == 2, done.err
    assert len(done.err.strip().splitlines()) == 1
