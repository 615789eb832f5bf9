"""Numbers: arithmetic that never differs from Python's, comparison, truth.

Sums, products and shifts of 64 bits may lose bits. The result then says so in `lost`, which `&` with a number that is not negative forgets
(the lower bits are right) and everything else checks. A place where bits were lost is translated again with more of them.
"""

import ast
import operator
from collections.abc import Callable
from typing import Any

from zermelo.compiler.faults import EXCEPTIONS, INEXACT, OVERFLOW
from zermelo.compiler.memory import Memory
from zermelo.compiler.types import BOOL, FLOAT, INT, WORD, Char, Int, Pick, Type, Union, is_numeric, natural, parts, show, width_of_line
from zermelo.compiler.values import Choice, Const, Flag, Number, Scalar, Tagged

__all__ = ["OPERATORS", "SIGNS", "Numbers"]

OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.MatMult: operator.matmul,
}
SIGNS: dict[type, str] = dict(zip(OPERATORS, ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "@"), strict=True))
BITWISE: dict[type, str] = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
OVERFLOWING: dict[type, str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
FLOATING: dict[type, str] = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul"}
LARGEST_KNOWN = 1 << 4096  # numbers beyond are not worked out while compiling


class Numbers(Memory):
    """Arithmetic."""

    wide: dict[tuple[str, int, int], int]  # bits that a place needs, by what was lost there before: see `width_of_line`
    word_states: bool  # states hold unsigned words, so `1 << cell` is one

    def scalar(self, value: Any) -> Scalar:
        """A number or character at run time."""
        if isinstance(value, Const | Choice):
            kind = self.typeof(value)
            value = self.coerce(value, natural(kind) if isinstance(kind, Pick) else kind)
        if isinstance(value, Tagged):
            value = self.spread(value, self.scalar)
        if not isinstance(value, Scalar):
            return self.fail(f"a number is needed, not {show(self.typeof(value))}")  # type: ignore[no-any-return]
        return value

    def whole(self, value: Scalar) -> Scalar:
        if value.lost is None:
            return value
        here = self.line, self.column
        self.line, self.column = value.place
        self.fault_if(value.lost, OVERFLOW)
        self.line, self.column = here
        return Scalar(value.type, value.name)

    def num(self, value: Any) -> Number:
        """A whole number as 64 bits, such as an index."""
        if isinstance(value, Const) and (isinstance(value.item, int) or hasattr(value.item, "__index__")):
            if -(1 << 63) <= int(value.item) < 1 << 63:
                return int(value.item)
            if not self.checked:
                return int(value.item) - (1 << 64)
        if isinstance(value, Choice) and isinstance(kind := self.typeof(value), Pick) and isinstance(natural(kind), Union):
            value = self.coerce(value, natural(kind))
        if isinstance(value, Tagged):  # a TypeError where it is no number
            return self.num(self.spread(value, lambda each: self.number(self.num(each))))
        scalar = self.scalar(value)
        if isinstance(scalar.type, Char) or scalar.type == FLOAT:
            return self.fail(f"a whole number is needed, not {show(scalar.type)}")  # type: ignore[no-any-return]
        name = self.as_whole(self.whole(scalar), INT).name
        return int(name) if name.lstrip("-").isdigit() else name

    def number(self, value: Number) -> Any:
        """A value of a number."""
        return Const(value) if isinstance(value, int) else Scalar(INT, value)

    def flag(self, value: Flag) -> Any:
        return Const(value) if isinstance(value, bool) else Scalar(BOOL, value)

    def truth(self, value: Any) -> Flag:
        """What `if` makes of a value."""
        if isinstance(value, Tagged):
            found = self.spread(value, lambda each: self.flag(self.truth(each)))
            return bool(found.item) if isinstance(found, Const) else self.scalar(found).name
        if isinstance(value, Const):
            return bool(value.item)
        if isinstance(value, Choice):
            flags = [bool(item) for item in value.items]
            return flags[0] if len(set(flags)) == 1 else self.compare("ne", self.int_table(flags, value.number), 0)
        if isinstance(value, Scalar):
            value = self.whole(value)
            if value.type == BOOL:
                return str(value.name)
            if isinstance(value.type, Char):
                return True
            return self.op(
                f"fcmp une double {value.name}, 0.0" if value.type == FLOAT else f"icmp ne {parts(value.type)[0][0]} {value.name}, 0"
            )
        return self.sequence_truth(value)

    def sequence_truth(self, value: Any) -> Flag:
        raise NotImplementedError

    # --- arithmetic

    def arithmetic(self, kind: type, one: Any, other: Any) -> Any:
        """`one op other`, both numbers."""
        a, b = self.scalar(one), self.scalar(other)
        if not is_numeric(a.type) or not is_numeric(b.type):
            return self.fail(f"{show(a.type)} and {show(b.type)} have no {SIGNS[kind]}")
        if kind is ast.Div:
            return self.divide(self.whole(a), self.whole(b))
        if FLOAT in (a.type, b.type):
            return self.floating(kind, self.as_float(self.whole(a)), self.as_float(self.whole(b)))
        if a.type == b.type == BOOL and kind in BITWISE:
            return Scalar(BOOL, self.op(f"{BITWISE[kind]} i1 {a.name}, {b.name}"))
        if kind is ast.Pow:
            return self.power(a, b, other)
        to = self.operation_type(kind, a, b, one)
        if kind in (ast.LShift, ast.RShift):
            return self.shift(kind, a, b, to)
        if kind in (ast.FloorDiv, ast.Mod):
            a, b = self.as_whole(self.whole(a), to), self.as_whole(self.whole(b), to)
            return self.floor_divide(a, b)[kind is ast.Mod]
        return self.lossy(kind, a, b, to)

    def operation_type(self, kind: type, a: Scalar, b: Scalar, one: Any) -> Type:
        """In how many bits an operation is done."""
        place = (self.file, self.line, self.column)
        site = width_of_line(self.wide, *place[:2]) if kind in (ast.LShift, *BITWISE) else self.wide.get(place, 64)
        widths = [each.type.bits for each in (a, b) if isinstance(each.type, Int)]
        if kind in (ast.LShift, ast.RShift):
            widths = [a.type.bits] if isinstance(a.type, Int) else []
        bits = max([site, *widths])
        if bits > 64:
            return Int(bits)
        word = a.type == WORD or (b.type == WORD and kind not in (ast.LShift, ast.RShift))
        if kind is ast.LShift and self.checked and self.word_states and isinstance(one, Const) and one.item >= 0:
            word = True
        return WORD if word else INT

    def loosely(self, value: Scalar, to: Type) -> tuple[str, str | None]:
        """(lower bits, are some lost) of a number in another type."""
        if value.type in (to, BOOL) or (isinstance(value.type, Int) and isinstance(to, Int)):
            if value.lost is not None and parts(value.type)[0][0] != parts(to)[0][0]:
                value = self.whole(value)
            return self.as_whole(Scalar(value.type, value.name), to).name, value.lost
        if parts(value.type)[0][0] == parts(to)[0][0]:  # between Int and Word
            if not self.checked or (value.name.isdigit() and to == WORD):
                return value.name, value.lost
            negative = self.op(f"icmp slt i64 {value.name}, 0")
            return value.name, negative if value.lost is None else str(self.either(value.lost, negative))
        return self.as_whole(self.whole(value), to).name, None

    def lossy(self, kind: type, a: Scalar, b: Scalar, to: Type) -> Scalar:
        """Sums, products and bitwise operations, which may lose bits."""
        x, x_lost = self.loosely(a, to)
        y, y_lost = self.loosely(b, to)
        register = parts(to)[0][0]
        if kind in BITWISE:
            name = self.op(f"{BITWISE[kind]} {register} {x}, {y}")
            if kind is ast.BitAnd and register == "i64":
                x_lost, y_lost = self.kept(x_lost, b, y, y_lost), self.kept(y_lost, a, x, x_lost)
                small = [each for each in (a, b) if isinstance(each.type, Int) and each.name.isdigit()]
                to = INT if small else to
            return self.lossy_scalar(to, name, x_lost, y_lost, None)
        word = OVERFLOWING[kind]
        if not self.checked:
            return Scalar(to, self.op(f"{word} {register} {x}, {y}"))
        sign = "u" if to == WORD else "s"
        if register == "i128" and word == "mul" and sign == "s":  # LLVM would call a function that is not there
            wide = self.op(f"mul i256 {self.op(f'sext i128 {x} to i256')}, {self.op(f'sext i128 {y} to i256')}")
            product = self.op(f"trunc i256 {wide} to i128")
            return self.lossy_scalar(
                to, product, x_lost, y_lost, self.op(f"icmp ne i256 {self.op(f'sext i128 {product} to i256')}, {wide}")
            )
        self.module.declarations.add(f"declare {{{register}, i1}} @llvm.{sign}{word}.with.overflow.{register}({register}, {register})")
        pair = self.op(f"call {{{register}, i1}} @llvm.{sign}{word}.with.overflow.{register}({register} {x}, {register} {y})")
        name = self.op(f"extractvalue {{{register}, i1}} {pair}, 0")
        return self.lossy_scalar(to, name, x_lost, y_lost, self.op(f"extractvalue {{{register}, i1}} {pair}, 1"))

    def kept(self, lost: str | None, mask: Scalar, name: str, mask_lost: str | None) -> str | None:
        """Are bits still missing after `& mask`? Only where the mask may reach beyond the lower ones."""
        if lost is None or (mask.type == WORD and mask_lost is None) or name.isdigit():
            return None
        beyond = self.op(f"icmp slt i64 {name}, 0") if mask.type != WORD else "false"
        beyond = str(self.either(beyond, mask_lost)) if mask_lost else beyond
        return self.op(f"and i1 {lost}, {beyond}")

    def lossy_scalar(self, to: Type, name: str, *lost: str | None) -> Scalar:
        flags = [flag for flag in lost if flag is not None]
        if not flags:
            return Scalar(to, name)
        whole = flags[0]
        for flag in flags[1:]:
            whole = self.op(f"or i1 {whole}, {flag}")
        return Scalar(to, name, whole, (self.line, self.column))

    def shift(self, kind: type, a: Scalar, b: Scalar, to: Type) -> Scalar:
        if kind is ast.RShift:
            a = self.whole(a)
        x, lost = self.loosely(a, to)
        y = self.num(b)
        register = parts(to)[0][0]
        bits = int(register[1:])
        if isinstance(y, int):
            self.fault_if(y < 0, EXCEPTIONS[ValueError])
        elif self.checked:
            self.fault_if(self.compare("slt", y, 0), EXCEPTIONS[ValueError])
        far: Flag = self.compare("sgt", y, bits - 1)
        amount = (
            min(y, bits - 1) if isinstance(y, int) else self.op(f"call i64 @llvm.umin.i64(i64 {y}, i64 {bits - 1})") if self.checked else y
        )
        if register != "i64" and isinstance(amount, str):
            amount = self.op(f"zext i64 {amount} to {register}")
        if kind is ast.RShift:
            name = self.op(f"{'lshr' if to == WORD else 'ashr'} {register} {x}, {amount}")
            if to == WORD and far is not False and self.checked:
                name = "0" if far is True else self.op(f"select i1 {far}, {register} 0, {register} {name}")
            return Scalar(to, name)
        name = self.op(f"shl {register} {x}, {amount}")
        if not self.checked:
            return Scalar(to, name)
        if far is not False:
            name = "0" if far is True else self.op(f"select i1 {far}, {register} 0, {register} {name}")
        back = self.op(f"{'lshr' if to == WORD else 'ashr'} {register} {name}, {amount}")
        return self.lossy_scalar(to, name, lost, self.op(f"icmp ne {register} {back}, {x}"))

    def quotient(self, kind: str, x: Any, y: Any) -> tuple[str, str]:
        """Quotient and remainder towards zero. LLVM has no code of its own for 128 bits, so these are divided as 256."""
        if kind == "i64":
            return self.op(f"sdiv {kind} {x}, {y}"), self.op(f"srem {kind} {x}, {y}")
        wide = "i256" if kind == "i128" else kind
        names = [self.op(f"sext i128 {each} to i256") if kind == "i128" else each for each in (x, y)]
        found = []
        for how in ("sdiv", "srem"):  # functions of their own, so that LLVM does not narrow them again or divide by a known power of two
            name = f"@{how}{wide}"
            body = f"%r = {how} {wide} %x, %y\nret {wide} %r"
            self.module.declarations.add(f"define weak_odr {wide} {name}({wide} %x, {wide} %y) noinline optnone {{\n{body}\n}}")
            part = self.op(f"call {wide} {name}({wide} {names[0]}, {wide} {names[1]})")
            found.append(self.op(f"trunc i256 {part} to i128") if kind == "i128" else part)
        return found[0], found[1]

    def floor_divide(self, a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
        """Quotient and remainder as Python has them, of two whole numbers of one type."""
        kind = parts(a.type)[0][0]
        x, y = a.name, b.name
        if not y.isdigit() or int(y) == 0:
            self.fault_if(self.op(f"icmp eq {kind} {y}, 0"), EXCEPTIONS[ZeroDivisionError])
        if a.type == WORD:
            return Scalar(WORD, self.op(f"udiv i64 {x}, {y}")), Scalar(WORD, self.op(f"urem i64 {x}, {y}"))
        if y.isdigit() and int(y) & int(y) - 1 == 0:
            return Scalar(a.type, self.op(f"ashr {kind} {x}, {int(y).bit_length() - 1}")), Scalar(
                a.type, self.op(f"and {kind} {x}, {int(y) - 1}")
            )
        if not y.isdigit():
            smallest = -(1 << int(kind[1:]) - 1)
            overflow = self.both(self.op(f"icmp eq {kind} {x}, {smallest}"), self.op(f"icmp eq {kind} {y}, -1"))
            self.fault_if(overflow, OVERFLOW)
        q, r = self.quotient(kind, x, y)
        signs = self.op(f"icmp slt {kind} {self.op(f'xor {kind} {r}, {y}')}, 0")
        off = self.op(f"and i1 {signs}, {self.op(f'icmp ne {kind} {r}, 0')}")
        down = self.op(f"sub {kind} {q}, {self.op(f'zext i1 {off} to {kind}')}")
        up = self.op(f"select i1 {off}, {kind} {self.op(f'add {kind} {r}, {y}')}, {kind} {r}")
        return Scalar(a.type, down), Scalar(a.type, up)

    def divide(self, a: Scalar, b: Scalar) -> Scalar:
        x, y = self.as_float(a).name, self.as_float(b).name
        if self.checked:
            self.fault_if(self.op(f"fcmp oeq double {y}, 0.0"), EXCEPTIONS[ZeroDivisionError])
        return Scalar(FLOAT, self.op(f"fdiv double {x}, {y}"))

    def floating(self, kind: type, a: Scalar, b: Scalar) -> Scalar:
        x, y = a.name, b.name
        if kind in FLOATING:
            return Scalar(FLOAT, self.op(f"{FLOATING[kind]} double {x}, {y}"))
        if kind is ast.Pow:
            found = self.op(f"call double @llvm.pow.f64(double {x}, double {y})")
            strange = self.op(f"fcmp uge double {self.op(f'call double @llvm.fabs.f64(double {found})')}, 0x7FF0000000000000")
            self.fault_if(strange, INEXACT)
            return Scalar(FLOAT, found)
        if kind not in (ast.FloorDiv, ast.Mod):
            return self.fail(f"floats have no {SIGNS[kind]}")  # type: ignore[no-any-return]
        self.fault_if(self.op(f"fcmp oeq double {y}, 0.0"), EXCEPTIONS[ZeroDivisionError])
        return Scalar(FLOAT, self.float_modulo(x, y)[kind is ast.Mod])

    def float_modulo(self, x: str, y: str) -> tuple[str, str]:
        """Floor division of floats, step by step as CPython does it."""
        rest = self.op(f"frem double {x}, {y}")
        quotient = self.op(f"fdiv double {self.op(f'fsub double {x}, {rest}')}, {y}")
        nonzero = self.op(f"fcmp une double {rest}, 0.0")
        differ = self.op(f"xor i1 {self.op(f'fcmp olt double {rest}, 0.0')}, {self.op(f'fcmp olt double {y}, 0.0')}")
        off = self.op(f"and i1 {nonzero}, {differ}")
        rest = self.op(f"select i1 {off}, double {self.op(f'fadd double {rest}, {y}')}, double {rest}")
        quotient = self.op(f"select i1 {off}, double {self.op(f'fsub double {quotient}, 1.0')}, double {quotient}")
        floored = self.op(f"call double @llvm.floor.f64(double {quotient})")
        gap = self.op(f"fcmp ogt double {self.op(f'fsub double {quotient}, {floored}')}, 0.5")
        return self.op(f"select i1 {gap}, double {self.op(f'fadd double {floored}, 1.0')}, double {floored}"), rest

    def power(self, a: Scalar, b: Scalar, other: Any) -> Any:
        """A whole number to the power of another."""
        if isinstance(other, Const):
            if other.item < 0:
                return self.floating(ast.Pow, self.as_float(self.whole(a)), Scalar(FLOAT, self.as_float(b).name))
            result: Any = Const(1)
            for _ in range(other.item if other.item <= 16 else 0):
                result = self.arithmetic(ast.Mult, result, a)
            if other.item <= 16:
                return result
        exponent = self.num(b)
        self.fault_if(self.compare("slt", exponent, 0), INEXACT)
        return self.library("integer_power", [self.whole(a), self.number(exponent)])

    def library(self, name: str, values: list[Any]) -> Any:
        """A function of `library.py`, compiled like the rules."""
        raise NotImplementedError

    def negative(self, value: Any) -> Any:
        scalar = self.scalar(value)
        if scalar.type == FLOAT:
            return Scalar(FLOAT, self.op(f"fneg double {scalar.name}"))
        return self.arithmetic(ast.Sub, Const(0), scalar)

    def inverted(self, value: Any) -> Any:
        scalar = self.scalar(value)
        if scalar.type == BOOL:
            scalar = self.as_whole(scalar, INT)
        if scalar.type == FLOAT or isinstance(scalar.type, Char):
            return self.fail(f"~ of {show(scalar.type)}")
        kind = parts(scalar.type)[0][0]
        site = self.wide.get((self.file, self.line, self.column), 64)
        if scalar.type == WORD and site > 64:
            scalar = self.as_whole(self.whole(scalar), Int(site))
            kind = parts(scalar.type)[0][0]
        name = self.op(f"xor {kind} {scalar.name}, -1")
        if scalar.type == WORD and self.checked:  # below zero: only its lower bits are there
            return Scalar(WORD, name, "true", (self.line, self.column))
        return Scalar(scalar.type, name, scalar.lost, scalar.place)

    # --- comparison

    def compare_numbers(self, how: str, one: Any, other: Any) -> Flag:
        """how is eq, ne, lt or le."""
        a, b = self.whole(self.scalar(one)), self.whole(self.scalar(other))
        if FLOAT in (a.type, b.type):
            word = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole"}[how]
            return self.op(f"fcmp {word} double {self.as_float(a).name}, {self.as_float(b).name}")
        if isinstance(a.type, Char) and isinstance(b.type, Char):
            to: Type = INT
            x, y = a.name, b.name
        elif a.type == b.type == BOOL and how in ("eq", "ne"):
            return self.op(f"icmp {how} i1 {a.name}, {b.name}")
        else:
            to = self.comparison_type(a, b)
            x, y = self.as_whole(a, to).name, self.as_whole(b, to).name
        kind = parts(to)[0][0]
        sign = "" if how in ("eq", "ne") else "u" if to == WORD else "s"
        return self.op(f"icmp {sign}{how} {kind} {x}, {y}")

    def comparison_type(self, a: Scalar, b: Scalar) -> Type:
        if (a.type == WORD) != (b.type == WORD):
            other = b if a.type == WORD else a
            if other.type == BOOL or other.name.isdigit() or not self.checked:
                return WORD
            bits = other.type.bits if isinstance(other.type, Int) else 64
            return Int(max(128, bits))
        if a.type == WORD:
            return WORD
        return Int(max([64, *(each.type.bits for each in (a, b) if isinstance(each.type, Int))]))
