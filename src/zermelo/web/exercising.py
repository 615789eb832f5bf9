"""Exercises in the browser: a question is drawn from a seed, and answers are judged; none is kept."""

from typing import Any

from zermelo.errors import ZermeloError
from zermelo.play.exercises import KINDS, Exercise, exercise, right
from zermelo.trees.matrix import Matrix
from zermelo.web.channel import Connection, Handler
from zermelo.web.messages import BadMessageError, choice, whole
from zermelo.web.trees import Lab

__all__ = ["HANDLERS"]

LONGEST = 200  # letters of an answer


def wanted(message: dict[str, Any]) -> Exercise:
    return exercise(choice(message, "kind", tuple(KINDS)), whole(message, "seed", 0, 1 << 31, 1), whole(message, "level", 1, 3, 1))


async def make(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """The question of a kind, seed and level."""
    made = await connection.bench.aside(wanted, message)
    shown: dict[str, Any] = {
        "kind": made.kind,
        "title": made.title,
        "question": made.question,
        "fields": [name for name, _ in made.answers],
    }
    if isinstance(made.subject, Matrix):
        rows, columns = made.subject.shape
        shown["table"] = [
            [[float(each) for each in made.subject.payoff((row, column))] for column in range(columns)] for row in range(rows)
        ]
    else:
        lab = Lab.of(made.subject, made.subject, None)
        shown["nodes"] = [lab.node(node) for node in range(len(lab.below))]
    return shown


async def judge(connection: Connection, message: dict[str, Any]) -> dict[str, Any]:
    """Which answers are right; the solution where it is asked for, or where all are."""
    given = message.get("answers")
    if not isinstance(given, dict) or not all(isinstance(text, str) and len(text) <= LONGEST for text in given.values()):
        raise BadMessageError("The answers are texts.")
    made = await connection.bench.aside(wanted, message)
    found = right(made, given)
    tell = all(found.values()) or message.get("tell") is True
    if not found:
        raise ZermeloError("There is nothing to answer here.")
    return {"right": found, "solution": made.solution if tell else "", "answers": dict(made.answers) if tell else {}}


HANDLERS: dict[str, Handler] = {"exercise.make": make, "exercise.judge": judge}
