"""Yahtzee, alone: in thirteen rounds roll five dice, keep some and roll the rest again, twice at most, then score them in a free category.

Scores of 63 or more in the six upper categories bring 35 points on top. Every further Yahtzee, after one that has scored 50, brings
100, and counts as any combination if its upper category is taken too. The value is the expected score. Source: E. S. Lowe (1956);
T. Verhoeff, Optimal Solitaire Yahtzee (1999): 254.5896 on average; P. Woodward, Yahtzee: The Solution (2003): 254.5877 with forced jokers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, Game

DICE = 5
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
CATEGORIES = (*UPPER, "three of a kind", "four of a kind", "full house", "small straight", "large straight", "yahtzee", "chance")
THREE, FOUR, HOUSE, SMALL, LARGE, YAHTZEE, CHANCE_SCORE = range(6, 13)
ENOUGH, BONUS, MORE = 63, 35, 100
ROLLS = tuple(
    roll for count in range(DICE + 1) for roll in combinations_with_replacement(range(1, 7), count)
)  # sorted dice, 0 to 5 of them


class Card(NamedTuple):
    dice: tuple[int, ...]  # that lie on the table, sorted; the others are in the cup
    again: int  # times that the cup may still be thrown in this round, before the throw that is due
    thrown: bool  # the cup has been thrown: the player decides
    used: tuple[bool, ...]  # [category]
    upper: int = 0  # points of the upper categories, at most 63
    fifty: bool = False  # a Yahtzee has scored 50
    score: int = 0


def points(dice: tuple[int, ...], category: int, joker: bool = False) -> int:
    """What five dice score in a category; a joker counts as any combination."""
    counts = [dice.count(face) for face in range(1, 7)]
    if category < 6:
        return (category + 1) * counts[category]
    if category == THREE:
        return sum(dice) if max(counts) >= 3 else 0
    if category == FOUR:
        return sum(dice) if max(counts) >= 4 else 0
    if category == HOUSE:
        return 25 if joker or sorted(counts)[-2:] == [2, 3] else 0
    if category == SMALL:
        return 30 if joker or any(all(counts[face + step] for step in range(4)) for face in range(3)) else 0
    if category == LARGE:
        return 40 if joker or any(all(counts[face + step] for step in range(5)) for face in range(2)) else 0
    if category == YAHTZEE:
        return 50 if max(counts) == DICE else 0
    return sum(dice)


@dataclass(frozen=True)
class Yahtzee(Game):
    """The whole game of Yahtzee for one player."""

    forced: bool = False  # a further Yahtzee must be scored in its upper category, if that is free, else in a lower one
    players = 1
    seats = ("Player",)
    payoffs = (0, 1575)

    def start(self) -> Card:
        return Card((), 2, False, (False,) * 13)

    def player(self, card: Card) -> int:
        return MAX if card.thrown else CHANCE

    def chances(self, card: Card) -> Iterator[tuple[int, int]]:
        """What the dice in the cup show, by its number in ROLLS: as many times as there are orders of these faces."""
        cup = DICE - len(card.dice)
        for number, roll in enumerate(ROLLS):
            if len(roll) == cup:
                yield number, factorial(cup) // prod(factorial(roll.count(face)) for face in set(roll))

    def again(self, card: Card) -> bool:
        """Is this a Yahtzee whose category is taken?"""
        return len(set(card.dice)) == 1 and card.used[YAHTZEE]

    def joker(self, card: Card) -> bool:
        """Does it count as any combination? Its upper category must be taken too."""
        return self.again(card) and card.used[card.dice[0] - 1]

    def free(self, card: Card) -> list[int]:
        """Categories that may be scored; a forced joker goes to its upper category, then to a lower one, then anywhere."""
        free = [category for category in range(13) if not card.used[category]]
        if not self.forced or not self.again(card):
            return free
        own = card.dice[0] - 1
        lower = [category for category in free if category >= 6]
        return [own] if own in free else lower or free

    def actions(self, card: Card) -> Iterator[int]:
        """A category; or 13 + the number, in ROLLS, of the dice that are kept."""
        if card.thrown and not self.terminal(card):
            yield from self.free(card)
            if card.again:
                for number, kept in enumerate(ROLLS):
                    if len(kept) < DICE and all(kept.count(face) <= card.dice.count(face) for face in set(kept)):
                        yield 13 + number

    def result(self, card: Card, action: int) -> Card:
        if not card.thrown:
            return card._replace(dice=tuple(sorted(card.dice + ROLLS[action])), thrown=True)
        if action >= 13:
            return card._replace(dice=ROLLS[action - 13], again=card.again - 1, thrown=False)
        gained = points(card.dice, action, self.joker(card))
        upper = min(ENOUGH, card.upper + gained) if action < 6 else card.upper
        extra = MORE if card.fifty and self.again(card) else 0
        extra += BONUS if upper == ENOUGH > card.upper else 0
        used = tuple(taken or category == action for category, taken in enumerate(card.used))
        fifty = card.fifty or (action == YAHTZEE and gained == 50)
        return Card((), 2, False, used, upper, fifty, card.score + gained + extra)

    def terminal(self, card: Card) -> bool:
        return all(card.used)

    def utility(self, card: Card) -> int:
        return card.score

    def cost(self, card: Card, action: int) -> int:
        return 0  # what counts is the score at the end

    def name(self, card: Card, action: int) -> str:
        if not card.thrown:
            return "roll " + "".join(map(str, ROLLS[action]))
        if action < 13:
            return CATEGORIES[action]
        return "keep " + ("".join(map(str, ROLLS[action - 13])) or "nothing")

    def show(self, card: Card) -> str:
        used = ", ".join(name for name, taken in zip(CATEGORIES, card.used, strict=True) if taken) or "none"
        dice = "".join(map(str, card.dice)) or "-"
        now = f"dice {dice}, {card.again} more throws, {'thrown' if card.thrown else 'in the cup'}"
        return f"{now}\nupper {card.upper}, score {card.score}, yahtzee {'50' if card.fifty else '-'}\nused: {used}"

    def read(self, text: str) -> Card:
        try:
            now, sums, used = text.strip().splitlines()
            dice, again, thrown = now.split(", ")
            upper, score, fifty = (part.split()[1] for part in sums.split(", "))
            names = used.removeprefix("used: ").split(", ")
            taken = tuple(name in names for name in CATEGORIES)
            kept = tuple(int(face) for face in dice.split()[1] if face != "-")
            return Card(kept, int(again.split()[0]), thrown == "thrown", taken, int(upper), fifty == "50", int(score))
        except (ValueError, IndexError):
            raise ZermeloError(f"This is not a score card of Yahtzee: write it as\n{self.show(self.start())}") from None

    def board(self, card: Card) -> dict[str, Any]:
        """The dice, and the score sheet: what is open shows what the dice would bring."""
        held = [*card.dice, *["?"] * (DICE - len(card.dice))]
        sheet = [
            [name, "✓" if taken else points(card.dice, category) if card.thrown else "", not taken]
            for category, (name, taken) in enumerate(zip(CATEGORIES, card.used, strict=True))
        ]
        return {"kind": "dice", "dice": [held], "table": sheet, "caption": f"{card.score} points, {card.again} more throws"}
