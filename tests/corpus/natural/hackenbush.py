"""Hackenbush with blue and red edges: cut one of yours, what hangs in the air falls. Recursion on a graph."""
from typing import NamedTuple
from zermelo import Game


class Edge(NamedTuple):
    a: str
    b: str
    colour: str


GROUND = "ground"
PICTURE = (
    Edge("ground", "hip", "blue"), Edge("hip", "neck", "red"), Edge("neck", "hand", "blue"), Edge("neck", "head", "red"),
    Edge("ground", "stem", "red"), Edge("stem", "leaf", "blue"), Edge("stem", "bud", "red"), Edge("leaf", "bud", "blue"),
)


def reachable(edges, place=GROUND, seen=None):
    if seen is None:
        seen = set()
    seen.add(place)
    for edge in edges:
        for x, y in ((edge.a, edge.b), (edge.b, edge.a)):
            if x == place and y not in seen:
                reachable(edges, y, seen)
    return seen


class Hackenbush(Game):
    payoffs = (-1, 1)

    def start(self):
        return (PICTURE, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        edges, turn = state
        colour = "red" if turn else "blue"
        return [i for i, edge in enumerate(edges) if edge.colour == colour]

    def result(self, state, i):
        edges, turn = state
        rest = [edge for j, edge in enumerate(edges) if j != i]
        alive = reachable(rest)
        return (tuple(edge for edge in rest if edge.a in alive), 1 - turn)

    def terminal(self, state):
        return not self.actions(state)

    def utility(self, state):
        return 1 if state[1] else -1
