"""Small games with a general sum or more than two players: one exact equilibrium, where it can be found at once.

| game                                              | found by                                                     |
| ------------------------------------------------- | ------------------------------------------------------------ |
| nothing hidden                                    | backward induction: a subgame-perfect equilibrium            |
| two players, a small sequence form                | Lemke's method on that                                       |
| two players, a small reduced normal form          | Lemke–Howson on that table                                   |
| more players, a small normal form                 | a pure equilibrium, or the first one of few supports         |

Elsewhere regret minimization has to do, which promises less.
"""

import math
import time
from collections.abc import Sequence

import numpy as np

from zermelo.equilibrium.extensive.exact.behaviour import Behaviour
from zermelo.equilibrium.extensive.exact.lemke import Lemke, LemkeError, rows_of
from zermelo.equilibrium.extensive.exact.normal_form import normal_form
from zermelo.equilibrium.extensive.exact.subgames import SubgamePerfect
from zermelo.equilibrium.extensive.sequences.arrays import Arrays, Floats
from zermelo.equilibrium.extensive.sequences.best_response import measure
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.matrix.lemke_howson import LemkeHowson
from zermelo.equilibrium.matrix.pure_equilibria import PureEquilibria
from zermelo.equilibrium.matrix.supports import SupportEnumeration
from zermelo.errors import ZermeloError
from zermelo.results import EquilibriumResult
from zermelo.rules import Game, hidden_information, knowledge
from zermelo.trees.matrix import Number
from zermelo.trees.tree import ROOT, Tree
from zermelo.trees.unfolding import unfold

__all__ = ["small_equilibrium", "strategy_of"]

MOST_HISTORIES = 5_000
MOST_ROWS = 800  # of Lemke's program: some seconds
MOST_CELLS = 10_000  # of the normal form
MOST_PLANS = 120  # of two players together
MOST_SUPPORTS = 200  # of all players, where there are more than two
EXACT_PLANS = 60  # up to which a path in whole numbers takes milliseconds

SUBGAME_PERFECT = "A subgame-perfect equilibrium in pure strategies, exact; there may be others."
ONE_OF_SOME = "One equilibrium, found on the game's normal form; there may be others."


def small_equilibrium(game: Game, arrays: Arrays, seconds: float | None = None) -> EquilibriumResult | None:
    """One equilibrium of a game that is small enough; None where it is not, or where none could be found so."""
    if arrays.judged:
        return None
    began = time.perf_counter()
    if arrays.players == 2 and hidden_information(game) and rows_of(arrays) <= MOST_ROWS:
        try:
            return Lemke(seconds).solve(arrays)
        except LemkeError:  # there is another way
            pass
    if arrays.histories > MOST_HISTORIES:
        return None
    tree = game if isinstance(game, Tree) else unfold(game)
    if hidden_information(game):
        found = _by_normal_form(tree)
    else:
        perfect = SubgamePerfect("pure", most=1).solve(tree)
        found = "subgame-perfect", perfect.equilibria[0].behaviour, SUBGAME_PERFECT
    if found is None:
        return None
    method, behaviour, guarantee = found
    strategy = strategy_of(behaviour, game, arrays)
    measured = measure(arrays, strategy)
    return EquilibriumResult(
        game=game,
        method=method,
        value=measured.value,
        exploitability=measured.exploitability,
        strategies=strategy,
        iterations=1,
        seconds=time.perf_counter() - began,
        convergence=((1, time.perf_counter() - began, measured.exploitability),),
        stopped="solved",
        guarantee=guarantee,
        histories=arrays.histories,
        sets=arrays.sets,
        backend=arrays.backend,
        notes=arrays.notes,
    )


def _by_normal_form(tree: Tree) -> tuple[str, Behaviour, str] | None:
    """Method, behaviour and what is promised, from the table of payoffs; None where that is too large or yields nothing."""
    try:
        form = normal_form(tree, limit=MOST_CELLS)
    except ZermeloError:  # too many plans: there is another way
        return None
    plans = sum(form.matrix.shape)
    if form.matrix.players == 2:
        if plans > MOST_PLANS:
            return None
        found = LemkeHowson(exact=plans <= EXACT_PLANS).solve(form.matrix)
    else:
        found = PureEquilibria().solve(form.matrix)
        if not found.equilibria and math.prod(2**size - 1 for size in form.matrix.shape) <= MOST_SUPPORTS:
            found = SupportEnumeration().solve(form.matrix)
    if not found.equilibria:
        return None
    return found.method, form.behaviour(found.equilibria[0].strategies), ONE_OF_SOME


def strategy_of(behaviour: Behaviour, game: Game, arrays: Arrays) -> Strategy:
    """Behaviour at the information sets of a game's tree as a strategy of the game itself."""
    columns = [plex.uniform() for plex in arrays.plexes]
    for player, (sets, mixed) in enumerate(zip(behaviour.sets, behaviour.probabilities, strict=True)):
        numbers = _numbers(behaviour, player, game, arrays)
        for number, actions in zip(numbers, mixed, strict=True):
            _write(columns[player], arrays, player, number, actions)
        assert len(numbers) == len(sets)
    return Strategy.of(arrays, columns)


def _write(column: Floats, arrays: Arrays, player: int, number: int, actions: Sequence[Number]) -> None:
    span = arrays.plexes[player].span(number)
    column[span.start : span.stop] = np.array([float(weight) for weight in actions])


def _numbers(behaviour: Behaviour, player: int, game: Game, arrays: Arrays) -> list[int]:
    """[the behaviour's set] its number in the arrays: by what is known there, or by its place in the levels where nothing is hidden."""
    tree, sets = behaviour.tree, behaviour.sets[player]
    if not hidden_information(game):
        place = {node: number for number, node in enumerate(_level_order(tree, player))}
        return [place[each.nodes[0]] for each in sets]
    found = []
    for each in sets:
        state = each.nodes[0] if tree is game else tree.states[each.nodes[0]]
        number = arrays.find(player, knowledge(game, state, player))
        assert number is not None
        found.append(number)
    return found


def _level_order(tree: Tree, player: int) -> list[int]:
    """The player's nodes, level by level, as arrays number sets where every node is one."""
    order, level = [], [ROOT]
    while level:
        order += [node for node in level if tree.children[node] and tree.movers[node] == player]
        level = [child for node in level for child in tree.children[node]]
    return order
