"""One-card poker: one card each from n ranks, one chip ante, one bet whose size may be chosen, which the other calls or refuses.

With three ranks and a bet of one chip it is Kuhn poker. Source: H. W. Kuhn, A simplified two-person poker (1950); G. Gordon's one-card
poker (2005) for larger decks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, MIN, Game, player_name

__all__ = ["CALL", "PASS", "Hand", "OneCardPoker"]

PASS, CALL = 0, 1  # check or fold; against a bet, call. Without a bet, action i > 0 is the i-th size of bet
NONE = -1


class Hand(NamedTuple):
    first: int  # Max's card, 0 is the lowest
    second: int
    moves: int  # how many
    checked: bool  # Max has checked
    bet: int  # chips of the bet; 0: none yet
    bettor: int
    ended: int  # 0: goes on; 1: shown cards; 2: the bet was refused
    size: int  # which of the sizes was bet, from 1; 0: none


@dataclass(frozen=True)
class OneCardPoker(Game):
    """Poker with one card and chosen sizes of bets."""

    ranks: int = 13
    bets: tuple[int, ...] = (1,)

    seats = ("Opener", "Dealer")
    unit = ("chips", 1)

    def __post_init__(self) -> None:
        if self.ranks < 2:
            raise ZermeloError(f"One-card poker needs two ranks or more, not {self.ranks}.")
        if not self.bets or min(self.bets) < 1 or len(set(self.bets)) < len(self.bets):
            raise ZermeloError(f"One-card poker needs different bets of at least one chip, such as bets=(1, 2), not {self.bets}.")

    @property
    def payoffs(self) -> tuple[float, float]:
        return (-1 - max(self.bets), 1 + max(self.bets))

    def start(self) -> Hand:
        return Hand(NONE, NONE, 0, False, 0, NONE, 0, 0)

    def player(self, hand: Hand) -> int:
        return CHANCE if hand.second == NONE else hand.moves % 2

    def chances(self, hand: Hand) -> Iterator[tuple[int, int]]:
        for card in range(self.ranks):
            if card != hand.first:
                yield card, 1

    def actions(self, hand: Hand) -> Iterator[int]:
        if self.terminal(hand):
            return
        yield PASS
        if hand.bet > 0:
            yield CALL
        else:
            yield from range(1, len(self.bets) + 1)

    def result(self, hand: Hand, action: int) -> Hand:
        if hand.first == NONE:
            return hand._replace(first=action)
        if hand.second == NONE:
            return hand._replace(second=action)
        if hand.bet > 0:
            return hand._replace(moves=hand.moves + 1, ended=2 if action == PASS else 1)
        if action == PASS:
            return hand._replace(moves=hand.moves + 1, checked=True, ended=1 if hand.checked else 0)
        return hand._replace(moves=hand.moves + 1, bet=self.bets[action - 1], bettor=hand.moves % 2, size=action)

    def terminal(self, hand: Hand) -> bool:
        return hand.ended > 0

    def utility(self, hand: Hand) -> int:
        if hand.ended == 2:
            return 1 if hand.bettor == MAX else -1
        stake = 1 + hand.bet
        return stake if hand.first > hand.second else -stake

    def information(self, hand: Hand, player: int) -> tuple[int, int, int, int]:
        """His own card, how many moves there were, the bet, and whether Max checked."""
        return (hand.first if player == MAX else hand.second), hand.moves, hand.size, int(hand.checked)

    def sample(self, hand: Hand, player: int, random: Random) -> Hand:
        """The same moves with another card in the other hand."""
        own, other = (hand.first, hand.second) if player == MAX else (hand.second, hand.first)
        if other == NONE:
            return hand
        card = random.choice([card for card in range(self.ranks) if card != own])
        return hand._replace(second=card) if player == MAX else hand._replace(first=card)

    def card_name(self, card: int) -> str:
        return "?" if card == NONE else str(card + 1)

    def name(self, hand: Hand, action: int) -> str:
        if self.player(hand) == CHANCE:
            return self.card_name(action)
        if hand.bet > 0:
            return ("fold", "call")[action]
        return "check" if action == PASS else f"bet{self.bets[action - 1]}"

    def name_information(self, information: tuple[int, int, int, int]) -> str:
        card, moves, size, checked = information
        words = [self.card_name(card), *(["check"] if checked else []), *([f"bet{self.bets[size - 1]}"] if size else [])]
        return " ".join(words + ["check"] * (moves == 2 and not size))

    def show(self, hand: Hand) -> str:
        """The cards, then the moves: `3 1 check bet1`."""
        moves = ["check"] * hand.checked
        if hand.bet > 0:
            moves.append(f"bet{hand.bet}")
            moves += {0: [], 1: ["call"], 2: ["fold"]}[hand.ended]
        elif hand.ended:
            moves.append("check")
        return " ".join([self.card_name(hand.first), self.card_name(hand.second), *moves])

    def read(self, text: str) -> Hand:
        hand = self.start()
        for word in text.split():
            if word == "?" or self.terminal(hand):
                break
            chance = self.player(hand) == CHANCE
            legal = [card for card, _ in self.chances(hand)] if chance else list(self.actions(hand))
            named = {self.name(hand, action): action for action in legal}
            if word not in named:
                break
            hand = self.result(hand, named[word])
        if self.show(hand) != " ".join(text.split()):
            raise ZermeloError(f"{text!r} is not a hand of one-card poker: write it like '3 1 check bet{self.bets[0]}'.")
        return hand

    def board(self, hand: Hand) -> dict[str, Any]:
        hands = {player_name(self, MAX): [self.card_name(hand.first)], player_name(self, MIN): [self.card_name(hand.second)]}
        return {"kind": "cards", "hands": hands, "caption": " ".join(self.show(hand).split()[2:])}
