from __future__ import annotations
import math
from typing import NamedTuple, Optional
from zermelo import Game


class Offer(NamedTuple):
    share: float
    round: int = 0


class S(NamedTuple):
    offer: Optional[Offer] = None
    round: int = 0
    done: bool = False


class Rubinstein(Game):
    total = None
    delta = (0.9, 0.8)

    def start(self) -> S:
        return S()

    def player(self, s: S) -> int:
        proposer = s.round % 2
        return proposer if s.offer is None else 1 - proposer

    def actions(self, s: S):
        if s.offer is None:
            return [round(0.25 * k, 2) for k in range(5)]
        return ("accept", "reject")

    def result(self, s: S, a) -> S:
        if s.offer is None:
            return s._replace(offer=Offer(a, s.round))
        if a == "accept":
            return s._replace(done=True)
        return S(round=s.round + 1)

    def terminal(self, s: S) -> bool:
        return s.done or s.round == 3

    def utility(self, s: S):
        if not s.done:
            return (0.0, 0.0)
        keep = s.offer.share
        shares = (keep, 1 - keep) if s.round % 2 == 0 else (1 - keep, keep)
        return tuple(math.pow(d, s.round) * x for d, x in zip(self.delta, shares))
