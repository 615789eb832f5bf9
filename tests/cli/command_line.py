"""What a call of the command line gives to a test."""

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Done", "Run", "wait_until_it_has_worked"]


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


Run = Callable[..., Done]


def wait_until_it_has_worked(process: subprocess.Popen[str], seconds: float) -> None:
    """Until a process has taken so much processor time, however busy the machine is; elsewhere than on Linux, for that long."""
    stat = Path(f"/proc/{process.pid}/stat")
    if not stat.exists():
        time.sleep(seconds)
        return
    ticks = seconds * os.sysconf("SC_CLK_TCK")
    while process.poll() is None and sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13])) < ticks:
        time.sleep(0.05)
