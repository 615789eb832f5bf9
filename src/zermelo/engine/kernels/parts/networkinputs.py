# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Part of a template: a state as the numbers that a network is given, and an action as the number of its output.

Which inputs there are is data, found by `zermelo.search.network.inputs` and kept with the network: a game's rules decide nothing here.
"""

from zermelo.engine.kernels.vocabulary import np, part, routine

# --- an input, in `codes`
INPUT_KIND = 0  # one of the kinds below
INPUT_WORD = 1  # which word of the state's row
INPUT_NUMBER = 2  # which bit, which value, or which player
CODE = 3  # how many words an input has there

# --- kinds of inputs
BIT = 0  # 1 where the word has this bit
EQUAL = 1  # 1 where the word has this value
REAL = 2  # the word as a real number, less its middle, times its scale: two numbers an input in `scales`
TURN = 3  # 1 where this player moves


@routine
def write_inputs(at, mover, words, reals, codes, scales, inputs, out):
    """Writes the inputs of the state whose row begins at words[at] to inputs[out] …; `reals` is the memory of `words` as reals."""
    for number in range(len(scales) // 2):
        kind = codes[number * CODE + INPUT_KIND]
        word = at + codes[number * CODE + INPUT_WORD]
        wanted = codes[number * CODE + INPUT_NUMBER]
        value = 0.0
        if kind == BIT:
            value = float(words[word] >> wanted & 1)
        elif kind == EQUAL:
            value = 1.0 if words[word] == wanted else 0.0
        elif kind == REAL:
            value = (reals[word] - scales[2 * number]) * scales[2 * number + 1]
        elif mover == wanted:
            value = 1.0
        inputs[out + number] = np.float32(value)


@part
def output_of(action, known):
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
