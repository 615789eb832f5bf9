"""A truel: three shoot in turn, with different aim, at a neighbour or into the air; the last alive takes all, survivors share."""
from dataclasses import dataclass
from zermelo import CHANCE, Game

AIM = (1, 2, 3)     # hits in three shots


@dataclass(frozen=True)
class Truel(Game):
    shots: int = 4
    players = 3
    total = 1

    def start(self):
        return ((True, True, True), 0, None, 0)

    def player(self, s):
        alive, turn, target, fired = s
        return turn if target is None else CHANCE

    def actions(self, s):
        alive, turn, target, fired = s
        others = [p for p in range(3) if alive[p] and p != turn]
        return others + ["air"]

    def chances(self, s):
        hits = AIM[s[1]]
        if hits == 3:
            return [("hit", 3)]
        return [("hit", hits), ("miss", 3 - hits)]

    def next_alive(self, alive, turn):
        for step in range(1, 4):
            who = (turn + step) % 3
            if alive[who]:
                return who

    def result(self, s, a):
        alive, turn, target, fired = s
        if a == "air":
            return (alive, self.next_alive(alive, turn), None, fired + 1)
        if target is None:
            return (alive, turn, a, fired)
        if a == "hit":
            alive = tuple(x and i != target for i, x in enumerate(alive))
        return (alive, self.next_alive(alive, turn), None, fired + 1)

    def terminal(self, s):
        return sum(s[0]) == 1 or s[3] >= self.shots

    def utility(self, s):
        alive = s[0]
        return tuple(x / sum(alive) for x in alive)
