"""What kinds of values the rules return: numbers, frozen states, plain data."""

import math
from enum import Enum
from fractions import Fraction
from numbers import Number
from typing import Any

__all__ = ["TOLERANCE", "finite", "frozen", "plain", "whole"]

TOLERANCE = 1e-9  # how far sums of floats may be off


def whole(value: Any) -> bool:
    """An int, or something that counts as one (a bool, an IntEnum)."""
    return isinstance(value, int)


def finite(value: Any) -> bool:
    """A real number that is neither infinite nor NaN, and not too large for a float."""
    if isinstance(value, complex) or not (isinstance(value, Number) or hasattr(value, "__float__")):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def frozen(value: Any) -> bool:
    """Built of nothing that can change."""
    if isinstance(value, (tuple, frozenset)):
        return all(frozen(item) for item in value)
    return value is None or isinstance(value, (int, float, complex, str, bytes, Fraction, Enum))


def plain(value: Any) -> str | None:
    """What keeps the value from being plain data (texts, numbers, lists and dictionaries of them); None where nothing does."""
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return None
    if isinstance(value, (list, tuple)):
        return next((fault for fault in map(plain, value) if fault), None)
    if isinstance(value, dict):
        strange = next((key for key in value if not isinstance(key, str)), None)
        if strange is not None:
            return f"the key {strange!r} is not text"
        return next((fault for fault in map(plain, value.values()) if fault), None)
    return f"{value!r} is a {type(value).__name__}"
