"""Lost Cities for two colours with open cards: lay a card higher than your last of that colour, or throw it away."""
from dataclasses import dataclass, replace
from zermelo import Game

COLOURS = ("red", "blue")


@dataclass(frozen=True, order=True)
class Card:
    colour: str
    value: int

    def __str__(self):
        return f"{self.colour[0]}{self.value}"


HANDS = (
    (Card("red", 2), Card("red", 5), Card("blue", 3)),
    (Card("red", 4), Card("blue", 2), Card("blue", 6)),
)


@dataclass(frozen=True)
class Journey:
    hands: tuple[tuple[Card, ...], ...]
    laid: tuple[tuple[Card, ...], ...] = ((), ())
    ply: int = 0

    def last(self, who, colour):
        values = [card.value for card in self.laid[who] if card.colour == colour]
        return max(values, default=0)


@dataclass(frozen=True)
class LostCities(Game):
    cost: int = 4

    def start(self):
        return Journey(HANDS)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        me = self.player(s)
        out = []
        for card in s.hands[me]:
            if card.value > s.last(me, card.colour):
                out.append(f"lay {card}")
            out.append(f"drop {card}")
        return out

    def result(self, s, action):
        me = self.player(s)
        verb, word = action.split(" ")
        card = next(c for c in s.hands[me] if str(c) == word)
        hand = tuple(c for c in s.hands[me] if c != card)
        hands = s.hands[:me] + (hand,) + s.hands[me + 1:]
        laid = s.laid
        if verb == "lay":
            laid = tuple(pile + (card,) if who == me else pile for who, pile in enumerate(laid))
        return replace(s, hands=hands, laid=laid, ply=s.ply + 1)

    def terminal(self, s):
        return not any(s.hands)

    def score(self, pile):
        total = 0
        for colour in COLOURS:
            cards = [card for card in pile if card.colour == colour]
            if cards:
                total += sum(card.value for card in cards) - self.cost
        return total

    def utility(self, s):
        return self.score(s.laid[0]) - self.score(s.laid[1])
