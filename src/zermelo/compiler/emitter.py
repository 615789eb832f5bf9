"""Writing LLVM: modules of text, and functions as blocks of lines.

Every function takes the context of its thread first and returns a status, 0 where all went well:

    ctx   0  arena: next free byte     8  arena: its end
         16  status of a fault        24  number of its place
         32  depth of calls
"""

import contextlib
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from zermelo.compiler.blocks import APPENDED, Block, straightened
from zermelo.compiler.faults import ARENA, EXCEPTIONS, FIRST_OWN_EXCEPTION, UNWRITTEN, Restart, Strange, Unreachable, Unsupported
from zermelo.compiler.values import Flag, Number

__all__ = ["Block", "Emitter", "Module"]

DEEPEST = 900  # nested calls, as in Python
DEEPEST_TRANSLATION = 12_000  # Python's own calls while rules are translated
LONGEST_TRANSLATION = 40  # seconds of processor time for one module
ON_STACK = 4096  # bytes of one thing; what is larger lies in the arena

DECLARATIONS = """
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare double @llvm.fabs.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.ceil.f64(double)
declare double @llvm.trunc.f64(double)
declare double @llvm.rint.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.log.f64(double)
declare double @llvm.log2.f64(double)
declare double @llvm.log10.f64(double)
declare double @llvm.exp.f64(double)
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
declare double @llvm.pow.f64(double, double)
declare double @tanh(double)
declare double @tan(double)
declare double @atan(double)
declare double @atan2(double, double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i32 @memcmp(ptr, ptr, i64)
@zeros = private unnamed_addr constant [65536 x i8] zeroinitializer, align 16
define internal i1 @grow(ptr %ctx, ptr %h, i64 %w) noinline cold {
  %len = load i64, ptr %h
  %c0 = shl i64 %len, 1
  %cap = add i64 %c0, 4
  %raw = mul i64 %cap, %w
  %r1 = add i64 %raw, 7
  %bytes = and i64 %r1, -8
  %top = load ptr, ptr %ctx
  %next = getelementptr i8, ptr %top, i64 %bytes
  %pe = getelementptr i8, ptr %ctx, i64 8
  %end = load ptr, ptr %pe
  %bad = icmp ugt ptr %next, %end
  br i1 %bad, label %no, label %yes
no:
  ret i1 true
yes:
  store ptr %next, ptr %ctx
  %pp = getelementptr i8, ptr %h, i64 16
  %old = load ptr, ptr %pp
  %used = mul i64 %len, %w
  call void @llvm.memcpy.p0.p0.i64(ptr %top, ptr %old, i64 %used, i1 false)
  store ptr %top, ptr %pp
  %pc = getelementptr i8, ptr %h, i64 8
  store i64 %cap, ptr %pc
  ret i1 false
}
"""
POSTSCRIPT = '\n!0 = !{!"branch_weights", i32 1, i32 100000}\n'


@contextlib.contextmanager
def deep_recursion() -> Iterator[None]:
    """Rules that call each other nest the compiler's own calls many times as deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEPEST_TRANSLATION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Module:
    """A module of LLVM text: declarations, constants, functions; and the places of the rules that its faults name."""

    def __init__(self) -> None:
        self.declarations: set[str] = set()
        self.constants: list[str] = []
        self.functions: dict[str, str] = {}
        self.tables: dict[Any, Any] = {}
        self.outside: dict[int, Any] = {}  # by id: lists and the like that were there before the rules ran
        self.places: list[tuple[str, int, int]] = []  # file, line, column
        self.place_numbers: dict[tuple[str, int, int], int] = {}
        self.exceptions: list[type[BaseException]] = []
        self.exported: set[str] | None = None  # functions that are called from outside; None: every boundary
        self.names = 0
        self.inner: set[str] = set()
        self.spent, self.begun = 0.0, 0.0  # processor time of translation; when the function under way was begun

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time of a translation; those within it are part of it."""
        if self.begun:
            yield
            return
        self.begun = time.thread_time()
        try:
            yield
        finally:
            self.spent += time.thread_time() - self.begun
            self.begun = 0.0

    def place(self, file: str, line: int, column: int) -> int:
        """The number of a place."""
        key = (file, line, column)
        if key not in self.place_numbers:
            self.place_numbers[key] = len(self.places)
            self.places.append(key)
        return self.place_numbers[key]

    def status(self, kind: type[BaseException]) -> int:
        """The status of an exception class."""
        if kind in EXCEPTIONS:
            return EXCEPTIONS[kind]
        if kind is Strange:
            return UNWRITTEN
        if kind not in self.exceptions:
            self.exceptions.append(kind)
        return FIRST_OWN_EXCEPTION + self.exceptions.index(kind)

    def fresh(self, hint: str) -> str:
        self.names += 1
        return f"{re.sub(r'[^A-Za-z0-9_]', '_', hint)}.{self.names}"

    def table(self, item: str, values: Sequence[str]) -> str:
        """A constant array of an LLVM type; its name."""
        key = (item, tuple(values))
        if key not in self.tables:
            name = f"@k{len(self.tables)}"
            body = ", ".join(f"{item} {value}" for value in values)
            self.constants.append(f"{name} = private unnamed_addr constant [{len(values)} x {item}] [{body}]")
            self.tables[key] = name
        return str(self.tables[key])

    def structure(self, fields: Sequence[tuple[str, str]]) -> str:
        """A constant of parts side by side, without gaps; its name."""
        kinds = {kind for kind, _ in fields}
        if len(kinds) == 1:
            return self.table(kinds.pop(), [value for _, value in fields])
        key = tuple(fields)
        if key not in self.tables:
            name = f"@k{len(self.tables)}"
            kind = ", ".join(kind for kind, _ in fields)
            body = ", ".join(f"{kind} {value}" for kind, value in fields)
            self.constants.append(f"{name} = private unnamed_addr constant <{{ {kind} }}> <{{ {body} }}>")
            self.tables[key] = name
        return str(self.tables[key])

    def text(self) -> str:
        functions = [
            text.replace("define ", "define internal ", 1)
            if (name in self.inner or (self.exported is not None and name not in self.exported)) and not text.startswith("define internal ")
            else text
            for name, text in self.functions.items()
        ]
        return "\n".join([DECLARATIONS, *sorted(self.declarations), *self.constants, *functions, POSTSCRIPT])


class Emitter:
    """One LLVM function under way."""

    def __init__(self, module: Module, name: str, checked: bool = True) -> None:
        self.module, self.name, self.checked = module, name, checked
        self.file, self.line, self.column = "", 0, 0
        self.begin()

    def begin(self) -> None:
        """Forget all lines."""
        self.count = 0
        self.blocks: list[Block] = []
        self.allocas: list[str] = []
        self.faults: dict[tuple[int, int], Block] = {}
        self.handlers: list[dict[type[BaseException], Block]] = []
        self.loops = 0  # nested loops around what is written
        self.uses_arena = self.demotes = self.appends = False
        self.block = self.new("start")
        self.at(self.block)

    def make(self, parameters: Sequence[str], write: Callable[[], None], boundary: bool, inline: str = "") -> None:
        """Write a function; from the beginning again where a type widens. A `boundary` frees what was allocated when it returns."""
        for _ in range(400):
            self.begin()
            try:
                with deep_recursion(), self.module.timed():
                    self.in_time()
                    write()
                break
            except Restart:
                continue
            except Unreachable:
                break
        else:
            name = self.name.removeprefix("rule_")
            raise Unsupported(
                f"in `{name}` one name holds ever more kinds of things: give each its own name", self.file or None, self.line or None
            )
        for (status, place), block in self.faults.items():
            self.blocks.append(block)
            block.lines += [
                f"%{block.label}.s = getelementptr i8, ptr %ctx, i64 16",
                f"store i64 {status}, ptr %{block.label}.s",
                f"%{block.label}.p = getelementptr i8, ptr %ctx, i64 24",
                f"store i64 {place}, ptr %{block.label}.p",
                f"ret i64 {status}",
            ]
        self.close_blocks()
        entry = ["%mark = load ptr, ptr %ctx"] if boundary and self.uses_arena else []
        if entry:
            for block in self.blocks:
                if block.lines and block.lines[-1].startswith("ret "):
                    block.lines.insert(len(block.lines) - 1, "store ptr %mark, ptr %ctx")
        if self.appends:
            self.blocks = straightened(self.blocks, self.fresh_name)
        if self.demotes:
            self.demote()
        if not boundary:
            self.module.inner.add(self.name)
        lines = [f"define i64 @{self.name}({', '.join(['ptr noalias %ctx', *parameters])}) {inline} {{", "entry:"]
        lines += [*self.allocas, *entry, f"br label %{self.blocks[0].label}"]
        for block in self.blocks:
            lines.append(f"{block.label}:")
            lines += block.lines
        self.module.functions[self.name] = "\n".join([*lines, "}"])

    def close_blocks(self) -> None:
        """End what was left open with a fault: nothing should get there, and if it does, no value may be used."""
        text = "\n".join(block.lines[-1] for block in self.blocks if block.lines)
        placed = {block.label for block in self.blocks}
        for label in dict.fromkeys(re.findall(r"label %([A-Za-z0-9_.]+)", text)):
            if label not in placed:
                self.at(Block(label))
        for block in self.blocks:
            if block.lines and block.lines[-1] == "unreachable":
                block.lines.pop()
                block.closed = False
            if not block.closed or not block.lines or not block.lines[-1].startswith(("br ", "ret ", "switch ")):
                block.lines.append(f"ret i64 {UNWRITTEN}")
                block.closed = True

    def demote(self) -> None:
        """Send values that cross blocks over the stack.

        Where one body serves several yields, a value made before a yield need not dominate its uses after it. LLVM's mem2reg brings the
        values back into registers.
        """
        home: dict[str, Block] = {}
        kinds: dict[str, str] = {}
        for block in self.blocks:
            for line in block.lines:
                if line[0] == "%":
                    name, _, text = line.partition(" = ")
                    home[name], kinds[name] = block, result_type(text)
        crossing = {
            name for block in self.blocks for line in block.lines for name in USES.findall(line) if home.get(name, block) is not block
        }
        self.allocas += [f"{name}.s = alloca {kinds[name]}, align 8" for name in sorted(crossing)]
        for block in self.blocks:
            self.demote_block(block, home, kinds, crossing)

    def demote_block(self, block: Block, home: dict[str, Block], kinds: dict[str, str], crossing: set[str]) -> None:
        lines: list[str] = []
        loaded: dict[str, str] = {}

        def use(match: re.Match[str]) -> str:
            name = match[0]
            if name not in crossing or home[name] is block:
                return name
            if name not in loaded:
                loaded[name] = f"{name}.{block.label}"
                lines.append(f"{loaded[name]} = load {kinds[name]}, ptr {name}.s")
            return loaded[name]

        for line in block.lines:
            line = USES.sub(use, line)
            lines.append(line)
            name = line.partition(" = ")[0]
            if line[0] == "%" and name in crossing:
                lines.append(f"store {kinds[name]} {name}, ptr {name}.s")
        block.lines = lines

    def in_time(self) -> None:
        """Give up where translation has taken too long: types may keep widening forever."""
        if self.module.spent + time.thread_time() - self.module.begun > LONGEST_TRANSLATION:
            raise Unsupported(f"{self.name} takes too long to compile")

    # --- blocks and lines

    def new(self, hint: str = "b") -> Block:
        self.count += 1
        return Block(f"{hint}{self.count}")

    def at(self, block: Block) -> None:
        """Go on in a block."""
        if not block.placed:
            block.placed = True
            self.blocks.append(block)
        self.block = block

    @property
    def dead(self) -> bool:
        return self.block.closed

    def emit(self, line: str) -> None:
        if not self.block.closed:
            self.block.lines.append(line)

    def op(self, text: str) -> str:
        """A line that gives a value; its name."""
        self.count += 1
        if not self.block.closed:
            self.block.lines.append(f"%t{self.count} = {text}")
            return f"%t{self.count}"
        raise Unreachable

    def fresh_name(self) -> str:
        self.count += 1
        return f"%t{self.count}"

    def jump(self, block: Block) -> None:
        if not self.block.closed:
            self.block.lines.append(f"br label %{block.label}")
            self.block.closed = True

    def branch(self, condition: Flag, yes: Block, no: Block) -> None:
        if isinstance(condition, bool):
            self.jump(yes if condition else no)
        elif not self.block.closed:
            self.block.lines.append(f"br i1 {condition}, label %{yes.label}, label %{no.label}")
            self.block.closed = True

    def ret(self, status: str = "0") -> None:
        self.emit(f"ret i64 {status}")
        self.block.closed = True

    # --- faults

    def fault_block(self, status: int) -> Block:
        """Where a fault at the present line goes."""
        kind = next((kind for kind, number in EXCEPTIONS.items() if number == status), None)
        if status >= FIRST_OWN_EXCEPTION:
            kind = self.module.exceptions[status - FIRST_OWN_EXCEPTION]
        if kind is not None:
            for handlers in reversed(self.handlers):
                for caught, block in handlers.items():
                    if issubclass(kind, caught):
                        return block
        key = (status, self.module.place(self.file, self.line, self.column))
        if key not in self.faults:
            block = self.faults[key] = self.new("fault")
            block.closed = block.placed = True
        return self.faults[key]

    def fault_if(self, condition: Flag, status: int) -> None:
        """Stop with a fault where a condition holds."""
        if condition is False or condition == "false" or self.block.closed:
            return
        if condition is True or condition == "true":
            self.jump(self.fault_block(status))
            raise Unreachable
        ok = self.new("ok")
        self.block.lines.append(f"br i1 {condition}, label %{self.fault_block(status).label}, label %{ok.label}, !prof !0")
        self.block.closed = True
        self.at(ok)

    def fail(self, message: str) -> Any:
        """The rules cannot be compiled, because of the present line."""
        raise Unsupported(message, self.file or None, self.line or None)

    # --- memory

    def alloca(self, kind: str) -> str:
        self.count += 1
        self.allocas.append(f"%a{self.count} = alloca {kind}, align 16")
        return f"%a{self.count}"

    def alloc(self, size: Number) -> str:
        """Room for so many bytes: on the stack where it is small and asked for once, otherwise in the arena."""
        if isinstance(size, int) and size <= ON_STACK and self.loops == 0:
            return self.alloca(f"[{max(size, 1)} x i8]")
        self.uses_arena = True
        rounded: Number = (size + 7) & -8 if isinstance(size, int) else self.op(f"and i64 {self.op(f'add i64 {size}, 7')}, -8")
        top = self.op("load ptr, ptr %ctx")
        after = self.op(f"getelementptr i8, ptr {top}, i64 {rounded}")
        end = self.op(f"load ptr, ptr {self.offset('%ctx', 8)}")
        self.fault_if(self.op(f"icmp ugt ptr {after}, {end}"), ARENA)
        if not isinstance(size, int):  # so much that the sum has wrapped
            self.fault_if(self.op(f"icmp ugt i64 {size}, 1099511627776"), ARENA)
        self.emit(f"store ptr {after}, ptr %ctx")
        return top

    def offset(self, pointer: str, size: Number) -> str:
        """A pointer so many bytes further on."""
        return pointer if size in (0, "0") else self.op(f"getelementptr i8, ptr {pointer}, i64 {size}")

    def times(self, count: Number, size: int) -> Number:
        if isinstance(count, int):
            return count * size
        return count if size == 1 else self.op(f"mul i64 {count}, {size}")

    def plus(self, one: Number, other: Number) -> Number:
        if isinstance(one, int) and isinstance(other, int):
            return one + other
        return one if other == 0 else other if one == 0 else self.op(f"add i64 {one}, {other}")

    def minus(self, one: Number, other: Number) -> Number:
        if isinstance(one, int) and isinstance(other, int):
            return one - other
        return one if other == 0 else self.op(f"sub i64 {one}, {other}")

    def copy(self, to: str, source: str, size: Number) -> None:
        if size != 0:
            self.emit(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)")

    def append(self, word: str, row: str, place: str, last: Number, aside: str) -> None:
        """Write a word to a row where its end is, or aside where it has no room, and move the end by one; see `straightened`."""
        self.appends = True
        at = self.op(f"load i64, ptr {place}")
        item = self.op(f"getelementptr i64, ptr {row}, i64 {at}")
        there = self.op(f"select i1 {self.compare('sle', at, last)}, ptr {item}, ptr {aside}")
        self.emit(f"store i64 {word}, ptr {there}{APPENDED}")
        by = self.op(f"zext i1 true to i64{APPENDED}")
        self.emit(f"store i64 {self.op(f'add i64 {at}, {by}')}, ptr {place}{APPENDED}")

    def move(self, to: str, source: str, size: Number) -> None:
        self.emit(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)")

    def counter(self, start: Number = 0) -> str:
        """A number on the stack."""
        place = self.alloca("i64")
        self.emit(f"store i64 {start}, ptr {place}")
        return place

    # --- flags

    def negate(self, flag: Flag) -> Flag:
        return not flag if isinstance(flag, bool) else self.op(f"xor i1 {flag}, true")

    def both(self, one: Flag, other: Flag) -> Flag:
        if isinstance(one, bool):
            return other if one else False
        if isinstance(other, bool):
            return one if other else False
        return self.op(f"and i1 {one}, {other}")

    def either(self, one: Flag, other: Flag) -> Flag:
        if isinstance(one, bool):
            return True if one else other
        if isinstance(other, bool):
            return True if other else one
        return self.op(f"or i1 {one}, {other}")

    def compare(self, how: str, one: Number, other: Number) -> Flag:
        """Signed comparison of two numbers of 64 bits: eq, ne, slt, sle, sgt, sge, ult, uge."""
        if isinstance(one, int) and isinstance(other, int):
            if how[0] == "u":
                one, other, how = one % 2**64, other % 2**64, "s" + how[1:]
            return {
                "eq": one == other,
                "ne": one != other,
                "slt": one < other,
                "sle": one <= other,
                "sgt": one > other,
                "sge": one >= other,
            }[how]
        return self.op(f"icmp {how} i64 {one}, {other}")


USES = re.compile(r"%t\d+")


def result_type(text: str) -> str:
    """The type that an instruction gives."""
    words = text.replace(",", " ").split()
    match words[0]:
        case "icmp" | "fcmp":
            return "i1"
        case "getelementptr" | "inttoptr":
            return "ptr"
        case "load":
            return words[2] if words[1] == "atomic" else words[1]
        case "cmpxchg":
            return "{i64, i1}"
        case "atomicrmw":
            return "double" if "double" in words else "i64"
        case "call":
            return text[5 : text.index("}") + 1] if words[1].startswith("{") else words[1]
        case "extractvalue":
            return "i1" if words[-1] == "1" else re.findall(r"i\d+", text)[0]
        case "select":
            return words[3]
    if " to " in text:
        return words[-1]
    return next(word for word in words[1:] if re.fullmatch(r"i\d+|double|ptr|float", word))
