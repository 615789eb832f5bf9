"""Games inside functions, tuples of named tuples, tuples of different types, private names, keys made of parts, extremes of words."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import Game
from zermelo.words import popcount, u64


class Card(NamedTuple):
    rank: int
    suit: int = 0


class Table(NamedTuple):
    cards: tuple[Card, ...]
    at: tuple[int, float]
    count: int
    word: u64 = 0

    def top(self):
        return self.cards[self.count % 3].rank


def make_mixture(limit: int) -> Game:
    """A game whose class is local and reads a variable of the function around it."""

    @dataclass(frozen=True)
    class Mixture(Game):
        steps: tuple[tuple[int, int], ...] = ((1, 2), (3, 4))
        __secret = 3

        def start(self):
            return Table((Card(1), Card(2), Card(3, 1)), (0, 0.5), 0)

        def player(self, table):
            return table.count & 1

        def actions(self, table):
            found = [action for action in range(limit) if action != table.count % 3]
            return found  # noqa: RET504

        def result(self, table, action):
            cards = tuple(Card(card.rank + action, card.suit) if i == table.count % 3 else card for i, card in enumerate(table.cards))
            row, weight = table.at
            for down, right in self.steps:
                row += down * right if action else -down
            word = table.word
            word |= 1 << (action + 60)
            return Table(cards, (row % 10, weight / 2), table.count + 1, word)

        def terminal(self, table):
            return table.count >= 9

        def utility(self, table):
            total = 0
            for card in table.cards:
                total += card.rank * 2
            most = max(table.cards[0].rank, table.cards[1].rank, self.__secret)
            return total - most if table.word & 1 << 63 else table.top() - 0.5

        def key(self, table) -> Any:
            return (table.word, table.count) + tuple(card.rank for card in table.cards) + table.at  # noqa: RUF005

        def evaluate(self, table):
            return min(1.0, max(-1.0, table.count / 9)) if popcount(table.word) > 1 else 0

    return Mixture()


class Bits(NamedTuple):
    word: u64
    count: int


@dataclass(frozen=True)
class Extremes(Game):
    """min and max of words, the lowest bit, a full word at the start."""

    def start(self):
        return Bits((1 << 64) - 1, 0)

    def player(self, state):
        return state.count & 1

    def actions(self, state):
        return tuple(range(3))

    def result(self, state, action):
        lowest = state.word & -state.word
        chosen = min(lowest, state.word) if action else max(lowest, 5)
        return Bits(state.word ^ lowest ^ (chosen if action == 2 else 0), state.count + 1)

    def terminal(self, state):
        return state.count >= 70 or not state.word

    def utility(self, state):
        return len([bit for bit in range(64) if state.word >> bit & 1]) - state.count
