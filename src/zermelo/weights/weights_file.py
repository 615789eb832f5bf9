"""Weights as text: one line says what they are for, then one line a weight, so that a person can read and compare them.

zermelo weights 1
game connect4(width=5, height=4)
rules 0123456789abcdef
story tdleaf, 10000 games
feature odd_max 0.25
pattern fields 0 1
pattern cells 0 1 2 3
pattern weight 17 -0.125
"""

import hashlib
import os
from functools import lru_cache
from pathlib import Path

from zermelo.errors import ZermeloError, require_file
from zermelo.rules import Game, has
from zermelo.runtime.identity import rules_hash, rules_texts
from zermelo.weights.linear import MOST_FEATURES, Weights
from zermelo.weights.patterns import MOST_BITS, MOST_WEIGHTS, Patterns

__all__ = ["identity_of", "read_weights", "weights_text", "write_weights"]

FIRST = "zermelo weights 1"


def identity_of(game: Game) -> str:
    """A hash of the rules and of `features`: weights mean nothing where either differs."""
    features = "\0".join(rules_texts(game, ["features"])) if has(game, "features") else ""
    return hashlib.sha256(f"{rules_hash(game, False)}\0{features}".encode()).hexdigest()[:16]


def weights_text(weights: Weights) -> str:
    """The text of a file."""
    lines = [FIRST, f"game {weights.game}", f"rules {weights.rules}"]
    lines += [f"story {weights.story}"] if weights.story else []
    lines += [f"feature {name} {number!r}" for name, number in zip(weights.names, weights.numbers, strict=False)]
    if weights.patterns is not None:
        kind = "letters" if weights.patterns.letters else "fields"
        lines.append(f"pattern {kind} {' '.join(map(str, weights.patterns.fields))}")
        lines += [f"pattern cells {' '.join(map(str, cells))}" for cells in weights.patterns.cells]
        tables = weights.numbers[len(weights.names) :]
        lines += [f"pattern weight {place} {number!r}" for place, number in enumerate(tables) if number]
    return "\n".join(lines) + "\n"


def write_weights(weights: Weights, path: Path) -> None:
    """Writes the file, or replaces it, in one step."""
    aside = path.with_name(f".{path.name}.new")
    try:
        aside.write_text(weights_text(weights), encoding="utf-8")
        os.replace(aside, path)
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error


def read_weights(path: Path) -> Weights:
    """The weights in a file; says which line is wrong where one is."""
    try:
        require_file(path)
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ZermeloError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}.") from None
    try:
        return parse_weights(text)
    except ZermeloError as error:
        raise ZermeloError(f"{path}: {error}") from None


@lru_cache(16)
def parse_weights(text: str) -> Weights:
    """The inverse of `weights_text`."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST:
        raise ZermeloError(f"this is not a file of weights: its first line must be {FIRST!r}.")
    about: dict[str, str] = {}
    features: dict[str, float] = {}
    fields: tuple[int, ...] = ()
    letters = False
    cells: list[tuple[int, ...]] = []
    tables: dict[int, float] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            match line.split():
                case []:
                    continue
                case ["feature", name, weight]:
                    features[name] = float(weight)
                case ["pattern", ("fields" | "letters") as kind, *items]:
                    fields, letters = tuple(map(whole, items)), kind == "letters"
                case ["pattern", "cells", *bits]:
                    cells.append(tuple(map(whole, bits)))
                case ["pattern", "weight", place, weight]:
                    tables[whole(place)] = float(weight)
                case [("game" | "rules" | "story") as key, *_]:
                    about[key] = line.split(maxsplit=1)[1] if len(line.split()) > 1 else ""
                case _:
                    raise ValueError
        except ValueError:
            raise ZermeloError(f"line {number} cannot be read: {line.strip()[:80]!r}.") from None
    patterns = checked_patterns(fields, cells, letters)
    count = patterns.weights if patterns else 0
    if len(features) > MOST_FEATURES or any(place >= count for place in tables) or not {"game", "rules"} <= about.keys():
        raise ZermeloError("the file is not complete, or it holds weights of no feature.")
    numbers = (*features.values(), *(tables.get(place, 0.0) for place in range(count)))
    return Weights(about["game"], about["rules"], tuple(features), numbers, patterns, about.get("story", ""))


def whole(text: str) -> int:
    """A number that is not negative."""
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def checked_patterns(fields: tuple[int, ...], cells: list[tuple[int, ...]], letters: bool) -> Patterns | None:
    """The patterns of a file; None where it has none."""
    if not fields and not cells:
        return None
    lengths = {len(pattern) for pattern in cells}
    if not fields or len(lengths) != 1 or not 0 < len(fields) * min(lengths) <= MOST_BITS:
        raise ZermeloError("its patterns are not complete, or differ in length.")
    patterns = Patterns(fields, tuple(cells), letters)
    if patterns.weights > MOST_WEIGHTS:
        raise ZermeloError("it has too many patterns.")
    return patterns
