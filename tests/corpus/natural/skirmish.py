"""Pieces as classes with __init__/__eq__/__hash__; each knows its moves (polymorphism)."""
from zermelo import Game

SIZE = 4


class Piece:
    letter = "?"
    steps = ()

    def __init__(self, owner, row, col):
        self.owner = owner
        self.row = row
        self.col = col

    def __eq__(self, other):
        return type(self) is type(other) and (self.owner, self.row, self.col) == (other.owner, other.row, other.col)

    def __hash__(self):
        return hash((self.letter, self.owner, self.row, self.col))

    def __repr__(self):
        return f"{self.letter}{self.owner}@{self.row},{self.col}"

    def targets(self):
        for dr, dc in self.steps:
            r, c = self.row + dr, self.col + dc
            if 0 <= r < SIZE and 0 <= c < SIZE:
                yield r, c

    def moved(self, r, c):
        return type(self)(self.owner, r, c)


class Knight(Piece):
    letter = "N"
    steps = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))


class Wazir(Piece):
    letter = "W"
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Skirmish(Game):
    limit = 6

    def start(self):
        return ((Knight(0, 0, 0), Wazir(0, 0, 1), Knight(1, 3, 3), Wazir(1, 3, 2)), 0)

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        pieces, ply = s
        mine = {(p.row, p.col) for p in pieces if p.owner == ply % 2}
        out = []
        for i, p in enumerate(pieces):
            if p.owner == ply % 2:
                out.extend((i, r, c) for r, c in p.targets() if (r, c) not in mine)
        return out

    def result(self, s, a):
        pieces, ply = s
        i, r, c = a
        mover = pieces[i]
        rest = [p for j, p in enumerate(pieces) if j != i and (p.row, p.col) != (r, c)]
        rest.append(mover.moved(r, c))
        rest.sort(key=lambda p: (p.owner, p.letter, p.row, p.col))
        return (tuple(rest), ply + 1)

    def terminal(self, s):
        pieces, ply = s
        return ply >= self.limit or len({p.owner for p in pieces}) < 2

    def utility(self, s):
        worth = {"N": 3, "W": 1}
        return sum(worth[p.letter] * (1 if p.owner == 0 else -1) for p in s[0])
