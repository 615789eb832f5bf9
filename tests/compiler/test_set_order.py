"""Actions that come from a set: both backends take them in one order, which is Python's own."""

from pathlib import Path
from typing import Any

import pytest

from fuzz.compare import load
from zermelo.api import best
from zermelo.check import check
from zermelo.compiler.faults import Unsupported
from zermelo.compiler.game import compiled_game

GAME = """
import enum
from zermelo import Game
class Way(enum.Enum):
    LEFT, RIGHT, UP = range(3)
class G(Game):
    def start(self): return (0, 0)
    def player(self, s): return s[0] % 2
    def actions(self, s):
        {body}
    def result(self, s, a): return (s[0] + 1, (s[1] * 7 + len(str(a))) % 99)
    def terminal(self, s): return s[0] >= 4
    def utility(self, s): return s[1]
"""
UNORDERED = [
    "return {i for i in range(s[0] + 3)}",
    "return frozenset(range(s[0] + 3))",
    "return {s[0], s[0] + 1}",
    "return {50 - 3 * s[0], 3, 17}",
    "return frozenset({50, 3, 17 + s[0] * 1000})",
    "return {'b', 'a', 'zz', 'c' * (s[0] + 1), 'q'}",
    "return frozenset(['b', 'a', 'zz', 'c' * (s[0] + 1), 'q'])",
    "return {(s[0], 'x'), (9, 'y'), (4, 'z'), (40, 'w')}",
    "return {Way.UP, Way.LEFT} | ({Way.RIGHT} if s[0] else set())",
    "return {50, 3, 17} if s[0] else {s[0], 9}",
    "return list({50 - 3 * s[0], 3, 17})",
    "return [x for x in {50 - 3 * s[0], 3, 17}]",
    "yield from {50 - 3 * s[0], 3, 17}",
]


@pytest.mark.parametrize("body", UNORDERED)
def test_both_backends_take_the_actions_of_a_set_in_one_order(body: str, tmp_path: Path) -> None:
    game: Any = load(GAME.format(body=body), tmp_path, "unordered").G()
    with pytest.raises(Unsupported, match="order of a set"):
        compiled_game(game).rules  # noqa: B018
    found = [best(game, algorithm="alphabeta", backend=backend) for backend in ("auto", "reference")]
    assert found[0].action == found[1].action
    assert list(found[0].scores) == list(found[1].scores) == list(game.actions(game.start()))
    assert not check(game).findings


ORDERED = [
    "return sorted({50 - 3 * s[0], 3, 17})",
    "seen = {50 - 3 * s[0], 3, 17}\n        return [x for x in (17, 3, 50) if x in seen]",
]


@pytest.mark.parametrize("body", ORDERED)
def test_actions_that_only_look_into_a_set_are_compiled(body: str, tmp_path: Path) -> None:
    game: Any = load(GAME.format(body=body), tmp_path, "ordered").G()
    assert compiled_game(game).rules.actions((1, 1)) == game.actions((1, 1))


SET = "cells = {99 - s[1], s[0] * 7 % 5, s[1] * 3 % 11, 100 + s[0], 3}\n"
FREE = [
    "total = 0\nfor x in cells:\n    if x > 2: total += x * x\nreturn [total]",
    "for x in cells:\n    if x > 99: return [1, 2]\nreturn [0]",
    "found = False\nfor x in cells:\n    if x == 6:\n        found = True\n        break\nreturn [0, int(found)]",
    "seen = set()\nfor x in cells:\n    for y in (x - 1, x + 1):\n        if y not in seen and y % 2: seen.add(y)\nreturn sorted(seen)",
    "kept = [x for x in cells if x > 2]\nreturn [len(kept), sum(kept), int(7 in kept)]",
    "twice = {x: 2 * x for x in cells}\nreturn [twice[x] for x in sorted(twice)]",
    "def doubled():\n    for x in cells: yield 2 * x\nreturn [max(doubled()), *sorted(set(doubled()))]",
    "return [*sorted(cells, key=lambda x: -x), min(cells, key=lambda x: (x % 3, x)) + 1000]",
    "counts = [0, 0, 0]\nfor x in cells: counts[x % 3] += 1\nreturn [c * 10 + i for i, c in enumerate(counts)]",
    "(x,) = {s[0] + 1, 1 + s[0]}\nreturn [x]",
]
BOUND = [
    "return [next(iter(cells))]",
    "return [list(cells)[0]]",
    "first, *rest = cells\nreturn [first]",
    "return [max(cells, key=lambda x: x % 2)]",
    "return [sorted(cells, key=lambda x: x % 2)[0]]",
    "return [int(1e12 * sum(0.1 * x for x in cells))]",
    "return [int(''.join(str(x % 10) for x in cells))]",
    "place = {x: i for i, x in enumerate(cells)}\nreturn [place[3]]",
    "last = 0\nfor x in cells: last = x\nreturn [last]",
    "for x in cells: pass\nreturn [x]",
    "best = 0\nfor x in cells:\n    if x % 3 > best % 3: best = x\nreturn [best]",
    "chosen = set()\nfor x in cells:\n    if x - 1 not in chosen and x + 1 not in chosen: chosen.add(x)\nreturn sorted(chosen)",
    "out = []\nfor x in cells: out.append(x)\nreturn [out[0]]",
    "out = [0]\ndef note(x): out[0] = x\nfor x in cells: note(x)\nreturn out",
    "hits = 0\nfor x in cells:\n    if x > 50: break\n    hits += 1\nreturn [hits]",
    "if not cells: return [0]\nwaiting = list(cells)\nreturn [waiting.pop()]",
]


@pytest.mark.parametrize("body", FREE)
def test_what_every_order_gives_is_compiled(body: str, tmp_path: Path) -> None:
    game: Any = load(GAME.format(body=(SET + body).replace("\n", "\n        ")), tmp_path, "free").G()
    rules = compiled_game(game).rules
    assert all(rules.actions(state) == game.actions(state) for state in [(k, n) for k in range(4) for n in range(0, 99, 7)])


@pytest.mark.parametrize("body", BOUND)
def test_what_the_order_of_a_set_decides_is_not_compiled(body: str, tmp_path: Path) -> None:
    game: Any = load(GAME.format(body=(SET + body).replace("\n", "\n        ")), tmp_path, "bound").G()
    with pytest.raises(Unsupported, match="order of a set"):
        compiled_game(game).rules  # noqa: B018
