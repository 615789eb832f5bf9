"""Every game that has a name, found where it is; nothing is imported before it is asked for."""

import importlib
import pkgutil
import sys
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from types import ModuleType

import zermelo.games
from zermelo.errors import RulesError, ZermeloError, nearest
from zermelo.registry.files import load_member
from zermelo.registry.members import Member, choose, members
from zermelo.registry.spelling import Arguments, build, parse
from zermelo.rules import Game

__all__ = ["find", "names", "summary"]

GROUP = "zermelo.games"  # of entry points
SOURCES = "zermelo.sources"  # of entry points: functions that make a game from a name and its parameters


def find(text: str) -> Game:
    """The game that the text names: see `zermelo.registry`."""
    spelling = parse(text)
    if spelling.file is not None:
        member = load_member(spelling.file, spelling.member)
        name = member.__name__ if isinstance(member, type) else spelling.member or spelling.file
    else:
        name = spelling.name or ""
        source, colon, rest = name.partition(":")
        if colon:
            return from_source(source, rest, spelling.arguments)
        member = load(name)
    return finished(member, spelling.arguments, name)


def names() -> tuple[str, ...]:
    """Names of all games, in order. Imports none of them."""
    return tuple(sorted({*built_in(), *entries()}))


def summary(name: str) -> str:
    """The first sentence of a game's own description."""
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


def entries() -> dict[str, EntryPoint]:
    """Games that installed packages offer. A built-in game keeps its name."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def load(name: str) -> Member:
    """The class or tree with this name."""
    if is_built_in(name):
        module = importlib.import_module(f"{zermelo.games.__name__}.{name}")
        return choose(members(module), None, name)
    offered = entries()
    if name in offered:
        return load_entry(offered[name])
    raise ZermeloError(f"There is no game {name}: {nearest(name, names())}")


def load_entry(entry: EntryPoint) -> Member:
    """What an installed package offers: a class, a finished game, or a module with one."""
    try:
        offer = entry.load()
    except Exception as error:
        raise RulesError(f"The game {entry.name} of another package cannot be loaded from {entry.value}: {error}.") from error
    if isinstance(offer, ModuleType):
        return choose(members(offer), None, entry.name)
    if isinstance(offer, Game) or (isinstance(offer, type) and issubclass(offer, Game)):
        return offer
    raise RulesError(f"The entry point {entry.name} names {entry.value}, which is no game.")


def from_source(source: str, name: str, arguments: Arguments) -> Game:
    """A game of another library, written `source:name(parameters)`."""
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
