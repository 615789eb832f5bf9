"""A workbench in this process, and a program that speaks with it as a page would."""

import json
import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from websockets.sync.client import ClientConnection, connect

from zermelo.web.bounds import Bounds
from zermelo.web.server import Server

__all__ = ["NARROW", "QUICK", "WIDE", "Page", "go", "play_address", "running", "visit"]

QUICK = 'alphabeta(depth=9,backend="reference")'  # an engine that needs no compiling
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}

PATIENCE = 60.0  # seconds; a test that waits this long has failed anyway


@contextmanager
def running(bounds: Bounds | None = None, given: tuple[str, ...] = (), workers: int = 2) -> Iterator[Server]:
    """A workbench on any free port, as long as it is needed."""
    server = Server(0, given, bounds, workers)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.uvicorn.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield server
    finally:
        server.end()
        thread.join(10)


class Unmoved(urllib.request.HTTPRedirectHandler):
    """Leaves redirections to whoever asks."""

    def redirect_request(self, *arguments: Any) -> None:
        return None


def visit(server: Server, path: str = "/", *, cookie: bool = True, body: Any = None, **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of one request; `host` and `origin` replace the true ones."""
    sent = {"Host": f"127.0.0.1:{server.keys.port}", **{name.capitalize(): value for name, value in headers.items()}}
    if cookie:
        sent["Cookie"] = f"{server.keys.cookie}={server.keys.pass_word}"
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{server.keys.port}{path}", data, sent)
    try:
        with urllib.request.build_opener(Unmoved).open(request, timeout=PATIENCE) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers), error.read().decode()


class Page:
    """One browser tab without a browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.number = 0
        self.events: list[dict[str, Any]] = []

    @classmethod
    @contextmanager
    def open(cls, server: Server, *, cookie: str | None = None, origin: str | None = None, host: str | None = None) -> Iterator["Page"]:
        """A connection with the right key, or with a wrong one."""
        held = f"{server.keys.cookie}={server.keys.pass_word}" if cookie is None else cookie
        headers = {"Cookie": held}
        address = f"ws://{host or '127.0.0.1'}:{server.keys.port}/ws"
        line = socket.create_connection(("127.0.0.1", server.keys.port), PATIENCE)
        own: Any = f"http://127.0.0.1:{server.keys.port}" if origin is None else origin or None
        with connect(address, additional_headers=headers, origin=own, max_size=None, open_timeout=PATIENCE, sock=line) as made:
            yield cls(made)

    def say(self, type_: str, **parts: Any) -> int:
        """Sends a message without waiting."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "type": type_, **parts}))
        return self.number

    def receive(self, timeout: float = PATIENCE) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        return message

    def answer(self, type_: str, **parts: Any) -> dict[str, Any]:
        """The answer to a message; events on the way are kept."""
        number = self.say(type_, **parts)
        while (message := self.receive()).get("re") != number:
            self.events.append(message)
        return message

    def ask(self, type_: str, **parts: Any) -> dict[str, Any]:
        """What is answered; an error fails the test."""
        message = self.answer(type_, **parts)
        assert "ok" in message, message
        found: dict[str, Any] = message["ok"]
        return found

    def event(self, kind: str, **parts: Any) -> dict[str, Any]:
        """The next event of a kind, with these parts."""
        wanted = {"event": kind, **parts}
        while True:
            for place, message in enumerate(self.events):
                if all(message.get(name) == value for name, value in wanted.items()):
                    return self.events.pop(place)
            self.events.append(self.receive())

    def run(self, type_: str, **parts: Any) -> dict[str, Any]:
        """What a search gives in the end."""
        message = self.ending(self.ask(type_, **parts)["job"])
        assert message["event"] == "done", message
        result: dict[str, Any] = message["result"]
        return result

    def ending(self, job: int) -> dict[str, Any]:
        """How a search ended."""
        while True:
            for message in self.events:
                if message.get("job") == job and message["event"] in ("done", "failed"):
                    self.events.remove(message)
                    return message
            self.events.append(self.receive())

    def legal(self, state: dict[str, Any], name: str) -> int:
        """The move of this name."""
        action: int = next(move["action"] for move in state["legal"] if move["name"] == name)
        return action


def go(tab: Any, workbench: Server, place: str) -> None:
    """Opens a page, and waits until it has taken the place of the one before, whose parts may look alike."""
    tab.goto(f"http://127.0.0.1:{workbench.keys.port}/{place}")
    page = re.match(r"#/(\w*)", place)
    tab.wait_for_selector(f"#main > {page[1] if page and page[1] else 'games'}-page", state="attached")


def play_address(game: str, moves: str = "", seats: str = f"human;{QUICK}") -> str:
    return f"#/play?game={quote(game)}&moves={moves}&seats={quote(seats, safe=';')}"
