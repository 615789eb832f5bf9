"""A table that outlives one depth-first search: what a player remembers from one turn to the next (Lan et al., 2023, section 3.5).

Only searches to the end of the game use it. An entry belongs to one remaining depth, so that after a turn none of a limited search would
be found again; and no estimate gets into a later answer that calls itself exact.
"""

from typing import Any

__all__ = ["Memo"]


class Memo:
    """The table of one game's searches by one algorithm, for each backend and each order of values."""

    def __init__(self) -> None:
        self.tables: dict[tuple[str, bool], tuple[Any, Any]] = {}  # (backend, textbook) → (kernel, table)

    def lend(self, searcher: Any, plan: Any) -> None:
        """Gives a search what the searches before have found."""
        kernel, table = self.tables.get((searcher.backend, plan.textbook), (None, None))
        if plan.depth is None and table is not None and kernel is getattr(searcher, "kernel", None):
            searcher.table = table

    def keep(self, searcher: Any, plan: Any) -> None:
        """Takes the table of a search that is over."""
        if plan.depth is None and not searcher.judged:
            self.tables[searcher.backend, plan.textbook] = (getattr(searcher, "kernel", None), searcher.table)
