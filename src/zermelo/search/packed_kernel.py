"""Part of a template: recursive searches over packed scores, whose threads share one array, `work`.

    head of thread 0, its stack | head of thread 1, its stack | … | who is where | table

Here are the words that all their heads begin with, how a score is carried along a line, how a key finds its place, and how actions are
laid down in order.
"""

from zermelo.engine.vocabulary import KEY, UNIT, Ints, State, as_int, encode_key, np, part

# --- a thread's head, from `base` on; a template adds its own words behind
NODES = 0  # states visited
LIMIT = 1  # stop when more than this many are; Python stops a thread by writing -1
FAULT = 2  # why the search gave up: one of the codes below
LOWEST = 3  # what every score of a state that is not the end is at least, and
HIGHEST = 4  # at most
END = 5  # where the thread's stack ends
DEEPEST = 6  # the ply at which the line is given up as endless
SHARED = 7  # threads look out for each other above this ply; 0: a thread is alone
BUSY = 8  # where `who is where` begins
TABLE = 9  # where the table begins
ENTRIES = 10  # of the table; 0: no table
KNOWING = 11  # 1: `bounds` and `candidates` are asked
ORDERED = 12  # 1: `order` is asked
HITS = 13  # states that the table answered
SYMMETRIC = 14  # how near the root states are looked up by `canonical`, in the template's own measure; 0: none are
SHARED_HEAD = 15  # how many there are

# --- faults
FINE, NO_ACTIONS, NO_PLAYER, NO_SCORE, ENDLESS, ROOM, NARROW = range(7)

WHERE = 1 << 15  # entries of `who is where`
HALF = UNIT // 2
NO_ACTION = -(1 << 62)


@part
def give_up(fault: int, base: int, work: Ints) -> None:
    """Stops this thread's search."""
    work[base + FAULT] = fault
    work[base + LIMIT] = -1


@part
def lifted(score: int) -> int:
    """The score one action towards the root."""
    if score > 0:
        return score - 1
    if score < 0:
        return score + 1
    return score


@part
def lowered(threshold: int) -> int:
    """The threshold as the state after an action must see it: lifted(score) >= threshold exactly if score >= lowered(threshold)."""
    if threshold > 0:
        return threshold + 1
    if threshold < 0:
        return threshold - 1
    return threshold


@part
def hash_of(at: int, work: Ints) -> np.uint64:
    """A hash of the key at work[at]."""
    mark = np.uint64(work[at]) * np.uint64(0x9E3779B97F4A7C15)
    for i in range(1, KEY):
        mark = (mark ^ mark >> np.uint64(32) ^ np.uint64(work[at + i])) * np.uint64(0x9E3779B97F4A7C15)
    return mark


@part
def number_of(at: int, base: int, work: Ints) -> int:
    """The number of the entry for the key at work[at]: the upper half of its hash, scaled to the number of entries."""
    return as_int((hash_of(at, work) >> np.uint64(32)) * np.uint64(work[base + ENTRIES]) >> np.uint64(32))


@part
def mixed(data: int) -> int:
    """What the words of a key are mixed with: other data, another mixture."""
    mark = np.uint64(data) * np.uint64(0xD6E8FEB86659FD93)
    return as_int(mark ^ mark >> np.uint64(32))


@part
def place(work: Ints, first: int, at: int, action: int, rank: int) -> None:
    """Puts an action where its rank belongs, after those of the same rank."""
    while at > first and work[at - 1] < rank:
        work[at] = work[at - 2]
        work[at + 1] = work[at - 1]
        at -= 2
    work[at] = action
    work[at + 1] = rank


@part
def place_of(child: State, at: int, base: int, work: Ints) -> int:
    """Where `who is where` has the child; its key is left at work[at]."""
    encode_key(child, work, at)
    return work[base + BUSY] + as_int(hash_of(at, work) >> np.uint64(49))


@part
def claimed(child: State, may_wait: bool, at: int, base: int, work: Ints) -> tuple[int, bool]:
    """(where `who is where` has the child, is another thread at it and may it wait?); unless it waits, it is ours from now on."""
    where = place_of(child, at, base, work)
    mark = as_int(hash_of(at, work))
    if may_wait and work[where] == mark:
        return where, True
    work[where] = mark
    return where, False
