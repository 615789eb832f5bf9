"""Drafting for three: take a card from the hand, pass the rest to the left. Sets score; the payoffs are the points."""
from collections import Counter
from dataclasses import dataclass
from zermelo import Game

MENU = ("roll", "roll", "tempura", "tempura", "pudding", "wasabi")


@dataclass(frozen=True)
class Draft(Game):
    players = 3
    total = None

    def start(self):
        hands = tuple(tuple(sorted(MENU[2 * i:2 * i + 2])) for i in range(3))
        return (hands, ((), (), ()), ())

    def player(self, state):
        hands, taken, picks = state
        return len(picks)

    def actions(self, state):
        hands, taken, picks = state
        return list(dict.fromkeys(hands[len(picks)]))

    def result(self, state, card):
        hands, taken, picks = state
        picks = picks + (card,)
        if len(picks) < 3:
            return (hands, taken, picks)
        left = []
        for hand, pick in zip(hands, picks):
            hand = list(hand)
            hand.pop(hand.index(pick))
            left.append(tuple(hand))
        left = left[-1:] + left[:-1]
        taken = tuple(tuple(sorted(t + (p,))) for t, p in zip(taken, picks))
        return (tuple(left), taken, ())

    def terminal(self, state):
        return all(len(hand) == 0 for hand in state[0])

    def points(self, cards):
        count = Counter(cards)
        return 5 * (count["tempura"] // 2) + count["roll"] * (3 if count["wasabi"] else 1) + 2 * count["pudding"]

    def utility(self, state):
        return tuple(float(self.points(cards)) for cards in state[1])
