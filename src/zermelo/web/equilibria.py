"""The equilibrium lab: a game's tree with its information sets, its table of payoffs, and regret minimization while it runs."""

import secrets
import time
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import Game, hidden_information, player_name
from zermelo.trees.matrix import Matrix
from zermelo.trees.tree import Tree
from zermelo.trees.unfolding import unfold
from zermelo.web.channel import Connection, Handler, Tell
from zermelo.web.jobs import Job
from zermelo.web.messages import flag, number, text, whole
from zermelo.web.offers import title_of
from zermelo.web.trees import Lab, keep, tree_of
from zermelo.web.workbench import Workbench

__all__ = ["HANDLERS", "payoff_table"]

SHOWN_TREE = 1_500  # nodes of a tree that is shown beside the strategies
LIVE_TREE = 400  # nodes of a tree whose branches carry their probabilities while it runs
SHOWN_CELLS = 2_500  # of a table
SHOWN_SETS = 80  # information sets whose strategies are shown
PAUSE = 0.05  # seconds a measurement, where the run is to be watched
TOLD_EVERY = 0.08  # seconds between two words on progress
ENUMERABLE = 16  # strategies of both players up to which all equilibria are looked for


def game_of(bench: Workbench, message: dict[str, Any]) -> tuple[str, Game]:
    """The game that a message is about: one on offer, or a tree from the tree lab."""
    if message.get("source") is not None:
        tree = tree_of(bench, message["source"])
        return tree.title or "a tree", tree
    name = text(message, "game", most=bench.bounds.text)
    return name, bench.offers.open(name)


async def look(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """The game's tree and table, as far as they are small enough to be shown."""
    bench = connection.bench

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        from zermelo.equilibrium.extensive.solver import METHODS

        name, game = game_of(bench, message)
        if game.players < 2:
            raise ZermeloError("One player alone needs no equilibrium: the play page finds the best way.")
        shown: dict[str, Any] = {"title": title_of(name, game), "hidden": hidden_information(game), "players": player_names(game)}
        shown["opponents"] = game.players == 2 and game.total is not None
        tree = shown_tree(game)
        if tree is not None:
            lab = Lab.of(tree, tree, None, boards=False)
            identity = secrets.token_urlsafe(6)
            bench.call(keep, connection, identity, lab)
            shown |= {"lab": identity, "size": len(tree), "nodes": [lab.node(node) for node in range(len(tree))]}
        shown |= {"table": payoff_table(game, tree), "methods": list(METHODS)}
        return shown

    return {"job": connection.start(work)}


def player_names(game: Game) -> list[str]:
    return [player_name(game, player) for player in range(game.players)]


def shown_tree(game: Game) -> Tree | None:
    """The tree, if it is small."""
    if isinstance(game, Tree):
        return game if len(game) <= SHOWN_TREE else None
    try:
        return unfold(game, limit=SHOWN_TREE)
    except ZermeloError:
        return None


def payoff_table(game: Game, tree: Tree | None) -> dict[str, Any] | None:
    """The table of payoffs of two players with best replies and equilibria; None where there is none, or one too large to be looked at."""
    from zermelo.equilibrium.extensive.exact.normal_form import normal_form
    from zermelo.equilibrium.matrix.methods import solve_matrix

    if game.players != 2 or (tree is None and not isinstance(game, Matrix)):
        return None
    try:
        matrix = game if isinstance(game, Matrix) else normal_form(game, limit=SHOWN_CELLS).matrix
    except ZermeloError:
        return None
    rows, columns = matrix.shape
    if rows * columns > SHOWN_CELLS:
        return None
    first = [[matrix.payoff((r, c))[0] for c in range(columns)] for r in range(rows)]
    second = [[matrix.payoff((r, c))[1] for c in range(columns)] for r in range(rows)]
    best_first = [max(first[r][c] for r in range(rows)) for c in range(columns)]
    best_second = [max(row) for row in second]
    method = "all" if rows + columns <= ENUMERABLE else "auto"
    found = solve_matrix(matrix, method)
    return {
        "names": list(matrix.names),
        "rows": list(matrix.strategies[0]),
        "columns": list(matrix.strategies[1]),
        "cells": [
            [
                {"payoffs": [first[r][c], second[r][c]], "best": [first[r][c] == best_first[c], second[r][c] == best_second[r]]}
                for c in range(columns)
            ]
            for r in range(rows)
        ],
        "equilibria": [
            {
                "strategies": [[float(weight) for weight in mixed] for mixed in profile.strategies],
                "words": [[str(weight) for weight in mixed] if profile.exact else [] for mixed in profile.strategies],
                "value": [float(worth) for worth in profile.value],
                "exact": profile.exact,
            }
            for profile in found.equilibria[:20]
        ],
        "complete": found.complete,
        "method": found.method,
    }


async def run(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """An equilibrium is looked for; strategies and exploitability are told on the way."""
    bench = connection.bench
    method = text(message, "method", "auto", 40)
    iterations = whole(message, "iterations", 1, 10_000_000, 2_000)
    seconds = number(message, "seconds", 0.1, bench.bounds.seconds, 20.0)
    slow = flag(message, "slow")
    seed = whole(message, "seed", 0, 1 << 31, 0)

    def work(job: Job, tell: Tell) -> dict[str, Any]:
        from zermelo.equilibrium.extensive.solver import EquilibriumSolver

        _, game = game_of(bench, message)
        tree = shown_tree(game)
        live = tree if tree is not None and len(tree) <= LIVE_TREE else None
        last = [0.0]

        def progress(point: Any) -> None:
            now = time.monotonic()
            if slow:
                job.stop.wait(PAUSE)
            elif now - last[0] < TOLD_EVERY:
                return
            last[0] = now
            strategies = getattr(point, "strategies", None)
            found = {"point": [point.iterations, point.seconds, point.exploitability], "method": point.method}
            tell({**found, **({} if strategies is None else behaviour(strategies(), live))})

        iterates = method not in ("auto", "lp")
        result = EquilibriumSolver(
            method,
            iterations if iterates else None,
            None if method == "lp" else seconds if iterates else None,
            seed=seed,
            memory=512 << 20,
            stop=job.stop,
            progress=progress if iterates else None,
        ).solve(game)
        return {
            "method": result.method,
            "value": list(result.value),
            "names": player_names(game),
            "exploitability": result.exploitability,
            "iterations": result.iterations,
            "seconds": result.seconds,
            "convergence": [list(point) for point in result.convergence],
            "guarantee": result.guarantee,
            "stopped": result.stopped,
            "sets": result.sets,
            "histories": result.histories,
            "notes": list(result.notes),
            **behaviour(result.strategies, live),
        }

    return {"job": connection.start(work)}


def behaviour(strategies: Any, tree: Tree | None) -> dict[str, Any]:
    """Strategies as rows of probabilities, and as probabilities of the tree's branches."""
    rows = [
        {"player": row.player, "name": row.name, "actions": [[action, float(weight)] for action, weight in row.probabilities.items()]}
        for row in strategies.rows[:SHOWN_SETS]
    ]
    found: dict[str, Any] = {"rows": rows, "rowsInAll": len(strategies.rows)}
    if tree is not None:
        found["branches"] = branches(strategies, tree)
    return found


def branches(strategies: Any, tree: Tree) -> dict[str, float]:
    """Node → probability of the choice that leads there, below every player's node."""
    states = tree.states or range(len(tree))
    source = tree.source if tree.states else tree
    made: dict[str, float] = {}
    for node, below in enumerate(tree.children):
        if not below or tree.movers[node] < 0:
            continue
        weights = strategies.at(states[node])
        legal = list(source.actions(states[node])) if source is not None else []
        for child, action in zip(below, legal, strict=False):
            made[str(child)] = round(float(weights.get(action, 0.0)), 5)
    return made


HANDLERS: dict[str, Handler] = {"equilibrium.look": look, "equilibrium.run": run}
