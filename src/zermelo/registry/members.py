"""What a module offers as games: its concrete subclasses of `Game`, else the trees and other games that it holds ready."""

import inspect
from types import ModuleType

from zermelo.errors import RulesError, ZermeloError, nearest
from zermelo.rules import Game

__all__ = ["Member", "choose", "members"]

Member = type[Game] | Game


def members(module: ModuleType) -> dict[str, Member]:
    """Name → class or finished game, of those that the module itself defines."""
    found: dict[str, Member] = {}
    for name, value in vars(module).items():
        if isinstance(value, Game) or (isinstance(value, type) and issubclass(value, Game) and value.__module__ == module.__name__):
            found[name] = value
    return found


def choose(found: dict[str, Member], wanted: str | None, where: str) -> Member:
    """The member that is wanted, or the only one that can be meant."""
    if wanted is not None:
        if wanted not in found:
            raise ZermeloError(f"{where} has no game {wanted}: {nearest(wanted, found)}")
        return found[wanted]
    classes = {name: member for name, member in found.items() if isinstance(member, type)}
    complete = {name: member for name, member in classes.items() if not inspect.isabstract(member)}
    likely: dict[str, Member] = {
        name: member
        for name, member in complete.items()
        if not any(other is not member and issubclass(other, member) for other in complete.values()) and not name.startswith("_")
    }
    instances: dict[str, Member] = {name: member for name, member in found.items() if not isinstance(member, type)}
    candidates = likely or instances
    if len(candidates) == 1:
        return next(iter(candidates.values()))
    if candidates:
        names = list(candidates)
        raise ZermeloError(f"{where} has {len(names)} games, {', '.join(names)}: choose one, such as {where}:{names[0]}.")
    if classes:
        name, unfinished = next(iter(classes.items()))
        raise RulesError(f"{name} in {where} is not complete: its rules lack {', '.join(sorted(unfinished.__abstractmethods__))}.")
    raise ZermeloError(f"{where} has no game: it needs a class derived from zermelo.Game, or a Tree.")
