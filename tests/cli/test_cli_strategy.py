"""`zermelo strategy` and `zermelo verify`."""

from pathlib import Path

import pytest
from command_line import Run


def test_a_strategy_is_made_saved_and_verified(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "nim.jsonl")
    made = run("strategy", "nim(heaps=(1, 2, 4))", "--out", file, "--json").data
    assert (made["payoff"], made["player"], made["against"], made["file"]) == (1, 0, "any", file)
    verdict = run("verify", file, "--json")
    assert verdict.code == 0
    assert verdict.data["holds"]
    assert verdict.data["same_rules"]
    assert verdict.data["unused"] == 0
    assert verdict.data["game"] == "nim(heaps=(1, 2, 4))"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nim",), "Left wins against every reply: 41 states with an action.\n"),
        (("tictactoe", "--against", "optimal"), "X holds the draw against every optimal reply: "),
        (("nim", "--player", "1"), "Right gets at least −1 against every reply: "),
    ],
)
def test_a_promise_is_told_in_words(run: Run, words: tuple[str, ...], sentence: str) -> None:
    done = run("strategy", *words)
    assert (done.code, done.out[: len(sentence)]) == (0, sentence)


def test_a_broken_promise_fails_with_the_moves_that_show_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ttt.jsonl"
    run("strategy", "tictactoe", "--out", str(file))
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"payoff": 0', '"payoff": 1'), encoding="utf-8")
    done = run("verify", str(file))
    assert done.code == 1
    assert "only 0 is sure, less than 1" in done.out
    assert "moves: " in done.out
    assert run("verify", str(file), "--json").data["line"]


def test_other_rules_and_lines_too_many_are_told(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "nim.jsonl"
    run("strategy", "nim", "--out", str(file))
    header, *lines = file.read_text(encoding="utf-8").splitlines()
    header = header.replace('"states": 41', '"states": 42').replace('"rules": "', '"rules": "0')
    file.write_text("\n".join([header, *lines, "[[[9,9,9],0],1]"]) + "\n", encoding="utf-8")
    done = run("verify", str(file))
    assert done.code == 0
    assert "The rules have changed since the strategy was made" in done.err
    assert "1 line of the file" in done.err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("verify", "nothing.jsonl"), "There is no file nothing.jsonl."),
        (("strategy", "kuhn"), "would see what is hidden"),
        (("strategy", "nim", "--player", "2"), "2 is not in the range 0<=x<=1"),
        (("strategy", "nim", "--out", "no/folder/nim.jsonl"), "there is no folder"),
        (("strategy", "nim", "--limit", "5"), "has more than 5 states"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, words: tuple[str, ...], part: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert part in done.err
    assert done.err.count("\n") == 1


def test_a_file_of_rules_is_not_run_on_the_word_of_a_data_file(run: Run, tmp_path: Path) -> None:
    rules, file = tmp_path / "mygame.py", tmp_path / "strategy.jsonl"
    rules.write_text((Path(__file__).parents[2] / "examples" / "mygame.py").read_text(encoding="utf-8"), encoding="utf-8")
    assert run("strategy", str(rules), "--out", str(file)).code == 0
    done = run("verify", str(file))
    assert done.code == 2
    assert "if you trust them, say so with --game" in done.err
    assert run("verify", str(file), "--game", str(rules)).code == 0


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("return float('nan')", "`utility` is nan"),
        ("SEEN.append(s); return len(SEEN)", "breaks a promise"),
    ],
)
def test_rules_that_break_promises_get_no_strategy(run: Run, tmp_path: Path, line: str, sentence: str) -> None:
    rules = [
        "from zermelo import Game",
        "SEEN = []",
        "class Coin(Game):",
        "    def start(self): return 0",
        "    def player(self, s): return 0",
    ]
    rules += [
        "    def actions(self, s): return [1, 2]",
        "    def result(self, s, a): return s + a",
        "    def terminal(self, s): return s > 2",
    ]
    file = tmp_path / "coin.py"
    file.write_text("\n".join([*rules, f"    def utility(self, s): {line}"]))
    done = run("strategy", str(file))
    assert done.code == 2
    assert sentence in done.err


WORDY = '''
from enum import Enum
from zermelo import CHANCE, Game

class Step(Enum):
    WALK = 1
    RUN = 2

class Race(Game):
    """Walk, run, or jump to a square; a coin decides who falls over a jump to (3, 3)."""
    payoffs = (-1, 1)
    def start(self): return (0, 0)
    def player(self, s): return CHANCE if s[0] == 9 else s[1]
    def actions(self, s): return [*Step, "wait", (3, 3)]
    def chances(self, s): return [("falls", 3), ("stands", 7)]
    def result(self, s, move):
        where, turn = s
        if move in ("falls", "stands"):
            return (10 if (move == "stands") == (turn == 0) else -10, turn)
        if move == (3, 3):
            return (9, turn)
        return (where + (1 if move == "wait" else move.value), 1 - turn)
    def terminal(self, s): return abs(s[0]) >= 3 and s[0] != 9
    def utility(self, s): return 0 if abs(s[0]) < 9 else (1 if s[0] > 0 else -1)
'''


@pytest.mark.parametrize("against", ["any", "optimal"])
def test_moves_of_any_kind_are_kept_by_name(run: Run, tmp_path: Path, against: str) -> None:
    """Enum members, texts and tuples; and a payoff of 2/5, which no float holds."""
    rules, file = tmp_path / "race.py", tmp_path / "race.strategy"
    rules.write_text(WORDY)
    assert run("strategy", str(rules), "--against", against, "--out", str(file)).code == 0
    assert '"(3, 3)"' in file.read_text()
    assert all(run("best", str(rules), "--position", move).out.startswith("(3, 3) is Min's best move") for move in ("WALK", "Step.WALK"))
    done = run("verify", str(file), "--game", str(rules))
    assert (done.code, done.out.split(":")[0]) == (0, "Verified")
    played = run("play", str(rules), "--seats", f"strategy({str(file)!r}),random", "--seed", "1")
    assert played.code == 0
    assert "plays (3, 3)" in played.out
