"""What all connections of one running workbench share: the games on offer, the queue of searches, the matches under way."""

import asyncio
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, TypeVar

from zermelo.play.match import Match
from zermelo.play.setup import open_position
from zermelo.rules import Game
from zermelo.web.bounds import Bounds
from zermelo.web.channel import Connection
from zermelo.web.jobs import FairQueue, Job
from zermelo.web.judging import glance, judging_engine
from zermelo.web.offers import Offers
from zermelo.web.tables import Table, Tables
from zermelo.web.turnstile import Turnstile

__all__ = ["Workbench"]

Result = TypeVar("Result")

PLACES_EVERY = 1.0  # seconds between two words about places in the queue
PORTION_EVERY = 0.02  # seconds between two portions of them: hundreds of messages at once would hold up all others


class Workbench:
    """One running workbench. Its state changes on the event loop only."""

    def __init__(self, given: Sequence[str] = (), bounds: Bounds | None = None, workers: int | None = None) -> None:
        self.bounds = bounds or Bounds()
        self.offers = Offers(given, self.bounds)
        self.queue = FairQueue(workers or max(2, os.cpu_count() or 1), self.bounds.waiting)
        self.tables = Tables(self.bounds, self.queue.stop)
        self.connections: set[Connection] = set()
        self.turnstile = Turnstile()
        self.desk = ThreadPoolExecutor(2, "zermelo-desk")  # for what is short, but too long for the event loop
        self.loop: asyncio.AbstractEventLoop | None = None
        self.tasks: set[asyncio.Task[Any]] = set()
        self.judging_engine = lru_cache(maxsize=256)(judging_engine)
        self.gallery: asyncio.Future[list[dict[str, Any]]] | None = None

    async def open(self) -> None:
        """Begins to work on the running event loop."""
        self.loop = asyncio.get_running_loop()
        self.gallery = asyncio.ensure_future(self.aside(self.offers.listing))
        self.spawn(self._tell_places())
        self.spawn(self._warm_up())

    def close(self) -> None:
        self.queue.close()
        self.desk.shutdown(wait=False, cancel_futures=True)
        for task in self.tasks:
            task.cancel()

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Calls a function on the event loop, from any thread; nothing happens once the loop has ended."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(function, *arguments)

    async def aside(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """What a function gives that would hold the event loop up."""
        return await asyncio.get_running_loop().run_in_executor(self.desk, function, *arguments)

    async def open_game(self, text: str) -> Game:
        """A game on offer."""
        return await self.aside(self.offers.open, text)

    def spawn(self, work: Any) -> None:
        """Runs a coroutine beside the rest."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def forget(self, connection: Connection) -> None:
        """A browser has left: it watches nothing any more, and a match that nobody watches stops thinking."""
        self.connections.discard(connection)
        for table in list(connection.tables):
            self.unwatch(table, connection)

    def unwatch(self, table: Table, connection: Connection) -> None:
        table.watchers.discard(connection)
        connection.tables.discard(table)
        if not table.watchers:
            table.touch()
            for job in (table.thinking, *table.judging):
                if job is not None:
                    self.queue.stop(job)
            table.thinking, table.judging = None, []

    async def _warm_up(self) -> None:
        """Loads what the first look at any game needs, once the gallery is there, so that nobody waits for it."""
        assert self.gallery is not None
        await asyncio.wait([self.gallery])

        def look() -> None:
            game = self.offers.open("tictactoe")
            glance(Match(game, open_position(game, None)), self.judging_engine(game), threading.Event())

        await self.aside(look)

    async def _tell_places(self) -> None:
        """Everybody who waits hears their place now and then, when it has changed; a few at a time, so that nobody else has to wait."""
        told: dict[Job, int] = {}
        while True:
            places = self.queue.places()
            waiting = [*self._waiting()]
            news = [(job, words) for job, words in waiting if told.get(job, 0) != places.get(job, 0)]
            told = {job: places.get(job, 0) for job, _ in waiting}
            portion = max(1, math.ceil(len(news) * PORTION_EVERY / PLACES_EVERY))
            clock = time.monotonic()
            for first in range(0, len(news), portion):
                for job, tell in news[first : first + portion]:
                    if not job.over:
                        tell(0 if job.begun is not None else places.get(job, 0))
                await asyncio.sleep(PORTION_EVERY)
            await asyncio.sleep(max(PORTION_EVERY, PLACES_EVERY - (time.monotonic() - clock)))

    def _waiting(self) -> Iterator[tuple[Job, Callable[[int], object]]]:
        """Every search that somebody waits for, and how they are told its place."""
        for connection in list(self.connections):
            for number, job in list(connection.jobs.items()):
                yield job, partial(connection.tell_place, number)
        for table in list(self.tables.open.values()):
            if table.thinking is not None:
                yield table.thinking, table.tell_place
