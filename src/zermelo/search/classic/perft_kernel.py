# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: perft, the number of lines of exactly so many actions.

States with more than SHALLOW actions to go wait on a stack in `work`, so that a line may be of any length and Python can be asked in
between; below that the count is a plain recursion. The last action of a line is counted without being made. Where completed turns are
counted, every state waits on the stack, because a turn may have any number of actions.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    PLAYERS,
    WORDS,
    actions,
    chances,
    decode,
    encode,
    kernel,
    part,
    player,
    result,
    terminal,
)

SHALLOW = 4  # plies that are counted by recursion

# --- control: what Python and the kernel tell each other
TOP = 0  # words in use on the stack
INNER = 1  # states visited that are neither leaves nor finished
LEAVES = 2
FINISHED = 3
PAUSE = 4  # come back when so many inner states are counted
EMPTY = 5  # 1: a state that is not the end has no actions; it is written from CONTROL on
TURNS = 6  # 1: the depth counts completed turns, runs of actions by one player, instead of actions
CONTROL = 7

# --- why the kernel came back
DONE, PAUSED, ROOM, NO_ACTIONS = range(4)

ITEM = WORDS + 1  # a waiting state, and how many actions or turns are to go

SIGNATURES = {"perft": "(int64[::1], int64[::1])"}  # work, control


@kernel
def below(state, left, control):
    """Leaves below a state that is not the end, with at least one action to go; counts the rest in `control`."""
    control[INNER] += 1
    leaves = 0
    moves = 0
    if HAS_CHANCES and player(state) == CHANCE:
        for outcome, _ in chances(state):
            moves += 1
            if left > 1:
                child = result(state, outcome)
                if terminal(child):
                    control[FINISHED] += 1
                else:
                    leaves += below(child, left - 1, control)
    elif left == 1:  # a loop of its own: it is most of the work
        for _ in actions(state):
            moves += 1
    else:
        for action in actions(state):
            moves += 1
            child = result(state, action)
            if terminal(child):
                control[FINISHED] += 1
            else:
                leaves += below(child, left - 1, control)
    if moves == 0:
        dead_end(state, control)
    return leaves if left > 1 else moves


@part
def dead_end(state, control):
    """A state, counted as an inner one, has no actions: a lost end in a puzzle, a fault of the rules in every other game."""
    if PLAYERS == 1:
        control[FINISHED] += 1
        control[INNER] -= 1
    else:
        control[EMPTY] = 1
        encode(state, control, CONTROL)


@part
def push(state, left, work, top):
    encode(state, work, top)
    work[top + WORDS] = left


@part
def take_in(child, who, left, work, top, control):
    """Counts a child, or puts it on the stack; the new top. `who` has moved, with so much to go before that."""
    over = terminal(child)
    if control[TURNS] == 0 or over or player(child) != who:
        left -= 1
    if left == 0:
        control[LEAVES] += 1
    elif over:
        control[FINISHED] += 1
    else:
        push(child, left, work, top)
        top += ITEM
    return top


@part
def expand(state, left, work, top, control):
    """Counts the children of a state or puts them on the stack; the new top, or -1 where `work` is too short."""
    leaves, finished = control[LEAVES], control[FINISHED]
    who = player(state)
    moves = 0
    if HAS_CHANCES and who == CHANCE:
        for outcome, _ in chances(state):
            if top + ITEM > len(work):
                control[LEAVES], control[FINISHED] = leaves, finished
                return -1
            moves += 1
            top = take_in(result(state, outcome), who, left, work, top, control)
    else:
        for action in actions(state):
            if top + ITEM > len(work):
                control[LEAVES], control[FINISHED] = leaves, finished
                return -1
            moves += 1
            top = take_in(result(state, action), who, left, work, top, control)
    control[INNER] += 1
    if moves == 0:
        dead_end(state, control)
    return top


@kernel
def perft(work, control):
    """Counts below the states that wait in `work`, none of which is the end; comes back when done, or when Python must do something."""
    top = control[TOP]
    code = DONE
    while top > 0:
        if control[INNER] >= control[PAUSE]:
            code = PAUSED
            break
        left = work[top - 1]
        state = decode(work, top - ITEM)
        if left <= SHALLOW and control[TURNS] == 0:
            control[LEAVES] += below(state, left, control)
            top -= ITEM
        else:
            grown = expand(state, left, work, top - ITEM, control)
            if grown < 0:
                push(state, left, work, top - ITEM)
                code = ROOM
                break
            top = grown
        if control[EMPTY] != 0:
            code = NO_ACTIONS
            break
    control[TOP] = top
    return code
