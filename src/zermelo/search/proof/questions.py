"""Which question to ask next: a proof closes in on a score from both sides, "is it at least so much?", until the two sides meet.

Quick wins and quick losses come first, within few actions, then within more: such questions are cheap, because a search may leave every
line that is too long, and what they put into the table makes the next ones cheap. Then comes who wins at all, then by how much (a
little, then more in growing steps), then how soon. Scores are packed: see `zermelo.scores`.
"""

from dataclasses import dataclass, field
from enum import Enum

from zermelo.rules import Action
from zermelo.scores import LONGEST, UNIT

__all__ = ["UNKNOWN", "Narrowing", "Unknown", "scores_of"]

FIRST_REACH = 8  # actions
WIDE_STEP, FINE_FROM, FINE_STEP = 8, 24, 4  # then so many more: fine steps are cheap, since each begins with what the last one has found
GROWTH = 2  # of steps from a draw outwards
LAST_REACH = 60  # beyond that, who wins at all is asked outright
STEPS = 32  # parts of the range of payoffs: the first step from a draw outwards is one of them
HALF = UNIT // 2
FAR = 1 << 60  # bounds beyond are not scores


class Unknown(Enum):
    """An action that is not known: `None` may be one of the rules."""

    ACTION = "unknown"


UNKNOWN = Unknown.ACTION


@dataclass
class Narrowing:
    """What is known of a score, low <= score <= high, and how far questions have gone."""

    low: int
    high: int
    weak: bool = False  # only who wins
    patient: bool = True  # quick wins and losses first: for games that know a win, a draw and a loss and nothing in between
    distance: bool = True  # how soon, too
    action: Action | Unknown = field(default=UNKNOWN, init=False)  # that gives the player to move the bound on its side
    reach: int = field(init=False)  # actions within which wins are quick; if not `patient`, halves of a payoff: the next step outwards

    def __post_init__(self) -> None:
        self.reach = FIRST_REACH if self.patient else first_step(self.low, self.high)

    @property
    def settled(self) -> bool:
        """Is there nothing left to ask?"""
        if self.low >= self.high or (self.weak and (self.low > 0 or self.high < 0)):
            return True
        return not self.distance and halves(self.low) == halves(self.high)

    def learn(self, threshold: int, found: int) -> None:
        """Takes in an answer: a lower bound at or above the threshold, or an upper bound below it."""
        if found >= threshold:
            self.low = max(self.low, found)
        else:
            self.high = min(self.high, found)

    def question(self) -> int:
        """The next threshold, above `low` and not above `high`."""
        if self.low <= 0 <= self.high:
            return self.quick() if self.patient and self.distance and not self.weak else self.outcome()
        return self.closer()

    def outcome(self) -> int:
        """Does Max win? If not, does Max lose?"""
        return 1 if self.high > 0 else 0

    def quick(self) -> int:
        """Does somebody win within reach?"""
        while self.reach <= LAST_REACH:
            win, loss = halves(self.high) * HALF - self.reach, halves(self.low) * HALF + self.reach + 1
            if self.high > 0 and self.low < win <= self.high:
                return win
            if self.low < 0 and self.low < loss <= self.high:
                return loss
            self.reach += WIDE_STEP if self.reach < FINE_FROM else FINE_STEP
        return self.outcome()

    def closer(self) -> int:
        """Between two scores of the same sign: by how much first, then how soon."""
        fewest, most = halves(self.low), halves(self.high)
        if fewest == most:
            threshold = (self.low + self.high + 1) // 2
        elif abs(self.low) < FAR and abs(self.high) < FAR:
            threshold = at_least(self.between(fewest, most))
        else:
            threshold = self.low + 1 if abs(self.low) < FAR else self.high
        return min(max(threshold, self.low + 1), self.high)

    def between(self, fewest: int, most: int) -> int:
        """By how many halves somebody may lead: halfway between these, but not more than a step away from the draw's side."""
        middle = fewest + (most - fewest + 1) // 2
        if self.patient:
            return middle
        step = self.reach
        self.reach *= GROWTH
        return min(middle, fewest + step) if fewest > 0 else max(middle, most - step)


def at_least(lead: int) -> int:
    """The lowest packed score of a payoff so many halves above the draw."""
    return lead * HALF - (LONGEST if lead > 0 else 0)


def scores_of(packed: int) -> tuple[int, int]:
    """The lowest and the highest packed score with the payoff that a packed score has."""
    lead = halves(packed)
    return at_least(lead), at_least(lead + 1) - 1


def halves(packed: int) -> int:
    """The payoff less the draw in a packed score, in halves."""
    return -(-packed // HALF) if packed > 0 else packed // HALF


def first_step(low: int, high: int) -> int:
    """How far from a draw payoffs are asked about first: a small part of their range, in halves."""
    return max(1, (halves(high) - halves(low)) // STEPS)
