# mypy: disable-error-code="untyped-decorator"
"""Steps on shared arrays that no other thread can come between: what kernels on several threads need to build one tree together.

Each is one instruction of the machine, or a short loop around one, and orders all memory around it: what a thread wrote before such a
step is seen by a thread that has seen the step.
"""

from typing import Any

from numba.core import types as numba_types
from numba.core.typing import templates
from numba.extending import intrinsic as numba_intrinsic

__all__ = ["atomic_add", "atomic_load"]

Numba = Any  # an object of Numba's or LLVM's
intrinsic: Any = numba_intrinsic
types: Any = numba_types
signature: Any = templates.signature

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
def atomic_load(typingctx: Numba, array: Numba, index: Numba) -> Numba:
    """A whole number of the array as it is now, however often it was read before."""

    def code(context: Numba, builder: Numba, sig: Numba, args: Numba) -> Numba:
        return builder.load_atomic(place_of(context, builder, sig, args), ORDER, 8)

    return signature(types.int64, array, types.int64), code
