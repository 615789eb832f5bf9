"""What the compiler found out about a game, kept beside its object code: a process that finds it there reads no rules and writes no LLVM.

Everything is plain data under a hash of the game's content, so it is never out of date; layouts name classes by those that the rules use.
"""

import hashlib
import json
import types
from functools import cached_property
from typing import Any

from zermelo.compiler.content import Content
from zermelo.compiler.fields import classes_in, described, restored
from zermelo.compiler.layout import flat_size
from zermelo.compiler.machine import read_sealed, write_sealed
from zermelo.compiler.types import CLASS_FIELDS, Type
from zermelo.errors import ZermeloError
from zermelo.rules import Game

__all__ = ["KeptProgram", "Shelf"]


class Shelf:
    """Plain data about one content."""

    def __init__(self, content: Content | None) -> None:
        self.content = content

    def key(self, words: tuple[Any, ...]) -> str:
        assert self.content is not None
        return hashlib.sha256(json.dumps(["kept", self.content.key, words]).encode()).hexdigest()

    def get(self, *words: Any) -> Any:
        """What was kept under these words; None where there is nothing."""
        data = None if self.content is None else read_sealed(self.key(words))
        return None if data is None else json.loads(data)

    def put(self, value: Any, *words: Any) -> None:
        if self.content is not None:
            write_sealed(self.key(words), json.dumps(value).encode())


class KeptProgram:
    """A game's program as far as running its code needs it. Raises `ZermeloError` where it names classes that the rules do not have."""

    def __init__(self, game: Game, data: dict[str, Any], content: Content) -> None:
        self.game, self.reads, self.room = game, content.reads, data["room"]
        for name, fields in data["fields"].items():
            CLASS_FIELDS.setdefault(content.classes[name], tuple(fields))
        self.state, self.action = (restored(data[name], content.classes) for name in ("state", "action"))
        self.information = restored(data["information"], content.classes)
        self.payoff_types = [restored(kind, {}) for kind in data["payoffs"]]
        self.plain_actions, self.keeps_kinds = data["plain_actions"], data["keeps_kinds"]
        self.size = flat_size(self.state)
        self.words = -(-self.size // 8) or 1
        self.players = game.players
        self.module = types.SimpleNamespace(places=[tuple(place) for place in data["places"]])

    @cached_property
    def states(self) -> list[Any]:
        """States of random games."""
        from zermelo.compiler.program import sampled

        return list(sampled(self.game, self.room).states)

    def has(self, name: str) -> bool:
        return callable(getattr(self.game, name, None))


def data_of(program: Any, content: Content) -> dict[str, Any] | None:
    """What `KeptProgram` needs; None where layouts have no plain form."""
    layouts = {"state": program.state, "action": program.action, "information": getattr(program, "information", None)}
    if not all(is_plain(layout, content.classes) for layout in (*layouts.values(), *program.payoff_types)):
        return None
    classes = {name: cls for layout in layouts.values() for name, cls in classes_in(layout).items()}
    return {name: described(layout) for name, layout in layouts.items()} | {
        "room": program.room,
        "fields": {name: CLASS_FIELDS[cls] for name, cls in classes.items() if cls in CLASS_FIELDS},
        "payoffs": [described(kind) for kind in program.payoff_types],
        "plain_actions": program.plain_actions,
        "keeps_kinds": program.keeps_kinds,
        "places": program.module.places,
    }


def is_plain(layout: Type | None, classes: dict[str, type]) -> bool:
    """Is a layout what its description says?"""
    try:
        return restored(described(layout), classes) == layout
    except ZermeloError:
        return False
