# mypy: disable-error-code="untyped-decorator"
"""Steps on shared arrays that no other thread can come between: what kernels on several threads need to build one tree together.

Each is one instruction of the machine, or a short loop around one, and orders all memory around it: what a thread wrote before such a
step is seen by a thread that has seen the step.
"""

from typing import Any

from zermelo.engine.numba_api import Numba, intrinsic, signature, types

__all__ = ["atomic_add", "atomic_add_real", "atomic_claim", "atomic_load", "atomic_release", "atomic_store"]

ORDER = "seq_cst"


def place_of(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Any:
    """The address of array[index]."""
    data = context.make_array(sig.args[0])(context, builder, args[0]).data
    return builder.gep(data, [args[1]])


@intrinsic
def atomic_add(typingctx: Numba, array: Numba, index: Numba, amount: Numba) -> Numba:
    """Adds to a whole number of the array; gives what was there before."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return builder.atomic_rmw("add", place_of(context, builder, sig, args), args[2], ORDER)

    return signature(types.int64, array, types.int64, types.int64), code


@intrinsic
def atomic_add_real(typingctx: Numba, array: Numba, index: Numba, amount: Numba) -> Numba:
    """Adds to a float of the array; gives what was there before."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return builder.atomic_rmw("fadd", place_of(context, builder, sig, args), args[2], ORDER)

    return signature(types.float64, array, types.int64, types.float64), code


@intrinsic
def atomic_claim(typingctx: Numba, array: Numba, index: Numba, free: Numba, taken: Numba) -> Numba:
    """Writes `taken` where the array has `free`; tells whether it did, and so whether nobody else was faster."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        found = builder.cmpxchg(place_of(context, builder, sig, args), args[2], args[3], ORDER, ORDER)
        return builder.extract_value(found, 1)

    return signature(types.boolean, array, types.int64, types.int64, types.int64), code


@intrinsic
def atomic_store(typingctx: Numba, array: Numba, index: Numba, value: Numba) -> Numba:
    """Writes a whole number after everything that this thread wrote before."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        builder.store_atomic(args[2], place_of(context, builder, sig, args), ORDER, 8)
        return context.get_dummy_value()

    return signature(types.none, array, types.int64, types.int64), code


@intrinsic
def atomic_load(typingctx: Numba, array: Numba, index: Numba) -> Numba:
    """A whole number of the array as it is now, however often it was read before."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return builder.load_atomic(place_of(context, builder, sig, args), ORDER, 8)

    return signature(types.int64, array, types.int64), code


@intrinsic
def atomic_release(typingctx: Numba, array: Numba, index: Numba, value: Numba) -> Numba:
    """As `atomic_store`, without waiting until others can see it: the end of what one thread does alone."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        builder.store_atomic(args[2], place_of(context, builder, sig, args), "release", 8)
        return context.get_dummy_value()

    return signature(types.none, array, types.int64, types.int64), code
