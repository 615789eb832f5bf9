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

from zermelo.engine.numba_api import CompileResult, dumps, njit, normalize_signature

__all__ = ["SealedCache", "is_safe_to_keep", "kernel", "part", "rule"]

SEAL = 32  # bytes of a sha256, in front of the pickle
UNRESOLVED = ".numba.unresolved"


def rule(function: Any) -> Any:
    """A function of the rules: only kernels call it. Division by zero and an index outside a table raise, as in Python."""
    return njit(error_model="python", boundscheck=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def kernel(function: Any) -> Any:
    """A function that is called from Python or calls itself: kept on disk beside its module."""
    dispatcher = njit(nogil=True, error_model="numpy")(function)
    dispatcher._cache = SealedCache(function)
    return dispatcher


def part(function: Any) -> Any:
    """A piece of a template's kernel: written apart so that it can be read, compiled into the place of its call, without checks."""
    return njit(error_model="numpy", forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def is_safe_to_keep(result: Any) -> bool:
    """May another process load this code? Not where it holds a call that Numba resolves only in the process that compiled it.

    Such calls come from mutual recursion, or from a recursive function that is called with other types than it calls itself with (a
    literal counts). They crash the process that loads them: numba#6061.
    """
    return not result.library.has_dynamic_globals and not result.lifted and UNRESOLVED not in result.library.get_llvm_str()


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
        context.refresh()
        file = self.file(signature, context.codegen())
        try:
            sealed = file.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(sealed[SEAL:]).digest() == sealed[:SEAL]:
            return CompileResult._rebuild(context, *pickle.loads(sealed[SEAL:]))
        with contextlib.suppress(OSError):
            file.unlink()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code, in one step; a folder that cannot be written is done without."""
        if self.folder is None or not is_safe_to_keep(result):
            return
        payload = dumps(result._reduce())
        try:
            handle, name = tempfile.mkstemp(dir=self.folder, prefix=".new-")
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            os.replace(name, self.file(signature, result.codegen))
        except OSError:
            return
