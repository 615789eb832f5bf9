"""How the command line is called in tests: in this process through click's runner, now and then as a process of its own."""

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner
from command_line import Done, Run

from zermelo.cli import main


@pytest.fixture
def run() -> Run:
    """Calls a command with these words; an exception that is no exit is raised here."""

    def call(*words: str, input: str | None = None) -> Done:
        result = CliRunner().invoke(main, list(words), input=input, catch_exceptions=False)
        return Done(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def process() -> Run:
    """Calls a command as a process of its own."""

    def call(*words: str, input: str | None = None, **environment: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "zermelo", *words],
            input=input,
            stdin=None if input is not None else subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=os.environ | environment,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return call
