"""Kernel template: depth-first proof-number search for one question, "is the score at least the threshold?", 1 (does Max win?) or 0.

Each state has a proof number, how many states at least must still be proven to show that the answer is yes, and a disproof number, the same
for no. The search goes on where least is missing, whatever the depth: good where one side has few actions. Numbers are kept in a table of
proven keys; a frame keeps those of its children, so that a lost entry costs time and nothing else.

`work` and its head are laid out as `zermelo.search.proof.prove_kernel` does it, for one thread.
"""

from zermelo.engine.vocabulary import (
    HAS_BOUNDS,
    HAS_CANDIDATES,
    KEY,
    LONGEST,
    WORDS,
    Ints,
    State,
    actions,
    as_int,
    bounds,
    candidates,
    decode,
    encode_key,
    entry,
    kernel,
    part,
    player,
    result,
    terminal,
)
from zermelo.search.packed_kernel import (
    DEEPEST,
    END,
    ENDLESS,
    ENTRIES,
    HALF,
    HITS,
    KNOWING,
    LIMIT,
    NO_ACTION,
    NO_ACTIONS,
    NO_PLAYER,
    NODES,
    ROOM,
    TABLE,
    give_up,
    mixed,
    number_of,
)
from zermelo.search.proof.questions_kernel import FOUND, PLY, QUESTION_HEAD, THRESHOLD, halves_at_end

# --- the head: the words of a question, then
WON = QUESTION_HEAD  # halves of the smallest win at which a line has ended so far; 0: none has
LOST = QUESTION_HEAD + 1  # the same for losses, negative
STATE = QUESTION_HEAD + 2
STACK = STATE + WORDS  # frames: the action that settled the question, the key, (action, proof number, disproof number) of each child

LATE = LONGEST // 2  # actions: later than any end that is reached, and a score can still be lifted towards the root
CHILD = 3  # words of a child in a frame

NEVER = 1 << 28  # the proof number of what is disproven, the disproof number of what is proven
PROVEN = NEVER  # as `packed` has it: proof number 0
DISPROVEN = NEVER << 29
OPEN = (1 << 29) + 1  # 1 and 1: nothing is known

SIGNATURES = {"ask": "(int64, int64[::1])"}  # base, work


@part
def packed(proof: int, disproof: int) -> int:
    """Both numbers as one."""
    return min(proof, NEVER) << 29 | min(disproof, NEVER)


@part
def slot_of(at: int, base: int, work: Ints) -> int:
    """Where the table keeps the state whose key is at work[at]."""
    return work[base + TABLE] + number_of(at, base, work) * (KEY + 1)


@part
def settled(halves: int, threshold: int, base: int, work: Ints) -> int:
    """The numbers of a state whose payoff is at least, or at most, the draw and so many halves."""
    if halves > 0 and (work[base + WON] == 0 or halves < work[base + WON]):
        work[base + WON] = halves
    if halves < 0 and (work[base + LOST] == 0 or halves > work[base + LOST]):
        work[base + LOST] = halves
    return PROVEN if halves >= threshold else DISPROVEN


@part
def first_look(state: State, at: int, base: int, work: Ints) -> int:
    """The numbers of a state before it is searched: from its end, its bounds, or the table; its key is left at work[at]."""
    threshold = work[base + THRESHOLD]
    if terminal(state):
        return settled(halves_at_end(state, base, work), threshold, base, work)
    if HAS_BOUNDS and work[base + KNOWING] != 0:
        low, high = bounds(state)
        if low >= threshold:
            return settled((low + HALF - 1) >> 20, threshold, base, work)
        if high < threshold:
            return settled(high >> 20, threshold, base, work)
    if work[base + ENTRIES] != 0:
        encode_key(state, work, at)
        slot = slot_of(at, base, work)
        data = work[slot + KEY]
        mask = mixed(data)
        same = data != 0 and data & 1 == threshold
        for i in range(KEY):
            same = same and work[slot + i] ^ mask == work[at + i]
        if same:
            work[base + HITS] += 1
            return data >> 1
    return OPEN


@part
def list_children(state: State, first: int, base: int, work: Ints) -> int:
    """Lays down the children with their numbers; where they end, or 0 where there is no room."""
    at = first
    last = work[base + END] - CHILD - KEY - 2
    if HAS_CANDIDATES and work[base + KNOWING] != 0:
        for candidate in candidates(state):
            if at >= last:
                return 0
            work[at] = as_int(candidate)
            work[at + 1] = first_look(result(state, candidate), at + CHILD, base, work)
            at += CHILD
    if at == first:
        for action in actions(state):
            if at >= last:
                return 0
            work[at] = as_int(action)
            work[at + 1] = first_look(result(state, action), at + CHILD, base, work)
            at += CHILD
    return at


@kernel
def numbers(state: State, most: int, ply: int, top: int, base: int, work: Ints) -> int:
    """The numbers of a state that is not the end, packed, searched until one of them reaches its part of `most` or the state is settled."""
    nodes = work[base + NODES] + 1
    work[base + NODES] = nodes
    identity = top + 1
    first = identity + KEY
    who = player(state)
    if nodes > work[base + LIMIT]:
        return most
    if (who != 0 and who != 1) or ply >= work[base + DEEPEST] or first + CHILD + KEY + 2 >= work[base + END]:
        give_up(ENDLESS if ply >= work[base + DEEPEST] else ROOM if who == 0 or who == 1 else NO_PLAYER, base, work)
        return most
    end = list_children(state, first, base, work)
    if end <= first:
        give_up(ROOM if end == 0 else NO_ACTIONS, base, work)
        return most
    most_proof, most_disproof = most >> 29, most & (1 << 29) - 1
    low_bits = (1 << 29) - 1
    while True:
        # whoever moves needs one child: `easy` is that player's number, the least of the children; `hard` the opponent's, their sum
        easy, second, hard, chosen = NEVER, NEVER, 0, first
        for at in range(first, end, CHILD):
            proof, disproof = work[at + 1] >> 29, work[at + 1] & low_bits
            mine, other = (proof, disproof) if who == 0 else (disproof, proof)
            hard += other
            if mine < easy:
                easy, second, chosen = mine, easy, at
            elif mine < second:
                second = mine
        hard = min(hard, NEVER)
        proof, disproof = (easy, hard) if who == 0 else (hard, easy)
        if proof >= most_proof or disproof >= most_disproof or proof == 0 or disproof == 0:
            break
        at = chosen
        child_proof, child_disproof = work[at + 1] >> 29, work[at + 1] & low_bits
        if who == 0:
            child_most = packed(min(most_proof, second + 1 + second // 4), most_disproof - disproof + child_disproof)
        else:
            child_most = packed(most_proof - proof + child_proof, min(most_disproof, second + 1 + second // 4))
        work[at + 1] = numbers(result(state, work[at]), child_most, ply + 1, end, base, work)
        if work[base + NODES] > work[base + LIMIT]:
            return most
    if easy == 0:
        work[top] = work[chosen]
    found = packed(proof, disproof)
    if work[base + ENTRIES] != 0:
        encode_key(state, work, identity)
        slot = slot_of(identity, base, work)
        data = found << 1 | work[base + THRESHOLD]
        mask = mixed(data)
        for i in range(KEY):
            work[slot + i] = work[identity + i] ^ mask
        work[slot + KEY] = data
    return found


@entry
def ask(base: int, work: Ints) -> None:
    """Answers the question in the head at work[base] by a bound that holds. Without an answer NODES is above LIMIT.

    A proven win is at least as large as the smallest win that was ever met, and as late as can be; so is a loss.
    """
    work[base + STACK] = NO_ACTION
    most = packed(NEVER, NEVER)
    found = numbers(decode(work, base + STATE), most, work[base + PLY], base + STACK, base, work)
    if found >> 29 == 0:
        work[base + FOUND] = 0 if work[base + THRESHOLD] == 0 else work[base + WON] * HALF - LATE
    elif found & (1 << 29) - 1 == 0:
        work[base + FOUND] = 0 if work[base + THRESHOLD] == 1 else work[base + LOST] * HALF + LATE
    elif work[base + NODES] <= work[base + LIMIT]:
        give_up(ENDLESS, base, work)  # the numbers have grown beyond all bounds, and nothing is proven
