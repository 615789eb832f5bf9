"""A nonogram, row by row: every row is one of the patterns of its clue; the columns decide at the end. One player."""
from itertools import groupby
from zermelo import Game

ROWS = [(1, 1), (3,), (1,), (2,)]
COLS = [(2,), (2, 1), (2, 1), ()]


def patterns(clue, width):
    """All rows that fit the clue, by recursion."""
    if not clue:
        return ["." * width]
    first, *rest = clue
    found = []
    for gap in range(width - first + 1):
        head = "." * gap + "#" * first
        if rest:
            if len(head) < width:
                found += [head + "." + tail for tail in patterns(tuple(rest), width - len(head) - 1)]
        else:
            found.append(head.ljust(width, "."))
    return found


PATTERNS = [patterns(clue, len(COLS)) for clue in ROWS]


def clue_of(line):
    return tuple(len(list(run)) for mark, run in groupby(line) if mark == "#")


class Nonogram(Game):
    players = 1

    def start(self):
        return ()

    def player(self, rows):
        return 0

    def actions(self, rows):
        return PATTERNS[len(rows)] if len(rows) < len(ROWS) else []

    def result(self, rows, row):
        return rows + (row,)

    def terminal(self, rows):
        return len(rows) == len(ROWS)

    def utility(self, rows):
        right = sum(clue_of(column) == clue for column, clue in zip(zip(*rows), COLS))
        return right - len(COLS)
