"""The prisoner's dilemma, twice; the second round sees the first. Letters C and D, a payoff table with pairs as keys."""
from zermelo import Game

PAYOFF = {("C", "C"): (3, 3), ("C", "D"): (0, 5), ("D", "C"): (5, 0), ("D", "D"): (1, 1)}


class Dilemma(Game):
    total = None
    rounds = 2

    def start(self):
        return ""

    def player(self, moves):
        return len(moves) % 2

    def actions(self, moves):
        return ["C", "D"]

    def result(self, moves, move):
        return moves + move

    def terminal(self, moves):
        return len(moves) == 2 * self.rounds

    def utility(self, moves):
        pairs = list(zip(moves[::2], moves[1::2]))
        first, second = zip(*(PAYOFF[pair] for pair in pairs))
        return sum(first), sum(second)

    def information(self, moves, player):
        whole = len(moves) // 2 * 2
        return (moves[:whole], len(moves) == 2 * self.rounds)
