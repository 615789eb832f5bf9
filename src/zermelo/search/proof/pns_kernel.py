"""Kernel template: depth-first proof-number search for one question, "is the score at least the threshold?", 1 (does Max win?) or 0.

Each state has a proof number, how many states at least must still be proven to show that the answer is yes, and a disproof number, the same
for no. The search goes on where least is missing, whatever the depth: good where one side has few actions. Numbers are kept in a table of
proven keys; those of the children of all states on the line lie on a stack, so that a lost entry costs time and nothing else.
"""

from zermelo.runtime.vocabulary import (
    HAS_BOUNDS,
    HAS_CANDIDATES,
    KEY,
    LONGEST,
    WORDS,
    Array,
    Ints,
    Record,
    State,
    actions,
    as_int,
    bounds,
    candidates,
    decode,
    encode_key,
    entry,
    ints,
    kernel,
    part,
    player,
    result,
    terminal,
)
from zermelo.search.packed_kernel import ENDLESS, HALF, NO_ACTION, NO_ACTIONS, NO_PLAYER, ROOM, give_up, mixed, number_of
from zermelo.search.proof.questions_kernel import QuestionHead, halves_at_end

LATE = LONGEST // 2  # actions: later than any end that is reached, and a score can still be lifted towards the root
NONE = -1

BITS = 29  # of a number
NEVER = 1 << BITS - 1  # the proof number of what is disproven, the disproof number of what is proven
PROVEN = NEVER  # as `packed` has it: proof number 0
DISPROVEN = NEVER << BITS
OPEN = (1 << BITS) + 1  # 1 and 1: nothing is known


class Head(QuestionHead):
    """What the search is told, and what it has found."""

    won: int  # halves of the smallest win at which a line has ended so far; 0: none has
    lost: int  # the same for losses, negative
    key: Ints = ints(KEY)  # of the state that is looked up
    state: Ints = ints(WORDS)  # the state in question


class Child(Record):
    """A child of a state on the line."""

    action: int
    proof: int
    disproof: int


@part
def packed(proof: int, disproof: int) -> int:
    """Both numbers as one."""
    return min(proof, NEVER) << BITS | min(disproof, NEVER)


@part
def proof_in(both: int) -> int:
    return both >> BITS


@part
def disproof_in(both: int) -> int:
    return both & (1 << BITS) - 1


@part
def slot_of(head: Head) -> int:
    """Where the table keeps the state with the head's key."""
    return head.table + number_of(head.key, head) * (KEY + 1)


@part
def settled(halves: int, head: Head) -> int:
    """The numbers of a state whose payoff is at least, or at most, the draw and so many halves."""
    if halves > 0 and (head.won == 0 or halves < head.won):
        head.won = halves
    if halves < 0 and (head.lost == 0 or halves > head.lost):
        head.lost = halves
    return PROVEN if halves >= head.threshold else DISPROVEN


@part
def first_look(state: State, head: Head, work: Ints) -> int:
    """The numbers of a state before it is searched: from its end, its bounds, or the table."""
    threshold = head.threshold
    if terminal(state):
        return settled(halves_at_end(state, head), head)
    if HAS_BOUNDS and head.knowing:
        low, high = bounds(state)
        if low >= threshold:
            return settled((low + HALF - 1) >> 20, head)
        if high < threshold:
            return settled(high >> 20, head)
    if head.entries != 0:
        encode_key(state, head.key)
        slot = slot_of(head)
        data = work[slot + KEY]
        mask = mixed(data)
        same = data != 0 and data & 1 == threshold
        for i in range(KEY):
            same = same and work[slot + i] ^ mask == head.key[i]
        if same:
            head.hits += 1
            return data >> 1
    return OPEN


@part
def lay(state: State, action: int, child: Child, head: Head, work: Ints) -> None:
    """Lays down a child with its numbers."""
    child.action = action
    both = first_look(result(state, action), head, work)
    child.proof, child.disproof = proof_in(both), disproof_in(both)


@part
def list_children(state: State, first: int, children: Array[Child], head: Head, work: Ints) -> int:
    """Lays down the children with their numbers; where they end, or NONE where there is no room."""
    at = first
    if HAS_CANDIDATES and head.knowing:
        for candidate in candidates(state):
            if at >= len(children):
                return NONE
            lay(state, as_int(candidate), children[at], head, work)
            at += 1
    if at == first:
        for action in actions(state):
            if at >= len(children):
                return NONE
            lay(state, as_int(action), children[at], head, work)
            at += 1
    return at


@part
def keep(state: State, found: int, head: Head, work: Ints) -> None:
    """Writes a state's numbers to the table."""
    encode_key(state, head.key)
    slot = slot_of(head)
    data = found << 1 | head.threshold
    mask = mixed(data)
    for i in range(KEY):
        work[slot + i] = head.key[i] ^ mask
    work[slot + KEY] = data


@kernel
def numbers(state: State, most: int, ply: int, first: int, children: Array[Child], head: Head, work: Ints) -> int:
    """The numbers of a state that is not the end, packed, searched until one of them reaches its part of `most` or the state is settled.

    Its children are laid down from `first` on.
    """
    head.nodes += 1
    if head.nodes > head.limit:
        return most
    who = player(state)
    if (who != 0 and who != 1) or ply >= head.deepest:
        give_up(ENDLESS if ply >= head.deepest else NO_PLAYER, head)
        return most
    end = list_children(state, first, children, head, work)
    if end <= first:
        give_up(ROOM if end == NONE else NO_ACTIONS, head)
        return most
    most_proof, most_disproof = proof_in(most), disproof_in(most)
    while True:
        # whoever moves needs one child: `easy` is that player's number, the least of the children; `hard` the opponent's, their sum
        easy, second, hard, chosen = NEVER, NEVER, 0, first
        for at in range(first, end):
            child = children[at]
            mine, other = (child.proof, child.disproof) if who == 0 else (child.disproof, child.proof)
            hard += other
            if mine < easy:
                easy, second, chosen = mine, easy, at
            elif mine < second:
                second = mine
        hard = min(hard, NEVER)
        proof, disproof = (easy, hard) if who == 0 else (hard, easy)
        if proof >= most_proof or disproof >= most_disproof or proof == 0 or disproof == 0:
            break
        best = children[chosen]
        if who == 0:
            child_most = packed(min(most_proof, second + 1 + second // 4), most_disproof - disproof + best.disproof)
        else:
            child_most = packed(most_proof - proof + best.proof, min(most_disproof, second + 1 + second // 4))
        both = numbers(result(state, best.action), child_most, ply + 1, end, children, head, work)
        best.proof, best.disproof = proof_in(both), disproof_in(both)
        if head.nodes > head.limit:
            return most
    if easy == 0 and ply == 0:
        head.settling = children[chosen].action
    found = packed(proof, disproof)
    if head.entries != 0:
        keep(state, found, head, work)
    return found


@entry
def ask(heads: Array[Head], children: Array[Child], work: Ints) -> None:
    """Answers the question in the head by a bound that holds. Without an answer `nodes` is above `limit`.

    A proven win is at least as large as the smallest win that was ever met, and as late as can be; so is a loss.
    """
    head = heads[0]
    head.settling = NO_ACTION
    found = numbers(decode(head.state), packed(NEVER, NEVER), 0, 0, children, head, work)
    if proof_in(found) == 0:
        head.found = 0 if head.threshold == 0 else head.won * HALF - LATE
    elif disproof_in(found) == 0:
        head.found = 0 if head.threshold == 1 else head.lost * HALF + LATE
    elif head.nodes <= head.limit:
        give_up(ENDLESS, head)  # the numbers have grown beyond all bounds, and nothing is proven
