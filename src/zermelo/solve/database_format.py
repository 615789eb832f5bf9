"""The file of a database, byte by byte. `docs/reference/databases.md` says the same in words.

    prelude   24 bytes: MAGIC, format version (u32), length of the header (u32), checksum of both together (u32), 4 bytes of 0
    header    JSON in UTF-8, filled up with spaces to a multiple of 4,096 bytes less the prelude
    table     one RECORD a block
    blocks    each compressed by itself

Whole numbers are little-endian; a checksum is the CRC-32 of the bytes as they lie in the file. A block holds `block` positions one after
the other, the last one fewer:

    by number   width (u8), then the differences of successive numbers (0 for the first), `width` bytes each, then the codes;
                all first bytes come first, then all second bytes, and so on
    dense       the codes alone, of consecutive numbers; code 0: not in the database

A code says value and distance: it counts the header's list of scores, from 1.
"""

import json
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.scores import unpack
from zermelo.solve.number_sets_kernel import pack_numbers, unpack_numbers
from zermelo.solve.numbering import Numbering
from zermelo.solve.retrograde_kernel import ENDLESS, TIE

__all__ = [
    "BY_NUMBER",
    "DENSE",
    "PRELUDE",
    "RECORD",
    "DamagedError",
    "Entry",
    "Header",
    "compressor",
    "entry_of",
    "pack_block",
    "pack_codes",
    "read_header",
    "unpack_block",
    "unpack_codes",
    "write_header",
]

MAGIC = b"ZERMELO\n"
VERSION = 2
PRELUDE = struct.Struct("<8sIII4x")
RECORD = np.dtype([("first", "<i8"), ("offset", "<u8"), ("length", "<u4"), ("checksum", "<u4")])
ALIGNED = 4096
BY_NUMBER, DENSE = "by number", "dense"
LEVEL = 3  # of zstd
MOST_HEADER = 1 << 24


class DamagedError(ZermeloError):
    """A file that is cut, changed, or not a database."""


@dataclass(frozen=True)
class Entry:
    """What a database knows about a position."""

    value: Any  # Max's payoff
    distance: int | None  # actions to the end; None where nobody wins
    kind: str  # "win" (of Max), "loss", "tie" (an end at the value of a draw) or "draw" (play without end)


@dataclass(frozen=True)
class Header:
    """What a database says about itself."""

    game: str  # as the command line names it
    rules: str  # hash of the rules
    content: str  # "solution": every position that can be reached from the root; "book": some
    numbering: Numbering
    root: int  # the number of the first position
    count: int  # positions
    scores: tuple[Entry, ...]  # [code - 1], in the order in which Max likes them
    counts: tuple[int, ...]  # [code - 1] positions with it
    form: str  # BY_NUMBER or DENSE
    block: int  # positions a block
    blocks: int
    compression: str  # "zstd" or "none"
    table: int  # checksum of the table

    @property
    def code_bytes(self) -> int:
        """Of one code."""
        return 1 if len(self.scores) < 256 else 2

    def to_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "rules": self.rules,
            "content": self.content,
            "numbering": self.numbering.to_dict(),
            "root": self.root,
            "count": self.count,
            "scores": [[entry.value, entry.distance, entry.kind] for entry in self.scores],
            "counts": list(self.counts),
            "form": self.form,
            "block": self.block,
            "blocks": self.blocks,
            "compression": self.compression,
            "table": f"{self.table:08x}",
        }


def entry_of(score: int, draw: Any) -> Entry:
    """What a packed score means."""
    if score in (TIE, ENDLESS):
        return Entry(tidy(draw), None, "tie" if score == TIE else "draw")
    found = unpack(score, draw)
    return Entry(tidy(found.value), found.distance(), "win" if score > 0 else "loss")


def tidy(payoff: Any) -> Any:
    """The same number, written as a whole one where it is whole."""
    return int(payoff) if float(payoff).is_integer() else payoff


def write_header(header: Header) -> bytes:
    """Prelude and header; their length depends on everything but the table's checksum."""
    text = json.dumps(header.to_dict(), separators=(",", ":")).encode()
    text += b" " * (-(len(text) + PRELUDE.size) % ALIGNED)
    checksum = zlib.crc32(text, zlib.crc32(MAGIC + struct.pack("<II", VERSION, len(text))))
    return PRELUDE.pack(MAGIC, VERSION, len(text), checksum) + text


def read_header(data: Any, name: str) -> tuple[Header, int]:
    """The header at the beginning of a file, and where the table begins. Raises `DamagedError`."""
    if len(data) < PRELUDE.size or bytes(data[: len(MAGIC)]) != MAGIC:
        raise DamagedError(f"{name} is not a database of Zermelo: its first bytes are others.")
    _, version, length, checksum = PRELUDE.unpack_from(data)
    if version != VERSION:
        raise DamagedError(f"{name} has format version {version}, this program reads {VERSION}: solve the game again with `all=True`.")
    text = bytes(data[PRELUDE.size : PRELUDE.size + length]) if length <= MOST_HEADER else b""
    if len(text) != length or zlib.crc32(text, zlib.crc32(MAGIC + struct.pack("<II", version, length))) != checksum:
        raise DamagedError(f"{name} is damaged in its header: solve the game again with `all=True`.")
    fields = json.loads(text)
    scores = tuple(Entry(*score) for score in fields["scores"])
    numbering = Numbering.from_dict(fields["numbering"])
    table = int(fields["table"], 16)
    return Header(
        **fields | {"numbering": numbering, "scores": scores, "counts": tuple(fields["counts"]), "table": table}
    ), PRELUDE.size + length


# --- blocks


def compressor() -> Any:
    """The module zstandard, or one sentence."""
    try:
        import zstandard
    except ImportError:
        raise ZermeloError("Databases are compressed with the package zstandard: install zermelo[database].") from None
    return zstandard


def planes(array: Any, width: int) -> bytes:
    """The lowest `width` bytes of whole numbers: all first bytes, all second bytes, …"""
    bytes_of = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).view(np.uint8).reshape(len(array), -1)
    return np.ascontiguousarray(bytes_of[:, :width].T).tobytes()


def from_planes(data: Any, count: int, width: int, kind: Any) -> Any:
    """The inverse of `planes`."""
    if width == 1:
        return data[:count].astype(kind)
    whole = np.zeros((count, np.dtype(kind).itemsize), np.uint8)
    whole[:, :width] = data[: width * count].reshape(width, count).T
    return whole.view(np.dtype(kind).newbyteorder("<")).ravel().astype(kind, copy=False)


def pack_codes(codes: Any, code_bytes: int) -> bytes:
    """The block of consecutive numbers with these codes."""
    return planes(codes.astype(np.uint16), code_bytes)


def unpack_codes(data: Any, count: int, code_bytes: int) -> Any:
    """The codes of such a block."""
    return from_planes(data, count, code_bytes, np.uint16)


def pack_block(numbers: Any, codes: Any, code_bytes: int) -> bytes:
    """The block of these sorted numbers and their codes."""
    out = np.empty(1 + (8 + code_bytes) * len(numbers), np.uint8)
    return out[: pack_numbers(numbers, codes, code_bytes, out)].tobytes()


def unpack_block(data: Any, first: int, count: int, code_bytes: int) -> tuple[Any, Any]:
    """Numbers and codes of such a block."""
    if len(data) != 1 + (int(data[0]) + code_bytes) * count:
        raise DamagedError("A block has not as many positions as its database says: solve the game again with `all=True`.")
    numbers, codes = np.empty(count, np.int64), np.empty(count, np.uint16)
    unpack_numbers(data, first, code_bytes, numbers, codes)
    return numbers, codes
