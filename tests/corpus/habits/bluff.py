"""One-card poker with an ante of one and a bet of one, as a student of game theory writes it: a dict of probabilities for the deal."""

import itertools
from typing import NamedTuple

from zermelo import CHANCE, Game

RANKS = ["Q", "K", "A"]


class Hand(NamedTuple):
    cards: tuple | None
    bets: str


class Bluff(Game):
    seats = ("Alice", "Bob")

    def start(self):
        return Hand(None, "")

    def player(self, hand):
        return CHANCE if hand.cards is None else len(hand.bets) % 2

    def chances(self, hand):
        deals = list(itertools.permutations(RANKS, 2))
        return {deal: 1 / len(deals) for deal in deals}

    def actions(self, hand):
        return ["check", "bet"] if hand.bets in ("", "c") else ["fold", "call"]

    def result(self, hand, move):
        if hand.cards is None:
            return Hand(move, "")
        return hand._replace(bets=hand.bets + move[0])

    def terminal(self, hand):
        return hand.bets in ("cc", "bf", "bc", "cbf", "cbc")

    def utility(self, hand):
        if hand.bets == "bf":
            return 1
        if hand.bets == "cbf":
            return -1
        alice, bob = map(RANKS.index, hand.cards)
        stake = 2 if "b" in hand.bets else 1
        return stake if alice > bob else -stake

    def information(self, hand, player):
        return (hand.cards[player] if hand.cards else None, hand.bets)
