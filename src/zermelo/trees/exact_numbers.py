"""Numbers that are read from text, exactly and within limits: nobody waits for a number of a billion digits."""

import re
from fractions import Fraction

__all__ = ["LARGEST", "MOST_DIGITS", "exact_number", "require_size"]

MOST_DIGITS = 400  # of a number, before and after the point together
LARGEST = 300  # power of ten: payoffs are later added and multiplied as floats
EXPONENT = re.compile(r"[eE]([+-]?\d+)\s*$")


def exact_number(text: str) -> int | Fraction:
    """The rational number that a text such as 3, -1/3, 0.25 or 1e-3 stands for; an `int` where it is whole.

    Raises
    ------
    ValueError
        Where the text is not a number, or one beyond the limits, which the message names.
    ZeroDivisionError
        Where it divides by 0.
    """
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a number of {len(text):,} characters is too long; {MOST_DIGITS} are allowed")
    power = EXPONENT.search(text)
    if power and abs(int(power[1])) > LARGEST:
        raise ValueError(f"{text} is beyond the limits of numbers, 1e-{LARGEST} and 1e{LARGEST}")
    value = Fraction(text)
    require_size(value)
    return int(value) if value.denominator == 1 else value


def require_size(value: int | float | Fraction) -> None:
    """Raises `ValueError` where a number is too large."""
    if not abs(value) <= 10**LARGEST:
        raise ValueError(f"a number beyond 1e{LARGEST} is too large")
