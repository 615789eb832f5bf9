"""The folder of a solve that is under way: files, and a journal of what is finished, so that work goes on after any interruption.

    lock             see `zermelo.solve.locking`
    journal          one line a finished piece: its name, its files with length and checksum, what else is to be remembered
    *.numbers        int64, numbers of positions
    *.scores         int32, packed scores
    *.codes, *.words  uint8 and uint16, a code for each number of the game

A file is written aside and renamed. Nothing is believed that the journal does not name or whose checksum differs: that piece is made again.
"""

import json
import mmap
import os
import time
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.solve.locking import LOCK, Lock

__all__ = ["ArrayFile", "FileNote", "Folder", "LostError", "Writer", "read_array", "release", "save_array", "sync_folder"]

JOURNAL = "journal"
ASIDE = ".new-"  # what names of files in the making begin with; the process that makes them comes next
KINDS: dict[str, Any] = {
    ".numbers": np.int64,
    ".scores": np.int32,
    ".edges": np.int32,
    ".movers": np.int8,
    ".counts": np.int64,
    ".ties": np.int8,
    ".codes": np.uint8,
    ".words": np.uint16,
}
ROOM = ".room"  # arrays that last no longer than a step
SYNC = 1.0  # seconds between two times that the journal is forced to disk, against a loss of power
PAGE = 1 << 12  # bytes
STEP = 1 << 24  # bytes that are checked or copied at a time


@dataclass(frozen=True)
class FileNote:
    """A finished file: its name in the folder, its length in items, the checksum of its bytes."""

    name: str
    count: int
    checksum: int


class LostError(Exception):
    """A finished piece is no longer there, or damaged; `piece` must be made again."""

    def __init__(self, piece: str) -> None:
        self.piece = piece
        super().__init__(piece)


class Writer:
    """A file of the folder in the making: arrays are appended; `close` puts it in its place."""

    def __init__(self, folder: str | Path, name: str) -> None:
        self.path, self.name = Path(folder) / name, name
        self.aside = self.path.with_name(f"{ASIDE}{os.getpid()}-{id(self)}-{name}")
        self.kind = KINDS[self.path.suffix]
        self.count, self.checksum = 0, 0
        self.stream = open(self.aside, "wb")  # noqa: SIM115 - closed by `close`

    def append(self, array: Any) -> None:
        data: Any = np.ascontiguousarray(array, self.kind)
        view = data.view(np.uint8)
        try:
            self.put(view)
        except BaseException:
            self.abandon()
            raise
        self.checksum = zlib.crc32(view, self.checksum)
        self.count += len(data)

    def put(self, view: Any) -> None:
        self.stream.write(view)

    def abandon(self) -> None:
        """There will be no such file."""
        self.stream.close()
        self.aside.unlink(missing_ok=True)

    def close(self) -> FileNote:
        self.stream.close()
        os.replace(self.aside, self.path)
        return FileNote(self.name, self.count, self.checksum)


def save_array(folder: str | Path, name: str, array: Any) -> FileNote:
    """One array as a file of the folder."""
    writer = Writer(folder, name)
    writer.append(array)
    return writer.close()


def read_array(folder: str | Path, name: str) -> Any:
    """A file of the folder, mapped into memory; what is written to the array never reaches the file.

    A map takes at least a page of memory and keeps the file open, so a file that is no longer is read instead.
    """
    path = Path(folder) / name
    kind = KINDS[path.suffix]
    return np.asarray(np.memmap(path, kind, "c")) if path.stat().st_size > PAGE else np.fromfile(path, kind)


@dataclass(frozen=True)
class ArrayFile:
    """A file of the folder that is open only while it is read: a system allows few open files, and a solve may have very many."""

    folder: str | Path
    name: str

    def open(self) -> Any:
        """The whole array, mapped; the file is open as long as it lives."""
        return read_array(self.folder, self.name)

    def __len__(self) -> int:
        path = Path(self.folder) / self.name
        return path.stat().st_size // int(np.dtype(KINDS[path.suffix]).itemsize)

    def __getitem__(self, span: slice) -> Any:
        return self.open()[span].copy()


def release(*arrays: Any) -> None:
    """Gives the memory of mapped files back, where the system can; what is wanted again is read again.

    What was written is lost, unless the array is mapped to be written to its file.
    """
    for array in arrays:
        whole = array
        while isinstance(whole, np.ndarray) and whole.base is not None:
            whole = whole.base
        if isinstance(whole, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            whole.madvise(mmap.MADV_DONTNEED)


def is_dead(process: int) -> bool:
    """Has a process of this machine ended for sure?"""
    if os.name != "posix":
        return False  # where there is no way to ask
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


def is_own(file: Path) -> bool:
    """Is this the name of a file that the solver makes in its folder?"""
    return file.name in (JOURNAL, LOCK) or file.name.startswith(ASIDE) or file.suffix in (*KINDS, ROOM)


def require_own(path: Path) -> None:
    """Raises where something is there that is no work folder: nothing of it is touched."""
    if path.exists() and not (path.is_dir() and is_begun(path)):
        raise ZermeloError(f"The work would be done in {path}, which is there and something else: rename that, or name another file.")


def is_begun(path: Path) -> bool:
    """Has a solve begun to work in this folder, or is it empty? The first that is made in it is a line of the journal."""
    names = {file.name for file in path.iterdir()}
    if JOURNAL in names:
        with open(path / JOURNAL, "rb") as stream:
            line = stream.readline()
        if line.endswith(b"\n"):
            return is_whole(line)
    return names <= {JOURNAL, LOCK}


def lock_in(path: Path) -> Lock:
    """Makes the folder where there is none, and locks it."""
    while True:
        path.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # another process has just removed it
            return Lock(path)


def is_whole(line: bytes) -> bool:
    """Is a line of a journal as it was written?"""
    return line.endswith(b"\n") and line[:8] == f"{zlib.crc32(line[9:-1]):08x}".encode()


def sync_folder(path: Path) -> None:
    """Makes renames in a folder last, where the system can."""
    if os.name == "posix":
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class Folder:
    """The work folder, and what its journal says. It is locked until `close`."""

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        """Opens the folder, or makes it; one that belongs to another solve, or to somebody else, is refused."""
        self.path = path
        self.pieces: dict[str, tuple[tuple[FileNote, ...], Any]] = {}
        self.makers: dict[str, tuple[str, FileNote]] = {}  # file → the piece that made it
        self.synced = 0.0
        self.journal: Any = None
        self.trusted: set[str] = set()  # files whose checksums have been looked at, or that were made just now
        require_own(path)
        self.lock = lock_in(path)
        try:
            for left in path.glob(f"{ASIDE}*"):
                if is_dead(int(left.name.removeprefix(ASIDE).split("-")[0])):
                    left.unlink(missing_ok=True)
            for line in self.lines():
                self.take(line)
            if self.pieces.get("identity", ((), identity))[1] != identity:
                raise ZermeloError(
                    f"{path} holds unfinished work for other rules or options: remove that folder, or finish that work first."
                )
            self.journal = open(path / JOURNAL, "ab")  # noqa: SIM115 - closed by `close`
            if "identity" not in self.pieces:
                self.finish("identity", facts=identity)
        except BaseException:
            self.close()
            raise

    def lines(self) -> list[dict[str, Any]]:
        """The journal; it ends at the first line that is not whole, and that is cut off."""
        journal = self.path / JOURNAL
        if not journal.exists():
            return []
        good, found = 0, []
        for raw in journal.read_bytes().splitlines(keepends=True):
            if not is_whole(raw):
                break
            found.append(json.loads(raw[9:]))
            good += len(raw)
        if good != journal.stat().st_size:
            os.truncate(journal, good)
        return found

    def take(self, line: dict[str, Any]) -> None:
        if line.get("forgotten"):
            self.pieces.pop(line["piece"], None)
        else:
            self.pieces[line["piece"]] = tuple(FileNote(*note) for note in line["files"]), line["facts"]
            self.makers.update({note.name: (line["piece"], note) for note in self.pieces[line["piece"]][0]})

    def write(self, line: dict[str, Any]) -> None:
        text = json.dumps(line, separators=(",", ":")).encode()
        self.journal.write(f"{zlib.crc32(text):08x} ".encode() + text + b"\n")
        self.journal.flush()  # from here on it survives the end of this process
        now = time.monotonic()
        if now - self.synced > SYNC:
            self.synced = now
            os.fsync(self.journal.fileno())

    def finish(self, piece: str, files: tuple[FileNote, ...] = (), facts: Any = None) -> Any:
        """Notes that a piece is finished; gives its facts."""
        self.write({"piece": piece, "files": [[note.name, note.count, note.checksum] for note in files], "facts": facts})
        self.pieces[piece] = files, facts
        self.makers.update({note.name: (piece, note) for note in files})
        self.trusted.update(note.name for note in files)
        return facts

    def forget(self, piece: str) -> None:
        """The piece must be made again."""
        self.pieces.pop(piece, None)
        self.write({"piece": piece, "forgotten": True})

    def facts(self, piece: str) -> Any:
        """What was noted with a finished piece; None where it is not finished."""
        return self.pieces[piece][1] if piece in self.pieces else None

    def has(self, piece: str) -> bool:
        """Is a piece finished, and are its files there as they were? If not, it is forgotten."""
        if piece not in self.pieces:
            return False
        if all(self.intact(note) for note in self.pieces[piece][0]):
            return True
        self.forget(piece)
        return False

    def intact(self, note: FileNote) -> bool:
        path = self.path / note.name
        if note.name in self.trusted:
            return path.exists()
        try:
            if path.stat().st_size != note.count * np.dtype(KINDS[path.suffix]).itemsize:
                return False
            checksum = 0
            with open(path, "rb") as stream:
                while part := stream.read(STEP):
                    checksum = zlib.crc32(part, checksum)
        except OSError:
            return False
        if checksum == note.checksum:
            self.trusted.add(note.name)
        return checksum == note.checksum

    def remove(self, names: list[str]) -> None:
        """Files that are not needed any more."""
        for name in names:
            (self.path / name).unlink(missing_ok=True)

    def close(self) -> None:
        """The work may go on elsewhere."""
        if self.journal is not None:
            self.journal.close()
        self.lock.release()

    def clear(self) -> None:
        """Removes all that the solver has made; the folder goes with it, unless somebody has put something else there."""
        self.journal.close()
        for file in self.path.iterdir():
            if is_own(file) and file.name != LOCK:
                file.unlink()
        self.lock.release(remove=True)
        with suppress(OSError):
            self.path.rmdir()
