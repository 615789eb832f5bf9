"""Small searches without a compiler: where a tree is small, the interpreter has the answer before compiled code could begin."""

import sys
from dataclasses import fields
from random import Random
from typing import Any

from zermelo.rules import Game, State, legal_actions

__all__ = ["FIRST_NODES", "FIRST_SECONDS", "interpreted_first"]

SMALL_TREE = 500_000  # lines, by Knuth's estimate; of larger ones one in four ends within FIRST_NODES
GAMES = 8  # random games that the estimate is made from
LONGEST = 64  # actions of such a game; whatever takes longer is not small
SEED = 1975
FIRST_NODES = 10_000  # that the interpreter visits before compiled code takes over
FIRST_SECONDS = 0.5  # where rules are slow


def interpreted_first(algorithm: Any, game: Game, state: State) -> bool:
    """Is this a search to the end, or to a depth, of a tree that seems small, by an algorithm that nobody has compiled the game for?"""
    known = {field.name for field in fields(algorithm)}
    if not {"backend", "depth"} <= known or algorithm.backend != "auto" or getattr(algorithm, "anytime", False):
        return False
    return not is_compiled(game) and lines(game, state, algorithm.depth) <= SMALL_TREE


def is_compiled(game: Game) -> bool:
    """Has this process compiled the game?"""
    compiler = sys.modules.get("zermelo.compiler.game")
    try:
        return compiler is not None and game in getattr(compiler, "known", ())
    except TypeError:  # not hashable
        return False


def lines(game: Game, state: State, depth: int | None) -> float:
    """About how many lines of play there are: the mean, over random games, of the product of the numbers of actions (Knuth, 1975)."""
    random, total = Random(SEED), 0.0
    for _ in range(GAMES):
        place, product = state, 1.0
        for _ in range(LONGEST if depth is None else min(depth, LONGEST)):
            try:
                actions = legal_actions(game, place)
                if not actions:
                    break
                place = game.result(place, random.choice(actions))
            except Exception:  # the search will say so
                break
            product *= len(actions)
        else:
            product = product if depth is not None and depth <= LONGEST else float("inf")
        total += product
    return total / GAMES
