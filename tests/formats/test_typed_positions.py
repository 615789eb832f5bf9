"""Positions as people type them."""

from contextlib import suppress

import pytest

from zermelo import ZermeloError
from zermelo.formats.position import parse_position
from zermelo.registry import find


@pytest.mark.parametrize("space", "\x0b\x0c\x1c\x85\u2003")
def test_any_white_space_parts_moves(space: str) -> None:
    assert parse_position(find("connect4"), f"44{space}").actions == parse_position(find("connect4"), "44").actions
    assert parse_position(find("chess"), f"e4{space}e5").actions == parse_position(find("chess"), "e4 e5").actions


@pytest.mark.parametrize("count", ["²", "9" * 5000, "٣"])
@pytest.mark.parametrize("text", ["8/8/8/8/8/8/8/K1k5 w - - {} 1", "8/8/8/8/8/8/{}/K1k5 w - - 0 1"])
def test_strange_digits_in_a_fen_are_refused_or_read(text: str, count: str) -> None:
    with suppress(ZermeloError):
        parse_position(find("chess"), text.format(count))
