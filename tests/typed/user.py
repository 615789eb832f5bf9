"""What a user writes, for type checkers from outside: `make lint` runs mypy and pyright on it against the installed package."""

from dataclasses import dataclass
from typing import assert_type

import zermelo
from zermelo import AlphaBeta, Game, Limits, Observer, SearchResult


@dataclass(frozen=True)
class Takeaway(Game):
    """Take one to three; who takes the last one wins."""

    stones: int = 10

    def start(self) -> tuple[int, int]:
        return self.stones, 0

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> list[int]:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return state[0] - action, 1 - state[1]

    def terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, int]) -> float:
        return -1 if state[1] == 0 else 1


game = Takeaway(stones=7)
assert_type(zermelo.game("connect4", width=5), Game)
assert_type(zermelo.best(game, time=1.0), SearchResult)
assert_type(zermelo.solve(game), SearchResult)
assert_type(zermelo.perft("tictactoe", 3).leaves, int)
assert_type(zermelo.check(game).lawful, bool)
assert_type(zermelo.solve(game, all=True).positions, int)
found = AlphaBeta(depth=4).search(game, limits=Limits(nodes=1_000), observer=Observer(progress=print))
assert_type(found, SearchResult)
assert_type(zermelo.__version__, str)
