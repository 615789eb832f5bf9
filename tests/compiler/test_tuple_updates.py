"""`holes = replace(holes, index, item)` changes the tuple in place, but never one that something else stands for."""

from collections.abc import Iterator
from typing import Any

import pytest

from zermelo.compiler.game import CompiledGame, difference
from zermelo.rules import Game
from zermelo.words import replace


class Ring(Game):
    """A ring of numbers, changed in ways that keep older forms of it."""

    way = "aliases"

    def start(self) -> Any:
        return (3, 1, 4, 1, 5), 0

    def player(self, state: Any) -> int:
        return int(state[1] % 2)

    def actions(self, state: Any) -> range:
        return range(5)

    def terminal(self, state: Any) -> bool:
        return bool(state[1] > 5)

    def utility(self, state: Any) -> int:
        return int(state[0][0] - state[0][1])

    def result(self, state: Any, action: int) -> Any:
        return self.changed(state[0], action), state[1] + 1

    def changed(self, ring: Any, action: int) -> Any:
        raise NotImplementedError


class Aliases(Ring):
    """Another name for it, before and within a loop."""

    def changed(self, ring: Any, action: int) -> Any:
        holes = ring
        for step in range(3):
            holes = replace(holes, (action + step) % 5, (holes[(action + step) % 5] + step + 1) % 7)
            if step == action % 3:
                before = holes
        holes = replace(holes, 4, before[0])
        pair = (before, holes)
        holes = replace(holes, 0, (ring[0] + before[1]) % 7)
        if (sum(pair[0]) + sum(pair[1])) % 3 == 0:
            return pair[action % 2]
        return holes if sum(holes) % 2 else before


class Walks(Ring):
    """What a loop walks over stays as it was."""

    def changed(self, ring: Any, action: int) -> Any:
        holes, total = ring, 0
        for item in holes:
            holes = replace(holes, action, (item + holes[action]) % 7)
        for place, item in enumerate(holes):
            total += item * (place + 1)
            holes = replace(holes, (place + 1) % 5, total % 7)
        return holes


class Again(Ring):
    """A loop in a loop begins with the same tuple each time."""

    def changed(self, ring: Any, action: int) -> Any:
        best = ring
        for first in range(5):
            holes = ring
            for step in range(action + 1):
                holes = replace(holes, (first + step) % 5, (holes[first] + step) % 7)
            best = max(best, holes)
        return tuple((best[place] + ring[place]) % 7 for place in range(5))


class Yields(Ring):
    """A generator goes on with what it has given."""

    def forms(self, ring: Any, action: int) -> Iterator[Any]:
        holes = ring
        for step in range(4):
            holes = replace(holes, (action + step) % 5, (holes[step] + 1) % 7)
            yield holes

    def changed(self, ring: Any, action: int) -> Any:
        found = list(self.forms(ring, action))
        return tuple((found[0][place] + found[place % 4][place]) % 7 for place in range(5))


class Kept(Ring):
    """Older forms in a list, in a call, and after an index that is out of range."""

    def rotated(self, ring: Any) -> Any:
        return (*ring[1:], ring[0])

    def changed(self, ring: Any, action: int) -> Any:
        holes, kept = ring, [ring]
        for step in range(4):
            try:
                holes = replace(holes, step + action % 3, (holes[step] + action) % 7)
                kept.append(holes)
                holes = replace(holes, -1, self.rotated(holes)[step])
            except IndexError:
                holes = replace(holes, 0, 6)
        return tuple((sum(form[place] for form in kept) + holes[place]) % 7 for place in range(5))


@pytest.mark.parametrize("game", [Aliases(), Walks(), Again(), Yields(), Kept()], ids=lambda game: type(game).__name__)
def test_compiled_rules_do_what_interpreted_ones_do(game: Ring) -> None:
    compiled = CompiledGame(game)
    states = compiled.program.states
    assert len(states) > 50
    assert [found for state in states if (found := difference(compiled.rules, state)) is not None] == []
