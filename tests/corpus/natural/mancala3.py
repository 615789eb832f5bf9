"""Plain class with class constants, __slots__, __repr__, and tuples from class methods; Mancala 3 pits."""
from zermelo import Game
class M:
    PITS = 3
    STORE = (3, 7)
    __slots__ = ()
    @classmethod
    def own(cls, turn):
        return range(0, cls.PITS) if turn == 0 else range(cls.PITS + 1, 2 * cls.PITS + 1)
class Mancala(Game):
    def start(self):
        return (2, 2, 2, 0, 2, 2, 2, 0), 0
    def player(self, s):
        return s[1]
    def actions(self, s):
        return filter(lambda p: s[0][p] > 0, M.own(s[1]))
    def result(self, s, pit):
        pits, turn = list(s[0]), s[1]
        seeds, pits[pit] = pits[pit], 0
        at = pit
        while seeds:
            at = (at + 1) % 8
            if at == M.STORE[1 - turn]:
                continue
            pits[at] += 1
            seeds -= 1
        if at in M.own(turn) and pits[at] == 1 and pits[6 - at]:
            pits[M.STORE[turn]] += pits[at] + pits[6 - at]
            pits[at] = pits[6 - at] = 0
        again = at == M.STORE[turn]
        done = not any(pits[p] for p in M.own(0)) or not any(pits[p] for p in M.own(1))
        if done:
            for t in (0, 1):
                pits[M.STORE[t]] += sum(pits[p] for p in M.own(t))
                for p in M.own(t):
                    pits[p] = 0
        return tuple(pits), turn if again else 1 - turn
    def terminal(self, s):
        return sum(s[0][:3]) == 0 and sum(s[0][4:7]) == 0
    def utility(self, s):
        return s[0][3] - s[0][7]
