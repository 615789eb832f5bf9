"""Part of a template: a head that asks one question, "is the score of this state at least the threshold?", as provers understand it."""

from zermelo.runtime.vocabulary import DRAW, State, as_int, math, max_payoff, part
from zermelo.search.packed_kernel import NO_SCORE, PackedHead, give_up

LARGEST = 1 << 35  # halves of a lead; beyond that packed scores overflow, or the word of an entry that holds one


class QuestionHead(PackedHead):
    """What provers are told, too."""

    threshold: int  # the question
    found: int  # the answer: at least the threshold and a lower bound, or below it and an upper bound
    settling: int  # the action that gives it, where the player to move has one


@part
def halves_at_end(state: State, head: QuestionHead) -> int:
    """The payoff less the draw where the game is over, in halves."""
    halves = 2.0 * (float(max_payoff(state)) - DRAW)
    if not abs(halves) < LARGEST or halves != math.floor(halves):
        give_up(NO_SCORE, head)
        return 0
    return as_int(halves)
