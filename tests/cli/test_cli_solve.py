"""`zermelo solve`: the fields that other tools read, limits, and what is refused."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Run, wait_until_it_has_worked

FIELDS = {"value", "action", "actions", "scores", "distances", "distance", "line", "exact", "bounds", "nodes", "seconds", "questions"}


def test_a_proof_has_the_fields_of_best(run: Run) -> None:
    data = run("solve", "tictactoe", "--position", "0", "--json").data
    assert set(data) >= FIELDS
    best = run("best", "tictactoe", "--position", "0", "--json", "--backend", "reference").data
    for name in ("value", "action", "actions", "scores", "distances", "distance", "exact", "bounds"):
        assert data[name] == best[name]
    assert data["exact"] is True
    assert len(data["line"]) == 8


def test_a_weak_proof_says_who_wins_and_no_more(run: Run) -> None:
    data = run("solve", "tictactoe", "--position", "013", "--weak", "--json").data
    assert (data["value"], data["exact"], data["distance"], data["weak"]) == (1, True, None, True)
    assert set(data["distances"].values()) == {None}


def test_the_value_without_the_distance(run: Run) -> None:
    data = run("solve", "tictactoe", "--position", "013", "--no-distance", "--json").data
    assert (data["value"], data["exact"], data["distance"]) == (1, True, None)
    assert set(data["distances"].values()) == {None}
    assert len(data["line"]) in (4, 6)
    done = run("solve", "tictactoe", "--all", "--no-distance")
    assert (done.code, "leave it or --all out" in done.err) == (2, True)


def test_a_table_of_proofs_is_kept_in_a_file(run: Run, tmp_path: Path) -> None:
    words = ("solve", "tictactoe", "--plain", "--memory", "1M", "--json", "--table", str(tmp_path / "proofs"))
    first, second = run(*words).data, run(*words).data
    assert second["value"] == first["value"] == 0
    assert second["nodes"] < first["nodes"] / 10
    for more, part in ((["--memory", "2M"], "ask for as much memory"), (["--method", "pns"], "Proof numbers are not kept")):
        done = run(*words, *more)
        assert (done.code, part in done.err) == (2, True)
    (tmp_path / "words").write_text("not a table", encoding="utf-8")
    done = run("solve", "tictactoe", "--table", str(tmp_path / "words"))
    assert (done.code, "not a table of Zermelo's" in done.err) == (2, True)


def test_plain_leaves_the_other_moves_alone(run: Run) -> None:
    data = run("solve", "tictactoe", "--position", "013", "--plain", "--threads", "2", "--json").data
    assert (data["value"], data["distance"], data["scores"]) == (1, 4, {})
    assert data["actions"] == [data["action"]]


def test_words_for_people(run: Run) -> None:
    done = run("solve", "tictactoe", "--position", "0314")
    assert done.code == 0
    assert "2 is X's best move: X wins in 1 (exact)" in done.out
    over = run("solve", "tictactoe", "--position", "03142")
    assert "The game is over: X wins" in over.out


def test_a_limit_leaves_what_is_proven(run: Run) -> None:
    done = run("solve", "tictactoe", "--nodes", "50", "--json")
    assert (done.code, done.data["exact"], done.data["nodes"], done.data["bounds"]) == (0, False, 50, [-1, 1])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nochess"], "There is no game"),
        (["pig"], "zermelo best pig"),
        (["tictactoe", "--threads", "0"], "--threads"),
        (["tictactoe", "--nodes", "0"], "--nodes"),
        (["tictactoe", "--time", "-1"], "--time"),
        (["tictactoe", "--position", "00"], "0"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, words: list[str], sentence: str) -> None:
    done = run("solve", *words)
    assert done.code == 2
    assert sentence in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("words", [["kuhn"], ["rps"], ["threenim((1,2,3))"], ["hanoi(discs=2)", "--all"]])
def test_a_refusal_names_a_command_that_works(run: Run, words: list[str]) -> None:
    refusal = run("solve", *words)
    assert refusal.code == 2
    advised = shlex.split(refusal.err.partition("zermelo ")[2].partition(" finds")[0].partition(" shows")[0])
    assert run(*advised).code == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are sent another way there")
def test_ctrl_c_prints_what_is_proven() -> None:
    command = [sys.executable, "-m", "zermelo", "solve", "connect4", "--json"]
    subprocess.run([*command, "--nodes", "10"], check=True, capture_output=True)  # compiled from here on
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until_it_has_worked(process, 4)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    assert process.returncode == 130
    assert '"exact": false' in out
