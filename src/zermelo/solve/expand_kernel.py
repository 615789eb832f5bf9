"""Kernel template: positions by number, and what each of them leads to; see `zermelo.solve`.

A position is the state that its equals by symmetry are folded into. Its number is what `rank` says, or made of its fields.
"""

from zermelo.runtime.numbers_kernel import NO_NUMBER, hash_of_number, number_of_fields, state_of_number
from zermelo.runtime.vocabulary import (
    DRAW,
    FIELDS,
    HAS_RANK,
    HAS_TIER,
    UNIT,
    WORDS,
    Array,
    Ints,
    Ints8,
    Ints32,
    Record,
    State,
    actions,
    as_int,
    canonical,
    decode,
    encode,
    entry,
    ints,
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

# --- why the kernel came back
DONE, ROOM, WIDEN, NO_ACTIONS, NO_PLAYER, NO_SCORE, BACKWARDS, UNNUMBERED = range(8)

END = 2  # the mover of a position in which the game is over
LARGEST_LEAD = 1000  # of a payoff over the draw: a score then fits 32 bits
ROW = FIELDS + 1  # room for a position's fields
NO_ROOM = -1  # `follow`: the graph's arrays are too short for control.edges more
NOT_YET = -(1 << 31)  # the score of a position of the graph that is not over


class Control(Record):
    """What Python and the kernel tell each other."""

    at: int  # positions of the shard that are done
    edges: int  # children that have been written
    wide: int  # the field that has no place in a number, and
    value: int  # its value
    mover: int  # of the position at hand: 0 or 1, or END
    score: int  # Max's packed score where the game is over


class Look(Record):
    """What the rules say about a state."""

    tier: int  # of its position
    number: int  # the position's; NO_NUMBER: the control says which field is too wide
    position: Ints = ints(WORDS)
    room: Ints = ints(ROW)


class Graph(Record):
    """How much there is of a graph."""

    done: int  # positions that have been looked at
    count: int  # positions that have been met
    edges: int


@part
def number_of(state: State, row: Ints, codes: int, control: Control) -> int:
    """The number of a position; NO_NUMBER where a field does not fit. `row` is room for ROW words."""
    if HAS_RANK:
        return rank(state)
    number = number_of_fields(state, row, 0, codes)
    if number == NO_NUMBER:
        control.wide = row[FIELDS]
        control.value = row[row[FIELDS]]
    return number


@part
def state_of(number: int, row: Ints, codes: int) -> State:
    """The position with this number."""
    if HAS_RANK:
        return unrank(number)
    return state_of_number(number, row, 0, codes)


@entry
def look(row: Ints, codes: int, looks: Array[Look], controls: Array[Control]) -> None:
    """What the rules say about the state in `row`."""
    seen = looks[0]
    position = canonical(decode(row, 0))[0]
    seen.tier = tier(position)
    encode(position, seen.position)
    seen.number = number_of(position, seen.room, codes, controls[0])


@entry
def open_number(number: int, codes: int, room: Ints, row: Ints) -> None:
    """Writes the words of a position, given by its number, to `row`; `room` is for ROW words."""
    encode(state_of(number, room, codes), row, 0)


@part
def expand_one(
    number: int, size: int, codes: int, row: Ints, edge: int, children: Ints, tiered: bool, tiers: Ints32, control: Control
) -> int:
    """What a position leads to: its children from children[edge] on, and `control`'s edges, mover and score. Gives DONE or a reason."""
    state = state_of(number, row, codes)
    if terminal(state):
        lead = max_payoff(state) - DRAW
        halves = lead * 2
        if not abs(lead) <= LARGEST_LEAD or np.floor(halves) != halves:
            return NO_SCORE
        control.mover = END
        control.score = as_int(halves) * (UNIT // 2)
        control.edges = edge
        return DONE
    who = player(state)
    if who != 0 and who != 1:
        return NO_PLAYER
    control.mover = who
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
    control.edges = edge
    return DONE


@entry
def expand(
    numbers: Ints,
    size: int,
    codes: int,
    row: Ints,
    movers: Ints8,
    ends: Ints32,
    first: Ints,
    children: Ints,
    tiers: Ints32,
    controls: Array[Control],
) -> int:
    """What each position of a shard leads to, from control.at on, until the shard is done or `children` is full.

    numbers   [position]       of the shard
    movers    [position]       0 or 1, or END
    ends      [position]       Max's packed score where the game is over
    first     [position + 1]   where a position's children begin, counted from the first position of this call
    children  [edge]           their numbers, one an action, in order
    tiers     [edge]           their tiers, where the game has them and somebody wants them; otherwise empty

    `size` is the game's own, for numbers by `rank`. ROOM: nothing of the position at hand has been written.
    """
    control = controls[0]
    control.edges = 0
    begin = control.at
    first[0] = 0
    while control.at < len(numbers):
        at = control.at
        code = expand_one(numbers[at], size, codes, row, control.edges, children, len(tiers) > 0, tiers, control)
        if code != DONE:
            return code
        movers[at] = control.mover
        if control.mover == END:
            ends[at] = control.score
        control.at = at + 1
        first[at + 1 - begin] = control.edges
    return DONE


# --- a long and narrow game: its rounds have few positions each, and there are many, so that no round is worth a call from Python


@part
def place_in(index: Ints32, number: int, numbers: Ints, dense: int) -> int:
    """Where the index has a number, or would have it."""
    if dense != 0:
        return number
    mask = len(index) - 1
    slot = hash_of_number(number, mask)
    while index[slot] != 0 and numbers[index[slot] - 1] != number:
        slot = (slot + 1) & mask
    return slot


@entry
def follow(
    size: int,
    codes: int,
    row: Ints,
    children: Ints,
    controls: Array[Control],
    numbers: Ints,
    movers: Ints8,
    scores: Ints32,
    first: Ints32,
    edges: Ints32,
    index: Ints32,
    dense: int,
    last: int,
    most: int,
    wide: int,
    graphs: Array[Graph],
) -> int:
    """Looks at the graph's next positions, in order, up to the one at `last`; stops where all are done, `most` have been met, or so many
    wait that they are `wide`. Gives what stopped it, or NO_ROOM; nothing of the position at hand has then been written.

    The graph's arrays are those of `zermelo.solve.resident`.
    """
    control, graph = controls[0], graphs[0]
    done, count, edge = graph.done, graph.count, graph.edges
    code = DONE
    while done < min(count, last) and count < most and count - done < wide:
        code = expand_one(numbers[done], size, codes, row, 0, children, False, row, control)
        if code != DONE:
            break
        more = control.edges
        if count + more > len(numbers) or edge + more > len(edges) or (dense == 0 and 2 * (count + more) > len(index)):
            code = NO_ROOM
            break
        for at in range(more):
            place = place_in(index, children[at], numbers, dense)
            if index[place] == 0:
                numbers[count] = children[at]
                count += 1
                index[place] = count
            edges[edge + at] = index[place] - 1
        movers[done] = control.mover
        scores[done] = control.score if control.mover == END else NOT_YET
        edge += more
        done += 1
        first[done] = edge
    graph.done, graph.count, graph.edges = done, count, edge
    return code
