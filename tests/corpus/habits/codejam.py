import sys
from bisect import bisect_left
from zermelo import Game

# Codeforces style: A has array a; players alternately take a segment end; Bob's score is halved on odd sums.
N, A = 7, list(map(int, "3 9 1 7 5 8 2".split()))
pre = [0]
for x in A: pre.append(pre[-1] + x)
INF = 10**18


class G(Game):
    def start(self): return (0, N, 0, 0)
    def player(self, s): return (s[0] + N - s[1]) & 1
    def actions(self, s): return "LR" if s[1] - s[0] > 1 else "L"
    def result(self, s, a):
        l, r, x, y = s
        v, l, r = (A[l], l + 1, r) if a == "L" else (A[r - 1], l, r - 1)
        if self.player(s): y += v
        else: x += v
        return l, r, x, y
    def terminal(self, s): return s[0] >= s[1]
    def utility(self, s):
        *_, x, y = s
        if y % 2: y //= 2
        return x - y
    def evaluate(self, s):
        l, r, x, y = s
        rest = pre[r] - pre[l]
        k = bisect_left(pre, pre[l] + rest / 2)
        return min(INF, max(-INF, x - y + (k - l) * 0.01))
