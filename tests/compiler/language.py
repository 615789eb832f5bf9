"""The language of rules as rows of constructs.toml: each is compiled, compared and timed.

`python -m tests.compiler.language` writes docs/reference/language.md from what it finds.
"""

import importlib.util
import sys
import tempfile
import textwrap
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.errors import RulesError
from zermelo.rules import Game

HERE = Path(__file__).parent
DOCS = HERE.parent.parent / "docs" / "reference" / "language.md"
SIZES = range(12)

PROGRAM = """
import math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from fractions import Fraction
from functools import cache, lru_cache, partial, reduce
from itertools import accumulate, chain, combinations, groupby, islice, permutations, product, repeat
from typing import NamedTuple

from zermelo import Game

{setup}

def f(n):
{body}

class Construct(Game):
    def start(self):
        return (0, 1)

    def player(self, state):
        return state[0] % 2

    def actions(self, state):
        return [0, 1]

    def result(self, state, action):
        return (state[0] + 1, state[1])

    def terminal(self, state):
        return state[0] >= 12

    def utility(self, state):
        n, times = state
        total = 0
        for k in range(times):
            total += f((n + k) % 12)
        return total
"""


@dataclass(frozen=True)
class Row:
    """A construct."""

    group: str
    name: str
    body: str
    setup: str = ""

    @property
    def program(self) -> str:
        return PROGRAM.format(setup=self.setup, body=textwrap.indent(self.body, "    "))


def rows() -> list[Row]:
    """All constructs in the order of the file."""
    return [Row(**row) for row in tomllib.loads((HERE / "constructs.toml").read_text(encoding="utf-8"))["row"]]


def game_of(row: Row, folder: Path) -> Game:
    """The construct inside a small game, from a file."""
    name = f"construct_{abs(hash(row.name)) % 10**8}"
    path = folder / f"{name}.py"
    path.write_text(row.program, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game: Game = module.Construct()
    return game


def differences(game: Game, rules: Any) -> list[str]:
    """Where compiled code says something else than the interpreter."""
    found = []
    for n in SIZES:
        expected, got = game.utility((n, 1)), rules.utility((n, 1))
        if expected != got:
            found.append(f"n = {n}: {expected} by the interpreter, {got} compiled")
    return found


def speed(game: Game, rules: Any) -> float:
    """How many times faster compiled code is."""
    times = 2
    while True:
        begun = time.process_time()
        game.utility((0, times))
        slow = time.process_time() - begun
        if slow > 0.02:
            break
        times *= 4
    fast = []
    for _ in range(3):
        begun = time.process_time()
        rules.utility((0, times))
        fast.append(time.process_time() - begun)
    return slow / min(fast)


def describe(row: Row, folder: Path) -> tuple[str, str]:
    """(supported, how fast) for the table."""
    from zermelo.compiler.rules import compile_rules

    game = game_of(row, folder)
    try:
        rules = compile_rules(game)
    except RulesError:
        return "by the interpreter", "1×"
    assert not differences(game, rules), row.name
    ratio = speed(game, rules)
    return (
        "yes",
        "over 100×" if ratio > 100 else "over 30×" if ratio > 30 else "over 10×" if ratio > 10 else "over 3×" if ratio > 3 else "1–3×",
    )


def main() -> None:
    """Write the table."""
    lines = [
        "# The language of rules",
        "",
        "Rules are plain Python. What is marked *yes* below runs as machine code and gives the interpreter's results: overflow, division,",
        "indices, keys and sizes are checked. Other rules run in the interpreter. The table is made by",
        "`python -m tests.compiler.language`, which compiles each construct, compares it with the interpreter and times both; the figures",
        "are of one machine, and tell constructs apart rather than promise a speed.",
        "",
        "In which order the items of a set come is Python's own affair. Where it cannot show (`in`, `sorted`, `len`, `any`, sums of ints,",
        "loops that only count, add to sets or look for one answer), sets compile; rules in which it may show run in the interpreter, and",
        "`zermelo check` names the line. Sort the set, and they compile.",
    ]
    group = ""
    with tempfile.TemporaryDirectory() as folder:
        for row in rows():
            if row.group != group:
                group = row.group
                lines += ["", f"## {group}", "", "| construct | compiled | against the interpreter | since |", "| --- | --- | --- | --- |"]
            supported, fast = describe(row, Path(folder))
            lines.append(f"| {row.name.replace('|', chr(92) + '|')} | {supported} | {fast} | 0.1 |")
    DOCS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
