"""A game as an environment of Gymnasium: one seat of it, the others taken by players of Zermelo.

    import gymnasium
    env = gymnasium.make("zermelo.interop.gymnasium:zermelo/Game-v0", game="twenty48")
    env = SeatEnvironment("connect4", opponents="mcts(playouts=200)")

Observations and actions are as `zermelo.interop.encoding` says; `info["action_mask"]` tells which actions are possible. One that is not
changes nothing and is rewarded with `illegal_reward`. Otherwise the reward is what the rules pay at the end, less what a single player's
moves cost. Chance, and whatever the others decide by chance, follow the seed of `reset`.
"""

from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.interop.chance_play import Table, check_render_mode
from zermelo.interop.encoding import Encoding, encode
from zermelo.play.players import Automatic, parse_player, split_outside_brackets
from zermelo.play.setup import open_game
from zermelo.rules import Action, Game

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError as error:
    raise ZermeloError(f"Environments of Gymnasium need {error.name or 'more packages'}: install zermelo[gym].") from error

__all__ = ["NAME", "SeatEnvironment"]

NAME = "zermelo/Game-v0"
PATIENCE = 100  # games that may be over before this seat has a turn


class SeatEnvironment(gymnasium.Env[Any, Any]):
    """One seat of a game."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - Gymnasium reads it from the class

    def __init__(
        self,
        game: Game | str,
        *,
        seat: int = 0,
        opponents: str = "random",
        encoding: Encoding | None = None,
        longest: int | None = None,
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        """`opponents` are written as on the command line, one a seat with commas between; a single one takes all other seats.

        `longest` is the number of actions, chance and the others included, after which a game is cut short (`truncated`).
        """
        check_render_mode(render_mode)
        self.game = open_game(game) if isinstance(game, str) else game
        if not 0 <= seat < self.game.players:
            raise ZermeloError(f"Seat {seat} is not at this table: seats are 0 to {self.game.players - 1}.")
        self.seat, self.others = seat, seated(self.game, seat, opponents)
        self.encoding = encode(self.game) if encoding is None else encoding
        self.longest, self.illegal_reward, self.render_mode = longest, illegal_reward, render_mode
        self.observation_space = spaces.Box(0, 1, self.encoding.shape, np.int8)
        self.action_space = spaces.Discrete(self.encoding.actions)
        self.table = Table(self.game, Random(0))
        self.tried = 0  # actions that were not possible

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game, up to the first turn of this seat; `options={"position": Position}` begins elsewhere.

        Gymnasium knows no episode without a step: a game that is over before this seat had a turn is begun again.
        """
        super().reset(seed=seed)
        position = (options or {}).get("position")
        random = Random(int(self.np_random.integers(1 << 32)))
        self.tried = 0
        for _ in range(PATIENCE):
            self.table = Table(self.game, random, position if isinstance(position, Position) else None)
            self._others_move()
            if not self.table.over:
                return self._observation(), self._info()
        raise ZermeloError(f"In {PATIENCE} games seat {self.seat} never had a turn: choose another seat, or another position.")

    def step(self, action: Action) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The action of this seat, and everything up to its next turn."""
        if self.table.over:
            raise ZermeloError("The game is over: reset the environment to begin another one.")
        reward, done = self.illegal_reward, False
        if int(action) in self.table.match.legal:
            gain = self.table.play(int(action))[self.seat]
            reward = float(gain + self._others_move())
            done = self.table.over
        else:
            self.tried += 1
        cut = not done and self.longest is not None and self.table.moves + self.tried >= self.longest
        return self._observation(), reward, done, cut, self._info()

    def _others_move(self) -> Any:
        """The others play until it is this seat's turn; what this seat gains meanwhile."""
        gained: Any = 0
        while not self.table.over and self.table.match.mover != self.seat:
            choice = self.others[self.table.match.mover].choose(self.table.match, self.table.random)
            gained += self.table.play(choice.action)[self.seat]
        return gained

    def _observation(self) -> Any:
        seen = self.encoding.observation(self.game, self.table.match.state, self.seat)
        return np.array(seen, np.int8).reshape(self.encoding.shape)

    def _info(self) -> dict[str, Any]:
        legal = () if self.table.over else self.table.match.legal
        return {"action_mask": np.array(self.encoding.mask(legal), np.int8)}

    def action_masks(self) -> Any:
        """Which actions are possible, as the maskable algorithms of others ask for it."""
        return self._info()["action_mask"].astype(bool)

    def render(self) -> Any:
        """The whole state as text, hidden parts included."""
        return None if self.render_mode is None else self.table.text()


def seated(game: Game, seat: int, opponents: str) -> dict[int, Automatic]:
    """Who sits in the other seats."""
    others = [player for player in range(game.players) if player != seat]
    texts = split_outside_brackets(opponents)
    if len(texts) == 1:
        texts *= len(others)
    if len(texts) != len(others):
        raise ZermeloError(f"{len(texts)} opponents are given for {len(others)} other seats: name one a seat, or one for all.")
    players = dict(zip(others, map(parse_player, texts), strict=True))
    for player in players.values():
        if not isinstance(player, Automatic):
            raise ZermeloError("An environment asks nobody: name opponents that decide for themselves, such as random or mcts.")
    return {other: player for other, player in players.items() if isinstance(player, Automatic)}


if NAME not in gymnasium.registry:
    gymnasium.register(NAME, entry_point=f"{__name__}:{SeatEnvironment.__name__}")
