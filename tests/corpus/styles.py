"""The same few games in the styles that people write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from zermelo import CHANCE, Game
from zermelo.words import popcount, replace, u64


class Grid(NamedTuple):
    """A state that knows a little about itself."""

    mine: u64
    theirs: u64

    @property
    def both(self) -> int:
        return self.mine | self.theirs

    def free(self, cell: int) -> bool:
        return not self.both >> cell & 1

    def swapped(self) -> Grid:
        return Grid(self.theirs, self.mine)


@dataclass(frozen=True)
class Methods(Game):
    """A named tuple with methods and properties; a generator expression; payoffs in halves; `/`, `//` and `%` of a word."""

    cells: int = 16

    def start(self) -> Grid:
        return Grid(0, 0)

    def player(self, grid: Grid) -> int:
        return popcount(grid.both) & 1

    def actions(self, grid: Grid) -> Iterator[int]:
        return (cell for cell in range(self.cells) if grid.free(cell))

    def result(self, grid: Grid, cell: int) -> Grid:
        return grid._replace(mine=grid.mine | 1 << cell).swapped()

    def terminal(self, grid: Grid) -> bool:
        return popcount(grid.both) >= 7

    def utility(self, grid: Grid) -> float:
        return (grid.mine % 7 - (grid.theirs // 3) % 5) / 2


@dataclass(frozen=True)
class OneNumber(Game):
    """A state that is a number; actions that are a range; payoffs that are sometimes int and sometimes float."""

    counters: int = 21

    def start(self):
        return self.counters

    def player(self, state):
        return state % 2

    def actions(self, state):
        return range(1, min(3, state) + 1)

    def result(self, state, taken):
        return state - taken

    def terminal(self, state):
        return state <= self.counters // 4

    def utility(self, state):
        if state == 0:
            return 1
        return -0.25 * state


@dataclass(frozen=True)
class PlainTuple(Game):
    """A state that is a plain tuple; actions that are a list."""

    counters: int = 21

    def start(self):
        return (self.counters, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        return [taken for taken in range(1, 4) if taken <= state[0]]

    def result(self, state, taken):
        heap, turn = state
        return heap - taken, 1 - turn

    def terminal(self, state):
        return state[0] == 0

    def utility(self, state):
        return 1 if state[1] else -1


class Heaps(NamedTuple):
    heaps: tuple[int, ...]
    turn: int


@dataclass(frozen=True)
class NimTuples(Game):
    """Small tuples as fields, changed by `replace`; payoffs as a tuple."""

    sizes: tuple[int, ...] = (3, 4, 5)
    players: int = 3
    total = None

    def start(self):
        return Heaps(self.sizes, 0)

    def player(self, state):
        return state.turn

    def actions(self, state):
        for place, heap in enumerate(state.heaps):
            for taken in range(1, heap + 1):
                yield place * 64 + taken

    def result(self, state, action):
        place, taken = divmod(action, 64)
        return Heaps(replace(state.heaps, place, state.heaps[place] - taken), (state.turn + 1) % self.players)

    def terminal(self, state):
        return sum(state.heaps) == 0

    def utility(self, state):
        winner = (state.turn - 1) % self.players
        return tuple(1 if number == winner else -1 / (self.players - 1) for number in range(self.players))


class NimSlices(NimTuples):
    """Python's own idiom for a changed tuple."""

    def result(self, state, action):
        place, taken = divmod(action, 64)
        changed = state.heaps[:place] + (state.heaps[place] - taken,) + state.heaps[place + 1 :]  # noqa: RUF005
        return Heaps(changed, (state.turn + 1) % self.players)


class NimComprehension(NimTuples):
    """A new tuple by a comprehension over the old one."""

    def result(self, state, action):
        place, taken = divmod(action, 64)
        heaps = tuple(heap - taken if number == place else heap for number, heap in enumerate(state.heaps))
        return Heaps(heaps, (state.turn + 1) % self.players)


class Deal(NamedTuple):
    cards: tuple[int, ...]
    flags: tuple[tuple[bool, int], ...]
    dealt: int = 0
    bets: int = 0


@dataclass(frozen=True)
class Cards(Game):
    """Chance with float and with integer weights, hidden information, nested tuples, a key, bounds of every kind of knowledge."""

    exact: bool = True

    def start(self):
        return Deal((-1, -1), ((False, 0), (True, 7)))

    def player(self, deal):
        return CHANCE if deal.dealt < 2 else deal.bets & 1

    def chances(self, deal):
        for card in range(4):
            if card not in deal.cards:
                yield card, (card + 1 if self.exact else 1 / (4 - deal.dealt))

    def actions(self, deal):
        yield from (0, 1)

    def result(self, deal, action):
        if deal.dealt < 2:
            cards = tuple(action if number == deal.dealt else deal.cards[number] for number in range(2))
            return deal._replace(cards=cards, dealt=deal.dealt + 1)
        flags = ((action == 1, deal.flags[0][1] + action), deal.flags[1])
        return Deal(deal.cards, flags, deal.dealt, deal.bets + 1)

    def terminal(self, deal):
        return deal.bets == 4

    def utility(self, deal):
        stake = deal.flags[0][1] + (2 if deal.flags[0][0] else 1)
        return stake if deal.cards[0] > deal.cards[1] else -stake

    def information(self, deal, player):
        return deal.cards[player], deal.flags[0], deal.bets

    def key(self, deal):
        return deal.cards, deal.flags[0], deal.dealt * 8 + deal.bets

    def evaluate(self, deal):
        return (deal.cards[0] - deal.cards[1]) / 4

    def order(self, deal, action):
        return action if deal.cards[deal.bets & 1] > 1 else -action

    def bounds(self, deal):
        return (-(9 << 21), 9 << 21)

    def candidates(self, deal):
        return [0, 1] if deal.bets < 3 else (1, 0)


@dataclass(frozen=True)
class Signs(Game):
    """`/`, `//`, `%`, `**` and divmod with negative numbers, abs, min, max, round and int of floats."""

    length: int = 9

    def start(self):
        return (0, -5, 3)

    def player(self, state):
        return state[0] % 2

    def actions(self, state):
        yield from (-3, -1, 2, 4)

    def result(self, state, action):
        first = state[1] // action - state[2] % action + divmod(state[1], action)[1] + (-7 // action) % 5
        second = int(state[1] / action) + abs(action) ** 2 - max(action, state[2] % -4, -2) + min(first, 3)
        return state[0] + 1, first, second

    def terminal(self, state):
        return state[0] == self.length

    def utility(self, state):
        return state[1] / 3 + (state[2] - 0.5) // 2 + (state[1] + 0.5) % -3 + float(state[2] > 0)


@dataclass(frozen=True)
class Nested(Game):
    """Functions inside rules, lists, loops that break and go on, membership, chained comparisons."""

    def start(self):
        return (0, 0)

    def player(self, state):
        return state[0] & 1

    def actions(self, state):
        for number in [4, 1, 3]:
            if number in (state[1] % 5, 9):
                continue
            yield number

    def result(self, state, action):
        def twice(number):
            return 2 * number

        seen = []
        for number in range(10):
            if number == action:
                break
            seen.append(twice(number))
        else:
            seen.append(100)
        while len(seen) > 2:
            seen.pop()
        total = 0
        for number in seen:
            total += number
        return state[0] + 1, (total + state[1] * 3) % 101

    def terminal(self, state):
        return not 0 <= state[0] < 8

    def utility(self, state):
        return state[1] if state[1] not in (1, 2, 3) else -1
