"""Blackjack: draw cards up to 21 without going over, against a dealer who draws to 17; who is nearer to 21 wins the bet.

The deck is endless: every card is as likely as another at any time. The player sees one card of the dealer; an ace counts 11 where that
does not go over 21; 21 with two cards, a blackjack, pays more. There is no splitting. Source: E. O. Thorp, Beat the Dealer (1962); R.
S. Sutton and A. G. Barto, Reinforcement Learning (2018), example 5.1. The value is the expected gain of a bet of 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import CHANCE, MAX, Game

STAND, HIT, DOUBLE = 0, 1, 2
NAMES = ("stand", "hit", "double")
STAGES = ("deal", "peek", "play", "last card", "dealer", "over")
DEAL, PEEK, PLAY, LAST, DEALER, OVER = range(6)
NOTHING, NATURAL = 0, 1  # what the dealer finds when he looks for a blackjack


class Hand(NamedTuple):
    total: int = 0
    soft: bool = False  # an ace counts 11
    cards: int = 0


class Round(NamedTuple):
    player: Hand
    dealer: Hand
    stage: int
    bet: int = 1
    looked: bool = False  # the dealer has looked under his ace or ten: he has no blackjack


def draw(hand: Hand, card: int) -> Hand:
    """The hand with one more card; 1 is an ace, 10 every ten and face card."""
    total, soft = hand.total + card, hand.soft
    if card == 1 and total + 10 <= 21:
        total, soft = total + 10, True
    if total > 21 and soft:
        total, soft = total - 10, False
    return Hand(total, soft, hand.cards + 1)


@dataclass(frozen=True)
class Blackjack(Game):
    """Twenty-one against the bank."""

    natural: float = 1.5  # what a blackjack pays
    soft17: bool = False  # does the dealer draw to a 17 with an ace that counts 11?
    double: bool = True  # may the player double the bet for one last card?
    peek: bool = True  # does the dealer look for a blackjack before the player moves?
    players = 1
    seats = ("Player",)

    def __post_init__(self) -> None:
        if self.natural < 1:
            raise RulesError(f"A blackjack pays the bet at least, not {self.natural}.")

    @property
    def payoffs(self) -> tuple[float, float]:
        return -2, max(2, self.natural)

    def start(self) -> Round:
        return Round(Hand(), Hand(), DEAL)

    def player(self, state: Round) -> int:
        return MAX if state.stage == PLAY else CHANCE

    def chances(self, state: Round) -> Iterator[tuple[int, int]]:
        """Cards 1 to 9 once, tens four times; or whether the dealer has a blackjack."""
        partner = 10 if state.dealer.soft else 1  # what makes a blackjack of his first card
        if state.stage == PEEK:
            weight = 4 if partner == 10 else 1
            yield from ((NOTHING, 13 - weight), (NATURAL, weight))
        else:
            hidden = state.stage == DEALER and state.dealer.cards == 1 and state.looked
            for card in range(1, 11):
                if not (hidden and card == partner):
                    yield card, 4 if card == 10 else 1

    def actions(self, state: Round) -> Iterator[int]:
        if state.stage == PLAY:
            yield from (STAND, HIT)
            if self.double and state.player.cards == 2:
                yield DOUBLE

    def result(self, state: Round, action: int) -> Round:
        if state.stage == DEAL:  # two cards for the player, then one for the dealer
            if state.player.cards < 2:
                return state._replace(player=draw(state.player, action))
            return self.opened(state._replace(dealer=draw(state.dealer, action)))
        if state.stage == PEEK:
            if action == NATURAL:
                return state._replace(dealer=Hand(21, True, 2), stage=OVER)
            return state._replace(stage=OVER if self.blackjack(state.player) else PLAY, looked=True)
        if state.stage == PLAY:
            if action == STAND:
                return state._replace(stage=DEALER)
            return state._replace(stage=LAST, bet=2 if action == DOUBLE else state.bet)
        if state.stage == LAST:
            hand = draw(state.player, action)
            after = OVER if hand.total > 21 else DEALER if state.bet == 2 or hand.total == 21 else PLAY
            return state._replace(player=hand, stage=after)
        hand = draw(state.dealer, action)
        draws = hand.total < 17 or (hand.total == 17 and hand.soft and self.soft17)
        return state._replace(dealer=hand, stage=DEALER if draws else OVER)

    def opened(self, state: Round) -> Round:
        """The dealer's card is on the table."""
        if self.peek and state.dealer.total in (10, 11):
            return state._replace(stage=PEEK)
        if self.blackjack(state.player):
            return state._replace(stage=DEALER if state.dealer.total in (10, 11) else OVER)
        return state._replace(stage=PLAY)

    def blackjack(self, hand: Hand) -> bool:
        return hand.total == 21 and hand.cards == 2

    def terminal(self, state: Round) -> bool:
        return state.stage == OVER

    def utility(self, state: Round) -> float:
        player, dealer = state.player, state.dealer
        if self.blackjack(player):
            return 0 if self.blackjack(dealer) else self.natural
        if player.total > 21 or (self.blackjack(dealer) and player.total <= 21):
            return -state.bet
        if dealer.total > 21:
            return state.bet
        return state.bet * ((player.total > dealer.total) - (player.total < dealer.total))

    def cost(self, state: Round, action: int) -> int:
        return 0  # what counts is the gain at the end

    def name(self, state: Round, action: int) -> str:
        if state.stage == PLAY:
            return NAMES[action]
        if state.stage == PEEK:
            return ("nothing", "blackjack")[action]
        return "ace" if action == 1 else str(action)

    def show(self, state: Round) -> str:
        hands = [f"{'soft ' if hand.soft else ''}{hand.total} in {hand.cards}" for hand in (state.player, state.dealer)]
        looked = ", looked" if state.looked else ""
        return f"player {hands[0]}, dealer {hands[1]}, bet {state.bet}, {STAGES[state.stage]}{looked}"

    def read(self, text: str) -> Round:
        parts = [part.strip() for part in text.split(",")]
        try:
            player, dealer = (part.partition(" ")[2].replace(" in ", " ").split() for part in parts[:2])
            hands = [Hand(int(words[-2]), words[0] == "soft", int(words[-1])) for words in (player, dealer)]
            return Round(hands[0], hands[1], STAGES.index(parts[3]), int(parts[2].split()[1]), "looked" in parts[4:])
        except (ValueError, IndexError):
            raise ZermeloError(f"{text.strip()!r} is not a round of blackjack: write it as {self.show(self.start())!r}.") from None

    def board(self, state: Round) -> dict[str, Any]:
        hands = {name: [str(hand.total)] if hand.cards else [] for name, hand in (("Player", state.player), ("Dealer", state.dealer))}
        return {"kind": "cards", "hands": hands, "caption": f"bet {state.bet}"}
