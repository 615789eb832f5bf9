"""Deferred decisions: a suitor game with preference lists; iterates to a stable matching inside a rule."""

from zermelo import Game

PREFERENCES = {
    "a": ["X", "Y", "Z"],
    "b": ["X", "Z", "Y"],
    "c": ["Y", "X", "Z"],
    "X": ["c", "b", "a"],
    "Y": ["a", "c", "b"],
    "Z": ["b", "a", "c"],
}


def stable(removed):
    lists = {k: [v for v in pref if (k, v) not in removed and (v, k) not in removed] for k, pref in PREFERENCES.items()}
    free = [k for k in lists if k.islower()]
    match: dict[str, str] = {}
    while free:
        suitor = free.pop()
        while lists[suitor]:
            choice = lists[suitor].pop(0)
            rival = match.get(choice)
            if rival is None:
                match[choice] = suitor
                break
            order = PREFERENCES[choice]
            if order.index(suitor) < order.index(rival):
                match[choice] = suitor
                free.append(rival)
                break
    return match


class Matchmaker(Game):
    """Max wants many pairs, Min few: each in turn forbids one pair."""

    def start(self):
        return frozenset()

    def player(self, removed):
        return len(removed) % 2

    def actions(self, removed):
        return [(m, w) for m in "abc" for w in "XYZ" if (m, w) not in removed]

    def result(self, removed, pair):
        return removed.union([pair])

    def terminal(self, removed):
        return len(removed) >= 3

    def utility(self, removed):
        match = stable(removed)
        happy = sum(PREFERENCES[w].index(m) == 0 for w, m in match.items())
        return 2 * len(match) - 6 + happy
