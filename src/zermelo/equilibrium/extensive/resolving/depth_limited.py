"""Depth-limited solving with values at the edge: what follows is not searched, but played on by strategies that are already there.

One number cannot stand for a hidden state: what it is worth depends on how both would go on. So at the edge every player secretly chooses
among several ways to go on: the blueprint, and the blueprint with one of its actions made ten times as likely. A strategy that holds up
against all of them is no longer fooled by what the blueprint happens to do. When play gets there, `Resolve` makes the part behind anew.

Source: N. Brown, T. Sandholm, B. Amos, Depth-limited solving for imperfect-information games, NeurIPS 2018.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import chance_probabilities
from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Action, Game, State, action_name, has, knowledge, legal_actions, payoff_vector, player_name

__all__ = ["EdgeGame", "Place"]

BIAS = 10.0  # how much likelier the preferred action is made


class Place(NamedTuple):
    """A state of the cut game."""

    state: State
    moved: int  # actions so far
    played: bool  # has a player moved?
    chosen: tuple[int, ...] | None  # at the edge: the ways to go on that were chosen so far


@dataclass(frozen=True, eq=False)
class EdgeGame(Game):
    """A game that ends at the edge with a choice of ways to go on.

    The edge is `depth` actions deep; without a depth it is the first chance move after a player has moved: the next card.
    """

    game: Game
    blueprint: Strategy
    depth: int | None = None
    ways: int = 4  # the blueprint, and so many less one actions that it may prefer

    def __post_init__(self) -> None:
        if self.game.players != 2 or self.game.total is None:
            raise ZermeloError("Values at the edge are for two players whose payoffs add up to a constant.")
        if self.ways < 1 or (self.depth is not None and self.depth < 1):
            raise ZermeloError("The depth and the number of ways to go on are at least 1.")

    @property
    def total(self) -> Any:
        return self.game.total

    @property
    def seats(self) -> tuple[str, ...]:
        return tuple(player_name(self.game, player) for player in range(2))

    @cached_property
    def _worth(self) -> dict[State, Any]:
        return {}

    def start(self) -> Place:
        return self._place(self.game.start(), 0, False)

    def _place(self, state: State, moved: int, played: bool) -> Place:
        edge = (
            moved >= self.depth
            if self.depth is not None
            else played and not self.game.terminal(state) and self.game.player(state) == CHANCE
        )
        return Place(state, moved, played, () if edge and not self.game.terminal(state) else None)

    def player(self, place: Place) -> int:
        return self.game.player(place.state) if place.chosen is None else len(place.chosen)

    def chances(self, place: Place) -> list[tuple[Action, Any]]:
        return chance_probabilities(self.game, place.state)

    def actions(self, place: Place) -> list[Action]:
        return legal_actions(self.game, place.state) if place.chosen is None else list(range(self.ways))

    def result(self, place: Place, action: Action) -> Place:
        if place.chosen is not None:
            return place._replace(chosen=(*place.chosen, action))
        return self._place(self.game.result(place.state, action), place.moved + 1, place.played or self.game.player(place.state) != CHANCE)

    def terminal(self, place: Place) -> bool:
        return len(place.chosen) == 2 if place.chosen is not None else self.game.terminal(place.state)

    def utility(self, place: Place) -> Any:
        if place.chosen is None:
            return payoff_vector(self.game, place.state)[0]
        return float(self._values(place.state)[place.chosen])

    def _values(self, state: State) -> Any:
        """[way of the first player, way of the second] the first player's expected payoff."""
        known = self._worth.get(state)
        if known is None:
            known = self._worth[state] = self._follow(state)
        return known

    def _follow(self, state: State) -> Any:
        if self.game.terminal(state):
            return np.full((self.ways, self.ways), float(payoff_vector(self.game, state)[0]))
        mover = self.game.player(state)
        if mover == CHANCE:
            return sum(
                float(share) * self._follow(self.game.result(state, action)) for action, share in chance_probabilities(self.game, state)
            )
        shape = (self.ways, 1) if mover == 0 else (1, self.ways)
        shares = [(action, column.reshape(shape)) for action, column in self._ways(state)]
        return sum(share * self._follow(self.game.result(state, action)) for action, share in shares)

    def _ways(self, state: State) -> Iterator[tuple[Action, Any]]:
        """Actions, each with [way] its probability: the blueprint's, then with one action preferred after the other."""
        weights = self.blueprint.at(state)
        table = np.tile(np.array(list(weights.values())), (self.ways, 1))
        for way in range(1, self.ways):
            table[way, (way - 1) % table.shape[1]] *= BIAS
        table /= table.sum(axis=1, keepdims=True)
        yield from zip(weights, table.T, strict=True)

    def information(self, place: Place, player: int) -> Any:
        known = knowledge(self.game, place.state, player)
        return known if place.chosen is None else ("edge", known)

    def name(self, place: Place, action: Action) -> str:
        if place.chosen is None:
            return action_name(self.game, place.state, action)
        return "the blueprint" if action == 0 else f"prefers {action}"

    def name_information(self, information: Any) -> str:
        describe: Any = getattr(self.game, "name_information", str) if has(self.game, "information") else str
        edge = isinstance(information, tuple) and len(information) == 2 and information[0] == "edge"
        return f"at the edge, {describe(information[1])}" if edge else str(describe(information))
