"""Puzzle: bake a cake with two hands. Tasks have prerequisites and durations; cost is time until all is done."""

import heapq
from functools import reduce
from operator import or_

from zermelo import Game

TASKS = {
    "eggs": (2, []),
    "flour": (1, []),
    "butter": (3, []),
    "dough": (2, ["eggs", "flour"]),
    "cream": (4, ["butter"]),
    "bake": (5, ["dough"]),
    "serve": (1, ["bake", "cream"]),
}


def critical(task):
    followers = [name for name, (_, before) in TASKS.items() if task in before]
    return TASKS[task][0] + max((critical(name) for name in followers), default=0)


CRITICAL = {name: critical(name) for name in TASKS}


class Cake(Game):
    players = 1

    def start(self):
        # (done, running as a heap of (time left, task))
        return (frozenset(), ())

    def player(self, state):
        return 0

    def ready(self, state):
        done, running = state
        busy = {task for _, task in running}
        return [t for t, (_, before) in TASKS.items() if t not in done and t not in busy and all(b in done for b in before)]

    def actions(self, state):
        done, running = state
        if len(running) < 2:
            for task in self.ready(state):
                yield ("begin", task)
        if running:
            yield ("wait", None)

    def result(self, state, action):
        done, running = state
        kind, task = action
        heap = list(running)
        if kind == "begin":
            heapq.heappush(heap, (TASKS[task][0], task))
            return (done, tuple(sorted(heap)))
        heapq.heapify(heap)
        passed, first = heapq.heappop(heap)
        finished = {first}
        rest = []
        for left, name in heap:
            if left == passed:
                finished.add(name)
            else:
                rest.append((left - passed, name))
        return (done | finished, tuple(sorted(rest)))

    def cost(self, state, action):
        return state[1][0][0] if action[0] == "wait" else 0

    def terminal(self, state):
        return len(state[0]) == len(TASKS)

    def utility(self, state):
        return 0

    def heuristic(self, state):
        done, running = state
        under_way = {task: left for left, task in running}
        waiting = [CRITICAL[task] for task in TASKS if task not in done and task not in under_way]
        going = [left + CRITICAL[task] - TASKS[task][0] for task, left in under_way.items()]
        return reduce(max, waiting + going, 0)
