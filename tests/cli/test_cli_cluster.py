"""`zermelo solve --all --cluster ADDRESS` on a real cluster of this machine, one of whose workers is killed in the middle."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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
