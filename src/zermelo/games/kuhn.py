"""Kuhn poker: each player puts in one chip and gets one card; one bet of one chip may be made, then called or refused by the others.

The highest card of those who paid wins the pot; if nobody bets, the highest card of all. The deck has one card more than players, or as
many as one likes.
Source: H. W. Kuhn, A simplified two-person poker, Contributions to the Theory of Games I (1950); for more players N. Abou Risk and
D. Szafron, AAMAS 2010.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Game, player_name

__all__ = ["BET", "PASS", "Hand", "Kuhn"]

RANKS = "23456789TJQKA"
UNKNOWN = -1  # a card that is not dealt yet
PASS, BET = 0, 1  # check and bet; once there is a bet, fold and call


class Hand(NamedTuple):
    cards: tuple[int, ...]  # [player] as far as they are dealt; 0 is the lowest
    moves: str  # "p" a pass, "b" a bet or a call; player `len(moves) % players` is next


@dataclass(frozen=True)
class Kuhn(Game):
    """The smallest poker with bluffs."""

    players: int = 2
    cards: int = 0  # in the deck; 0: one more than there are players

    seats = ("Opener", "Dealer")
    unit = ("chips", 1)

    def __post_init__(self) -> None:
        if not 2 <= self.players <= 12:
            raise ZermeloError(f"Kuhn poker is for 2 to 12 players, not {self.players}.")
        if self.cards != 0 and self.cards < self.players:
            raise ZermeloError(f"Kuhn poker needs a card for each of {self.players} players: a deck of {self.cards} is too small.")

    @property
    def deck(self) -> int:
        return self.cards if self.cards > 0 else self.players + 1

    @property
    def payoffs(self) -> tuple[float, float]:
        return (-2, 2 * (self.players - 1))

    def start(self) -> Hand:
        return Hand((), "")

    def player(self, hand: Hand) -> int:
        return CHANCE if len(hand.cards) < self.players else len(hand.moves) % self.players

    def chances(self, hand: Hand) -> Iterator[tuple[int, int]]:
        for card in range(self.deck):
            if card not in hand.cards:
                yield card, 1

    def actions(self, hand: Hand) -> tuple[int, int]:
        return PASS, BET

    def result(self, hand: Hand, action: int) -> Hand:
        if len(hand.cards) < self.players:
            return Hand((*hand.cards, action), "")
        return Hand(hand.cards, hand.moves + "pb"[action])

    def terminal(self, hand: Hand) -> bool:
        """Everybody has passed, or everybody has answered the bet."""
        return len(hand.moves) == self.players + max(hand.moves.find("b"), 0)

    def paid(self, hand: Hand, player: int) -> bool:
        """Did this player put in a second chip?"""
        return hand.moves[player] == "b" or hand.moves[player + self.players : player + self.players + 1] == "b"

    def winner(self, hand: Hand) -> int:
        """Who has the highest card of those who paid, or of all where nobody bet."""
        return max(range(self.players), key=lambda player: (self.paid(hand, player), hand.cards[player]))

    def gain(self, hand: Hand, player: int) -> int:
        """What the player takes out, less what he put in."""
        put_in = 1 + self.paid(hand, player)
        pot = self.players + hand.moves.count("b")
        return pot - put_in if player == self.winner(hand) else -put_in

    def utility(self, hand: Hand) -> Any:
        if self.players == 2:
            return self.gain(hand, 0)
        return tuple(self.gain(hand, player) for player in range(self.players))

    def information(self, hand: Hand, player: int) -> tuple[int, str]:
        """His own card, and all moves."""
        return (hand.cards[player] if player < len(hand.cards) else UNKNOWN), hand.moves

    def sample(self, hand: Hand, player: int, random: Random) -> Hand:
        """The same moves with other cards in the other hands."""
        own = self.information(hand, player)[0]
        unseen = [card for card in range(self.deck) if card != own]
        random.shuffle(unseen)
        return Hand(tuple(card if seat == player else unseen.pop() for seat, card in enumerate(hand.cards)), hand.moves)

    def card_name(self, card: int) -> str:
        if card == UNKNOWN:
            return "?"
        if self.deck > len(RANKS):
            return str(card + 1)
        return "JQK"[card] if self.deck == 3 else RANKS[len(RANKS) - self.deck :][card]

    def name(self, hand: Hand, action: int) -> str:
        if len(hand.cards) < self.players:
            return self.card_name(action)
        return (("fold", "call") if "b" in hand.moves else ("check", "bet"))[action]

    def name_information(self, information: tuple[int, str]) -> str:
        card, moves = information
        space = " " if self.deck > len(RANKS) and moves else ""
        return f"{self.card_name(card)}{space}{moves}"

    def held(self, hand: Hand) -> list[str]:
        """The name of everybody's card, in the order of the seats."""
        return [self.card_name(self.information(hand, player)[0]) for player in range(self.players)]

    def show(self, hand: Hand) -> str:
        """The cards in the order of the seats, then the moves: `K Q pb`."""
        return " ".join([*self.held(hand), hand.moves or "-"])

    def read(self, text: str) -> Hand:
        *names, moves = text.split()
        deck = [self.card_name(card) for card in range(self.deck)]
        held = [name for name in names if name != "?"]
        in_order = names == held + ["?"] * (len(names) - len(held))
        if len(names) != self.players or not in_order or not set(held) <= set(deck) or len(set(held)) < len(held):
            raise ZermeloError(
                f"{text!r} is not a hand of Kuhn poker: write it like {self.show(self.start())!r}, with cards {' '.join(deck)}."
            )
        hand = self.start()
        for name in held:
            hand = self.result(hand, deck.index(name))
        for move in moves.replace("-", ""):
            if move not in "pb" or self.player(hand) == CHANCE or self.terminal(hand):
                raise ZermeloError(f"{text!r} is not a hand of Kuhn poker: the moves {moves!r} do not follow its rules.")
            hand = self.result(hand, "pb".index(move))
        return hand

    def board(self, hand: Hand) -> dict[str, Any]:
        hands = {player_name(self, seat): [card] for seat, card in enumerate(self.held(hand))}
        moves = hand.moves
        said = ["bet" if move == "b" else "check" for move in moves[: moves.find("b") + 1 or None]]
        said += ["call" if move == "b" else "fold" for move in moves[len(said) :]]
        return {"kind": "cards", "hands": hands, "pot": self.players + moves.count("b"), "caption": ", ".join(said)}
