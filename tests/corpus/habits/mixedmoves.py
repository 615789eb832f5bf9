"""Actions of several kinds: ints, strings, tuples and None in one list."""
from zermelo import Game


class Mixed(Game):
    def start(self):
        return (3, 2, 0)

    def player(self, s):
        return s[2] % 2

    def actions(self, s):
        a, b, t = s
        yield None
        if a:
            yield a
            yield ("take", 1)
        if b > 1:
            yield "swap"
        if t > 2:
            yield True if a else "stop"

    def result(self, s, move):
        a, b, t = s
        if move is None:
            pass
        elif isinstance(move, tuple):
            a -= move[1]
        elif move == "swap":
            a, b = b, a
        elif move == "stop":
            return (a, b, 9)
        elif isinstance(move, bool):
            b += 1
        else:
            b, a = b + move, 0
        return (a, b, t + 1)

    def terminal(self, s):
        return s[2] >= 5

    def utility(self, s):
        return s[0] - s[1] if s[2] != 9 else 7
