"""Part of kernel templates: playouts, from a state to the end of the game or to a cut-off, without allocating anything."""

import typing

from zermelo.runtime.random_kernel import GOLDEN, below, fraction, mixed
from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    HAS_EVALUATE,
    KEY,
    PLAYERS,
    WORDS,
    Array,
    Ints,
    Reals,
    Record,
    State,
    as_int,
    as_u64,
    chances,
    cost,
    decode,
    encode,
    estimates,
    heuristic,
    ints,
    list_actions,
    np,
    order,
    part,
    payoffs,
    player,
    reals,
    result,
    routine,
    terminal,
)

# --- switches: a family names those that are off (`mcts-EXTRAS`), and what they are about is not compiled
EXTRAS = True  # all moves as first, shared nodes, chance outside the tree
INFORMED = True  # priors, hints, urgency, and policies of playouts
TOGETHER = True  # several threads
GUIDED = False  # functions of the user's, which only plain Python can ask: see `montecarlo.guide`

# --- policies of playouts, and where priors come from
UNIFORM, BY_ORDER, BY_ESTIMATE, ASKED = range(4)

# --- why a kernel comes back
DONE, NEEDS_ROOM, NEEDS_TREE, PROVEN, AGAIN, NO_ACTIONS, NO_PLAYER, NO_NUMBER, BAD_CHANCE = range(9)

TOLERANCE = 1e-9  # by how much weights that are not whole may miss 1


class PlayoutControl(Record):
    """What playouts are asked to do."""

    cutoff: int  # actions of a playout
    policy: int
    epsilon: float  # how often a policy moves at random all the same
    even: float  # everybody's payoff where a cut-off game cannot be judged
    recording: bool  # moves are recorded
    adaptive: bool  # the range of payoffs is what was seen
    exploration: float
    lowest: float  # payoff of any player: declared, or seen
    highest: float


class Head(Record):
    """What a thread counts, and its playout."""

    random: int  # state of the generator
    left: int  # playouts to do
    finished: int  # playouts done
    visited: int  # states visited, in the tree and in playouts
    most_visited: int
    cuts: int  # playouts that were cut off
    deepest: int  # actions of the longest line in the tree
    length: int  # moves of this playout that are recorded
    nodes: Ints = ints(2)  # where there are several threads: from where to where this one may make nodes,
    edges: Ints = ints(2)  # and edges
    fate: float  # what chance had cost before the leaf, where it is outside the tree
    payoffs: Reals = reals(PLAYERS)  # [player] of this playout
    leaf: Ints = ints(WORDS)  # the state from which a playout begins
    faulty: Ints = ints(WORDS)  # the state in which something was wrong
    key: Ints = ints(KEY)


class Move(Record):
    """A recorded move of a playout."""

    mover: int
    action: int
    before: int  # the move before it by the same player with the same action, -1 where there is none


class Step(Record):
    """A step of the path through the tree, and what a thread among several holds back about its node."""

    node: int
    edge: int  # that was followed
    mover: int  # who chose it
    paid: float  # what the action cost a single player
    fate: float  # what chance had cost before the choice, where it is outside the tree
    remaining: int  # playouts to make below the node before the thread goes back above it
    made: int  # playouts made below it since the thread came
    untold: int  # those of which the node does not know yet,
    squares: float  # their squared payoffs,
    totals: Reals = reals(PLAYERS)  # and their payoffs
    charged: int  # lost playouts with which the edge to the node was charged


class Thread(typing.NamedTuple):
    """What belongs to one thread."""

    head: Head
    actions: Ints  # of the state at hand,
    weights: Reals  # and what speaks for each
    moves: Array[Move]
    path: Array[Step]


# --- functions of the user's


def ask_policy(state: State, actions: Ints, count: int) -> int:
    """Which of the actions the user's policy chooses."""
    raise NotImplementedError


# --- the actions of a state


@part
def gather(state: State, thread: Thread) -> int:
    """Lists the actions of a state; gives their number, which may be more than there is room for."""
    return list_actions(state, thread.actions, 0, len(thread.actions) - 1)


@routine
def gather_chances(state: State, thread: Thread) -> int:
    """Lists what can happen, with probabilities as weights; gives the number, or -1 where these are no probabilities."""
    count = 0
    total = 0.0
    whole = True
    for outcome, weight in chances(state):
        if not weight >= 0.0:
            return -1
        if weight != np.floor(weight):
            whole = False
        total += weight
        if weight > 0.0:
            if count < len(thread.actions):
                thread.actions[count] = outcome
                thread.weights[count] = weight
            count += 1
    if count == 0 or (not whole and abs(total - 1.0) > TOLERANCE):
        return -1
    for number in range(min(count, len(thread.actions))):
        thread.weights[number] /= total
    return count


@part
def drawn(probabilities: Reals, first: int, count: int, chance: float) -> int:
    """Which of so many outcomes happens, given a random number from 0 up to 1."""
    number = 0
    chance -= probabilities[first]
    while chance >= 0.0 and number < count - 1:
        number += 1
        chance -= probabilities[first + number]
    return number


@routine
def weigh(state: State, mover: int, count: int, policy: int, thread: Thread) -> None:
    """What a policy thinks of the actions at hand."""
    for number in range(count):
        if policy == BY_ORDER:
            thread.weights[number] = float(order(state, thread.actions[number]))
        elif HAS_EVALUATE:
            child = result(state, thread.actions[number])
            thread.weights[number] = payoffs(child)[mover] if terminal(child) else estimates(child)[mover]


@routine
def favourite(count: int, word: np.uint64, thread: Thread) -> int:
    """One of the actions of the largest weight, each as likely as another."""
    weights = thread.weights
    best = weights[0]
    ties = 0
    for number in range(count):
        if weights[number] > best:
            best = weights[number]
            ties = 0
        if weights[number] == best:
            ties += 1
    skip = below(mixed(word), ties)
    for number in range(count):
        if weights[number] == best:
            if skip == 0:
                return number
            skip -= 1
    return 0


@part
def remember(mover: int, action: int, thread: Thread) -> bool:
    """Records a move of this playout; False where there is no room."""
    length = thread.head.length
    if length >= len(thread.moves):
        return False
    thread.moves[length].mover = mover
    thread.moves[length].action = action
    thread.head.length = length + 1
    return True


# --- payoffs


@part
def judge(state: State, control: PlayoutControl, head: Head) -> None:
    """Payoffs where a playout is cut off: what `evaluate` says, else minus the heuristic, else an even share."""
    if HAS_EVALUATE:
        judged = estimates(state)
        for who in range(PLAYERS):
            head.payoffs[who] = judged[who]
    elif PLAYERS == 1:
        head.payoffs[0] = -heuristic(state)
    else:
        for who in range(PLAYERS):
            head.payoffs[who] = control.even


@part
def widen_range(control: PlayoutControl, head: Head) -> None:
    """The range of payoffs is what was seen."""
    for who in range(PLAYERS):
        if head.payoffs[who] < control.lowest:
            control.lowest = head.payoffs[who]
        if head.payoffs[who] > control.highest:
            control.highest = head.payoffs[who]


@part
def blame(state: State, code: int, head: Head) -> int:
    """Keeps the state in which something was wrong."""
    encode(state, head.faulty)
    return code


@part
def choose_by_policy(state: State, count: int, control: PlayoutControl, word: np.uint64, thread: Thread) -> int:
    """The action that the policy prefers; -1 where nobody moves."""
    if GUIDED and control.policy == ASKED:
        return ask_policy(state, thread.actions, count)
    mover = player(state)
    if mover < 0 or mover >= PLAYERS:
        return -1
    weigh(state, mover, count, control.policy, thread)
    return favourite(count, word + GOLDEN, thread)


@routine
def playout(control: PlayoutControl, thread: Thread) -> int:
    """Plays from the leaf to the end of the game, or to the cut-off; leaves the payoffs, less what a single player paid. Gives a code."""
    head, cutoff, policy, recording = thread.head, control.cutoff, control.policy, control.recording
    state = decode(head.leaf)
    word = as_u64(head.random)
    length = 0
    spent = 0.0
    over = terminal(state)
    while not over and length < cutoff:
        if HAS_CHANCES and player(state) == CHANCE:
            count = gather_chances(state, thread)
            if count < 0:
                return blame(state, BAD_CHANCE, head)
            if count > len(thread.actions):
                return NEEDS_ROOM
            word += GOLDEN
            number = drawn(thread.weights, 0, count, fraction(mixed(word)))
        else:
            count = gather(state, thread)
            if count == 0:
                return blame(state, NO_ACTIONS, head)
            if count > len(thread.actions):
                return NEEDS_ROOM
            word += GOLDEN
            if INFORMED and policy != UNIFORM and fraction(mixed(word)) >= control.epsilon:
                number = choose_by_policy(state, count, control, word, thread)
                if number < 0:
                    return blame(state, NO_PLAYER, head)
                word += GOLDEN
            else:
                if INFORMED and policy != UNIFORM:
                    word += GOLDEN
                number = below(mixed(word), count)
            if EXTRAS and recording and not remember(player(state), thread.actions[number], thread):
                return NEEDS_ROOM
        action = thread.actions[number]
        if PLAYERS == 1:
            spent += cost(state, action)
        state = result(state, action)
        length += 1
        over = terminal(state)
    head.random = as_int(word)
    head.visited += length
    if over:
        ended = payoffs(state)
        for who in range(PLAYERS):
            head.payoffs[who] = ended[who]
    else:
        head.cuts += 1
        judge(state, control, head)
    for who in range(PLAYERS):
        if not np.isfinite(head.payoffs[who]):
            return blame(state, NO_NUMBER, head)
    if PLAYERS == 1:
        head.payoffs[0] -= spent
    return DONE
