"""Connect three on a small upright board. The columns are strings that grow from the bottom."""
from dataclasses import dataclass
from zermelo import Game


@dataclass(frozen=True)
class DropThree(Game):
    width: int = 4
    height: int = 3
    need: int = 3

    def start(self):
        return ("",) * self.width

    def player(self, columns):
        return sum(map(len, columns)) % 2

    def actions(self, columns):
        return (c for c, column in enumerate(columns) if len(column) < self.height)

    def result(self, columns, c):
        mark = "xo"[self.player(columns)]
        return tuple(column + mark if i == c else column for i, column in enumerate(columns))

    def at(self, columns, x, y):
        try:
            if x < 0 or y < 0:
                return " "
            return columns[x][y]
        except IndexError:
            return " "

    def won(self, columns, mark):
        for x in range(self.width):
            for y in range(self.height):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    for k in range(self.need):
                        if self.at(columns, x + k * dx, y + k * dy) != mark:
                            break
                    else:
                        return True
        return False

    def terminal(self, columns):
        return self.won(columns, "x") or self.won(columns, "o") or all(len(c) == self.height for c in columns)

    def utility(self, columns):
        return self.won(columns, "x") - self.won(columns, "o")

    def show(self, columns):
        rows = [" ".join(c[y] if y < len(c) else "." for c in columns) for y in reversed(range(self.height))]
        return "\n".join(rows)
