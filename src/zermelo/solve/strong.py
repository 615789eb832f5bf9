"""Solving a whole game: `Strong` finds the value and distance of every position that can be reached, and writes the database.

How that is done is in `zermelo.solve.work`.
"""

import os
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.engine.backend import Backend
from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Game, State, has, hidden_information
from zermelo.solve.crew import Crew, Progress
from zermelo.solve.estimate import Estimate
from zermelo.solve.layout import compressor
from zermelo.solve.work import StrongResult, Work, work_folder
from zermelo.solve.writing import require_replaceable
from zermelo.trees import Tree

__all__ = ["DEFAULT_MEMORY", "Strong", "StrongResult", "check_game", "require_place", "work_folder"]

DEFAULT_MEMORY = 2 << 30
LEAST_MEMORY = 8 << 20


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
        raise ZermeloError(f"Chance moves in {name}: zermelo best with --engine layers or valueiteration looks at all its positions.")
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
class Strong:
    """Parameters of solving a whole game."""

    symmetry: bool = True  # fold states that are alike by `canonical`
    memory: int = DEFAULT_MEMORY  # bytes that the solve takes beside the interpreter and the compiled rules
    threads: int = 1
    compress: bool = True
    backend: Backend = "auto"
    resident: bool = True  # hold the graph of all positions in memory where it fits,
    dense: bool = True  # or else one byte or two for each number, where the game numbers its positions; otherwise work is done in files
    positions: int | None = None  # a game that has more is not solved

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
        work = Work(self, game, place, None if out is None else Path(out), name or type(game).__name__, Progress(progress), announce)
        try:
            return work.run(Crew(self.threads, executor))
        except OSError as error:
            reason = error.strerror or str(error)
            raise ZermeloError(f"The work stopped ({reason}): mend that and start again, and it goes on where it was.") from None

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
