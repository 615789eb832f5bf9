"""Goofspiel with three cards, told move by move; the second bid is made without seeing the first."""

from dataclasses import dataclass
from enum import IntEnum

from zermelo import Game


class Rank(IntEnum):
    ACE = 1
    TWO = 2
    THREE = 3


@dataclass(frozen=True)
class Table:
    hands: tuple[frozenset[Rank], frozenset[Rank]]
    prizes: tuple[Rank, ...]
    score: tuple[int, int] = (0, 0)
    bid: Rank | None = None
    seen: tuple[tuple[Rank, Rank], ...] = ()

    def play(self, rank: Rank) -> "Table":
        who = 0 if self.bid is None else 1
        hands = tuple(hand - {rank} if i == who else hand for i, hand in enumerate(self.hands))
        if who == 0:
            return Table(hands, self.prizes, self.score, rank, self.seen)
        prize, *rest = self.prizes
        a, b = self.score
        if self.bid > rank:
            a += prize
        elif self.bid < rank:
            b += prize
        return Table(hands, tuple(rest), (a, b), None, self.seen + ((self.bid, rank),))


class CardDuel(Game):
    payoffs = (-1, 1)

    def start(self):
        full = frozenset(Rank)
        return Table((full, full), (Rank.TWO, Rank.THREE, Rank.ACE))

    def player(self, table):
        return 0 if table.bid is None else 1

    def actions(self, table):
        return sorted(table.hands[self.player(table)])

    def result(self, table, rank):
        return table.play(rank)

    def terminal(self, table):
        return not table.prizes

    def utility(self, table):
        mine, yours = table.score
        return (mine > yours) - (mine < yours)

    def information(self, table, player):
        own = tuple(sorted(int(rank) for rank in table.hands[player]))
        hidden = int(table.bid) if player == 0 and table.bid is not None else -1
        return (own, tuple(int(r) for pair in table.seen for r in pair), hidden, table.bid is not None)
