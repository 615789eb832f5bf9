"""LLVM text to machine code, and object code that is kept on disk.

Unoptimised code is made in a tenth of the time and runs half as fast. So a kernel that is new begins with it, and is optimised while it
works; see `quick_code`.
"""

import atexit
import contextlib
import ctypes
import hashlib
import mmap
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from zermelo.compiler.cache import cache_folder, make_private

__all__ = ["OPTIMISED", "QUICK", "Code", "Context", "name_of", "quick_code", "unwritten_cache"]

QUICK, OPTIMISED = 0, 2  # levels of optimisation
ARENA = 1 << 24  # bytes at first
LARGEST_ARENA = 1 << 30
HEADER = 64  # bytes of a context
SPECULATED = 6  # instructions that are done needlessly to save a branch: those of rules are hard to foresee
SEAL = 32
DEFINITION = re.compile(r"^define [^@\n]*@([\w.]+)\((.*?)^}", re.MULTILINE | re.DOTALL)

building = threading.Lock()  # held while LLVM is at work
leaving = threading.Event()  # the process ends
unwritten: list[str] = []  # why the cache could not be written last


@cache
def target() -> Any:
    """LLVM's description of this machine."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.set_option("", f"-bonus-inst-threshold={SPECULATED}")
    return llvm, llvm.Target.from_default_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@atexit.register
def finish() -> None:
    """Wait at exit for what LLVM is building, and let nothing more begin.

    A thread may still be at it, and the process would tear down LLVM's own tables under it: LLVM then aborts with one of its assertions.
    """
    leaving.set()
    with contextlib.suppress(KeyboardInterrupt):
        building.acquire()


@contextlib.contextmanager
def at_work() -> Iterator[None]:
    """One thread at a time has LLVM, and none once the process ends."""
    with building:
        if leaving.is_set():
            raise SystemExit
        yield


def machine(level: int) -> Any:
    _, triple, cpu, features = target()
    return triple.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)


class Code:
    """A module as machine code."""

    def __init__(self, text: str, level: int = OPTIMISED) -> None:
        engine, key = machine(level), key_of(text, level)
        data = read_sealed(key)
        self.from_cache = data is not None
        if data is None:
            data = compile_text(text, level, engine)
            write_sealed(key, data)
        self.load(data, level, engine)

    @classmethod
    def kept(cls, name: str, levels: tuple[int, ...]) -> "Code | None":
        """The code of a text with this hash, at the first of these levels at which there is some."""
        for level in levels:
            data = read_sealed(kept_key(name, level))
            if data is not None:
                code = cls.__new__(cls)
                code.from_cache = True
                code.load(data, level, machine(level))
                return code
        return None

    def load(self, data: bytes, level: int, engine: Any) -> None:
        self.level, llvm = level, target()[0]
        with at_work():
            empty = llvm.parse_assembly("")
            self.engine = llvm.create_mcjit_compiler(empty, engine)
            self.engine.add_object_file(llvm.ObjectFileRef.from_data(data))
            self.engine.finalize_object()

    def share(self, name: str, shared: str) -> None:
        """Let other modules call a function, under another name."""
        target()[0].add_symbol(shared, self.address(name))

    def address(self, name: str) -> int:
        return int(self.engine.get_function_address(name))


def quick_code(text: str, level: int = OPTIMISED, bounded: str = "") -> Code:
    """Optimised code where it is at hand, otherwise code made at once. What calls itself is optimised, because it needs less stack then,
    except for the function `bounded`, whose depth of calls is kept small for as long as code is not optimised."""
    at_hand = code_file(key_of(text, level)).exists()
    return Code(text, level if at_hand or calls_itself(text, bounded) else QUICK)


def calls_itself(text: str, bounded: str = "") -> bool:
    """Is there a function, other than `bounded`, that may be called again before it has returned?"""
    calls = {name: set(re.findall(r"call [^@\n]*@([\w.]+)\(", body)) for name, body in re.findall(DEFINITION, text)}
    calls = {name: called for name, called in calls.items() if name.partition(".")[0] != bounded}
    while ends := [name for name, called in calls.items() if not called & calls.keys()]:
        for name in ends:
            del calls[name]
    return bool(calls)


def key_of(text: str, level: int) -> str:
    """What code is kept under: its text, and the machine that it is made for."""
    return kept_key(name_of(text), level)


def name_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def kept_key(name: str, level: int) -> str:
    _, _, cpu, features = target()
    return hashlib.sha256("\0".join([name, str(level), str(SPECULATED), str(cpu), str(features), llvm_version()]).encode()).hexdigest()


def llvm_version() -> str:
    return ".".join(map(str, target()[0].llvm_version_info))


def compile_text(text: str, level: int, engine: Any) -> bytes:
    llvm = target()[0]
    with at_work():
        module = llvm.parse_assembly(text, llvm.create_context())
        module.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        builder = llvm.create_pass_builder(engine, options)
        builder.getModulePassManager().run(module, builder)
        return bytes(engine.emit_object(module))


def code_file(key: str) -> Path:
    return cache_folder() / "code" / key[:2] / f"{key}.o"


def read_sealed(key: str) -> bytes | None:
    """Object code of an earlier process, if it is what was written."""
    try:
        make_private(cache_folder())  # others must not be able to put code there
        data = code_file(key).read_bytes()
    except OSError:
        return None
    return data[SEAL:] if hashlib.sha256(key.encode() + data[SEAL:]).digest() == data[:SEAL] else None


def write_sealed(key: str, data: bytes) -> None:
    """Keep object code, in one step; a folder that cannot be written is done without."""
    file = code_file(key)
    try:
        make_private(cache_folder())
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as stream:
            stream.write(hashlib.sha256(key.encode() + data).digest() + data)
        os.replace(name, file)
    except OSError as error:
        unwritten[:] = [f"Compiled code is not kept: the cache {cache_folder()} cannot be written ({error.strerror})."]


def unwritten_cache() -> tuple[str, ...]:
    """A sentence where the cache could not be written."""
    return tuple(unwritten)


class Context:
    """What compiled code works with in one thread: its arena, and where it says what went wrong."""

    def __init__(self, size: int = ARENA) -> None:
        self.size = size
        self.header = ctypes.create_string_buffer(HEADER)
        self.arena = (ctypes.c_char * size).from_buffer(mmap.mmap(-1, size))  # takes memory only as far as it is used
        self.pointer = ctypes.addressof(self.header)
        self.words = (ctypes.c_int64 * 8).from_buffer(self.header)
        begin = ctypes.addressof(self.arena)
        self.first: list[Any] = [(begin + 15) & -16, begin + size, 0, 0, 0]
        self.reset()

    def reset(self) -> None:
        self.words[:5] = self.first

    @property
    def place(self) -> int:
        return self.words[3]
