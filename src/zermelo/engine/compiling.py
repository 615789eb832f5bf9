"""Numba's part: the decorators of generated modules, and compiled code that is kept beside the module it belongs to.

Numba's own cache goes by the time stamp of the source file, trusts whatever lies in its folder, and keeps code that crashes the next
process (numba#6061). Here the folder's name is a hash of all that matters, so nothing in it can be stale; every file carries the hash
of its contents, so a damaged one is noticed, removed and made again; and code with calls that are only resolved in the process that
compiled it is not kept.
"""

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
from pathlib import Path
from types import FunctionType
from typing import Any

from zermelo.engine.numba_api import CompileResult, address_of_symbol, dumps, njit, normalize_signature, runtime

__all__ = ["SealedCache", "is_safe_to_keep", "kernel", "part", "routine", "rule"]

SEAL = 32  # bytes of a sha256, in front of the pickle
UNRESOLVED = ".numba.unresolved"


def rule(function: Any) -> Any:
    """A function of the rules: only kernels call it. Division by zero and an index outside a table raise, as in Python."""
    return njit(error_model="python", boundscheck=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=True)(function)


def kernel(function: Any) -> Any:
    """A function that is called from Python or calls itself: kept on disk beside its module."""
    dispatcher = njit(nogil=True, error_model="numpy")(function)
    dispatcher._cache = SealedCache(function)
    return dispatcher


def part(function: Any) -> Any:
    """A piece of a template's kernel: written apart so that it can be read, compiled into the place of its call, without checks."""
    return njit(error_model="numpy", forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)(function)


def routine(function: Any) -> Any:
    """A large piece of a template's kernel: compiled once and called, without checks."""
    return njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)(function)


def is_safe_to_keep(result: Any) -> bool:
    """May another process load this code? Not where it holds a call that Numba resolves only in the process that compiled it.

    Such calls come from mutual recursion, or from a recursive function that is called with other types than it calls itself with (a
    literal counts). They crash the process that loads them: numba#6061.
    """
    return not result.library.has_dynamic_globals and not result.lifted and UNRESOLVED not in result.library.get_llvm_str()


def outside_symbols(result: Any) -> list[str]:
    """Functions and variables that compiled code expects from elsewhere."""
    module = result.library._final_module
    parts = [*module.functions, *module.global_variables]
    return sorted(part.name for part in parts if part.is_declaration and not part.name.startswith("llvm."))


def make_available(symbols: list[str], context: Any) -> None:
    """Prepare Numba for code from disk.

    All it takes is the runtime's memory functions. Numba itself would load everything that it can compile, half a second's worth; that
    is left for code that asks for more.
    """
    runtime.initialize(context)
    if not all(address_of_symbol(symbol) for symbol in symbols):
        context.refresh()


class SealedCache:
    """The compiled code of one function: what Numba's dispatcher asks before it compiles, and tells afterwards."""

    def __init__(self, function: FunctionType) -> None:
        module = sys.modules[function.__module__]
        self.folder: Path | None = getattr(module, "CODE_FOLDER", None)  # None: a module without a place on disk
        self.name = f"{function.__name__}-{function.__code__.co_firstlineno}"

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def enable(self) -> None:
        """Part of Numba's interface; the cache is always on."""

    def disable(self) -> None:
        self.folder = None

    def flush(self) -> None:
        """Forget all code of this function."""
        if self.folder is not None:
            for file in self.folder.glob(f"{self.name}-*.code"):
                file.unlink(missing_ok=True)

    def file(self, signature: Any, codegen: Any) -> Path:
        """Where the code for a signature on this machine is kept."""
        assert self.folder is not None
        parameters, _ = normalize_signature(signature)  # types, or a text that names them
        digest = hashlib.sha256(repr((str(parameters), codegen.magic_tuple())).encode()).hexdigest()
        return self.folder / f"{self.name}-{digest[:16]}.code"

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled function, or None where there is none that can be trusted."""
        if self.folder is None:
            return None
        file = self.file(signature, context.codegen())
        try:
            sealed = file.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(sealed[SEAL:]).digest() == sealed[:SEAL]:
            symbols, reduced = pickle.loads(sealed[SEAL:])
            make_available(symbols, context)
            return CompileResult._rebuild(context, *reduced)
        with contextlib.suppress(OSError):
            file.unlink()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code, in one step; a folder that cannot be written is done without."""
        if self.folder is None or not is_safe_to_keep(result):
            return
        payload = dumps((outside_symbols(result), result._reduce()))
        try:
            handle, name = tempfile.mkstemp(dir=self.folder, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            os.replace(name, self.file(signature, result.codegen))
        except OSError:
            return
