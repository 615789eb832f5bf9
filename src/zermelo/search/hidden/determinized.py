"""Determinized UCT: many worlds that are possible, each searched as if it were open, and their moves added up.

It believes that it will know tomorrow what it does not know today. Document 003 calls the consequence *strategy fusion*: in its two
worlds this search takes a payoff of 1 for granted which no player can have, because the right choice is another one in either world.
`ismcts` searches without that mistake; this one is here because it is simple, often strong, and instructive.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.errors import ZermeloError
from zermelo.rules import Action, Game, State
from zermelo.search.hidden.sampling import DEFAULT_PLAYOUTS, HiddenSearch
from zermelo.search.mcts import MCTS, Gardener
from zermelo.search.mcts_settings import Settings
from zermelo.search.mcts_statistics import MonteCarloTree, MoveStatistics, TreeOfPlayouts, interval
from zermelo.search.splitmix import SplitMix

if TYPE_CHECKING:
    from zermelo.engine.backend import Compiled

__all__ = ["Determinized"]


@dataclass(frozen=True)
class Determinized(HiddenSearch):
    """Determinized UCT: so many worlds, each with its share of the playouts."""

    worlds: int = 30

    name = "determinized"
    worth_compiling = 0

    def check(self, game: Game) -> None:
        super().check(game)
        if isinstance(self.worlds, bool) or not isinstance(self.worlds, int) or self.worlds < 1:
            raise ZermeloError(f"worlds is a whole number of at least 1, not {self.worlds!r}.")

    def plant(self, game: Game, state: State, settings: Settings, random: SplitMix, compiled: "Compiled | None") -> TreeOfPlayouts:
        share = max(1, (settings.playouts or DEFAULT_PLAYOUTS) // self.worlds)
        worlds = self.possible(game, state, random)

        def plant_one() -> TreeOfPlayouts:
            """A tree of one world, with open cards."""
            algorithm = MCTS(
                playouts=share,
                selection="uct",
                exploration=self.exploration,
                solver=False,
                policy=self.policy,
                epsilon=self.epsilon,
                cutoff=self.cutoff,
                memory=self.memory,
                seed=random.draw(),
                open=True,
                backend="reference" if compiled is None else "compiled",
            )
            return Gardener(algorithm, game).plant(worlds.draw(), (), share)

        return ManyWorlds(plant_one, share, settings.range(game), game.player(state))


class ManyWorlds:
    """One tree after the other, each in another world. See `TreeOfPlayouts`; of finished trees only the root's moves are kept."""

    def __init__(self, plant: Callable[[], TreeOfPlayouts], share: int, declared: tuple[float, float] | None, mover: int) -> None:
        self.plant, self.share, self.declared, self.mover = plant, share, declared, mover
        self.tree = plant()
        self.moves_before: list[MoveStatistics] = []
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
        self.moves_before = self.moves()
        self.playouts_before, self.visited_before = self.playouts, self.visited
        self.size_before, self.cuts_before, self.deepest_before, self.was_full = self.size, self.cuts, self.deepest, self.full
        self.tree = self.plant()

    def moves(self) -> list[MoveStatistics]:
        """Added up over all worlds; every playout counts alike."""
        found: dict[Action, list[MoveStatistics]] = {}
        for move in (*self.moves_before, *self.tree.moves()):
            found.setdefault(move.action, []).append(move)
        return [self.added(action, found[action]) for action in sorted(found)]

    def added(self, action: Action, parts: list[MoveStatistics]) -> MoveStatistics:
        """The statistics of one action in several worlds."""
        tried = [part for part in parts if part.visits]
        visits, bounds = sum(part.visits for part in tried), (-math.inf, math.inf)
        if not visits:
            return MoveStatistics(action, 0, (), None, bounds)
        players = range(len(tried[0].means))
        means = tuple(sum(part.visits * part.means[player] for part in tried) / visits for player in players)
        squares = sum(part.squares for part in tried)
        low, high = self.declared or (
            min(part.interval[0] for part in tried if part.interval),
            max(part.interval[1] for part in tried if part.interval),
        )
        return MoveStatistics(
            action, visits, means, interval(visits, means[self.mover] * visits, squares, low, high), bounds, None, squares
        )

    def line(self, first: Action) -> list[Action]:
        """Only the move itself: what follows is another line in every world."""
        return [first]

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        raise ZermeloError("There are many worlds here, and no one tree to draw.")

    def move_root(self, state: State) -> bool:
        return False
