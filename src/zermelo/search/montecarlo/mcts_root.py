"""The root of a Monte Carlo tree search: playouts within limits, and the answer written down, the same for both backends."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

from zermelo.errors import ZermeloError
from zermelo.limits import Stopped, Watch
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, MAX, Action, Game, State, action_name
from zermelo.search.montecarlo.guide import FaultyFunction
from zermelo.search.montecarlo.mcts_statistics import MoveStatistics, Snapshot, TreeOfPlayouts
from zermelo.search.root import tidy
from zermelo.search.sides import vector_at_end

__all__ = ["Final", "Follow", "over", "run", "write"]

Final = Literal["visits", "value", "secure"]
Follow = Callable[[Snapshot], object]

QUANTUM = 0.01  # seconds between two looks at the limits
FIRST_PLAYOUTS, MOST_PLAYOUTS = 8, 1 << 20  # between two looks
FOLLOW_SECONDS = 0.1  # between two snapshots
LONGEST_LINE = 100


def run(tree: TreeOfPlayouts, playouts: int | None, watch: Watch, follow: Follow | None) -> str | None:
    """Grows the tree until the playouts are done, the root is proven or a limit is reached; why it ended before its time, if it did."""
    begun = told = time.perf_counter()
    portion = FIRST_PLAYOUTS
    before = tree.playouts
    try:
        while tree.root_bounds[0] < tree.root_bounds[1]:
            if tree.playouts > before:
                watch.look(tree.visited + 1)
            left = MOST_PLAYOUTS if playouts is None else playouts - (tree.playouts - before)
            if left <= 0:
                break
            clock = time.perf_counter()
            tree.grow(min(left, portion), None if watch.limits.nodes is None else max(watch.limits.nodes - 1, 1))
            now = time.perf_counter()
            portion = next_portion(portion, now - clock)
            if follow is not None and now - told >= FOLLOW_SECONDS:
                told = now
                follow(snapshot(tree, now - begun))
    except Stopped as limit:
        asked = limit.reason.startswith("stopped")  # any other limit is where a search without a number of playouts ends
        return limit.reason if playouts is not None or asked else None
    except KeyboardInterrupt:
        return "interrupted"
    except FaultyFunction as fault:
        if tree.playouts == before:
            raise ZermeloError(f"The search could not begin: {fault}.") from fault.__cause__
        return str(fault)
    finally:
        if follow is not None:
            follow(snapshot(tree, time.perf_counter() - begun))
    return None


def next_portion(portion: int, seconds: float) -> int:
    """Playouts until the next look, so that it comes after about QUANTUM."""
    if seconds < QUANTUM / 2:
        return min(2 * portion, MOST_PLAYOUTS)
    return max(portion // 2, 1) if seconds > 1.5 * QUANTUM else portion


def snapshot(tree: TreeOfPlayouts, seconds: float) -> Snapshot:
    """How far the search is."""
    return Snapshot(tree.playouts, seconds, tree.size, tuple(tree.moves()))


class Verdict:
    """What the statistics of the root's moves come to."""

    def __init__(self, game: Game, state: State, tree: TreeOfPlayouts, final: Final) -> None:
        self.game, self.state, self.tree, self.final = game, state, tree, final
        self.mover = game.player(state)
        self.moves = tree.moves()
        self.bounds = tree.root_bounds
        self.exact = self.bounds[0] >= self.bounds[1]
        self.tuples = not (game.players == 1 or (game.players == 2 and game.total is not None))

    def mine(self, max_payoff: float) -> float:
        """Max's payoff as the mover's; asked only where values are proven, of one player or two with a constant sum."""
        return max_payoff if self.mover == MAX else float(self.game.total or 0) - max_payoff

    def proven_range(self, move: MoveStatistics) -> tuple[float, float]:
        """Between which bounds the mover's payoff after a move lies for certain."""
        if self.tuples:
            return -math.inf, math.inf
        low, high = sorted((self.mine(move.bounds[0]), self.mine(move.bounds[1])))
        return low, high

    def best(self) -> MoveStatistics | None:
        """The chosen move: a proven one where the root is proven, else by the rule, among those that are not proven to be worse."""
        tried = [move for move in self.moves if move.visits > 0]
        if self.mover == CHANCE or not tried:
            return None
        surest = max(self.proven_range(move)[0] for move in tried)
        if self.exact:
            proven = [move for move in tried if self.proven_range(move)[0] >= surest]
            return max(proven, key=lambda move: move.visits)
        sensible = [move for move in tried if self.proven_range(move)[1] >= surest]
        return max(sensible, key=self.rank)

    def rank(self, move: MoveStatistics) -> tuple[float, float]:
        """Larger is better."""
        value = move.means[self.mover]
        if self.final == "visits":
            return float(move.visits), value
        assert move.interval is not None
        return (value if self.final == "value" else move.interval[0]), float(move.visits)

    def shown(self, means: Sequence[float]) -> Any:
        """Payoffs as results have them: Max's number for one player and for two with a constant sum."""
        return tuple(tidy(mean) for mean in means) if self.tuples else tidy(means[0])

    def score(self, move: MoveStatistics) -> Any:
        """A move's value: proven, or its mean; None before it was tried."""
        if move.proven and not self.tuples:
            return tidy(move.bounds[0])
        if not move.visits:
            return None
        if self.tuples:
            return self.shown(move.means)
        return tidy(min(max(move.means[0], move.bounds[0]), move.bounds[1]))

    def around(self, move: MoveStatistics) -> list[float] | None:
        """The interval of the mover's payoff after a move; a point where that is proven."""
        if move.proven and not self.tuples:
            return list(self.proven_range(move))
        if move.interval is None:
            return None
        low, high = self.proven_range(move)
        return [min(max(end, low), high) for end in move.interval]

    def value(self, chosen: MoveStatistics | None) -> Any:
        """The root's value: proven, or that of the chosen move, or the mean over what chance may do."""
        if self.exact:
            return tidy(self.bounds[0])
        if chosen is not None:
            return self.score(chosen)
        tried = [move for move in self.moves if move.visits > 0]
        if not tried:
            return (0.0,) * self.game.players if self.tuples else 0.0
        whole = sum(move.probability or 0.0 for move in tried)
        means = [sum((move.probability or 0.0) * move.means[who] for move in tried) / whole for who in range(self.game.players)]
        return self.shown(means)

    def as_good(self, chosen: MoveStatistics | None) -> tuple[Action, ...]:
        """The chosen move, and where the root is proven every other that is proven to be as good."""
        if chosen is None:
            return ()
        if not self.exact:
            return (chosen.action,)
        value = self.proven_range(chosen)[0]
        return tuple(move.action for move in self.moves if move.visits and self.proven_range(move)[0] >= value)

    def line(self, chosen: MoveStatistics | None) -> tuple[Action, ...]:
        """The most visited line that begins with the chosen move."""
        return () if chosen is None else tuple(self.tree.line(chosen.action)[:LONGEST_LINE])


def write(
    game: Game,
    state: State,
    tree: TreeOfPlayouts,
    *,
    final: Final,
    stopped: str | None,
    unasked_cutoff: int | None,
    seconds: float,
    seed: int,
    parameters: dict[str, Any],
    notes: list[str],
    threads: int = 1,
) -> SearchResult:
    """The answer, frozen."""
    verdict = Verdict(game, state, tree, final)
    chosen = verdict.best()

    def named(action: Action) -> str:
        return action_name(game, state, action)

    exact = verdict.exact and stopped != "interrupted"
    return SearchResult(
        game=game,
        state=state,
        algorithm="mcts",
        value=verdict.value(chosen),
        action=None if chosen is None else chosen.action,
        actions=verdict.as_good(chosen),
        scores={move.action: verdict.score(move) for move in verdict.moves if move.visits},
        distances=dict.fromkeys(move.action for move in verdict.moves if move.visits),
        distance=None,
        line=verdict.line(chosen),
        exact=exact,
        bounds=None if exact else shown_bounds(verdict),
        nodes=tree.visited + 1,
        seconds=seconds,
        backend=tree.backend,
        seed=seed,
        stopped=stopped or "",
        parameters=parameters,
        notes=(*notes, *tree_notes(tree, unasked_cutoff), *stop_notes(tree, stopped)),
        extra={
            "playouts": tree.playouts,
            "visits": {named(move.action): move.visits for move in verdict.moves},
            "intervals": {named(move.action): verdict.around(move) for move in verdict.moves},
            "proven": {named(move.action): tidy(move.bounds[0]) for move in verdict.moves if move.proven and not verdict.tuples},
            "tree": {"nodes": tree.size, "bytes": tree.memory, "full": tree.full, "deepest": tree.deepest},
            "cut_off": tree.cuts,
            "threads": threads,
        },
    )


def shown_bounds(verdict: Verdict) -> tuple[Any, Any] | None:
    """What is proven about the root's value, or declared."""
    low, high = verdict.bounds
    if verdict.tuples or not (math.isfinite(low) and math.isfinite(high)):
        return verdict.game.payoffs
    return tidy(low), tidy(high)


def tree_notes(tree: TreeOfPlayouts, cutoff: int | None) -> list[str]:
    """What a reader should know about the tree; `cutoff` is the one that nobody asked for."""
    notes = []
    if cutoff is not None and tree.cuts:
        notes.append(
            f"{tree.cuts:,} of {tree.playouts:,} playouts did not end within {cutoff:,} actions and were judged there; "
            "cutoff=N sets another limit."
        )
    if tree.full:
        notes.append(f"The tree reached its memory limit with {tree.size:,} nodes and stopped growing; the search went on.")
    return notes


def stop_notes(tree: TreeOfPlayouts, stopped: str | None) -> list[str]:
    """That the search ended before its time, and why."""
    if stopped is None:
        return []
    return [f"The search was not finished ({stopped}): {tree.playouts:,} playouts were made."]


def over(game: Game, state: State, seed: int, parameters: dict[str, Any]) -> SearchResult:
    """The answer where the game is over."""
    vector = vector_at_end(game, state)
    tuples = not (game.players == 1 or (game.players == 2 and game.total is not None))
    value = tuple(tidy(each) for each in vector) if tuples else tidy(vector[0])
    extra = {"playouts": 0, "visits": {}, "intervals": {}, "proven": {}, "cut_off": 0, "threads": 1}
    return SearchResult(
        game, state, "mcts", value, None, (), {}, {}, 0, (), True, None, 1, 0.0, seed=seed, parameters=parameters, extra=extra
    )
