"""A tiny Love Letter: five cards (two guards, a priest, a baron, a princess); one each, draw one, play one; the guard guesses."""
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple
from zermelo import CHANCE, Game


class Card(IntEnum):
    GUARD = 1
    PRIEST = 2
    BARON = 3
    PRINCESS = 8


FULL = Counter({Card.GUARD: 2, Card.PRIEST: 1, Card.BARON: 1, Card.PRINCESS: 1})


class Letters(NamedTuple):
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    gone: tuple[tuple[int, ...], ...]    # (player, card, guess), in order
    turn: int
    out: int                             # who is out, -1 nobody


@dataclass(frozen=True)
class LoveLetter(Game):
    payoffs = (-1, 1)

    def start(self):
        return Letters(((), ()), (), 0, -1)

    def waiting(self, s):
        """Who has to be given a card, or None."""
        if len(s.hands[0]) == 0:
            return 0
        if len(s.hands[1]) == 0:
            return 1
        return s.turn if len(s.hands[s.turn]) == 1 else None

    def deck(self, s):
        left = FULL.copy()
        for hand in s.hands:
            left.subtract(hand)
        left.subtract(card for _, card, _ in s.gone)
        return left

    def player(self, s):
        return CHANCE if self.waiting(s) is not None else s.turn

    def chances(self, s):
        return [(card, n) for card, n in sorted(self.deck(s).items()) if n > 0]

    def actions(self, s):
        for card in sorted(set(s.hands[s.turn])):
            if card == Card.GUARD:
                for guess in (Card.PRIEST, Card.BARON, Card.PRINCESS):
                    yield int(card), int(guess)
            elif card != Card.PRINCESS:
                yield int(card), 0

    def result(self, s, action):
        hands = list(s.hands)
        who = self.waiting(s)
        if who is not None:
            hands[who] = tuple(sorted(hands[who] + (int(action),)))
            return s._replace(hands=tuple(hands))
        card, guess = action
        me, you = s.turn, 1 - s.turn
        mine = list(hands[me])
        mine.remove(card)
        hands[me] = tuple(mine)
        out = -1
        if card == Card.GUARD and hands[you] == (guess,):
            out = you
        elif card == Card.BARON and mine[0] != hands[you][0]:
            out = you if mine[0] > hands[you][0] else me
        return Letters(tuple(hands), s.gone + ((me, card, guess),), you, out)

    def terminal(self, s):
        return s.out >= 0 or (self.waiting(s) is not None and sum(n for n in self.deck(s).values() if n > 0) == 0)

    def utility(self, s):
        if s.out >= 0:
            return 1 if s.out == 1 else -1
        return (s.hands[0] > s.hands[1]) - (s.hands[0] < s.hands[1])

    def information(self, s, player):
        return (s.hands[player], tuple(len(hand) for hand in s.hands), s.gone, s.turn, s.out)
