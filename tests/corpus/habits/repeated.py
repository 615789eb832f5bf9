"""Repeated chicken: simultaneous choices twice, payoffs in a dict of dicts, histories as strings."""

from zermelo import Game

PAYOFF = {
    "swerve": {"swerve": (0, 0), "drive": (-1, 1)},
    "drive": {"swerve": (1, -1), "drive": (-5, -5)},
}


class RepeatedChicken(Game):
    total = None
    rounds = 2

    def start(self):
        return ""

    def moves_of(self, history):
        return history.split(",") if history else []

    def player(self, history):
        return len(self.moves_of(history)) % 2

    def actions(self, history):
        return PAYOFF.keys()

    def result(self, history, move):
        return ",".join([*self.moves_of(history), move])

    def terminal(self, history):
        return len(self.moves_of(history)) == 2 * self.rounds

    def utility(self, history):
        moves = self.moves_of(history)
        totals = [0, 0]
        for mine, yours in zip(moves[::2], moves[1::2], strict=True):
            for i, payoff in enumerate(PAYOFF[mine][yours]):
                totals[i] += payoff
        return tuple(totals)

    def information(self, history, player):
        moves = self.moves_of(history)
        complete = len(moves) // 2 * 2
        known = moves[:complete] if player == 1 or len(moves) % 2 == 0 else moves[:complete] + ["?"]
        return tuple(("swerve", "drive", "?").index(move) for move in known)
