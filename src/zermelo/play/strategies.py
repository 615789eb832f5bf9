"""A strategy as a thing of its own: made, saved, loaded, played from and verified.

A file has one JSON value a line. The first line is the header; every other line is a state with an action, `[state, action]`, or, in a
strategy against optimal replies, a state of the opponent with the replies that are answered, `[state, [action, …]]`. A state is written as
lists of numbers where it is made of numbers and tuples, otherwise as the text that `show` gives; an action as a number where it is one,
otherwise by its name.
"""

import ast
import inspect
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError, from_json, require_file
from zermelo.formats.position import parse_position
from zermelo.play.match import Match
from zermelo.play.setup import open_named_game
from zermelo.registry.spelling import spell
from zermelo.rules import MAX, Action, Game, State, action_name, ask, has, legal_actions, player_name
from zermelo.runtime.identity import rules_hash
from zermelo.search.plan import Backend
from zermelo.search.proof.full_strategy import AGAINST, Against, choose_actions
from zermelo.search.proof.verifier import Promise, Verification, verify
from zermelo.trees.exact_numbers import exact_number
from zermelo.trees.tree import Tree

__all__ = ["Strategy", "follow", "game_text", "load_strategy", "strategy", "written"]

VERSION = 1
FIELDS = {"zermelo", "version", "game", "rules", "player", "position", "against", "payoff", "states"}


@dataclass(frozen=True)
class Strategy:
    """What one player does, from a position on, and the payoff that this promises. Calling `verify` proves it from the rules alone.

    Parameters
    ----------
    game : Game
        The rules.
    player : int
        Who follows it.
    payoff : number
        The player gets at least this.
    choices : dict
        By the state, as `written` writes it: the action, as `named` names it.
    against : {"any", "optimal"}, default "any"
        Which replies of the opponent are answered.
    replies : dict
        Against optimal play: the opponent's replies that are answered, by the state.
    position : str, optional
        Where it begins, as the user wrote it; None: the start.
    name : str, optional
        The game's name, as `zermelo.play.open_game` reads it; None: it has none.
    rules : str
        Hash of the rules that it was made for.
    seconds : float
        That making it took.
    """

    game: Game
    player: int
    payoff: Any
    choices: Mapping[str, int | str] = field(repr=False)
    against: Against = "any"
    replies: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict, repr=False)
    position: str | None = None
    name: str | None = None
    rules: str = ""
    seconds: float = 0.0

    def action(self, state: State) -> Action | None:
        """What to do in a state; None where the strategy does not say, because following it never leads there."""
        chosen = self.choices.get(written(self.game, state))
        return next((action for action in legal_actions(self.game, state) if named(self.game, state, action) == chosen), None)

    def verify(self) -> Verification:
        """Follows every line that the strategy leaves open, by the rules alone."""
        place = parse_position(self.game, self.position)
        replies = self.replies if self.against == "optimal" else None
        return verify(
            Promise(
                self.game,
                place.state,
                self.player,
                self.payoff,
                self.choices,
                lambda state: written(self.game, state),
                lambda state, action: named(self.game, state, action),
                replies,
                place.history,
            )
        )

    def save(self, path: str | Path) -> None:
        """Writes the file that `load` reads; one that was there is kept until the new one is whole."""
        if self.name is None:
            raise ZermeloError(f"{type(self.game).__name__} has no name by which a file could find it: keep its rules in a file.")
        header = {
            "zermelo": "strategy",
            "version": VERSION,
            "game": self.name,
            "rules": self.rules,
            "player": self.player,
            "position": self.position,
            "against": self.against,
            "payoff": str(self.payoff) if isinstance(self.payoff, Fraction) else self.payoff,
            "states": len(self.choices) + len(self.replies),
        }
        lines = [json.dumps(header, ensure_ascii=False)]
        entries = [*self.choices.items(), *self.replies.items()]
        lines += [f"[{state},{json.dumps(actions, ensure_ascii=False)}]" for state, actions in entries]
        path = Path(path)
        aside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            aside.write_text("\n".join(lines) + "\n", encoding="utf-8")
            aside.replace(path)
        except OSError as error:
            aside.unlink(missing_ok=True)
            raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error

    @staticmethod
    def load(path: str | Path, game: Game | None = None) -> "Strategy":
        """The strategy in a file; the game is opened by the name that the file gives, or given here, as rules in a file must be."""
        return load_strategy(Path(path), game)

    def changed(self) -> bool:
        """Are the rules other ones than those that the strategy was made for?"""
        return self.rules != rules_hash(self.game)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "player": self.player,
            "name": player_name(self.game, self.player),
            "against": self.against,
            "payoff": self.payoff,
            "choices": len(self.choices),
            "replies": len(self.replies),
            "rules": self.rules,
            "seconds": self.seconds,
        }


def strategy(
    game: Game,
    player: int = MAX,
    *,
    position: str | None = None,
    against: Against = "any",
    backend: Backend = "auto",
    limit: int = 1_000_000,
    name: str | None = None,
    progress: Callable[[object], object] | None = None,
) -> Strategy:
    """A best action for every state that can be reached when the player follows it, and the payoff that this promises.

    Where states can return, the promise is verified at once, because not every such game has a strategy of this kind.

    Parameters
    ----------
    game : Game
        The rules.
    player : int, default 0
        Who follows it.
    position : str, optional
        Where it begins; the start by default.
    against : {"any", "optimal"}, default "any"
        Which replies of the opponent are answered: every one, or those that are optimal, all that are tied.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    limit : int, default 1,000,000
        More states are refused.
    name : str, optional
        The game's name in the file; by default the one by which it was found.
    progress : callable, optional
        Hears how far the search is.

    Returns
    -------
    Strategy
    """
    began = time.perf_counter()
    place = parse_position(game, position)
    chosen = choose_actions(game, place.state, player, against, history=place.history, backend=backend, limit=limit, progress=progress)
    made = Strategy(
        game,
        player,
        chosen.payoff,
        {written(game, state): named(game, state, action) for state, action in chosen.choices.items()},
        against,
        {written(game, state): tuple(named(game, state, action) for action in actions) for state, actions in chosen.replies.items()},
        position,
        game_text(game) if name is None else name,
        rules_hash(game),
        time.perf_counter() - began,
    )
    if len(made.choices) < len(chosen.choices):
        raise ZermeloError(f"Two states of {type(game).__name__} are written alike: make its states of numbers and tuples.")
    if game.repetition is not None and not (verdict := made.verify()).holds:
        raise ZermeloError(f"There is no strategy of {type(game).__name__} that knows states alone: {verdict.reason}.")
    return made


# --- states, games and rules as text


def written(game: Game, state: State) -> str:
    """A state as one JSON value without spaces."""
    return json.dumps(plain(game, state), separators=(",", ":"), ensure_ascii=False)


def named(game: Game, state: State, action: Action) -> int | str:
    """An action as a file has it: a number as it is, anything else by its name."""
    return action if type(action) is int else action_name(game, state, action)


def plain(game: Game, state: State) -> Any:
    """Numbers and tuples as they are; any other state as its text."""
    if is_plain(state):
        return state
    if has(game, "show"):
        return ask(game, "show", state)
    if repr(state) == object.__repr__(state):  # an address
        raise ZermeloError(f"States of {type(game).__name__} cannot be written: make them of numbers and tuples, or give `show`.")
    return repr(state)


def is_plain(value: Any) -> bool:
    """Does JSON hold this value, with tuples as lists, so that equal texts are equal values?"""
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    return value is None or isinstance(value, bool | int | float | str)


def game_text(game: Game) -> str | None:
    """The text by which `open_game` finds an equal game; None where there is none."""
    kind = type(game)
    package, _, module = kind.__module__.rpartition(".")
    if package == "zermelo.games":
        return spell(game, module)
    try:
        file = inspect.getfile(kind)
    except (TypeError, OSError):
        return None
    parameters = [getattr(game, each.name) for each in fields(game)]  # type: ignore[arg-type]  # a game is a dataclass
    if not file.endswith(".py") or isinstance(game, Tree) or not all(map(is_literal, parameters)):
        return None
    return f"{file}:{spell(game, kind.__name__)}"


def is_literal(value: Any) -> bool:
    """Can a value be written as a parameter of a game's name?"""
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError):
        return False


# --- files


def load_strategy(path: Path, game: Game | None = None) -> Strategy:
    """The strategy in a file. Whether it keeps its promise is for `verify` to say: here only the file itself is checked."""
    try:
        require_file(path)
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise ZermeloError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}.") from None
    header = read_header(path, lines[0] if lines else "")
    choices: dict[str, int | str] = {}
    replies: dict[str, tuple[int | str, ...]] = {}
    for number, line in enumerate(lines[1:], 2):
        state, actions = read_entry(path, number, line)
        if state in choices or state in replies:
            raise ZermeloError(f"{path}, line {number}: the state {state} stands there twice.")
        if isinstance(actions, list):
            if header["against"] != "optimal":
                raise ZermeloError(f"{path}, line {number}: replies are named, but the strategy is against every reply.")
            replies[state] = tuple(actions)
        else:
            choices[state] = actions
    if len(choices) + len(replies) != header["states"]:
        raise ZermeloError(f"{path} is damaged: {header['states']:,} states are announced, {len(choices) + len(replies):,} are there.")
    payoff = Fraction(exact_number(header["payoff"])) if isinstance(header["payoff"], str) else header["payoff"]
    found = open_named_game(header["game"], str(path)) if game is None else game
    fixed = (header["against"], replies, header["position"], header["game"], header["rules"])
    return Strategy(found, header["player"], payoff, choices, *fixed)


def read_header(path: Path, line: str) -> dict[str, Any]:
    """The first line."""
    try:
        header = from_json(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("zermelo") != "strategy":
        raise ZermeloError(f"{path} is not a strategy: its first line must be the header that `zermelo strategy` writes.")
    if header.get("version") != VERSION:
        raise ZermeloError(
            f"{path} is a strategy of version {header.get('version')}, and this Zermelo reads version {VERSION}: make it again."
        )
    if missing := sorted(FIELDS - header.keys()):
        raise ZermeloError(f"{path}, line 1: the header lacks {', '.join(missing)}.")
    lawful = {
        "game": isinstance(header["game"], str),
        "rules": isinstance(header["rules"], str),
        "player": header["player"] in (0, 1) and not isinstance(header["player"], bool),
        "position": header["position"] is None or isinstance(header["position"], str),
        "against": header["against"] in AGAINST,
        "payoff": is_payoff(header["payoff"]),
        "states": isinstance(header["states"], int),
    }
    for name, fine in lawful.items():
        if not fine:
            raise ZermeloError(f"{path}, line 1: {json.dumps(header[name])} is no {name} of a strategy.")
    return header


def is_payoff(value: Any) -> bool:
    """A number, or a fraction as text."""
    if isinstance(value, str):
        try:
            exact_number(value)
        except (ValueError, ZeroDivisionError):
            return False
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def read_entry(path: Path, number: int, line: str) -> tuple[str, Any]:
    """A state, as it is written, and its action or the replies to it."""
    try:
        entry = from_json(line)
        if not isinstance(entry, list):
            raise ValueError("not a pair")
        state, actions = entry
    except ValueError:
        raise ZermeloError(f"{path}, line {number}: this is no state with an action, such as [[0, 0], 4].") from None
    for action in actions if isinstance(actions, list) and actions else [actions]:
        if isinstance(action, bool) or not isinstance(action, int | str):
            raise ZermeloError(f"{path}, line {number}: {json.dumps(action)} is not an action; actions are whole numbers or names.")
    return json.dumps(state, separators=(",", ":"), ensure_ascii=False), actions


# --- playing


@lru_cache(maxsize=16)
def kept(path: Path, game: Game, version: int) -> Strategy:
    """A strategy that is read once, as long as its file does not change."""
    return load_strategy(path, game)


def follow(file: str, match: Match) -> Action:
    """What the strategy in a file does in the state of a match; it must be a strategy of this game and of the player to move."""
    path = Path(file)
    try:
        version = path.stat().st_mtime_ns
    except OSError:
        version = 0  # reading it says what is wrong
    held = kept(path, match.game, version)
    if held.changed():
        raise ZermeloError(f"{path} is a strategy of {held.name}, made for other rules than those of this match: make it again.")
    if held.player != match.mover:
        raise ZermeloError(
            f"{path} is a strategy of {player_name(match.game, held.player)}, and {player_name(match.game, match.mover)} moves."
        )
    action = held.action(match.state)
    if action is None or action not in match.legal:
        why = "it begins elsewhere, or the opponent's reply is none of those that it answers"
        raise ZermeloError(f"{path} has no possible action for this state: {why}.")
    return action
