"""Any game of OpenSpiel as a game of Zermelo: `from_openspiel("kuhn_poker")`, on the command line `openspiel:kuhn_poker(players=3)`.

Players, chance, payoffs and the names of actions are OpenSpiel's own. Where something is hidden, a player knows the information state;
in games that have none, all observations and own actions so far. Simultaneous moves are made one after the other, unseen. States are
told apart by the moves that led to them. The rules are machine code of others, so that the reference backend runs them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.errors import ZermeloError, nearest
from zermelo.rules import CHANCE, MAX, Action, Game

try:
    import pyspiel
except ImportError as error:
    raise ZermeloError(f"Games of OpenSpiel need {error.name or 'more packages'}: install zermelo[openspiel].") from error

__all__ = ["Line", "OpenSpielGame", "from_openspiel", "named"]

Kind = pyspiel.GameType


class Line:
    """A state of OpenSpiel that never changes, equal to another exactly when the same moves led to it."""

    __slots__ = ("history", "state")

    def __init__(self, state: Any) -> None:
        self.state = state
        self.history: tuple[Action, ...] = tuple(state.history())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)

    def __repr__(self) -> str:
        return f"Line{self.history}"


@dataclass(frozen=True)
class OpenSpielGame(Game):
    """A game of OpenSpiel."""

    name_of_game: str  # with its parameters, as OpenSpiel writes it

    @cached_property
    def loaded(self) -> Any:
        """OpenSpiel's own object, one move at a time."""
        game = pyspiel.load_game(self.name_of_game)
        kind = game.get_type()
        if kind.dynamics == Kind.Dynamics.MEAN_FIELD:
            raise ZermeloError(f"{self.name_of_game} is a mean-field game, which has no tree: choose a game with separate players.")
        if kind.chance_mode == Kind.ChanceMode.SAMPLED_STOCHASTIC:
            raise ZermeloError(f"{self.name_of_game} does not say how likely its chance events are, so its tree cannot be searched.")
        if kind.dynamics == Kind.Dynamics.SIMULTANEOUS:
            game = pyspiel.convert_to_turn_based(game)
            kind = game.get_type()
        if self.hides(kind) and not (kind.provides_information_state_string or kind.provides_observation_string):
            raise ZermeloError(f"{self.name_of_game} hides something, but does not say what players know.")
        return game

    @staticmethod
    def hides(kind: Any) -> bool:
        return bool(kind.information != Kind.Information.PERFECT_INFORMATION)

    @property
    def perfect_information(self) -> bool:
        return not self.hides(self.loaded.get_type())

    @property
    def players(self) -> int:
        return int(self.loaded.num_players())

    @cached_property
    def total(self) -> float | None:
        constant = (Kind.Utility.ZERO_SUM, Kind.Utility.CONSTANT_SUM)
        return whole(self.loaded.utility_sum()) if self.loaded.get_type().utility in constant else None

    @cached_property
    def payoffs(self) -> tuple[float, float]:
        return whole(self.loaded.min_utility()), whole(self.loaded.max_utility())

    def start(self) -> Line:
        return Line(self.loaded.new_initial_state())

    def player(self, line: Line) -> int:
        player = int(line.state.current_player())
        return CHANCE if player == pyspiel.PlayerId.CHANCE else player

    def actions(self, line: Line) -> Iterator[Action]:
        yield from line.state.legal_actions()

    def chances(self, line: Line) -> Iterator[tuple[Action, float]]:
        yield from line.state.chance_outcomes()

    def result(self, line: Line, action: Action) -> Line:
        return Line(line.state.child(action))

    def terminal(self, line: Line) -> bool:
        return bool(line.state.is_terminal())

    def utility(self, line: Line) -> Any:
        returns = tuple(map(whole, line.state.returns()))
        return returns[MAX] if self.players == 1 or (self.players == 2 and self.total is not None) else returns

    @property
    def cost(self) -> Callable[[Line, Action], int] | None:
        """A single player's rewards are in the payoff; moves cost nothing."""
        return (lambda line, action: 0) if self.players == 1 else None

    @property
    def information(self) -> Callable[[Line, int], tuple[Any, ...]] | None:
        """What a player knows, where something is hidden."""
        return None if self.perfect_information else self.known_to

    def known_to(self, line: Line, player: int) -> tuple[Any, ...]:
        if self.loaded.get_type().provides_information_state_string:
            return (line.state.information_state_string(player),)
        state = self.loaded.new_initial_state()
        known: list[Any] = [state.observation_string(player)]
        for action in line.history:
            if state.current_player() == player:
                known.append(action)
            state.apply_action(action)
            known.append(state.observation_string(player))
        return tuple(known)

    def name(self, line: Line, action: Action) -> str:
        return str(line.state.action_to_string(line.state.current_player(), action))

    def name_information(self, information: tuple[Any, ...]) -> str:
        return " / ".join(" ".join(str(part).split()) for part in information) or "nothing yet"

    def show(self, line: Line) -> str:
        return str(line.state)


def whole(number: float) -> float:
    """The number, as an `int` where it is one."""
    return int(number) if float(number).is_integer() else float(number)


def from_openspiel(game: Any, /, **parameters: Any) -> OpenSpielGame:
    """A pyspiel game, or the one with this name and parameters, as a game of Zermelo."""
    if isinstance(game, pyspiel.Game):
        return checked(OpenSpielGame(str(game)))
    text = str(game).strip()
    name, bracket, _ = text.partition("(")
    if name not in pyspiel.registered_names():
        raise ZermeloError(f"OpenSpiel has no game {name}: {nearest(name, pyspiel.registered_names())}")
    if bracket and parameters:
        raise ZermeloError(f"Give the parameters of {name} in one place: in its brackets, or as arguments.")
    if bracket:
        return checked(OpenSpielGame(text))
    known = known_parameters(name)
    for parameter in parameters:
        if known is not None and parameter not in known:
            raise ZermeloError(f"OpenSpiel's {name} has no parameter {parameter}: {nearest(parameter, known)}")
    written = ",".join(f"{parameter}={value}" for parameter, value in parameters.items())
    return checked(OpenSpielGame(f"{name}({written})" if written else name))


def known_parameters(name: str) -> list[str] | None:
    for kind in pyspiel.registered_games():
        if kind.short_name == name:
            return list(kind.parameter_specification)
    return None


def checked(game: OpenSpielGame) -> OpenSpielGame:
    """The game, which OpenSpiel has accepted."""
    try:
        assert game.loaded is not None
    except pyspiel.SpielError as error:
        reason = str(error).strip().splitlines()[0].rstrip(".")
        raise ZermeloError(f"OpenSpiel cannot make {game.name_of_game}: {reason}.") from None
    return game


def named(name: str, parameters: Mapping[str, Any]) -> Game:
    """What `openspiel:NAME(PARAMETERS)` means on the command line."""
    return from_openspiel(name, **parameters)
