"""One browser's connection: a WebSocket with JSON in both directions.

Messages are answered in their order. What the browser is sent waits in a row of bounded length: a browser that does not read is dropped, so
that nobody waits for it. When the connection ends its searches are told to stop.
"""

import asyncio
import contextlib
import itertools
import logging
import secrets
import traceback
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo.errors import ZermeloError
from zermelo.web.jobs import Job
from zermelo.web.messages import BadMessageError, logged, pack, unpack

if TYPE_CHECKING:
    from zermelo.web.tables import Table
    from zermelo.web.workbench import Workbench

__all__ = ["Connection", "Handler", "Tell", "converse", "sentence_of"]

log = logging.getLogger("zermelo.web")

Tell = Callable[[dict[str, Any]], None]  # from any thread
Handler = Callable[["Connection", dict[str, Any]], Awaitable[dict[str, Any] | None]]

SEND_SECONDS = 15.0  # that one message may take to be written
AT_ONCE = ("ping", "stop")  # messages that wait for no others
FAULTS = 20  # messages that are no messages, after which the browser is dropped
BROKEN = {1002: "no proper frame", 1003: "what is not text", 1007: "text that is not UTF-8", 1009: "a message that is too large"}  # by code
SLOW, FULL, RUDE = 4408, 4429, 4400  # codes with which a connection is closed


class Connection:
    """One browser tab."""

    def __init__(self, websocket: WebSocket, bench: "Workbench") -> None:
        self.websocket, self.bench = websocket, bench
        self.identity = secrets.token_hex(6)
        self.outbox: asyncio.Queue[str] = asyncio.Queue(bench.bounds.behind)
        self.jobs: dict[int, Job] = {}
        self.numbers = itertools.count(1)
        self.tables: set[Table] = set()
        self.trees: OrderedDict[str, Any] = OrderedDict()  # trees of the tree lab, the oldest first
        self.spots: OrderedDict[str, Any] = OrderedDict()  # poker spots that were solved, the oldest first
        self.gone = asyncio.Event()
        self.why = 1000

    def send(self, message: dict[str, Any]) -> None:
        """Puts a message in the row; called on the event loop. A full row is the end of the connection."""
        if not self.gone.is_set():
            self.post(pack(message))

    def post(self, text: str) -> None:
        """`send` for a message that is text already."""
        if self.gone.is_set():
            return
        try:
            self.outbox.put_nowait(text)
        except asyncio.QueueFull:
            log.warning("Dropped a browser that was %d messages behind.", self.outbox.qsize())
            self.leave(SLOW)

    def tell(self, message: dict[str, Any]) -> None:
        """`send` from any thread; the message becomes text there, because that takes a while where it is long."""
        if not self.gone.is_set():
            self.bench.call(self.post, pack(message))

    def leave(self, code: int) -> None:
        self.why = code
        self.gone.set()

    def start(self, work: Callable[[Job, Tell], Any]) -> int:
        """Puts a search into the queue; its progress and its result reach the browser as events. Returns its number."""
        if self.bench.queue.owned(self.identity) >= self.bench.bounds.jobs:
            raise ZermeloError(f"{self.bench.bounds.jobs} searches of this page are under way already: stop one first.")
        number = next(self.numbers)

        def progress(message: dict[str, Any]) -> None:
            self.tell({"event": "progress", "job": number, **message})

        def done(job: Job) -> None:
            self.bench.call(self.jobs.pop, number, None)
            self.tell(ending(number, job))

        job = Job(self.identity, lambda job: work(job, progress), done)
        self.jobs[number] = job
        try:
            self.bench.queue.submit(job)
        except ZermeloError:
            del self.jobs[number]
            raise
        return number

    def tell_place(self, number: int, place: int) -> None:
        """The browser hears a search's place in the queue; 0 is at work."""
        self.send({"event": "place", "job": number, "place": place})

    def stop(self, number: int) -> None:
        job = self.jobs.get(number)
        if job is not None:
            self.bench.queue.stop(job)

    def close(self) -> None:
        """Everything that was done for this browser alone ends."""
        for number in list(self.jobs):
            self.stop(number)
        self.bench.forget(self)


def ending(number: int, job: Job) -> dict[str, Any]:
    """What a browser hears of a search that has ended."""
    if job.error is not None:
        if isinstance(job.error, ZermeloError):
            log.warning("A search ended with an error: %s", logged(job.error))
        return {"event": "failed", "job": number, "error": sentence_of(job.error)}
    return {"event": "done", "job": number, "waited": job.waited, "result": job.result}


async def converse(websocket: WebSocket, bench: "Workbench", handlers: dict[str, Handler]) -> None:
    """Speaks with one browser until one of the two leaves."""
    await websocket.accept()
    if len(bench.connections) >= bench.bounds.connections:
        log.warning("Refused a browser: %d are connected.", len(bench.connections))
        await websocket.close(FULL, "Too many pages are open.")
        return
    connection = Connection(websocket, bench)
    bench.connections.add(connection)
    tasks = [asyncio.create_task(part) for part in (listen(connection, handlers), write(connection), connection.gone.wait())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        connection.gone.set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        connection.close()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError, TimeoutError):  # it may have left already
            async with asyncio.timeout(2):
                await websocket.close(connection.why)


async def write(connection: Connection) -> None:
    """Sends what waits in the row; a message that takes too long ends the connection."""
    while True:
        message = await connection.outbox.get()
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await connection.websocket.send_text(message)
        except TimeoutError:
            log.warning("Dropped a browser that took more than %g seconds for a message.", SEND_SECONDS)
            connection.leave(SLOW)
            return
        except (RuntimeError, WebSocketDisconnect, OSError):
            return


async def listen(connection: Connection, handlers: dict[str, Handler]) -> None:
    """Answers one message after the other."""
    faults = 0
    while faults < FAULTS:
        try:
            async with asyncio.timeout(connection.bench.bounds.silence):
                raw = await receive(connection.websocket)
        except WebSocketDisconnect as end:
            if end.code in BROKEN:
                log.warning("Dropped a browser: it sent %s.", BROKEN[end.code])
            return
        except RuntimeError:
            return
        except TimeoutError:
            log.warning("A browser was silent for %g seconds and is taken for gone.", connection.bench.bounds.silence)
            return
        try:
            faults += not await answer(connection, handlers, raw)
        except WebSocketDisconnect:
            return
    log.warning("Dropped a browser after %d messages that are none.", faults)
    connection.leave(RUDE)


async def receive(websocket: WebSocket) -> str:
    """One message as text; bytes are no message of ours."""
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    return message.get("text") or ""


async def answer(connection: Connection, handlers: dict[str, Handler], raw: str) -> bool:
    """Answers one message; False where it was none."""
    identity: int | None = None
    try:
        message = unpack(raw)
        identity = message.get("id")
        handler = handlers.get(message["type"])
        if handler is None:
            raise BadMessageError(f"There is no message {message['type'][:40]!r}.")
        if message["type"] not in AT_ONCE:
            await connection.bench.turnstile.enter()
        reply = await handler(connection, message)
    except ZermeloError as error:
        log.warning("Answered with an error: %s", logged(error))
        connection.send({"re": identity, "error": str(error)})
        return not isinstance(error, BadMessageError)
    except Exception as error:
        connection.send({"re": identity, "error": sentence_of(error)})
        return True
    if identity is not None:
        connection.send({"re": identity, "ok": reply or {}})
    return True


def sentence_of(error: BaseException) -> str:
    """An error as the page shows it; one that is nobody's doing goes to the log with its origin."""
    if isinstance(error, ZermeloError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    log.error("Unexpected %s: %s (%s)", type(error).__name__, logged(error), where)
    return f"Something went wrong inside ({type(error).__name__}: {str(error)[:200]}); the rest of the workbench goes on."
