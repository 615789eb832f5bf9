"""What a game's compiled code depends on, as one hash: the code of its rules, all that they can reach, and the text of their files.

Two games of the same content compile to the same code, in this process or in the next. It is found without reading syntax trees, so that a
process which finds code of that content at hand needs no compiler. A game that reaches something whose content cannot be told has none.
"""

import builtins
import dataclasses
import dis
import enum
import fractions
import functools
import hashlib
import linecache
import marshal
import os
import re
import sys
import types
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from zermelo.rules import Game

__all__ = ["ASKED", "OPTIONAL", "RULES", "Content", "content_of"]

RULES = ("player", "actions", "result", "terminal", "utility", "start")
OPTIONAL = ("chances", "information", "key", "bounds", "candidates", "order", "evaluate", "cost", "heuristic")
ASKED = ("features", "canonical", "tier", "image", "quiet", "passed", "outline", "rest", "rank", "unrank")  # only where a driver says so
FACTS = ("players", "total", "word", "repetition", "payoffs", "size", "__init__", "__new__", "__post_init__", "__eq__", "__hash__")

SCALARS = {int, bool, float, complex, str, bytes, type(None), type(...)}
TOLD_BY_TEXT = (fractions.Fraction, range, slice, types.GenericAlias, types.UnionType)
PARTS_OF_CLASSES = (types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType, types.BuiltinFunctionType)
NOT_OF_THE_USER = {"__dict__", "__weakref__", "__doc__", "_abc_impl", "__abstractmethods__", "__dataclass_params__"}
DYNAMIC = {"globals", "locals", "vars", "eval", "exec", "__import__", "import_module", "dir", "open", "input", "setattr", "delattr"}
IMPORT = dis.opmap["IMPORT_NAME"]
MOST = 20_000  # things that are followed
COMPILED_WITH = ("rules.py", "scores.py", "words.py", "errors.py", "compiler")  # beside kernels: what code is made by and made of
COVERED = {name.removesuffix(".py") for name in COMPILED_WITH}
PACKAGE = Path(__file__).parent.parent


class Untold(Exception):  # noqa: N818 - an answer, not an error
    """The content of something cannot be told."""


@dataclasses.dataclass(frozen=True)
class Content:
    """The hash, and the global names through which it was reached: with other values it is out of date."""

    key: str
    reads: dict[tuple[int, str], tuple[dict[str, Any], Any]]
    classes: dict[str, type]  # that were reached, by their names; those that share one are left out


def content_of(game: Game) -> Content | None:
    """The content of a game's rules; None where it cannot be told."""
    reader = Reader()
    try:
        reader.enter_game(type(game))
        reader.enter({name: value for name, value in attributes(game).items() if not derived(type(game), name)})
        texts = "\0".join(text_of(file) for file in sorted(reader.files))
    except (Untold, RecursionError, ValueError):
        return None
    reader.add(release(), sys.version, texts)
    return Content(reader.hash.hexdigest(), reader.reads, reader.classes())


@cache
def release() -> str:
    """A hash of everything of Zermelo's that decides what code is made."""
    files = [
        file for name in COMPILED_WITH for file in ([PACKAGE / name] if name.endswith(".py") else sorted((PACKAGE / name).glob("*.py")))
    ]
    for folder, _, names in os.walk(PACKAGE):
        files += [Path(folder, name) for name in names if name.endswith("_kernel.py")]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def text_of(file: str) -> str:
    """A file as it is now: what compiles is its text."""
    linecache.checkcache(file)
    lines = linecache.getlines(file)
    if not lines:
        raise Untold
    return "".join(lines)


def attributes(item: Any) -> dict[str, Any]:
    """What an object has of its own."""
    slots = [name for base in type(item).__mro__ for name in slots_of(base)]
    return {name: getattr(item, name) for name in slots if hasattr(item, name)} | getattr(item, "__dict__", {})


def slots_of(base: type) -> tuple[str, ...]:
    slots = base.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def derived(kind: type, name: str) -> bool:
    return isinstance(getattr(kind, name, None), cached_property)


def known_by_name(module: str) -> bool:
    """Is a module part of Python, or of what `release` covers?"""
    top, _, rest = module.partition(".")
    if top == "zermelo":
        return rest.partition(".")[0] in COVERED
    return top in sys.stdlib_module_names and top != "__main__"


class Reader:
    """Follows what rules use, and notes each thing once."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.numbers: dict[int, int] = {}
        self.kept: list[Any] = []  # so that no two things have the same identity
        self.kinds: tuple[type, ...] = ()  # the game's classes, whose members are followed where a name is used
        self.members: set[str] = set()
        self.files: set[str] = set()
        self.reads: dict[tuple[int, str], tuple[dict[str, Any], Any]] = {}

    def add(self, *words: Any) -> None:
        self.hash.update("\0".join(map(str, words)).encode("utf-8", "surrogatepass") + b"\1")

    def first_time(self, item: Any) -> bool:
        """Note a thing; one that was there before is known by its number."""
        if id(item) in self.numbers:
            self.add("again", self.numbers[id(item)])
            return False
        if len(self.kept) > MOST:
            raise Untold
        self.numbers[id(item)] = len(self.kept)
        self.kept.append(item)
        return True

    def classes(self) -> dict[str, type]:
        found = [item for item in self.kept if isinstance(item, type)]
        names = [kind.__qualname__ for kind in found]
        return {name: kind for name, kind in zip(names, found, strict=True) if names.count(name) == 1}

    def enter_game(self, kind: type) -> None:
        """What Zermelo may ask a game, and all that this uses."""
        self.kinds = tuple(each for each in kind.__mro__ if not known_by_name(each.__module__))
        self.kept += self.kinds
        self.numbers |= {id(each): number for number, each in enumerate(self.kept)}
        for each in self.kinds:
            self.add("game", each.__module__, each.__qualname__, tuple(getattr(each, "__annotations__", ())))
        for name in (*RULES, *OPTIONAL, *ASKED, *FACTS):
            self.enter_member(name)

    def enter_member(self, name: str) -> None:
        """A name of the game: in every class that has it, because of `super()`."""
        if name in self.members:
            return
        self.members.add(name)
        for kind in self.kinds:
            if name in vars(kind):
                self.add("has", name)
                self.enter(vars(kind)[name])

    def enter(self, item: Any) -> None:
        kind = type(item)
        if kind in SCALARS:
            self.hash.update(marshal.dumps(item, 2))
        elif kind in (tuple, list, set, frozenset):
            self.enter_items(item)
        elif isinstance(item, dict):
            self.add(kind.__qualname__, len(item))
            self.enter_items(list(item))
            self.enter_items(list(item.values()))
        elif self.first_time(item):
            self.enter_thing(item)

    def enter_items(self, items: Any) -> None:
        """Items in their order, that of sets too: code may depend on it."""
        self.add(type(items).__qualname__, len(items))
        if set(map(type, items)) <= SCALARS:
            self.hash.update(marshal.dumps(list(items), 2))
            return
        if isinstance(items, list | tuple) and len(items) > 1 and not self.first_time(items):
            return
        for item in items:
            self.enter(item)

    def enter_thing(self, item: Any) -> None:
        """Anything but plain data."""
        match item:
            case types.FunctionType():
                self.enter_function(item)
            case type():
                self.enter_class(item)
            case types.ModuleType():
                self.enter_module(item)
            case types.MethodType():
                self.enter(item.__func__)
                self.enter(item.__self__)
            case staticmethod() | classmethod():
                self.add(type(item).__name__)
                self.enter(item.__func__)
            case property():
                self.add("property")
                self.enter([item.fget, item.fset])
            case cached_property():
                self.add("cached property")
                self.enter(item.func)
            case functools.partial():
                self.add("partial")
                self.enter([item.func, item.args, item.keywords])
            case enum.Enum():
                self.add("member", item.name)
                self.enter(type(item))
            case dataclasses.Field():
                self.add("field", item.name, item.init, item.compare)
                given = [each for each in (item.default, item.default_factory) if each is not dataclasses.MISSING]
                self.enter([len(given), *given, item.type])
            case _:
                self.enter_other(item)

    def enter_other(self, item: Any) -> None:
        kind = type(item)
        if hasattr(item, "__wrapped__") and isinstance(item, functools._lru_cache_wrapper):
            self.enter(item.__wrapped__)
        elif isinstance(item, PARTS_OF_CLASSES) or kind.__name__ == "_tuplegetter":
            self.add(kind.__name__, getattr(item, "__qualname__", ""))
            if not known_by_name(getattr(item, "__module__", None) or "builtins"):
                self.enter_installed(item.__module__)
        elif isinstance(item, TOLD_BY_TEXT) or kind.__module__ == "typing":
            self.add(kind.__qualname__, self.told(repr(item)))
        elif hasattr(item, "tobytes") and kind.__module__ == "numpy":
            self.add("array", item.dtype, item.shape)
            self.hash.update(item.tobytes())
        elif not known_by_name(kind.__module__) and kind.__module__ not in ("builtins", "numpy"):
            self.enter(kind)
            if isinstance(item, tuple):
                self.enter_items(tuple(item))
            elif isinstance(item, int | float | str | list | set | frozenset):
                raise Untold
            self.enter({name: value for name, value in attributes(item).items() if not derived(kind, name)})
        else:
            raise Untold

    def told(self, text: str) -> str:
        if " at 0x" in text:
            raise Untold
        return text

    def enter_installed(self, module: str) -> None:
        """A library, by its file as it lies there."""
        file = getattr(sys.modules.get(module.partition(".")[0]), "__file__", None)
        if file is None:
            raise Untold
        found = os.stat(file)
        self.add("library", module, found.st_mtime_ns, found.st_size)

    def enter_module(self, module: types.ModuleType) -> None:
        self.add("module", module.__name__)
        if not known_by_name(module.__name__) and is_library(module.__name__):
            self.enter_installed(module.__name__)

    def enter_class(self, kind: type) -> None:
        self.add("class", kind.__module__, kind.__qualname__)
        if known_by_name(kind.__module__):
            return
        if is_library(kind.__module__):
            self.enter_installed(kind.__module__)
            return
        self.enter_items(kind.__bases__)
        for name, member in vars(kind).items():
            if name in NOT_OF_THE_USER or (isinstance(member, types.FunctionType) and member.__code__.co_filename.startswith("<")):
                continue
            if issubclass(kind, enum.Enum) and name.startswith("_") and not isinstance(member, types.FunctionType):
                continue
            self.add("has", name)
            self.enter(member.value if isinstance(member, enum.Enum) else member)
        if issubclass(kind, enum.Enum):
            self.enter({name: member.value for name, member in kind.__members__.items()})
        self.enter_named(getattr(kind, "__annotations__", {}), vars(sys.modules.get(kind.__module__, builtins)))

    def enter_named(self, annotations: dict[str, Any], names: dict[str, Any]) -> None:
        """Annotations that are texts name what is looked up later."""
        for text in annotations.values():
            for name in re.findall(r"\w+", text) if isinstance(text, str) else ():
                self.enter_global(name, names)

    def enter_global(self, name: str, names: dict[str, Any]) -> None:
        if name in names and not (name.startswith("__") and name.endswith("__")) and (id(names), name) not in self.reads:
            self.reads[id(names), name] = names, names[name]
            self.add("global", name)
            self.enter(names[name])

    def enter_function(self, function: types.FunctionType) -> None:
        names = function.__globals__
        module = str(names.get("__name__", ""))
        self.add("function", module, function.__qualname__)
        if known_by_name(module):
            return
        if is_library(module):
            self.enter_installed(module)
            return
        if function.__code__.co_filename != "<string>":  # what `dataclass` and the like write
            self.files.add(function.__code__.co_filename)
        self.enter([function.__defaults__, function.__kwdefaults__, function.__annotations__])
        self.enter_named(function.__annotations__, names)
        for cell in function.__closure__ or ():
            self.enter(cell.cell_contents)
        for code in codes_of(function.__code__):
            self.enter_code(code, names)

    def enter_code(self, code: types.CodeType, names: dict[str, Any]) -> None:
        self.add(code.co_name, code.co_flags, code.co_firstlineno, code.co_names, code.co_varnames, code.co_freevars)
        self.hash.update(code.co_code + b"\1" + code.co_linetable + b"\1" + code.co_exceptiontable)
        self.enter_items(tuple(each for each in code.co_consts if not isinstance(each, types.CodeType)))
        if DYNAMIC & set(code.co_names):
            raise Untold
        if IMPORT in code.co_code[::2]:
            self.enter_imports(code)
        used = [*code.co_names, *(each for each in code.co_consts if isinstance(each, str))]
        for name in used:
            self.enter_global(name, names)
            self.enter_member(name)
        for name in used:
            owner = names.get(name)
            if isinstance(owner, types.ModuleType) and not known_by_name(owner.__name__) and not is_library(owner.__name__):
                for attribute in used:
                    self.enter_global(attribute, vars(owner))

    def enter_imports(self, code: types.CodeType) -> None:
        """Imports within a function: of what is part of Python only."""
        for step in dis.get_instructions(code):
            if step.opname == "IMPORT_NAME" and not known_by_name(str(step.argval)):
                raise Untold


def codes_of(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function's code, and that of the functions in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes_of(each)


@cache
def is_library(module: str) -> bool:
    """Is this an installed package?"""
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return not module.startswith("zermelo.") and bool({"site-packages", "dist-packages"} & set(Path(file).parts))
