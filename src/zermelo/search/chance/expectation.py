"""Searches with chance: what expectiminimax, Star1, Star2 and paranoid search share.

At every state the reference backend does what `reference_search` lists, in the same order; where chance moves it takes the mean.
Values are bare payoffs of one side (Max's, unless the plan names another side), in both backends the same floating-point sums.

A mean under pruning. For outcome i with probability p[i], known to be worth low[i] … high[i], the others leave the window

    ((alpha - sum of p[j] * high[j] over j != i) / p[i],  (beta - sum of p[j] * low[j] over j != i) / p[i])

inside which its value must be found exactly; a value outside settles the whole mean. Bounds that go back are clamped to the window, so
that a rounding error never makes a bound look like a value inside it.
"""

from dataclasses import dataclass
from typing import Any

from zermelo.errors import RulesError, ZermeloError, no_such_player
from zermelo.limits import Watch
from zermelo.rules import CHANCE, MAX, Action, Game, State
from zermelo.search.classic.alphabeta import AlphaBetaReference, Window
from zermelo.search.measure import ByPayoff, Measure
from zermelo.search.outcomes import Outcome, outcomes_of
from zermelo.search.plan import Plan, endless_error
from zermelo.search.recursion import Recursion
from zermelo.search.reference_search import Arrival, Found, Line
from zermelo.search.reference_table import Bound
from zermelo.search.sides import Side, estimate_vector, lost_vector, returned_vector, share, vector_at_end
from zermelo.trees.trace import Recorder

__all__ = ["ExpectationPlan", "ExpectationReference", "cost_error", "mover_or_chance", "outside_error", "window_of"]


@dataclass(frozen=True)
class ExpectationPlan(Plan):
    """One search with chance. `pruning` is Star1, with `probing` Star2. `side` are the players who are Max together; None: Max."""

    probing: bool = False
    side: Side | None = None

    def side_in(self, game: Game) -> Side:
        """Whose payoff is maximised."""
        return (MAX,) if self.side is None else self.side

    def bounds(self, game: Game) -> tuple[Any, Any]:
        """Lowest and highest payoff of the side; pruning is impossible without."""
        if game.payoffs is None:
            raise ZermeloError(
                f"{self.algorithm} needs to know the lowest and highest payoff, but {type(game).__name__} does not declare `payoffs`; "
                "expectiminimax does without."
            )
        members = len(self.side_in(game))
        return game.payoffs[0] * members, game.payoffs[1] * members


def outside_error(game: Game, payoff: Any, low: Any, high: Any) -> RulesError:
    """For a payoff that pruning with the declared bounds would get wrong."""
    return RulesError(
        f"{type(game).__name__} gives a payoff of {payoff:g}, outside the declared payoffs {low:g} … {high:g}: pruning would be wrong; "
        "correct `payoffs`, or search with expectiminimax."
    )


def cost_error(game: Game, algorithm: str) -> ZermeloError:
    """For a single player whose actions cost something under pruning: costs leave the declared bounds."""
    return ZermeloError(
        f"{algorithm} needs payoffs inside the declared bounds, but actions of {type(game).__name__} have a cost; use expectiminimax."
    )


def window_of(alpha: Any, beta: Any, probability: Any, low: Any, high: Any, bounds: tuple[Any, Any]) -> tuple[Any, Any]:
    """The window of one outcome where the others add at least `low` and at most `high`, inside the bounds of all payoffs."""
    least, most = (alpha - high) / probability, (beta - low) / probability
    inner = max(least, bounds[0]), min(most, bounds[1])
    return inner if inner[0] < inner[1] else (least, most)


class Mean:
    """A chance node at work under pruning: what is known of its outcomes."""

    def __init__(self, outcomes: list[Outcome], alpha: Any, beta: Any, bounds: tuple[Any, Any]) -> None:
        self.outcomes, self.alpha, self.beta, self.bounds = outcomes, alpha, beta, bounds
        self.lows = [bounds[0]] * len(outcomes)
        self.highs = [bounds[1]] * len(outcomes)

    def weighted(self, values: list[Any], without: int = -1) -> Any:
        """Sum of probability times value, one outcome left out."""
        total: Any = 0
        for number, outcome in enumerate(self.outcomes):
            if number != without:
                total += outcome.probability * values[number]
        return total

    @property
    def narrow(self) -> bool:
        """Could a bound from below and one from above settle the mean? A probe brings one of the two, so that both must be able to."""
        return bool(self.alpha > self.bounds[0] and self.beta < self.bounds[1])

    def window(self, number: int) -> tuple[Any, Any]:
        """Inside it the outcome's value must be found exactly."""
        low, high = self.weighted(self.lows, number), self.weighted(self.highs, number)
        return window_of(self.alpha, self.beta, self.outcomes[number].probability, low, high, self.bounds)

    def settle(self, number: int, value: Any) -> Any | None:
        """An outcome's value has come back from its window; the mean's bound where that settles it."""
        probability = self.outcomes[number].probability
        low, high = self.weighted(self.lows, number), self.weighted(self.highs, number)
        if value <= (self.alpha - high) / probability:
            return min(self.alpha, probability * value + high)
        if value >= (self.beta - low) / probability:
            return max(self.beta, probability * value + low)
        self.lows[number] = self.highs[number] = value
        return None

    def learn(self, number: int, low: Any, high: Any) -> Any | None:
        """A probe has found bounds of an outcome; the mean's bound where that settles it."""
        self.lows[number], self.highs[number] = max(low, self.lows[number]), min(high, self.highs[number])
        low, high = self.weighted(self.lows), self.weighted(self.highs)
        return low if low >= self.beta else high if high <= self.alpha else None


class ExpectationReference(AlphaBetaReference):
    """The textbook's recursion, with chance."""

    plan: ExpectationPlan

    def __init__(self, game: Game, plan: ExpectationPlan, watch: Watch, recorder: Recorder | None = None) -> None:
        super().__init__(game, plan, watch, recorder)
        self.measure: Measure = ByPayoff()
        self.side = plan.side_in(game)
        self.bounds = plan.bounds(game) if plan.pruning else (self.measure.least, self.measure.most)

    def enter(self, arrival: Arrival, alpha: Any = None, beta: Any = None) -> tuple[int, int | None]:
        """Counts and records a node; its number in the trace, and who moves (None where the game is over)."""
        if self.nodes >= self.pause:
            self.watch.look(self.nodes)
            self.pause = self.watch.next_look(self.nodes)
        self.nodes += 1
        player = None if self.game.terminal(arrival.state) else mover_or_chance(self.game, arrival.state)
        window = (alpha, beta) if self.plan.pruning else (None, None)
        return self.recorder.enter(arrival.parent, arrival.action, arrival.state, player, *window), player

    def known(self, arrival: Arrival, player: int | None, node: int) -> Any | None:
        """The side's payoff in a state that is not searched further; None where it must be."""
        if player is None:
            vector, reason = vector_at_end(self.game, arrival.state), "terminal"
        elif self.returns(arrival) and not self.allowed_back(arrival):
            vector, reason = self.repeated_vector(arrival), "repetition"
        elif arrival.remaining == 0:
            vector, reason = estimate_vector(self.game, arrival.state), "depth"
            self.judged = True
        else:
            return None
        value = share(vector, self.side)
        if self.plan.pruning and not self.bounds[0] <= value <= self.bounds[1]:
            raise outside_error(self.game, value, *self.bounds)
        self.recorder.leaf(node, value, reason)
        return value

    def allowed_back(self, arrival: Arrival) -> bool:
        """Under `forbidden` players cannot bring a state back; where chance does, nobody is to blame."""
        return self.game.repetition == "forbidden" and arrival.mover != CHANCE

    def repeated_vector(self, arrival: Arrival) -> tuple[Any, ...]:
        """Payoffs in a state that returns."""
        if self.game.repetition is None:
            raise endless_error(self.game, arrival.ply - self.on_line[arrival.state])
        if self.game.repetition == "loss" and arrival.mover is not None:
            return lost_vector(self.game, arrival.mover)
        return returned_vector(self.game)

    def visit(self, arrival: Arrival, alpha: Any, beta: Any) -> Recursion[Found]:
        """The side's value of a state; under pruning exact inside the window.

        value <= alpha  →  returns an upper bound <= alpha
        value >= beta   →  returns a lower bound >= beta
        """
        node, player = self.enter(arrival, alpha, beta)
        value = self.known(arrival, player, node)
        if value is not None or player is None:
            return Found(value, (), node)
        window = self.consult(arrival, alpha, beta)
        if window.settled is not None:
            self.recorder.leaf(node, window.settled, window.reason)
            return Found(window.settled, (), node)
        self.begin(arrival)
        line: Line = ()
        if player == CHANCE:
            best = yield from self.mean(arrival, node, window)
        else:
            best, line = yield from self.choice(arrival, player, node, window)
        self.end(arrival)
        if player != CHANCE and not line:
            return Found(self.stuck_side(player, node), (), node)
        self.recorder.leave(node, best, line[0] if line else None)
        self.remember(arrival, alpha, beta, best, line[0] if line else None)
        if line and not window.alpha < best < window.beta:  # a bound: the replies are not proven
            line = (line[0], ()) if arrival.mover is None else ()
        return Found(best, line, node)

    # --- a player moves

    def choice(self, arrival: Arrival, player: int, node: int, window: Window) -> Recursion[tuple[Any, Line]]:
        """Best value and line of a node's actions; under pruning until the other side will not let it come to this."""
        alpha, beta, largest = window.alpha, window.beta, player in self.side
        best: Any = None
        line: Line = ()
        actions = self.moves(arrival.state, window.first)
        for number, action in enumerate(actions, 1):
            found = yield self.visit(self.child(arrival, action, player, node), alpha, beta)
            value = self.lifted(arrival.state, action, found.value)
            improved = best is None or (value > best if largest else value < best)
            if improved:
                best, line = value, (action, found.line)
            cut = False
            if self.plan.pruning and largest:
                cut, alpha = best >= beta, max(alpha, best)
            elif self.plan.pruning:
                cut, beta = best <= alpha, min(beta, best)
            self.recorder.child(node, found.node, best, improved, *((alpha, beta) if self.plan.pruning else (None, None)))
            if arrival.mover is None:
                self.so_far = Found(best, line, node)
            if cut:
                self.cut(node, best, alpha, beta, largest, tuple(actions[number:]))
                break
        return best, line

    def lifted(self, state: State, action: Action, value: Any) -> Any:
        """What an action is worth: the value of where it leads, less its cost."""
        cost = self.cost(state, action)
        if cost and self.plan.pruning:
            raise cost_error(self.game, self.plan.algorithm)
        return self.measure.lift(value, cost)

    def cut(self, node: int, value: Any, alpha: Any, beta: Any, high: bool, skipped: tuple[Action, ...]) -> None:
        """The rest of a node cannot matter: its value is at least beta (`high`), or at most alpha."""
        self.count_cut(MAX if high else MAX + 1)
        self.recorder.cutoff(node, value, alpha, beta, "beta" if high else "alpha", skipped)

    def stuck_side(self, player: int, node: int) -> Any:
        """The value of a state whose every action is forbidden: the player to move loses."""
        value = share(lost_vector(self.game, player), self.side)
        self.recorder.leaf(node, value, "repetition")
        return value

    # --- chance moves

    def mean(self, arrival: Arrival, node: int, window: Window) -> Recursion[Any]:
        """The mean of the outcomes; under pruning until it is known to be outside the window."""
        outcomes = outcomes_of(self.game, arrival.state)
        if self.plan.pruning:
            return (yield from self.bounded_mean(arrival, node, Mean(outcomes, window.alpha, window.beta, self.bounds)))
        total: Any = 0
        for outcome in outcomes:
            found = yield self.visit(self.child(arrival, outcome.action, CHANCE, node), window.alpha, window.beta)
            total += outcome.probability * self.lifted(arrival.state, outcome.action, found.value)
            self.recorder.child(node, found.node, total, False)
        return total

    def bounded_mean(self, arrival: Arrival, node: int, mean: Mean) -> Recursion[Any]:
        """Star1, after Star2's probes where the plan says so."""
        if self.plan.probing and mean.narrow:
            for number, outcome in enumerate(mean.outcomes):
                child = self.child(arrival, outcome.action, CHANCE, node)
                if self.chance_moves(child.state):
                    continue  # nobody there could choose an action
                found, low, high = yield self.probe(child, *mean.window(number))
                settled = mean.learn(number, low, high)
                self.recorder.child(node, found, mean.weighted(mean.lows), False, mean.alpha, mean.beta)
                if settled is not None:
                    self.cut_mean(node, mean, settled, number + 1)
                    return settled
        for number, outcome in enumerate(mean.outcomes):
            if mean.lows[number] == mean.highs[number]:
                continue
            visited = yield self.visit(self.child(arrival, outcome.action, CHANCE, node), *mean.window(number))
            settled = mean.settle(number, self.lifted(arrival.state, outcome.action, visited.value))
            self.recorder.child(node, visited.node, mean.weighted(mean.lows), False, mean.alpha, mean.beta)
            if settled is not None:
                self.cut_mean(node, mean, settled, number + 1)
                return settled
        return mean.weighted(mean.lows)

    def chance_moves(self, state: State) -> bool:
        return not self.game.terminal(state) and mover_or_chance(self.game, state) == CHANCE

    def cut_mean(self, node: int, mean: Mean, value: Any, done: int) -> None:
        skipped = tuple(
            outcome.action
            for number, outcome in enumerate(mean.outcomes)
            if number >= done and mean.lows[number] == mean.bounds[0] and mean.highs[number] == mean.bounds[1]
        )
        self.cut(node, value, mean.alpha, mean.beta, value >= mean.beta, skipped)

    def probe(self, arrival: Arrival, alpha: Any, beta: Any) -> Recursion[tuple[int, Any, Any]]:
        """(node, low, high): what one action says about a state in which a player moves, or all where it is known anyway."""
        node, player = self.enter(arrival, alpha, beta)
        value = self.known(arrival, player, node)
        if value is not None or player is None:
            return node, value, value
        entry = self.table.probe(self.key(arrival.state)) if self.table.room else None
        if entry is not None and entry.remaining == arrival.remaining:
            self.table_hits += 1
            self.recorder.leaf(node, entry.value, "table")
            return (
                node,
                self.bounds[0] if entry.bound is Bound.UPPER else entry.value,
                self.bounds[1] if entry.bound is Bound.LOWER else entry.value,
            )
        self.begin(arrival)
        actions = self.moves(arrival.state, None if entry is None else entry.action)
        value = None
        if actions:
            found = yield self.visit(self.child(arrival, actions[0], player, node), alpha, beta)
            value = self.lifted(arrival.state, actions[0], found.value)
            self.recorder.child(node, found.node, value, True, alpha, beta)
        self.end(arrival)
        if value is None:
            value = self.stuck_side(player, node)
            return node, value, value
        self.recorder.leave(node, value, actions[0])
        if player in self.side:
            return node, value if value > alpha else self.bounds[0], self.bounds[1]
        return node, self.bounds[0], value if value < beta else self.bounds[1]


def mover_or_chance(game: Game, state: State) -> int:
    """Who moves in a state that is not the end; players that there are not are errors."""
    player = game.player(state)
    if player != CHANCE and not 0 <= player < game.players:
        raise no_such_player(game, player, game.players)
    return player
