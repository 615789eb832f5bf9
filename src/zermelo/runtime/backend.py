"""Choosing who runs a search: the kernels compiled for a game, or the reference algorithms.

`choose` is the one door to compiled code. "auto" compiles the rules where they allow it; where they do not, it runs the compiled search on
interned states and says in one sentence why. "compiled" raises instead; "interned" does not try to compile; "reference" asks nothing.
"""

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame

__all__ = ["Backend", "Choice", "choose"]

Backend = Literal["auto", "compiled", "interned", "reference"]
INTERNED = frozenset(["perft", "alphabeta", "expectiminimax", "maxn", "mcts", "idastar", "informationsets", "prove", "pns", "deepening"])
UNASKED = {"perft": ("order", "candidates", "bounds", "evaluate", "key", "cost", "heuristic")}  # optional rules, by family


@dataclass(frozen=True)
class Choice:
    """Who runs a game's searches: compiled code where there is some, and sentences that the user should read."""

    compiled: Any  # CompiledGame, InternedGame or None
    notes: tuple[str, ...] = ()

    @property
    def required(self) -> "CompiledGame":
        """The compiled game, where "compiled" was asked for."""
        found: CompiledGame | None = self.compiled
        assert found is not None
        return found


def choose(game: Game, backend: Backend = "auto", spare: tuple[str, ...] = (), family: str | None = None) -> Choice:
    """Compiled code for a game where the backend asks for it and the rules allow it.

    `spare` are optional rules that make the search at hand cheaper and never change what it finds: where one of them does not compile, the
    others are compiled without it, and a note says so. `family` names the kernels that are wanted: those in INTERNED run on interned
    states too. "compiled" raises `RulesError`, naming file, line and reason, where the rules do not compile.
    """
    if backend not in ("auto", "compiled", "interned", "reference"):
        raise ZermeloError(f"There is no backend {backend!r}: use auto, compiled, interned or reference.")
    if backend == "reference":
        return Choice(None)
    from zermelo.compiler.faults import Foreign
    from zermelo.compiler.machine import unwritten_cache

    refusal: RulesError | None = None
    if backend != "interned":
        from zermelo.compiler.game import compiled_game

        try:
            if is_data(game):
                raise Foreign(f"a {type(game).__name__} is data, not rules")
            compiled, notes = compiled_game(game), ()  # type: CompiledGame, tuple[str, ...]
            if family in UNASKED:
                compiled = compiled.leaving(UNASKED[family])
            else:
                compiled, notes = compiled.sparing(spare)
            return Choice(compiled, (*notes, *unwritten_cache()))
        except RulesError as reason:
            if backend == "compiled":
                raise
            refusal = reason
    told = () if refusal is None or isinstance(refusal, Foreign) else (refusal,)  # no word to a user who has written no rules
    if is_data(game) or family not in INTERNED:
        notes = tuple(f"The reference backend runs this game, because its rules cannot be compiled: {reason}." for reason in told)
        return Choice(None, notes or (() if backend == "auto" else ("The reference backend runs this, which cannot be interned.",)))
    return choose_interned(game, backend, told, family or "")


def choose_interned(game: Game, backend: Backend, told: tuple[RulesError, ...], family: str) -> Choice:
    """Rules that run in Python behind compiled kernels, each state asked once."""
    from zermelo.compiler.interning import interned_game
    from zermelo.compiler.machine import unwritten_cache

    try:
        interned = interned_game(game)
    except RulesError as reason:
        if backend == "interned":
            raise
        return Choice(None, (f"The reference backend runs this game, because {reason}.",))
    notes = tuple(f"The rules of this game run in Python, because they cannot be compiled: {reason}." for reason in told)
    if backend == "auto" and not worth_interning(interned, family):
        return Choice(None, notes)
    return Choice(interned, (*notes, *unwritten_cache()))


def worth_interning(interned: Any, family: str) -> bool:
    """Will a search come back to states that it knows? Rules that raise are asked again by the search."""
    with contextlib.suppress(Exception):
        return interned.transposing and (interned.repetitive or not family.startswith("mcts"))
    return True


def is_data(game: Game) -> bool:
    """Is this a tree or a matrix? Their one set of rules reads a table of any size: there is nothing to specialise."""
    return any(base.__module__.startswith("zermelo.trees.") for base in type(game).__mro__)
