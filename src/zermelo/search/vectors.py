"""Searches in which everybody wants something of their own: what max^n and coalitions share.

A value has one payoff a player. Whoever moves takes the action that is best for their coalition (in max^n everybody is alone), the first
of several. What the others get may hang on such a choice between equals, so beside the payoffs every value carries what any other way of
breaking ties could give each coalition: the least and the most. Where these differ at the root, the result says so.

    for the coalition that moves:   sure = the largest of the actions' least values; an action is possible while its most is not below
    for every coalition:            the least and the most over the possible actions

Shallow pruning (R. E. Korf, Multi-player alpha-beta pruning, Artificial Intelligence 48, 1991), where all payoffs add up to a constant
and have a lowest value: once the coalition that moves is sure of so much that whoever moved here gets less than elsewhere, the rest of
the node cannot matter. Equality does not prune, and actions are tried in the rules' own order, so that ties are seen and broken in the
same way with and without pruning and table.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from zermelo.engine.limits import Limits, Stopped, Watch
from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, hidden_information
from zermelo.scores import LONGEST
from zermelo.search.expectation import mover_or_chance
from zermelo.search.outcomes import outcomes_of
from zermelo.search.plan import Plan, cost_function, endless_error
from zermelo.search.recursion import Recursion, run
from zermelo.search.reference import Arrival, Line, Silent, actions_of, permitted
from zermelo.search.root import Unrepresentable, flat, tidy
from zermelo.search.sides import Side, drawn_vector, estimate_vector, lost_vector, vector_at_end
from zermelo.search.table import Bound, Entry, Table
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["Coalitions", "VectorPlan", "VectorReference", "Worth", "Worthy", "answer"]

Coalitions = tuple[Side, ...]  # every player in exactly one


class Worth(NamedTuple):
    """A value: what everybody gets, and what any way of breaking ties could give every coalition."""

    payoffs: tuple[Any, ...]  # [player]
    least: tuple[Any, ...]  # [coalition]
    most: tuple[Any, ...]  # [coalition]


class Worthy(NamedTuple):
    """What a visit has found."""

    worth: Worth | None  # None: pruned, and of no interest to whoever moved there
    line: Line
    node: int


@dataclass(frozen=True)
class VectorPlan(Plan):
    """One search for many players."""

    coalitions: Coalitions | None = None  # None: everybody alone

    def coalitions_in(self, game: Game) -> Coalitions:
        return tuple((player,) for player in range(game.players)) if self.coalitions is None else self.coalitions

    def prunes(self, game: Game) -> bool:
        """Can the sum of payoffs be used?"""
        return self.pruning and game.players > 1 and game.total is not None and game.payoffs is not None


class VectorSearcher(Protocol):
    """An engine at work; counts are of everything it was asked so far."""

    backend: str

    @property
    def nodes(self) -> int:
        """States visited."""

    @property
    def table_hits(self) -> int:
        """States that the table answered."""

    @property
    def judged(self) -> bool:
        """Has an estimate stood in for the end of the game?"""

    @property
    def ties(self) -> int:
        """States in which a choice between equals decides what others get."""

    @property
    def sum_cuts(self) -> int:
        """States that shallow pruning left."""

    def count_root(self) -> None:
        """The root is visited by whoever asks for its actions one by one."""

    def value(self, state: State, before: Sequence[State], remaining: int | None, mover: int | None, action: Any, parent: int) -> Worthy:
        """The value of a state."""


class VectorReference:
    """Max^n by the book. Counts are of everything it was asked so far."""

    backend = "reference"

    def __init__(self, game: Game, plan: VectorPlan, watch: Watch, recorder: Recorder | None = None) -> None:
        self.game, self.plan, self.watch = game, plan, watch
        self.recorder: Recorder | Silent = recorder if recorder is not None else Silent()
        self.coalitions = plan.coalitions_in(game)
        self.member = {player: number for number, members in enumerate(self.coalitions) for player in members}
        self.pruning = plan.prunes(game)
        self.cost = cost_function(game)
        self.table = Table(plan.table_bytes(game))
        self.tracks = plan.tracks(game)
        self.on_line: dict[State, int] = {}
        self.nodes = self.table_hits = self.ties = self.sum_cuts = 0
        self.pause = watch.next_look(0)
        self.judged = False

    def count_root(self) -> None:
        self.nodes += 1

    def value(self, state: State, before: Sequence[State], remaining: int | None, mover: int | None, action: Any, parent: int) -> Worthy:
        """The value of a state. `before` are the states above it."""
        self.on_line = {earlier: ply for ply, earlier in enumerate(before)} if self.tracks else {}
        return run(self.visit(Arrival(state, remaining, len(before), mover, action, parent), -math.inf))

    def visit(self, arrival: Arrival, floor: Any) -> Recursion[Worthy]:
        """The value of a state; none where the coalition that moved here gets less than `floor`, of which it is sure elsewhere."""
        if self.nodes >= self.pause:
            self.watch.look(self.nodes)
            self.pause = self.watch.next_look(self.nodes)
        self.nodes += 1
        player = None if self.game.terminal(arrival.state) else mover_or_chance(self.game, arrival.state)
        node = self.recorder.enter(arrival.parent, arrival.action, arrival.state, player)
        worth = self.known(arrival, player, node)
        if worth is not None or player is None:
            return Worthy(worth, (), node)
        entry = self.table.probe(self.key(arrival.state)) if self.table.room and arrival.mover is not None else None
        if entry is not None and entry.remaining == arrival.remaining:
            self.table_hits += 1
            self.recorder.leaf(node, entry.value.payoffs, "table")
            return Worthy(entry.value, (), node)
        if self.tracks:
            self.on_line[arrival.state] = arrival.ply
        line: Line = ()
        if player == CHANCE:
            worth = yield from self.mean(arrival, node)
        else:
            worth, line = yield from self.choice(arrival, player, node, floor)
        if self.tracks:
            del self.on_line[arrival.state]
        if worth is not None and (line or player == CHANCE):
            self.table.store(self.key(arrival.state), Entry(arrival.remaining, Bound.EXACT, worth, line[0] if line else None))
        return Worthy(worth, line, node)

    def key(self, state: State) -> Any:
        key = getattr(self.game, "key", None)
        return state if key is None else key(state)

    # --- what is known before the actions are tried

    def known(self, arrival: Arrival, player: int | None, node: int) -> Worth | None:
        """The value of a state that is not searched further; None where it must be."""
        if player is None:
            payoffs, reason = vector_at_end(self.game, arrival.state), "terminal"
        elif self.returns(arrival):
            payoffs, reason = self.repeated(arrival), "repetition"
        elif arrival.remaining == 0:
            payoffs, reason = estimate_vector(self.game, arrival.state), "depth"
            self.judged = True
        else:
            return None
        self.recorder.leaf(node, payoffs, reason)
        return self.certain(payoffs)

    def returns(self, arrival: Arrival) -> bool:
        """Has this state been on the line before? Under `forbidden` only chance can bring it back."""
        if arrival.ply > LONGEST:
            raise endless_error(self.game, None)
        if self.game.repetition == "forbidden" and arrival.mover != CHANCE:
            return False
        return arrival.mover is not None and arrival.state in self.on_line

    def repeated(self, arrival: Arrival) -> tuple[Any, ...]:
        if self.game.repetition is None:
            raise endless_error(self.game, arrival.ply - self.on_line[arrival.state])
        if self.game.repetition == "loss" and arrival.mover is not None:
            return lost_vector(self.game, arrival.mover)
        return drawn_vector(self.game)

    def certain(self, payoffs: tuple[Any, ...]) -> Worth:
        """Payoffs in which no tie plays a part."""
        shares = tuple(self.share(payoffs, number) for number in range(len(self.coalitions)))
        return Worth(payoffs, shares, shares)

    def share(self, payoffs: tuple[Any, ...], coalition: int) -> Any:
        """What a coalition gets, summed in the order of players, as the kernel does."""
        total: Any = 0
        for player in sorted(self.coalitions[coalition]):
            total += payoffs[player]
        return total

    # --- chance moves

    def mean(self, arrival: Arrival, node: int) -> Recursion[Worth]:
        """The mean of the outcomes."""
        total: Worth | None = None
        for outcome in outcomes_of(self.game, arrival.state):
            found = yield self.visit(self.child(arrival, outcome.action, CHANCE, node), -math.inf)
            worth = less(found.worth, self.cost(arrival.state, outcome.action))
            total = added(total, outcome.probability, worth)
            self.recorder.child(node, found.node, total.payoffs, False)
        assert total is not None
        self.recorder.leave(node, total.payoffs, None)
        return total

    def child(self, arrival: Arrival, action: Action, player: int, node: int) -> Arrival:
        remaining = None if arrival.remaining is None else arrival.remaining - 1
        return Arrival(self.game.result(arrival.state, action), remaining, arrival.ply + 1, player, action, node)

    # --- a player moves

    def choice(self, arrival: Arrival, player: int, node: int, floor: Any) -> Recursion[tuple[Worth | None, Line]]:
        """The value of a state and its line; no value where it was pruned."""
        mine = self.member[player]
        best: Worth | None = None
        line: Line = ()
        tried: list[Worth] = []
        sure: Any = -math.inf
        actions = permitted(self.game, arrival.state, actions_of(self.game, arrival.state), self.on_line)
        for number, action in enumerate(actions, 1):
            found = yield self.visit(self.child(arrival, action, player, node), sure)
            improved = False
            if found.worth is not None:
                worth = less(found.worth, self.cost(arrival.state, action))
                tried.append(worth)
                improved = best is None or self.share(worth.payoffs, mine) > self.share(best.payoffs, mine)
                if improved:
                    best, line = worth, (action, found.line)
                sure = max(sure, worth.least[mine])
            self.recorder.child(node, found.node, None if best is None else best.payoffs, improved)
            if best is not None and found.worth is not None and self.spared(arrival.mover, mine, sure, floor):
                self.sum_cuts += 1
                self.recorder.cutoff(node, best.payoffs, floor, sure, "sum", tuple(actions[number:]))
                self.recorder.leave(node, best.payoffs, line[0])
                return None, ()
        if best is None:
            lost = lost_vector(self.game, player)
            self.recorder.leaf(node, lost, "repetition")
            return self.certain(lost), ()
        self.recorder.leave(node, best.payoffs, line[0])
        return self.closed(best, tried, mine, sure), line

    def spared(self, mover: int | None, mine: int, sure: Any, floor: Any) -> bool:
        """Do those who move here already take too much of the total for whoever moved here?"""
        if not self.pruning or mover is None or mover == CHANCE or floor == -math.inf or self.member[mover] == mine:
            return False
        assert self.game.total is not None
        assert self.game.payoffs is not None
        rest = sum(number not in (mine, self.member[mover]) for number in self.member.values())
        return bool(self.game.total - sure - rest * self.game.payoffs[0] < floor)

    def closed(self, best: Worth, tried: list[Worth], mine: int, sure: Any) -> Worth:
        """The best value, with what any way of breaking ties gives."""
        possible = [worth for worth in tried if worth.most[mine] >= sure]
        own = self.share(best.payoffs, mine)
        self.ties += any(self.share(worth.payoffs, mine) == own and worth.payoffs != best.payoffs for worth in possible)
        least = [min(worth.least[number] for worth in possible) for number in range(len(self.coalitions))]
        most = [max(worth.most[number] for worth in possible) for number in range(len(self.coalitions))]
        least[mine] = sure
        return Worth(best.payoffs, tuple(least), tuple(most))


def less(worth: Worth | None, cost: Any) -> Worth:
    """A value less what an action costs a single player."""
    assert worth is not None
    if not cost:
        return worth
    return Worth(*(tuple(each - cost for each in part) for part in worth))


def added(total: Worth | None, probability: Any, worth: Worth) -> Worth:
    """A mean with one more part."""
    before = total if total is not None else Worth(*(tuple(0 for _ in part) for part in worth))
    return Worth(
        *(tuple(sum_ + probability * each for sum_, each in zip(old, new, strict=True)) for old, new in zip(before, worth, strict=True))
    )


# --- the root


def answer(
    plan: VectorPlan, game: Game, state: State | None, history: Sequence[State], recorder: Recorder | None, limits: Limits | None
) -> SearchResult:
    """The whole search: checks the question, lets an engine work, and writes the result."""
    started = time.perf_counter()
    plan.check()
    if hidden_information(game) and not plan.open:
        raise ZermeloError(
            f"{plan.algorithm} would see the hidden cards of {type(game).__name__}: `equilibrium` and `ismcts` are made for hidden "
            "information; --open (open=True) searches with all cards open."
        )
    notes = plan.notes(game)
    place = game.start() if state is None else state
    searcher = compiled_searcher(plan, game, recorder, limits, notes)
    root = VectorRoot(plan, game, place, tuple(history), searcher or VectorReference(game, plan, Watch(limits), recorder), recorder)
    try:
        root.explore()
    except Unrepresentable as cause:
        if plan.backend == "compiled":
            raise ZermeloError(f"The compiled engine cannot run this: {cause}; use the reference engine.") from None
        notes.append(f"The reference engine searched: {cause}.")
        root = VectorRoot(plan, game, place, tuple(history), VectorReference(game, plan, Watch(limits), recorder), recorder)
        root.explore()
    return root.result(time.perf_counter() - started, notes)


def compiled_searcher(
    plan: VectorPlan, game: Game, recorder: Recorder | None, limits: Limits | None, notes: list[str]
) -> VectorSearcher | None:
    """The compiled engine where it can and may do this search; why it cannot goes into the notes."""
    if plan.backend == "reference" or recorder is not None:
        return None
    from zermelo.engine.backend import choose
    from zermelo.search.compiled_vectors import CompiledVectors

    choice = choose(game, plan.backend)
    notes.extend(choice.notes)
    return None if choice.compiled is None else CompiledVectors(choice.compiled, game, plan, Watch(limits))


@dataclass
class VectorRoot:
    """One state whose actions are searched."""

    plan: VectorPlan
    game: Game
    state: State
    history: tuple[State, ...]
    searcher: VectorSearcher
    recorder: Recorder | None
    values: dict[Action, Worth] = field(default_factory=dict)
    legal: list[Action] = field(default_factory=list)
    worth: Worth | None = None
    line: Line = ()
    stopped: str | None = None  # why the search ended before its time

    def __post_init__(self) -> None:
        self.over = self.game.terminal(self.state)
        self.mover = None if self.over else mover_or_chance(self.game, self.state)
        self.arithmetic = VectorReference(self.game, self.plan, Watch())  # sums and ties, as every node has them

    def explore(self) -> None:
        """Searches until done, or until a limit or Ctrl-C strikes."""
        try:
            if self.plan.plain or self.over or self.plan.depth == 0:
                found = self.searcher.value(self.state, self.history, self.plan.depth, None, None, NO_PARENT)
                self.worth, self.line = found.worth, found.line
            else:
                self.every_action()
        except Stopped as limit:
            self.stopped = limit.reason
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        if self.worth is None:
            self.take_best_so_far()

    def every_action(self) -> None:
        """Every action's own value; at a chance node every outcome's, and their mean."""
        assert self.mover is not None
        line = (*self.history, self.state)
        outcomes = outcomes_of(self.game, self.state) if self.mover == CHANCE else []
        actions = [outcome.action for outcome in outcomes] or actions_of(self.game, self.state)
        self.legal = actions if outcomes else permitted(self.game, self.state, actions, set(line))
        remaining = None if self.plan.depth is None else self.plan.depth - 1
        self.searcher.count_root()
        node = NO_PARENT if self.recorder is None else self.recorder.enter(NO_PARENT, None, self.state, self.mover)
        lines: dict[Action, Line] = {}
        cost = cost_function(self.game)
        total: Worth | None = None
        for number, action in enumerate(self.legal):
            found = self.searcher.value(self.game.result(self.state, action), line, remaining, self.mover, action, node)
            self.values[action] = less(found.worth, cost(self.state, action))
            lines[action] = (action, found.line)
            if outcomes:
                total = added(total, outcomes[number].probability, self.values[action])
            if self.recorder is not None:
                so_far = total if outcomes else self.values[self.best()]
                assert so_far is not None
                self.recorder.child(node, found.node, so_far.payoffs, not outcomes and self.best() == action)
        self.finish(node, total, lines)

    def best(self) -> Action:
        """The first of the mover's best actions so far."""
        assert self.mover is not None
        mine = self.arithmetic.member[self.mover]
        return max(self.values, key=lambda action: self.arithmetic.share(self.values[action].payoffs, mine))

    def finish(self, node: int, mean: Worth | None, lines: dict[Action, Line]) -> None:
        """The root's own value."""
        assert self.mover is not None
        if not self.legal:
            self.worth = self.arithmetic.certain(lost_vector(self.game, self.mover))
            if self.recorder is not None:
                self.recorder.leaf(node, self.worth.payoffs, "repetition")
            return
        if mean is None:
            mine, tried = self.arithmetic.member[self.mover], list(self.values.values())
            self.worth = self.arithmetic.closed(self.values[self.best()], tried, mine, max(worth.least[mine] for worth in tried))
            self.line = lines[self.best()]
        else:
            self.worth = mean
        if self.recorder is not None:
            self.recorder.leave(node, self.worth.payoffs, self.line[0] if self.line else None)

    def take_best_so_far(self) -> None:
        """What can be said although the search did not end."""
        if self.values and self.mover != CHANCE:
            self.worth, self.line = self.values[self.best()], (self.best(), ())
            return
        over = vector_at_end if self.over else estimate_vector
        self.worth = self.arithmetic.certain(over(self.game, self.state))
        self.line = () if self.over or self.mover == CHANCE else (actions_of(self.game, self.state)[0], ())

    def shown(self, payoffs: tuple[Any, ...]) -> Any:
        """A value as results have it: Max's number for one player and for two with a constant sum."""
        numbers = tuple(tidy(payoff) for payoff in payoffs)
        return numbers[0] if self.game.players == 1 or (self.game.players == 2 and self.game.total is not None) else numbers

    def best_actions(self) -> tuple[Action, ...]:
        """Every action that is best for the mover's coalition."""
        if self.mover is None or self.mover == CHANCE or not self.values:
            return tuple(flat(self.line)[:1])
        mine = self.arithmetic.member[self.mover]
        most = self.arithmetic.share(self.values[self.best()].payoffs, mine)
        return tuple(action for action, worth in self.values.items() if self.arithmetic.share(worth.payoffs, mine) == most)

    def result(self, seconds: float, notes: list[str]) -> SearchResult:
        """The answer, frozen."""
        assert self.worth is not None
        searcher, actions = self.searcher, tuple(flat(self.line))
        exact = self.stopped is None and not searcher.judged
        depends = self.worth.least != self.worth.most
        return SearchResult(
            game=self.game,
            state=self.state,
            algorithm=self.plan.algorithm,
            value=self.shown(self.worth.payoffs),
            action=actions[0] if actions else None,
            actions=self.best_actions(),
            scores={action: self.shown(worth.payoffs) for action, worth in self.values.items()},
            distances=dict.fromkeys(self.values),
            distance=None,
            line=actions,
            exact=exact,
            bounds=None if exact else self.game.payoffs,
            nodes=searcher.nodes,
            seconds=seconds,
            depth=self.plan.depth,
            table_hits=searcher.table_hits,
            backend=searcher.backend,
            stopped=self.stopped or "",
            parameters=self.plan.parameters(),
            notes=(*notes, *self.tie_notes(depends), *self.stop_notes()),
            extra={
                "ties": searcher.ties + self.arithmetic.ties,
                "depends_on_ties": depends,
                "least": [tidy(each) for each in self.worth.least],
                "most": [tidy(each) for each in self.worth.most],
                "sum_cuts": searcher.sum_cuts,
            },
        )

    def tie_notes(self, depends: bool) -> list[str]:
        """What a reader must know about choices between equals."""
        if not depends or self.worth is None:
            return []
        ranges = []
        for members, least, most in zip(self.plan.coalitions_in(self.game), self.worth.least, self.worth.most, strict=True):
            who = " and ".join(f"Player {player + 1}" for player in members)
            if least != most:
                ranges.append(f"{who} may get {tidy(least):g} to {tidy(most):g}")
        return [f"The value depends on how ties are broken (the first action was taken): {', '.join(ranges)}."]

    def stop_notes(self) -> list[str]:
        if self.stopped is None:
            return []
        done = f"{len(self.values)} of {len(self.legal)} actions were searched to the end" if self.legal else "the value is not proven"
        return [f"The search was not finished ({self.stopped}): {done}."]
