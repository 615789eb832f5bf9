"""Which files are the user's, and which of them a file imports.

Everything is the user's that is neither Zermelo's own, nor of the standard library, nor of an installed package.
"""

import ast
import inspect
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import NamedTuple

from zermelo.compiler.source import one_at_a_time

__all__ = ["Source", "is_own", "source_of", "with_imports"]

INSTALLED = {"site-packages", "dist-packages"}


class Source(NamedTuple):
    """A file, the package that its relative imports start from, and the folder in which its imports are looked for first."""

    file: str
    package: str
    folder: str


@cache
def libraries() -> tuple[Path, ...]:
    """The folders of Zermelo, of the standard library and of installed packages."""
    named = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders = [str(Path(__file__).parents[1]), *named, *site.getsitepackages(), site.getusersitepackages()]
    return tuple(Path(folder).resolve() for folder in folders if folder)


@lru_cache(256)
def is_own(file: str) -> bool:
    """Is this file, or this folder, the user's? What runs without a file, such as `<string>`, is nobody's."""
    path = Path(file).resolve()
    return not (file.startswith("<") or INSTALLED & set(path.parts) or any(map(path.is_relative_to, libraries())))


def source_of(kind: type) -> Source | None:
    """The file that a class is written in; None where there is none."""
    try:
        file, package = inspect.getfile(kind), getattr(sys.modules[kind.__module__], "__package__", None) or ""
    except (KeyError, OSError, TypeError):
        return None
    return Source(file, package, str(Path(file).parents[package.count(".") + 1 if package else 0]))


def with_imports(sources: Iterable[Source]) -> dict[str, ast.Module]:
    """The syntax trees of files, of the user's files that they import, and so on; by file, in the order in which they are met.

    What a library's file imports is left out, and so is a file that cannot be read.
    """
    found: dict[str, ast.Module] = {}
    waiting = list(sources)
    while waiting:
        source = waiting.pop(0)
        tree = None if source.file in found else parsed(source.file)
        if tree is not None:
            found[source.file] = tree
            waiting += own_imports(tree, source) if is_own(source.file) else ()
    return found


@one_at_a_time
def parsed(file: str) -> ast.Module | None:
    """The syntax tree of a file; None where it cannot be read."""
    try:
        return ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None


def own_imports(tree: ast.Module, source: Source) -> Iterator[Source]:
    """The user's files among those that a file imports, anywhere in it."""
    for name in dict.fromkeys(imported_names(tree, source.package)):
        found = specification(name, source.folder)
        if found is not None and found.origin is not None and found.has_location and is_own(found.origin):
            yield Source(found.origin, found.parent or "", source.folder)


def imported_names(tree: ast.Module, package: str) -> Iterator[str]:
    """Every name that may be a module: with `from cards import deck`, both cards and cards.deck."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from and_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            try:
                module = resolve_name("." * node.level + (node.module or ""), package)
            except ImportError:  # beyond the outermost package
                continue
            yield from and_parents(module)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def and_parents(name: str) -> Iterator[str]:
    """a, a.b and a.b.c for a.b.c: importing the last runs them all."""
    parts = name.split(".")
    return (".".join(parts[: length + 1]) for length in range(len(parts)))


def specification(name: str, folder: str) -> ModuleSpec | None:
    """Where a module is, whether it was imported already or will be; None where there is none. Runs nothing.

    Of the user's modules the one in the folder comes first: another of its name may have been imported by another game.
    """
    package, _, _ = name.rpartition(".")
    if package:
        parent = specification(package, folder)
        places = parent.submodule_search_locations if parent is not None else None
        return PathFinder.find_spec(name, places) if places and any(map(is_own, places)) else None
    try:
        found = find_spec(name)
    except ValueError:  # imported, and does not say from where
        found = None
    if found is not None and of_library(found):
        return found
    return PathFinder.find_spec(name, [folder]) or found


def of_library(found: ModuleSpec) -> bool:
    """Is a module none of the user's? One that is built into Python has no place."""
    places = found.submodule_search_locations or ([found.origin] if found.has_location and found.origin else [])
    return not any(map(is_own, places))
