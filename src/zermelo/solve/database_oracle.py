"""Databases inside a search: what a database knows, as the oracle that searches ask (`zermelo.runtime.oracle`).

So a search from any position goes no further than to positions of the database. Its arrays are read when a compiled search first asks.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, ask, has
from zermelo.runtime.oracle import OracleArrays
from zermelo.scores import Score
from zermelo.solve.data_folder import databases_of

__all__ = ["DatabaseOracle", "oracle_named", "oracle_of"]

MOST_BYTES = 2 << 30  # of arrays in memory
SAMPLES = 60  # known states that compiled rules are compared on
BYTES_A_POSITION = 26  # of a database by number: number, code and slots


class DatabaseOracle:
    """An open database that answers for its positions."""

    def __init__(self, path: Path | str, game: Game) -> None:
        from zermelo.solve.database import Database

        self.path, self.game = Path(path), game
        self.database = Database(path, game)
        self.held: OracleArrays | None = None

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def is_book(self) -> bool:
        """Does it hold the first positions of a game, and not those that follow them?"""
        return self.database.header.content == "book"

    def score(self, state: State) -> Score | None:
        """The score of a state that the database holds."""
        from zermelo.solve.lookup import score_of

        entry = self.database.get(state)
        return None if entry is None else score_of(entry)

    def arrays(self) -> OracleArrays | None:
        """The whole database in memory, where it is not too large for that."""
        if self.held is None and self.bytes_needed() <= MOST_BYTES:
            self.held = self.loaded()
        return self.held

    def bytes_needed(self) -> int:
        """What the arrays take."""
        header = self.database.header
        return header.numbering.size * header.code_bytes if header.form == "dense" else header.count * BYTES_A_POSITION

    def loaded(self) -> OracleArrays:
        """Every block read, checked and laid out."""
        import numpy as np

        from zermelo.solve.lookup import score_of

        header, bulk = self.database.header, self.database.bulk()
        numbering = header.numbering
        return OracleArrays(
            symmetric=numbering.symmetric,
            size=numbering.size,
            layout=numbering.layout,
            fields=numbering.codes,
            least_tier=self.least_tier(),
            scores=tuple(score_of(entry) for entry in header.scores),
            number=self.database.positions.number,
            samples=tuple(self.some()),
            codes=np.ascontiguousarray(bulk.codes),
            numbers=None if bulk.numbers is None else np.ascontiguousarray(bulk.numbers),
            slots=None if bulk.numbers is None else bulk.slots,
        )

    def least_tier(self) -> int | None:
        """The tier of the first position, which no other one is below; a book has none."""
        header, game = self.database.header, self.game
        if header.content == "book" or not has(game, "tier"):
            return None
        return int(ask(game, "tier", self.database.positions.state(header.root)))

    def some(self) -> Iterator[State]:
        """A few states that are held, from blocks all over the file."""
        header = self.database.header
        every = max(1, header.blocks // SAMPLES)
        for at in range(0, header.blocks, every):
            numbers, codes = self.database.block(at)
            found = codes.nonzero()[0]
            if len(found):
                place = int(found[len(found) // 2])
                yield self.database.positions.state(place + int(self.database.firsts[at]) if numbers is None else int(numbers[place]))


def oracle_of(game: Game, *, blocks: bool = True) -> DatabaseOracle | None:
    """The largest database of the game in the data folder, books and damaged files apart, whatever part of the game it holds; None where
    there is none. Without `blocks` one of these may be damaged."""
    found = [(header.count, path) for path, header in databases_of(game, blocks=blocks) if header.content != "book"]
    return oracle_named(max(found)[1], game) if found else None


def oracle_named(path: Path, game: Game) -> DatabaseOracle:
    """The database in a file, opened once as long as the file stays the same."""
    try:
        status = os.stat(path)
    except OSError as error:
        raise ZermeloError(f"There is no file {path}." if not path.exists() else f"{path} cannot be read: {error.strerror}.") from None
    try:
        return opened(path, game, status.st_mtime_ns, status.st_size, status.st_ino)
    except TypeError:  # a game that cannot be remembered
        return DatabaseOracle(path, game)


@lru_cache(4)
def opened(path: Path, game: Game, changed: int, size: int, number: int) -> DatabaseOracle:
    return DatabaseOracle(path, game)
