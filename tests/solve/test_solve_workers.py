"""Workers of other processes: what they cannot load, and what is told when they are gone."""

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from whole_games import SMALL_NIM

from zermelo.errors import ZermeloError
from zermelo.games.nim import Nim
from zermelo.play.setup import open_game
from zermelo.rules import Game
from zermelo.solve.strong import StrongSolver
from zermelo.solve.workers import Progress

IN_FILES = StrongSolver(memory=8 << 20)
RULES = """
from zermelo.games.nim import Nim


class Mine(Nim):
    pass
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A game of the user's, in a file."""
    file = tmp_path / "mine.py"
    file.write_text(RULES)
    return file


@pytest.fixture
def game(rules: Path) -> Game:
    return open_game(f"{rules}:Mine(heaps=(2,3))")


def spawned(*initial: Any) -> ProcessPoolExecutor:
    """One worker, which begins with a call."""
    return ProcessPoolExecutor(1, get_context("spawn"), initial[0] if initial else None, initial[1:])


def test_a_spawned_process_loads_the_file_of_a_game(game: Game, tmp_path: Path) -> None:
    StrongSolver().solve(game, out=tmp_path / "one.zdb", name="game")
    with spawned() as executor:
        IN_FILES.solve(game, out=tmp_path / "two.zdb", name="game", executor=executor)
    assert (tmp_path / "one.zdb").read_bytes() == (tmp_path / "two.zdb").read_bytes()


def test_a_file_that_workers_do_not_see_is_named(game: Game, rules: Path, tmp_path: Path) -> None:
    with spawned(os.rename, rules, tmp_path / "hidden.py") as executor, pytest.raises(ZermeloError) as raised:
        IN_FILES.solve(game, out=tmp_path / "x.zdb", name="game", executor=executor)
    words = str(raised.value)
    assert words.startswith(f"The workers cannot load {rules}, the file of the game (there is no such file where they run): ")
    assert "start again" in words


def test_a_file_that_workers_cannot_import_is_named(game: Game, rules: Path, tmp_path: Path) -> None:
    with spawned(rules.write_text, "import there_is_no_such_module") as executor, pytest.raises(ZermeloError) as raised:
        IN_FILES.solve(game, out=tmp_path / "x.zdb", name="game", executor=executor)
    assert f"The workers cannot load {rules}, the file of the game (" in str(raised.value)
    assert "there_is_no_such_module" in str(raised.value)


def test_threads_take_a_game_that_cannot_be_sent(tmp_path: Path) -> None:
    class Inside(Nim):
        """Nobody else can import it."""

    with ThreadPoolExecutor(2) as executor:
        result = IN_FILES.solve(Inside((2, 3)), out=tmp_path / "x.zdb", name="game", executor=executor)
    assert result.positions == StrongSolver().solve(SMALL_NIM).positions


def test_a_worker_that_dies_is_told(tmp_path: Path) -> None:
    with spawned(os._exit, 3) as executor, pytest.raises(ZermeloError, match="start again, and the work goes on where it was"):
        IN_FILES.solve(SMALL_NIM, out=tmp_path / "x.zdb", name="game", executor=executor)


class Late(Executor):
    """An executor that does something before its first task."""

    def __init__(self, executor: Executor, first: Callable[[], object]) -> None:
        self.executor, self.first = executor, [first]

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        while self.first:
            self.first.pop()()
        return self.executor.submit(task, *given, **named)


@pytest.mark.slow
def test_a_file_that_workers_of_a_cluster_do_not_see_is_named(game: Game, rules: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = Late(client.get_executor(), lambda: rules.rename(tmp_path / "hidden.py"))
        with pytest.raises(ZermeloError, match=r"The workers cannot load .*mine\.py, the file of the game \(there is no such file"):
            IN_FILES.solve(game, out=tmp_path / "x.zdb", name="game", executor=executor)


def test_one_position_is_no_plural() -> None:
    progress = Progress(None)
    progress.begin("enumerating")
    progress.add(1)
    assert progress.words(0.0) == "enumerating, 1 position"
    progress.add(1)
    assert progress.words(0.0) == "enumerating, 2 positions"
