"""Kernel template: perft, the number of lines of exactly so many actions.

States with more than SHALLOW actions to go wait on a stack, so that a line may be of any length and Python can be asked in between; below
that the count is a plain recursion. The last action of a line is counted without being made. Where completed turns are counted, every
state waits on the stack, because a turn may have any number of actions.
"""

from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    PLAYERS,
    WORDS,
    Array,
    Ints,
    Record,
    State,
    actions,
    chances,
    decode,
    encode,
    entry,
    ints,
    kernel,
    part,
    player,
    result,
    terminal,
)

SHALLOW = 4  # plies that are counted by recursion

DONE, PAUSED, ROOM, NO_ACTIONS = range(4)  # why the kernel came back


class Waiting(Record):
    """A state that is not the end, and how many actions or turns are to go."""

    left: int
    state: Ints = ints(WORDS)


class Count(Record):
    """What Python and the kernel tell each other."""

    waiting: int  # states on the stack
    inner: int  # states visited that are neither leaves nor finished
    leaves: int
    finished: int
    pause: int  # come back when so many inner states are counted
    turns: bool  # the depth counts completed turns, runs of actions by one player, instead of actions
    stuck: bool  # a state that is not the end has no actions:
    dead_end: Ints = ints(WORDS)


@kernel
def below(state: State, left: int, count: Count) -> int:
    """Leaves below a state that is not the end, with at least one action to go; counts the rest."""
    count.inner += 1
    leaves = 0
    moves = 0
    if HAS_CHANCES and player(state) == CHANCE:
        for outcome, _ in chances(state):
            moves += 1
            if left > 1:
                child = result(state, outcome)
                if terminal(child):
                    count.finished += 1
                else:
                    leaves += below(child, left - 1, count)
    elif left == 1:  # a loop of its own: it is most of the work
        for _ in actions(state):
            moves += 1
    else:
        for action in actions(state):
            moves += 1
            child = result(state, action)
            if terminal(child):
                count.finished += 1
            else:
                leaves += below(child, left - 1, count)
    if moves == 0:
        note_dead_end(state, count)
    return leaves if left > 1 else moves


@part
def note_dead_end(state: State, count: Count) -> None:
    """A state, counted as an inner one, has no actions: a lost end in a puzzle, a fault of the rules in every other game."""
    if PLAYERS == 1:
        count.finished += 1
        count.inner -= 1
    else:
        count.stuck = True
        encode(state, count.dead_end)


@part
def push(state: State, left: int, stack: Array[Waiting], top: int) -> None:
    encode(state, stack[top].state)
    stack[top].left = left


@part
def take_in(child: State, who: int, left: int, stack: Array[Waiting], top: int, count: Count) -> int:
    """Counts a child, or puts it on the stack; the new top. `who` has moved, with so much to go before that."""
    over = terminal(child)
    if not count.turns or over or player(child) != who:
        left -= 1
    if left == 0:
        count.leaves += 1
    elif over:
        count.finished += 1
    else:
        push(child, left, stack, top)
        top += 1
    return top


@part
def expand(state: State, left: int, stack: Array[Waiting], top: int, count: Count) -> int:
    """Counts the children of a state or puts them on the stack; the new top, or -1 where the stack is too short."""
    leaves, finished = count.leaves, count.finished
    who = player(state)
    moves = 0
    if HAS_CHANCES and who == CHANCE:
        for outcome, _ in chances(state):
            if top == len(stack):
                count.leaves, count.finished = leaves, finished
                return -1
            moves += 1
            top = take_in(result(state, outcome), who, left, stack, top, count)
    else:
        for action in actions(state):
            if top == len(stack):
                count.leaves, count.finished = leaves, finished
                return -1
            moves += 1
            top = take_in(result(state, action), who, left, stack, top, count)
    count.inner += 1
    if moves == 0:
        note_dead_end(state, count)
    return top


@entry
def perft(stack: Array[Waiting], counts: Array[Count]) -> int:
    """Counts below the states that wait; comes back when done, or when Python must do something."""
    count = counts[0]
    top = count.waiting
    code = DONE
    while top > 0:
        if count.inner >= count.pause:
            code = PAUSED
            break
        left = stack[top - 1].left
        state = decode(stack[top - 1].state)
        if left <= SHALLOW and not count.turns:
            count.leaves += below(state, left, count)
            top -= 1
        else:
            grown = expand(state, left, stack, top - 1, count)
            if grown < 0:
                push(state, left, stack, top - 1)
                code = ROOM
                break
            top = grown
        if count.stuck:
            code = NO_ACTIONS
            break
    count.waiting = top
    return code
