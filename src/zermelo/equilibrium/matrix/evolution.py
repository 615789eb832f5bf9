"""Evolution: strategies that no rare mutant can drive out, and the long-run ranking of a table of agents.

*Evolutionarily stable* (J. Maynard Smith and G. Price, 1973): against every other best reply y the strategy x earns more than y does,
x·A y > y·A y. For a symmetric equilibrium that is a question about a quadratic form on the best replies (J. Haigh, 1975), decided exactly:
a definite part by its minors, the rest by Keller's criterion of strict copositivity.

*α-rank* (S. Omidshafiei and others, 2019): populations play one profile; a mutant of one player's population takes over with a
probability that grows with its advantage. The stationary distribution of that Markov chain ranks the profiles.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import Mixed, best_replies
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.errors import ZermeloError
from zermelo.results import Tabular
from zermelo.trees.matrix import Matrix, exact

__all__ = ["AlphaRank", "Ranking", "Stable", "evolutionarily_stable"]

MOST_PROFILES = 4_000
RAREST = 1e-280  # of a mutant's chances: below this they are out of the reach of floats


@dataclass(frozen=True)
class Stable:
    """A symmetric equilibrium, and whether it is evolutionarily stable."""

    strategy: Mixed
    value: Fraction
    stable: bool


def evolutionarily_stable(game: Matrix) -> tuple[Stable, ...]:
    """All extreme symmetric equilibria of a symmetric game for two, each with a proof or a refutation in whole numbers."""
    height, width = game.shape if game.players == 2 else (0, 1)
    rows = [[exact(game.tables[0][row * width + column]) for column in range(width)] for row in range(height)]
    if height != width or any(rows[i][j] != exact(game.tables[1][j * width + i]) for i in range(height) for j in range(width)):
        raise ZermeloError("Evolutionary stability is for symmetric games of two: both choose alike, and payoffs change places with them.")
    found = []
    for profile in AllEquilibria(arithmetic="exact").solve(game).equilibria:
        own, other = profile.strategies
        if own == other:
            found.append(Stable(own, Fraction(profile.value[0]), _is_stable(game, rows, own)))
    return tuple(found)


def _is_stable(game: Matrix, rows: list[list[Fraction]], strategy: Mixed) -> bool:
    """Is −z·A z positive for every z that leads from the strategy towards another best reply?"""
    replies = best_replies(game, (strategy, strategy), 0)
    played = [place for place in replies if strategy[place] > 0]
    pivot, free = played[0], played[1:]
    border = [place for place in replies if strategy[place] == 0]
    order = [*free, *border]

    def form(i: int, j: int) -> Fraction:
        one = rows[i][j] - rows[pivot][j] - rows[i][pivot] + rows[pivot][pivot]
        two = rows[j][i] - rows[pivot][i] - rows[j][pivot] + rows[pivot][pivot]
        return -(one + two)

    matrix = [[form(i, j) for j in order] for i in order]
    for size in range(1, len(free) + 1):  # Sylvester: definite where nothing bounds z
        if _determinant([row[:size] for row in matrix[:size]]) <= 0:
            return False
    for _ in free:  # Schur complement: the free part answers best
        first = matrix[0]
        matrix = [[row[k] - row[0] * first[k] / first[0] for k in range(1, len(first))] for row in matrix[1:]]
    return _strictly_copositive(matrix)


def _strictly_copositive(matrix: list[list[Fraction]]) -> bool:
    """Keller's criterion: a principal part whose last row has positive cofactors must have a positive determinant."""
    for size in range(1, len(matrix) + 1):
        for chosen in combinations(range(len(matrix)), size):
            part = [[matrix[i][j] for j in chosen] for i in chosen]
            if all(_cofactor(part, column) > 0 for column in range(size)) and _determinant(part) <= 0:
                return False
    return True


def _cofactor(part: list[list[Fraction]], column: int) -> Fraction:
    minor = [[entry for place, entry in enumerate(row) if place != column] for row in part[:-1]]
    sign = -1 if (len(part) - 1 + column) % 2 else 1
    return sign * (_determinant(minor) if minor else Fraction(1))


def _determinant(matrix: Sequence[Sequence[Fraction]]) -> Fraction:
    rows = [list(row) for row in matrix]
    value = Fraction(1)
    for place in range(len(rows)):
        pivot = next((row for row in range(place, len(rows)) if rows[row][place]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != place:
            rows[place], rows[pivot], value = rows[pivot], rows[place], -value
        value *= rows[place][place]
        for row in range(place + 1, len(rows)):
            factor = rows[row][place] / rows[place][place]
            rows[row] = [mine - factor * theirs for mine, theirs in zip(rows[row], rows[place], strict=True)]
    return value


@dataclass(frozen=True, repr=False)
class Ranking(Tabular):
    """The share of time that the populations spend at every pure profile."""

    game: Matrix
    shares: tuple[float, ...]  # [profile]
    alpha: float
    seconds: float

    columns = ("profile", "share")

    def summary(self) -> str:
        best, share = next(iter(self.named().items()))
        return f"α = {self.alpha:g}: {best} for {share:.1%} of the time"

    def cells(self) -> Iterator[tuple[str, ...]]:
        return ((name, f"{share:.4g}") for name, share in self.named().items())

    def named(self) -> dict[str, float]:
        """Profile in words → share, the largest first."""
        names = {self.game.profile_name(self.game.profile(cell)): share for cell, share in enumerate(self.shares)}
        return dict(sorted(names.items(), key=lambda item: -item[1]))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"method": "alpha-rank", "alpha": self.alpha, "shares": self.named(), "seconds": self.seconds}


@dataclass(frozen=True)
class AlphaRank(WholeGame[Ranking]):
    """α-rank of a matrix game for any number of players, with a population for each."""

    alpha: float = 10.0  # how strongly selection prefers an advantage, for payoffs scaled to a spread of 1
    population: int = 50

    def solve(self, game: Matrix) -> Ranking:
        """The stationary distribution of mutation and selection."""
        import numpy as np

        start = time.perf_counter()
        if not (self.alpha > 0 and self.population > 1):
            raise ZermeloError("α-rank needs a positive α and a population of two or more.")
        if math.prod(game.shape) > MOST_PROFILES:
            raise ZermeloError(f"α-rank is for tables of up to {MOST_PROFILES:,} profiles, and this one has {math.prod(game.shape):,}.")
        low, high = game.payoffs
        spread = float(high - low) or 1.0
        profiles = list(game.profiles())
        moves = sum(size - 1 for size in game.shape)
        chain = np.zeros((len(profiles), len(profiles)))
        tables = [game.array(player).ravel() for player in range(game.players)]
        for cell, profile in enumerate(profiles):
            for player, size in enumerate(game.shape):
                for other in range(size):
                    if other != profile[player]:
                        there = game.cell((*profile[:player], other, *profile[player + 1 :]))
                        advantage = (tables[player][there] - tables[player][cell]) / spread
                        chain[cell, there] += self._fixation(float(advantage)) / max(1, moves)
        return Ranking(game, tuple(_stationary(chain).tolist()), self.alpha, time.perf_counter() - start)

    def _fixation(self, advantage: float) -> float:
        """The probability that one mutant with this advantage takes over the population."""
        if advantage == 0:
            return 1 / self.population
        power = self.alpha * advantage
        if -power * self.population > 600:
            return RAREST
        return max(math.expm1(-power) / math.expm1(-power * self.population), RAREST)


def _stationary(chain: Any) -> Any:
    """The stationary distribution of a chain whose states all communicate; its diagonal is not used.

    States are left out one by one, and the ways through them kept (W. Grassmann, M. Taksar and D. Heyman, 1985): nothing is subtracted, so
    that rates of very different size keep all their digits.
    """
    import numpy as np

    chain = chain.copy()
    for last in range(len(chain) - 1, 0, -1):
        chain[:last, last] /= chain[last, :last].sum()
        chain[:last, :last] += np.outer(chain[:last, last], chain[last, :last])
    shares = np.ones(len(chain))
    for state in range(1, len(chain)):
        shares[state] = shares[:state] @ chain[:state, state]
        shares[: state + 1] /= shares[: state + 1].sum()
    return shares
