"""for-else, while-else, continue, multiple assignment, global constants from loops, complex conditions; Tron on 3x3 grid with int coords packed."""
from zermelo import Game
W = H = 3
def neighbours(p):
    y, x = divmod(p, W)
    if y: yield p - W
    if y < H - 1: yield p + W
    if x: yield p - 1
    if x < W - 1: yield p + 1
NB = [tuple(neighbours(p)) for p in range(W * H)]
class Tron(Game):
    def start(self):
        return "A.......B"
    def player(self, s):
        return 0 if s.upper().count("A") == s.upper().count("B") else 1
    def head(self, s, who):
        i = 0
        while i < len(s):
            if s[i] == who:
                break
            i += 1
        else:
            raise RuntimeError("no head")
        return i
    def actions(self, s):
        who = "AB"[self.player(s)]
        return [q for q in NB[self.head(s, who)] if s[q] == "."]
    def result(self, s, q):
        who = "AB"[self.player(s)]
        t = s.replace(who, who.lower())
        return t[:q] + who + t[q + 1:]
    def terminal(self, s):
        who = "AB"[self.player(s)]
        for q in NB[s.index(who)]:
            if s[q] != ".":
                continue
            break
        else:
            return True
        return False
    def utility(self, s):
        return -1 if not self.player(s) else 1
