"""Code that needs more room: what is asked of the game afterwards goes with what is compiled afterwards."""

from pathlib import Path

import pytest

from zermelo import Game
from zermelo.compiler.faults import Fault
from zermelo.compiler.game import compiled_game


class Page(Game):
    """Write another letter, or stop."""

    def start(self) -> tuple[str, int, bool]:
        return "", 0, False

    def player(self, state: tuple[str, int, bool]) -> int:
        return state[1]

    def actions(self, state: tuple[str, int, bool]) -> list[int]:
        return [1, 0]

    def result(self, state: tuple[str, int, bool], action: int) -> tuple[str, int, bool]:
        return state[0] + "x" * action, 1 - state[1], action == 0

    def terminal(self, state: tuple[str, int, bool]) -> bool:
        return state[2] or len(state[0]) == 4000

    def utility(self, state: tuple[str, int, bool]) -> int:
        return 1 if state[1] else -1


def test_a_game_that_has_grown_tells_the_layout_of_its_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It told the old one, for which numbers of positions were made: kernels read beyond them."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))  # where nobody knows yet how long the text becomes
    game = Page()
    with pytest.raises(Fault) as beyond:
        compiled_game(game).row(("x" * 3000, 0, False))
    growth = beyond.value.growth
    assert growth is not None
    growth.grow(beyond.value, beyond.value.state)
    words = compiled_game(game).words
    assert words == compiled_game(game).ready("perft").WORDS
    assert compiled_game(game).row(("x" * 3000, 0, False)).size == words
