"""Measuring strategies: expected values, best replies, exploitability, regret at every information set, two strategies head to head.

Exploitability is NashConv divided by the number of players, everywhere: the mean of what the players could gain by their best reply.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.equilibrium.extensive.regret.sparse_layout import SparseLayout
from zermelo.equilibrium.extensive.sequences.arrays import Arrays, Floats
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.errors import ZermeloError

__all__ = [
    "BestResponse",
    "HeadToHead",
    "Measure",
    "best_response",
    "expected",
    "exploitability",
    "head_to_head",
    "measure",
    "set_regrets",
    "uniform",
]


@dataclass(frozen=True)
class Measure:
    """What a profile of strategies is worth, and what each player could gain by leaving it."""

    value: tuple[float, ...]  # [player]
    replies: tuple[float, ...]  # [player] value of the best reply to the others

    @property
    def gains(self) -> tuple[float, ...]:
        """[player] best reply less value."""
        return tuple(reply - value for reply, value in zip(self.replies, self.value, strict=True))

    @property
    def exploitability(self) -> float:
        """NashConv divided by the number of players."""
        return sum(self.gains) / len(self.value)


@dataclass(frozen=True)
class BestResponse:
    """A pure best reply of one player to the others."""

    player: int
    value: float
    strategy: Strategy  # the player's reply; the others as given


@dataclass(frozen=True)
class HeadToHead:
    """Two strategies against each other, with exact expectation."""

    seats: tuple[tuple[float, ...], ...]  # [which strategy sits first] payoff of every seat
    first: float  # mean payoff of the first strategy over all seatings
    second: float


def uniform(arrays: Arrays) -> Strategy:
    """Every action alike."""
    return Strategy.of(arrays, [plex.uniform() for plex in arrays.plexes])


def measure(arrays: Arrays, strategy: Strategy) -> Measure:
    """Values and best replies."""
    layout = SparseLayout(arrays)
    values, replies = layout.measure(layout.vectors(strategy.behaviours(arrays)), current=True)
    return Measure(tuple(values.tolist()), tuple(replies.tolist()))


def exploitability(arrays: Arrays, strategy: Strategy) -> float:
    """NashConv divided by the number of players."""
    return measure(arrays, strategy).exploitability


def best_response(arrays: Arrays, strategy: Strategy, player: int) -> BestResponse:
    """What one player should do if the others keep to their strategies."""
    if not 0 <= player < arrays.players:
        raise ZermeloError(f"There is no player {player}: this game has players 0 to {arrays.players - 1}.")
    behaviours = strategy.behaviours(arrays)
    chosen, replies = SparseLayout(arrays).best_replies(behaviours)
    behaviours[player] = chosen[player]
    return BestResponse(player, float(replies[player]), Strategy.of(arrays, behaviours))


def set_regrets(arrays: Arrays, strategy: Strategy) -> dict[str, float]:
    """Information set → what its best action would gain, counted from the start of the game (counterfactual regret)."""
    regrets = iter(SparseLayout(arrays).regrets(strategy.behaviours(arrays)).tolist())
    return {arrays.set_name(player, number): next(regrets) for player, plex in enumerate(arrays.plexes) for number in range(plex.sets)}


def head_to_head(arrays: Arrays, first: Strategy, second: Strategy) -> HeadToHead:
    """Both seatings of two strategies in a game for two, each with its exact expectation."""
    if arrays.players != 2:
        raise ZermeloError(f"Head to head is for two players; this game has {arrays.players}: measure each seating with `expected`.")
    layout = SparseLayout(arrays)
    one, two = first.behaviours(arrays), second.behaviours(arrays)
    seats = tuple(_expected(layout, seating) for seating in ([one[0], two[1]], [two[0], one[1]]))
    return HeadToHead(seats, (seats[0][0] + seats[1][1]) / 2, (seats[0][1] + seats[1][0]) / 2)


def expected(arrays: Arrays, strategies: Sequence[Strategy]) -> tuple[float, ...]:
    """Payoff of every player where seat `i` follows `strategies[i]`."""
    return _expected(SparseLayout(arrays), [strategy.behaviours(arrays)[seat] for seat, strategy in enumerate(strategies)])


def _expected(layout: SparseLayout, behaviours: list[Floats]) -> tuple[float, ...]:
    values, _ = layout.measure(layout.vectors(behaviours), current=True)
    return tuple(values.tolist())
