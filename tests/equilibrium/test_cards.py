"""Poker hands and ranges: orders that every player knows, counts, and every sentence for bad input."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from zermelo.errors import ZermeloError
from zermelo.games._betting import Sizes
from zermelo.games._cards import cards, parse_range, strengths, suit_masks
from zermelo.games.holdem import Holdem

ASCENDING = [  # seven cards, the weakest first; rows with the same number share
    ("2c 4d 6h 8s Tc Qd Kh", 0),
    ("2c 4d 6h 8s Tc Qd Ah", 1),
    ("2c 2d 4h 6s 8c Td Qh", 2),
    ("2c 2d 4h 6s 8c Td Kh", 3),
    ("2c 2d 4h 4s 8c Td Qh", 4),
    ("3c 3d 9h 9s Ac Ad 2h", 5),
    ("3c 3d 9h 9s Ac As 2s", 5),
    ("7c 7d 7h 9s Jc Kd 2h", 6),
    ("Ac 2d 3h 4s 5c Kd Qh", 7),
    ("2c 3d 4h 5s 6c Kd Qh", 8),
    ("Tc Jd Qh Ks Ac 2d 3h", 9),
    ("2c 4c 6c 8c Tc Ad Ah", 10),
    ("2c 4c 6c 8c Ac Kd Kh", 11),
    ("2c 2d 2h 3s 3c Ad Kh", 12),
    ("7c 7d 7h 9s 9c 9d 2h", 13),
    ("7c 7d 7h 7s 9c 9d 9h", 14),
    ("7c 7d 7h 7s Ac 9d 9h", 15),
    ("Ac 2c 3c 4c 5c 6d 7h", 16),
    ("2c 3c 4c 5c 6c Ac Ad", 17),
    ("Th Jh Qh Kh Ah 9h 8h", 18),
]


def test_hands_of_seven_cards_are_in_the_order_of_poker() -> None:
    values = [(int(strengths(suit_masks(cards(text)), 7)), place) for text, place in ASCENDING]
    for (value, place), (later, further) in combinations(values, 2):
        assert (value < later) == (place < further)
        assert (value == later) == (place == further)


def test_five_card_hands_have_the_published_counts() -> None:
    hands = np.array(list(combinations(range(52), 5)))
    found = np.bincount(strengths(suit_masks(hands), 5) >> 26, minlength=9)
    assert found.tolist() == [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]


def test_a_short_deck_changes_flushes_and_the_lowest_straight() -> None:
    flush, full, wheel = ("6c 8c Tc Qc Kc Ad Ah", "6c 6d 6h Ks Kc Ad Qh", "Ac 6d 7h 8s 9c Kd Qh")
    value = {hand: int(strengths(suit_masks(cards(hand)), 7, short=True)) for hand in (flush, full, wheel)}
    assert value[flush] > value[full] > value[wheel]
    assert value[wheel] >> 26 == 4
    assert int(strengths(suit_masks(cards(wheel)), 7)) >> 26 == 0


def test_three_cards_of_rhode_island() -> None:
    order = ["2c 4d 6h", "2c 2d 6h", "2c 4c 7c", "Ac 2d 3h", "2c 2d 2h", "Qc Kc Ac"]
    values = [int(strengths(suit_masks(cards(text)), 3)) for text in order]
    assert values == sorted(set(values))


@pytest.mark.parametrize(
    ("text", "hands"),
    [("AA", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("TT+", 30), ("A9s+", 20), ("A5s-A2s", 16), ("77-22", 36), ("JTs-54s", 28),
     ("QhJh", 1), ("random", 1326), ("AA:0.5, KK", 12), ("KA", 16), ("AKs AKo", 16),
     ("T9s+", 20), ("KQo+", 24), ("QTs+", 8), ("aks,tt+", 34), ("[50]AA,KK[/50] QQ", 18), ("[ 25% ]\nAKs\n[/]", 4),
     ("AA,AA:0", None)],
)  # fmt: skip
def test_the_notation_of_ranges(text: str, hands: int | None) -> None:
    if hands is None:
        with pytest.raises(ZermeloError, match="weight 0"):
            parse_range(text, range(52))
        return
    assert len(parse_range(text, range(52))) == hands


def test_a_weight_for_a_group() -> None:
    assert parse_range("[12.5]AA, KQs[/12.5], TT", range(52)) == parse_range("AA:0.125,KQs:12.5%,TT", range(52))
    with pytest.raises(ZermeloError, match="from 0 to 1"):
        parse_range("[500]AA[/500]", range(52))


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"board": "Qs Jh"}, "has 0, 3, 4 or 5 cards"),
        ({"board": "Qs Qs 2h"}, "Qs is twice"),
        ({"board": "Qs 1h 2h"}, "'1h' in the board is not a card"),
        ({"oop": "QsQh", "board": "Qs Jh 2h"}, "lies on the board"),
        ({"oop": "QQ", "board": "Qs Qh Qd"}, "no hand that the board leaves possible"),
        ({"oop": ""}, "oop is empty"),
        ({"oop": "AA:1.5"}, "from 0 to 1"),
        ({"oop": "XX"}, "no rank"),
        ({"oop": "AAs"}, "neither suited nor offsuit"),
        ({"oop": "A5s-K2s"}, "does not go from one hand to another"),
        ({"pot": 0}, "The pot is a positive number"),
        ({"stack": -5}, "The stack is a positive number"),
        ({"rake": 1.5}, "rake"),
        ({"deck": "stripped"}, "full, short, or ranks and suits"),
        ({"deck": "short"}, "not in the short deck"),
        ({"oop": "AcAd", "ip": "AcKd,AdKc,AcKc"}, "nothing can be dealt"),
        ({"allin_threshold": 0}, "threshold"),
        ({"raise_limit": -1}, "limit of raises"),
    ],
)
def test_bad_spots_are_said(parameters: dict[str, object], sentence: str) -> None:
    with pytest.raises(ZermeloError, match=sentence):
        Holdem(**parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("50", None),
        ("flop: 33%; turn oop: 75%; river: 50", None),
        ("0%", "not a size"),
        ("half", "not a size"),
        ("preturn: 50%", "neither a street"),
    ],
)
def test_sizes(text: str, sentence: str | None) -> None:
    if sentence is None:
        assert Sizes(text, ("river",), "bets").at("river", 0) == ("50",)
        return
    with pytest.raises(ZermeloError, match=sentence):
        Sizes(text, ("river",), "bets")


def test_betting_that_never_ends_is_refused() -> None:
    spot = Holdem(board="Qs Jh 2h", bets="1", raises="1,2,3", stack=100_000)
    with pytest.raises(ZermeloError, match="does not end"):
        _ = spot.nodes


def test_streets_and_seats_have_their_own_sizes() -> None:
    spot = Holdem(board="Qs Jh 2h", bets="flop: 33%; turn ip: 50%; river: a", raises="", donks="river: 75%", stack=500)
    assert spot.nodes[0].actions == ("check", "bet 16.5")
    turn_first = next(node for node in spot.nodes if node.street == 1 and node.player == 0)
    assert turn_first.actions == ("check",)


@pytest.mark.parametrize(
    ("hand", "board", "made", "drawing"),
    [
        ("AsAh", "Qs Jh 2h", "overpair", "no draw"),
        ("QdQc", "Qs Jh 2h", "set", "no draw"),
        ("QdJd", "Qs Jh 2h", "two pair", "no draw"),
        ("KdQd", "Qs Jh 2h", "top pair", "no draw"),
        ("JdTd", "Qs Jh 2h", "second pair", "no draw"),
        ("TdTc", "Qs Jh 2h", "underpair", "no draw"),
        ("Ah5h", "Qs Jh 2h", "ace high", "flush draw"),
        ("KhTh", "Qs Jh 2h", "king high", "flush draw and open-ended"),
        ("9h8d", "Qs Jh 2h", "nothing", "gutshot"),
        ("AdTd", "Qs Jh 2h", "ace high", "gutshot"),
        ("4d3d", "Ac 5h Ks", "nothing", "gutshot"),
        ("AdTd", "Qs Qh 2h", "ace high", "no draw"),  # the pair is everybody's
        ("Qd8d", "Qs Qh 2h", "trips", "no draw"),
        ("9h8h", "Th Jh Qh", "straight flush", "no draw"),
        ("AdAc", "Ks Qd Jd Th", "straight", "no draw"),
    ],
)
def test_words_for_hands_on_a_board(hand: str, board: str, made: str, drawing: str) -> None:
    spot = Holdem(board=board, oop="random", ip="random")
    assert spot.describe(cards(hand), cards(board)) == (made, drawing)


def test_words_in_a_short_deck() -> None:
    """A flush is better than a full house there, and A 6 7 8 9 is a straight."""
    spot = Holdem(board="9h 8h 7h", deck="short", oop="random", ip="random")
    assert spot.describe(cards("AhKh"), cards("9h 8h 7h"))[0] == "flush"
    assert spot.describe(cards("Ad6d"), cards("9h 8h 7h"))[0] == "straight"
    assert spot.describe(cards("9d9c"), cards("8h 8d 9h"))[0] == "full house"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"deck": "A-Q"}, "There is no deck 'A-Q'"),
        ({"deck": "K-A", "board": "As Ah Ac Kc Kd"}, "has 8 cards, too few"),
        ({"hole": 4}, "holds one or two cards"),
        ({"streets": "0,1"}, "one to three numbers of cards"),
        ({"board": "Qs Jh"}, "has 0, 3, 4 or 5 cards, not 2"),
        ({"oop": "AA,QsTs"}, "'QsTs' in the range oop holds a card that lies on the board"),
    ],
)
def test_decks_and_streets_that_do_not_fit(changed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ZermeloError, match=sentence):
        Holdem(**changed)
