"""Searches in which everybody wants something of their own: what max^n and coalitions share.

A value has one payoff per player. The mover takes the action that is best for their coalition (in max^n everybody is alone), the first
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
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.limits import Watch
from zermelo.rules import CHANCE, Action, Game, State, cost_function
from zermelo.scores import LONGEST
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.outcomes import outcomes_of
from zermelo.search.plan import Plan, endless_error
from zermelo.search.recursion import Recursion, run
from zermelo.search.reference_search import Arrival, Found, Line, Silent, actions_of, permitted
from zermelo.search.reference_table import Bound, Entry, Table
from zermelo.search.sides import Side, estimate_vector, lost_vector, returned_vector, vector_at_end
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["Coalitions", "VectorPlan", "VectorReference", "Worth", "added", "less"]

Coalitions = tuple[Side, ...]  # every player in exactly one


class Worth(NamedTuple):
    """A value: what everybody gets, and what any way of breaking ties could give every coalition."""

    payoffs: tuple[Any, ...]  # [player]
    least: tuple[Any, ...]  # [coalition]
    most: tuple[Any, ...]  # [coalition]


@dataclass(frozen=True)
class VectorPlan(Plan):
    """One search for many players."""

    coalitions: Coalitions | None = None  # None: everybody alone

    def coalitions_in(self, game: Game) -> Coalitions:
        return tuple((player,) for player in range(game.players)) if self.coalitions is None else self.coalitions

    def prunes(self, game: Game) -> bool:
        """Can the sum of payoffs be used?"""
        return self.pruning and game.players > 1 and game.total is not None and game.payoffs is not None


class VectorReference:
    """Max^n by the book. Counts are of everything it was asked so far."""

    backend = "reference"
    alpha_cuts = beta_cuts = 0  # there is no window; `sum_cuts` are counted instead
    so_far: Found | None = None  # nothing is said of a state before all its actions are done

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
        """The root is visited by the caller, which asks for its actions one by one."""
        self.nodes += 1

    def silence(self) -> None:
        """From now on nothing is recorded."""
        self.recorder = Silent()

    def search(
        self,
        state: State,
        before: Sequence[State],
        remaining: int | None,
        *,
        mover: int | None = None,
        action: Action | None = None,
        parent: int = NO_PARENT,
        window: tuple[Any, Any] | None = None,
    ) -> Found:
        """The value of a state. `before` are the states above it."""
        self.on_line = {earlier: ply for ply, earlier in enumerate(before)} if self.tracks else {}
        return run(self.visit(Arrival(state, remaining, len(before), mover, action, parent), -math.inf))

    def visit(self, arrival: Arrival, floor: Any) -> Recursion[Found]:
        """The value of a state; none where the coalition that moved here gets less than `floor`, of which it is sure elsewhere."""
        if self.nodes >= self.pause:
            self.watch.look(self.nodes)
            self.pause = self.watch.next_look(self.nodes)
        self.nodes += 1
        player = None if self.game.terminal(arrival.state) else mover_or_chance(self.game, arrival.state)
        node = self.recorder.enter(arrival.parent, arrival.action, arrival.state, player)
        worth = self.known(arrival, player, node)
        if worth is not None or player is None:
            return Found(worth, (), node)
        entry = self.table.probe(self.key(arrival.state)) if self.table.room and arrival.mover is not None else None
        if entry is not None and entry.remaining == arrival.remaining:
            self.table_hits += 1
            self.recorder.leaf(node, entry.value.payoffs, "table")
            return Found(entry.value, (), node)
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
        return Found(worth, line, node)

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
        return returned_vector(self.game)

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
            worth = less(found.value, self.cost(arrival.state, outcome.action))
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
            if found.value is not None:
                worth = less(found.value, self.cost(arrival.state, action))
                tried.append(worth)
                improved = best is None or self.share(worth.payoffs, mine) > self.share(best.payoffs, mine)
                if improved:
                    best, line = worth, (action, found.line)
                sure = max(sure, worth.least[mine])
            self.recorder.child(node, found.node, None if best is None else best.payoffs, improved)
            if best is not None and found.value is not None and self.spared(arrival.mover, mine, sure, floor):
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
        """Do those who move here already take too much of the total for the player who moved before?"""
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
