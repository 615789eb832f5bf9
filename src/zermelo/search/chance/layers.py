"""Layers: every position of a game with chance, layer by layer from the last to the first, each layer's values from later ones.

A game that declares `tier`, progress that never goes back, falls into layers. Where every action leads to a later layer, one look at each
position gives its exact value; where play may go round inside a layer, as in Pig between two scores, that layer alone is squeezed between
lower and upper values until they meet, as `ValueIteration` does with the whole game. Positions that are alike by `canonical` are kept
once, and each as one number, so that tens of millions of positions fit into memory.
"""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import inf, isnan, nan
from typing import Any, Protocol

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import resilient
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Limits, Stopped, Watch
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, MAX, Game, State, ask, cost_function, has
from zermelo.runtime.backend import choose
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.chance.value_iteration import END, edges, too_many
from zermelo.search.plan import Backend, check_backend, require_two_opponents
from zermelo.search.root import tidy
from zermelo.search.sides import vector_at_end

__all__ = ["Layers", "Positions", "TooWideError", "backwards"]

Span = tuple[int, int]  # of one layer, in the order of layers


class TooWideError(ZermeloError):
    """The words of a position do not fit into one number."""


class Positions(Protocol):
    """All positions of a game. They have numbers from 0, where the search began; values are arrays of them, NaN at first."""

    backend: str

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def level(self) -> bool:
        """May an action lead to a position of the same layer?"""

    def find(self) -> None:
        """Finds them."""

    def layers(self) -> Iterator[Span]:
        """The layers, the last one first."""

    def blank(self) -> Any:
        """Values that nobody has computed yet."""

    def settle(self, values: Any, span: Span, beginning: float) -> float:
        """Computes a layer's values from those of children, `beginning` where there is none yet; the largest change."""

    def gap(self, low: Any, high: Any, span: Span) -> float:
        """How far lower and upper values of a layer are apart."""

    def number(self, state: State) -> int:
        """The number of a position, or of the one that it is alike to."""


@dataclass(frozen=True)
class Layers(Algorithm[SearchResult]):
    """All positions of a game that declares `tier` and `payoffs`, for one player or two with a constant sum.

    `exact` means that lower and upper values have met to within `tolerance`, in all layers.

    Parameters
    ----------
    tolerance : float, default 1e-12
        Largest change of a value at which the work is done.
    limit : int, default 200_000_000
        States that may be looked at; more are refused.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    tolerance: float = 1e-12
    limit: int = 200_000_000
    perfect_information: bool = False
    backend: Backend = "auto"

    @resilient
    def run(self, game: Game, state: State | None = None, *, limits: Limits | None = None) -> SearchResult:
        """The value of `state` (the start by default) and of each of its actions."""
        self.check(game)
        place = game.start() if state is None else state
        choice = choose(game, self.backend)
        notes = list(choice.notes)
        watch = Watch(limits)
        positions: Positions = Listed(game, place, self.limit, watch)
        if choice.compiled is not None:
            from zermelo.search.chance.layers_driver import CompiledPositions

            positions = CompiledPositions(choice.compiled, game, place, self.limit, watch)
        started = time.perf_counter()
        try:
            try:
                positions.find()
            except TooWideError as error:
                if self.backend == "compiled":
                    raise
                notes.append(f"The reference backend ran this: {error}")
                positions = Listed(game, place, self.limit, watch)
                positions.find()
            low, high, sweeps = self.squeezed(positions, game, watch)
        except Stopped as limit:
            raise ZermeloError(f"Layers were not finished ({limit.reason}): there is no answer before the end.") from None
        return self.written(positions, game, place, low, high, sweeps, time.perf_counter() - started, notes)

    def check(self, game: Game) -> None:
        """Raises where the question makes no sense."""
        check_backend(self.backend)
        require_two_opponents(game, "layers", self.perfect_information)
        if not self.tolerance > 0:
            raise ZermeloError(f"A tolerance is a number above 0, not {self.tolerance}.")
        if not has(game, "tier"):
            raise ZermeloError(
                f"Layers need `tier`, progress that never goes back, but {type(game).__name__} has none; use value iteration."
            )
        if game.repetition is not None:
            raise ZermeloError(
                f'Layers look at states without their history, but with repetition = "{game.repetition}" that matters; '
                "use a search with a depth."
            )

    def squeezed(self, positions: Positions, game: Game, watch: Watch) -> tuple[Any, Any, int]:
        """Lower and upper values, the same where no layer goes round, and how many rounds the longest layer took."""
        low = positions.blank()
        if not positions.level:
            for span in positions.layers():
                positions.settle(low, span, nan)
                watch.look(positions.count)
            return low, low, 1
        if game.payoffs is None or (game.players == 1 and has_costs(game)):
            raise ZermeloError(
                f"{type(game).__name__} goes round inside a layer, and so needs declared `payoffs` and actions without cost; "
                "let `tier` rise with every action, or search with a depth."
            )
        high, longest = positions.blank(), 0
        for span in positions.layers():
            rounds, change = 0, inf
            while change > self.tolerance * 1e-4 and (rounds == 0 or positions.gap(low, high, span) > self.tolerance / 10):
                change = max(positions.settle(low, span, game.payoffs[0]), positions.settle(high, span, game.payoffs[1]))
                rounds += 1
                watch.look(positions.count)
            longest = max(longest, rounds)
        return low, high, longest

    def written(
        self, positions: Positions, game: Game, state: State, low: Any, high: Any, sweeps: int, seconds: float, notes: list[str]
    ) -> SearchResult:
        """The answer, frozen."""

        def middle(place: State) -> float:
            at = positions.number(place)
            return (float(low[at]) + float(high[at])) / 2

        mover = END if game.terminal(state) else mover_or_chance(game, state)
        cost = cost_function(game)
        scores = {action: middle(game.result(state, action)) - cost(state, action) for action, _ in edges(game, state, mover)}
        best = None if mover in (END, CHANCE) else (max if mover == MAX else min)(scores.values())
        actions = tuple(action for action, value in scores.items() if best is not None and abs(value - best) <= self.tolerance)
        root = positions.number(state)
        met = float(high[root] - low[root]) <= self.tolerance
        apart = "Lower and upper values do not meet: play may go on forever, and the rules do not say what then."
        return SearchResult(
            game=game,
            state=state,
            algorithm="layers",
            value=tidy(middle(state)),
            action=actions[0] if actions else None,
            actions=actions,
            scores={action: tidy(value) for action, value in scores.items()},
            distances=dict.fromkeys(scores),
            distance=None,
            line=actions[:1],
            exact=met,
            bounds=None if met else (float(low[root]), float(high[root])),
            nodes=positions.count,
            seconds=seconds,
            backend=positions.backend,
            parameters=asdict(self),
            notes=(*notes, *(() if met else (apart,))),
            extra={"layers": sum(1 for _ in positions.layers()), "sweeps": sweeps},
        )


def has_costs(game: Game) -> bool:
    """Does the first action of the game cost something? (Then going round does, too.)"""
    state = game.start()
    actions = edges(game, state, END if game.terminal(state) else mover_or_chance(game, state))
    return any(cost_function(game)(state, action) for action, _ in actions)


def backwards(game: Game, state: State) -> RulesError:
    """For an action to an earlier layer."""
    return RulesError(f"{type(game).__name__}.tier goes back after an action in the state {state!r}: progress must never decrease.")


class Listed:
    """By the rules themselves."""

    backend = "reference"

    def __init__(self, game: Game, start: State, limit: int, watch: Watch) -> None:
        self.game, self.limit, self.watch = game, limit, watch
        self.states: list[State] = [self.alike(start)]
        self.numbers = {self.states[0]: 0}
        self.tiers: list[int] = [self.tier(self.states[0])]
        self.order: list[int] = []
        self.level = False
        self.cost = cost_function(game)

    @property
    def count(self) -> int:
        return len(self.states)

    def alike(self, state: State) -> State:
        canonical = getattr(self.game, "canonical", None)
        return state if canonical is None else canonical(state)[0]

    def tier(self, state: State) -> int:
        tier: int = ask(self.game, "tier", state)
        return tier

    def edges(self, state: State) -> list[tuple[Any, Any]]:
        return edges(self.game, state, END if self.game.terminal(state) else mover_or_chance(self.game, state))

    def find(self) -> None:
        for at, state in enumerate(self.states):  # grows while it is read
            self.watch.look(at)
            if len(self.states) > self.limit:
                raise too_many(self.game, self.limit)
            for action, _ in self.edges(state):
                child = self.alike(self.game.result(state, action))
                tier = self.tier(child)
                if tier < self.tiers[at]:
                    raise backwards(self.game, state)
                self.level = self.level or tier == self.tiers[at]
                if child not in self.numbers:
                    self.numbers[child] = len(self.states)
                    self.states.append(child)
                    self.tiers.append(tier)
        self.order = sorted(range(len(self.states)), key=self.tiers.__getitem__)

    def layers(self) -> Iterator[Span]:
        last = len(self.order)
        while last:
            first = last - 1
            while first and self.tiers[self.order[first - 1]] == self.tiers[self.order[last - 1]]:
                first -= 1
            yield first, last
            last = first

    def blank(self) -> list[float]:
        return [nan] * len(self.states)

    def settle(self, values: Any, span: Span, beginning: float) -> float:
        layer, change = self.order[slice(*span)], 0.0
        for at in layer:
            if isnan(values[at]):
                values[at] = beginning
        for at in reversed(layer):
            value = self.value(self.states[at], values)
            change = max(change, abs(value - values[at]))
            values[at] = value
        return change

    def value(self, state: State, values: Any) -> float:
        """A position's value from those of its children."""
        if self.game.terminal(state):
            return float(vector_at_end(self.game, state)[MAX])
        below = [
            (weight, values[self.number(self.game.result(state, action))] - self.cost(state, action))
            for action, weight in self.edges(state)
        ]
        mover = mover_or_chance(self.game, state)
        if mover == CHANCE:
            return float(sum(weight * value for weight, value in below))
        return float((max if mover == MAX else min)(value for _, value in below))

    def gap(self, low: Any, high: Any, span: Span) -> float:
        return float(max(high[at] - low[at] for at in self.order[slice(*span)]))

    def number(self, state: State) -> int:
        return self.numbers[self.alike(state)]
