"""The fair queue: rows take turns, places are told, stopping works in the queue and at work."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from zermelo.errors import ZermeloError
from zermelo.web.jobs import FairQueue, Job


class Log:
    """Jobs that note the order in which they ran; the first one holds the worker until it is let go."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.finished = threading.Semaphore(0)
        self.gate = threading.Event()

    def job(self, owner: str, name: str, work: Callable[[Job], Any] | None = None) -> Job:
        def note(job: Job) -> Any:
            self.order.append(name)
            return None if work is None else work(job)

        return Job(owner, note, lambda job: self.finished.release())

    def wait(self, jobs: int) -> None:
        for _ in range(jobs):
            assert self.finished.acquire(timeout=20)


def held_queue(log: Log, waiting: int = 100) -> FairQueue:
    """A queue whose one worker is busy until the gate opens."""
    queue = FairQueue(1, waiting)
    begun = threading.Event()

    def hold(job: Job) -> None:
        begun.set()
        log.gate.wait(20)

    queue.submit(log.job("first", "first", hold))
    assert begun.wait(20)
    return queue


def test_whoever_asks_for_much_does_not_keep_others_waiting() -> None:
    log = Log()
    queue = held_queue(log)
    for number in range(3):
        queue.submit(log.job("greedy", f"greedy {number}"))
    queue.submit(log.job("modest", "modest"))
    queue.submit(log.job("late", "late"))
    log.gate.set()
    log.wait(6)
    assert log.order == ["first", "greedy 0", "modest", "late", "greedy 1", "greedy 2"]
    queue.close()


def test_places_are_those_in_which_jobs_will_run() -> None:
    log = Log()
    queue = held_queue(log)
    jobs = {name: log.job(owner, name) for owner, name in (("a", "a0"), ("a", "a1"), ("b", "b0"))}
    for job in jobs.values():
        queue.submit(job)
    places = queue.places()
    assert [places[jobs[name]] for name in ("a0", "b0", "a1")] == [1, 2, 3]
    assert queue.owned("a") == 2
    log.gate.set()
    log.wait(4)
    assert log.order == ["first", "a0", "b0", "a1"]
    queue.close()


def test_a_job_is_stopped_in_the_queue_and_at_work() -> None:
    log = Log()
    queue = held_queue(log)
    waiting = log.job("a", "never")
    queue.submit(waiting)
    queue.stop(waiting)
    log.gate.set()
    log.wait(2)
    assert log.order == ["first"]
    assert waiting.stop.is_set()
    begun = threading.Event()

    def work(job: Job) -> str:
        begun.set()
        assert job.stop.wait(20)
        return "best so far"

    running = log.job("a", "stopped", work)
    queue.submit(running)
    assert begun.wait(20)
    queue.stop(running)
    log.wait(1)
    assert running.result == "best so far"
    queue.close()


def test_a_job_that_cannot_stop_does_not_keep_others_waiting() -> None:
    log = Log()
    queue = held_queue(log)  # it does not look at its flag, as a compiler does not
    (held,) = queue.at_work
    queue.submit(log.job("b", "next"))
    queue.stop(held)
    log.wait(1)
    assert log.order == ["first", "next"]
    log.gate.set()
    log.wait(1)
    queue.submit(log.job("b", "after"))
    log.wait(1)
    deadline = time.monotonic() + 20
    while queue.alive > 1 and time.monotonic() < deadline:  # one of the two workers goes
        time.sleep(0.01)
    assert queue.alive == 1
    queue.close()


def test_a_full_queue_refuses_with_a_sentence() -> None:
    log = Log()
    queue = held_queue(log, waiting=2)
    queue.submit(log.job("a", "a"))
    queue.submit(log.job("b", "b"))
    with pytest.raises(ZermeloError, match="2 searches are waiting"):
        queue.submit(log.job("c", "c"))
    log.gate.set()
    log.wait(3)
    queue.close()


def test_a_job_that_fails_keeps_its_error_and_the_worker_lives() -> None:
    log = Log()
    queue = FairQueue(1, 10)

    def fail(job: Job) -> None:
        raise ZermeloError("This cannot be done.")

    bad, good = log.job("a", "bad", fail), log.job("a", "good", lambda job: 42)
    queue.submit(bad)
    queue.submit(good)
    log.wait(2)
    assert isinstance(bad.error, ZermeloError)
    assert good.result == 42
    queue.close()


def test_a_search_that_is_stopped_without_an_answer_leaves_the_worker_alive() -> None:
    log = Log()
    queue = FairQueue(1, 100)

    def stopped(job: Job) -> None:
        raise KeyboardInterrupt

    job = log.job("first", "stopped", stopped)
    queue.submit(job)
    queue.submit(log.job("second", "next"))
    log.wait(2)
    assert isinstance(job.error, ZermeloError)
    assert log.order == ["stopped", "next"]
    queue.close()
