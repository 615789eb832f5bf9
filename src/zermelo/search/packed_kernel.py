"""Part of a template: recursive searches over packed scores, whose threads share one array, `work`.

    stack of thread 0 | stack of thread 1 | … | who is where | table

Here are the fields that the heads of all threads have, how a score is carried along a line, how a key finds its place, and how actions are
laid down in order.
"""

from zermelo.runtime.vocabulary import KEY, UNIT, Ints, Record, State, as_int, encode_key, np, part


class PackedHead(Record):
    """What a thread and Python tell each other; a template adds its own fields."""

    nodes: int  # states visited
    limit: int  # stop when more than this many are; Python stops a thread by writing -1
    fault: int  # why the search gave up: one of the codes below
    lowest: int  # what every score of a state that is not the end is at least, and
    highest: int  # at most
    top: int  # where the thread's stack begins, and
    end: int  # where it ends
    deepest: int  # the ply at which the line is given up as endless
    shared: int  # threads look out for each other above this ply; 0: a thread is alone
    busy: int  # where `who is where` begins
    table: int  # where the table begins
    entries: int  # of the table; 0: no table
    knowing: bool  # `bounds` and `candidates` are asked
    ordered: bool  # `order` is asked
    hits: int  # states that the table answered
    symmetric: int  # how near the root states are looked up by `canonical`, in the template's own measure; 0: none are


# --- faults
FINE, NO_ACTIONS, NO_PLAYER, NO_SCORE, ENDLESS, ROOM, NARROW = range(7)

WHERE = 1 << 15  # entries of `who is where`
HALF = UNIT // 2
NO_ACTION = -(1 << 62)


@part
def give_up(fault: int, head: PackedHead) -> None:
    """Stops this thread's search."""
    head.fault = fault
    head.limit = -1


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
def hash_of(key: Ints) -> np.uint64:
    """A hash of a key."""
    mark = np.uint64(key[0]) * np.uint64(0x9E3779B97F4A7C15)
    for i in range(1, KEY):
        mark = (mark ^ mark >> np.uint64(32) ^ np.uint64(key[i])) * np.uint64(0x9E3779B97F4A7C15)
    return mark


@part
def number_of(key: Ints, head: PackedHead) -> int:
    """The number of the entry for a key: the upper half of its hash, scaled to the number of entries."""
    return as_int((hash_of(key) >> np.uint64(32)) * np.uint64(head.entries) >> np.uint64(32))


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
def place_of(child: State, key: Ints, head: PackedHead) -> int:
    """Where `who is where` has the child, whose key is left in `key`."""
    encode_key(child, key)
    return head.busy + as_int(hash_of(key) >> np.uint64(49))


@part
def claimed(child: State, may_wait: bool, at: int, head: PackedHead, work: Ints) -> tuple[int, bool]:
    """(where `who is where` has the child, is another thread at it and may it wait?); unless it waits, it is ours from now on.

    `at`: where there is room for a key.
    """
    key = work[at:]
    where = place_of(child, key, head)
    mark = as_int(hash_of(key))
    if may_wait and work[where] == mark:
        return where, True
    work[where] = mark
    return where, False
