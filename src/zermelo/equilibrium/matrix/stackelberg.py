"""Strong Stackelberg equilibrium: the first player commits to a mixed strategy, the second sees it and replies, with ties for the leader.

For every reply one linear program finds the commitment that is best for the leader among those to which it is a best reply (V. Conitzer
and T. Sandholm, Computing the optimal strategy to commit to, 2006), in rational numbers, with the proof that no other is better.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import Mixed
from zermelo.equilibrium.matrix.rational_program import Optimum, Program
from zermelo.errors import ZermeloError
from zermelo.results import Tabular
from zermelo.trees.matrix import Matrix, Number, exact

__all__ = ["Commitment", "Stackelberg"]

Table = list[list[Fraction]]  # [row][column] payoffs


@dataclass(frozen=True, repr=False)
class Commitment(Tabular):
    """What the leader commits to, and the follower's reply."""

    game: Matrix
    leader: Mixed
    reply: int
    value: tuple[Number, Number]
    exact: bool  # proved in rational numbers: the reply is a best one, and no commitment brings the leader more
    seconds: float

    columns = ("strategy", "probability")

    def summary(self) -> str:
        return f"reply {self.game.strategies[1][self.reply]}; value {', '.join(map(str, self.value))}"

    def cells(self) -> Iterator[tuple[str, ...]]:
        return ((name, str(weight)) for name, weight in zip(self.game.strategies[0], self.leader, strict=True) if weight)

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
        """One linear program a reply, exact where whole numbers allow it."""
        if game.players != 2:
            raise ZermeloError(f"A leader and a follower are two players, and the game has {game.players}.")
        start = time.perf_counter()
        height, width = game.shape
        leader, follower = ([list(map(exact, table[row * width : (row + 1) * width])) for row in range(height)] for table in game.tables)
        sure = True
        answers: list[tuple[Number, int, Mixed]] = []
        for reply in range(width):
            found = _commitment(leader, follower, reply)
            if found is None:
                sure = sure and _never_best(follower, reply)
                continue
            sure = sure and found.best
            mixed: Mixed = tuple(found.exact or found.floats)
            answers.append((_worth(leader, mixed, reply), reply, mixed))
        value, reply, leading = max(answers, key=lambda answer: answer[0])  # some reply is a best one to something
        return Commitment(game, leading, reply, (value, _worth(follower, leading, reply)), sure, time.perf_counter() - start)


def _worth(table: Table, mixed: Mixed, reply: int) -> Number:
    """What the leader's mixture brings against the reply."""
    value: Number = sum(weight * row[reply] for weight, row in zip(mixed, table, strict=True))
    return value


def _commitment(leader: Table, follower: Table, reply: int) -> Optimum | None:
    """The best mixture of the leader's rows to which the reply is a best one; None where it never is."""
    every = range(len(leader))
    worse = [({row: follower[row][other] - follower[row][reply] for row in every}, 0) for other in range(len(leader[0])) if other != reply]
    return Program(len(leader), {row: -leader[row][reply] for row in every}, worse, [(dict.fromkeys(every, 1), 1)]).solve()


def _never_best(follower: Table, reply: int) -> bool:
    """Is it proved that another reply is better against everything? The least that the best other one gains is above 0."""
    every, gain = range(len(follower)), len(follower)
    rows = [{row: follower[row][other] - follower[row][reply] for row in every} for other in range(len(follower[0])) if other != reply]
    found = Program(
        gain + 1, {gain: 1}, [({**row, gain: -1}, 0) for row in rows], [(dict.fromkeys(every, 1), 1)], range(gain, gain + 1)
    ).solve()
    return found is not None and found.best and found.exact is not None and found.exact[gain] > 0
