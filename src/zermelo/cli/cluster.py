"""A Dask cluster on the command line: what goes wrong with it is told in one sentence, and what its libraries log is not shown."""

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from zermelo.cli.output import note
from zermelo.errors import ZermeloError

__all__ = ["workers_at"]

RETRIES = 5  # of a task whose worker is lost
LOGGED_BY = ("distributed", "tornado", "asyncio", "concurrent.futures")
SILENT = logging.CRITICAL + 1


@contextmanager
def workers_at(address: str | None, kept: Callable[[], str]) -> Iterator[Executor | None]:
    """The workers of the cluster at an address, None without one. `kept` says what is left of the work when they are lost."""
    if address is None:
        yield None
        return
    client = connect(address)
    try:
        yield Workers(client)
    except Exception as error:
        sentence = loss(client, address, error)
        if sentence is None:
            raise
        raise ZermeloError(f"{sentence}; {kept()}.") from error
    finally:
        client.close()


class Workers(Executor):
    """Those of a Dask client. When it gives its scheduler up, tasks may be left that nobody ever finishes: so it is asked for that."""

    def __init__(self, client: Any) -> None:
        self.client, self.executor = client, client.get_executor(retries=RETRIES)

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        future: Future[Any] = self.executor.submit(task, *given, **named)
        return future

    def lost(self) -> bool:
        return bool(self.client.status == "closed")


def connect(address: str) -> Any:
    """A Dask client for a scheduler's address, or one sentence."""
    try:
        from distributed import Client
    except ImportError:
        raise ZermeloError("A cluster needs the package distributed: install zermelo[cluster].") from None
    silence()
    try:
        client: Any = Client(address, timeout="10s")  # type: ignore[no-untyped-call, unused-ignore]  # has types in some versions
        if not client.nthreads():
            note(f"The scheduler at {address} has no workers yet: the work begins when one joins.")
    except (OSError, ValueError, TimeoutError) as error:
        raise ZermeloError(f"There is no Dask scheduler at {address}: {error}.") from None
    return client


def silence() -> None:
    """Silences the logs of the cluster libraries; the scheduler and its workers keep their own."""
    for name in {*LOGGED_BY, *logging.root.manager.loggerDict}:
        if name.startswith(LOGGED_BY):
            logging.getLogger(name).setLevel(SILENT)


def loss(client: Any, address: str, error: Exception) -> str | None:
    """What the cluster has lost, and what to do; None where the error is another one."""
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        return (
            f"Several workers of the cluster at {address} died over the same piece of work, perhaps for lack of memory, so give them more, "
            "or take a smaller --memory"
        )
    if client.status != "running" and not is_ours(error):
        return f"The Dask scheduler at {address} has gone, so start it and its workers again, or leave --cluster out"
    return None


def is_ours(error: Exception) -> bool:
    """Is it a sentence that has nothing to do with the way to the workers?"""
    from zermelo.solve.workers import LostWorkersError

    on_the_way = isinstance(error, LostWorkersError) or isinstance(error.__context__, OSError)
    return isinstance(error, ZermeloError) and not on_the_way
