"""Databases on the command line: damaged files, options that do nothing, files that would replace themselves."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Run

from zermelo.play.setup import open_game
from zermelo.solve.data_folder import damaged_databases, database_of
from zermelo.solve.database_oracle import oracle_of
from zermelo.solve.game_statistics import plain_database_of

GAME = "nim(heaps=(1,2))"


@pytest.fixture
def database(run: Run, tmp_path: Path) -> Path:
    file = tmp_path / "nim.zdb"
    assert run("solve", GAME, "--all", "--backend", "reference", "--out", str(file)).code == 0
    return file


@pytest.mark.parametrize(
    "options",
    [
        ("--time", "1"),
        ("--nodes", "5"),
        ("--weak",),
        ("--textbook",),
        ("--method", "pns"),
        ("--perfect-information",),
        ("--no-database",),
        ("--database", "x"),
    ],
    ids=" ".join,
)
def test_what_belongs_to_one_proof_is_refused(run: Run, options: tuple[str, ...]) -> None:
    done = run("solve", GAME, "--all", *options)
    assert (done.code, done.out) == (2, "")
    assert f"{options[0]} belongs to the proof of one position" in done.err


def test_a_cut_file_fails_its_verification(run: Run, database: Path) -> None:
    database.write_bytes(database.read_bytes()[:-3])
    done = run("db", "verify", str(database), "--json")
    assert done.code == 1
    assert json.loads(done.out)["fault"]
    assert run("db", "verify", str(database)).out.startswith("wrong: ")


@pytest.mark.parametrize("words", [("book", "--plies", "1"), ("export",)], ids=lambda words: words[0])
def test_a_file_does_not_replace_itself(run: Run, database: Path, words: tuple[str, ...]) -> None:
    before = database.read_bytes()
    done = run("db", words[0], str(database), str(database), *words[1:])
    assert done.code == 2
    assert "name another file to write" in done.err
    assert database.read_bytes() == before


def test_the_engine_database_searches_to_the_positions_of_a_named_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "late.zdb"
    run("solve", GAME, "--all", "--backend", "reference", "--position", "2-1", "--out", str(file))
    done = run("best", GAME, "--engine", "database", "--database", str(file), "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["exact"]


def test_words_tell_how_a_draw_comes_about(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "pong.zdb"
    run("solve", "ponghauki", "--all", "--backend", "reference", "--out", str(file))
    assert "draw by play without end (exact)" in run("best", "ponghauki", "--database", str(file)).out


def test_a_book_of_a_small_game_tells_ties_from_endless_play(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "book.zdb"
    assert run("db", "book", "ponghauki", str(file), "--plies", "2").code == 0
    told = run("db", "info", str(file)).out
    assert "White wins" in told
    assert "endless 5" in told


def test_a_damaged_file_that_nobody_named_is_told_and_left_aside(run: Run, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(database.parent))
    assert "(database, reference)" in run("best", GAME).out
    whole = database.read_bytes()
    database.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    done = run("best", GAME, "--backend", "reference")
    assert done.code == 0
    assert "is damaged in block 1 of 1" in done.err
    assert "(database" not in done.out
    assert run("best", GAME, "--database", str(database)).code == 2


def flip_last(file: Path) -> None:
    """One bit of the last block."""
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))


def cut_last(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


DAMAGES = pytest.mark.parametrize(
    ("damage", "words"), [(flip_last, "is damaged in block 1 of 1"), (cut_last, "has been cut")], ids=["a bit", "cut"]
)


@DAMAGES
@pytest.mark.parametrize("seats", [(), ("--seats", "deepening")], ids=["nobody named", "deepening"])
def test_play_goes_on_without_a_damaged_file(
    run: Run, database: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None], words: str, seats: tuple[str, ...]
) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(database.parent))
    assert run("play", GAME, *seats, "--backend", "reference").err == ""
    damage(database)
    done = run("play", GAME, *seats, "--backend", "reference")
    assert done.code == 0, done.err
    assert words in done.err
    assert len(done.err.splitlines()) == 1
    assert "database" not in done.out
    assert "Left wins" in done.out


@DAMAGES
def test_an_engine_and_a_learner_name_a_damaged_file(
    run: Run, database: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None], words: str
) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(database.parent))
    damage(database)
    for command in (("uci", GAME), ("learn", GAME, "--games", "1", "--backend", "reference")):
        assert words in run(*command, input="quit\n").err


def test_the_workbench_names_files_that_it_cannot_use(run: Run, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(database.parent))
    monkeypatch.setattr("zermelo.web.server.serve", lambda *asked: None)
    assert run("web", "--no-browser").err == ""
    database.write_bytes(b"\0" + database.read_bytes()[1:])
    assert "is not a database of Zermelo" in run("web", "--no-browser").err


@DAMAGES
def test_statistics_are_told_without_a_damaged_file(
    run: Run, database: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None], words: str
) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(database.parent))
    whole = run("stats", GAME, "--games", "10")
    assert whole.err == ""
    damage(database)
    done = run("stats", GAME, "--games", "10")
    assert words in done.err
    assert len(done.err.splitlines()) == 1
    assert done.out == whole.out
    assert run("stats", GAME, "--games", "10", "--no-database").err == ""


def test_who_asks_for_a_damaged_file_is_told(run: Run, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(database.parent))
    flip_last(database)
    for words in (["--database", str(database)], ["--seats", "database"]):
        done = run("play", GAME, *words)
        assert done.code == 2
        assert "is damaged in block 1 of 1" in done.err.splitlines()[-1]


def test_another_database_serves_in_place_of_a_damaged_one(run: Run, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(database.parent))
    shutil.copy(database, database.with_name("other.zdb"))
    flip_last(database)
    assert "Left (database) plays" in run("play", GAME).out
    game = open_game(GAME)
    assert database_of(game) == database.with_name("other.zdb")
    assert plain_database_of(game) in (None, database.with_name("other.zdb"))
    flip_last(database.with_name("other.zdb"))
    assert (database_of(game), plain_database_of(game), oracle_of(game)) == (None, None, None)
    assert len(damaged_databases(game)) == 2


@pytest.mark.parametrize("words", [("best", "--engine", "deepening"), ("solve", "--weak"), ("solve",)], ids=" ".join)
def test_a_search_goes_on_without_a_file_that_is_damaged_elsewhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """The position's own block is whole, or the position is in none."""
    game, file = "connect4(width=4,height=3)", tmp_path / "late.zdb"
    assert run("solve", game, "--all", "--position", "23", "--out", str(file)).code == 0
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    flip_last(file)
    done = run(words[0], game, *words[1:])
    assert done.code == 0, done.err
    assert "is damaged in block" in done.err
