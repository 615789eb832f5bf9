"""Results on disk: one SQLite file a match, with its settings and a row for every game. A match that was interrupted goes on from it.

    settings   key, value       what the match is: the game, a hash of its rules, the players, openings and seed
    games      number, …        one row a game, written as soon as it is over

Anything that reads SQLite can read it; `zermelo match --out FILE` shows it.
"""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError, from_json
from zermelo.play.arena.contest import Record

__all__ = ["Store"]

VERSION = 1
TABLES = """
CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,  -- in the order of the schedule; 2k - 1 and 2k are a pair
    first TEXT NOT NULL,         -- the player in seat 0
    second TEXT NOT NULL,
    opening TEXT NOT NULL,       -- a position
    moves TEXT NOT NULL,         -- after the opening, a JSON list of names
    payoffs TEXT NOT NULL,       -- a JSON list
    score REAL NOT NULL,         -- of the first player: 1, 0.5 or 0
    reason TEXT NOT NULL,        -- why it ended where the rules did not end it
    first_seconds REAL NOT NULL,
    second_seconds REAL NOT NULL
);
"""


class Store:
    """The file of one match; None keeps everything in memory."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.name = "the match" if path is None else str(path)
        try:
            self.connection = sqlite3.connect(":memory:" if path is None else path, timeout=30)
            with self.connection:
                self.connection.executescript(TABLES)
        except sqlite3.Error as error:
            raise ZermeloError(f"{self.name} is not a file of results that can be used: {error}.") from None

    def settings(self) -> dict[str, Any]:
        """What the match is; nothing for a new one."""
        with self.guarded():
            return {key: from_json(value) for key, value in self.connection.execute("SELECT key, value FROM settings")}

    def begin(self, settings: dict[str, Any]) -> None:
        """Notes what the match is; a file of another match is refused."""
        wanted = json.loads(json.dumps(settings | {"version": VERSION}))
        there = self.settings()
        for key, value in there.items():
            if wanted.get(key) != value:
                raise ZermeloError(f"{self.name} is another match: its {key} is {value!r}, not {wanted.get(key)!r}; choose another file.")
        with self.guarded(), self.connection:
            rows = [(key, json.dumps(value)) for key, value in wanted.items()]
            self.connection.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?)", rows)

    def add(self, record: Record) -> None:
        """Keeps a game, at once and for good; one that is there already stays as it is."""
        row = (
            record.number,
            record.first,
            record.second,
            record.opening,
            json.dumps(record.moves, ensure_ascii=False),
            json.dumps([float(payoff) for payoff in record.payoffs]),
            record.score,
            record.reason,
            *record.seconds,
        )
        with self.guarded(), self.connection:
            self.connection.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def records(self) -> dict[int, Record]:
        """All games by their numbers."""
        with self.guarded():
            rows = self.connection.execute("SELECT * FROM games ORDER BY number").fetchall()
            return {row[0]: record_of(row) for row in rows}

    def record(self, number: int) -> Record:
        """One game."""
        records = self.records()
        if number not in records:
            known = f"there are {len(records):,}, numbered up to {max(records):,}" if records else "there is none yet"
            raise ZermeloError(f"{self.name} has no game {number}: {known}.")
        return records[number]

    def guarded(self) -> "Guard":
        return Guard(self.name)

    def close(self) -> None:
        self.connection.close()

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records().values())


class Guard:
    """Turns what SQLite and damaged rows raise into one sentence."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.Error | ValueError | TypeError):
            raise ZermeloError(f"{self.name} cannot be used as a file of results: {error}.") from None


def record_of(row: tuple[Any, ...]) -> Record:
    """A row as a record."""
    number, first, second, opening, moves, payoffs, score, reason, own, other = row
    names, gains = from_json(moves), from_json(payoffs)
    lists = isinstance(names, list) and isinstance(gains, list)
    if not lists or not all(isinstance(each, int | float) for each in (*gains, score, own, other)):
        raise ValueError(f"game {number} has moves, payoffs, a score or times that are none")
    return Record(number, first, second, opening, tuple(map(str, names)), tuple(gains), score, reason, (own, other))
