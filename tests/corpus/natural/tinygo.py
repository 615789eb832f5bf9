"""Go on 2 x 3 without passing back and forth: put a stone, capture groups without liberties, no suicide; ends after some plies or two passes."""
from __future__ import annotations

from dataclasses import dataclass, replace
from zermelo import Game

ROWS, COLS = 2, 3


def neighbours(p: int) -> list[int]:
    r, c = divmod(p, COLS)
    out = []
    if r > 0:
        out.append(p - COLS)
    if r < ROWS - 1:
        out.append(p + COLS)
    if c > 0:
        out.append(p - 1)
    if c < COLS - 1:
        out.append(p + 1)
    return out


@dataclass(frozen=True)
class Goban:
    stones: str = "." * (ROWS * COLS)
    to_move: str = "b"
    ply: int = 0
    passes: int = 0

    def group(self, p: int, found: set[int] | None = None) -> set[int]:
        """The stones joined to p, by flood fill."""
        found = {p} if found is None else found
        for q in neighbours(p):
            if self.stones[q] == self.stones[p] and q not in found:
                found.add(q)
                self.group(q, found)
        return found

    def liberties(self, p: int) -> int:
        return len({q for stone in self.group(p) for q in neighbours(stone) if self.stones[q] == "."})

    def without(self, group: set[int]) -> Goban:
        return replace(self, stones="".join("." if i in group else s for i, s in enumerate(self.stones)))

    def put(self, p: int) -> Goban | None:
        """After a stone on p; None where that is forbidden."""
        me, other = self.to_move, "bw"[self.to_move == "b"]
        after = replace(self, stones=self.stones[:p] + me + self.stones[p + 1:])
        for q in neighbours(p):
            if after.stones[q] == other and after.liberties(q) == 0:
                after = after.without(after.group(q))
        if after.liberties(p) == 0:
            return None
        return Goban(after.stones, other, self.ply + 1, 0)


class TinyGo(Game):
    seats = ("Black", "White")
    plies = 6

    def start(self):
        return Goban()

    def player(self, goban):
        return "bw".index(goban.to_move)

    def actions(self, goban):
        for p in range(ROWS * COLS):
            if goban.stones[p] == "." and goban.put(p) is not None:
                yield p
        yield None

    def result(self, goban, p):
        if p is None:
            return Goban(goban.stones, "w" if goban.to_move == "b" else "b", goban.ply + 1, goban.passes + 1)
        return goban.put(p)

    def terminal(self, goban):
        return goban.passes >= 2 or goban.ply >= self.plies

    def utility(self, goban):
        return goban.stones.count("b") - goban.stones.count("w")
