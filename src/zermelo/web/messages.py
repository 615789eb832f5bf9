"""JSON messages: how their parts are read, and how values become plain data.

A browser sends `{"id": 7, "type": "play.move", …}` and gets `{"re": 7, "ok": {…}}` or `{"re": 7, "error": "one sentence"}`. What happens
later comes as `{"event": "play.state", …}`.
"""

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from zermelo.errors import ZermeloError

__all__ = ["BadMessageError", "choice", "flag", "logged", "number", "pack", "text", "unpack", "whole"]


class BadMessageError(ZermeloError):
    """A message that no page of ours would send."""


def unpack(raw: str) -> dict[str, Any]:
    """The message in a text; a sentence where it is none."""
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        raise BadMessageError("The message is not JSON.") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise BadMessageError("The message is not an object with a type.")
    if not isinstance(message.get("id"), int | None) or isinstance(message.get("id"), bool):
        raise BadMessageError("The id of the message is not a whole number.")
    return message


def pack(message: Any) -> str:
    """A message as text that can be sent: half a character (a lone surrogate), which UTF-8 does not know, is written as JSON escapes it."""
    try:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=plain)
    except (ValueError, TypeError):  # an infinity, or a key that is not text
        message = plain(message)
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":"), default=plain)
    return text


def plain(value: Any) -> Any:
    """What JSON can hold: fractions as numbers, infinities as null, tuples as lists."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if hasattr(value, "item"):  # a NumPy number
        return plain(value.item())
    return str(value)


def text(message: Mapping[str, Any], name: str, default: str | None = None, most: int = 4_000) -> str:
    """A part that must be text of at most so many characters."""
    value = message.get(name, default)
    if not isinstance(value, str):
        raise BadMessageError(f"The message needs a text {name}.")
    if len(value) > most:
        raise BadMessageError(f"The text {name} is longer than {most:,} characters.")
    return value


def whole(message: Mapping[str, Any], name: str, least: int, most: int, default: int | None = None) -> int:
    """A part that must be a whole number in a range."""
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadMessageError(f"The message needs a whole number {name}.")
    if not least <= value <= most:
        raise ZermeloError(f"{name} must be from {least:,} to {most:,}, not {value:,}.")
    return value


def named(message: Mapping[str, Any], name: str) -> int | str:
    """A part that names an action: a whole number, or a text."""
    value = message.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else text(message, name)


def number(message: Mapping[str, Any], name: str, least: float, most: float, default: float | None = None) -> float:
    """A part that must be a number in a range."""
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadMessageError(f"The message needs a number {name}.")
    if not least <= value <= most:
        raise ZermeloError(f"{name} must be from {least:g} to {most:g}, not {value:g}.")
    return float(value)


def flag(message: Mapping[str, Any], name: str, default: bool = False) -> bool:
    """A part that must be true or false."""
    value = message.get(name, default)
    if not isinstance(value, bool):
        raise BadMessageError(f"{name} must be true or false.")
    return value


def choice(message: Mapping[str, Any], name: str, among: tuple[str, ...], default: str | None = None) -> str:
    """A part that must be one of these words."""
    value = text(message, name, default)
    if value not in among:
        raise ZermeloError(f"{name} must be one of {', '.join(among)}, not {value[:40]}.")
    return value


def logged(error: BaseException) -> str:
    """An error's words as they stand in one line of a log: at most 300 characters, line breaks and half characters as their escapes."""
    words = str(error)[:300].encode("utf-8", "backslashreplace").decode()
    return words.replace("\r", "\\r").replace("\n", "\\n")
