"""Kernel template: expectiminimax, Star1, Star2 and paranoid search, by switches that are set at run time.

They run on the stack of `search.stack_kernel`. The kernel does at every state what `chance.expectation` does, in the same order, with the
same sums of floating-point numbers, and visits the same nodes.

A value is the payoff of one side, a float: the sum over the players in the bits of `side`.
"""

from zermelo.runtime.vocabulary import (
    CHANCE,
    INTEGER_PAYOFFS,
    PLAYERS,
    Array,
    Ints,
    State,
    cost,
    decode,
    entry,
    estimates,
    np,
    part,
    payoffs,
    player,
    result,
    terminal,
)
from zermelo.search.outcomes_kernel import Outcome, list_outcomes
from zermelo.search.stack_kernel import (
    COSTLY,
    EXACT,
    LARGEST,
    LOWER,
    NO_NUMBER,
    NOBODY,
    NONE,
    OUTSIDE,
    RUNNING,
    TOO_LARGE,
    UNKNOWN_ACTION,
    UPPER,
    StackControl,
    StackEntry,
    StackFrame,
    by_chance,
    extend_line,
    kind_of,
    lay,
    lay_next,
    note,
    place_of,
    run,
)

SERVES_CHANCE = True
NOTHING = 0  # a probe has found no bound


class Frame(StackFrame):
    """A state with its window and its value."""

    value: float
    bound: int  # what the value is: EXACT, or of a probe LOWER, UPPER or NOTHING
    alpha: float
    beta: float
    alpha_asked: float  # the window as it was asked for
    beta_asked: float
    alpha_near: float  # the window as it was before the first action
    beta_near: float
    probe: bool  # only the first action is tried
    probing: bool  # of a chance node: its outcomes are probed
    cost: float  # of the action that led here


class Move(Outcome):
    """An action or outcome; of an outcome, bounds of its value."""

    least: float
    most: float


class Entry(StackEntry):
    """A value, and the action that gives it."""

    value: float
    action: int


class Control(StackControl):
    """What Python and the kernel tell each other."""

    probing: bool  # Star2
    side: int  # bit p: player p is Max
    draw: float  # what the side gets in a draw
    lowest: float  # of all payoffs of the side, under pruning
    highest: float


# --- what is known of a state before its actions are tried


@part
def write(value: float, frame: Frame) -> None:
    frame.value = value
    frame.bound = EXACT


@part
def write_share(vector: tuple[float, ...], frame: Frame, control: Control) -> int:
    """Writes what the side gets of the payoffs of all players; a code."""
    total = 0.0
    for number in range(PLAYERS):
        if not abs(vector[number]) < np.inf:
            return NO_NUMBER
        if INTEGER_PAYOFFS and abs(vector[number]) > LARGEST:
            return TOO_LARGE
        if control.side >> number & 1:
            total += vector[number]
    write(total, frame)
    return OUTSIDE if control.pruning and not control.lowest <= total <= control.highest else RUNNING


@part
def write_end(state: State, frame: Frame, control: Control) -> int:
    return write_share(payoffs(state), frame, control)


@part
def write_estimate(state: State, frame: Frame, control: Control) -> int:
    return write_share(estimates(state), frame, control)


@part
def write_draw(frame: Frame, control: Control) -> None:
    write(control.draw, frame)


@part
def write_loss(loser: int, frame: Frame, control: Control) -> None:
    write(control.lost_by[loser], frame)


@part
def narrow(low: float, high: float, frame: Frame) -> bool:
    """Takes into account that the value is at least `low` and at most `high`; is that enough?"""
    if low >= frame.beta or low == high:
        write(low, frame)
        return True
    if high <= frame.alpha:
        write(high, frame)
        return True
    frame.alpha = max(low, frame.alpha)
    frame.beta = min(high, frame.beta)
    return False


@part
def look_up(state: State, frame: Frame, table: Array[Entry], control: Control) -> tuple[bool, int]:
    frame.alpha_asked, frame.beta_asked = frame.alpha, frame.beta
    if len(table) == 0 or frame.mover == NOBODY:
        return False, UNKNOWN_ACTION
    known = table[place_of(frame, table)]
    kind = kind_of(frame, known)
    if kind == 0:
        return False, UNKNOWN_ACTION
    if kind >> 2 == frame.remaining:
        if frame.probe:
            frame.value, frame.bound = known.value, kind & 3
            control.table_hits += 1
            return True, UNKNOWN_ACTION
        least = -np.inf if kind & 3 == UPPER else known.value
        most = np.inf if kind & 3 == LOWER else known.value
        if narrow(least, most, frame):
            control.table_hits += 1
            return True, UNKNOWN_ACTION
    return False, known.action


@part
def list_chances(state: State, frame: Frame, moves: Array[Move], control: Control) -> int:
    code = list_outcomes(state, frame, moves)
    if code == RUNNING:
        for i in range(frame.first, frame.first + frame.count):
            moves[i].least, moves[i].most = control.lowest, control.highest
    frame.value = 0.0
    frame.probing = control.probing != 0 and frame.alpha > control.lowest and frame.beta < control.highest
    return code


@part
def begin(frame: Frame, control: Control) -> None:
    frame.alpha_near, frame.beta_near = frame.alpha, frame.beta


@part
def withdraw(frame: Frame) -> None:
    frame.alpha, frame.beta = frame.alpha_asked, frame.beta_asked


# --- the states below


@part
def price_of(state: State, move: Move) -> float:
    return cost(state, move.action) if PLAYERS == 1 else 0.0


@part
def hand_down(state: State, move: Move, frame: Frame, child: Frame, control: Control) -> None:
    child.cost = price_of(state, move)
    child.probe = False
    child.alpha, child.beta = frame.alpha, frame.beta
    if frame.probe:
        frame.tried = frame.count


@part
def reject(move: Move) -> None:
    """Nothing is kept of it."""


@part
def weighted(frame: Frame, moves: Array[Move], highest: bool, without: int) -> float:
    """Sum of probability times a bound over the outcomes, one left out."""
    total = 0.0
    for i in range(frame.first, frame.first + frame.count):
        if i != without:
            total += moves[i].probability * (moves[i].most if highest else moves[i].least)
    return total


@part
def set_window(frame: Frame, child: Frame, moves: Array[Move], number: int, control: Control) -> None:
    """The window in which an outcome's value decides whether the mean is inside the frame's window."""
    probability = moves[number].probability
    least = (frame.alpha - weighted(frame, moves, True, number)) / probability
    most = (frame.beta - weighted(frame, moves, False, number)) / probability
    inside = max(least, control.lowest) < min(most, control.highest)
    child.alpha = max(least, control.lowest) if inside else least
    child.beta = min(most, control.highest) if inside else most


@part
def lay_outcome(frames: Array[Frame], moves: Array[Move], at: int, control: Control) -> bool:
    """Lays down the state after the next outcome; False where all have been."""
    frame, child = frames[at], frames[at + 1]
    while True:
        if frame.tried >= frame.count:
            if not frame.probing:
                return False
            frame.probing = False
            frame.tried = 0
        number = frame.first + frame.tried
        move = moves[number]
        frame.tried += 1
        if control.pruning and not frame.probing and move.least == move.most:
            continue
        state = decode(frame.state)
        following = result(state, move.action)
        if frame.probing and not terminal(following) and player(following) == CHANCE:
            continue
        lay(following, frame, child)
        child.cost = price_of(state, move)
        child.alpha, child.beta = frame.alpha, frame.beta
        if control.pruning:
            set_window(frame, child, moves, number, control)
        child.probe = frame.probing
        return True


@part
def lay_child(frames: Array[Frame], moves: Array[Move], at: int, buckets: Ints, control: Control) -> bool:
    frame = frames[at]
    if not by_chance(frame.player):
        return lay_next(frames, moves, at, buckets, control)
    found = lay_outcome(frames, moves, at, control)
    if not found and control.pruning:
        frame.value = weighted(frame, moves, False, NONE)
    return found


# --- values go up


@part
def take(frame: Frame, child: Frame, moves: Array[Move], line: Ints, control: Control) -> bool:
    """The value of the action tried last has come back; is that a cut-off?"""
    largest = control.side >> frame.player & 1 != 0
    value = child.value - child.cost
    if frame.best_action == UNKNOWN_ACTION or (value > frame.value if largest else value < frame.value):
        action = moves[frame.first + frame.tried - 1].action
        frame.value, frame.best_action, frame.length = value, action, 0
        if frame.alpha_near < value < frame.beta_near:
            extend_line(action, frame, child, line)
    if not control.pruning or frame.probe:
        return False
    if largest:
        cut = frame.value >= frame.beta
        frame.alpha = max(frame.alpha, frame.value)
        control.beta_cuts += cut
    else:
        cut = frame.value <= frame.alpha
        frame.beta = min(frame.beta, frame.value)
        control.alpha_cuts += cut
    return cut


@part
def settle(value: float, frame: Frame, moves: Array[Move], control: Control) -> bool:
    """An outcome's value has come back from its window; is the mean settled by that?"""
    number = frame.first + frame.tried - 1
    move = moves[number]
    low, high = weighted(frame, moves, False, number), weighted(frame, moves, True, number)
    if value <= (frame.alpha - high) / move.probability:
        frame.value = min(frame.alpha, move.probability * value + high)
        control.alpha_cuts += 1
        return True
    if value >= (frame.beta - low) / move.probability:
        frame.value = max(frame.beta, move.probability * value + low)
        control.beta_cuts += 1
        return True
    move.least, move.most = value, value
    return False


@part
def learn(value: float, bound: int, frame: Frame, moves: Array[Move], control: Control) -> bool:
    """A probe has found a bound of an outcome; is the mean settled by that?"""
    move = moves[frame.first + frame.tried - 1]
    if bound in (EXACT, LOWER):
        move.least = max(value, move.least)
    if bound in (EXACT, UPPER):
        move.most = min(value, move.most)
    low, high = weighted(frame, moves, False, NONE), weighted(frame, moves, True, NONE)
    if low >= frame.beta:
        frame.value = low
        control.beta_cuts += 1
        return True
    if high <= frame.alpha:
        frame.value = high
        control.alpha_cuts += 1
        return True
    return False


@part
def hand_up(frames: Array[Frame], moves: Array[Move], at: int, line: Ints, control: Control) -> tuple[int, bool]:
    frame, child = frames[at - 1], frames[at]
    if control.pruning and child.cost != 0.0:
        return COSTLY, False
    if not by_chance(frame.player):
        return RUNNING, take(frame, child, moves, line, control)
    if not control.pruning:
        frame.value += moves[frame.first + frame.tried - 1].probability * (child.value - child.cost)
        return RUNNING, False
    if child.probe:
        return RUNNING, learn(child.value, child.bound, frame, moves, control)
    return RUNNING, settle(child.value, frame, moves, control)


@part
def close(frame: Frame, moves: Array[Move], table: Array[Entry], control: Control) -> None:
    frame.bound = EXACT
    if not by_chance(frame.player) and frame.best_action == UNKNOWN_ACTION:  # all were forbidden
        write_loss(frame.player, frame, control)
    elif frame.probe:
        if control.side >> frame.player & 1:
            frame.bound = LOWER if frame.value > frame.alpha_asked else NOTHING
        else:
            frame.bound = UPPER if frame.value < frame.beta_asked else NOTHING
    elif len(table) > 0:
        remember(frame, table[place_of(frame, table)])


@part
def remember(frame: Frame, known: Entry) -> None:
    """Keeps the value of a state whose actions have been tried."""
    bound = UPPER if frame.value <= frame.alpha_asked else LOWER if frame.value >= frame.beta_asked else EXACT
    note(frame, known, bound)
    known.value = frame.value
    known.action = UNKNOWN_ACTION if bound == UPPER else frame.best_action


@entry
def search(frames: Array[Frame], moves: Array[Move], line: Ints, table: Array[Entry], buckets: Ints, control: Array[Control]) -> int:
    """See `stack_kernel.run`."""
    return run(frames, moves, line, table, buckets, control[0])
