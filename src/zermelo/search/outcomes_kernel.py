"""Part of a template: what chance may do, on the stack of `search.stack_kernel`."""

from zermelo.runtime.vocabulary import Array, State, as_int, chances, np, part
from zermelo.search.stack_kernel import BAD_CHANCE, ROOM, RUNNING, StackFrame, StackMove

TOLERANCE = 1e-9  # by how much the weights of chance that are not whole may miss 1


class Outcome(StackMove):
    """An action, or something that chance may do."""

    probability: float


@part
def list_outcomes(state: State, frame: StackFrame, moves: Array[Outcome]) -> int:
    """Lays down the outcomes that can happen; a code."""
    at = frame.first
    total = 0.0
    whole = True
    for action, weight in chances(state):
        if at >= len(moves):
            return ROOM
        if not weight >= 0.0:
            return BAD_CHANCE
        total += weight
        whole = whole and np.floor(weight) == weight
        if weight > 0.0:
            moves[at].action = as_int(action)
            moves[at].probability = weight
            at += 1
    frame.count = at - frame.first
    if frame.count == 0 or (not whole and abs(total - 1.0) > TOLERANCE):
        return BAD_CHANCE
    for i in range(frame.first, at):
        moves[i].probability /= total
    return RUNNING
