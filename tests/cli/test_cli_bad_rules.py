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
    ("result(self, s)", "return s", "takes 2 positional arguments but 3 were given"),
    ("bounds(self, s)", "return 7", "not two ints"),
    ("bounds(self, s)", "return (0, 0)", "the exact score is"),
    ("candidates(self, s)", "return [17]", "is not legal"),
    ("candidates(self, s)", "return [1]", "best is 2"),
    ("key(self, s)", "return [s.left]", "neither an int nor a tuple"),
    ("key(self, s)", "return s.left % 2", "as another one has"),
    ("order(self, s, a)", "return 'x'", "gave 'x' for 1"),
    ("evaluate(self, s)", "return math.nan", "gave nan"),
    ("canonical(self, s)", "return s", "not subscriptable"),
    ("tier(self, s)", "return s.left", "and 8 after 1"),
    ("utility(self, s)", "Take.asked = getattr(Take, 'asked', 0) + 1; return 1 if Take.asked % 12 else -1", "`utility` said"),
]
RARE = {  # wrong after eight ones alone, where hardly a random game comes
    "start(self)": "return (14, 0, 0)",
    "player(self, s)": "return s[1]",
    "actions(self, s)": "return [1, 2] if s[2] < 8 else 3",
    "result(self, s, a)": "return (s[0] - a, 1 - s[1], s[2] + 1 if a == 1 else -20)",
    "terminal(self, s)": "return s[0] <= 0",
    "utility(self, s)": "return 1",
}
CHANCY = {"player(self, s)": "return CHANCE if s.turn else 0", "result(self, s, a)": "return S(s.left - a, 1 - s.turn)"}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SECONDS", 1.0)


def rules(folder: Path, name: str, body: str, others: dict[str, str] = RULES) -> str:
    file = folder / "take.py"
    methods = others | {name: body}
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


@pytest.mark.parametrize("more", [[], ["--perfect-information"]], ids=str)
@pytest.mark.parametrize("name", ["b_infinite_grow", "b_infinite_loop"])
def test_best_says_at_once_that_play_need_not_end(run: Run, name: str, more: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.cli.commands.best.ENDLESS_SECONDS", 0.1)
    file = next(file for file in FILES if file.stem == name)
    done = run("best", str(file), "--json", *more)
    assert done.code == 0
    assert done.data["notes"][0].startswith("Take has no end in sight; give a depth")
    assert done.data["notes"][1] == "deepening looked ahead for 0.1 seconds; --time allows more."


@pytest.mark.parametrize(
    "words", [["equilibrium"], ["compare", "--depth", "2"], ["grundy"], ["games"], ["match", "random", "random", "--game"]]
)
@pytest.mark.parametrize("name", ["b_act_none", "b_act_dup", "b_bad_rep"])
def test_every_command_refuses_broken_promises(run: Run, name: str, words: list[str]) -> None:
    file = next(file for file in FILES if file.stem == name)
    options = words[1:] if words[-1] != "--game" else []
    done = run(words[0], str(file), *options) if options or len(words) == 1 else run(*words, str(file))
    assert done.code == 2
    assert "breaks a promise" in spoken(done)


@pytest.mark.parametrize(
    "words",
    [
        ["best", "--backend", "reference"],
        ["best"],
        ["equilibrium"],
        ["solve", "--all"],
        ["perft", "--depth", "10"],
        ["strategy"],
        ["stats"],
    ],
)
def test_a_promise_that_breaks_in_a_far_corner_is_told(run: Run, tmp_path: Path, words: list[str]) -> None:
    file = rules(tmp_path, "start(self)", RARE["start(self)"], RARE)
    done = run(words[0], file, *words[1:])
    assert done.code == 2
    assert "after 1 1 1 1 1 1 1 1: `actions` gave 3, which is not a list" in spoken(done)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("pass", "`chances` gave None"),
        ("return 3", "`chances` gave 3"),
        ("return [1, 2]", "not pairs"),
        ("return [(1, 0)]", "all weights are 0"),
    ],
)
def test_chances_that_are_none_are_told(run: Run, tmp_path: Path, body: str, said: str) -> None:
    assert said in spoken(run("best", rules(tmp_path, "chances(self, s)", body, RULES | CHANCY)))


def test_a_state_whose_hash_changes_is_told(run: Run, tmp_path: Path) -> None:
    file = Path(rules(tmp_path, "terminal(self, s)", RULES["terminal(self, s)"]))
    text = file.read_text().replace("    turn: int\n", "    turn: int\n    def __hash__(self): return random.randrange(10**9)\n")
    file.write_text(text)
    assert "the hash of the state" in spoken(run("best", str(file)))


def test_games_that_cannot_be_hashed_are_solved_whole(run: Run) -> None:
    file = next(file for file in FILES if file.stem == "b_notfrozen")
    assert spoken(run("solve", str(file), "--all")) is not None


def test_a_strategy_in_play_without_end_is_refused(run: Run) -> None:
    file = next(file for file in FILES if file.stem == "b_negative")
    assert "has more than 2,000 states" in spoken(run("strategy", str(file), "--limit", "2000"))


def test_numbers_of_thousands_of_digits_are_no_fault_of_ours(run: Run, tmp_path: Path) -> None:
    doubling = RULES | {"start(self)": "return S(9**999, 0)", "terminal(self, s)": "return False"}
    spoken(
        run(
            "check",
            rules(tmp_path, "result(self, s, a)", "return S(s.left ** (a + 1), 1 - s.turn) if s.left < 9**5000 else None", doubling),
        )
    )


@pytest.mark.slow
def test_states_that_grow_do_not_exhaust_the_stack(run: Run, tmp_path: Path) -> None:
    growing = RULES | {"start(self)": "return S('x', 0)", "actions(self, s)": "return [1, 2]", "terminal(self, s)": "return False"}
    done = run("equilibrium", rules(tmp_path, "result(self, s, a)", "return S(s.left + 'x' * a, 1 - s.turn)", growing))
    assert done.code == 2
    assert "may go on without end" in spoken(done)
