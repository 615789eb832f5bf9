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
