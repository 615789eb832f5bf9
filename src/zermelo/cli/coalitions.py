"""Games of coalitions for `zermelo equilibrium FILE.toml --method shapley` and `core`.

players = ["Ann", "Bob", "Eve"]

[worth]                     # coalitions that are left out earn nothing
"Ann Eve" = 1
"Ann Bob Eve" = "3/2"
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.cli.output import console, print_json, table
from zermelo.errors import ZermeloError, from_toml
from zermelo.trees.exact_numbers import exact_number

__all__ = ["COALITION_METHODS", "answer_by_coalitions"]

COALITION_METHODS = ("shapley", "core")


def answer_by_coalitions(source: str, method: str, as_json: bool) -> None:
    """Shares of all players, exactly; for the core also the proof that nobody can be satisfied."""
    from zermelo.equilibrium.matrix.coalitions import core, shapley_value

    names, worth = read_coalitions(Path(source))

    def earned(group: frozenset[int]) -> Fraction:
        return worth.get(group, Fraction(0))

    out, objections = console(), {}
    if method == "shapley":
        shares: tuple[Fraction, ...] | None = shapley_value(len(names), earned)
        line = "The Shapley value: what each player adds on average over all orders of coming, in rational numbers"
    else:
        found = core(len(names), earned)
        shares = found.point
        objections = {" ".join(names[player] for player in sorted(group)): weight for group, weight in found.objections}
        line = "A division in the core: no coalition earns more alone, checked in rational numbers"
        if shares is None:
            line = "The core is empty: these coalitions, weighted so that everybody counts once, earn more than all together"
    if as_json:
        divided = None if shares is None else dict(zip(names, map(str, shares), strict=True))
        print_json({"game": source, "method": method, "shares": divided, "objections": {word: str(w) for word, w in objections.items()}})
        return
    out.print(line)
    rows = objections if shares is None else dict(zip(names, shares, strict=True))
    words = table("coalition" if shares is None else "player", "weight" if shares is None else "share")
    for name, share in rows.items():
        words.add_row(name, str(share).replace("-", "−"))
    out.print(words)


def read_coalitions(path: Path) -> tuple[list[str], dict[frozenset[int], Fraction]]:
    """Names of the players, and coalition → worth."""
    try:
        data = from_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ZermeloError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ZermeloError(f"{path} is not a game of coalitions in TOML: {error}.") from error
    names, table_of = data.get("players"), data.get("worth")
    named = isinstance(names, list) and all(isinstance(name, str) and re.fullmatch(r"[^\s,]+", name) for name in names)
    if not named or not isinstance(table_of, Mapping) or len(set(names or ())) != len(names or ()):
        raise ZermeloError(f'{path} is not a game of coalitions: it needs different players = ["Ann", "Bob"] and a table [worth].')
    players = {name: number for number, name in enumerate(names or ())}
    worth = {}
    for group, value in table_of.items():
        members = [word for word in re.split(r"[\s,]+", group) if word]
        unknown = next((word for word in members if word not in players), None)
        if unknown is not None:
            raise ZermeloError(f"There is no player {unknown!r} in {path}: there is {', '.join(players)}.")
        worth[frozenset(players[word] for word in members)] = _number(value, group)
    return list(players), worth


def _number(value: Any, group: str) -> Fraction:
    try:
        return Fraction(exact_number(str(value)))
    except (ValueError, ZeroDivisionError) as error:
        raise ZermeloError(f'The worth of {group!r} is a number or a fraction in quotes, such as "1/2", not {value!r}.') from error
