"""Quantal response: players who choose better strategies more often, but not always (McKelvey and Palfrey 1995).

In a logit equilibrium with precision λ every strategy is played with a probability proportional to exp(λ · its expected payoff). At
λ = 0 all strategies are equally likely; the branch that starts there leads to one equilibrium as λ grows, and its *path* is traced here
by a predictor and a corrector in logarithms of probabilities (Turocy 2005), so that it may turn back in λ and still be followed.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Mixed, Profile
from zermelo.equilibrium.matrix.supports import rationalised
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix

__all__ = ["LogitPath", "PathPoint", "QuantalPath"]


LEAP = 0.1  # a probability may change by this within a step
STRAIGHT = 0.8  # cosine of the angle by which the branch may turn within a step
CROSSING = 1e-4  # a step, as a part of 1 + λ, so short that a change of side is a branch that crosses this one, not a leap to another


@dataclass(frozen=True)
class PathPoint:
    """One logit equilibrium on the branch."""

    precision: float  # λ
    strategies: tuple[Mixed, ...]
    regret: float  # the most that any player could gain: how far from an equilibrium


@dataclass(frozen=True)
class QuantalPath:
    """The branch from equal chances on, as far as it was traced."""

    game: Matrix
    points: tuple[PathPoint, ...]
    seconds: float
    notes: tuple[str, ...] = ()

    @property
    def end(self) -> PathPoint:
        """The last point."""
        return self.points[-1]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, one entry a point."""
        points = [
            {"precision": point.precision, "regret": point.regret, "strategies": [list(each) for each in point.strategies]}
            for point in self.points
        ]
        return {"method": "logit", "points": points, "seconds": self.seconds, "notes": list(self.notes)}


@dataclass(frozen=True)
class LogitPath(WholeGame[EquilibriumSet]):
    """The principal branch of logit equilibria."""

    target: float = 1e-8  # stop at this regret, as a part of the payoffs' spread
    maximum: float = 1e9  # or at this λ, for payoffs scaled to a spread of 1
    steps: int = 20_000
    first_step: float = 0.03

    def trace(self, game: Matrix) -> QuantalPath:
        """The branch with all its points."""
        start = time.perf_counter()
        system = LogitSystem(game)
        points: list[PathPoint] = []
        for point in self._walk(system):
            points.append(point)
            if point.regret <= self.target * system.spread or point.precision * system.spread >= self.maximum:
                break
        notes = () if points[-1].regret <= self.target * system.spread else (f"The branch was left at λ = {points[-1].precision:.6g}.",)
        return QuantalPath(game, tuple(points), time.perf_counter() - start, notes)

    def at(self, game: Matrix, precisions: Sequence[float]) -> tuple[PathPoint, ...]:
        """The branch's points with these λ, each where the branch first passes it."""
        if any(not precision >= 0 for precision in precisions):
            raise ZermeloError("Precisions are numbers of at least 0.")
        system = LogitSystem(game)
        found: dict[float, PathPoint] = {}
        before: Any = None
        for after in self.points(system):
            for precision in precisions:
                passed = before is not None and min(before[-1], after[-1]) <= precision * system.spread <= max(before[-1], after[-1])
                if precision not in found and passed:
                    found[precision] = system.point(system.corrected(before, after, precision * system.spread))
            if len(found) == len(set(precisions)):
                return tuple(found[precision] for precision in precisions)
            before = after
        raise ZermeloError(f"The branch does not reach λ = {max(precision for precision in precisions if precision not in found):g}.")

    def solve(self, game: Matrix) -> EquilibriumSet:
        """The equilibrium that the branch leads to; rational where small numbers make it exact."""
        path = self.trace(game)
        profile = rationalised(game, path.end.strategies)
        parameters = {"target": self.target, "precision": path.end.precision}
        return EquilibriumSet(
            game,
            "logit",
            (profile,),
            complete=False,
            iterations=len(path.points),
            seconds=path.seconds,
            parameters=parameters,
            notes=path.notes,
        )

    def _walk(self, system: "LogitSystem") -> Iterator[PathPoint]:
        return (system.point(raw) for raw in self.points(system))

    def points(self, system: "LogitSystem") -> Iterator[Any]:
        """Points (logarithms of probabilities, λ) along the branch; the step grows where correcting is easy and shrinks where it is not."""
        import numpy as np

        point, step = system.start(), self.first_step
        upwards = np.zeros(len(point))
        upwards[-1] = 1.0
        tangent, side = system.tangent(point, upwards)
        yield point
        for _ in range(self.steps):
            corrected, distance = system.correct(point + step * tangent, tangent)
            leapt = corrected is not None and np.abs(np.exp(corrected[:-1]) - np.exp(point[:-1])).max() > LEAP
            ahead, beyond = (None, side) if corrected is None or leapt else system.tangent(corrected, tangent)
            elsewhere = beyond != side and step > CROSSING * (1.0 + point[-1])
            if ahead is None or elsewhere or ahead @ tangent < STRAIGHT:  # no point, or one of another branch
                step /= 2
                if step < 1e-12:
                    return
                continue
            point, tangent, side = corrected, ahead, beyond
            yield point
            if point[-1] >= 10 * self.maximum:
                return
            step *= 2.0 if distance < 1e-3 * step else 1.3 if distance < 0.05 * step else 0.7


class LogitSystem:
    """The equations of logit equilibrium, for payoffs scaled to a spread of 1: unknowns are all logarithms of probabilities, then λ."""

    def __init__(self, game: Matrix) -> None:
        import numpy as np

        self.game = game
        low, high = game.payoffs
        self.spread = float(high - low) or 1.0
        self.tables = [np.moveaxis(game.array(player), player, 0) / self.spread for player in range(game.players)]
        self.starts = [0]
        for size in game.shape:
            self.starts.append(self.starts[-1] + size)

    def start(self) -> Any:
        """Equal chances, λ = 0."""
        import numpy as np

        logarithms = [np.full(size, -np.log(size)) for size in self.game.shape]
        return np.append(np.concatenate(logarithms), 0.0)

    def _split(self, point: Any) -> list[Any]:
        import numpy as np

        return [np.exp(point[self.starts[player] : self.starts[player + 1]]) for player in range(self.game.players)]

    def _payoffs(self, player: int, strategies: list[Any], free: int | None = None) -> Any:
        """[own strategy] expected payoffs; with `free` [own strategy, that player's strategy] instead."""
        table, axis = self.tables[player], 1
        for seat in range(self.game.players):
            if seat == player:
                continue
            if seat == free:
                axis += 1
            else:
                table = (table * strategies[seat].reshape([-1 if place == axis else 1 for place in range(table.ndim)])).sum(axis=axis)
        return table

    def values(self, point: Any) -> Any:
        """Each player's probabilities add up to 1, and logarithms differ by λ times the payoffs' differences."""
        import numpy as np

        strategies, parts = self._split(point), []
        for player in range(self.game.players):
            own = point[self.starts[player] : self.starts[player + 1]]
            payoffs = self._payoffs(player, strategies)
            parts.append([strategies[player].sum() - 1.0])
            parts.append(own[1:] - own[0] - point[-1] * (payoffs[1:] - payoffs[0]))
        return np.concatenate(parts)

    def jacobian(self, point: Any) -> Any:
        """[equation, unknown] derivatives of `values`."""
        import numpy as np

        strategies = self._split(point)
        matrix = np.zeros((self.starts[-1], self.starts[-1] + 1))
        for player in range(self.game.players):
            first, last = self.starts[player], self.starts[player + 1]
            payoffs = self._payoffs(player, strategies)
            matrix[first, first:last] = strategies[player]
            matrix[first + 1 : last, first] = -1.0
            matrix[first + 1 : last, first + 1 : last] = np.eye(last - first - 1)
            matrix[first + 1 : last, -1] = -(payoffs[1:] - payoffs[0])
            for seat in range(self.game.players):
                if seat != player:
                    slopes = self._payoffs(player, strategies, free=seat) * strategies[seat]
                    columns = slice(self.starts[seat], self.starts[seat + 1])
                    matrix[first + 1 : last, columns] = -point[-1] * (slopes[1:] - slopes[0])
        return matrix

    def tangent(self, point: Any, direction: Any) -> tuple[Any, float]:
        """The unit vector along the branch that goes on in the same direction, and the side (the determinant's sign), which a branch keeps
        until another one crosses it."""
        import numpy as np

        jacobian = self.jacobian(point)
        try:  # the solution of J t = 0, direction · t = 1
            vector = np.linalg.solve(np.vstack([jacobian, direction]), np.append(np.zeros(len(jacobian)), 1.0))
        except np.linalg.LinAlgError:  # the branch turns at right angles
            vector = np.linalg.svd(jacobian)[2][-1]
        vector /= np.linalg.norm(vector)
        if vector @ direction < 0:
            vector = -vector
        return vector, float(np.linalg.slogdet(np.vstack([jacobian, vector]))[0])

    def correct(self, guess: Any, tangent: Any) -> tuple[Any, float]:
        """Back to the branch, at right angles to the tangent; (None, 0) where that fails."""
        import numpy as np

        point, moved = guess.copy(), 0.0
        for _ in range(12):
            matrix = np.vstack([self.jacobian(point), tangent])
            try:
                step = np.linalg.solve(matrix, np.append(self.values(point), 0.0))
            except np.linalg.LinAlgError:
                return None, 0.0
            point = point - step
            length = float(np.linalg.norm(step))
            moved += length
            if not np.isfinite(length) or length > 10.0:
                return None, 0.0
            if length < 1e-11 * (1.0 + float(np.abs(point).max())):
                return (point, moved) if point[-1] >= 0 else (None, 0.0)
        return None, 0.0

    def corrected(self, before: Any, after: Any, precision: float) -> Any:
        """The point of the branch between two others that has exactly this λ."""
        import numpy as np

        share = (precision - before[-1]) / (after[-1] - before[-1]) if after[-1] != before[-1] else 0.0
        point = before + share * (after - before)
        point[-1] = precision
        for _ in range(50):
            step = np.linalg.solve(self.jacobian(point)[:, :-1], self.values(point))
            point[:-1] -= step
            if np.abs(step).max() < 1e-13:
                break
        return point

    def point(self, raw: Any) -> PathPoint:
        """A point in the game's own terms."""
        strategies = tuple(tuple((weights / weights.sum()).tolist()) for weights in self._split(raw))
        return PathPoint(float(raw[-1]) / self.spread, strategies, float(Profile.of(self.game, strategies).regret))
