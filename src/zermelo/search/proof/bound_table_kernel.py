"""Part of a template: a table of proven bounds of scores, each an entry of one state.

Entries lie in pairs: the first is kept for the state that took more work, the second for the latest. Where keys have one word, an entry has
one word too (`code_bits` > 0), written in one step: see `signed`. Otherwise it is the words of the key, each mixed with the last word, the
bound; a thread that reads while two others write takes half an entry for a whole one only where 64 mixed bits agree by chance. Keys are
compared whole.
"""

from zermelo.runtime.vocabulary import HAS_REST, KEY, Ints, as_int, bit_length, np, part
from zermelo.search.packed_kernel import HALF, NARROW, give_up, hash_of, mixed
from zermelo.search.proof.questions_kernel import QuestionHead

DISTANCE_BITS = 0 if HAS_REST else 11  # of a score in an entry of one word
LOWER, UPPER = 1, 0


class BoundHead(QuestionHead):
    """What a thread knows of the table."""

    code_bits: int  # of a bound in an entry of one word; 0: entries of KEY + 1 words
    spare: int  # with entries of one word: upper bits that no key has
    lift: int  # with entries of one word: bits of a mark that the place of an entry already tells


@part
def mark_of(key: Ints, head: BoundHead) -> np.uint64:
    """A hash of a key. A key of one word without its spare bits can be found out from its mark: no other one has the same."""
    if KEY == 1:
        spare = np.uint64(head.spare)
        shifted = np.uint64(key[0]) << spare
        if shifted >> spare != np.uint64(key[0]):
            give_up(NARROW, head)
        return shifted * np.uint64(0x9E3779B97F4A7C15)
    return hash_of(key)


@part
def pair_of(mark: np.uint64, head: BoundHead) -> int:
    """Where the table keeps the states with this mark: its upper half, scaled to the number of pairs."""
    number = as_int((mark >> np.uint64(32)) * np.uint64(head.entries) >> np.uint64(32))
    return head.table + number * (2 if KEY == 1 and head.code_bits != 0 else 2 * (KEY + 1))


@part
def signed(mark: np.uint64, head: BoundHead) -> np.uint64:
    """The mark's part in an entry of one word: in the upper bits what the entry's place does not tell.

        lower bits of the mark | work, as a number of bits, not 0 | a bound on the score, LOWER or UPPER
                               |           lift + spare bits in all, the last code_bits for the bound

    The marks of one pair follow each other and are at most 2 ** (64 - lift) of them, so their lower 64 - lift bits tell them apart; of
    these the lowest spare are 0.
    """
    return mark << np.uint64(head.lift)


@part
def empty(head: BoundHead, work: Ints) -> None:
    """Forgets everything."""
    width = 2 if KEY == 1 and head.code_bits != 0 else 2 * (KEY + 1)
    for at in range(head.table, head.table + head.entries * width):
        work[at] = 0


# --- asking


@part
def probe(key: Ints, mark: np.uint64, pair: int, head: BoundHead, work: Ints) -> tuple[bool, int, int]:
    """(is there an entry, LOWER or UPPER, score) of the state with this key."""
    if KEY == 1 and head.code_bits != 0:
        known = np.uint64(1) << np.uint64(head.lift + head.spare)
        signature = signed(mark, head)
        told = np.uint64(work[pair]) ^ signature
        if told == 0 or told >= known:
            told = np.uint64(work[pair + 1]) ^ signature
            if told == 0 or told >= known:
                return False, UPPER, 0
        bits = np.uint64(64 - head.code_bits)
        code = as_int(told << bits) >> as_int(bits)
        kind, short = code & 1, code >> 1
        halves = (short + (1 << DISTANCE_BITS) - 1) >> DISTANCE_BITS if short > 0 else short >> DISTANCE_BITS
        return True, kind, short + halves * (HALF - (1 << DISTANCE_BITS))
    slot = pair
    if not is_of(key, slot, work):
        slot += KEY + 1
    data = work[slot + KEY]
    return is_of(key, slot, work), data >> 1 & 1, data >> 7


@part
def is_of(key: Ints, slot: int, work: Ints) -> bool:
    """Is this entry of several words that of the state with this key?"""
    data = work[slot + KEY]
    mask = mixed(data)
    same = data != 0
    for i in range(KEY):
        same = same and work[slot + i] ^ mask == key[i]
    return same


# --- keeping


@part
def remember(key: Ints, mark: np.uint64, pair: int, kind: int, score: int, spent: int, head: BoundHead, work: Ints) -> None:
    """Keeps a proven bound of the state with this key, which took so many nodes."""
    keep(key, mark, pair, kind, score, min(bit_length(spent), 31), head, work)


@part
def keep(key: Ints, mark: np.uint64, pair: int, kind: int, score: int, effort: int, head: BoundHead, work: Ints) -> None:
    """The same, where the work is given as a number of bits."""
    if KEY == 1 and head.code_bits != 0:
        bits = head.code_bits
        halves = (score + HALF - 1) >> 20 if score > 0 else score >> 20
        distance = abs(score - halves * HALF)
        short = score - halves * (HALF - (1 << DISTANCE_BITS))
        room = 1 << bits - 2
        if distance >= 1 << DISTANCE_BITS or short >= room or short < -room:
            give_up(NARROW, head)
            return
        keep_word(mark, pair, effort << bits | (short << 1 | kind) & ((1 << bits) - 1), head, work)
        return
    slot, second = pair, pair + KEY + 1
    first = work[slot + KEY]
    if effort < first >> 2 & 31 and not is_of(key, slot, work):
        slot = second
    elif first != 0 and not is_of(key, slot, work):
        for i in range(KEY + 1):
            work[second + i] = work[slot + i]
    data = score << 7 | effort << 2 | kind << 1 | 1
    mask = mixed(data)
    for i in range(KEY):
        work[slot + i] = key[i] ^ mask
    work[slot + KEY] = data


@part
def keep_word(mark: np.uint64, pair: int, told: int, head: BoundHead, work: Ints) -> None:
    """Keeps an entry of one word: what is told, work and bound, of the state with this mark."""
    bits = head.code_bits
    entry = as_int(signed(mark, head)) | told
    first = work[pair]
    known = (1 << head.lift + head.spare) - 1
    if (first ^ entry) & ~known == 0:
        work[pair] = entry
    elif told >> bits >= (first & known) >> bits:
        work[pair + 1] = first
        work[pair] = entry
    else:
        work[pair + 1] = entry


# --- growing


@part
def move_bounds(entries: int, code_bits: int, spare: int, lift: int, scratch: int, head: BoundHead, work: Ints) -> None:
    """Makes the table one of more pairs at the same place, with all that it holds. `scratch` is room for a pair and a key.

    Behind the old table all words are 0. Pairs move from the last to the first, so that each comes to lie where none is left to be moved.
    Entries of several words may become entries of one; entries of one word keep their code_bits and spare.
    """
    pairs, old_bits, old_lift = head.entries, head.code_bits, head.lift
    head.entries, head.code_bits, head.spare, head.lift = entries, code_bits, spare, lift
    width = 1 if KEY == 1 and old_bits != 0 else KEY + 1
    for back in range(pairs):
        number = pairs - 1 - back
        pair = head.table + 2 * number * width
        for i in range(2 * width):
            work[scratch + i] = work[pair + i]
            work[pair + i] = 0
        for slot in (scratch, scratch + width):
            if KEY == 1 and old_bits != 0:
                move_word(number, slot, pairs, old_lift, head, work)
            else:
                move_words(slot, work[scratch + 2 * width :], head, work)


@part
def move_word(number: int, slot: int, pairs: int, lift: int, head: BoundHead, work: Ints) -> None:
    """Gives an entry of one word its new place; it comes out of a pair among so many, whose places told `lift` bits of a mark."""
    entry = np.uint64(work[slot])
    if entry == 0:
        return
    above, bits = np.uint64(lift), np.uint64(lift + head.spare)
    least = ((np.uint64(number) << np.uint64(32)) + np.uint64(pairs - 1)) // np.uint64(pairs) << np.uint64(32)  # of the pair's marks
    lower = entry >> bits << np.uint64(head.spare)
    mark = least + ((lower - least) << above >> above)
    told = as_int(entry & ((np.uint64(1) << bits) - np.uint64(1)))
    keep_word(mark, pair_of(mark, head), told, head, work)


@part
def move_words(slot: int, key: Ints, head: BoundHead, work: Ints) -> None:
    """Gives an entry of several words its new place; `key` is room for its key."""
    data = work[slot + KEY]
    if data == 0:
        return
    mask = mixed(data)
    for i in range(KEY):
        key[i] = work[slot + i] ^ mask
    mark = mark_of(key, head)
    if head.fault != NARROW:  # a key that is too wide for an entry of one word has no mark of its own
        keep(key, mark, pair_of(mark, head), data >> 1 & 1, data >> 7, data >> 2 & 31, head, work)
