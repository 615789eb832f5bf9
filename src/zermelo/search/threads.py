"""How many threads a search may use, and what the user should know about several."""

import os

from zermelo.errors import ZermeloError

__all__ = ["check_threads", "thread_notes"]


def check_threads(threads: object) -> None:
    """A number of threads is a whole number of at least 1."""
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ZermeloError(f"The number of threads is a whole number of at least 1, not {threads!r}.")


def thread_notes(threads: int) -> list[str]:
    """What the user should know about several threads."""
    if threads == 1:
        return []
    notes = ["With more than one thread, nodes and the choice among equally good actions may differ from run to run."]
    cores = os.cpu_count() or 1
    if threads > cores:
        notes.append(f"{threads} threads share {cores} core{'' if cores == 1 else 's'}: more than one each do not help.")
    return notes
