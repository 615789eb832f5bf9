"""A game under way: moves made and taken back, saved and loaded. It knows no players and prints nothing."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from zermelo.errors import ZermeloError, from_json, require_file
from zermelo.formats.position import Position
from zermelo.rules import MAX, Action, Game, State, action_name, chance_weights, cost_function, draw_value, legal_actions, payoff_vector

__all__ = ["Match", "find_action", "load", "roll", "save"]


@dataclass
class Match:
    """`states` has one entry more than `actions`: the first is where the match began, the last is now."""

    game: Game
    beginning: Position
    actions: list[Action] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.states:
            self.states = [self.beginning.state]

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def over(self) -> bool:
        return self.game.terminal(self.state) or self.repeated or not self.legal

    @property
    def mover(self) -> int:
        return self.game.player(self.state)

    @property
    def history(self) -> tuple[State, ...]:
        """The states before this one, from the start of the game."""
        return (*self.beginning.history, *self.states[:-1])

    @property
    def legal(self) -> list[Action]:
        """Where the rules forbid that a state returns, without the actions that would."""
        actions = legal_actions(self.game, self.state)
        if self.game.repetition != "forbidden":
            return actions
        seen = {*self.history, self.state}
        return [action for action in actions if self.game.result(self.state, action) not in seen]

    @property
    def repeated(self) -> bool:
        """Has a state returned, in a game that ends then?"""
        return self.game.repetition in ("draw", "loss") and self.state in self.history

    def payoffs(self) -> tuple[Any, ...]:
        """What every player gets, once the match is over: by the rules, or by what they say about a state that returns.

        A single player has paid for every move.
        """
        if self.game.terminal(self.state):
            ends = payoff_vector(self.game, self.state)
            return (ends[MAX] - self.cost(),) if self.game.players == 1 else ends
        if self.repeated and self.game.repetition == "draw":
            return (draw_value(self.game),) * self.game.players
        loser = self.game.player(self.states[-2]) if self.repeated and len(self.states) > 1 else self.mover
        return loss_of(self.game, loser)

    def cost(self) -> Any:
        """What the moves have cost a single player."""
        cost = cost_function(self.game)
        return sum(cost(state, action) for state, action in zip(self.states, self.actions, strict=False))

    def play(self, action: Action) -> None:
        """Makes a move, which must be legal."""
        if action not in self.legal:
            raise ZermeloError(f"Action {action} is not possible here.")
        self.states.append(self.game.result(self.state, action))
        self.actions.append(action)

    def undo(self, player: int) -> int:
        """Takes back moves until the player is to move again; returns how many, 0 where there is none to take back."""
        for taken in range(1, len(self.actions) + 1):
            if self.game.player(self.states[-1 - taken]) == player:
                del self.actions[-taken:], self.states[-taken:]
                return taken
        return 0

    def names(self) -> list[str]:
        """The moves of this match in words."""
        return [action_name(self.game, state, action) for state, action in zip(self.states, self.actions, strict=False)]


def loss_of(game: Game, loser: int) -> tuple[Any, ...]:
    """Payoffs of a match that one player loses although no end was reached: the lowest there is, and the rest for the opponent."""
    draw = draw_value(game)
    low = draw - 1 if game.payoffs is None else game.payoffs[0]
    if game.players == 2 and game.total is not None:
        return (low, game.total - low) if loser == MAX else (game.total - low, low)
    return tuple(low if player == loser else draw for player in range(game.players))


def roll(game: Game, state: State, random: Random) -> Action:
    """What chance does, by the weights of the rules."""
    actions, weights = zip(*chance_weights(game, state), strict=True)
    action: Action = random.choices(actions, [float(weight) for weight in weights])[0]
    return action


def find_action(game: Game, state: State, actions: Sequence[Action], text: str) -> Action | None:
    """The action among these that the text names; large and small letters count as one where that is clear."""
    names = {action: action_name(game, state, action) for action in actions}
    for alike in (str.__str__, str.lower):
        found = [action for action, name in names.items() if alike(name) == alike(text.strip())]
        if len(found) == 1 or (found and alike is str.__str__):
            return found[0]
    return None


def save(match: Match, path: Path, name: str, position: str | None) -> None:
    """Writes the match as JSON: the game's name, where it began, the moves. A file that was there is kept until the new one is whole."""
    document = {"zermelo": "match", "game": name, "position": position, "moves": match.names()}
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error


def load(path: Path, game: Game, name: str, beginning: Position, position: str | None) -> Match:
    """The match in a file, which must be one of this game from this position; every move is checked again."""
    document = read_document(path)
    if document.get("game") != name:
        raise ZermeloError(f"{path} is a match of {document.get('game')}, not of {name}: begin with `zermelo play {document.get('game')}`.")
    if document.get("position") != position:
        there = f"`position={document['position']!r}`" if document.get("position") else "no `position=`"
        raise ZermeloError(f"{path} began elsewhere: begin with {there} to load it.")
    match = Match(game, beginning)
    for number, move in enumerate(document["moves"], start=1):
        action = find_action(game, match.state, match.legal, str(move))
        if action is None:
            raise ZermeloError(f"{path} is damaged: move {number}, {move}, is not possible.")
        match.play(action)
    return match


def read_document(path: Path) -> dict[str, Any]:
    try:
        require_file(path)
        document = from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ZermeloError(f"There is no file {path}.") from None
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ZermeloError(f"{path} is not a saved match: {error}.") from error
    if not isinstance(document, dict) or document.get("zermelo") != "match" or not isinstance(document.get("moves"), list):
        raise ZermeloError(f"{path} is not a saved match.")
    return document
