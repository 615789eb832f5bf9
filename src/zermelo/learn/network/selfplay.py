"""Games of a network against itself, many at once: compiled trees, and one answer of the network for all of them at every step."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
        control = self.trees.control
        control.playouts, control.playing, control.games_left, control.outputs = settings.playouts, True, games, sight.outputs
        control.opening, control.tempered, control.longest_game = settings.opening, settings.tempered, settings.longest
        control.noise, control.concentration = settings.noise, settings.concentration
        self.trees.heads["random"] = np.array([stream(seed, slot) for slot in range(slots)], np.uint64).astype(np.int64)
        self.columns: list[Any] = []
        self.make_room(FIRST_SAMPLES)

    def make_room(self, rows: int) -> None:
        """Columns for so many samples, with what the old ones hold."""
        kernel, inputs, outputs = self.kernel, rows * self.sight.inputs, rows * self.sight.outputs
        learned = np.zeros(inputs, np.float32), np.zeros(outputs, np.float32), np.zeros(outputs, np.uint8)
        wider = [kernel.Sample.array(rows), *learned, kernel.Lesson.array(rows)]
        for column, old in zip(wider, self.columns, strict=False):
            column[: len(old)] = old
        self.columns = wider
        self.trees.control.sample_room = rows

    def play(self, evaluate: Evaluate, stop: Flag | None) -> Samples:
        control = self.trees.control
        while control.games_done < self.games:
            if stop is not None and stop.is_set():
                raise InterruptedError("the games were interrupted")
            self.step(evaluate)
        _, *learned, lessons = self.columns
        return Samples(*(column.reshape(control.sample_room, -1)[: control.samples] for column in (*learned, lessons.view(np.float32))))

    def step(self, evaluate: Evaluate) -> None:
        """Brings every slot to the network, asks it, and tells the trees."""
        kernel = self.kernel
        while self.trees.call(self.advance) == kernel.NEEDS_SAMPLES:
            self.make_room(2 * self.trees.control.sample_room + self.trees.slots)
        answer(self.trees, evaluate)

    def advance(self) -> int:
        return int(self.kernel.advance(*self.trees.arrays, *self.trees.seen, self.trees.inputs, *self.columns))


def answer(trees: Trees, evaluate: Evaluate) -> None:
    """Asks the network about everything that waits, in one go."""
    rows = trees.control.rows
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
        trees.control.playouts, trees.control.outputs = max(playouts, 1), sight.outputs
        for slot, state in enumerate(part):
            trees.plant(slot, state)
        for _ in range(1 + playouts):  # the root's own answer, and one a playout
            trees.call(partial(search_on, trees))
            answer(trees, evaluate)
        chosen += [preferred(trees.edges_of(slot, 0), playouts > 0) for slot in range(len(part))]
    return chosen


def search_on(trees: Trees) -> int:
    """Brings every slot to where it needs the network; nobody plays, so no sample is kept."""
    nothing = [np.zeros(1, kind) for kind in (np.float32, np.float32, np.uint8)]
    samples, lessons = trees.kernel.Sample.array(1), trees.kernel.Lesson.array(1)
    return int(trees.kernel.advance(*trees.arrays, *trees.seen, trees.inputs, samples, *nothing, lessons))


def preferred(edges: Any, searched: bool) -> Action:
    """The action of the root's most visited edge, or of the one with the largest prior."""
    return int(edges["action"][edges["tries" if searched else "prior"].argmax()])
