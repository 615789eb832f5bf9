"""A strategy as a tree: the game in which some players' moves are left to chance, with the strategy's probabilities.

What the others should do against it is then an ordinary question about a tree, and the tree goes into any file format for trees.
"""

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import chance_probabilities
from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, State, action_name, knowledge, legal_actions, payoff_vector, player_name
from zermelo.trees.builder import TreeBuilder
from zermelo.trees.lawful import NO_PARENT
from zermelo.trees.tree import Tree

__all__ = ["fixed_tree"]

MOST_NODES = 200_000
FINE = 10**9  # denominators of the strategy's probabilities as fractions


def fixed_tree(strategy: Strategy, players: Collection[int] | None = None, limit: int = MOST_NODES) -> Tree:
    """The game's tree with the moves of these players (of all by default) made by chance, as the strategy says."""
    game = strategy.game
    fixed = set(range(game.players)) if players is None else set(players)
    builder = TreeBuilder(f"{type(game).__name__} with the strategy of {', '.join(player_name(game, player) for player in sorted(fixed))}")
    waiting: list[tuple[int, str, Any, State]] = [(NO_PARENT, "", None, game.start())]
    while waiting:
        parent, choice, weight, state = waiting.pop()
        if len(builder.movers) >= limit:
            raise ZermeloError(f"The tree has more than {limit:,} nodes: write the strategy as .json or .csv instead.")
        if game.terminal(state):
            builder.end(parent, choice, payoff_vector(game, state), weight=weight)
            continue
        mover = game.player(state)
        shares: list[Any] | None = None
        if mover == CHANCE:
            outcomes = chance_probabilities(game, state)
            actions, shares = [action for action, _ in outcomes], _exact([share for _, share in outcomes])
        else:
            actions = legal_actions(game, state)
            if mover in fixed:
                known = strategy.at(state)
                shares = _exact([known.get(action, 0.0) for action in actions])
        information = None if shares is not None else f"{mover} {knowledge(game, state, mover)}"
        node = builder.branch(parent, choice, CHANCE if shares is not None else mover, weight=weight, information=information)
        below = zip(actions, shares or [None] * len(actions), strict=True)
        children = [(node, action_name(game, state, action), share, game.result(state, action)) for action, share in below]
        waiting.extend(reversed(children))
    return builder.tree(players=game.players, total=game.total)


def _exact(shares: list[Any]) -> list[Fraction]:
    """The shares as fractions that add up to 1: the largest takes the rounding."""
    exact = [Fraction(share).limit_denominator(FINE) for share in shares]
    exact[exact.index(max(exact))] += 1 - sum(exact)
    return exact
