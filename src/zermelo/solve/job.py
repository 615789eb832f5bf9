"""What every task of a solve is told: the game, how positions are numbered, where the files lie. A job can be sent to other processes."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from zermelo.engine.backend import Compiled, choose
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game, State, has, legal_actions
from zermelo.solve.numbering import Numbering, Positions, is_ranked

__all__ = ["Chunk", "Job", "WidenError", "chunks", "kernel_of", "look"]

SAMPLES = 200  # states on which compiled `canonical`, `tier`, `rank` and `unrank` are compared with the rules
SEED = 1913
EDGES = 1 << 18  # children that are looked at together
MOST_EDGES = 1 << 26

loading = threading.Lock()
loaded: dict[tuple[Game, bool], tuple[Compiled, Any]] = {}  # of this process


class WidenError(Exception):
    """A word of a position needs more bits: the numbering must be made anew."""

    def __init__(self, word: int, needed: int) -> None:
        self.word, self.needed = word, needed
        super().__init__(word, needed)  # so that it survives the way from another process


@dataclass(frozen=True)
class Job:
    """One game to be solved whole."""

    game: Game
    numbering: Numbering
    folder: str

    @property
    def tiered(self) -> bool:
        return has(self.game, "tier")


class Chunk(NamedTuple):
    """What some neighbouring positions of a shard lead to; see the kernel for the arrays."""

    begin: int
    end: int
    movers: Any
    ends: Any
    first: Any
    children: Any
    tiers: Any


def kernel_of(job: Job) -> tuple[Compiled, Any]:
    """The rules of the job's game, compiled with what the solver asks beyond others, and compared with the interpreter once."""
    with loading:
        key = job.game, job.numbering.symmetric
        if key not in loaded:
            asked = [name for name in ("tier",) if has(job.game, name)]
            asked += ["canonical"] if job.numbering.symmetric else []
            asked += ["rank", "unrank"] if is_ranked(job.game) else []
            choice = choose(job.game, "compiled")
            assert choice.compiled is not None
            compiled = choice.compiled.asking(*asked)
            loaded[key] = compiled, compiled.ready("expand")
            compare_rules(job, *loaded[key])
        return loaded[key]


def look(job: Job, compiled: Compiled, kernel: Any, state: State) -> tuple[int, int, State]:
    """Tier, number and state of a state's position, as compiled rules have it. Raises `WidenError`."""
    out = np.zeros(4 + compiled.words, np.int64)
    kernel.look(compiled.row(state), np.array(job.numbering.layout, np.int64), out)
    if out[1] < 0:
        if job.numbering.size:
            raise RulesError(f"{type(job.game).__name__}.rank gives {int(out[1])} for {state!r}: it must be at least 0.")
        raise WidenError(int(out[-2]), int(out[-1]))
    return int(out[0]), int(out[1]), compiled.state(out[2 : 2 + compiled.words])


def compare_rules(job: Job, compiled: Compiled, kernel: Any) -> None:
    """The rules that are compiled for this kernel alone must say what the interpreter says, on states of random games."""
    random, game, state = Random(SEED), job.game, job.game.start()
    positions = Positions(game, job.numbering)
    for _ in range(SAMPLES):
        try:
            tier, number, position = look(job, compiled, kernel, state)
            row = np.zeros(compiled.words, np.int64)
            kernel.open_number(number, np.array(job.numbering.layout, np.int64), row)
            again = compiled.state(row)
        except WidenError:
            number, again = -1, positions.canonical(state)
            tier, position = game.tier(again) if job.tiered else 0, again  # type: ignore[attr-defined]
        expected = positions.canonical(state)
        found = (tier, position, again, number if number >= 0 else None)
        wanted = (game.tier(expected) if job.tiered else 0, expected, expected, positions.number(state))  # type: ignore[attr-defined]
        if found != wanted:
            raise RulesError(
                f"Compiled `canonical`, `tier`, `rank` or `unrank` of {type(game).__name__} differ from the rules in {state!r} "
                f"({found!r} instead of {wanted!r})."
            )
        actions = legal_actions(game, state)
        state = game.result(state, random.choice(actions)) if actions else game.start()


def chunks(job: Job, numbers: Any) -> Iterator[Chunk]:
    """What the positions with these numbers lead to, a part at a time; the arrays of one part are used again for the next."""
    compiled, kernel = kernel_of(job)
    layout = np.array(job.numbering.layout, np.int64)
    numbers = np.ascontiguousarray(numbers, np.int64)
    count = len(numbers)
    row, control = np.zeros(compiled.words, np.int64), np.zeros(kernel.CONTROL, np.int64)
    movers, ends, first = np.zeros(count, np.int8), np.zeros(count, np.int32), np.zeros(count + 1, np.int64)
    room = EDGES
    children, tiers = np.zeros(room, np.int64), np.zeros(room if job.tiered else 0, np.int32)
    while control[kernel.AT] < count:
        begin = int(control[kernel.AT])
        code = kernel.expand(numbers, job.numbering.size, layout, row, movers, ends, first, children, tiers, control)
        end, edges = int(control[kernel.AT]), int(control[kernel.EDGES])
        if code not in (kernel.DONE, kernel.ROOM):
            raise fault(job, compiled, kernel, int(numbers[end]), code, control)
        if end == begin and code == kernel.ROOM:
            room *= 4
            if room > MOST_EDGES:
                raise ZermeloError(f"A position of {type(job.game).__name__} has more than {MOST_EDGES // 4:,} actions.")
            children, tiers = np.zeros(room, np.int64), np.zeros(room if job.tiered else 0, np.int32)
            continue
        yield Chunk(begin, end, movers[begin:end], ends[begin:end], first[: end - begin + 1], children[:edges], tiers[:edges])


def fault(job: Job, compiled: Compiled, kernel: Any, number: int, code: int, control: Any) -> Exception:
    """Why a position cannot be expanded."""
    if code == kernel.WIDEN:
        return WidenError(int(control[kernel.WIDE]), int(control[kernel.NEEDED]))
    row = np.zeros(compiled.words, np.int64)
    kernel.open_number(number, np.array(job.numbering.layout, np.int64), row)
    state, name = compiled.state(row), type(job.game).__name__
    reasons = {
        kernel.NO_ACTIONS: f"{name} has no actions in {state!r}, which is not terminal.",
        kernel.NO_PLAYER: f"In {state!r} of {name} neither Max nor Min moves: a whole game is solved for two players without chance.",
        kernel.NO_SCORE: f"The payoff in {state!r} of {name} is not a multiple of a half up to {kernel.LARGEST_LEAD} beside the draw.",
        kernel.BACKWARDS: f"`tier` of {name} falls after an action in {state!r}: it must never decrease.",
        kernel.NO_NUMBER: f"`rank` of {name} gives a number outside of 0 … size() - 1 after an action in {state!r}.",
    }
    return RulesError(reasons[code])
