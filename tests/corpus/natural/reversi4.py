"""Reversi on 4 x 4, with a Direction enum, a walrus and generators."""
from enum import Enum
from typing import Iterator, NamedTuple
from zermelo import Game

SIZE = 4


class Direction(Enum):
    N = (-1, 0)
    NE = (-1, 1)
    E = (0, 1)
    SE = (1, 1)
    S = (1, 0)
    SW = (1, -1)
    W = (0, -1)
    NW = (-1, -1)

    def walk(self, row, col) -> Iterator[tuple[int, int]]:
        dr, dc = self.value
        while 0 <= (row := row + dr) < SIZE and 0 <= (col := col + dc) < SIZE:
            yield row, col


class Reversi(NamedTuple):
    black: frozenset
    white: frozenset
    turn: int = 0

    def sides(self):
        return (self.black, self.white) if self.turn == 0 else (self.white, self.black)

    def flips(self, square):
        mine, theirs = self.sides()
        turned = []
        for direction in Direction:
            run = []
            for place in direction.walk(*square):
                if place in theirs:
                    run.append(place)
                elif place in mine:
                    turned += run
                    break
                else:
                    break
        return turned


class Reversi4(Game):
    plies = 6

    def start(self):
        return Reversi(frozenset({(1, 2), (2, 1)}), frozenset({(1, 1), (2, 2)}))

    def player(self, s):
        return s.turn

    def moves(self, s):
        taken = s.black | s.white
        return [(r, c) for r in range(SIZE) for c in range(SIZE) if (r, c) not in taken and s.flips((r, c))]

    def actions(self, s):
        return self.moves(s) or ["pass"]

    def result(self, s, a):
        if a == "pass":
            return s._replace(turn=1 - s.turn)
        mine, theirs = s.sides()
        turned = frozenset(s.flips(a))
        mine, theirs = mine | turned | {a}, theirs - turned
        return Reversi(mine, theirs, 1) if s.turn == 0 else Reversi(theirs, mine, 0)

    def terminal(self, s):
        if len(s.black) + len(s.white) >= 4 + self.plies:
            return True
        return not self.moves(s) and not self.moves(s._replace(turn=1 - s.turn))

    def utility(self, s):
        return len(s.black) - len(s.white)
