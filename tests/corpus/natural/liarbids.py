"""Hidden dice with dataclass, information as tuple of mixed, Enum actions."""
from dataclasses import dataclass
from enum import Enum
from zermelo import CHANCE, Game
class Bid(Enum):
    ONE = 1
    TWO = 2
    THREE = 3
    LIAR = "liar!"
@dataclass(frozen=True)
class S:
    dice: tuple[int, ...] = ()
    bids: tuple[Bid, ...] = ()
class Liar(Game):
    """Each rolls a 3-sided die; bids say 'the sum is at least 2*bid'."""
    def start(self):
        return S()
    def player(self, s):
        return CHANCE if len(s.dice) < 2 else len(s.bids) % 2
    def chances(self, s):
        return [(face, 1) for face in (1, 2, 3)]
    def actions(self, s):
        last = s.bids[-1].value if s.bids else 0
        yield from (b for b in Bid if b is not Bid.LIAR and b.value > last)
        if s.bids:
            yield Bid.LIAR
    def result(self, s, a):
        if len(s.dice) < 2:
            return S(s.dice + (a,))
        return S(s.dice, s.bids + (a,))
    def terminal(self, s):
        return len(s.bids) > 0 and s.bids[-1] is Bid.LIAR
    def utility(self, s):
        bid = s.bids[-2].value
        truthful = sum(s.dice) >= 2 * bid
        bidder = (len(s.bids) - 2) % 2
        winner = bidder if truthful else 1 - bidder
        return 1 if winner == 0 else -1
    def information(self, s, player):
        return (s.dice[player] if len(s.dice) > player else None, s.bids)
    def name(self, s, a):
        return a.name.lower() if isinstance(a, Bid) else f"roll {a}"
