"""Strong Stackelberg equilibrium: the first player commits to a mixed strategy, the second sees it and replies, with ties for the leader.

For every reply one linear program finds the commitment that is best for the leader among those to which it is a best reply (V. Conitzer
and T. Sandholm, Computing the optimal strategy to commit to, 2006). The best of these is rounded to rational numbers and proved: the reply
is a best one, exactly.
"""

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import Mixed, replies
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix, Number

__all__ = ["Commitment", "Stackelberg"]

ROUNDING = (100, 10_000, 10**6)


@dataclass(frozen=True)
class Commitment:
    """What the leader commits to, and the follower's reply."""

    game: Matrix
    leader: Mixed
    reply: int
    value: tuple[Number, Number]
    exact: bool  # the reply is proved to be a best one, in rational numbers
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        played = {name: str(weight) for name, weight in zip(self.game.strategies[0], self.leader, strict=True) if weight}
        return {
            "method": "stackelberg",
            "value": [float(worth) for worth in self.value],
            "exact": [str(worth) for worth in self.value],
            "commitment": played,
            "reply": self.game.strategies[1][self.reply],
            "certified": self.exact,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Stackelberg(WholeGame[Commitment]):
    """The leader's optimal commitment in a game for two."""

    def solve(self, game: Matrix) -> Commitment:
        """One linear program a reply."""
        import numpy as np
        from scipy.optimize import linprog

        if game.players != 2:
            raise ZermeloError(f"A leader and a follower are two players, and the game has {game.players}.")
        start = time.perf_counter()
        leader, follower = game.array(0), game.array(1)
        best: tuple[float, Any, int] | None = None
        for reply in range(game.shape[1]):
            others = [other for other in range(game.shape[1]) if other != reply]
            worse = np.array([follower[:, other] - follower[:, reply] for other in others]).reshape(-1, game.shape[0])
            program = linprog(
                -leader[:, reply],
                A_ub=worse if len(worse) else None,
                b_ub=np.zeros(len(worse)) if len(worse) else None,
                A_eq=np.ones((1, game.shape[0])),
                b_eq=[1.0],
            )
            if program.x is not None and program.fun is not None and (best is None or -program.fun > best[0] + 1e-12):
                best = -program.fun, program.x, reply
        assert best is not None  # some reply is a best one to something
        return _proved(game, best[1].clip(min=0.0).tolist(), best[2], start)


def _proved(game: Matrix, weights: list[float], reply: int, start: float) -> Commitment:
    for denominator in ROUNDING:
        exact = [Fraction(weight).limit_denominator(denominator) for weight in weights]
        exact[exact.index(max(exact))] += 1 - sum(exact)
        pure = [Fraction(place == reply) for place in range(game.shape[1])]
        theirs = replies(game, (exact, pure), 1)
        if min(exact) >= 0 and theirs[reply] == max(theirs):
            value = sum((weight * worth for weight, worth in zip(exact, replies(game, (exact, pure), 0), strict=True)), Fraction(0))
            near = abs(float(value) - sum(w * float(p) for w, p in zip(weights, replies(game, (exact, pure), 0), strict=True)))
            if near < 1e-6 * (1 + abs(float(value))):
                return Commitment(game, tuple(exact), reply, (value, theirs[reply]), True, time.perf_counter() - start)
    mixed = [weight / sum(weights) for weight in weights]
    pure_floats = [float(place == reply) for place in range(game.shape[1])]
    first = sum(weight * float(worth) for weight, worth in zip(mixed, replies(game, (mixed, pure_floats), 0), strict=True))
    second = float(replies(game, (mixed, pure_floats), 1)[reply])
    return Commitment(game, tuple(mixed), reply, (first, second), False, time.perf_counter() - start)
