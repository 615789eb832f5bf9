"""Databases of endgames: every position with few pieces, not only those that follow one position.

The game gives `endgames(pieces)`, a game over the same states that sets up any such position on an empty board and plays on from there. It
is solved whole; what belongs to the game itself becomes the database, under the game's own rules, and `verify` proves it by these.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, ask, draw_value, has
from zermelo.runtime.identity import rules_hash
from zermelo.solve.book import packed
from zermelo.solve.database import Database
from zermelo.solve.database_format import Header
from zermelo.solve.database_writer import Codes, write_database
from zermelo.solve.estimate import Estimate
from zermelo.solve.job import Job, chunks
from zermelo.solve.numbering import Positions
from zermelo.solve.strong import StrongResult, StrongSolver, require_place

__all__ = ["ENDGAMES", "setup_file", "solve_endgames"]

ENDGAMES = "endgames"  # what the header calls such a database's content
STEP = 1 << 16  # set-ups that are looked at together


def setup_file(out: Path) -> Path:
    """Where the game that sets up endgames has its own database, until that of the game itself is written."""
    return out.with_name(f"{out.name}.setup")


def solve_endgames(
    plan: StrongSolver,
    game: Game,
    pieces: int,
    out: Path | None = None,
    name: str = "",
    *,
    executor: Executor | None = None,
    progress: Callable[[str], object] | None = None,
    announce: Callable[[Estimate], object] | None = None,
) -> StrongResult:
    """Solves every position of at most so many pieces and writes the database; killed at any instant, the same call with `out` goes on.

    The result's counts are those of the database; it has no first position, so `value` is None and `kind` is empty.
    """
    if out is None:
        with TemporaryDirectory() as folder:
            place = Path(folder) / "endgames"
            found = solve_endgames(plan, game, pieces, place, name, executor=executor, progress=progress, announce=announce)
        return replace(found, file=None, bytes=None)
    if not has(game, "endgames"):
        raise ZermeloError(
            f"{type(game).__name__} does not say how its endgames are set up (`endgames`): solve from one `position=` instead."
        )
    setup = ask(game, "endgames", pieces)
    require_place(out, game)
    aside = setup_file(out)

    def tell(guess: Estimate) -> None:
        if announce is not None:
            announce(replace(guess, exact=False))  # set-ups are counted too

    done = plan.solve(setup, out=aside, name=name or type(game).__name__, executor=executor, progress=progress, announce=tell)
    with Database(aside, setup) as database:
        kept = own_positions(database, ask(setup, "settled"))
        header = write(game, database, kept, out, plan.memory)
        slowest = kept.slowest(Positions(game, header.numbering))
    aside.unlink()
    return replace(
        done,
        game=game,
        positions=header.count,
        value=None,
        distance=None,
        kind="",
        wins=kept.count("win"),
        losses=kept.count("loss"),
        ties=kept.count("tie"),
        draws=kept.count("draw"),
        longest=max((entry.distance or 0 for entry in header.scores), default=0),
        slowest=None if slowest is None else str(ask(game, "show", slowest) if has(game, "show") else slowest),
        file=str(out),
        bytes=out.stat().st_size,
    )


@dataclass(frozen=True, eq=False)
class Kept:
    """The positions of a set-up database that belong to the game itself."""

    numbers: Any
    scores: Any  # packed
    codes: Codes
    root: int  # a position of the lowest tier
    draw: Any

    def count(self, kind: str) -> int:
        entries = self.codes.entries(self.draw)
        return sum(number for entry, number in zip(entries, self.codes.counts, strict=True) if entry.kind == kind)

    def slowest(self, positions: Positions) -> State | None:
        """The first position with the longest win; None where nobody wins."""
        entries = self.codes.entries(self.draw)
        distance, score = max((entry.distance or 0, score) for entry, score in zip(entries, self.codes.scores, strict=True))
        return positions.state(int(self.numbers[self.scores == score].min())) if distance else None


def own_positions(database: Database, settled: int) -> Kept:
    """Those with numbers below `settled`."""
    draw = draw_value(database.game)
    scores = np.array([0, *(packed(entry, draw) for entry in database.header.scores)], np.int32)  # [code]
    numbers, values, setups = [], [], []
    for some, codes in database.blocks():
        own = some < settled
        numbers.append(some[own])
        values.append(scores[codes[own]])
        setups.append(some[~own])
    columns = np.concatenate(numbers), np.concatenate(values)
    root = earliest(database, np.concatenate(setups), settled)
    return Kept(*columns, Codes.of([columns[1]]), root, draw)


def earliest(database: Database, setups: Any, settled: int) -> int:
    """The number of a position of the lowest tier, among those with which the game goes on after the set-up."""
    job = Job(database.game, database.header.numbering, "")
    found: list[tuple[int, int]] = []
    for at in range(0, len(setups), STEP):
        for chunk in chunks(job, setups[at : at + STEP]):
            own = np.flatnonzero(chunk.children < settled)
            if len(own) and job.tiered:
                first = own[np.argmin(chunk.tiers[own])]
                found.append((int(chunk.tiers[first]), int(chunk.children[first])))
            elif len(own):
                found.append((0, int(chunk.children[own[0]])))
    return min(found)[1]


def write(game: Game, database: Database, kept: Kept, out: Path, memory: int) -> Header:
    """Writes the database of the game itself."""
    header = replace(
        database.header,
        rules=rules_hash(game, database.header.numbering.symmetric),
        content=ENDGAMES,
        numbering=replace(database.header.numbering, size=ask(game, "size")),
        root=kept.root,
        count=len(kept.numbers),
        scores=kept.codes.entries(kept.draw),
        counts=kept.codes.counts,
    )
    return write_database(out, header, [(kept.numbers, kept.scores)], kept.codes, memory)
