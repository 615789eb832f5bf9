"""Order jobs on two machines: every job goes through the first, then the second; the price is the time of the last. One player."""
from itertools import groupby
from zermelo import Game

JOBS = {"a": (3, 2), "b": (1, 4), "c": (2, 2), "d": (4, 1), "e": (1, 1)}


def finish(order):
    """When both machines are done."""
    one = two = 0
    for job in order:
        first, second = JOBS[job]
        one += first
        two = max(one, two) + second
    return two


class JobShop(Game):
    players = 1

    def start(self):
        return ""

    def player(self, order):
        return 0

    def actions(self, order):
        return [job for job in JOBS if job not in order]

    def result(self, order, job):
        return order + job

    def cost(self, order, job):
        return finish(order + job) - finish(order)

    def terminal(self, order):
        return len(order) == len(JOBS)

    def utility(self, order):
        runs = [(kind, len(list(group))) for kind, group in groupby(order, key=lambda job: JOBS[job][0] > JOBS[job][1])]
        return 0 if len(runs) >= 1 else -100
