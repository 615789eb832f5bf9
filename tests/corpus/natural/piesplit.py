"""Three players, general sum, payoffs as tuple; pie division with votes."""
from zermelo import Game
class Pie(Game):
    players = 3
    total = None
    seats = ("Ann", "Bob", "Cid")
    def start(self):
        return ()
    def player(self, s):
        return len(s) % 3
    def actions(self, s):
        if len(s) == 0:
            return [(a, b, 4 - a - b) for a in range(5) for b in range(5 - a)]
        return ["yes", "no"]
    def result(self, s, a):
        return s + (a,)
    def terminal(self, s):
        return len(s) == 3 or s[1:].count("no") == 2
    def utility(self, s):
        votes = s[1:]
        if votes.count("yes") >= 1:
            return tuple(float(x) for x in s[0])
        return (0.0, 1.0, 1.0)
