"""Random numbers that interpreted and compiled searches draw alike (SplitMix64; Steele, Lea and Flood, Fast splittable pseudorandom
number generators, 2014). The kernels' half is `runtime/random_kernel.py`."""

__all__ = ["GOLDEN", "SplitMix", "mixed", "stream"]

GOLDEN = 0x9E3779B97F4A7C15
WORD = (1 << 64) - 1


def mixed(word: int) -> int:
    """The random word of 64 bits that belongs to a state of the generator."""
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
    return word ^ (word >> 31)


def stream(seed: int, number: int) -> int:
    """Where the generator of one of several threads or workers begins."""
    return mixed((seed + number * GOLDEN) & WORD)


class SplitMix:
    """A generator of random numbers; its state is one word."""

    def __init__(self, word: int) -> None:
        self.word = word & WORD

    def draw(self) -> int:
        """A random word of 64 bits."""
        self.word = (self.word + GOLDEN) & WORD
        return mixed(self.word)

    def below(self, count: int) -> int:
        """A number from 0 up to count - 1."""
        return ((self.draw() >> 32) * count) >> 32

    def fraction(self) -> float:
        """A number from 0 up to 1."""
        return (self.draw() >> 11) * 2.0**-53
