"""`zermelo check` and `zermelo warmup`."""

import os
from pathlib import Path

import pytest
from command_line import Run

LAWFUL = '''from dataclasses import dataclass
from typing import NamedTuple
from zermelo import Game

class Left(NamedTuple):
    left: int
    turn: int

@dataclass(frozen=True)
class Countdown(Game):
    """Take one or two; who takes the last wins."""
    size: int = 7
    payoffs = (-1, 1)
    def start(self): return Left(self.size, 0)
    def player(self, state): return state.turn
    def actions(self, state): return range(1, min(2, state.left) + 1)
    def result(self, state, action): return Left(state.left - action, 1 - state.turn)
    def terminal(self, state): return state.left == 0
    def utility(self, state): return 1 if state.turn == 1 else -1
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lawful.py").write_text(LAWFUL)
    (tmp_path / "rich.py").write_text(LAWFUL.replace("return 1 if", "return 5 if"))
    (tmp_path / "raising.py").write_text(LAWFUL.replace("state.left == 0", "1 // (state.left - 3) == 9 or state.left == 0"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_lawful_rules_give_0(run: Run, folder: Path) -> None:
    done = run("check", "lawful.py", "--backend", "reference")
    assert done.code == 0, done
    data = run("check", "lawful.py:Countdown(size=4)", "--json", "--backend", "reference", "--seed", "5").data
    assert data["lawful"] is True
    assert data["findings"] == []


def test_a_broken_promise_gives_1_and_the_shortest_way_to_it(run: Run, folder: Path) -> None:
    done = run("check", "rich.py:Countdown(size=3)", "--backend", "reference")
    assert done.code == 1
    assert "payoffs" in done.out
    assert "moves     1 1 1\n" in done.out  # the only way in which Max takes the last of three
    data = run("check", "rich.py:Countdown(size=2)", "--json", "--backend", "reference").data
    assert data["lawful"] is False
    assert data["findings"][0]["moves"] == ["2"]


def test_rules_that_raise_are_found_with_their_line(run: Run, folder: Path) -> None:
    done = run("check", "raising.py", "--backend", "reference")
    assert done.code == 1
    assert "raising.py:18" in done.out
    assert "Traceback" not in done.out + done.err


def test_a_tree_in_a_file_is_checked(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    file.write_text('{"root": {"player": "Max", "actions": {"Left": 1, "Right": 2}}}')
    assert run("check", str(file)).code == 0


@pytest.mark.slow
def test_warmup_fills_the_cache_once(process: Run, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    first = process("warmup", "nim(heaps=(1,2))", "--json", ZERMELO_CACHE=cache)
    assert first.code == 0, first.err
    assert [row["family"] for row in first.data["games"]] == ["perft", "alphabeta"]
    assert not any(row["from_cache"] for row in first.data["games"])
    assert list(Path(cache).iterdir())
    second = process("warmup", "nim(heaps=(1,2))", "kqj", ZERMELO_CACHE=cache)
    assert second.out.count("from the cache") == 2
    assert "kqj" in second.out
    assert "the reference backend runs it" in second.out


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_done_without(process: Run, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = process("best", "nim(heaps=(1,2))", "--backend", "compiled", "--json", ZERMELO_CACHE=str(blocked / "cache"))
    assert done.code == 0, done.err
    assert done.data["value"] == 1
    assert done.data["backend"] == "compiled"
    assert any("cache" in sentence and str(blocked) in sentence for sentence in done.data["notes"])
    assert blocked.read_text() == "not a folder"
    assert os.listdir(tmp_path) == ["file"]
