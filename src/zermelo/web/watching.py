"""A user's own files, watched: when rules are saved, matches go on with the new ones, as far as their positions still exist."""

import asyncio
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game, open_position
from zermelo.registry.spelling import parse
from zermelo.rules import Game
from zermelo.web.channel import Connection, Handler, sentence_of
from zermelo.web.jobs import Job
from zermelo.web.messages import text
from zermelo.web.playing import broadcast, changed, stop_judging, stop_thinking
from zermelo.web.record import Record
from zermelo.web.tables import Table
from zermelo.web.views import spoken
from zermelo.web.workbench import Workbench

__all__ = ["HANDLERS", "replayed", "watch"]

LOOK_EVERY = 0.7  # seconds
CHECKED_STATES, CHECKED_GAMES = 1_000, 10


def file_of(given: str) -> Path | None:
    """The file of rules behind a game's name; None for anything else."""
    file = parse(given).file
    return Path(file) if file is not None and Path(file).suffix == ".py" else None


def saved(path: Path) -> float:
    """When a file was written last; 0 where there is none now."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


async def watch(bench: Workbench) -> None:
    """Looks at the files as long as the workbench runs."""
    files = {given: path for given in bench.offers.given if (path := file_of(given)) is not None}
    known = {given: saved(path) for given, path in files.items()}
    while files:
        await asyncio.sleep(LOOK_EVERY)
        for given, path in files.items():
            now = saved(path)
            if now and now != known[given]:
                known[given] = now
                await reload(bench, given, path.name)


async def reload(bench: Workbench, given: str, name: str) -> None:
    """New rules for every match that uses the file; where they cannot be read, the old ones stay, and the page says why."""
    tables = [table for table in bench.tables.open.values() if table.text == given]
    try:
        game = await bench.aside(open_game, given)
    except ZermeloError as error:
        for table in tables:
            broadcast(table, {"event": "play.problem", "table": table.identity, "error": f"{error} The match goes on with the old rules."})
        return
    bench.offers.opened[given] = game
    bench.gallery = asyncio.ensure_future(bench.aside(bench.offers.listing))
    for table in tables:
        old = (table.game, table.record, table.judgements, table.graph)
        try:
            record, words = replayed(table, game, name, bench.bounds.record)
            stop_thinking(bench, table)
            stop_judging(bench, table)
            table.game, table.record, table.judgements, table.graph, table.provisional = game, record, {}, {}, set()
            changed(bench, table)
        except Exception as error:
            table.game, table.record, table.judgements, table.graph = old
            words = f"The new rules fail ({sentence_of(error)}) The match goes on with the old ones."
        broadcast(table, {"event": "play.reloaded", "table": table.identity, "words": words})


def replayed(table: Table, game: Game, name: str, most: int) -> tuple[Record, str]:
    """The match under new rules: its moves by their names, as far as they are still possible."""
    record = Record(game, open_position(game, None), most)
    line = [table.record.moves[number].name for number in table.record.line()]
    for number, word in enumerate(line, 1):
        match = record.match()
        action = None if match.over else next((each for each in match.legal if spoken(game, record.state, each) == word), None)
        if action is None:
            return record, f"{name} was saved: with its new rules {word} is not possible as move {number}, so the match stands before it."
        record.play(action)
    return record, f"{name} was saved: its new rules are in force, and the position is kept."


async def examine(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """Whether a game keeps the promises of its rules, as `zermelo check` says it."""
    bench = connection.bench
    name = text(message, "game", most=bench.bounds.text)

    def work(job: Job, tell: Any) -> dict[str, Any]:
        from zermelo.check import check

        report = check(bench.offers.open(name), states=CHECKED_STATES, games=CHECKED_GAMES, backend="reference")
        return {"lawful": report.lawful, "text": report.text()}

    return {"job": connection.start(work)}


HANDLERS: dict[str, Handler] = {"own.check": examine}
