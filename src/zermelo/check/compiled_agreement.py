"""Compiled rules against interpreted ones, in every position that was looked at; move counts from some of them; and how fast they are."""

from typing import TYPE_CHECKING

from zermelo.check.examination import Examination
from zermelo.check.paths import Position
from zermelo.check.report import Promise
from zermelo.compiler.layout import TooLargeError
from zermelo.errors import RulesError, ZermeloError
from zermelo.results import PerftResult
from zermelo.search.classic.perft import perft
from zermelo.trees import Tree

if TYPE_CHECKING:
    from zermelo.compiler.rules import CompiledRules

__all__ = ["compare"]

COMPILED = Promise("compiled rules", "compiled rules do what interpreted rules do.")
POSITIONS = 12  # whose lines are counted by both
DEPTH = 2  # actions
DIFFER = ("is interpreted", "interpreted and", "in another form")  # how the compiler says that it would be wrong
ENOUGH, MOST, DEEPEST = 0.05, 1.0, 40  # seconds of interpreted counting that tell how fast the rules are; actions


def compare(exam: Examination) -> None:
    """Rules that do not compile are no fault: a note says why."""
    from zermelo.compiler.game import compiled_game

    if isinstance(exam.game, Tree):
        exam.untested[COMPILED.name] = "a tree has no rules that could be compiled"
        return
    try:
        rules = compiled_game(exam.game).rules
    except RulesError as refusal:
        refused(exam, refusal)
        return
    exam.open(COMPILED)
    ask_everywhere(exam, rules)
    going = [position for position in exam.atlas.positions if position.sound and not position.terminal]
    for position in chosen(exam, going):
        if exam.open(COMPILED) and not exam.stopped:
            count(exam, position)
    if going and COMPILED.name not in exam.findings and not exam.stopped:
        with exam.guard("the six rules", going[0]):
            exam.speed = speed(exam, going[0])


def refused(exam: Examination, refusal: RulesError) -> None:
    """The compiler compares its code with the interpreter first, and refuses rules that it compiles wrongly: that is a finding."""
    if any(words in refusal.reason for words in DIFFER):
        exam.broken(COMPILED, refusal.reason, None, f"{refusal.file}:{refusal.line}" if refusal.file else "")
        return
    exam.untested[COMPILED.name] = f"searches run the rules in Python, because they cannot be compiled: {refusal}"


def ask_everywhere(exam: Examination, rules: "CompiledRules") -> None:
    """The compiled rules about every position; where they stop, the interpreter takes over."""
    from zermelo.compiler import game as compiler
    from zermelo.compiler.faults import Fault, Unsupported

    for position in exam.atlas.positions:
        if exam.stopped:
            return
        if not position.sound or not exam.open(COMPILED):
            continue
        with exam.guard("compiled rules", position):
            try:
                different = compiler.difference(rules, position.state)
            except (Fault, TooLargeError):
                continue
            except Unsupported as reason:
                exam.broken(COMPILED, str(reason), position)
                continue
            if different is not None:
                exam.broken(COMPILED, f"{different}; this is a bug in Zermelo, please report it", position)


def chosen(exam: Examination, going: list[Position]) -> list[Position]:
    """A few positions from everywhere, shortest way first."""
    if len(going) <= POSITIONS:
        return going
    return sorted(exam.random.sample(going, POSITIONS), key=lambda position: position.number)


def count(exam: Examination, position: Position) -> None:
    """Both count the lines below one position."""
    counted: list[str] = []
    with exam.guard("the six rules", position):
        slow = perft(exam.game, DEPTH, position.state, backend="reference")
        counted.append(lines(slow))
    if not counted:
        return
    try:
        counted.append(lines(perft(exam.game, DEPTH, position.state, backend="compiled")))
    except ZermeloError as error:
        counted.append(f"nothing: {error}")
    if counted[0] != counted[1]:
        exam.broken(COMPILED, f"{DEPTH} actions further interpreted rules count {counted[0]}, compiled ones {counted[1]}", position)


def lines(counted: PerftResult) -> str:
    """What was counted, in words."""
    return f"{counted.leaves} lines and {counted.finished} games that are over"


def speed(exam: Examination, position: Position) -> tuple[float, float] | None:
    """Positions a second of compiled and interpreted counting from a position; None where its tree is too small to tell."""
    slow = perft(exam.game, 1, position.state, backend="reference")
    before = slow.nodes
    while slow.seconds < ENOUGH and slow.depth < DEEPEST and slow.leaves > 0 and slow.seconds * slow.nodes / before < MOST:
        before = slow.nodes
        slow = perft(exam.game, slow.depth + 1, position.state, backend="reference")
    if slow.seconds < ENOUGH / 10:
        return None
    repeats, seconds = 0, 0.0
    while seconds < ENOUGH and repeats < 1000:
        seconds += perft(exam.game, slow.depth, position.state, backend="compiled").seconds
        repeats += 1
    return repeats * slow.nodes / max(seconds, 1e-9), slow.nodes / slow.seconds
