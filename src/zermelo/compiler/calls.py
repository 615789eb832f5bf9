"""Calls: functions of the rules run in place or become functions of their own; classes make records; generators run their consumer."""

import ast
import collections
import contextlib
import dataclasses
import enum
import functools
import itertools
import operator
import random
import types
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.compiler import faults, library
from zermelo.compiler.emitter import DEEPEST
from zermelo.compiler.expressions import Expressions, is_own_method_of, mutable
from zermelo.compiler.faults import EXCEPTIONS, Restart, Shared, Unreachable, Unsupported, Widened
from zermelo.compiler.frames import EMPTY, Building, Frame, arguments_of, is_cached, note_cache, shape_of, tree_of
from zermelo.compiler.layout import is_installed
from zermelo.compiler.number_classes import method_of
from zermelo.compiler.source import plain_function
from zermelo.compiler.types import CLASS_FIELDS, Box, Options, Record, Seq, Type, Union, field_names, is_record, size, unify
from zermelo.compiler.types import members as members_of
from zermelo.compiler.values import (
    BoxValue,
    Choice,
    Const,
    Func,
    Iter,
    Lazy,
    Method,
    Number,
    Rec,
    Scalar,
    SeqValue,
    Slot,
    Tagged,
)

__all__ = ["Calls", "Captured", "Instance", "moved", "slots_in", "transplanted", "with_slots"]

DEEPEST_INLINE = 40
UNSTEADY = (vars, locals, globals, dir, eval, exec, input, open, id)
UNSTEADY_MODULES = ("time", "posix", "nt", "_secrets")
OURS = "zermelo.compiler."  # modules whose functions stand for those of Python
MOST_INLINED = 60_000  # syntax nodes of one LLVM function
ROUNDS = 12  # of finding out what a recursive function returns
PASSED_ON = "**"  # before the name of `**keywords` that a function only passes on
KEYS = "***"  # the name under which a dict made in play is given to `**keywords`
REST = "*"  # the name under which arguments of an unknown number are given to `*arguments`
SIMPLE_RETURNS = (ast.ListComp, ast.GeneratorExp, ast.List, ast.Tuple)


# What handlers of built-in functions take by name; those that are not listed take anything.
KEYWORDS_OF: dict[Any, set[str]] = {
    **{
        key: set()
        for key in (len, range, bool, int, float, abs, divmod, pow, ord, chr, any, all, list, tuple, set, frozenset, reversed, map)
    },
    **{key: set() for key in (filter, next, iter, isinstance, str, itertools.combinations, itertools.permutations, itertools.chain)},
    **{key: set() for key in (itertools.repeat, itertools.islice, functools.reduce, itertools.takewhile, round)},
    **{key: {"key", "default"} for key in (min, max)},
    sum: {"start"},
    collections.deque: {"maxlen"},
    zip: {"strict"},
    sorted: {"key", "reverse"},
    enumerate: {"start"},
    itertools.product: {"repeat"},
    itertools.accumulate: {"func", "initial"},
    itertools.groupby: {"key"},
    collections.Counter: set(),
}


@dataclasses.dataclass(frozen=True)
class Passed:
    """Named arguments that a function was given as `**keywords`."""

    values: dict[str, Any]


def only_passed_on(tree: Any, name: str) -> bool:
    """Is `**name` of a function used for nothing but calls with `**name`?"""
    used = sum(1 for each in ast.walk(tree) if isinstance(each, ast.Name) and each.id == name)
    passed = [each.value for each in ast.walk(tree) if isinstance(each, ast.keyword) and each.arg is None]
    return used == sum(1 for each in passed if isinstance(each, ast.Name) and each.id == name)


class Instance:
    """A function of the rules as an LLVM function, for arguments of certain types."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.result: Type | None = None
        self.known = False  # is the result's type found?
        self.used = False  # was it asked for before that?


@dataclasses.dataclass(frozen=True)
class Captured:
    """A variable of an outer function that an LLVM function of its own needs."""

    frame: Frame
    name: str
    value: Any  # known, or a Slot


def transplanted(captured: list[Captured]) -> Callable[[Frame | None], Frame | None]:
    """The outer functions of one that becomes an LLVM function: the same frames, with what was captured and nothing else."""
    copies: dict[int, Frame] = {}

    def copy_of(frame: Frame | None) -> Frame | None:
        if frame is None:
            return None
        if id(frame) not in copies:
            made = copies[id(frame)] = Frame(frame.node, frame.globals, frame.path, copy_of(frame.parent), frame.file, frame.inner)
            for each in captured:
                if each.frame is frame:
                    made.env[each.name] = moved(each.value, copy_of)
        return copies[id(frame)]

    return copy_of


def moved(value: Any, copy_of: Callable[[Frame | None], Frame | None]) -> Any:
    """A captured value among the copies of its frames."""
    return dataclasses.replace(value, frame=copy_of(value.frame)) if isinstance(value, Func) else value


def slots_in(value: Any) -> list[Slot]:
    """The places in memory that a captured value needs."""
    match value:
        case Slot():
            return [value]
        case Func():
            return [slot for each in value.given for slot in slots_in(each)]
        case Method():
            return slots_in(value.value)
    return []


def with_slots(value: Any, slots: Iterator[Slot]) -> Any:
    """A captured value with other places."""
    match value:
        case Slot():
            return next(slots)
        case Func():
            return value.with_given([with_slots(each, slots) for each in value.given])
        case Method():
            return Method(with_slots(value.value, slots), value.name)
    return value


class Calls(Expressions):
    """Everything that is called."""

    program: Any
    handlers_of: dict[Any, Callable[..., Any]]
    inlined: int

    # --- arguments

    def star_arguments(self, part: Any, needed: int | None) -> list[Any]:
        """The items of a starred argument: as many as there are, or as the function needs."""
        if not isinstance(part, Tagged | Choice):
            count, get = self.items(part)
            if isinstance(count, int):
                return [get(number) for number in range(count)]
        elif isinstance(part, Choice):
            lengths = {len(item) if hasattr(item, "__len__") else -1 for item in part.items}
            needed = lengths.pop() if len(lengths) == 1 else needed
        if needed is None or needed < 0:
            self.fail("a starred argument whose length is not known")
        assert needed is not None
        return self.unpack(part, needed)

    def definition(self, function: Any) -> tuple[Any, int]:
        """The text of a function of the rules, and how many of its arguments are bound; (None, 0) of others."""
        bound = 0
        if isinstance(function, Method):
            made_by = self.class_of(function.value.items[0] if isinstance(function.value, Tagged) else function.value)
            function, bound = Const(getattr(made_by, function.name, None)), 1
        if isinstance(function, Func):
            return function.node, len(function.bound)
        item = plain_function(function.item) if isinstance(function, Const) else None
        if isinstance(item, types.MethodType):
            item, bound = plain_function(item.__func__), 1
        return (tree_of(item), bound) if isinstance(item, types.FunctionType) else (None, 0)

    def needed(self, function: Any) -> int | None:
        """How many arguments a function of the rules takes; None where that is not fixed."""
        node, bound = self.definition(function)
        if node is not None:
            return None if node.args.vararg or node.args.defaults or node.args.kwonlyargs else len(node.args.args) - bound
        item = function.item if isinstance(function, Const) else None
        return len(field_names(item)) if is_record(item) else None

    def arguments(self, node: ast.Call, function: Any = None) -> tuple[list[Any], dict[str, Any]]:
        values: list[Any] = []
        self.taking = function
        stars = any(isinstance(each, ast.Starred) for each in node.args)
        definition, bound = self.definition(function) if stars else (None, 0)
        if definition is not None and definition.args.vararg:
            return self.gathered(node, len(definition.args.args) + len(definition.args.posonlyargs) - bound)
        needed = self.needed(function) if stars else None
        for each in node.args:
            if isinstance(each, ast.Starred):
                values += self.star_arguments(
                    self.eval(each.value), needed - len(values) - (len(node.args) - 1) if needed is not None else None
                )
            else:
                values.append(self.eval(each))
        return values, self.named_arguments(node)

    def gathered(self, node: ast.Call, positional: int) -> tuple[list[Any], dict[str, Any]]:
        """Starred arguments of a function that takes any number of them."""
        whole = self.starred(node.args, "tuple")
        count, get = self.items(whole)
        if isinstance(count, int):
            return [get(number) for number in range(count)], self.named_arguments(node)
        self.fault_if(self.compare("slt", count, positional), EXCEPTIONS[TypeError])
        rest = Lazy(items=(self.minus(count, positional), lambda i: get(self.plus(positional, i))))
        return [get(number) for number in range(positional)], {
            REST: self.materialize(rest, "tuple"),
            **self.named_arguments(node),
        }

    def named_arguments(self, node: ast.Call) -> dict[str, Any]:
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None and isinstance(keyword.value, ast.Name):
                passed = self.frame.env.get(PASSED_ON + keyword.value.id)
                if isinstance(passed, Passed):
                    named |= passed.values
                    continue
            value = self.eval(keyword.value)
            if keyword.arg is not None:
                named[keyword.arg] = value
            elif isinstance(value, Const) and isinstance(value.item, dict):
                named |= {name: Const(item) for name, item in value.item.items()}
            else:
                named |= self.spread_dict(value, node, named)
        return named

    def spread_dict(self, value: Any, node: ast.Call, named: dict[str, Any]) -> dict[str, Any]:
        """`**value` with a dict made in play: what it holds for each argument that is not given otherwise."""
        defaults = self.may_be_left_out(node)
        tree, bound = self.definition(self.taking)
        if tree is not None and tree.args.kwarg and isinstance(value, BoxValue) and value.type.kind == "dict" and KEYS not in named:
            names = [each.arg for each in (*tree.args.args, *tree.args.kwonlyargs)]
            if len(node.args) + bound == len(names) and not any(isinstance(each, ast.Starred) for each in node.args):
                for name in names:
                    self.fault_if(self.contains(value, Const(name)), EXCEPTIONS[TypeError])
                return {KEYS: value}
        if defaults is None or not isinstance(value, BoxValue) or value.type.kind != "dict":
            return self.fail("** with a dict that is not known")  # type: ignore[no-any-return]
        given = {keyword.arg for keyword in node.keywords} | named.keys()
        wanted = {name: default for name, default in defaults.items() if name not in given}
        found: Number = 0
        for name in wanted:
            found = self.plus(found, self.num(self.flag(self.contains(value, Const(name)))))
        self.fault_if(self.compare("ne", found, self.length(value)), EXCEPTIONS[TypeError])
        for name in [name for name, default in wanted.items() if default is None]:
            self.fault_if(self.negate(self.contains(value, Const(name))), EXCEPTIONS[TypeError])
        return {
            name: self.settle(self.dict_item(value, Const(name)) if default is None else self.dict_get(value, Const(name), default))
            for name, default in wanted.items()
        }

    def may_be_left_out(self, node: ast.Call) -> dict[str, Any] | None:
        """The arguments of a function of the rules that a call does not give by their place, with their defaults (None: there is none)."""
        function, places = self.taking, len(node.args)
        if any(isinstance(each, ast.Starred) for each in node.args) or not isinstance(function, Const | Func | Method):
            return None
        item: Any = function.item if isinstance(function, Const) else None
        if is_record(item) and not is_own_method_of(item, "__init__") and not is_own_method_of(item, "__new__"):
            if hasattr(item, "_field_defaults"):
                known = dict(item._field_defaults)
            else:
                known = {each.name: each.default for each in dataclasses.fields(item) if each.default is not dataclasses.MISSING}
            return {name: Const(known[name]) if name in known else None for name in field_names(item)[places:]}
        tree, bound = self.definition(function)
        if tree is None or tree.args.vararg or tree.args.kwarg or tree.args.kwonlyargs or tree.args.posonlyargs:
            return None
        names = [each.arg for each in tree.args.args]
        if isinstance(function, Func):
            last = [self.read(each) for each in function.defaults[: len(tree.args.defaults)]]
        else:
            made_by = self.class_of(function.value) if isinstance(function, Method) else None
            plain = plain_function(getattr(made_by, function.name) if isinstance(function, Method) else getattr(item, "__func__", item))
            last = [self.from_outside(each) for each in plain.__defaults__ or ()]
        pairs = zip(names, [*[None] * (len(names) - len(last)), *last], strict=True)
        return dict(itertools.islice(pairs, bound + places, None))

    taking: Any = None  # the function whose arguments are worked out
    dict_item: Callable[..., Any]
    dict_get: Callable[..., Any]

    def eval_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return self.parent_of_self()
        function = self.eval(node.func)
        if isinstance(function, Const) and function.item is zip and len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
            return self.transposed(node.args[0].value)
        if isinstance(function, Const) and function.item is print and not any(map(has_effects, (*node.args, *node.keywords))):
            return Const(None)  # what the interpreter prints is for people; the answer is the same
        if any(isinstance(each, ast.Starred) for each in node.args) and self.definition(function)[0] is None and not self.makes(function):
            whole = self.starred(node.args, "tuple")
            count = self.items(whole)[0]
            if not isinstance(count, int):
                return self.handle_starred(function, whole, self.named_arguments(node))
            return self.call(function, self.unpack(whole, count), self.named_arguments(node))
        if (
            isinstance(function, Const)
            and self.handler(function.item) is not None
            and not any(isinstance(each, ast.Starred) for each in node.args)
        ):
            walked = self.walked_arguments(function.item, len(node.args))
            values = [self.iterable(each) if number in walked else self.eval(each) for number, each in enumerate(node.args)]
            named = {str(keyword.arg): self.eval(keyword.value) for keyword in node.keywords}
        else:
            values, named = self.arguments(node, function)
        return self.call(function, values, named)

    def walked_arguments(self, function: Any, count: int) -> range:
        """Which of a function's arguments it only walks over."""
        if function not in self.walkers or (function in (min, max) and count > 1):
            return range(0)
        if function is functools.reduce:
            return range(1, 2)
        return range(1) if function in (sum, next, enumerate) else range(count)

    def makes(self, function: Any) -> bool:
        """Is this a class of the rules?"""
        return isinstance(function, Const) and isinstance(function.item, type) and self.handler(function.item) is None

    def handle_starred(self, function: Any, whole: Any, named: dict[str, Any]) -> Any:
        raise NotImplementedError

    def transposed(self, node: ast.expr) -> Any:
        """zip(*rows)"""
        match node:
            case ast.BinOp(ast.List([ast.Call() as one]), ast.Mult(), ast.Constant(int(times))):  # one iterator, several times
                return self.call(Const(zip), [self.eval(one)] * times, {})
        rows = self.eval(node)
        done = self.lift(lambda table: list(zip(*table, strict=False)), rows)
        if done is not None:
            return done
        count, get = self.items(self.in_memory(rows) if isinstance(rows, Lazy) and rows.items is None else rows)
        if isinstance(count, int) and count <= 8:
            return self.call(Const(zip), [self.settle(get(number)) for number in range(count)], {})
        place = self.counter(1 << 62)
        self.walk(Lazy(items=(count, get)), lambda row: self.keep_least(place, self.length(row)))
        columns = self.op(f"load i64, ptr {place}")
        width = columns if count != 0 else 0
        empty = self.compare("eq", count, 0)
        width = width if isinstance(empty, bool) else self.op(f"select i1 {empty}, i64 0, i64 {columns}")
        site = self.site

        def column(j: Number) -> Any:
            before, self.site = self.site, (site, "column")
            made = self.materialize(Lazy(items=(count, lambda i: self.items(self.settle(get(i)))[1](j))), "tuple")
            self.site = before
            return made

        return Lazy(items=(width, column), kind="generator")

    def keep_least(self, place: str, value: Number) -> None:
        least = self.op(f"call i64 @llvm.smin.i64(i64 {self.op(f'load i64, ptr {place}')}, i64 {value})")
        self.emit(f"store i64 {least}, ptr {place}")

    walkers: frozenset[Any]

    def handler(self, item: Any) -> Callable[..., Any] | None:
        try:
            return self.handlers_of.get(item)
        except TypeError:
            return None

    def call(self, function: Any, values: list[Any], named: dict[str, Any]) -> Any:
        """function(*values, **named)"""
        if isinstance(function, Tagged):
            return self.spread(function, lambda each: self.call(each, values, named))
        if isinstance(function, Func):
            return self.call_inner(function, values, named)
        if isinstance(function, Method):
            return self.call_method(self.read(function.value), function.name, values, named)
        if isinstance(function, Choice):
            return self.call_chosen(function, values, named)
        if isinstance(function, Rec) and function.made_by is not None:
            return self.call_method(function, "__call__", values, named)
        if not isinstance(function, Const):
            return self.fail("something that is no function is called")
        item = function.item
        handler = self.handler(item)
        if handler is not None:
            done = None if item in self.never_folded else self.fold_call(item, values, named)
            if done is None and named and item in KEYWORDS_OF and set(named) - KEYWORDS_OF[item]:
                self.fail(
                    f"{getattr(item, '__name__', item)}() with {', '.join(sorted(set(named) - KEYWORDS_OF[item]))}= has no compiled form"
                )
            return done if done is not None else handler(self, values, named)
        if isinstance(item, operator.itemgetter) and len(values) == 1:
            found = [self.subscript(values[0], Const(key)) for key in item.__reduce__()[1]]
            return found[0] if len(found) == 1 else Rec([self.settle(each) for each in found])
        if isinstance(item, operator.attrgetter) and len(values) == 1:
            paths = [functools.reduce(self.attribute, path.split("."), values[0]) for path in item.__reduce__()[1]]
            return paths[0] if len(paths) == 1 else Rec([self.settle(each) for each in paths])
        if isinstance(item, operator.methodcaller) and len(values) == 1:
            name, *more = list(item.__reduce__()[1])
            return self.call_method(values[0], name, [*map(Const, more)], {})
        if isinstance(item, functools.partial):
            return self.call(
                Const(item.func), [*map(Const, item.args), *values], {**{n: Const(v) for n, v in item.keywords.items()}, **named}
            )
        if isinstance(item, types.MethodType) and isinstance(plain_function(item.__func__), types.FunctionType):
            return self.call_function(item.__func__, [Const(item.__self__), *values], named)
        if isinstance(item, type):
            return self.construct(item, values, named)
        if isinstance(plain_function(item), types.FunctionType):
            return self.call_function(item, values, named)
        done = self.fold_call(item, values, named)
        if done is not None:
            return done
        if isinstance(item, types.MethodDescriptorType) and values:
            return self.call_method(values[0], item.__name__, values[1:], named)
        if isinstance(item, types.BuiltinMethodType) and not isinstance(item.__self__, types.ModuleType):
            return self.call_method(Const(item.__self__), item.__name__, values, named)
        if callable(item) and is_own_method_of(type(item), "__call__"):
            return self.call_function(type(item).__call__, [function, *values], named)
        return self.fail(f"{getattr(item, '__name__', item)!s} has no compiled form")

    never_folded: frozenset[Any]

    def fold_call(self, item: Any, values: list[Any], named: dict[str, Any]) -> Any:
        """The call worked out now, where everything is known."""
        if is_unsteady(item) or any(isinstance(each, Const) and isinstance(each.item, random.Random) for each in values):
            self.fail(f"{item.__name__}() depends on more than what it is given: rules may depend on the state alone")
        names = list(named)
        count = len(values)
        given = [*values, *named.values()]
        if not all(isinstance(each, Const | Choice) for each in given):
            return None
        roots = [item, *(part for each in given for part in ([each.item] if isinstance(each, Const) else each.items))]
        self.from_outside(plain_function(item))
        with self.working_out(roots):
            result = self.lift(lambda *parts: item(*parts[:count], **dict(zip(names, parts[count:], strict=True))), *given)
        if isinstance(result, Const) and isinstance(result.item, list | set | dict) and not isinstance(result.item, frozenset):
            return Const(result.item, self.site)
        if isinstance(result, Choice) and any(isinstance(each, list | set | dict) for each in result.items):
            return None  # a new one each time, which may be changed
        return result

    def call_chosen(self, function: Choice, values: list[Any], named: dict[str, Any]) -> Any:
        """One of several known functions."""
        return self.for_each_option(function, lambda item: self.call(Const(item), values, named))

    def chosen_attribute(self, value: Any, name: Choice) -> Any:
        """The attribute with one of several known names."""
        return self.for_each_option(name, lambda item: self.attribute(value, item))

    def for_each_option(self, chosen: Choice, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for the chosen object."""
        ends = []
        for number, item in enumerate(chosen.items):
            here, on = self.new("chosen"), self.new("chosen")
            self.branch(True if number == len(chosen.items) - 1 else self.compare("eq", chosen.number, number), here, on)
            self.at(here)
            try:
                value = self.settle(use(item))
                ends.append((self.block, value))
            except Unreachable:
                pass
            self.at(on)
        return self.join(ends)

    # --- functions of the rules

    def call_function(self, function: Any, values: list[Any], named: dict[str, Any]) -> Any:
        cached, function = function, plain_function(function)
        if not isinstance(function, types.FunctionType):
            return self.call(Const(function), values, named)
        if all(isinstance(each, Const) and not each.fresh for each in (*values, *named.values())) and not self.has_game(values):
            done = self.fold_call(function, values, named)
            if done is not None and not (isinstance(done, Const) and isinstance(done.item, types.GeneratorType)):
                return done
        elif self.liftable(function, values, named):
            done = self.fold_call(function, values, named)
            if done is not None:
                return done
        try:
            note_cache(cached)
            tree, names = tree_of(function), self.names_of(function)
            given = self.run(tree, names, None, function.__code__.co_filename, values, named, *self.defaults_of(function))
            return self.unchanging(given) if is_cached(tree) else given
        except Unsupported as reason:  # in the user's words, where the text is not the user's
            module = function.__module__ or ""
            if module.startswith(OURS) and not isinstance(reason, Shared):
                return self.fail(reason.reason)
            if module in ("", "__main__") or not is_installed(module):
                raise
            return self.fail(f"{module}.{function.__qualname__} has no compiled form")

    def unchanging(self, given: Any) -> Any:
        """What a function keeps and gives again: lists and the like in it may not be changed."""
        given = self.settle(given)
        for each in given.items if isinstance(given, Tagged | Rec) else [given]:
            if isinstance(each, BoxValue):
                self.note(each.type, borrowed=True)
        return given

    def defaults_of(self, function: types.FunctionType) -> tuple[list[Any], dict[str, Any]]:
        """Of arguments, and of those by name only."""
        named = (function.__kwdefaults__ or {}).items()
        return [self.from_outside(item) for item in function.__defaults__ or ()], {name: self.from_outside(item) for name, item in named}

    def names_of(self, function: types.FunctionType) -> dict[str, Any]:
        """The names that a function sees: its module's, and those of functions around it."""
        if not function.__closure__:
            return function.__globals__
        cells = zip(function.__code__.co_freevars, function.__closure__, strict=True)
        return {**function.__globals__, **{name: cell.cell_contents for name, cell in cells if not is_empty(cell)}}

    def has_game(self, values: list[Any]) -> bool:
        return False

    def liftable(self, function: Any, values: list[Any], named: dict[str, Any]) -> bool:
        """Is the function one of a choice of few known things?"""
        each = [*values, *named.values()]
        choices = [value for value in each if isinstance(value, Choice)]
        return (
            bool(choices) and all(isinstance(value, Const | Choice) for value in each) and all(len(value.items) <= 256 for value in choices)
        )

    def call_inner(self, function: Func, values: list[Any], named: dict[str, Any]) -> Any:
        function = function.with_given([*map(self.read, function.given)])
        tree, frame = function.node, function.frame
        count = len(tree.args.defaults)
        defaults, named_only = function.defaults[:count], function.defaults[count:]
        names = [arg.arg for arg, each in zip(tree.args.kwonlyargs, tree.args.kw_defaults, strict=True) if each is not None]
        keyword_defaults = dict(zip(names, named_only, strict=True))
        return self.run(
            tree, frame.globals, frame, frame.file, [*function.bound, *values], {**function.named, **named}, defaults, keyword_defaults
        )

    def run(
        self,
        tree: Any,
        names: dict[str, Any],
        parent: Frame | None,
        file: str,
        values: list[Any],
        named: dict[str, Any],
        defaults: list[Any],
        keyword_defaults: dict[str, Any],
    ) -> Any:
        """A function on values: in place, or as an LLVM function where it calls itself."""
        given = self.match_arguments(tree, values, named, defaults, keyword_defaults)
        shape = shape_of(tree)
        recursive = self.under_way(tree)
        if recursive or (shape.size > 150 and self.inlined > MOST_INLINED):
            return self.call_instance(tree, names, parent, file, given)
        if shape.generator:
            frame = self.frame_for(tree, names, parent, file, given)
            return Lazy(walk=lambda body: self.run_generator(frame, body), kind="generator", unending=never_ends(tree), direct=True)
        return self.inline(self.frame_for(tree, names, parent, file, given))

    def under_way(self, tree: Any) -> bool:
        return any(each is tree for each in self.stack)

    stack: list[Any]

    def match_arguments(
        self, tree: Any, values: list[Any], named: dict[str, Any], defaults: list[Any], keyword_defaults: dict[str, Any]
    ) -> dict[str, Any]:
        positional = [each.arg for each in (*tree.args.posonlyargs, *tree.args.args)]
        given = dict(zip(positional[len(positional) - len(defaults) :], defaults, strict=True)) if defaults else {}
        given |= keyword_defaults
        given |= dict(zip(positional, values, strict=False))
        rest = values[len(positional) :]
        if tree.args.vararg is not None and REST in named:
            given[tree.args.vararg.arg] = named.pop(REST)
        elif tree.args.vararg is not None:
            settled = [self.settle(each) for each in rest]
            known = all(isinstance(each, Const) and not each.fresh for each in settled)
            given[tree.args.vararg.arg] = Const(tuple(each.item for each in settled)) if known else Rec(settled)
        elif rest:
            self.fail(f"{getattr(tree, 'name', 'a lambda')} is given too many arguments")
        known_names = {*positional, *(each.arg for each in tree.args.kwonlyargs)}
        others: dict[str, Any] = {}
        for name, value in named.items():
            if name not in known_names and tree.args.kwarg is not None:
                others[name] = self.settle(value)
                continue
            if name not in known_names:
                self.fail(f"{getattr(tree, 'name', 'a lambda')} has no argument {name}")
            given[name] = value
        missing = known_names - given.keys()
        if missing:
            self.fail(f"{getattr(tree, 'name', 'a lambda')} is not given {', '.join(sorted(missing))}")
        if tree.args.kwarg is not None:
            whole = others.pop(KEYS, None)
            given[tree.args.kwarg.arg] = self.call(Const(dict), [] if whole is None else [whole], others)
            if whole is None and only_passed_on(tree, tree.args.kwarg.arg):
                given[PASSED_ON + tree.args.kwarg.arg] = Passed(others)
        return given

    def frame_for(self, tree: Any, names: dict[str, Any], parent: Frame | None, file: str, given: dict[str, Any]) -> Frame:
        path = self.program.path(self.frame.path if self.frame else 0, (id(tree), self.site, len(self.stack)))
        self.in_time()
        if len(self.stack) > DEEPEST_INLINE:
            self.fail("calls are nested too deep")
        frame = Frame(tree, names, path, parent, file)
        outer, self.frame = getattr(self, "frame", None), frame
        self.clear_flags(frame)
        for name, value in given.items():
            if isinstance(value, Passed):
                frame.env[name] = value
            else:
                self.bind_argument(name, value)
        self.frame = outer  # type: ignore[assignment]
        self.inlined += frame.shape.size
        return frame

    def bind_argument(self, name: str, value: Any) -> None:
        value = self.unlisted(value)
        if isinstance(value, Lazy):
            value = self.iterator(value)
        if self.frame.shape.counts.get(name) or (isinstance(value, Const) and value.fresh):
            self.bind(name, value)
        else:
            self.frame.env[name] = self.settle(value)

    def inline(self, frame: Frame) -> Any:
        outer, self.frame = self.frame, frame
        before = self.line, self.column, self.file, self.site
        self.file = frame.file
        depth = len(self.stack)
        self.stack.append(frame.node)
        try:
            return self.eval(frame.node.body) if isinstance(frame.node, ast.Lambda) else self.run_body(frame)
        finally:  # also where the end is never reached
            del self.stack[depth:]
            self.frame = outer
            self.line, self.column, self.file, self.site = before

    def run_body(self, frame: Frame) -> Any:
        try:
            self.statements(frame.node.body)
        except Unreachable:
            if not frame.returns:
                raise
        if frame.shape.tail and len(frame.returns) == 1 and not self.dead:
            return frame.returns[0][1]
        if not self.dead:
            frame.returns.append((self.block, Const(None)))
        for block, _ in frame.returns:
            block.closed = False
        return self.join(frame.returns)

    def statements(self, nodes: list[ast.stmt]) -> None:
        raise NotImplementedError

    # --- generators

    def run_generator(self, frame: Frame, body: Callable[[Any], None]) -> None:
        """The generator's body, with the consumer's at each yield."""
        consumer = self.frame
        stack = list(self.stack)
        frame.any_order, self.any_order = self.any_order, None

        def produce(give: Callable[[Any], None]) -> None:
            outer, self.frame = self.frame, frame
            before = self.line, self.column, self.file, self.site
            self.file = frame.file
            self.stack.append(frame.node)
            frame.on_yield, frame.end = give, self.new("end")
            with contextlib.suppress(Unreachable):
                self.statements(frame.node.body)
            self.jump(frame.end)
            self.at(frame.end)
            self.stack.pop()
            self.frame = outer
            self.line, self.column, self.file, self.site = before

        def consume(item: Any) -> None:
            outer, self.frame = self.frame, consumer
            producing, self.stack = self.stack, list(stack)
            before = self.line, self.column, self.file, self.site
            try:
                body(item)
            finally:
                self.frame, self.stack = outer, producing
                self.line, self.column, self.file, self.site = before

        self.through(produce, consume)

    def iterable_call(self, node: ast.Call) -> Any:
        """A call whose result is only walked over."""
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return self.eval(node)
        before = self.line, self.column, self.site
        self.line, self.column, self.site = node.lineno, node.col_offset, (self.frame.path, id(node))
        try:
            function = self.eval(node.func)
            copying = isinstance(function, Const) and function.item in (list, tuple) and len(node.args) == 1 and not node.keywords
            if copying and not self.reads_boxes(node.args[0]) and not isinstance(node.args[0], ast.Starred):
                made = self.iterable(node.args[0])
                if self.is_sequence(made) and self.kind_of(made) == "str":  # its letters, not the text
                    return Const(list(made.item)) if isinstance(made, Const) else Lazy(items=self.items(made))
                return made
            own = self.listing_function(function)
            if own is None:
                value = self.eval(node)
                return Const(value.item) if isinstance(value, Const) and value.fresh else value
            values, named = self.arguments(node)
            if any(self.holds_box(value) for value in (*values, *named.values())) or self.under_way(tree_of(own[0])):
                return self.call(function, values, named)
            return self.listed(own[0], [*own[1], *values], named)
        finally:
            self.line, self.column, self.site = before

    def listing_function(self, function: Any, of_rule: bool = False) -> tuple[types.FunctionType, list[Any]] | None:
        """A function all of whose returns are lists that can be walked over where they stand; and what it is bound to. Those of a rule
        may be any, so that lists of different things that it returns keep their own types."""
        bound: list[Any] = []
        if not isinstance(function, Const) or self.handler(function.item) is not None:
            return None
        item = function.item
        if isinstance(item, types.MethodType):
            bound, item = [Const(item.__self__)], item.__func__
        item = plain_function(item)
        if not isinstance(item, types.FunctionType):
            return None
        shape = shape_of(tree_of(item))
        simple = all(isinstance(each.value, SIMPLE_RETURNS) for each in shape.returns)
        if shape.generator or not shape.returns or not (simple or (of_rule and len(shape.returns) > 1)) or not returns(tree_of(item).body):
            return None
        return item, bound

    def listed(self, function: types.FunctionType, values: list[Any], named: dict[str, Any]) -> Any:
        """Like a generator: each `return [...]` is walked over where it stands."""
        done = self.fold_call(function, values, named) if all(isinstance(each, Const) for each in (*values, *named.values())) else None
        if done is not None:
            return done
        tree, names = tree_of(function), self.names_of(function)
        given = self.match_arguments(tree, values, named, *self.defaults_of(function))
        frame = self.frame_for(tree, names, None, function.__code__.co_filename, given)
        return Lazy(walk=lambda body: self.run_generator(frame, body), kind="list", direct=True)

    # --- functions of their own

    def call_instance(self, tree: Any, names: dict[str, Any], parent: Frame | None, file: str, given: dict[str, Any]) -> Any:
        """A call of an LLVM function made for arguments of these types."""
        given = {name: value for name, value in given.items() if not isinstance(value, Passed)}
        known = {name: value for name, value in given.items() if self.stays_known(value)}
        passed = {name: self.passable(self.settle(value)) for name, value in given.items() if name not in known}
        kinds = {name: self.common_type(tree, name, self.typeof(value)) for name, value in passed.items()}
        known = {name: self.placed(value) for name, value in known.items()}
        captured = self.captured(tree, parent, list(known.values()))
        slots = [slot for value in (*known.values(), *(each.value for each in captured)) for slot in slots_in(value)]
        key = (
            id(tree),
            tuple((name, identity_of(value)) for name, value in sorted(known.items())),
            tuple((name, kind) for name, kind in sorted(kinds.items())),
            tuple((each.frame.path, each.name, identity_of(each.value)) for each in captured),
        )
        instance = self.program.instances.get(key)
        if instance is None:  # lists that were joined since then have another hash
            instance = next((each for other, each in self.program.instances.items() if other == key), None)
        if instance is None:
            before = [item_types(kind) for kind in (*kinds.values(), *(slot.type for slot in slots))]
            try:
                instance = self.program.make_instance(self, key, tree, names, parent, file, known, kinds, captured)
            except Widened as wider:
                self.memo[wider.key] = unify(self.memo.get(wider.key), wider.type)
                if wider.key in self.borrowed:
                    raise
                raise Restart from None
            if [item_types(kind) for kind in (*kinds.values(), *(slot.type for slot in slots))] != before:
                raise Restart
        if not instance.known:
            instance.used = True
            if instance.result is None:
                raise Unreachable
        words = [
            f"{register} {name}"
            for each, kind in kinds.items()
            for register, name in zip(self.registers(kind), self.names(passed[each], kind), strict=True)
        ]
        words += [f"ptr {place}" for slot in slots for place in slot.places]
        room = self.alloca(f"[{max(size(instance.result), 1)} x i8]")
        self.uses_arena = True
        status = self.op(f"call i64 @{instance.name}({', '.join(['ptr %ctx', *words, f'ptr {room}'])})")
        self.check_status(status)
        result = self.load(room, instance.result, copied=True)
        if shape_of(tree).generator:
            return Lazy(items=self.items(result), kind="generator")
        return result

    def common_type(self, tree: Any, name: str, kind: Type) -> Type:
        """The type of an argument for all calls of a function by itself: a tuple that grows must not make a function for each length."""
        if not self.checked:
            return kind
        if mutable(kind):  # one list type for a function and the calls within it; other calls keep theirs
            around = next((kinds[name] for each, kinds in reversed(self.program.under_way) if each is tree and name in kinds), None)
            return unify(around, kind) or kind
        key = (id(tree), name)
        self.program.argument_types[key] = unify(self.program.argument_types.get(key), kind)
        return self.program.argument_types[key]  # type: ignore[no-any-return]

    def check_status(self, status: str) -> None:
        """Go on after a call, or pass its fault on to a handler or the caller."""
        if self.handlers:
            for handlers in reversed(self.handlers):
                for caught, block in handlers.items():
                    numbers = [number for kind, number in EXCEPTIONS.items() if issubclass(kind, caught)]
                    numbers += [faults.FIRST_OWN_EXCEPTION + n for n, kind in enumerate(self.module.exceptions) if issubclass(kind, caught)]
                    for number in numbers:
                        on = self.new("on")
                        self.branch(self.compare("eq", status, number), block, on)
                        self.at(on)
        out, ok = self.new("out"), self.new("ok")
        self.emit(f"br i1 {self.op(f'icmp ne i64 {status}, 0')}, label %{out.label}, label %{ok.label}, !prof !0")
        self.block.closed = True
        self.at(out)
        self.ret(status)
        self.at(ok)

    def stays_known(self, value: Any) -> bool:
        """Is an argument fixed for the whole function? Numbers are not: a recursive function would be made for each."""
        if isinstance(value, Func | Method):
            return True
        return (
            isinstance(value, Const)
            and not value.fresh
            and (value.item is None or not isinstance(value.item, int | float | str | tuple))
            and not isinstance(value.item, enum.Enum)
        )

    def passable(self, value: Any) -> Any:
        if isinstance(value, Iter):
            value = self.materialize(value, "tuple")
        if isinstance(value, Const | Choice):
            kind = self.typeof(value)
            return self.coerce(value, kind) if not isinstance(kind, Box) else self.run_time(value)
        return self.widened(value)

    def widened(self, value: Any) -> Any:
        """Numbers as 64 bits, and lengths as varying, so that one function serves all calls."""
        from zermelo.compiler.types import INT, Int

        if isinstance(value, Scalar) and isinstance(value.type, Int) and value.type.bits < 64:
            return Scalar(INT, value.name)
        if isinstance(value, Rec):
            return Rec(
                [self.widened(item) if not isinstance(item, Const) else self.widened(self.passable(item)) for item in value.items],
                value.made_by,
            )
        if isinstance(value, SeqValue) and value.kind == "tuple" and isinstance(value.length, int):
            return SeqValue(value.kind, value.item, str(value.length), value.pointer)
        return value

    def widened_type(self, kind: Type) -> Type:
        """What a function returns, as one type for all calls."""
        from zermelo.compiler.types import Int

        match kind:
            case Int(bits, mixed) if bits < 64:
                return Int(64, mixed)
            case Seq("tuple", item, int()):
                return Seq("tuple", item, None)
            case Record(made_by, items):
                return Record(made_by, tuple(self.widened_type(item) for item in items))
        return kind

    def captured(self, tree: Any, parent: Frame | None, known: list[Any]) -> list[Captured]:
        """The variables of outer functions that an inner one uses, itself or through the functions that it calls or is given."""
        found: dict[tuple[int, str], Captured] = {}
        waiting = [(tree, parent), *((each.node, each.frame) for each in known if isinstance(each, Func))]
        seen = {id(each.node) for each in known if isinstance(each, Func)}
        while waiting:
            node, frame = waiting.pop(0)
            own = set(arguments_of(node)) | (shape_of(node).counts.keys() - shape_of(node).foreign)
            for name in sorted({each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - own):
                owner = frame.owner(name) if frame is not None else None
                if owner is None or (id(owner), name) in found:
                    continue
                value = self.capture(owner, name)
                found[id(owner), name] = Captured(owner, name, value)
                if isinstance(value, Func) and id(value.node) not in seen:
                    seen.add(id(value.node))
                    waiting.append((value.node, value.frame))
        return list(found.values())

    def capture(self, owner: Frame, name: str) -> Any:
        """A variable as another LLVM function can use it: known, or a place in memory."""
        if name in owner.flags:
            self.fault_if(self.negate(self.op(f"load i1, ptr {owner.flags[name]}")), EXCEPTIONS[UnboundLocalError])
        return self.placed(owner.env[name])

    def placed(self, value: Any) -> Any:
        """A value with its run-time parts in memory."""
        match value:
            case Func():
                return value.with_given([*map(self.placed, value.given)])
            case Method():
                return Method(self.placed(value.value), value.name)
            case Slot() | Const(fresh=False):
                return value
        value = self.settle(value)
        kind = self.typeof(value)
        slot = Slot(kind, [self.alloca(register) for register in self.registers(kind)])
        for register, place, part in zip(self.registers(kind), slot.places, self.names(value, kind), strict=True):
            self.emit(f"store {register} {part}, ptr {place}")
        return slot

    def library(self, name: str, values: list[Any]) -> Any:
        """A function of `library.py`, compiled like the rules."""
        return self.call_function(getattr(library, name), values, {})

    def call_value(self, function: Any, values: list[Any]) -> Any:
        return self.call(function, values, {})

    # --- classes

    def construct(self, made_by: type, values: list[Any], named: dict[str, Any]) -> Any:
        if issubclass(made_by, enum.Enum):
            return self.enum_member(made_by, values[0])
        if issubclass(made_by, BaseException):
            return Const(made_by)
        done, of_values = None, is_record(made_by) or not is_own_method_of(made_by, "__init__")  # others are new objects each time
        if (
            of_values
            and made_by not in self.program.mutable
            and all(isinstance(each, Const) and not each.fresh for each in (*values, *named.values()))
        ):
            done = self.fold_call(made_by, values, named)
        if done is not None and not (isinstance(done, Const) and holds_containers(done.item)):
            return done
        if is_record(made_by) and not is_own_method_of(made_by, "__new__") and not is_own_method_of(made_by, "__init__"):
            made = self.instance(self.record(made_by, values, named))
            if is_own_method_of(made_by, "__post_init__"):
                self.call_function(made_by.__post_init__, [made], {})  # type: ignore[attr-defined]
            return made
        if is_own_method_of(made_by, "__init__"):
            return self.instance(self.build_instance(made_by, values, named))
        return self.fail(f"{made_by.__name__}(…) has no compiled form")

    def enum_member(self, made_by: Any, value: Any) -> Any:
        members = members_of(made_by).items
        number, found = self.lookup([member.value for member in members], value)
        self.fault_if(self.negate(found), EXCEPTIONS[ValueError])
        return Choice(Options(members), str(number))

    def record(self, made_by: Any, values: list[Any], named: dict[str, Any]) -> Rec:
        names = field_names(made_by)
        given = dict(zip(names, values, strict=False)) | named
        if hasattr(made_by, "_field_defaults"):
            defaults = dict(made_by._field_defaults)
        else:
            fields = dataclasses.fields(made_by)
            defaults = {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}
            for each in fields:
                if each.default_factory is not dataclasses.MISSING and each.name not in given:
                    given[each.name] = self.call(Const(each.default_factory), [], {})
        missing = [name for name in names if name not in given and name not in defaults]
        if missing:
            self.fail(f"{made_by.__name__} is not given {', '.join(missing)}")
        return Rec([self.settle(given[name]) if name in given else Const(defaults[name]) for name in names], made_by)

    def build_instance(self, made_by: type, values: list[Any], named: dict[str, Any]) -> Rec:
        """An instance of a plain class: what its `__init__` leaves behind."""
        holder = Frame(EMPTY, {}, self.program.path(self.frame.path, (self.site, "made")))
        building = Building(made_by, holder)
        self.call_function(made_by.__init__, [building, *values], named)  # type: ignore[misc]
        names = tuple(building.names)
        if CLASS_FIELDS.setdefault(made_by, names) != names:
            self.fail(f"{made_by.__name__} has not always the same attributes")
        return Rec([self.read(holder.env[f"self.{name}"]) for name in names], made_by)

    def instance(self, made: Rec) -> Any:
        """A new object: its fields as they are, or in memory where rules change objects of its class."""
        if made.made_by not in self.program.mutable:
            return made
        kind = Box("object", self.cell(("object", made.made_by)), made.made_by)
        made = Rec([self.settle(item) for item in made.items], made.made_by)
        self.join_item(kind, made)
        box = self.new_box(kind, 1, 1)
        self.store(self.view(box)[1], kind.item, made)
        return box

    def parent_of_self(self) -> Any:
        frame: Frame | None = self.frame
        while frame is not None and "__class__" not in frame.globals:
            frame = frame.parent
        if frame is None:
            return self.fail("super() outside a class")
        first = arguments_of(frame.node)[0]
        this = self.read(frame.env[first])
        if isinstance(this, Const):
            return Const(super(frame.globals["__class__"], this.item))
        return Method(Rec([this], frame.globals["__class__"]), "super")

    # --- methods

    def call_method(self, value: Any, name: str, values: list[Any], named: dict[str, Any]) -> Any:
        """value.name(*values, **named)"""
        if isinstance(value, Tagged):
            return self.spread(value, lambda each: self.call_method(each, name, values, named))
        if isinstance(value, Choice) and len({type(item) for item in value.items}) > 1:
            return self.call_method(self.parted(value), name, values, named)
        if isinstance(value, Method) and value.name == "super":
            return self.call_parent(value.value.items[0], value.value.made_by, name, values, named)
        made_by = self.class_of(value)
        if name == "_replace" and not is_own_method_of(made_by, name):
            return self.replaced(value, named)
        if made_by is not None and is_own_method_of(made_by, name):
            return self.call_function(method_of(made_by, name), [value, *values], named)
        return self.builtin_method(value, name, values, named)

    def parents(self, parent: Method) -> tuple[type, ...]:
        """The classes in which `super()` looks for a name."""
        own = parent.value.made_by
        order = (self.class_of(parent.value.items[0]) or own).__mro__
        return order[order.index(own) + 1 :]  # type: ignore[no-any-return]

    def call_parent(self, this: Any, own: type, name: str, values: list[Any], named: dict[str, Any]) -> Any:
        """super().name(*values, **named) in a method of the class `own`."""
        for base in self.parents(Method(Rec([this], own), "super")):
            if name in base.__dict__:
                member = base.__dict__[name]
                if isinstance(member, types.FunctionType):
                    return self.call_function(member, [this, *values], named)
                if name == "__init__" and base is object:
                    return Const(None)
                break
        return self.fail(f"super().{name}() of {own.__name__}")

    def replaced(self, value: Any, named: dict[str, Any]) -> Any:
        if isinstance(value, Const):
            value = Rec([Const(item) for item in value.item], type(value.item))
        if isinstance(value, Choice):
            value = self.run_time(value)
        if not isinstance(value, Rec) or value.made_by is None:
            return self.fail(f"_replace of {self.describe(value)}")
        names = field_names(value.made_by)
        unknown = named.keys() - set(names)
        if unknown:
            self.fail(f"{value.made_by.__name__} has no {', '.join(sorted(unknown))}")
        return Rec(
            [self.settle(named[name]) if name in named else item for name, item in zip(names, value.items, strict=True)], value.made_by
        )

    def builtin_method(self, value: Any, name: str, values: list[Any], named: dict[str, Any]) -> Any:
        raise NotImplementedError

    def function_of(self, function: Any) -> Callable[..., Any] | None:
        """A Python function on values, from one of the rules; None from None."""
        if function is None or (isinstance(function, Const) and function.item is None):
            return None
        return lambda *values: self.call(function, list(values), {})

    def enter(self) -> None:
        """Count the depth of calls at the beginning of a function that calls itself."""
        place = self.offset("%ctx", 32)
        depth = self.op(f"load i64, ptr {place}")
        self.fault_if(self.compare("sgt", depth, DEEPEST), EXCEPTIONS[RecursionError])
        self.emit(f"store i64 {self.op(f'add i64 {depth}, 1')}, ptr {place}")

    def leave_function(self) -> None:
        place = self.offset("%ctx", 32)
        depth = self.op(f"load i64, ptr {place}")
        self.emit(f"store i64 {self.op(f'sub i64 {depth}, 1')}, ptr {place}")


def returns(body: list[ast.stmt]) -> bool:
    """Do statements always end in `return` with a value, or `raise`?"""
    match body[-1] if body else None:
        case ast.Return(value):
            return value is not None
        case ast.Raise():
            return True
        case ast.If(_, yes, no):
            return returns(yes) and returns(no)
        case ast.Try(tried, handlers, orelse, _):
            return returns(orelse or tried) and all(returns(each.body) for each in handlers)
        case ast.Match(_, cases):
            last = cases[-1]
            return all(returns(each.body) for each in cases) and isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
    return False


def holds_containers(made: Any) -> bool:
    """Has a new object a list, set or dict of its own, which rules may change?"""
    return any(isinstance(each, list | set | dict) for each in getattr(made, "__dict__", {}).values())


def is_unsteady(item: Any) -> bool:
    """May a function of Python's library say something else each time it is asked?"""
    of_chance = isinstance(getattr(item, "__self__", None), random.Random)
    return of_chance or getattr(item, "__module__", None) in UNSTEADY_MODULES or any(item is each for each in UNSTEADY)


def never_ends(tree: ast.FunctionDef) -> bool:
    """Does a generator go on for ever, as far as its text tells?"""
    loops = [each for each in tree.body if isinstance(each, ast.While) and isinstance(each.test, ast.Constant) and each.test.value]
    leaves = any(isinstance(each, ast.Return | ast.Raise) for each in ast.walk(tree))
    return not leaves and any(not any(isinstance(each, ast.Break) for each in ast.walk(loop)) for loop in loops)


def has_effects(node: ast.AST) -> bool:
    """May working this out change anything?"""
    changing = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
    return any(
        isinstance(each, changing) or (isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)) for each in ast.walk(node)
    )


def is_empty(cell: Any) -> bool:
    try:
        return cell.cell_contents is None and False
    except ValueError:
        return True


class Itself:
    """A part of a key that equals only the same object, which lives as long as the key."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def identity_of(value: Any) -> Any:
    if isinstance(value, Const):
        return Options([value.item])
    if isinstance(value, Slot):
        return value.type
    if isinstance(value, Func):
        return (id(value.node), value.frame.path, tuple(map(identity_of, value.given)))
    if isinstance(value, Method):
        return (value.name, identity_of(value.value))
    return Itself(value)


def item_types(kind: Type | None, depth: int = 0) -> Any:
    """A type with the item types of its lists spelled out, to see whether they have changed."""
    if depth > 6:
        return "…"
    match kind:
        case Box():
            return (kind.kind, item_types(kind.item, depth + 1))
        case Record(made_by, items):
            return (made_by, *(item_types(item, depth + 1) for item in items))
        case Seq(text, item, length):
            return (text, length, item_types(item, depth + 1))
        case Union(alternatives):
            return ("union", *(item_types(item, depth + 1) for item in alternatives))
    return kind
