"""Every game that has a name, found where it is; nothing is imported before it is asked for."""

import importlib
import pkgutil
import re
import sys
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

import zermelo.games
from zermelo.errors import RulesError, ZermeloError, nearest
from zermelo.registry.members import Member, choose, members
from zermelo.registry.rules_file import load_member
from zermelo.registry.spelling import Arguments, build, parse
from zermelo.registry.spelling import parameters as parameters_of
from zermelo.rules import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["find", "names", "summary"]

GROUP = "zermelo.games"  # of entry points
SOURCES = "zermelo.sources"  # of entry points: functions that make a game from a name and its parameters
LARGEST = 1 << 20  # parameter of a built-in game
LONGEST_SIDE = 100  # of a built-in game's board
SIDES = ("size", "width", "height", "rows", "columns", "m", "n", "k")
NUMBERS = {"twenty": 20, "fifteen": 15, "nine": 9, "eight": 8, "seven": 7, "six": 6, "five": 5, "four": 4, "three": 3, "two": 2, "one": 1}

OTHER_NAMES = {  # that people know a game by, folded, and its registered name
    "4inarow": "connect4",
    "5inarow": "gomoku",
    "baduk": "go",
    "checkers": "draughts",
    "chinesechess": "xiangqi",
    "dobutsushogi": "dobutsu",
    "gameoftheamazons": "amazons",
    "giveaway": "antichess",
    "gobang": "gomoku",
    "kalaha": "kalah",
    "loa": "linesofaction",
    "losing": "antichess",
    "mancala": "kalah",
    "noughtsandcrosses": "tictactoe",
    "oware": "awari",
    "reversi": "othello",
    "suicide": "antichess",
    "texasholdem": "holdem",
    "tigersandgoats": "baghchal",
    "towerofhanoi": "hanoi",
    "towersofhanoi": "hanoi",
    "weiqi": "go",
}


def find(text: str, **parameters: Any) -> Game:
    """The game that the text names, see `zermelo.registry`; parameters may be in the text or given here."""
    spelling = parse(text)
    arguments = Arguments(spelling.arguments.positional, {**spelling.arguments.named, **parameters})
    if spelling.file is not None:
        member = load_member(spelling.file, spelling.member)
        name = member.__name__ if isinstance(member, type) else spelling.member or spelling.file
    else:
        name = spelling.name or ""
        source, colon, rest = name.partition(":")
        if colon:
            return from_source(source, rest, arguments)
        member = load(name)
        if is_built_in(registered(name)) and isinstance(member, type):
            given = {**dict(zip(parameters_of(member), arguments.positional, strict=False)), **arguments.named}
            for field, value in given.items():
                refuse_huge(name, field, value)
    return finished(member, arguments, name)


def names() -> tuple[str, ...]:
    """Names of all games, in order. Imports none of them."""
    return tuple(sorted({*built_in(), *entries()}))


def summary(name: str) -> str:
    """The first sentence of a game's own description."""
    name = registered(name)
    member = load(name)
    module = sys.modules.get(f"{zermelo.games.__name__}.{name}")
    texts = (member.__doc__ if isinstance(member, type) else None, module.__doc__ if module else None, "")
    return next(text for text in texts if text is not None).strip().split("\n\n")[0].replace("\n", " ")


def built_in() -> set[str]:
    """Modules of `zermelo.games`; a module's name is its game's name."""
    return {module.name for module in pkgutil.iter_modules(zermelo.games.__path__) if not module.name.startswith("_")}


def is_built_in(name: str) -> bool:
    """Is there a module for the name? Asked for one name, this does not look through the folder."""
    return name.isidentifier() and not name.startswith("_") and find_spec(f"{zermelo.games.__name__}.{name}") is not None


def entries() -> dict[str, "EntryPoint"]:
    """Games that installed packages offer. A built-in game keeps its name."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}


def fold(name: str) -> str:
    """What remains of a name when case, separators and the spelling of numbers do not count: `Connect Four` and `connect4` are alike."""
    letters = re.sub(r"[\W_]", "", name.lower())
    return re.sub("|".join(NUMBERS), lambda word: str(NUMBERS[word[0]]), letters)


def registered(name: str) -> str:
    """The registered name that is meant: `tic-tac-toe` is `tictactoe`, `2048` `twenty48`, `reversi` `othello`, `atomic chess` `atomic`."""
    if is_built_in(name) or name in names():
        return name
    meant = {fold(other): other for other in names()} | OTHER_NAMES
    folded = fold(name)
    return meant.get(folded) or meant.get(folded.removesuffix("chess"), name)


def load(name: str) -> Member:
    """The class or tree with this name."""
    name = registered(name)
    if is_built_in(name):
        module = importlib.import_module(f"{zermelo.games.__name__}.{name}")
        return choose(members(module), None, name)
    offered = entries()
    if name in offered:
        return load_entry(offered[name])
    raise ZermeloError(f"There is no game {name}: {nearest(name, names())}")


def load_entry(entry: "EntryPoint") -> Member:
    """What an installed package offers: a class, a finished game, or a module with one."""
    try:
        offer = entry.load()
    except Exception as error:
        raise RulesError(f"The game {entry.name} of another package cannot be loaded from {entry.value}: {error}.") from error
    if isinstance(offer, ModuleType):
        return choose(members(offer), None, entry.name)
    if isinstance(offer, Game) or (isinstance(offer, type) and issubclass(offer, Game)):
        return offer
    raise RulesError(f"The entry point {entry.name} names {entry.value}, which is not a game.")


def refuse_huge(name: str, field: str, value: Any) -> None:
    """Raises where a number is so large that a board of that size would fill the memory before anybody could look at it."""
    most = LONGEST_SIDE if field in SIDES and isinstance(value, int) else LARGEST
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, int) and abs(number) > most:
            raise RulesError(f"{name}'s {field} is at most {most:,}, not {number}.")


def from_source(source: str, name: str, arguments: Arguments) -> Game:
    """A game of another library, written `source:name(parameters)`."""
    from importlib.metadata import entry_points

    offered = {entry.name: entry for entry in entry_points(group=SOURCES)}
    if source not in offered:
        raise ZermeloError(f"There is no source of games {source}: {nearest(source, sorted(offered))}")
    if arguments.positional:
        raise ZermeloError(f"The parameters of {source}:{name} need names, such as players=2.")
    game: Game = offered[source].load()(name, arguments.named)
    return game


def finished(member: Member, arguments: Arguments, name: str) -> Game:
    """A member with its parameters."""
    if isinstance(member, type):
        return build(member, arguments, name)
    if arguments.positional or arguments.named:
        raise ZermeloError(f"{name} takes no parameters.")
    return member
