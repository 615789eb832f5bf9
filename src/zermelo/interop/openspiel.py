"""Games of Zermelo for OpenSpiel, and games of OpenSpiel for Zermelo.

    from zermelo.interop.openspiel import from_openspiel, to_openspiel
    theirs = to_openspiel("kuhn")                     a pyspiel game, for OpenSpiel's own algorithms
    ours = from_openspiel("leduc_poker", players=2)   a Zermelo game, for those of this library

**To OpenSpiel.** The game is registered under a name of its own, `zermelo_kuhn`, so that `pyspiel.load_game` finds it in this process.
Actions keep their numbers. A player's information state is what the rules' `information` says, and the moves so far where nothing is
hidden; tensors are the zeros and ones of `zermelo.interop.encoding`. What a single player's moves cost is taken from the payoff.

**From OpenSpiel** is in `zermelo.interop.openspiel_rules`.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from zermelo.formats.position import Position
from zermelo.interop.encoding import Encoding, encode
from zermelo.interop.openspiel_rules import OpenSpielGame, from_openspiel
from zermelo.play.match import Match
from zermelo.play.setup import open_game
from zermelo.registry.sampled_states import explore
from zermelo.rules import CHANCE, MAX, Action, Game, State, action_name, ask, chance_weights, has, hidden_information, probabilities

__all__ = ["LONGEST", "OpenSpielGame", "from_openspiel", "to_openspiel"]

pyspiel: Any = import_module("pyspiel")  # `openspiel_rules` has said so where it is missing
LONGEST = 10_000  # actions that a game may take of which nobody has said when it ends

Kind = pyspiel.GameType


def to_openspiel(game: Game | str, *, encoding: Encoding | None = None, longest: int | None = None) -> Any:
    """The game as a pyspiel game. `longest` is how many actions a game may take, where a look at the states does not tell."""
    rules = open_game(game) if isinstance(game, str) else game
    name = f"zermelo_{re.sub('[^a-z0-9]+', '_', (game if isinstance(game, str) else repr(game)).lower()).strip('_')}"
    seen = explore(rules)
    kind = game_type(rules, name, seen.chance)
    adapted = rules, encode(rules) if encoding is None else encoding, kind, longest or seen.longest or LONGEST

    class Registered(_Game):  # a class, as OpenSpiel's own: it outlives Python's end, where a function of ours would be torn down too late
        def __init__(self, params: Any = None) -> None:
            super().__init__(*adapted)

    if name not in pyspiel.registered_names():
        pyspiel.register_game(kind, Registered)
    return Registered()


def game_type(rules: Game, name: str, chance: bool) -> Any:
    """What OpenSpiel wants to know before a game begins."""
    hidden = hidden_information(rules)
    general = rules.total is None or rules.players == 1
    return Kind(
        short_name=name,
        long_name=f"Zermelo: {type(rules).__name__}",
        dynamics=Kind.Dynamics.SEQUENTIAL,
        chance_mode=Kind.ChanceMode.EXPLICIT_STOCHASTIC if chance or has(rules, "chances") else Kind.ChanceMode.DETERMINISTIC,
        information=Kind.Information.IMPERFECT_INFORMATION if hidden else Kind.Information.PERFECT_INFORMATION,
        utility=Kind.Utility.GENERAL_SUM if general else Kind.Utility.CONSTANT_SUM if rules.total else Kind.Utility.ZERO_SUM,
        reward_model=Kind.RewardModel.REWARDS if rules.players == 1 else Kind.RewardModel.TERMINAL,
        max_num_players=rules.players,
        min_num_players=rules.players,
        provides_information_state_string=True,
        provides_information_state_tensor=hidden,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


@dataclass(frozen=True)
class _Standing:
    """Where a game stands, and how it came there as far as the rules ask: frozen, so that copies of OpenSpiel's states may share it."""

    game: Game
    match: Match  # of the last action alone, with the states before it where the rules forbid or end repetition
    spent: Any = 0  # what the moves before the last have cost a single player

    @property
    def state(self) -> State:
        return self.match.state

    @cached_property
    def over(self) -> bool:
        return self.match.over

    @cached_property
    def mover(self) -> int:
        return self.match.mover

    def after(self, action: Action) -> "_Standing":
        match, game = self.match, self.game
        before = Position(match.state, (), match.history if game.repetition is not None else ())
        spent = self.spent + match.cost() if game.players == 1 else 0
        return _Standing(game, Match(game, before, [action], [match.state, game.result(match.state, action)]), spent)

    def payoffs(self) -> list[float]:
        """What every player has by now."""
        if self.game.players == 1:
            return [float(self.match.payoffs()[MAX] if self.over else -self.match.cost()) - float(self.spent)]
        return [float(payoff) for payoff in self.match.payoffs()] if self.over else [0.0] * self.game.players

    def __deepcopy__(self, memory: object) -> "_Standing":
        return self


class _Game(pyspiel.Game):  # type: ignore[misc]  # pyspiel is machine code without types
    """Rules of Zermelo behind OpenSpiel's interface."""

    def __init__(self, rules: Game, encoding: Encoding, kind: Any, longest: int) -> None:
        low, high = rules.payoffs or (-float("inf"), float("inf"))
        info = pyspiel.GameInfo(
            num_distinct_actions=encoding.actions,
            max_chance_outcomes=encoding.chances,
            num_players=rules.players,
            min_utility=float(low) - (longest if rules.players == 1 else 0),
            max_utility=float(high),
            utility_sum=None if kind.utility == Kind.Utility.GENERAL_SUM else float(rules.total or 0),
            max_game_length=longest,
        )
        super().__init__(kind, info, {})
        self.rules, self.encoding, self.longest = rules, encoding, longest

    def new_initial_state(self) -> Any:
        return _State(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.longest if self.encoding.chances else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        return _Observer(self, iig_obs_type)


class _State(pyspiel.State):  # type: ignore[misc]  # pyspiel is machine code without types
    """A state; everything about it is in `standing`, which its copies share."""

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self.standing = _Standing(game.rules, Match(game.rules, Position(game.rules.start())))

    def current_player(self) -> int:
        if self.standing.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.standing.mover == CHANCE else self.standing.mover

    def _legal_actions(self, player: int) -> list[Action]:
        return sorted(self.standing.match.legal)

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        outcomes = chance_weights(self.standing.game, self.standing.state)
        likely = probabilities([weight for _, weight in outcomes])
        return sorted((action, float(part)) for (action, _), part in zip(outcomes, likely, strict=True))

    def _apply_action(self, action: Action) -> None:
        self.standing = self.standing.after(int(action))

    def _action_to_string(self, player: int, action: Action) -> str:
        return action_name(self.standing.game, self.standing.state, action)

    def is_terminal(self) -> bool:
        return self.standing.over

    def returns(self) -> list[float]:
        return self.standing.payoffs()

    def rewards(self) -> list[float]:
        """What the last action gained; a single player pays for every one."""
        return [self.standing.payoffs()[MAX] + float(self.standing.spent)] if self.standing.game.players == 1 else self.returns()

    def __str__(self) -> str:
        game, state = self.standing.game, self.standing.state
        return str(ask(game, "show", state) if has(game, "show") else state)


class _Observer:
    """What a player sees of a state, as text and as a tensor: OpenSpiel's observer interface."""

    def __init__(self, game: _Game, wanted: Any) -> None:
        import numpy as np

        self.game = game
        self.hidden = hidden_information(game.rules)
        self.recalls = wanted is not None and bool(wanted.perfect_recall)
        self.tensor = np.zeros(game.encoding.shape, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        """Writes what the player sees into `tensor`."""
        seen = self.game.encoding.observation(self.game.rules, state.standing.state, player)
        self.tensor.flat[:] = seen

    def string_from(self, state: _State, player: int) -> str:
        """What the player knows; all moves so far where nothing is hidden and memory is asked for."""
        if not self.hidden:
            return str(state.history_str() if self.recalls else state)
        return f"{player} {ask(self.game.rules, 'information', state.standing.state, player)}"
