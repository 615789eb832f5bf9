"""Value iteration: games that may go round forever, such as dice games in which turns can come to nothing.

All positions are listed, and every position's value is computed from those of its children again and again. Begun with the lowest payoff
everywhere the values only rise, begun with the highest they only fall, and the true ones lie between: when the two meet, the value is
proven to within their distance (and rounding). Sources: L. S. Shapley, Stochastic games (1953); A. Condon, The complexity of stochastic
games (1992).
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import resilient
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Limits, Stopped, Watch
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, MAX, Action, Game, State, cost_function
from zermelo.runtime.backend import choose
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.outcomes import outcomes_of
from zermelo.search.plan import Backend, check_backend, require_two_opponents
from zermelo.search.reference_search import actions_of
from zermelo.search.sides import vector_at_end

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame

__all__ = ["ValueIteration"]

END = -2  # the mover of a state in which the game is over
FIRST_STATES = 1 << 14  # of the arrays that grow on demand


@dataclass(frozen=True)
class ValueIteration(Algorithm[SearchResult]):
    """Every position of a game with chance and cycles, for one player or two with a constant sum; the game must declare `payoffs`.

    `exact` means that lower and upper values of the position have met to within `tolerance`.

    Parameters
    ----------
    tolerance : float, default 1e-12
        Largest change of a value at which the work is done.
    limit : int, default 20_000_000
        States that may be looked at; more are refused.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    tolerance: float = 1e-12
    limit: int = 20_000_000
    perfect_information: bool = False
    backend: Backend = "auto"

    @resilient
    def run(self, game: Game, state: State | None = None, *, limits: Limits | None = None) -> SearchResult:
        """The value of `state` (the start by default) and of each of its actions."""
        check_backend(self.backend)
        require_two_opponents(game, "value iteration", self.perfect_information)
        if game.repetition is not None:
            raise ZermeloError(
                f'value iteration looks at states without their history, but with repetition = "{game.repetition}" that matters; '
                "use a search with a depth."
            )
        if game.payoffs is None:
            raise ZermeloError(
                f"Value iteration begins with the lowest and highest payoff, but {type(game).__name__} declares no `payoffs`."
            )
        if not self.tolerance > 0:
            raise ZermeloError(f"A tolerance is a number above 0, not {self.tolerance}.")
        choice = choose(game, self.backend)
        if choice.compiled is not None:
            choice.compiled.ready("positions")
        started = time.perf_counter()
        place = game.start() if state is None else state
        watch = Watch(limits)
        try:
            graph = (
                listed(game, place, self.limit, watch)
                if choice.compiled is None
                else kernel_listed(game, choice.compiled, place, self.limit, watch)
            )
            low, high, sweeps = squeezed(graph, game.payoffs, self.tolerance, watch)
        except Stopped as limit:
            raise ZermeloError(f"Value iteration was not finished ({limit.reason}): it has no answer before its end.") from None
        return written(self, game, place, graph, low, high, sweeps, time.perf_counter() - started, choice.notes)


class Graph(NamedTuple):
    """All positions that can be reached; the start is 0."""

    first: Any  # [state + 1] where the state's edges begin
    children: Any  # [edge]
    weights: Any  # [edge] probability; 1 where a player chooses
    costs: Any  # [edge]
    movers: Any  # [state] who moves, or END
    values: Any  # [state] Max's payoff at the end
    sweep: Any  # one round of value iteration over all these and values; gives the largest change
    backend: str


# --- listing positions


def listed(game: Game, start: State, limit: int, watch: Watch) -> Graph:
    """By the rules themselves."""
    numbers, states = {start: 0}, [start]
    first, movers = [0], list[int]()
    children, weights, costs, values = list[int](), list[float](), list[float](), list[float]()
    cost = cost_function(game)
    for state in states:  # grows while it is read
        watch.look(len(movers))
        if len(states) > limit:
            raise too_many(game, limit)
        over = game.terminal(state)
        movers.append(END if over else mover_or_chance(game, state))
        values.append(float(vector_at_end(game, state)[MAX]) if over else 0.0)
        for action, weight in edges(game, state, movers[-1]):
            child = game.result(state, action)
            if child not in numbers:
                numbers[child] = len(states)
                states.append(child)
            children.append(numbers[child])
            weights.append(float(weight))
            costs.append(float(cost(state, action)))
        first.append(len(children))
    return Graph(first, children, weights, costs, movers, values, swept, "reference")


def edges(game: Game, state: State, mover: int) -> list[tuple[Action, Any]]:
    """Actions with 1, outcomes with their probabilities; none at the end."""
    if mover == END:
        return []
    return list(outcomes_of(game, state)) if mover == CHANCE else [(action, 1) for action in actions_of(game, state)]


def swept(first: Any, children: Any, weights: Any, costs: Any, movers: Any, values: Any) -> float:
    """One round of value iteration over all states, the last first; the largest change."""
    change = 0.0
    for at in range(len(movers) - 1, -1, -1):
        if movers[at] == END:
            continue
        below = [values[children[edge]] - costs[edge] for edge in range(first[at], first[at + 1])]
        if movers[at] == CHANCE:
            value = 0.0
            for edge, each in enumerate(below, first[at]):
                value += weights[edge] * each
        else:
            value = max(below) if movers[at] == MAX else min(below)
        change = max(change, abs(value - values[at]))
        values[at] = value
    return change


def kernel_listed(game: Game, compiled: "CompiledGame", start: State, limit: int, watch: Watch) -> Graph:
    """By the kernel `positions`."""
    import numpy as np

    kernel = compiled.module("positions")
    states, edge_room = FIRST_STATES, 4 * FIRST_STATES
    rows = np.zeros(states * compiled.words, np.int64)
    slots = np.zeros(4 * states, np.int64)
    first, movers, values = np.zeros(states + 1, np.int64), np.zeros(states, np.int64), np.zeros(states, np.float64)
    children, weights, costs = np.zeros(edge_room, np.int64), np.zeros(edge_room, np.float64), np.zeros(edge_room, np.float64)
    controls = kernel.Control.array(1)
    control = controls[0]
    rows[: compiled.words] = compiled.row(start)
    control.count = 1
    kernel.rehash(rows, 1, slots)
    while True:
        control.pause = watch.next_look(int(control.at))
        code = kernel.explore(rows, slots, first, children, weights, costs, movers, values, controls)
        if code == kernel.DONE:
            break
        if code == kernel.PAUSED:
            watch.look(int(control.at))
        elif code == kernel.ROOM:
            if control.count > limit:
                raise too_many(game, limit)
            rows, first, movers, values, children, weights, costs = (
                np.concatenate([array, np.zeros_like(array)]) for array in (rows, first, movers, values, children, weights, costs)
            )
            slots = np.zeros(2 * len(slots), np.int64)
            kernel.rehash(rows, control.count, slots)
        else:
            at = int(control.at) * compiled.words
            raise fault(game, compiled.state(rows[at : at + compiled.words]))
    count, done = int(control.count), int(control.edges)
    if count > limit:
        raise too_many(game, limit)
    return Graph(
        first[: count + 1], children[:done], weights[:done], costs[:done], movers[:count], values[:count], kernel.sweep, "compiled"
    )


def fault(game: Game, state: State) -> Exception:
    """What is wrong with a state that the kernel stumbled over: the rules themselves say it."""
    try:
        mover = END if game.terminal(state) else mover_or_chance(game, state)
        edges(game, state, mover)
        if mover == END:
            vector_at_end(game, state)
    except ZermeloError as error:
        return error
    return RulesError(f"{type(game).__name__} has payoffs that a machine's numbers do not hold exactly in the state {state!r}.")


def too_many(game: Game, limit: int) -> ZermeloError:
    return ZermeloError(f"{type(game).__name__} has more than {limit:,} positions; raise the limit, or search it with a depth.")


# --- values


def squeezed(graph: Graph, payoffs: tuple[float, float], tolerance: float, watch: Watch) -> tuple[Any, Any, int]:
    """Lower and upper values of all states, and how many rounds each took, until they meet at the start or change no more."""
    low, high = (begun(graph, payoff) for payoff in payoffs)
    sweeps = 0
    while True:
        change = max(graph.sweep(*graph[:5], low), graph.sweep(*graph[:5], high))
        sweeps += 1
        watch.look(sweeps)
        if high[0] - low[0] <= tolerance or change <= tolerance * 1e-4:
            return low, high, sweeps


def begun(graph: Graph, payoff: float) -> Any:
    """Values at the ends, and one payoff everywhere else."""
    values = graph.values.copy()
    if isinstance(values, list):
        return [value if mover == END else float(payoff) for value, mover in zip(values, graph.movers, strict=True)]
    values[graph.movers != END] = payoff
    return values


def written(
    parameters: ValueIteration, game: Game, state: State, graph: Graph, low: Any, high: Any, sweeps: int, seconds: float, notes: Any
) -> SearchResult:
    """The answer, frozen."""
    middle = [(float(low[at]) + float(high[at])) / 2 for at in [0, *graph.children[graph.first[0] : graph.first[1]]]]
    mover = int(graph.movers[0])
    steps = [] if mover == END else [action for action, _ in edges(game, state, mover)]
    scores = {action: value - float(graph.costs[edge]) for edge, (action, value) in enumerate(zip(steps, middle[1:], strict=True))}
    met = float(high[0] - low[0]) <= parameters.tolerance
    best = None if mover in (END, CHANCE) else (max if mover == MAX else min)(scores.values())
    actions = tuple(action for action, value in scores.items() if best is not None and abs(value - best) <= parameters.tolerance)
    return SearchResult(
        game=game,
        state=state,
        algorithm="value iteration",
        value=middle[0],
        action=actions[0] if actions else None,
        actions=actions,
        scores=scores,
        distances=dict.fromkeys(scores),
        distance=None,
        line=actions[:1],
        exact=met,
        bounds=None if met else (float(low[0]), float(high[0])),
        nodes=len(graph.movers),
        seconds=seconds,
        backend=graph.backend,
        parameters={
            "tolerance": parameters.tolerance,
            "limit": parameters.limit,
            "perfect_information": parameters.perfect_information,
            "backend": parameters.backend,
        },
        notes=(
            *notes,
            *(() if met else ("Lower and upper values do not meet: play may go on forever, and the rules do not say what then.",)),
        ),
        extra={"sweeps": sweeps},
    )
