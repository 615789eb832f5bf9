"""Sort the pancakes by flipping some from the top; the burnt ones know which side is down (the sign)."""
from zermelo import Game


class Pancakes(Game):
    players = 1
    repetition = "loss"

    def __init__(self, stack=(-2, 4, 1, -3)):
        self.stack = stack

    def start(self):
        return tuple(self.stack)

    def player(self, stack):
        return 0

    def actions(self, stack):
        return [n + 1 for n in range(len(stack))]

    def result(self, stack, n):
        top = tuple(-p for p in stack[:n][::-1])
        return top + stack[n:]

    def terminal(self, stack):
        return all(a < b for a, b in zip(stack, stack[1:])) and min(stack) > 0

    def utility(self, stack):
        return 0

    def heuristic(self, stack):
        gaps = sum(abs(b - a) != 1 for a, b in zip(stack, stack[1:] + (len(stack) + 1,)))
        return gaps
