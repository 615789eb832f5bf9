"""Three players share a pie by votes; class hierarchy and super()."""
from zermelo import Game


class Proposal:
    name = "none"

    def shares(self, proposer):
        return (0, 0, 0)

    def support(self, voter, proposer):
        return self.shares(proposer)[voter] > 2


class Greedy(Proposal):
    name = "greedy"

    def shares(self, proposer):
        out = [1, 1, 1]
        out[proposer] = 7
        return tuple(out)


class Fair(Proposal):
    name = "fair"

    def shares(self, proposer):
        return (3, 3, 3)


class Alliance(Greedy):
    name = "alliance"

    def shares(self, proposer):
        base = list(super().shares(proposer))
        friend = (proposer + 1) % 3
        base[friend] += 3
        base[proposer] -= 3
        return tuple(base)


PROPOSALS = {cls.name: cls() for cls in (Greedy, Fair, Alliance)}


class Pie(Game):
    players = 3
    total = None

    def start(self):
        return {"proposer": 0, "offer": None, "votes": ()}.values().__class__ and (0, None, ())

    def player(self, s):
        proposer, offer, votes = s
        if offer is None:
            return proposer
        return (proposer + 1 + len(votes)) % 3

    def actions(self, s):
        return list(PROPOSALS) if s[1] is None else [True, False]

    def result(self, s, a):
        proposer, offer, votes = s
        if offer is None:
            return (proposer, a, ())
        votes += (a,)
        if len(votes) == 2 and sum(votes) == 0 and proposer < 2:
            return (proposer + 1, None, ())
        return (proposer, offer, votes)

    def terminal(self, s):
        return len(s[2]) == 2

    def utility(self, s):
        proposer, offer, votes = s
        if not any(votes):
            return (0, 0, 0)
        return PROPOSALS[offer].shares(proposer)
