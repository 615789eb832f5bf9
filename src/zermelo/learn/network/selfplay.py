"""Games of a network against itself, many at once: compiled trees, and one answer of the network for all of them at every step."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.kernel import Kernel
from zermelo.limits import Flag
from zermelo.rules import Action, Game, State
from zermelo.search.montecarlo.network.inputs import Sight
from zermelo.search.montecarlo.network.tree_arrays import Trees, compiled_for
from zermelo.search.montecarlo.splitmix import stream

__all__ = ["Evaluate", "Samples", "SelfPlay", "choose_moves"]

FAMILY = "selfplay"
Evaluate = Callable[[NDArray[np.float32]], tuple[NDArray[np.float32], NDArray[np.float32]]]  # [row, input] → [row, output], [row]

FIRST_SAMPLES = 4_096  # room that grows on demand


class Samples(NamedTuple):
    """What is to be learned from games: one row a move."""

    inputs: NDArray[np.float32]  # [row, input]
    policies: NDArray[np.float32]  # [row, output] shares of the visits
    legal: NDArray[np.uint8]  # [row, output]
    lessons: NDArray[np.float32]  # [row, 2] the mover's payoff from -1 to 1: at the end of the game, and by the search

    @staticmethod
    def joined(parts: Sequence["Samples"]) -> "Samples":
        """All rows, one part after the other."""
        return Samples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def latest(self, rows: int) -> "Samples":
        """The last rows."""
        return Samples(self.inputs[-rows:], self.policies[-rows:], self.legal[-rows:], self.lessons[-rows:])


@dataclass(frozen=True)
class SelfPlay:
    """How a network plays against itself."""

    playouts: int = 64  # for a move
    slots: int = 256  # games at once
    opening: int = 4  # a game begins with up to so many moves at random
    tempered: int = 8  # then so many moves are drawn by their visits; later the most visited is made
    noise: float = 0.25  # the part of a root's priors that is drawn at random, by Dirichlet's distribution
    concentration: float = 10.0  # of that draw, divided by the number of moves
    exploration: float = 1.5  # PUCT's constant
    longest: int = 500  # moves after which a game is a draw

    def play(self, game: Game, sight: Sight, evaluate: Evaluate, games: int, seed: int, threads: int, stop: Flag | None = None) -> Samples:
        """Plays so many games, shared out among threads, each with games of its own: the answer does not depend on who is faster.

        Once `stop` is raised, nothing but the games that are over by then is of use, and they are not whole: raises `InterruptedError`.
        """
        compiled, _ = compiled_for(game, FAMILY, sight.symmetric)
        shares = [games // threads + (number < games % threads) for number in range(threads)]
        tables = [Table(self, compiled, sight, share, stream(seed, number)) for number, share in enumerate(shares) if share]
        with ThreadPoolExecutor(threads) as pool:
            return Samples.joined(list(pool.map(lambda table: table.play(evaluate, stop), tables)))


class Table:
    """One thread's games."""

    def __init__(self, settings: SelfPlay, compiled: Any, sight: Sight, games: int, seed: int) -> None:
        self.kernel = compiled.ready(FAMILY)
        kernel, slots = self.kernel, min(settings.slots, max(games, 1))
        nodes = settings.playouts + 2
        self.trees = Trees(compiled, kernel, sight, slots, (nodes, nodes * sight.most_actions), settings.exploration)
        self.sight, self.games = sight, games
        control, figures = self.trees.control, self.trees.figures
        control[[kernel.PLAYOUTS, kernel.PLAYING, kernel.GAMES_LEFT, kernel.OUTPUTS]] = settings.playouts, 1, games, sight.outputs
        control[[kernel.OPENING, kernel.TEMPERED, kernel.LONGEST_GAME]] = settings.opening, settings.tempered, settings.longest
        figures[[kernel.NOISE, kernel.CONCENTRATION]] = settings.noise, settings.concentration
        for slot in range(slots):
            self.trees.head(slot)[kernel.RANDOM] = np.uint64(stream(seed, slot)).astype(np.int64)
        self.columns: list[Any] = []
        self.make_room(FIRST_SAMPLES)

    def make_room(self, rows: int) -> None:
        """Columns for so many samples, with what the old ones hold."""
        kernel, outputs = self.kernel, self.sight.outputs
        kinds = [
            (np.int64, kernel.SAMPLE),
            (np.float32, self.sight.inputs),
            (np.float32, outputs),
            (np.uint8, outputs),
            (np.float32, kernel.LESSON),
        ]
        wider = [np.zeros(rows * each, kind) for kind, each in kinds]
        for column, old in zip(wider, self.columns, strict=False):
            column[: len(old)] = old
        self.columns = wider
        self.trees.control[kernel.SAMPLE_ROOM] = rows

    def play(self, evaluate: Evaluate, stop: Flag | None) -> Samples:
        kernel, control = self.kernel, self.trees.control
        while control[kernel.GAMES_DONE] < self.games:
            if stop is not None and stop.is_set():
                raise InterruptedError("the games were interrupted")
            self.step(evaluate)
        rows = int(control[kernel.SAMPLES])
        _, inputs, policies, legal, lessons = (column.reshape(int(control[kernel.SAMPLE_ROOM]), -1)[:rows] for column in self.columns)
        return Samples(inputs, policies, legal, lessons)

    def step(self, evaluate: Evaluate) -> None:
        """Brings every slot to the network, asks it, and tells the trees."""
        kernel = self.kernel
        while self.trees.call(self.advance) == kernel.NEEDS_SAMPLES:
            self.make_room(2 * int(self.trees.control[kernel.SAMPLE_ROOM]) + self.trees.slots)
        answer(self.trees, evaluate)

    def advance(self) -> int:
        return int(self.kernel.advance(*self.trees.arrays, *self.trees.seen, self.trees.inputs, *self.columns))


def answer(trees: Trees, evaluate: Evaluate) -> None:
    """Asks the network about everything that waits, in one go."""
    rows = int(trees.control[trees.kernel.ROWS])
    if rows:
        policies, values = evaluate(trees.inputs.reshape(trees.slots, -1)[:rows])
        trees.kernel.absorb(*trees.arrays, policies.ravel(), values)


def choose_moves(
    game: Game, sight: Sight, evaluate: Evaluate, states: Sequence[State], playouts: int, exploration: float = 1.5, slots: int = 512
) -> list[Action]:
    """The most visited move of a search in each of the states, without noise; with 0 playouts the one that the network itself prefers."""
    compiled, _ = compiled_for(game, FAMILY, sight.symmetric)
    kernel = compiled.ready(FAMILY)
    nodes = playouts + 2
    chosen: list[Action] = []
    for begin in range(0, len(states), slots):
        part = states[begin : begin + slots]
        trees = Trees(compiled, kernel, sight, len(part), (nodes, nodes * sight.most_actions), exploration)
        trees.control[[kernel.PLAYOUTS, kernel.OUTPUTS]] = max(playouts, 1), sight.outputs
        for slot, state in enumerate(part):
            trees.plant(slot, state)
        for _ in range(1 + playouts):  # the root's own answer, and one a playout
            trees.call(partial(search_on, trees))
            answer(trees, evaluate)
        chosen += [preferred(trees.edges_of(slot, 0), kernel, playouts > 0) for slot in range(len(part))]
    return chosen


def search_on(trees: Trees) -> int:
    """Brings every slot to where it needs the network; nobody plays, so no sample is kept."""
    nothing = [np.zeros(1, kind) for kind in (np.int64, np.float32, np.float32, np.uint8, np.float32)]
    return int(trees.kernel.advance(*trees.arrays, *trees.seen, trees.inputs, *nothing))


def preferred(edges: Any, kernel: Kernel, searched: bool) -> Action:
    """The action of the root's most visited edge, or of the one with the largest prior."""
    scores = edges[:, kernel.TRIES] if searched else edges.view(np.float64)[:, kernel.PRIOR]
    return int(edges[int(scores.argmax()), kernel.ACTION])
