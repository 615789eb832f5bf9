# mypy: disable-error-code="untyped-decorator"
"""Asking for memory before it is needed, so that what a kernel does meanwhile hides the wait."""

from zermelo.engine.atomics import place_of
from zermelo.engine.numba_api import Numba, intrinsic, ir, signature, types

__all__ = ["prefetch"]

READ, KEEP, DATA = 0, 3, 1  # what LLVM calls it: to be read, kept in all caches, data and no instructions


@intrinsic
def prefetch(typingctx: Numba, array: Numba, index: Numba) -> Numba:
    """Asks for the 64 bytes around array[index]; an index outside the array does no harm."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
        place = builder.bitcast(place_of(context, builder, sig, args), byte)
        builder.call(function, [place, *(ir.Constant(number, value) for value in (READ, KEEP, DATA))])
        return context.get_dummy_value()

    return signature(types.none, array, types.int64), code
