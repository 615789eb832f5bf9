"""Kernel template: minimax, negamax and alpha-beta, by switches that are set at run time, on the stack of `search.stack_kernel`.

It does at every state what `zermelo.search.reference_search` lists, in the same order, and visits the same nodes.

A value is a pair as in `zermelo.scores`: Max's payoff (a float that holds it exactly) and how soon; a textbook search leaves the latter 0.
"""

from zermelo.runtime.vocabulary import (
    DRAW,
    HAS_BOUNDS,
    INTEGER_PAYOFFS,
    UNIT,
    Array,
    Ints,
    State,
    bounds,
    entry,
    evaluate,
    max_payoff,
    np,
    part,
)
from zermelo.search.stack_kernel import (
    EXACT,
    LARGEST,
    LOWER,
    NO_NUMBER,
    NOBODY,
    RUNNING,
    TOO_LARGE,
    UNKNOWN_ACTION,
    UPPER,
    StackControl,
    StackEntry,
    StackFrame,
    StackMove,
    extend_line,
    kind_of,
    note,
    place_of,
    run,
)

SERVES_CHANCE = False
HALF = UNIT // 2


class Frame(StackFrame):
    """A state with its window and its value; every payoff has how soon it comes beside it."""

    value: float
    soon: int
    alpha: float
    alpha_soon: int
    beta: float
    beta_soon: int
    near: float  # the bound of whoever moves, alpha for Max and beta for Min, as it was before the first action
    near_soon: int
    alpha_asked: float  # the window as it was asked for
    alpha_asked_soon: int
    beta_asked: float
    beta_asked_soon: int


class Move(StackMove):
    """An action."""


class Entry(StackEntry):
    """A value, and the action that gives it."""

    value: float
    soon: int
    action: int


class Control(StackControl):
    """What Python and the kernel tell each other."""


# --- scores


@part
def above(value: float, soon: int, other: float, other_soon: int) -> bool:
    """Is the first score the larger one?"""
    return value > other or (value == other and soon > other_soon)


@part
def better(who: int, value: float, soon: int, other: float, other_soon: int) -> bool:
    """Does this player prefer the first score?"""
    return above(value, soon, other, other_soon) if who == 0 else above(other, other_soon, value, soon)


@part
def lifted(value: float, soon: int, step: int) -> int:
    """How soon, `step` actions towards the root."""
    if value > DRAW:
        return soon - step
    if value < DRAW:
        return soon + step
    return soon


@part
def unpacked(packed: int) -> tuple[float, int]:
    """(payoff, soon) of a score as rules write it in `bounds`."""
    halves = (packed + HALF - 1) >> 20 if packed > 0 else packed >> 20
    return halves * 0.5 + DRAW, packed - halves * HALF


# --- what is known of a state before its actions are tried


@part
def write(payoff: float, frame: Frame) -> None:
    frame.value = float(payoff)
    frame.soon = 0


@part
def payoff_code(payoff: float) -> int:
    """RUNNING where a payoff can be compared, otherwise what is wrong with it."""
    if INTEGER_PAYOFFS:
        return TOO_LARGE if payoff > LARGEST or payoff < -LARGEST else RUNNING
    return RUNNING if abs(payoff) < np.inf else NO_NUMBER


@part
def write_end(state: State, frame: Frame, control: Control) -> int:
    payoff = max_payoff(state)
    write(payoff, frame)
    return payoff_code(payoff)


@part
def write_estimate(state: State, frame: Frame, control: Control) -> int:
    estimate = evaluate(state)
    write(estimate, frame)
    return payoff_code(estimate)


@part
def write_draw(frame: Frame, control: Control) -> None:
    write(DRAW, frame)


@part
def write_loss(loser: int, frame: Frame, control: Control) -> None:
    write(control.lost_by[loser], frame)


@part
def narrow(low: float, low_soon: int, high: float, high_soon: int, frame: Frame) -> bool:
    """Takes into account that the value is at least `low` and at most `high`; is that enough?"""
    if not above(frame.beta, frame.beta_soon, low, low_soon) or (low == high and low_soon == high_soon):
        frame.value, frame.soon = low, low_soon
        return True
    if not above(high, high_soon, frame.alpha, frame.alpha_soon):
        frame.value, frame.soon = high, high_soon
        return True
    if above(low, low_soon, frame.alpha, frame.alpha_soon):
        frame.alpha, frame.alpha_soon = low, low_soon
    if above(frame.beta, frame.beta_soon, high, high_soon):
        frame.beta, frame.beta_soon = high, high_soon
    return False


@part
def look_up(state: State, frame: Frame, table: Array[Entry], control: Control) -> tuple[bool, int]:
    frame.alpha_asked, frame.alpha_asked_soon = frame.alpha, frame.alpha_soon
    frame.beta_asked, frame.beta_asked_soon = frame.beta, frame.beta_soon
    if frame.mover == NOBODY:
        return False, UNKNOWN_ACTION
    if HAS_BOUNDS and control.informed:
        packed_low, packed_high = bounds(state)
        low, low_soon = unpacked(packed_low)
        high, high_soon = unpacked(packed_high)
        if narrow(low, low_soon, high, high_soon, frame):
            return True, UNKNOWN_ACTION
    if len(table) == 0:
        return False, UNKNOWN_ACTION
    known = table[place_of(frame, table)]
    kind = kind_of(frame, known)
    if kind == 0:
        return False, UNKNOWN_ACTION
    if kind >> 2 == frame.remaining:
        least = -np.inf if kind & 3 == UPPER else known.value
        most = np.inf if kind & 3 == LOWER else known.value
        if narrow(least, known.soon, most, known.soon, frame):
            control.table_hits += 1
            return True, UNKNOWN_ACTION
    return False, known.action


@part
def begin(frame: Frame, control: Control) -> None:
    if frame.player == 0:
        frame.near, frame.near_soon = frame.alpha, frame.alpha_soon
    else:
        frame.near, frame.near_soon = frame.beta, frame.beta_soon


@part
def withdraw(frame: Frame) -> None:
    frame.alpha, frame.alpha_soon = frame.alpha_asked, frame.alpha_asked_soon
    frame.beta, frame.beta_soon = frame.beta_asked, frame.beta_asked_soon


# --- actions


@part
def hand_down(state: State, move: Move, frame: Frame, child: Frame, control: Control) -> None:
    child.alpha, child.alpha_soon = frame.alpha, lifted(frame.alpha, frame.alpha_soon, -control.step)
    child.beta, child.beta_soon = frame.beta, lifted(frame.beta, frame.beta_soon, -control.step)


@part
def reject(move: Move) -> None:
    """Nothing is kept of it."""


@part
def hand_up(frames: Array[Frame], moves: Array[Move], at: int, line: Ints, control: Control) -> tuple[int, bool]:
    frame, child = frames[at - 1], frames[at]
    value, soon = child.value, lifted(child.value, child.soon, control.step)
    who = frame.player
    far, far_soon = (frame.beta, frame.beta_soon) if who == 0 else (frame.alpha, frame.alpha_soon)
    if frame.best_action == UNKNOWN_ACTION or better(who, value, soon, frame.value, frame.soon):
        action = moves[frame.first + frame.tried - 1].action
        frame.value, frame.soon, frame.best_action, frame.length = value, soon, action, 0
        if better(who, value, soon, frame.near, frame.near_soon) and better(who, far, far_soon, value, soon):
            extend_line(action, frame, child, line)
    if not control.pruning:
        return RUNNING, False
    raise_bound(who, frame)
    cut = not better(who, far, far_soon, frame.value, frame.soon)
    if cut and who == 0:
        control.beta_cuts += 1
    elif cut:
        control.alpha_cuts += 1
    return RUNNING, cut


@part
def raise_bound(who: int, frame: Frame) -> None:
    """Whoever moves is sure of the best value so far."""
    if who == 0 and above(frame.value, frame.soon, frame.alpha, frame.alpha_soon):
        frame.alpha, frame.alpha_soon = frame.value, frame.soon
    elif who != 0 and above(frame.beta, frame.beta_soon, frame.value, frame.soon):
        frame.beta, frame.beta_soon = frame.value, frame.soon


@part
def close(frame: Frame, moves: Array[Move], table: Array[Entry], control: Control) -> None:
    if frame.best_action == UNKNOWN_ACTION:  # all were forbidden
        write_loss(frame.player, frame, control)
    elif len(table) > 0:
        remember(frame, table[place_of(frame, table)])


@part
def remember(frame: Frame, known: Entry) -> None:
    """Keeps the value of a state whose actions have been tried."""
    bound = EXACT
    if not above(frame.value, frame.soon, frame.alpha_asked, frame.alpha_asked_soon):
        bound = UPPER
    elif not above(frame.beta_asked, frame.beta_asked_soon, frame.value, frame.soon):
        bound = LOWER
    note(frame, known, bound)
    known.value, known.soon = frame.value, frame.soon
    known.action = UNKNOWN_ACTION if bound == UPPER else frame.best_action


@entry
def search(frames: Array[Frame], moves: Array[Move], line: Ints, table: Array[Entry], buckets: Ints, control: Array[Control]) -> int:
    """See `stack_kernel.run`."""
    return run(frames, moves, line, table, buckets, control[0])
