"""Part of a template: what a network says about one state, without any library.

    inputs ── first layer ── blocks … ──┬── policy: one number an output
                                        └── value: one number from -1 to 1, for whoever moves

Every layer but the last of each head is followed by max(0, ·); a block adds two layers to what it was given. The weights lie in one array,
layer after layer: the matrix, a row an input of the layer, then the biases. Inputs that are 0 cost nothing, which most are.
"""

from zermelo.runtime.vocabulary import Ints, Reals32, add_scaled, math, np, routine

# --- sizes of a network
INPUTS = 0
WIDTH = 1  # of the first layer and of every block
BLOCKS = 2
OUTPUTS = 3
VALUE_WIDTH = 4  # of the layer before the value
SIZES = 5


@routine
def apply_layer(weights: Reals32, at: int, source: Reals32, count: int, target: Reals32, width: int) -> int:
    """Sets the target to what a layer makes of the source; gives where the next layer's weights begin."""
    behind = at + count * width
    for j in range(width):
        target[j] = weights[behind + j]
    for i in range(count):
        amount = source[i]
        if amount != np.float32(0.0):
            add_scaled(target, weights, at + i * width, width, amount)
    return behind + width


@routine
def keep_positive(target: Reals32, width: int) -> None:
    for j in range(width):
        target[j] = max(target[j], np.float32(0.0))


@routine
def ask_network(weights: Reals32, sizes: Ints, inputs: Reals32, scratch: Reals32, policy: Reals32) -> float:
    """Writes the policy, and gives the value; `scratch` has room for three layers."""
    width, value_width = sizes[WIDTH], sizes[VALUE_WIDTH]
    stream, inner = scratch[:width], scratch[width : 2 * width]
    outer = scratch[2 * width : 3 * width]
    at = apply_layer(weights, 0, inputs, sizes[INPUTS], stream, width)
    keep_positive(stream, width)
    for _ in range(sizes[BLOCKS]):
        at = apply_layer(weights, at, stream, width, inner, width)
        keep_positive(inner, width)
        at = apply_layer(weights, at, inner, width, outer, width)
        for j in range(width):
            stream[j] = max(stream[j] + outer[j], np.float32(0.0))
    at = apply_layer(weights, at, stream, width, policy, sizes[OUTPUTS])
    at = apply_layer(weights, at, stream, width, inner, value_width)
    keep_positive(inner, value_width)
    apply_layer(weights, at, inner, value_width, outer, 1)
    return math.tanh(outer[0])
