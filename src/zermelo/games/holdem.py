"""Texas hold'em for two: two ranges, a board, bets of chosen sizes, and the cards that are still to come.

Each player holds two cards out of a range, three to five cards lie open, and before each further card both may bet; the best five of all
seven cards win the pot. Payoffs are chips won over an even share of the pot at the start. `deck="short"` has 36 cards, where a flush beats
a full house; smaller decks, one hole card and other streets make small games of the same kind. Source: the rules of the World Series of
Poker; short deck after Triton Poker.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from numbers import Real
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.games._betting import Betting, Node, Sizes, betting_tree
from zermelo.games._cards import RANKS, SUITS, card_name, cards, hand_class, hand_name, matrix_range, parse_range, strengths, suit_masks
from zermelo.games._made_hands import draw, made_hand
from zermelo.rules import CHANCE, Game
from zermelo.trees import public
from zermelo.trees.public import PublicGame, PublicNode

__all__ = ["Holdem", "Spot"]

NONE = -1
MOST_CARDS = 7  # of a player and the board together
NAMES = ("preflop", "flop", "turn", "river")
DECKS = {"full": "2-A", "short": "6-A"}


class Spot(NamedTuple):
    hands: tuple[int, int]  # [player] number of the hand in the player's range; NONE: not dealt yet
    runout: tuple[int, ...]  # cards dealt after the start
    node: int  # of the betting tree


class Board(str):
    """The parameter `board`, which is also the rules' `board(spot)`: called, it gives the table as plain data."""

    game: "Holdem"

    def __call__(self, spot: Spot) -> dict[str, Any]:
        return self.game.table(spot)


@dataclass(frozen=True)
class Holdem(Game):
    """A spot of Texas hold'em with two ranges."""

    board: str = "Qs Jh 2h 7c 3d"
    pot: float = 50
    stack: float = 100  # chips that each can still bet
    oop: str = "AA:0.5,KQs,T9s"  # who acts first; also 13 rows of 13 weights, aces first, suited hands above the diagonal
    ip: str = "KK,QTs,AhTh"
    bets: str = "50%,a"
    raises: str = "a"
    donks: str = ""  # sizes of the first player after the other one bet last; empty: as bets
    allin_threshold: float = 0.67
    raise_limit: int | None = None
    rake: float = 0.0  # share of the pot that the house takes
    rake_cap: float | None = None
    deck: str = "full"
    hole: int = 2  # private cards
    streets: str = "3,1,1"  # cards that are laid on the board before each round of bets
    seats = ("First to act", "Last to act")

    def __post_init__(self) -> None:
        if self.hole not in (1, 2) or self.hole + sum(self.steps) > MOST_CARDS:
            raise ZermeloError(f"A player holds one or two cards, and at most {MOST_CARDS} with the board's, not {self.hole}.")
        for seat in ("oop", "ip"):
            if not isinstance(getattr(self, seat), str):
                object.__setattr__(self, seat, matrix_range(getattr(self, seat), seat))
        board = Board(self.board)
        board.game = self
        object.__setattr__(self, "board", board)
        lying = cards(self.board)
        if len(lying) not in self.totals:
            several = ", ".join(map(str, self.totals[:-1]))
            raise ZermeloError(f"The board has {several} or {self.totals[-1]} cards, not {len(lying)}: write board='Qs Jh 2h'.")
        missing = [card for card in lying if card not in self.all_cards]
        if missing:
            raise ZermeloError(f"The card {card_name(missing[0])} on the board is not in the {self.deck} deck.")
        for name in ("pot", "stack", "rake", "allin_threshold"):
            if not isinstance(getattr(self, name), Real):
                raise ZermeloError(f"The parameter {name} is a number, not {getattr(self, name)!r}.")
        for name, value in (("pot", self.pot), ("stack", self.stack)):
            if not 0 < value < 1e12:
                raise ZermeloError(f"The {name} is a positive number of chips, not {value}.")
        if not 0 <= self.rake < 1 or not (self.rake_cap is None or self.rake_cap >= 0):
            raise ZermeloError("The rake is a share from 0 to below 1 of the pot, and its cap no less than 0.")
        if not 0 < self.allin_threshold <= 1:
            raise ZermeloError(f"The all-in threshold is a share of the stack above 0 and at most 1, not {self.allin_threshold}.")
        if self.raise_limit is not None and self.raise_limit < 0:
            raise ZermeloError(f"The limit of raises is a whole number from 0 on, not {self.raise_limit}.")
        if len(self.all_cards) < 2 * self.hole + self.totals[-1]:
            raise ZermeloError(f"The deck {self.deck} has {len(self.all_cards)} cards, too few for two hands and the board.")
        if all(set(hand) & set(other) for hand in self.ranges[0] for other in self.ranges[1]):
            raise ZermeloError("Every hand of one range holds a card of every hand of the other: nothing can be dealt.")

    @property
    def total(self) -> float | None:
        return 0 if self.rake == 0 else None

    @property
    def payoffs(self) -> tuple[float, float]:
        most = self.pot / 2 + self.stack
        return (-most, most)

    @cached_property
    def lying(self) -> tuple[int, ...]:
        """The board's cards."""
        return cards(self.board)

    @cached_property
    def all_cards(self) -> tuple[int, ...]:
        """The deck: `full`, `short`, or its ranks and, where they are not all four, its suits, as in `T-A` or `J-A hs`."""
        match = re.fullmatch(rf"([{RANKS}])-([{RANKS}])(?:\s+([{SUITS}]+))?", DECKS.get(self.deck, self.deck))
        if match is None or RANKS.index(match[1]) > RANKS.index(match[2]):
            raise ZermeloError(f"There is no deck {self.deck!r}: it is full, short, or ranks and suits such as T-A or J-A hs.")
        low, high = RANKS.index(match[1]), RANKS.index(match[2])
        return tuple(card for card in range(4 * low, 4 * high + 4) if SUITS[card % 4] in (match[3] or SUITS))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Cards that come before each round of bets but the first."""
        if re.fullmatch(r"[1-5](,[1-5]){0,2}", self.streets.replace(" ", "")) is None:
            raise ZermeloError(f"The streets are one to three numbers of cards, such as '3,1,1', not {self.streets!r}.")
        return tuple(map(int, self.streets.split(",")))

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """How many cards may lie on the board where bets are made: none, and after each street."""
        return tuple(sum(self.steps[:count]) for count in range(len(self.steps) + 1))

    @cached_property
    def ranges(self) -> tuple[dict[tuple[int, ...], float], dict[tuple[int, ...], float]]:
        """[player] hand → weight."""
        left = [card for card in self.all_cards if card not in self.lying]
        return (
            parse_range(self.oop, left, self.hole, who="the range oop"),
            parse_range(self.ip, left, self.hole, who="the range ip"),
        )

    @cached_property
    def holdings(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """[player][number] the hand."""
        return tuple(self.ranges[0]), tuple(self.ranges[1])

    @cached_property
    def _pairs(self) -> tuple[tuple[int, int, float], ...]:
        """Hands that can be dealt together, with their probabilities."""
        first, second = (list(each.items()) for each in self.ranges)
        found = [
            (one, two, weight * other)
            for one, (hand, weight) in enumerate(first)
            for two, (against, other) in enumerate(second)
            if not set(hand) & set(against)
        ]
        whole = sum(weight for _, _, weight in found)
        return tuple((one, two, weight / whole) for one, two, weight in found)

    @cached_property
    def rounds(self) -> tuple[str, ...]:
        """[cards dealt since the start] name of the street that begins there; "": none does."""
        named = dict(zip(self.totals, NAMES, strict=False))
        return tuple(named.get(count, "") for count in range(len(self.lying), self.totals[-1] + 1))

    @cached_property
    def nodes(self) -> tuple[PublicNode, ...]:
        """The betting tree."""
        donks = Sizes(self.donks, self.rounds, "donks") if self.donks else None
        sizes = Sizes(self.bets, self.rounds, "bets"), Sizes(self.raises, self.rounds, "raises")
        betting = Betting(self.pot, self.stack, self.rounds, *sizes, donks, self.allin_threshold, self.raise_limit)
        return numbered(betting_tree(betting), self.pot, self.rake, self.rake_cap)

    # The six rules -------------------------------------------------------------------------------------------------------------------

    def start(self) -> Spot:
        return Spot((NONE, NONE), (), 0)

    def player(self, spot: Spot) -> int:
        return CHANCE if spot.hands[0] == NONE or self.nodes[spot.node].kind == public.CHANCE else self.nodes[spot.node].player

    def chances(self, spot: Spot) -> Iterator[tuple[int, Any]]:
        if spot.hands[0] == NONE:
            yield from ((place, weight) for place, (_, _, weight) in enumerate(self._pairs))
            return
        gone = {*self.lying, *spot.runout, *self.holdings[0][spot.hands[0]], *self.holdings[1][spot.hands[1]]}
        yield from ((card, 1) for card in self.all_cards if card not in gone)

    def actions(self, spot: Spot) -> list[int]:
        if self.terminal(spot):
            return []
        if self.player(spot) == CHANCE:
            return [action for action, _ in self.chances(spot)]
        return list(range(len(self.nodes[spot.node].children)))

    def result(self, spot: Spot, action: int) -> Spot:
        if spot.hands[0] == NONE:
            return Spot(self._pairs[action][:2], (), 0)
        node = self.nodes[spot.node]
        if node.kind == public.CHANCE:
            return Spot(spot.hands, (*spot.runout, action), node.children[0])
        return Spot(spot.hands, spot.runout, node.children[action])

    def terminal(self, spot: Spot) -> bool:
        return spot.hands[0] != NONE and self.nodes[spot.node].kind in (public.FOLD, public.SHOWDOWN)

    def utility(self, spot: Spot) -> Any:
        node = self.nodes[spot.node]
        if node.kind == public.FOLD:
            ends = (node.lose[0], node.win[1]) if node.player == 0 else (node.win[0], node.lose[1])
        else:
            first, second = (self.strength(self.holdings[seat][spot.hands[seat]], spot.runout) for seat in range(2))
            ends = node.tie if first == second else (node.win[0], node.lose[1]) if first > second else (node.lose[0], node.win[1])
        return ends[0] if self.rake == 0 else ends

    def strength(self, hand: tuple[int, ...], runout: tuple[int, ...]) -> int:
        """How good the best five cards are."""
        return int(strengths(suit_masks((*hand, *self.lying, *runout)), self.hole + self.totals[-1], self.deck == "short"))

    def information(self, spot: Spot, player: int) -> tuple[int, tuple[int, ...], int]:
        return spot.hands[player], spot.runout, spot.node

    # Words ---------------------------------------------------------------------------------------------------------------------------

    def name(self, spot: Spot, action: int) -> str:
        if spot.hands[0] == NONE:
            one, two, _ = self._pairs[action]
            return f"{hand_name(self.holdings[0][one])}-{hand_name(self.holdings[1][two])}"
        node = self.nodes[spot.node]
        return card_name(action) if node.kind == public.CHANCE else node.actions[action].replace(" ", "")

    def show(self, spot: Spot) -> str:
        held = ("?" if number == NONE else hand_name(self.holdings[seat][number]) for seat, number in enumerate(spot.hands))
        board = " ".join(map(card_name, (*self.lying, *spot.runout)))
        return f"{' '.join(held)} on {board}, node {spot.node}"

    def table(self, spot: Spot) -> dict[str, Any]:
        """Cards of both players and of the board."""
        held = {
            self.seats[seat]: ["?"] * self.hole if number == NONE else list(map(card_name, own[number]))
            for seat, number, own in zip((0, 1), spot.hands, self.holdings, strict=True)
        }
        open_cards = [card_name(card) for card in (*self.lying, *spot.runout)]
        return {"kind": "cards", "hands": held, "table": open_cards, **stakes(self.nodes[spot.node], self.pot, self.seats)}

    # The public form -----------------------------------------------------------------------------------------------------------------

    def public(self) -> PublicGame:
        """The spot as ranges over a betting tree."""
        import numpy as np

        hands = tuple(np.array(own, np.int64) for own in self.holdings)
        return PublicGame(
            nodes=self.nodes,
            hands=(hands[0], hands[1]),
            weights=(np.array(list(self.ranges[0].values())), np.array(list(self.ranges[1].values()))),
            deck=self.all_cards,
            board=self.lying,
            streets=self.totals[-1] - len(self.lying),
            strengths=self._board_strengths,
            renamings=tuple(swap for swap in suit_swaps() if {int(swap[card]) for card in self.all_cards} == set(self.all_cards)),
            pot=self.pot,
            offset=self.pot / 2,
            zero_sum=self.rake == 0,
            hand_name=hand_name,
            hand_class=hand_class,
            card_name=card_name,
            describe=self.describe,
        )

    def describe(self, hand: tuple[int, ...], board: tuple[int, ...]) -> tuple[str, str]:
        """What a hand has made, and what it draws to where cards are still to come."""
        short = self.deck == "short"
        return made_hand(hand, board, short), draw(hand, board, short) if 3 <= len(board) < self.totals[-1] else ""

    def _board_strengths(self, boards: Any) -> tuple[Any, Any]:
        """[player][board, hand] strength on every board."""
        import numpy as np

        lying = suit_masks(boards)
        found = []
        for own in self.holdings:
            held = suit_masks(np.array(own))
            found.append(strengths(lying[:, None, :] | held[None, :, :], self.hole + self.totals[-1], self.deck == "short"))
        return found[0], found[1]


def suit_swaps() -> tuple[Any, ...]:
    """[card] → card for every pair of suits that change places."""
    import numpy as np

    swaps = []
    for one, two in combinations(range(len(SUITS)), 2):
        suits = {one: two, two: one}
        swaps.append(np.array([card - card % 4 + suits.get(card % 4, card % 4) for card in range(52)]))
    return tuple(swaps)


def stakes(node: PublicNode, pot: float, seats: tuple[str, ...]) -> dict[str, Any]:
    """The pot on a board, and what each player has added to what lay there at the start; called bets only where somebody has folded."""
    paid = {seat: plain(-lost - pot / 2) for seat, lost in zip(seats, node.lose, strict=True)}
    return {"pot": plain(pot + sum(paid.values())), "chips": {seat: chips for seat, chips in paid.items() if chips}}


def plain(chips: float) -> float:
    """Whole chips as a whole number."""
    return int(chips) if chips == int(chips) else chips


def numbered(root: Node, pot: float, rake: float = 0.0, cap: float | None = None) -> tuple[PublicNode, ...]:
    """The betting tree as a row of nodes, every child after its parent, with what each end pays."""
    order = [root]
    for node in order:
        order.extend(node.children)
    place = {id(node): number for number, node in enumerate(order)}
    made = []
    for node in order:
        called = min(node.paid)
        taken = min(rake * (pot + 2 * called), rake * (pot + 2 * called) if cap is None else cap)
        win = tuple(pot / 2 + min(node.paid[1 - seat], called) - taken for seat in range(2))
        lose = tuple(-pot / 2 - node.paid[seat] for seat in range(2))
        if node.kind == public.FOLD:
            lose = tuple(-pot / 2 - min(node.paid[seat], called) for seat in range(2))
        ends = ((win[0], win[1]), (-taken / 2, -taken / 2), (lose[0], lose[1]))
        children = tuple(place[id(child)] for child in node.children)
        made.append(PublicNode(node.kind, node.player, node.street, tuple(node.actions), children, *ends))
    return tuple(made)
