"""Choosing who runs a search: the kernels compiled for a game, or the reference algorithms.

`choose` is the one door to compiled code. "auto" compiles where the rules allow it and otherwise says in one sentence why not;
"compiled" raises instead; "reference" asks nothing. Nothing here imports Numba before rules are compiled.
"""

import contextlib
import json
import sys
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal

from zermelo.engine.cache import Entry, fingerprint, load_module, open_entry
from zermelo.engine.layout import NotNumericError, pack, unpack
from zermelo.engine.program import Program
from zermelo.engine.source import one_at_a_time, place_of, plain_function
from zermelo.engine.writing import SELFCHECK, Facts, ModuleText, write_module
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Backend", "Choice", "Compiled", "choose"]

Backend = Literal["auto", "compiled", "reference"]
VERDICT = "verdict.json"
MOST_REMEMBERED = 256  # games of one process
ENGINE_FILES = (
    "atomics.py",
    "compiling.py",
    "diagnose.py",
    "emulation.py",
    "intrinsics.py",
    "memory.py",
    "pointers.py",
    "prefetching.py",
    "selfcheck.py",
    "word_types.py",
)


class Compiled:
    """The rules of one game as compiled code, and the way in and out of it."""

    def __init__(self, program: Program, facts: Facts) -> None:
        self.program, self.facts = program, facts
        self.words = program.state.words  # of a state
        self.texts: dict[str, ModuleText] = {}  # by family: written once
        self.modules: dict[str, Any] = {}
        self.compiled: set[str] = set()  # families whose kernels are ready

    def module(self, family: str) -> Any:
        """The generated module with the kernels of a family: `kernels/<family>.py` and this game's rules."""
        if family not in self.modules:
            self.modules[family] = load_module(self.entry(family))
        return self.modules[family]

    def ready(self, family: str) -> Any:
        """The same with its kernels compiled, or loaded from the cache, so that a clock started now measures the work alone."""
        module = self.module(family)
        if family not in self.compiled:
            for name, signature in module.SIGNATURES.items():
                getattr(module, name).compile(signature)
            self.compiled.add(family)
        return module

    def asking(self, *rules: str) -> "Compiled":
        """The same for a kernel that asks rules which others do without. Nothing has compared these with the interpreter yet."""
        return Compiled(Program(self.program.game, rules, self.program.without), self.facts)

    def entry(self, family: str) -> Entry:
        """The cache entry of a family."""
        return entry_of(self.program, family, self.text(family))

    def text(self, family: str) -> ModuleText:
        """The text of a family's module."""
        if family not in self.texts:
            self.texts[family] = write_module(self.program, family, None if family == SELFCHECK else self.facts)
        return self.texts[family]

    def row(self, state: State) -> "NDArray[np.int64]":
        """The state as a row of int64. Raises `RulesError` where a value does not fit."""
        import numpy as np

        return np.array(self.packed(state), dtype=np.int64)

    def packed(self, state: State) -> list[int]:
        """The same as a list."""
        try:
            return pack(state, self.program.state)
        except (OverflowError, TypeError) as error:
            raise RulesError(f"The state {state!r} does not fit compiled rules: {error}.") from None

    def state(self, row: Any) -> State:
        """The state in a row."""
        return unpack(row, self.program.state)


@dataclass(frozen=True)
class Choice:
    """Who runs a game's searches: compiled code where there is some, and sentences that the user should read."""

    compiled: Compiled | None
    notes: tuple[str, ...] = ()


def choose(game: Game, backend: Backend = "auto", spare: tuple[str, ...] = ()) -> Choice:
    """Compiled code for a game where the backend asks for it and the rules allow it.

    `spare` are optional rules that make the search at hand cheaper and never change what it finds: where one of them does not compile, the
    others are compiled without it, and a note says so. "compiled" raises `RulesError`, naming file, line and reason, where the rules do
    not compile.
    """
    if backend not in ("auto", "compiled", "reference"):
        raise ZermeloError(f"There is no backend {backend!r}: use auto, compiled or reference.")
    if backend == "reference":
        return Choice(None)
    try:
        return specialise(game)
    except NotNumericError as error:
        if error.plainly and backend == "auto":
            return Choice(None)
        refusal = RulesError(str(error), *place_of(plain_function(type(game).start)))
    except RulesError as error:
        refusal = error
    lesser = specialise_without(game, tuple(rule for rule in spare if callable(getattr(game, rule, None))), refusal)
    if lesser is not None:
        return lesser
    if backend == "compiled":
        raise refusal
    return Choice(None, (f"The reference engine runs this game, because its rules cannot be compiled faithfully: {refusal}.",))


@dataclass(frozen=True)
class Remembered:
    """What was found about a game's rules, in this process."""

    program: Program
    outcome: Choice | RulesError


found: dict[Game, Remembered] = {}  # the latest games, the oldest first
found_without: dict[tuple[Game, tuple[str, ...]], Remembered] = {}  # likewise, of games some of whose rules are left out


def specialise(game: Game) -> Choice:
    """Bind, compile and check a game's rules, or take what was found before: in this process, unless a name that the rules use has
    changed its meaning since, or in an earlier one."""
    if is_data(game):
        raise NotNumericError(f"a {type(game).__name__} is data, not rules", plainly=True)
    before = remembered(game)
    if before is None or not before.program.is_current():
        program = Program(game)
        before = Remembered(program, outcome_of(program))
        remember(game, before)
    if isinstance(before.outcome, RulesError):
        raise before.outcome.with_traceback(None)
    return before.outcome


def specialise_without(game: Game, spare: tuple[str, ...], refusal: RulesError) -> Choice | None:
    """Compiled code without one of these rules, or without all of them; None where others are to blame."""
    if not spare or is_data(game):
        return None
    everything = lesser(game, spare)
    if everything is None:
        return None
    singly = ((rule,) for rule in spare if len(spare) > 1)
    left_out, compiled = next(((few, found) for few in singly if (found := lesser(game, few)) is not None), (spare, everything))
    names = " and ".join(f"`{rule}`" for rule in left_out)
    return Choice(compiled, (f"The compiled search does without {names}, because it cannot be compiled faithfully: {refusal}.",))


def lesser(game: Game, without: tuple[str, ...]) -> Compiled | None:
    """The compiled game without these rules; None where that does not compile either."""
    before = None
    with contextlib.suppress(TypeError):  # not hashable
        before = found_without.get((game, without))
    if before is None or not before.program.is_current():
        try:
            program = Program(game, without=without)
        except (RulesError, NotNumericError):
            return None
        before = Remembered(program, outcome_of(program))
        with contextlib.suppress(TypeError):
            found_without[game, without] = before
            if len(found_without) > MOST_REMEMBERED:
                del found_without[next(iter(found_without))]
    return before.outcome.compiled if isinstance(before.outcome, Choice) else None


def is_data(game: Game) -> bool:
    """Is this a tree or a matrix? Their one set of rules reads a table of any size: there is nothing to specialise."""
    return any(base.__module__.startswith("zermelo.trees.") for base in type(game).__mro__)


def remembered(game: Game) -> Remembered | None:
    """What was found before about an equal game."""
    try:
        return found.get(game)
    except TypeError:  # not hashable
        return None


def remember(game: Game, finding: Remembered) -> None:
    """Keep what was found for equal games, of which the oldest is forgotten when there are many."""
    with contextlib.suppress(TypeError):  # not hashable
        found.pop(game, None)
        found[game] = finding
        if len(found) > MOST_REMEMBERED:
            del found[next(iter(found))]


def outcome_of(program: Program) -> Choice | RulesError:
    """Compiled code for bound rules, or why there is none."""
    written = write_module(program, SELFCHECK, None)
    entry = entry_of(program, SELFCHECK, written)
    try:
        facts = read_verdict(entry, written) or judge(program, entry, written)
    except RulesError as error:
        return error
    return Choice(Compiled(program, facts), (entry.note,) if entry.note else ())


@one_at_a_time
def judge(program: Program, entry: Entry, written: ModuleText) -> Facts:
    """Compile the rules, check them against the interpreter, and keep the verdict."""
    from zermelo.engine.diagnose import type_rules
    from zermelo.engine.selfcheck import check_rules

    try:
        module = load_module(entry)
        typed = type_rules(program, module, written)
        check_rules(program, module, typed)
    except RulesError as error:
        entry.write(refusal_file(written), json.dumps({"reason": error.reason, "file": error.file, "line": error.line}))
        raise
    entry.write(VERDICT, json.dumps(asdict(typed.facts)))
    return typed.facts


def read_verdict(entry: Entry, written: ModuleText) -> Facts | None:
    """What an earlier process found about this very text; None where none has. Raises `RulesError` where it refused the rules."""
    with contextlib.suppress(TypeError, ValueError):  # a damaged verdict is found again
        verdict = entry.read(VERDICT)
        if verdict is not None:
            return Facts(**json.loads(verdict))
        refusal = entry.read(refusal_file(written))
        if refusal is not None:
            raise RulesError(**json.loads(refusal))
    return None


def refusal_file(written: ModuleText) -> str:
    """A refusal names lines of the user's files: it holds as long as the rules stand on these lines."""
    return f"refusal-{fingerprint(repr(written.places))}.json"


def entry_of(program: Program, family: str, written: ModuleText) -> Entry:
    """The cache entry of a module."""
    return open_entry(type(program.game).__name__, family, written.text, fingerprint(written.text, engine_version()))


@cache
def engine_version() -> str:
    """A hash of what compiled code depends on beside its text: Python, Numba and the engine's own files."""
    folder = resources.files("zermelo.engine")
    texts = [folder.joinpath(name).read_text(encoding="utf-8") for name in ENGINE_FILES if folder.joinpath(name).is_file()]
    return fingerprint(sys.version, version("numba"), version("numpy"), *texts)
