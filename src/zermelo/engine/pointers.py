# mypy: disable-error-code="untyped-decorator"
"""Words of memory as a recursive kernel takes them: the address of an array's first word in the place of the array.

An array crosses a call as seven arguments, and each index is asked whether it counts from the end; an address is one argument, and its
indices are what they are. Whoever called the kernel keeps the array alive.
"""

from zermelo.engine.numba_api import Numba, intrinsic, ir, signature, types

__all__ = ["prefetch", "words_of"]

READ, KEEP, DATA = 0, 3, 1  # what LLVM is told about a prefetch: to be read, worth keeping, not code


@intrinsic
def words_of(typingctx: Numba, array: Numba) -> Numba:
    """The words of an array of int64, read and written by index like the array itself."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return context.make_array(sig.args[0])(context, builder, args[0]).data

    return signature(types.CPointer(types.int64), array), code


@intrinsic
def prefetch(typingctx: Numba, words: Numba, index: Numba) -> Numba:
    """Tells the processor that words[index] will be asked for soon."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        place = builder.bitcast(builder.gep(args[0], [args[1]]), byte)
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(function, [place, number(READ), number(KEEP), number(DATA)])
        return context.get_dummy_value()

    return signature(types.none, words, types.int64), code
