"""Killed at any instant, a solve goes on from the last finished piece and ends with the same bytes, whoever does it."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from whole_games import SMALL_CONNECT4, Laps, PlainLaps

from zermelo.errors import ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.rules import Game
from zermelo.solve.strong import StrongSolver
from zermelo.solve.work_folder import Folder, Writer

IN_FILES = StrongSolver(resident=False, dense=False)
BY_SWEEPS = StrongSolver(resident=False)


class Killed(BaseException):
    """Stands in for a signal that nobody can catch."""


def killed_after(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """From now on the journal's line number `count` is the last that is written, and half of the next one."""
    written = Folder.write
    left = [count]

    def write(self: Folder, line: dict[str, Any]) -> None:
        if left[0] == 0:
            self.journal.write(b"0123abcd half a li")
            self.journal.flush()
            raise Killed
        left[0] -= 1
        written(self, line)

    monkeypatch.setattr(Folder, "write", write)


def saved_often(patch: pytest.MonkeyPatch, taken: int) -> None:
    """From now on a graph in memory is saved after every few positions, and nothing of it is counted before the work begins."""
    patch.setattr("zermelo.solve.estimate.COUNTED", 1)
    patch.setattr("zermelo.solve.resident.SAVED_EVERY", 0.0)
    patch.setattr("zermelo.solve.resident.TAKEN", taken)
    patch.setattr("zermelo.solve.resident.FOLLOWED", taken // 4)
    patch.setattr("zermelo.solve.sweeping.SAVED_EVERY", 0.0)
    patch.setattr("zermelo.solve.sweeping.SAVING_SHARE", 0.0)
    patch.setattr("zermelo.solve.sweeping.TAKEN", taken)
    patch.setattr("zermelo.solve.sweeping.LEAST_SHIFT", 3)
    patch.setattr("zermelo.solve.sweeping.COUNTED_SHIFT", 1)


PIECES = [
    pytest.param(Laps(), StrongSolver(), id="ranked, in memory"),
    pytest.param(Laps(), BY_SWEEPS, id="ranked, by sweeps"),
    pytest.param(Laps(), IN_FILES, id="ranked, in files", marks=pytest.mark.slow),
    pytest.param(PlainLaps(), StrongSolver(), id="by number, in memory"),
    pytest.param(PlainLaps(), IN_FILES, id="by number, in files"),
    pytest.param(SMALL_CONNECT4, StrongSolver(), id="no loops, in memory", marks=pytest.mark.slow),
    pytest.param(SMALL_CONNECT4, IN_FILES, id="no loops, in files", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("game", "plan"), PIECES)
def test_killed_at_every_piece(game: Game, plan: StrongSolver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved_often(monkeypatch, 8 if game != SMALL_CONNECT4 else 500)
    StrongSolver().solve(game, out=tmp_path / "right.zdb", name="game")
    right = (tmp_path / "right.zdb").read_bytes()
    count = 0
    while True:
        out = tmp_path / f"{count}.zdb"
        with monkeypatch.context() as patch:
            killed_after(patch, count)
            try:
                plan.solve(game, out=out, name="game")
                break
            except Killed:
                assert not out.exists()
        assert (tmp_path / f"{count}.zdb.work").is_dir()
        plan.solve(game, out=out, name="game")
        assert out.read_bytes() == right
        assert not (tmp_path / f"{count}.zdb.work").exists()
        count += 1
    assert count > 3


CHANGED = [(SMALL_CONNECT4, 20, IN_FILES), (Laps(), 8, IN_FILES), (Laps(), 8, BY_SWEEPS), (SMALL_CONNECT4, 6, StrongSolver())]


@pytest.mark.parametrize(("game", "pieces", "plan"), CHANGED, ids=["rounds", "tiers", "by sweeps", "in memory"])
def test_files_that_were_changed_or_removed_meanwhile_are_made_again(
    game: Game, pieces: int, plan: StrongSolver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved_often(monkeypatch, 8 if plan == BY_SWEEPS else 500)
    StrongSolver().solve(game, out=tmp_path / "right.zdb", name="game")
    chance = random.Random(1913)
    for trial in range(6):
        out = tmp_path / f"{trial}.zdb"
        with monkeypatch.context() as patch:
            killed_after(patch, pieces + pieces * trial // 4)
            with pytest.raises(Killed):
                plan.solve(game, out=out, name="game")
        files = sorted(
            file for file in (tmp_path / f"{trial}.zdb.work").iterdir() if file.suffix in (".numbers", ".scores", ".edges", ".codes")
        )
        for file in chance.sample(files, min(3, len(files))):
            data = bytearray(file.read_bytes())
            if chance.random() < 0.3 or not data:
                file.unlink()
            else:
                data[chance.randrange(len(data))] ^= 4
                file.write_bytes(data)
        plan.solve(game, out=out, name="game")
        assert out.read_bytes() == (tmp_path / "right.zdb").read_bytes()


@pytest.mark.parametrize("plan", [StrongSolver(), IN_FILES], ids=["in memory", "in files"])
def test_a_full_disk(plan: StrongSolver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = SMALL_CONNECT4
    saved_often(monkeypatch, 500)
    StrongSolver().solve(game, out=tmp_path / "right.zdb", name="game")
    put, left = Writer.put, [9]

    def full(self: Writer, view: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        put(self, view)

    with monkeypatch.context() as patch:
        patch.setattr(Writer, "put", full)
        with pytest.raises(ZermeloError, match=r"No space left on device.*start again"):
            plan.solve(game, out=tmp_path / "x.zdb", name="game")
    assert not (tmp_path / "x.zdb").exists()
    plan.solve(game, out=tmp_path / "x.zdb", name="game")
    assert (tmp_path / "x.zdb").read_bytes() == (tmp_path / "right.zdb").read_bytes()


def test_unfinished_work_for_other_rules_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        killed_after(patch, 5)
        with pytest.raises(Killed):
            IN_FILES.solve(SMALL_CONNECT4, out=tmp_path / "x.zdb")
    with pytest.raises(ZermeloError, match="unfinished work for other rules"):
        StrongSolver(symmetry=False).solve(SMALL_CONNECT4, out=tmp_path / "x.zdb")


@pytest.mark.parametrize("game", [SMALL_CONNECT4, Laps()], ids=lambda game: type(game).__name__)
def test_an_executor_gives_the_same_bytes(game: Game, tmp_path: Path) -> None:
    """Tasks of an executor know nothing of each other's memory, so `Laps` goes without its one array here."""
    StrongSolver().solve(game, out=tmp_path / "one.zdb", name="game")
    with ThreadPoolExecutor(2) as executor:
        StrongSolver(memory=8 << 20).solve(game, out=tmp_path / "two.zdb", name="game", executor=executor)
    assert (tmp_path / "one.zdb").read_bytes() == (tmp_path / "two.zdb").read_bytes()


@pytest.mark.slow
def test_processes_give_the_same_bytes(tmp_path: Path) -> None:
    game = ConnectFour(4, 4)
    StrongSolver().solve(game, out=tmp_path / "one.zdb", name="game")
    with ProcessPoolExecutor(2) as executor:
        StrongSolver(memory=8 << 20).solve(game, out=tmp_path / "two.zdb", name="game", executor=executor)
    assert (tmp_path / "one.zdb").read_bytes() == (tmp_path / "two.zdb").read_bytes()


DRIVER = """
import sys
import zermelo.solve.estimate, zermelo.solve.resident, zermelo.solve.sweeping
from zermelo.games.connect4 import ConnectFour
from zermelo.solve.strong import StrongSolver

where, out, benchmarks = sys.argv[1:]
zermelo.solve.estimate.COUNTED = 1000
zermelo.solve.resident.SAVED_EVERY, zermelo.solve.resident.TAKEN = 0.02, 500
zermelo.solve.sweeping.SAVED_EVERY, zermelo.solve.sweeping.SAVING_SHARE, zermelo.solve.sweeping.TAKEN = 0.02, 0, 500
game, plan = ConnectFour(4, 5), StrongSolver(symmetry=False, memory=1 << 30)
if where == "files":
    plan = StrongSolver(symmetry=False, memory=64 << 20, resident=False)
if where == "array":
    sys.path.insert(0, benchmarks)
    from database import RankedChase
    game, plan = RankedChase(500), StrongSolver(resident=False)
plan.solve(game, out=out, name="game")
"""
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize("where", ["memory", "files", "array"])
def test_kill_minus_nine_at_random_instants(where: str, tmp_path: Path) -> None:
    """1.7 million positions, 0.5 in an array; a solve in memory saves up to fifty times a second here instead of every ten seconds."""

    def command(out: Path) -> list[str]:
        return [sys.executable, "-c", DRIVER, where, str(out), str(BENCHMARKS)]

    subprocess.run(command(tmp_path / "right.zdb"), check=True, capture_output=True)
    chance, killed, out = random.Random(7), 0, tmp_path / "x.zdb"
    for _ in range(12):
        process = subprocess.Popen(command(out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (killed or (tmp_path / "x.zdb.work").is_dir()):
            time.sleep(0.01)  # until the work begins for the first time; then it goes on at once
        try:
            process.wait(timeout=chance.uniform(0.0, 0.5) + (1.0 if killed else 0.0))
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            killed += 1
            assert out.exists() or (tmp_path / "x.zdb.work").is_dir()
        if out.exists():
            break
    else:
        subprocess.run(command(out), check=True, capture_output=True)
    assert killed > 0
    assert (tmp_path / "x.zdb").read_bytes() == (tmp_path / "right.zdb").read_bytes()


@pytest.mark.slow
def test_a_dask_cluster_loses_a_worker(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    game = ConnectFour(4, 4)
    StrongSolver().solve(game, out=tmp_path / "one.zdb", name="game")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        lost: list[int] = []

        def kill_one(words: str) -> None:
            if not lost and words.startswith(("enumerating", "solving")):
                lost.append(next(iter(client.run(os.getpid).values())))
                os.kill(lost[0], signal.SIGKILL)

        executor = client.get_executor(retries=5)
        StrongSolver(memory=8 << 20).solve(game, out=tmp_path / "two.zdb", name="game", executor=executor, progress=kill_one)
    assert lost
    assert (tmp_path / "one.zdb").read_bytes() == (tmp_path / "two.zdb").read_bytes()
