"""`zermelo solve --all --cluster ADDRESS` on a real cluster of this machine, parts of which are killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command_line import Run

GAME = "connect4(width=4,height=4)"


def command(file: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "zermelo", "solve", GAME, "--all", "--memory", "8M", "--out", str(file), *more]


def wait_for_work(folder: Path, process: "subprocess.Popen[str]") -> None:
    """Until some pieces of the work are done; the command is still at it then."""
    while process.poll() is None and len(list(folder.glob("*"))) < 6:
        time.sleep(0.02)
    assert process.poll() is None, process.communicate()[1]


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_writes_the_same_bytes(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    subprocess.run(command(tmp_path / "alone.zdb"), check=True, capture_output=True)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            workers = sorted(client.run(os.getpid).values())
        address = ["--cluster", cluster.scheduler_address]
        process = subprocess.Popen(command(tmp_path / "many.zdb", *address), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for_work(tmp_path / "many.zdb.work", process)
        os.kill(workers[0], signal.SIGKILL)
        out, err = process.communicate()
    assert process.returncode == 0, err
    assert "draw at the end" in out
    assert (tmp_path / "many.zdb").read_bytes() == (tmp_path / "alone.zdb").read_bytes()


@pytest.mark.slow
def test_no_cluster_there_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    done = subprocess.run(command(tmp_path / "x.zdb", "--cluster", "tcp://127.0.0.1:1"), capture_output=True, text=True)
    assert done.returncode == 2
    assert "There is no Dask scheduler at tcp://127.0.0.1:1" in done.stderr.splitlines()[-1]


# --- a scheduler that goes away, or has no workers


@contextmanager
def running(module: str, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of the cluster; it goes afterwards."""
    process = subprocess.Popen([sys.executable, "-m", module, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """A scheduler without workers, and its address."""
    pytest.importorskip("distributed")
    file = folder / "scheduler.json"
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    with running("distributed.cli.dask_scheduler", *words) as process:
        while not (file.exists() and file.read_text().rstrip().endswith("}")):
            assert process.poll() is None
            time.sleep(0.05)
        yield process, json.loads(file.read_text())["address"]


def worker(address: str) -> Any:
    return running("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "ended"])
def test_a_scheduler_that_goes_away_is_one_sentence(end: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "x.zdb"
    with scheduler(tmp_path) as (process, address), worker(address):
        words = command(file, "--cluster", address)
        solve = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
        wait_for_work(tmp_path / "x.zdb.work", solve)
        process.send_signal(end)
        out, err = solve.communicate()
    assert (solve.returncode, out) == (2, "")
    told = [line for line in err.splitlines() if not line.startswith(("Estimate: ", "Now ", f"The scheduler at {address} has no workers"))]
    sentence = f"The Dask scheduler at {address} has gone, so start it and its workers again, or leave --cluster out; "
    assert told == [f"{sentence}what is finished is kept in x.zdb.work: the same command goes on from there."]
    subprocess.run(command(file), check=True, capture_output=True)
    subprocess.run(command(tmp_path / "alone.zdb"), check=True, capture_output=True)
    assert file.read_bytes() == (tmp_path / "alone.zdb").read_bytes()


@pytest.mark.slow
def test_a_cluster_without_workers_is_told_and_waited_for(tmp_path: Path) -> None:
    with scheduler(tmp_path) as (_, address):
        words = command(tmp_path / "x.zdb", "--cluster", address)
        solve = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert solve.stderr is not None
        assert solve.stderr.readline() == f"The scheduler at {address} has no workers yet: the work begins when one joins.\n"
        with worker(address):
            out, err = solve.communicate()
    assert solve.returncode == 0, err
    assert "draw at the end" in out


class Broken(Executor):
    """Takes no task."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        raise self.error


class Silent(Executor):
    """Takes every task and does none."""

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        return Future()


class StandIn:
    """What the command line knows of Dask's client."""

    def __init__(self, workers: int, status: str, executor: Executor) -> None:
        self.workers, self.status, self.executor = workers, status, executor

    def nthreads(self) -> dict[str, int]:
        return {f"tcp://worker-{number}": 1 for number in range(self.workers)}

    def get_executor(self, retries: int) -> Executor:
        return self.executor

    def close(self) -> None:
        self.executor.shutdown()


def solve_at(run: Run, monkeypatch: pytest.MonkeyPatch, file: Path, client: StandIn) -> Any:
    """The command with such a client."""
    monkeypatch.setattr(pytest.importorskip("distributed"), "Client", lambda address, timeout: client)
    return run("solve", "nim(heaps=(2,3))", "--all", "--out", str(file), "--cluster", "tcp://there:1")


@pytest.mark.parametrize("workers", [0, 1])
def test_no_workers_are_told(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, workers: int) -> None:
    done = solve_at(run, monkeypatch, tmp_path / "x.zdb", StandIn(workers, "running", ThreadPoolExecutor(1)))
    assert done.code == 0, done.err
    told = "The scheduler at tcp://there:1 has no workers yet: the work begins when one joins." in done.err.splitlines()
    assert told == (workers == 0)


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        ("closed", RuntimeError("no message can be sent"), "The Dask scheduler at tcp://there:1 has gone, so start it"),
        ("connecting", ConnectionError("the stream is closed"), "The Dask scheduler at tcp://there:1 has gone, so start it"),
        ("running", None, "Several workers of the cluster at tcp://there:1 died over the same piece of work"),
    ],
    ids=["closed", "connecting", "killed again and again"],
)
def test_what_a_cluster_has_lost_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: str, error: Exception | None, words: str
) -> None:
    scheduling = pytest.importorskip("distributed.scheduler")
    given = error or scheduling.KilledWorker("task", None, 3)
    done = solve_at(run, monkeypatch, tmp_path / "x.zdb", StandIn(1, status, Broken(given)))
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith(words)
    assert done.err.splitlines()[-1].endswith("x.zdb.work: the same command goes on from there.")


def test_tasks_that_nobody_will_finish_are_not_waited_for(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done = solve_at(run, monkeypatch, tmp_path / "x.zdb", StandIn(1, "closed", Silent()))
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith("The Dask scheduler at tcp://there:1 has gone, so start it")
