"""MCTS live: a tree that grows at a chosen pace, with the visits, values and bounds of every move of its root."""

import time
from typing import Any

from zermelo.draw.outlines import kind_of
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_position
from zermelo.rules import CHANCE, Game, State, action_name, player_role
from zermelo.runtime.stack import deep
from zermelo.search.montecarlo.mcts import MCTS, MCTSSession
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, MoveStatistics, Sprout, TreeOfPlayouts
from zermelo.web.channel import Connection, Handler, Tell
from zermelo.web.jobs import Job
from zermelo.web.messages import number, text, whole
from zermelo.web.views import board_of, drawn

__all__ = ["HANDLERS", "tree_nodes"]

TICK = 0.15  # seconds between two pictures
AT_ONCE = 50_000  # playouts between two looks, at full speed
SHOWN = 70  # nodes of the tree in the picture, where the page does not say how many it has room for
MOST_SHOWN = 300
MOST_PLAYOUTS = 5_000_000
MOST_STEPPED = 300  # playouts that are shown one by one
STEP_MEMORY = 8 << 20


async def run(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """A tree grows until its playouts are done, its root is proven, or it is stopped."""
    bench = connection.bench
    name, moves = text(message, "game", most=bench.bounds.text), text(message, "moves", "", bench.bounds.text)
    playouts = whole(message, "playouts", 1, MOST_PLAYOUTS, 20_000)
    pace = whole(message, "pace", 0, 1_000_000, 200)  # playouts a second; 0: as many as there can be
    exploration = number(message, "exploration", 0, 100, 0.7)
    seed = whole(message, "seed", 0, 1 << 31, 1)
    shown = whole(message, "shown", 1, MOST_SHOWN, SHOWN)

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        game = bench.offers.open(name)
        place = open_position(game, moves or None)
        if game.terminal(place.state):
            raise ZermeloError("The game is over in this position.")
        algorithm = MCTS(exploration=exploration, seed=seed, memory=bench.bounds.memory)
        session = MCTSSession(algorithm, game)
        tree = session.plant(place.state, place.history, playouts)
        begun = time.monotonic()
        portion = max(1, round(pace * TICK)) if pace else 1
        while not finished(tree, playouts) and not job.stop.is_set() and time.monotonic() - begun < bench.bounds.seconds:
            clock = time.monotonic()
            deep(tree.grow, min(portion, playouts - tree.playouts), None)
            if not pace:
                portion = min(AT_ONCE, 2 * portion) if time.monotonic() - clock < TICK else max(1, portion // 2)
            tell(picture(game, place.state, tree, shown))
            job.stop.wait(TICK - (time.monotonic() - clock) if pace else 0.03)
        return {
            **picture(game, place.state, tree, shown),
            "picture": drawn(board_of(game, place.state)),
            "notes": list(session.notes),
            "seconds": time.monotonic() - begun,
        }

    return {"job": connection.start(work)}


async def one(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """One playout in its four phases: the way down, the node that is added, the result, and who hears of it."""
    bench = connection.bench
    name, moves = text(message, "game", most=bench.bounds.text), text(message, "moves", "", bench.bounds.text)
    before = whole(message, "before", 0, MOST_STEPPED, 0)
    exploration, seed = number(message, "exploration", 0, 100, 0.7), whole(message, "seed", 0, 1 << 31, 1)

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        game = bench.offers.open(name)
        place = open_position(game, moves or None)
        if game.terminal(place.state):
            raise ZermeloError("The game is over in this position.")
        algorithm = MCTS(exploration=exploration, seed=seed, memory=STEP_MEMORY, backend="reference")
        tree = MCTSSession(algorithm, game).plant(place.state, place.history, before + 1)
        if before:
            deep(tree.grow, before, None)
        old = tree.sketch(MOST_SHOWN, [])
        deep(tree.grow, 1, None)
        new = tree.sketch(MOST_SHOWN, [])
        found = phases(old, new)
        leaf = new.sprouts[max(found["path"])].state
        return {**standing(game, place.state, tree), **found, "boards": [drawn(board_of(game, state)) for state in (place.state, leaf)]}

    return {"job": connection.start(work)}


def phases(old: MonteCarloTree, new: MonteCarloTree) -> dict[str, Any]:
    """What one playout has changed: `path` was walked, `added` is new, `payoff` is the first player's result."""
    known = {way: sprout.visits for way, sprout in ways(old).items()}
    walked = [place for place, (way, sprout) in enumerate(ways(new).items()) if sprout.visits > known.get(way, 0)]
    added = next((place for place, way in enumerate(ways(new)) if way not in known), None)

    def total(tree: MonteCarloTree) -> float:
        root = tree.sprouts[0]
        return root.means[0] * root.visits if root.means else 0.0

    return {"nodes": tree_nodes(new), "path": walked, "added": added, "payoff": round(total(new) - total(old), 6)}


def ways(tree: MonteCarloTree) -> dict[tuple[Any, ...], Sprout]:
    """Every node by the actions that lead there, in the order of the tree."""
    found: list[tuple[Any, ...]] = []
    for sprout in tree.sprouts:
        found.append(() if sprout.parent < 0 else (*found[sprout.parent], sprout.action))
    return dict(zip(found, tree.sprouts, strict=True))


def finished(tree: TreeOfPlayouts, playouts: int) -> bool:
    """Are all playouts made, or is the root proven?"""
    return tree.playouts >= playouts or tree.root_bounds[0] >= tree.root_bounds[1]


def picture(game: Game, state: State, tree: TreeOfPlayouts, shown: int) -> dict[str, Any]:
    """How far the search is."""
    favourite = max(tree.moves(), key=lambda move: move.visits, default=None)
    line = tree.line(favourite.action) if favourite is not None and favourite.visits else []  # none before the first playout
    return {**standing(game, state, tree), "nodes": tree_nodes(tree.sketch(shown, line))}


def standing(game: Game, state: State, tree: TreeOfPlayouts) -> dict[str, Any]:
    """What the playouts have found out so far, the tree apart."""
    low, high = tree.root_bounds
    return {
        "playouts": tree.playouts,
        "size": tree.size,
        "deepest": tree.deepest,
        "proven": low >= high,
        "value": low if low >= high else None,
        "backend": tree.backend,
        "mover": player_role(game, game.player(state)),
        "payoffs": None if game.payoffs is None else list(game.payoffs),
        "moves": [move_data(game, state, move) for move in tree.moves()],
    }


def move_data(game: Game, state: State, move: MoveStatistics) -> dict[str, Any]:
    """One move of the root: visits, the chooser's mean and its interval, and what is proven."""
    chooser = max(game.player(state), 0)
    return {
        "name": action_name(game, state, move.action),
        "visits": move.visits,
        "mean": move.means[chooser] if move.means else None,
        "interval": None if move.interval is None else list(move.interval),
        "proven": move.bounds[0] if move.proven else None,
        "probability": move.probability,
    }


def tree_nodes(tree: MonteCarloTree) -> list[dict[str, Any]]:
    """The tree for the page: the wider a branch, the more often it was visited."""
    below = [0] * len(tree.sprouts)
    for sprout in tree.sprouts:
        if sprout.parent >= 0:
            below[sprout.parent] += 1
    line = {0, *tree.line}
    nodes = []
    for place, sprout in enumerate(tree.sprouts):
        above = tree.sprouts[sprout.parent] if sprout.parent >= 0 else None
        value = f"{sprout.means[0]:.2f}".replace("-", "−") if sprout.means else ""
        node: dict[str, Any] = {
            "i": place,
            "p": sprout.parent,
            "k": kind_of(tree.game, sprout.player),
            "v": value,
            "m": below[place],
            "d": below[place] + 1,
            "f": f"{sprout.visits:,}",
            "c": place in line,
            "n": "proven" if sprout.proven else "",
        }
        if above is not None and sprout.action is not None:
            node["a"] = action_name(tree.game, above.state, sprout.action)
            node["share"] = sprout.visits / max(1, above.visits)
        if sprout.player is not None and sprout.player != CHANCE:
            node["y"] = player_role(tree.game, sprout.player)
        nodes.append(node)
    return nodes


HANDLERS: dict[str, Handler] = {"mcts.run": run, "mcts.one": one}
