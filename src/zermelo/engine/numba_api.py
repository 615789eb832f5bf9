"""Numba and LLVM as the engine uses them: every name that is taken from them, and none of their types.

Both libraries are typed in part, and in part wrongly. Here their names are `Any`, in this one place, so that the rest of the engine can
be checked strictly. Importing this module imports Numba.
"""

from typing import Any

import llvmlite.binding
import llvmlite.ir
import numba
import numba.extending
from numba.core import cgutils as numba_cgutils
from numba.core import compiler, errors, imputils, serialize, sigutils
from numba.core import types as numba_types
from numba.core.runtime import nrt
from numba.core.typeconv import castgraph
from numba.core.typing import templates

__all__ = [
    "CompileResult",
    "Conversion",
    "Numba",
    "TypingError",
    "address_of_symbol",
    "cgutils",
    "dumps",
    "intrinsic",
    "ir",
    "lower_builtin",
    "lower_cast",
    "lower_constant",
    "models",
    "njit",
    "normalize_signature",
    "overload_method",
    "register_jitable",
    "register_model",
    "runtime",
    "signature",
    "type_callable",
    "typeof_impl",
    "types",
]

Numba = Any  # an object of Numba's or LLVM's: a context, a builder, a type, a value

ir: Any = llvmlite.ir
types: Any = numba_types
cgutils: Any = numba_cgutils
njit: Any = numba.njit
signature: Any = templates.signature
Conversion: Any = castgraph.Conversion
CompileResult: Any = compiler.CompileResult
dumps: Any = serialize.dumps
runtime: Any = nrt.rtsys
address_of_symbol: Any = llvmlite.binding.address_of_symbol
normalize_signature: Any = sigutils.normalize_signature
lower_constant: Any = imputils.lower_constant
intrinsic: Any = numba.extending.intrinsic
lower_builtin: Any = numba.extending.lower_builtin
lower_cast: Any = numba.extending.lower_cast
models: Any = numba.extending.models
overload_method: Any = numba.extending.overload_method
register_jitable: Any = numba.extending.register_jitable
register_model: Any = numba.extending.register_model
type_callable: Any = numba.extending.type_callable
typeof_impl: Any = numba.extending.typeof_impl
TypingError = errors.TypingError
