"""Solving a whole game: `StrongSolver` finds the value and distance of every position that can be reached, and writes the database.

How that is done is in `zermelo.solve.work`.
"""

import os
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import Fault, resilient
from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.rules import CHANCE, Game, State, has, hidden_information
from zermelo.runtime.backend import Backend
from zermelo.solve.database_format import compressor
from zermelo.solve.database_writer import require_replaceable
from zermelo.solve.estimate import Estimate
from zermelo.solve.limit import TooManyPositionsError
from zermelo.solve.strong_reference import TooManyError
from zermelo.solve.work import SAMPLE, StrongResult, Work, work_folder
from zermelo.solve.workers import Progress, WorkerPool
from zermelo.trees import Tree

__all__ = ["DEFAULT_MEMORY", "StrongResult", "StrongSolver", "check_game", "require_place", "work_folder"]

DEFAULT_MEMORY = 2 << 30
LEAST_MEMORY = 8 << 20
SMALL = 300  # positions of a game that is solved once more without compiled code
FIGURES = ("positions", "value", "distance", "kind", "wins", "losses", "ties", "draws", "longest")


def attempted(work: Work, pool: WorkerPool) -> StrongResult:
    """What the work gives, begun again where compiled code needs more room than it has.

    It is the game's own code that grows, and with it the numbers of positions: not code that is laid out for numbers that were too narrow.
    """
    while True:
        try:
            return work.run(pool)
        except Fault as fault:
            from zermelo.compiler.game import compiled_game

            compiled_game(work.game).growth.grow(fault, fault.state)


def may_leave_to_chance(game: Game) -> bool:
    """Can chance move? A tree knows all its nodes; of any other game with `chances` it is believed."""
    return CHANCE in game.movers if isinstance(game, Tree) else has(game, "chances")


def check_game(game: Game) -> None:
    """Raises where a whole game cannot be solved."""
    name = type(game).__name__
    if game.players != 2 or game.total is None:
        raise ZermeloError(f"A whole game is solved for two players with a constant sum; {name} is not of this kind.")
    if hidden_information(game):
        raise ZermeloError(f"{name} hides information from its players: zermelo equilibrium is made for that.")
    if may_leave_to_chance(game):
        raise ZermeloError(f"Chance moves in {name}: the algorithms layers and valueiteration look at all its positions.")
    if game.repetition in ("loss", "forbidden"):
        raise ZermeloError(
            f'With repetition = "{game.repetition}" the value of a position depends on how it came about, so {name} has no database.'
        )


def require_place(out: Path, game: Game) -> None:
    """Raises where a database of the game must not, or cannot, be written to a file of this name."""
    if not out.absolute().parent.is_dir():
        raise ZermeloError(f"{out} cannot be written: there is no folder {out.parent}.")
    if not os.access(out.absolute().parent, os.W_OK | os.X_OK):
        raise ZermeloError(f"{out} cannot be written: you may not write to the folder {out.absolute().parent}.")
    if out.is_dir():
        raise ZermeloError(f"{out} is a folder: give the name of a file.")
    try:
        require_replaceable(out, game)
    except OSError as error:
        raise ZermeloError(f"{out} is there already and cannot be read ({error.strerror}): remove it, or name another file.") from None


@dataclass(frozen=True)
class StrongSolver(Algorithm[StrongResult]):
    """Solve every position of a game, and write them into a database.

    Parameters
    ----------
    symmetry : bool, default True
        Fold states that are alike by `canonical`.
    memory : int, default DEFAULT_MEMORY
        Bytes that the solve may take beside the interpreter and the compiled rules.
    threads : int, default 1
        Threads that work together.
    compress : bool, default True
        Compress the database.
    backend : {"auto", "compiled", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    resident : bool, default True
        Hold the graph of all positions in memory where it fits.
    dense : bool, default True
        Otherwise one or two bytes for each number, where the game numbers its positions; otherwise work in files.
    positions : int, optional
        A game that has more positions is refused.
    """

    symmetry: bool = True
    memory: int = DEFAULT_MEMORY
    threads: int = 1
    compress: bool = True
    backend: Backend = "auto"
    resident: bool = True
    dense: bool = True
    positions: int | None = None

    def run(self, game: Game, state: State | None = None, *, limits: Limits | None = None, **places: Any) -> StrongResult:
        """`solve` by the protocol of every algorithm; `positions` bounds the work, and Ctrl-C ends it, to go on later."""
        bounds = limits or Limits()
        if (bounds.time, bounds.nodes, bounds.stop) != (None, None, None):
            raise ZermeloError("Solving every position has no limit of time or nodes: give `positions=` instead.")
        return self.solve(game, state, progress=bounds.progress, **places)

    def solve(
        self,
        game: Game,
        root: State | None = None,
        *,
        out: Path | str | None = None,
        name: str = "",
        executor: Executor | None = None,
        progress: Callable[[str], object] | None = None,
        announce: Callable[[Estimate], object] | None = None,
    ) -> StrongResult:
        """Solves the game from `root` on (the start by default), and writes the database `out` where it is named.

        `name` is the game as the command line calls it. `announce` is told the estimate before the work begins. Raises
        `TooManyPositionsError` as soon as more positions have been met than the limit allows.
        """
        self.check()
        check_game(game)
        if out is not None:
            compressor()
            require_place(Path(out), game)
        place = game.start() if root is None else root
        small = self.small(game, place)
        work = Work(self, game, place, None if out is None else Path(out), name or type(game).__name__, Progress(progress), announce)
        try:
            result = attempted(work, WorkerPool(self.threads, executor))
        except OSError as error:
            reason = error.strerror or str(error)
            raise ZermeloError(f"The work stopped ({reason}): fix that and start again, and it goes on where it was.") from None
        try:
            fault = self.contradiction(result, small, work.sample)
        except Exception:  # the rules as written fail where compiled rules do not: nothing wrong is left behind
            if out is not None:
                Path(out).unlink(missing_ok=True)
            raise
        if fault is None:
            return result
        if out is not None:
            Path(out).unlink(missing_ok=True)
        sentence = f"Compiled and interpreted rules of {type(game).__name__} differ ({fault}). This is a bug in Zermelo: please report it."
        if self.backend == "compiled":
            raise ZermeloError(f"{sentence} `backend='reference'` solves without compiled code.")
        anew = replace(self, backend="reference").solve(game, place, out=out, name=name, progress=progress)
        return replace(anew, notes=(f"{sentence} The reference backend solved the game instead.", *anew.notes))

    @resilient
    def estimate(self, game: Game, root: State | None = None) -> Estimate:
        """How many positions `solve` would meet, and what it would take: counted where they are few, otherwise sampled."""
        self.check()
        check_game(game)
        place = game.start() if root is None else root
        return Work(self, game, place, None, type(game).__name__, Progress(None), None).estimate(WorkerPool(self.threads, None))

    def small(self, game: Game, root: State) -> StrongResult | None:
        """A small game solved by the rules as written, before compiled rules see it: whatever these do, here is the truth."""
        if self.backend == "reference":
            return None
        try:
            return replace(self, backend="reference", positions=min(SMALL, self.positions or SMALL)).solve(game, root)
        except (TooManyPositionsError, TooManyError):
            return None

    def contradiction(self, result: StrongResult, small: StrongResult | None, sample: list[State]) -> str | None:
        """What the rules as written say against a game that compiled rules have solved: about a sample of its positions, its figures where
        it is small, and some of its database."""
        if result.backend != "compiled":
            return None
        fault = first_difference(result.game, sample)
        if fault is not None:
            return fault
        if small is not None:
            differ = [name for name in FIGURES if getattr(result, name) != getattr(small, name)]
            return ", ".join(f"{name} {getattr(small, name)}, not {getattr(result, name)}" for name in differ) or None
        if result.file is None:
            return None
        from zermelo.solve.database import Database
        from zermelo.solve.verification import PlainSight, interpreted_sample, read_sample

        with Database(result.file, result.game) as database:
            return PlainSight(database).fault(interpreted_sample(database, read_sample(database, SAMPLE).numbers, SAMPLE))

    def check(self) -> None:
        if self.memory < LEAST_MEMORY:
            raise ZermeloError(
                f"Solving a whole game needs at least {LEAST_MEMORY >> 20} MB of memory, not {self.memory / (1 << 20):.3g} MB."
            )
        if self.threads < 1:
            raise ZermeloError(f"The number of threads is at least 1, not {self.threads}.")
        if self.positions is not None and self.positions < 1:
            raise ZermeloError(f"The limit of positions is at least 1, not {self.positions}.")

    @property
    def graph_memory(self) -> int:
        """Bytes for a graph in memory; the rest is for what passes through."""
        return self.memory // 16 * 11

    def parameters(self) -> dict[str, Any]:
        return {
            "symmetry": self.symmetry,
            "memory": self.memory,
            "threads": self.threads,
            "compress": self.compress,
            "resident": self.resident,
            "dense": self.dense,
            "positions": self.positions,
        }


def first_difference(game: Game, states: list[State]) -> str | None:
    """Where compiled rules say something else than the rules as written about one of these states."""
    from zermelo.compiler.game import compiled_game, difference
    from zermelo.compiler.layout import TooLargeError

    rules = compiled_game(game).rules
    for state in states:
        with suppress(Fault, TooLargeError):  # compiled code stops there, and so says nothing wrong
            found = difference(rules, state)
            if found is not None:
                return f"{found} in {state!r}"
    return None
