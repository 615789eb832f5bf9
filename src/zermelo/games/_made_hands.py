"""What players call a hand on a board: what it has made, and what it draws to."""

from collections.abc import Sequence

from zermelo.games._cards import CATEGORIES, RANKS, Hand, best_straight, strengths, suit_masks

__all__ = ["draw", "made_hand"]

SHORT_CATEGORIES = (*CATEGORIES[:5], "full house", "flush", *CATEGORIES[7:])  # by strength in a short deck
PLACES = ("top pair", "second pair", "third pair")


def made_hand(hand: Hand, board: Sequence[int], short: bool = False) -> str:
    """`set`, `overpair`, `top pair`, `ace high`, …: what the hand has on the board, beyond what the board has itself."""
    whole = (*hand, *board)
    if len(whole) < 5:
        return ""
    category = (SHORT_CATEGORIES if short else CATEGORIES)[int(strengths(suit_masks(whole), len(whole), short)) >> 26]
    held, ranks = [card // 4 for card in hand], sorted({card // 4 for card in board}, reverse=True)
    pocket = len(held) == 2 and held[0] == held[1]
    if category == "three of a kind":
        return "set" if pocket else "trips" if any(rank in ranks for rank in held) else _high(held)
    if category != "pair":
        return _high(held) if category == "high card" else category
    if pocket:
        return "overpair" if held[0] > ranks[0] else "underpair"
    paired = [rank for rank in held if rank in ranks]
    if not paired or len(ranks) < len(board):  # the pair lies on the board
        return _high(held)
    place = ranks.index(paired[0])
    return PLACES[place] if place < len(PLACES) else "low pair"


def _high(held: Sequence[int]) -> str:
    return {"A": "ace high", "K": "king high"}.get(RANKS[max(held)], "nothing")


def draw(hand: Hand, board: Sequence[int], short: bool = False) -> str:
    """`flush draw`, `open-ended`, `gutshot`, both, or `no draw`: what one more card may make with the hand's own cards."""
    whole = (*hand, *board)
    suits = [sum(card % 4 == suit for card in whole) for suit in range(4)]
    flush = any(suits[card % 4] == 4 for card in hand) and max(suits) == 4
    mask, lying = (_ranks(cards) for cards in (whole, board))
    outs = 0
    if not best_straight(mask, short) and max(suits) < 5:
        outs = sum(
            bool(best_straight(mask | 1 << rank, short)) and not best_straight(lying | 1 << rank, short) for rank in range(len(RANKS))
        )
    straight = "" if outs == 0 else "gutshot" if outs == 1 else "open-ended"
    return " and ".join(filter(None, ("flush draw" if flush else "", straight))) or "no draw"


def _ranks(cards: Sequence[int]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card // 4
    return mask
