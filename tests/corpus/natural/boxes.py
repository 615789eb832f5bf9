"""Dots and boxes on 2 x 2 boxes... well, 1 x 3 by default: edges are pairs of points, a finished box moves again."""
from dataclasses import dataclass
from zermelo import Game


@dataclass(frozen=True)
class Boxes(Game):
    rows: int = 1
    cols: int = 3

    def edges(self):
        out = []
        for r in range(self.rows + 1):
            for c in range(self.cols + 1):
                if c < self.cols:
                    out.append(((r, c), (r, c + 1)))
                if r < self.rows:
                    out.append(((r, c), (r + 1, c)))
        return out

    def around(self, r, c):
        a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
        return {(a, b), (a, d), (b, e), (d, e)}

    def start(self):
        return (frozenset(), 0, (0, 0))

    def player(self, state):
        return state[1]

    def actions(self, state):
        drawn, turn, score = state
        return [edge for edge in self.edges() if edge not in drawn]

    def result(self, state, edge):
        drawn, turn, (a, b) = state
        after = drawn | {edge}
        made = 0
        for r in range(self.rows):
            for c in range(self.cols):
                box = self.around(r, c)
                if edge in box and box.issubset(after):
                    made += 1
        if turn == 0:
            a += made
        else:
            b += made
        return (after, turn if made else 1 - turn, (a, b))

    def terminal(self, state):
        return len(state[0]) == len(self.edges())

    def utility(self, state):
        return state[2][0] - state[2][1]
