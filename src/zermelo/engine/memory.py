# mypy: disable-error-code="untyped-decorator"
"""Reading arrays by their address: what a kernel needs to look into data that are not its own, without an argument for each of them.

Whoever gives a kernel the address of an array must keep the array as long as the kernel may run. Nothing checks an address.
"""

from typing import Any

from zermelo.engine.numba_api import Numba, intrinsic, ir, signature, types

__all__ = ["byte_at", "int_at", "short_at", "word_at"]

WORD = ir.IntType(64)


def make_load(bits: int, signed: bool) -> Any:
    """The number of so many bits at an address, as int64."""

    @intrinsic
    def load(typingctx: Numba, address: Numba) -> Numba:
        def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
            kind = ir.IntType(bits)
            found = builder.load(builder.inttoptr(args[0], kind.as_pointer()))
            if bits == 64:
                return found
            return builder.sext(found, WORD) if signed else builder.zext(found, WORD)

        return signature(types.int64, types.int64), code

    return load


byte_at = make_load(8, signed=False)
short_at = make_load(16, signed=False)
int_at = make_load(32, signed=True)
word_at = make_load(64, signed=True)
