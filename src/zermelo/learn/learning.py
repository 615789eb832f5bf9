"""A run of learning: games of self-play, measured now and then against fixed opponents and against the truth, kept in a checkpoint.

Whether a run is interrupted or not, and how often it is measured, changes nothing about the weights: each game draws its own random
numbers, and a checkpoint holds every bit of what the next game depends on.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zermelo.compiler.faults import resilient
from zermelo.errors import ZermeloError
from zermelo.learn.practice import BLIND, HAND, LEARNED, Practice, Trainer, layout_of
from zermelo.learn.truth import Truth, share_of_best, solved_positions
from zermelo.play.arena.rating import Duel, duel
from zermelo.rules import Game, has
from zermelo.runtime.backend import Backend
from zermelo.weights import Patterns, Weights, identity_of, patterns_of
from zermelo.weights.linear import require_suitable

__all__ = ["Learner", "Learning", "Point"]

PIECE = 0.25  # seconds of games between two looks at the clock, about
FIRST_PIECE = 20  # games
PATTERN_LENGTH = 4  # cells, where a game has no features and no length was asked for
FEWEST_TRUTHS = 20
CURVE = "curve"  # the column of a checkpoint with the points measured so far
Tell = Callable[[str], object]


@dataclass(frozen=True)
class Point:
    """How good the weights are after so many games."""

    games: int
    seconds: float  # of learning, without measuring
    duels: dict[str, Duel]  # by opponent; both search to the same depth
    optimal: float | None  # share of solved positions in which a best move is chosen; None where none could be solved


@dataclass(frozen=True)
class Learning:
    """What was learned."""

    weights: Weights = field(repr=False)
    curve: tuple[Point, ...] = field(repr=False)
    games: int  # of self-play, or positions for regression
    seconds: float
    positions: int  # solved ones by which the share of best moves was measured
    optimal_by_hand: float | None  # the same share for the game's own `evaluate`
    backend: str
    stopped: str = ""  # "interrupted" or "time", or nothing
    notes: tuple[str, ...] = ()
    unit: str = "games"  # what is counted: games, or positions

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        points = [
            {
                "games": point.games,
                "seconds": point.seconds,
                "optimal": point.optimal,
                "duels": {k: vars(v) for k, v in point.duels.items()},
            }
            for point in self.curve
        ]
        names = self.weights.names
        return {
            "games": self.games,
            "seconds": self.seconds,
            "positions": self.positions,
            "optimal_by_hand": self.optimal_by_hand,
            "curve": points,
            "weights": dict(zip(names, self.weights.numbers, strict=False)),
            "pattern_weights": len(self.weights.numbers) - len(names),
            "backend": self.backend,
            "stopped": self.stopped,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Learner:
    """Finds weights. The object only stores settings; `learn` validates, works and returns a `Learning`."""

    practice: Practice = field(default_factory=Practice)
    games: int = 2_000
    seconds: float | None = None
    patterns: int | None = None  # cells of each; None: patterns only where the game has no features
    measures: int = 8  # how often the weights are measured on the way
    pairs: int = 100  # of games against each opponent
    opponents: tuple[str, ...] | None = None  # `random` and `evaluate`; None: those that fit the game
    truths: int = 100  # solved positions by which the share of best moves is measured; 0: none
    teacher: str = "solved"  # of regression: solved, search or games
    positions: int = 1_000  # for regression
    nodes: int = 10_000  # of a teacher that searches, a position
    backend: Backend = "auto"

    def __post_init__(self) -> None:
        if self.games < 0 or self.positions < 1 or self.nodes < 1:
            raise ZermeloError("Games, positions and nodes cannot be fewer than one.")
        if self.measures < 1 or self.pairs < 0 or self.truths < 0:
            raise ZermeloError("Weights are measured at least once, by no fewer than 0 games and positions.")
        for opponent in self.opponents or ():
            if opponent not in (BLIND, HAND):
                raise ZermeloError(f"{opponent} is no opponent here: use {BLIND} or {HAND}, and `zermelo match` for others.")

    @resilient
    def learn(self, game: Game, name: str, checkpoint: Path | None = None, tell: Tell | None = None) -> Learning:
        """Learns, from where the checkpoint stands if there is one; after Ctrl-C what was learned so far. `name` is the game's."""
        require_suitable(game)
        if self.opponents is not None and HAND in self.opponents and not has(game, "evaluate"):
            raise ZermeloError(f"{name} has no `evaluate` to play against: leave {HAND} out.")
        return Run(self, game, name, checkpoint, tell or (lambda _: None)).result()


class Run:
    """One run."""

    def __init__(self, learner: Learner, game: Game, name: str, checkpoint: Path | None, tell: Tell) -> None:
        from zermelo.learn.learning_driver import new_trainer

        self.learner, self.game, self.name, self.checkpoint, self.tell = learner, game, name, checkpoint, tell
        self.practice = learner.practice
        self.identity = identity_of(game)
        self.layout = layout_of(game, self.patterns())
        tell("compiling")
        made = new_trainer(game, self.layout, self.practice, learner.backend)
        self.trainer: Trainer = made[0]
        self.notes = list(made[1])
        self.opponents = learner.opponents if learner.opponents is not None else ((BLIND, HAND) if has(game, "evaluate") else (BLIND,))
        self.curve: list[Point] = []
        self.spent = 0.0  # seconds of learning
        self.stopped = ""
        self.truths: list[Truth] = []

    def patterns(self) -> Patterns | None:
        """Those that were asked for; where the game has no features, of a length that does."""
        length = self.learner.patterns
        if length is None and not has(self.game, "features"):
            length = PATTERN_LENGTH
        return None if not length else patterns_of(self.game, length)

    def result(self) -> Learning:
        """Learns and measures."""
        try:
            self.resume()
            self.prepare()
            if self.practice.method == "regression":
                self.regress()
            else:
                self.self_play()
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        self.save()
        by_hand = share_of_best(self.trainer, self.truths, HAND, self.practice.depth) if has(self.game, "evaluate") else None
        return Learning(
            self.weights(),
            tuple(self.curve),
            self.trainer.played,
            self.spent,
            len(self.truths),
            by_hand,
            self.trainer.backend,
            self.stopped,
            tuple(self.notes),
            "positions" if self.practice.method == "regression" else "games",
        )

    def weights(self) -> Weights:
        """As they are now."""
        practice = self.practice
        numbers = tuple(float(number) for number in self.trainer.memory()["weights"])
        if practice.method == "regression":
            story = f"regression on {self.trainer.played} positions ({self.learner.teacher}), seed {practice.seed}"
        else:
            parts = [f"{practice.method}, {self.trainer.played} games", f"depth {practice.depth}", f"lambda {practice.decay:g}"]
            story = ", ".join([*parts, f"rate {practice.rate:g}", f"exploration {practice.exploration:g}", f"seed {practice.seed}"])
        return Weights(self.name, self.identity, self.layout.names, numbers, self.layout.patterns, story)

    # --- work

    def prepare(self) -> None:
        """Solves the positions by which the weights are measured."""
        wanted = self.learner.truths
        if wanted:
            practice = self.practice
            self.truths = solved_positions(
                self.game, wanted, practice.seed, practice.depth, lambda found: self.tell(f"{found} positions solved"), self.learner.backend
            )
        if wanted and len(self.truths) < min(wanted, FEWEST_TRUTHS):
            self.notes.append(f"Only {len(self.truths)} positions could be solved: the share of best moves is not measured.")
            self.truths = []

    def marks(self) -> list[int]:
        """Numbers of games after which the weights are measured: before the first, and then ever more rarely."""
        games, measures = self.learner.games, self.learner.measures
        return sorted({0, *(round(games * (part / measures) ** 2) for part in range(1, measures + 1))})

    def self_play(self) -> None:
        """Games, until there are enough or time is up."""
        if not self.curve:
            self.measure()
        piece = FIRST_PIECE
        for mark in self.marks():
            while self.trainer.played < mark:
                if self.learner.seconds is not None and self.spent >= self.learner.seconds:
                    self.stopped = "time"
                    break
                before, begun = self.trainer.played, time.perf_counter()
                try:
                    self.trainer.train(min(piece, mark - before))
                finally:
                    seconds = time.perf_counter() - begun
                    self.spent += seconds
                piece = max(1, min(2 * piece, round((self.trainer.played - before) * PIECE / max(seconds, 1e-9))))
                self.tell(f"{self.trainer.played:,} of {self.learner.games:,} games")
            if self.trainer.played > self.curve[-1].games:
                self.measure()
                self.save()
            if self.stopped:
                break

    def regress(self) -> None:
        """Least squares on positions whose value is known."""
        from zermelo.learn.regression import examples, fit

        self.measure()
        learner, begun = self.learner, time.perf_counter()
        known = examples(
            self.game,
            learner.teacher,
            learner.positions,
            self.practice.seed,
            learner.nodes,
            lambda found: self.tell(f"{found} of {learner.positions} positions to learn from"),
            learner.backend,
        )
        numbers = fit(self.game, self.layout, known)
        self.spent = time.perf_counter() - begun
        zeros = [0.0] * len(numbers)
        self.trainer.restore(len(known), {"weights": numbers, "net": zeros, "gross": zeros})
        self.measure()

    def measure(self) -> None:
        """One more point of the curve."""
        learner, practice = self.learner, self.practice
        self.tell(f"measuring after {self.trainer.played:,} games")
        duels = {
            opponent: duel(
                pairs_of(self.trainer.contest(learner.pairs, practice.seed + 1, practice.opening, (LEARNED, opponent), practice.depth))
            )
            for opponent in (self.opponents if learner.pairs else ())
        }
        optimal = share_of_best(self.trainer, self.truths, LEARNED, practice.depth)
        self.curve.append(Point(self.trainer.played, self.spent, duels, optimal))

    # --- checkpoints

    def settings(self) -> dict[str, Any]:
        """What a run must agree on to go on."""
        cells = len(self.layout.patterns.cells[0]) if self.layout.patterns else 0
        return self.practice.settings() | {"patterns": cells}

    def resume(self) -> None:
        """Goes on from the checkpoint, if there is one."""
        if self.checkpoint is None:
            return
        if self.practice.method == "regression":
            raise ZermeloError("Regression is done in one go: leave the checkpoint out.")
        from zermelo.equilibrium.extensive.regret.checkpoint import load

        found = load(self.checkpoint, self.identity, self.name, self.settings())
        if found is not None:
            self.trainer.restore(found.iterations, found.columns)
            self.spent = found.seconds
            self.curve = [point_from(data) for data in json.loads(bytes(found.columns[CURVE]))]

    def save(self) -> None:
        """Writes the checkpoint, if there is to be one."""
        if self.checkpoint is None or self.practice.method == "regression":
            return
        import numpy as np

        from zermelo.equilibrium.extensive.regret.checkpoint import Checkpoint, save

        curve = json.dumps([asdict(point) for point in self.curve]).encode()
        columns = {name: np.array(numbers, np.float64) for name, numbers in self.trainer.memory().items()}
        columns[CURVE] = np.frombuffer(curve, np.uint8)
        save(self.checkpoint, self.identity, Checkpoint(self.trainer.played, self.spent, (), columns, self.settings()))


def point_from(data: dict[str, Any]) -> Point:
    """A point of the curve, as a checkpoint keeps it."""
    duels = {opponent: Duel(**figures) for opponent, figures in data["duels"].items()}
    return Point(data["games"], data["seconds"], duels, data["optimal"])


def pairs_of(scores: Sequence[float]) -> list[tuple[float, float]]:
    """Scores of single games, two by two."""
    return list(zip(scores[::2], scores[1::2], strict=True))
