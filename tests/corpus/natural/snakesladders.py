"""Snakes and ladders with a choice: after the throw, move or stay. First on the last square; ends after some throws."""
from typing import NamedTuple
from zermelo import CHANCE, Game

JUMP = {2: 6, 4: 9, 8: 3, 10: 5}
LAST = 11


class Race(NamedTuple):
    places: tuple[int, int]
    thrown: int        # 0 before the throw
    throws: int

    def __str__(self):
        return f"{self.places[0]} against {self.places[1]}"


class SnakesAndLadders(Game):
    limit = 8

    def start(self):
        return Race((0, 0), 0, 0)

    def player(self, race):
        return race.throws % 2 if race.thrown else CHANCE

    def chances(self, race):
        yield from ((n, 1.0 / 3.0 if n != 2 else 1 - 2.0 / 3.0) for n in (1, 2, 3))

    def actions(self, race):
        return ["go", "stay"]

    def result(self, race, action):
        if not race.thrown:
            return race._replace(thrown=action)
        who = race.throws % 2
        places = list(race.places)
        if action == "go":
            to = min(places[who] + race.thrown, LAST)
            places[who] = JUMP.get(to, to)
        return Race(tuple(places), 0, race.throws + 1)

    def terminal(self, race):
        return LAST in race.places or race.throws >= self.limit

    def utility(self, race):
        a, b = race.places
        return 1 if a > b else -1 if b > a else 0
