"""The rules of a game: the one thing a user writes.

A game is a frozen dataclass with six methods, the functions of a textbook game. Its fields are the game's parameters. A state is
immutable and hashable, an action is hashable: a string, a tuple, a `NamedTuple`, an Enum member, an int.
Everything beyond the six is optional and found by its name: `has(game, "bounds")` asks. See `docs/reference/rules.md`.

Perspective is never implicit: payoffs belong to named players. The one place where Max's payoff becomes Min's is `payoff_vector`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from importlib import import_module
from typing import Any, Literal

from zermelo.errors import RulesError, ZermeloError

__all__ = [
    "CHANCE",
    "MAX",
    "MIN",
    "OPTIONAL_METHODS",
    "Action",
    "Game",
    "Repetition",
    "State",
    "action_name",
    "ask",
    "chance_weights",
    "cost_function",
    "default_cost",
    "draw_value",
    "endless_value",
    "has",
    "hidden_information",
    "knowledge",
    "legal_actions",
    "payoff_vector",
    "player_name",
    "player_role",
    "probabilities",
    "simple_payoff",
]

State = Any  # immutable and hashable
Action = Any  # hashable
Repetition = Literal["draw", "loss", "forbidden"] | float | Mapping[int, float] | None

MAX = 0
MIN = 1
CHANCE = -1

OPTIONAL_METHODS = (
    "chances",  # (state) -> iterable of (action, weight), or a dict of weights, where player(state) is CHANCE
    "information",  # (state, player) -> int or tuple: what that player knows
    "sample",  # (state, player, random) -> another state in which that player knows the same
    "cost",  # (state, action) -> number, one player; by default 1, and 0 where chance moves
    "heuristic",  # (state) -> lower bound on the cost to go, one player
    "solvable",  # (state) -> bool: False where no end can be reached any more, one player
    "predecessors",  # (state) -> iterable of states with an action that leads here
    "evaluate",  # (state) -> Max's estimated payoff, inside `payoffs`; a tuple where `utility` is one
    "features",  # (state) -> tuple of numbers, always of the same length
    "quiet",  # (state) -> bool: may the state be judged by `evaluate`?
    "outline",  # (state) -> int or tuple: what decides how good it is, but for clocks and repetitions; for estimates only
    "passed",  # (state) -> the state if the mover did nothing; the state itself where that must not be assumed
    "priors",  # (state) -> tuple of weights, one an action, in the order of `actions`
    "order",  # (state, action) -> int: larger is tried first
    "bounds",  # (state) -> (low, high), proven, each made by `scores.score`, for Max
    "candidates",  # (state) -> actions among which one of best value and distance is
    "rest",  # (state) -> (state without what is already decided of Max's payoff, that payoff)
    "key",  # (state) -> int or tuple, equal exactly when the states are
    "canonical",  # (state) -> (state, symmetry)
    "image",  # (action, symmetry) -> the action of the canonical state
    "rank",  # (state) -> int below `size`; -1: the state has no number
    "unrank",  # (int) -> state
    "size",  # () -> int: how many numbers `rank` uses
    "tier",  # (state) -> int that never decreases along a game
    "endgames",  # (pieces) -> a game that sets up every position of at most so many pieces, then plays on; see `zermelo.solve.endgames`
    "parts",  # (state) -> states whose sum this one is, in an impartial game
    "show",  # (state) -> text board
    "read",  # (text) -> state, the inverse of `show`
    "name",  # (state, action) -> word for an action
    "name_information",  # (information) -> words
    "board",  # (state) -> plain data: what terminal, web and notebook draw; see `zermelo.draw.description`
    "seen_board",  # (state, player) -> the same as one player knows it, where something is hidden
    "move_on_board",  # (state, action) -> where on the board a move is: {"to": place, "from": place}
    "spoken",  # (state, action) -> the action as its players write it, where that is not its name
    "seats",  # names of the players, such as ("White", "Black"); an attribute
    "caution",  # what a player should know about these parameters, in one sentence; an attribute
    "unit",  # (word, factor): what values are counted in, and how many a payoff of 1 is; an attribute
    "word",  # bits of a `Word` field; a property
)


class Game(ABC):
    """The rules of a game: subclass it and write the six methods.

    States and actions are any hashable values. Parameters of a game are the fields of a frozen dataclass. Optional methods (chance, hidden
    information, costs, knowledge, boards) are found by their names; `docs/reference/rules.md` explains each.

    Attributes
    ----------
    players : int, default 2
        Number of players, not counting chance.
    total : float or None, default 0
        What the payoffs of all players add up to; None for a general sum.
    payoffs : (low, high), optional
        Bounds on every player's payoff.
    repetition : None, "draw", "loss", "forbidden" or a payoff
        What a state that repeats within a game means.

    Examples
    --------
    >>> from zermelo import Game, best
    >>> class TakeAway(Game):
    ...     def start(self): return (10, 0)  # stones, turn
    ...     def player(self, state): return state[1]
    ...     def actions(self, state): return range(1, min(3, state[0]) + 1)
    ...     def result(self, state, take): return (state[0] - take, 1 - state[1])
    ...     def terminal(self, state): return state[0] == 0
    ...     def utility(self, state): return 1 if state[1] == 1 else -1
    >>> best(TakeAway(), backend="reference").action
    2
    """

    # Properties, so that a game may give each as a class attribute, a field or a property of its own.
    @property
    def players(self) -> int:
        """How many players there are, chance not counted."""
        return 2

    @property
    def total(self) -> float | None:
        """What the payoffs of all players add up to; None: general sum."""
        return 0

    @property
    def payoffs(self) -> tuple[float, float] | None:
        """Lowest and highest payoff of any player, where it is known."""
        return None

    @property
    def repetition(self) -> Repetition:
        """What a state that repeats within one game means; None: the rules do not say, or it cannot happen.

        "draw", "loss" (for the player who causes it), "forbidden", or a payoff: Max's, or by player, such as {1: 1} for a win of player 1.
        """
        return None

    def _repr_svg_(self) -> str | None:
        """The board at the start, for a notebook; None where the game has no board. Drawing lies in a higher layer: it is found by name."""
        try:
            return str(import_module("zermelo.draw").board(self))
        except ZermeloError:
            return None

    @abstractmethod
    def start(self) -> State:
        """The state in which the game begins."""

    @abstractmethod
    def player(self, state: State, /) -> int:
        """Who moves: 0 is Max, 1 is Min, 2… are further players, CHANCE is nobody."""

    @abstractmethod
    def actions(self, state: State, /) -> Iterable[Action]:
        """The legal actions, always in the same order."""

    @abstractmethod
    def result(self, state: State, action: Action, /) -> State:
        """The state after an action."""

    @abstractmethod
    def terminal(self, state: State, /) -> bool:
        """Is the game over?"""

    @abstractmethod
    def utility(self, state: State, /) -> Any:
        """Payoff at the end.

        One number, Max's, for two players with a constant total and for one player; otherwise a tuple, one payoff per player.
        """

    def __repr__(self) -> str:
        """The class with its parameters, for rules that are not dataclasses: tables, databases and networks know their game by it."""
        kind = type(self)
        values = [f"{name}={value!r}" for name, value in vars(self).items() if not isinstance(getattr(kind, name, None), cached_property)]
        return f"{kind.__qualname__}({', '.join(values)})"


def has(game: Game, name: str) -> bool:
    """Does the game give this optional method or property?"""
    return getattr(game, name, None) is not None


def cost_function(game: Game) -> Callable[[State, Action], Any]:
    """What an action costs: nothing between opponents; for a single player what `cost` says.

    By default an action costs 1, so that a puzzle is solved in the fewest, and nothing where chance moves: there the payoff counts.
    """
    if game.players == 1 and has(game, "cost"):
        return game.cost  # type: ignore[attr-defined, no-any-return]
    cost = default_cost(game)
    return lambda state, action: cost


def default_cost(game: Game) -> int:
    """What an action costs where the rules have no `cost`."""
    return 1 if game.players == 1 and not has(game, "chances") else 0


def ask(game: Game, name: str, *arguments: Any) -> Any:
    """What an optional method says; that the game gives it was asked before (`has`)."""
    return getattr(game, name)(*arguments)


def knowledge(game: Game, state: State, player: int) -> Any:
    """What a player knows in a state; the state itself where nothing is hidden."""
    return ask(game, "information", state, player) if has(game, "information") else state


def legal_actions(game: Game, state: State) -> list[Action]:
    """Actions of the player to move, chance included, in order; none where the game is over."""
    if game.terminal(state):
        return []
    if game.player(state) == CHANCE:
        return [action for action, _ in chance_weights(game, state)]
    return list(game.actions(state))


def chance_weights(game: Game, state: State) -> list[tuple[Action, Any]]:
    """What chance may do, each with its weight as the rules give it."""
    chances = getattr(game, "chances", None)
    if chances is None:
        raise RulesError(f"{type(game).__name__} lets chance move but has no `chances(state)`.")
    found = chances(state)
    return list(found.items() if isinstance(found, Mapping) else found)


def probabilities(weights: Sequence[Any]) -> list[Any]:
    """Weights of a chance node as probabilities: integers are divided by their sum, the rest stands as it is."""
    if all(isinstance(weight, int) for weight in weights):
        return [weight / sum(weights) for weight in weights]
    return list(weights)


def draw_value(game: Game) -> Any:
    """The payoff that is neither a win nor a loss: half the total, 0 in a game of general sum."""
    return game.total / 2 if game.total else 0


def endless_value(game: Game) -> Any:
    """Max's payoff where a state returns, as far as that does not depend on who brings it about; None otherwise."""
    means: Any = game.repetition
    if means == "draw":
        return draw_value(game)
    if isinstance(means, Mapping) and means:
        player, payoff = next(iter(means.items()))
        return means.get(MAX, (game.total or 0) - payoff if player == MIN else None)
    return means if isinstance(means, int | float) and not isinstance(means, bool) else None


def payoff_vector(game: Game, state: State) -> tuple[Any, ...]:
    """Payoff of every player in a terminal state: the one place where Max's payoff becomes Min's."""
    value = game.utility(state)
    if isinstance(value, tuple):
        for payoff in value:
            require_finite(game, payoff)
        return value
    require_finite(game, value)
    if game.players == 1:
        return (value,)
    if game.players == 2 and game.total is not None:
        return (value, game.total - value)
    raise RulesError(
        f"{type(game).__name__}.utility gives one number, but {game.players} players"
        f"{' with a general sum' if game.total is None else ''} need a tuple with one payoff each."
    )


def simple_payoff(game: Game, state: State) -> Any:
    """Max's payoff in a terminal state."""
    value = game.utility(state)
    payoff = value[0] if isinstance(value, tuple) else value
    require_finite(game, payoff)
    return payoff


def require_finite(game: Game, payoff: Any) -> None:
    """Raises where a payoff is not a finite number."""
    try:
        finite = payoff - payoff == 0  # not so for infinity and NaN
    except TypeError:
        finite = False
    if not finite:
        raise RulesError(f"{type(game).__name__} gives a payoff of {payoff!r}; payoffs must be finite numbers.")


def hidden_information(game: Game) -> bool:
    """May players know less than the state? (`information` says so; a `Tree` answers for itself.)"""
    answer = getattr(game, "perfect_information", None)
    return not answer if answer is not None else has(game, "information")


def action_name(game: Game, state: State, action: Action) -> str:
    """The word for an action in its state; a member of an Enum is called by its name alone."""
    name = getattr(game, "name", None)
    if name is not None:
        return str(name(state, action))
    return action.name if isinstance(action, Enum) and type(action).__str__ is Enum.__str__ else str(action)


def player_role(game: Game, player: int) -> str:
    """What a tree that is explained calls a player: Max and Min for two opponents, unless the tree has names of its own."""
    if game.players == 2 and game.total is not None and not getattr(game, "names", ()):
        return "Chance" if player == CHANCE else ("Max", "Min")[player]
    return player_name(game, player)


def player_name(game: Game, player: int) -> str:
    """What people call a player: the `names` of a tree or a table, the `seats` of a game; otherwise Max and Min, or a number."""
    if player == CHANCE:
        return "Chance"
    for own in (getattr(game, "names", ()), getattr(game, "seats", ())):
        if isinstance(own, tuple | list) and len(own) == game.players:
            return str(own[player])
    if game.players == 2 and game.total is not None:
        return ("Max", "Min")[player]
    return f"Player {player + 1}"
