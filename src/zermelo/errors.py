"""What can go wrong: every error says in one sentence what is wrong and what to do. The command line prints it and exits with 2."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

__all__ = [
    "CompiledLimitError",
    "RulesError",
    "ZermeloError",
    "from_json",
    "from_toml",
    "hidden_error",
    "nearest",
    "no_actions",
    "no_such_player",
    "require_file",
]


class ZermeloError(Exception):
    """Something the user can put right; the message is one clear sentence.

    Where a parameter would help, the message names it as Python does, in backticks: `depth=N`. The command line words it as its option.
    """


class RulesError(ZermeloError):
    """The rules of a game break a promise of the interface, or cannot be used in the way that was asked for.

    Parameters
    ----------
    reason : str
        One sentence.
    file, line : optional
        The user's own line, where one is to blame.
    """

    def __init__(self, reason: str, file: str | None = None, line: int | None = None) -> None:
        self.reason, self.file, self.line = reason, file, line
        super().__init__(f"{file}:{line}: {reason}" if file and line else reason)


class CompiledLimitError(RulesError):
    """Compiled code cannot hold a value of the game; the rules as written can."""


def hidden_error(algorithm: str, game: object) -> ZermeloError:
    """For an algorithm of perfect information that is given a game with hidden cards."""
    name = getattr(game, "title", "") or type(game).__name__  # trees have titles
    return ZermeloError(
        f"{algorithm} would see the hidden cards of {name}: `equilibrium` and `ismcts` are made for hidden information; "
        "`perfect_information=True` searches with all cards open."
    )


def no_actions(game: object, state: object) -> RulesError:
    """For a state that is not the end and has no actions."""
    return RulesError(f"{type(game).__name__} has a state that is not terminal and has no actions: {state!r}.")


def no_such_player(game: object, player: object, players: int) -> RulesError:
    """For a state in which nobody moves who plays."""
    return RulesError(f"{type(game).__name__}.player gives {player!r}, but players are 0 to {players - 1}.")


def nearest(word: str, known: Iterable[str]) -> str:
    """The part of a sentence that helps after an unknown name: the nearest known one, or all of them."""
    names = list(known)
    by_lower = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    if close:
        return f"did you mean {by_lower[close[0]]}?"
    return f"there is {', '.join(names)}." if names else "there is none."


def require_file(path: str | Path) -> None:
    """Raises where a path leads to a device such as /dev/zero, whose text has no end."""
    if Path(path).is_char_device():
        raise ZermeloError(f"{path} is a device, not a file.")


def from_json(text: str | bytes) -> Any:
    """What a document in JSON says. Raises `ValueError` with the reason where it is none, depth and digits beyond Python's included."""
    import json

    return parsed(json.loads, text, json.JSONDecodeError)


def from_toml(text: str) -> dict[str, Any]:
    """The same of a document in TOML."""
    import tomllib

    found: dict[str, Any] = parsed(tomllib.loads, text, tomllib.TOMLDecodeError)
    return found


def parsed(parse: Callable[..., Any], text: str | bytes, wrong: type[ValueError]) -> Any:
    try:
        return parse(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except (wrong, UnicodeDecodeError):
        raise
    except ValueError:
        raise ValueError("a number has too many digits") from None
