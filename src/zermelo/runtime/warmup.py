"""Filling the compile cache before anybody waits for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from zermelo.rules import Game
from zermelo.runtime.backend import choose

__all__ = ["Warmed", "warmup"]

USUAL_FAMILIES = ("perft", "alphabeta")
SPARE = ("order", "candidates", "bounds", "evaluate", "key", "cost", "heuristic")  # rules that move counts and exact searches do without


@dataclass(frozen=True)
class Warmed:
    """What was done for one kernel family of a game."""

    game: Game
    family: str | None  # None: the game runs on the reference backend
    from_cache: bool  # True where nothing had to be compiled
    seconds: float
    notes: tuple[str, ...] = ()


def warmup(game: Game, families: Sequence[str] = USUAL_FAMILIES) -> Iterator[Warmed]:
    """Compile kernel families of a game into the cache, one after the other; a game that does not compile says so once."""
    began = perf_counter()
    for family in families:
        choice = choose(game, "auto", SPARE, family)
        if choice.compiled is None:
            yield Warmed(game, None, True, perf_counter() - began, choice.notes)
            return
        kernel = choice.compiled.ready(family)
        kernel.optimise()
        yield Warmed(game, family, kernel.code.from_cache, perf_counter() - began, choice.notes)
        began = perf_counter()
