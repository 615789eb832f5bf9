"""Goofspiel: prizes 1 to n are turned up one by one; both players bid a card from 1 to n for each, and the higher bid takes the prize.

Equal bids: nobody gets it. Each card is bid once, the last one without being asked; who has more points at the end wins. `hidden` bids
stay secret, only who took the prize is known. Source: S. M. Ross, Goofspiel: the game of pure strategy, Journal of Applied Probability 8
(1971).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, MIN, Game, player_name
from zermelo.words import bits, lsb, popcount

__all__ = ["Goofspiel", "Round"]

NONE = -1
TIE, FIRST, SECOND = 1, 2, 3  # digits of `won`


class Round(NamedTuple):
    first: int  # Max's cards, one bit a card; bit 0 is card 1
    second: int  # Min's cards
    left: int  # prizes not turned up yet, one bit each
    prize: int  # the prize at stake, from 0; NONE while it is turned up
    bid: int  # Max's bid, which Min does not see; NONE: not made
    lead: int  # Max's points less Min's
    prizes: int  # what was turned up, digits in base n + 1 behind a leading 1
    own: int  # Max's bids, in the same way
    other: int  # Min's bids
    won: int  # who took each prize: two bits a round


@dataclass(frozen=True)
class Goofspiel(Game):
    """The game of pure strategy."""

    cards: int = 4
    shuffled: bool = False  # prizes come in random order; otherwise the highest first
    hidden: bool = True  # bids stay secret
    points: bool = False  # the payoff is the difference of points; otherwise 1, 0 or -1

    seats = ("Left", "Right")

    def __post_init__(self) -> None:
        if not 2 <= self.cards <= 13:
            raise ZermeloError(f"Goofspiel is played with 2 to 13 cards, not {self.cards}.")

    @property
    def payoffs(self) -> tuple[float, float]:
        most = self.cards * (self.cards + 1) // 2 if self.points else 1
        return (-most, most)

    def start(self) -> Round:
        every = (1 << self.cards) - 1
        opening = Round(every, every, every, NONE, NONE, 0, 1, 1, 1, 0)
        return opening if self.shuffled else self.turned(opening, self.cards - 1)

    def turned(self, deal: Round, prize: int) -> Round:
        """The next prize lies open."""
        return deal._replace(left=deal.left ^ 1 << prize, prize=prize, prizes=deal.prizes * (self.cards + 1) + prize)

    def player(self, deal: Round) -> int:
        if deal.prize == NONE:
            return CHANCE
        return 0 if deal.bid == NONE else 1

    def chances(self, deal: Round) -> Iterator[tuple[int, int]]:
        for prize in bits(deal.left):
            yield prize, 1

    def actions(self, deal: Round) -> Iterator[int]:
        yield from bits(deal.first if deal.bid == NONE else deal.second)

    def result(self, deal: Round, action: int) -> Round:
        if deal.prize == NONE:
            return self.turned(deal, action)
        if deal.bid == NONE:
            return deal._replace(first=deal.first ^ 1 << action, bid=action)
        after = self.scored(deal, action)
        if popcount(after.left) == 1:  # the last prize and the last cards leave no choice
            last = self.turned(after, lsb(after.left))
            return self.scored(last._replace(first=0, bid=lsb(last.first)), lsb(last.second))
        return after if self.shuffled else self.turned(after, after.left.bit_length() - 1)

    def scored(self, deal: Round, action: int) -> Round:
        """Both have bid: who takes the prize."""
        taken = TIE if deal.bid == action else FIRST if deal.bid > action else SECOND
        gain = 0 if taken == TIE else deal.prize + 1 if taken == FIRST else -deal.prize - 1
        base = self.cards + 1
        return Round(
            deal.first, deal.second ^ 1 << action, deal.left, NONE, NONE, deal.lead + gain,
            deal.prizes, deal.own * base + deal.bid, deal.other * base + action, deal.won << 2 | taken,
        )  # fmt: skip

    def terminal(self, deal: Round) -> bool:
        return deal.second == 0

    def utility(self, deal: Round) -> int:
        if self.points:
            return deal.lead
        return 1 if deal.lead > 0 else -1 if deal.lead < 0 else 0

    def information(self, deal: Round, player: int) -> tuple[int, int, int, int, int]:
        """The prizes, his own bids with the one just made, who took what; the other's bids where they are open."""
        own, other = (deal.own, deal.other) if player == MAX else (deal.other, deal.own)
        pending = deal.bid if player == MAX else NONE
        return deal.prizes, own, pending, deal.won, (0 if self.hidden else other)

    def sample(self, deal: Round, player: int, random: Random) -> Round:
        """Other bids of the other player that took and lost the same prizes."""
        first, second = random.choice(self._completions(deal, player))
        return self._replayed(deal, first, second)

    def _digits(self, number: int) -> list[int]:
        digits: list[int] = []
        while number > 1:
            number, digit = divmod(number, self.cards + 1)
            digits.append(digit)
        return digits[::-1]

    def _completions(self, deal: Round, player: int) -> list[tuple[list[int], list[int]]]:
        """Bids of both that this player cannot tell from the real ones, a bid in the air included."""
        first, second = self._digits(deal.own), self._digits(deal.other)
        rounds, waiting = len(second), deal.bid != NONE
        if player == MAX or not waiting:
            first = first + ([deal.bid] if waiting else [])
        unknown: list[list[int]] = [[]]
        hidden_length = rounds if player == MAX else rounds + waiting
        own = first if player == MAX else second
        known = second if player == MAX else first
        for turn in range(hidden_length):
            unknown = [
                [*bids, card]
                for bids in unknown
                for card in range(self.cards)
                if card not in bids and (turn >= rounds or self._same(deal, player, turn, own[turn], card, known))
            ]
        return [(first, bids) if player == MAX else (bids, second) for bids in unknown]

    def _same(self, deal: Round, player: int, turn: int, own: int, card: int, known: list[int]) -> bool:
        if not self.hidden:
            return card == known[turn]
        mine, theirs = (own, card) if player == MAX else (card, own)
        taken = TIE if mine == theirs else FIRST if mine > theirs else SECOND
        rounds = len(self._digits(deal.other))
        return deal.won >> 2 * (rounds - 1 - turn) & 3 == taken

    def _replayed(self, deal: Round, first: list[int], second: list[int]) -> Round:
        """The same prizes with these bids."""
        again = self.start()
        prizes = self._digits(deal.prizes)
        for turn in range(len(prizes)):
            if self.terminal(again):
                break
            if again.prize == NONE:
                again = self.result(again, prizes[turn])
            if turn < len(first):
                again = self.result(again, first[turn])
            if turn < len(second):
                again = self.result(again, second[turn])
        return again

    def name(self, deal: Round, action: int) -> str:
        return str(action + 1)

    def name_information(self, information: tuple[int, int, int, int, int]) -> str:
        prizes, own, pending, won, other = information
        rounds = len(self._digits(own))
        taken = "".join("?=+-"[won >> 2 * (rounds - 1 - turn) & 3] for turn in range(rounds))
        words = [f"prizes {self._cards_text(prizes)}", f"bids {self._cards_text(own)}", f"took {taken or '-'}"]
        if pending != NONE:
            words.append(f"bid {pending + 1}")
        if other:
            words.append(f"against {self._cards_text(other)}")
        return ", ".join(words)

    def _cards_text(self, number: int) -> str:
        return " ".join(str(digit + 1) for digit in self._digits(number)) or "-"

    def show(self, deal: Round) -> str:
        """Prizes, Max's bids, Min's bids: `4 3 | 2 1 | 3`."""
        first = self._digits(deal.own) + ([deal.bid] if deal.bid != NONE else [])
        bids = " ".join(str(card + 1) for card in first) or "-"
        return f"{self._cards_text(deal.prizes)} | {bids} | {self._cards_text(deal.other)}"

    def read(self, text: str) -> Round:
        parts = text.split("|")
        if len(parts) == 3 and all(
            word.isdecimal() and 1 <= int(word) <= self.cards for word in text.replace("|", " ").replace("-", "").split()
        ):
            prizes, first, second = ([int(word) - 1 for word in part.replace("-", "").split()] for part in parts)
            deal = self._replay_prizes(prizes, first, second)
            if deal is not None and self.show(deal) == " | ".join(" ".join(part.split()) for part in parts):
                return deal
        raise ZermeloError(
            f"{text!r} is not a position of Goofspiel: write it like {self.show(self.start())!r}, prizes | Max's bids | Min's bids."
        )

    def _replay_prizes(self, prizes: list[int], first: list[int], second: list[int]) -> Round | None:
        if not (len(set(prizes)) == len(prizes) and len(set(first)) == len(first) and len(set(second)) == len(second)):
            return None
        if not len(second) <= len(first) <= len(second) + 1 or not len(first) <= len(prizes) <= len(second) + 1:
            return None
        deal = self.start()
        for turn in range(len(prizes)):
            if self.terminal(deal):
                break
            if deal.prize == NONE:
                deal = self.result(deal, prizes[turn])
            for bids in (first, second):
                if turn < len(bids) and not self.terminal(deal):
                    deal = self.result(deal, bids[turn])
        return deal

    def board(self, deal: Round) -> dict[str, Any]:
        hands = {player_name(self, seat): [str(card + 1) for card in bits(held)] for seat, held in enumerate((deal.first, deal.second))}
        prize = "?" if deal.prize == NONE else str(deal.prize + 1)
        ahead = player_name(self, MAX if deal.lead > 0 else MIN)
        caption = f"{ahead} leads by {abs(deal.lead)}" if deal.lead else "Nobody leads."
        return {"kind": "cards", "hands": hands, "table": [prize], "caption": caption}
