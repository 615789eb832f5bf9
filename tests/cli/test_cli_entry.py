"""The door: exit codes, one sentence for bad input, and nothing heavy loaded for a word of help."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from command_line import Run, wait_until_it_has_worked

from zermelo.cli import main

RULES = '''from dataclasses import dataclass
from zermelo import Game

@dataclass(frozen=True)
class Faulty(Game):
    """Counts to three, and stumbles at two."""
    def start(self): return 0
    def player(self, state): return state % 2
    def actions(self, state): return [1]
    def result(self, state, action):
        if state == 2:
            raise KeyError("stumbled")
        return state + action
    def terminal(self, state): return state == 3
    def utility(self, state): return 1
'''

BAD = [
    # words, part of the one sentence
    (["gmes"], "There is no command gmes: did you mean games?"),
    (["games", "conect4"], "There is no game conect4: did you mean connect4?"),
    (["best", "connect4(widht=5)"], "connect4 has no parameter widht: did you mean width?"),
    (["best", "connect4(width=0)"], "at least 1 × 1"),
    (["best", "connect4", "--position", "4444444"], "Move 7, 4, is not possible any more"),
    (["best", "tictactoe", "--position", "031425"], "comes too late: the game was over after move 5"),
    (["best", "tictactoe", "--position", "hello"], "Move 1, h, is not possible here"),
    (["best", "tictactoe", "--position", "X X X 3 4 5 6 7 8"], "no game leads to it"),
    (["best", "tictactoe", "--depth", "-1"], "-1 is not in the range"),
    (["best", "tictactoe", "--depth", "x"], "'x' is not a valid integer"),
    (["best", "tictactoe", "--engine", "alphabet"], "'alphabet' is not one of"),
    (["best", "tictactoe", "--time", "0"], "0"),
    (["best", "tictactoe", "--memory", "lots"], "'lots' is not an amount of memory"),
    (["best", "tictactoe", "--wrong"], "No such option"),
    (["best", "nowhere.py"], "There is no file nowhere.py"),
    (["best", "nowhere.json"], "There is no file nowhere.json"),
    (["best", "kuhn", "--engine", "ismcts"], "Chance moves here: give ismcts a position in which a player moves, such as"),
    (["best", "kuhn", "--engine", "alphabeta"], "`equilibrium` and `ismcts`"),
    (["best"], "Missing argument 'GAME'"),
    (["best", "tictactoe", "--engine", "backward", "--depth", "3"], "The algorithm backward has no parameter depth"),
    (["best", "threenim", "--engine", "alphabeta"], "needs two players with a constant sum"),
    (["best", "pig", "--engine", "alphabeta", "--backend", "reference"], "chance moves in Pig"),
    (["perft", "tictactoe"], "Missing option '--depth'"),
    (["perft", "tictactoe", "--depth", "-2"], "-2 is not in the range"),
    (["compare", "kuhn"], "zermelo match --game kuhn ismcts determinized compares players"),
    (["compare", "tictactoe", "--engines", "minmax"], "did you mean minimax?"),
    (["compare", "tictactoe", "--plot", "nowhere/figure.png"], "cannot be written: there is no folder nowhere"),
    (["compare", "tictactoe", "--plot", "figure.xyz"], "give it an ending such as .png"),
    (["play", "tictactoe", "--seats", "humn"], "There is no player humn: did you mean human?"),
    (["play", "tictactoe", "--seats", "random,random,random"], "3 seats are given, but the game has 2."),
    (["play", "pig", "--seats", "alphabeta", "--backend", "reference"], "chance moves in Pig"),
    (["check", "nowhere.py"], "There is no file nowhere.py"),
    (["warmup", "conect4"], "did you mean connect4?"),
    (["tree", "kqj", "--svg", "nowhere/tree.svg"], "cannot be written: there is no folder nowhere"),
]


@pytest.mark.parametrize(("words", "part"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_bad_input_gets_one_sentence_and_code_2(run: Run, words: list[str], part: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert part in done.err
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    assert done.out == ""


@pytest.mark.parametrize("command", [["best"], ["perft", "--depth", "5"], ["tree"], ["games"], ["play", "--seats", "random,random"]])
def test_rules_that_raise_are_named_with_file_and_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    (tmp_path / "faulty.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    done = run(command[0], "faulty.py", *command[1:])
    assert done.code == 2
    assert "faulty.py:12: the rules raise in result: KeyError: 'stumbled'." in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "words", [["--help"], ["-h"], [], ["best", "--help"], ["play", "--help"], ["--version"], ["games"], ["compare", "-h"]]
)
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys\nfrom zermelo.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n"
        "    print([end.code, *(name for name in ('llvmlite', 'numpy', 'scipy', 'matplotlib') if name in sys.modules)], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[0]"
    assert done.stdout


def test_the_list_of_commands_says_what_each_command_says_of_itself(run: Run) -> None:
    lines = dict(line.split(maxsplit=1) for line in run("--help").out.partition("Commands:")[2].strip().splitlines())
    names = main.list_commands(click.Context(main))
    assert sorted(lines) == sorted(names)
    for name in names:
        said = main.get_command(click.Context(main), name).get_short_help_str(500)
        assert said.startswith(lines[name].rstrip("."))


@pytest.mark.parametrize(
    "words",
    ["--help", "best --help", "games", "games tictactoe", "play othello --seats random,random --seed 1", "tree tictactoe --depth 2 --json"],
)
def test_a_reader_that_has_seen_enough_is_no_error(words: str) -> None:
    command = f"{sys.executable} -m zermelo {words} | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")


def test_a_terminal_without_unicode_is_served_too(process: Run) -> None:
    words = process("tree", "kqj", PYTHONIOENCODING="latin-1")
    assert words.code == 0, words.err
    assert "`-- CALL: E5" in words.out
    assert "value: ?1 for Max (exact)" in words.out
    assert process("best", "kqj", PYTHONIOENCODING="latin-1").code == 0
    data = process("tree", "tictactoe", "--position", "0123", "--engine", "alphabeta", "--json", PYTHONIOENCODING="latin-1")
    assert data.data["result"]["value"] == 1


def test_a_file_that_takes_long_to_load_is_named(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("zermelo.cli.entry.SLOW_LOADING", 0.05)
    file = tmp_path / "endless.py"
    text = "import time, zermelo.cli.entry\nzermelo.cli.entry.tell_slow_loading()  # however late it is already\ntime.sleep(1)\n"
    file.write_text(text + "raise KeyboardInterrupt\n", encoding="utf-8")
    done = run("best", str(file))
    assert done.code == 130
    assert "Still loading: " in done.err
    assert "endless.py:3 is running. Ctrl-C stops it." in done.err
    assert "endless.py:4, while the file was being loaded." in done.err


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process; Ctrl-C there is the same KeyboardInterrupt")
@pytest.mark.parametrize("limits", [[], ["--plain"], ["--time", "600"]])
def test_ctrl_c_prints_the_best_so_far(limits: list[str]) -> None:
    words = [sys.executable, "-m", "zermelo", "best", "connect4", "--backend", "reference", "--json", *limits]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until_it_has_worked(process, 3)  # any moment after the start will do: the search takes years
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    data = json.loads(out)
    assert data["exact"] is False
    assert data["action"] in data["scores"] if limits != ["--plain"] else data["scores"] == {}  # one search from the root scores no move
    assert data["depth"] > 1
    assert data["stopped"] == "interrupted"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process; Ctrl-C there is the same KeyboardInterrupt")
def test_ctrl_c_while_rules_are_compiled_is_answered_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.compiler import game
    from zermelo.play import small_trees

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(game, "compiled_game", interrupt)
    monkeypatch.setattr(small_trees, "SMALL_TREE", 0)
    done = run("best", "tictactoe", "--position", "0314", "--json")
    assert done.code == 130
    assert done.data["action"] == "2"
    assert (done.data["stopped"], done.data["notes"]) == ("interrupted", [])
    stopped = run("play", "tictactoe", "--seats", "alphabeta,random")
    assert stopped.code == 130


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to end by")
def test_ctrl_c_in_text_that_is_executed_gives_the_exit_code_too(process: Run, tmp_path: Path) -> None:
    file = tmp_path / "interrupted.py"
    file.write_text('exec("raise KeyboardInterrupt")\n', encoding="utf-8")
    done = process("best", str(file))
    assert done.code == 130
    assert done.err.strip().endswith("interrupted.py:1, while the file was being loaded.")
