"""Rock, paper, scissors, lizard, Spock: one after the other, unseen."""
from enum import Enum
from zermelo import Game


class Hand(Enum):
    ROCK = "rock"
    PAPER = "paper"
    SCISSORS = "scissors"
    LIZARD = "lizard"
    SPOCK = "spock"

    def beats(self, other):
        return other in BEATEN[self]


BEATEN = {
    Hand.ROCK: {Hand.SCISSORS, Hand.LIZARD},
    Hand.PAPER: {Hand.ROCK, Hand.SPOCK},
    Hand.SCISSORS: {Hand.PAPER, Hand.LIZARD},
    Hand.LIZARD: {Hand.SPOCK, Hand.PAPER},
    Hand.SPOCK: {Hand.SCISSORS, Hand.ROCK},
}


class RockPaperScissors(Game):
    payoffs = (-1, 1)

    def start(self):
        return ()

    def player(self, thrown):
        return len(thrown)

    def actions(self, thrown):
        return list(Hand)

    def result(self, thrown, hand):
        return thrown + (hand,)

    def terminal(self, thrown):
        return len(thrown) == 2

    def utility(self, thrown):
        first, second = thrown
        if first.beats(second):
            return 1
        return -1 if second.beats(first) else 0

    def information(self, thrown, player):
        return () if len(thrown) < 2 else tuple(hand.value for hand in thrown)
