"""A game in a file of the user's: loaded as a module of its own, so that its source can be read again by the specialiser."""

import hashlib
import linecache
import sys
import traceback
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import CodeType, ModuleType

from zermelo.errors import RulesError, ZermeloError, nearest
from zermelo.registry.members import Member, choose, members

__all__ = ["load_file", "load_member"]


def load_member(file: str, member: str | None) -> Member:
    """The class or tree in a file: the one named, or the only one."""
    path = Path(file)
    return choose(members(load_file(path)), member, str(path))


class FreshLoader(SourceFileLoader):
    """Compiles the text that is there now: bytecode from a moment ago may belong to another version of the file."""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.get_data(self.path), self.path, "exec", dont_inherit=True)


def load_file(path: Path) -> ModuleType:
    """The file as a module that `sys.modules` and `inspect` know. Every call reads the file again."""
    if path.is_dir():
        raise ZermeloError(f"{path} is a folder, not a file with a game.")
    if not path.is_file():
        beside = [str(path.with_name(other.name)) for other in sorted(path.absolute().parent.glob("*.py"))]
        raise ZermeloError(f"There is no file {path}{': ' + nearest(str(path), beside) if beside else '.'}")
    whole = str(path.resolve())
    name = f"{path.stem}_{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
    loader = FreshLoader(name, whole)
    module = module_from_spec(ModuleSpec(name, loader, origin=whole))
    module.__file__ = whole
    linecache.checkcache(whole)
    if str(path.resolve().parent) not in sys.path:
        sys.path.append(str(path.resolve().parent))  # a file may import its neighbours, as a script can
    sys.modules[name] = module
    try:
        execute(loader, module, path)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def execute(loader: FreshLoader, module: ModuleType, path: Path) -> None:
    """Runs the module's text; what goes wrong is told with the user's line."""
    try:
        loader.exec_module(module)
    except ZermeloError:
        raise
    except SyntaxError as error:
        where = path if error.filename == loader.path else Path(error.filename or path)
        raise RulesError(f"this is not Python: {error.msg}.", str(where), error.lineno or 1) from None
    except UnicodeDecodeError as error:
        raise ZermeloError(f"{path} is not Python: {error}.") from None
    except (Exception, SystemExit) as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == loader.path]
        if not lines:  # the text never ran: a null byte, an unreadable file
            raise ZermeloError(f"{path} is not Python: {error}.") from None
        raise RulesError(f"loading the file raises {type(error).__name__}: {error}.", str(path), lines[-1]) from error
