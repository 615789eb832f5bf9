"""Root-parallel search: several trees from the same root, each with its own seed and in a process or on a machine of its own.

Trees that know nothing of each other are added up at the root: visits, payoffs and proofs of every move. Any
`concurrent.futures.Executor` runs them: a process pool, or Dask's `Client.get_executor()` on a cluster.
"""

from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.rules import Action, Game, State
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, MoveStatistics, interval
from zermelo.search.montecarlo.splitmix import stream

if TYPE_CHECKING:
    from zermelo.search.montecarlo.mcts import MCTS

__all__ = ["SumOfTrees", "grow_part", "shares", "spread"]


@dataclass(frozen=True)
class SumOfTrees:
    """Trees of one root, added up: what can be said about them together. See `TreeOfPlayouts`, as far as reading goes."""

    backend: str
    playouts: int
    visited: int
    size: int
    memory: int
    full: bool
    cuts: int
    deepest: int
    root_bounds: tuple[float, float]
    statistics: tuple[MoveStatistics, ...]
    notes: tuple[str, ...] = ()
    payoffs: tuple[float, float] | None = None  # the range in which intervals lie

    def grow(self, playouts: int, most_visited: int | None) -> None:
        raise ZermeloError("Trees that were added up grow no further: search again.")

    def moves(self) -> list[MoveStatistics]:
        return list(self.statistics)

    def line(self, first: Action) -> list[Action]:
        return [first]

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        raise ZermeloError("Trees that were added up cannot be drawn as one: search without an executor.")

    def move_root(self, state: State) -> bool:
        return False


def shares(whole: int | None, parts: int) -> list[int | None]:
    """A number of playouts in so many parts; no part is empty."""
    if whole is None:
        return [None] * parts
    parts = min(parts, whole)
    return [whole // parts + (number < whole % parts) for number in range(parts)]


def grow_part(algorithm: "MCTS", game: Game, state: State, history: tuple[State, ...], seconds: float | None) -> SumOfTrees:
    """One tree, grown to its end: the task of one worker."""
    from zermelo.search.montecarlo.mcts import MCTSSession

    session = MCTSSession(algorithm, game)
    result = session.search(state, history, Limits(time=seconds))
    tree = session.tree
    assert tree is not None
    return SumOfTrees(
        tree.backend,
        tree.playouts,
        tree.visited,
        tree.size,
        tree.memory,
        tree.full,
        tree.cuts,
        tree.deepest,
        tree.root_bounds,
        tuple(tree.moves()),
        result.notes,
        algorithm.settings(game, 0, None).range(game),
    )


def spread(
    algorithm: "MCTS",
    game: Game,
    state: State,
    history: tuple[State, ...],
    seconds: float | None,
    playouts: int | None,
    seed: int,
    executor: Executor,
    parts: int,
) -> SumOfTrees:
    """Lets an executor grow so many trees, and adds them up."""
    tasks = []
    for number, share in enumerate(shares(playouts, parts)):
        part = replace(algorithm, playouts=share, seed=stream(seed, number) >> 1)
        tasks.append(executor.submit(grow_part, part, game, state, history, seconds))
    return added([task.result() for task in tasks], max(game.player(state), 0))


def added(trees: list[SumOfTrees], chooser: int) -> SumOfTrees:
    """Trees of one root as one; `chooser` moves there."""
    low, high = max(tree.root_bounds[0] for tree in trees), min(tree.root_bounds[1] for tree in trees)
    moves = tuple(added_move(list(each), chooser, trees[0].payoffs) for each in zip(*(tree.statistics for tree in trees), strict=True))
    return SumOfTrees(
        trees[0].backend,
        sum(tree.playouts for tree in trees),
        sum(tree.visited for tree in trees),
        sum(tree.size for tree in trees),
        sum(tree.memory for tree in trees),
        any(tree.full for tree in trees),
        sum(tree.cuts for tree in trees),
        max(tree.deepest for tree in trees),
        (low, high),
        moves,
        trees[0].notes,
        trees[0].payoffs,
    )


def added_move(parts: list[MoveStatistics], chooser: int, payoffs: tuple[float, float] | None) -> MoveStatistics:
    """What several trees know about one move; the interval is that of all playouts together."""
    tried = [part for part in parts if part.visits > 0]
    if not tried:
        return parts[0]
    visits = sum(part.visits for part in tried)
    means = tuple(sum(part.means[who] * part.visits for part in tried) / visits for who in range(len(tried[0].means)))
    bounds = max(part.bounds[0] for part in parts), min(part.bounds[1] for part in parts)
    squares, around = sum(part.squares for part in tried), joint_interval(tried, chooser, payoffs)
    return tried[0]._replace(visits=visits, means=means, bounds=bounds, squares=squares, interval=around)


def joint_interval(parts: list[MoveStatistics], chooser: int, payoffs: tuple[float, float] | None) -> tuple[float, float]:
    """The interval of a mean over several trees."""
    intervals = [part.interval for part in parts if part.interval is not None]
    if payoffs is None:  # nobody knows the range of payoffs: as wide as the parts', narrower by the root of their number
        middle = sum((low + high) / 2 for low, high in intervals) / len(intervals)
        half = sum((high - low) / 2 for low, high in intervals) / len(intervals) / len(intervals) ** 0.5
        return middle - half, middle + half
    visits, squares = sum(part.visits for part in parts), sum(part.squares for part in parts)
    return interval(visits, sum(part.means[chooser] * part.visits for part in parts), squares, *payoffs)
