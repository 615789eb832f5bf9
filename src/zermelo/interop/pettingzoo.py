"""Any game as an environment of PettingZoo, where agents act in turn (AEC).

    from zermelo.interop.pettingzoo import environment
    env = environment("connect4(width=5,height=4)")

Agents are `player_0`, `player_1`, …, in the order of the rules. Chance is sampled inside, from the seed of `reset`. An observation is
`{"observation": …, "action_mask": …}`, as `zermelo.interop.encoding` says; the mask is also in the agent's `infos`, and is empty for
players who are not to move. Rewards are what the rules pay at the end; a single player pays the cost of a move with that move.
"""

import copy
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.interop.chance_play import Table, check_render_mode
from zermelo.interop.encoding import Encoding, encode
from zermelo.play.setup import open_game
from zermelo.rules import Action, Game

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
except ImportError as error:
    raise ZermeloError(f"Environments of PettingZoo need {error.name or 'more packages'}: install zermelo[gym].") from error

__all__ = ["TurnEnvironment", "environment"]


def environment(
    game: Game | str, *, encoding: Encoding | None = None, longest: int | None = None, render_mode: str | None = None
) -> "AECEnv[str, Any, Any]":
    """The game in PettingZoo's usual wrappers: an action that is not possible ends the game, at the lowest payoff for who tried it."""
    env = TurnEnvironment(game, encoding=encoding, longest=longest, render_mode=render_mode)
    lowest = -1.0 if env.game.payoffs is None else float(env.game.payoffs[0])
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=lowest)))


class TurnEnvironment(AECEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """The game itself; an action that is not possible is an error."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4, "is_parallelizable": False}  # noqa: RUF012 - PettingZoo reads it from the class

    def __init__(
        self, game: Game | str, *, encoding: Encoding | None = None, longest: int | None = None, render_mode: str | None = None
    ) -> None:
        """`longest` is the number of actions, chance included, after which a game is cut short (`truncations`)."""
        super().__init__()
        check_render_mode(render_mode)
        self.game = open_game(game) if isinstance(game, str) else game
        self.encoding = encode(self.game) if encoding is None else encoding
        self.longest, self.render_mode = longest, render_mode
        self.metadata = {**self.metadata, "name": f"zermelo_{type(self.game).__name__.lower()}"}
        self.possible_agents = [f"player_{player}" for player in range(self.game.players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in self.possible_agents}
        self.table = Table(self.game, Random(0))

    def _observation_space(self) -> Any:
        bits, mask = self.encoding.shape, (self.encoding.actions,)
        return spaces.Dict({"observation": spaces.Box(0, 1, bits, np.int8), "action_mask": spaces.Box(0, 1, mask, np.int8)})

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Without a seed chance goes on where it was; `options={"position": Position}` begins elsewhere."""
        random = self.table.random if seed is None else Random(seed)
        position = (options or {}).get("position")
        self.table = Table(self.game, random, position if isinstance(position, Position) else None)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection: str | None = None
        self._turn()

    def step(self, action: Action | None) -> None:
        """The action of `agent_selection`, and what chance does after it. An agent whose game is over steps with None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ZermeloError(f"{agent} is to move: an action is needed, not None.")
        self._cumulative_rewards[agent] = 0.0
        gains = self.table.play(int(action))
        self.rewards = {other: float(gains[player]) for player, other in enumerate(self.possible_agents)}
        self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        """Says who is next, or that the game is over."""
        over = self.table.over
        cut = not over and self.longest is not None and self.table.moves >= self.longest
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        self.agent_selection = self.agents[0] if over else self.possible_agents[self.table.match.mover]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> Any:
        moves = not self.table.over and agent == self.agent_selection
        return np.array(self.encoding.mask(self.table.match.legal if moves else ()), np.int8)

    def observe(self, agent: str) -> Any:
        """What the agent knows, and what it can do."""
        seen = self.encoding.observation(self.game, self.table.match.state, self.possible_agents.index(agent))
        return {"observation": np.array(seen, np.int8).reshape(self.encoding.shape), "action_mask": self._mask(agent)}

    def render(self) -> Any:
        """The whole state as text, hidden parts included."""
        return None if self.render_mode is None else self.table.text()

    def close(self) -> None:
        """Nothing is open."""

    def clone(self) -> "TurnEnvironment":
        """The same game at the same move, which goes its own way from here; chance would do the same in both."""
        other = copy.copy(self)
        other.table = self.table.copy()
        other.agents = self.agents[:]
        for name in ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            setattr(other, name, dict(getattr(self, name)))
        return other

    def __str__(self) -> str:
        return str(self.metadata["name"])
