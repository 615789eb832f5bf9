"""What drives the kernels over packed scores: the threads' heads, their counts, and how all of them end.

The heads are those of `search.packed_kernel`; a driver makes them, writes the question and reads the answer.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.kernel import Kernel
from zermelo.compiler.records import first_of
from zermelo.limits import Limits, Watch
from zermelo.runtime.search_threads import SearchThreads

__all__ = ["PackedSearch"]


class PackedSearch:
    """Threads that search together. Counts are of everything since it was made."""

    arrays: list[Any]  # [thread] its head, as the kernel takes it
    heads: list[Any]  # the same as objects
    work: Any  # the array in which the stacks lie

    def __init__(self, compiled: CompiledGame, family: str, threads: int, stack: int) -> None:
        """`stack`: words of a thread's own stack in `work`."""
        self.compiled, self.threads, self.stack = compiled, threads, stack
        self.kernel: Kernel = compiled.ready(family)
        self.heads = []
        self.spent = self.spent_hits = self.spent_probes = 0  # counted in heads that are no longer used

    def begin(self, limits: Limits | None, depth: int) -> None:
        """From now on the clock runs, and the compiler's time does not count; `depth`: bytes of the threads' own stacks."""
        self.pool = SearchThreads(self.threads, depth)
        self.watch = Watch(limits)

    def new_heads(self) -> None:
        """Heads that know where their stacks are; what the old ones have counted stays."""
        self.spent, self.spent_hits, self.spent_probes = self.nodes, self.table_hits, self.oracle_hits
        self.arrays = [self.kernel.Head.array(1) for _ in range(self.threads)]
        self.heads = [first_of(array) for array in self.arrays]
        for number, head in enumerate(self.heads):
            head.top, head.end, head.busy = number * self.stack, (number + 1) * self.stack, self.threads * self.stack

    @property
    def nodes(self) -> int:
        """States visited."""
        return self.spent + sum(int(head.nodes) for head in self.heads)

    @property
    def table_hits(self) -> int:
        """States that the table answered."""
        return self.spent_hits + sum(int(head.hits) for head in self.heads)

    @property
    def oracle_hits(self) -> int:
        """States that the oracle knew."""
        return self.spent_probes + sum(int(getattr(head, "probed", 0)) for head in self.heads)

    def run_all(self, run: Callable[[int], bool]) -> int | None:
        """Runs every thread; the first that comes to an end by itself, None where none does."""
        return self.pool.run([partial(run, number) for number in range(self.threads)], self.stop, self.look)

    def ended(self, number: int) -> bool:
        """Did this thread come to an end by itself?"""
        head = self.heads[number]
        return bool(head.nodes <= head.limit)

    @property
    def faults(self) -> set[int]:
        """Why threads gave up."""
        return {head.fault for head in self.heads} - {self.kernel.FINE}

    def look(self) -> None:
        """Raises `Stopped` where a limit is reached."""
        self.watch.look(self.nodes)

    def stop(self) -> None:
        """Ends every search that is under way."""
        for head in self.heads:
            head.limit = -1
