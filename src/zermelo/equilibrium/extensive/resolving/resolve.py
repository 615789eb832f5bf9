"""Re-solving a subgame with what is known above it, so that a better strategy there never makes the whole one worse.

The subgame is everything that the players cannot tell from the line of play that leads to it, and what follows. Its roots are weighted by
chance and by the strategy of the player whose part is made anew. The other player may first choose, for each thing he may know, between
the subgame and what he was sure to get there before; so the new part gives him no more than the old one did.
Source: N. Burch, M. Johanson, M. Bowling, Solving Imperfect Information Games Using Decomposition, AAAI 2014.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.regret.sparse_layout import SparseLayout
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import chance_probabilities, unfold_reference
from zermelo.errors import ZermeloError
from zermelo.results import EquilibriumResult
from zermelo.rules import CHANCE, Action, Game, State, action_name, ask, has, knowledge, legal_actions, payoff_vector

__all__ = ["Resolve", "Resolved", "Root", "subgame_roots"]

FOLLOW, LEAVE = 0, 1  # the other player's first choice
PLENTY = 1 << 34


class Root(NamedTuple):
    """One history at which the subgame begins."""

    state: State
    chance: float  # probability of chance's part of the history
    reach: tuple[float, ...]  # [player] probability of the player's own part


@dataclass(frozen=True)
class Resolved:
    """A strategy with one subgame made anew for one player."""

    strategy: Strategy  # all players; only this player's sets in the subgame differ from before
    player: int
    roots: tuple[Root, ...]
    sets: int  # information sets of the player in the subgame
    before: Mapping[Any, float]  # what the other player knows at the roots → what he could get there against the old part
    solution: EquilibriumResult  # of the subgame with the other player's first choice


@dataclass(frozen=True)
class Resolve:
    """Parameters: how the subgame is solved."""

    method: str = "lp"  # or a regret minimizer's name
    iterations: int | None = None  # of the regret minimizer
    depth: int | None = None  # actions below the roots after which `evaluate` judges

    def solve(self, blueprint: Strategy, line: Sequence[Action], player: int) -> Resolved:
        """Make a player's part anew in the subgame that this line of play leads to."""
        game = blueprint.game
        if game.players != 2 or game.total is None:
            raise ZermeloError("Re-solving a subgame needs two players whose payoffs add up to a constant.")
        if player not in (0, 1):
            raise ZermeloError(f"There is no player {player}: re-solve for player 0 or 1.")
        roots = subgame_roots(blueprint, line)
        weights = [root.chance * root.reach[player] for root in roots]
        if sum(weights) <= 0:
            raise ZermeloError("The strategy never lets play come to this subgame, so there is nothing to be made anew.")
        before = self._assured(blueprint, roots, weights, player)
        gadget = _Gadget(game, roots, tuple(weight / sum(weights) for weight in weights), 1 - player, before)
        arrays = unfold_reference(gadget, gadget.start(), None if self.depth is None else self.depth + 2, PLENTY)
        solver = LinearProgram() if self.method == "lp" else RegretMinimization(self.method, self.iterations)
        solution = solver.solve(arrays)
        anew = dict(solution.strategies.tables[player])
        tables: list[Any] = [dict(table) for table in blueprint.tables]
        tables[player].update(anew)
        return Resolved(Strategy(game, tables), player, tuple(roots), len(anew), before, solution)

    def _assured(self, blueprint: Strategy, roots: Sequence[Root], weights: Sequence[float], player: int) -> dict[Any, float]:
        """What the other player gets by his best reply to the old part, for each thing he may know at the roots."""
        game, other = blueprint.game, 1 - player
        known: dict[Any, list[int]] = {}
        for number, root in enumerate(roots):
            known.setdefault(knowledge(game, root.state, other), []).append(number)
        assured = {}
        for information, numbers in known.items():
            total = sum(weights[number] for number in numbers)
            if total <= 0:
                continue
            inside = _Gadget(game, [roots[number] for number in numbers], tuple(weights[number] / total for number in numbers), None, {})
            arrays = unfold_reference(inside, inside.start(), None if self.depth is None else self.depth + 1, PLENTY)
            layout = SparseLayout(arrays)
            behaviours = Strategy(inside, blueprint.tables).behaviours(arrays)
            _, replies = layout.measure(layout.vectors(behaviours), current=True)
            assured[information] = float(replies[other])
        return assured


def subgame_roots(strategy: Strategy, line: Sequence[Action]) -> list[Root]:
    """All histories as long as the line that some chain of players' ignorance connects with it."""
    game = strategy.game
    level = [Root(game.start(), 1.0, (1.0,) * game.players)]
    target = game.start()
    for action in line:
        if game.terminal(target) or action not in legal_actions(game, target):
            raise ZermeloError(f"The line {list(line)} is not a line of play of {type(game).__name__}.")
        target = game.result(target, action)
        level = [child for root in level if not game.terminal(root.state) for child in _children(strategy, root)]
    if game.terminal(target):
        raise ZermeloError("The line leads to the end of the game: there is nothing to be solved behind it.")
    level = [root for root in level if not game.terminal(root.state)]
    return _connected(game, level, target)


def _children(strategy: Strategy, root: Root) -> Iterator[Root]:
    """The histories that are one action longer."""
    game = strategy.game
    mover = game.player(root.state)
    if mover == CHANCE:
        for action, share in chance_probabilities(game, root.state):
            yield Root(game.result(root.state, action), root.chance * float(share), root.reach)
        return
    for action, share in strategy.at(root.state).items():
        reach = (*root.reach[:mover], root.reach[mover] * share, *root.reach[mover + 1 :])
        yield Root(game.result(root.state, action), root.chance, reach)


def _connected(game: Game, level: list[Root], target: State) -> list[Root]:
    """Those from which a chain of histories, each two alike for some player, leads to the target."""
    by_knowledge: dict[tuple[int, Any], list[int]] = {}
    for number, root in enumerate(level):
        for player in range(game.players):
            by_knowledge.setdefault((player, knowledge(game, root.state, player)), []).append(number)
    waiting = [number for number, root in enumerate(level) if root.state == target]
    found = set(waiting)
    while waiting:
        state = level[waiting.pop()].state
        for player in range(game.players):
            alike = by_knowledge.pop((player, knowledge(game, state, player)), [])
            fresh = [number for number in alike if number not in found]
            found.update(fresh)
            waiting.extend(fresh)
    return [level[number] for number in sorted(found)]


class _Place(NamedTuple):
    """A state of the gadget: before chance, at the other player's first choice, inside the subgame, or left."""

    kind: str  # "deal", "choice", "inside", "left"
    root: int
    state: State


@dataclass(frozen=True)
class _Gadget(Game):
    """The subgame behind a chance move over its roots and, if `chooser` is given, that player's choice to leave."""

    game: Game
    roots: Sequence[Root]
    weights: tuple[float, ...]
    chooser: int | None
    assured: Mapping[Any, float]

    @property
    def total(self) -> float | None:
        return self.game.total

    def start(self) -> _Place:
        return _Place("deal", -1, None)

    def player(self, place: _Place) -> int:
        if place.kind == "inside":
            return self.game.player(place.state)
        return CHANCE if place.kind == "deal" or self.chooser is None else self.chooser

    def chances(self, place: _Place) -> list[tuple[Action, Any]]:
        if place.kind == "inside":
            return chance_probabilities(self.game, place.state)
        return [(number, weight) for number, weight in enumerate(self.weights) if weight > 0]

    def actions(self, place: _Place) -> list[Action]:
        return legal_actions(self.game, place.state) if place.kind == "inside" else [FOLLOW, LEAVE]

    def result(self, place: _Place, action: Action) -> _Place:
        if place.kind == "deal":
            return _Place("inside" if self.chooser is None else "choice", action, self.roots[action].state)
        if place.kind == "choice":
            return _Place("inside" if action == FOLLOW else "left", place.root, place.state)
        return _Place("inside", place.root, self.game.result(place.state, action))

    def terminal(self, place: _Place) -> bool:
        return place.kind == "left" or (place.kind == "inside" and self.game.terminal(place.state))

    def utility(self, place: _Place) -> Any:
        if place.kind == "inside":
            return payoff_vector(self.game, place.state)[0]
        assert self.chooser is not None
        gets = self.assured[knowledge(self.game, place.state, self.chooser)]
        return gets if self.chooser == 0 else (self.total or 0) - gets

    def evaluate(self, place: _Place) -> Any:
        """What the game's own estimate says inside the subgame."""
        if not has(self.game, "evaluate"):
            raise ZermeloError(f"A depth limit needs `evaluate(state)`, which {type(self.game).__name__} does not have.")
        return ask(self.game, "evaluate", place.state)

    def information(self, place: _Place, player: int) -> Any:
        if place.kind == "inside":
            return knowledge(self.game, place.state, player)
        return ("first choice", knowledge(self.game, place.state, player)) if place.kind == "choice" else (place.kind, place.root)

    def name_information(self, information: Any) -> str:
        if isinstance(information, tuple) and information and information[0] == "first choice":
            return f"first choice at {self._words(information[1])}"
        return self._words(information)

    def _words(self, information: Any) -> str:
        describe = getattr(self.game, "name_information", None) if has(self.game, "information") else getattr(self.game, "show", None)
        return str(information if describe is None else describe(information))

    def name(self, place: _Place, action: Action) -> str:
        if place.kind == "inside":
            return action_name(self.game, place.state, action)
        return ("follow", "leave")[action] if place.kind == "choice" else str(action)
