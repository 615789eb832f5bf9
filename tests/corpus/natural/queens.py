"""Put a queen on each row so that none attacks another; a dead end is lost."""
from dataclasses import dataclass
from zermelo import Game


@dataclass(frozen=True)
class Queens(Game):
    n: int = 6
    players = 1

    def start(self):
        return ()

    def player(self, queens):
        return 0

    def attacked(self, queens, column):
        row = len(queens)
        return any(c == column or abs(c - column) == row - r for r, c in enumerate(queens))

    def actions(self, queens):
        return [c for c in range(self.n) if not self.attacked(queens, c)]

    def result(self, queens, column):
        return queens + (column,)

    def terminal(self, queens):
        return len(queens) == self.n

    def utility(self, queens):
        return 0
