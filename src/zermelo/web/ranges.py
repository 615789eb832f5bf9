"""Poker spots in the browser: solved over ranges or opened from a file, walked through point by point, and trained on."""

import secrets
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from zermelo.errors import ZermeloError
from zermelo.web.channel import Connection, Handler, Tell
from zermelo.web.jobs import Job
from zermelo.web.messages import number, text, whole

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive.public.public_result import HandGroup, RangePoint, RangeResult
    from zermelo.rules import Game

__all__ = ["HANDLERS"]

WORDS = ("board", "oop", "ip", "bets", "raises", "donks", "deck")  # parameters that are texts,
NUMBERS = {"pot": (0.01, 1e9), "stack": (0.01, 1e9), "rake": (0.0, 0.99)}  # and numbers
EXAMPLE = {  # what the page begins with
    "board": "Qs Jh 2h 8c 3d",
    "oop": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "ip": "AA,KK,QQ,JJ,TT,99:0.75,88:0.75,77:0.5,66:0.25,AK,AQ,AJs,ATs:0.75,A5s-A2s:0.5,KQ,KJs,KTs:0.75,QJs,QTs,JTs,T9s,98s,87s,76s",
    "bets": "50%,a",
    "raises": "60%,a",
    "pot": 50,
    "stack": 200,
}
ROWS = 1_400  # hands that a page lists: every hand of hold'em


def spot_of(message: dict[str, Any]) -> "Game":
    """The spot that a form describes."""
    from zermelo.games.holdem import Holdem

    given: dict[str, Any] = {name: text(message, name) for name in WORDS if message.get(name)}
    given |= {name: number(message, name, *limits) for name, limits in NUMBERS.items() if name in message}
    return Holdem(**given)


async def begin(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """What a form begins with, and the files of solved spots that were given at the start."""
    return {"example": EXAMPLE, "files": [Path(file).name for file in connection.bench.offers.solved]}


async def solve(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """A spot is solved and kept for its browser; exploitability is told on the way."""
    bench = connection.bench
    target = number(message, "target", 0.001, 100.0, 0.5)
    seconds = number(message, "seconds", 0.1, bench.bounds.seconds, bench.bounds.seconds)

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        from zermelo.equilibrium.extensive.public.public_solver import PublicSolver

        game = spot_of(message)
        pot = game.public().pot  # type: ignore[attr-defined]

        def progress(point: Any) -> None:
            tell({"iterations": point.iterations, "percent": 100 * point.exploitability / pot})

        solver = PublicSolver(target=target, seconds=seconds, memory=bench.bounds.ranges, stop=job.stop, progress=progress)
        return keep(connection, solver.solve(game))

    return {"job": connection.start(work)}


async def reopen(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """A solved spot is opened from a file that was given at the start."""
    files = connection.bench.offers.solved
    if not files:
        raise ZermeloError("No solved spot was given at the start: `zermelo web FILE.npz` gives one.")
    path = Path(files[whole(message, "file", 0, len(files) - 1)])

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        from zermelo.equilibrium.extensive.public.public_result import RangeResult
        from zermelo.play.setup import open_game

        return keep(connection, RangeResult.load(path, open_game(RangeResult.source_of(path))))

    return {"job": connection.start(work)}


def keep(connection: Connection, result: "RangeResult") -> dict[str, Any]:
    """Keeps a solution for its browser, where the oldest gives way; what was found, in short."""
    identity = secrets.token_urlsafe(6)

    def put() -> None:
        connection.spots[identity] = result
        while len(connection.spots) > connection.bench.bounds.spots:
            connection.spots.popitem(last=False)

    connection.bench.call(put)
    return {
        "spot": identity,
        "seats": list(result.form.game.seats),
        "value": list(result.value),
        "percent": result.percent,
        "iterations": result.iterations,
        "seconds": result.seconds,
        "stopped": result.stopped,
        "guarantee": result.guarantee,
        "point": view(result, ""),
    }


def kept(connection: Connection, message: dict[str, Any]) -> "RangeResult":
    """The solution that a message is about."""
    found: RangeResult | None = connection.spots.get(text(message, "spot", most=40))
    if found is None:
        raise ZermeloError("This spot is no longer kept: solve it again.")
    return found


async def point(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """What happens at the end of a line of actions and cards."""
    result, line = kept(connection, message), text(message, "line", "")
    return {"job": connection.start(lambda job, tell: view(result, line))}


def view(result: "RangeResult", line: str) -> dict[str, Any]:
    """A decision with every hand, the cards that may come with what happens behind each, or the end of the hand."""
    words = [word.strip() for word in line.split(",") if word.strip()]
    if result.card_comes(line):
        return {"line": words, "kind": "cards", "cards": cards(result, line)}
    if not result.lines(line):
        return {"line": words, "kind": "end"}
    return {"line": words, "kind": "decision", **decision(result.at(line))}


def cards(result: "RangeResult", line: str) -> list[dict[str, Any]]:
    """Every card that may come, with the next decision's means where somebody decides at once."""
    from zermelo.draw.grid import action_colours

    points = result.runouts(line)
    shown: list[dict[str, Any]] = []
    for card in result.lines(line):
        behind = points.get(card)
        colours = {} if behind is None else action_colours(behind.actions)
        found = {} if behind is None else {"seat": behind.seat, "equity": behind.equity, "value": behind.value}
        shares = [] if behind is None else [[action, share, colours[action]] for action, share in behind.frequencies.items()]
        shown.append({"card": card, **found, "shares": shares})
    return shown


def decision(found: "RangePoint") -> dict[str, Any]:
    """A decision: means, the grid of classes, groups of hands, and hands."""
    from zermelo.draw.grid import action_colours, hand_class_at

    colours, classes = action_colours(found.actions), found.classes()
    most = max((mean for _, _, _, mean in classes.values()), default=1.0) or 1.0
    grid = None
    if all(len(kind) > 1 for kind in classes):
        names = [[hand_class_at(row, column) for column in range(13)] for row in range(13)]
        grid = [[[name, *cell(classes.get(name), most)] for name in row] for row in names]
    rows = sorted(found.rows, key=lambda row: -row.value)[:ROWS]
    return {
        "seat": found.seat,
        "board": found.board.split(),
        "pot": found.pot,
        "actions": [[action, share, colours[action]] for action, share in found.frequencies.items()],
        "value": found.value,
        "equity": found.equity,
        "grid": grid,
        "made": groups(found.groups("made")),
        "draws": groups(found.groups("draw")),
        "hands": [
            [row.hand, row.kind, row.weight, row.equity, row.value, *([row.frequencies[name], row.values[name]] for name in found.actions)]
            for row in rows
        ],
    }


def cell(known: tuple[float, dict[str, float], float, float] | None, most: float) -> list[Any]:
    """How much of a class is there, its value, and how often it takes each action; nothing of a class outside the range."""
    if known is None or known[0] <= 0:
        return []
    _, often, value, mean = known
    return [min(1.0, mean / most), value, list(often.values())]


def groups(found: "dict[str, HandGroup]") -> list[list[Any]]:
    return [[word, group.weight, group.equity, group.value, list(group.frequencies.values())] for word, group in found.items()]


async def question(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """A hand at a decision, drawn by a seed; with an `action`, what that costs and what the equilibrium does."""
    from zermelo.play.range_training import draw_question

    result, seed = kept(connection, message), whole(message, "seed", 0, 1 << 31)
    chosen = text(message, "action", "", 40)

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        asked = draw_question(result, Random(seed))
        found, row = asked.point, asked.row
        shown = {"seat": found.seat, "hand": row.hand, "board": found.board.split(), "pot": found.pot, "line": found.line}
        shown["actions"] = list(found.actions)
        if not chosen:
            return shown
        if chosen not in found.actions:
            raise ZermeloError(f"There is no action {chosen!r} here.")
        shares = [[action, row.frequencies[action], row.values[action]] for action in found.actions]
        return {**shown, "cost": asked.cost(chosen), "shares": shares}

    return {"job": connection.start(work)}


HANDLERS: dict[str, Handler] = {
    "ranges.begin": begin,
    "ranges.solve": solve,
    "ranges.open": reopen,
    "ranges.point": point,
    "ranges.question": question,
}
