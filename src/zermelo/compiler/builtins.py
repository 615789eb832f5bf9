"""Python's built-in functions and methods, and what rules use of its library: one handler each, found by the function itself."""

import ast
import bisect
import collections
import copy
import dataclasses
import fractions
import functools
import heapq
import itertools
import math
import operator
import sys
import types
from collections.abc import Callable
from typing import Any

from zermelo import words
from zermelo.compiler import library, number_classes
from zermelo.compiler.boxes import SETS, has_total_order
from zermelo.compiler.faults import EXCEPTIONS, INEXACT, ORDER, UNWRITTEN, Restart
from zermelo.compiler.frames import EMPTY, Frame, tree_of
from zermelo.compiler.sequences import SET_LIKE, is_unordered
from zermelo.compiler.source import plain_function
from zermelo.compiler.statements import Statements
from zermelo.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    WORD,
    Box,
    Char,
    Int,
    Missing,
    Options,
    Record,
    Seq,
    Type,
    Word,
    direct,
    field_names,
    is_numeric,
    is_record,
    parts,
    unify,
)
from zermelo.compiler.values import (
    ENDLESS,
    AnyOrder,
    BoxValue,
    Choice,
    Const,
    Flag,
    Func,
    Iter,
    Lazy,
    Method,
    Number,
    Range,
    Rec,
    Scalar,
    SeqValue,
    Tagged,
)

__all__ = ["HANDLERS", "NEVER_FOLDED", "WALKERS", "Builtins"]

Named = dict[str, Any]

COMPENSATED = sys.version_info >= (3, 12)  # since when `sum` keeps track of what its floats lose by rounding


def spread_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """A handler that treats each alternative of a tagged first argument on its own."""

    @functools.wraps(function)
    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        if values and isinstance(values[0], Tagged):
            return c.spread(values[0], lambda each: handle(c, [each, *values[1:]], named))
        return function(c, values, named)

    return handle


# --- length, truth, numbers


@spread_first
def handle_len(c: "Builtins", values: list[Any], named: Named) -> Any:
    if c.has_own(values[0], "__len__"):
        return c.call_method(values[0], "__len__", [], {})
    return c.number(c.length(values[0]))


def handle_range(c: "Builtins", values: list[Any], named: Named) -> Any:
    numbers = [c.num(value) for value in values]
    start, stop = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) == 3 else 1
    if not isinstance(step, int):
        return c.moving_range(start, stop, step)
    c.fault_if(step == 0, EXCEPTIONS[ValueError])
    return Range(start, stop, step)


def handle_bool(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.flag(c.truth(values[0])) if values else Const(False)


@spread_first
def handle_int(c: "Builtins", values: list[Any], named: Named) -> Any:
    value = values[0]
    if c.has_own(value, "__int__"):
        return c.call_method(value, "__int__", [], {})
    if c.is_sequence(value):
        return c.library("int_in_base", [value, values[1]]) if len(values) > 1 else c.library("int_of_text", [value])
    scalar = c.whole(c.scalar(value))
    if scalar.type == FLOAT:
        return c.whole_of_float(scalar.name, "trunc")
    return scalar if scalar.type == WORD or (isinstance(scalar.type, Int) and scalar.type.bits >= 64) else c.as_whole(scalar, INT)


@spread_first
def handle_float(c: "Builtins", values: list[Any], named: Named) -> Any:
    if c.has_own(values[0], "__float__"):
        return c.call_method(values[0], "__float__", [], {})
    if c.is_sequence(values[0]):
        text = c.known_text(values[0])
        return c.fail("nan has no compiled form: use None" if text and "nan" in text.lower() else "float() of a str")
    return c.as_float(c.whole(c.scalar(values[0])))


@spread_first
def handle_abs(c: "Builtins", values: list[Any], named: Named) -> Any:
    if c.has_own(values[0], "__abs__"):
        return c.call_method(values[0], "__abs__", [], {})
    scalar = c.whole(c.scalar(values[0]))
    if scalar.type == FLOAT:
        return Scalar(FLOAT, c.op(f"call double @llvm.fabs.f64(double {scalar.name})"))
    if scalar.type == WORD:
        return scalar
    scalar = c.as_whole(scalar, INT) if scalar.type == BOOL else scalar
    kind = parts(scalar.type)[0][0]
    minus = c.whole(c.scalar(c.negative(scalar)))
    return Scalar(minus.type, c.op(f"select i1 {c.op(f'icmp slt {kind} {scalar.name}, 0')}, {kind} {minus.name}, {kind} {scalar.name}"))


@spread_first
def handle_round(c: "Builtins", values: list[Any], named: Named) -> Any:
    if c.has_own(values[0], "__round__"):
        return c.call_method(values[0], "__round__", values[1:], {})
    scalar = c.whole(c.scalar(values[0]))
    if len(values) > 1 and not (isinstance(values[1], Const) and values[1].item is None):
        if not (isinstance(values[1], Const) and isinstance(values[1].item, int) and 0 <= values[1].item <= 15):
            return c.fail("round() to so many digits")
        return c.round_to(scalar, values[1].item) if scalar.type == FLOAT else scalar
    if scalar.type != FLOAT:
        return scalar
    return c.whole_of_float(scalar.name, "rint")


def rounding(how: str) -> Callable[..., Any]:
    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        if c.has_own(values[0], f"__{how}__"):
            return c.call_method(values[0], f"__{how}__", [], {})
        scalar = c.whole(c.scalar(values[0]))
        return c.whole_of_float(scalar.name, how) if scalar.type == FLOAT else scalar

    return handle


def float_function(name: str, domain: str = "") -> Callable[..., Any]:
    """A function of one float; `domain` is the comparison with 0 that faults."""

    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        if len(values) != 1:
            return c.fail(f"math.{name} with {len(values)} arguments")
        value = c.as_float(c.whole(c.scalar(values[0]))).name
        if domain and c.checked:
            c.fault_if(c.op(f"fcmp {domain} double {value}, 0.0"), EXCEPTIONS[ValueError])
        library = name if name in ("tanh", "tan", "atan") else f"llvm.{name}.f64"
        found = c.op(f"call double @{library}(double {value})")
        if name != "fabs" and c.checked:  # Python may raise
            c.fault_if(c.op(f"fcmp uge double {c.op(f'call double @llvm.fabs.f64(double {found})')}, 0x7FF0000000000000"), INEXACT)
        return Scalar(FLOAT, found)

    return handle


def handle_divmod(c: "Builtins", values: list[Any], named: Named) -> Any:
    import ast

    return Rec([c.arithmetic(ast.FloorDiv, *values), c.arithmetic(ast.Mod, *values)])


def handle_pow(c: "Builtins", values: list[Any], named: Named) -> Any:
    import ast

    if len(values) == 3:
        return c.library("power_modulo", values)
    return c.operate(ast.Pow, *values)


def operation(kind: str) -> Callable[..., Any]:
    import ast

    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        return c.operate(getattr(ast, kind), c.settle(values[0]), c.settle(values[1]))

    return handle


def comparison(kind: str) -> Callable[..., Any]:
    import ast

    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        return c.flag(c.compare_values(getattr(ast, kind)(), c.settle(values[0]), c.settle(values[1])))

    return handle


def handle_ord(c: "Builtins", values: list[Any], named: Named) -> Any:
    value = values[0]
    if isinstance(value, Const | Choice):
        value = c.scalar(value)
    if isinstance(value, SeqValue):
        value = c.coerce(value, value.item)
    return Scalar(INT, c.scalar(value).name)


def handle_chr(c: "Builtins", values: list[Any], named: Named) -> Any:
    number = c.num(values[0])
    c.fault_if(c.compare("uge", number, 0x110000), EXCEPTIONS[ValueError])
    small = isinstance(values[0], Const) and values[0].item < 128
    return Scalar(Char(8 if small else 32), str(number))


def handle_gcd(c: "Builtins", values: list[Any], named: Named) -> Any:
    return functools.reduce(lambda a, b: c.library("greatest_common_divisor", [a, b]), values)


def handle_popcount(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.bit_count(values[0])


def handle_lsb(c: "Builtins", values: list[Any], named: Named) -> Any:
    scalar = c.whole(c.scalar(values[0]))
    scalar = c.as_whole(scalar, INT) if scalar.type == BOOL else scalar
    kind = parts(scalar.type)[0][0]
    if c.checked:
        c.fault_if(c.op(f"icmp eq {kind} {scalar.name}, 0"), INEXACT)
    c.module.declarations.add(f"declare {kind} @llvm.cttz.{kind}({kind}, i1)") if kind != "i64" else None
    found = c.op(f"call {kind} @llvm.cttz.{kind}({kind} {scalar.name}, i1 false)")
    return Scalar(INT, found if kind == "i64" else c.op(f"trunc {kind} {found} to i64"))


# --- things to walk over


def handle_quantifier(which: str) -> Callable[..., Any]:
    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        return c.flag(c.quantify(values[0], c.truth, which))

    return handle


def handle_sum(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.total(values[0], values[1] if len(values) > 1 else named.get("start", Const(0)))


def extreme(largest: bool) -> Callable[..., Any]:
    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        key = c.function_of(named.get("key"))
        if len(values) > 1:
            return c.extreme_of(values, largest, key)
        return c.extreme(values[0], largest, key, named.get("default"))

    return handle


def handle_list(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.materialize(values[0], "list") if values else Const([], c.site)


@spread_first
def handle_tuple(c: "Builtins", values: list[Any], named: Named) -> Any:
    if not values:
        return Const(())
    value = values[0]
    if isinstance(value, Rec):
        return Rec(value.items)
    if isinstance(value, Const | Choice):
        done = c.lift(tuple, value)
        if done is not None:
            return done
    return c.materialize(value, "tuple")


def making(kind: str) -> Callable[..., Any]:
    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        if not values:
            return Const(set() if kind == "set" else frozenset(), c.site)
        return c.materialize(values[0], kind)

    return handle


def handle_deque(c: "Builtins", values: list[Any], named: Named) -> Any:
    most = values[1] if len(values) > 1 else named.get("maxlen", Const(None))
    if not isinstance(most, Const) or most.item == 0:
        return c.fail("deque() whose maxlen is 0 or not known")
    if most.item is None:
        return c.collect(values[0] if values else Const(()), "deque", None, None)
    last = c.slice(c.materialize(values[0], "tuple"), Const(-most.item), None, None) if values else Const(())
    made = c.collect(last, "deque", None, None)
    return BoxValue(Box("deque", made.type.cell, most.item), made.pointer)


def handle_dict(c: "Builtins", values: list[Any], named: Named) -> Any:
    if not values:
        made = c.collect(Const(()), "dict", None, None)
    elif (isinstance(values[0], BoxValue) and values[0].type.kind == "dict") or (
        isinstance(values[0], Const) and isinstance(values[0].item, dict)
    ):
        made = c.collect(c.dict_pairs(values[0], "items"), "dict", None, None)
    else:
        made = c.collect(values[0], "dict", None, None)
    for name, value in named.items():
        c.dict_set(made, Const(name), value)
    return made


def handle_fromkeys(c: "Builtins", values: list[Any], named: Named) -> Any:
    default = c.one_object(values[1]) if len(values) > 1 else Const(None)
    return c.collect(Lazy(walk=lambda body: c.walk(values[0], lambda key: body(Rec([c.settle(key), default])))), "dict", None, None)


def handle_defaultdict(c: "Builtins", values: list[Any], named: Named) -> Any:
    factory = values[0]
    if not isinstance(factory, Const | Func):
        return c.fail("a defaultdict whose factory is not known")
    made = c.collect(c.dict_pairs(values[1], "items") if len(values) > 1 else Const(()), "dict", None, None)
    return BoxValue(Box("dict", made.type.cell, factory if isinstance(factory, Func) else factory.item), made.pointer)


def handle_counter(c: "Builtins", values: list[Any], named: Named) -> Any:
    made = c.collect(Const(()), "dict", None, None)
    made = BoxValue(Box("dict", made.type.cell, Missing), made.pointer)
    if values:
        c.count_items(made, values[0])
    return made


def handle_enumerate(c: "Builtins", values: list[Any], named: Named) -> Any:
    first = c.num(values[1] if len(values) > 1 else named.get("start", Const(0)))
    value = values[0]
    if c.has_items(value) or isinstance(value, BoxValue):
        count, get = c.items(value)
        pair = (count, lambda i: Rec([c.number(c.plus(first, i)), get(i)]))
        return Lazy(items=pair, kind="generator", boxes=shown(value))

    def run(body: Callable[[Any], None]) -> None:
        place = c.counter(first)

        def each(item: Any) -> None:
            i = c.op(f"load i64, ptr {place}")
            c.emit(f"store i64 {c.op(f'add i64 {i}, 1')}, ptr {place}")
            body(Rec([Scalar(INT, i), item]))

        c.walk(value, each)

    return Lazy(walk=run, kind="generator")


def handle_zip(c: "Builtins", values: list[Any], named: Named) -> Any:
    if not values:
        return Const(())
    places = [value.position for value in values if isinstance(value, Iter)]
    if len(places) == len(values) > 1 and len(set(places)) == 1:
        rest, take = c.items(c.rest_of(values[0]))
        width = len(values)
        rows = c.op(f"udiv i64 {rest}, {width}")
        return Lazy(items=(rows, lambda i: Rec([take(c.plus(c.scaled(i, width), n)) for n in range(width)])), kind="generator")
    if len(set(places)) < len(places):
        c.fail("zip() of an iterator with itself and others")
    pairs = [c.items(value) for value in values]
    count = c.shortest([count for count, _ in pairs])
    strict = named.get("strict", Const(False))
    if not isinstance(strict, Const):
        c.fail("zip() with a strict= that is no constant")
    for value, (each, _) in zip(values, pairs, strict=True):
        if isinstance(value, Iter) or strict.item:  # what is left of it could be asked for, or is one too many
            c.fault_if(c.compare("ne", each, count), UNWRITTEN)
    boxes = tuple(box for value in values for box in shown(value))
    return Lazy(items=(count, lambda i: Rec([get(i) for _, get in pairs])), kind="generator", boxes=boxes)


def shown(value: Any) -> tuple[Any, ...]:
    """The lists, sets and dicts whose items something lazy shows."""
    return (value,) if isinstance(value, BoxValue) else value.boxes if isinstance(value, Lazy) else ()


def handle_zip_longest(c: "Builtins", values: list[Any], named: Named) -> Any:
    if len(values) != 2:
        return c.fail("zip_longest() of more or less than two")
    return c.library("zip_longest", [*(c.materialize(value, "tuple") for value in values), named.get("fillvalue", Const(None))])


def through_library(name: str, *order: str) -> Callable[..., Any]:
    """A function that `library.py` writes in Python; `order` are the names of arguments that may be given by name."""

    def handle(c: "Builtins", values: list[Any], named: Named) -> Any:
        if set(named) - set(order):
            return c.fail(f"{name}() with {', '.join(named)}=")
        return c.call_function(
            getattr(library, name), [c.materialize(v, "tuple") if isinstance(v, Lazy | Iter) else v for v in values], named
        )

    return handle


def handle_type(c: "Builtins", values: list[Any], named: Named) -> Any:
    if len(values) != 1:
        return c.fail("type() that makes a class")
    if isinstance(values[0], Choice) and len({type(item) for item in values[0].items}) > 1:
        return c.call(Const(type), [c.parted(values[0])], {})
    return c.spread(values[0], lambda each: Const(c.python_type(each)))


def handle_astuple(c: "Builtins", values: list[Any], named: Named) -> Any:
    """Of dataclasses that hold neither dataclasses nor lists, which would be copied."""
    names = field_names(c.class_of(values[0]))
    items = [c.settle(c.attribute(values[0], name)) for name in names]
    if any(isinstance(each, BoxValue | Rec | Tagged) for each in items):
        return c.fail("astuple() of nested values")
    return Rec(items)


def handle_getattr(c: "Builtins", values: list[Any], named: Named) -> Any:
    name = c.known_text(values[1])
    if name is None and isinstance(values[1], Choice) and values[1].options.kinds == {str} and len(values) == 2:
        return c.chosen_attribute(values[0], values[1])
    if name is None or len(values) > 2:
        return c.fail("getattr() of a name that is not known")
    return c.attribute(values[0], name)


def handle_hasattr(c: "Builtins", values: list[Any], named: Named) -> Any:
    name, made_by = c.known_text(values[1]), c.class_of(values[0])
    value = values[0]
    if name is not None and isinstance(value, Method) and value.name == "super":
        return Const(any(name in base.__dict__ for base in c.parents(value)))
    if name is None or made_by is None:
        return c.fail("hasattr() of something that is not known")
    return Const(name in field_names(made_by) or hasattr(made_by, name))


@spread_first
def handle_complex(c: "Builtins", values: list[Any], named: Named) -> Any:
    values = [*values, *(named[name] for name in ("real", "imag") if name in named)]
    if len(values) == 1 and c.class_of(values[0]) is complex:
        return values[0]
    real, imag = (c.as_float(c.whole(c.scalar(each))) for each in (*values, Const(0.0))[:2])
    return Rec([real, imag], complex)


@spread_first
def handle_fraction(c: "Builtins", values: list[Any], named: Named) -> Any:
    if len(values) == 1 and c.class_of(values[0]) is fractions.Fraction:
        return values[0]
    if not all(c.class_of(each) is fractions.Fraction or c.is_exact(each) for each in values):
        return c.fail("a Fraction of something else than ints")
    return c.call_function(number_classes.fraction, [*values, Const(1)][:2], {})


def handle_hypotenuse(c: "Builtins", values: list[Any], named: Named) -> Any:
    c.module.declarations.add("declare double @hypot(double, double)")
    x, y = (c.as_float(c.scalar(value)).name for value in values)
    return Scalar(FLOAT, c.op(f"call double @hypot(double {x}, double {y})"))


def handle_format(c: "Builtins", values: list[Any], named: Named) -> Any:
    spec = c.known_text(values[1]) if len(values) > 1 else ""
    return c.fail("a format that is not known") if spec is None else c.formatted(values[0], spec)


def handle_reversed(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.reversed(values[0])


def handle_map(c: "Builtins", values: list[Any], named: Named) -> Any:
    function = c.function_of(values[0])
    assert function is not None
    if len(values) > 2:
        pairs = handle_zip(c, values[1:], {})
        count, get = c.items(pairs)
        return Lazy(items=(count, lambda i: function(*get(i).items)), kind="generator")
    value = values[1]
    if c.has_items(value):
        count, get = c.items(value)
        return Lazy(items=(count, lambda i: function(get(i))), kind="generator")
    return Lazy(walk=lambda body: c.walk(value, lambda item: body(function(item))), kind="generator", direct=True)


def handle_starmap(c: "Builtins", values: list[Any], named: Named) -> Any:
    function = c.function_of(values[0])
    assert function is not None

    def apply(item: Any) -> Any:
        count = c.items(item)[0]
        if not isinstance(count, int):
            return c.fail("starmap on tuples whose length is not known")
        return function(*c.unpack(item, count))

    return Lazy(walk=lambda body: c.walk(values[1], lambda item: body(apply(item))), kind="generator", direct=True)


def handle_filter(c: "Builtins", values: list[Any], named: Named) -> Any:
    function = c.function_of(values[0]) or (lambda item: item)

    def fits(item: Any) -> Flag:
        truth = c.truth(function(item))
        return c.negate(truth) if named else truth

    return Lazy(walk=lambda body: c.filtered(values[1], fits, body), kind="generator", direct=True)


def handle_sorted(c: "Builtins", values: list[Any], named: Named) -> Any:
    backwards = named.get("reverse", Const(False))
    if not isinstance(backwards, Const):
        return c.fail("sorted() whose direction is not known")
    return c.sorted_items(values[0], c.function_of(named.get("key")), bool(backwards.item))


def handle_next(c: "Builtins", values: list[Any], named: Named) -> Any:
    default = values[1] if len(values) > 1 else None
    if isinstance(values[0], Iter):
        return c.next_of(values[0], default)
    return c.first_of(values[0], default)


def handle_iter(c: "Builtins", values: list[Any], named: Named) -> Any:
    value = values[0]
    if isinstance(value, Iter) or (isinstance(value, Lazy) and value.items is None):
        return value
    source = c.materialize(value, "tuple") if isinstance(value, Lazy | BoxValue | Range) else value
    return Iter(source, c.counter())


def handle_isinstance(c: "Builtins", values: list[Any], named: Named) -> Any:
    classes = values[1].item
    if hasattr(classes, "__args__"):
        classes = classes.__args__
    return c.flag(c.is_instance(values[0], classes if isinstance(classes, tuple) else (classes,)))


def handle_str(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.text(c.settle(values[0])) if values else Const("")


def handle_bin(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.library("text_of_bits", [c.settle(values[0])])


def handle_hash(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.fail("hash() has no compiled form: texts have another one in each process")


# --- itertools, functools, copy, dataclasses


def handle_product(c: "Builtins", values: list[Any], named: Named) -> Any:
    times = named.get("repeat", Const(1))
    if not isinstance(times, Const) and len(values) == 1:
        count, row = c.num(times), c.materialize(values[0], "tuple")
        c.fault_if(c.compare("slt", count, 0), EXCEPTIONS[ValueError])
        return c.library("product", [c.materialize(Lazy(items=(count, lambda i: row)), "tuple")])
    if not isinstance(times, Const):
        return c.fail("product() of several, repeated a number of times that is not known")
    sources = [c.items(value) for value in values] * times.item

    def run(body: Callable[[Any], None]) -> None:
        def level(number: int, chosen: list[Any]) -> None:
            if number == len(sources):
                body(Rec(chosen))
            else:
                c.walk(Lazy(items=sources[number]), lambda item: level(number + 1, [*chosen, item]))

        level(0, [])

    return Lazy(walk=run, kind="generator")


def handle_starred(c: "Builtins", function: Any, whole: Any, named: Named) -> Any:
    """function(*whole), whose length is not known."""
    item = function.item if isinstance(function, Const) else None
    if item in (min, max):
        c.fault_if(c.compare("slt", c.length(whole), 2), EXCEPTIONS[TypeError])
        return c.call(function, [whole], named)
    if item is itertools.chain:
        return c.call(Const(itertools.chain.from_iterable), [whole], named)
    if item is itertools.product and not named:
        rows = c.materialize(Lazy(walk=lambda body: c.walk(whole, lambda row: body(c.materialize(row, "tuple")))), "tuple")
        return c.library("product", [rows])
    if isinstance(function, Method) and function.name in SET_METHODS:
        return c.library(f"set_{function.name}", [function.value, whole])
    if item in (set.union, set.intersection, frozenset.union, frozenset.intersection):
        return c.library(f"sets_{item.__name__}", [whole])
    return c.fail("a starred argument whose length is not known")


SET_METHODS = ("union", "intersection", "difference", "update")


def handle_combinations(c: "Builtins", values: list[Any], named: Named) -> Any:
    value, count = values[0], values[1]
    if not (isinstance(count, Const) and count.item <= 4):
        return c.library("combinations", [c.in_memory(value), count])
    total, get = c.items(c.in_memory(value) if isinstance(value, Lazy) else value)

    def run(body: Callable[[Any], None]) -> None:
        def level(number: int, first: Number, chosen: list[Any]) -> None:
            if number == count.item:
                body(Rec(chosen))
                return
            span = Range(first, total, 1)
            c.walk(span, lambda i: level(number + 1, c.plus(c.num(i), 1), [*chosen, get(c.num(i))]))

        level(0, 0, [])

    return Lazy(walk=run, kind="generator")


def handle_combinations_with_replacement(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.library("combinations_with_replacement", [c.in_memory(values[0]), values[1]])


def handle_permutations(c: "Builtins", values: list[Any], named: Named) -> Any:
    source = c.in_memory(values[0])
    count = values[1] if len(values) > 1 else c.number(c.length(source))
    return c.library("permutations", [source, count])


def handle_chain(c: "Builtins", values: list[Any], named: Named) -> Any:
    return Lazy(walk=lambda body: c.chained(values, body), kind="generator", direct=True)


def handle_chain_from(c: "Builtins", values: list[Any], named: Named) -> Any:
    return Lazy(walk=lambda body: c.walk(values[0], lambda item: c.walk(item, body)), kind="generator")


def handle_accumulate(c: "Builtins", values: list[Any], named: Named) -> Any:
    function = values[1] if len(values) > 1 else named.get("func", Const(operator.add))
    source, start = c.in_memory(values[0]), named.get("initial", Const(None))
    if not (isinstance(start, Const) and start.item is None):
        return c.library("accumulate_from", [source, function, start])
    if (
        isinstance(function, Const)
        and function.item is operator.add
        and is_numeric(source.item if isinstance(source, SeqValue) else source.type.item)
    ):
        return c.library("accumulate_sum", [source, Const(0)])
    return c.library("accumulate", [source, function])


def handle_repeat(c: "Builtins", values: list[Any], named: Named) -> Any:
    value = c.one_object(c.settle(values[0]))
    if len(values) < 2:
        return endless(c, lambda i: value)
    return Lazy(items=(c.num(values[1]), lambda i: value), kind="generator")


def handle_islice(c: "Builtins", values: list[Any], named: Named) -> Any:
    bounds = values[1:]
    low, high, step = (Const(0), bounds[0], Const(1)) if len(bounds) == 1 else (*bounds, Const(1))[:3]
    source, ends = values[0], [c.num(each) for each in (low, high) if not (isinstance(each, Const) and each.item is None)]
    for end in ends:
        c.fault_if(c.compare("slt", end, 0), EXCEPTIONS[ValueError])
    start = c.op(f"load i64, ptr {source.position}") if isinstance(source, Iter) else 0
    if isinstance(lazy := source.source if isinstance(source, Iter) else source, Lazy) and lazy.endless:
        if len(ends) < 2 or not (isinstance(step, Const) and step.item == 1):
            return c.fail("islice() without an end, or with a step, of an iterator without an end")
        if lazy.items is None:
            return c.taken(lazy, ends)
        get, first, count = lazy.items[1], c.plus(start, ends[0]), c.minus(ends[1], ends[0])
        if isinstance(source, Iter):
            c.fault_if(c.compare("sgt", *ends), UNWRITTEN)
            c.emit(f"store i64 {c.plus(start, ends[1])}, ptr {source.position}")
        return Lazy(items=(count if isinstance(count, str) else max(count, 0), lambda i: get(c.plus(first, i))), kind="generator")
    whole = c.materialize(source, "tuple")
    if isinstance(source, Iter) and len(ends) == 2:  # the rest stays there
        c.fault_if(c.compare("sgt", *ends), UNWRITTEN)
        taken = c.op(f"call i64 @llvm.smin.i64(i64 {ends[1]}, i64 {c.length(whole)})")
        c.emit(f"store i64 {c.plus(start, taken)}, ptr {source.position}")
    return c.slice(whole, low, high, step)


def handle_pairwise(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.library("pairwise", [c.in_memory(values[0])])


def handle_groupby(c: "Builtins", values: list[Any], named: Named) -> Any:
    key = values[1] if len(values) > 1 else named.get("key", Const(identity_function))
    return c.library("group_by", [c.in_memory(values[0]), key])


def identity_function(item: Any) -> Any:
    return item


def handle_take_while(c: "Builtins", values: list[Any], named: Named) -> Any:
    function = c.function_of(values[0])
    assert function is not None

    def run(body: Callable[[Any], None]) -> None:
        done = c.new("done")

        def each(item: Any) -> None:
            item, on = c.settle(item), c.new("on")
            c.branch(c.truth(function(item)), on, done)
            c.at(on)
            body(item)

        depth = c.loops
        c.walk(values[1], each)
        c.loops = depth
        c.jump(done)
        c.at(done)

    return Lazy(walk=run, kind="generator")


def endless(c: "Builtins", get: Callable[[Number], Any]) -> Lazy:
    """An iterator without an end; get(i) is its item of number i."""

    def run(body: Callable[[Any], None]) -> None:
        place, head = c.counter(), c.new("endless")
        c.jump(head)
        c.at(head)
        c.loops += 1
        i = c.op(f"load i64, ptr {place}")
        c.one_round(lambda: body(get(i)))
        c.loops -= 1
        if not c.dead:
            c.emit(f"store i64 {c.op(f'add nsw nuw i64 {i}, 1')}, ptr {place}")
            c.jump(head)
        c.at(c.new("never"))
        c.emit("unreachable")
        c.block.closed = True

    return Lazy(walk=run, items=(ENDLESS, get), kind="generator")


def handle_count(c: "Builtins", values: list[Any], named: Named) -> Any:
    """itertools.count; beyond whole numbers of 64 bits it faults."""
    first = values[0] if values else named.get("start", Const(0))
    step = values[1] if len(values) > 1 else named.get("step", Const(1))
    if not (c.is_exact(first) and c.is_exact(step)):
        return c.fail("count() of floats")
    start, width = c.number(c.num(first)), c.number(c.num(step))
    return endless(c, lambda i: c.settle(c.arithmetic(ast.Add, start, c.arithmetic(ast.Mult, c.number(i), width))))


def handle_cycle(c: "Builtins", values: list[Any], named: Named) -> Any:
    source = c.in_memory(values[0])
    count, get = c.items(source)
    c.fault_if(c.compare("eq", count, 0), UNWRITTEN)
    return endless(c, lambda i: get(c.remainder(i, count)))


def handle_drop_while(c: "Builtins", values: list[Any], named: Named) -> Any:
    function = c.function_of(values[0])
    assert function is not None

    def run(body: Callable[[Any], None]) -> None:
        begun = c.alloca("i1")
        c.emit(f"store i1 false, ptr {begun}")

        def each(item: Any) -> None:
            item, test, begin, give, skip = c.settle(item), *(c.new("drop") for _ in range(4))
            c.branch(c.op(f"load i1, ptr {begun}"), give, test)
            c.at(test)
            c.branch(c.truth(function(item)), skip, begin)
            c.at(begin)
            c.emit(f"store i1 true, ptr {begun}")
            c.jump(give)
            c.at(give)
            body(item)
            c.jump(skip)
            c.at(skip)

        c.walk(values[1], each)

    return Lazy(walk=run, kind="generator")


def handle_reduce(c: "Builtins", values: list[Any], named: Named) -> Any:
    source = c.in_memory(values[1])
    if len(values) > 2:
        return c.library("reduce", [values[0], source, values[2]])
    return c.library("reduce_first", [values[0], source])


def handle_partial(c: "Builtins", values: list[Any], named: Named) -> Any:
    function, *given = values
    item = plain_function(function.item) if isinstance(function, Const) else None
    if isinstance(item, types.MethodType):
        given, item = [Const(item.__self__), *given], plain_function(item.__func__)
    if isinstance(item, types.FunctionType):
        defaults = [Const(each) for each in (*(item.__defaults__ or ()), *(item.__kwdefaults__ or {}).values())]
        frame = Frame(EMPTY, c.names_of(item), c.program.path(0, id(item)), None, item.__code__.co_filename)
        function = Func(tree_of(item), frame, [], defaults)
    if not isinstance(function, Func):
        return c.fail("partial() of such a function")
    settled = [*map(c.settle, given)]
    return Func(
        function.node,
        function.frame,
        [*function.bound, *settled],
        function.defaults,
        {**function.named, **dict(zip(named, map(c.settle, named.values()), strict=True))},
    )


def handle_prod(c: "Builtins", values: list[Any], named: Named) -> Any:
    c.any_order = walk = AnyOrder()
    source, start = c.in_memory(values[0]), named.get("start", Const(1))
    c.any_order = None
    if (walk.met or is_unordered(source)) and not (isinstance(c.view(source)[2], Int) and c.is_exact(start)):
        c.fault_if(c.compare("sgt", c.length(source), 1), ORDER)
    return c.library("product_of", [source, start])


@spread_first
def handle_copy(c: "Builtins", values: list[Any], named: Named) -> Any:
    value = values[0]
    if isinstance(value, BoxValue) and kind_has_limit(value.type):
        return c.fail("a copy of a deque with a maxlen")
    if isinstance(value, BoxValue) and value.type.kind == "object":
        return c.instance(c.item_of(value, 0))
    return c.materialize(value, value.type.kind) if isinstance(value, BoxValue) else value


def handle_deepcopy(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.deep_copy(values[0])


def handle_replace(c: "Builtins", values: list[Any], named: Named) -> Any:
    value = values[0]
    if isinstance(value, Const | Choice):
        value = c.record_of(value)
    return c.replaced(value, named)


def handle_tuple_replace(c: "Builtins", values: list[Any], named: Named) -> Any:
    """`zermelo.words.replace`: a copy of a tuple with one item changed."""
    return c.with_item(values[0], c.index(c.num(values[1]), c.view(values[0])[0]), values[2])


def handle_itemgetter(c: "Builtins", values: list[Any], named: Named) -> Any:
    return c.fail("itemgetter of something that is not known")


HANDLERS: dict[Any, Callable[..., Any]] = {
    len: handle_len,
    range: handle_range,
    bool: handle_bool,
    int: handle_int,
    float: handle_float,
    abs: handle_abs,
    round: handle_round,
    divmod: handle_divmod,
    pow: handle_pow,
    ord: handle_ord,
    chr: handle_chr,
    any: handle_quantifier("any"),
    all: handle_quantifier("all"),
    sum: handle_sum,
    min: extreme(False),
    max: extreme(True),
    list: handle_list,
    tuple: handle_tuple,
    set: making("set"),
    frozenset: making("frozenset"),
    dict: handle_dict,
    dict.fromkeys: handle_fromkeys,
    enumerate: handle_enumerate,
    zip: handle_zip,
    reversed: handle_reversed,
    map: handle_map,
    filter: handle_filter,
    sorted: handle_sorted,
    next: handle_next,
    iter: handle_iter,
    isinstance: handle_isinstance,
    str: handle_str,
    hash: handle_hash,
    bin: handle_bin,
    hex: lambda c, values, named: c.library("text_with_base", [c.settle(values[0]), Const(16), Const("0x")]),
    oct: lambda c, values, named: c.library("text_with_base", [c.settle(values[0]), Const(8), Const("0o")]),
    math.fsum: lambda c, values, named: c.library("float_sum", values),
    math.floor: rounding("floor"),
    math.ceil: rounding("ceil"),
    math.trunc: rounding("trunc"),
    math.sqrt: float_function("sqrt", "olt"),
    math.pow: lambda c, values, named: c.floating(ast.Pow, *(c.as_float(c.whole(c.scalar(value))) for value in values)),
    math.log: float_function("log", "ole"),
    math.log2: float_function("log2", "ole"),
    math.log10: float_function("log10", "ole"),
    math.exp: float_function("exp"),
    math.sin: float_function("sin"),
    math.cos: float_function("cos"),
    math.tan: float_function("tan"),
    math.tanh: float_function("tanh"),
    math.atan: float_function("atan"),
    math.fabs: float_function("fabs"),
    math.gcd: handle_gcd,
    math.comb: lambda c, values, named: c.library("binomial", values),
    math.perm: lambda c, values, named: c.library("falling", values),
    math.isqrt: lambda c, values, named: c.library("integer_root", values),
    math.factorial: lambda c, values, named: c.library("falling", [values[0], values[0]]),
    math.prod: handle_prod,
    itertools.product: handle_product,
    itertools.combinations: handle_combinations,
    itertools.combinations_with_replacement: handle_combinations_with_replacement,
    itertools.permutations: handle_permutations,
    itertools.chain: handle_chain,
    itertools.chain.from_iterable: handle_chain_from,
    itertools.accumulate: handle_accumulate,
    itertools.repeat: handle_repeat,
    itertools.islice: handle_islice,
    itertools.pairwise: handle_pairwise,
    itertools.groupby: handle_groupby,
    itertools.takewhile: handle_take_while,
    itertools.count: handle_count,
    itertools.cycle: handle_cycle,
    itertools.dropwhile: handle_drop_while,
    itertools.starmap: handle_starmap,
    itertools.zip_longest: handle_zip_longest,
    functools.reduce: handle_reduce,
    functools.partial: handle_partial,
    collections.deque: handle_deque,
    collections.defaultdict: handle_defaultdict,
    collections.Counter: handle_counter,
    collections.OrderedDict: handle_dict,
    copy.copy: handle_copy,
    copy.deepcopy: handle_deepcopy,
    dataclasses.replace: handle_replace,
    operator.add: operation("Add"),
    operator.sub: operation("Sub"),
    operator.mul: operation("Mult"),
    operator.floordiv: operation("FloorDiv"),
    operator.mod: operation("Mod"),
    operator.and_: operation("BitAnd"),
    operator.or_: operation("BitOr"),
    operator.xor: operation("BitXor"),
    operator.eq: comparison("Eq"),
    operator.ne: comparison("NotEq"),
    operator.lt: comparison("Lt"),
    operator.le: comparison("LtE"),
    operator.gt: comparison("Gt"),
    operator.ge: comparison("GtE"),
    operator.neg: lambda c, values, named: c.negative(values[0]),
    operator.getitem: lambda c, values, named: c.subscript(values[0], values[1]),
    operator.contains: lambda c, values, named: c.flag(c.contains(values[0], values[1])),
    operator.not_: lambda c, values, named: c.flag(c.negate(c.truth(values[0]))),
    operator.truediv: operation("Div"),
    operator.pow: operation("Pow"),
    operator.lshift: operation("LShift"),
    operator.rshift: operation("RShift"),
    operator.inv: lambda c, values, named: c.call(Const(operator.sub), [Const(-1), values[0]], {}),
    math.isclose: through_library("is_close", "rel_tol", "abs_tol"),
    math.lcm: lambda c, values, named: functools.reduce(lambda a, b: c.library("least_common_multiple", [a, b]), values),
    heapq.heappush: through_library("heap_push"),
    heapq.heappop: through_library("heap_pop"),
    heapq.heapify: through_library("heap_make"),
    heapq.heapreplace: through_library("heap_replace"),
    heapq.heappushpop: through_library("heap_push_pop"),
    heapq.nsmallest: through_library("smallest"),
    heapq.nlargest: through_library("largest"),
    bisect.bisect_left: through_library("bisect_left"),
    bisect.bisect_right: through_library("bisect_right"),
    bisect.insort_left: through_library("insort_left"),
    bisect.insort_right: through_library("insort_right"),
    itertools.compress: through_library("compress"),
    itertools.filterfalse: lambda c, values, named: handle_filter(c, values, {"unless": Const(True)}),
    complex: handle_complex,
    fractions.Fraction: handle_fraction,
    number_classes.hypotenuse: handle_hypotenuse,
    number_classes.in_lowest_terms: lambda c, values, named: Rec([c.settle(value) for value in values], fractions.Fraction),
    type: handle_type,
    dataclasses.astuple: handle_astuple,
    getattr: handle_getattr,
    hasattr: handle_hasattr,
    format: handle_format,
    repr: lambda c, values, named: c.repr_text(values[0]),
    words.replace: handle_tuple_replace,
    words.popcount: handle_popcount,
    words.lsb: handle_lsb,
}
WALKERS = frozenset(
    {
        any,
        all,
        sum,
        min,
        max,
        list,
        tuple,
        set,
        frozenset,
        sorted,
        next,
        enumerate,
        map,
        filter,
        iter,
        dict,
        zip,
        itertools.chain.from_iterable,
    }
    | {itertools.chain, collections.Counter, collections.deque, math.prod, functools.reduce, itertools.product, itertools.combinations}
    | {itertools.permutations, reversed, len, itertools.takewhile, itertools.accumulate, itertools.islice, itertools.groupby}
)
NEVER_FOLDED = frozenset(
    {itertools.count, dict.fromkeys, collections.deque, collections.defaultdict, collections.Counter, iter, collections.OrderedDict, dict}
)


class Builtins(Statements):
    """What the handlers share, and the methods of built-in types."""

    handlers_of = HANDLERS
    walkers = WALKERS
    never_folded = NEVER_FOLDED

    def handle_starred(self, function: Any, whole: Any, named: Named) -> Any:
        return handle_starred(self, function, whole, named)

    def taken(self, source: Lazy, ends: list[Number]) -> Lazy:
        """The items from one number up to another, of what may have no end."""

        def run(body: Callable[[Any], None]) -> None:
            place, done, depth = self.counter(), self.new("done"), self.loops

            def each(item: Any) -> None:
                at, give, skip, on = self.op(f"load i64, ptr {place}"), self.new("take"), self.new("skip"), self.new("on")
                after = self.op(f"add i64 {at}, 1")
                self.emit(f"store i64 {after}, ptr {place}")
                self.branch(self.compare("sge", at, ends[0]), give, skip)
                self.at(give)
                body(item)
                self.jump(skip)
                self.at(skip)
                self.branch(self.compare("slt", after, ends[1]), on, done)
                self.at(on)

            begin = self.new("take")
            self.branch(self.compare("sgt", ends[1], 0), begin, done)
            self.at(begin)
            self.walk(source, each)
            self.loops = depth
            self.jump(done)
            self.at(done)

        return Lazy(walk=run, kind="generator")

    def one_object(self, value: Any) -> Any:
        """A new list, set or dict as one thing, however often it is used."""
        return self.coerced_fresh(value) if isinstance(value, Const) and value.fresh else value

    def is_exact(self, value: Any) -> bool:
        """Is this an int or a bool?"""
        return self.is_number(value) and self.typeof(self.scalar(value)) != FLOAT

    def own(self, value: Rec, name: str) -> bool:
        from zermelo.compiler.expressions import is_own_method_of

        return is_own_method_of(value.made_by, name)

    def whole_of_float(self, value: str, how: str) -> Scalar:
        """A float as a whole number."""
        if how != "trunc":
            value = self.op(f"call double @llvm.{how}.f64(double {value})")
        inside = self.op(f"fcmp olt double {self.op(f'call double @llvm.fabs.f64(double {value})')}, 0x43DFFFFFFFFFFFFF")
        if self.checked:
            self.fault_if(self.negate(inside), INEXACT)
        return Scalar(INT, self.op(f"fptosi double {value} to i64"))

    def round_to(self, value: Scalar, digits: int) -> Scalar:
        """A float rounded to decimal digits as Python does: exactly, through its decimal text."""
        self.module.declarations |= {"declare i32 @snprintf(ptr, i64, ptr, ...)", "declare double @strtod(ptr, ptr)"}
        form = self.module.table("i8", [str(ord(letter)) for letter in f"%.{digits}f\0"])
        room = self.alloca("[400 x i8]")
        self.op(f"call i32 (ptr, i64, ptr, ...) @snprintf(ptr {room}, i64 400, ptr {form}, double {value.name})")
        return Scalar(FLOAT, self.op(f"call double @strtod(ptr {room}, ptr null)"))

    def moving_range(self, start: Number, stop: Number, step: str) -> Any:
        """range() whose step is only known at run time."""
        self.fault_if(self.compare("eq", step, 0), EXCEPTIONS[ValueError])
        forward = self.op(f"icmp sgt i64 {step}, 0")
        gap = self.op(f"select i1 {forward}, i64 {self.minus(stop, start)}, i64 {self.minus(start, stop)}")
        gap = self.op(f"call i64 @llvm.smax.i64(i64 {gap}, i64 0)")
        width = self.op(f"select i1 {forward}, i64 {step}, i64 {self.op(f'sub i64 0, {step}')}")
        count = self.op(f"udiv i64 {self.op(f'add i64 {gap}, {self.op(f_minus_one(width))}')}, {width}")
        return Lazy(items=(count, lambda i: self.number(self.plus(start, self.op(f"mul i64 {i}, {step}")))), kind="list")

    def bit_count(self, value: Any) -> Scalar:
        scalar = self.whole(self.scalar(value))
        scalar = self.as_whole(scalar, INT) if scalar.type == BOOL else scalar
        kind = parts(scalar.type)[0][0]
        if scalar.type != WORD and self.checked:
            minus = self.op(f"sub {kind} 0, {scalar.name}")
            name = self.op(f"select i1 {self.op(f'icmp slt {kind} {scalar.name}, 0')}, {kind} {minus}, {kind} {scalar.name}")
            scalar = Scalar(scalar.type, name)
        self.module.declarations.add(f"declare {kind} @llvm.ctpop.{kind}({kind})") if kind != "i64" else None
        count = self.op(f"call {kind} @llvm.ctpop.{kind}({kind} {scalar.name})")
        return Scalar(INT, count if kind == "i64" else self.op(f"trunc {kind} {count} to i64"))

    def bit_length(self, value: Any) -> Scalar:
        scalar = self.whole(self.scalar(value))
        scalar = self.as_whole(scalar, INT) if scalar.type == BOOL else scalar
        kind = parts(scalar.type)[0][0]
        name = scalar.name
        if scalar.type != WORD and self.checked:
            minus = self.op(f"sub {kind} 0, {name}")
            name = self.op(f"select i1 {self.op(f'icmp slt {kind} {name}, 0')}, {kind} {minus}, {kind} {name}")
        self.module.declarations.add(f"declare {kind} @llvm.ctlz.{kind}({kind}, i1)") if kind != "i64" else None
        zeros = self.op(f"call {kind} @llvm.ctlz.{kind}({kind} {name}, i1 false)")
        found = self.op(f"sub {kind} {kind[1:]}, {zeros}")
        return Scalar(INT, found if kind == "i64" else self.op(f"trunc {kind} {found} to i64"))

    def shortest(self, counts: list[Number]) -> Number:
        if 0 in counts:
            return 0
        known = [count for count in counts if isinstance(count, int)]
        rest = [count for count in counts if not isinstance(count, int)]
        least: Number = min(known) if known else rest.pop()
        for count in rest:
            least = self.op(f"call i64 @llvm.smin.i64(i64 {least}, i64 {count})")
        return least

    # --- sums and extremes

    def total(self, value: Any, start: Any) -> Any:
        key = (self.site, "sum")
        kind = unify(self.memo.get(key), self.sum_type(start))
        self.memo[key] = kind
        slots = [self.alloca(register) for register in self.registers(kind)]

        def keep(total: Any) -> None:
            total = self.settle(total)
            wide = unify(kind, self.sum_type(total))
            if wide != kind:
                self.memo[key] = wide
                raise Restart
            for register, slot, name in zip(self.registers(kind), slots, self.names(total, kind), strict=True):
                self.emit(f"store {register} {name}, ptr {slot}")

        def now() -> Any:
            return self.build(
                kind, iter([self.op(f"load {register}, ptr {slot}") for register, slot in zip(self.registers(kind), slots, strict=True)])
            )

        rest = self.alloca("double") if COMPENSATED else None

        def add(item: Any) -> None:
            item, before = self.settle(item), now()
            after = self.operate(ast.Add, before, item)
            if rest is not None and kind == FLOAT and self.typeof(item) == FLOAT:
                self.note_rounding(rest, before.name, self.scalar(item).name, after.name)
            keep(after)

        keep(start)
        if rest is not None:
            self.emit(f"store double 0.0, ptr {rest}")
        exact = isinstance(kind, Int | Word) or (isinstance(kind, Record) and kind.made_by is fractions.Fraction)
        self.any_order = AnyOrder() if exact else None
        self.walk(value, add)
        return now() if rest is None or kind != FLOAT else self.compensated(now().name, rest)

    def note_rounding(self, rest: str, before: str, item: str, after: str) -> None:
        """Add up what adding `item` to `before` has rounded away (Neumaier, 1974)."""
        size, other = (self.op(f"call double @llvm.fabs.f64(double {each})") for each in (before, item))
        larger = self.op(f"fcmp oge double {size}, {other}")
        large, small = (self.op(f"select i1 {larger}, double {a}, double {b}") for a, b in ((before, item), (item, before)))
        gap = self.op(f"fadd double {self.op(f'fsub double {large}, {after}')}, {small}")
        lost = self.op(f"load double, ptr {rest}")
        self.emit(f"store double {self.op(f'fadd double {lost}, {gap}')}, ptr {rest}")

    def compensated(self, total: str, rest: str) -> Scalar:
        lost = self.op(f"load double, ptr {rest}")
        finite = self.op(f"fcmp olt double {self.op(f'call double @llvm.fabs.f64(double {lost})')}, 0x7FF0000000000000")
        some = self.op(f"and i1 {finite}, {self.op(f'fcmp one double {lost}, 0.0')}")
        return Scalar(FLOAT, self.op(f"select i1 {some}, double {self.op(f'fadd double {total}, {lost}')}, double {total}"))

    def sum_type(self, value: Any) -> Type:
        kind = self.typeof(self.run_time(value) if isinstance(value, Const | Choice) else value)
        if kind == BOOL or (isinstance(kind, Int) and kind.bits < 64):
            return INT
        return Seq(kind.kind, kind.item, None) if isinstance(kind, Seq) else kind

    def extreme_of(self, values: list[Any], largest: bool, key: Callable[..., Any] | None) -> Any:
        """min or max of several arguments."""
        best = self.settle(values[0])
        for value in values[1:]:
            value = self.settle(value)
            plain = key is None and self.is_number(best) and self.is_number(value)
            if plain and isinstance(best, Const) and isinstance(value, Const):
                best = Const(max(best.item, value.item) if largest else min(best.item, value.item))
                continue
            a, b = (key(best), key(value)) if key else (best, value)
            better = self.less(a, b, True) if largest else self.less(b, a, True)
            if isinstance(better, bool):
                best = value if better else best
            elif (
                plain
                and self.typeof(best) != FLOAT != self.typeof(value)
                and not isinstance(direct(self.typeof(best), self.typeof(value)), type(None))
            ):
                kind = direct(self.typeof(best), self.typeof(value))
                kind = INT if kind == BOOL else kind
                x, y = self.names(value, kind)[0], self.names(best, kind)[0]
                register = self.registers(kind)[0]
                best = Scalar(kind, self.op(f"select i1 {better}, {register} {x}, {register} {y}"))  # type: ignore[arg-type]
            else:
                yes, no = self.new("better"), self.new("worse")
                self.branch(better, yes, no)
                self.at(yes)
                self.at(no)
                best = self.join([(yes, value), (no, best)])
        return best

    def extreme(self, value: Any, largest: bool, key: Callable[..., Any] | None, default: Any) -> Any:
        """min or max of the items."""
        got, tied = self.alloca("i1"), self.alloca("i1")
        for flag in (got, tied):
            self.emit(f"store i1 false, ptr {flag}")
        source = AnyOrder()
        memo = (self.site, "extreme")
        slots: list[str] = []
        marks: list[str] = []

        def body(item: Any) -> None:
            item = self.settle(item)
            mark = self.settle(key(item)) if key else None
            kind, mark_kind = self.slot_type((*memo, 0), item), self.slot_type((*memo, 1), mark)
            if not slots:
                slots.extend(self.alloca(register) for register in self.registers(kind))
                marks.extend(self.alloca(register) for register in self.registers(mark_kind))
            first, compare, take, on = self.new("first"), self.new("compare"), self.new("take"), self.new("on")
            self.branch(self.op(f"load i1, ptr {got}"), compare, first)
            self.at(first)
            self.emit(f"store i1 true, ptr {got}")
            self.jump(take)
            self.at(compare)
            old = self.loaded(mark_kind, marks) if key else self.loaded(kind, slots)
            new = mark if key else item
            better, worse = (old, new) if largest else (new, old)
            if source.met and not (key is None and has_total_order(kind)):  # the first of several that are alike is taken
                unlike = self.new("unlike")
                self.branch(self.less(better, worse, True), take, unlike)
                self.at(unlike)
                same = self.op(f"or i1 {self.op(f'load i1, ptr {tied}')}, {self.negated(self.less(worse, better, True))}")
                self.emit(f"store i1 {same}, ptr {tied}")
                self.jump(on)
            else:
                self.branch(self.less(better, worse, True), take, on)
            self.at(take)
            self.emit(f"store i1 false, ptr {tied}")
            self.keep_in(slots, kind, item)
            if key:
                self.keep_in(marks, mark_kind, mark)
            self.jump(on)
            self.at(on)

        self.any_order = source
        self.walk(value, body)
        if source.met:
            self.fault_if(self.op(f"load i1, ptr {tied}"), ORDER)
        found: Flag = self.op(f"load i1, ptr {got}")
        kind = self.memo.get((*memo, 0))
        if default is None:
            self.fault_if(self.negate(found), EXCEPTIONS[ValueError])
            return self.loaded(kind, slots)
        if not slots:
            return default
        return self.found_or(found, lambda: self.loaded(kind, slots), default)

    def negated(self, flag: Flag) -> str:
        """`not flag`, as an operand."""
        return str(self.negate(flag)).lower() if isinstance(flag, bool) else str(self.negate(flag))

    def slot_type(self, key: Any, value: Any) -> Type | None:
        """The type of something kept in a loop; the function starts over where it grows."""
        if value is None:
            return None
        have, kind = self.memo.get(key), self.typeof(value)
        kind = INT if isinstance(kind, Int) and kind.bits < 64 else kind
        wide = unify(have, kind)
        if wide != have:
            self.memo[key] = wide
            if have is not None:
                raise Restart
        return wide

    def keep_in(self, slots: list[str], kind: Type | None, value: Any) -> None:
        for register, slot, name in zip(self.registers(kind), slots, self.names(value, kind), strict=True):
            self.emit(f"store {register} {name}, ptr {slot}")

    def loaded(self, kind: Type | None, slots: list[str]) -> Any:
        return self.build(
            kind, iter([self.op(f"load {register}, ptr {slot}") for register, slot in zip(self.registers(kind), slots, strict=True)])
        )

    def found_or(self, found: Flag, value: Callable[[], Any], default: Any) -> Any:
        yes, no = self.new("found"), self.new("missing")
        self.branch(found, yes, no)
        self.at(yes)
        have = value()
        ends = [(self.block, have)]
        self.at(no)
        ends.append((self.block, self.settle(default)))
        return self.join(ends)

    def first_of(self, value: Any, default: Any) -> Any:
        """next() of something that nobody else walks over."""
        got, done = self.alloca("i1"), self.new("next")
        self.emit(f"store i1 false, ptr {got}")
        key = (self.site, "next")
        slots: list[str] = []

        def body(item: Any) -> None:
            item = self.settle(item)
            kind = self.slot_type(key, item)
            if not slots:
                slots.extend(self.alloca(register) for register in self.registers(kind))
            self.keep_in(slots, kind, item)
            self.emit(f"store i1 true, ptr {got}")
            self.jump(done)

        self.walk(value, body)
        self.jump(done)
        self.at(done)
        found = self.op(f"load i1, ptr {got}")
        if default is None:
            self.fault_if(self.negate(found), EXCEPTIONS[StopIteration])
            return self.loaded(self.memo.get(key), slots)
        if not slots and not self.registers(self.memo.get(key)) and self.memo.get(key) is None:
            return default
        return self.found_or(found, lambda: self.loaded(self.memo.get(key), slots), default)

    def next_of(self, value: Iter, default: Any) -> Any:
        count, get = self.items(value.source)
        at = self.op(f"load i64, ptr {value.position}")
        some = self.compare("slt", at, count)

        def take() -> Any:
            self.emit(f"store i64 {self.op(f'add i64 {at}, 1')}, ptr {value.position}")
            return self.settle(get(at))

        if default is None:
            self.fault_if(self.negate(some), EXCEPTIONS[StopIteration])
            return take()
        return self.found_or(some, take, default)

    def count_items(self, box: BoxValue, value: Any, sign: int = 1) -> None:
        """Add the items of anything to a Counter, or take them away; those of a dict as often as it says."""
        if self.is_sequence(value) and self.kind_of(value) == "dict":

            def change(pair: Any) -> None:
                key, number = self.unpack(pair, 2)
                before = self.dict_get(box, key, Const(0))
                self.dict_set(box, key, self.settle(self.arithmetic(ast.Add if sign > 0 else ast.Sub, before, number)))

            self.walk(self.dict_pairs(value, "items"), change)
            return

        def add(item: Any) -> None:
            item = self.settle(item)
            before = self.dict_get(box, item, Const(0))
            self.dict_set(box, item, self.settle(self.arithmetic(ast.Add, before, Const(sign))))

        self.walk(value, add)

    def deep_copy(self, value: Any) -> Any:
        """copy.deepcopy(value); each level has its own place, so that lists and what is in them keep their own types."""
        before, self.site = self.site, (self.site, "copy")
        try:
            return self.deep_copied(value)
        finally:
            self.site = before

    def deep_copied(self, value: Any) -> Any:
        if isinstance(value, Tagged):
            return self.spread(value, self.deep_copied)
        if isinstance(value, Rec):
            return Rec([self.deep_copy(item) for item in value.items], value.made_by)
        if isinstance(value, Const) and isinstance(value.item, list | dict | set):
            return Const(copy.deepcopy(value.item), self.site)
        if isinstance(value, Choice) and any(isinstance(item, list | dict | set) for item in value.items):
            return self.deep_copy(self.run_time(value))
        if not isinstance(value, BoxValue):
            return value
        if kind_has_limit(value.type):
            return self.fail("a copy of a deque with a maxlen")
        if value.type.kind == "object":
            return self.instance(self.deep_copy(self.item_of(value, 0)))
        if value.type.kind == "dict":
            pairs = self.dict_pairs(value, "items")
            count, get = self.items(pairs)
            made = self.collect(Lazy(items=(count, lambda i: self.deep_copy(get(i)))), "dict", None, None)
            return BoxValue(Box("dict", made.type.cell, value.type.factory), made.pointer)
        count, get = self.numbered(value) if value.type.kind in SETS else self.items(value)
        return self.collect(Lazy(items=(count, lambda i: self.deep_copy(get(i)))), value.type.kind, None, None)

    def record_of(self, value: Any) -> Any:
        """A known record with its fields apart."""
        if isinstance(value, Const) and is_record(type(value.item)):
            return Rec([Const(getattr(value.item, name)) for name in field_names(type(value.item))], type(value.item))
        return self.run_time(value)

    # --- methods

    def builtin_method(self, value: Any, name: str, values: list[Any], named: Named) -> Any:
        if isinstance(value, Method) and value.name == "super":
            return self.fail("super() of a plain class")
        if name not in MUTATORS or (isinstance(value, Const) and isinstance(value.item, str)):
            names = list(named)
            count = len(values)
            done = self.lift(
                lambda item, *rest: getattr(item, name)(*rest[:count], **dict(zip(names, rest[count:], strict=True))),
                value,
                *values,
                *named.values(),
                fresh=False,
            )
            if done is not None:
                if isinstance(done, Const) and isinstance(done.item, list | set | dict):
                    return Const(done.item, self.site)
                return done
        if isinstance(value, Const) and value.fresh and not isinstance(value.item, str):
            value = self.coerce(value, self.typeof(value))
        if name in OPERATOR_METHODS and len(values) == OPERATOR_METHODS[name][0] and self.comparable(value, name, values):
            return OPERATOR_METHODS[name][1](self, [value, *values], {})
        if isinstance(value, BoxValue):
            return self.box_method(value, name, values, named)
        if name in MUTATORS and isinstance(value, Const | Choice):
            return self.fail_shared()
        if self.is_number(value) and not self.is_sequence(value):
            return self.number_method(value, name)
        if name == "format" and isinstance(value, Const) and isinstance(value.item, str):
            return self.format_method(value.item, values, named)
        if self.is_sequence(value) and self.kind_of(value) == "str":
            return self.text_method(value, name, self.text_arguments(name, values, named))
        if isinstance(value, Const | Choice) and self.kind_of(value) == "dict":
            return self.known_dict_method(value, name, values)
        if self.is_sequence(value) and self.kind_of(value) in SET_LIKE:
            return self.set_method(value, name, values)
        if self.is_sequence(value):
            if name == "index":
                return self.number(self.position(value, self.settle(values[0])))
            if name == "count":
                return self.count_of(value, self.settle(values[0]))
        return self.fail(f"{self.describe(value)} has no compiled .{name}()")

    def comparable(self, value: Any, name: str, values: list[Any]) -> bool:
        """Does the method of an operator give an answer, not NotImplemented?"""
        if name in ("__getitem__", "__contains__", "__len__"):
            return True
        text = [self.is_sequence(each) and self.kind_of(each) == "str" for each in (value, *values)]
        return all(text) or all(self.is_exact(each) for each in (value, *values))

    def number_method(self, value: Any, name: str) -> Any:
        if name == "bit_count":
            return self.bit_count(value)
        if name == "bit_length":
            return self.bit_length(value)
        if name == "is_integer":
            scalar = self.as_float(self.scalar(value))
            return Scalar(BOOL, self.op(f"fcmp oeq double {scalar.name}, {self.op(f'call double @llvm.trunc.f64(double {scalar.name})')}"))
        if name in ("conjugate", "__int__", "__index__"):
            return value
        return self.fail(f"a number has no compiled .{name}()")

    def count_of(self, value: Any, item: Any) -> Any:
        place = self.counter()

        def test(each: Any) -> None:
            hit = self.equal(each, item)
            add = int(hit) if isinstance(hit, bool) else self.op(f"zext i1 {hit} to i64")
            self.emit(f"store i64 {self.op(f'add nsw i64 {self.op(load_of(place))}, {add}')}, ptr {place}")

        self.walk(value, test)
        return Scalar(INT, self.op(f"load i64, ptr {place}"))

    def known_dict_method(self, value: Any, name: str, values: list[Any]) -> Any:
        if name in ("keys", "values", "items"):
            return self.lift(lambda table: getattr(table, name)(), value)
        if name != "get":
            return self.fail(f"a known dict has no compiled .{name}()")
        default = values[1] if len(values) > 1 else Const(None)
        if isinstance(value, Choice):
            table: Any = {(n, key): item for n, each in enumerate(value.items) for key, item in each.items()}
            key: Any = Rec([Scalar(INT, value.number), values[0]])
        else:
            table, key = value.item, values[0]
        if not table:
            return default
        number, found = self.lookup(list(table), key)
        if isinstance(found, bool):
            return Choice(Options(table.values()), str(number)) if found else default
        if isinstance(default, Const) and not default.fresh:
            at = self.op(f"select i1 {found}, i64 {number}, i64 {len(table)}")
            return Choice(Options([*table.values(), default.item]), at)
        return self.found_or(found, lambda: Choice(Options(table.values()), str(number)), default)

    def text_arguments(self, name: str, values: list[Any], named: Named) -> list[Any]:
        """All arguments by position."""
        known = {"split": ("sep", "maxsplit"), "rsplit": ("sep", "maxsplit"), "splitlines": (), "expandtabs": ()}.get(name, ())
        values = list(values)
        for number, argument in enumerate(known):
            if argument in named and number >= len(values):
                values += [Const(None)] * (number - len(values)) + [named[argument]]
        if set(named) - set(known) or len(values) > TEXT_ARGUMENTS.get(name, 1):
            self.fail(f"these arguments of .{name}() have no compiled form")
        return values

    def text_method(self, value: Any, name: str, values: list[Any]) -> Any:
        if name == "join":
            return self.joined_text(value, values[0])
        if name == "translate" and isinstance(values[0], Const | Choice) and self.kind_of(values[0]) == "dict":
            table = self.lift(by_letter, values[0])
            if table is not None:
                return self.library("translate", [value, table])
        if name in ASCII_METHODS or name.startswith("is") or (not values and name in ("split", "rsplit", "strip", "lstrip", "rstrip")):
            value = self.library("plain_text", [value])
        if name in ("startswith", "endswith") and len(values) > 1:
            value = self.slice(value, values[1], values[2] if len(values) > 2 else None, None)
        if name in ("startswith", "endswith"):
            return self.affix(value, values[0], name)
        if name == "count" and self.is_char(values[0]):
            return self.count_of(value, values[0])
        if name in ("split", "rsplit"):
            most = values[1] if len(values) > 1 else Const(-1)
            if not values or (isinstance(values[0], Const) and values[0].item is None):
                return self.library("split_words", [value]) if len(values) < 2 else self.fail(f".{name}() at spaces, some times only")
            return self.library(name, [value, values[0], most])
        if name == "replace":
            return self.library("replace", [value, values[0], values[1], values[2] if len(values) > 2 else Const(-1)])
        if name in ("find", "index") and self.is_char(values[0]) and len(values) == 1:
            return self.number(self.position(value, values[0], None if name == "find" else EXCEPTIONS[ValueError]))
        if name in ("find", "index"):
            return self.library("find" if name == "find" else "text_index", [value, values[0], values[1] if len(values) > 1 else Const(0)])
        if name in ("strip", "lstrip", "rstrip"):
            letters = values[0] if values else Const(" \t\n\r\f\v")
            if name != "rstrip":
                value = self.library("strip_left", [value, letters])
            return self.library("strip_right", [value, letters]) if name != "lstrip" else value
        if name in ("rjust", "ljust"):
            return self.library(
                "pad_left" if name == "rjust" else "pad_right", [value, values[0], values[1] if len(values) > 1 else Const(" ")]
            )
        if name in TEXT_FUNCTIONS:
            return self.library(TEXT_FUNCTIONS[name], [value, *values])
        return self.fail(f"a str has no compiled .{name}()")

    def affix(self, value: Any, part: Any, name: str) -> Any:
        if isinstance(part, Const) and isinstance(part.item, tuple):
            result: Flag = False
            for each in part.item:
                result = self.either(result, self.truth(self.affix(value, Const(each), name)))
            return self.flag(result)
        width = self.length(part)
        if name == "startswith":
            cut = self.slice(value, None, self.number(width), None)
        else:
            whole = self.length(value)
            start = self.minus(whole, width)
            start = max(start, 0) if isinstance(start, int) else self.op(f"call i64 @llvm.smax.i64(i64 {start}, i64 0)")
            cut = self.slice(value, self.number(start), None, None)
        return self.flag(self.equal(cut, part))

    def joined_text(self, separator: Any, pieces: Any) -> Any:
        """separator.join(pieces)"""
        plain = isinstance(separator, Const) and separator.item == ""
        first = self.alloca("i1")
        self.emit(f"store i1 true, ptr {first}")

        def letters(body: Callable[[Any], None]) -> None:
            def produce(give: Callable[[Any], None]) -> None:
                def piece(part: Any) -> None:
                    if not plain:
                        between, on = self.new("between"), self.new("on")
                        self.branch(self.op(f"load i1, ptr {first}"), on, between)
                        self.at(between)
                        self.walk(separator, give)
                        self.jump(on)
                        self.at(on)
                        self.emit(f"store i1 false, ptr {first}")
                    part = self.settle(part)
                    if not (self.is_sequence(part) or isinstance(part, Tagged)) or (self.is_sequence(part) and self.kind_of(part) != "str"):
                        self.fail(f"join() of {self.describe(part)}")
                    self.walk(part, give)

                self.walk(pieces, piece)

            self.through(produce, body)

        found = self.gather(Lazy(walk=letters), "str", None)
        return SeqValue("str", found.item if isinstance(found.item, Char) else Char(8), found.length, found.pointer)

    # --- methods of lists, sets and dicts

    def box_method(self, box: BoxValue, name: str, values: list[Any], named: Named) -> Any:
        kind = box.type.kind
        self.note(box.type, changed=name in MUTATORS)
        values = [self.settle(value) if not isinstance(value, Lazy) else value for value in values]
        if kind == "dict":
            return self.dict_method(box, name, values)
        if kind in SET_LIKE:
            return self.set_method(box, name, values)
        return self.list_method(box, name, values, named)

    def list_method(self, box: BoxValue, name: str, values: list[Any], named: Named) -> Any:
        count: Number
        match name:
            case "append":
                self.add_item(box, values[0])
            case "extend":
                source = self.materialize(values[0], "tuple") if isinstance(values[0], BoxValue) else values[0]
                self.walk(source, lambda item: self.add_item(box, self.settle(item)))
            case "appendleft":
                self.put_first(box, values[0])
            case "extendleft":
                self.walk(values[0], lambda item: self.put_first(box, self.settle(item)))
            case "insert" | "copy" if kind_has_limit(box.type):
                return self.fail(f".{name}() of a deque with a maxlen")
            case "insert":
                count = self.length(box)
                self.insert_at(box, self.clamp(self.num(values[0]), count, 0, count), values[1])
            case "pop" | "popleft":
                if box.type.item is None:
                    self.fault_if(True, EXCEPTIONS[IndexError])
                self.need_order(box)
                at = 0 if name == "popleft" else self.num(values[0]) if values else -1
                return self.take_at(box, self.index(at, self.length(box)))
            case "remove":
                self.remove_at(box, self.position(box, values[0]))
            case "index":
                self.need_order(box)
                return self.number(self.position(box, values[0]))
            case "count":
                return self.count_of(box, values[0])
            case "clear":
                self.emit(f"store i64 0, ptr {box.pointer}")
            case "copy":
                return self.materialize(box, box.type.kind)
            case "reverse":
                backwards = self.materialize(self.reversed(self.materialize(box, "tuple")), "tuple")
                self.emit(f"store i64 0, ptr {box.pointer}")
                self.walk(backwards, lambda item: self.append_raw(box.pointer, box.type.item, item))
            case "sort":
                count, data, item = self.view(box)
                backwards = named.get("reverse", Const(False))
                if not isinstance(backwards, Const):
                    return self.fail("sort() whose direction is not known")
                self.sort(data, count, item, self.function_of(named.get("key")), bool(backwards.item))
            case "rotate":
                turned = self.library("rotated", [self.materialize(box, "tuple"), values[0] if values else Const(1)])
                self.emit(f"store i64 0, ptr {box.pointer}")
                self.walk(turned, lambda item: self.append_raw(box.pointer, box.type.item, item))
            case _:
                return self.fail(f"a {box.type.kind} has no compiled .{name}()")
        return Const(None)

    def set_method(self, box: Any, name: str, values: list[Any]) -> Any:
        operations = {"union": ast.BitOr, "intersection": ast.BitAnd, "difference": ast.Sub, "symmetric_difference": ast.BitXor}
        if name in operations:
            result = box
            for value in values:
                result = self.set_operation(operations[name], result, self.in_memory(value) if isinstance(value, Lazy) else value)
            return result
        match name:
            case "issubset":
                return self.flag(self.subset(box, values[0], False))
            case "issuperset":
                return self.flag(self.subset(values[0], box, False))
            case "isdisjoint":
                return self.flag(self.negate(self.quantify(values[0], lambda item: self.contains(box, item), "any")))
            case "copy":
                return self.materialize(box, self.kind_of(box))
        if not isinstance(box, BoxValue):
            return self.fail_shared()
        match name:
            case "add":
                self.add_item(box, values[0])
            case "update":
                for value in values:
                    self.any_order = AnyOrder()
                    source = self.materialize(value, "tuple") if isinstance(value, BoxValue) else value
                    self.any_order = AnyOrder()
                    self.walk(source, lambda item: self.add_item(box, self.settle(item)))
            case "discard" | "remove":
                if box.type.item is None and name == "discard":
                    return Const(None)
                at = self.position(box, values[0], EXCEPTIONS[KeyError] if name == "remove" else None)
                there, gone = self.new("there"), self.new("gone")
                self.branch(self.compare("sge", at, 0), there, gone)
                self.at(there)
                self.remove_at(box, at)
                self.jump(gone)
                self.at(gone)
            case "clear":
                self.emit(f"store i64 0, ptr {box.pointer}")
            case "difference_update" | "intersection_update":
                made = self.set_operation(ast.Sub if name[0] == "d" else ast.BitAnd, box, values[0])
                self.emit(f"store i64 0, ptr {box.pointer}")
                self.any_order = AnyOrder()
                self.walk(made, lambda item: self.add_item(box, item))
            case "pop":
                count = self.length(box)
                self.fault_if(self.compare("eq", count, 0), EXCEPTIONS[KeyError])
                self.fault_if(self.compare("sgt", count, 1), UNWRITTEN)  # which one it takes is Python's own affair
                return self.take_at(box, 0)
            case _:
                return self.fail(f"a set has no compiled .{name}()")
        return Const(None)

    def pop_or(self, box: BoxValue, at: Number, default: Any) -> Any:
        """The value at a place of a dict, which leaves it; the default where the place is below 0."""
        if box.type.item is None:
            return default
        missing, there = self.new("missing"), self.new("there")
        self.branch(self.compare("slt", at, 0), missing, there)
        self.at(there)
        found = self.dict_value(box, at)
        self.remove_at(box, at)
        ends = [(self.block, found)]
        self.at(missing)
        ends.append((self.block, default))
        return self.join(ends)

    def dict_method(self, box: BoxValue, name: str, values: list[Any]) -> Any:
        match name:
            case "keys" | "values" | "items":
                return self.dict_pairs(box, name)
            case "get":
                return self.dict_get(box, values[0], values[1] if len(values) > 1 else Const(None))
            case "copy":
                made = self.collect(self.dict_pairs(box, "items"), "dict", None, None)
                return BoxValue(Box("dict", made.type.cell, box.type.factory), made.pointer)
            case "update":
                if box.type.factory is Missing:
                    self.count_items(box, values[0])
                else:
                    pairs = self.dict_pairs(values[0], "items") if self.kind_of(values[0]) == "dict" else values[0]
                    self.walk(pairs, lambda pair: self.add_item(box, pair))
                return Const(None)
            case "setdefault":
                default = values[1] if len(values) > 1 else Const(None)
                self.join_item(box.type, Rec([values[0], default]))
                at = self.position(box, values[0], None)
                missing, there = self.new("missing"), self.new("there")
                self.branch(self.compare("slt", at, 0), missing, there)
                self.at(missing)
                self.append_raw(box.pointer, box.type.item, Rec([values[0], default]))
                self.jump(there)
                self.at(there)
                return self.dict_item(box, values[0])
            case "pop":
                at = self.position(box, values[0], EXCEPTIONS[KeyError] if len(values) == 1 else None)
                if len(values) == 1:
                    found = self.dict_value(box, at)
                    self.remove_at(box, at)
                    return found
                return self.pop_or(box, at, values[1])
            case "clear":
                self.emit(f"store i64 0, ptr {box.pointer}")
                return Const(None)
            case "subtract" if box.type.factory is Missing:
                self.count_items(box, values[0], -1)
                return Const(None)
            case "elements" if box.type.factory is Missing:
                return self.library("elements", [self.materialize(self.dict_pairs(box, "items"), "list")])
            case "total" if box.type.factory is Missing:
                return self.total(self.dict_pairs(box, "values"), Const(0))
            case "popitem":
                return self.fail("a dict has no compiled .popitem()")
            case "most_common":
                found = self.library("most_common", [self.materialize(self.dict_pairs(box, "items"), "list")])
                return self.slice(found, None, values[0], None) if values else found
        return self.fail(f"a dict has no compiled .{name}()")


def by_letter(table: dict[Any, Any]) -> dict[str, str]:
    """A table of `str.translate` with letters for numbers."""
    return {chr(key): chr(to) if isinstance(to, int) else to or "" for key, to in table.items() if isinstance(key, int)}


def kind_has_limit(kind: Box) -> bool:
    """Is this a deque with a maxlen?"""
    return kind.kind == "deque" and kind.factory is not None


MUTATORS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "add",
        "discard",
        "update",
        "setdefault",
        "appendleft",
        "popleft",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
        "extendleft",
        "rotate",
        "popitem",
        "move_to_end",
        "subtract",
        "__setitem__",
        "__delitem__",
        "__iadd__",
        "__imul__",
        "__ior__",
        "__iand__",
        "__isub__",
        "__ixor__",
    ]
)
OPERATOR_METHODS: dict[str, tuple[int, Callable[..., Any]]] = {  # how many arguments they take beside the object, and what they do
    "__len__": (0, HANDLERS[len]),
    **{f"__{each.__name__}__": (1, HANDLERS[each]) for each in (operator.getitem, operator.contains, operator.eq, operator.ne)},
    **{f"__{each.__name__}__": (1, HANDLERS[each]) for each in (operator.lt, operator.le, operator.gt, operator.ge, operator.add)},
}
TEXT_ARGUMENTS = {
    "replace": 3,
    "find": 2,
    "index": 2,
    "split": 2,
    "rsplit": 2,
    "startswith": 3,
    "endswith": 3,
    "rjust": 2,
    "ljust": 2,
    "center": 2,
}
ASCII_METHODS = frozenset(["capitalize", "title", "upper", "lower", "swapcase", "splitlines"])
TEXT_FUNCTIONS = {
    "capitalize": "capitalize",
    "title": "title",
    "removeprefix": "remove_prefix",
    "removesuffix": "remove_suffix",
    "center": "center",
    "rpartition": "right_partition",
    "count": "text_count",
    "rfind": "rfind",
    "splitlines": "split_lines",
    "partition": "partition",
    "upper": "upper",
    "lower": "lower",
    "swapcase": "swapcase",
    "isupper": "is_upper",
    "islower": "is_lower",
    "isdigit": "is_digit",
    "isnumeric": "is_digit",
    "isdecimal": "is_digit",
    "isalpha": "is_alpha",
    "isalnum": "is_alnum",
    "isspace": "is_space",
    "zfill": "zero_fill",
}


def f_minus_one(width: str) -> str:
    return f"sub i64 {width}, 1"


def load_of(place: str) -> str:
    return f"load i64, ptr {place}"
