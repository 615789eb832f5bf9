"""EAFP style: moves found by trying; index errors and own exceptions."""
from zermelo import Game


class IllegalMove(Exception):
    pass


class Blocked(IllegalMove):
    def __init__(self, where):
        super().__init__(f"blocked at {where}")
        self.where = where


def advance(track, pos, n):
    target = pos + n
    try:
        cell = track[target]
    except IndexError:
        raise IllegalMove("off the track") from None
    if cell == "#":
        raise Blocked(target)
    return target + {"+": 1, "-": -2}.get(cell, 0)


class Track(Game):
    track = "..+.#..-.+.#"

    def start(self):
        return [0, 0, 0][0], 0, 0

    def player(self, s):
        return s[2] % 2

    def legal(self, s, n):
        try:
            advance(self.track, s[s[2] % 2], n)
        except Blocked as problem:
            return problem.where == 4 and n == 3
        except IllegalMove:
            return False
        else:
            return True

    def actions(self, s):
        return [n for n in range(4) if self.legal(s, n)]

    def result(self, s, n):
        a, b, t = s
        pos = (a, b)[t % 2]
        try:
            pos = advance(self.track, pos, n)
        except Blocked:
            pos = 0
        finally:
            t += 1
        return (pos, b, t) if t % 2 else (a, pos, t)

    def terminal(self, s):
        return s[2] == 8 or max(s[:2]) >= 10

    def utility(self, s):
        return s[0] - s[1]
