"""Push on a line: a group pushes a shorter group one step; a man pushed off the edge is lost. Two lost end it; so do some plies."""
from dataclasses import dataclass
from itertools import groupby
from zermelo import Game


@dataclass(frozen=True)
class Line:
    cells: str
    ply: int = 0

    def runs(self):
        """(first cell, who, length) of every run."""
        at = 0
        for who, group in groupby(self.cells):
            length = len(tuple(group))
            yield at, who, length
            at += length

    def mirrored(self):
        return Line(self.cells[::-1], self.ply)


@dataclass(frozen=True)
class Abalone1D(Game):
    first: str = "_aa__bb_"
    plies: int = 8

    def start(self):
        return Line(self.first)

    def player(self, line):
        return line.ply % 2

    def pushes(self, line, me):
        """Groups that may go right."""
        runs = [*line.runs()]
        for i, (at, who, length) in enumerate(runs):
            if who != me:
                continue
            ahead = runs[i + 1:i + 3]
            match ahead:
                case [(_, "_", _), *_]:
                    yield at, length
                case [(_, other, weight), (_, "_", _)] if other != me and weight < length:
                    yield at, length
                case [(_, other, weight)] if other not in (me, "_") and weight < length:
                    yield at, length

    def actions(self, line):
        me = "ab"[self.player(line)]
        n = len(line.cells)
        right = [("right", at) for at, _ in self.pushes(line, me)]
        left = [("left", n - at - length) for at, length in self.pushes(line.mirrored(), me)]
        return right + left[::-1] + ["pass"]

    def push(self, cells, at):
        gap = cells.find("_", at)
        if gap < 0:
            gap = len(cells) - 1
        return cells[:at] + "_" + cells[at:gap] + cells[gap + 1:]

    def result(self, line, action):
        cells = line.cells
        if action != "pass":
            side, at = action
            if side == "right":
                cells = self.push(cells, at)
            else:
                run = next(length for first, _, length in line.runs() if first == at)
                cells = self.push(cells[::-1], len(cells) - at - run)[::-1]
        return Line(cells, line.ply + 1)

    def terminal(self, line):
        return line.ply >= self.plies or min(map(line.cells.count, "ab")) == 0

    def utility(self, line):
        return line.cells.count("a") - line.cells.count("b")
