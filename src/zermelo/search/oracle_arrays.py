"""An oracle's arrays for a kernel: which rules it asks for them, whether it numbers positions as the oracle does, and where they lie.

The kernel's part is `zermelo.search.oracle_kernel`; names in capitals are its own.
"""

from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.kernel import Kernel
from zermelo.engine.asking import random_sample
from zermelo.engine.oracle import OracleArrays
from zermelo.rules import has

__all__ = ["KNOWING", "Unsuited", "lay_down", "suits"]

KNOWING = {True: ("tier", "rank"), False: ("tier",)}  # by whether numbers are ranks: rules that a kernel asks to find them
POSITIONS = 60  # states whose numbers are compared
NO_TIER = -(1 << 62)


class Unsuited(Exception):  # noqa: N818 - a signal to the search, never an error that a user sees
    """The kernel cannot search this game, or with this oracle; another way must be found."""


def lay_down(kernel: Kernel, oracle_arrays: OracleArrays, scores: list[int], sure: int, at: int, work: Any) -> tuple[Any, ...]:
    """Writes what the kernel is told about the oracle_arrays to work[at] …; gives the arrays that must be kept as long as it runs.

    `scores` are those of the oracle_arrays in the search's unit, `sure` the flags of what the oracle says.
    """
    by_code, fields = np.array([0, *scores], np.int64), oracle_arrays.fields.array()
    arrays = (by_code, fields, oracle_arrays.codes, oracle_arrays.numbers, oracle_arrays.slots)
    words = {
        "KNOWN_SURE": sure,
        "KNOWN_FOLDED": int(oracle_arrays.symmetric),
        "KNOWN_SIZE": oracle_arrays.size,
        "KNOWN_TIER": NO_TIER if oracle_arrays.least_tier is None else oracle_arrays.least_tier,
        "KNOWN_CODES": oracle_arrays.codes.ctypes.data,
        "KNOWN_CODE_BYTES": oracle_arrays.codes.dtype.itemsize,
        "KNOWN_NUMBERS": 0 if oracle_arrays.numbers is None else oracle_arrays.numbers.ctypes.data,
        "KNOWN_SLOTS": 0 if oracle_arrays.slots is None else oracle_arrays.slots.ctypes.data,
        "KNOWN_MASK": 0 if oracle_arrays.slots is None else len(oracle_arrays.slots) - 1,
        "KNOWN_SCORES": by_code.ctypes.data,
        "KNOWN_FIELDS": fields.ctypes.data,
    }
    for name, value in words.items():
        work[at + getattr(kernel, name)] = value
    return arrays


def suits(compiled: CompiledGame, game: Any, kernel: Kernel, oracle_arrays: OracleArrays) -> None:
    """Raises `Unsuited` where the kernel does not number positions as the oracle does: states of random games, and some that it knows."""
    missing = (oracle_arrays.symmetric and not compiled.has("canonical")) or (oracle_arrays.size and not compiled.has("rank"))
    if compiled.backend != "compiled" or missing or (not oracle_arrays.size and oracle_arrays.layout != compiled.layout):
        raise Unsuited
    at, scratch = compiled.words, compiled.words + kernel.KNOWN_WORDS
    work = np.zeros(scratch + kernel.SCRATCH, np.int64)
    kept = lay_down(kernel, oracle_arrays, [0] * len(oracle_arrays.scores), 0, at, work)
    for state in (*random_sample(compiled, POSITIONS), *oracle_arrays.samples):
        work[:at] = compiled.row(state)
        early = oracle_arrays.least_tier is not None and has(game, "tier") and game.tier(state) < oracle_arrays.least_tier
        expected = None if early else oracle_arrays.number(state)
        if kernel.number_at(0, at, scratch, work) != (kernel.NO_NUMBER if expected is None else expected):
            raise Unsuited
    del kept
