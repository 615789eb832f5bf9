"""A game under way in which chance moves by itself: what environments of other libraries stand on."""

from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.play.match import Match, roll
from zermelo.rules import CHANCE, MAX, Action, Game, ask, has

__all__ = ["Table", "check_render_mode"]


class Table:
    """After every action it is some player's turn, or the game is over."""

    def __init__(self, game: Game, random: Random, position: Position | None = None) -> None:
        self.random = random
        self.match = Match(game, Position(game.start()) if position is None else position)
        self._settle()

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def moves(self) -> int:
        """Actions so far, those of chance included."""
        return len(self.match.actions)

    def play(self, action: Action) -> tuple[Any, ...]:
        """Plays an action, and what chance does after it; what every player gains by it."""
        if action not in self.match.legal:
            raise ZermeloError(f"Action {action} is not possible here: the action mask says which are.")
        begun = self.moves
        self.match.play(action)
        self._settle()
        return self._gains(begun)

    def _settle(self) -> None:
        while not self.match.over and self.match.mover == CHANCE:
            self.match.play(roll(self.match.game, self.match.state, self.random))

    def _gains(self, begun: int) -> tuple[Any, ...]:
        """Payoffs where the game is over; a single player has paid for the actions since `begun`."""
        match = self.match
        if match.game.players > 1:
            return match.payoffs() if match.over else (0,) * match.game.players
        since = Match(match.game, match.beginning, match.actions[begun:], match.states[begun:])
        end = match.payoffs()[MAX] + match.cost() if match.game.terminal(match.state) else 0
        return (end - since.cost(),)

    def text(self) -> str:
        """The whole state, hidden parts included."""
        state, game = self.match.state, self.match.game
        return str(ask(game, "show", state) if has(game, "show") else state)

    def copy(self) -> "Table":
        """The same game at the same action, with the same chance to come."""
        other = object.__new__(Table)
        other.random = Random()
        other.random.setstate(self.random.getstate())
        other.match = Match(self.match.game, self.match.beginning, self.match.actions[:], self.match.states[:])
        return other


def check_render_mode(mode: str | None) -> None:
    """Games are text; nothing else is offered."""
    if mode not in (None, "ansi"):
        raise ZermeloError(f"A game is rendered as text: render_mode is 'ansi' or None, not {mode!r}.")
