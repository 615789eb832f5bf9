"""Values, windows and probabilities in words."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.scores import Score

__all__ = ["probability_texts", "text_of", "window_text"]

LONGEST_FRACTION = 9  # characters; longer ones are shown as decimals


def text_of(value: Any) -> str:
    """A payoff, a score's payoff or a tuple of payoffs, short: `-1`, `1/3`, `0.5306`, `(1, 0)`; nothing where there is no value."""
    if value is None:
        return ""
    if isinstance(value, Score):
        return text_of(value.value)
    if isinstance(value, tuple | list):
        return f"({', '.join(text_of(each) for each in value)})"
    if isinstance(value, Fraction):
        return str(value) if len(str(value)) <= LONGEST_FRACTION else text_of(float(value))
    if isinstance(value, float):
        if math.isinf(value):
            return "∞" if value > 0 else "-∞"
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.4g}"
    return str(value)


def window_text(alpha: Any, beta: Any) -> str:
    """A window as `[α, β]`; nothing where the search has none."""
    return f"[{text_of(alpha)}, {text_of(beta)}]" if alpha is not None and beta is not None else ""


def probability_texts(weights: Sequence[Any]) -> list[str]:
    """Chance weights as probabilities: fractions where they are whole or rational, decimals otherwise."""
    whole = all(isinstance(weight, int) for weight in weights)
    total = sum(weights)
    return [text_of(Fraction(weight, total) if whole else weight) for weight in weights]
