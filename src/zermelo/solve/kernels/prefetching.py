"""Memory that is wanted soon is asked for ahead of time, so that many waits for it pass at once instead of one after the other."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = ["AHEAD", "prefetch"]

AHEAD = 12  # accesses that are under way at the same time


def _prefetch(typing, array, at):
    """Asks for array[at]; never fails, whatever `at` is."""

    def code(context, builder, signature, arguments):
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(function, [address, number(0), number(3), number(1)])  # to read, into every cache, data
        return context.get_dummy_value()

    return types.void(array, types.int64), code


prefetch: Any = intrinsic(_prefetch)  # in compiled code: prefetch(array, at)
