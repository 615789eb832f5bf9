"""Pig with a four-sided die: roll as often as you like, a one loses the turn's points; the higher score after some turns wins."""
from dataclasses import dataclass, replace
from zermelo import CHANCE, Game


@dataclass(frozen=True)
class Table:
    banked: tuple[int, int] = (0, 0)
    running: int = 0
    turn: int = 0
    rolling: bool = False


@dataclass(frozen=True)
class PigRace(Game):
    turns: int = 4
    limit: int = 8

    def start(self):
        return Table()

    def player(self, table):
        return CHANCE if table.rolling else table.turn % 2

    def actions(self, table):
        if table.rolling:
            return [1, 2, 3, 4]
        if table.running >= self.limit:
            return ["hold"]
        return ["roll", "hold"] if table.running else ["roll"]

    def chances(self, table):
        return [(face, 1) for face in range(1, 5)]

    def result(self, table, action):
        if action == "roll":
            return replace(table, rolling=True)
        if action == "hold":
            banked = list(table.banked)
            banked[table.turn % 2] += table.running
            return Table(tuple(banked), 0, table.turn + 1)
        if action == 1:
            return replace(table, running=0, turn=table.turn + 1, rolling=False)
        return replace(table, running=table.running + action, rolling=False)

    def terminal(self, table):
        return table.turn >= self.turns

    def utility(self, table):
        mine, yours = table.banked
        return (mine > yours) - (mine < yours)
