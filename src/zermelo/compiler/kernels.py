"""Search kernels on a game's compiled rules: the templates `*_kernel.py`, each beside its algorithm, compiled for one game.

A kernel sees states as values of one opaque type and asks the rules by the names of `runtime/vocabulary.py`. Each rule is an LLVM function
of its own that LLVM may put in place; `actions` is walked over in place, with the kernel's loop at each action.
"""

import ast
import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compiler import records
from zermelo.compiler.calls import Instance
from zermelo.compiler.content import ASKED, OPTIONAL
from zermelo.compiler.emitter import ON_STACK
from zermelo.compiler.faults import INEXACT
from zermelo.compiler.fields import fields_of
from zermelo.compiler.frames import tree_of, trees
from zermelo.compiler.kernel import Made
from zermelo.compiler.layout import encode, flat_size, layout_of
from zermelo.compiler.memory import double
from zermelo.compiler.program import Program, Translator
from zermelo.compiler.records import is_record, item_type
from zermelo.compiler.templates import template
from zermelo.compiler.types import BOOL, FLOAT, INT, WORD, Array, Int, Type
from zermelo.compiler.values import ArrayValue, Const, Lazy, Rec, RecordValue, Scalar, StateValue
from zermelo.rules import CHANCE, default_cost, draw_value
from zermelo.scores import LONGEST, UNIT

__all__ = ["KernelProgram", "made"]

ITEMS = {
    "int64": "i64",
    "float64": "double",
    "int32": "i32",
    "int8": "i8",
    "int16": "i16",
    "uint8": "i8",
    "float32": "float",
    "uint64": "i64",
}
NUMPY_TYPES = {"i64": np.int64, "double": np.float64, "i32": np.int32, "i8": np.int8, "i16": np.int16, "float": np.float32}
HUGE = (1 << 62) - 1


class KernelTranslator(Translator):
    """A translator that knows the words of kernel templates."""

    program: "KernelProgram"

    def handler(self, item: Any) -> Callable[..., Any] | None:
        try:
            own = self.program.primitives.get(item)
        except TypeError:
            return None
        return own or super().handler(item)

    def fold_call(self, item: Any, values: list[Any], named: dict[str, Any]) -> Any:
        if item in self.program.primitives:
            return None
        if isinstance(item, types.FunctionType) and item in self.program.roles:
            return None
        return super().fold_call(item, values, named)

    def call_function(self, function: Any, values: list[Any], named: dict[str, Any]) -> Any:
        role = self.program.roles.get(function)
        if role is None:
            return super().call_function(function, values, named)
        tree = tree_of(function)
        given = self.match_arguments(tree, values, named, [], {})
        if role in ("entry", "kernel", "routine") and not self.checked:
            return self.call_instance(tree, function.__globals__, None, function.__code__.co_filename, given)
        return self.inline(self.frame_for(tree, function.__globals__, None, function.__code__.co_filename, given))

    def find(self, name: str, frame: Any = None) -> Any:
        found = super().find(name, frame)
        if isinstance(found, Const) and isinstance(found.item, np.generic):
            return as_u64_word(self, [found], {}) if isinstance(found.item, np.uint64) else Const(found.item.item())
        return found

    def stays_known(self, value: Any) -> bool:
        if isinstance(value, Const) and isinstance(value.item, bool | np.bool_):
            return False
        return super().stays_known(value)

    def under_way(self, tree: Any) -> bool:
        return False if not self.checked else super().under_way(tree)

    def bind(self, name: str, value: Any) -> None:
        if isinstance(value, StateValue):
            self.bind_state(name, value)
            return
        super().bind(name, value)

    def bind_argument(self, name: str, value: Any) -> None:
        if isinstance(value, StateValue) and not self.frame.shape.counts.get(name):
            self.frame.env[name] = value
            return
        super().bind_argument(name, value)

    def bind_state(self, name: str, value: StateValue) -> None:
        """A state variable has room of its own."""
        have = self.frame.env.get(name)
        room = have.pointer if isinstance(have, StateValue) and have.pointer.startswith("%a") else self.state_room()
        self.copy(room, value.pointer, 8 * self.program.words)
        self.frame.env[name] = StateValue(room)

    def state_room(self) -> str:
        return self.alloca(f"[{8 * self.program.words} x i8]")

    def enter(self) -> None:
        """Kernels that call themselves count their own depth, and their stack is made for it."""
        if self.checked:
            super().enter()

    def leave_function(self) -> None:
        if self.checked:
            super().leave_function()

    def alloc(self, size: Any) -> str:
        """What a kernel itself makes for a moment lies on the stack: its loops run too often for the arena."""
        if isinstance(size, int) and size <= ON_STACK and not self.checked:
            return self.alloca(f"[{max(size, 1)} x i8]")
        return super().alloc(size)

    def frees(self, node: ast.For) -> bool:
        return (
            not self.checked
            and isinstance(node.iter, ast.Call)
            and getattr(node.iter.func, "id", "") in ("actions", "candidates", "chances")
        )

    def known_attribute(self, item: Any, name: str, fresh: bool) -> Any:
        if item is np and name in ("inf", "pi", "nan"):
            return Const(float(getattr(np, name)))
        return super().known_attribute(item, name, fresh)

    def ask_rule(self, name: str, *arguments: str) -> None:
        """Call a rule's function; its fault is the kernel's."""
        self.program.need(name)
        status = self.op(f"call i64 {self.program.symbol(name)}({', '.join(['ptr %ctx', *arguments])})")
        self.check_status(status)

    def slice(self, value: Any, low: Any, high: Any, step: Any) -> Any:
        """A part of an array is an array: nothing is copied, and nothing is checked."""
        if not isinstance(value, ArrayValue):
            return super().slice(value, low, high, step)
        first = 0 if low is None else self.num(low)
        length = self.minus(value.length if high is None else self.num(high), first)
        pointer = self.op(f"getelementptr {value.item}, ptr {value.pointer}, i64 {first}")
        return ArrayValue(pointer, str(length), value.item, value.unsigned, value.record)

    def attribute(self, value: Any, name: str) -> Any:
        if not isinstance(value, RecordValue):
            return super().attribute(value, name)
        field = self.field(value, name)
        return field if value.record.dtype[name].shape else self.array_item(field, 0)

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        if not isinstance(owner, RecordValue):
            super().set_attribute(owner, name, value)
        else:
            self.set_array_item(self.field(owner, name), Const(0), value)

    def field(self, value: RecordValue, name: str) -> ArrayValue:
        """A field of a record as an array; most have one item."""
        fields = value.record.dtype.fields
        if name not in fields:
            self.fail(f"{value.record.__name__} has no field {name}")
        kind, at = fields[name][:2]
        return ArrayValue(self.offset(value.pointer, at), str(max(kind.shape, default=1)), ITEMS[kind.base.name])

    def array(self, value: Any) -> ArrayValue:
        if not isinstance(value, ArrayValue):
            return self.fail("an array is needed")  # type: ignore[no-any-return]
        return value

    def place(self, array: Any, index: Any) -> str:
        found = self.array(array)
        return self.op(f"getelementptr {found.item}, ptr {found.pointer}, i64 {self.num(index)}")

    def real(self, value: Any) -> str:
        return self.as_float(self.whole(self.scalar(value))).name


SHARED = {  # rules that kernels may call in another module: their parameters
    "player": "ptr, ptr, ptr",
    "terminal": "ptr, ptr, ptr",
    "utility": "ptr, ptr, ptr",
    "result": "ptr, ptr, i64, ptr",
    "actions": "ptr, ptr, ptr, i64, ptr",
    "chances": "ptr, ptr, ptr, ptr, i64, ptr",
}
MOST_LISTED = 2048  # actions of a state whose rules are in another module
FRESH = ("module", "instances", "paths", "payoff_types", "information")  # of each module its own
Handler = Callable[[KernelTranslator, list[Any], dict[str, Any]], Any]


class KernelProgram(Program):
    """The rules of a game and the kernels of one family."""

    asked: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    shared_payoffs: list[Type]  # the types of payoffs, where `utility` is in another module
    shared = ""  # the beginning of the names of rules in another module; "": every rule is in this one

    @classmethod
    def like(cls, program: Program, asked: tuple[str, ...], without: tuple[str, ...], shared: str = "") -> "KernelProgram":
        """Another module for the same game, with the same layouts."""
        made = cls.__new__(cls)
        made.__dict__.update({name: value for name, value in program.__dict__.items() if name not in FRESH})
        made.asked, made.without, made.shared = asked, without, shared
        made.shared_payoffs = list(program.payoff_types)
        made.begin()
        return made

    def begin(self) -> None:
        super().begin()
        self.primitives: dict[Any, Handler] = {}
        self.roles: dict[Any, str] = {}
        self.needed: set[str] = set()
        self.key_layouts: dict[str | None, Type] = {}
        self.signatures: dict[str, list[Type]] = {}
        self.returns: dict[str, Type] = {}  # by kernel

    def has(self, name: str) -> bool:
        if name in self.without or (name in ASKED and name not in self.asked):
            return False
        return super().has(name)

    def need(self, name: str) -> None:
        """Have a rule's function in this module."""
        if name in self.needed:
            return
        self.needed.add(name)
        if self.shared and name in SHARED:
            self.module.declarations.add(f"declare i64 @{self.shared}{name}({SHARED[name]})")
        else:
            self.rule(name)

    def symbol(self, name: str) -> str:
        """What a rule's function is called."""
        return f"@{self.shared if self.shared and name in SHARED else 'rule_'}{name}"

    def listed(self, c: KernelTranslator, rule: str, pointer: str) -> Lazy | None:
        """What a rule gives, where it is not walked over in place."""
        return listed_by_rules(c, rule, pointer) if self.shared and rule in SHARED else None

    def probe(self, name: str) -> None:
        """See whether an optional rule compiles. Raises `RulesError`."""
        if name == "candidates":
            c = Translator(self, "rule_candidates")

            def write() -> None:
                self.walk_rule(
                    c, name, c.load_flat("%s", self.state), lambda item: c.emit(f"store i64 {c.store_action(c.settle(item))}, ptr %out")
                )
                c.ret()

            self.plain_rule(c, name, write)
        else:
            self.need(name)

    def make_translator(self, name: str, checked: bool) -> KernelTranslator:
        return KernelTranslator(self, name, checked)

    # --- facts about a game

    @property
    def integer_payoffs(self) -> bool:
        """Are payoffs and estimates whole numbers?"""
        kinds = self.shared_payoffs[:1] if self.shared else [self.result_type("utility")]
        if self.has("evaluate"):
            kinds.append(self.result_type("evaluate"))
        return all(kind != FLOAT for kind in kinds)

    def result_type(self, name: str) -> Type:
        """The type of a payoff rule's (first) result."""
        found: list[Type] = []
        c = Translator(self, f"probe_{name}")

        def write() -> None:
            value = c.settle(self.ask(c, name))
            if c.is_sequence(value):
                value = c.unpack(value, self.players)[0]
            kind = c.typeof(c.scalar(value))
            found[:] = [kind]
            c.ret()

        c.make([self.state_parameter], write, boundary=True)
        del self.module.functions[f"probe_{name}"]
        return found[0]

    @property
    def draw_payoff(self) -> Any:
        draw = draw_value(self.game)
        return int(draw) if self.integer_payoffs_known else float(draw)

    @property
    def identifying(self) -> str | None:
        """The rule by whose answer tables know a state; None: by the state itself."""
        return next((name for name in ("outline", "key") if self.has(name)), None)

    @property
    def key_layout(self) -> Type:
        name = self.identifying
        if name not in self.key_layouts:
            found = layout_of([getattr(self.game, str(name))(state) for state in self.states], self.room, getattr(self.game, "word", 64))
            self.key_layouts[name] = WORD if self.word_states and isinstance(found, Int) and found.bits <= 64 else found
        return self.key_layouts[name]

    @property
    def key_words(self) -> int:
        return max(1, -(-flat_size(self.key_layout) // 8)) if self.identifying is not None else self.words

    @property
    def information_layout(self) -> Type:
        if not hasattr(self, "_information_layout"):
            asked = [self.game.information(state, who) for state in self.states for who in range(self.players)]  # type: ignore[attr-defined]
            self._information_layout = layout_of(asked, self.room)
        return self._information_layout

    @property
    def information_words(self) -> int:
        return max(1, -(-flat_size(self.information_layout) // 8)) if self.has("information") else self.words

    # --- rules beyond the core

    def plain_rule(self, c: Translator, name: str, write: Callable[[], None], *more: str) -> None:
        c.make([self.state_parameter, *more, "ptr noalias %out"], write, boundary=True)

    def state_rule(self, c: Translator, give: Callable[[], Any], *more: str) -> None:
        def write() -> None:
            self.put_state(c, c.settle(give()))
            c.ret()

        self.plain_rule(c, "", write, *more)

    def rule_start(self, c: Translator) -> None:
        self.state_rule(c, lambda: Const(self.game.start()))

    def rule_passed(self, c: Translator) -> None:
        self.state_rule(c, lambda: self.ask(c, "passed"))

    def rule_unrank(self, c: Translator) -> None:
        self.state_rule(c, lambda: c.call(Const(self.game.unrank), [Scalar(INT, "%a")], {}), "i64 %a")  # type: ignore[attr-defined]

    def pair_rule(self, c: Translator, name: str, kind: str) -> None:
        """A rule that gives a state and a number."""

        def write() -> None:
            state, number = c.unpack(c.settle(self.ask(c, name)), 2)
            self.put_state(c, state)
            second = c.as_float(c.whole(c.scalar(number))).name if kind == "double" else str(c.num(number))
            c.emit(f"store {kind} {second}, ptr %second")
            c.ret()

        self.plain_rule(c, name, write, "ptr noalias %second")

    def rule_canonical(self, c: Translator) -> None:
        self.pair_rule(c, "canonical", "i64")

    def rule_rest(self, c: Translator) -> None:
        self.pair_rule(c, "rest", "double")

    def rule_tier(self, c: Translator) -> None:
        self.number_rule(c, "tier")

    def rule_rank(self, c: Translator) -> None:
        self.number_rule(c, "rank")

    def rule_quiet(self, c: Translator) -> None:
        self.number_rule(c, "quiet", truth=True)

    def rule_order(self, c: Translator) -> None:
        def write() -> None:
            c.emit(f"store i64 {c.num(self.ask(c, 'order', c.load_action('%a')))}, ptr %out")
            c.ret()

        self.plain_rule(c, "order", write, "i64 %a")

    def rule_image(self, c: Translator) -> None:
        def write() -> None:
            found = c.call(Const(self.game.image), [c.load_action("%a"), Scalar(INT, "%b")], {})  # type: ignore[attr-defined]
            c.emit(f"store i64 {c.store_action(c.settle(found))}, ptr %out")
            c.ret()

        c.make(["i64 %a", "i64 %b", "ptr noalias %out"], write, boundary=True)

    def rule_cost(self, c: Translator) -> None:
        def write() -> None:
            value = self.ask(c, "cost", c.load_action("%a"))
            c.emit(f"store double {c.as_float(c.whole(c.scalar(value))).name}, ptr %out")
            c.ret()

        self.plain_rule(c, "cost", write, "i64 %a")

    def float_rule(self, c: Translator, name: str) -> None:
        def write() -> None:
            c.emit(f"store double {c.as_float(c.whole(c.scalar(self.ask(c, name)))).name}, ptr %out")
            c.ret()

        self.plain_rule(c, name, write)

    def rule_heuristic(self, c: Translator) -> None:
        self.float_rule(c, "heuristic")

    def rule_bounds(self, c: Translator) -> None:
        def write() -> None:
            for number, value in enumerate(c.unpack(c.settle(self.ask(c, "bounds")), 2)):
                c.emit(f"store i64 {c.num(value)}, ptr {c.offset('%out', 8 * number)}")
            c.ret()

        self.plain_rule(c, "bounds", write)

    def rule_key(self, c: Translator) -> None:
        def write() -> None:
            c.emit(f"call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {8 * self.key_words}, i1 false)")
            c.store_flat("%out", self.key_layout, c.settle(self.ask(c, str(self.identifying))))
            c.ret()

        self.plain_rule(c, str(self.identifying), write)

    rule_outline = rule_key

    def rule_information(self, c: Translator) -> None:
        def write() -> None:
            c.emit(f"call void @llvm.memset.p0.i64(ptr %out, i8 0, i64 {8 * self.information_words}, i1 false)")
            c.store_flat("%out", self.information_layout, c.settle(self.ask(c, "information", Scalar(INT, "%who"))))
            c.ret()

        self.plain_rule(c, "information", write, "i64 %who")

    def number_at_end(self, c: Translator, name: str) -> None:
        """Max's payoff, in the type that the game's payoffs have."""

        def write() -> None:
            value = c.settle(self.ask(c, name))
            if c.is_sequence(value):
                value = c.unpack(value, self.players)[0]
            if self.integer_payoffs_known:
                c.emit(f"store i64 {c.num(value)}, ptr %out")
            else:
                c.emit(f"store double {c.as_float(c.whole(c.scalar(value))).name}, ptr %out")
            c.ret()

        self.plain_rule(c, name, write)

    def rule_max_payoff(self, c: Translator) -> None:
        self.number_at_end(c, "utility")

    def rule_evaluate(self, c: Translator) -> None:
        self.number_at_end(c, "evaluate")

    def vector_rule(self, c: Translator, name: str) -> None:
        """The payoffs of all players."""

        def write() -> None:
            value = c.settle(self.ask(c, name))
            if c.is_sequence(value):
                numbers = [c.as_float(c.whole(c.scalar(each))).name for each in c.unpack(value, self.players)]
            else:
                first = c.as_float(c.whole(c.scalar(value))).name
                numbers = [first]
                if self.players == 2:
                    numbers.append(c.op(f"fsub double {double(float(self.game.total or 0))}, {first}"))
            for number, each in enumerate(numbers):
                c.emit(f"store double {each}, ptr {c.offset('%out', 8 * number)}")
            c.ret()

        self.plain_rule(c, name, write)

    def rule_payoffs(self, c: Translator) -> None:
        self.vector_rule(c, "utility")

    def rule_estimates(self, c: Translator) -> None:
        self.vector_rule(c, "evaluate" if self.has("evaluate") else "utility")

    def rule_features(self, c: Translator) -> None:
        def write() -> None:
            value = c.settle(self.ask(c, "features"))
            for number, each in enumerate(c.unpack(value, self.feature_count)):
                c.emit(f"store double {c.as_float(c.whole(c.scalar(each))).name}, ptr {c.offset('%out', 8 * number)}")
            c.ret()

        self.plain_rule(c, "features", write)

    @property
    def feature_count(self) -> int:
        return len(self.game.features(self.states[0]))  # type: ignore[attr-defined]

    # --- a family

    def write_family(self, family: str) -> dict[str, Any]:
        """Compile a family's kernels; gives the names of its template."""
        self.integer_payoffs_known = self.integer_payoffs
        names = self.namespace(family)
        for tree, path in template(family):
            exec(compile(tree, path, "exec"), names)
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    trees[names[node.name].__code__] = node
        self.signatures = {
            function.__name__: [parameter_type(function.__annotations__[name]) for name in arguments_of(function)]
            for function, role in self.roles.items()
            if role == "entry"
        }
        for name, kinds in self.signatures.items():
            self.write_kernel(names[name], name, kinds)
        return names

    def namespace(self, family: str) -> dict[str, Any]:
        """What a template may name."""
        game = self.game
        draw = draw_value(game)
        names: dict[str, Any] = {
            "__name__": f"zermelo.kernels.{family}",
            "np": np,
            "math": math,
            "CHANCE": CHANCE,
            "LONGEST": LONGEST,
            "UNIT": UNIT,
            "HUGE": HUGE,
            "WORDS": self.words,
            "FIELDS": len(fields_of(self.state)),
            "PLAYERS": self.players,
            "TOTAL": float(game.total or 0),
            "DRAW": float(draw),
            "INTEGER_PAYOFFS": self.integer_payoffs_known,
            "DRAW_PAYOFF": int(draw) if self.integer_payoffs_known else float(draw),
            "KEY": self.key_words,
            "INFORMATION": self.information_words,
            "Row": None,
            "State": None,
        }
        names |= {f"HAS_{name.upper()}": self.has(name) for name in (*OPTIONAL, *ASKED)}
        for role in ("entry", "kernel", "part", "routine"):
            names[role] = self.marker(role)
        names |= {name: getattr(records, name) for name in records.__all__}
        for name, handle in PRIMITIVES.items():
            function = stub(name)
            names[name] = function
            self.primitives[function] = handle
        self.primitives |= NUMPY
        return names

    def marker(self, role: str) -> Callable[[Any], Any]:
        def mark(function: Any) -> Any:
            self.roles[function] = role
            return function

        return mark

    def write_kernel(self, function: Any, name: str, kinds: list[Type]) -> None:
        """A function that Python calls: arrays cross as pointer and length."""
        tree = tree_of(function)
        arguments = dict(zip([each.arg for each in tree.args.args], kinds, strict=True))
        c = self.make_translator(name, False)
        instance = Instance(name)
        given: list[str] = []
        values: dict[str, Any] = {}
        for argument, kind in arguments.items():
            registers = c.registers(kind)
            parts = [f"%p{len(given) + n}" for n in range(len(registers))]
            given += [f"{register} {part}" for register, part in zip(registers, parts, strict=True)]
            values[argument] = c.build(kind, iter(parts))
        c_caller = c

        def write() -> None:
            c_caller.file = ""
            result = c_caller.call_instance(tree, function.__globals__, None, function.__code__.co_filename, dict(values))
            if not isinstance(result, Const):
                value = c_caller.whole(c_caller.scalar(result))
                self.returns[name] = value.type
                if value.type == FLOAT:
                    c_caller.emit(f"store double {value.name}, ptr %out")
                else:
                    c_caller.emit(f"store i64 {c_caller.num(value)}, ptr %out")
            c_caller.ret()

        c.make([*given, "ptr %out"], write, boundary=True)
        self.instances[("exported", name)] = instance


def stub(name: str) -> Any:
    def vocabulary_word(*arguments: Any) -> Any:
        raise NotImplementedError(name)

    vocabulary_word.__name__ = name
    return vocabulary_word


def parameter_type(annotation: Any) -> Type:
    """The type of a kernel's parameter by its annotation."""
    item = item_type(annotation)
    if item is None:
        return FLOAT if annotation is float else INT
    if is_record(item):
        return Array(f"[{item.dtype.itemsize} x i8]", item)
    return Array(ITEMS[np.dtype(item).name])


def arguments_of(function: Any) -> tuple[str, ...]:
    code = function.__code__
    return tuple(code.co_varnames[: code.co_argcount])


# --- the words of kernels


def state_of(c: KernelTranslator, value: Any) -> str:
    if not isinstance(value, StateValue):
        return c.fail("a state is needed")  # type: ignore[no-any-return]
    return value.pointer


def number_of_rule(name: str) -> Handler:
    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        out = c.alloca("i64")
        c.ask_rule(name, f"ptr {state_of(c, values[0])}", f"ptr {out}")
        return Scalar(INT, c.op(f"load i64, ptr {out}"))

    return handle


def flag_of_rule(name: str) -> Handler:
    number = number_of_rule(name)

    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        return Scalar(BOOL, c.op(f"icmp ne i64 {number(c, values, named).name}, 0"))

    return handle


def optional(name: str, given: Handler, otherwise: Callable[[KernelTranslator, list[Any]], Any]) -> Handler:
    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        return given(c, values, named) if c.program.has(name) else otherwise(c, values)

    return handle


def result_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    out = c.state_room()
    c.ask_rule("result", f"ptr {state_of(c, values[0])}", f"i64 {c.num(values[1])}", f"ptr {out}")
    return StateValue(out)


def start_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    out = c.state_room()
    c.copy(
        out,
        c.module.structure(
            [("i8", str(byte)) for byte in encode(c.program.game.start(), c.program.state).ljust(8 * c.program.words, b"\0")]
        ),
        8 * c.program.words,
    )
    return StateValue(out)


def passed_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    out = c.state_room()
    c.ask_rule("passed", f"ptr {state_of(c, values[0])}", f"ptr {out}")
    return StateValue(out)


def unrank_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    out = c.state_room()
    c.ask_rule("unrank", f"ptr {out}", f"i64 {c.num(values[0])}", f"ptr {out}")
    return StateValue(out)


def pair_word(name: str, kind: str) -> Handler:
    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        out, second = c.state_room(), c.alloca(kind)
        c.ask_rule(name, f"ptr {state_of(c, values[0])}", f"ptr {second}", f"ptr {out}")
        return Rec([StateValue(out), Scalar(FLOAT if kind == "double" else INT, c.op(f"load {kind}, ptr {second}"))])

    return handle


def with_action(name: str, kind: str) -> Handler:
    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        out = c.alloca(kind)
        c.ask_rule(name, f"ptr {state_of(c, values[0])}", f"i64 {c.num(values[1])}", f"ptr {out}")
        return Scalar(FLOAT if kind == "double" else INT, c.op(f"load {kind}, ptr {out}"))

    return handle


def image_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    out = c.alloca("i64")
    c.ask_rule("image", f"i64 {c.num(values[0])}", f"i64 {c.num(values[1])}", f"ptr {out}")
    return Scalar(INT, c.op(f"load i64, ptr {out}"))


def heuristic_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    out = c.alloca("double")
    c.ask_rule("heuristic", f"ptr {state_of(c, values[0])}", f"ptr {out}")
    return Scalar(FLOAT, c.op(f"load double, ptr {out}"))


def bounds_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    out = c.alloca("[2 x i64]")
    c.ask_rule("bounds", f"ptr {state_of(c, values[0])}", f"ptr {out}")
    return Rec([Scalar(INT, c.op(f"load i64, ptr {c.offset(out, at)}")) for at in (0, 8)])


def shared_payoffs(c: KernelTranslator, state: Any) -> list[str]:
    """The payoffs of all players, by `utility` in the module of the rules."""
    program = c.program
    out = c.alloca(f"[{max(program.players, 2)} x double]")
    c.ask_rule("utility", f"ptr {state_of(c, state)}", f"ptr {out}")
    found = [c.op(f"load double, ptr {c.offset(out, 8 * number)}") for number in range(len(program.shared_payoffs))]
    if len(found) == 1 and program.players == 2:
        found.append(c.op(f"fsub double {double(float(program.game.total or 0))}, {found[0]}"))
    return found


def payoff_word(name: str) -> Handler:
    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        whole = c.program.integer_payoffs_known
        if c.program.shared and name == "max_payoff":
            first = shared_payoffs(c, values[0])[0]
            return Scalar(INT, c.op(f"fptosi double {first} to i64")) if whole else Scalar(FLOAT, first)
        out = c.alloca("i64" if whole else "double")
        c.ask_rule(name, f"ptr {state_of(c, values[0])}", f"ptr {out}")
        return Scalar(INT, c.op(f"load i64, ptr {out}")) if whole else Scalar(FLOAT, c.op(f"load double, ptr {out}"))

    return handle


def vector_word(name: str) -> Handler:
    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        count = c.program.players
        if c.program.shared and (name == "payoffs" or not c.program.has("evaluate")):
            return Rec([Scalar(FLOAT, each) for each in shared_payoffs(c, values[0])])
        out = c.alloca(f"[{max(count, 2)} x double]")
        c.ask_rule(name, f"ptr {state_of(c, values[0])}", f"ptr {out}")
        return Rec([Scalar(FLOAT, c.op(f"load double, ptr {c.offset(out, 8 * number)}")) for number in range(count)])

    return handle


def features_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    count = c.program.feature_count
    out = c.alloca(f"[{count} x double]")
    c.ask_rule("features", f"ptr {state_of(c, values[0])}", f"ptr {out}")
    return ArrayValue(out, str(count), "double")


def listed_by_rules(c: KernelTranslator, rule: str, pointer: str) -> Lazy:
    """What a rule in another module gives, by way of a buffer."""

    def run(body: Callable[[Any], None]) -> None:
        words, weights, count = c.alloca(f"[{MOST_LISTED} x i64]"), c.alloca(f"[{MOST_LISTED} x double]"), c.alloca("i64")
        second = [f"ptr {weights}"] if rule == "chances" else []
        c.ask_rule(rule, f"ptr {pointer}", f"ptr {words}", *second, f"i64 {MOST_LISTED}", f"ptr {count}")
        total = c.op(f"load i64, ptr {count}")
        c.fault_if(c.compare("sgt", total, MOST_LISTED), INEXACT)

        def item(i: Any) -> Any:
            word = Scalar(INT, c.op(f"load i64, ptr {c.op(f'getelementptr i64, ptr {words}, i64 {i}')}"))
            if rule != "chances":
                return word
            return Rec([word, Scalar(FLOAT, c.op(f"load double, ptr {c.op(f'getelementptr double, ptr {weights}, i64 {i}')}"))])

        c.walk(Lazy(items=(total, item)), body)

    return Lazy(walk=run, kind="generator")


def walked_word(name: str) -> Handler:
    """`actions(state)` and its like: the rule runs in place, checked, and the kernel's loop at each item, unchecked."""

    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        rule = name if c.program.has(name) else "actions"
        pointer = state_of(c, values[0])
        listed = c.program.listed(c, rule, pointer)
        if listed is not None:
            return listed

        def run(body: Callable[[Any], None]) -> None:
            def each(item: Any) -> None:
                item = c.settle(item)
                if rule == "chances":
                    action, weight = c.unpack(item, 2)
                    word = c.store_action(c.settle(action))
                    given: Any = Rec([Scalar(INT, word), Scalar(FLOAT, c.program.share(c, weight))])
                else:
                    given = Scalar(INT, c.store_action(item))
                c.checked = False
                outer, c.stack = c.stack, []
                try:
                    body(given)
                finally:
                    c.checked, c.stack = True, outer

            c.checked = True
            site, line, file = c.site, c.line, c.file
            try:
                c.program.walk_rule(c, rule, c.load_flat(pointer, c.program.state), each)
            finally:
                c.checked = False
                c.site, c.line, c.file = site, line, file

        return Lazy(walk=run, kind="generator")

    return handle


def listing_word(name: str) -> Handler:
    """`list_actions(state, row, at, last)`: written to a row, none beyond its last place; gives where they end."""

    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        row = c.array(values[1])
        place, last, aside = c.counter(c.num(values[2])), c.num(values[3]), c.alloca("i64")

        def put(item: Scalar) -> None:
            c.append(item.name, row.pointer, place, last, aside)

        mark = c.op("load ptr, ptr %ctx")
        c.walk(walked_word(name)(c, [values[0]], {}), put)
        c.emit(f"store ptr {mark}, ptr %ctx")
        return Scalar(INT, c.op(f"load i64, ptr {place}"))

    return handle


def row_and_place(values: list[Any]) -> tuple[Any, Any]:
    """A row and where in it: at its beginning, unless more is said."""
    return values[0], values[1] if len(values) > 1 else Const(0)


def decode_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return StateValue(c.place(*row_and_place(values)))


def encode_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    c.copy(c.place(*row_and_place(values[1:])), state_of(c, values[0]), 8 * c.program.words)
    return Const(None)


def list_fields_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    """`list_fields(state, row, at)`: every number of a state as a word."""
    state, row = state_of(c, values[0]), c.place(values[1], values[2])
    for number, field in enumerate(fields_of(c.program.state)):
        found = c.op(f"load i{8 * field.size}, ptr {c.offset(state, field.at)}, align 1")
        if field.size < 8:
            found = c.op(f"{'sext' if field.signed else 'zext'} i{8 * field.size} {found} to i64")
        c.emit(f"store i64 {found}, ptr {c.offset(row, 8 * number)}")
    return Const(None)


def state_of_fields_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    """`state_of_fields(row, at)`: the way back."""
    out, row = c.state_room(), c.place(values[0], values[1])
    c.emit(f"call void @llvm.memset.p0.i64(ptr {out}, i8 0, i64 {8 * c.program.words}, i1 false)")
    for number, field in enumerate(fields_of(c.program.state)):
        found = c.op(f"load i64, ptr {c.offset(row, 8 * number)}")
        if field.size < 8:
            found = c.op(f"trunc i64 {found} to i{8 * field.size}")
        c.emit(f"store i{8 * field.size} {found}, ptr {c.offset(out, field.at)}, align 1")
    return StateValue(out)


def encode_key_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    rule = c.program.identifying
    if rule is None:
        return encode_word(c, values, named)
    c.ask_rule(rule, f"ptr {state_of(c, values[0])}", f"ptr {c.place(*row_and_place(values[1:]))}")
    return Const(None)


def encode_information_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    if not c.program.has("information"):
        return encode_word(c, [values[0], *values[2:]], named)
    c.ask_rule("information", f"ptr {state_of(c, values[0])}", f"i64 {c.num(values[1])}", f"ptr {c.place(*row_and_place(values[2:]))}")
    return Const(None)


def store_numbers_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    count, get = c.items(values[0])
    assert isinstance(count, int) or str(count).isdigit()
    for number in range(int(count)):
        c.set_array_item(c.array(values[1]), c.number(c.plus(c.num(values[2]), number)), get(number))
    return Const(int(count))


def as_int_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    if isinstance(values[0], Const):
        return Const(int(values[0].item))
    scalar = c.scalar(values[0])
    if scalar.type == FLOAT:
        return Scalar(INT, c.op(f"fptosi double {scalar.name} to i64"))
    return c.as_whole(scalar, INT)


def as_u64_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    if isinstance(values[0], Const):
        number = int(values[0].item) % (1 << 64)
        return Scalar(WORD, str(number - (1 << 64) if number >> 63 else number))
    scalar = c.scalar(values[0])
    if scalar.type == FLOAT:
        return Scalar(WORD, c.op(f"fptoui double {scalar.name} to i64"))
    return c.as_whole(scalar, WORD)


def as_float_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return Scalar(FLOAT, c.real(values[0]))


def as_bool_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return c.flag(c.truth(values[0]))


def float32_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    narrow = c.op(f"fptrunc double {c.real(values[0])} to float")
    return Scalar(FLOAT, c.op(f"fpext float {narrow} to double"))


def floor_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return Scalar(FLOAT, c.op(f"call double @llvm.floor.f64(double {c.real(values[0])})"))


def isfinite_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    size = c.op(f"call double @llvm.fabs.f64(double {c.real(values[0])})")
    return Scalar(BOOL, c.op(f"fcmp olt double {size}, 0x7FF0000000000000"))


def zeros_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    count = c.num(values[0])
    if not isinstance(count, int):
        return c.fail("an array inside a kernel has a known length")
    kind = values[1].item if len(values) > 1 else named["dtype"].item if "dtype" in named else np.float64
    item = "double" if kind in (np.float64, float) else "i64"
    room = c.alloca(f"[{count} x {item}]")
    c.emit(f"call void @llvm.memset.p0.i64(ptr {room}, i8 0, i64 {8 * count}, i1 false)")
    return ArrayValue(room, str(count), item)


def first_payoff_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return values[0].items[0] if isinstance(values[0], Rec) else values[0]


def real_of_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return Scalar(FLOAT, c.op(f"bitcast i64 {c.num(values[0])} to double"))


def add_scaled_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    """A loop of its own, in single precision."""
    target, source = c.array(values[0]), c.place(values[1], values[2])
    amount = c.op(f"fptrunc double {c.real(values[4])} to float")

    def add(item: Scalar) -> None:
        mine, theirs = (c.op(f"getelementptr float, ptr {base}, i64 {item.name}") for base in (target.pointer, source))
        product = c.op(f"fmul float {amount}, {c.op(f'load float, ptr {theirs}')}")
        total = c.op(f"fadd float {c.op(f'load float, ptr {mine}')}, {product}")
        c.emit(f"store float {total}, ptr {mine}")

    c.walk(c.call(Const(range), [values[3]], {}), lambda item: add(c.scalar(item)))
    return Const(None)


def peek(bits: int, sign: str) -> Handler:
    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        pointer = c.op(f"inttoptr i64 {c.num(values[0])} to ptr")
        found = c.op(f"load i{bits}, ptr {pointer}")
        return Scalar(INT, found if bits == 64 else c.op(f"{sign} i{bits} {found} to i64"))

    return handle


def words_of_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return values[0]


def prefetch_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    c.emit(f"call void @llvm.prefetch.p0(ptr {c.place(values[0], values[1])}, i32 0, i32 3, i32 1)")
    return Const(None)


def atomic_add_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return Scalar(INT, c.op(f"atomicrmw add ptr {c.place(values[0], values[1])}, i64 {c.num(values[2])} seq_cst"))


def atomic_add_real_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return Scalar(FLOAT, c.op(f"atomicrmw fadd ptr {c.place(values[0], values[1])}, double {c.real(values[2])} seq_cst"))


def atomic_claim_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    words = f"ptr {c.place(values[0], values[1])}, i64 {c.num(values[2])}, i64 {c.num(values[3])}"
    return Scalar(BOOL, c.op(f"extractvalue {{i64, i1}} {c.op(f'cmpxchg {words} seq_cst seq_cst')}, 1"))


def atomic_store_word(order: str) -> Handler:
    def handle(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
        c.emit(f"store atomic i64 {c.num(values[2])}, ptr {c.place(values[0], values[1])} {order}, align 8")
        return Const(None)

    return handle


def atomic_load_word(c: KernelTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return Scalar(INT, c.op(f"load atomic i64, ptr {c.place(values[0], values[1])} seq_cst, align 8"))


PRIMITIVES: dict[str, Handler] = {
    "player": number_of_rule("player"),
    "terminal": flag_of_rule("terminal"),
    "result": result_word,
    "start": start_word,
    "actions": walked_word("actions"),
    "candidates": walked_word("candidates"),
    "chances": optional("chances", walked_word("chances"), lambda c, values: Const(())),
    "list_actions": listing_word("actions"),
    "list_candidates": listing_word("candidates"),
    "max_payoff": payoff_word("max_payoff"),
    "evaluate": optional("evaluate", payoff_word("evaluate"), lambda c, values: Const(c.program.draw_payoff)),
    "payoffs": vector_word("payoffs"),
    "estimates": vector_word("estimates"),
    "order": optional("order", with_action("order", "i64"), lambda c, values: Const(0)),
    "bounds": optional("bounds", bounds_word, lambda c, values: Const((-HUGE, HUGE))),
    "cost": optional("cost", with_action("cost", "double"), lambda c, values: Const(float(default_cost(c.program.game)))),
    "heuristic": optional("heuristic", heuristic_word, lambda c, values: Const(0.0)),
    "canonical": optional("canonical", pair_word("canonical", "i64"), lambda c, values: Rec([values[0], Const(0)])),
    "image": optional("image", image_word, lambda c, values: values[0]),
    "quiet": optional("quiet", flag_of_rule("quiet"), lambda c, values: Const(True)),
    "passed": optional("passed", passed_word, lambda c, values: values[0]),
    "tier": optional("tier", number_of_rule("tier"), lambda c, values: Const(0)),
    "rank": optional("rank", number_of_rule("rank"), lambda c, values: Const(0)),
    "unrank": optional("unrank", unrank_word, start_word),  # type: ignore[arg-type]
    "rest": optional("rest", pair_word("rest", "double"), lambda c, values: Rec([values[0], Const(0.0)])),
    "features": optional("features", features_word, lambda c, values: Const((0.0,))),
    "decode": decode_word,
    "encode": encode_word,
    "encode_key": encode_key_word,
    "list_fields": list_fields_word,
    "state_of_fields": state_of_fields_word,
    "encode_information": encode_information_word,
    "store_numbers": store_numbers_word,
    "first_payoff": first_payoff_word,
    "as_int": as_int_word,
    "as_float": as_float_word,
    "as_bool": as_bool_word,
    "as_u64": as_u64_word,
    "popcount": lambda c, values, named: c.bit_count(values[0]),
    "bit_length": lambda c, values, named: c.bit_length(values[0]),
    "byte_at": peek(8, "zext"),
    "short_at": peek(16, "zext"),
    "int_at": peek(32, "sext"),
    "word_at": peek(64, "sext"),
    "words_of": words_of_word,
    "real_of": real_of_word,
    "add_scaled": add_scaled_word,
    "prefetch": prefetch_word,
    "atomic_add": atomic_add_word,
    "atomic_add_real": atomic_add_real_word,
    "atomic_claim": atomic_claim_word,
    "atomic_store": atomic_store_word("seq_cst"),
    "atomic_release": atomic_store_word("release"),
    "atomic_load": atomic_load_word,
}
NUMPY: dict[Any, Handler] = {
    np.int64: as_int_word,
    np.uint64: as_u64_word,
    np.float64: as_float_word,
    np.float32: float32_word,
    np.floor: floor_word,
    np.isfinite: isfinite_word,
    np.zeros: zeros_word,
    np.empty: zeros_word,
    math.floor: lambda c, values, named: Scalar(INT, c.op(f"fptosi double {floor_word(c, values, named).name} to i64")),
}


def made(names: dict[str, Any], program: KernelProgram) -> Made:
    """What the driver of a family's kernels needs to know."""
    letters = {name: "".join(map(letter, kinds)) for name, kinds in program.signatures.items()}
    real = [name for name in letters if program.returns.get(name) == FLOAT]
    given = {name: value for name, value in names.items() if (name.isupper() and not callable(value)) or is_record(value)}
    return Made(letters, real, given, program.module.places)


def letter(kind: Type) -> str:
    return "a" if isinstance(kind, Array) else "f" if kind == FLOAT else "i"
