"""Part of a template: states whose exact score an oracle knows; see `zermelo.runtime.oracle.OracleArrays`.

Arrays are given by their addresses.
"""

from zermelo.runtime.numbers_kernel import NO_NUMBER, hash_of_number, number_of_fields
from zermelo.runtime.vocabulary import (
    FIELDS,
    HAS_CANONICAL,
    HAS_RANK,
    HAS_TIER,
    WORDS,
    Array,
    Ints,
    Record,
    State,
    byte_at,
    canonical,
    decode,
    entry,
    int_at,
    part,
    rank,
    short_at,
    tier,
    word_at,
)

MANY_FIELDS = 1024  # a state with more (Go with all its earlier boards, say) has no number: to list them all is a kernel of megabytes
SCRATCH = max(WORDS, FIELDS + 1)  # words of room for a state or its number


class OracleHead(Record):
    """What a thread is told about the oracle."""

    oracle: bool  # is there one?
    oracle_sure: int  # the flags of a finding that comes from it
    folded: bool  # positions are canonical states
    size: int  # of the game's `rank`
    least_tier: int  # states of lower tiers are not known
    codes: int  # where the codes are, and
    code_bytes: int  # how wide each is
    numbers: int  # whose codes these are; 0: those of all numbers in order
    slots: int
    mask: int  # length of the slots less 1
    scores: int  # [code] the score in the search's unit
    fields: int  # where the codes of a state's fields are


@part
def position_number(state: State, scratch: int, head: OracleHead, work: Ints) -> int:
    """The number of a state's position, NO_NUMBER where it has none; at work[scratch] there is room for SCRATCH words."""
    if HAS_TIER and tier(state) < head.least_tier:
        return NO_NUMBER
    position = state
    if HAS_CANONICAL and head.folded:
        position = canonical(state)[0]
    if HAS_RANK:
        number = rank(position)
        return number if 0 <= number < head.size else NO_NUMBER
    if FIELDS > MANY_FIELDS:
        return NO_NUMBER
    return number_of_fields(position, work, scratch, head.fields)


@part
def code_of_number(number: int, head: OracleHead) -> int:
    """The oracle's code for a number, 0 where it is not known."""
    place = number
    if head.numbers != 0:
        slot = hash_of_number(number, head.mask)
        while True:
            entry = int_at(head.slots + 4 * slot)
            if entry == 0:
                return 0
            if word_at(head.numbers + 8 * (entry - 1)) == number:
                place = entry - 1
                break
            slot = (slot + 1) & head.mask
    if head.code_bytes == 1:
        return byte_at(head.codes + place)
    return short_at(head.codes + 2 * place)


@part
def known_finding(state: State, scratch: int, missing: int, head: OracleHead, work: Ints) -> int:
    """The finding of a state that the oracle knows, `missing` where it does not."""
    number = position_number(state, scratch, head, work)
    if number == NO_NUMBER:
        return missing
    code = code_of_number(number, head)
    if code == 0:
        return missing
    return word_at(head.scores + 8 * code) << 2 | head.oracle_sure


@entry
def number_at(states: Ints, heads: Array[OracleHead], scratch: Ints) -> int:
    """The number of a state, for Python to compare."""
    return position_number(decode(states), 0, heads[0], scratch)
