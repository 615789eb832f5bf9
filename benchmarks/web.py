"""The workbench under load: many matches at once, each move with 50 ms of engine thought from the fair queue.

    python benchmarks/web.py                   # 200 matches for 20 seconds
    python benchmarks/web.py --minutes 10      # the same for ten minutes: is memory flat?

Every match plays on as long as the run lasts. Beside them somebody else asks for pages and pings the workbench: how long that takes is the
figure that says whether the event loop stays free. The run fails where anything is answered with an error.
"""

import argparse
import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

ENGINE = "deepening(time=0.05)"
PROMISED = 0.100  # seconds: p99 of other requests
FIRST_PAGE = 1.0  # seconds
FIRST_VALUES = 2.0  # seconds
GLANCE = 2.0  # seconds for which somebody looks at the gallery before opening a game
VALUED = (
    "tictactoe",
    "nim",
    "connect4",
    "othello",
    "hex",
    "kalah",
    "chess",
    "draughts",
    "ninemensmorris",
    "eightpuzzle",
    "pig",
    "twenty48",
)
ALONE = ("eightpuzzle", "twenty48")  # games for one


@dataclass
class Figures:
    """What was measured."""

    moves: int = 0
    waits: list[float] = field(default_factory=list)  # from a person's move to the engine's answer
    others: list[float] = field(default_factory=list)  # other requests
    errors: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)  # kilobytes, once a second


class Player:
    """One browser that plays one match after the other."""

    def __init__(self, socket: Any, figures: Figures) -> None:
        self.socket, self.figures, self.number = socket, figures, 0

    async def ask(self, kind: str, **parts: Any) -> dict[str, Any]:
        self.number += 1
        await self.socket.send(json.dumps({"id": self.number, "type": kind, **parts}))
        while True:
            message = json.loads(await self.socket.recv())
            if message.get("re") == self.number:
                if "error" in message:
                    self.figures.errors.append(message["error"])
                return dict(message.get("ok") or {})
            if message.get("event") == "play.problem":
                self.figures.errors.append(message["error"])

    async def state_after(self, now: int) -> dict[str, Any]:
        """The match once it stands elsewhere and a person is to move, or it is over."""
        while True:
            message = json.loads(await self.socket.recv())
            if message.get("event") == "play.problem":
                self.figures.errors.append(message["error"])
            if message.get("event") == "play.state" and message["now"] > now and (message["human"] or message["over"]):
                return dict(message)

    async def play(self, until: float) -> None:
        while time.monotonic() < until:
            state = await self.ask("play.open", game="connect4", seats=["human", ENGINE])
            while not state.get("over") and time.monotonic() < until:
                asked = time.monotonic()
                action = state["legal"][len(state["legal"]) // 2]["action"]
                await self.ask("play.move", table=state["table"], now=state["now"], action=action)
                state = await self.state_after(state["now"])
                self.figures.waits.append(time.monotonic() - asked)
                self.figures.moves += 1


def bystander(address: str, cookie: str, seconds: float) -> tuple[list[float], list[str]]:
    """Somebody who does not play: pages and pings, one after the other, from a process of its own, as a browser is. Seconds and errors."""
    return asyncio.run(ask_around(address, cookie, time.monotonic() + seconds))


async def ask_around(address: str, cookie: str, until: float) -> tuple[list[float], list[str]]:
    figures = Figures()
    async with line(address, cookie) as socket:
        player = Player(socket, figures)
        while time.monotonic() < until:
            asked = time.monotonic()
            await player.ask("ping")
            figures.others.append(time.monotonic() - asked)
            asked = time.monotonic()
            await asyncio.to_thread(fetch, f"{address}/static/app.js", cookie)
            figures.others.append(time.monotonic() - asked)
            await asyncio.sleep(0.02)
    return figures.others, figures.errors


async def watch_memory(process: int, figures: Figures, until: float) -> None:
    while time.monotonic() < until:
        figures.memory.append(resident(process))
        await asyncio.sleep(1)


def resident(process: int) -> int:
    """Kilobytes of memory that a process holds; 0 where the system does not tell."""
    status = Path(f"/proc/{process}/status")
    found = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
    return int(found[1]) if found else 0


def fetch(url: str, cookie: str) -> bytes:
    request = urllib.request.Request(url, headers={"Cookie": cookie})
    with urllib.request.urlopen(request, timeout=60) as answer:
        body: bytes = answer.read()
        return body


def quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def line(address: str, cookie: str) -> Any:
    """A WebSocket, as the page opens one."""
    host = address.removeprefix("http://")
    return connect(f"ws://{host}/ws", additional_headers={"Cookie": cookie}, origin=address, max_size=None)  # type: ignore[arg-type]  # it wants a type of its own for an origin, which is text


async def load(address: str, cookie: str, process: int, sessions: int, seconds: float) -> Figures:
    figures = Figures()
    async with line(address, cookie) as first:  # compiling is not part of the load
        await Player(first, Figures()).play(time.monotonic() + 3)
    sockets = [await line(address, cookie) for _ in range(sessions)]
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:
        await asyncio.wrap_future(apart.submit(time.monotonic))  # until it is awake
        until = time.monotonic() + seconds
        asking = asyncio.wrap_future(apart.submit(bystander, address, cookie, seconds))
        parts = [Player(socket, figures).play(until) for socket in sockets]
        await asyncio.gather(*parts, watch_memory(process, figures, until))
        others, errors = await asking
    figures.others += others
    figures.errors += errors
    for socket in sockets:
        await socket.close()
    return figures


def started(more: dict[str, str] | None = None) -> tuple[subprocess.Popen[str], str]:
    """A workbench of its own, and where to enter; `more` is added to its environment."""
    command = [sys.executable, "-m", "zermelo", "web", "--no-browser", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(more or {})})
    assert server.stdout is not None
    return server, server.stdout.readline().strip()


def ended(server: "subprocess.Popen[str]") -> None:
    server.send_signal(signal.SIGINT)
    server.wait(20)


def first_pages(times: int = 5) -> list[tuple[float, float]]:
    """Seconds from opening the address of a fresh workbench to a page that can be used, and to all games; none without a browser."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    if program is None:
        return []
    seconds = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(times):
            server, entrance = started()
            page = browser.new_page()
            begun = time.monotonic()
            page.goto(entrance, wait_until="commit")
            page.wait_for_selector(".starts a")
            usable = time.monotonic() - begun
            page.wait_for_selector(".game-card")
            seconds.append((usable, time.monotonic() - begun))
            page.close()
            ended(server)
        browser.close()
    return seconds


def report_first_pages(seconds: list[tuple[float, float]]) -> None:
    if not seconds:
        print("first page: not measured, there is no browser here (pip install playwright, apt-get install chromium)")
        return
    usable, whole = (quantile([times[part] for times in seconds], 0.5) for part in (0, 1))
    kept = "kept" if usable < FIRST_PAGE else "NOT KEPT"
    print(f"first page of a fresh workbench, median of {len(seconds)}: usable after {usable:.2f} s, all games after {whole:.2f} s")
    print(f"usable within {FIRST_PAGE:.0f} s: {kept}")


async def first_values(address: str, cookie: str) -> dict[str, float]:
    """Seconds from opening a game to the first values of its moves, one game after the other."""
    found = {}
    async with line(address, cookie) as socket:
        player = Player(socket, Figures())
        for game in VALUED:
            begun = time.monotonic()
            seats = ["human"] * (1 if game in ALONE else 2)
            state = await player.ask("play.open", game=game, seats=seats, values=True)
            while True:
                message = json.loads(await socket.recv())
                if message.get("event") == "play.values" and message["table"] == state["table"] and message["judgement"]["moves"]:
                    break
            found[game] = time.monotonic() - begun
            await player.ask("play.leave", table=state["table"])
        assert not player.figures.errors, player.figures.errors
    return found


def report_first_values() -> None:
    """Cold: with an empty cache of compiled rules; warm: with what the first run has compiled."""
    with tempfile.TemporaryDirectory() as cache:
        rounds = []
        for _ in ("cold", "warm"):
            server, entrance = started({"ZERMELO_CACHE": cache})
            try:
                fetch(f"{entrance.partition('/?')[0]}/api/games", cookie := enter(entrance))
                time.sleep(GLANCE)
                rounds.append(asyncio.run(first_values(entrance.partition("/?")[0], cookie)))
            finally:
                ended(server)
    for game in VALUED:
        print(f"first values of {game}: {rounds[0][game]:.2f} s cold, {rounds[1][game]:.2f} s warm")
    late = [game for game in VALUED if rounds[0][game] > FIRST_VALUES]
    print(f"first values within {FIRST_VALUES:.0f} s, cold: {'kept' if not late else 'NOT KEPT by ' + ', '.join(late)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=1 / 3)
    asked = parser.parse_args()
    report_first_pages(first_pages())
    report_first_values()
    server, entrance = started()
    try:
        address = entrance.partition("/?")[0]
        cookie = enter(entrance)
        games = json.loads(fetch(f"{address}/api/games", cookie))
        figures = asyncio.run(load(address, cookie, server.pid, asked.sessions, asked.minutes * 60))
    finally:
        ended(server)
    report(figures, asked.sessions, asked.minutes)
    assert len(games) > 20
    assert not figures.errors, figures.errors[:5]
    assert figures.moves > asked.sessions
    return 0


def enter(entrance: str) -> str:
    """The cookie for the token in the address."""

    class Unmoved(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments: Any) -> None:
            return None

    try:
        urllib.request.build_opener(Unmoved).open(entrance)
    except urllib.error.HTTPError as answer:
        return str(answer.headers["set-cookie"]).partition(";")[0]
    raise AssertionError("the entrance gave no cookie")


def report(figures: Figures, sessions: int, minutes: float) -> None:
    others, waits, slow = figures.others, figures.waits, quantile(figures.others, 0.99)
    print(f"{sessions} matches for {minutes:.3g} minutes: {figures.moves:,} engine moves, {len(figures.errors)} errors")
    print(f"waiting for the engine: median {quantile(waits, 0.5):.2f} s, p99 {quantile(waits, 0.99):.2f} s; 0.05 s of it thought")
    print(f"other requests: median {quantile(others, 0.5) * 1000:.1f} ms, p99 {slow * 1000:.1f} ms, most {max(others) * 1000:.1f} ms")
    print(f"p99 below {PROMISED * 1000:.0f} ms: {'kept' if slow < PROMISED else 'NOT KEPT'}, of {len(others):,} requests")
    if figures.memory and figures.memory[0]:
        tenth = max(1, len(figures.memory) // 10)
        early, late = (megabytes(part) for part in (figures.memory[tenth : 2 * tenth] or figures.memory, figures.memory[-tenth:]))
        print(f"memory: {early:.0f} MB early, {late:.0f} MB at the end, most {megabytes([max(figures.memory)]):.0f} MB")


def megabytes(kilobytes: list[int]) -> float:
    return sum(kilobytes) / len(kilobytes) / 1024


if __name__ == "__main__":
    sys.exit(main())
