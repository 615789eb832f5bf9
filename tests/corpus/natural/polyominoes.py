"""Lay trominoes in turn on a small board; who cannot lay loses. Shapes are turned with zip(*rows[::-1])."""
from dataclasses import dataclass
from zermelo import Game


class Shape:
    def __init__(self, rows):
        self.rows = tuple(rows)

    @classmethod
    def parse(cls, text):
        return cls(text.split("/"))

    def turned(self):
        return Shape("".join(column) for column in zip(*self.rows[::-1]))

    def cells(self):
        return [(r, c) for r, row in enumerate(self.rows) for c, ch in enumerate(row) if ch == "#"]

    def __eq__(self, other):
        return self.rows == other.rows

    def __hash__(self):
        return hash(self.rows)


def orientations(text):
    shape = Shape.parse(text)
    seen = []
    for _ in range(4):
        if shape not in seen:
            seen.append(shape)
        shape = shape.turned()
    return [s.cells() for s in seen]


PIECES = {"I": orientations("###"), "L": orientations("##/#.")}


@dataclass(frozen=True)
class Polyominoes(Game):
    height: int = 3
    width: int = 3

    def start(self):
        return (frozenset(), 0)

    def player(self, state):
        return state[1]

    def places(self, state):
        used = state[0]
        for letter, shapes in PIECES.items():
            for turn, cells in enumerate(shapes):
                for r in range(self.height):
                    for c in range(self.width):
                        spots = [(r + i, c + j) for i, j in cells]
                        if all(y < self.height and x < self.width and (y, x) not in used for y, x in spots):
                            yield f"{letter}{turn}", (r, c)

    def actions(self, state):
        return list(self.places(state))

    def result(self, state, action):
        (letter, turn), (r, c) = action
        spots = {(r + i, c + j) for i, j in PIECES[letter][int(turn)]}
        return (state[0].union(spots), 1 - state[1])

    def terminal(self, state):
        for _ in self.places(state):
            return False
        return True

    def utility(self, state):
        return -1 if state[1] == 0 else 1
