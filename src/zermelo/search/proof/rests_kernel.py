"""Part of a template: states without what is already decided of their payoff, where the kernel's program was told to ask `rest`.

What can still be won and lost does not depend on what has been, so the table knows all states with the same rest by one entry, which holds
the rest's payoff; the lead is added when it is read and left out when it is written. How soon somebody wins does depend on the lead: a
kernel with HAS_REST compares payoffs alone. Scores then keep their packed form, at any distance, and thresholds are the lowest scores of
their payoff, the same along a line.
"""

from zermelo.runtime.vocabulary import HAS_REST, LONGEST, State, as_int, math, part, rest
from zermelo.search.packed_kernel import HALF, NO_SCORE, PackedHead, give_up, lifted, lowered


@part
def halves_of(score: int) -> int:
    """The payoff less the draw in a packed score, in halves."""
    return (score + HALF - 1) >> 20 if score > 0 else score >> 20


@part
def lead_in(state: State, head: PackedHead) -> int:
    """What is already decided of the payoff, in halves; 0 where the rules do not say."""
    if not HAS_REST:
        return 0
    halves = 2.0 * rest(state)[1]
    if halves != math.floor(halves):
        give_up(NO_SCORE, head)
    return as_int(halves)


@part
def with_lead(is_lower: bool, score: int, lead: int) -> int:
    """A bound on the score of a state in which somebody has to move, from that on its rest's."""
    if not HAS_REST:
        return score
    return loosest(is_lower, halves_of(score) + lead)


@part
def without_lead(score: int, lead: int) -> int:
    """A bound on the score of a state's rest, from that on the state's."""
    if not HAS_REST:
        return score
    return (halves_of(score) - lead) * HALF


@part
def loosest(is_lower: bool, halves: int) -> int:
    """A bound that tells the payoff and nothing about how soon, between the next action and the longest line."""
    if halves == 0:
        return 0
    return halves * HALF - (LONGEST if is_lower else 1) if halves > 0 else halves * HALF + (1 if is_lower else LONGEST)


@part
def seen_below(threshold: int) -> int:
    """The threshold as the state after an action must see it."""
    return threshold if HAS_REST else lowered(threshold)


@part
def seen_above(score: int) -> int:
    """The score of the state after an action as the state before it sees it."""
    return score if HAS_REST else lifted(score)
