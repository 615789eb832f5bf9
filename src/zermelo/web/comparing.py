"""Compare: algorithms side by side on one game, each measurement told as it is made."""

from typing import Any

from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.play.algorithms import ALGORITHMS
from zermelo.play.experiment import Measurement, as_data, compare
from zermelo.play.setup import open_position
from zermelo.registry.sampled_states import explore
from zermelo.web.channel import Connection, Handler, Tell
from zermelo.web.jobs import Job
from zermelo.web.messages import BadMessageError, choice, flag, text, whole
from zermelo.web.seating import suitable

__all__ = ["HANDLERS"]

SMALL = 10_000  # states of a game that is compared as soon as it is opened


class CancelledError(ZermeloError):
    """The experiment was stopped by its user."""


async def engines(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """The algorithms that can be compared on a game, and whether that takes a moment only."""
    bench = connection.bench
    game = await bench.open_game(text(message, "game", most=bench.bounds.text))
    return {
        "small": (await bench.aside(explore, game, SMALL)).longest is not None,
        "engines": [player["name"] for player in suitable(game) if player["name"] in ALGORITHMS],
    }


async def run(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """The experiment of Lan et al. (2023)."""
    bench = connection.bench
    name = text(message, "game", most=bench.bounds.text)
    chosen = message.get("engines")
    if not isinstance(chosen, list) or not all(isinstance(engine, str) for engine in chosen) or not 0 < len(chosen) <= 6:
        raise BadMessageError("Choose one to six algorithms.")
    moves = text(message, "moves", "", bench.bounds.text)
    repeat = whole(message, "repeat", 1, 50, 3)
    depth = None if message.get("depth") is None else whole(message, "depth", 1, 100)
    backend, plain = choice(message, "backend", ("auto", "reference"), "auto"), flag(message, "plain", True)

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        game = bench.offers.open(name)

        def progress(words: str) -> None:
            if job.stop.is_set():
                raise CancelledError("Stopped.")
            tell({"words": words})

        def told(measured: Measurement) -> None:
            if not job.stop.is_set():
                tell({"engine": measured.engine, "measurement": as_data(measured)})

        try:
            found = compare(
                game,
                chosen,
                open_position(game, moves),
                repeat=repeat,
                depth=depth,
                textbook=plain,
                backend=backend,
                progress=progress,
                tell=told,
                limits=Limits(bench.bounds.seconds, bench.bounds.nodes, stop=job.stop),
            )
        except (ZermeloError, KeyboardInterrupt):  # the latter from a search that had no answer yet
            if job.stop.is_set():
                return {"stopped": True, "line": []}
            raise
        return {"stopped": False, "line": list(found.line), "moves": found.to_dict()["moves"]}

    return {"job": connection.start(work)}


HANDLERS: dict[str, Handler] = {"compare.engines": engines, "compare.run": run}
