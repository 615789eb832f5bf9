"""The loop: games of the best network against itself, training on the latest of them, and a match that the new network has to win.

    best network ── self-play ──► window of samples ── training ──► new network ── gate (arena) ──► best network

The network that learns goes on learning whether or not it passes; what passes is saved, and makes the games from then on. Everything is
drawn from one seed, by iteration: a run that was interrupted goes on from its checkpoint as if it had not been.
"""

import json
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.regret.checkpoint import Checkpoint, load, save
from zermelo.errors import ZermeloError
from zermelo.learn.network.model import Learner, evaluator, pytorch
from zermelo.learn.network.selfplay import FAMILY, Samples, SelfPlay, choose_moves
from zermelo.learn.network.solved_positions import Measure, measure_of
from zermelo.play.arena import Tournament
from zermelo.rules import Game
from zermelo.runtime.identity import rules_hash
from zermelo.search.montecarlo.network.inputs import look_at
from zermelo.search.montecarlo.network.network_file import Network, Sizes, new_weights, write_network
from zermelo.search.montecarlo.network.puct_driver import FAMILY as SEARCH_FAMILY
from zermelo.search.montecarlo.network.tree_arrays import compiled_for, symmetry_of
from zermelo.search.montecarlo.splitmix import mixed

__all__ = ["Lesson", "Training", "TrainingResult"]

METHOD = "network"
MEASURING = ("positions", "test_playouts")  # settings that change nothing about the network
OPENING = 0.6  # of the length of a game at random
WINDOW = ("inputs", "policies", "legal", "lessons")  # columns of the samples in a checkpoint


@dataclass(frozen=True)
class Lesson:
    """One iteration."""

    iteration: int
    seconds: float  # of learning, in all runs; solving positions and compiling are not counted
    games: int  # since the beginning
    samples: int  # in the window
    policy_loss: float
    value_loss: float
    gate: float | None  # score of the new network against the best so far; None where nobody asked
    passed: bool
    policy_share: float | None  # of solved positions in which the network itself prefers a move of best value; None without a truth
    search_share: float | None  # the same with its search


@dataclass(frozen=True)
class TrainingResult:
    """What came out of it."""

    game: str
    network: Network  # the best
    lessons: tuple[Lesson, ...]
    positions: int  # of the truth; 0 where there is none
    whole: bool  # are these all in which a mistake is possible?
    stopped: str  # "interrupted", "time", or nothing
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        sizes = asdict(self.network.sizes) | {"weights": len(self.network.weights)}
        return {
            "game": self.game,
            "method": METHOD,
            "sizes": sizes,
            "positions": self.positions,
            "whole": self.whole,
            "stopped": self.stopped,
            "curve": [asdict(lesson) for lesson in self.lessons],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Training:
    """How a network learns a game. The object only stores parameters; `run` works."""

    iterations: int = 20
    games: int = 500  # an iteration
    playouts: int = 64  # for a move of these games
    width: int = 128  # of the network's layers
    blocks: int = 2  # of two layers each
    window: int = 100_000  # samples that are learned from: the latest
    epochs: float = 8.0  # how often a sample is learned from, all in all
    batch: int = 256
    rate: float = 2e-3  # of learning; it falls to a tenth over the iterations
    decay: float = 1e-4  # of weights
    mix: float = 0.5  # values learn from so many parts of the game's result; the rest is what the search had found
    opening: int | None = None  # games begin with up to so many moves at random; None: six tenths of a game at random
    tempered: int = 8  # then so many moves are drawn by their visits
    gate: float = 0.5  # the score that a new network needs against the best so far; 0: every one passes
    gate_games: int = 40
    gate_playouts: int = 16  # for a move of these games; with few, the networks themselves are compared
    positions: int = 500  # of the truth, where the game is not small; 0: none
    test_playouts: int = 100  # of the search that is measured against the truth
    threads: int = 1
    seed: int = 0

    def check(self) -> None:
        """Raises where the parameters make no sense."""
        least = {"iterations": 1, "games": 1, "playouts": 2, "width": 1, "blocks": 0, "window": 1, "batch": 1, "opening": 0, "tempered": 0}
        least |= {"gate_games": 2, "gate_playouts": 1, "positions": 0, "test_playouts": 1, "threads": 1}
        for name, value in least.items():
            if getattr(self, name) is not None and getattr(self, name) < value:
                raise ZermeloError(f"{name} is a whole number of at least {value}, not {getattr(self, name)}.")
        if not (self.epochs > 0 and self.rate > 0 and self.decay >= 0 and 0 <= self.mix <= 1 and 0 <= self.gate <= 1):
            raise ZermeloError("epochs and rate are above 0, decay is not negative, mix and gate are between 0 and 1.")
        if self.gate_games % 2:
            raise ZermeloError(f"Games of the gate come in pairs with sides swapped: play an even number, not {self.gate_games}.")

    def run(
        self,
        game: Game,
        name: str,
        out: Path,
        checkpoint: Path | None = None,
        seconds: float | None = None,
        tell: Callable[[Lesson], object] | None = None,
        say: Callable[[str], object] | None = None,
    ) -> TrainingResult:
        """Trains, and writes the best network to `out` whenever there is a better one.

        `name` is the game's on the command line. `seconds` ends it after the iteration in which they are over. `tell` is told every
        iteration, `say` in words what is being done. Ctrl-C loses the iteration at hand and nothing else: with a checkpoint the next run
        goes on from there.
        """
        self.check()
        pytorch()
        return Course(self, game, name, out, checkpoint, say).run(seconds, tell)


@dataclass
class Course:
    """A training under way."""

    settings: Training
    game: Game
    name: str
    out: Path
    checkpoint: Path | None
    say: Callable[[str], object] | None
    lessons: list[Lesson] = field(default_factory=list)
    before: float = 0.0  # seconds of earlier runs

    def __post_init__(self) -> None:
        settings = self.settings
        self.notes: list[str] = []
        self.tell_words("looking at the game")
        symmetric = symmetry_of(self.game, FAMILY)
        self.sight = look_at(self.game, symmetric, settings.seed)
        self.sizes = Sizes(self.sight.inputs, self.sight.outputs, settings.width, settings.blocks, min(32, settings.width))
        self.best = new_weights(self.sizes, settings.seed)
        self.learner = Learner(self.sizes, self.best, settings.decay)
        self.samples: Samples | None = None
        self.rules = rules_hash(self.game, symmetric)
        self.opening = round(OPENING * self.sight.length) if settings.opening is None else settings.opening
        self.play = SelfPlay(settings.playouts, opening=self.opening, tempered=settings.tempered)
        self.recall()

    def tell_words(self, words: str) -> None:
        if self.say is not None:
            self.say(words)

    # --- the loop

    def run(self, seconds: float | None, tell: Callable[[Lesson], object] | None) -> TrainingResult:
        truth, stopped = self.truth(), ""
        self.tell_words("compiling")
        for family in (FAMILY, SEARCH_FAMILY):
            compiled_for(self.game, family, self.sight.symmetric)
        begun = time.perf_counter()
        try:
            while len(self.lessons) < self.settings.iterations:
                lesson = self.iterate(truth, lambda: self.before + time.perf_counter() - begun)
                self.lessons.append(lesson)
                self.keep()
                if tell is not None:
                    tell(lesson)
                if seconds is not None and time.perf_counter() - begun >= seconds:
                    stopped = "time"
                    break
        except KeyboardInterrupt:
            stopped = "interrupted"
        if self.lessons and not self.out.exists():  # a run that was done before, asked for under another name
            write_network(self.network(self.best), self.out)
        positions, whole = (len(truth.states), truth.whole) if truth is not None else (0, False)
        return TrainingResult(self.name, self.network(self.best), tuple(self.lessons), positions, whole, stopped, tuple(self.notes))

    def truth(self) -> Measure | None:
        """Solved positions to measure by."""
        if not self.settings.positions:
            return None
        self.tell_words("solving positions to measure by")
        truth = measure_of(self.game, self.settings.positions, self.settings.seed)
        if truth is None:
            self.notes.append("There is no truth to measure by: no position of this game was solved within the nodes of a proof.")
        return truth

    def iterate(self, truth: Measure | None, clock: Callable[[], float]) -> Lesson:
        """Self-play, training, gate, truth."""
        settings, number = self.settings, len(self.lessons) + 1
        seed = mixed(settings.seed * 1_000_003 + number)
        self.tell_words(f"iteration {number}: {settings.games} games against itself")
        fresh = self.games(seed)
        self.samples = fresh if self.samples is None else Samples.joined((self.samples, fresh)).latest(settings.window)
        self.tell_words(f"iteration {number}: training on {len(self.samples.inputs):,} samples")
        steps = max(1, round(settings.epochs * len(fresh.inputs) / settings.batch))
        rate = settings.rate * 0.1 ** ((number - 1) / settings.iterations)
        losses = self.learner.study(self.samples, steps, settings.batch, settings.mix, seed & 0xFFFFFFFF, rate)
        if not np.isfinite(losses).all():
            raise ZermeloError(f"Training went astray in iteration {number} (a loss of {losses[0]}): try a smaller rate.")
        weights = self.learner.weights
        self.tell_words(f"iteration {number}: the gate")
        score = self.gate(weights, seed & 0xFFFFFF) if settings.gate > 0 else None
        passed = score is None or score >= settings.gate
        if passed:
            self.best = weights
        self.tell_words(f"iteration {number}: measuring")
        shares = [None, None] if truth is None else [self.share(truth, playouts) for playouts in (0, settings.test_playouts)]
        played = (self.lessons[-1].games if self.lessons else 0) + settings.games
        return Lesson(number, clock(), played, len(self.samples.inputs), *losses, score, passed, *shares)

    def games(self, seed: int) -> Samples:
        """The best network against itself; Ctrl-C stops all threads."""
        stop = threading.Event()
        settings, evaluate = self.settings, evaluator(self.sizes, self.best)
        found: list[Any] = []

        def work() -> None:
            try:
                found.append(self.play.play(self.game, self.sight, evaluate, settings.games, seed, settings.threads, stop))
            except BaseException as error:
                found.append(error)

        worker = threading.Thread(target=work)
        worker.start()
        try:
            while worker.is_alive():
                worker.join(0.1)
        except KeyboardInterrupt:
            stop.set()
            worker.join()
            raise
        if isinstance(found[0], BaseException):
            raise found[0]
        samples: Samples = found[0]
        return samples

    def gate(self, weights: Any, seed: int) -> float:
        """The new network's score against the best so far, in the arena."""
        settings = self.settings
        with tempfile.TemporaryDirectory() as folder:
            texts = []
            for word, each in (("new", weights), ("best", self.best)):
                path = Path(folder) / f"{word}.npz"
                write_network(self.network(each), path)
                texts.append(f"network(file={str(path)!r}, playouts={settings.gate_playouts})")
            outcome = Tournament(self.name, texts, games=settings.gate_games, plies=max(self.opening // 2, 1), seed=seed).run()
        if outcome.stopped == "interrupted":
            raise KeyboardInterrupt
        assert outcome.duel is not None
        return outcome.duel.score

    def share(self, truth: Measure, playouts: int) -> float:
        """Of the truth's positions in which the best network, with so many playouts, makes one of the best moves."""
        chosen = choose_moves(self.game, self.sight, evaluator(self.sizes, self.best), truth.states, playouts)
        return truth.share(chosen)

    def network(self, weights: Any) -> Network:
        """The network as others use it."""
        settings = asdict(self.settings)
        last = {"iterations_done": len(self.lessons), "lesson": asdict(self.lessons[-1]) if self.lessons else None}
        return Network(self.name, self.rules, self.sight, self.sizes, weights, settings | last)

    # --- on disk

    def keep(self) -> None:
        """The best network, and the checkpoint; each in one step."""
        if self.lessons[-1].passed or not self.out.exists():
            write_network(self.network(self.best), self.out)
        if self.checkpoint is None:
            return
        assert self.samples is not None
        columns: dict[str, Any] = {f"learner {name}": column for name, column in self.learner.memory().items()}
        columns |= dict(zip(WINDOW, self.samples, strict=True)) | {"best": self.best}
        columns["curve"] = np.frombuffer(json.dumps([asdict(lesson) for lesson in self.lessons]).encode(), np.uint8)
        save(self.checkpoint, self.rules, Checkpoint(len(self.lessons), self.lessons[-1].seconds, (), columns, self.agreed()))

    def agreed(self) -> dict[str, Any]:
        """What a run that goes on must agree on: everything but how it is measured."""
        return {"method": METHOD} | {name: value for name, value in asdict(self.settings).items() if name not in MEASURING}

    def recall(self) -> None:
        """Goes on from the checkpoint, if there is one."""
        kept = None if self.checkpoint is None else load(self.checkpoint, self.rules, self.name, self.agreed())
        if kept is None:
            return
        columns = kept.columns
        self.learner.recall({name.removeprefix("learner "): column for name, column in columns.items() if name.startswith("learner ")})
        self.best = columns["best"]
        self.samples = Samples(*(columns[name] for name in WINDOW))
        self.lessons = [Lesson(**lesson) for lesson in json.loads(bytes(columns["curve"]))]
        self.before = kept.seconds
