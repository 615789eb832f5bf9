"""Determinized UCT: many worlds that are possible, each searched as if it were open, and their moves added up.

It believes that it will know tomorrow what it does not know today. The consequence is called *strategy fusion*: in its two
worlds this search takes a payoff of 1 for granted which no player can have, because the right choice is another one in either world.
`ismcts` searches without that mistake; this one is here because it is simple, often strong, and instructive.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.errors import ZermeloError
from zermelo.rules import Action, Game, State, cost_function, legal_actions, payoff_vector
from zermelo.search.montecarlo.hidden.sampled_search import DEFAULT_PLAYOUTS, HiddenSearch
from zermelo.search.montecarlo.mcts import MCTS, MCTSSession
from zermelo.search.montecarlo.mcts_root import Final
from zermelo.search.montecarlo.mcts_settings import Settings
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, MoveStatistics, TreeOfPlayouts, interval
from zermelo.search.montecarlo.splitmix import SplitMix

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame

__all__ = ["Determinized"]


@dataclass(frozen=True)
class Determinized(HiddenSearch):
    """Determinized UCT: so many worlds, each with its share of the playouts."""

    worlds: int = 30
    final: Final = "value"  # every move gets the same playouts in every world

    name = "determinized"
    worth_compiling = 0

    def check(self, game: Game) -> None:
        super().check(game)
        if isinstance(self.worlds, bool) or not isinstance(self.worlds, int) or self.worlds < 1:
            raise ZermeloError(f"worlds is a whole number of at least 1, not {self.worlds!r}.")

    def plant(self, game: Game, state: State, settings: Settings, random: SplitMix, compiled: "CompiledGame | None") -> TreeOfPlayouts:
        share = max(1, (settings.playouts or DEFAULT_PLAYOUTS) // self.worlds)
        worlds = self.possible(game, state, random)

        def plant_one(place: State) -> TreeOfPlayouts:
            """A tree with open cards."""
            algorithm = MCTS(
                playouts=share,
                selection="uct",
                exploration=self.exploration,
                policy=self.policy,
                epsilon=self.epsilon,
                cutoff=self.cutoff,
                memory=self.memory,
                seed=random.draw(),
                perfect_information=True,
                backend="reference" if compiled is None else compiled.backend,  # type: ignore[arg-type]
            )
            return MCTSSession(algorithm, game).plant(place, (), share)

        return ManyWorlds(lambda: World(game, worlds.draw(), plant_one), share, settings.range(game), game.player(state))


@dataclass(frozen=True)
class Tally:
    """One action in the worlds in which it was tried."""

    worlds: float = 0.0  # the weights of the worlds
    totals: tuple[float, ...] = ()  # [player] of the mean payoffs in each, times its weight
    visits: int = 0
    squares: float = 0.0
    low: float = math.inf  # of the intervals of all worlds
    high: float = -math.inf

    def with_world(self, move: MoveStatistics, weight: float) -> "Tally":
        """The same with one more world."""
        before = self.totals or (0.0,) * len(move.means)
        low, high = move.interval or (math.inf, -math.inf)
        return Tally(
            self.worlds + weight,
            tuple(total + weight * mean for total, mean in zip(before, move.means, strict=True)),
            self.visits + move.visits,
            self.squares + move.squares,
            min(self.low, low),
            max(self.high, high),
        )


class World:
    """One world with open cards: a tree below each of the root's moves, all grown alike, so that no move is judged by a few playouts."""

    full = False

    def __init__(self, game: Game, state: State, plant: Callable[[State], TreeOfPlayouts]) -> None:
        self.game, self.mover = game, game.player(state)
        self.prices = {action: float(cost_function(game)(state, action)) for action in legal_actions(game, state)}
        self.states = {action: game.result(state, action) for action in self.prices}
        self.trees = {action: plant(child) for action, child in self.states.items() if not game.terminal(child)}
        self.ended = dict.fromkeys(set(self.states) - set(self.trees), 0)  # action that ends the game → how often it was tried
        self.playouts = 0

    @property
    def backend(self) -> str:
        return next((tree.backend for tree in self.trees.values()), "reference")

    @property
    def visited(self) -> int:
        return sum(tree.visited for tree in self.trees.values()) + sum(self.ended.values())

    @property
    def size(self) -> int:
        return 1 + len(self.ended) + sum(tree.size for tree in self.trees.values())

    @property
    def memory(self) -> int:
        return sum(tree.memory for tree in self.trees.values())

    @property
    def cuts(self) -> int:
        return sum(tree.cuts for tree in self.trees.values())

    @property
    def deepest(self) -> int:
        return 1 + max((tree.deepest for tree in self.trees.values()), default=0)

    def grow(self, playouts: int, most_visited: int | None) -> None:
        """Makes so many playouts, the moves in turn."""
        actions = list(self.states)
        for place, action in enumerate(actions):
            due = (self.playouts + playouts + place) // len(actions) - (self.playouts + place) // len(actions)
            tree = self.trees.get(action)
            if tree is None:
                self.ended[action] += due
            elif due:
                left = None if most_visited is None else max(1, most_visited - self.visited + tree.visited)
                tree.grow(due, left)
        self.playouts += playouts

    def moves(self) -> list[MoveStatistics]:
        return [self.move(action) for action in self.states]

    def move(self, action: Action) -> MoveStatistics:
        """The mean payoffs after one move."""
        tree, bounds = self.trees.get(action), (-math.inf, math.inf)
        if tree is None:
            visits, totals = self.ended[action], [float(payoff) for payoff in payoff_vector(self.game, self.states[action])]
            means, squares = tuple(totals), visits * totals[self.mover] ** 2
        else:
            tried = [each for each in tree.moves() if each.visits]
            visits, squares = sum(each.visits for each in tried), sum(each.squares for each in tried)
            means = tuple(sum(each.visits * each.means[who] for each in tried) / max(1, visits) for who in range(self.game.players))
            low, high = tree.root_bounds
            if low >= high and self.game.players == 2:  # proven: its own playouts include tries that nobody would make
                means = low, float(self.game.total or 0) - low
        if not visits:
            return MoveStatistics(action, 0, (), None, bounds)
        means = tuple(mean - self.prices[action] for mean in means)
        return MoveStatistics(action, visits, means, (means[self.mover], means[self.mover]), bounds, None, squares)


class ManyWorlds:
    """One tree after the other, each in another world. See `TreeOfPlayouts`; of finished trees only the root's moves are kept."""

    def __init__(self, plant: "Callable[[], World]", share: int, declared: tuple[float, float] | None, mover: int) -> None:
        self.plant, self.share, self.declared, self.mover = plant, share, declared, mover
        self.tree = plant()
        self.worlds_before: dict[Action, Tally] = {}
        self.playouts_before = self.visited_before = self.size_before = self.cuts_before = self.deepest_before = 0
        self.was_full = False

    @property
    def backend(self) -> str:
        return self.tree.backend

    @property
    def playouts(self) -> int:
        return self.playouts_before + self.tree.playouts

    @property
    def visited(self) -> int:
        return self.visited_before + self.tree.visited

    @property
    def size(self) -> int:
        return self.size_before + self.tree.size

    @property
    def memory(self) -> int:
        return self.tree.memory

    @property
    def full(self) -> bool:
        return self.was_full or self.tree.full

    @property
    def cuts(self) -> int:
        return self.cuts_before + self.tree.cuts

    @property
    def deepest(self) -> int:
        return max(self.deepest_before, self.tree.deepest)

    @property
    def root_bounds(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def grow(self, playouts: int, most_visited: int | None) -> None:
        while playouts > 0:
            if self.tree.playouts >= self.share:
                self.next_world()
            before = self.tree.playouts
            left = None if most_visited is None else most_visited - self.visited_before
            self.tree.grow(min(playouts, self.share - before), left)
            if self.tree.playouts == before:
                return
            playouts -= self.tree.playouts - before

    def next_world(self) -> None:
        """Puts the finished tree's figures away."""
        for move in self.tree.moves():
            if move.visits:
                self.worlds_before[move.action] = self.worlds_before.get(move.action, Tally()).with_world(move, 1.0)
        self.playouts_before, self.visited_before = self.playouts, self.visited
        self.size_before, self.cuts_before, self.deepest_before, self.was_full = self.size, self.cuts, self.deepest, self.full
        self.tree = self.plant()

    def moves(self) -> list[MoveStatistics]:
        """Added up over all worlds. Every world counts alike, the unfinished one as far as it is done: a search visits a good move more
        often in worlds where it is good, and says nothing by that about how likely these are."""
        found = dict(self.worlds_before)
        untried = [move for move in self.tree.moves() if not move.visits and move.action not in found]
        for move in self.tree.moves():
            if move.visits:
                found[move.action] = found.get(move.action, Tally()).with_world(move, self.tree.playouts / self.share)
        moves = {action: self.added(action, tally) for action, tally in found.items()}
        moves |= {move.action: MoveStatistics(move.action, 0, (), None, (-math.inf, math.inf)) for move in untried}
        return [moves[action] for action in sorted(moves)]

    def added(self, action: Action, tally: "Tally") -> MoveStatistics:
        """The statistics of one action in several worlds."""
        means = tuple(total / tally.worlds for total in tally.totals)
        low, high = self.declared or (tally.low, tally.high)
        around = interval(tally.visits, means[self.mover] * tally.visits, tally.squares, low, high)
        return MoveStatistics(action, tally.visits, means, around, (-math.inf, math.inf), None, tally.squares)

    def line(self, first: Action) -> list[Action]:
        """Only the move itself: what follows is another line in every world."""
        return [first]

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        raise ZermeloError("There are many worlds here, and no one tree to draw.")

    def move_root(self, state: State) -> bool:
        return False
