"""Endgames of chess and its variants: set-ups, positions, and material that is none."""

import random
from typing import Any

import pytest

from zermelo import ZermeloError
from zermelo.games.chess import Position
from zermelo.games.endgame import Endgame
from zermelo.registry import find
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.solve.strong import StrongSolver


def test_pieces_are_put_then_somebody_begins() -> None:
    game: Any = find("endgame(material='KPK')")
    state = game.start()
    for word in ("Ka1", "Pe2", "ke8", "w"):
        named = {game.name(state, action): action for action in game.actions(state)}
        state = game.result(state, named[word])
    assert game.show(state) == "4k3/8/8/8/8/8/4P3/K7 w - - 0 1"
    assert {game.name(state, action) for action in game.actions(state)} == {"a1a2", "a1b1", "a1b2", "e2e3", "e2e4"}


def test_pawns_stand_on_no_last_row_and_nobody_begins_while_the_other_is_in_check() -> None:
    game: Any = find("endgame(material='KPK')")
    king = game.result(game.start(), 0)
    assert {action // 8 for action in game.actions(king)} == set(range(1, 7))
    queen: Any = find("endgame")
    state = queen.read("7k/8/8/8/8/8/8/K6Q w - - 0 0")  # Black is in check
    assert [queen.name(state, action) for action in queen.actions(state)] == ["b"]
    beside = queen.read("8/8/8/8/8/8/Q7/Kk6 w - - 0 0")  # kings side by side
    assert queen.terminal(beside)


def test_mates_are_found_and_boards_read_as_they_are_shown() -> None:
    game: Any = find("endgame")
    state = game.read("7k/5K2/8/8/8/8/8/6Q1 w - - 0 1")
    assert game.read(game.show(state)) == state
    result = AlphaBeta(depth=1, backend="reference").search(game, state)
    assert (result.value, {game.name(state, action) for action in result.actions}) == (1, {"g1g7", "g1g8", "g1h1", "g1h2"})


@pytest.mark.parametrize(
    ("material", "part"),
    [("KXK", "no endgame"), ("QK", "no endgame"), ("KQ", "no endgame"), ("KKK", "no endgame"), ("KQRBKR", "has 6 pieces")],
)
def test_material_that_is_no_endgame(material: str, part: str) -> None:
    with pytest.raises(ZermeloError, match=part):
        find(f"endgame(material={material!r})")


def test_a_variant_without_endgames_is_named() -> None:
    with pytest.raises(ZermeloError, match="There are endgames of chess, antichess"):
        find("endgame(variant='go')")


@pytest.mark.parametrize("material", ["KQK", "KPK", "KPKP", "KNNK", "KQPK"])
@pytest.mark.parametrize("variant", ["chess", "antichess", "atomic"])
def test_numbers_of_positions_lead_back(material: str, variant: str) -> None:
    """In random games, with promotions, captures, and pawns that can be taken in passing."""
    game, choose = Endgame(material, variant), random.Random(1)
    seen: dict[int, Position] = {}
    for _ in range(40):
        position = game.start()
        for _ in range(60):
            number = game.rank(position)
            assert 0 <= number < game.size()
            assert game.unrank(number) == position == seen.setdefault(number, position)
            if game.terminal(position):
                break
            position = game.result(position, choose.choice(list(game.actions(position))))


@pytest.mark.slow  # 6 to 9 s of processor time each
@pytest.mark.parametrize(
    ("variant", "material", "longest"),
    [
        ("chess", "KQK", 2 * 10 + 1),
        ("chess", "KRK", 2 * 16 + 1),
        ("chess", "KPK", 2 * 28),
        ("racingkings", "KQK", 2 * 9 + 1),
        ("racingkings", "KRK", 2 * 12 + 1),
    ],
)
def test_longest_wins(variant: str, material: str, longest: int) -> None:
    """One action says who begins; a pawn wins slowest with White to move, a queen or a rook with Black to move.

    Those of chess are published. Those of Racing Kings are our own: `db verify` found every position right.
    """
    assert StrongSolver(backend="compiled").solve(Endgame(material, variant)).longest == longest
