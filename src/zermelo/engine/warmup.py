"""Filling the compile cache before anybody waits for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from zermelo.engine.backend import choose
from zermelo.rules import Game

__all__ = ["Warmed", "warmup"]

USUAL_FAMILIES = ("perft", "alphabeta")


@dataclass(frozen=True)
class Warmed:
    """What was done for one kernel family of a game."""

    game: Game
    family: str | None  # None: the game runs on the reference engine
    from_cache: bool  # True where nothing had to be compiled
    seconds: float
    notes: tuple[str, ...] = ()


def warmup(game: Game, families: Sequence[str] = USUAL_FAMILIES) -> Iterator[Warmed]:
    """Compile kernel families of a game into the cache, one after the other; a game that does not compile says so once."""
    began = perf_counter()
    choice = choose(game)
    if choice.compiled is None:
        yield Warmed(game, None, True, perf_counter() - began, choice.notes)
        return
    for family in families:
        module = choice.compiled.ready(family)
        kernels = [getattr(module, name) for name in module.SIGNATURES]
        yield Warmed(game, family, not any(kernel.stats.cache_misses for kernel in kernels), perf_counter() - began, choice.notes)
        began = perf_counter()
