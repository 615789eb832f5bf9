"""Part of a template: states whose exact score an oracle knows; see `zermelo.engine.oracle.OracleArrays`.

The words below lie in `work` behind those of all threads. Arrays are given by their addresses.
"""

from zermelo.engine.numbers_kernel import NO_NUMBER, hash_of_number, number_of_fields
from zermelo.engine.vocabulary import (
    FIELDS,
    HAS_CANONICAL,
    HAS_RANK,
    HAS_TIER,
    WORDS,
    Ints,
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

KNOWN_SURE = 0  # the flags of a finding that comes from the oracle
KNOWN_FOLDED = 1  # 1: positions are canonical states
KNOWN_SIZE = 2  # of the game's `rank`
KNOWN_TIER = 3  # states of lower tiers are not known
KNOWN_CODES = 4  # where the codes are, and
KNOWN_CODE_BYTES = 5  # how wide each is
KNOWN_NUMBERS = 6  # whose codes these are; 0: those of all numbers in order
KNOWN_SLOTS = 7
KNOWN_MASK = 8  # length of the slots less 1
KNOWN_SCORES = 9  # [code] the score in the search's unit
KNOWN_FIELDS = 10  # where the codes of a state's fields are
KNOWN_WORDS = 11
MANY_FIELDS = 1024  # a state with more (Go with all its earlier boards, say) has no number: to list them all is a kernel of megabytes
SCRATCH = max(WORDS, FIELDS + 1)  # words of room for a state or its number


@part
def position_number(state: State, at: int, scratch: int, work: Ints) -> int:
    """The number of a state's position, NO_NUMBER where it has none; `at`: the oracle's words, `scratch`: room for SCRATCH words."""
    if HAS_TIER and tier(state) < work[at + KNOWN_TIER]:
        return NO_NUMBER
    position = state
    if HAS_CANONICAL and work[at + KNOWN_FOLDED] != 0:
        position = canonical(state)[0]
    if HAS_RANK:
        number = rank(position)
        return number if 0 <= number < work[at + KNOWN_SIZE] else NO_NUMBER
    if FIELDS > MANY_FIELDS:
        return NO_NUMBER
    return number_of_fields(position, work, scratch, work[at + KNOWN_FIELDS])


@part
def code_of_number(number: int, at: int, work: Ints) -> int:
    """The oracle's code for a number, 0 where it is not known."""
    place = number
    if work[at + KNOWN_NUMBERS] != 0:
        slot = hash_of_number(number, work[at + KNOWN_MASK])
        while True:
            entry = int_at(work[at + KNOWN_SLOTS] + 4 * slot)
            if entry == 0:
                return 0
            if word_at(work[at + KNOWN_NUMBERS] + 8 * (entry - 1)) == number:
                place = entry - 1
                break
            slot = (slot + 1) & work[at + KNOWN_MASK]
    if work[at + KNOWN_CODE_BYTES] == 1:
        return byte_at(work[at + KNOWN_CODES] + place)
    return short_at(work[at + KNOWN_CODES] + 2 * place)


@part
def known_finding(state: State, at: int, scratch: int, missing: int, work: Ints) -> int:
    """The finding of a state that the oracle knows, `missing` where it does not."""
    number = position_number(state, at, scratch, work)
    if number == NO_NUMBER:
        return missing
    code = code_of_number(number, at, work)
    if code == 0:
        return missing
    return word_at(work[at + KNOWN_SCORES] + 8 * code) << 2 | work[at + KNOWN_SURE]


@entry
def number_at(state_at: int, at: int, scratch: int, work: Ints) -> int:
    """The number of the state at work[state_at], for Python to compare."""
    return position_number(decode(work, state_at), at, scratch, work)
