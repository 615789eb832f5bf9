"""The reference backend's transposition table: what is known of states that were searched before.

An entry belongs to one state and one remaining depth and is used at no other, and it is found by the whole key, so that a table never
changes a value.
"""

from enum import Enum
from typing import Any, NamedTuple

from zermelo.rules import Action

__all__ = ["Bound", "Entry", "Table"]

ENTRY_BYTES = 400  # about what an entry, its key, its score and its share of two dictionaries take


class Bound(Enum):
    """How an entry's value relates to the true one."""

    EXACT = "exact"
    LOWER = "lower"  # the true value is at least this
    UPPER = "upper"  # the true value is at most this


class Entry(NamedTuple):
    """What is known of a state."""

    remaining: int | None  # depth limit below the state
    bound: Bound
    value: Any
    action: Action | None  # the best found; None where none was proven good
    sure: int = 0  # 1: the true value is at least this, whatever the depth; 2: at most; 3: both


class Table:
    """Entries by key, in two generations: when the younger one is full, the older is forgotten."""

    def __init__(self, memory: int) -> None:
        self.room = memory // ENTRY_BYTES // 2  # entries a generation; 0: no table at all
        self.young: dict[Any, Entry] = {}
        self.old: dict[Any, Entry] = {}

    def probe(self, key: Any) -> Entry | None:
        """The entry of this key, if there is one."""
        return self.young.get(key) or self.old.get(key)

    def store(self, key: Any, entry: Entry) -> None:
        """Keeps an entry, in place of an older one of the same key."""
        if not self.room:
            return
        if len(self.young) >= self.room and key not in self.young:
            self.old, self.young = self.young, {}
        self.young[key] = entry
