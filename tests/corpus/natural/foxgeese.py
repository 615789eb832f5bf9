"""A fox against two geese on a 4 x 4 board's dark squares: geese go down, the fox any way; the fox wins by reaching the top or outlasting."""
from typing import NamedTuple
from zermelo import Game

COLS = "abcd"
DARK = [col + str(row) for row in range(1, 5) for i, col in enumerate(COLS) if (row + i) % 2]


def diagonal(square, down_only=False):
    col, row = COLS.index(square[0]), int(square[1])
    for dr in (-1,) if down_only else (-1, 1):
        for dc in (-1, 1):
            name = "".join((COLS[col + dc] if 0 <= col + dc < 4 else "?", str(row + dr)))
            if name in DARK:
                yield name


class Field(NamedTuple):
    fox: str
    geese: tuple[str, ...]
    ply: int


class FoxAndGeese(Game):
    seats = ("Fox", "Geese")
    plies = 10

    def start(self):
        return Field("c1", ("b4", "d4"), 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        if s.ply % 2 == 0:
            return [s.fox + "-" + to for to in diagonal(s.fox) if to not in s.geese]
        return ["-".join([g, to]) for g in s.geese for to in diagonal(g, down_only=True) if to not in s.geese and to != s.fox]

    def result(self, s, move):
        source, target = move.split("-")
        if source == s.fox:
            return s._replace(fox=target, ply=s.ply + 1)
        geese = sorted(target if g == source else g for g in s.geese)
        return Field(s.fox, tuple(geese), s.ply + 1)

    def terminal(self, s):
        return s.fox[1] == "4" or s.ply >= self.plies or not self.actions(s)

    def utility(self, s):
        if s.fox.endswith("4") or s.ply >= self.plies:
            return 1
        return -1 if s.ply % 2 == 0 else 1
