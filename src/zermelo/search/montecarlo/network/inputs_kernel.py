"""Part of a template: a state as the numbers that a network is given, and an action as the number of its output.

Which inputs there are is data, found by `network.inputs` and kept with the network: a game's rules decide nothing here.
"""

from zermelo.runtime.vocabulary import FIELDS, Ints, Reals, Reals32, decode, list_fields, np, part, real_of, routine

# --- an input, in `codes`
INPUT_KIND = 0  # one of the kinds below
INPUT_FIELD = 1  # which field of the state
INPUT_NUMBER = 2  # which bit, which value, or which player
CODE = 3  # how many words an input has there

# --- kinds of inputs
BIT = 0  # 1 where the field has this bit
EQUAL = 1  # 1 where the field has this value
REAL = 2  # the field as a real number, less its middle, times its scale: two numbers an input in `scales`
TURN = 3  # 1 where this player moves


@routine
def write_inputs(row: Ints, mover: int, codes: Ints, scales: Reals, inputs: Reals32, out: int) -> None:
    """Writes the inputs of the state in a row to inputs[out] …"""
    fields = np.empty(FIELDS, np.int64)
    list_fields(decode(row), fields, 0)
    for number in range(len(scales) // 2):
        kind = codes[number * CODE + INPUT_KIND]
        field = fields[codes[number * CODE + INPUT_FIELD]]
        wanted = codes[number * CODE + INPUT_NUMBER]
        value = 0.0
        if kind == BIT:
            value = float(field >> wanted & 1)
        elif kind == EQUAL:
            value = 1.0 if field == wanted else 0.0
        elif kind == REAL:
            value = (real_of(field) - scales[2 * number]) * scales[2 * number + 1]
        elif mover == wanted:
            value = 1.0
        inputs[out + number] = np.float32(value)


@part
def output_of(action: int, known: Ints) -> int:
    """The number of the action's output; `known` is sorted, and one output behind it is for all actions that it lacks."""
    low, high = 0, len(known)
    while low < high:
        middle = (low + high) // 2
        if known[middle] < action:
            low = middle + 1
        else:
            high = middle
    if low < len(known) and known[low] == action:
        return low
    return len(known)
