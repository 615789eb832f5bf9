"""Two flags, six cards: play a card at your side of a flag; the higher sum takes the flag, a pair counts for more."""
from collections import defaultdict
from typing import NamedTuple
from zermelo import Game


class Field(NamedTuple):
    played: tuple[tuple[int, int, int], ...] = ()   # (who, flag, card)


class BattleLine(Game):
    hands = ((1, 3, 3), (2, 2, 4))

    def start(self):
        return Field()

    def player(self, s):
        return len(s.played) % 2

    def sides(self, s):
        sides = defaultdict(list)
        for who, flag, card in s.played:
            sides[who, flag].append(card)
        return sides

    def in_hand(self, s, who):
        hand = list(self.hands[who])
        for w, _, card in s.played:
            if w == who:
                hand.remove(card)
        return hand

    def actions(self, s):
        me = self.player(s)
        sides = self.sides(s)
        return [(flag, card) for flag in (0, 1) for card in dict.fromkeys(self.in_hand(s, me)) if len(sides[me, flag]) < 2]

    def result(self, s, action):
        flag, card = action
        return Field(s.played + ((self.player(s), flag, card),))

    def terminal(self, s):
        return len(s.played) == 6

    def strength(self, cards):
        pair = len(cards) == 2 and cards[0] == cards[1]
        return (pair, sum(cards))

    def utility(self, s):
        sides = self.sides(s)
        score = 0
        for flag in (0, 1):
            a, b = self.strength(sides[0, flag]), self.strength(sides[1, flag])
            if a > b:
                score += 1
            elif b > a:
                score -= 1
        return score
