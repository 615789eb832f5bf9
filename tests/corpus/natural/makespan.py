"""Scheduling race with heapq and bisect: tasks on two machines; minimise makespan vs maximise."""
import heapq
from bisect import insort
from zermelo import Game
TASKS = (3, 1, 4, 1, 5)
class Makespan(Game):
    """Players alternately choose which machine gets the next task; Max wants a long makespan."""
    total = 0
    def start(self):
        return (0, (0, 0))
    def player(self, s):
        return s[0] & 1
    def actions(self, s):
        seen = []
        for i, load in enumerate(s[1]):
            if load not in [s[1][j] for j in seen]:
                seen.append(i)
        return seen
    def result(self, s, a):
        loads = list(s[1])
        loads[a] += TASKS[s[0]]
        heap = []
        for x in loads:
            heapq.heappush(heap, x)
        order = []
        while heap:
            insort(order, heapq.heappop(heap))
        return (s[0] + 1, tuple(order))
    def terminal(self, s):
        return s[0] == len(TASKS)
    def utility(self, s):
        return max(s[1]) - 9
