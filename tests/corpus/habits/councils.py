"""Three parties build a coalition: propose, then vote in order; payoffs by seats. Three players, general sum."""

from enum import Enum
from itertools import chain, combinations
from typing import NamedTuple

from zermelo import Game


class Vote(str, Enum):
    YES = "yes"
    NO = "no"


class Party(NamedTuple):
    name: str
    seats: int


PARTIES = [Party("Red", 40), Party("Green", 35), Party("Blue", 25)]
MAJORITY = sum(party.seats for party in PARTIES) // 2 + 1


def coalitions(proposer):
    others = [i for i in range(len(PARTIES)) if i != proposer]
    for extra in chain.from_iterable(combinations(others, n) for n in range(1, len(others) + 1)):
        members = tuple(sorted((proposer,) + extra))
        if sum(PARTIES[i].seats for i in members) >= MAJORITY:
            yield members


class State(NamedTuple):
    proposer: int = 0
    proposal: tuple[int, ...] | None = None
    votes: tuple[Vote, ...] = ()
    done: bool = False


class Councils(Game):
    players = 3
    total = None
    seats = tuple(party.name for party in PARTIES)

    def start(self):
        return State()

    def voters(self, state):
        return [i for i in state.proposal if i != state.proposer]

    def player(self, state):
        if state.proposal is None:
            return state.proposer
        return self.voters(state)[len(state.votes)]

    def actions(self, state):
        if state.proposal is None:
            return list(coalitions(state.proposer))
        return list(Vote)

    def result(self, state, action):
        if state.proposal is None:
            return state._replace(proposal=action)
        votes = state.votes + (action,)
        if action is Vote.NO:
            return State(proposer=state.proposer + 1)
        return state._replace(votes=votes, done=len(votes) == len(self.voters(state)))

    def terminal(self, state):
        return state.done or state.proposer >= len(PARTIES)

    def utility(self, state):
        if not state.done:
            return (0, 0, 0)
        weight = sum(PARTIES[i].seats for i in state.proposal)
        shares = [round(100 * PARTIES[i].seats / weight) if i in state.proposal else 0 for i in range(3)]
        shares[state.proposer] += 10
        return tuple(shares)
