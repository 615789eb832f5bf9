"""Compiled code that is wrong, made so on purpose: whoever relies on it notices, and says where."""

import ast
import re
from pathlib import Path

import pytest
from command_line import Run

from zermelo.compiler import game, source
from zermelo.registry import find
from zermelo.solve.strong import StrongSolver

CLIMB = '''
from dataclasses import dataclass
from typing import NamedTuple
from zermelo import Game

class S(NamedTuple):
    height: int
    side: int
    turn: int
    over: int

@dataclass(frozen=True)
class Climb(Game):
    """Climb on one of several paths, or stop and lose: hardly a random game comes to the top, where the first player wins."""
    top: int = 30
    paths: int = 16
    payoffs = (-1, 1)
    def start(self): return S(0, 0, 0, 0)
    def player(self, s): return s.turn
    def actions(self, s):
        if not s.over:
            yield from range(3)
    def result(self, s, action):
        if action == 0:
            return S(s.height, s.side, 1 - s.turn, 1)
        return S(s.height + 1, (s.side * action + 1) % self.paths, 1 - s.turn, 1 if s.height + 1 >= self.top else 0)
    def terminal(self, s): return s.over == 1
    def utility(self, s):
        if s.height < self.top:
            return -1 if s.turn == 1 else 1
        return 1 if s.height == TOP else -1

TOP = 30
'''


@pytest.fixture
def wrong(unseen: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of rules whose `==` in `utility` is compiled as `!=`, which nobody notices before a search."""
    monkeypatch.setattr(game, "LONG_GAMES", 0)
    return unseen


@pytest.fixture
def unseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same, before its first use."""
    mangled = source.mangled

    def inverted(node: source.Definition, qualname: str) -> source.Definition:
        found = mangled(node, qualname)
        if qualname == "Climb.utility":
            for part in ast.walk(found):
                if isinstance(part, ast.Compare) and "TOP" in ast.unparse(part):
                    part.ops[0] = ast.NotEq()
        return found

    monkeypatch.setattr(source, "mangled", inverted)
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "climb.py"
    file.write_text(CLIMB)
    return str(file)


def assert_named(text: str) -> None:
    """It is called our bug, with a state."""
    text = " ".join(text.split())
    assert "bug in Zermelo" in text
    assert re.search(r"S\(height=\d+, side=\d+", text)


@pytest.mark.parametrize("paths", [16, 1])
@pytest.mark.parametrize("command", [["best"], ["best", "--time", "9"], ["solve"], ["solve", "--weak"], ["solve", "--all"]])
def test_answers_notice(run: Run, wrong: str, command: list[str], paths: int) -> None:
    done = run(command[0], f"{wrong}(paths={paths})", *command[1:], "--json")
    assert done.data["value"] == 1
    assert_named(" ".join(done.data["notes"]))


@pytest.mark.parametrize(
    "command",
    [["perft", "--depth", "9"], ["best", "--engine", "mcts"], ["equilibrium", "--method", "mccfr", "--iterations", "2"]],
)
def test_first_use_notices(run: Run, unseen: str, command: list[str]) -> None:
    """Rules are compared with their compiled form in games that go on for as long as they can, whatever is asked."""
    assert_named(" ".join(run(command[0], f"{unseen}(top=12)", *command[1:], "--json").data["notes"]))


def test_check_notices(run: Run, wrong: str) -> None:
    done = run("check", wrong)
    assert done.code == 1
    assert_named(done.out)


@pytest.mark.parametrize("paths", [16, 1])
def test_verification_notices(run: Run, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: int) -> None:
    """A database that was written unseen."""
    monkeypatch.setattr(StrongSolver, "contradiction", lambda *asked: None)
    file = str(tmp_path / "climb.zdb")
    assert run("solve", f"{wrong}(paths={paths})", "--all", "--out", file, "--json").data["value"] == -1
    done = run("db", "verify", file)
    assert done.code == 1
    assert_named(done.out)


def test_work_in_files_notices(wrong: str) -> None:
    result = StrongSolver(resident=False).solve(find(f"{wrong}(paths=16)"))
    assert result.value == 1
    assert_named(" ".join(result.notes))
