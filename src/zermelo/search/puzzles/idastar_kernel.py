"""Kernel template: one iteration of IDA*, all ways whose f is at most a threshold, depth first.

The search keeps its own stack, so that it can come back to Python at any state and go on later. There is a block for each state on the
way, with those of its children whose f is within the threshold; a block's current child is the one that the search is in, and its children
are in the next block. The first block holds the root alone, so a block's number is the number of actions that lead to its items.

    blocks   root | children | … | at                    each with its current item
    items    root | item  item  item … | item … | …      of the blocks, one after the other

It does at every state what `zermelo.search.puzzles.idastar` does, in the same order, and counts the same nodes.
"""

from zermelo.runtime.vocabulary import (
    CHANCE,
    LONGEST,
    WORDS,
    Array,
    Ints,
    Record,
    State,
    actions,
    as_float,
    as_int,
    cost,
    decode,
    encode,
    entry,
    heuristic,
    ints,
    max_payoff,
    np,
    part,
    player,
    result,
    terminal,
)

NONE = -1

# --- why the kernel came back
RUNNING, DONE, FOUND, PAUSED, ROOM, CHANCE_MOVES, BAD_COST, BAD_ESTIMATE, GOOD_END, ENDLESS = range(10)


class Item(Record):
    """A state to be looked at."""

    spent: float  # g
    action: int  # that leads to it
    state: Ints = ints(WORDS)


class Block(Record):
    """The children of one state."""

    current: int  # the item that the search is in
    behind: int  # where the items end


class Control(Record):
    """What Python and the kernel tell each other."""

    at: int  # the block of the state that is looked at next
    nodes: int
    pause: int  # come back before a state is expanded when so many nodes are counted
    threshold: float
    later: float  # the least f above the threshold that was seen
    total: float  # cost of the way that was found
    fault: float  # a cost or an estimate that is none


@part
def same(first: Item, second: Item) -> bool:
    """Do two items hold the same state?"""
    equal = True
    for i in range(WORDS):
        equal = equal and first.state[i] == second.state[i]
    return equal


@part
def on_way(items: Array[Item], blocks: Array[Block], at: int, item: Item) -> bool:
    """Is the item's state on the way to the children of the block's current item? Only free actions make that a question."""
    while at != NONE:
        if same(items[blocks[at].current], item):
            return True
        at -= 1
    return False


@part
def expand(state: State, items: Array[Item], blocks: Array[Block], at: int, control: Control) -> int:
    """Lays down the block of the current item's children; a code."""
    if at + 1 >= len(blocks):
        return ROOM
    item, first = items[blocks[at].current], blocks[at].behind
    before = NONE if at == 0 else blocks[at - 1].current
    behind, nodes = first, control.nodes
    spent, threshold, later = item.spent, control.threshold, control.later
    for action in actions(state):
        if behind >= len(items):
            return ROOM
        price = cost(state, action)
        if not 0.0 <= price < np.inf:
            control.fault = price
            return BAD_COST
        following = result(state, action)
        child = items[behind]
        encode(following, child.state)
        if (before != NONE and same(items[before], child)) or (price == 0.0 and on_way(items, blocks, at, child)):
            continue
        estimate = heuristic(following)
        if not 0.0 <= estimate < np.inf:
            control.fault = estimate
            return BAD_ESTIMATE
        nodes += 1
        through = spent + price + estimate
        if through <= threshold:
            child.spent = spent + price
            child.action = as_int(action)
            behind += 1
        elif through < later:
            later = through
    control.nodes, control.later = nodes, later
    blocks[at + 1].current, blocks[at + 1].behind = first, behind
    return RUNNING


@entry
def deepen(items: Array[Item], blocks: Array[Block], controls: Array[Control]) -> int:
    """Goes on with an iteration until a way is FOUND, all are looked at (DONE), or Python must do something about the code."""
    control = controls[0]
    at, pause = control.at, control.pause
    code = RUNNING
    while code == RUNNING:
        block = blocks[at]
        if block.current == block.behind:  # all children of a state were looked at: go on with its sibling
            at -= 1
            if at == NONE:
                code = DONE
                break
            blocks[at].current += 1
            continue
        if control.nodes >= pause:
            code = PAUSED
            break
        item = items[block.current]
        state = decode(item.state)
        if terminal(state):
            rest = -as_float(max_payoff(state))
            if not rest >= 0.0:
                control.fault = -rest
                code = GOOD_END
                break
            total = item.spent + rest
            if total <= control.threshold:
                control.total = total
                code = FOUND
                break
            if total < control.later:
                control.later = total
            block.current += 1
        elif player(state) == CHANCE:
            code = CHANCE_MOVES
        elif at > LONGEST:
            code = ENDLESS
        else:
            code = expand(state, items, blocks, at, control)
            if code == RUNNING:
                at += 1
    control.at = at
    return code
