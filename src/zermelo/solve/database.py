"""A database: the value of every position of a game, opened by memory map.

A probe finds the block of a position by its number, checks and decompresses that block alone, and keeps the blocks that it used last.
A damaged block is never answered from: the error names it.
"""

import mmap
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.rules import Game, State
from zermelo.runtime.identity import rules_hash
from zermelo.solve.database_format import DENSE, RECORD, DamagedError, Entry, Header, compressor, read_header, unpack_block, unpack_codes
from zermelo.solve.number_sets_kernel import codes_at, enter, find, table_size
from zermelo.solve.numbering import Positions

__all__ = ["Bulk", "Database", "OutsideError", "Single"]

KEPT = 256  # blocks
NOT_HERE = 0  # the code of what is not in the database


class OutsideError(ZermeloError):
    """A position that is not in the database."""


class Database:
    """An open database of a game. Use it as a context, or call `close`."""

    def __init__(self, path: Path | str, game: Game) -> None:
        """Opens the file; raises `ZermeloError` where it is of other rules, `DamagedError` where it is cut or changed."""
        self.path, self.game = Path(path), game
        self.header, self.data, table = open_file(self.path)
        if self.header.rules != rules_hash(game, self.header.numbering.symmetric):
            self.close()
            raise ZermeloError(f"{self.path} was made for {self.header.game} with other rules than these: make it again, or give its game.")
        self.table = table
        self.firsts = np.ascontiguousarray(table["first"])
        self.positions = Positions(game, self.header.numbering)
        self.kept: OrderedDict[int, tuple[Any, Any]] = OrderedDict()  # block → numbers (None where dense), codes
        self.decompress = None if self.header.compression == "none" else compressor().ZstdDecompressor().decompress

    def close(self) -> None:
        self.data.close()

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- one position

    def probe(self, state: State) -> Entry:
        """Value and distance of a state. Raises `OutsideError` where it is not in the database."""
        entry = self.get(state)
        if entry is None:
            reason = {"endgames": "it has too many pieces", "book": "the book ends before it"}.get(
                self.header.content, "it cannot be reached from the database's first position"
            )
            raise OutsideError(f"The position {state!r} is not in {self.path}: {reason}.")
        return entry

    def get(self, state: State) -> Entry | None:
        """The same, or None."""
        number = self.positions.number(state)
        code = NOT_HERE if number is None else self.code(number)
        return None if code == NOT_HERE else self.header.scores[code - 1]

    def code(self, number: int) -> int:
        """The code of a number; 0 where it is not in the database."""
        if self.header.form == DENSE:
            block, place = divmod(number, self.header.block)
            return int(self.block(block)[1][place])
        block = int(self.firsts.searchsorted(number, "right")) - 1
        if block < 0:
            return NOT_HERE
        numbers, codes = self.block(block)
        place = int(numbers.searchsorted(number))
        return int(codes[place]) if place < len(numbers) and numbers[place] == number else NOT_HERE

    def block(self, at: int) -> tuple[Any, Any]:
        """Numbers (None where dense) and codes of a block, checked."""
        if at in self.kept:
            self.kept.move_to_end(at)
            return self.kept[at]
        found = self.read_block(at)
        self.kept[at] = found
        if len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return found

    def read_block(self, at: int) -> tuple[Any, Any]:
        """The same from the file."""
        header = self.header
        first, packed = int(self.firsts[at]), packed_block(self.path, self.data, self.table, at)
        count = self.block_count(at)
        most = count * (10 + header.code_bytes) + 16
        data = np.frombuffer(packed if self.decompress is None else self.decompress(packed, max_output_size=most), np.uint8)
        if header.form == DENSE:
            return None, unpack_codes(data, count, header.code_bytes)
        return unpack_block(data, first, count, header.code_bytes)

    def block_count(self, at: int) -> int:
        """How many positions, or numbers of a dense file, a block holds."""
        whole = self.header.numbering.size if self.header.form == DENSE else self.header.count
        return min(self.header.block, whole - at * self.header.block)

    # --- many positions

    def blocks(self) -> Iterator[tuple[Any, Any]]:
        """Numbers and codes of all positions in order, a block at a time."""
        for at in range(self.header.blocks):
            numbers, codes = self.read_block(at)
            if numbers is None:
                used = np.flatnonzero(codes)
                yield used + int(self.firsts[at]), codes[used]
            else:
                yield numbers, codes

    def bulk(self) -> "Bulk":
        """All of it in memory, uncompressed, for many probes."""
        return Bulk(self)

    def entries(self) -> Iterator[tuple[State, Entry]]:
        """Every position and what is known about it."""
        for numbers, codes in self.blocks():
            for number, code in zip(numbers.tolist(), codes.tolist(), strict=True):
                yield self.positions.state(number), self.header.scores[code - 1]


class Bulk:
    """A database in memory: codes of many numbers at once."""

    def __init__(self, database: Database) -> None:
        header = database.header
        self.header = header
        if header.form == DENSE:
            kind = np.uint8 if header.code_bytes == 1 else np.uint16
            self.codes: Any = np.concatenate([database.read_block(at)[1].astype(kind) for at in range(header.blocks)])
            self.numbers: Any = None
            return
        parts = list(database.blocks())
        self.numbers = np.concatenate([numbers for numbers, _ in parts])
        self.codes = np.concatenate([codes for _, codes in parts])
        self.slots = np.zeros(table_size(len(self.numbers)), np.int32)
        enter(self.numbers, self.slots)

    def places(self, numbers: Any) -> Any:
        """Where each number's code stands in `codes`; -1 where it is not in the database."""
        if self.numbers is None:
            return np.where(self.codes[numbers] != NOT_HERE, numbers, -1)
        places = np.empty(len(numbers), np.int64)
        find(np.ascontiguousarray(numbers, np.int64), self.numbers, self.slots, places)
        return places

    def look(self, numbers: Any) -> Any:
        """The code of each number, 0 where it is not in the database."""
        if self.numbers is None:
            return self.codes[numbers]
        found = np.empty(len(numbers), self.codes.dtype)
        codes_at(np.ascontiguousarray(numbers, np.int64), self.numbers, self.slots, self.codes, found)
        return found


class Single:
    """Codes of many numbers at once from the file, with a single block in memory at a time."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def look(self, numbers: Any) -> Any:
        """The code of each number, 0 where it is not in the database."""
        found, order = np.full(len(numbers), NOT_HERE, np.uint16), np.argsort(numbers, kind="stable")
        ordered = numbers[order]
        blocks = self.blocks_of(ordered)
        changes = np.flatnonzero(np.diff(blocks, prepend=-1)).tolist()  # where another block begins; -1: before the first one
        for first, last in pairwise([*changes, len(ordered)]):
            found[order[first:last]] = self.codes_in(int(blocks[first]), ordered[first:last])
        return found

    def blocks_of(self, ordered: Any) -> Any:
        """The block in which each number must be."""
        if self.database.header.form == DENSE:
            return ordered // self.database.header.block
        return self.database.firsts.searchsorted(ordered, "right") - 1

    def codes_in(self, block: int, wanted: Any) -> Any:
        """The codes of numbers that must be in a block."""
        numbers, codes = self.database.read_block(block)
        if numbers is None:
            return codes[wanted - int(self.database.firsts[block])]
        places = numbers.searchsorted(wanted)
        places[places == len(numbers)] = 0
        return np.where(numbers[places] == wanted, codes[places], NOT_HERE)


def map_file(path: Path) -> Any:
    """The mapped bytes of a file."""
    if path.is_dir():
        raise ZermeloError(f"{path} is a folder: give the name of a database.")
    try:
        with open(path, "rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise ZermeloError(f"There is no file {path}.") from None
    except ValueError:
        raise DamagedError(f"{path} is empty: solve the game again with `all=True`.") from None
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror}.") from None


def header_of(path: Path) -> Header:
    """The header of a file, whatever the rest of it is like."""
    with map_file(path) as data:
        return read_header(data, str(path))[0]


def open_file(path: Path) -> tuple[Header, Any, Any]:
    """Header, mapped bytes and table of a file."""
    data = map_file(path)
    try:
        header, at = read_header(data, str(path))
        raw = data[at : at + header.blocks * RECORD.itemsize]
        if len(raw) != header.blocks * RECORD.itemsize or zlib.crc32(raw) != header.table:
            raise DamagedError(f"{path} is damaged in its table of blocks: solve the game again with `all=True`.")
        table = np.frombuffer(raw, RECORD)
        end = at + len(raw) if header.blocks == 0 else int(table["offset"][-1]) + int(table["length"][-1])
        if end != len(data):
            raise cut(path, header, table, len(data))
    except ZermeloError:
        data.close()
        raise
    return header, data, table


def packed_block(path: Path, data: Any, table: Any, at: int) -> bytes:
    """The bytes of a block as they lie in the file, checked."""
    _, offset, length, checksum = table[at].item()
    packed: bytes = data[offset : offset + length]
    if len(packed) != length or zlib.crc32(packed) != checksum:
        raise DamagedError(f"{path} is damaged in block {at + 1} of {len(table)}: solve the game again with `all=True`.")
    return packed


def require_whole(path: Path) -> None:
    """Raises `DamagedError` where any part of a file is not as it was written; reads all of it."""
    _, data, table = open_file(path)
    with data:
        for at in range(len(table)):
            packed_block(path, data, table, at)


def cut(path: Path, header: Header, table: Any, length: int) -> DamagedError:
    """The sentence for a file that ends too soon, or too late."""
    ends = table["offset"].astype(np.int64) + table["length"]
    missing = np.flatnonzero(ends > length)
    where = f"it ends in block {int(missing[0]) + 1} of {header.blocks}" if len(missing) else "there is more behind its last block"
    return DamagedError(f"{path} has been cut or added to: {where}; solve the game again with `all=True`.")
