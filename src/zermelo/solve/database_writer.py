"""Writing a database: solved groups become one file, in the order of numbers; always the same bytes for the same game.

The file is written aside, forced to disk and renamed, so that it is either there as a whole or not at all.
"""

import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.rules import Game
from zermelo.runtime.identity import rules_hash
from zermelo.solve.database_format import (
    BY_NUMBER,
    DENSE,
    LEVEL,
    MAGIC,
    MOST_HEADER,
    PRELUDE,
    RECORD,
    DamagedError,
    Entry,
    Header,
    compressor,
    entry_of,
    pack_block,
    pack_codes,
    read_header,
    write_header,
)
from zermelo.solve.distinct import Distinct
from zermelo.solve.number_sets_kernel import code, in_sequence, interleave
from zermelo.solve.numbering import Numbering
from zermelo.solve.tasks import ranges
from zermelo.solve.work_folder import ArrayFile, release, sync_folder

__all__ = ["DENSE_BLOCK", "Codes", "Solved", "is_dense", "require_replaceable", "write_array", "write_database"]

BLOCK = 1024  # positions
DENSE_BLOCK = 1 << 14
SPARSEST = 8  # a game that numbers its positions gets a dense file where at least one number in so many is used
RANGE_SHARE = 4  # a range with all that is made of it takes about this part of the memory
LOOKED_AT = 1 << 18  # numbers at a time

Solved = list[tuple[Any, Any]]  # (numbers, packed scores) of groups, in any order: arrays, or an `ArrayFile` each


@dataclass(frozen=True)
class Codes:
    """Which scores there are, how many positions have each, and the code of each."""

    scores: tuple[int, ...]  # [code - 1] packed
    counts: tuple[int, ...]
    slots: Any
    codes: Any

    @classmethod
    def of(cls, groups: Iterable[Any]) -> "Codes":
        """Counts the scores of groups. Raises `TooManyCodesError`."""
        distinct = Distinct()
        for scores in groups:
            distinct.add(scores)
        slots, counts = distinct.slots, distinct.counts
        order = distinct.in_order()
        codes = np.zeros(len(slots), np.int64)
        codes[order] = np.arange(1, len(order) + 1)
        found = tuple((slots[order] - (1 << 32)).tolist())
        return cls(found, tuple(counts[order].tolist()), slots, codes)

    @classmethod
    def counted(cls, counts: dict[int, int]) -> "Codes":
        """From how many positions have each score."""
        found = cls.of([np.array(list(counts), np.int32)])
        return replace(found, counts=tuple(counts[score] for score in found.scores))

    def of_scores(self, scores: Any) -> Any:
        out = np.empty(len(scores), np.uint16)
        code(np.ascontiguousarray(scores), self.slots, self.codes, out)
        return out

    def entries(self, draw: Any) -> tuple[Entry, ...]:
        return entries_of(self.scores, draw)


@lru_cache(4)
def entries_of(scores: tuple[int, ...], draw: Any) -> tuple[Entry, ...]:
    """What packed scores mean."""
    return tuple(entry_of(score, draw) for score in scores)


def is_dense(numbering: Numbering, count: int) -> bool:
    """Is a dense file the better one? This depends on the game alone."""
    return 0 < numbering.size <= SPARSEST * count


def in_order(solved: Solved, codes: Codes, memory: int) -> Iterator[tuple[Any, Any]]:
    """Numbers and codes of all groups in the order of numbers, a range at a time."""
    ordered = []
    for numbers, scores in solved:
        if not is_sorted(numbers):
            order = np.argsort(numbers)
            numbers, scores = numbers[order], scores[order]
        ordered.append((numbers, scores))
    for low, high in ranges([numbers for numbers, _ in ordered], memory // RANGE_SHARE):
        parts = [part for group in ordered if len((part := between(*group, low, high))[0])]
        if not parts:
            continue
        numbers, scores = parts[0]
        if len(parts) > 1:
            numbers, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
            heads = np.cumsum([0, *(len(part[0]) for part in parts)])
            order = np.empty(len(numbers), np.int64)
            interleave(numbers, heads[:-1].copy(), heads[1:].copy(), order)
            numbers, scores = numbers[order], scores[order]
        yield numbers, codes.of_scores(scores)


def opened(array: Any) -> Any:
    """The array itself, or that of a file."""
    return array.open() if isinstance(array, ArrayFile) else array


def between(numbers: Any, scores: Any, low: int, high: int) -> tuple[Any, Any]:
    """The part of a sorted group from one number to below another, copied; no file stays open for it."""
    numbers, scores = opened(numbers), opened(scores)
    span = slice(*np.searchsorted(numbers, (low, high)))
    found = numbers[span].copy(), scores[span].copy()
    release(numbers, scores)
    return found


def is_sorted(numbers: Any) -> bool:
    """Is each number larger than the one before?"""
    numbers = opened(numbers)
    for low in range(0, len(numbers), LOOKED_AT):
        if not in_sequence(numbers[low : low + LOOKED_AT + 1]):
            return False
        release(numbers)
    return True


def blocks_by_number(parts: Iterable[tuple[Any, Any]], code_bytes: int) -> Iterator[tuple[int, bytes]]:
    """(first number, bytes) of every block, from numbers and codes in order."""
    numbers, values = np.zeros(0, np.int64), np.zeros(0, np.uint16)
    for more_numbers, more_values in parts:
        if len(numbers):
            numbers, values = np.concatenate([numbers, more_numbers]), np.concatenate([values, more_values])
        else:
            numbers, values = more_numbers, more_values
        whole = len(numbers) // BLOCK * BLOCK
        for at in range(0, whole, BLOCK):
            yield int(numbers[at]), pack_block(numbers[at : at + BLOCK], values[at : at + BLOCK], code_bytes)
        numbers, values = numbers[whole:], values[whole:]
    if len(numbers):
        yield int(numbers[0]), pack_block(numbers, values, code_bytes)


def dense_parts(solved: Solved, codes: Codes, memory: int, size: int) -> Iterator[tuple[int, Any]]:
    """(first number, codes) of neighbouring numbers, whole dense blocks at a time."""
    step = max(DENSE_BLOCK, memory // 16 // DENSE_BLOCK * DENSE_BLOCK)
    in_turn = [step < size and is_sorted(numbers) for numbers, _ in solved]
    for low in range(0, size, step):
        part = np.zeros(min(step, size - low), np.uint16)
        for (numbers, scores), sorted_already in zip(solved, in_turn, strict=True):
            if sorted_already:
                some, found = between(numbers, scores, low, low + step)
            else:
                some, found = opened(numbers), opened(scores)
                if step < size:
                    here = (some >= low) & (some < low + step)
                    some, found = some[here], found[here]
            part[some - low] = codes.of_scores(found)
            release(some, found)
        yield low, part


def dense_blocks(parts: Iterable[tuple[int, Any]], code_bytes: int) -> Iterator[tuple[int, bytes]]:
    """(first number, bytes) of every block of a dense file."""
    for low, part in parts:
        for at in range(0, len(part), DENSE_BLOCK):
            yield low + at, pack_codes(part[at : at + DENSE_BLOCK], code_bytes)


def only_used(parts: Iterable[tuple[int, Any]]) -> Iterator[tuple[Any, Any]]:
    """Numbers and codes of those neighbouring numbers that have one."""
    for low, part in parts:
        used = np.flatnonzero(part)
        yield low + used, part[used]


def require_replaceable(path: Path, game: Game) -> None:
    """Raises where a file is there that is not a database of the same rules: it is not written over."""
    if not path.exists() or path.stat().st_size == 0:
        return
    with open(path, "rb") as stream:
        head = stream.read(PRELUDE.size)
        length = PRELUDE.unpack(head)[2] if len(head) == PRELUDE.size else 0
        head += stream.read(min(length, MOST_HEADER))
    if not head.startswith(MAGIC):
        raise ZermeloError(f"{path} is there already and no database of Zermelo: remove it, or name another file.")
    with suppress(DamagedError, ValueError):  # nothing can be read from such a file any more
        header, _ = read_header(head, str(path))
        if header.rules != rules_hash(game, header.numbering.symmetric):
            raise ZermeloError(f"{path} is there already, made for {header.game} with other rules: remove it, or name another file.")


def write_database(path: Path, header: Header, solved: Solved, codes: Codes, memory: int) -> Header:
    """Writes the file; `header` comes without what is found here: form, blocks and the table's checksum."""
    dense, header = shaped(header)
    if dense:
        return write_blocks(path, header, dense_blocks(dense_parts(solved, codes, memory, header.numbering.size), header.code_bytes))
    return write_blocks(path, header, blocks_by_number(in_order(solved, codes, memory), header.code_bytes))


def write_array(path: Path, header: Header, parts: Iterable[tuple[int, Any]]) -> Header:
    """The same from the codes of all numbers, whole dense blocks of them at a time; 0: no position."""
    dense, header = shaped(header)
    return write_blocks(
        path, header, dense_blocks(parts, header.code_bytes) if dense else blocks_by_number(only_used(parts), header.code_bytes)
    )


def shaped(header: Header) -> tuple[bool, Header]:
    """Whether the file is dense, and the header with its form and blocks."""
    dense = is_dense(header.numbering, header.count)
    block = DENSE_BLOCK if dense else BLOCK
    positions = header.numbering.size if dense else header.count
    return dense, replace(header, form=DENSE if dense else BY_NUMBER, block=block, blocks=-(-positions // block), table=0)


def write_blocks(path: Path, header: Header, parts: Iterator[tuple[int, bytes]]) -> Header:
    """Writes header, table and blocks."""
    compress = compressor().ZstdCompressor(level=LEVEL).compress if header.compression == "zstd" else bytes
    aside = path.with_name(f".{path.name}.{os.getpid()}.new")
    table = np.zeros(header.blocks, RECORD)
    try:
        with open(aside, "wb") as stream:
            stream.write(write_header(header))
            stream.write(table.tobytes())
            for at, (first, data) in enumerate(parts):
                packed = compress(data)
                table[at] = first, stream.tell(), len(packed), zlib.crc32(packed)
                stream.write(packed)
            header = replace(header, table=zlib.crc32(table.tobytes()))
            stream.seek(0)
            stream.write(write_header(header))
            stream.write(table.tobytes())
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(aside, path)
        sync_folder(path.absolute().parent)
    finally:
        aside.unlink(missing_ok=True)
    return header
