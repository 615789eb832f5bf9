# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: one iteration of IDA*, all ways whose f is at most a threshold, depth first.

The search keeps its own stack in `work`, so that it can come back to Python at any state and go on later. A block holds the children of
one state whose f is within the threshold; a block's current child is the one that the search is in, and its children are in the next
block. `reals` is the memory of `work` seen as floats: costs are read and written there.

    block   PARENT  CURRENT  BEHIND  PLY | item  item  item …       item   STATE words, g, action

It does at every state what `zermelo.search.puzzles.idastar` does, in the same order, and counts the same nodes.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    LONGEST,
    WORDS,
    actions,
    as_float,
    as_int,
    cost,
    decode,
    encode,
    heuristic,
    kernel,
    max_payoff,
    np,
    part,
    player,
    result,
    terminal,
)

NONE = -1

# --- control: what Python and the kernel tell each other
AT = 0  # the block of the state that is looked at next
NODES = 1
PAUSE = 2  # come back before a state is expanded when so many nodes are counted
CONTROL = 3

# --- limits: the same in floats
THRESHOLD = 0
NEXT = 1  # the least f above the threshold that was seen
TOTAL = 2  # cost of the way that was found
FAULT = 3  # a cost or an estimate that is none
LIMITS = 4

# --- a block
PARENT = 0  # the block of the state whose children these are, NONE above the root
CURRENT = 1  # the item that the search is in
BEHIND = 2  # where the items end
PLY = 3  # actions from the root to the items
ITEMS = 4

# --- an item
SPENT = WORDS  # g
ACTION = WORDS + 1
ITEM = WORDS + 2

# --- why the kernel came back
RUNNING, DONE, FOUND, PAUSED, ROOM, CHANCE_MOVES, BAD_COST, BAD_ESTIMATE, GOOD_END, ENDLESS = range(10)

SIGNATURES = {"deepen": "(int64[::1], float64[::1], int64[::1], float64[::1])"}  # work, reals, control, limits


@part
def same(work, first, second):
    """Do two items hold the same state?"""
    equal = True
    for i in range(WORDS):
        equal = equal and work[first + i] == work[second + i]
    return equal


@part
def on_way(work, block, item):
    """Is the item's state on the way that leads to it? Only free actions make that a question."""
    while block != NONE:
        if same(work, work[block + CURRENT], item):
            return True
        block = work[block + PARENT]
    return False


@part
def expand(state, work, reals, at, control, limits):
    """Lays down the block of the current item's children; a code."""
    item, block = work[at + CURRENT], work[at + BEHIND]
    above = work[at + PARENT]
    before = NONE if above == NONE else work[above + CURRENT]
    child = block + ITEMS
    spent, threshold, later = reals[item + SPENT], limits[THRESHOLD], limits[NEXT]
    nodes = control[NODES]
    for action in actions(state):
        if child + ITEM + ITEMS > len(work):
            return ROOM
        price = cost(state, action)
        if not 0.0 <= price < np.inf:
            limits[FAULT] = price
            return BAD_COST
        following = result(state, action)
        encode(following, work, child)
        if (before != NONE and same(work, before, child)) or (price == 0.0 and on_way(work, at, child)):
            continue
        estimate = heuristic(following)
        if not 0.0 <= estimate < np.inf:
            limits[FAULT] = estimate
            return BAD_ESTIMATE
        nodes += 1
        through = spent + price + estimate
        if through <= threshold:
            reals[child + SPENT] = spent + price
            work[child + ACTION] = as_int(action)
            child += ITEM
        elif through < later:
            later = through
    control[NODES] = nodes
    limits[NEXT] = later
    work[block + PARENT] = at
    work[block + CURRENT] = block + ITEMS
    work[block + BEHIND] = child
    work[block + PLY] = work[at + PLY] + 1
    return RUNNING


@kernel
def deepen(work, reals, control, limits):
    """Goes on with an iteration until a way is FOUND, all are looked at (DONE), or Python must do something about the code."""
    at, pause = control[AT], control[PAUSE]
    code = RUNNING
    while code == RUNNING:
        item = work[at + CURRENT]
        if item == work[at + BEHIND]:  # all children of a state were looked at: go on with its sibling
            at = work[at + PARENT]
            if at == NONE:
                code = DONE
                break
            work[at + CURRENT] += ITEM
            continue
        if control[NODES] >= pause:
            code = PAUSED
            break
        state = decode(work, item)
        if terminal(state):
            rest = -as_float(max_payoff(state))
            if not rest >= 0.0:
                limits[FAULT] = -rest
                code = GOOD_END
                break
            total = reals[item + SPENT] + rest
            if total <= limits[THRESHOLD]:
                limits[TOTAL] = total
                code = FOUND
                break
            if total < limits[NEXT]:
                limits[NEXT] = total
            work[at + CURRENT] += ITEM
        elif player(state) == CHANCE:
            code = CHANCE_MOVES
        elif work[at + PLY] > LONGEST:
            code = ENDLESS
        else:
            code = expand(state, work, reals, at, control, limits)
            if code == RUNNING:
                at = work[at + BEHIND]
    control[AT] = at
    return code
