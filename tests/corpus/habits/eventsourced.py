"""Tic-tac-toe as an event log: the state is the history of moves, everything else is derived from it."""

from functools import cached_property, lru_cache
from typing import Iterable, Iterator, NamedTuple, Optional

from zermelo import Game

SIZE = 3


class Square(NamedTuple):
    row: int
    column: int

    def __str__(self):
        return "abc"[self.column] + str(self.row + 1)


class Log(NamedTuple):
    moves: tuple = ()

    def by(self, player: int) -> Iterator[Square]:
        yield from self.moves[player::2]

    def lines(self) -> Iterable[set]:
        for k in range(SIZE):
            yield {Square(k, j) for j in range(SIZE)}
            yield {Square(j, k) for j in range(SIZE)}
        yield {Square(j, j) for j in range(SIZE)}
        yield {Square(j, SIZE - 1 - j) for j in range(SIZE)}

    @property
    def winner(self) -> Optional[int]:
        if len(self.moves) < 2 * SIZE - 1:
            return None
        for player in (0, 1):
            mine = set(self.by(player))
            if any(line <= mine for line in self.lines()):
                return player
        return None


@lru_cache(maxsize=None)
def all_squares():
    return tuple(Square(r, c) for r in range(SIZE) for c in range(SIZE))


class EventSourced(Game):
    def start(self):
        # two moves each are on the board already
        return Log((Square(1, 1), Square(0, 0), Square(0, 2), Square(2, 0)))

    def player(self, log):
        return len(log.moves) % 2

    def actions(self, log):
        return [square for square in all_squares() if square not in log.moves]

    def result(self, log, square):
        return log._replace(moves=log.moves + (square,))

    def terminal(self, log):
        return log.winner is not None or len(log.moves) == SIZE * SIZE

    def utility(self, log):
        match log.winner:
            case None:
                return 0
            case 0:
                return 1
            case 1:
                return -1

    def name(self, log, square):
        return str(square)
