"""Games in files: found again by other processes, and read again where a file has changed."""

import copy
import multiprocessing
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from zermelo.errors import ZermeloError
from zermelo.games.nim import Nim
from zermelo.registry import find
from zermelo.registry.rules_file import module_name, module_path
from zermelo.rules import Action, Game, State
from zermelo.runtime.identity import rules_hash
from zermelo.solve.strong import StrongSolver

TAKE = '''"""Players take turns to take counters; who takes the last wins."""
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple
from zermelo import Game
from most_of_take import MOST

class Side(Enum):
    LEFT = 1

class Left(NamedTuple):
    left: int
    turn: int

@dataclass(frozen=True)
class Take(Game):
    counters: int = 7
    def start(self): return Left(self.counters, 0)
    def player(self, state): return state.turn
    def actions(self, state): yield from range(1, min(MOST, state.left) + 1)
    def result(self, state, action): return Left(state.left - action, 1 - state.turn)
    def terminal(self, state): return state.left == 0
    def utility(self, state): return 1 if state.turn == 1 else -1

class Misere(Take):
    def utility(self, state): return -super().utility(state)
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "of my own, 1.0 %2F ü"
    folder.mkdir()
    (folder / "most_of_take.py").write_text("MOST = 2\n")
    (folder / "take.py").write_text(TAKE)
    return folder / "take.py"


@pytest.fixture(scope="module")
def spawned() -> Iterator[ProcessPoolExecutor]:
    """A process that begins with nothing of this one."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


def after(game: Game, state: State, *actions: Action) -> tuple[Game, State]:
    """The game as it came, and the state after actions."""
    for action in actions:
        state = game.result(state, action)
    return game, state


def test_a_spawned_process_plays_a_game_of_a_file(file: Path, spawned: ProcessPoolExecutor) -> None:
    for text in (f"{file}:Take(counters=5)", f"{file}:Misere"):
        game = find(text)
        returned, state = spawned.submit(after, game, game.start(), 1, 2).result()
        assert returned == game
        assert (type(state), state) == (type(game.start()), after(game, game.start(), 1, 2)[1])


def test_classes_and_members_of_a_file_are_pickled(file: Path) -> None:
    game = find(f"{file}:Take")
    module = sys.modules[type(game).__module__]
    for each in (game, game.start(), type(game), module.Side.LEFT, type(game).utility):
        assert pickle.loads(pickle.dumps(each)) == each
    assert copy.deepcopy(game) == game


def test_two_games_of_a_file_are_of_one_module(file: Path) -> None:
    first = find(f"{file}:Take")
    find(f"{file}:Misere")
    assert pickle.loads(pickle.dumps(first)) == first == find(f"{file}:Take")


def test_other_games_are_pickled_as_ever() -> None:
    assert b"zermelo.games.nim" in pickle.dumps(Nim())
    assert pickle.loads(pickle.dumps(Nim())) == Nim()


def test_a_file_that_is_not_there_is_told(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find(f"{file}:Take")
    text = pickle.dumps(game)
    monkeypatch.delitem(sys.modules, type(game).__module__)
    file.rename(file.with_name("gone.py"))
    with pytest.raises(ZermeloError, match=r"There is no file .*take\.py here: every process .* must see it at this path\."):
        pickle.loads(text)


@pytest.mark.parametrize("path", ["/a/b.py", "/with space/x.y.py", "/100%/%2E.py", "/ü/\udcff.py"])
def test_a_name_tells_its_path(path: str) -> None:
    name = module_name(Path(path))
    assert module_path(name) == Path(path)
    assert name.count(".") == 3


def test_a_changed_neighbour_is_read_again(file: Path) -> None:
    first = find(f"{file}:Take")
    assert find(f"{file}:Take") == first
    file.with_name("most_of_take.py").write_text("MOST = 1 + 2\n")
    second = find(f"{file}:Take")
    assert [list(game.actions(game.start())) for game in (first, second)] == [[1, 2], [1, 2, 3]]


def test_neighbours_of_one_name_are_not_confused(file: Path, tmp_path: Path) -> None:
    first = find(f"{file}:Take")
    others = tmp_path / "others"
    others.mkdir()
    (others / "take.py").write_text(TAKE)
    (others / "most_of_take.py").write_text("MOST = 1\n")
    second = find(f"{others / 'take.py'}:Take")
    assert [list(game.actions(game.start())) for game in (first, second, find(f"{file}:Take"))] == [[1, 2], [1], [1, 2]]
    assert rules_hash(first, False) != rules_hash(second, False)


@pytest.mark.slow
def test_a_spawned_process_solves_a_game_of_a_file(file: Path, spawned: ProcessPoolExecutor, tmp_path: Path) -> None:
    game = find(f"{file}:Take(counters=9)")
    StrongSolver(memory=8 << 20).solve(game, out=tmp_path / "alone.zdb", name="take")
    StrongSolver(memory=8 << 20).solve(game, out=tmp_path / "spread.zdb", name="take", executor=spawned)
    assert (tmp_path / "spread.zdb").read_bytes() == (tmp_path / "alone.zdb").read_bytes()
