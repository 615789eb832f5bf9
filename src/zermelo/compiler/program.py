"""One game as a program: samples, layouts, and one LLVM function for each rule."""

import ast
import contextlib
import enum
import random
import traceback
import types
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from zermelo.compiler.boxes import SETS
from zermelo.compiler.builtins import Builtins
from zermelo.compiler.calls import ROUNDS, Captured, Instance, moved, slots_in, transplanted, with_slots
from zermelo.compiler.content import OPTIONAL
from zermelo.compiler.emitter import Emitter, Module
from zermelo.compiler.expressions import mutable
from zermelo.compiler.faults import CAPACITY, EXCEPTIONS, Unsupported, set_order
from zermelo.compiler.frames import EMPTY, Frame, is_cached, shape_of, tree_of
from zermelo.compiler.layout import Packed, by_bytes, encode, flat_size, has_own_equality, has_packed, keeps_kinds, layout_of
from zermelo.compiler.memo import Memo
from zermelo.compiler.source import plain_function
from zermelo.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    MOST_OPTIONS,
    NUMBER_CLASSES,
    WORD,
    Box,
    Cell,
    Int,
    Options,
    Pick,
    Record,
    Seq,
    Type,
    Union,
    has_pointers,
    size,
    unify,
)
from zermelo.compiler.values import BoxValue, Choice, Const, Lazy, Rec, Scalar, SeqValue, Slot, Tagged
from zermelo.errors import RulesError
from zermelo.rules import CHANCE, Game, chance_weights

__all__ = ["Program", "Translator"]

LARGEST_STATE = 1 << 20  # bytes
OF_ACTIONS = ("order", "cost")  # optional rules about a state and an action
GAMES, PLIES = 24, 160  # of the random games from which types are learnt
SHORT_ACTION = 1 << 31  # half the range of actions that are known to be short
MOST_COMPARED = 64  # states around which equal ones are looked for


class Samples:
    """States, actions and chance weights of random games, by the interpreted rules; a game in which they raise ends there."""

    def __init__(self, game: Game, games: int = GAMES, plies: int = PLIES, seed: int = 1) -> None:
        self.game = game
        self.states: dict[Any, None] = {}
        self.actions: dict[Any, Any] = {}
        self.weights: list[Any] = []
        choose = random.Random(seed)
        for _ in range(games):
            state = game.start()
            for _ in range(plies):
                moves = self.look(state)
                if not moves:
                    break
                try:
                    state = game.result(state, choose.choice(moves))
                except Exception:
                    break

    def look(self, state: Any) -> list[Any]:
        """Note a state and its actions; the actions."""
        self.states[state] = None
        try:
            if self.game.terminal(state):
                return []
            if self.game.player(state) == CHANCE:
                outcomes = chance_weights(self.game, state)
                self.weights += [weight for _, weight in outcomes]
                moves = [action for action, _ in outcomes]
            else:
                moves = list(self.game.actions(state))
        except Exception:
            return []
        self.actions.update({(type(move), move): move for move in moves})
        return moves

    def look_around(self, state: Any) -> None:
        """Note a state and those after it."""
        for move in self.look(state):
            try:
                self.look(self.game.result(state, move))
            except Exception:
                continue


def sampled(game: Game, room: int) -> Samples:
    """The samples that layouts with so much room are made from."""
    return Samples(game, games=GAMES * min(room, 16))


class Translator(Builtins):
    """The compiler of one LLVM function."""

    def __init__(self, program: "Program", name: str, checked: bool = True) -> None:
        self.program, self.game, self.changed = program, program.game, program.changed
        self.wide, self.word_states = program.wide, program.word_states
        self.known_options, self.reads = program.known_options, program.reads
        self.memo, self.widenings, self.stack, self.site = {}, Counter(), [], None
        self.inlined = 0
        self.borrowed = set()
        self.frame = None  # type: ignore[assignment]
        super().__init__(program.module, name, checked)

    def begin(self) -> None:
        super().begin()
        self.stack, self.site, self.inlined, self.flat_boxes, self.facts = [], None, 0, 0, []
        self.frame = Frame(EMPTY, {}, 0)

    def fail(self, message: str) -> Any:
        raise Unsupported(message, self.file or None, self.line or None)

    # --- flat states

    def load_flat(self, pointer: str, layout: Type | None) -> Any:
        """The value whose bytes are at a pointer."""
        match layout:
            case Packed(kind, item, capacity):
                count = self.op(f"zext i16 {self.op(f'load i16, ptr {pointer}, align 1')} to i64")
                data = self.offset(pointer, 2)
                if not has_packed(item):
                    return self.flat_box(SeqValue("str" if kind == "str" else "tuple", item, count, data), kind)
                width = flat_size(item)
                self.flat_boxes += 1
                plain = self.memo.setdefault(("flat", self.flat_boxes), run_time_type(item))
                room = self.alloc(capacity * size(plain))
                each = Lazy(items=(count, lambda i: Rec([self.number(i), self.load_flat(self.offset(data, self.times(i, width)), item)])))
                self.walk(
                    each, lambda pair: self.store(self.offset(room, self.times(self.num(pair.items[0]), size(plain))), plain, pair.items[1])
                )
                return self.flat_box(SeqValue("tuple", plain, count, room), kind)
            case Record(made_by, items) if has_packed(layout) or made_by in self.program.mutable:
                values, at = [], 0
                for item in items:
                    values.append(self.load_flat(self.offset(pointer, at), item))
                    at += flat_size(item)
                return self.instance(Rec(values, made_by))
            case Union(alternatives) if has_packed(layout):
                tag = self.op(f"zext i8 {self.op(f'load i8, ptr {pointer}, align 1')} to i64")
                values, at = [], 1
                for alternative in alternatives:
                    values.append(self.load_flat(self.offset(pointer, at), alternative))
                    at += flat_size(alternative)
                return Tagged(Union(tuple(self.typeof(value) for value in values)), tag, values)
        return self.load(pointer, layout)

    def flat_box(self, value: SeqValue, kind: str) -> Any:
        if kind not in ("frozenset", "set", "list"):
            return value
        self.flat_boxes += 1
        if kind != "frozenset":  # a copy, which the rules may change
            before, self.site = self.site, ("flat", self.flat_boxes)
            made = self.materialize(value, kind)
            self.site = before
            return made
        box = Box("frozenset", self.cell(("flat", self.flat_boxes)))
        if value.item is not None:
            self.join_item(box, self.zero(value.item))
        value = self.coerce(value, Seq("tuple", box.item, None))
        pointer = self.alloc(24)
        self.emit(f"store i64 {value.length}, ptr {pointer}")
        self.emit(f"store i64 {value.length}, ptr {self.offset(pointer, 8)}")
        self.emit(f"store ptr {value.pointer}, ptr {self.offset(pointer, 16)}")
        return BoxValue(box, pointer)

    def store_flat(self, pointer: str, layout: Type | None, value: Any) -> None:
        """Write a value as bytes; a fault where it does not fit."""
        if isinstance(value, Tagged) and not isinstance(layout, Union):
            self.spread(value, lambda each: self.stored(pointer, layout, each))
            return
        match layout:
            case Packed(kind, item, capacity):
                self.store_packed(pointer, kind, item, capacity, value)
                return
            case Record(made_by, items):
                value = self.coerce_made_by(value, made_by, len(items))
                at = 0
                for item, each in zip(items, self.unpack_record(value, len(items)), strict=True):
                    self.store_flat(self.offset(pointer, at), item, each)
                    at += flat_size(item)
                return
            case Union(alternatives):
                self.store_union(pointer, layout, alternatives, value)
                return
            case Seq(kind, item, int(length)) if not one_form(item):
                self.store_packed_items(pointer, item, self.counted(value, kind, length))
                return
        if isinstance(layout, Int) and not layout.mixed and self.typeof(value) == BOOL:
            self.fault_if(True, CAPACITY)  # no bool was seen here before
        if layout == FLOAT:
            scalar = self.as_float(self.scalar(value))
            value = Scalar(FLOAT, self.op(f"fadd double {scalar.name}, 0.0"))
        if isinstance(value, Rec) and isinstance(layout, Seq) and value.made_by is not None:
            self.fail("a record stands where a tuple was before")
        self.store(pointer, layout, value)

    def stored(self, pointer: str, layout: Type | None, value: Any) -> Const:
        self.store_flat(pointer, layout, value)
        return Const(None)

    def coerce_made_by(self, value: Any, made_by: Any, count: int) -> Any:
        if isinstance(value, BoxValue) and value.type.kind == "object":
            value = self.item_of(value, 0)
        have = value.made_by if isinstance(value, Rec) else type(value.item) if isinstance(value, Const) else None
        if made_by in NUMBER_CLASSES and self.is_number(value):
            return self.call(Const(made_by), [value], {})
        if isinstance(value, Choice):
            value = self.restrict(value, lambda item: type(item) is (made_by or tuple), CAPACITY)
            have = type(value.items[0]) if isinstance(value, Choice) else type(value.item)
        if have in (tuple, None):
            have = None
        if have is not made_by:
            self.fault_if(True, CAPACITY)
        return value

    def unpack_record(self, value: Any, count: int) -> list[Any]:
        if isinstance(value, Const | Choice) and not isinstance(value.item if isinstance(value, Const) else value.items[0], tuple):
            value = self.record_of(value)
        if isinstance(value, Rec):
            if len(value.items) != count:
                self.fault_if(True, CAPACITY)
            return value.items
        have, get = self.items(value)
        self.fault_if(self.compare("ne", have, count), CAPACITY)
        return [get(number) for number in range(count)]

    def counted(self, value: Any, kind: str, length: int) -> Any:
        """A sequence of this kind and length; a fault where it is none."""
        if not self.is_sequence(value) or self.kind_of(value) != kind:
            self.fault_if(True, CAPACITY)
        self.fault_if(self.compare("ne", self.items(value)[0], length), CAPACITY)
        return value

    def store_packed_items(self, data: str, item: Type | None, value: Any) -> None:
        """Write items side by side, each as bytes."""
        count, get = self.numbered(value)
        width = flat_size(item)
        if isinstance(value, Rec):
            for number in range(len(value.items)):
                self.store_flat(self.offset(data, number * width), item, get(number))
            return
        each = Lazy(items=(count, lambda i: Rec([self.number(i), get(i)])))
        self.walk(each, lambda pair: self.store_flat(self.offset(data, self.times(self.num(pair.items[0]), width)), item, pair.items[1]))

    def member_order(self, item: Type | None) -> Callable[[Any], Any] | None:
        """The key by which a set of Enum members is sorted: where each is defined. None for other items, which have an order."""
        if not isinstance(item, Pick) or not all(isinstance(each, enum.Enum) for each in item.options.items):
            return None
        return lambda member: Scalar(INT, self.coerce(member, item).number)

    def store_packed(self, pointer: str, kind: str, item: Type | None, capacity: int, value: Any) -> None:
        if not self.is_sequence(value) or self.kind_of(value) != kind:
            self.fault_if(True, CAPACITY)
        if isinstance(value, Const) and not len(value.item):
            count: Any = 0
        else:
            if kind in ("frozenset", "set") and not by_bytes(item):
                value = self.sorted_items(value, self.member_order(item), False)
            value = self.in_memory(value)
            if kind == "list":
                self.need_order(value)
            count = self.view(value)[0]
        self.fault_if(self.compare("sgt", count, capacity if item is not None else 0), CAPACITY)
        short = str(count) if isinstance(count, int) else self.op(f"trunc i64 {count} to i16")
        self.emit(f"store i16 {short}, ptr {pointer}, align 1")
        data, width = self.offset(pointer, 2), flat_size(item)
        used = self.times(count, width)
        if count != 0 and item is not None:
            _, source, have = self.view(value)
            if have == item and one_form(item):
                self.copy(data, source, used)
            else:
                self.store_packed_items(data, item, value)
            if kind in ("frozenset", "set") and by_bytes(item):
                self.sort_bytes(data, count, width)
        rest = self.minus(capacity * width, used)
        self.emit(f"call void @llvm.memset.p0.i64(ptr {self.offset(data, used)}, i8 0, i64 {rest}, i1 false)")

    def sort_bytes(self, data: str, count: Any, width: int) -> None:
        """Sort rows of bytes in place, as `memcmp` orders them (insertion sort)."""
        row, outer, inner = self.alloca(f"[{max(width, 1)} x i8]"), self.counter(1), self.counter()
        head, body, test, check, shift, put, after = (self.new("bytes") for _ in range(7))
        self.jump(head)
        self.at(head)
        i = self.op(f"load i64, ptr {outer}")
        self.branch(self.compare("slt", i, count), body, after)
        self.at(body)
        self.copy(row, self.offset(data, self.times(i, width)), width)
        self.emit(f"store i64 {i}, ptr {inner}")
        self.jump(test)
        self.at(test)
        j = self.op(f"load i64, ptr {inner}")
        self.branch(self.compare("sgt", j, 0), check, put)
        self.at(check)
        before = self.offset(data, self.times(self.minus(j, 1), width))
        order = self.op(f"call i32 @memcmp(ptr {before}, ptr {row}, i64 {width})")
        self.branch(self.op(f"icmp sgt i32 {order}, 0"), shift, put)
        self.at(shift)
        self.copy(self.offset(data, self.times(j, width)), before, width)
        self.emit(f"store i64 {self.minus(j, 1)}, ptr {inner}")
        self.jump(test)
        self.at(put)
        self.copy(self.offset(data, self.times(self.op(f"load i64, ptr {inner}"), width)), row, width)
        self.emit(f"store i64 {self.op(f'add i64 {i}, 1')}, ptr {outer}")
        self.jump(head)
        self.at(after)

    def store_union(self, pointer: str, layout: Union, alternatives: tuple[Type, ...], value: Any) -> None:
        self.emit(f"call void @llvm.memset.p0.i64(ptr {pointer}, i8 0, i64 {flat_size(layout)}, i1 false)")

        def put(each: Any) -> Const:
            if isinstance(each, Choice):
                return self.put_choice(pointer, alternatives, each)
            at = 1
            have = self.typeof(each)
            for number, kind in enumerate(alternatives):
                if self.belongs(have, kind):
                    self.emit(f"store i8 {number}, ptr {pointer}, align 1")
                    self.store_flat(self.offset(pointer, at), kind, each)
                    return Const(None)
                at += flat_size(kind)
            self.fault_if(True, CAPACITY)
            return Const(None)

        self.spread(value, put)

    def put_choice(self, pointer: str, alternatives: tuple[Type, ...], value: Choice) -> Const:
        """One of known objects, each in the alternative that it belongs to."""
        groups: dict[int, list[int]] = {}
        for number, item in enumerate(value.items):
            have = self.known_type(item)
            index = next((n for n, kind in enumerate(alternatives) if self.belongs(have, kind)), -1)
            groups.setdefault(index, []).append(number)
        where = {number: index for index, numbers in groups.items() for number in numbers}
        chosen = self.int_table([where[number] for number in range(len(value.items))], value.number)
        after = self.new("put")
        for which, numbers in groups.items():
            here, on = self.new("put"), self.new("put")
            self.branch(self.compare("eq", chosen, which), here, on)
            self.at(here)
            if which < 0:
                self.jump(self.fault_block(CAPACITY))
            else:
                from zermelo.compiler.types import Options

                kept = Options([value.items[number] for number in numbers])
                inner = self.int_table([numbers.index(n) if n in numbers else 0 for n in range(len(value.items))], value.number)
                self.emit(f"store i8 {which}, ptr {pointer}, align 1")
                at = 1 + sum(flat_size(kind) for kind in alternatives[:which])
                part: Any = Const(kept.items[0]) if len(kept.items) == 1 else Choice(kept, str(inner))
                self.store_flat(self.offset(pointer, at), alternatives[which], part)
                self.jump(after)
            self.at(on)
        self.block.lines.append("unreachable")
        self.block.closed = True
        self.at(after)
        return Const(None)

    def belongs(self, have: Type, kind: Type) -> bool:
        """Could a value of a run-time type be meant by this part of a layout?"""
        from zermelo.compiler.types import Char, NoneType, Pick, is_text, natural

        match kind:
            case Packed("str") | Seq("str") | Char():
                return is_text(have)
            case Packed("tuple") | Seq("tuple"):
                plain = natural(have) if isinstance(have, Pick) else have
                return (isinstance(plain, Seq) and plain.kind == "tuple") or (isinstance(plain, Record) and plain.made_by is None)
            case Packed("frozenset"):
                return isinstance(have, Box) and have.kind == "frozenset"
            case Record(made_by, items):
                plain = natural(have) if isinstance(have, Pick) else have
                if isinstance(plain, Seq):
                    return made_by is None and plain.kind == "tuple"
                return isinstance(plain, Record) and plain.made_by is made_by and len(plain.items) == len(items)
            case Pick(options):
                return isinstance(have, Pick) and set(have.options.key) <= set(options.key)
            case NoneType():
                return isinstance(have, NoneType) or (isinstance(have, Pick) and have.options.items == [None])
        if kind == BOOL:
            return have == BOOL
        if kind == FLOAT:
            return have == FLOAT or isinstance(have, Int)
        return isinstance(have, Int) or have == WORD

    # --- actions: one word each

    def load_action(self, name: str) -> Any:
        program = self.program
        if program.plain_actions:
            if program.short_actions:
                above = self.op(f"icmp uge i64 {self.op(f'add i64 {name}, {SHORT_ACTION}')}, {2 * SHORT_ACTION}")
                self.fault_if(above, CAPACITY)  # beyond here LLVM knows the range, and drops most checks of sums and indices
            return Scalar(INT, name)
        room = self.alloca("i64")
        self.emit(f"store i64 {name}, ptr {room}")
        return self.load_flat(room, program.action)

    def plain_action(self, value: Any) -> Any:
        """An action where all that were seen are whole numbers; others are a reason to look at more."""
        if not self.is_number(value) or self.scalar(value).type == FLOAT:
            self.fault_if(True, CAPACITY)
        return value

    def store_action(self, value: Any) -> str:
        program = self.program
        if program.plain_actions:
            return str(self.num(self.spread(value, self.plain_action)))
        room = self.alloca("i64")
        self.emit(f"store i64 0, ptr {room}")
        self.store_flat(room, program.action, value)
        return self.op(f"load i64, ptr {room}")


def one_form(item: Type | None) -> bool:
    """Are the bytes of such values in memory those of a flat state? Not of a float (-0.0) or a union (parts that are not in use)."""
    match item:
        case Packed() | Union():
            return False
        case Record(_, items):
            return all(map(one_form, items))
        case Seq(_, inner, int()):
            return one_form(inner)
    return item != FLOAT


def run_time_type(layout: Type | None) -> Type | None:
    """The type of what `load_flat` gives."""
    match layout:
        case Packed("frozenset" | "set" | "list" as kind, item, _):
            return Box(kind, Cell(run_time_type(item)))
        case Packed(kind, item, _):
            return Seq(kind, run_time_type(item), None)
        case Record(made_by, items):
            return Record(made_by, tuple(run_time_type(item) or INT for item in items))
        case Seq(kind, item, length):
            return Seq(kind, run_time_type(item), length)
        case Union(alternatives):
            return Union(tuple(run_time_type(item) or INT for item in alternatives))
    return layout


class Program:
    """The rules of one game, with the types that its states and actions have."""

    keeps_kinds = True  # are numbers of states ints where they are ints, bools where they are bools?

    def __init__(
        self,
        game: Game,
        room: int = 1,
        wide: dict[tuple[str, int, int], int] | None = None,
        seen: list[Any] | None = None,
        layout: Type | None = None,
        like: Any = None,
    ) -> None:
        """`like` is a kept program, whose layouts these are to be."""
        self.game, self.room = game, room
        self.wide = wide if wide is not None else {}
        self.changed: frozenset[str] = frozenset()
        self.known_options: dict[int, Any] = {}
        self.reads: dict[tuple[int, str], tuple[dict[str, Any], Any]] = {}  # global names that the rules use, with their values
        layout_of([game.start()])  # so that a state which has no compiled form is found at once
        self.mutable: set[type] = set()  # classes whose objects the rules change
        samples = sampled(game, room)
        for state in seen or []:
            samples.look_around(state)
        self.states, self.actions, self.weights = list(samples.states), list(samples.actions.values()), samples.weights
        word = getattr(game, "word", 64)
        self.state = layout or layout_of(self.states, room, word)
        self.plain_actions = all(type(action) is int for action in self.actions)
        self.action: Type = INT if self.plain_actions else layout_of(self.actions, room, word)
        if flat_size(self.action) > 8:
            self.action = self.numbered_actions()
        if like is not None:
            self.state, self.action, self.plain_actions = like.state, like.action, like.plain_actions
        self.short_actions = self.plain_actions and all(-SHORT_ACTION <= 2 * action < SHORT_ACTION for action in self.actions)
        self.size = flat_size(self.state)
        if self.size > LARGEST_STATE:
            raise Unsupported("states take too much room")
        self.words = -(-self.size // 8) or 1
        self.keeps_kinds = layout is not None or all(keeps_kinds(state, self.state) for state in self.states[:MOST_COMPARED])
        if like is not None:
            self.keeps_kinds = like.keeps_kinds
        if has_own_equality(self.state):
            self.compare_forms()
        self.word_states = mentions(self.state, WORD)
        self.players = game.players
        self.begin()

    def compare_forms(self) -> None:
        """Kernels compare states by their bytes: sampled states that are equal must have the same ones."""
        known = {state: state for state in self.states}
        around = Samples(self.game, games=0)
        for state in self.states[:MOST_COMPARED]:
            for move in around.look(state):
                with contextlib.suppress(Exception):
                    after = self.game.result(state, move)
                    if after in known and encode(after, self.state) != encode(known[after], self.state):
                        break
            else:
                continue
            raise Unsupported("states are equal (`__eq__`) that differ in an attribute")

    def numbered_actions(self) -> Type:
        """Actions that do not fit one word, by their number among all that were seen."""
        if len(self.actions) > MOST_OPTIONS:
            raise Unsupported(f"actions such as {self.actions[-1]!r} are too many and too long for compiled code")
        return Pick(Options(self.actions))

    def begin(self) -> None:
        self.module = Module()
        self.instances: dict[Any, Instance] = {}
        self.paths: dict[Any, int] = {}
        self.argument_types: dict[Any, Type] = {}  # of functions that call themselves
        self.under_way: list[tuple[Any, dict[str, Type]]] = []  # such functions while they are compiled

    def path(self, parent: int, step: Any) -> int:
        """A number for a chain of calls."""
        return self.paths.setdefault((parent, step), len(self.paths) + 1)

    def has(self, name: str) -> bool:
        return callable(getattr(self.game, name, None))

    def make_translator(self, name: str, checked: bool) -> Translator:
        return Translator(self, name, checked)

    # --- recursive functions

    def make_instance(
        self,
        caller: Translator,
        key: Any,
        tree: Any,
        names: dict[str, Any],
        parent: Frame | None,
        file: str,
        known: dict[str, Any],
        kinds: dict[str, Type],
        captured: list[Captured],
    ) -> Instance:
        """Compile a function for arguments of certain types; what it returns is found in rounds."""
        instance = self.instances[key] = Instance(self.module.fresh(getattr(tree, "name", "function")))
        self.under_way.append((tree, kinds))
        try:
            for _ in range(ROUNDS):
                before, instance.used = instance.result, False
                maker = self.make_translator(instance.name, caller.checked)
                self.write_instance(maker, instance, tree, names, parent, file, known, kinds, captured)
                if instance.result == before or not instance.used:
                    if instance.result is None:
                        caller.fail(f"{getattr(tree, 'name', 'a lambda')} calls itself without an end")
                    instance.known = True
                    return instance
            return caller.fail(f"what {getattr(tree, 'name', 'a lambda')} returns cannot be found out")  # type: ignore[no-any-return]
        finally:
            self.under_way.pop()
            if not instance.known:
                self.instances.pop(key, None)

    def write_instance(
        self,
        c: Translator,
        instance: Instance,
        tree: Any,
        names: dict[str, Any],
        parent: Frame | None,
        file: str,
        known: dict[str, Any],
        kinds: dict[str, Type],
        captured: list[Captured],
    ) -> None:
        parameters: list[str] = []
        arguments: dict[str, list[str]] = {}
        for name, kind in kinds.items():
            arguments[name] = []
            for register in c.registers(kind):
                arguments[name].append(f"%p{len(parameters)}")
                parameters.append(f"{register} %p{len(parameters)}")
        slots: list[Slot] = []
        for slot in (slot for value in (*known.values(), *(each.value for each in captured)) for slot in slots_in(value)):
            slots.append(Slot(slot.type, [f"%p{len(parameters) + n}" for n in range(len(slot.places))]))
            parameters += [f"ptr {place}" for place in slots[-1].places]
        inner = iter(slots)
        known = {name: with_slots(value, inner) for name, value in known.items()}
        captured = [Captured(each.frame, each.name, with_slots(each.value, inner)) for each in captured]
        found: list[Type | None] = [instance.result]
        keeps = is_cached(tree) and not slots and Memo.fits(c, list(kinds.values()), instance.result)
        memo: list[Memo] = []
        # What it allocates may be needed after it has returned, through its result, a list that it was given, or an outer name.
        outlives = (
            found[0] is None or any(map(has_pointers, [found[0], *(slot.type for slot in slots)])) or any(map(mutable, kinds.values()))
        )

        def give(value: Any) -> None:
            value = c.settle(value)
            found[0] = unify(found[0], c.widened_type(c.typeof(value)))
            if memo and found[0] == instance.result:
                memo[0].remember(value)
            c.store("%out", found[0], value)
            c.leave_function()
            c.ret()

        def write() -> None:
            c.file = file
            c.loops = int(outlives)
            c.borrowed = {(each.frame.path, each.name) for each in captured if isinstance(each.value, Slot)}
            copy_of = transplanted(captured)
            memo.clear()
            if keeps and instance.result is not None:
                registers = [register for kind in kinds.values() for register in c.registers(kind)]
                words = [name for names in arguments.values() for name in names]
                memo.append(Memo(c, instance.name, instance.result, list(zip(registers, words, strict=True))))
                memo[0].recall()
            c.enter()
            c.stack = [tree]
            around = copy_of(parent) or Frame(EMPTY, names, self.path(0, ("around", instance.name)), None, file)
            frame = Frame(tree, names, self.path(0, instance.name), around if parent is not None else None, file)
            c.frame = frame
            c.clear_flags(frame)
            for name, value in known.items():
                frame.env[name] = moved(value, copy_of)
            for name, kind in kinds.items():
                c.bind_argument(name, c.build(kind, iter(arguments[name])))
            if isinstance(tree, ast.Lambda):
                give(c.eval(tree.body))
            elif frame.shape.generator:
                c.frame = around
                c.site = (frame.path, "yields")
                made = c.gather(Lazy(walk=lambda body: c.run_generator(frame, body)), "tuple", None)
                give(made)
            else:
                frame.end = give
                c.branch_of(tree.body)
                if not c.dead:
                    give(Const(None))

        c.make([*parameters, "ptr %out"], write, boundary=False)
        instance.result = found[0]

    # --- rules

    def rule(self, name: str) -> None:
        """A rule as an LLVM function on flat states."""
        if name in OPTIONAL and not hasattr(self, f"rule_{name}"):
            self.optional_rule(name)
            return
        if not hasattr(self, f"rule_{name}"):
            raise Unsupported(f"the rule {name} has no compiled form")
        c = Translator(self, f"rule_{name}")
        getattr(self, f"rule_{name}")(c)

    def optional_rule(self, name: str) -> None:
        """An optional rule, translated to see what stands in its way."""
        c = Translator(self, f"rule_{name}")

        def write() -> None:
            c.settle(self.ask(c, name, *([c.load_action("%a")] if name in OF_ACTIONS else [])))
            c.ret()

        c.make(["ptr noalias readonly %s", "i64 %a"], write, boundary=True)

    def ask(self, c: Translator, name: str, *values: Any) -> Any:
        """Run a rule of the game in place."""
        function = getattr(self.game, name)
        c.site = ("rule", name)
        return c.call(Const(function), [c.load_flat("%s", self.state), *values], {})

    def walk_rule(self, c: Translator, name: str, state: Any, body: Callable[[Any], None]) -> None:
        """Walk over what a rule gives."""
        function = getattr(self.game, name)
        c.site = ("rule", name)
        own = plain_function(function.__func__ if isinstance(function, types.MethodType) else function)
        listing = c.listing_function(Const(function), of_rule=True)
        if listing is not None and not shape_of(tree_of(own)).generator:
            found = c.listed(listing[0], [*listing[1], state], {})
        else:
            found = c.call(Const(function), [state], {})
        if isinstance(found, Const) and found.item is None:
            c.fault_if(True, EXCEPTIONS[TypeError])
        if any(isinstance(each, BoxValue) and each.type.kind in SETS for each in (found.items if isinstance(found, Tagged) else [found])):
            c.fail(set_order(name))
        if name == "chances" and c.kind_of(found) == "dict":
            found = c.dict_pairs(found, "items")
        c.walk(found, body)

    @property
    def state_parameter(self) -> str:
        """The state that a rule is asked about: LLVM may read any part of it at any time, also before it is known to be needed."""
        return f"ptr noalias readonly dereferenceable({max(self.size, 1)}) %s"

    def number_rule(self, c: Translator, name: str, truth: bool = False) -> None:
        def write() -> None:
            value = self.ask(c, name)
            if truth:
                flag = c.truth(value)
                number = str(int(flag)) if isinstance(flag, bool) else c.op(f"zext i1 {flag} to i64")
            else:
                number = str(c.num(value))
            c.emit(f"store i64 {number}, ptr %out")
            c.ret()

        c.make([self.state_parameter, "ptr noalias %out"], write, boundary=True)

    def rule_player(self, c: Translator) -> None:
        self.number_rule(c, "player")

    def rule_terminal(self, c: Translator) -> None:
        self.number_rule(c, "terminal", truth=True)

    def rule_result(self, c: Translator) -> None:
        def write() -> None:
            self.put_state(c, c.settle(self.ask(c, "result", c.load_action("%a"))))
            c.ret()

        c.make([self.state_parameter, "i64 %a", "ptr noalias %out"], write, boundary=True)

    def put_state(self, c: Translator, value: Any) -> None:
        """Write a state to whole words, what is behind it as zeros."""
        if self.size % 8:
            c.emit(f"store i64 0, ptr {c.offset('%out', 8 * self.words - 8)}, align 1")
        c.store_flat("%out", self.state, value)

    def rule_utility(self, c: Translator) -> None:
        def write() -> None:
            value = c.settle(self.ask(c, "utility"))
            values = c.unpack(value, self.players) if c.is_sequence(value) else [value]
            payoffs = [self.real(c, each) for each in values]
            self.payoff_types = [each.type for each in payoffs]
            for number, each in enumerate(payoffs):
                c.emit(f"store double {c.as_float(each).name}, ptr {c.offset('%out', 8 * number)}")
            c.ret()

        c.make([self.state_parameter, "ptr noalias %out"], write, boundary=True)

    def rule_information(self, c: Translator) -> None:
        def write() -> None:
            c.store_flat("%out", self.information, c.settle(self.ask(c, "information", Scalar(INT, "%who"))))
            c.ret()

        known = []
        for state in self.states:
            with contextlib.suppress(Exception):
                known += [self.game.information(state, who) for who in range(self.players)]  # type: ignore[attr-defined]
        self.information = layout_of(known, self.room)
        if flat_size(self.information) > LARGEST_STATE:
            raise Unsupported("what players know takes too much room")
        c.make([self.state_parameter, "i64 %who", "ptr noalias %out"], write, boundary=True)

    def rule_actions(self, c: Translator) -> None:
        def write() -> None:
            count = c.counter()

            def put(item: Any) -> None:
                at = c.op(f"load i64, ptr {count}")
                room, full = c.new("room"), c.new("full")
                action = c.store_action(c.settle(item))
                c.branch(c.compare("slt", at, "%cap"), room, full)
                c.at(room)
                c.emit(f"store i64 {action}, ptr {c.op(f'getelementptr i64, ptr %out, i64 {at}')}")
                c.jump(full)
                c.at(full)
                c.emit(f"store i64 {c.op(f'add i64 {at}, 1')}, ptr {count}")

            self.walk_rule(c, "actions", c.load_flat("%s", self.state), put)
            c.emit(f"store i64 {c.op(f'load i64, ptr {count}')}, ptr %n")
            c.ret()

        c.make([self.state_parameter, "ptr noalias %out", "i64 %cap", "ptr noalias %n"], write, boundary=True)

    def share(self, c: Translator, weight: Any) -> str:
        """A chance's weight as a float."""
        return c.as_float(self.real(c, weight)).name

    def real(self, c: Translator, value: Any) -> Scalar:
        """A number, a fraction as a float."""
        found = c.spread(c.apart(value), lambda each: c.call(Const(float), [each], {}) if c.class_of(each) is Fraction else each)
        return c.whole(c.scalar(found))

    def rule_chances(self, c: Translator) -> None:
        def write() -> None:
            count = c.counter()

            def put(item: Any) -> None:
                at = c.op(f"load i64, ptr {count}")
                action, weight = c.unpack(item, 2)
                number = c.store_action(c.settle(action))
                share = self.share(c, weight)
                room, full = c.new("room"), c.new("full")
                c.branch(c.compare("slt", at, "%cap"), room, full)
                c.at(room)
                c.emit(f"store i64 {number}, ptr {c.op(f'getelementptr i64, ptr %out, i64 {at}')}")
                c.emit(f"store double {share}, ptr {c.op(f'getelementptr double, ptr %weights, i64 {at}')}")
                c.jump(full)
                c.at(full)
                c.emit(f"store i64 {c.op(f'add i64 {at}, 1')}, ptr {count}")

            self.walk_rule(c, "chances", c.load_flat("%s", self.state), put)
            c.emit(f"store i64 {c.op(f'load i64, ptr {count}')}, ptr %n")
            c.ret()

        parameters = [self.state_parameter, "ptr noalias %out", "ptr noalias %weights", "i64 %cap", "ptr noalias %n"]
        c.make(parameters, write, boundary=True)

    def write_rules(self, names: list[str]) -> dict[str, Unsupported]:
        """Compile rules; what stands in the way of each that does not compile."""
        obstacles: dict[str, Unsupported] = {}
        for name in names:
            try:
                self.rule(name)
            except Unsupported as reason:
                obstacles[name] = reason
            except RulesError as reason:  # its text is not to be had, or not what runs
                obstacles[name] = Unsupported(reason.reason, reason.file, reason.line)
            except RecursionError:
                obstacles[name] = Unsupported(f"{name} is nested too deep")
            except Exception as error:  # a gap of the compiler: the interpreter takes over, and the cause is kept
                obstacles[name] = Unsupported(f"{name} has a line without compiled form", *line_of(error))
                obstacles[name].__cause__ = error
        return obstacles


def line_of(error: Exception) -> tuple[str | None, int | None]:
    """The file and the line of the rules at which the compiler was when it failed."""
    writers = [frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__)]
    reached = [(writer.file, writer.line) for writer in writers if isinstance(writer, Emitter) and writer.line]
    return reached[-1] if reached else (None, None)


def mentions(layout: Type | None, wanted: Type) -> bool:
    match layout:
        case Record(_, items) | Union(items):
            return any(mentions(item, wanted) for item in items)
        case Seq(_, item, _) | Packed(_, item, _):
            return mentions(item, wanted)
    return layout == wanted
