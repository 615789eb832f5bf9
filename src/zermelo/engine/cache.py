"""The compile cache: one private folder an entry, named by a hash of everything that its contents depend on.

    $ZERMELO_CACHE, or zermelo/ in the user's cache folder     mode 0700
        ConnectFour-alphabeta-3f9c…/
            module.py          the generated module
            verdict.json       of the self-check, where the entry is the self-check's
            *.code             compiled functions, each with the hash of its contents

An entry is written aside and put in place by one rename, so that processes that fill the cache at once do not disturb each other. A
damaged entry is removed and made again. A cache that cannot be written is used as it is; where there is none, code is compiled for this
process alone.
"""

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import stat
import sys
import tempfile
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["Entry", "cache_folder", "fingerprint", "load_module", "open_entry"]

MODULE_FILE = "module.py"

loading = threading.RLock()


def cache_folder() -> Path:
    """Where entries are kept."""
    chosen = os.environ.get("ZERMELO_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zermelo"


def fingerprint(*parts: str) -> str:
    """A hash of texts, different whenever one of them is."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:24]


class Entry:
    """A folder of the cache; `folder` is None where nothing can be kept on disk, and `note` then says why."""

    def __init__(self, name: str, text: str, folder: Path | None, note: str | None = None) -> None:
        self.name, self.text, self.folder, self.note = name, text, folder, note

    def read(self, file: str) -> str | None:
        """The text of a file in the entry, None where there is none."""
        if self.folder is None:
            return None
        try:
            return (self.folder / file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def write(self, file: str, text: str) -> None:
        """Write a file in one step; a folder that cannot be written is done without."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError):
            handle, name = tempfile.mkstemp(dir=self.folder, prefix=".new-")
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(name, self.folder / file)


def open_entry(game: str, family: str, text: str, digest: str) -> Entry:
    """The entry of a generated module, made where it is not there."""
    name = re.sub("[^A-Za-z0-9]", "_", f"zermelo_{game}_{family}_{digest}")
    root = cache_folder()
    folder = root / name
    try:
        make_private(root)
        if folder.is_dir() and not holds(folder, text):
            shutil.rmtree(folder)  # damaged
        if not folder.is_dir():
            put_in_place(folder, text)
    except OSError as error:
        if not holds(folder, text):
            reason = error.strerror or str(error)
            return Entry(name, text, None, f"The compile cache {root} cannot be used ({reason}): compiled for this process alone.")
    return Entry(name, text, folder)


def make_private(root: Path) -> None:
    """Make the cache folder; nobody else may write into it, because what lies in it is run."""
    if not root.is_dir():
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        return
    status = root.stat()
    if hasattr(os, "getuid") and status.st_uid not in (os.getuid(), 0):
        raise PermissionError(0, "it belongs to another user")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        root.chmod(0o700)


def holds(folder: Path, text: str) -> bool:
    """Is this folder the entry of this text?"""
    try:
        return (folder / MODULE_FILE).read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False


def put_in_place(folder: Path, text: str) -> None:
    """Write an entry aside and rename it; where another process was first, its entry stands."""
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new-"))  # mode 0700
    try:
        (fresh / MODULE_FILE).write_text(text, encoding="utf-8")
        os.rename(fresh, folder)
    except OSError:
        shutil.rmtree(fresh, ignore_errors=True)
        if not holds(folder, text):
            raise


def load_module(entry: Entry) -> Any:
    """The entry's module, imported under the entry's name; one thread at a time, because a module is not ready before its end."""
    with loading:
        return sys.modules[entry.name] if entry.name in sys.modules else import_module(entry)


def import_module(entry: Entry) -> ModuleType:
    """Run the entry's text, not the file: nobody can have changed it."""
    file = str(entry.folder / MODULE_FILE) if entry.folder is not None else f"<{entry.name}>"
    specification = importlib.util.spec_from_loader(entry.name, loader=None, origin=file)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    module.__dict__.update(__file__=file, CODE_FOLDER=entry.folder)
    sys.modules[entry.name] = module
    try:
        exec(compile(entry.text, file, "exec", dont_inherit=True), module.__dict__)
    except BaseException:
        del sys.modules[entry.name]
        raise
    return module
