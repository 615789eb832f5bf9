"""One program, played by the interpreter and by compiled code."""

import contextlib
import importlib.util
import linecache
import signal
import sys
import tempfile
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from zermelo.errors import RulesError
from zermelo.rules import Game

Maker = Callable[[Game], tuple[Any, type[Exception]]]  # a game → its rules, and what they raise at a fault
PATIENCE = 60  # seconds of processor time for one program


@dataclass(frozen=True)
class Outcome:
    """What became of a program.

    kind: "agrees"; "raises" (both do); "refused" (does not compile); "faults" (compiled code hands over, the interpreter has a value);
    "types" (equal numbers, but a bool, int or float became another); "unfit" (the interpreter cannot even begin); "wrong" and "crash"
    are differences.
    """

    kind: str
    detail: str = ""
    states: int = 0

    @property
    def symptom(self) -> tuple[str, str]:
        """What must stay while a program is made smaller: the kind, and the rule or error that shows it."""
        return self.kind, self.detail.split("(")[0].split(":")[0]

    @property
    def bad(self) -> bool:
        return self.kind in ("wrong", "crash")


class Endless(Exception):
    """The interpreter itself takes too long: the program is no test."""


class Interpreted:
    """Rules that are not compiled, in the place of compiled ones: for testing the fuzzer itself."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def actions(self, state: Any) -> list[Any]:
        return list(self.game.actions(state))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


def interpreted(game: Game) -> tuple[Any, type[Exception]]:
    """A maker that makes nothing."""
    return Interpreted(game), RulesError


def exact(value: Any) -> Any:
    """A value that is equal to another exactly when both look the same: types, signs of zero and NaN included."""
    if isinstance(value, (set, frozenset)):
        return (type(value).__name__, frozenset(map(exact, value)))
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, tuple(map(exact, value)))
    if hasattr(value, "__dataclass_fields__"):
        return (type(value).__name__, tuple(exact(getattr(value, name)) for name in value.__dataclass_fields__))
    return (type(value).__name__, repr(value))


@contextlib.contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Raise TimeoutError if the block takes more of the processor's time."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"took longer than {seconds} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def load(source: str, folder: Path, name: str) -> types.ModuleType:
    """The program as a module with a file, as a user's would be."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    linecache.checkcache(str(path))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def ask(call: Any, *arguments: Any) -> tuple[str, Any]:
    """("value", what it gives) or ("raises", the exception)."""
    try:
        value = call(*arguments)
        if call.__name__ == "terminal":
            return "value", bool(value)  # only its truth is asked for
        if call.__name__ == "utility" and isinstance(value, list):
            return "value", tuple(value)  # a payoff each
        return "value", list(value) if call.__name__ in ("actions", "chances") else value
    except TimeoutError as error:
        if isinstance(getattr(call, "__self__", None), Game):
            raise Endless from error
        raise
    except Exception as error:
        return "raises", error


def play(game: Game, rules: Any, fault: type[Exception], seed: int, most: int = 40) -> Outcome:
    """One random game; every question goes to both."""
    random, state, states, handed = Random(seed), game.start(), 0, Outcome("agrees")
    for _ in range(most):
        states += 1
        answers: dict[str, Any] = {}
        questions: list[tuple[str, tuple[Any, ...]]] = [
            ("terminal", (state,)),
            ("player", (state,)),
            ("actions", (state,)),
            ("utility", (state,)),
        ]
        if hasattr(game, "chances"):
            questions.append(("chances", (state,)))
        if hasattr(game, "information"):
            questions += [("information", (state, 0)), ("information", (state, 1))]
        for name, arguments in questions:
            kind, value = answers[name] = ask(getattr(game, name), *arguments)
            other, found = ask(getattr(rules, name), *arguments)
            outcome = judge(name, arguments, (kind, value), (other, found), fault)
            if outcome.bad:
                return Outcome(outcome.kind, outcome.detail, states)
            handed = handed if outcome.kind == "agrees" else outcome
        if answers["terminal"][0] == "raises" or answers["actions"][0] == "raises":
            return Outcome("raises", str(answers), states)
        if answers["terminal"][1]:
            return Outcome(handed.kind, handed.detail, states)
        after = []
        for action in answers["actions"][1]:
            expected, found = ask(game.result, state, action), ask(rules.result, state, action)
            outcome = judge("result", (state, action), expected, found, fault)
            if outcome.bad:
                return Outcome(outcome.kind, outcome.detail, states)
            handed = handed if outcome.kind == "agrees" else outcome
            after.append(expected)
        good = [value for kind, value in after if kind == "value"]
        if not good:
            return Outcome("raises", str(after), states)
        state = random.choice(good)
    return Outcome(handed.kind, handed.detail, states)


def judge(name: str, arguments: Any, expected: tuple[str, Any], found: tuple[str, Any], fault: type[Exception]) -> Outcome:
    """Compare one answer."""
    kind, value = expected
    other, got = found
    shown = f"{name}{arguments!r}"
    if other == "raises" and not isinstance(got, fault) and not (kind == "raises" and type(got) is type(value)):
        return Outcome(
            "crash",
            f"{shown}: compiled code raised {type(got).__name__}: {got}; the interpreter: {value!r}\n"
            + "".join(traceback.format_exception(got)[-3:]),
        )
    if kind == "raises":
        return (
            Outcome("raises")
            if other == "raises"
            else Outcome("wrong", f"{shown}: the interpreter raises {value!r}, compiled code gives {got!r}")
        )
    if other == "raises":
        return Outcome("faults", f"{shown}: compiled code hands over ({got}), the interpreter gives {value!r}")
    if exact(value) != exact(got):
        if value == got:
            return Outcome("types", f"{shown}: the interpreter gives {value!r}, compiled code {got!r}")
        return Outcome("wrong", f"{shown}: the interpreter gives {value!r}, compiled code {got!r}")
    return Outcome("agrees")


def compare(source: str, games: int = 3, name: str = "fuzzed", maker: Maker | None = None) -> Outcome:
    """Compile a program's game (or let `maker` make its rules) and play it with both."""
    with tempfile.TemporaryDirectory(prefix="zermelo-fuzz-") as folder:
        try:
            with patience(PATIENCE):
                game = load(source, Path(folder), name).G()
                begun = [ask(call, game.start()) for call in (game.terminal, game.player, game.actions)]
        except Exception as error:
            return Outcome("unfit", f"{type(error).__name__}: {error}")
        if any(kind == "raises" for kind, _ in begun):
            return Outcome("unfit", str(begun))
        try:
            with patience(PATIENCE):
                rules, fault = (maker or compiled)(game)
        except RulesError as error:
            return Outcome("refused", str(error))
        except Exception as error:
            return Outcome(
                "crash", f"compile_rules raised {type(error).__name__}: {error}\n" + "".join(traceback.format_exception(error)[-4:])
            )
        states, last = 0, Outcome("agrees")
        try:
            with patience(PATIENCE):
                for seed in range(games):
                    outcome = play(game, rules, fault, seed)
                    states += outcome.states
                    if outcome.bad:
                        return outcome
                    last = outcome if outcome.kind != "agrees" else last
        except Endless:
            return Outcome("unfit", "endless")
        except TimeoutError as error:
            return Outcome("crash", f"endless: {error}")
        return Outcome(last.kind, last.detail, states)


def compiled(game: Game) -> tuple[Any, type[Exception]]:
    """Compiled rules, and what they raise."""
    from zermelo.compiler import Fault
    from zermelo.compiler.rules import compile_rules

    return compile_rules(game), Fault
