"""All positions that can be reached: breadth first, round by round, in files of sorted numbers.

Positions come in groups, so ordered that actions lead to later groups or stay inside their own:

    a game with `tier`         one group a tier
    every round new            one group a round (actions lead from a round to the next, as where every action adds a stone)
    any other game             one group

A group is *flat* where no action stays inside.
"""

import threading
from dataclasses import dataclass
from typing import Any

from zermelo.solve.job import Job
from zermelo.solve.limit import PositionLimit
from zermelo.solve.tasks import expand_shard, merge_runs
from zermelo.solve.work_folder import FileNote, Folder, LostError, save_array
from zermelo.solve.workers import Progress, WorkerPool

__all__ = ["Enumeration", "Group", "Known", "shards"]

FEW_FILES = 16  # that are not joined yet


@dataclass(frozen=True)
class Group:
    """Positions that are solved together: the file `name.numbers`."""

    name: str
    tier: int
    count: int
    flat: bool


def shards(count: int, size: int) -> list[tuple[int, int]]:
    """0 … count in parts of at most `size`."""
    return [(first, min(first + size, count)) for first in range(0, count, size)]


class Known:
    """The positions of all rounds of a tier so far, in few files: whenever the last two are of about the same size, they become one.

    The files beside those of the rounds can be made again from these at any time, so the journal does not know them.
    """

    def __init__(self, folder: Folder, prefix: str, memory: int) -> None:
        self.folder, self.prefix, self.memory = folder, prefix, memory
        self.files: list[tuple[str, int]] = []  # name, positions
        self.made = 0

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.files]

    def add(self, name: str, count: int) -> None:
        """One more round."""
        self.files.append((name, count))
        while len(self.files) > FEW_FILES and self.files[-2][1] <= 2 * self.files[-1][1]:
            pair = self.names[-2:]
            note, _ = merge_runs(self.folder.path, pair, [], f"{self.prefix}-{self.made}.numbers", self.memory)
            self.made += 1
            self.drop(pair)
            self.files[-2:] = [(note.name, note.count)]

    def drop(self, names: list[str]) -> None:
        """Removes those that are not rounds."""
        self.folder.remove([name for name in names if name.startswith(self.prefix)])

    def close(self) -> None:
        self.drop(self.names)


class Enumeration:
    """Finds the groups of a job; what is finished already is taken from the folder."""

    def __init__(
        self, job: Job, folder: Folder, pool: WorkerPool, progress: Progress, memory: int, shard: int, limit: PositionLimit
    ) -> None:
        self.job, self.folder, self.pool, self.progress = job, folder, pool, progress
        self.memory, self.shard, self.limit = memory, shard, limit
        self.count = 0  # positions of the tiers that are closed
        self.pending: dict[int, list[str]] = {}  # tier → runs that lead into it
        self.edges = 0
        self.lock = threading.Lock()

    def groups(self, tier: int, number: int) -> list[Group]:
        """All groups, the first one first; `tier` and `number` are those of the first position."""
        found: list[Group] = []
        self.folder.path.mkdir(exist_ok=True)
        if not self.folder.has("root"):
            self.folder.finish("root", (save_array(self.folder.path, "root.numbers", [number]),))
        self.pending = {tier: ["root.numbers"]}
        while self.pending:
            tier = min(self.pending)
            runs = self.pending.pop(tier)
            facts = self.folder.facts(f"tier {tier}")
            if facts is None:
                facts = self.close_tier(tier, runs)
            for later, names in facts["later"]:
                self.pending.setdefault(later, []).extend(names)
            self.edges += facts["edges"]
            found += [Group(*group) for group in facts["groups"]]
            self.count += sum(count for _, _, count, _ in facts["groups"])
            self.limit.require(self.count)  # where the tier was closed before
            self.folder.remove([run for run in runs if run != "root.numbers"])
        return found

    def close_tier(self, tier: int, runs: list[str]) -> Any:
        """Finds all positions of a tier, from those that earlier tiers lead to."""
        rounds: list[str] = []
        known = Known(self.folder, f"known-{tier}", self.memory)
        later: dict[int, list[str]] = {}
        counts, met, edges, inner, layered = [], self.count, 0, False, not self.job.tiered
        while runs:
            name = f"round-{tier}-{len(rounds)}"
            count, dropped = self.merge(name, runs, known, bool(rounds))
            layered = layered and not dropped
            if count == 0:
                break
            rounds.append(name)
            counts.append(count)
            met += count
            self.limit.require(met)
            known.add(f"{name}.numbers", count)
            self.progress.add(count)
            found, more = self.expand(name, count, tier)
            edges += more
            runs = found.pop(tier, [])
            inner = inner or bool(runs)
            for target, names in found.items():
                later.setdefault(target, []).extend(names)
        if layered:
            groups = [Group(name, tier, count, True) for name, count in zip(rounds, counts, strict=True)]
        elif not inner:
            groups = [Group(rounds[0], tier, counts[0], True)]
        else:
            count = self.join(f"tier-{tier}", rounds)
            groups = [Group(f"tier-{tier}", tier, count, False)]
        facts = {
            "groups": [[group.name, group.tier, group.count, group.flat] for group in groups],
            "later": [[target, names] for target, names in sorted(later.items())],
            "edges": edges,
        }
        kept = {group.name for group in groups}
        known.close()
        self.folder.finish(f"tier {tier}", facts=facts)
        self.folder.remove([f"{name}.numbers" for name in rounds if name not in kept])
        return facts

    def merge(self, name: str, runs: list[str], earlier: Known, inside: bool) -> tuple[int, int]:
        """A round's positions: what runs lead to, without earlier rounds; how many, and how many were left out. `inside`: not the first."""
        if self.folder.has(name):
            facts = self.folder.facts(name)
            return facts["count"], facts["dropped"]
        self.require_runs(runs)
        note, dropped = merge_runs(self.folder.path, runs, earlier.names, f"{name}.numbers", self.memory)
        self.folder.finish(name, (note,), {"count": note.count, "dropped": dropped})
        if inside:  # runs from earlier tiers stay until the tier is done
            self.folder.remove(runs)
        return note.count, dropped

    def require_runs(self, runs: list[str]) -> None:
        """Every run must be as its task has written it."""
        for run in runs:
            piece, note = self.folder.makers[run]
            if not self.folder.intact(note):  # other files of the piece may have been used and removed
                made_in = (self.folder.facts(piece) or {}).get("tier")
                if made_in is not None and self.folder.facts(f"tier {made_in}") is not None:
                    self.folder.forget(f"tier {made_in}")
                raise LostError(piece)

    def join(self, name: str, rounds: list[str]) -> int:
        """All rounds of a tier in one file."""
        if not self.folder.has(name):
            note, _ = merge_runs(self.folder.path, [f"{other}.numbers" for other in rounds], [], f"{name}.numbers", self.memory)
            self.folder.finish(name, (note,), {"count": note.count})
        return int(self.folder.facts(name)["count"])

    def expand(self, name: str, count: int, tier: int) -> tuple[dict[int, list[str]], int]:
        """Where a round's positions lead: runs by tier, and how many edges there are."""
        runs: dict[int, list[str]] = {}
        edges = 0
        pieces = [f"expand-{name}-{first}-{last}" for first, last in shards(count, self.shard)]
        spans = zip(pieces, shards(count, self.shard), strict=True)
        wanted = [(piece, span) for piece, span in spans if self.folder.facts(piece) is None]

        def finished(at: int, outcome: tuple[list[tuple[int, FileNote]], int]) -> None:
            found, number = outcome
            with self.lock:
                facts = {"runs": [[target, note.name] for target, note in found], "edges": number, "tier": tier}
                self.folder.finish(wanted[at][0], tuple(note for _, note in found), facts)

        calls = [(self.job, f"{name}.numbers", *span, piece) for piece, span in wanted]
        self.pool.run(expand_shard, calls, finished)
        for piece in pieces:
            facts = self.folder.facts(piece)
            edges += facts["edges"]
            for target, run in facts["runs"]:
                runs.setdefault(target, []).append(run)
        return runs, edges
