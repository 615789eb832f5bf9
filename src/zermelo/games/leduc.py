"""Leduc hold'em: one private card each and one public card in the middle, a round of betting before and after it.

Both put in one chip; a bet is 2 chips in the first round and 4 in the second, with at most two raises a round. A pair with the public
card wins, otherwise the higher rank. Source: F. Southey et al., Bayes' Bluff: Opponent Modelling in Poker, UAI 2005.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Game
from zermelo.words import replace

__all__ = ["CALL", "FOLD", "RAISE", "Hand", "Leduc"]

FOLD, CALL, RAISE = 0, 1, 2  # a call without a bet is a check
NEXT_ROUND = 3  # stands between the rounds in a history
NONE = -1  # no card yet; nobody has folded
RANKS = "23456789TJQKA"
SUITS = "shdc"
LETTERS = "fcr/"


class Hand(NamedTuple):
    first: int  # Max's card: rank * suits + suit
    second: int  # Min's card
    public: int
    betting: int  # round 0 or 1; 2 when both rounds are over
    turn: int
    raises: int  # in this round
    checked: bool  # has the other player checked in this round?
    folded: int  # who has
    paid: tuple[int, ...]  # chips of each player in the pot
    history: int  # all moves, two bits each, behind a leading 1


@dataclass(frozen=True)
class Leduc(Game):
    """A small poker with a public card."""

    ranks: int = 3
    suits: int = 2
    raises: int = 2  # allowed in one round

    def __post_init__(self) -> None:
        if not (self.ranks >= 1 and 1 <= self.suits <= 4 and self.ranks * self.suits >= 3):
            raise ZermeloError(f"Leduc needs 1 to 4 suits and three cards or more, not {self.ranks} ranks in {self.suits} suits.")
        if not 0 <= self.raises <= 12:
            raise ZermeloError(f"Leduc allows 0 to 12 raises a round, not {self.raises}.")

    @property
    def payoffs(self) -> tuple[float, float]:
        most = 1 + 6 * self.raises
        return (-most, most)

    @property
    def deck(self) -> int:
        return self.ranks * self.suits

    def start(self) -> Hand:
        return Hand(NONE, NONE, NONE, 0, 0, 0, False, NONE, (1, 1), 1)

    def player(self, hand: Hand) -> int:
        dealing = hand.second == NONE or (hand.betting == 1 and hand.public == NONE)
        return CHANCE if dealing else hand.turn

    def chances(self, hand: Hand) -> Iterator[tuple[int, int]]:
        for card in range(self.deck):
            if card != hand.first and card != hand.second:
                yield card, 1

    def actions(self, hand: Hand) -> Iterator[int]:
        if self.terminal(hand):
            return
        if hand.paid[0] != hand.paid[1]:
            yield FOLD
        yield CALL
        if hand.raises < self.raises:
            yield RAISE

    def result(self, hand: Hand, action: int) -> Hand:
        if hand.first == NONE:
            return hand._replace(first=action)
        if hand.second == NONE:
            return hand._replace(second=action)
        if hand.betting == 1 and hand.public == NONE:
            return hand._replace(public=action)
        history = hand.history << 2 | action
        if action == FOLD:
            return hand._replace(folded=hand.turn, history=history)
        level = max(hand.paid[0], hand.paid[1])
        if action == RAISE:
            level += 2 if hand.betting == 0 else 4
        paid = replace(hand.paid, hand.turn, level)
        if action == RAISE:
            return hand._replace(turn=1 - hand.turn, raises=hand.raises + 1, paid=paid, history=history)
        if not hand.checked and hand.raises == 0:
            return hand._replace(turn=1 - hand.turn, checked=True, history=history)
        if hand.betting == 0:
            return hand._replace(betting=1, turn=0, raises=0, checked=False, paid=paid, history=history << 2 | NEXT_ROUND)
        return hand._replace(betting=2, paid=paid, history=history)

    def terminal(self, hand: Hand) -> bool:
        return hand.folded != NONE or hand.betting == 2

    def strength(self, card: int, public: int) -> int:
        """A pair beats every single card."""
        rank = card // self.suits
        return rank + self.ranks if rank == public // self.suits else rank

    def utility(self, hand: Hand) -> int:
        if hand.folded != NONE:
            return -hand.paid[0] if hand.folded == 0 else hand.paid[1]
        first, second = self.strength(hand.first, hand.public), self.strength(hand.second, hand.public)
        if first == second:
            return 0
        return hand.paid[1] if first > second else -hand.paid[0]

    def information(self, hand: Hand, player: int) -> tuple[int, int, int]:
        """His own card, the public card, and all moves."""
        return (hand.first if player == 0 else hand.second), hand.public, hand.history

    def sample(self, hand: Hand, player: int, random: Random) -> Hand:
        """The same moves with another card in the other hand."""
        if hand.second == NONE:
            return hand if player == 0 or hand.first == NONE else hand._replace(first=random.randrange(self.deck))
        own = hand.first if player == 0 else hand.second
        card = random.choice([card for card in range(self.deck) if card not in (own, hand.public)])
        return hand._replace(second=card) if player == 0 else hand._replace(first=card)

    def card_name(self, card: int) -> str:
        if card == NONE:
            return "?"
        rank, suit = divmod(card, self.suits)
        if self.ranks == 3:
            return "JQK"[rank] + SUITS[suit]
        return (RANKS[len(RANKS) - self.ranks :][rank] if self.ranks <= len(RANKS) else f"{rank + 1}") + SUITS[suit]

    def name(self, hand: Hand, action: int) -> str:
        if self.player(hand) == CHANCE:
            return self.card_name(action)
        return ("fold", "check" if hand.paid[0] == hand.paid[1] else "call", "raise")[action]

    def moves_text(self, history: int) -> str:
        text = ""
        while history > 1:
            history, move = divmod(history, 4)
            text = LETTERS[move] + text
        return text

    def name_information(self, information: tuple[int, int, int]) -> str:
        card, public, history = information
        seen = self.card_name(card) if public == NONE else f"{self.card_name(card)}{self.card_name(public)}"
        return f"{seen} {self.moves_text(history)}".rstrip()

    def show(self, hand: Hand) -> str:
        """Max's card, Min's card, the public card, then the moves: `Ks Qh ? cr`."""
        return " ".join([*map(self.card_name, (hand.first, hand.second, hand.public)), self.moves_text(hand.history) or "-"])

    def read(self, text: str) -> Hand:
        words = text.split()
        deck = [self.card_name(card) for card in range(self.deck)]
        if len(words) == 4 and all(word in (*deck, "?") for word in words[:3]):
            held = [word for word in words[:2] if word != "?"]
            hand = self._replay(held, words[3].replace("-", "").replace("/", ""), words[2], deck)
            if self.show(hand) == " ".join(words):
                return hand
        raise ZermeloError(f"{text!r} is no hand of Leduc: write it like 'Ks Qh ? cr', with cards {' '.join(deck)}.")

    def _replay(self, cards: list[str], letters: str, public: str, deck: list[str]) -> Hand:
        hand = self.start()
        for card in cards:
            hand = self.result(hand, deck.index(card))
        for letter in [*letters, ""]:
            if self.player(hand) == CHANCE and hand.betting == 1 and public != "?":
                hand = self.result(hand, deck.index(public))
            if letter == "" or self.terminal(hand) or self.player(hand) == CHANCE or LETTERS.find(letter) not in self.actions(hand):
                break
            hand = self.result(hand, LETTERS.find(letter))
        return hand

    def board(self, hand: Hand) -> dict[str, Any]:
        hands = {"Max": [self.card_name(hand.first)], "Min": [self.card_name(hand.second)], "Table": [self.card_name(hand.public)]}
        return {"kind": "cards", "hands": hands, "caption": f"{self.moves_text(hand.history)} pot {sum(hand.paid)}".strip()}
