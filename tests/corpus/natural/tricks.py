"""Designer: enums with methods, dataclasses with properties, chance; a tiny trick game, open hands."""
from __future__ import annotations
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Optional, Tuple
from zermelo import Game

class Suit(Enum):
    CLUBS = auto()
    HEARTS = auto()

    @property
    def symbol(self) -> str:
        return {Suit.CLUBS: "c", Suit.HEARTS: "h"}[self]

    def beats(self, other: "Suit") -> bool:
        return self is Suit.HEARTS and other is Suit.CLUBS

@dataclass(frozen=True, order=True)
class Card:
    rank: int
    suit: Suit = field(compare=False)

    def __str__(self):
        return f"{self.rank}{self.suit.symbol}"

    def wins_over(self, lead: Card) -> bool:
        if self.suit == lead.suit:
            return self.rank > lead.rank
        return self.suit.beats(lead.suit)

@dataclass(frozen=True)
class Table:
    hands: Tuple[Tuple[Card, ...], Tuple[Card, ...]]
    leader: int = 0
    lead: Optional[Card] = None
    tricks: Tuple[int, int] = (0, 0)

    @property
    def turn(self) -> int:
        return self.leader if self.lead is None else 1 - self.leader

    def without(self, player: int, card: Card):
        hand = list(self.hands[player])
        hand.remove(card)
        hands = list(self.hands)
        hands[player] = tuple(hand)
        return tuple(hands)

class Tricks(Game):
    """Four tricks; hearts are trumps; follow suit if you can."""

    def start(self):
        a = (Card(2, Suit.CLUBS), Card(5, Suit.CLUBS), Card(3, Suit.HEARTS), Card(4, Suit.HEARTS))
        b = (Card(3, Suit.CLUBS), Card(4, Suit.CLUBS), Card(2, Suit.HEARTS), Card(5, Suit.HEARTS))
        return Table((a, b))

    def player(self, s: Table) -> int:
        return s.turn

    def actions(self, s: Table):
        hand = s.hands[s.turn]
        if s.lead is not None:
            follow = [c for c in hand if c.suit is s.lead.suit]
            if follow:
                return follow
        return list(hand)

    def result(self, s: Table, card: Card) -> Table:
        hands = s.without(s.turn, card)
        if s.lead is None:
            return replace(s, hands=hands, lead=card)
        winner = s.turn if card.wins_over(s.lead) else s.leader
        tricks = tuple(t + (i == winner) for i, t in enumerate(s.tricks))
        return replace(s, hands=hands, lead=None, leader=winner, tricks=tricks)

    def terminal(self, s):
        return not s.hands[0] and not s.hands[1]

    def utility(self, s):
        return s.tricks[0] - s.tricks[1]

    def name(self, s, card):
        return str(card)
