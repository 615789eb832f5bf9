"""Which algorithm fits a game: the one place that chooses where nobody has named one.

| the game | algorithm |
| --- | --- |
| something is hidden | `ismcts`; others refuse to look at hidden cards |
| more than two players, or a general sum | `maxn` |
| chance moves, and positions can return | `valueiteration`; with a limit or a depth as in the next two lines |
| chance moves, two players with declared payoffs | `star2` |
| chance moves | `expectiminimax` |
| one player, with a heuristic, no depth | `idastar` |
| one player, no depth | `astar`; `alphabeta` where ends pay something |
| two players, positions return (`repetition`) | `graph` where it is small; otherwise as in the next lines |
| two players, with a limit of time or nodes | `deepening` |
| anything else | `alphabeta` |
"""

import time
from contextlib import suppress
from itertools import islice
from random import Random

from zermelo.registry.sampled_states import Exploration, explore
from zermelo.rules import Game, State, endless_value, has, hidden_information

__all__ = ["algorithms_to_compare", "default_algorithm", "returns", "seems_endless"]

FIRST_LOOK = 1_000  # states among which chance, and positions that return, show themselves
RANDOM_GAMES, LONG_GAME, MOST_ACTIONS = 4, 1_000, 100  # of a look whether games end: games, actions of one, actions to choose from
LONGEST_LOOK = 0.5  # seconds of processor time for it


def default_algorithm(game: Game, *, limited: bool = False, to_depth: bool = False, perfect_information: bool = False) -> str:
    """The name of the algorithm that fits a game.

    `limited`: it has to stop after a time, or after so many nodes. `to_depth`: it is to look so many actions ahead.
    """
    if hidden_information(game) and not perfect_information:
        return "ismcts"
    if game.players > 2 or (game.players == 2 and game.total is None):
        return "maxn"
    seen = explore(game, FIRST_LOOK) if has(game, "chances") else Exploration()
    if seen.chance:
        return chance_algorithm(game, seen, limited or to_depth)
    if game.players == 1 and not to_depth:
        pays = game.payoffs is not None and game.payoffs[1] > 0
        return "idastar" if has(game, "heuristic") else "alphabeta" if pays else "astar"
    return "deepening" if limited and game.players == 2 else "alphabeta"


def returns(game: Game) -> bool:
    """Is this a game of two opponents with open cards and no chance, in which positions return and are worth a payoff then?"""
    opponents = game.players == 2 and game.total is not None and not hidden_information(game) and not has(game, "chances")
    return opponents and game.repetition is not None and endless_value(game) is not None


def seems_endless(game: Game, state: State) -> bool:
    """Does none of a few random games of two opponents end? Rules that take long to answer are not asked."""
    if game.players != 2 or game.repetition is not None or hidden_information(game) or has(game, "chances"):
        return False
    random, began = Random(1913), time.thread_time()
    with suppress(Exception):  # rules that raise have another fault, which a search tells
        for _ in range(RANDOM_GAMES):
            place = state
            for _ in range(LONG_GAME):
                if game.terminal(place) or time.thread_time() - began > LONGEST_LOOK:
                    return False
                place = game.result(place, random.choice(list(islice(game.actions(place), MOST_ACTIONS))))
        return True
    return False


def chance_algorithm(game: Game, seen: Exploration, limited: bool) -> str:
    """For one player or two with a constant sum, where chance moves."""
    if seen.returns and game.payoffs is not None and game.repetition is None and not limited:
        return "valueiteration"
    return "star2" if game.players == 2 and game.payoffs is not None else "expectiminimax"


def algorithms_to_compare(game: Game, *, to_depth: bool = False, perfect_information: bool = False) -> tuple[str, ...]:
    """Engines to lay side by side on a game, the plainest first."""
    name = default_algorithm(game, to_depth=to_depth, perfect_information=perfect_information)
    if name == "expectiminimax" and game.players == 1:
        return "expectimax", name
    families = (
        ("minimax", "alphabeta"),
        ("astar", "idastar"),
        ("expectiminimax", "star1", "star2"),
        ("maxn", "paranoid", "coalition"),
    )
    return next((family for family in families if name in family), (name,))
