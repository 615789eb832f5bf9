"""A game in a file of the user's: loaded as a module of its own, so that its source can be read again by the specialiser.

    /games/mine.py  ⇄  the module zermelo.registry.rules_file./games/mine%2Epy

The module's name tells the file, and importing a module of such a name loads it. So games, states and classes of the file can be pickled,
and a process that has never heard of the file finds it: a spawned one, or one on another machine that sees the file at the same path.
"""

import importlib
import linecache
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import CodeType, ModuleType
from urllib.parse import quote, unquote_to_bytes

from zermelo.errors import RulesError, ZermeloError, nearest
from zermelo.registry.members import Member, choose, members
from zermelo.runtime.own_files import Source, with_imports

__all__ = ["PREFIX", "load_file", "load_member"]

PREFIX = f"{__name__}."  # of the modules' names, which are imported as if this module were a package
__path__: list[str] = []
neighbourhoods: set[str] = set()  # folders that stand on Python's path because a file in them was loaded


def load_member(file: str, member: str | None) -> Member:
    """The class or tree in a file: the one named, or the only one."""
    path = Path(file)
    return choose(members(load_file(path)), member, str(path))


def module_name(path: Path) -> str:
    """The name of a file's module."""
    return PREFIX + quote(os.fsencode(path)).replace(".", "%2E")


def module_path(name: str) -> Path:
    """The inverse of `module_name`."""
    return Path(os.fsdecode(unquote_to_bytes(name.removeprefix(PREFIX))))


class FreshLoader(SourceFileLoader):
    """Compiles the text that is there now: bytecode from a moment ago may belong to another version of the file."""

    def __init__(self, name: str, whole: str, shown: Path) -> None:
        """`shown` is the path as the user knows it."""
        super().__init__(name, whole)
        self.shown = shown
        self.texts: dict[str, bytes | None] = {}  # of the file and of those of the user's that it imports, as they were when it was loaded

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.get_data(self.path), self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module's text; what goes wrong is told with the user's line."""
        module.__package__ = ""  # a file is in no package
        linecache.checkcache(self.path)
        find_neighbours(str(Path(self.path).parent))
        try:
            super().exec_module(module)
        except ZermeloError:
            raise
        except SyntaxError as error:
            where = self.shown if error.filename == self.path else Path(error.filename or self.shown)
            raise RulesError(f"this is not Python: {error.msg}.", str(where), error.lineno or 1) from None
        except UnicodeDecodeError as error:
            raise ZermeloError(f"{self.shown} is not Python: {error}.") from None
        except (Exception, SystemExit) as error:
            lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.path]
            if not lines:  # the text never ran: a null byte, an unreadable file
                raise ZermeloError(f"{self.shown} is not Python: {error}.") from None
            raise RulesError(f"loading the file raises {type(error).__name__}: {error}.", str(self.shown), lines[-1]) from error
        self.texts = {file: text_now(file) for file in with_imports([Source(self.path, "", str(Path(self.path).parent))])}

    def changed(self) -> set[str]:
        """The files that are no longer what they were when the module was loaded."""
        return {file for file, text in self.texts.items() if text_now(file) != text}

    def forget_imports(self) -> None:
        """Has the user's other files that were imported read again when they are asked for."""
        importlib.invalidate_caches()
        for name, module in list(sys.modules.items()):
            if getattr(module, "__file__", None) in self.texts and not name.startswith(PREFIX) and name != "__main__":
                forget(name)


def find_neighbours(folder: str) -> None:
    """Lets a file import its neighbours, as a script can, and not those of the same name beside another file."""
    others = [other for other in neighbourhoods if other != folder]
    if folder in neighbourhoods or folder not in sys.path:
        sys.path[:] = [place for place in sys.path if place != folder]
        sys.path.insert(min((sys.path.index(other) for other in others if other in sys.path), default=len(sys.path)), folder)
        neighbourhoods.add(folder)
    for name, module in list(sys.modules.items()):
        if "." not in name and home(module) in others and PathFinder.find_spec(name, [folder]) is not None:
            for known in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
                forget(known)


def home(module: ModuleType) -> str | None:
    """The folder that a module of no package was imported from."""
    found = getattr(module, "__spec__", None)
    places = [*(found.submodule_search_locations or ()), found.origin] if found is not None else [None]
    return str(Path(places[0]).parent) if places[0] else None


def forget(name: str) -> None:
    """Has a module imported anew the next time that it is asked for; who has it already keeps it."""
    del sys.modules[name]
    package, _, last = name.rpartition(".")
    if package in sys.modules:  # which still has the module as an attribute
        vars(sys.modules[package]).pop(last, None)


def text_now(file: str) -> bytes | None:
    """What is in the file; None where it cannot be read."""
    try:
        return Path(file).read_bytes()
    except OSError:
        return None


def load_file(path: Path) -> ModuleType:
    """The file as a module that `sys.modules` and `inspect` know: the one from before, unless the file, or one of the user's that it
    imports, has changed since."""
    if path.is_dir():
        raise ZermeloError(f"{path} is a folder, not a file with a game.")
    if not path.is_file():
        beside = [str(path.with_name(other.name)) for other in sorted(path.absolute().parent.glob("*.py"))]
        raise ZermeloError(f"There is no file {path}{': ' + nearest(str(path), beside) if beside else '.'}")
    whole = path.resolve()
    name = module_name(whole)
    before = sys.modules.get(name)
    if before is not None and isinstance(before.__loader__, FreshLoader) and before.__loader__.texts:
        changed = before.__loader__.changed()
        if not changed:
            return before
        if changed != {str(whole)}:
            before.__loader__.forget_imports()
    return fresh_module(name, whole, path)


def fresh_module(name: str, whole: Path, shown: Path) -> ModuleType:
    """Runs the file's text as a new module."""
    loader = FreshLoader(name, str(whole), shown)
    module = module_from_spec(specification(loader))
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def specification(loader: FreshLoader) -> ModuleSpec:
    """What the import system wants to know of a file's module."""
    found = ModuleSpec(loader.name, loader, origin=loader.path)
    found.has_location = True
    return found


class Finder(MetaPathFinder):
    """Finds the file of a module by the module's name, for pickles that were made in another process."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not fullname.startswith(PREFIX):
            return None
        file = module_path(fullname)
        if not file.is_absolute():
            return None
        if not file.is_file():
            raise ZermeloError(f"There is no file {file} here: every process that works on its game must see it at this path.")
        return specification(FreshLoader(fullname, str(file), file))


sys.meta_path.append(Finder())
