"""A search tree over what players know: a node is an information set, and all states of one set share its statistics.

A playout goes through the game itself, from a state that the search may hold possible, and through the tree beside it: the player to move
chooses by the statistics of the node that belongs to what is known, among the actions that are legal in this state. An action that is
not always legal is judged by how often it was available (Cowling, Powley and Whitehouse, Information set Monte Carlo tree search, 2012).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Action, Game, State, knowledge
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.montecarlo.hidden.worlds import Worlds
from zermelo.search.montecarlo.mcts_settings import Settings
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, MoveStatistics, TreeOfPlayouts, interval
from zermelo.search.montecarlo.reference.mcts_playouts import FaultyFunction, Playouts
from zermelo.search.montecarlo.splitmix import SplitMix
from zermelo.search.outcomes import outcomes_of
from zermelo.search.reference_search import actions_of

__all__ = ["InformationTree", "Others", "Plan", "TreeOfKnowledge", "WithoutStates"]

NODE_BYTES, CHOICE_BYTES = 400, 250  # about what Python takes
LONGEST_PATH = 10_000  # actions of one playout within the tree


@dataclass
class Choice:
    """One action of a node."""

    tries: int = 0
    available: int = 0  # playouts in which it was legal here
    totals: list[float] = field(default_factory=list)  # [player]
    squares: float = 0.0  # of the chooser's payoffs


@dataclass
class Node:
    """One information set: the player who moves there, and what was found about the actions."""

    mover: int
    visits: int = 0
    choices: dict[Action, Choice] = field(default_factory=dict)


class Step(NamedTuple):
    node: Node
    action: Action
    spent: float  # by a single player before


class Others(Protocol):
    """How players move for whom the search keeps no statistics."""

    def __call__(self, game: Game, state: State, actions: list[Action]) -> Action:
        """One of the actions."""


@dataclass(frozen=True)
class Plan:
    """What one search over what players know is, for both backends."""

    view: Literal["mover", "observer", "planner"]  # whose knowledge makes a node: the mover's, the observer's, or only the observer has any
    observer: int
    shares: tuple[float, float, float] | None = None  # first, least and decay of UCB1's share of the choices; None: it has all of them
    others: Others | None = None  # how players move who have no nodes; None: at random


class TreeOfKnowledge(TreeOfPlayouts, Protocol):
    """A tree over what players know; the compiled and the reference backend each have one. Nothing is ever proven in it."""

    def found(self) -> Iterator[tuple[int, Any, dict[Action, int]]]:
        """(who moves, what is known, action → tries) of every node; asked where everybody's own knowledge makes the nodes."""


class WithoutStates:
    """What follows for both trees from nodes that are no states: nothing is proven, drawn, followed or taken over."""

    @property
    def root_bounds(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def line(self, first: Action) -> list[Action]:
        """Only the move itself: what follows depends on what nobody here knows."""
        return [first]

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        raise ZermeloError("A tree of what players know has no states to draw.")

    def move_root(self, state: State) -> bool:
        return False


class InformationTree(WithoutStates):
    """Grows by playouts. See `TreeOfKnowledge`."""

    backend = "reference"

    def __init__(self, game: Game, settings: Settings, random: SplitMix, plan: Plan, worlds: Worlds, root: State | None) -> None:
        self.game, self.settings, self.random, self.plan, self.worlds, self.root = game, settings, random, plan, worlds, root
        self.simulation = Playouts(game, settings, random)
        self.nodes: dict[Any, Node] = {}
        self.playouts = self.walked = self.deepest = self.memory = 0
        declared = settings.range(game)
        self.adaptive = declared is None
        self.lowest, self.highest = declared or (math.inf, -math.inf)

    # --- what others see

    @property
    def visited(self) -> int:
        return self.walked + self.simulation.visited

    @property
    def size(self) -> int:
        return len(self.nodes)

    @property
    def full(self) -> bool:
        return self.memory >= self.settings.memory

    @property
    def cuts(self) -> int:
        return self.simulation.cuts

    @property
    def span(self) -> float:
        """How far payoffs lie apart: the unit of exploration."""
        return self.highest - self.lowest if self.highest > self.lowest else 1.0

    def moves(self) -> list[MoveStatistics]:
        node = None if self.root is None else self.nodes.get(self.key(self.root, self.game.player(self.root)))
        return [] if node is None else [self.statistics(node, action) for action in sorted(node.choices)]

    def statistics(self, node: Node, action: Action) -> MoveStatistics:
        """What is known of one action."""
        choice, bounds = node.choices[action], (-math.inf, math.inf)
        if choice.tries == 0:
            return MoveStatistics(action, 0, (), None, bounds)
        means = tuple(total / choice.tries for total in choice.totals)
        likely = interval(choice.tries, choice.totals[node.mover], choice.squares, self.lowest, self.highest)
        return MoveStatistics(action, choice.tries, means, likely, bounds, None, choice.squares)

    def found(self) -> Iterator[tuple[int, Any, dict[Action, int]]]:
        for (mover, known), node in self.nodes.items():
            yield mover, known, {action: choice.tries for action, choice in sorted(node.choices.items())}

    def grow(self, playouts: int, most_visited: int | None) -> None:
        for _ in range(playouts):
            if most_visited is not None and self.visited >= most_visited:
                return
            self.playout()

    # --- one playout

    def playout(self) -> None:
        """Selection, expansion by one node, simulation, backpropagation."""
        game, state, steps, spent, new = self.game, self.worlds.draw(), [], 0.0, False
        for _ in range(LONGEST_PATH):
            if new or game.terminal(state):
                break
            mover = mover_or_chance(game, state)
            if mover == CHANCE:
                action = self.simulation.happens(outcomes_of(game, state)).action
            else:
                actions = actions_of(game, state)
                key = self.key(state, mover)
                node = None if key is None else self.nodes.get(key)
                if key is not None and node is None:
                    if self.full:
                        break
                    node, new = self.new_node(key, mover), True
                if node is None:
                    action = self.moved_by_others(state, actions)
                else:
                    action = self.choose(node, actions)
                    steps.append(Step(node, action, spent))
            spent += float(self.simulation.cost(state, action)) if game.players == 1 else 0.0
            state = game.result(state, action)
            self.walked += 1
        payoffs = self.simulation.play(state, set())
        self.look_back(steps, payoffs, spent)
        if self.adaptive:
            self.lowest, self.highest = min(self.lowest, *payoffs), max(self.highest, *payoffs)
        self.deepest = max(self.deepest, len(steps))
        self.playouts += 1

    def key(self, state: State, mover: int) -> tuple[int, Any] | None:
        """What tells the node of a state from others; None where the player to move has none."""
        if self.plan.view == "planner" and mover != self.plan.observer:
            return None
        return mover, knowledge(self.game, state, mover if self.plan.view == "mover" else self.plan.observer)

    def new_node(self, key: Any, mover: int) -> Node:
        node = self.nodes[key] = Node(mover)
        self.memory += NODE_BYTES
        return node

    def moved_by_others(self, state: State, actions: list[Action]) -> Action:
        """What a player does who has no tree."""
        if self.plan.others is None:
            return actions[self.random.below(len(actions))]
        try:
            action = self.plan.others(self.game, state, list(actions))
        except Exception as error:
            raise FaultyFunction(f"the model of the others raised {type(error).__name__}: {error} in the state {state!r}") from error
        if action not in actions:
            raise FaultyFunction(f"the model of the others chose {action!r} in the state {state!r}, where only {actions!r} are legal")
        return action

    def choose(self, node: Node, actions: list[Action]) -> Action:
        """An untried action by chance, or the one that the search prefers."""
        for action in actions:
            if action not in node.choices:
                node.choices[action] = Choice(totals=[0.0] * self.game.players)
                self.memory += CHOICE_BYTES
            node.choices[action].available += 1
        untried = [action for action in actions if node.choices[action].tries == 0]
        if untried:
            return untried[self.random.below(len(untried))]
        if self.plan.shares is not None:
            first, least, decay = self.plan.shares
            if not self.random.fraction() < max(least, first / (1 + decay * math.sqrt(node.visits))):
                return self.in_proportion(node, actions)
        return self.upper_confidence(node, actions)

    def upper_confidence(self, node: Node, actions: list[Action]) -> Action:
        """UCB1: the mean payoff of the player to move, and a bonus for what was tried seldom."""
        width = self.settings.exploration * self.span

        def promise(action: Action) -> float:
            choice = node.choices[action]
            return choice.totals[node.mover] / choice.tries + width * math.sqrt(math.log(choice.available) / choice.tries)

        return max(actions, key=promise)

    def in_proportion(self, node: Node, actions: list[Action]) -> Action:
        """By the average strategy so far: as often as each action was tried."""
        left = self.random.below(sum(node.choices[action].tries for action in actions))
        for action in actions:
            left -= node.choices[action].tries
            if left < 0:
                return action
        return actions[-1]

    def look_back(self, steps: list[Step], payoffs: list[float], spent: float) -> None:
        """Tells every node of the path what this playout has brought."""
        for step in steps:
            choice = step.node.choices[step.action]
            step.node.visits += 1
            choice.tries += 1
            for player, payoff in enumerate(payoffs):
                choice.totals[player] += payoff
            if self.game.players == 1:
                choice.totals[0] -= spent - step.spent
            mine = payoffs[step.node.mover] - (spent - step.spent if self.game.players == 1 else 0.0)
            choice.squares += mine * mine
