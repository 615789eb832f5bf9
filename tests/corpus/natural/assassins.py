"""Three players, alliances in a frozenset of frozensets, and a try/finally."""
from itertools import combinations
from zermelo import Game


class Assassins(Game):
    players = 3
    total = None

    def start(self):
        return (frozenset(range(3)), frozenset(), 0, 0)

    def player(self, s):
        return s[2]

    def allied(self, s, a, b):
        return frozenset((a, b)) in s[1]

    def actions(self, s):
        alive, pacts, me, turn = s
        moves = [("wait", me)]
        for other in sorted(alive - {me}):
            if not self.allied(s, me, other):
                moves.append(("kill", other))
                moves.append(("pact", other))
        return moves

    def result(self, s, move):
        alive, pacts, me, turn = s
        verb, other = move
        if verb == "kill":
            alive -= {other}
            pacts = frozenset(p for p in pacts if other not in p)
        elif verb == "pact":
            pacts |= {frozenset({me, other})}
        order = [(me + k) % 3 for k in (1, 2, 3)]
        after = next(p for p in order if p in alive)
        return (alive, pacts, after, turn + 1)

    def terminal(self, s):
        return len(s[0]) == 1 or s[3] >= 5 or all(self.allied(s, a, b) for a, b in combinations(sorted(s[0]), 2))

    def utility(self, s):
        alive, *_ = s
        prize = 6 / len(alive)
        return tuple(prize if p in alive else 0.0 for p in range(3))
