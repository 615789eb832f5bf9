"""How large a tree is, before it is unfolded: random probes, and the sentence that refuses what does not fit.

Knuth's estimate: along a random history multiply the numbers of actions; the mean of such products at a depth estimates the number of
histories of that depth without bias.
"""

import math
import os
import time
from random import Random

from zermelo.errors import ZermeloError
from zermelo.limits import Flag
from zermelo.rules import Game, State, legal_actions

__all__ = ["BYTES_PER_HISTORY", "LONGEST_PROBE", "TreeTooLargeError", "Watch", "estimate_histories", "guard", "in_bytes", "memory_limit"]


class TreeTooLargeError(ZermeloError):
    """The tree does not fit the memory or the time allowed."""


class Watch:
    """Ends an unfolding when it is told to stop, or when its time is up."""

    def __init__(self, game: Game, stop: Flag | None, seconds: float | None) -> None:
        self.game, self.stop = game, stop
        self.end = math.inf if seconds is None else time.perf_counter() + seconds

    def look(self, histories: int) -> None:
        """Raises where the unfolding must end; so many histories are there."""
        if self.stop is not None and self.stop.is_set():
            raise KeyboardInterrupt
        if time.perf_counter() > self.end:
            raise TreeTooLargeError(
                f"The tree of {type(self.game).__name__} has more than {histories:,} histories, too many for the time allowed: "
                "use the method mccfr, which needs no tree, or a depth limit, or more time."
            )


BYTES_PER_HISTORY = 40  # arrays, their sparse rows both ways, and the solver's vectors: measured on Leduc and Liar's Dice
PROBES = 64
LONGEST_PROBE = 10_000  # a game that goes on longer has no tree to unfold


def memory_limit(asked: int | None) -> int:
    """Bytes that arrays may take: what was asked for, or half of the machine's memory."""
    if asked is not None:
        if asked < 1:
            raise ZermeloError(f"A memory limit is a positive number of bytes, not {asked}.")
        return asked
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):  # not every system tells
        return 4 << 30


def estimate_histories(game: Game, root: State, depth: int | None = None, probes: int = PROBES, seed: int = 0) -> float:
    """About how many histories the tree has; infinite where a random history returns to a state, or does not end."""
    random = Random(seed)
    total = 0.0
    for _ in range(probes):
        state, width, length = root, 1.0, 0
        met = {root}
        while not game.terminal(state) and length != depth:
            actions = legal_actions(game, state)
            if not actions:
                break
            width *= len(actions)
            total += width
            length += 1
            if length > LONGEST_PROBE:
                return float("inf")
            state = game.result(state, random.choice(actions))
            if depth is None and state in met:
                return float("inf")
            met.add(state)
    return 1 + total / probes


def guard(game: Game, root: State, depth: int | None, limit: int, found: int = 0, each: int = BYTES_PER_HISTORY) -> None:
    """Raise where the tree does not fit; `found` histories are already known to exist, `each` takes so many bytes."""
    histories = float(found) if found else estimate_histories(game, root, depth)
    needed = histories * each
    # The estimate varies: only what is far beyond the limit is refused before it starts. Growth is watched afterwards.
    if needed <= limit * (1 if found else 4):
        return
    if math.isinf(histories):
        raise TreeTooLargeError(
            f"Play of {type(game).__name__} can go on forever, so its tree has no end: "
            "use the method mccfr, which needs no tree, or a depth limit."
        )
    size = f"{'more than' if found else 'about'} {histories:.0e} histories, {in_bytes(needed)}"
    raise TreeTooLargeError(
        f"The tree of {type(game).__name__} has {size}, more than the {in_bytes(limit)} allowed: "
        "use the method mccfr, which needs no tree, or a depth limit, or more memory."
    )


def in_bytes(size: float) -> str:
    """A size in words."""
    return f"{size / (1 << 30):.3g} GB" if size >= 1 << 28 else f"{size / (1 << 20):.3g} MB"
