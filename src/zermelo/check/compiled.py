"""Compiled rules against interpreted ones: the engine's own self-check, and move counts from positions that were looked at."""

from zermelo.check.examination import Examination
from zermelo.check.position import Position
from zermelo.check.report import Promise
from zermelo.engine.backend import choose
from zermelo.errors import RulesError, ZermeloError
from zermelo.results import PerftResult
from zermelo.search.perft import perft

__all__ = ["compare"]

COMPILED = Promise("compiled rules", "compiled rules do what interpreted rules do.")
POSITIONS = 12  # whose lines are counted by both
DEPTH = 2  # actions
DIFFER = ("compiled and interpreted rules differ", "compiled rules raise")  # how the engine says that it would be wrong


def compare(exam: Examination) -> None:
    """Rules that do not compile are no fault: a note says why."""
    choice = choose(exam.game, "auto")
    if choice.compiled is None:
        exam.untested[COMPILED.name] = " ".join(choice.notes) or "this game has no numeric rules that could be compiled"
        refused(exam)
        return
    exam.open(COMPILED)
    going = [position for position in exam.atlas.positions if position.sound and not position.terminal]
    for position in chosen(exam, going):
        if exam.open(COMPILED):
            count(exam, position)


def refused(exam: Examination) -> None:
    """The engine checks itself before it runs a game, and refuses rules that it compiles wrongly. That is a finding."""
    try:
        choose(exam.game, "compiled")
    except RulesError as error:
        if error.reason.startswith(DIFFER):
            exam.untested.pop(COMPILED.name)
            exam.broken(COMPILED, error.reason, None, f"{error.file}:{error.line}" if error.file else "")
    except ZermeloError:  # a tree, whose rules nobody wrote
        return


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
