"""Which question to ask next: a proof closes in on a score from both sides, "is it at least so much?", until the two sides meet.

Quick wins and quick losses come first, within few actions, then within more: such questions are cheap, because a search may leave every
line that is too long, and what they put into the table makes the next ones cheap. Then comes who wins at all, then by how much, then
how soon. Scores are packed: see `zermelo.scores`.
"""

from dataclasses import dataclass, field

from zermelo.scores import LONGEST, UNIT, score

__all__ = ["Narrowing"]

FIRST_REACH = 8  # actions
GROWTH = 2
LAST_REACH = 60  # beyond that, who wins at all is asked outright
HALF = UNIT // 2


@dataclass
class Narrowing:
    """What is known of a score, low <= score <= high, and how far questions have gone."""

    low: int
    high: int
    weak: bool = False  # only who wins
    patient: bool = True  # quick wins and losses first: for games that know a win, a draw and a loss and nothing in between
    reach: float = field(default=FIRST_REACH)

    @property
    def settled(self) -> bool:
        """Is there nothing left to ask?"""
        return self.low >= self.high or (self.weak and (self.low > 0 or self.high < 0))

    def learn(self, threshold: int, found: int) -> None:
        """Takes in an answer: a lower bound at or above the threshold, or an upper bound below it."""
        if found >= threshold:
            self.low = max(self.low, found)
        else:
            self.high = min(self.high, found)

    def question(self) -> int:
        """The next threshold, above `low` and not above `high`."""
        if self.low <= 0 <= self.high:
            return self.outcome() if self.weak or not self.patient else self.quick()
        return self.closer()

    def outcome(self) -> int:
        """Does Max win? If not, does Max lose?"""
        return 1 if self.high > 0 else 0

    def quick(self) -> int:
        """Does somebody win within reach?"""
        while self.reach <= LAST_REACH:
            soon = int(self.reach)
            win, loss = score(lead(self.high), soon), score(lead(self.low), soon) + 1
            if self.high > 0 and self.low < win <= self.high:
                return win
            if self.low < 0 and self.low < loss <= self.high:
                return loss
            self.reach *= GROWTH
        return self.outcome()

    def closer(self) -> int:
        """Between two scores of the same sign: by how much first, then how soon."""
        fewest, most = lead(self.low), lead(self.high)
        if most - fewest >= 1 and abs(self.low) < 1 << 60 and abs(self.high) < 1 << 60:
            middle = int(fewest + most + 1) // 2
            threshold = score(middle, LONGEST if middle > 0 else 0)
        elif most != fewest:
            threshold = self.low + 1 if abs(self.low) < 1 << 60 else self.high
        else:
            threshold = (self.low + self.high + 1) // 2
        return min(max(threshold, self.low + 1), self.high)


def lead(packed: int) -> float:
    """The payoff less the draw in a packed score."""
    return (-(-packed // HALF) if packed > 0 else packed // HALF) / 2
