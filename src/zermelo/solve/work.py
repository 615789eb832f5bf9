"""One solve of a whole game under way: which of the ways is taken, and what becomes of the work folder.

The work is done in files of a folder beside the database, `NAME.work`. Killed at any instant, it goes on from the last finished piece, and
ends with the same bytes, done by one thread, several, or an executor on many machines that see the folder.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.faults import Unsupported
from zermelo.compiler.fields import fields_of, numbers_of
from zermelo.compiler.layout import layout_of
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game, State, draw_value, has
from zermelo.runtime.backend import choose
from zermelo.runtime.identity import rules_hash
from zermelo.scores import Score, score
from zermelo.solve.database_format import BY_NUMBER, Header, entry_of
from zermelo.solve.database_writer import Codes, write_array, write_database
from zermelo.solve.distinct import Distinct, TooManyCodesError
from zermelo.solve.estimate import Estimate, counted_share, estimate
from zermelo.solve.graph_values import Resolution
from zermelo.solve.group_values import Valuation
from zermelo.solve.job import (
    SEED,
    UNASKED,
    Job,
    RankError,
    WidenError,
    check_rank,
    edges_within,
    kernel_of,
    look,
    random_states,
    unnumbered,
)
from zermelo.solve.limit import PositionLimit
from zermelo.solve.locking import is_abandoned
from zermelo.solve.numbering import MOST_BITS, Numbering, Positions, TooWideError, first_numbering, narrowest
from zermelo.solve.reachable import Enumeration
from zermelo.solve.resident import Resident, TooLargeError
from zermelo.solve.retrograde_kernel import ENDLESS
from zermelo.solve.strong_reference import LARGEST_LEAD, TooManyError, is_payoff, solve_by_sweeps
from zermelo.solve.sweeping import Sweeping, array_fits
from zermelo.solve.work_folder import ArrayFile, Folder, LostError, read_array
from zermelo.solve.workers import Progress, WorkerPool

if TYPE_CHECKING:
    from zermelo.solve.strong import StrongSolver

__all__ = ["SAMPLE", "StrongResult", "Work", "packed_score", "work_folder"]

SHARD_BYTES = 96  # a position of a shard takes about so many, with its children
LARGEST_SHARD = 1 << 20
MOST_LOSSES = 10_000  # files that disappear
MAPPED_SHARE = 2  # where the work is done in files, arrays take this part of the memory
PIECES = 3  # the version of what lies in a work folder: pieces of another are not gone on with
TABLES = 2 << 20  # bytes that a solve takes however small the game is
SAMPLE = 300  # positions that are looked at by the rules as written
SPARE = 1.1  # of the disk space that is asked for
TEMPORARY = "zermelo-solve-"  # what names of folders begin with in which games without a database are solved
SURELY_TOO_LARGE = 2  # a graph that is estimated at so many times the memory is not begun


@dataclass(frozen=True)
class StrongResult:
    """A game that is solved whole. Wins and losses are Max's."""

    game: Game
    positions: int
    value: Any  # of the first position
    distance: int | None
    kind: str  # of the first position: "win", "loss", "tie" or "draw"
    wins: int
    losses: int
    ties: int  # worth a draw, and best play ends
    draws: int  # worth a draw, and best play goes on forever
    seconds: float
    edges: int  # actions of all positions together
    groups: int  # positions were solved in so many parts
    symmetric: bool  # were states that are alike counted once?
    longest: int  # the greatest distance
    backend: str
    file: str | None
    bytes: int | None  # of the file
    estimate: Estimate | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    slowest: str | None = None  # of endgames: a position with the longest win, as the game shows it

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "positions": self.positions,
            "value": self.value,
            "distance": self.distance,
            "kind": self.kind,
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "draws": self.draws,
            "seconds": self.seconds,
            "edges": self.edges,
            "groups": self.groups,
            "symmetric": self.symmetric,
            "longest": self.longest,
            "slowest": self.slowest,
            "backend": self.backend,
            "file": self.file,
            "bytes": self.bytes,
            "estimated_positions": None if self.estimate is None else self.estimate.positions,
            "parameters": dict(self.parameters),
            "notes": list(self.notes),
        }


def work_folder(out: Path) -> Path:
    """Where the work for a database is done."""
    return out.absolute().with_name(f"{out.name}.work")


def in_words(size: float) -> str:
    """So many bytes."""
    unit, name = next((unit, name) for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")) if size >= unit or unit == 1e3)
    return f"{size / unit:,.{0 if unit == 1e3 else 1}f} {name}"


class Work:
    """One solve under way."""

    def __init__(
        self,
        plan: "StrongSolver",
        game: Game,
        root: State,
        out: Path | None,
        name: str,
        progress: Progress,
        announce: Callable[[Estimate], object] | None,
    ) -> None:
        self.plan, self.game, self.root, self.out, self.name = plan, game, root, out, name
        self.progress, self.announce = progress, announce
        self.symmetric = plan.symmetry and has(game, "canonical")
        self.limit = PositionLimit(game, plan.positions)
        self.notes: list[str] = []
        self.sample: list[State] = []  # positions that compiled rules have met: all where they are few
        self.started = time.perf_counter()

    def run(self, pool: WorkerPool) -> StrongResult:
        """By the compiled backend where it can; otherwise by the reference backend, if any may be taken."""
        choice = choose(self.game, self.plan.backend, UNASKED)
        self.notes += choice.notes
        if choice.compiled is not None:
            try:
                numbering = first_numbering(self.game, choice.compiled.program.state, self.plan.symmetry)
                kernel_of(Job(self.game, numbering, ""))
            except RulesError as error:
                if self.plan.backend == "compiled":
                    raise
                self.notes.append(f"The reference backend solved this, because a rule that solving asks cannot be compiled: {error}")
            else:
                try:
                    with pool.at_work():
                        return self.compiled(pool, numbering)
                except TooWideError:
                    if self.out is not None:
                        raise self.too_wide(", or leave out `out=`") from None
                    if self.plan.backend == "compiled":
                        raise self.too_wide(", or take `backend='reference'`") from None
                    return self.without_numbers()
        return self.reference()

    def estimate(self, pool: WorkerPool) -> Estimate:
        """How many positions there are: counted where they are few, otherwise sampled. Raises `RulesError` where rules do not compile."""
        program = choose(self.game, "compiled", UNASKED).required.program
        with pool.at_work():
            return self.look_ahead(pool, first_numbering(self.game, program.state, self.plan.symmetry))[2]

    def without_numbers(self) -> StrongResult:
        """By the reference backend, which needs no numbers where no file is written."""
        self.notes.append(f"The reference backend solved this, because positions do not fit {MOST_BITS} bits.")
        try:
            return self.reference()
        except TooManyError:
            raise self.too_wide() from None

    def too_wide(self, advice: str = "") -> TooWideError:
        """For positions that do not fit a number: how many bits they need, as far as random games show it."""
        states = list(random_states(self.game, self.root, Random(SEED)))
        needed = MOST_BITS + 1
        with suppress(TooWideError, Unsupported):
            layout = layout_of(states)
            rows = [numbers_of(state, layout, fields_of(layout)) for state in states]
            needed = max(needed, sum(len(set(column)).bit_length() for column in zip(*rows, strict=True)))
        return TooWideError(
            f"The positions of {type(self.game).__name__} do not fit {MOST_BITS} bits (states that were seen need "
            f"{needed}): give the game `rank`, `unrank` and `size`, or smaller parameters{advice}."
        )

    # --- compiled

    def compiled(self, pool: WorkerPool, numbering: Numbering) -> StrongResult:
        graph: Resident | None
        numbering, graph, guess = self.look_ahead(pool, numbering)
        if self.announce is not None:
            self.announce(guess)
        self.limit.require(graph.count)
        if not self.may_fit(pool, graph, guess):
            graph = None  # its memory is wanted for other things
        self.progress.expected = guess.positions
        path = self.folder_path()
        losses = 0
        try:
            self.require_disk(path, guess, graph is not None)
            while True:
                rules = rules_hash(self.game, self.symmetric)
                folder = Folder(
                    path,
                    {"pieces": PIECES, "rules": rules, "symmetric": self.symmetric, "root": repr(self.root), "layout": numbering.layout},
                )
                try:
                    if folder.facts("numbering") is None:
                        folder.finish("numbering", facts=numbering.to_dict())
                    numbering = Numbering.from_dict(folder.facts("numbering"))  # an earlier attempt may know more about the words
                    job = Job(self.game, numbering, str(path), edges_within(self.plan.memory // MAPPED_SHARE // self.plan.threads))
                    if graph is not None and folder.facts("no graph") is None:
                        try:
                            return self.in_memory(pool, job, folder, guess, graph)
                        except TooLargeError:
                            folder.finish("no graph", facts=True)
                    graph = None
                    if self.may_sweep(pool, numbering) and folder.facts("no array") is None:
                        with suppress(TooLargeError):  # which the folder notes
                            return self.by_sweeps(pool, job, folder, guess)
                    return self.in_files(pool, job, folder, guess)
                except TooManyCodesError:
                    if pool.own is not None:
                        pool.own.shutdown(cancel_futures=True)  # nobody writes there any more
                    folder.clear()  # it would end like this every time
                    raise
                except WidenError as narrow:
                    folder.clear()
                    numbering = narrow.widened(self.game, numbering)
                except LostError as lost:  # a file of the folder was removed or changed: what belongs to it is made again
                    folder.forget(lost.piece)
                    losses += 1
                    if losses > MOST_LOSSES:
                        raise ZermeloError(f"Files of {path} disappear while they are needed, at last {lost.piece}.") from None
                finally:
                    folder.close()
        finally:
            if self.out is None:
                shutil.rmtree(path, ignore_errors=True)

    def look_ahead(self, pool: WorkerPool, numbering: Numbering) -> tuple[Numbering, Resident, Estimate]:
        """A numbering that is wide enough for what has been seen, the beginning of the graph, and the estimate."""
        random = Random(SEED)
        while True:
            job = Job(self.game, numbering, "")
            try:
                for state in random_states(self.game, self.root, random):
                    look(job, *kernel_of(job), state)
                _, number, _ = look(job, *kernel_of(job), self.root)
                graph = Resident(job, number, self.plan.graph_memory)
                began = time.perf_counter()
                with suppress(TooLargeError):  # it is as large as it may be
                    graph.explore(pool, Progress(None), most=counted_share(self.plan.memory))
                seconds = time.perf_counter() - began
                return numbering, graph, estimate(job, graph, seconds, self.may_hold(pool), self.may_sweep(pool, numbering))
            except WidenError as narrow:
                numbering = narrow.widened(self.game, numbering)

    def may_hold(self, pool: WorkerPool) -> bool:
        """May the graph of all positions be held in memory, if it fits?"""
        return pool.inside and self.plan.resident

    def may_fit(self, pool: WorkerPool, graph: Resident, guess: Estimate) -> bool:
        """Is it worth to try whether the graph fits?"""
        return self.may_hold(pool) and graph.bytes_for(guess.positions) < SURELY_TOO_LARGE * graph.memory

    def folder_path(self) -> Path:
        """Where the work is done; without a file to write in a folder that goes afterwards."""
        if self.out is not None:
            return work_folder(self.out)
        for folder in Path(tempfile.gettempdir()).glob(f"{TEMPORARY}*"):
            if is_abandoned(folder):  # its process was killed
                shutil.rmtree(folder, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=TEMPORARY))

    def require_disk(self, path: Path, guess: Estimate, in_memory: bool) -> None:
        """Says before the work begins that there is too little room, beside what an earlier attempt has left here."""
        if self.out is None and in_memory:
            return
        whole = guess.work_bytes + (0 if self.out is None else guess.file_bytes)
        needed = int(whole * SPARE) - sum(file.stat().st_size for file in path.glob("*"))
        free = shutil.disk_usage(path.absolute().parent).free
        if needed > free:
            raise ZermeloError(
                f"The work needs about {in_words(needed)} of disk ({guess.words(self.out is not None)}), and {path.parent} "
                f"has {in_words(free)}: name a file on another disk, or solve a smaller game."
            )

    def in_memory(self, pool: WorkerPool, job: Job, folder: Folder, guess: Estimate, graph: Resident) -> StrongResult:
        """Enumeration and values with the whole graph in memory, then the file. Raises `TooLargeError`."""
        saving = None if self.out is None else folder
        if graph.job.numbering != job.numbering or folder.has("graph-0"):
            graph = Resident(job, look(job, *kernel_of(job), self.root)[1], self.plan.graph_memory)
            graph.restore(folder)
        self.progress.begin("enumerating", done=graph.done)
        if not graph.complete:
            graph.expect(guess.positions)
        graph.explore(pool, self.progress, saving, limit=self.limit)
        if saving is not None and graph.due:
            graph.save(saving)
        self.progress.begin("solving", graph.count)
        scores = Resolution(graph, pool, saving).solve()
        self.progress.begin("writing", graph.count)
        codes = Codes.of([scores])
        root, score, edges = int(graph.numbers[0]), int(scores[0]), graph.edge_count
        self.take_sample(job.numbering, graph.numbers[: graph.count], graph.numbers[graph.best_line(scores, SAMPLE)])
        size = None if self.out is None else self.write(job.numbering, root, [graph.in_order()], codes, self.plan.memory)
        folder.clear()
        return self.result(score, codes, edges, 1, "compiled", size, guess)

    def may_sweep(self, pool: WorkerPool, numbering: Numbering) -> bool:
        """Can the game be solved with an array of codes, whether or not that is the best way?"""
        return self.plan.dense and pool.inside and array_fits(numbering.size, self.plan.memory)

    def by_sweeps(self, pool: WorkerPool, job: Job, folder: Folder, guess: Estimate) -> StrongResult:
        """The array of codes, then the file. Raises `TooLargeError`."""
        _, number, _ = look(job, *kernel_of(job), self.root)
        sweeping = Sweeping(job, number, pool, self.progress, folder, self.out is not None, self.plan.memory, self.limit)
        try:
            sweeping.solve()
        except TooLargeError:
            folder.finish("no array", facts=list(sweeping.scores.known))  # which are known to be there
            raise
        codes = sweeping.result()
        self.take_sample(job.numbering, sweeping.some(SAMPLE))
        self.progress.begin("writing", sum(codes.counts))
        size = None
        if self.out is not None:
            write_array(self.out, self.header(job.numbering, number, codes), sweeping.file_codes(codes))
            size = os.path.getsize(self.out)
        folder.clear()
        return self.result(sweeping.root_score, codes, sweeping.edges, 1, "compiled", size, guess)

    def in_files(self, pool: WorkerPool, job: Job, folder: Folder, guess: Estimate) -> StrongResult:
        """Enumeration, values, file; a piece at a time."""
        plan = self.plan
        tier, number, _ = look(job, *kernel_of(job), self.root)
        memory = (plan.memory - TABLES) // MAPPED_SHARE  # the rest is for the parts of mapped files that are in use
        share = memory // max(1, plan.threads)
        shard = max(1 << 12, min(LARGEST_SHARD, share // 4 // SHARD_BYTES))
        self.progress.begin("enumerating")
        enumeration = Enumeration(job, folder, pool, self.progress, share, shard, self.limit)
        groups = enumeration.groups(tier, number)
        count = sum(group.count for group in groups)
        self.progress.begin("solving", count)
        distinct = Distinct(folder.facts("no array") or ())
        Valuation(job, folder, pool, self.progress, share, shard, distinct).solve(groups)
        self.progress.begin("writing", count)
        codes = Codes.of(read_array(folder.path, f"{group.name}.scores") for group in groups)
        solved = [(ArrayFile(folder.path, f"{group.name}.numbers"), ArrayFile(folder.path, f"{group.name}.scores")) for group in groups]
        for numbers, _ in solved:
            self.take_sample(job.numbering, numbers.open(), most=SAMPLE // len(solved) + 1)
        first, scores = (file.open() for file in solved[0])
        root_score = int(scores[np.searchsorted(first, number)])
        del first, scores
        size = self.write(job.numbering, number, solved, codes, memory)
        folder.clear()
        return self.result(root_score, codes, enumeration.edges, len(groups), "compiled", size, guess)

    def take_sample(self, numbering: Numbering, numbers: Any, line: Any = (), most: int = SAMPLE) -> None:
        """Notes so many of the positions at random, and those of a line."""
        some = numbers if len(numbers) <= most else numbers[np.random.default_rng(SEED).integers(len(numbers), size=most)]
        positions = Positions(self.game, numbering)
        self.sample += [positions.state(int(number)) for number in (*some, *line)]

    # --- reference

    def reference(self) -> StrongResult:
        if self.out is not None:
            self.narrowest([self.root])  # which says so where positions are no numbers, before the work
        solution = solve_by_sweeps(self.game, self.root, self.symmetric, memory=self.plan.memory, progress=self.progress, limit=self.limit)
        draw = draw_value(self.game)
        packed = {state: ENDLESS if state in solution.endless else packed_score(each, draw) for state, each in solution.scores.items()}
        root = next(iter(packed))
        codes = Codes.of([np.array(list(packed.values()), np.int32)])
        size = None
        if self.out is not None:
            numbering = self.narrowest(list(packed))
            numbers = np.array(self.numbers_of(list(packed), numbering), np.int64)
            order = np.argsort(numbers)
            solved = [(numbers[order], np.array(list(packed.values()), np.int32)[order])]
            size = self.write(numbering, int(numbers[0]), solved, codes, self.plan.memory)
        return self.result(packed[root], codes, solution.edges, 1, "reference", size, None)

    def narrowest(self, states: list[State]) -> Numbering:
        """The narrowest numbering in which these positions have numbers."""
        try:
            return narrowest(self.game, states, self.plan.symmetry)
        except TooWideError:
            raise self.too_wide(", or leave out `out=`") from None

    def numbers_of(self, states: list[State], numbering: Numbering) -> list[int]:
        """The number of each position, all of them different; the first position comes first."""
        positions = Positions(self.game, numbering)
        numbers = [check_rank(self.game, state) if numbering.size else positions.number(state) for state in states]
        if numbers[0] is None:
            raise unnumbered(self.game, states[0])
        if None in numbers:
            raise RankError(
                f"`rank` of {type(self.game).__name__} has no number for {states[numbers.index(None)]!r}, which can be reached."
            )
        return [number for number in numbers if number is not None]

    # --- both

    def write(self, numbering: Numbering, root: int, solved: Any, codes: Codes, memory: int) -> int | None:
        """Writes the database where one is wanted; gives its length."""
        if self.out is None:
            return None
        write_database(self.out, self.header(numbering, root, codes), solved, codes, memory)
        return os.path.getsize(self.out)

    def header(self, numbering: Numbering, root: int, codes: Codes) -> Header:
        """The database's header, without what the writing finds out."""
        return Header(
            game=self.name,
            rules=rules_hash(self.game, self.symmetric),
            content="solution",
            numbering=numbering,
            root=root,
            count=sum(codes.counts),
            scores=codes.entries(draw_value(self.game)),
            counts=codes.counts,
            form=BY_NUMBER,
            block=0,
            blocks=0,
            compression="zstd" if self.plan.compress else "none",
            table=0,
        )

    def result(
        self, root: int, codes: Codes, edges: int, groups: int, backend: str, size: int | None, guess: Estimate | None
    ) -> StrongResult:
        entry = entry_of(root, draw_value(self.game))
        entries = codes.entries(draw_value(self.game))

        def sum_of(kind: str) -> int:
            return sum(number for each, number in zip(entries, codes.counts, strict=True) if each.kind == kind)

        return StrongResult(
            game=self.game,
            positions=sum(codes.counts),
            value=entry.value,
            distance=entry.distance,
            kind=entry.kind,
            wins=sum_of("win"),
            losses=sum_of("loss"),
            ties=sum_of("tie"),
            draws=sum_of("draw"),
            seconds=time.perf_counter() - self.started,
            edges=edges,
            groups=groups,
            symmetric=self.symmetric,
            longest=max((each.distance or 0 for each in entries), default=0),
            backend=backend,
            file=None if self.out is None else str(self.out),
            bytes=size,
            estimate=guess,
            parameters=self.plan.parameters(),
            notes=tuple(self.notes),
        )


def packed_score(each: Score, draw: Any) -> int:
    """A score as the compiled solver packs it."""
    lead = each.value - draw
    if not is_payoff(lead):
        raise ZermeloError(
            f"A payoff of {each.value} is not a multiple of a half up to {LARGEST_LEAD} beside the draw: no database holds it."
        )
    return score(lead, each.distance())
