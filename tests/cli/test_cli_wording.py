"""Values in words."""

from fractions import Fraction
from typing import Any

import pytest

from zermelo.cli.output import plain_data
from zermelo.cli.wording import number, outcome, plural, verdict
from zermelo.registry import find


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (3, "3"),
        (-1, "−1"),
        (2.0, "2"),
        (1234567, "1,234,567"),
        (0.5, "0.5"),
        (-0.25, "−0.25"),
        (1e-9, "0"),
        (0.99999999, "1"),
        (Fraction(1, 3), "0.3333"),
        ((1, -2), "(1, −2)"),
        ([0.5], "(0.5)"),
    ],
)
def test_numbers(value: Any, text: str) -> None:
    assert number(value) == text


def test_plurals() -> None:
    assert (plural(1, "node"), plural(2000, "node"), plural(0, "move")) == ("1 node", "2,000 nodes", "0 moves")


@pytest.mark.parametrize(
    ("game", "value", "distance", "exact", "text"),
    [
        ("tictactoe", 1, 7, True, "X wins in 7"),
        ("tictactoe", -1, 2, True, "O wins in 2"),
        ("tictactoe", 0, None, True, "draw"),
        ("tictactoe", 1, None, False, "1 for X"),
        ("tictactoe(early=True)", 2, 5, True, "2 for X, in 5 moves"),
        ("pig", 1, None, True, "First wins"),
        ("pig", 0, None, True, "Second wins"),
        ("pig", 0.5, None, True, "0.5 for First"),
        ("pig", 0.7, None, True, "0.7 for First"),
        ("kqj", -1, 2, True, "−1 for Max, in 2 moves"),
        ("kqj", -1, 1, True, "−1 for Max, in 1 move"),
        ("eightpuzzle", -31, 31, True, "cost 31, in 31 moves"),
        ("threenim", (1, 4, -1), None, True, "Player 1 gets 1, Player 2 gets 4, Player 3 gets −1"),
    ],
)
def test_verdicts(game: str, value: Any, distance: int | None, exact: bool, text: str) -> None:
    assert verdict(find(game), value, distance, exact) == text


def test_an_outcome_of_one_player_is_a_cost_or_a_payoff() -> None:
    assert outcome(find("eightpuzzle"), -4) == "cost 4"
    assert outcome(find("eightpuzzle"), 0) == "payoff 0"


def test_plain_data_is_what_json_can_hold() -> None:
    given = {1: (Fraction(4, 2), Fraction(1, 4)), "inf": float("inf"), "nan": [float("nan")], "set": frozenset({3})}
    assert plain_data(given) == {"1": [2, 0.25], "inf": None, "nan": [None], "set": [3]}
