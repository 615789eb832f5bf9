"""Alternating offers with discounting: every round lost costs a factor; percentages, floats and rounding."""
from dataclasses import dataclass
from zermelo import Game


@dataclass(frozen=True)
class Bargaining(Game):
    delta: float = 0.8
    rounds: int = 3
    steps: int = 5
    total = None

    def start(self):
        return (0, None, False)        # round, offer to the other, accepted

    def player(self, s):
        n, offer, _ = s
        proposer = n % 2
        return proposer if offer is None else 1 - proposer

    def actions(self, s):
        if s[1] is None:
            return [round(i / self.steps, 2) for i in range(self.steps + 1)]
        return [True, False]

    def result(self, s, a):
        n, offer, _ = s
        if offer is None:
            return (n, a, False)
        return (n, offer, True) if a else (n + 1, None, False)

    def terminal(self, s):
        return s[2] or s[0] >= self.rounds

    def utility(self, s):
        n, offer, accepted = s
        if not accepted:
            return (0.0, 0.0)
        factor = self.delta ** n
        shares = [1 - offer, offer]
        if n % 2:
            shares.reverse()
        return tuple(factor * x for x in shares)
