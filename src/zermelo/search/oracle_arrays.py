"""An oracle's arrays for a kernel: which rules it asks for them, whether it numbers positions as the oracle does, and where they lie.

The kernel's part is `zermelo.search.oracle_kernel`; names in capitals are its own.
"""

from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.kernel import Kernel
from zermelo.rules import has
from zermelo.runtime.asking import random_sample
from zermelo.runtime.oracle import OracleArrays

__all__ = ["KNOWING", "Unsuited", "lay_down", "suits"]

KNOWING = {True: ("tier", "rank"), False: ("tier",)}  # by whether numbers are ranks: rules that a kernel asks to find them
POSITIONS = 60  # states whose numbers are compared
NO_TIER = -(1 << 62)


class Unsuited(Exception):  # noqa: N818 - a signal to the search, never an error that a user sees
    """The kernel cannot search this game, or with this oracle; another way must be found."""


def lay_down(oracle_arrays: OracleArrays, scores: list[int], sure: int, head: Any) -> tuple[Any, ...]:
    """Writes what the kernel is told about the oracle's arrays into a head; gives the arrays that must be kept as long as it runs.

    `scores` are those of the arrays in the search's unit, `sure` the flags of what the oracle says.
    """
    by_code, fields = np.array([0, *scores], np.int64), oracle_arrays.fields.array()
    numbers, slots = oracle_arrays.numbers, oracle_arrays.slots
    head.oracle, head.oracle_sure = True, sure
    head.folded, head.size = oracle_arrays.symmetric, oracle_arrays.size
    head.least_tier = NO_TIER if oracle_arrays.least_tier is None else oracle_arrays.least_tier
    head.codes, head.code_bytes = oracle_arrays.codes.ctypes.data, oracle_arrays.codes.dtype.itemsize
    head.numbers = 0 if numbers is None else numbers.ctypes.data
    head.slots, head.mask = (0, 0) if slots is None else (slots.ctypes.data, len(slots) - 1)
    head.scores, head.fields = by_code.ctypes.data, fields.ctypes.data
    return by_code, fields, oracle_arrays.codes, numbers, slots


def suits(compiled: CompiledGame, game: Any, kernel: Kernel, oracle_arrays: OracleArrays) -> None:
    """Raises `Unsuited` where the kernel does not number positions as the oracle does: states of random games, and some that it knows."""
    missing = (oracle_arrays.symmetric and not compiled.has("canonical")) or (oracle_arrays.size and not compiled.has("rank"))
    if compiled.backend != "compiled" or missing or (not oracle_arrays.size and oracle_arrays.layout != compiled.layout):
        raise Unsuited
    heads, scratch = kernel.OracleHead.array(1), np.zeros(kernel.SCRATCH, np.int64)
    kept = lay_down(oracle_arrays, [0] * len(oracle_arrays.scores), 0, heads[0])
    for state in (*random_sample(compiled, POSITIONS), *oracle_arrays.samples):
        early = oracle_arrays.least_tier is not None and has(game, "tier") and game.tier(state) < oracle_arrays.least_tier
        expected = None if early else oracle_arrays.number(state)
        if kernel.number_at(compiled.row(state), heads, scratch) != (kernel.NO_NUMBER if expected is None else expected):
            raise Unsuited
    del kept
