"""Which rules a file belongs to (a database, a network): a hash of all that decides positions and values, and of nothing else.

Names that the rules use are followed into other files. Presentation, comments, knowledge such as `order`, and where the files lie and how
they are called do not count. Rules without a text are known by their whole files, and by those of the user's that these import.
"""

import ast
import hashlib
import inspect
import sys
import types
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from zermelo.compiler.source import one_at_a_time, plain_function, read_function
from zermelo.errors import RulesError
from zermelo.rules import Game, has
from zermelo.runtime.own_files import is_own, source_of, with_imports
from zermelo.trees.data import tree_to_data
from zermelo.trees.tree import Tree

__all__ = ["class_texts", "rules_hash", "rules_texts"]

GAMES = Path(__file__).parent.parent / "games"
CORE_RULES = ("start", "player", "actions", "result", "terminal", "utility", "chances", "information")


def rules_hash(game: Game, symmetric: bool = False) -> str:
    """The hash for a file with or without folding by `canonical`."""
    try:
        return remembered_hash(game, symmetric)
    except TypeError:  # a game that cannot be remembered
        return fresh_hash(game, symmetric)


@lru_cache(64)
def remembered_hash(game: Game, symmetric: bool) -> str:
    return fresh_hash(game, symmetric)


def fresh_hash(game: Game, symmetric: bool) -> str:
    asked = [name for name in ("rank", "unrank") if has(game, name)] + (["canonical"] if symmetric and has(game, "canonical") else [])
    names = [name for name in (*CORE_RULES, *asked) if has(game, name)]
    parts = [f"{game.players} {game.total} {game.repetition} {symmetric}", *rules_texts(game, names)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def rules_texts(game: Game, rules: list[str]) -> list[str]:
    """The texts of rules and of all that they use, with the game's parameters; where a text is not to be had, those of their files."""
    if not isinstance(game, Tree):
        try:
            return Closure(game).texts(rules)
        except RulesError:  # a text that is not to be had
            pass
    return [file_text(game)]


class Closure:
    """What some rules of a game consist of: functions, classes and values, each once, in the order in which they are met."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.waiting: list[Any] = []
        self.found: dict[int, str] = {}
        self.kept: list[Any] = []  # so that no two of them have the same identity

    def texts(self, rules: list[str]) -> list[str]:
        used: dict[str, Any] = {}
        for rule in rules:
            self.enter(getattr(type(self.game), rule))
        while self.waiting:
            self.follow(self.waiting.pop(0), used)
        fields = [repr(value) for name, value in sorted(used.items())]
        return [*self.found.values(), *fields]

    def enter(self, thing: Any) -> None:
        """A function, a class or a value that the rules use."""
        if isinstance(thing, property | cached_property):
            thing = thing.fget if isinstance(thing, property) else thing.func
        thing = plain_function(thing)
        if id(thing) in self.found:
            return
        self.kept.append(thing)
        if isinstance(thing, types.FunctionType) and is_rules(thing.__code__.co_filename):
            tree = read_function(thing)
            if any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(tree)):
                raise RulesError("an import within a rule is not followed")
            self.found[id(thing)] = bare_text(tree)
            self.waiting.append((thing, tree))
        elif isinstance(thing, type) and is_rules(getattr(sys.modules.get(thing.__module__), "__file__", None) or ""):
            self.found[id(thing)] = thing.__qualname__
            self.enter_class(thing)
        elif isinstance(thing, types.ModuleType | types.BuiltinFunctionType | types.FunctionType | type):
            self.found[id(thing)] = getattr(thing, "__qualname__", getattr(thing, "__name__", ""))
        else:
            self.found[id(thing)] = stable_text(thing)

    def enter_class(self, cls: type) -> None:
        """A record, an Enum, a helper: its members and what it inherits."""
        for base in cls.__mro__[1:-1]:
            self.enter(base)
        for name, member in vars(cls).items():
            if name not in ("__module__", "__doc__", "__dict__", "__weakref__", "__firstlineno__", "__static_attributes__"):
                plain = plain_function(member.fget if isinstance(member, property) else member)
                if isinstance(plain, types.FunctionType):
                    if is_rules(plain.__code__.co_filename):
                        self.enter(plain)
                elif not isinstance(plain, types.BuiltinFunctionType | types.GetSetDescriptorType | types.MemberDescriptorType):
                    self.found[id(cls)] += f" {name}={stable_text(plain)}"

    def follow(self, place: tuple[types.FunctionType, ast.AST], used: dict[str, Any]) -> None:
        """Everything that a text names."""
        function, tree = place
        names = function.__globals__ | closed_over(function)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id == "__import__":
                raise RulesError("an import within a rule is not followed")
            if isinstance(node, ast.Name) and node.id in names:
                self.enter(names[node.id])
            elif isinstance(node, ast.Attribute):
                self.enter_attribute(node, names, used)

    def enter_attribute(self, node: ast.Attribute, names: dict[str, Any], used: dict[str, Any]) -> None:
        """`module.name`, and `anything.name` that the game has too."""
        owner = module_named(node.value, names)
        if owner is not None and hasattr(owner, node.attr):
            self.enter(getattr(owner, node.attr))
        kind = inspect.getattr_static(type(self.game), node.attr, None)
        if isinstance(kind, types.FunctionType | property | cached_property | staticmethod | classmethod) or callable(kind):
            if not node.attr.startswith("__"):
                self.enter(kind)
        elif hasattr(self.game, node.attr) and not callable(getattr(self.game, node.attr)):
            used[node.attr] = stable_text(getattr(self.game, node.attr))


def module_named(node: ast.expr, names: dict[str, Any]) -> Any:
    """The module that `name` or `package.name` stands for; None where it is none."""
    if isinstance(node, ast.Name):
        found = names.get(node.id)
    elif isinstance(node, ast.Attribute):
        found = getattr(module_named(node.value, names), node.attr, None)
    else:
        return None
    return found if isinstance(found, types.ModuleType) else None


def closed_over(function: types.FunctionType) -> dict[str, Any]:
    """Names of an enclosing function."""
    return {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)}


def is_rules(file: str) -> bool:
    """Is this a file of the user's or of a bundled game? Of other files the names that rules use are enough."""
    return is_own(file) or Path(file).parent == GAMES or file.startswith(("<ipython", "<stdin"))  # not what `dataclass` writes


def stable_text(value: Any) -> str:
    """A value as text that is the same in every process."""
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}{sorted(map(stable_text, value))}"
    if isinstance(value, dict):
        return f"dict{[(stable_text(key), stable_text(item)) for key, item in value.items()]}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}{[stable_text(item) for item in value]}"
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | type):
        return value.__qualname__
    if hasattr(value, "tobytes"):  # an array, of which `repr` shows a part
        return hashlib.sha256(value.tobytes()).hexdigest()
    text = repr(value)
    return type(value).__qualname__ if " at 0x" in text else text


def file_text(game: Game) -> str:
    """The files of the game's classes without comments and descriptions, and its parameters; a tree's own data."""
    return str(tree_to_data(game)) if isinstance(game, Tree) else "\n".join([repr(game), *class_texts(game)])


@one_at_a_time
def class_texts(game: Game) -> list[str]:
    """The files that the game's classes are written in and those of the user's that these import, each without comments and descriptions;
    the name of a class that is in none."""
    kinds = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
    sources = {kind: source_of(kind) for kind in kinds}
    trees = with_imports(source for source in sources.values() if source is not None)
    nowhere = [kind.__qualname__ for kind, source in sources.items() if source is None or source.file not in trees]
    return nowhere + [bare_text(tree) for tree in trees.values()]


def bare_text(tree: ast.AST) -> str:
    """A file without comments and descriptions."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [part for part in body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))]
    return ast.dump(tree)
