"""One solve a work folder: a file in it is locked as long as a solve is at work there, and the system unlocks it when the process ends.

The lock belongs to this process alone: not to workers that it starts, and not to another process that has its number in another
container. Where a file system knows no locks, nothing is locked.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path

from zermelo.errors import ZermeloError

__all__ = ["LOCK", "Lock", "is_abandoned"]

LOCK = "lock"
PLACE = 1 << 20  # of the byte that is locked: behind the process number, which others may read
HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)

held_here: set[str] = set()  # by this process, which the system lets lock a file twice


def lock_byte(handle: int) -> None:
    """Locks the file, or raises `OSError` at once."""
    if os.name == "nt":
        import msvcrt

        os.lseek(handle, PLACE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        import fcntl

        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, PLACE)


class Lock:
    """The lock of a work folder, from now until `release`."""

    def __init__(self, folder: Path) -> None:
        """Raises `ZermeloError` where another solve is at work."""
        self.path, self.key = folder / LOCK, os.path.realpath(folder)
        if self.key in held_here:
            raise at_work(folder, os.getpid())
        while True:
            self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                lock_byte(self.handle)
            except OSError as error:
                if error.errno in HELD:
                    owner = os.pread(self.handle, 20, 0) if hasattr(os, "pread") else b""
                    os.close(self.handle)
                    raise at_work(folder, int(owner) if owner.isdigit() else None) from None
            if self.is_in_place():
                break
            os.close(self.handle)  # its holder has removed it meanwhile
        self.held = True
        held_here.add(self.key)
        os.ftruncate(self.handle, 0)
        os.lseek(self.handle, 0, os.SEEK_SET)
        os.write(self.handle, str(os.getpid()).encode())

    def is_in_place(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self.handle), os.stat(self.path))
        except FileNotFoundError:
            return False

    def release(self, remove: bool = False) -> None:
        """Others may work here; `remove`: and the file goes."""
        if not self.held:
            return
        self.held = False
        if remove and os.name != "nt":  # while it is locked, so that nobody else removes that of the next one
            self.path.unlink(missing_ok=True)
        os.close(self.handle)
        held_here.discard(self.key)
        if remove and os.name == "nt":
            with suppress(OSError):
                self.path.unlink()


def at_work(folder: Path, process: int | None) -> ZermeloError:
    who = "Another solve" if process is None else f"Another solve (process {process})"
    return ZermeloError(f"{who} is at work in {folder}: wait until it has ended, or name another file.")


def is_abandoned(folder: Path) -> bool:
    """Was this folder locked once, and is its process gone?"""
    if not (folder / LOCK).exists():
        return False
    try:
        Lock(folder).release()
    except (OSError, ZermeloError):
        return False
    return True
