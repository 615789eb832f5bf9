"""A war of attrition with a budget: raise or fold; folding loses what was put in. Accumulates with while and else."""
from dataclasses import dataclass
from zermelo import Game


@dataclass(frozen=True)
class Attrition(Game):
    prize: int = 5
    budget: int = 4

    def start(self):
        return [0, 0] and ((0, 0), 0, -1)

    def player(self, state):
        return state[1]

    def actions(self, state):
        (a, b), turn, _ = state
        mine, other = (a, b) if turn == 0 else (b, a)
        bid = other + 1
        found = []
        while bid <= self.budget:
            found.append(bid)
            bid += 1
        else:
            found.insert(0, "fold")
        return found

    def result(self, state, action):
        bids, turn, _ = state
        if action == "fold":
            return (bids, turn, 1 - turn)
        new = list(bids)
        new[turn] = action
        return (tuple(new), 1 - turn, -1)

    def terminal(self, state):
        return state[-1] != -1

    def utility(self, state):
        (a, b), _, winner = state
        return self.prize - a + b if winner == 0 else -self.prize - a + b
