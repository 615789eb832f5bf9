"""Part of a template: a head that asks one question, "is the score of this state at least the threshold?", as provers understand it."""

from zermelo.engine.vocabulary import DRAW, Ints, State, as_int, math, max_payoff, part
from zermelo.search.packed_kernel import NO_SCORE, SHARED_HEAD, give_up

# --- the head: the words that all have, then
THRESHOLD = SHARED_HEAD  # the question
FOUND = SHARED_HEAD + 1  # the answer: at least the threshold and a lower bound, or below it and an upper bound
PLY = SHARED_HEAD + 2  # 0: the ply of the state in question
QUESTION_HEAD = SHARED_HEAD + 3  # how many there are

LARGEST = 1 << 35  # halves of a lead; beyond that packed scores overflow, or the word of an entry that holds one


@part
def halves_at_end(state: State, base: int, work: Ints) -> int:
    """The payoff less the draw where the game is over, in halves."""
    halves = 2.0 * (float(max_payoff(state)) - DRAW)
    if not abs(halves) < LARGEST or halves != math.floor(halves):
        give_up(NO_SCORE, base, work)
        return 0
    return as_int(halves)
