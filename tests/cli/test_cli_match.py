"""`zermelo match`."""

import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from command_line import Run

PLAYERS = ("minimax(depth=3,backend='reference')", "random")
NIM = ("--game", "nim", "--games", "6", "--plies", "2", "--seed", "3")


def test_a_match_tells_its_figures(run: Run, tmp_path: Path) -> None:
    file, plot = str(tmp_path / "match.db"), str(tmp_path / "match.png")
    done = run("match", *PLAYERS, *NIM, "--out", file, "--plot", plot)
    assert done.code == 0
    assert done.out.startswith("minimax(depth=3, backend='reference') against random: won ")
    assert "Elo (95 %: " in done.out
    assert "6 games of nim, pairs with sides swapped" in done.out
    assert (tmp_path / "match.png").read_bytes()[:4] == b"\x89PNG"
    shown = run("match", "--out", file)
    assert shown.out == done.out
    replay = run("match", "--out", file, "--replay", "2")
    assert replay.out.startswith("Game 2: Left is random, Right is minimax(depth=3, backend='reference').\nopening: ")
    assert "wins.\n" in replay.out
    assert run("match", "--out", file, "--replay", "2", "--json").data["number"] == 2


def test_json_has_everything(run: Run) -> None:
    data = run("match", *PLAYERS, *NIM, "--sprt", "0,400", "--json").data
    assert data["players"] == ["minimax(depth=3, backend='reference')", "random"]
    assert data["duel"]["pairs"] == 3
    assert data["sprt"]["high"] == 400
    assert {"standings", "cross_table", "forfeits", "stopped", "games", "game"} <= data.keys()


def test_three_players_get_a_cross_table(run: Run, tmp_path: Path) -> None:
    done = run("match", *PLAYERS, "minimax(depth=1,backend='reference')", *NIM, "--plot", str(tmp_path / "table.svg"))
    assert "better than the next" in done.out
    assert "18 games of nim" in done.out


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ((), "Who plays?"),
        (("random", "minimax"), "What do they play?"),
        (("random", "minimax", "--game", "nim", "--games", "5"), "an even number"),
        (("random", "minimx", "--game", "nim"), "did you mean minimax?"),
        (("random", "minimax", "--game", "nim", "--sprt", "much"), "is not a pair of differences in Elo"),
        (("random", "minimax", "--game", "nim", "--sprt", "5,5"), "the smaller first"),
        (("--out", "nothing.db"), "There is no file nothing.db"),
        (("random", "minimax", "--game", "nim", "--out", "no/folder/x.db"), "there is no folder"),
        (("random", "minimax", "--game", "nim", "--plot", "match.txt"), "cannot be written as match.txt"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, words: tuple[str, ...], part: str) -> None:
    done = run("match", *words)
    assert done.code == 2
    assert part in done.err
    assert done.err.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_played_and_the_match_goes_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.db"
    players = ("minimax(depth=4,backend='reference')", "minimax(depth=3,backend='reference')")
    words = ("match", *players, "--game", "connect4(width=5,height=5)", "--games", "500", "--workers", "2", "--out", str(file))
    with subprocess.Popen([sys.executable, "-m", "zermelo", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 120
        while games_in(file) < 3:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "games of connect4(width=5,height=5)" in out
    assert "Traceback" not in err
    assert run("match", "--out", str(file), "--json").data["games"] == games_in(file) >= 3


def games_in(file: Path) -> int:
    """How many games a file has by now."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:  # not there yet
        return 0


def test_a_file_of_rules_is_not_run_on_the_word_of_a_file_of_results(run: Run, tmp_path: Path) -> None:
    rules, file = tmp_path / "mygame.py", str(tmp_path / "match.db")
    rules.write_text((Path(__file__).parents[2] / "examples" / "mygame.py").read_text(encoding="utf-8"), encoding="utf-8")
    assert run("match", *PLAYERS, "--game", str(rules), "--games", "2", "--plies", "1", "--out", file).code == 0
    for words in (("--out", file), ("--out", file, "--replay", "1")):
        assert "if you trust them, say so with --game" in run("match", *words).err
        assert run("match", *words, "--game", str(rules)).code == 0
