"""Compiled rules as Python functions on ordinary objects: for checks, and wherever a rule is asked one state at a time."""

import ctypes
import math
import threading
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.compiler.content import OPTIONAL, RULES, Content
from zermelo.compiler.faults import ARENA, CAPACITY, OVERFLOW, Fault, Unsupported
from zermelo.compiler.kept import KeptProgram, data_of
from zermelo.compiler.layout import TooLargeError, decode, encode
from zermelo.compiler.machine import LARGEST_ARENA, QUICK, Code, Context, name_of, quick_code
from zermelo.compiler.types import FLOAT, WIDEST, Type
from zermelo.errors import RulesError
from zermelo.rules import Game

if TYPE_CHECKING:
    from zermelo.compiler.program import Program

__all__ = ["CompiledRules", "compile_rules"]

ROOMIEST = 1 << 12  # times what the samples needed
LONG = 400_000  # characters of LLVM text from which on rules are compiled once, apart from kernels
LEVEL = 1  # of optimisation
LONGEST_GROWTH = 30  # seconds of processor time, after which the rules are not made again
SIGNATURES = {
    "player": (2, ""),
    "terminal": (2, ""),
    "utility": (2, ""),
    "result": (3, "spo"),
    "information": (3, ""),
    "actions": (4, ""),
    "chances": (5, ""),
}


class CompiledRules:
    """The rules of one game as machine code. Raises `Unsupported` where they do not compile; a call may raise `Fault`."""

    def __init__(self, game: Game, layout: Type | None = None, kept: dict[str, Any] | None = None, content: Content | None = None) -> None:
        self.game, self.room, self.arena = game, 1, 1 << 22
        self.layout = layout  # of states; None: as samples have it
        self.wide: dict[tuple[str, int, int], int] = {}
        self.seen: list[Any] = []
        self.spent = 0.0
        self.codes: list[Code] = []
        self.optimising = threading.Lock()
        if kept is not None and content is not None:
            self.restore(kept, content)
        else:
            self.build()

    def restore(self, kept: dict[str, Any], content: Content) -> None:
        """Stand for the rules of an earlier process; their code is loaded when it is asked for."""
        self.room, self.arena = kept["room"], kept["arena"]
        self.wide = {tuple(place): bits for place, bits in kept["wide"]}
        self.program: Any = KeptProgram(self.game, kept, content)
        self.text_hash, self.long = kept["text"], kept["long"]

    def data(self, content: Content) -> dict[str, Any] | None:
        """What `restore` needs; None where there is no plain form of it."""
        found = data_of(self.program, content)
        own = {"arena": self.arena, "wide": list(self.wide.items()), "text": self.text_hash, "long": self.long}
        return None if found is None else found | own

    @property
    def is_whole(self) -> bool:
        return not isinstance(self.program, KeptProgram)

    def whole(self) -> "Program":
        """The program that more code can be written for."""
        if not self.is_whole:
            self.build(self.program)
        return self.program  # type: ignore[no-any-return]

    @cached_property
    def code(self) -> Code:
        code = Code.kept(self.text_hash, (LEVEL, QUICK)) if not self.is_whole else None
        return self.linked(code or quick_code(self.whole().module.text(), LEVEL))

    def linked(self, code: Code) -> Code:
        """The code, which stays for as long as kernels may call it, also where there is better code by then."""
        self.codes.append(code)
        return code

    @cached_property
    def context(self) -> Context:
        return Context(self.arena)

    @cached_property
    def functions(self) -> dict[str, Any]:
        count = {"player": 3, "terminal": 3, "utility": 3, "result": 4, "information": 4, "actions": 5, "chances": 6}
        return {
            name: ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count[name])(self.code.address(f"rule_{name}"))
            for name in rules_of(self.program)
        }

    def build(self, like: KeptProgram | None = None) -> None:
        """Translate; where that fails, the code that was there stays."""
        from zermelo.compiler.program import Program

        begun = time.thread_time()
        program = Program(self.game, self.room, self.wide, self.seen, self.layout, like)
        names = rules_of(program)
        obstacles = program.write_rules(names)
        if obstacles:
            more = program.write_rules([name for name in OPTIONAL if name not in names and program.has(name)])
            raise explained(obstacles | more)
        text = program.module.text()
        try:
            code = self.linked(quick_code(text, LEVEL))
        except RuntimeError as error:
            raise Unsupported("the rules have no compiled form") from error
        self.program, self.code, self.context = program, code, Context(self.arena)
        self.text_hash, self.long = name_of(text), len(text) >= LONG
        self.__dict__.pop("functions", None)
        self.spent += time.thread_time() - begun

    def shared(self) -> str:
        """How the names of long rules begin under which kernels call them; "" for short ones, which become part of the kernels."""
        if not self.long:
            return ""
        begin = f"rules_{self.fingerprint()[:16]}_"
        for name in self.functions:
            self.code.share(f"rule_{name}", begin + name)
        return begin

    def optimise(self) -> None:
        """Optimise long rules; kernels that are linked from now on call the new code."""
        with self.optimising:
            text = self.whole().module.text() if self.long and self.code.level == QUICK else ""
            if name_of(text) == self.text_hash:
                self.code = self.linked(Code(text, LEVEL))
                self.shared()

    def fingerprint(self) -> str:
        """A hash of the compiled rules."""
        return name_of("checked " + self.text_hash)

    # --- one call

    def ask(self, name: str, state: Any, prepare: Any, finish: Any) -> Any:
        """Run a rule; where its room was too small, make more and run it again."""
        while True:
            try:
                room = ctypes.create_string_buffer(encode(state, self.program.state).ljust(8, b"\0"))
                status = self.functions[name](self.context.pointer, ctypes.addressof(room), *prepare())
            except TooLargeError:
                self.grow(CAPACITY, None, state)
                continue
            if status == 0:
                return finish()
            place = self.program.module.places[self.context.place]
            self.context.reset()
            self.grow(status, place, state)

    def grow(self, status: int, place: tuple[str, int, int] | None, state: Any) -> None:
        """Make the code again with more room of the kind that was short; raises `Fault` where that is no help."""
        where = place[:2] if place else None
        self.context.reset()
        if self.spent > LONGEST_GROWTH:
            raise Fault(status, where)
        if status == OVERFLOW and place is not None and self.wide.get(place, 64) < WIDEST:
            self.wide[place] = 2 * self.wide.get(place, 64)
            if self.is_whole and place not in self.program.module.places:
                return  # a rule that only kernels ask
        elif status == CAPACITY and self.room < ROOMIEST and self.layout is None:
            self.room *= 2
            self.seen += [state] if state is not None else []
        elif status == ARENA and self.arena < LARGEST_ARENA:
            self.arena *= 8
        else:
            raise Fault(status, where)
        try:
            self.build()
        except (Unsupported, MemoryError):
            self.spent = math.inf
            raise Fault(status, where) from None

    def number(self, name: str, state: Any) -> int:
        out = ctypes.c_int64()
        return int(self.ask(name, state, lambda: (ctypes.addressof(out),), lambda: out.value))

    # --- the rules

    def player(self, state: Any) -> int:
        return self.number("player", state)

    def terminal(self, state: Any) -> bool:
        return self.number("terminal", state) != 0

    def code_of(self, action: Any) -> int:
        """An action as one word."""
        if self.program.plain_actions:
            if type(action) is not int or not -(1 << 63) <= action < 1 << 63:
                raise TooLargeError
            return action
        return int.from_bytes(encode(action, self.program.action).ljust(8, b"\0"), "little", signed=True)

    def action_of(self, word: int) -> Any:
        if self.program.plain_actions:
            return word
        return decode((word & (1 << 64) - 1).to_bytes(8, "little"), self.program.action)

    def result(self, state: Any, action: Any) -> Any:
        out: list[Any] = [None]

        def prepare() -> tuple[int, int]:
            out[0] = ctypes.create_string_buffer(8 * self.program.words)
            return self.code_of(action), ctypes.addressof(out[0])

        return self.ask("result", state, prepare, lambda: self.decoded(out[0].raw))

    def decoded(self, data: bytes) -> Any:
        """The state that bytes stand for. Kernels compare states by their bytes, so a state has one form only."""
        state = decode(data, self.program.state)
        if encode(state, self.program.state).ljust(len(data), b"\0") != data:
            raise RulesError(f"compiled rules write {state!r} in another form: please report this")
        return state

    def utility(self, state: Any) -> Any:
        out = (ctypes.c_double * max(self.program.players, 2))()

        def finish() -> Any:
            kinds = self.program.payoff_types
            values = [value if kind == FLOAT else int(value) for value, kind in zip(out, kinds, strict=False)]
            return values[0] if len(kinds) == 1 else tuple(values)

        return self.ask("utility", state, lambda: (ctypes.addressof(out),), finish)

    def actions(self, state: Any) -> list[Any]:
        return [self.action_of(word) for word, _ in self.listed("actions", state)]

    def chances(self, state: Any) -> list[tuple[Any, float]]:
        return [(self.action_of(word), weight) for word, weight in self.listed("chances", state)]

    def listed(self, name: str, state: Any, room: int = 512) -> list[tuple[int, float]]:
        out, weights, count = (ctypes.c_int64 * room)(), (ctypes.c_double * room)(), ctypes.c_int64()
        second = (ctypes.addressof(weights),) if name == "chances" else ()
        self.ask(name, state, lambda: (ctypes.addressof(out), *second, room, ctypes.addressof(count)), lambda: None)
        if count.value > room:
            return self.listed(name, state, count.value)
        return [(out[number], weights[number]) for number in range(count.value)]

    def information(self, state: Any, player: int) -> Any:
        from zermelo.compiler.layout import flat_size

        out: list[Any] = [None]

        def prepare() -> tuple[int, int]:
            out[0] = ctypes.create_string_buffer(flat_size(self.program.information) + 8)
            return player, ctypes.addressof(out[0])

        return self.ask("information", state, prepare, lambda: decode(out[0].raw, self.program.information))


def rules_of(program: Any) -> list[str]:
    return [*RULES[:5], *(name for name in ("chances", "information") if program.has(name))]


def explained(obstacles: dict[str, Unsupported]) -> RulesError:
    """All that stands in the way, in one error."""
    distinct: dict[str, Unsupported] = {}
    for reason in obstacles.values():
        distinct.setdefault(str(reason), reason)
    first = next(iter(distinct.values()))
    if len(distinct) == 1:
        return first
    rest = "; ".join(str(reason) for reason in list(distinct.values())[1:])
    return Unsupported(f"{first.reason}; {rest}", first.file, first.line)


def compile_rules(game: Game) -> CompiledRules:
    """Compile the rules of a game.

    Raises
    ------
    RulesError
        If the rules do something that has no compiled form; every obstacle is named with its line.
    """
    return CompiledRules(game)
