"""`zermelo best` within limits: the deepening search by default, its table in a file, its threads, and what is refused."""

from pathlib import Path

import pytest
from command_line import Run

FIELDS = {
    "value",
    "action",
    "actions",
    "scores",
    "distances",
    "distance",
    "line",
    "exact",
    "bounds",
    "nodes",
    "seconds",
    "depth",
    "stopped",
}


@pytest.mark.slow
def test_a_limit_asks_for_the_deepening_search(run: Run) -> None:
    data = run("best", "nim", "--nodes", "100000", "--json").data
    assert set(data) >= FIELDS
    assert (data["algorithm"], data["exact"], data["stopped"]) == ("deepening", True, "")
    plain = run("best", "nim", "--engine", "alphabeta", "--json").data
    for name in ("value", "action", "actions", "scores", "distances", "distance", "exact", "bounds"):
        assert data[name] == plain[name]


def test_a_limit_that_strikes_leaves_the_best_so_far(run: Run) -> None:
    done = run("best", "connect4", "--nodes", "500", "--backend", "reference")
    assert done.code == 0
    assert "4 is Red's best move" in done.out
    assert "the limit of 500 nodes was reached" in done.err


def test_threads_are_told_that_they_may_differ(run: Run) -> None:
    done = run("best", "nim", "--threads", "2")
    assert done.code == 0
    assert "(deepening, compiled)" in done.out
    assert "may differ from run to run" in done.err


def test_a_table_is_kept_in_a_file(run: Run, tmp_path: Path) -> None:
    words = ("best", "nim", "--memory", "1M", "--json", "--table", str(tmp_path / "nim.table"))
    first, second = run(*words).data, run(*words).data
    assert first["value"] == second["value"]
    assert second["nodes"] < first["nodes"]
    other = run("best", "nim", "--memory", "2M", "--table", str(tmp_path / "nim.table"))
    assert (other.code, other.out) == (2, "")
    assert "ask for as much memory" in other.err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--table", "nowhere/nim.table"], "no folder"),
        (["--table", "nim.table", "--engine", "minimax"], "Only the algorithm deepening has a table"),
        (["--table", "nim.table", "--backend", "reference"], "leave --table out"),
        (["--threads", "2", "--engine", "minimax"], "has no parameter threads"),
        (["--threads", "0"], "--threads"),
        (["--nodes", "0"], "--nodes"),
        (["--time", "0"], "--time"),
        (["--time", "-1"], "--time"),
    ],
)
def test_what_is_refused(run: Run, words: list[str], part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("best", "nim", *words)
    assert (done.code, done.out) == (2, "")
    assert part in done.err
    assert not any(tmp_path.iterdir())


def test_a_file_that_is_no_table_is_left_alone(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a table", encoding="utf-8")
    done = run("best", "nim", "--table", str(path))
    assert (done.code, path.read_text(encoding="utf-8")) == (2, "not a table")
    assert "not a table of Zermelo's" in done.err
