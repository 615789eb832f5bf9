"""Whole games on the command line: solve --all, databases and who answers from them, grundy, stats."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import Run

from zermelo.solve.database import open_file

GAME = "connect4(width=4,height=3)"


@pytest.fixture(scope="module")
def kept() -> dict[str, Path]:
    """The database, once it is made."""
    return {}


@pytest.fixture
def database(run: Run, kept: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    if "file" in kept:
        return kept["file"]
    file = kept["file"] = tmp_path_factory.mktemp("data") / "small.zdb"
    done = run("solve", GAME, "--all", "--out", str(file), "--json")
    found = json.loads(done.out)
    wanted = {"positions", "value", "distance", "wins", "losses", "ties", "draws", "seconds"}
    assert wanted <= set(found)
    assert found["wins"] + found["losses"] + found["ties"] + found["draws"] == found["positions"]
    assert "Estimate" in done.err
    return file


def test_words(run: Run, database: Path) -> None:
    said, plain = run("solve", GAME, "--all").out, json.loads(run("solve", GAME, "--all", "--no-symmetry", "--json").out)
    assert "draw at the end" in said
    assert f"without symmetry there are {plain['positions']:,}" in said
    assert GAME in run("db", "info", str(database)).out
    assert json.loads(run("db", "info", str(database), "--json").out)["game"] == GAME
    assert "all checked by successors" in run("db", "verify", str(database)).out
    assert json.loads(run("db", "verify", str(database), "--sample", "7", "--json").out)["checked"] == 7


def test_best_solve_and_probe_answer_from_a_database(run: Run, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = json.loads(run("best", GAME, "--position", "12", "--json").out)
    monkeypatch.setenv("ZERMELO_DATA", str(database.parent))
    named = ["--database", str(database)]
    for words in (["best", GAME], ["best", GAME, *named], ["solve", GAME], ["db", "probe", str(database)]):
        found = json.loads(run(*words, "--position", "12", "--json").out)
        assert found["algorithm"] == "database"
        assert {key: found[key] for key in ("value", "action", "actions", "scores", "distances", "distance")} == {
            key: searched[key] for key in ("value", "action", "actions", "scores", "distances", "distance")
        }
    assert json.loads(run("best", GAME, "--engine", "minimax", "--json").out)["algorithm"] == "minimax"
    assert "(database)" in run("play", GAME).out
    assert "small.zdb" in run("db", "list").out


def test_play_from_a_named_database(run: Run, database: Path) -> None:
    assert "Red wins" in run("play", GAME, "--seats", f"database({database}),random", "--seed", "1").out
    assert "Draw." in run("play", GAME, "--database", str(database)).out


@pytest.mark.slow
def test_books(run: Run, database: Path, tmp_path: Path) -> None:
    assert "37 positions" in run("db", "book", str(database), str(tmp_path / "book.zdb"), "--plies", "3").out
    assert "11 positions" in run("db", "book", GAME, str(tmp_path / "proven.zdb"), "--plies", "2").out
    inside = run("best", GAME, "--database", str(tmp_path / "book.zdb"), "--position", "1", "--json")
    outside = run("best", GAME, "--database", str(tmp_path / "book.zdb"), "--position", "11222", "--json")
    assert json.loads(inside.out)["algorithm"] == "database"
    assert json.loads(outside.out)["algorithm"] == "alphabeta"
    assert "is not in the book" in outside.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["solve", GAME, "--out", "x.zdb"], "go with --all"),
        (["solve", "kuhn", "--all"], "zermelo equilibrium kuhn"),
        (["solve", GAME, "--all", "--memory", "1k"], "at least 8 MB"),
        (["solve", GAME, "--all", "--out", "no/such/folder/x.zdb"], "cannot be written"),
        (["solve", GAME, "--all", "--cluster", "tcp://127.0.0.1:1"], "--out"),
        (["best", GAME, "--database", "absent.zdb"], "There is no file absent.zdb"),
        (["best", GAME, "--engine", "database"], "There is no database of ConnectFour"),
        (["db", "info", "absent.zdb"], "There is no file absent.zdb"),
        (["grundy", "tictactoe"], "turn"),
        (["solve", GAME, "--endgames", "3"], "go with --all"),
        (["solve", GAME, "--all", "--endgames", "3"], "does not say how its endgames are set up"),
        (["solve", GAME, "--all", "--endgames", "3", "--out", "x.zdb"], "does not say how its endgames are set up"),
        (["solve", "draughts", "--all", "--endgames", "5", "--out", "x.zdb"], "draughts(limit=80,numbered=5)"),
        (["solve", "chess", "--all", "--out", "x.zdb"], "do not fit 63 bits"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, words: list[str], sentence: str) -> None:
    done = run(*words)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert sentence in done.err


@pytest.fixture
def late(run: Run, kept: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of what follows two stones in the first column."""
    if "late" not in kept:
        kept["late"] = tmp_path_factory.mktemp("late") / "late.zdb"
        assert run("solve", GAME, "--all", "--position", "11", "--out", str(kept["late"])).code == 0
    return kept["late"]


@pytest.mark.slow
def test_searches_end_in_a_database_of_later_positions(run: Run, late: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = json.loads(run("best", GAME, "--backend", "reference", "--json").out)
    named = json.loads(run("best", GAME, "--database", str(late), "--json").out)
    assert (named["algorithm"], named["database"]) == ("deepening", str(late))
    assert named["database_hits"] > 0
    for field in ("value", "actions", "scores", "distances", "exact"):
        assert named[field] == alone[field]
    monkeypatch.setenv("ZERMELO_DATA", str(late.parent))
    assert json.loads(run("best", GAME, "--nodes", "5000", "--json").out)["database_hits"] > 0
    assert "database" not in json.loads(run("best", GAME, "--no-database", "--backend", "reference", "--json").out)
    assert json.loads(run("best", GAME, "--position", "11", "--json").out)["algorithm"] == "database"
    inside = json.loads(run("best", GAME, "--position", "11", "--engine", "deepening", "--json").out)
    assert (inside["algorithm"], inside["nodes"]) == ("deepening", inside["database_hits"])
    assert "Draw." in run("play", GAME, "--database", str(late), "--nodes", "2000").out
    refused = run("best", GAME, "--engine", "minimax", "--database", str(late))
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "minimax asks no database inside" in refused.err


@pytest.mark.parametrize(
    "words",
    [["best", GAME], ["best", GAME, "--engine", "deepening"], ["solve", GAME], ["play", GAME], ["db", "probe"], ["stats", GAME]],
    ids=" ".join,
)
def test_nothing_is_answered_from_a_damaged_database(run: Run, database: Path, tmp_path: Path, words: list[str]) -> None:
    """Every block is damaged; whoever asks says which one it met."""
    data = bytearray(database.read_bytes())
    header, mapped, table = open_file(database)
    mapped.close()
    for offset, length in zip(table["offset"].tolist(), table["length"].tolist(), strict=True):
        data[offset + length // 2] ^= 1
    file = tmp_path / "damaged.zdb"
    file.write_bytes(data)
    done = run(*words, str(file)) if words[0] == "db" else run(*words, "--database", str(file))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert re.search(rf"damaged in block \d of {header.blocks}", done.err)


@pytest.mark.parametrize(
    "words", [["best", "tictactoe"], ["solve", "tictactoe"], ["play", "tictactoe"], ["stats", "tictactoe"]], ids=" ".join
)
def test_a_database_of_other_rules_is_refused(run: Run, database: Path, words: list[str]) -> None:
    done = run(*words, "--database", str(database))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert f"was made for {GAME} with other rules" in done.err


def test_a_position_outside_is_named(run: Run, late: Path) -> None:
    done = run("db", "probe", str(late), "--position", "2")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "is not in" in done.err


def test_too_little_disk_is_said_before(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=1_000))
    done = run("solve", GAME, "--all", "--out", str(tmp_path / "x.zdb"))
    assert done.code == 2
    assert "kB of disk" in done.err.splitlines()[-1]
    assert not (tmp_path / "x.zdb").exists()


def test_a_damaged_file_is_named(run: Run, database: Path, tmp_path: Path) -> None:
    data = bytearray(database.read_bytes())
    data[-3] ^= 1
    (tmp_path / "x.zdb").write_bytes(data)
    done = run("db", "verify", str(tmp_path / "x.zdb"))
    assert done.code == 1
    assert "block 6 of 6" in done.out
    assert run("db", "verify", str(database), "--game", "tictactoe").code == 2


def test_export(run: Run, database: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    assert "6,027 rows" in run("db", "export", str(database), str(tmp_path / "x.parquet")).out


def test_stats_and_grundy(run: Run, tmp_path: Path) -> None:
    found = json.loads(run("stats", GAME, "--games", "20", "--json", "--plot", str(tmp_path / "x.svg")).out)
    assert sum(ply["positions"] for ply in found["plies"]) == found["positions"]
    assert (tmp_path / "x.svg").exists()
    assert "one good move" in run("stats", GAME, "--games", "20").out
    assert json.loads(run("grundy", "nim(heaps=(1,2))", "nim(heaps=(3,))", "--json").out)["grundy"] == 0
    assert "winning moves: 1-2" in run("grundy", "nim").out
    assert run("grundy", "nim", "--sequence", "4").out.split() == ["0", "1", "2", "3", "4"]
