"""Functions while they are compiled: their syntax trees, what can be read from these, and their variables."""

import ast
import functools
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

from zermelo.compiler.emitter import Block
from zermelo.compiler.own_caches import without_caches
from zermelo.compiler.source import read_function

__all__ = [
    "EMPTY",
    "Building",
    "Frame",
    "Function",
    "Shape",
    "free_names",
    "is_cached",
    "note_cache",
    "reading",
    "shape_of",
    "suppressing",
    "tree_of",
    "without_finally",
]

Function = ast.FunctionDef | ast.Lambda

SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
EMPTY = ast.parse("def empty(): pass").body[0]

trees: dict[CodeType, ast.FunctionDef] = {}


def tree_of(function: FunctionType) -> ast.FunctionDef:
    """The function's definition; the same tree each time."""
    if function.__code__ not in trees:
        trees[function.__code__] = without_caches(read_function(function), function)
    return trees[function.__code__]


def note_cache(function: Any) -> None:
    """Remember that a function stands under `functools.cache`."""
    if isinstance(function, functools._lru_cache_wrapper) and isinstance(function.__wrapped__, FunctionType):
        tree_of(function.__wrapped__).cached = True  # type: ignore[attr-defined]


def is_cached(tree: Any) -> bool:
    """Does its function keep what it gave?"""
    return getattr(tree, "cached", False)


@dataclass
class Shape:
    """What a function's text tells."""

    counts: dict[str, int] = field(default_factory=dict)  # how often each name is assigned
    foreign: set[str] = field(default_factory=set)  # names of an outer function that are assigned here
    generator: bool = False
    returns: list[ast.Return] = field(default_factory=list)
    size: int = 0
    tail: bool = False  # the only return is the last statement
    unsure: frozenset[str] = frozenset()  # names that may have no value where they are read

    def assign(self, target: ast.AST) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                self.counts[node.id] = self.counts.get(node.id, 0) + 1
        if isinstance(target, ast.Name):
            return


@functools.cache
def shape_of(node: Function) -> Shape:
    shape = Shape()
    borrowed: set[str] = set()  # names that functions within this one assign, and that are not theirs

    def visit(parent: ast.AST) -> None:
        for child in ast.iter_child_nodes(parent):
            shape.size += 1
            match child:
                case ast.Yield() | ast.YieldFrom():
                    shape.generator = True
                case ast.Return():
                    shape.returns.append(child)
                case ast.Name(name, ast.Store() | ast.Del()):
                    shape.counts[name] = shape.counts.get(name, 0) + 1
                case ast.AugAssign(ast.Name(name)):
                    shape.counts[name] = shape.counts.get(name, 0) + 1
                case ast.Nonlocal(names):
                    shape.foreign.update(names)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                    shape.counts[name] = shape.counts.get(name, 0) + 1
            if isinstance(child, ast.FunctionDef):
                shape.counts[child.name] = shape.counts.get(child.name, 0) + 1
                borrowed.update(shape_of(child).foreign)
            elif isinstance(child, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                walrus = [each for each in ast.walk(child) if isinstance(each, ast.NamedExpr)]
                for each in walrus:
                    shape.counts[each.target.id] = shape.counts.get(each.target.id, 0) + 2
                shape.size += sum(1 for _ in ast.walk(child))
            elif not isinstance(child, ast.Lambda):
                visit(child)

    visit(node)
    own = shape.counts.keys() | set(arguments_of(node))
    shape.foreign |= borrowed - own
    for name in borrowed:
        shape.counts[name] = shape.counts.get(name, 0) + 2
    for argument in arguments_of(node):
        if argument in shape.counts:
            shape.counts[argument] += 1
    shape.tail = isinstance(node, ast.FunctionDef) and len(shape.returns) == 1 and node.body[-1] is shape.returns[0]
    if isinstance(node, ast.FunctionDef):
        shape.unsure = frozenset(shape.counts.keys() & unsure_names(node))
    return shape


def unsure_names(node: ast.FunctionDef) -> set[str]:
    """Names that are read where they need not have been assigned on every path; more than there are, if anything."""
    found: set[str] = set()

    def read(part: ast.AST | None, have: set[str]) -> None:
        """Note what an expression reads; names that it assigns itself have a value afterwards only where it is no more than that."""
        if part is None:
            return
        if isinstance(part, ast.NamedExpr):
            read(part.value, have)
            have.add(part.target.id)
            return
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load | ast.Del):
            if part.id not in have:
                found.add(part.id)
            return
        perhaps = isinstance(part, ast.BoolOp | ast.IfExp | ast.Lambda | ast.FunctionDef | ast.comprehension | ast.Compare)
        inner = set(have) if perhaps or hasattr(part, "generators") else have
        for each in getattr(part, "generators", []):
            read(each.iter, inner)
            inner |= stored(each.target)
        if isinstance(part, ast.FunctionDef | ast.Lambda):
            inner |= set(arguments_of(part)) | (shape_of(part).counts.keys() - shape_of(part).foreign)
        for child in ast.iter_child_nodes(part):
            read(child, inner)

    def run(statements: list[ast.stmt], have: set[str]) -> set[str] | None:
        """The names that have a value after statements; None where these do not come to their end."""
        now: set[str] | None = have
        for each in statements:
            if now is None:
                return None
            now = step(each, set(now))
        return now

    def step(each: ast.stmt, have: set[str]) -> set[str] | None:
        match each:
            case ast.If():
                read(each.test, have)
                ends = [end for end in (run(each.body, have), run(each.orelse, have)) if end is not None]
                return set.intersection(*ends) if ends else None
            case ast.For():
                read(each.iter, have)
                inside = have | stored(each.target)
                read(each.target, inside)
                run(each.body, inside)
                run(each.orelse, have)
                return have
            case ast.While():
                read(each.test, have)
                run(each.body, have)
                run(each.orelse, have)
                return have
            case ast.Try():
                tried = [run([*each.body, *each.orelse], have)]
                for handler in each.handlers:
                    read(handler.type, have)
                    tried.append(run(handler.body, have | ({handler.name} if handler.name else set())))
                reached = [end for end in tried if end is not None]
                return set.intersection(*reached) if reached else None
            case ast.Match():
                read(each.subject, have)
                for case in each.cases:
                    inside = have | {str(getattr(part, "name", "")) for part in ast.walk(case.pattern)}
                    read(case.guard, inside)
                    run(case.body, inside)
                return have
            case ast.Return() | ast.Raise():
                read(each, have)
                return None
            case ast.Break() | ast.Continue():
                return None
            case ast.FunctionDef():
                have.add(each.name)
                read(each, have)
                return have
            case ast.AugAssign():
                read(each.value, have)
                read(ast.Name(each.target.id, ast.Load()) if isinstance(each.target, ast.Name) else each.target, have)
                return have
            case ast.Assign() | ast.AnnAssign():
                read(each.value, have)
                targets = each.targets if isinstance(each, ast.Assign) else [each.target] if each.value is not None else []
                for target in targets:
                    have |= stored(target)
                    read(target, have)
                return have
            case ast.Delete():
                read(each, have)
                return have - {target.id for target in each.targets if isinstance(target, ast.Name)}
            case ast.Import() | ast.ImportFrom():
                return have | {name.asname or name.name.split(".")[0] for name in each.names}
        read(each, have)
        return have

    run(node.body, set(arguments_of(node)))
    return found


def stored(target: ast.AST) -> set[str]:
    """The names that an assignment to a target gives a value."""
    return {each.id for each in ast.walk(target) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def arguments_of(node: Function) -> list[str]:
    given = node.args
    names = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [each.arg for each in (*names, *(one for one in (given.vararg, given.kwarg) if one is not None))]


# What the compiler remembers goes by the identity of nodes, so a node that it makes lives as long as the one it was made from.


@functools.cache
def reading(target: ast.Name) -> ast.Name:
    """The name of an assignment's target as an expression."""
    return ast.copy_location(ast.Name(target.id, ast.Load()), target)


@functools.cache
def suppressing(node: ast.With, call: ast.Call) -> ast.Try:
    """`with suppress(…)` as a try."""
    kinds = ast.copy_location(ast.Tuple(call.args, ast.Load()), node)
    handler = ast.copy_location(ast.ExceptHandler(kinds, None, [ast.copy_location(ast.Pass(), node)]), node)
    return ast.copy_location(ast.Try(node.body, [handler], [], []), node)


@functools.cache
def without_finally(node: ast.Try) -> ast.Try:
    return ast.copy_location(ast.Try(node.body, node.handlers, node.orelse, []), node)


@functools.cache
def free_names(node: ast.AST) -> frozenset[str]:
    """Names that an expression reads and does not bind itself."""
    bound = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    bound |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    return frozenset({each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)} - bound)


@functools.cache
def updated_names(node: Function) -> frozenset[str]:
    """Names that stand for a tuple of which items are replaced, `name = replace(name, index, item)`, and that only this function reads."""
    found: set[str] = set()
    for each in ast.walk(node):
        match each:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(), [ast.Name(same), _, _], [])) if name == same:
                found.add(name)
    if not found:
        return frozenset()
    inner = [each for each in ast.walk(node) if each is not node and isinstance(each, SCOPES)]
    return frozenset(found - {each.id for scope in inner for each in ast.walk(scope) if isinstance(each, ast.Name)} - {*arguments_of(node)})


class Frame:
    """A function, or a comprehension within one, that is being run on values."""

    def __init__(
        self, node: Any, names: dict[str, Any], path: int, parent: "Frame | None" = None, file: str = "", inner: bool = False
    ) -> None:
        self.node, self.globals, self.path, self.parent, self.file = node, names, path, parent, file
        self.inner = inner  # a comprehension, whose names are its own but whose `return` is its function's
        self.shape = Shape() if inner else shape_of(node)
        self.env: dict[str, Any] = {}
        self.flags: dict[str, str] = {}  # stack places that tell whether names which may have no value have one
        self.owned: dict[str, str] = {}  # stack places that tell whether only this name has the tuple that it stands for
        self.branches = 0  # nested branches and loops around the present statement
        self.loops: list[tuple[Block, Block]] = []  # where `break` and `continue` go
        self.returns: list[tuple[Block, Any]] = []
        self.on_yield: Any = None
        self.any_order: Any = None  # is whoever takes what it yields content with any order?
        self.end: Any = None
        self.own_class: Any = None  # for super()
        self.handlers = 0

    def owner(self, name: str) -> "Frame | None":
        """The frame, from here outwards, in which a name has a value."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.env:
                return frame
            if not frame.inner and name in frame.shape.counts and name not in frame.shape.foreign:
                return None  # a name of this function that has no value yet
            frame = frame.parent
        return None

    def is_local(self, name: str) -> bool:
        """Is this a name of the function, or of one around it, whether it has a value or not?"""
        frame: Frame | None = self
        while frame is not None:
            if not frame.inner and name in frame.shape.counts:
                return True
            frame = frame.parent
        return False


@dataclass
class Building:
    """An instance of a plain class while its `__init__` runs."""

    made_by: type
    frame: Frame
    names: list[str] = field(default_factory=list)
