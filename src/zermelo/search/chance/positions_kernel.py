"""Kernel template: all positions of a game as a graph, and value iteration on it; see `zermelo.search.chance.value_iteration`.

Arrays are flat and made by Python. `explore` comes back when an array is full: then nothing of the state at hand has been written, and it
goes on from there with larger arrays.
"""

from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    INTEGER_PAYOFFS,
    PLAYERS,
    WORDS,
    Array,
    Ints,
    Reals,
    Record,
    State,
    actions,
    as_int,
    chances,
    cost,
    decode,
    encode,
    entry,
    np,
    part,
    payoffs,
    player,
    result,
    terminal,
)
from zermelo.search.chance.ways_kernel import NO_WEIGHTS, count_ways


class Control(Record):
    """What Python and the kernel tell each other."""

    at: int  # states that are done
    count: int  # states that are known
    edges: int
    pause: int  # come back when so many are done


END = -2  # the mover of a state in which the game is over

# --- why the kernel came back
DONE, PAUSED, ROOM, NO_ACTIONS, BAD_CHANCE, NO_PLAYER, NO_NUMBER = range(7)

LARGEST = 1 << 53  # up to here every whole number is a float


@part
def slot_of(rows: Ints, at: int, slots: Ints) -> int:
    """The place in `slots` of the state whose words begin at rows[at], or the empty place where it belongs; a slot holds number + 1."""
    mark = np.uint64(0x2545F4914F6CDD1D)
    for i in range(WORDS):
        mark = (mark ^ np.uint64(rows[at + i])) * np.uint64(0x9E3779B97F4A7C15)
        mark ^= mark >> np.uint64(32)
    mask = len(slots) - 1
    place = as_int(mark & np.uint64(mask))
    while slots[place] != 0:
        other = (slots[place] - 1) * WORDS
        same = True
        for i in range(WORDS):
            same = same and rows[other + i] == rows[at + i]
        if same:
            break
        place = (place + 1) & mask
    return place


@entry
def rehash(rows: Ints, count: int, slots: Ints) -> None:
    """Enter the first `count` states into empty, larger `slots`."""
    for number in range(count):
        slots[slot_of(rows, number * WORDS, slots)] = number + 1


@part
def connect(
    following: State, weight: float, spent: float, rows: Ints, slots: Ints, children: Ints, weights: Reals, costs: Reals, control: Control
) -> None:
    """One more edge of the state at hand."""
    count, edge = control.count, control.edges
    encode(following, rows, count * WORDS)
    place = slot_of(rows, count * WORDS, slots)
    if slots[place] == 0:
        slots[place] = count + 1
        control.count = count + 1
    children[edge] = slots[place] - 1
    weights[edge] = weight
    costs[edge] = spent
    control.edges = edge + 1


@entry
def explore(
    rows: Ints,
    slots: Ints,
    first: Ints,
    children: Ints,
    weights: Reals,
    costs: Reals,
    movers: Ints,
    values: Reals,
    controls: Array[Control],
) -> int:
    """Finds every state that can be reached, breadth first; rows[: WORDS] is the start, and is known.

    first     [state + 1]   where the state's edges begin
    children  [edge]        the state it leads to
    weights   [edge]        its probability; 1 where a player chooses
    movers    [state]       who moves, or END
    values    [state]       Max's payoff at the end
    """
    control = controls[0]
    while control.at < control.count:
        at = control.at
        if at >= control.pause:
            return PAUSED
        state = decode(rows, at * WORDS)
        if terminal(state):
            payoff = payoffs(state)[0]
            if not abs(payoff) < np.inf or (INTEGER_PAYOFFS and abs(payoff) > LARGEST):
                return NO_NUMBER
            movers[at] = END
            values[at] = payoff
            first[at + 1] = control.edges
            control.at += 1
            continue
        who = player(state)
        if (who < 0 or who >= PLAYERS) and not (HAS_CHANCES and who == CHANCE):
            return NO_PLAYER
        moves, total = count_ways(state, who)
        if moves == NO_WEIGHTS:
            return BAD_CHANCE
        if moves == 0:
            return NO_ACTIONS
        known = control.count + moves + 1
        if known > len(movers) or 2 * known > len(slots) or control.edges + moves > len(children):
            return ROOM
        movers[at] = who
        if HAS_CHANCES and who == CHANCE:
            for action, weight in chances(state):
                if weight > 0.0:
                    spent = cost(state, action) if PLAYERS == 1 else 0.0
                    connect(result(state, action), weight / total, spent, rows, slots, children, weights, costs, control)
        else:
            for action in actions(state):
                spent = cost(state, action) if PLAYERS == 1 else 0.0
                connect(result(state, action), 1.0, spent, rows, slots, children, weights, costs, control)
        first[at + 1] = control.edges
        control.at += 1
    return DONE


@entry
def sweep(first: Ints, children: Ints, weights: Reals, costs: Reals, movers: Ints, values: Reals) -> float:
    """One round of value iteration over all states, the last first; the largest change."""
    change = 0.0
    for at in range(len(movers) - 1, -1, -1):
        who = movers[at]
        if who == END:
            continue
        value = 0.0
        for edge in range(first[at], first[at + 1]):
            below = values[children[edge]] - costs[edge]
            if who == CHANCE:
                value += weights[edge] * below
            elif edge == first[at] or (below > value if who == 0 else below < value):
                value = below
        change = max(change, abs(value - values[at]))
        values[at] = value
    return change
