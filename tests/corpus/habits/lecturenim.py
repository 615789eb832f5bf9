# Homework 3: Nim with passes. Each player may pass once in the game.
from zermelo import Game


class PassNim(Game):
    def start(self):
        # (heaps, who moves, passes left)
        return ((2, 3, 1), 0, (1, 1))

    def player(self, s):
        (heaps, who, passes) = s
        return who

    def actions(self, s):
        heaps, who, passes = s
        moves = []
        for i in range(len(heaps)):
            for k in range(1, heaps[i] + 1):
                moves.append((i, k))
        if passes[who] > 0 and len(moves) > 0:
            moves.append("pass")
        return moves

    def result(self, s, a):
        heaps, who, passes = s
        if a == "pass":
            new_passes = list(passes)
            new_passes[who] -= 1
            return (heaps, 1 - who, tuple(new_passes))
        i, k = a
        new_heaps = list(heaps)
        new_heaps[i] = new_heaps[i] - k
        if new_heaps[i] == 0:
            del new_heaps[i]
        new_heaps.sort()
        return (tuple(new_heaps), 1 - who, passes)

    def terminal(self, s):
        return len(s[0]) == 0

    def utility(self, s):
        # the player who took the last one wins
        if s[1] == 0:
            return -1
        else:
            return +1
