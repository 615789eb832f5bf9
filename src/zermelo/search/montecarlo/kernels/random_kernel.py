# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Part of kernel templates: random numbers that `montecarlo.splitmix` repeats one by one (SplitMix64; Steele, Lea and Flood, 2014).

The generator's state is one word; it is raised by GOLDEN before each number is drawn: `word += GOLDEN; below(mixed(word), count)`.
"""

from zermelo.engine.vocabulary import np, part

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_FIRST = np.uint64(0xBF58476D1CE4E5B9)
MIX_SECOND = np.uint64(0x94D049BB133111EB)
UNIT_INTERVAL = 1.0 / 9007199254740992.0  # 2 ** -53


@part
def mixed(word):
    """The random word of 64 bits that belongs to a state of the generator."""
    word = (word ^ (word >> np.uint64(30))) * MIX_FIRST
    word = (word ^ (word >> np.uint64(27))) * MIX_SECOND
    return word ^ (word >> np.uint64(31))


@part
def below(word, count):
    """A random word as a number from 0 up to count - 1, each as likely as another up to a part of count / 2 ** 32."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))


@part
def fraction(word):
    """A random word as a number from 0 up to 1."""
    return np.float64(word >> np.uint64(11)) * UNIT_INTERVAL
