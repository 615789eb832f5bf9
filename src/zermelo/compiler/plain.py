"""Kernels as plain Python: the same text, run by the interpreter on interned states.

Every word of `runtime/vocabulary.py` is bound to the game's rules as they are written, so that a debugger stops in a kernel, coverage sees
its lines and a test can call one part of it: `plain_game(game).ready("alphabeta").above(1.0, 0, 0.5, 0)`.
"""

import ctypes
import struct
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from types import CodeType
from typing import Any

import numpy as np

from zermelo.compiler.faults import CAPACITY, Fault
from zermelo.compiler.interned_code import InternedProgram
from zermelo.compiler.interning import InternedGame, Tables, Unfit, exact_float
from zermelo.compiler.kernels import HUGE, PRIMITIVES, KernelProgram
from zermelo.compiler.records import Record
from zermelo.compiler.templates import template
from zermelo.errors import RulesError
from zermelo.rules import Game, State, chance_weights, default_cost, draw_value, payoff_vector, simple_payoff

__all__ = ["PlainGame", "ReferenceGame", "plain_game", "reference_game"]

WORD = (1 << 64) - 1
SIGN = 1 << 63


class PlainGame(InternedGame):
    """A game whose kernels run in Python, with the interface of `CompiledGame`."""

    backend = "plain"

    def ready(self, family: str) -> Any:
        """The kernels of a family, and its parts."""
        if self.made_for != self.growth.version:
            self.build()
        if family not in self.kernels:
            self.kernels[family] = PlainKernel(self, family)  # type: ignore[assignment]
        return self.kernels[family]

    module = ready


class ReferenceGame(PlainGame):
    """The reference backend: kernels in Python at the speed of Python's own objects, without a limit on the states they meet.

    Arrays of records hold Python objects, made when they are first asked for, and a row holds the state itself. `own` are words that
    take the place of a kernel's: what only Python can do.
    """

    backend = "reference"

    def __init__(self, game: Game, own: dict[str, Any] | None = None, asked: tuple[str, ...] = ()) -> None:
        super().__init__(game, None, asked)
        self.own = own or {}

    def kernel_program(self) -> InternedProgram:
        return ReferenceProgram(self.game, self.growth.layout, self.asked, self.growth.integer_payoffs)

    def row(self, state: State) -> Any:
        return [state]

    def state(self, row: Any) -> State:
        return row[0]


class ReferenceProgram(InternedProgram):
    """What kernels learn of a game, whose rules are asked directly: also those that tables have no room for."""

    def has(self, name: str) -> bool:
        return self.is_asked(name)


class ObjectRecord(Record):
    """A record whose arrays hold Python objects."""

    @classmethod
    def array(cls, count: int) -> Any:
        return Objects(cls.dtype, count)


class Objects(dict[int, Any]):
    """So many records as Python objects, all zero."""

    def __init__(self, kind: np.dtype[Any], count: int) -> None:
        self.count = count
        fields = {name: given[0] for name, given in (kind.fields or {}).items()}
        self.several = {name: [given.base.type(0).item()] * given.shape[0] for name, given in fields.items() if given.shape}
        self.kind = type("Object", (), {name: given.type(0).item() for name, given in fields.items() if not given.shape})

    def __len__(self) -> int:
        return self.count

    def __missing__(self, index: int) -> Any:
        if not 0 <= index < self.count:
            raise IndexError(index)
        made = self[index] = self.kind()
        for name, zeros in self.several.items():
            setattr(made, name, zeros.copy())
        return made


def reference_game(game: Game) -> ReferenceGame:
    """A game for the reference backend, kept for the next search."""
    try:
        return kept_game(game)
    except TypeError:  # no hash
        return ReferenceGame(game)


kept_game = lru_cache(maxsize=4)(ReferenceGame)


def plain_game(game: Game) -> PlainGame:
    """A game for kernels that run as plain Python."""
    return PlainGame(game)


class PlainKernel:
    """Every name of a template and of those that it imports from; what Python calls lets unsigned words wrap."""

    def __init__(self, game: PlainGame, family: str) -> None:
        program = game.kernel_program()
        program.integer_payoffs_known = program.integer_payoffs
        names = program.namespace(family)
        own = getattr(game, "own", None)
        words = (Words if own is None else DirectWords)(game.game, game.growth, program)
        names |= {name: getattr(words, name) for name in PRIMITIVES}
        if own is not None:
            names["Record"] = ObjectRecord
        for code in code_of(family):
            exec(code, names)
        names |= own or {}
        outside = {function.__name__ for function, role in program.roles.items() if role == "entry"}
        self.__dict__.update({name: wrapping(value) if name in outside else value for name, value in names.items() if name[:1] != "_"})

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"these kernels have no {name}")  # the rest is set above


@cache
def code_of(family: str) -> tuple[CodeType, ...]:
    """A family's template and those that it imports from, as Python has them."""
    return tuple(compile(tree, path, "exec") for tree, path in template(family))


def wrapping(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        try:
            with np.errstate(over="ignore"):
                return function(*arguments)
        except Unfit as error:
            raise RulesError(str(error)) from None

    return call


class Words:
    """The words of kernels, answered by a game's rules. A state is itself; a row holds its number."""

    def __init__(self, game: Any, tables: Tables, program: KernelProgram) -> None:
        self.game, self.tables, self.program = game, tables, program
        self.intern, self.word = tables.intern, tables.word

    # --- rules

    def decode(self, row: Any, at: int = 0) -> State:
        return self.tables.states[int(row[at])]

    def encode(self, state: State, row: Any, at: int = 0) -> None:
        row[at] = self.intern(state)

    def start(self) -> State:
        return self.game.start()

    def player(self, state: State) -> int:
        return int(self.game.player(state))

    def terminal(self, state: State) -> bool:
        return bool(self.game.terminal(state))

    def actions(self, state: State) -> Iterator[int]:
        return map(self.word, self.game.actions(state))

    def candidates(self, state: State) -> Iterator[int]:
        return map(self.word, self.game.candidates(state)) if self.program.has("candidates") else self.actions(state)

    def chances(self, state: State) -> Iterator[tuple[int, float]]:
        outcomes = chance_weights(self.game, state) if self.program.has("chances") else ()
        return ((self.word(action), exact_float(weight)) for action, weight in outcomes)

    def result(self, state: State, action: int) -> State:
        return self.game.result(state, self.tables.action(int(action)))

    def list_actions(self, state: State, row: Any, at: int, last: int) -> int:
        return self.listed(self.actions(state), row, at, last)

    def list_candidates(self, state: State, row: Any, at: int, last: int) -> int:
        return self.listed(self.candidates(state), row, at, last)

    def listed(self, words: Iterator[int], row: Any, at: int, last: int) -> int:
        for word in words:
            if at <= last:
                row[at] = word
            at += 1
        return at

    # --- payoffs

    def payoff(self, payoff: Any) -> Any:
        if not self.program.integer_payoffs_known:
            return exact_float(payoff)
        if not isinstance(payoff, int):  # kernels for floats take over
            self.tables.integer_payoffs = False
            self.tables.version += 1
            raise Fault(CAPACITY).within(self.tables, None)
        return payoff

    def max_payoff(self, state: State) -> Any:
        return self.payoff(simple_payoff(self.game, state))

    def evaluate(self, state: State) -> Any:
        found = self.game.evaluate(state) if self.program.has("evaluate") else draw_value(self.game)
        return self.payoff(self.first_payoff(found))

    def payoffs(self, state: State) -> tuple[float, ...]:
        return tuple(map(exact_float, self.tables.vector(payoff_vector(self.game, state))))

    def estimates(self, state: State) -> tuple[float, ...]:
        if not self.program.has("evaluate"):
            return self.payoffs(state)
        found = self.game.evaluate(state)
        if not isinstance(found, tuple):
            found = (found,) if self.game.players == 1 else (found, (self.game.total or 0) - found)
        return tuple(map(exact_float, self.tables.vector(found)))

    def first_payoff(self, value: Any) -> Any:
        return value[0] if isinstance(value, tuple) else value

    # --- optional rules, each with what changes nothing where the game lacks it

    def optional(self, rule: str, otherwise: Any, *arguments: Any) -> Any:
        return getattr(self.game, rule)(*arguments) if self.program.has(rule) else otherwise

    def order(self, state: State, action: int) -> int:
        return int(self.optional("order", 0, state, self.tables.action(int(action))))

    def bounds(self, state: State) -> Any:
        return self.optional("bounds", (-HUGE, HUGE), state)

    def cost(self, state: State, action: int) -> float:
        return exact_float(self.optional("cost", default_cost(self.game), state, self.tables.action(int(action))))

    def heuristic(self, state: State) -> float:
        return exact_float(self.optional("heuristic", 0, state))

    def canonical(self, state: State) -> Any:
        return self.optional("canonical", (state, 0), state)

    def image(self, action: int, symmetry: int) -> int:
        return self.word(self.game.image(self.tables.action(int(action)), int(symmetry))) if self.program.has("image") else action

    def quiet(self, state: State) -> bool:
        return bool(self.optional("quiet", True, state))

    def passed(self, state: State) -> State:
        return self.optional("passed", state, state)

    def tier(self, state: State) -> int:
        return int(self.optional("tier", 0, state))

    def rank(self, state: State) -> int:
        return int(self.optional("rank", 0, state))

    def unrank(self, number: int) -> State:
        return self.game.unrank(int(number)) if self.program.has("unrank") else self.start()

    def rest(self, state: State) -> Any:
        return self.optional("rest", (state, 0.0), state)

    def features(self, state: State) -> tuple[float, ...]:
        return tuple(map(float, self.optional("features", (0.0,), state)))

    # --- rows

    def list_fields(self, state: State, row: Any, at: int) -> None:
        self.encode(state, row, at)

    def state_of_fields(self, row: Any, at: int) -> State:
        return self.decode(row, at)

    def encode_key(self, state: State, row: Any, at: int = 0) -> None:
        rule = self.program.identifying
        row[at] = self.intern(state) if rule is None else self.tables.number_of((rule, getattr(self.game, rule)(state)))

    def encode_information(self, state: State, player: int, row: Any, at: int = 0) -> None:
        hidden = self.program.has("information")
        row[at] = self.tables.number_of(("information", self.game.information(state, int(player)))) if hidden else self.intern(state)

    def store_numbers(self, values: Any, row: Any, at: int) -> int:
        row[at : at + len(values)] = values
        return len(values)

    # --- numbers

    as_float, as_bool = float, bool

    def as_int(self, value: Any) -> int:
        return (int(value) + SIGN & WORD) - SIGN

    def as_u64(self, value: Any) -> Any:
        return np.uint64(int(value) & WORD)

    def popcount(self, word: Any) -> int:
        return (int(word) & WORD).bit_count()

    def bit_length(self, word: Any) -> int:
        return int(word).bit_length()

    def real_of(self, word: int) -> float:
        return float(struct.unpack("<d", struct.pack("<q", int(word)))[0])

    def add_scaled(self, target: Any, source: Any, at: int, width: int, amount: float) -> None:
        target[:width] += np.float32(amount) * source[at : at + width]

    # --- memory

    def byte_at(self, address: int) -> int:
        return ctypes.c_uint8.from_address(int(address)).value

    def short_at(self, address: int) -> int:
        return ctypes.c_uint16.from_address(int(address)).value

    def int_at(self, address: int) -> int:
        return ctypes.c_int32.from_address(int(address)).value

    def word_at(self, address: int) -> int:
        return ctypes.c_int64.from_address(int(address)).value

    def words_of(self, array: Any) -> Any:
        return array

    def prefetch(self, array: Any, index: int) -> None:
        """Nothing to do here."""

    def atomic_add(self, array: Any, index: int, amount: Any) -> Any:
        before = array[index]
        array[index] += amount
        return before

    atomic_add_real = atomic_add

    def atomic_claim(self, array: Any, index: int, free: int, taken: int) -> bool:
        mine = bool(array[index] == free)
        if mine:
            array[index] = taken
        return mine

    def atomic_store(self, array: Any, index: int, value: int) -> None:
        array[index] = value

    atomic_release = atomic_store

    def atomic_load(self, array: Any, index: int) -> Any:
        return array[index]


class DirectWords(Words):
    """The same where a row holds the state itself."""

    def decode(self, row: Any, at: int = 0) -> State:
        return row[at]

    def encode(self, state: State, row: Any, at: int = 0) -> None:
        row[at] = state

    def payoff(self, payoff: Any) -> Any:
        return payoff if isinstance(payoff, int) else exact_float(payoff)

    def encode_key(self, state: State, row: Any, at: int = 0) -> None:
        rule = self.program.identifying
        row[at] = self.tables.number_of((rule, state if rule is None else getattr(self.game, rule)(state)))

    def encode_information(self, state: State, player: int, row: Any, at: int = 0) -> None:
        hidden = self.program.has("information")
        row[at] = self.tables.number_of(("information", self.game.information(state, int(player)) if hidden else state))
