"""Playing cards: their names, the strength of poker hands by tables, and ranges in the notation that players use.

A card is rank · 4 + suit, from 2c = 0 to As = 51. A hand's cards are four masks, one a suit, with a bit a rank:

    bit     12 11 10  9  8  7  6  5  4  3  2  1  0
    rank     A  K  Q  J  T  9  8  7  6  5  4  3  2

Tables over all 8,192 masks know straights, the highest bits and the number of bits, so that a hand of up to seven cards is judged by a few
look-ups, and whole arrays of hands at once.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from zermelo.errors import ZermeloError

__all__ = [
    "CATEGORIES",
    "RANKS",
    "SUITS",
    "Hand",
    "best_straight",
    "card_name",
    "cards",
    "hand_class",
    "hand_name",
    "matrix_range",
    "parse_range",
    "strengths",
    "suit_masks",
]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
MASKS = 1 << len(RANKS)
CATEGORIES = ("high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house", "four of a kind", "straight flush")

Hand = tuple[int, ...]


def card_name(card: int) -> str:
    """`As` for 51."""
    return RANKS[card // 4] + SUITS[card % 4]


def hand_name(hand: Iterable[int]) -> str:
    """The cards in a row, the highest first."""
    return "".join(card_name(card) for card in sorted(hand, reverse=True))


def hand_class(hand: Hand) -> str:
    """Two cards without their suits: `AKs`, `AKo`, `TT`; one card's rank."""
    if len(hand) == 1:
        return RANKS[hand[0] // 4]
    high, low = sorted(hand, reverse=True)
    if high // 4 == low // 4:
        return RANKS[high // 4] * 2
    return RANKS[high // 4] + RANKS[low // 4] + ("s" if high % 4 == low % 4 else "o")


def cards(text: str, where: str = "the board") -> Hand:
    """`Qs Jh 2h` or `QsJh2h` as cards; what is not a card, or there twice, is named."""
    found: list[int] = []
    letters = re.sub(r"[\s,]", "", text)
    for place in range(0, len(letters), 2):
        word = letters[place : place + 2]
        rank, suit = RANKS.find(word[0].upper()), SUITS.find(word[1:].lower()) if len(word) == 2 else -1
        if rank < 0 or suit < 0:
            raise ZermeloError(f"{word!r} in {where} is not a card: a rank of {RANKS} and a suit of {SUITS}, such as Qs.")
        if rank * 4 + suit in found:
            raise ZermeloError(f"The card {card_name(rank * 4 + suit)} is twice in {where}.")
        found.append(rank * 4 + suit)
    return tuple(found)


@cache
def _tables(run: int, short: bool) -> dict[str, Any]:
    """[mask] the best straight of `run` cards (1 + its highest rank; 0: none), number of bits, and the mask's 1, 2, 3, 5 highest bits."""
    import numpy as np

    masks = np.arange(MASKS)
    straight = np.zeros(MASKS, np.int32)
    lowest = 4 if short else 0  # the ace also stands below the lowest rank of the deck
    for low in range(lowest - 1, len(RANKS) - run + 1):
        wanted = sum(1 << (rank if rank >= lowest else len(RANKS) - 1) for rank in range(low, low + run))
        straight[(masks & wanted) == wanted] = low + run
    tables: dict[str, Any] = {"straight": straight, "count": np.array([mask.bit_count() for mask in range(MASKS)], np.int32)}
    for bits in (1, 2, 3, 5):
        tables[f"top{bits}"] = np.array([_top(mask, bits) for mask in range(MASKS)], np.int32)
    return tables


def _top(mask: int, bits: int) -> int:
    """The mask's highest bits."""
    kept = 0
    for _ in range(bits):
        if mask:
            kept |= 1 << (mask.bit_length() - 1)
            mask &= ~kept
    return kept


def best_straight(mask: int, short: bool = False) -> int:
    """1 + the highest rank of the best straight of five among the ranks of a mask; 0: there is none."""
    return int(_tables(5, short)["straight"][mask])


def suit_masks(hands: Any) -> Any:
    """[…, suit] masks of hands, an array [… , card] whose cards are different."""
    import numpy as np

    hands = np.asarray(hands)
    bits = np.left_shift(1, hands // 4)
    return np.stack([np.where(hands % 4 == suit, bits, 0).sum(axis=-1) for suit in range(4)], axis=-1).astype(np.int32)


def strengths(masks: Any, count: int, short: bool = False) -> Any:
    """[…] a whole number for each hand of `count` cards, larger for the better hand and equal where they share; masks are [… , suit].

    From five cards on the best five count; the highest 6 bits are the category. In a `short` deck a flush beats a full house, and the
    ace stands below the six in a straight. Three cards: straight flush, three of a kind, straight, flush, pair, high card. Two: pair, high.
    """
    import numpy as np

    a, b, c, d = (masks[..., suit] for suit in range(4))
    every = a | b | c | d
    two = (a & b) | (c & d) | ((a | b) & (c | d))
    if count <= 2:
        return np.where(two > 0, (1 << 26) | two, every)
    three = ((a & b) & (c | d)) | ((c & d) & (a | b))
    if count == 3:
        return _three_cards(masks, every, two, three)
    table = _tables(5, short)
    straight, bits, top1, top2, top3, top5 = (table[name] for name in ("straight", "count", "top1", "top2", "top3", "top5"))
    four = a & b & c & d
    flush = np.zeros_like(every)
    for suit in range(4):
        flush = np.where(bits[masks[..., suit]] >= 5, masks[..., suit], flush)
    trips, pairs = top1[three], top2[two]
    full, flushes = (5, 6) if short else (6, 5)
    value = top5[every]
    value = np.where(two > 0, (1 << 26) | (two << 13) | top3[every & ~two], value)
    value = np.where(bits[two] >= 2, (2 << 26) | (pairs << 13) | top1[every & ~pairs], value)
    value = np.where(three > 0, (3 << 26) | (trips << 13) | top2[every & ~trips], value)
    value = np.where(straight[every] > 0, (4 << 26) | straight[every], value)
    if short:  # a full house is below a flush
        value = np.where((three > 0) & ((two & ~trips) > 0), (full << 26) | (trips << 13) | top1[two & ~trips], value)
        value = np.where(flush > 0, (flushes << 26) | top5[flush], value)
    else:
        value = np.where(flush > 0, (flushes << 26) | top5[flush], value)
        value = np.where((three > 0) & ((two & ~trips) > 0), (full << 26) | (trips << 13) | top1[two & ~trips], value)
    quads = top1[four]
    value = np.where(four > 0, (7 << 26) | (quads << 13) | top1[every & ~quads], value)
    return np.where(straight[flush] > 0, (8 << 26) | straight[flush], value)


def _three_cards(masks: Any, every: Any, two: Any, three: Any) -> Any:
    import numpy as np

    table = _tables(3, False)
    straight = table["straight"][every]
    suited = (table["count"][masks] == 3).any(axis=-1)
    value = np.where(two > 0, (1 << 26) | (two << 13) | (every & ~two), every)
    value = np.where(suited, (2 << 26) | every, value)
    value = np.where(straight > 0, (3 << 26) | straight, value)
    value = np.where(three > 0, (4 << 26) | three, value)
    return np.where(suited & (straight > 0), (5 << 26) | straight, value)


# Ranges ---------------------------------------------------------------------------------------------------------------------------

GROUP = re.compile(r"\[\s*([^\]/]+?)\s*%?\s*\](.*?)\[\s*/[^\]]*\]", re.DOTALL)
TOKEN = re.compile(r"(?P<from>[^:+\-]+)(?P<plus>\+)?(?:-(?P<to>[^:+\-]+))?(?::(?P<weight>[^:]+))?")


def matrix_range(rows: Sequence[Sequence[Any]], seat: str) -> str:
    """A 13 × 13 matrix of weights (aces first, suited hands above the diagonal) as a range in words."""
    ranks = RANKS[::-1]
    if not hasattr(rows, "__len__") or len(rows) != 13 or any(not hasattr(row, "__len__") or len(row) != 13 for row in rows):
        raise ZermeloError(f"The matrix of {seat} needs 13 rows of 13 weights.")
    words = []
    for high, row in enumerate(rows):
        for low, weight in enumerate(row):
            kind = ranks[high] * 2 if high == low else f"{ranks[high]}{ranks[low]}s" if high < low else f"{ranks[low]}{ranks[high]}o"
            if weight:
                words.append(f"{kind}:{weight}")
    return ",".join(words)


def parse_range(text: str, deck: Sequence[int], hole: int = 2, who: str = "the range") -> dict[Hand, float]:
    """Hand → weight. `AKs, AKo, AK, TT+, A5s-A2s, 77-22, QhJh`, each with a weight as in `AA:0.5`; `random` is every hand.

    `[50]AA,KK[/50]` gives a group a weight in %, as other programs write it. Later entries replace earlier
    ones. Cards that the deck lacks, such as those of the board, take their hands out of the range.
    """
    found: dict[Hand, float] = {}
    held = set(deck)
    for part in filter(None, re.split(r"[,;\s]+", GROUP.sub(_spread, text))):
        match = TOKEN.fullmatch(part)
        if match is None:
            raise ZermeloError(f"{part!r} in {who} is not a part of a range: write AKs, TT+, A5s-A2s, QhJh or AA:0.5.")
        weight = _weight(match["weight"], part, who)
        hands = _hands(match, part, hole, who)
        if len(hands) == 1 and weight > 0 and not held.issuperset(hands[0]):  # a hand with its suits
            raise ZermeloError(f"{part!r} in {who} holds a card that lies on the board, or that the deck does not have.")
        found.update(dict.fromkeys(hands, weight))
    kept = {hand: weight for hand, weight in found.items() if weight > 0 and held.issuperset(hand)}
    if not kept:
        weightless = "gives every hand the weight 0" if not any(found.values()) else "has no hand that the board leaves possible"
        reason = weightless if found else "is empty"
        raise ZermeloError(f"{who[0].upper()}{who[1:]} {reason}: write hands such as 'AKs, TT+'.")
    return dict(sorted(kept.items(), reverse=True))


def _spread(group: re.Match[str]) -> str:
    """`[50]AA,KK[/50]` as `AA:50%,KK:50%`."""
    return "," + ",".join(f"{part}:{group[1]}%" for part in re.split(r"[,;\s]+", group[2]) if part) + ","


def _weight(text: str | None, part: str, who: str) -> float:
    if text is None:
        return 1.0
    try:
        weight = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        weight = -1.0
    if not 0 <= weight <= 1:
        raise ZermeloError(f"The weight in {part!r} of {who} must be a number from 0 to 1, not {text}.")
    return weight


def _hands(match: re.Match[str], part: str, hole: int, who: str) -> list[Hand]:
    """All hands of one token."""
    first, last = match["from"], match["to"]
    everything = list(combinations(range(4 * len(RANKS)), hole))
    if first.lower() in ("random", "any", "*", "100%"):
        return everything
    if len(first) == 2 * hole and first[1].lower() in SUITS and (hole == 1 or first[3:4].lower() in SUITS):
        if match["plus"] or last:
            raise ZermeloError(f"{part!r} in {who}: a hand with its suits stands alone, without + and -.")
        return [tuple(sorted(cards(first, who)))]
    if hole == 1:
        low = _rank(first, part, who)
        high = len(RANKS) - 1 if match["plus"] else low if last is None else _rank(last, part, who)
        return [(card,) for card in range(4 * len(RANKS)) if min(low, high) <= card // 4 <= max(low, high)]
    kind, high, low = _shape(first, part, who)
    if last is None:
        steps = _upwards(high, low) if match["plus"] else [(high, low)]
    else:
        other, last_high, last_low = _shape(last, part, who)
        same = other == kind and ((high == low) == (last_high == last_low)) and (high == last_high or high - low == last_high - last_low)
        if not same:
            raise ZermeloError(f"{part!r} in {who} does not go from one hand to another of its kind, as A5s-A2s, 77-22 or JTs-54s do.")
        steps = _between((high, low), (last_high, last_low))
    return [hand for ranks in steps for hand in _suited(*ranks, kind)]


def _rank(letter: str, part: str, who: str) -> int:
    rank = RANKS.find(letter.upper()) if len(letter) == 1 else -1
    if rank < 0:
        raise ZermeloError(f"{part!r} in {who} has no rank of {RANKS}.")
    return rank


def _shape(text: str, part: str, who: str) -> tuple[str, int, int]:
    """Suited, offsuit or any (`s`, `o`, ``), the higher and the lower rank."""
    kind = text[2:].lower()
    if len(text) < 2 or kind not in ("", "s", "o"):
        raise ZermeloError(f"{part!r} in {who} is not a part of a range: write AKs, TT+, A5s-A2s, QhJh or AA:0.5.")
    one, two = _rank(text[0], part, who), _rank(text[1], part, who)
    if one == two and kind:
        raise ZermeloError(f"{part!r} in {who}: a pair is neither suited nor offsuit.")
    return kind, max(one, two), min(one, two)


def _upwards(high: int, low: int) -> list[tuple[int, int]]:
    """`TT+`: all higher pairs too; `T9s+`: all higher neighbours; `A9s+`: all higher second cards below the first."""
    if high - low <= 1:
        return [(rank + high - low, rank) for rank in range(low, len(RANKS) - high + low)]
    return [(high, rank) for rank in range(low, high)]


def _between(first: tuple[int, int], last: tuple[int, int]) -> list[tuple[int, int]]:
    """From one hand to the other: the second card changes, or both by the same number of ranks."""
    if first[0] == last[0] and first[0] != first[1]:
        return [(first[0], rank) for rank in range(min(first[1], last[1]), max(first[1], last[1]) + 1)]
    gap = first[0] - first[1]
    return [(rank + gap, rank) for rank in range(min(first[1], last[1]), max(first[1], last[1]) + 1)]


def _suited(high: int, low: int, kind: str) -> list[Hand]:
    """All hands of two ranks."""
    if high == low:
        return [(4 * low + one, 4 * low + two) for one, two in combinations(range(4), 2)]
    pairs = ((one, two) for one in range(4) for two in range(4))
    return [(4 * low + one, 4 * high + two) for one, two in pairs if kind == "" or (one == two) == (kind == "s")]
