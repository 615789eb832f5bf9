"""What `solve --all` says about faults, interruptions and how far it is."""

from pathlib import Path
from typing import Any

import pytest
from command_line import Run

from zermelo.solve.strong import StrongSolver
from zermelo.solve.work_folder import Folder

GAME = "nim(heaps=(2,3))"


def test_an_interruption_says_where_the_work_is_kept(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Folder, piece: str, *arguments: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "finish", interrupted)
        done = run("solve", GAME, "--all", "--out", "x.zdb")
    assert done.code == 130
    kept = "What is finished is kept in x.zdb.work: the same command goes on from there."
    assert done.err.split("\n")[1:] == [kept, "", "Interrupted.", ""]
    assert run("solve", GAME, "--all", "--out", "x.zdb").code == 0


def test_an_interruption_without_a_file_keeps_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(StrongSolver, "solve", interrupted)
    done = run("solve", GAME, "--all")
    assert (done.code, done.err) == (130, "\nInterrupted.\n")


def test_progress_outside_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.cli.output.REPORTED_EVERY", 0)
    monkeypatch.setattr("zermelo.solve.workers.LOOK", 0)
    assert "Now sweep 1, 3 of " in run("solve", GAME, "--all", "--backend", "reference").err
    monkeypatch.setattr("zermelo.cli.output.REPORTED_EVERY", 1e9)
    assert run("solve", GAME, "--all", "--backend", "reference").err == ""


# --- the limit of positions


def test_more_positions_than_the_limit_end_a_solve(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("solve", GAME, "--all", "--positions", "19", "--out", "x.zdb")
    assert (done.code, done.out) == (2, "")
    assert done.err.split("\n")[1:] == ["Nim has more than 19 positions, which is the limit: raise it, or solve a smaller game.", ""]
    assert list(tmp_path.iterdir()) == []
    assert run("solve", GAME, "--all", "--positions", "20", "--json").data["parameters"]["positions"] == 20


def test_what_is_finished_before_the_limit_is_kept(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("zermelo.solve.estimate.COUNTED", 4)  # the work has begun when the limit is passed
    done = run("solve", GAME, "--all", "--positions", "19", "--out", "x.zdb")
    kept = "What is finished is kept in x.zdb.work: the same command with a higher limit goes on from there."
    assert (done.code, done.err.split("\n")[1]) == (2, kept)
    assert run("solve", GAME, "--all", "--positions", "20", "--out", "x.zdb").code == 0
    assert [file.name for file in tmp_path.iterdir()] == ["x.zdb"]


def test_a_limit_of_positions_goes_with_whole_games(run: Run) -> None:
    done = run("solve", GAME, "--positions", "20")
    assert (done.code, "go with --all" in done.err) == (2, True)


# --- what cannot be


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["pig", "--all"], "Chance moves in pig, and proofs are for games without it: zermelo best pig gives expected payoffs."),
        ([GAME, "--all", "--memory", "1M"], "Solving a whole game needs at least 8 MB of memory, not 1 MB."),
    ],
)
def test_what_cannot_be_solved_is_told_with_what_to_do(run: Run, words: list[str], sentence: str) -> None:
    assert run("solve", *words) == (2, "", f"{sentence}\n")


def test_a_folder_that_may_not_be_written_is_named_before_the_work(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.strong.os.access", lambda path, mode: False)  # the tests may run as one who may do everything
    monkeypatch.chdir(tmp_path)
    done = run("solve", GAME, "--all", "--out", "x.zdb")
    assert done == (2, "", f"x.zdb cannot be written: you may not write to the folder {tmp_path}.\n")
    assert list(tmp_path.iterdir()) == []
