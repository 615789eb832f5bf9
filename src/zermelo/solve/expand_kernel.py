# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: positions by number, and what each of them leads to; see `zermelo.solve`.

A position is the state that its equals by symmetry are folded into. Its number is what `rank` says, or made of its fields.
"""

from zermelo.engine.numbers_kernel import NO_NUMBER, hash_of_number, number_of_fields, state_of_number
from zermelo.engine.vocabulary import (
    DRAW,
    FIELDS,
    HAS_RANK,
    HAS_TIER,
    UNIT,
    WORDS,
    actions,
    canonical,
    decode,
    encode,
    kernel,
    max_payoff,
    np,
    part,
    player,
    rank,
    result,
    terminal,
    tier,
    unrank,
)

# --- control: what Python and the kernel tell each other
AT = 0  # positions of the shard that are done
EDGES = 1  # children that have been written
WIDE = 2  # the field that has no place in a number, and
VALUE = 3  # its value
MOVER = 4  # of the position at hand: 0 or 1, or END
SCORE = 5  # Max's packed score where the game is over
CONTROL = 6

# --- why the kernel came back
DONE, ROOM, WIDEN, NO_ACTIONS, NO_PLAYER, NO_SCORE, BACKWARDS, UNNUMBERED = range(8)

END = 2  # the mover of a position in which the game is over
LARGEST_LEAD = 1000  # of a payoff over the draw: a score then fits 32 bits
ROW = FIELDS + 1  # room for a position's fields
NO_ROOM = -1  # `follow`: the graph's arrays are too short for control[EDGES] more
NOT_YET = -(1 << 31)  # the score of a position of the graph that is not over

SIGNATURES = {
    "look": "(int64[::1], int64, int64[::1])",
    "expand": "(int64[::1], int64, int64, int64[::1], int8[::1], int32[::1], int64[::1], int64[::1], int32[::1], int64[::1])",
    "open_number": "(int64, int64, int64[::1])",
    "follow": "(int64, int64, int64[::1], int64[::1], int64[::1], int64[::1], int8[::1], int32[::1], int32[::1], int32[::1], int32[::1], "
    "int64, int64, int64, int64, int64[::1])",
}


@part
def number_of(state, row, codes, control):
    """The number of a position; NO_NUMBER where a field does not fit. `row` is room for ROW words."""
    if HAS_RANK:
        return np.int64(rank(state))
    number = number_of_fields(state, row, 0, codes)
    if number == NO_NUMBER:
        control[WIDE] = row[FIELDS]
        control[VALUE] = row[row[FIELDS]]
    return number


@part
def state_of(number, row, codes):
    """The position with this number."""
    if HAS_RANK:
        return unrank(number)
    return state_of_number(number, row, 0, codes)


@kernel
def look(row, codes, out):
    """What the rules say about the state in `row`: the tier of its position, the position's number or NO_NUMBER, and its words.

    Behind them out[2 + WORDS] and the next word are `control`'s WIDE and VALUE where there is no number.
    """
    control = np.zeros(CONTROL, np.int64)
    position = canonical(decode(row, 0))[0]
    out[0] = tier(position)
    encode(position, out, 2)
    out[1] = number_of(position, np.empty(ROW, np.int64), codes, control)
    out[2 + WORDS] = control[WIDE]
    out[3 + WORDS] = control[VALUE]


@kernel
def open_number(number, codes, row):
    """Writes the words of a position, given by its number, to `row`."""
    encode(state_of(number, np.empty(ROW, np.int64), codes), row, 0)


@part
def expand_one(number, size, codes, row, edge, children, tiered, tiers, control):
    """What a position leads to: its children from children[edge] on, and `control`'s EDGES, MOVER and SCORE. Gives DONE or a reason."""
    state = state_of(number, row, codes)
    if terminal(state):
        lead = max_payoff(state) - DRAW
        halves = lead * 2
        if not abs(lead) <= LARGEST_LEAD or np.floor(halves) != halves:
            return NO_SCORE
        control[MOVER] = END
        control[SCORE] = np.int64(halves) * (UNIT // 2)
        control[EDGES] = edge
        return DONE
    who = player(state)
    if who != 0 and who != 1:
        return NO_PLAYER
    control[MOVER] = who
    here = tier(state) if HAS_TIER and tiered else 0
    first = edge
    for action in actions(state):
        if edge >= len(children):
            return ROOM
        position = canonical(result(state, action))[0]
        number = number_of(position, row, codes, control)
        if HAS_RANK:
            if number < 0 or number >= size:
                return UNNUMBERED
        elif number == NO_NUMBER:
            return WIDEN
        children[edge] = number
        if HAS_TIER and tiered:
            below = tier(position)
            if below < here:
                return BACKWARDS
            tiers[edge] = below
        edge += 1
    if edge == first:
        return NO_ACTIONS
    control[EDGES] = edge
    return DONE


@kernel
def expand(numbers, size, codes, row, movers, ends, first, children, tiers, control):
    """What each position of a shard leads to, from control[AT] on, until the shard is done or `children` is full.

    numbers   [position]       of the shard
    movers    [position]       0 or 1, or END
    ends      [position]       Max's packed score where the game is over
    first     [position + 1]   where a position's children begin, counted from the first position of this call
    children  [edge]           their numbers, one an action, in order
    tiers     [edge]           their tiers, where the game has them and somebody wants them; otherwise empty

    `size` is the game's own, for numbers by `rank`. ROOM: nothing of the position at hand has been written.
    """
    control[EDGES] = 0
    begin = control[AT]
    first[0] = 0
    while control[AT] < len(numbers):
        at = control[AT]
        code = expand_one(numbers[at], size, codes, row, control[EDGES], children, len(tiers) > 0, tiers, control)
        if code != DONE:
            return code
        movers[at] = control[MOVER]
        if control[MOVER] == END:
            ends[at] = control[SCORE]
        control[AT] = at + 1
        first[at + 1 - begin] = control[EDGES]
    return DONE


# --- a long and narrow game: its rounds have few positions each, and there are many, so that no round is worth a call from Python


@part
def place_in(index, number, numbers, dense):
    """Where the index has a number, or would have it."""
    if dense != 0:
        return number
    mask = len(index) - 1
    slot = hash_of_number(number, mask)
    while index[slot] != 0 and numbers[index[slot] - 1] != number:
        slot = (slot + 1) & mask
    return slot


@kernel
def follow(size, codes, row, children, control, numbers, movers, scores, first, edges, index, dense, last, most, wide, graph):
    """Looks at the graph's next positions, in order, up to the one at `last`; stops where all are done, `most` have been met, or so many
    wait that they are `wide`. Gives what stopped it, or NO_ROOM; nothing of the position at hand has then been written.

    graph     positions that have been looked at, that have been met, and edges; the graph's arrays are those of `zermelo.solve.resident`
    """
    done = graph[0]
    count = graph[1]
    edge = graph[2]
    code = np.int64(DONE)
    while done < min(count, last) and count < most and count - done < wide:
        code = expand_one(numbers[done], size, codes, row, 0, children, False, row, control)
        if code != DONE:
            break
        more = control[EDGES]
        if count + more > len(numbers) or edge + more > len(edges) or (dense == 0 and 2 * (count + more) > len(index)):
            code = np.int64(NO_ROOM)
            break
        for at in range(more):
            place = place_in(index, children[at], numbers, dense)
            if index[place] == 0:
                numbers[count] = children[at]
                count += 1
                index[place] = count
            edges[edge + at] = index[place] - 1
        movers[done] = control[MOVER]
        scores[done] = control[SCORE] if control[MOVER] == END else NOT_YET
        edge += more
        done += 1
        first[done] = edge
    graph[0] = done
    graph[1] = count
    graph[2] = edge
    return code
