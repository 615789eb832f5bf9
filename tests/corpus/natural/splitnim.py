"""match statements with class patterns for actions being dataclasses; Enum players; sealed union of moves."""
from dataclasses import dataclass
from enum import Enum
from zermelo import Game


class Side(Enum):
    LEFT = 0
    RIGHT = 1

    @property
    def other(self):
        return Side(1 - self.value)


@dataclass(frozen=True)
class Take:
    heap: int
    count: int


@dataclass(frozen=True)
class Split:
    heap: int
    size: int


@dataclass(frozen=True)
class Position:
    heaps: tuple[int, ...]
    side: Side


class SplitNim(Game):
    def start(self):
        return Position((4, 3), Side.LEFT)

    def player(self, p):
        return p.side.value

    def actions(self, p):
        for i, n in enumerate(p.heaps):
            for k in range(1, min(n, 2) + 1):
                yield Take(i, k)
            for k in range(1, n // 2 + 1):
                if n > 2:
                    yield Split(i, k)

    def result(self, p, move):
        heaps = list(p.heaps)
        match move:
            case Take(heap=i, count=k):
                heaps[i] -= k
            case Split(i, k):
                heaps[i] -= k
                heaps.append(k)
            case _:
                raise TypeError(move)
        return Position(tuple(sorted(h for h in heaps if h)), p.side.other)

    def terminal(self, p):
        return not p.heaps

    def utility(self, p):
        match p:
            case Position(heaps=(), side=Side.LEFT):
                return -1
            case Position(side=Side.RIGHT):
                return 1
        return 0
