# mypy: disable-error-code="untyped-decorator"
"""Unsigned words of 64, 128 and 256 bits as Numba types: the compiled half of `zermelo.words`.

Numba's own `uint64` mixed with Python ints is silently wrong: `(x | 1) >> 60` may be negative, and `x = 0; x = board` a float. A `Word`
absorbs ints instead: `Word op int` is a `Word`, and a variable that is 0 here and a `Word` there is a `Word`. Sums, differences,
products, shifts to the left and bit operations are those of Python modulo 2**bits; comparisons are exact; a shift by the width or more
gives 0.

Importing this module registers the types with Numba; generated modules do.
"""

import operator
from collections.abc import Callable
from typing import Any

from zermelo.engine.numba_api import (
    Conversion,
    Numba,
    TypingError,
    cgutils,
    ir,
    lower_builtin,
    lower_cast,
    lower_constant,
    models,
    register_model,
    signature,
    type_callable,
    typeof_impl,
    types,
)

__all__ = ["C64", "C128", "C256", "Word", "is_whole", "whole_width"]


class Word(types.Type):  # type: ignore[misc]  # Numba has no types
    """An unsigned word that wraps and absorbs ints."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        super().__init__(name=f"u{bits}")

    @property
    def key(self) -> int:
        return self.bits

    def unify(self, typingctx: Numba, other: Numba) -> Numba:
        """What a variable is that holds this word in one place and `other` in another."""
        if isinstance(other, types.Integer | types.Boolean):
            return self
        if isinstance(other, Word):
            return self if self.bits >= other.bits else other
        return None

    def can_convert_from(self, typingctx: Numba, other: Numba) -> Numba:
        if isinstance(other, types.Integer | types.Boolean):
            return Conversion.safe
        if isinstance(other, Word) and other.bits < self.bits:
            return Conversion.promote
        return None


@register_model(Word)
class WordModel(models.PrimitiveModel):  # type: ignore[misc]  # Numba has no types
    """A word is one LLVM integer."""

    def __init__(self, manager: Numba, word: Word) -> None:
        super().__init__(manager, word, ir.IntType(word.bits))


def is_whole(kind: Numba) -> bool:
    """Is this the type of a whole number: an int, a bool or a word?"""
    return isinstance(kind, Word | types.Integer | types.Boolean)


def whole_width(first: Numba, second: Numba) -> Word | None:
    """The word type of an operation on these two, or None where neither is a word."""
    if not (is_whole(first) and is_whole(second)):
        return None
    widths = [kind.bits for kind in (first, second) if isinstance(kind, Word)]
    return Word(max(widths)) if widths else None


# --- casts


def resize(builder: Numba, value: Numba, source: Numba, bits: int) -> Numba:
    """The value modulo 2**bits with its sign kept: -1 becomes all ones, as `&` and `|` with a negative int mean it in Python."""
    have = value.type.width
    if have == bits:
        return value
    if have > bits:
        return builder.trunc(value, ir.IntType(bits))
    extend = builder.sext if isinstance(source, types.Integer) and source.signed else builder.zext
    return extend(value, ir.IntType(bits))


@lower_cast(types.Integer, Word)
@lower_cast(types.Boolean, Word)
@lower_cast(Word, Word)
def cast_to_word(context: Numba, builder: Numba, source: Numba, target: Numba, value: Numba) -> Numba:
    if isinstance(source, types.Boolean):
        value = builder.zext(value, ir.IntType(64))
    return resize(builder, value, source, target.bits)


@lower_cast(types.IntegerLiteral, Word)
def cast_literal(context: Numba, builder: Numba, source: Numba, target: Numba, value: Numba) -> Numba:
    return ir.Constant(ir.IntType(target.bits), source.literal_value % (1 << target.bits))


@lower_cast(Word, types.Boolean)
def cast_to_bool(context: Numba, builder: Numba, source: Numba, target: Numba, value: Numba) -> Numba:
    return builder.icmp_unsigned("!=", value, value.type(0))


@lower_cast(Word, types.Integer)
def cast_to_int(context: Numba, builder: Numba, source: Numba, target: Numba, value: Numba) -> Numba:
    return resize(builder, value, source, target.bitwidth)


# --- arithmetic and bits


def define_binary(function: Any, in_place: Any, build: Callable[[Numba, Numba, Numba], Numba]) -> None:
    """An operator whose operands both become the wider word."""
    for each in (function, in_place):

        @type_callable(each)
        def type_binary(context: Numba) -> Any:
            def typer(left: Numba, right: Numba) -> Numba:
                word = whole_width(left, right)
                return None if word is None else signature(word, word, word)

            return typer

        @lower_builtin(each, Word, Word)
        def lower_binary(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            return build(builder, args[0], args[1])


define_binary(operator.and_, operator.iand, lambda builder, left, right: builder.and_(left, right))
define_binary(operator.or_, operator.ior, lambda builder, left, right: builder.or_(left, right))
define_binary(operator.xor, operator.ixor, lambda builder, left, right: builder.xor(left, right))
define_binary(operator.add, operator.iadd, lambda builder, left, right: builder.add(left, right))
define_binary(operator.sub, operator.isub, lambda builder, left, right: builder.sub(left, right))
define_binary(operator.mul, operator.imul, lambda builder, left, right: builder.mul(left, right))


def define_shift(function: Any, in_place: Any, build: Callable[[Numba, Numba, Numba], Numba]) -> None:
    """A shift has the type of what is shifted."""

    def lower_shift(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        word, count = args
        width = word.type.width
        outside = builder.icmp_unsigned(">=", count, count.type(width))
        return builder.select(outside, word.type(0), build(builder, word, resize(builder, count, types.uint64, width)))

    for each in (function, in_place):

        @type_callable(each)
        def type_shift(context: Numba) -> Any:
            def typer(word: Numba, count: Numba) -> Numba:
                if not isinstance(word, Word) or not is_whole(count):
                    return None
                return signature(word, word, count if isinstance(count, Word) else types.int64)

            return typer

        lower_builtin(each, Word, types.int64)(lower_shift)
        lower_builtin(each, Word, Word)(lower_shift)


define_shift(operator.lshift, operator.ilshift, lambda builder, word, count: builder.shl(word, count))
define_shift(operator.rshift, operator.irshift, lambda builder, word, count: builder.lshr(word, count))


def define_unary(function: Any, result: Callable[[Word], Numba], build: Callable[[Numba, Numba], Numba]) -> None:
    """An operator or built-in function of one word; `result` is the type that it gives."""

    @type_callable(function)
    def type_unary(context: Numba) -> Any:
        def typer(word: Numba) -> Numba:
            return signature(result(word), word) if isinstance(word, Word) else None

        return typer

    @lower_builtin(function, Word)
    def lower_unary(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return build(builder, args[0])


def same(word: Word) -> Word:
    return word


def truth(word: Word) -> Numba:
    return types.boolean


define_unary(operator.invert, same, lambda builder, word: builder.not_(word))
define_unary(operator.neg, same, lambda builder, word: builder.neg(word))
define_unary(operator.pos, same, lambda builder, word: word)
define_unary(int, same, lambda builder, word: word)  # as in Python, int(x) is x
define_unary(abs, same, lambda builder, word: word)
define_unary(bool, truth, lambda builder, word: builder.icmp_unsigned("!=", word, word.type(0)))
define_unary(operator.truth, truth, lambda builder, word: builder.icmp_unsigned("!=", word, word.type(0)))
define_unary(operator.not_, truth, lambda builder, word: builder.icmp_unsigned("==", word, word.type(0)))


# --- division: of 64-bit words, and as in Python an error by zero


def define_division(function: Any, in_place: Any, symbol: str) -> None:
    """`//`, `%` and `/` of words up to 64 bits; the remainder by an int is a number, not a set of bits."""

    def result_type(word: Word, divisor: Numba) -> Numba:
        if symbol == "/":
            return types.float64
        return types.int64 if symbol == "%" and not isinstance(divisor, Word) else word

    def lower_division(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        dividend, divisor = args
        with cgutils.if_unlikely(builder, builder.icmp_unsigned("==", divisor, divisor.type(0))):
            context.call_conv.return_user_exc(builder, ZeroDivisionError, ("division by zero",))
        if symbol == "//":
            return builder.udiv(dividend, divisor)
        if symbol == "%":
            return builder.urem(dividend, divisor)
        double = ir.DoubleType()
        return builder.fdiv(builder.uitofp(dividend, double), builder.uitofp(divisor, double))

    for each in (function, in_place):

        @type_callable(each)
        def type_division(context: Numba) -> Any:
            def typer(dividend: Numba, divisor: Numba) -> Numba:
                word = whole_width(dividend, divisor)
                if word is None:
                    return None
                if word.bits > 64:
                    raise TypingError(f"a word of {word.bits} bits cannot be divided")
                return signature(result_type(word, divisor), word, word)

            return typer

        lower_builtin(each, Word, Word)(lower_division)


define_division(operator.floordiv, operator.ifloordiv, "//")
define_division(operator.mod, operator.imod, "%")
define_division(operator.truediv, operator.itruediv, "/")


# --- comparison: exact, as in Python


def define_comparison(function: Any, symbol: str) -> None:
    """An int stays signed, a word unsigned: one more bit holds both."""

    @type_callable(function)
    def type_comparison(context: Numba) -> Any:
        def typer(left: Numba, right: Numba) -> Numba:
            if whole_width(left, right) is None:
                return None
            return signature(types.boolean, types.unliteral(left), types.unliteral(right))

        return typer

    def lower_comparison(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        if sig.args[0] == sig.args[1]:
            return builder.icmp_unsigned(symbol, *args)
        width = max(value.type.width for value in args) + 1
        return builder.icmp_signed(symbol, *(resize(builder, value, kind, width) for value, kind in zip(args, sig.args, strict=True)))

    for kinds in ((Word, Word), (Word, types.Integer), (types.Integer, Word), (Word, types.Boolean), (types.Boolean, Word)):
        lower_builtin(function, *kinds)(lower_comparison)


for comparison, sign in (
    (operator.eq, "=="),
    (operator.ne, "!="),
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
):
    define_comparison(comparison, sign)


# --- constants of generated modules


class Constant(int):
    """A literal of a generated module that is a word."""

    bits = 64


class C64(Constant):
    """A constant word of 64 bits."""


class C128(Constant):
    """A constant word of 128 bits."""

    bits = 128


class C256(Constant):
    """A constant word of 256 bits."""

    bits = 256


@typeof_impl.register(Constant)
def type_of_constant(value: Constant, context: Numba) -> Word:
    return Word(value.bits)


@lower_constant(Word)
def lower_word(context: Numba, builder: Numba, kind: Numba, value: Numba) -> Numba:
    return ir.Constant(ir.IntType(kind.bits), int(value) % (1 << kind.bits))
