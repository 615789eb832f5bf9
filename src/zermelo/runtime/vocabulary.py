# These are names without a body: every game has its own.
# mypy: disable-error-code="empty-body"
"""The words of kernel templates: every name that a generated module defines for every game.

A template imports what it uses from here, so that a reader, `ruff` and `mypy` know the names; when a module is generated, that import is
dropped and the game's own definitions stand in its place. A template has one game's rules as plain functions, whatever the game: where it
lacks a rule, a stand-in gives what changes nothing.

A template's functions that Python calls are `@entry`, those that call themselves `@kernel`; the rest are `@part` or `@routine`. Types are
written as annotations. Fields of memory that a kernel shares with Python are records (`zermelo.compiler.records`).

A template is a file `<family>_kernel.py` beside its algorithm. One that imports from another gets its whole text in front of its own.

States cross into kernels as rows (`decode`) and come out as rows (`encode`); arrays are made in Python and passed in.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from zermelo.compiler.records import (
    Array,
    Int8,
    Int16,
    Int32,
    Ints,
    Ints8,
    Ints16,
    Ints32,
    Real32,
    Reals,
    Reals32,
    Record,
    ints,
    reals,
)
from zermelo.scores import LONGEST, UNIT

__all__ = [
    "CHANCE",
    "DRAW",
    "DRAW_PAYOFF",
    "FIELDS",
    "HAS_BOUNDS",
    "HAS_CANDIDATES",
    "HAS_CANONICAL",
    "HAS_CHANCES",
    "HAS_EVALUATE",
    "HAS_FEATURES",
    "HAS_IMAGE",
    "HAS_INFORMATION",
    "HAS_KEY",
    "HAS_ORDER",
    "HAS_PASSED",
    "HAS_QUIET",
    "HAS_RANK",
    "HAS_REST",
    "HAS_TIER",
    "HUGE",
    "INFORMATION",
    "INTEGER_PAYOFFS",
    "KEY",
    "LONGEST",
    "PLAYERS",
    "TOTAL",
    "UNIT",
    "WORDS",
    "Array",
    "Int8",
    "Int16",
    "Int32",
    "Ints",
    "Ints8",
    "Ints16",
    "Ints32",
    "Real32",
    "Reals",
    "Reals32",
    "Record",
    "Row",
    "State",
    "actions",
    "add_scaled",
    "as_bool",
    "as_float",
    "as_int",
    "as_u64",
    "atomic_add",
    "atomic_add_real",
    "atomic_claim",
    "atomic_load",
    "atomic_release",
    "atomic_store",
    "bit_length",
    "bounds",
    "byte_at",
    "candidates",
    "canonical",
    "chances",
    "cost",
    "decode",
    "encode",
    "encode_information",
    "encode_key",
    "entry",
    "estimates",
    "evaluate",
    "features",
    "first_payoff",
    "heuristic",
    "image",
    "information",
    "int_at",
    "ints",
    "kernel",
    "key",
    "list_actions",
    "list_candidates",
    "list_fields",
    "math",
    "max_payoff",
    "np",
    "order",
    "part",
    "passed",
    "payoffs",
    "player",
    "popcount",
    "prefetch",
    "quiet",
    "rank",
    "real_of",
    "reals",
    "rest",
    "result",
    "routine",
    "short_at",
    "start",
    "state_of_fields",
    "store",
    "store_numbers",
    "terminal",
    "tier",
    "unrank",
    "utility",
    "word_at",
    "words_of",
]

State = Any  # a state of the game as compiled code has it
Row = Any  # int64[::1]
Function = TypeVar("Function", bound=Callable[..., Any])

WORDS: int  # words of a state in a row
FIELDS: int  # numbers that a state is made of
PLAYERS: int
CHANCE: int
TOTAL: float  # 0 where the sum is general
DRAW: float  # the payoff that is neither a win nor a loss
DRAW_PAYOFF: Any  # the same, int64 where INTEGER_PAYOFFS
HUGE: int  # beyond every packed score
INTEGER_PAYOFFS: bool  # `max_payoff` and `evaluate` give int64, otherwise float64
KEY: int  # words of a key; those of the state where the game gives no key
INFORMATION: int  # words of what a player knows; those of the state where the game hides nothing
HAS_EVALUATE: bool
HAS_ORDER: bool
HAS_BOUNDS: bool
HAS_CANDIDATES: bool
HAS_KEY: bool
HAS_CHANCES: bool
HAS_INFORMATION: bool
HAS_CANONICAL: bool  # this and the next three: only where the kernel's program was told to ask
HAS_IMAGE: bool
HAS_QUIET: bool
HAS_PASSED: bool
HAS_TIER: bool  # this and the next three in the same way
HAS_RANK: bool
HAS_REST: bool
HAS_FEATURES: bool


def kernel(function: Function) -> Function:
    """A function that calls itself: compiled once and called."""
    return function


def entry(function: Function) -> Function:
    """A function that Python calls: its parameters are `int`, `float`, `Ints`, `Reals`, … or `Array[SomeRecord]`."""
    return function


def part(function: Function) -> Function:
    """A piece of a kernel, compiled into the place of its call, without checks of indices."""
    return function


def routine(function: Function) -> Function:
    """A large piece of a kernel, compiled once and called, without checks of indices."""
    return function


def decode(row: Row, at: int = 0) -> State:
    """The state whose words begin at row[at]."""


def encode(state: State, row: Row, at: int = 0) -> None:
    """Write a state to row[at], row[at + 1], …"""


def start() -> State:
    """The state in which the game begins."""


def player(state: State) -> int:
    """Who moves, as int64; CHANCE where nobody does."""


def actions(state: State) -> Iterator[int]:
    """The legal actions, as int64."""


def result(state: State, action: int) -> State:
    """The state after an action."""


def terminal(state: State) -> bool:
    """Is the game over?"""


def utility(state: State) -> Any:
    """What the rules give, as they give it: prefer `max_payoff` and `payoffs`."""


def max_payoff(state: State) -> Any:
    """Max's payoff at the end: int64 where INTEGER_PAYOFFS, otherwise float64."""


def payoffs(state: State) -> tuple[float, ...]:
    """The payoff of every player at the end, as PLAYERS floats."""


def evaluate(state: State) -> Any:
    """Max's estimated payoff, in the type of `max_payoff`; the draw where the game gives none."""


def estimates(state: State) -> tuple[float, ...]:
    """The estimated payoff of every player, as PLAYERS floats; without meaning where not HAS_EVALUATE."""


def order(state: State, action: int) -> int:
    """Larger is tried first; 0 where the game does not say."""


def bounds(state: State) -> tuple[int, int]:
    """Proven packed scores, as `zermelo.scores.score` makes them; -HUGE and HUGE where the game does not say."""


def candidates(state: State) -> Iterator[int]:
    """Actions among which a best one is; all of them where the game does not say."""


def list_actions(state: State, row: Row, at: int, last: int) -> int:
    """Writes the legal actions to row[at], row[at + 1], …, none beyond row[last]; gives where they end, or would."""


def list_candidates(state: State, row: Row, at: int, last: int) -> int:
    """The same for `candidates`."""


def chances(state: State) -> Iterator[tuple[int, float]]:
    """What chance may do, each with its weight as the rules give it, not normalised; nothing where the game has no chance."""


def cost(state: State, action: int) -> float:
    """What an action costs a single player, as float64; 1 where the game does not say."""


def heuristic(state: State) -> float:
    """A lower bound on a single player's cost to go, as float64; 0 where the game does not say."""


def canonical(state: State) -> tuple[State, int]:
    """The state that this one is alike to, and how; itself where the game does not say, or the kernel's program was not told to ask."""


def image(action: int, symmetry: int) -> int:
    """The action of the canonical state that corresponds to this one."""


def quiet(state: State) -> bool:
    """May the state be judged by `evaluate`?"""


def passed(state: State) -> State:
    """The state if whoever moves did nothing; the state itself where that must not be assumed."""


def tier(state: State) -> int:
    """Progress that never goes back, as int64; 0 where the game does not say, or the kernel's program was not told to ask."""


def rank(state: State) -> int:
    """The state's number below the game's size, as int64; 0 where the kernel's program was not told to ask."""


def unrank(number: int) -> State:
    """The state with this number."""


def rest(state: State) -> tuple[State, float]:
    """The state without what is decided of Max's payoff, and this, as float64; the state and 0 where the program was not told to ask."""


def features(state: State) -> tuple[float, ...]:
    """Numbers that say how Max stands, always as many; one 0 where the kernel's program was not told to ask. See `store_numbers`."""


def key(state: State) -> Any:
    """A number or tuple that is equal exactly when the states are; the state where the game gives none. See `encode_key`."""


def list_fields(state: State, row: Row, at: int) -> None:
    """Writes the FIELDS numbers that a state is made of to row[at], row[at + 1], …"""


def state_of_fields(row: Row, at: int) -> State:
    """The state that is made of these numbers."""


def encode_key(state: State, row: Row, at: int = 0) -> None:
    """Write the KEY words of a state's key."""


def information(state: State, player: int) -> Any:
    """What a player knows; the state where the game hides nothing. See `encode_information`."""


def encode_information(state: State, player: int, row: Row, at: int = 0) -> None:
    """Write the INFORMATION words of what a player knows."""


def store(value: Any, row: Row, at: int) -> int:
    """Write a number or a tuple of numbers to row[at], …; gives how many words that were."""


def store_numbers(values: Any, row: Row, at: int) -> int:
    """Write a tuple of numbers as floats to row[at], … of an array of floats; gives how many there are."""


def first_payoff(value: Any) -> Any:
    """The first item of a tuple; a number as it is."""


def as_int(value: Any) -> int:
    """A whole number as int64."""


def as_float(value: Any) -> float:
    """A number as float64."""


def as_bool(value: Any) -> bool:
    """A whole number as a truth value."""


def as_u64(value: Any) -> Any:
    """A whole number as an unsigned word of 64 bits."""


def bit_length(word: Any) -> int:
    """How many bits a number has without leading zeros."""


def popcount(word: Any) -> int:
    """How many bits are set."""


# --- shared arrays, memory by address


def atomic_add(array: Row, index: int, amount: Any) -> int:
    """Adds to a whole number that other threads may change too; gives what was there before."""


def atomic_add_real(array: Row, index: int, amount: float) -> float:
    """Adds to a float in the same way."""


def atomic_claim(array: Row, index: int, free: int, taken: int) -> bool:
    """Writes `taken` where the array has `free`; tells whether it did, and so whether no other thread was faster."""


def atomic_store(array: Row, index: int, value: int) -> None:
    """Writes a whole number after everything that this thread wrote before."""


def atomic_release(array: Row, index: int, value: int) -> None:
    """As `atomic_store`, without waiting until others can see it: the end of what one thread does alone."""


def atomic_load(array: Row, index: int) -> int:
    """A whole number of the array as it is now."""


def byte_at(address: int) -> int:
    """The byte at an address. Whoever gives a kernel an address keeps the memory alive; nothing checks it."""


def short_at(address: int) -> int:
    """The two bytes at an address, unsigned."""


def int_at(address: int) -> int:
    """The four bytes at an address, signed."""


def word_at(address: int) -> int:
    """The eight bytes at an address, signed."""


def words_of(array: Row) -> Row:
    """The words of an array of int64, as a recursive kernel takes them."""


def prefetch(array: Row, index: int) -> None:
    """Tells the processor that array[index] will be asked for soon."""


def real_of(word: int) -> float:
    """The float with the bits of this word."""


def add_scaled(target: Row, source: Row, at: int, width: int, amount: float) -> None:
    """target[j] += amount * source[at + j] for all j below `width`, in the arrays' own precision, float32."""
