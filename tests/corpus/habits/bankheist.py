"""A pursuit on a small city map: the thief must reach an exit before the police catch him or ten turns pass."""

from collections import defaultdict, deque
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from zermelo import Game


class Role(Enum):
    THIEF = auto()
    POLICE = auto()

    @property
    def other(self):
        return Role.POLICE if self is Role.THIEF else Role.THIEF


STREETS = """
bank-market market-park park-station bank-church church-school
school-station market-church park-school station-port school-port
""".split()


def build_map(streets):
    graph = defaultdict(set)
    for street in streets:
        a, b = street.split("-")
        graph[a].add(b)
        graph[b].add(a)
    return {place: sorted(near) for place, near in graph.items()}


CITY = build_map(STREETS)


def distances(start):
    seen = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        for near in CITY[place]:
            if near not in seen:
                seen[near] = seen[place] + 1
                queue.append(near)
    return seen


DISTANCE = {place: distances(place) for place in CITY}


@dataclass(frozen=True)
class City:
    thief: str
    police: str
    turn: Role = Role.THIEF
    clock: int = 0

    @property
    def caught(self):
        return self.thief == self.police

    @property
    def escaped(self):
        return self.thief == "port" and not self.caught


class BankHeist(Game):
    seats = ("Thief", "Police")

    def start(self):
        return City("bank", "station")

    def player(self, city):
        return 0 if city.turn is Role.THIEF else 1

    def actions(self, city):
        here = city.thief if city.turn == Role.THIEF else city.police
        yield "stay"
        for near in CITY[here]:
            yield near

    def result(self, city, action):
        where = {Role.THIEF: city.thief, Role.POLICE: city.police}
        if action != "stay":
            where[city.turn] = action
        return replace(city, thief=where[Role.THIEF], police=where[Role.POLICE], turn=city.turn.other, clock=city.clock + 1)

    def terminal(self, city):
        return city.caught or city.escaped or city.clock >= 8

    def utility(self, city):
        if city.escaped:
            return 1
        return -1 if city.caught else 0

    def evaluate(self, city):
        return 0.1 * (DISTANCE[city.police]["port"] - DISTANCE[city.thief]["port"])
