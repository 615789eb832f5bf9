"""Play: the messages about matches, and the turns of engines and chance."""

import asyncio
import contextlib
import time
from dataclasses import replace
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.limits import Flag
from zermelo.play.algorithm_player import SEARCHES
from zermelo.play.algorithms import Budget
from zermelo.play.equilibrium_player import EquilibriumPlayer, advise, solved
from zermelo.play.match import Match, roll
from zermelo.play.players import AlgorithmPlayer, Automatic, Choice, Human, Player, RandomMover, default_player
from zermelo.play.setup import open_position
from zermelo.play.wording import verdict
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, action_name, hidden_information
from zermelo.web.bounds import Bounds
from zermelo.web.channel import Connection, Handler, sentence_of
from zermelo.web.jobs import Job
from zermelo.web.judging import Judgement, Point, follow, glance, judge, judge_quickly
from zermelo.web.measures import lead_of, seat_name
from zermelo.web.messages import flag, named, text, whole
from zermelo.web.record import Record
from zermelo.web.records import moves_in, written
from zermelo.web.seating import natural_name, seat_players, suitable
from zermelo.web.tables import Table
from zermelo.web.views import action_of, spoken, token
from zermelo.web.workbench import Workbench

__all__ = ["HANDLERS", "choose_move"]

PACE = 0.35  # seconds between two moves that nobody at the keyboard makes, so that they can be followed
TOLD_EVERY = 0.1  # seconds between two words of an engine that thinks
VALUE_SECONDS = 6.0  # for the worth of every move
AT_ONCE_POINTS = 40  # places of a game that are looked at before its search has its turn
GRAPH_SECONDS = 0.4  # for one point of the value's graph
REVIEW_SECONDS = 12.0  # for all of them
TABLE_A_SECOND = 64 << 20  # bytes of a table for each second of thought: more would be allocated, but never filled
LEAST_TABLE = 2 << 20
LEAST_POINT = 0.1  # seconds for a point, however many there are
ENDLESS = 2_000  # moves after which engines among themselves stop


async def open_table(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """Watches a match that is there, or begins one."""
    bench = connection.bench
    known = bench.tables.open.get(text(message, "table", ""))
    if known is not None:
        watch(known, connection)
        return known.state()
    name = text(message, "game", most=bench.bounds.text)
    game = await bench.open_game(name)
    seats = message.get("seats")
    if seats is not None and not (isinstance(seats, list) and all(isinstance(seat, str) and len(seat) < 200 for seat in seats)):
        raise ZermeloError("The seats are a list of players.")
    players = await bench.aside(seat_players, game, seats, bench.bounds)
    for other in list(connection.tables):  # a page shows one match
        bench.unwatch(other, connection)
    table = bench.tables.make(name, game, text(message, "moves", "", bench.bounds.text), players)
    table.values = flag(message, "values") and not table.secret
    table.turned = flag(message, "turned") if "turned" in message else None
    watch(table, connection)
    begin_solving(bench, table)
    return table.state()


def watch(table: Table, connection: Connection) -> None:
    """The browser sees this match from now on, and its engines may think."""
    for other in list(connection.tables - {table}):
        connection.bench.unwatch(other, connection)
    table.watchers.add(connection)
    connection.tables.add(table)
    table.touch()
    advance(connection.bench, table)


def table_of(connection: Connection, message: dict[str, Any]) -> Table:
    """The match that a message is about, if this browser watches it."""
    table = connection.bench.tables.find(text(message, "table"))
    if table not in connection.tables:
        watch(table, connection)
    return table


async def make_move(connection: Connection, message: dict[str, Any]) -> None:
    """A person's move; refused where another tab has moved in the meantime."""
    table = table_of(connection, message)
    if whole(message, "now", 0, 1 << 31) != table.record.now:
        connection.send({"event": "play.state", **table.state()})
        raise ZermeloError("The match has moved on, perhaps in another tab: this page now shows it as it is.")
    match = table.record.match()
    if match.over:
        raise ZermeloError("The game is over.")
    if not table.human_turn(match):
        raise ZermeloError("It is not your turn.")
    action = action_of(match.legal, named(message, "action"))
    table.spend(match.mover, time.monotonic() - table.turn_began)
    table.record.play(action)
    if any(isinstance(seat, EquilibriumPlayer) for seat in table.seats):
        begin_advice(connection.bench, table, match, action)
    table.running = True
    changed(connection.bench, table)


async def go(connection: Connection, message: dict[str, Any]) -> None:
    """To another place in the match; engines wait there until somebody moves or lets them."""
    table = table_of(connection, message)
    table.record.go(whole(message, "move", 0, 1 << 31))
    table.running = False
    changed(connection.bench, table)


async def undo(connection: Connection, message: dict[str, Any]) -> None:
    """Back to the last place where a person was to move; one move where nobody plays."""
    table = table_of(connection, message)
    record = table.record
    line = record.line()
    if not line:
        raise ZermeloError("There is no move to take back.")
    places = [record.moves[number].parent for number in reversed(line)]
    people = [place for place in places if table.human_turn(record.match(place))]
    record.go(people[0] if people else places[0])
    table.running = False
    changed(connection.bench, table)


async def redo(connection: Connection, message: dict[str, Any]) -> None:
    """Forward again, to the next place where a person is to move, along what was looked at last."""
    table = table_of(connection, message)
    record = table.record
    place = record.now
    if place not in record.latest:
        raise ZermeloError("There is no move to make again.")
    any_people = any(isinstance(seat, Human) for seat in table.seats)
    while place in record.latest:
        place = record.latest[place]
        if not any_people or table.human_turn(record.match(place)):
            break
    record.go(place)
    table.running = place not in record.latest
    changed(connection.bench, table)


async def set_running(connection: Connection, message: dict[str, Any]) -> None:
    """Engines go on, or pause."""
    table = table_of(connection, message)
    table.running = flag(message, "on", True)
    if not table.running:
        stop_thinking(connection.bench, table)
    changed(connection.bench, table)


async def set_seats(connection: Connection, message: dict[str, Any]) -> None:
    """Other players at the table."""
    table = table_of(connection, message)
    seats = message.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, str) and len(seat) < 200 for seat in seats):
        raise ZermeloError("The seats are a list of players.")
    table.seats = await connection.bench.aside(seat_players, table.game, seats, connection.bench.bounds)
    stop_thinking(connection.bench, table)
    begin_solving(connection.bench, table)
    table.running = True
    changed(connection.bench, table)


async def set_values(connection: Connection, message: dict[str, Any]) -> None:
    """Every move's worth is shown, or not."""
    bench, table = connection.bench, table_of(connection, message)
    wanted = flag(message, "on", True)
    if wanted:
        await bench.aside(bench.judging_engine, table.game)  # says why there is none
    table.values = wanted
    if not wanted:
        stop_judging(bench, table)
    changed(bench, table)


async def turn(connection: Connection, message: dict[str, Any]) -> None:
    """The board is seen from the other side."""
    table = table_of(connection, message)
    table.turned = flag(message, "on", True)
    broadcast(table, {"event": "play.state", **table.state()})


async def line(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """What follows a move: the best reply and the line behind it, with a sentence."""
    bench, table = connection.bench, table_of(connection, message)
    place = whole(message, "now", 0, 1 << 31)
    if hidden_information(table.game) or place >= len(table.record.moves):
        raise ZermeloError("There is no line to show here.")
    match = table.record.match(place)
    action = action_of(match.legal, named(message, "action"))

    def work(job: Job, tell: Any) -> dict[str, Any]:
        return follow(match, action, bench.judging_engine(match.game), bench.bounds, job.stop)

    return {"job": connection.start(work)}


async def paste(connection: Connection, message: dict[str, Any]) -> None:
    """A whole game from elsewhere takes the place of this one: its end is shown, with what every move was worth."""
    bench, table = connection.bench, table_of(connection, message)
    actions = await bench.aside(moves_in, table.game, text(message, "text", most=bench.bounds.message))
    record = Record(table.game, open_position(table.game, None), bench.bounds.record)
    for action in actions:
        record.play(action)
    stop_thinking(bench, table)
    stop_judging(bench, table)
    table.record, table.judgements, table.graph, table.provisional = record, {}, {}, set()
    table.running, table.values = False, not table.secret
    changed(bench, table)


async def export(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """The game as text: PGN, SGF or a list of moves."""
    table = table_of(connection, message)
    record = table.record
    match = record.match()
    outcome = "*"
    if match.over and table.game.players == 2 and table.game.total is not None:
        lead = lead_of(table.game, match.payoffs()[0], 0)
        outcome = "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"
    actions = [record.moves[number].action for number in record.line()]
    written_, form = await connection.bench.aside(written, table.game, record.beginning.state, actions, outcome)
    return {"text": written_, "form": form}


async def hint(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """What the engine that fits the game would play."""
    bench, table = connection.bench, table_of(connection, message)
    if hidden_information(table.game):
        raise ZermeloError("No hint here: an engine would look at what is hidden from you. The equilibrium lab shows how to mix.")
    match = table.record.match()
    if match.over or match.mover == CHANCE:
        raise ZermeloError("There is nothing to choose here.")
    adviser = await bench.aside(default_player, table.game)
    if isinstance(adviser, RandomMover | Human):
        raise ZermeloError("No hint here: no algorithm fits this game.")

    def work(job: Job, tell: Any) -> dict[str, Any]:
        choice = choose_move(adviser, match, Random(0), job.stop, bench.bounds, lambda result: None)
        found = choice.result
        words = "" if found is None else verdict(match.game, found.value, found.distance, found.exact, seat_name)
        return {"action": token(choice.action), "name": action_name(match.game, match.state, choice.action), "words": words}

    return {"job": connection.start(work)}


async def leave(connection: Connection, message: dict[str, Any]) -> None:
    """The page shows another match now."""
    table = connection.bench.tables.open.get(text(message, "table"))
    if table is not None:
        connection.bench.unwatch(table, connection)


# --- turns


def broadcast(table: Table, message: dict[str, Any]) -> None:
    for watcher in list(table.watchers):
        watcher.send(message)


def changed(bench: Workbench, table: Table) -> None:
    """The match stands elsewhere: whatever was thought about is past, everybody sees the new place, and the next turn begins."""
    table.touch()
    stop_thinking(bench, table)
    stop_judging(bench, table)
    advance(bench, table)
    broadcast(table, {"event": "play.state", **table.state()})


def stop_thinking(bench: Workbench, table: Table) -> None:
    if table.thinking is not None:
        job, table.thinking = table.thinking, None
        bench.queue.stop(job)


def stop_judging(bench: Workbench, table: Table) -> None:
    jobs, table.judging = table.judging, []
    for job in jobs:
        bench.queue.stop(job)


def advance(bench: Workbench, table: Table) -> None:
    """Begins the turn of the player to move, if that is an engine or chance, and values the moves if somebody wants to see them."""
    match = table.record.match()
    if not table.watchers:
        return
    if table.running and table.thinking is None and not match.over and not table.human_turn(match):
        begin_turn(bench, table, match)
    if table.values and not table.judging:
        begin_judging(bench, table, match)


def begin_turn(bench: Workbench, table: Table, match: Match) -> None:
    """An engine thinks, or chance decides, in the queue; the result comes back to the event loop."""
    if len(match.actions) >= ENDLESS:
        table.running = False
        return
    place, seat = table.record.now, match.mover
    player: Player = RandomMover() if seat == CHANCE else table.seats[seat]
    dealt = all(move.mover == CHANCE for move in table.record.moves[1:])  # nobody has to follow what is dealt at the beginning
    quick = not any(isinstance(each, Human) for each in table.seats) or (seat == CHANCE and not dealt)
    began = time.monotonic()

    told = [0.0]

    def report(found: SearchResult | dict[str, Any]) -> None:
        now = time.monotonic()
        if now - told[0] < TOLD_EVERY and not (isinstance(found, SearchResult) and found.exact):
            return
        told[0] = now
        words = thought(found) if isinstance(found, SearchResult) else found
        bench.call(broadcast, table, {"event": "play.thinking", "table": table.identity, "now": place, "seat": seat, **words})

    def work(job: Job) -> Choice:
        if seat == CHANCE:
            return Choice(roll(match.game, match.state, table.random), 0.0)
        if isinstance(player, EquilibriumPlayer):
            report({"note": "plays the equilibrium, which is worked out once, before its first move"})
        return choose_move(player, match, table.random, job.stop, bench.bounds, report)

    def done(job: Job) -> None:
        bench.call(finish, job)

    def finish(job: Job) -> None:
        if table.thinking is job:
            bench.spawn(end_turn(bench, table, job, place, seat, PACE - (time.monotonic() - began) if quick else 0.0))

    table.thinking = Job(table.identity, work, done)
    if seat == CHANCE:
        bench.spawn(beside(bench, table.thinking))
        return
    try:
        bench.queue.submit(table.thinking)
    except ZermeloError as error:
        table.thinking, table.running = None, False
        broadcast(table, {"event": "play.problem", "table": table.identity, "error": str(error)})


async def beside(bench: Workbench, job: Job) -> None:
    """What takes no thought does not wait behind searches."""
    try:
        job.result = await bench.aside(job.work, job)
    except Exception as error:
        job.error = error
    job.over = True
    job.done(job)


async def end_turn(bench: Workbench, table: Table, job: Job, place: int, seat: int, pause: float) -> None:
    """The move that was found is made, if the match still stands where it was asked for."""
    if pause > 0:
        await asyncio.sleep(pause)
    if table.thinking is not job:
        return
    table.thinking = None
    if job.stop.is_set() or table.record.now != place or not table.running:
        return
    if job.error is not None:
        table.running = False
        broadcast(table, {"event": "play.problem", "table": table.identity, "error": sentence_of(job.error)})
        broadcast(table, {"event": "play.state", **table.state()})
        return
    choice: Choice = job.result
    table.spend(seat, choice.seconds)
    table.record.play(choice.action)
    if choice.result is not None and not isinstance(choice.result.value, tuple):
        table.graph[table.record.now] = Point.of(table.game, choice.result.value, choice.result.exact)
    changed(bench, table)


def choose_move(player: Player, match: Match, random: Random, stop: Flag, bounds: Bounds, tell: Any) -> Choice:
    """A player's move; what a search finds on the way is told, and it ends when it is stopped or has had enough."""
    if isinstance(player, AlgorithmPlayer):
        return choose_by_algorithm(player, match, random, stop, bounds, tell)
    if not isinstance(player, Automatic):
        raise ZermeloError("A person sits here.")
    limited: Any = player
    if getattr(limited, "time", bounds.seconds) is None:
        limited = replace(limited, time=bounds.seconds / 4)
    choice: Choice = limited.choose(match, random)
    if choice.result is not None:
        tell(choice.result)
    return choice


def choose_by_algorithm(player: AlgorithmPlayer, match: Match, random: Random, stop: Flag, bounds: Bounds, tell: Any) -> Choice:
    """The move of an algorithm, within its own limits and ours."""
    begun = time.perf_counter()
    usual = bounds.seconds if player.is_limited or player.family in SEARCHES else bounds.seconds / 4
    seconds = min(player.setting("time") or usual, usual)
    memory = min(bounds.memory, max(LEAST_TABLE, int(seconds * TABLE_A_SECOND)))  # for this one move: nobody's table outlives it
    budget = Budget(None, seconds, bounds.nodes)

    def hear(found: Any) -> None:
        tell(found if isinstance(found, SearchResult) else playouts_so_far(match, found))

    found = player.think_aloud(match, random, budget, stop, hear, memory)
    if found.action is None:
        raise ZermeloError(f"{player.algorithm} found no move: {' '.join(found.notes)}")
    tell(found)
    return Choice(player.decide(found, random), time.perf_counter() - begun, found)


def playouts_so_far(match: Match, seen: Any) -> dict[str, Any]:
    """How far a search by playouts is, in words."""
    best = max(seen.moves, key=lambda move: move.visits, default=None)
    name = "" if best is None else action_name(match.game, match.state, best.action)
    words = "" if best is None else f"{best.visits:,} of {seen.playouts:,} playouts"
    return {"words": words, "exact": False, "depth": None, "nodes": seen.nodes, "seconds": seen.seconds, "line": [], "best": name}


def thought(result: SearchResult) -> dict[str, Any]:
    """What an engine has found so far, in words."""
    return {
        "words": verdict(result.game, result.value, result.distance, result.exact, seat_name),
        "value": None if isinstance(result.value, tuple) else float(result.value),
        "exact": result.exact,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": result.seconds,
        "line": result.line_names()[:12],
        "best": None if result.action is None else result.action_name(result.action),
    }


def begin_solving(bench: Workbench, table: Table) -> None:
    """Where somebody plays the equilibrium, it is worked out while people still look at the board."""
    if any(isinstance(seat, EquilibriumPlayer) for seat in table.seats):
        with contextlib.suppress(ZermeloError):  # the queue is full: it is solved when it is needed
            bench.queue.submit(Job(f"{table.identity} equilibrium", lambda job: solved(table.game), lambda job: None))


def begin_advice(bench: Workbench, table: Table, match: Match, action: Action) -> None:
    """What the equilibrium would have done where a person has chosen, and what the choice cost; told when it is known."""
    place = table.record.now

    def work(job: Job) -> dict[str, Any]:
        found = advise(match.game, match.state, action)
        unit = getattr(match.game, "unit", ("", 1))[0]
        return {
            "move": action_name(match.game, match.state, action),
            "frequencies": [[action_name(match.game, match.state, each), weight] for each, weight in found.frequencies.items()],
            "cost": found.cost,
            "unit": unit,
        }

    def done(job: Job) -> None:
        if job.error is None and not job.stop.is_set():
            table.advice = [*table.advice[-19:], {"place": place, **job.result}]
            broadcast(table, {"event": "play.advice", "table": table.identity, "advice": table.advice})

    with contextlib.suppress(ZermeloError):  # the queue is full: the match goes on without
        bench.queue.submit(Job(f"{table.identity} advice", work, lambda job: bench.call(done, job)))


# --- the worth of every move


def begin_judging(bench: Workbench, table: Table, match: Match) -> None:
    """Values the moves here, and beside that the places of the line whose value is not known yet."""
    place = table.record.now
    known = table.judgements.get(place)
    need = not match.over and match.mover != CHANCE and not (known is not None and known["done"])
    if table.secret:
        return
    if match.over and place not in table.graph:
        take_point(table, place, Point.of(match.game, match.payoffs(), True))
    rest = [move for move in (0, *table.record.whole_line()) if (move not in table.graph or move in table.provisional) and move != place]
    matches = [(move, other) for move in reversed(rest) if (other := table.record.match(move)).over or other.mover != CHANCE]

    def report(found: Judgement) -> None:
        bench.call(take, table, place, found.to_dict())

    seen: list[Judgement] = []  # what a first look has found

    def work(job: Job) -> None:
        engine = bench.judging_engine(match.game)
        report(judge(match, engine, VALUE_SECONDS, bench.bounds, job.stop, report, seen[0].depth or 0 if seen else 0))

    def review(job: Job) -> None:
        engine = bench.judging_engine(match.game)
        seconds = max(LEAST_POINT, min(GRAPH_SECONDS, REVIEW_SECONDS / max(1, len(matches))))
        for move, other in matches:
            if job.stop.is_set():
                return
            if move not in table.graph or move in table.provisional:
                bench.call(take_point, table, move, judge_quickly(other, engine, seconds, bench.bounds, job.stop))

    def finish(job: Job) -> None:
        if job in table.judging:
            table.judging.remove(job)
            if job.error is not None and not job.stop.is_set():
                broadcast(table, {"event": "play.problem", "table": table.identity, "error": sentence_of(job.error)})

    async def begin() -> None:
        """A first look beside the queue, where nobody has to wait for a compiler; then the searches in their turn."""
        try:
            if need:
                found = await bench.aside(lambda: glance(match, bench.judging_engine(match.game), valuing.stop))
                if valuing.stop.is_set():
                    return
                if found is not None:
                    seen.append(found)
                    take(table, place, found.to_dict())
                if found is not None and found.done:
                    finish(valuing)
                else:
                    bench.queue.submit(valuing)
            for move, other in matches[:AT_ONCE_POINTS]:
                point = await bench.aside(point_at_once, bench, other, reviewing)
                if reviewing.stop.is_set():
                    return
                if point is not None and (point.exact or move not in table.graph):
                    take_point(table, move, point, provisional=not point.exact)
            if matches:
                bench.queue.submit(reviewing)
        except ZermeloError as error:
            stop_judging(bench, table)
            broadcast(table, {"event": "play.problem", "table": table.identity, "error": str(error)})

    def done(job: Job) -> None:
        bench.call(finish, job)

    valuing, reviewing = Job(f"{table.identity} values", work, done), Job(f"{table.identity} review", review, done)
    table.judging = [valuing] * need + [reviewing] * bool(matches)
    bench.spawn(begin())


def point_at_once(bench: Workbench, match: Match, job: Job) -> Point | None:
    """A point of the graph by a first look, exact or not; None where that tells nothing, or where nobody waits for it any more."""
    if job.stop.is_set():
        return None
    if match.over:
        return Point.of(match.game, match.payoffs(), True)
    found = glance(match, bench.judging_engine(match.game), job.stop)
    if found is None:
        return None
    return Point.of(match.game, found.value, found.exact, spoken(match.game, match.state, found.best[0]) if found.best else None)


def take(table: Table, place: int, found: dict[str, Any]) -> None:
    """A judgement is kept and shown."""
    table.judgements[place] = found
    (table.provisional.discard if found["done"] or found["exact"] else table.provisional.add)(place)
    best = found["line"][0]["name"] if found["line"] else None
    table.graph[place] = Point(found["value"], found["exact"], found["share"], best)
    broadcast(table, {"event": "play.values", "table": table.identity, "now": place, "judgement": found, **graph_of(table)})


def take_point(table: Table, place: int, point: Point, provisional: bool = False) -> None:
    """A point of the graph is kept and shown; a provisional one until a search has looked."""
    table.graph[place] = point
    (table.provisional.add if provisional else table.provisional.discard)(place)
    broadcast(table, {"event": "play.graph", "table": table.identity, **graph_of(table)})


def graph_of(table: Table) -> dict[str, Any]:
    return {"graph": table.points(), "unsure": table.unsure()}


async def players_of(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """Who can sit at a game, and who does by default."""
    bench = connection.bench
    game = await bench.open_game(text(message, "game", most=bench.bounds.text))
    return {"players": suitable(game), "natural": await bench.aside(natural_name, game)}


HANDLERS: dict[str, Handler] = {
    "play.open": open_table,
    "play.move": make_move,
    "play.go": go,
    "play.undo": undo,
    "play.redo": redo,
    "play.run": set_running,
    "play.seats": set_seats,
    "play.values": set_values,
    "play.hint": hint,
    "play.turn": turn,
    "play.line": line,
    "play.paste": paste,
    "play.export": export,
    "play.leave": leave,
    "play.players": players_of,
}
