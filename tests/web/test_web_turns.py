"""Whoever asks for something short does not wait for those who ask for much: messages take turns, and searches give way."""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, TypeVar

import pytest
from speaking import Page

from zermelo.play.match import Match
from zermelo.play.players import parse_player
from zermelo.play.setup import open_game, open_position
from zermelo.web import playing
from zermelo.web.bounds import Bounds
from zermelo.web.jobs import NICE, FairQueue, Job
from zermelo.web.server import LoadedCode, Server
from zermelo.web.turnstile import Turnstile

Result = TypeVar("Result")


def alone(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """What a coroutine gives on a thread of its own: a browser under test keeps an event loop on this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result(60)


def test_one_a_round_passes_the_turnstile_and_short_things_pass_by() -> None:
    order: list[str] = []

    async def long(turnstile: Turnstile, number: int) -> None:
        await turnstile.enter()
        order.append(f"long {number}")

    async def short() -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        order.append("short")

    async def everybody() -> None:
        turnstile = Turnstile()
        await asyncio.gather(*(long(turnstile, number) for number in range(20)), short())

    alone(everybody)
    assert [words for words in order if words != "short"] == [f"long {number}" for number in range(20)]
    assert order.index("short") < 4


def test_somebody_who_leaves_the_turnstile_keeps_nobody_waiting() -> None:
    async def everybody() -> list[bool]:
        turnstile = Turnstile()
        entering = [asyncio.ensure_future(turnstile.enter()) for _ in range(5)]
        await asyncio.sleep(0)
        entering[2].cancel()
        await asyncio.wait(entering, timeout=20)
        return [task.done() and not task.cancelled() for task in entering]

    assert alone(everybody) == [True, True, False, True, True]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux only")
def test_searches_are_less_urgent_than_answers() -> None:
    queue, done = FairQueue(1, 10), threading.Event()
    job = Job("anybody", lambda job: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()), lambda job: done.set())
    queue.submit(job)
    assert done.wait(20)
    assert job.result == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
    queue.close()


@pytest.mark.parametrize(("limit", "memory"), [("time=0.05", int(0.05 * (64 << 20))), ("time=0.001", 2 << 20), ("depth=2", 64 << 20)])
def test_a_short_thought_gets_a_small_table(limit: str, memory: int) -> None:
    game = open_game("tictactoe")
    player = parse_player(f'deepening({limit},backend="reference")')
    match = Match(game, open_position(game, None))
    found = playing.choose_move(player, match, Random(0), threading.Event(), Bounds(), lambda result: None)
    assert found.result is not None
    assert found.result.parameters["memory"] == memory


def test_loaded_code_is_left_alone_once(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: list[int] = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(len(sys.modules)))
    code = LoadedCode()
    code.settle()
    code.settle()
    assert len(frozen) == 1
    monkeypatch.setitem(sys.modules, "a module that was just loaded", sys)
    code.settle()
    assert len(frozen) == 2


def test_everybody_who_waits_hears_their_place(workbench: Server) -> None:
    """More wait than are told at once, and each is told a place of its own."""
    release = threading.Event()
    for number in range(2):  # both workers are busy
        workbench.bench.queue.submit(Job(f"busy {number}", lambda job: release.wait(20), lambda job: None))
    try:
        with Page.open(workbench) as first, Page.open(workbench) as second:
            pages = [first, second]
            wanted = {"game": "tictactoe", "engines": ["minimax"], "moves": "4012", "backend": "reference", "repeat": 1}
            jobs = [(page, page.ask("compare.run", **wanted)["job"]) for page in pages for _ in range(2)]
            places = [page.event("place", job=job)["place"] for page, job in jobs]
            assert sorted(places) == [1, 2, 3, 4]
            release.set()
            for page, job in jobs:
                assert page.event("done", job=job)["result"]["line"]
    finally:
        release.set()


def test_chance_does_not_wait_behind_searches(workbench: Server) -> None:
    release = threading.Event()
    for number in range(2):  # both workers are busy
        workbench.bench.queue.submit(Job(f"busy {number}", lambda job: release.wait(60), lambda job: None))
    try:
        with Page.open(workbench) as page:
            page.ask("play.open", game="kuhn", seats=["human", "random"])
            assert page.event("play.state", human=True)["legal"]  # both cards are dealt
    finally:
        release.set()
