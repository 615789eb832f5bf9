"""Rush hour in one lane group: dict comprehension boards, sorted tuples, sum of lists."""
from zermelo import Game

LENGTH = {"X": 2, "A": 2, "B": 3, "C": 2}
HORIZONTAL = {"X": 2, "A": 0}
VERTICAL = {"B": 3, "C": 0}
SIZE = 5


def cells(car, at):
    if car in HORIZONTAL:
        return [(HORIZONTAL[car], at + k) for k in range(LENGTH[car])]
    return [(at + k, VERTICAL[car]) for k in range(LENGTH[car])]


class RushHour(Game):
    players = 1

    def start(self):
        return (("A", 1), ("B", 1), ("C", 3), ("X", 0))

    def player(self, cars):
        return 0

    def occupied(self, cars):
        return set(sum((cells(car, at) for car, at in cars), []))

    def actions(self, cars):
        full = self.occupied(cars)
        for car, at in cars:
            for delta in (-1, 1):
                new = at + delta
                if new < 0 or new + LENGTH[car] > SIZE:
                    continue
                ahead = cells(car, new)[-1 if delta > 0 else 0]
                if ahead not in full:
                    yield f"{car}{'+' if delta > 0 else '-'}"

    def result(self, cars, move):
        car, sign = move[0], move[1]
        where = {name: at for name, at in cars}
        where[car] += 1 if sign == "+" else -1
        return tuple(sorted(where.items()))

    def terminal(self, cars):
        return dict(cars)["X"] == SIZE - LENGTH["X"]

    def utility(self, cars):
        return 0

    def heuristic(self, cars):
        at = dict(cars)["X"]
        return SIZE - LENGTH["X"] - at
