"""A first look at rules, before anybody searches: do they keep the promises without which a search goes wrong or never ends?"""

import itertools
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from zermelo.check import core_rules, exact, information, knowledge, presentation
from zermelo.check.examination import Examination
from zermelo.check.explorer import Explorer
from zermelo.check.paths import Atlas, Position
from zermelo.check.patience import answering
from zermelo.check.report import Finding
from zermelo.errors import RulesError
from zermelo.rules import CHANCE, Game, State, chance_weights

__all__ = ["require_answers", "require_sound"]

STATES = 12  # looked at breadth first
GAMES_PLAYED, LONGEST = 2, 60  # random games beyond them, and actions of each
SOLVED = 50  # states whose exact value `bounds` and `candidates` are compared with
QUICK_SECONDS = 1.0  # of the processor, for the first position alone
MOST_BYTES = 100_000  # of one position: a search keeps many thousands


def require_sound(game: Game) -> None:
    """Raises `RulesError` with one sentence where a first look finds a broken promise."""
    exam = Unguarded(game, Random(0), Atlas(game))
    with answering(game):
        core_rules.declarations(exam)
        start = None if exam.findings else core_rules.start(exam)
        if start is not None and not exam.findings:
            explorer = Explorer(exam, [*information.tests(game), *knowledge.tests(game), *exact.tests(game), presentation.TEXTS])
            explorer.search(start, STATES)
            if not exam.findings and not explorer.exhaustive:
                explorer.play(GAMES_PLAYED, LONGEST)
            if not exam.findings:
                exact.compare(exam, reversed(exam.atlas.positions), SOLVED, SOLVED)
                exact.compare_heuristic(exam)
            for position in core_rules.asked_again(exam, len(exam.atlas.positions)):
                core_rules.ask_again(exam, position)
    for finding in exam.findings.values():
        if finding.promise is not knowledge.FEATURES and (finding.promise is not core_rules.PURE or compares(start)):
            raise RulesError(sentence(game, finding))


def compares(state: State) -> bool:
    """Is the state of a type that says when two are equal? Otherwise none equals another, and nothing can be told from that."""
    return any("__eq__" in vars(kind) for kind in type(state).__mro__[:-1])


def require_answers(game: Game) -> None:
    """Raises where parameters make a game too large to be looked at: its first position takes long, is huge, or has very many actions."""
    chosen = getattr(game, "__dataclass_fields__", None)
    name, advice = type(game).__name__, f"choose smaller parameters than those of {game!r:.100}." if chosen else "look at its rules."
    with answering(game, QUICK_SECONDS, advice, processor=True):
        state = game.start()
        if bytes_of(state) > MOST_BYTES:
            raise RulesError(f"A position of {name} takes more than {MOST_BYTES:,} bytes: {advice}")
        if game.terminal(state):
            return
        given = chance_weights(game, state) if game.player(state) == CHANCE else game.actions(state)
        if isinstance(given, Iterable) and len(list(itertools.islice(given, core_rules.MOST_ACTIONS + 1))) > core_rules.MOST_ACTIONS:
            raise RulesError(f"{name} has more than {core_rules.MOST_ACTIONS:,} moves in its first position: {advice}")


def bytes_of(value: Any) -> int:
    """Memory of a state, with what it is made of."""
    return sys.getsizeof(value) + (sum(map(bytes_of, value)) if isinstance(value, tuple | frozenset) else 0)


class Unguarded(Examination):
    """Rules that raise do so."""

    @contextmanager
    def guard(self, asked: str, position: Position | None = None) -> Iterator[None]:
        yield


def sentence(game: Game, finding: Finding) -> str:
    """A finding in one sentence."""
    after = f" after {' '.join(finding.moves)}" if finding.moves else ""
    return f"{type(game).__name__} breaks a promise{after}: {finding.happened} ({finding.promise.text.rstrip('.')})."
