"""Sokoban in a tiny warehouse, as a puzzle with text level, pushes cost more than steps."""

from zermelo import Game

LEVEL = """
#######
#.  $ #
# $@ .#
#     #
#######
""".strip().splitlines()

WALLS = {(r, c) for r, row in enumerate(LEVEL) for c, ch in enumerate(row) if ch == "#"}
GOALS = frozenset((r, c) for r, row in enumerate(LEVEL) for c, ch in enumerate(row) if ch in ".*+")
BOXES = frozenset((r, c) for r, row in enumerate(LEVEL) for c, ch in enumerate(row) if ch in "$*")
(START,) = [(r, c) for r, row in enumerate(LEVEL) for c, ch in enumerate(row) if ch in "@+"]
WAYS = dict(up=(-1, 0), down=(1, 0), left=(0, -1), right=(0, 1))


def add(p, q):
    return tuple(a + b for a, b in zip(p, q))


class Sokoban(Game):
    players = 1

    def start(self):
        return START, BOXES

    def player(self, state):
        return 0

    def actions(self, state):
        man, boxes = state
        for way, delta in WAYS.items():
            target = add(man, delta)
            if target in WALLS:
                continue
            if target in boxes:
                beyond = add(target, delta)
                if beyond in WALLS or beyond in boxes:
                    continue
            yield way

    def result(self, state, way):
        man, boxes = state
        target = add(man, WAYS[way])
        if target in boxes:
            boxes = (boxes - {target}) | {add(target, WAYS[way])}
        return target, frozenset(boxes)

    def cost(self, state, way):
        return 2 if add(state[0], WAYS[way]) in state[1] else 1

    def terminal(self, state):
        return state[1] == GOALS

    def utility(self, state):
        return 0

    def heuristic(self, state):
        return 2 * sum(min(abs(r - x) + abs(c - y) for x, y in GOALS) for r, c in state[1])
