"""Games whose positions return, solved whole: all positions that can be reached are found, then values spread backwards from the ends.

    levels above the value of endless play, highest first    where can Max force at least so much, and how soon?
    levels below it, lowest first                            where can Min?
    everything else                                          is worth what endless play is worth

The root and the states of the game's history end the game when they return, so they count as ends here. A win that is forced in this
graph never returns to a state, so the first return decides as endless play does (E. Zermelo, 1913; D. König, 1927; L. Kalmár, 1928).
For `repetition` "loss" and "forbidden" that does not hold: there a value depends on the line.
"""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from zermelo.algorithm import Algorithm
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Stopped, Watch
from zermelo.results import SearchResult
from zermelo.rules import MAX, Action, Game, State, draw_value, endless_value, simple_payoff
from zermelo.search.plan import require_no_chance, require_two_opponents
from zermelo.search.reference_search import actions_of, checked, mover_in
from zermelo.search.root import tidy

__all__ = ["Graph", "TooLargeError"]


class TooLargeError(ZermeloError):
    """More positions than were allowed."""


@dataclass(frozen=True)
class Graph(Algorithm[SearchResult]):
    """Exact values and distances from the graph of all positions, for two opponents whose play may go on forever.

    Parameters
    ----------
    positions : int, default 1_000_000
        A larger game is refused.
    perfect_information : bool, default False
        Look at a game with hidden information as if everybody saw everything.
    """

    positions: int = 1_000_000
    perfect_information: bool = False

    anytime: ClassVar[bool] = True  # stops at any limit by itself, without an answer

    def run(self, game: Game, state: State | None = None, *, history: Sequence[State] = (), limits: Limits | None = None) -> SearchResult:
        """The value of `state` (the start by default) and of each of its actions. Raises `TooLargeError` where a limit is reached."""
        place = game.start() if state is None else state
        require_two_opponents(game, "graph", self.perfect_information)
        require_no_chance(game, place, "graph")
        if game.players != 2 or (game.repetition is not None and endless_value(game) is None):
            raise ZermeloError(
                f"graph solves games of two players in which a returning position is worth a payoff; {type(game).__name__} is not one."
            )
        started = time.perf_counter()
        solved = Solved(game, place, frozenset(history), Watch(limits), self.positions)
        return solved.result(asdict(self), started)


@dataclass
class Solved:
    """All positions below a root, with their values and distances."""

    game: Game
    root: State
    history: frozenset[State]  # which end the game when they return
    watch: Watch
    most: int
    actions: dict[State, list[Action]] = field(default_factory=dict)  # in the order of discovery; none at an end
    children: dict[State, list[State]] = field(default_factory=dict)
    payoffs: dict[State, Any] = field(default_factory=dict)  # of the ends
    values: dict[State, Any] = field(default_factory=dict)  # of the positions that somebody can force
    distances: dict[State, int] = field(default_factory=dict)  # of these, to the end

    def __post_init__(self) -> None:
        endless = endless_value(self.game)
        self.returns = self.game.repetition is not None
        self.endless = draw_value(self.game) if endless is None else endless
        self.parents: dict[State, list[State]] = {}
        self.movers: dict[State, int] = {}
        self.explore()
        levels = set(self.payoffs.values())
        for level in sorted((value for value in levels if value > self.endless), reverse=True):
            self.spread(level, MAX)
        for level in sorted(value for value in levels if value < self.endless):
            self.spread(level, 1 - MAX)

    def explore(self) -> None:
        """Finds every position, breadth first."""
        waiting = deque([self.root])
        known = {self.root}
        while waiting:
            state = waiting.popleft()
            self.look(len(known))
            self.actions[state] = self.expanded(state)
            self.children[state] = [self.game.result(state, action) for action in self.actions[state]]
            for child in self.children[state]:
                self.parents.setdefault(child, []).append(state)
                if child not in known:
                    known.add(child)
                    waiting.append(child)

    def look(self, positions: int) -> None:
        """Raises where there are too many positions, or a limit is reached."""
        name = type(self.game).__name__
        if positions > self.most:
            raise TooLargeError(f"{name} has more than {self.most:,} positions: too many to solve it whole; give a `time=` or a `depth=`.")
        if len(self.actions) % 256 == 0:
            try:
                self.watch.look(len(self.actions))
            except Stopped as limit:
                raise TooLargeError(f"{name} was not solved whole ({limit.reason}; {positions:,} positions by then).") from None

    def expanded(self, state: State) -> list[Action]:
        """The actions of a position; none where the game is over."""
        if self.game.terminal(state):
            self.payoffs[state] = checked(self.game, simple_payoff(self.game, state))
            return []
        if state in self.history:
            self.payoffs[state] = self.endless
            return []
        self.movers[state] = mover_in(self.game, state, "graph")
        return actions_of(self.game, state)

    def spread(self, level: Any, forcing: int) -> None:
        """Finds the positions from which a player can force this payoff: one action is enough for that player, all are needed else."""
        layer = [state for state, payoff in self.payoffs.items() if payoff == level]
        for state in layer:
            self.values[state], self.distances[state] = level, 0
        distance = 0
        while layer:
            distance += 1
            found: list[State] = []
            for state in layer:
                for parent in self.parents.get(state, ()):
                    if parent == self.root or parent in self.values:
                        continue
                    if self.movers[parent] == forcing or self.forced(parent):
                        self.values[parent], self.distances[parent] = level, distance
                        found.append(parent)
            layer = found

    def forced(self, state: State) -> bool:
        """Has every action of this position a value by now?"""
        return all(child in self.values for child in self.children[state])

    # --- the answer

    def value(self, state: State) -> Any:
        return self.values.get(state, self.endless)

    def rank(self, state: State, child: State) -> tuple[Any, int]:
        """How much the mover likes a child: the payoff, then a sooner gain or a later loss."""
        value, sign = self.value(child), 1 if self.movers[state] == MAX else -1
        gain = sign * (value - self.endless)
        return sign * value, 0 if gain == 0 else (-1 if gain > 0 else 1) * self.distances[child]

    def choice(self, state: State) -> int | None:
        """The place of the mover's best action, the first of equals; None at an end."""
        children = self.children[state]
        if not children:
            return None
        return max(range(len(children)), key=lambda place: (self.rank(state, children[place]), -place))

    def line(self) -> tuple[Action, ...]:
        """Best play until the end, or until a position returns."""
        actions: list[Action] = []
        state, seen = self.root, set(self.history)
        while state not in seen and (place := self.choice(state)) is not None:
            seen.add(state)
            actions.append(self.actions[state][place])
            state = self.children[state][place]
        return tuple(actions)

    def distance(self, state: State) -> int | None:
        """Actions to the end of a game that somebody wins; None for a draw, and where play does not end."""
        found = self.distances.get(state)
        return None if found is None or self.value(state) == draw_value(self.game) else found

    def result(self, parameters: dict[str, Any], started: float) -> SearchResult:
        children = dict(zip(self.actions[self.root], self.children[self.root], strict=True))
        after = {action: self.distance(child) for action, child in children.items()}
        line = self.line()
        value = self.value(children[line[0]]) if line else self.value(self.root)
        distance = after[line[0]] if line else self.distance(self.root)
        return SearchResult(
            game=self.game,
            state=self.root,
            algorithm="graph",
            value=tidy(value),
            action=line[0] if line else None,
            actions=tuple(action for action, child in children.items() if self.value(child) == value),
            scores={action: tidy(self.value(child)) for action, child in children.items()},
            distances={action: None if found is None else found + 1 for action, found in after.items()},
            distance=distance if distance is None or not line else distance + 1,
            line=line,
            exact=True,
            bounds=None,
            nodes=len(self.actions),
            seconds=time.perf_counter() - started,
            parameters=parameters,
            notes=(f"Solved whole, because positions can return: {len(self.actions):,} positions.",),
            extra={"positions": len(self.actions)},
        )
