from dataclasses import dataclass, field
from zermelo import Game


@dataclass
class River:
    left: set = field(default_factory=lambda: {"wolf", "goat", "cabbage"})
    right: set = field(default_factory=set)
    boat: str = "left"

    def __hash__(self):
        return hash((frozenset(self.left), self.boat))

    def side(self):
        return self.left if self.boat == "left" else self.right

    def safe(self):
        other = self.right if self.boat == "left" else self.left
        return not ({"wolf", "goat"} <= other or {"goat", "cabbage"} <= other)


class Ferry(Game):
    players = 1

    def start(self):
        return River()

    def player(self, s):
        return 0

    def cross(self, s, what):
        new = River(set(s.left), set(s.right), s.boat)
        if what != "nothing":
            new.side().remove(what)
        new.boat = "right" if s.boat == "left" else "left"
        if what != "nothing":
            new.side().add(what)
        return new

    def actions(self, s):
        return [x for x in ["nothing", *sorted(s.side())] if self.cross(s, x).safe()]

    def result(self, s, a):
        return self.cross(s, a)

    def terminal(self, s):
        return not s.left and s.boat == "right"

    def utility(self, s):
        return 0
