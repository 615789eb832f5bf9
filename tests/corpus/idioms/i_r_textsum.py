"""A text that gathers letters under conditions: two riders choose at once, and either may crash."""

from zermelo import Game

STEP = {"left": -1, "stay": 0, "right": 1}


class Riders(Game):
    def start(self):
        return (1, 3, "", "", 0)  # places, the first's hidden choice, who crashed, moves

    def player(self, s):
        return 0 if s[2] == "" else 1

    def actions(self, s):
        return ["left", "stay", "right"]

    def result(self, s, d):
        a, b, first, _, n = s
        if first == "":
            return (a, b, d, "", n)
        a, b = a + STEP[first], b + STEP[d]
        ok = lambda p: 0 <= p < 5
        dead = ""
        if not ok(a) or a == b:
            dead += "A"
        if not ok(b) or a == b:
            dead += "B"
        return (a, b, "", dead, n + 1)

    def terminal(self, s):
        return s[3] != "" or s[4] == 4

    def utility(self, s):
        return {"A": -1, "B": 1, "AB": 0, "": 0}[s[3]]

    def information(self, s, player):
        return (s[0], s[1], s[4], s[2] if player == 0 else "")
