"""Any game of aima-python as a game of Zermelo: `from_aima(TicTacToe())`.

aima-python is the code of Russell and Norvig's textbook. Its `Game` has `initial`, `actions`, `result`, `utility(state, player)`,
`terminal_test`, `to_move` and `display`; its `StochasticGame` adds `chances`, `outcome` and `probability`, and rolls before every move.
States may hold dictionaries and lists, as the book's do. The library itself is not needed here: any object with these methods will do.
"""

import io
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Action, Game

__all__ = ["AimaGame", "AimaState", "AimaStochasticGame", "from_aima"]

METHODS = ("initial", "actions", "result", "utility", "terminal_test", "to_move")
STOCHASTIC = ("chances", "outcome", "probability")


class AimaState:
    """A state of aima-python that is never changed: two are equal exactly when all they hold is equal."""

    __slots__ = ("frozen", "rolled", "state")

    def __init__(self, state: Any, rolled: bool = True) -> None:
        self.state, self.rolled = state, rolled
        self.frozen = (frozen(state), rolled)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AimaState) and self.frozen == other.frozen

    def __hash__(self) -> int:
        return hash(self.frozen)

    def __repr__(self) -> str:
        return f"AimaState({self.state!r})"


def frozen(value: Any) -> Hashable:
    """The same content, hashable."""
    if isinstance(value, Mapping):
        return frozenset((frozen(key), frozen(item)) for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return tuple(map(frozen, value))
    if isinstance(value, Set):
        return frozenset(map(frozen, value))
    if hasattr(value, "tolist"):  # a NumPy array
        return frozen(value.tolist())
    return value if isinstance(value, Hashable) else repr(value)


@dataclass(frozen=True, eq=False)
class AimaGame(Game):
    """A game of aima-python; `from_aima` makes one."""

    aima: Any
    names: tuple[Any, ...] = ()  # the players as aima-python calls them, the first one first; two are found without being named

    @property
    def players(self) -> int:
        return max(2, len(self.names))

    @property
    def total(self) -> float | None:
        return 0 if self.players == 2 else None

    def start(self) -> AimaState:
        return AimaState(self.aima.initial)

    def player(self, state: AimaState) -> int:
        mover = self.aima.to_move(state.state)
        if self.names:
            return self.names.index(mover)
        return 0 if mover == self.aima.to_move(self.aima.initial) else 1

    def actions(self, state: AimaState) -> list[Action]:
        return list(self.aima.actions(state.state))

    def result(self, state: AimaState, action: Action) -> AimaState:
        return AimaState(self.aima.result(state.state, action))

    def terminal(self, state: AimaState) -> bool:
        return bool(self.aima.terminal_test(state.state))

    def utility(self, state: AimaState) -> Any:
        if self.players == 2:
            return self.aima.utility(state.state, self.names[0] if self.names else self.aima.to_move(self.aima.initial))
        return tuple(self.aima.utility(state.state, name) for name in self.names)

    def name(self, state: AimaState, action: Action) -> str:
        return str(action).replace(" ", "")

    def show(self, state: AimaState) -> str:
        with redirect_stdout(io.StringIO()) as text:
            getattr(self.aima, "display", print)(state.state)
        return f"{text.getvalue().rstrip()}\n{self.aima.to_move(state.state)} to move"


@dataclass(frozen=True, eq=False)
class AimaStochasticGame(AimaGame):
    """A stochastic game of aima-python: the player to move rolls first."""

    def start(self) -> AimaState:
        return AimaState(self.aima.initial, rolled=False)

    def player(self, state: AimaState) -> int:
        return super().player(state) if state.rolled else CHANCE

    def actions(self, state: AimaState) -> list[Action]:
        return super().actions(state) if state.rolled else list(self.aima.chances(state.state))

    def chances(self, state: AimaState) -> Iterator[tuple[Action, float]]:
        weights = {outcome: float(self.aima.probability(outcome)) for outcome in self.aima.chances(state.state)}
        for outcome, weight in weights.items():
            yield outcome, weight / sum(weights.values())

    def result(self, state: AimaState, action: Action) -> AimaState:
        if not state.rolled:
            return AimaState(self.aima.outcome(state.state, action))
        after = self.aima.result(state.state, action)
        return AimaState(after, rolled=bool(self.aima.terminal_test(after)))  # nobody rolls when the game is over

    def terminal(self, state: AimaState) -> bool:
        return state.rolled and super().terminal(state)


def from_aima(game: Any, players: Sequence[Any] | None = None) -> Game:
    """Make a game of aima-python playable, searchable and drawable here.

    Parameters
    ----------
    game : aima-python Game or StochasticGame
        An instance, such as `games.TicTacToe()`.
    players : sequence, optional
        The players as `to_move` names them, the first one first. Two players are found without it; more have to be named.

    Returns
    -------
    Game

    Examples
    --------
    >>> from zermelo import best
    >>> from zermelo.interop.aima import from_aima
    >>> class Halves:
    ...     '''Halve a number or take one from it; who reaches 0 wins.'''
    ...     initial = ("A", 5)
    ...     def to_move(self, state): return state[0]
    ...     def actions(self, state): return ["halve", "take"] if state[1] else []
    ...     def result(self, state, move): return "AB"[state[0] == "A"], state[1] // 2 if move == "halve" else state[1] - 1
    ...     def terminal_test(self, state): return state[1] == 0
    ...     def utility(self, state, player): return -1 if state[0] == player else 1
    >>> best(from_aima(Halves())).value
    1
    """
    lacking = [name for name in METHODS if not hasattr(game, name)]
    if lacking:
        raise ZermeloError(f"{type(game).__name__} is not a game of aima-python: it lacks {', '.join(lacking)}.")
    if isinstance(game, type):
        raise ZermeloError(f"{game.__name__} is a class: give a game, {game.__name__}().")
    kind = AimaStochasticGame if all(hasattr(game, name) for name in STOCHASTIC) else AimaGame
    return kind(game, tuple(players or ()))
