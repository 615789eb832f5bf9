"""Leduc hold'em: one private card each and one public card in the middle, a round of betting before and after it.

Everybody puts in one chip; a bet is 2 chips in the first round and 4 in the second, with at most two raises a round. A pair with the
public card wins, otherwise the higher rank; equal ranks share. Source: F. Southey et al., Bayes' Bluff: Opponent Modelling in Poker,
UAI 2005; for more players as in OpenSpiel's leduc_poker.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Game, player_name
from zermelo.words import popcount, replace

__all__ = ["CALL", "FOLD", "RAISE", "Hand", "Leduc"]

FOLD, CALL, RAISE = 0, 1, 2  # a call without a bet is a check
NEXT_ROUND = 3  # stands between the rounds in a history
NONE = -1  # no card yet
RANKS = "23456789TJQKA"
SUITS = "shdc"
LETTERS = "fcr/"


class Hand(NamedTuple):
    cards: tuple[int, ...]  # [player] rank * suits + suit
    dealt: int  # how many players have their card
    public: int
    betting: int  # round 0 or 1; 2 when both rounds are over
    turn: int
    raises: int  # in this round
    waiting: int  # players who have still to speak before the round is over; 0: the game is
    folded: int  # one bit a player
    paid: tuple[int, ...]  # [player] chips in the pot
    history: int  # all moves, two bits each, behind a leading 1


@dataclass(frozen=True)
class Leduc(Game):
    """A small poker with a public card."""

    ranks: int = 3
    suits: int = 2
    raises: int = 2  # allowed in one round
    players: int = 2

    seats = ("Opener", "Dealer")
    unit = ("chips", 1)

    def __post_init__(self) -> None:
        if not (self.ranks >= 1 and 1 <= self.suits <= 4 and self.ranks * self.suits > self.players):
            raise ZermeloError(
                f"Leduc needs 1 to 4 suits and more cards than players, not {self.ranks} ranks in {self.suits} suits for {self.players}."
            )
        if not 2 <= self.players <= 8:
            raise ZermeloError(f"Leduc is for 2 to 8 players, not {self.players}.")
        most = (30 // 2 - self.players) // (self.players - 1)  # so that all moves fit one word
        if not 0 <= self.raises <= most:
            raise ZermeloError(f"Leduc for {self.players} players allows 0 to {most} raises a round, not {self.raises}.")

    @property
    def payoffs(self) -> tuple[float, float]:
        most = 1 + 6 * self.raises
        return (-most, most * (self.players - 1))

    @property
    def deck(self) -> int:
        return self.ranks * self.suits

    def start(self) -> Hand:
        return Hand((NONE,) * self.players, 0, NONE, 0, 0, 0, self.players, 0, (1,) * self.players, 1)

    def player(self, hand: Hand) -> int:
        dealing = hand.dealt < self.players or (hand.betting == 1 and hand.public == NONE)
        return CHANCE if dealing else hand.turn

    def chances(self, hand: Hand) -> Iterator[tuple[int, int]]:
        for card in range(self.deck):
            if card not in hand.cards:
                yield card, 1

    def level(self, hand: Hand) -> int:
        """Chips that everybody has to pay to stay."""
        most = 0
        for seat in range(self.players):
            most = max(most, hand.paid[seat])
        return most

    def actions(self, hand: Hand) -> Iterator[int]:
        if self.terminal(hand):
            return
        if hand.raises > 0:
            yield FOLD
        yield CALL
        if hand.raises < self.raises:
            yield RAISE

    def following(self, folded: int, seat: int) -> int:
        """The next player from this seat on who has not folded."""
        while folded >> seat & 1:
            seat = seat + 1 if seat + 1 < self.players else 0
        return seat

    def result(self, hand: Hand, action: int) -> Hand:
        if hand.dealt < self.players:
            return hand._replace(cards=replace(hand.cards, hand.dealt, action), dealt=hand.dealt + 1)
        if hand.betting == 1 and hand.public == NONE:
            return hand._replace(public=action)
        history, turn = hand.history << 2 | action, hand.turn
        following = turn + 1 if turn + 1 < self.players else 0
        folded, paid, raises, waiting = hand.folded, hand.paid, hand.raises, hand.waiting - 1
        if action == FOLD:
            folded |= 1 << turn
            if popcount(folded) == self.players - 1:
                return hand._replace(folded=folded, waiting=0, history=history)
        elif action == CALL:
            paid = replace(paid, turn, self.level(hand))
        else:
            paid = replace(paid, turn, self.level(hand) + (2 if hand.betting == 0 else 4))
            raises, waiting = raises + 1, self.players - 1 - popcount(folded)
        if waiting > 0:
            return hand._replace(
                turn=self.following(folded, following), raises=raises, waiting=waiting, folded=folded, paid=paid, history=history
            )
        if hand.betting == 0:
            return Hand(
                hand.cards, hand.dealt, NONE, 1, self.following(folded, 0), 0, self.players - popcount(folded), folded, paid,
                history << 2 | NEXT_ROUND,
            )  # fmt: skip
        return hand._replace(betting=2, waiting=0, folded=folded, paid=paid, history=history)

    def terminal(self, hand: Hand) -> bool:
        return hand.waiting == 0

    def strength(self, card: int, public: int) -> int:
        """A pair beats every single card."""
        rank = card // self.suits
        return rank + self.ranks if rank == public // self.suits else rank

    def utility(self, hand: Hand) -> Any:
        if self.players == 2:
            if hand.folded != 0:
                return -hand.paid[0] if hand.folded == 1 else hand.paid[1]
            first, second = self.strength(hand.cards[0], hand.public), self.strength(hand.cards[1], hand.public)
            return 0 if first == second else hand.paid[1] if first > second else -hand.paid[0]
        return tuple(self.gain(hand, player) for player in range(self.players))

    def gain(self, hand: Hand, player: int) -> float:
        """The player's share of the pot, less what he put in."""
        best, winners, pot = NONE, 0, 0
        for seat in range(self.players):
            pot += hand.paid[seat]
            if not hand.folded >> seat & 1:
                strength = self.strength(hand.cards[seat], hand.public)
                winners = 1 if strength > best else winners + 1 if strength == best else winners
                best = max(best, strength)
        wins = not hand.folded >> player & 1 and self.strength(hand.cards[player], hand.public) == best
        return pot / winners - hand.paid[player] if wins else -1.0 * hand.paid[player]

    def information(self, hand: Hand, player: int) -> tuple[int, int, int]:
        """His own card, the public card, and all moves."""
        return hand.cards[player], hand.public, hand.history

    def sample(self, hand: Hand, player: int, random: Random) -> Hand:
        """The same moves with other cards in the other hands."""
        unseen = [card for card in range(self.deck) if card not in (hand.cards[player], hand.public)]
        random.shuffle(unseen)
        cards = (card if seat == player or card == NONE else unseen.pop() for seat, card in enumerate(hand.cards))
        return hand._replace(cards=tuple(cards))

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
        return ("fold", "check" if hand.raises == 0 else "call", "raise")[action]

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
        """The cards in the order of the seats, the public card, then the moves: `Ks Qh ? cr`."""
        return " ".join([*map(self.card_name, (*hand.cards, hand.public)), self.moves_text(hand.history) or "-"])

    def read(self, text: str) -> Hand:
        words = text.split()
        deck = [self.card_name(card) for card in range(self.deck)]
        if len(words) == self.players + 2 and all(word in (*deck, "?") for word in words[:-1]):
            held = [word for word in words[:-2] if word != "?"]
            hand = self._replay(held, words[-1].replace("-", "").replace("/", ""), words[-2], deck)
            if self.show(hand) == " ".join(words):
                return hand
        raise ZermeloError(f"{text!r} is not a hand of Leduc: write it like {self.show(self.start())!r}, with cards {' '.join(deck)}.")

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
        hands = {player_name(self, seat): [self.card_name(card)] for seat, card in enumerate(hand.cards)}
        chips = {player_name(self, seat): paid for seat, paid in enumerate(hand.paid)}
        said = ", ".join({"f": "fold", "c": "call", "r": "raise"}[move] for move in self.moves_text(hand.history) if move in "fcr")
        table = [self.card_name(hand.public)]
        return {"kind": "cards", "hands": hands, "table": table, "pot": sum(hand.paid), "chips": chips, "caption": said}
