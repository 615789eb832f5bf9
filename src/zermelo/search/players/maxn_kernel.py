"""Kernel template: max^n for any number of players and any coalitions among them, with chance, shallow pruning and a table.

It runs on the stack of `search.stack_kernel`. It does at every state what `players.vectors` does, in the same order, with the same sums of
floating-point numbers, and visits the same nodes.

A value is the payoff of every player, and for every coalition the least and the most that any way of breaking ties gives.
"""

from zermelo.runtime.vocabulary import (
    INTEGER_PAYOFFS,
    PLAYERS,
    Array,
    Ints,
    Reals,
    State,
    cost,
    entry,
    estimates,
    ints,
    np,
    part,
    payoffs,
    reals,
)
from zermelo.search.outcomes_kernel import Outcome, list_outcomes
from zermelo.search.stack_kernel import (
    EXACT,
    LARGEST,
    NO_NUMBER,
    NOBODY,
    RUNNING,
    TOO_LARGE,
    UNKNOWN_ACTION,
    StackControl,
    StackEntry,
    StackFrame,
    by_chance,
    extend_line,
    kind_of,
    note,
    place_of,
    run,
)

SERVES_CHANCE = True


class Frame(StackFrame):
    """A state with its value."""

    alpha: float  # what the coalition that moved here is sure of elsewhere
    sure: float  # what the coalition that moves here is sure of, so far
    pruned: bool  # the value is no value, but low enough to be of no interest
    cost: float  # of the action that led here
    payoffs: Reals = reals(PLAYERS)
    least: Reals = reals(PLAYERS)  # [coalition]
    most: Reals = reals(PLAYERS)


class Move(Outcome):
    """An action or outcome with its value."""

    pruned: bool  # the action is out of the question
    payoffs: Reals = reals(PLAYERS)
    least: Reals = reals(PLAYERS)
    most: Reals = reals(PLAYERS)


class Entry(StackEntry):
    """A value."""

    payoffs: Reals = reals(PLAYERS)
    least: Reals = reals(PLAYERS)
    most: Reals = reals(PLAYERS)


class Control(StackControl):
    """What Python and the kernel tell each other."""

    ties: int  # states in which a choice between equals decides what others get
    sum_cuts: int
    total: float  # what all payoffs add up to, under pruning
    lowest: float  # of every payoff, under pruning
    draw: float  # what everybody gets in a draw
    loser: float  # what the loser by repetition gets …
    winner: float  # … and everybody else
    member: Ints = ints(PLAYERS)  # [player] the coalition


# --- values


@part
def gather(frame: Frame, control: Control) -> None:
    """The coalitions' part of a value whose payoffs are known for certain."""
    for i in range(PLAYERS):
        frame.least[i] = 0.0
    for i in range(PLAYERS):
        frame.least[control.member[i]] += frame.payoffs[i]
    for i in range(PLAYERS):
        frame.most[i] = frame.least[i]


@part
def own(values: Reals, coalition: int, control: Control) -> float:
    """What a coalition gets of all payoffs."""
    total = 0.0
    for i in range(PLAYERS):
        if control.member[i] == coalition:
            total += values[i]
    return total


@part
def write_payoffs(vector: tuple[float, ...], frame: Frame, control: Control) -> int:
    """Writes the payoffs of all players; the code says whether they can be compared."""
    for i in range(PLAYERS):
        if not abs(vector[i]) < np.inf:
            return NO_NUMBER
        if INTEGER_PAYOFFS and abs(vector[i]) > LARGEST:
            return TOO_LARGE
        frame.payoffs[i] = vector[i]
    gather(frame, control)
    frame.pruned = False
    return RUNNING


@part
def write_end(state: State, frame: Frame, control: Control) -> int:
    return write_payoffs(payoffs(state), frame, control)


@part
def write_estimate(state: State, frame: Frame, control: Control) -> int:
    return write_payoffs(estimates(state), frame, control)


@part
def write_draw(frame: Frame, control: Control) -> None:
    for i in range(PLAYERS):
        frame.payoffs[i] = control.draw
    gather(frame, control)
    frame.pruned = False


@part
def write_loss(loser: int, frame: Frame, control: Control) -> None:
    for i in range(PLAYERS):
        frame.payoffs[i] = control.loser if i == loser else control.winner
    gather(frame, control)
    frame.pruned = False


# --- the table


@part
def look_up(state: State, frame: Frame, table: Array[Entry], control: Control) -> tuple[bool, int]:
    frame.pruned = False
    if len(table) == 0 or frame.mover == NOBODY:
        return False, UNKNOWN_ACTION
    known = table[place_of(frame, table)]
    kind = kind_of(frame, known)
    if kind == 0 or kind >> 2 != frame.remaining:
        return False, UNKNOWN_ACTION
    for i in range(PLAYERS):
        frame.payoffs[i], frame.least[i], frame.most[i] = known.payoffs[i], known.least[i], known.most[i]
    control.table_hits += 1
    return True, UNKNOWN_ACTION


@part
def remember(frame: Frame, known: Entry) -> None:
    """Keeps the value of a state whose actions have been tried."""
    note(frame, known, EXACT)
    for i in range(PLAYERS):
        known.payoffs[i], known.least[i], known.most[i] = frame.payoffs[i], frame.least[i], frame.most[i]


# --- actions and outcomes


@part
def list_chances(state: State, frame: Frame, moves: Array[Move], control: Control) -> int:
    for i in range(PLAYERS):
        frame.payoffs[i], frame.least[i], frame.most[i] = 0.0, 0.0, 0.0
    return list_outcomes(state, frame, moves)


@part
def begin(frame: Frame, control: Control) -> None:
    frame.sure = -np.inf


@part
def withdraw(frame: Frame) -> None:
    """There is no window."""


@part
def hand_down(state: State, move: Move, frame: Frame, child: Frame, control: Control) -> None:
    child.alpha = -np.inf if by_chance(frame.player) else frame.sure
    child.cost = cost(state, move.action) if PLAYERS == 1 else 0.0


@part
def reject(move: Move) -> None:
    move.pruned = True


@part
def spared(frame: Frame, control: Control) -> bool:
    """Is the state of no interest to whoever moved here: do the others already take too much of the total?"""
    if frame.mover == NOBODY or by_chance(frame.mover) or not frame.alpha > -np.inf:
        return False
    theirs, ours = control.member[frame.mover], control.member[frame.player]
    if theirs == ours:
        return False
    rest = 0
    for i in range(PLAYERS):
        rest += control.member[i] != theirs and control.member[i] != ours
    cut = control.total - frame.sure - rest * control.lowest < frame.alpha
    control.sum_cuts += cut
    return cut


@part
def take(frame: Frame, child: Frame, moves: Array[Move], line: Ints, control: Control) -> bool:
    """The value of the action tried last has come back; is the rest of no interest?"""
    move = moves[frame.first + frame.tried - 1]
    move.pruned = child.pruned
    if child.pruned:
        return False
    for i in range(PLAYERS):
        move.payoffs[i] = child.payoffs[i] - child.cost
        move.least[i] = child.least[i] - child.cost
        move.most[i] = child.most[i] - child.cost
    mine = control.member[frame.player]
    if frame.best_action == UNKNOWN_ACTION or own(move.payoffs, mine, control) > own(frame.payoffs, mine, control):
        for i in range(PLAYERS):
            frame.payoffs[i] = move.payoffs[i]
        frame.best_action = move.action
        extend_line(move.action, frame, child, line)
    frame.sure = max(frame.sure, move.least[mine])
    return control.pruning != 0 and spared(frame, control)


@part
def hand_up(frames: Array[Frame], moves: Array[Move], at: int, line: Ints, control: Control) -> tuple[int, bool]:
    frame, child = frames[at - 1], frames[at]
    if by_chance(frame.player):
        probability = moves[frame.first + frame.tried - 1].probability
        for i in range(PLAYERS):
            frame.payoffs[i] += probability * (child.payoffs[i] - child.cost)
            frame.least[i] += probability * (child.least[i] - child.cost)
            frame.most[i] += probability * (child.most[i] - child.cost)
        return RUNNING, False
    frame.pruned = take(frame, child, moves, line, control)
    return RUNNING, frame.pruned != 0


@part
def weigh(frame: Frame, moves: Array[Move], control: Control) -> None:
    """All actions are known: what any way of breaking ties gives each coalition, and whether there is a tie that matters."""
    mine = control.member[frame.player]
    for i in range(PLAYERS):
        frame.least[i], frame.most[i] = np.inf, -np.inf
    best = own(frame.payoffs, mine, control)
    tied = False
    for number in range(frame.first, frame.first + frame.count):
        move = moves[number]
        if move.pruned or move.most[mine] < frame.sure:
            continue
        for i in range(PLAYERS):
            frame.least[i] = min(frame.least[i], move.least[i])
            frame.most[i] = max(frame.most[i], move.most[i])
            if own(move.payoffs, mine, control) == best and move.payoffs[i] != frame.payoffs[i]:
                tied = True
    frame.least[mine] = frame.sure
    control.ties += tied


@part
def close(frame: Frame, moves: Array[Move], table: Array[Entry], control: Control) -> None:
    lucky = by_chance(frame.player)
    if frame.pruned:
        return
    if not lucky and frame.best_action == UNKNOWN_ACTION:  # all were forbidden
        write_loss(frame.player, frame, control)
        return
    if not lucky:
        weigh(frame, moves, control)
    if len(table) > 0:
        remember(frame, table[place_of(frame, table)])


@entry
def search(frames: Array[Frame], moves: Array[Move], line: Ints, table: Array[Entry], buckets: Ints, control: Array[Control]) -> int:
    """See `stack_kernel.run`."""
    return run(frames, moves, line, table, buckets, control[0])
