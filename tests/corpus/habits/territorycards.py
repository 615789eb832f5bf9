"""A designer's prototype: players place workers on islands; each island goes to the majority and scores its treasure."""

from collections import Counter, namedtuple
from itertools import chain, groupby

from zermelo import Game

Island = namedtuple("Island", "name spots treasure")
Worker = namedtuple("Worker", ["owner", "island"])

ISLANDS = [Island("Tortuga", 3, 5), Island("Nassau", 2, 3), Island("Roatan", 1, 2)]
BY_NAME = {island.name: island for island in ISLANDS}


class Islands(Game):
    total = None
    workers = 3

    def start(self):
        return ()

    def player(self, placed):
        return len(placed) % 2

    def free(self, placed):
        taken = Counter(worker.island for worker in placed)
        for island in ISLANDS:
            if taken[island.name] < island.spots:
                yield island.name

    def actions(self, placed):
        return list(self.free(placed))

    def result(self, placed, island):
        return placed + (Worker(self.player(placed), island),)

    def terminal(self, placed):
        return len(placed) == 2 * self.workers or not any(self.free(placed))

    def scores(self, placed):
        points = [0, 0]
        ordered = sorted(placed, key=lambda worker: worker.island)
        for name, group in groupby(ordered, key=lambda worker: worker.island):
            tally = Counter(w.owner for w in group).most_common()
            if len(tally) == 1 or tally[0][1] > tally[1][1]:
                points[tally[0][0]] += BY_NAME[name].treasure
            else:
                for owner, _ in tally:
                    points[owner] += 1
        return points

    def utility(self, placed):
        return tuple(self.scores(placed))
