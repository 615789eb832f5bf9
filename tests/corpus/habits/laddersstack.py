"""Klondike-like stacks: move cards between three stacks, a nested function tries them, an exception says no. A puzzle."""

from itertools import permutations

from zermelo import Game


class Illegal(Exception):
    pass


class Stacks(Game):
    """Sort the cards onto one stack, largest at the bottom; a card may lie only on a larger one or an empty place."""

    players = 1

    def start(self):
        return ((2, 4), (3, 1), (), ())

    def player(self, stacks):
        return 0

    def move(self, stacks, source, target):
        def top(stack):
            if not stack:
                raise Illegal("empty stack")
            return stack[-1]

        card = top(stacks[source])
        if stacks[target] and top(stacks[target]) < card:
            raise Illegal(f"{card} does not fit")
        new = [list(stack) for stack in stacks]
        new[target].append(new[source].pop())
        return tuple(tuple(stack) for stack in new)

    def actions(self, stacks):
        legal = []
        for source, target in permutations(range(len(stacks)), 2):
            try:
                self.move(stacks, source, target)
            except Illegal:
                pass
            else:
                legal.append((source, target))
        return legal

    def result(self, stacks, action):
        return self.move(stacks, *action)

    def terminal(self, stacks):
        return any(stack == (4, 3, 2, 1) for stack in stacks)

    def utility(self, stacks):
        return 0

    def heuristic(self, stacks):
        return min(4 - next((i for i, (a, b) in enumerate(zip(stack, (4, 3, 2, 1))) if a != b), len(stack)) for stack in stacks)
