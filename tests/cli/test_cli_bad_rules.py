"""Rules with something wrong in them: `check`, `best`, `solve` and `play` give one sentence or a right answer, and come to an end."""

import time
from pathlib import Path

import pytest
from command_line import Done, Run

from zermelo.check import patience

FILES = sorted((Path(__file__).parents[1] / "corpus" / "bad_rules").glob("*.py"))

HEAD = """import math, random, sys
from typing import NamedTuple
from zermelo import CHANCE, Game

class S(NamedTuple):
    left: int
    turn: int

class Take(Game):
    "Take one or two; who takes the last wins."
"""
RULES = {
    "start(self)": "return S(9, 0)",
    "player(self, s)": "return s.turn",
    "actions(self, s)": "return [a for a in (1, 2) if a <= s.left]",
    "result(self, s, a)": "return S(s.left - a, 1 - s.turn)",
    "terminal(self, s)": "return s.left == 0",
    "utility(self, s)": "return 1 if s.turn == 1 else -1",
}
LOOP = "while s.left == 3: pass\n        return S(s.left - a, 1 - s.turn)"
ENDLESS = "a = 1\n        while True:\n            yield a\n            a += 1"

# what is written instead of one rule, or beside them → a part of the sentence that `best` gives
LATE_FAULTS = [
    ("result(self, s, a)", "return S(s.left - a, 1 - s.turn) if s.left > 3 else None", "'NoneType' object has no attribute 'left'"),
    ("utility(self, s)", "return math.nan", "`utility` is nan"),
    ("utility(self, s)", "return math.inf", "`utility` is inf"),
    ("utility(self, s)", "return 10**400", "`utility` is 1000"),
    ("utility(self, s)", "return 1j", "`utility` is 1j"),
    ("utility(self, s)", "return (1, -1, 0)", "3 payoffs for 2 players"),
    ("utility(self, s)", "return random.random()", "`utility` said"),
    ("actions(self, s)", ENDLESS, "more than 100,000 moves"),
    ("actions(self, s)", "return range(10**9)", "more than 100,000 moves"),
    ("actions(self, s)", "return [[1]] if s.left == 3 else [1]", "cannot be hashed"),
    ("actions(self, s)", "return self.actions(s)", "RecursionError"),
    ("terminal(self, s)", "return s.left == 0 if s.left > 2 else 1 // 0", "ZeroDivisionError"),
    ("player(self, s)", "return 7 if s.left == 3 else s.turn", "`player` is 7"),
    ("player(self, s)", "return CHANCE", "has no `chances(state)`"),
    ("result(self, s, a)", "sys.exit(3)", "SystemExit: 3"),
    ("result(self, s, a)", LOOP, "did not answer"),
    ("information(self, s, player)", "return [s.left]", "neither an int nor a tuple"),
    ("name(self, s, a)", "return {1: 'one'}[a]", "KeyError: 2"),
]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SECONDS", 1.0)


def rules(folder: Path, name: str, body: str) -> str:
    file = folder / "take.py"
    methods = RULES | {name: body}
    file.write_text(HEAD + "".join(f"    def {name}:\n        {body}\n" for name, body in methods.items()))
    return str(file)


def spoken(done: Done) -> str:
    """What a command said on stderr, as long as it ended well or in one sentence."""
    assert done.code in (0, 1, 2), done
    assert "fault of ours" not in done.err
    assert done.code != 2 or len(done.err.strip().splitlines()) == 1, done.err
    return done.err


@pytest.mark.parametrize(("name", "body", "said"), LATE_FAULTS)
def test_a_fault_far_from_the_start_is_a_sentence(run: Run, tmp_path: Path, name: str, body: str, said: str) -> None:
    file = rules(tmp_path, name, body)
    assert said in spoken(run("best", file))
    report = run("check", file)
    spoken(report)
    assert report.code == 1 or said in report.err


@pytest.mark.parametrize("command", [["check"], ["best", "--time", "1"]])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_bad_file_is_answered(run: Run, file: Path, command: list[str]) -> None:
    spoken(run(command[0], str(file), *command[1:]))


@pytest.mark.slow
@pytest.mark.parametrize("command", [["solve", "--time", "1"], ["play", "--seats", "random,random"]])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_bad_file_is_solved_and_played_or_refused(run: Run, file: Path, command: list[str]) -> None:
    spoken(run(command[0], str(file), *command[1:]))


def test_check_stops_when_its_time_is_over(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = rules(tmp_path, "terminal(self, s)", "return s.left == 0")
    clock = iter(range(0, 10**6, 10))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    done = run("check", file, "--time", "35")
    assert done.code == 0
    assert "looked at   3 states" in done.out
    assert "--time gives more" in done.out


@pytest.mark.parametrize("name", ["b_infinite_grow", "b_infinite_loop"])
def test_best_says_at_once_that_play_need_not_end(run: Run, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.cli.commands.best.ENDLESS_SECONDS", 0.1)
    file = next(file for file in FILES if file.stem == name)
    done = run("best", str(file), "--json")
    assert done.code == 0
    assert done.data["notes"][0].startswith("Take has no end in sight; give a depth")
    assert done.data["notes"][1] == "deepening looked ahead for 0.1 seconds; --time allows more."
