"""What results say about strength: Elo with error bars, the likelihood that one is better, and a sequential test.

Scores are taken by pairs of games: the same opening with sides swapped. The two games of a pair depend on each other, pairs do not, and
an opening that always favours one side cancels out. So the score of a pair, a number from 0 to 1, is the unit of all statistics
(the "pentanomial" model of chess engines' test frameworks).

The expected score of a player who is d Elo stronger is 1 / (1 + 10 ** (-d / 400)) (A. Elo, The Rating of Chessplayers, 1978).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from zermelo.errors import ZermeloError

__all__ = ["Duel", "Sequential", "Standing", "duel", "elo", "expected", "standings"]

NORMAL = NormalDist()
CONFIDENCE = 0.95
REACH = NORMAL.inv_cdf(0.5 + CONFIDENCE / 2)  # standard errors to each side
ROUNDS = 100  # of Newton's method


def expected(difference: float) -> float:
    """The mean score of a player who is so many Elo stronger."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo(score: float) -> float:
    """The inverse of `expected`; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def variance(pairs: Sequence[float]) -> float:
    """Of the score of a pair. One pair lost and one pair won are added, so that a few equal results do not look like certainty."""
    middle = math.fsum(pairs) / len(pairs)
    return (math.fsum((pair - middle) ** 2 for pair in pairs) + middle**2 + (1 - middle) ** 2) / (len(pairs) + 2)


@dataclass(frozen=True)
class Duel:
    """Two players' games against each other, seen from the first."""

    pairs: int
    wins: int  # single games
    draws: int
    losses: int
    score: float  # mean, from 0 to 1
    elo: float  # by which the first is stronger; infinite where one has won everything
    low: float  # 95 % interval
    high: float
    superiority: float  # likelihood that the first is stronger, given a draw of the two before the first game


def duel(pairs: Sequence[tuple[float, float]]) -> Duel:
    """What pairs of games say; each has the first player's scores of both games."""
    if not pairs:
        raise ZermeloError("There are no pairs of games to judge.")
    games = [score for pair in pairs for score in pair]
    means = [sum(pair) / 2 for pair in pairs]
    score = math.fsum(means) / len(means)
    error = math.sqrt(variance(means) / len(means))
    low, high = max(0.0, score - REACH * error), min(1.0, score + REACH * error)
    if score in (0, 1):  # nothing varies: the exact bound for a share of pairs that were all won, or all lost
        least = (1 - CONFIDENCE) ** (1 / len(means))
        low, high = (least, 1.0) if score == 1 else (0.0, 1 - least)
    better = NORMAL.cdf((score - 0.5) / error)
    return Duel(len(pairs), games.count(1.0), games.count(0.5), games.count(0.0), score, elo(score), elo(low), elo(high), better)


@dataclass(frozen=True)
class Standing:
    """A player among several; ratings have the mean 0."""

    player: str
    rating: float
    error: float  # half of the 95 % interval
    games: int
    score: float  # mean
    superiority: float | None  # likelihood of being stronger than the next in the table; None for the last


def standings(players: Sequence[str], results: Mapping[tuple[int, int], Sequence[tuple[float, float]]]) -> list[Standing]:
    """Everybody's rating, the strongest first, by maximum likelihood over all games (R. A. Bradley and M. E. Terry, 1952).

    `results` has, for two players by their numbers, the first one's scores in each pair of games. One drawn pair between any two who met
    is added, so that ratings stay finite. Errors come from how pairs differ from what was expected of them (the sandwich estimator).
    """
    import numpy as np

    count = len(players)
    ratings = np.zeros(count)
    met = [(i, j, [sum(pair) / 2 for pair in pairs]) for (i, j), pairs in results.items() if pairs]
    curvature = np.zeros((count, count))
    unit = math.log(10) / 400  # of log odds
    for _ in range(ROUNDS):
        slope, curvature = np.zeros(count), np.zeros((count, count))
        for i, j, pairs in met:
            chance = expected(ratings[i] - ratings[j])
            pull = unit * (math.fsum(pairs) + 0.5 - (len(pairs) + 1) * chance)
            weight = unit**2 * (len(pairs) + 1) * chance * (1 - chance)
            slope[[i, j]] += (pull, -pull)
            curvature[[i, j], [i, j]] += weight
            curvature[[i, j], [j, i]] -= weight
        step = np.linalg.pinv(curvature) @ slope
        ratings += np.clip(step, -400, 400)
        if np.abs(step).max() < 1e-9:
            break
    ratings -= ratings.mean()
    scatter = np.zeros((count, count))
    for i, j, pairs in met:
        chance = expected(ratings[i] - ratings[j])
        amount = unit**2 * (len(pairs) + 1) * max(variance(pairs), 1e-12) if pairs else unit**2 * chance * (1 - chance)
        scatter[[i, j], [i, j]] += amount
        scatter[[i, j], [j, i]] -= amount
    inverse = np.linalg.pinv(curvature)
    covariance = inverse @ scatter @ inverse
    order = sorted(range(count), key=lambda player: -ratings[player])
    table = []
    for place, player in enumerate(order):
        other = order[place + 1] if place + 1 < count else None
        better = None
        if other is not None:
            spread = covariance[player, player] + covariance[other, other] - 2 * covariance[player, other]
            better = NORMAL.cdf(float(ratings[player] - ratings[other]) / math.sqrt(spread)) if spread > 0 else 0.5
        games, score = own_games(player, results)
        error = REACH * math.sqrt(max(0.0, float(covariance[player, player])))
        table.append(Standing(players[player], float(ratings[player]), error, games, score, better))
    return table


def own_games(player: int, results: Mapping[tuple[int, int], Iterable[tuple[float, float]]]) -> tuple[int, float]:
    """How many games a player had, and the mean score."""
    scores = [score for (i, _), pairs in results.items() if i == player for pair in pairs for score in pair]
    scores += [1 - score for (_, j), pairs in results.items() if j == player for pair in pairs for score in pair]
    return len(scores), math.fsum(scores) / len(scores) if scores else 0.0


@dataclass(frozen=True)
class Sequential:
    """A sequential probability ratio test (A. Wald, 1945): is the first player `low` Elo stronger, or `high`?

    It stops as soon as one of the two is so much more likely that it is wrongly chosen with a chance of at most `error`. The likelihood of
    pairs is taken as normal with the variance that they show (the generalised test of chess engines' frameworks).
    """

    low: float = 0.0
    high: float = 10.0
    error: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ZermeloError(f"A sequential test compares two differences of Elo, the smaller first, not {self.low:g} and {self.high:g}.")
        if not 0 < self.error < 0.5:
            raise ZermeloError(f"A sequential test errs with a chance between 0 and 0.5, not {self.error:g}.")

    @property
    def bound(self) -> float:
        """Of the logarithm of the likelihood ratio, to either side."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, pairs: Sequence[tuple[float, float]]) -> float:
        """Logarithm of how much more likely the pairs are if the player is `high` Elo stronger than if `low`."""
        if not pairs:
            return 0.0
        means = [sum(pair) / 2 for pair in pairs]
        score = math.fsum(means) / len(means)
        low, high = expected(self.low), expected(self.high)
        return len(means) * (high - low) * (2 * score - low - high) / (2 * variance(means))

    def verdict(self, pairs: Sequence[tuple[float, float]]) -> str | None:
        """ "high" or "low" once the test is over; None before."""
        ratio = self.ratio(pairs)
        return "high" if ratio >= self.bound else "low" if ratio <= -self.bound else None
