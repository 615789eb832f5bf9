"""What `solve --all` says about faults, interruptions and how far it is."""

from pathlib import Path
from typing import Any

import pytest
from command_line import Run

from zermelo.solve.pieces import Folder
from zermelo.solve.strong import Strong

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

    monkeypatch.setattr(Strong, "solve", interrupted)
    done = run("solve", GAME, "--all")
    assert (done.code, done.err) == (130, "\nInterrupted.\n")


def test_progress_outside_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.cli.whole.REPORTED_EVERY", 0)
    monkeypatch.setattr("zermelo.solve.crew.LOOK", 0)
    assert "Now sweep 1, 3 of " in run("solve", GAME, "--all", "--backend", "reference").err
    monkeypatch.setattr("zermelo.cli.whole.REPORTED_EVERY", 1e9)
    assert run("solve", GAME, "--all", "--backend", "reference").err == ""
