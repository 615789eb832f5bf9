"""An answer for a player who does not know everything: how often to choose each action in an equilibrium of the whole game.

The game's tree is unfolded and solved. What an action is worth is its expected payoff over the histories that the player holds possible,
where everybody else plays as the equilibrium does.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.algorithm import Algorithm
from zermelo.errors import ZermeloError
from zermelo.results import EquilibriumResult, SearchResult
from zermelo.rules import CHANCE, Action, Game, State, action_name, cost_function, knowledge, legal_actions, payoff_vector

__all__ = ["Equilibrium", "TooManyHistoriesError"]

ROUND = 9  # digits of a value: the rest is the solver's rounding
PLAYED = 1e-6  # probability above which an action belongs to the strategy


class TooManyHistoriesError(ZermeloError):
    """The game's tree is too large."""


@dataclass(frozen=True)
class Equilibrium(Algorithm[SearchResult]):
    """The strategy of the player to move, from an equilibrium of the game."""

    histories: int = 20_000  # at most, in the game's tree

    def run(self, game: Game, state: State | None = None, *, history: Sequence[State] = ()) -> SearchResult:
        """How `state` (the start by default) is played in an equilibrium. Raises `TooManyHistoriesError`."""
        from zermelo.equilibrium.extensive.solver import EquilibriumSolver

        started = time.perf_counter()
        place = game.start() if state is None else state
        count = self.counted(game)
        found = EquilibriumSolver(backend="reference").solve(game)
        if (
            found.strategies.game is not game or not found.strategies.tables
        ):  # a player forgets: the equilibrium mixes plans for the whole game, not actions
            raise TooManyHistoriesError(f"A player of {type(game).__name__} forgets what he knew: zermelo equilibrium mixes whole plans.")
        answer = Answer(game, place, found)
        return answer.result(count, asdict(self), time.perf_counter() - started)

    def counted(self, game: Game) -> int:
        """The histories of the game."""
        waiting, count = [game.start()], 0
        while waiting:
            state = waiting.pop()
            count += 1
            if count > self.histories:
                name = type(game).__name__
                raise TooManyHistoriesError(f"{name} has more than {self.histories:,} histories: zermelo equilibrium solves larger games.")
            waiting += [game.result(state, action) for action in legal_actions(game, state)]
        return count


class Answer:
    """One position in an equilibrium."""

    def __init__(self, game: Game, state: State, found: EquilibriumResult) -> None:
        self.game, self.state, self.found, self.cost = game, state, found, cost_function(game)
        self.over = game.terminal(state)
        self.mover = None if self.over else game.player(state)
        self.known = None if self.mover in (None, CHANCE) else (self.mover, knowledge(game, state, self.mover))
        self.possible: list[tuple[float, State]] = []  # states of the mover's information set, each with what the others add to its reach
        if self.known is not None:
            self.collect(game.start(), 1.0)

    def collect(self, state: State, reach: float) -> None:
        """Finds the states that the mover holds possible. Recursion is as deep as a game is long, which is short here."""
        game = self.game
        if game.terminal(state):
            return
        mover = game.player(state)
        if (mover, None if mover == CHANCE else knowledge(game, state, mover)) == self.known:
            self.possible.append((reach, state))
            return
        for action, share in self.shares(state):
            self.collect(game.result(state, action), reach if mover == self.mover else reach * share)

    def shares(self, state: State) -> list[tuple[Action, float]]:
        """Every action of the player to move with its probability."""
        from zermelo.equilibrium.extensive.sequences.treeplex import chance_probabilities

        if self.game.player(state) == CHANCE:
            return [(action, float(share)) for action, share in chance_probabilities(self.game, state)]
        return list(self.found.strategies.at(state).items())

    def expected(self, state: State) -> tuple[float, ...]:
        """Everybody's payoff from a state on, as the equilibrium is played."""
        if self.game.terminal(state):
            return tuple(float(payoff) for payoff in payoff_vector(self.game, state))
        parts = [(share, self.after(state, action)) for action, share in self.shares(state) if share > 0]
        return tuple(sum(share * payoffs[player] for share, payoffs in parts) for player in range(self.game.players))

    def after(self, state: State, action: Action) -> tuple[float, ...]:
        """Everybody's payoff from an action on, less what the action costs a single player."""
        price = float(self.cost(state, action))
        return tuple(payoff - price for payoff in self.expected(self.game.result(state, action)))

    def worth(self, action: Action) -> tuple[float, ...]:
        """Everybody's expected payoff after an action, over the states that the mover holds possible."""
        whole = sum(reach for reach, _ in self.possible)
        weights = [reach / whole if whole > 0 else 1 / len(self.possible) for reach, _ in self.possible]
        parts = [self.after(state, action) for _, state in self.possible]
        return tuple(sum(weight * part[player] for weight, part in zip(weights, parts, strict=True)) for player in range(self.game.players))

    def shown(self, payoffs: Sequence[float]) -> Any:
        """Payoffs as results have them."""
        tidy = [int(value) if value.is_integer() else value for value in (round(float(payoff), ROUND) + 0.0 for payoff in payoffs)]
        return tidy[0] if self.game.players == 1 or (self.game.players == 2 and self.game.total is not None) else tuple(tidy)

    def result(self, count: int, parameters: dict[str, Any], seconds: float) -> SearchResult:
        game, found = self.game, self.found
        mixed: dict[Action, float] = found.strategies.at(self.state) if self.known is not None else {}
        worths = {action: self.worth(action) for action in mixed}
        if self.known is not None:
            value = [sum(mixed[action] * worths[action][player] for action in mixed) for player in range(game.players)]
        else:
            value = list(self.expected(self.state))
        choice = max(mixed, key=lambda action: round(mixed[action], ROUND)) if mixed else None
        zero_sum = game.players == 1 or (game.players == 2 and game.total is not None)  # is there one value?
        from_start = game.players == 1 or self.state == game.start()  # nobody else has left the equilibrium
        return SearchResult(
            game=game,
            state=self.state,
            algorithm="equilibrium",
            value=self.shown(value),
            action=choice,
            actions=tuple(action for action, share in mixed.items() if share > PLAYED),
            scores={action: self.shown(payoffs) for action, payoffs in worths.items()},
            distances=dict.fromkeys(worths),
            distance=None,
            line=() if choice is None else (choice,),
            exact=zero_sum and from_start and (found.exploitability or 0) < 10**-ROUND,
            bounds=None,
            nodes=count,
            seconds=seconds,
            parameters=parameters,
            notes=tuple(self.notes(zero_sum, from_start)),
            extra={
                "probabilities": {action_name(game, self.state, action): round(share, ROUND) for action, share in mixed.items()},
                "exploitability": found.exploitability,
                "method": found.method,
            },
        )

    def notes(self, zero_sum: bool, from_start: bool) -> list[str]:
        said = []
        if not zero_sum:
            said.append("One equilibrium of a game with a general sum; there may be others.")
        if not from_start and not self.over:
            said.append("Values are those of equilibrium play: a player who has left it may meet others.")
        return said
