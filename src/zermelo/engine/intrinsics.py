# mypy: disable-error-code="untyped-decorator"
"""What generated modules call: casts to the types of a state's fields, the helpers of `zermelo.words`, and storing values in rows.

A cast refuses what Python would not accept in that place, in words that an error message can repeat; it never rounds or drops silently
what the self-check could not see.
"""

from collections.abc import Iterator
from typing import Any

from zermelo.engine.numba_api import Numba, TypingError, cgutils, intrinsic, ir, overload_method, register_jitable, signature, types
from zermelo.engine.word_types import Word, is_whole

__all__ = [
    "as_bool",
    "as_chance",
    "as_float",
    "as_int",
    "as_tuple_bool",
    "as_tuple_float",
    "as_tuple_int",
    "as_tuple_u64",
    "as_tuple_u128",
    "as_tuple_u256",
    "as_u64",
    "as_u128",
    "as_u256",
    "bit_length",
    "bits",
    "bits_float",
    "first_payoff",
    "float_bits",
    "lsb",
    "max_of",
    "min_of",
    "need_length",
    "payoff_vector",
    "popcount",
    "replace",
    "shift",
    "store",
    "store_numbers",
    "stored_words",
]

INT64 = ir.IntType(64)


def cast_code(target: Numba) -> Any:
    """Code that converts its first argument to a type."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return context.cast(builder, args[0], sig.args[0], target)

    return code


def make_cast(target: Numba, name: str) -> Any:
    """The cast of whole numbers to a type."""

    @intrinsic
    def cast(typingctx: Numba, value: Numba) -> Numba:
        if not is_whole(value):
            raise TypingError(f"a value that is declared {name} needs an int, not {value}")
        return signature(target, types.unliteral(value)), cast_code(target)

    return cast


as_int = make_cast(types.int64, "int")
as_bool = make_cast(types.boolean, "bool")
as_u64 = make_cast(Word(64), "u64")
as_u128 = make_cast(Word(128), "u128")
as_u256 = make_cast(Word(256), "u256")


def float_code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
    """Code that makes a float of any number."""
    if isinstance(sig.args[0], Word):
        return builder.uitofp(args[0], ir.DoubleType())
    return context.cast(builder, args[0], sig.args[0], types.float64)


@intrinsic
def as_float(typingctx: Numba, value: Numba) -> Numba:
    if not isinstance(value, types.Integer | types.Boolean | types.Float) and not (isinstance(value, Word) and value.bits == 64):
        raise TypingError(f"a value that is declared float needs a number, not {value}")
    return signature(types.float64, types.unliteral(value)), float_code


def make_tuple_cast(item: Numba, name: str) -> Any:
    """The cast of a tuple to so many items of one type."""

    @intrinsic(prefer_literal=True)
    def cast(typingctx: Numba, values: Numba, length: Numba) -> Numba:
        if not isinstance(length, types.IntegerLiteral):
            return None
        check_length(values, length.literal_value)
        for kind in values:
            if not is_whole(kind) and not (name == "float" and isinstance(kind, types.Float)):
                raise TypingError(f"a tuple of {name} holds a {kind}")
        target = types.UniTuple(item, len(values))
        return signature(target, types.unliteral(values), length), cast_code(target)

    return cast


def check_length(values: Numba, length: int) -> None:
    """Refuse what is not a tuple of this length."""
    if not isinstance(values, types.BaseTuple):
        raise TypingError(f"a value that is a tuple of {length} needs a tuple, not {values}")
    if len(values) != length:
        raise TypingError(f"a value that is a tuple of {length} needs as many items, not {len(values)}")


as_tuple_int = make_tuple_cast(types.int64, "int")
as_tuple_float = make_tuple_cast(types.float64, "float")
as_tuple_bool = make_tuple_cast(types.boolean, "bool")
as_tuple_u64 = make_tuple_cast(Word(64), "u64")
as_tuple_u128 = make_tuple_cast(Word(128), "u128")
as_tuple_u256 = make_tuple_cast(Word(256), "u256")


@intrinsic(prefer_literal=True)
def need_length(typingctx: Numba, values: Numba, length: Numba) -> Numba:
    """The tuple itself, which must have this length."""
    if not isinstance(length, types.IntegerLiteral):
        return None
    check_length(values, length.literal_value)
    kind = types.unliteral(values)
    return signature(kind, kind, length), lambda context, builder, sig, args: args[0]


@register_jitable
def as_chance(pair: Any) -> Any:
    """What `chances` yields: an action and its weight."""
    action, weight = pair
    return as_int(action), as_float(weight)


# --- the helpers of zermelo.words


def narrow(builder: Numba, count: Numba) -> Numba:
    """A count of bits as int64, whatever the word's width."""
    if count.type.width > 64:
        return builder.trunc(count, INT64)
    return builder.zext(count, INT64) if count.type.width < 64 else count


def need_whole(value: Numba, what: str) -> Numba:
    """The type of an operand that must be an int or a word."""
    if not isinstance(value, Word | types.Integer):
        raise TypingError(f"{what} needs an int, not {value}")
    return types.unliteral(value)


def magnitude(builder: Numba, kind: Numba, value: Numba) -> Numba:
    """The absolute value: Python counts the bits of that."""
    if isinstance(kind, Word):
        return value
    return builder.select(builder.icmp_signed("<", value, value.type(0)), builder.neg(value), value)


@intrinsic
def popcount(typingctx: Numba, word: Numba) -> Numba:
    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return narrow(builder, builder.ctpop(magnitude(builder, sig.args[0], args[0])))

    return signature(types.int64, need_whole(word, "popcount")), code


@intrinsic
def lsb(typingctx: Numba, word: Numba) -> Numba:
    """The number of the lowest set bit; -1 for 0, as the interpreted `lsb` gives it."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        zero = builder.icmp_unsigned("==", args[0], args[0].type(0))
        count = narrow(builder, builder.cttz(args[0], ir.Constant(ir.IntType(1), 0)))
        return builder.select(zero, INT64(-1), count)

    return signature(types.int64, need_whole(word, "lsb")), code


@intrinsic
def bit_length(typingctx: Numba, word: Numba) -> Numba:
    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        value = magnitude(builder, sig.args[0], args[0])
        zeros = builder.ctlz(value, ir.Constant(ir.IntType(1), 0))
        return narrow(builder, builder.sub(zeros.type(zeros.type.width), zeros))

    return signature(types.int64, need_whole(word, "bit_length")), code


for whole_kind in (Word, types.Integer):

    @overload_method(whole_kind, "bit_count")
    def method_bit_count(number: Any) -> Any:
        return lambda number: popcount(number)

    @overload_method(whole_kind, "bit_length")
    def method_bit_length(number: Any) -> Any:
        return lambda number: bit_length(number)


@intrinsic
def unsigned(typingctx: Numba, word: Numba) -> Numba:
    """A word as it is, an int as u64."""
    target = word if isinstance(word, Word) else Word(64)
    return signature(target, need_whole(word, "shift")), cast_code(target)


@register_jitable
def bits(word: Any) -> Iterator[int]:
    while word:
        yield lsb(word)
        word &= word - 1


@intrinsic
def keep_low(typingctx: Numba, word: Numba, width: Numba) -> Numba:
    """The lowest `width` bits of a word; a width that is the word's own costs nothing."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        value, width = args
        bits = value.type.width
        all_bits = builder.icmp_signed(">=", width, width.type(bits))
        amount = builder.zext(width, value.type) if bits > 64 else width
        mask = builder.sub(builder.shl(value.type(1), amount), value.type(1))
        return builder.select(all_bits, value, builder.and_(value, mask))

    return signature(word, word, types.int64), code


@register_jitable
def shift(word: Any, step: int, width: int = 64) -> Any:
    board = unsigned(word)
    return keep_low(board << step, width) if step >= 0 else board >> -step


@intrinsic
def replace(typingctx: Numba, values: Numba, index: Numba, value: Numba) -> Numba:
    """A tuple with one item changed; an index from the end counts as in Python."""
    if not isinstance(values, types.UniTuple):
        raise TypingError("replace needs a tuple whose items have one type")

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        values, index, value = args
        length = values.type.count
        index = builder.select(builder.icmp_signed("<", index, index.type(0)), builder.add(index, index.type(length)), index)
        with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, index.type(length))):
            context.call_conv.return_user_exc(builder, IndexError, ("replace: the index is outside the tuple",))
        for place in range(length):  # selects, not a store at a variable address: the tuple stays in registers
            here = builder.icmp_unsigned("==", index, index.type(place))
            values = builder.insert_value(values, builder.select(here, value, builder.extract_value(values, place)), place)
        return values

    return signature(values, values, types.int64, values.dtype), code


@register_jitable
def min_of(first: Any, second: Any) -> Any:
    return second if second < first else first


@register_jitable
def max_of(first: Any, second: Any) -> Any:
    return second if second > first else first


# --- rows


@intrinsic
def float_bits(typingctx: Numba, value: Numba) -> Numba:
    return signature(types.int64, types.float64), lambda context, builder, sig, args: builder.bitcast(args[0], INT64)


@intrinsic
def bits_float(typingctx: Numba, value: Numba) -> Numba:
    return signature(types.float64, types.int64), lambda context, builder, sig, args: builder.bitcast(args[0], ir.DoubleType())


def stored_words(kind: Numba) -> int:
    """How many int64 a value of this Numba type takes in a row."""
    if isinstance(kind, types.BaseTuple):
        return sum(stored_words(item) for item in kind)
    if isinstance(kind, Word):
        return kind.bits // 64
    if is_whole(kind) or isinstance(kind, types.Float):
        return 1
    raise TypingError(f"a value that is kept in a row needs numbers, not {kind}")


def word_parts(context: Numba, builder: Numba, kind: Numba, value: Numba) -> Iterator[Numba]:
    """The int64 words of a value, lowest first."""
    if isinstance(kind, types.BaseTuple):
        for place, item in enumerate(kind):
            yield from word_parts(context, builder, item, builder.extract_value(value, place))
    elif isinstance(kind, Word):
        for part in range(kind.bits // 64):
            yield narrow(builder, builder.lshr(value, value.type(64 * part)) if part else value)
    elif isinstance(kind, types.Float):
        yield builder.bitcast(context.cast(builder, value, kind, types.float64), INT64)
    else:
        yield context.cast(builder, value, kind, types.int64)


@intrinsic
def store(typingctx: Numba, value: Numba, row: Numba, at: Numba) -> Numba:
    """Write a number or a tuple of numbers to row[at], row[at + 1], …; gives how many words that were."""
    count = stored_words(value)
    kind = types.unliteral(value)

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        value, row, at = args
        data = row if isinstance(sig.args[1], types.CPointer) else context.make_array(sig.args[1])(context, builder, row).data
        for place, word in enumerate(word_parts(context, builder, kind, value)):
            builder.store(word, builder.gep(data, [builder.add(at, at.type(place))]))
        return INT64(count)

    return signature(types.int64, kind, row, types.int64), code


@intrinsic
def store_numbers(typingctx: Numba, values: Numba, row: Numba, at: Numba) -> Numba:
    """Write a tuple of numbers as floats to row[at], row[at + 1], … of an array of floats; gives how many there are."""
    if not isinstance(values, types.BaseTuple):
        raise TypingError(f"features are a tuple of numbers, not {values}")
    kind = types.unliteral(values)

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        values, row, at = args
        data = context.make_array(sig.args[1])(context, builder, row).data
        for place, item in enumerate(kind):
            value = number(context, builder, item, builder.extract_value(values, place))
            builder.store(value, builder.gep(data, [builder.add(at, at.type(place))]))
        return INT64(len(kind))

    return signature(types.int64, kind, row, types.int64), code


# --- payoffs: `utility` gives a number or a tuple


@intrinsic
def first_payoff(typingctx: Numba, value: Numba) -> Numba:
    """Max's payoff."""
    kind = types.unliteral(value)
    if isinstance(kind, types.BaseTuple):
        return signature(kind[0], kind), lambda context, builder, sig, args: builder.extract_value(args[0], 0)
    return signature(kind, kind), lambda context, builder, sig, args: args[0]


@intrinsic(prefer_literal=True)
def payoff_vector(typingctx: Numba, value: Numba, players: Numba, total: Numba) -> Numba:
    """One float a player; Min's is what Max leaves of the total."""
    if not isinstance(players, types.IntegerLiteral):
        return None
    kind, count = types.unliteral(value), players.literal_value
    if isinstance(kind, types.BaseTuple) and len(kind) != count:
        raise TypingError(f"utility gives {len(kind)} payoffs for {count} players")
    if not isinstance(kind, types.BaseTuple) and count > 2:
        raise TypingError(f"utility gives one number, but {count} players need a tuple with one payoff each")

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        value, _, total = args
        if isinstance(kind, types.BaseTuple):
            items = [number(context, builder, item, builder.extract_value(value, place)) for place, item in enumerate(kind)]
        else:
            first = number(context, builder, kind, value)
            items = [first, builder.fsub(total, first)][:count]
        return context.make_tuple(builder, sig.return_type, items)

    return signature(types.UniTuple(types.float64, count), kind, players, types.float64), code


def number(context: Numba, builder: Numba, kind: Numba, value: Numba) -> Numba:
    """Any number as a float."""
    return float_code(context, builder, signature(types.float64, kind), (value,))
