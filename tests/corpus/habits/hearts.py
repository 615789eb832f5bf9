"""A two-player trick game with suits as unicode strings and a strategy object for following suit."""

from dataclasses import dataclass
from operator import attrgetter

from zermelo import Game

SUITS = "♠♥"
RANKS = "79QA"


@dataclass(frozen=True, order=True)
class Card:
    rank: str
    suit: str

    @property
    def strength(self):
        return RANKS.index(self.rank)

    @property
    def points(self):
        if self.suit == "♥":
            return 1
        return 3 if str(self) == "Q♠" else 0

    def __str__(self):
        return self.rank + self.suit

    def beats(self, other):
        return self.suit == other.suit and self.strength > other.strength


DECK = [Card(rank, suit) for suit in SUITS for rank in RANKS]


@dataclass(frozen=True)
class Deal:
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    leader: int = 0
    led: Card | None = None
    points: tuple[int, int] = (0, 0)

    @property
    def mover(self):
        return self.leader if self.led is None else 1 - self.leader

    def without(self, card):
        return tuple(tuple(c for c in hand if c != card) for hand in self.hands)


class Hearts(Game):
    def start(self):
        return Deal((tuple(DECK[::2]), tuple(DECK[1::2])))

    def player(self, deal):
        return deal.mover

    def actions(self, deal):
        hand = deal.hands[deal.mover]
        if deal.led is not None:
            following = [card for card in hand if card.suit == deal.led.suit]
            hand = following or hand
        return sorted(hand, key=attrgetter("suit", "strength"))

    def result(self, deal, card):
        if deal.led is None:
            return Deal(deal.without(card), deal.leader, card, deal.points)
        winner = 1 - deal.leader if card.beats(deal.led) else deal.leader
        points = list(deal.points)
        points[winner] += card.points + deal.led.points
        return Deal(deal.without(card), winner, None, tuple(points))

    def terminal(self, deal):
        return not any(deal.hands)

    def utility(self, deal):
        first, second = deal.points
        return second - first
