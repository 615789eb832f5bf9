"""A transposition table that outlives one search: kept between moves and between games of one run, saved to a file and loaded again.

The table lies at the end of the array that a compiled search works in, because a kernel takes one array. What is in front of it (heads and
stacks of threads) belongs to the search of the moment and is laid out anew by each.

A file is one line of JSON that says whose table it is, then the words of the table. It is written beside the old one and takes its place
in one step, so that a full disk or a killed process leaves the old file as it was.
"""

import contextlib
import hashlib
import json
import mmap
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError, from_json

__all__ = ["Table"]

MAGIC = "zermelo table"
FORMAT = 1
LONGEST_HEADER = 1 << 16  # bytes
HUGE_PAGES = 1 << 21  # words from which on it matters how large the system's pages are
COLLAPSE = 25  # what Linux calls MADV_COLLAPSE, which Python has no name for
LINE = 8  # words: entries begin where a line of the processor's cache does


left_over: dict[tuple[int, int], Any] = {}  # by words and how many are in small pages: the latest array that was given back


class Table:
    """`entries` entries of `width` words each, for one game under one set of rules (`owner`), made by one kind of search (`kind`)."""

    def __init__(
        self,
        game: str,
        owner: str,
        kind: str,
        width: int,
        entries: int,
        *,
        shapes: Mapping[str, tuple[int, int]] | None = None,  # by kind, (width, entries): what else it may become when it is loaded
        front: int = 0,  # words in front of it, from the beginning
        touched: int = 0,  # bytes of it that are used in every case; with these, words in front may hold anything at first
        huge_pages: bool = False,  # for what lies behind these
    ) -> None:
        self.game, self.owner, self.kind, self.width, self.entries = game, owner, kind, width, entries
        self.generation = 0  # counts the searches that have used it
        self.start = front + -front % LINE  # where the table begins in the array
        self.used = False  # may there be anything in it?
        self.shapes = shapes or {}
        self.touched, self.huge_pages = touched // 8, huge_pages
        self.small_pages = False  # is all of it in small pages, until `enlarge_pages`?
        self.work: Any = left_over.pop(self.measures(self.start), None) if touched else None
        if self.work is None:
            self.work = self.allocated(self.start)

    def remake(self, kind: str, width: int, entries: int) -> None:
        """An empty table of another kind in the place of this one."""
        self.kind, self.width, self.entries = kind, width, entries
        self.used = False
        self.work = self.allocated(self.start)

    @property
    def bytes(self) -> int:
        """What its entries take."""
        return 8 * self.entries * self.width

    def begin_again(self, fresh: "Table") -> None:
        """Becomes an empty table like this one: where rules were compiled anew with more room, states are laid out in another way."""
        vars(self).update(vars(fresh))

    def allocated(self, front: int) -> Any:
        """Room for the table with so many words in front of it."""
        self.small_pages = not self.huge_pages
        return allocated(*self.measures(front))

    def measures(self, front: int) -> tuple[int, int]:
        """The words of the array, and how many of them lie in small pages."""
        words = front + self.entries * self.width
        return words, min(words, front + self.touched) if self.huge_pages else words

    def give_back(self) -> None:
        """Leaves the array to another search, which then need not wait for the system to clear memory. The table must be empty, and never
        have been used beyond what is `touched` in every case; nobody may use it any more."""
        left_over.clear()
        left_over[self.measures(self.start)] = self.work

    @property
    def words(self) -> Any:
        """The table's own part of the array."""
        self.used = True
        return self.work[self.start : self.start + self.entries * self.width]

    def records(self, kind: Any) -> Any:
        """The table's own part of the array as records."""
        return self.words.view(kind.dtype)

    def make_room(self, front: int) -> None:
        """Sees to it that there are so many words in front of the table; what is in the table stays."""
        if self.start >= front:
            return
        front += -front % LINE
        work = self.allocated(front)
        if self.used:
            work[front:] = self.words
        self.work, self.start = work, front

    def enlarge_pages(self) -> None:
        """Lays an array that began in small pages into large ones: a search that goes on no longer waits for memory at each new entry."""
        memory = getattr(self.work.base, "obj", None)
        if self.small_pages and isinstance(memory, mmap.mmap):
            with contextlib.suppress(OSError, AttributeError):  # a system that cannot
                memory.madvise(mmap.MADV_HUGEPAGE)
                memory.madvise(COLLAPSE)
        self.small_pages = False

    def next_generation(self) -> int:
        """A number for the entries of the search that begins now; after 255 searches numbers return, which costs nothing but age."""
        self.used = True
        self.generation = self.generation % 255 + 1
        return self.generation

    # --- files

    def save(self, path: Path | str) -> None:
        """Writes the table to a file, in one step."""
        path = Path(path)
        words = np.ascontiguousarray(self.words)
        header = {
            "zermelo": MAGIC,
            "format": FORMAT,
            "game": self.game,
            "rules": self.owner,
            "search": self.kind,
            "width": self.width,
            "entries": self.entries,
            "generation": self.generation,
            "sha256": hashlib.sha256(words.data).hexdigest(),
        }
        name = None
        try:
            handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=f".{path.name}.")
            with os.fdopen(handle, "wb") as file:
                file.write(json.dumps(header).encode() + b"\n")
                file.write(words.data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
            flush_folder(path.absolute().parent)
        except OSError as error:
            if name is not None:
                with contextlib.suppress(OSError):
                    os.unlink(name)
            raise ZermeloError(f"The table cannot be written to {path}: {error.strerror or error}; the old file is as it was.") from error

    def load(self, path: Path | str) -> None:
        """Takes over what a file holds. Raises, and takes nothing, where it is the table of another game, search, version or size."""
        path = Path(path)
        try:
            with path.open("rb") as file:
                header = read_header(file.readline(LONGEST_HEADER), path)
                if header["search"] in self.shapes and (header["game"], header["rules"]) == (self.game, self.owner):
                    self.remake(header["search"], *self.shapes[header["search"]])
                self.require_same(header, path)
                content = file.read(self.entries * self.width * 8 + 1)
        except OSError as error:
            raise ZermeloError(f"The table {path} cannot be read: {error.strerror or error}.") from error
        if len(content) != self.entries * self.width * 8 or hashlib.sha256(content).hexdigest() != header["sha256"]:
            raise ZermeloError(f"The table {path} is damaged or cut short: remove it, and a new one will be made.")
        self.words[:] = np.frombuffer(content, np.int64)
        self.generation = header["generation"]

    def require_same(self, header: dict[str, Any], path: Path) -> None:
        """Raises where a file's header is not that of a table like this one."""
        if header["game"] != self.game:
            raise ZermeloError(f"The table {path} belongs to {header['game']}, not to {self.game}: give another file.")
        if (header["format"], header["rules"], header["search"]) != (FORMAT, self.owner, self.kind):
            raise ZermeloError(
                f"The table {path} was made by another version of the rules or of the search, or with other switches: give another file."
            )
        if (header["width"], header["entries"]) != (self.width, self.entries):
            size = header["entries"] * header["width"] * 8
            raise ZermeloError(f"The table {path} has {size:,} bytes, not {self.entries * self.width * 8:,}: ask for as much memory.")


def allocated(words: int, small: int) -> Any:
    """An array of zeros; the system gives the memory when it is first used: so many words in small pages, what follows in large ones."""
    try:
        return in_pages(words, small) if words >= HUGE_PAGES else np.zeros(words, np.int64)
    except (MemoryError, ValueError, OSError, OverflowError):
        raise ZermeloError(f"There is no room for a table of {8 * words:,} bytes: ask for less memory.") from None


def in_pages(words: int, small: int) -> Any:
    """An array of zeros: so many words in small pages, so that a search that needs little of it does not wait for the system to clear much
    more, and the others in pages of megabytes, so that the processor finds its way to any entry at once."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(words, np.int64)
    memory = mmap.mmap(-1, 8 * words, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    behind = min(8 * small + -8 * small % mmap.PAGESIZE, 8 * words)
    with contextlib.suppress(OSError):  # a system that was built without them
        if behind:
            memory.madvise(mmap.MADV_NOHUGEPAGE, 0, behind)
        if behind < 8 * words:
            memory.madvise(mmap.MADV_HUGEPAGE, behind, 8 * words - behind)
    return np.frombuffer(memory, np.int64)


def read_header(line: bytes, path: Path) -> dict[str, Any]:
    """The header of a file, if it is one."""
    kinds = {"format": int, "game": str, "rules": str, "search": str, "width": int, "entries": int, "generation": int, "sha256": str}
    try:
        header = from_json(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("zermelo") != MAGIC:
        raise ZermeloError(f"{path} is not a table of Zermelo's: give another file.")
    if any(type(header.get(name)) is not kind for name, kind in kinds.items()) or not 0 <= header["generation"] < 256:
        raise ZermeloError(f"The table {path} is damaged or cut short: remove it, and a new one will be made.")
    return header


def flush_folder(folder: Path) -> None:
    """Makes the new name of a file last, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
