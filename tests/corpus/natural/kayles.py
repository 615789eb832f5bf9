"""Kayles: knock down one pin or two that stand together. The alley is a string of I and spaces."""
from zermelo import Game


class Kayles(Game):
    def __init__(self, pins: int = 8):
        self.pins = pins

    def start(self):
        return "I" * self.pins + "|0"

    def player(self, state):
        alley, turn = state.rsplit("|", 1)
        return int(turn)

    def actions(self, state):
        alley = state.split("|")[0]
        ones = [(i,) for i in range(len(alley)) if alley[i] == "I"]
        twos = [(i, i + 1) for i in range(len(alley) - 1) if alley[i:i + 2] == "II"]
        return ones + twos

    def result(self, state, pins):
        alley, turn = state.split("|")
        for pin in pins:
            alley = alley[:pin] + " " + alley[pin + 1:]
        groups = sorted(filter(None, alley.split(" ")), key=len, reverse=True)   # order and gaps do not matter
        return " ".join(groups) + "|" + str(1 - int(turn))

    def terminal(self, state):
        return "I" not in state

    def utility(self, state):
        return 1 if state.endswith("1") else -1
