"""What every task of a solve is told: the game, how positions are numbered, where the files lie. A job can be sent to other processes."""

import threading
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.kernel import Kernel
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game, State, ask, has, legal_actions
from zermelo.runtime.backend import choose
from zermelo.solve.numbering import Numbering, Positions, UnnumberedError, is_ranked

__all__ = [
    "SEED",
    "UNASKED",
    "Chunk",
    "Expander",
    "Job",
    "RankError",
    "UnnumberedError",
    "WidenError",
    "check_rank",
    "chunks",
    "edges_within",
    "kernel_of",
    "look",
    "random_states",
    "unnumbered",
]

UNASKED = ("evaluate", "order", "bounds", "candidates", "key", "heuristic", "cost")  # rules that solving a whole game does without
SAMPLES = 200  # states on which compiled `canonical`, `tier`, `rank` and `unrank` are compared with the rules
SEED = 1913
EDGES = 1 << 18  # children that are looked at together
MOST_EDGES = 1 << 26

LEAST_EDGES = 1 << 12
EDGE_SHARE = 256  # bytes of memory that one of them may take, with all that is made of it

loading = threading.Lock()
loaded: dict[tuple[Hashable, bool, str], tuple[Any, Any]] = {}  # of this process
fixed: dict[tuple[Hashable, str], CompiledGame] = {}  # by the layout of states that a numbering has


class WidenError(Exception):
    """A field of a position has no place in its number: the numbering must be made anew."""

    def __init__(self, field: int, value: int) -> None:
        self.field, self.value = field, value
        super().__init__(field, value)  # so that it survives the way from another process

    def widened(self, game: Game, numbering: Numbering) -> Numbering:
        """The numbering with room for it."""
        return numbering.widened(self.field, self.value, Positions(game, numbering).fields, game)


class RankError(ZermeloError):
    """`rank` and `unrank` of the rules contradict each other, or `size`."""


@dataclass(frozen=True)
class Job:
    """One game to be solved whole."""

    game: Game
    numbering: Numbering
    folder: str
    edges: int = EDGES  # children that are looked at together

    @property
    def tiered(self) -> bool:
        return has(self.game, "tier")


def edges_within(memory: int) -> int:
    """How many children may be looked at together where so much memory is there."""
    return max(LEAST_EDGES, min(EDGES, memory // EDGE_SHARE))


class Chunk(NamedTuple):
    """What some neighbouring positions of a shard lead to; see the kernel for the arrays."""

    begin: int
    end: int
    movers: Any
    ends: Any
    first: Any
    children: Any
    tiers: Any


def identity(game: Game) -> Hashable:
    """What a game is known by: itself where it can be hashed. What is known of others holds on to them, so that no two have one address."""
    try:
        hash(game)
    except TypeError:
        return id(game)
    return game


def kernel_of(job: Job) -> tuple[CompiledGame, Kernel]:
    """The rules of the job's game, compiled with what the solver asks beyond others, and compared with the interpreter once."""
    with loading:
        key = identity(job.game), job.numbering.symmetric, job.numbering.layout
        if key not in loaded or not loaded[key][0].is_current():
            asked = [name for name in ("tier",) if has(job.game, name)]
            asked += ["canonical"] if job.numbering.symmetric else []
            asked += ["rank", "unrank"] if is_ranked(job.game) else []
            compiled = laid_out(choose(job.game, "compiled", UNASKED).required, job).asking(*asked)
            kernel = compiled.ready("expand")
            compare_rules(job, compiled, kernel)
            loaded[key] = compiled, kernel
        return loaded[key]


def laid_out(compiled: CompiledGame, job: Job) -> CompiledGame:
    """The compiled game with states laid out as the numbering has them. Raises `RulesError` where that cannot be had."""
    if job.numbering.layout in ("", compiled.layout):
        return compiled
    key = identity(job.game), job.numbering.layout
    if key not in fixed or not fixed[key].growth.unchanged():
        fixed[key] = compiled.with_layout(Positions(job.game, job.numbering).layout)
    return fixed[key]


def unnumbered(game: Game, state: State) -> UnnumberedError:
    """For a first position that `rank` gives no number."""
    return UnnumberedError(
        f"`rank` of {type(game).__name__} has no number for {state!r}: solve from a position that has one, with `position=`."
    )


def look(job: Job, compiled: CompiledGame, kernel: Kernel, state: State) -> tuple[int, int, State]:
    """Tier, number and state of a state's position, as compiled rules have it. Raises `WidenError`."""
    looks, controls, codes = kernel.Look.array(1), kernel.Control.array(1), job.numbering.codes.array()
    kernel.look(compiled.row(state), codes.ctypes.data, looks, controls)
    seen, control = looks[0], controls[0]
    if seen.number < 0:
        if job.numbering.size:
            raise unnumbered(job.game, state)
        raise WidenError(int(control.wide), int(control.value))
    return int(seen.tier), int(seen.number), compiled.state(seen.position)


def opened(compiled: CompiledGame, kernel: Kernel, number: int, codes: Any) -> State:
    """The position with this number."""
    row = np.zeros(compiled.words, np.int64)
    kernel.open_number(number, codes.ctypes.data, np.zeros(kernel.ROW, np.int64), row)
    return compiled.state(row)


def random_states(game: Game, root: State, random: Random, count: int = SAMPLES) -> Iterator[State]:
    """States of random games from the root on."""
    state = root
    for _ in range(count):
        yield state
        actions = legal_actions(game, state)
        state = game.result(state, random.choice(actions)) if actions else root


def check_rank(game: Game, position: State) -> int | None:
    """The number that `rank` gives a position; None where it gives none. Raises `RankError` where another position has it too."""
    name, size = type(game).__name__, int(ask(game, "size"))
    number = int(ask(game, "rank", position))
    if number >= size:
        raise RankError(f"`rank` of {name} gives {position!r} the number {number}, which is not below `size`, {size}.")
    if number < 0:
        return None
    other = ask(game, "unrank", number)
    if other == position:
        return number
    if ask(game, "rank", other) == number:
        raise RankError(f"`rank` of {name} gives two positions the same number, {number}: {position!r} and {other!r}.")
    raise RankError(f"`unrank` of {name} does not undo `rank`: {position!r} has the number {number}, which leads to {other!r}.")


def compare_rules(job: Job, compiled: CompiledGame, kernel: Kernel) -> None:
    """The rules that are compiled for this kernel alone must say what the interpreter says, on states of random games."""
    game, positions, codes = job.game, Positions(job.game, job.numbering), job.numbering.codes.array()
    for state in random_states(game, game.start(), Random(SEED)):
        if job.numbering.size:
            check_rank(game, positions.canonical(state))
        try:
            tier, number, position = look(job, compiled, kernel, state)
            again = opened(compiled, kernel, number, codes)
        except (WidenError, UnnumberedError):
            number, again = -1, positions.canonical(state)
            tier, position = ask(game, "tier", again) if job.tiered else 0, again
        expected = positions.canonical(state)
        found = (tier, position, again, number if number >= 0 else None)
        wanted = (ask(game, "tier", expected) if job.tiered else 0, expected, expected, positions.number(state))
        if found != wanted:
            raise RulesError(
                f"Compiled `canonical`, `tier`, `rank` or `unrank` of {type(game).__name__} differ from the rules in {state!r} "
                f"({found!r} instead of {wanted!r})."
            )


class Expander:
    """Asks what positions lead to. Its arrays are used again for every part; a thread has one of its own."""

    def __init__(self, job: Job, tiers: bool = True, edges: int = EDGES) -> None:
        """`tiers`: give the tiers of children too, where the game has them. `edges`: how many children are looked at together."""
        self.job, self.tiered = job, tiers and job.tiered
        self.compiled, self.kernel = kernel_of(job)
        self.fields = job.numbering.codes.array()
        self.codes = self.fields.ctypes.data
        self.row = np.zeros(self.kernel.ROW, np.int64)
        self.give_room(edges)

    def give_room(self, edges: int) -> None:
        self.children = np.zeros(edges, np.int64)
        self.tiers = np.zeros(edges if self.tiered else 0, np.int32)

    def overcome(self, number: int, code: int, control: Any) -> None:
        """Makes room for a position with many actions. Raises where it cannot be expanded for another reason."""
        if code != self.kernel.ROOM:
            raise fault(self.job, self.compiled, self.kernel, number, code, control)
        if 4 * len(self.children) > MOST_EDGES:
            raise ZermeloError(f"A position of {type(self.job.game).__name__} has more than {MOST_EDGES // 4:,} actions.")
        self.give_room(4 * len(self.children))

    def parts(self, numbers: Any) -> Iterator[Chunk]:
        """What the positions with these numbers lead to, a part at a time; a part's arrays are used again for the next."""
        kernel, size = self.kernel, self.job.numbering.size
        numbers = np.ascontiguousarray(numbers, np.int64)
        count = len(numbers)
        controls = kernel.Control.array(1)
        control = controls[0]
        movers, ends, first = np.zeros(count, np.int8), np.zeros(count, np.int32), np.zeros(count + 1, np.int64)
        while control.at < count:
            begin = int(control.at)
            code = kernel.expand(numbers, size, self.codes, self.row, movers, ends, first, self.children, self.tiers, controls)
            end, edges = int(control.at), int(control.edges)
            if code != kernel.DONE and (end == begin or code != kernel.ROOM):
                self.overcome(int(numbers[end]), code, control)
                continue
            yield Chunk(begin, end, movers[begin:end], ends[begin:end], first[: end - begin + 1], self.children[:edges], self.tiers[:edges])


def chunks(job: Job, numbers: Any) -> Iterator[Chunk]:
    """What the positions with these numbers lead to, a part at a time; the arrays of one part are used again for the next."""
    return Expander(job, edges=job.edges).parts(numbers)


def fault(job: Job, compiled: CompiledGame, kernel: Kernel, number: int, code: int, control: Any) -> Exception:
    """Why a position cannot be expanded."""
    if code == kernel.WIDEN:
        return WidenError(int(control.wide), int(control.value))
    state, name = opened(compiled, kernel, number, job.numbering.codes.array()), type(job.game).__name__
    reasons = {
        kernel.NO_ACTIONS: f"{name} has no actions in {state!r}, which is not terminal.",
        kernel.NO_PLAYER: f"In {state!r} of {name} neither Max nor Min moves: a whole game is solved for two players without chance.",
        kernel.NO_SCORE: f"The payoff in {state!r} of {name} is not a multiple of a half up to {kernel.LARGEST_LEAD} beside the draw.",
        kernel.BACKWARDS: f"`tier` of {name} falls after an action in {state!r}: it must never decrease.",
        kernel.UNNUMBERED: f"`rank` of {name} gives a number outside 0 … size() - 1 after an action in {state!r}.",
    }
    return RulesError(reasons[code])
