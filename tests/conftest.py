"""What every test run shares: one compile cache, properties without deadlines, and Ctrl-C."""

import os
import shutil
import signal
import tempfile

import pytest
from hypothesis import settings

# Compiling takes seconds now and then, so a property must not be judged by its time.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

OWN_CACHE = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Compile into a folder of this run, shared by its workers (they inherit the environment), unless the caller names one.

    A run in the background of a script ignores Ctrl-C, and so would the commands that tests interrupt: here it works as in a terminal.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["ZERMELO_DATA"] = os.devnull  # no database of whoever runs the tests
    if "ZERMELO_CACHE" not in os.environ:
        os.environ["ZERMELO_CACHE"] = config.stash[OWN_CACHE] = tempfile.mkdtemp(prefix="zermelo-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """The folder goes with the run that made it."""
    if OWN_CACHE in config.stash:
        shutil.rmtree(config.stash[OWN_CACHE], ignore_errors=True)
        del os.environ["ZERMELO_CACHE"]
