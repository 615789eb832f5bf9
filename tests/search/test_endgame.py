"""Endgames of chess and its variants: set-ups, positions, and material that is none."""

import random
from pathlib import Path
from typing import Any

import pytest

from zermelo import ZermeloError
from zermelo.games.chess import Position
from zermelo.games.endgame import Endgame
from zermelo.registry import find
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.solve.endgames import solve_endgames
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


@pytest.mark.parametrize("material", ["KQK", "KNNK", "KPKP"])
@pytest.mark.parametrize("variant", ["chess", "racingkings", "gardner"])
def test_images_have_the_same_moves(material: str, variant: str) -> None:
    """In random games: what follows from the image is the image of what follows."""
    game, choose = Endgame(material, variant), random.Random(2)
    for _ in range(20):
        position = game.start()
        for _ in range(20):
            image, symmetry = game.canonical(position)
            assert game.canonical(image)[0] == image
            actions = list(game.actions(position))
            assert {game.image(action, symmetry) for action in actions} == set(game.actions(image))
            for action in actions[:: max(1, len(actions) // 5)]:
                after = game.canonical(game.result(position, action))[0]
                assert game.canonical(game.result(image, game.image(action, symmetry)))[0] == after
            if game.terminal(position):
                break
            position = game.result(position, choose.choice(actions))


@pytest.mark.slow  # KBNK and KQKR 25 s of processor time each, the others 3 to 4 s
@pytest.mark.parametrize(
    ("variant", "material", "longest"),
    [
        ("chess", "KQK", 2 * 10),
        ("chess", "KRK", 2 * 16),
        ("chess", "KPK", 2 * 28),
        ("chess", "KBNK", 2 * 33),
        ("chess", "KQKR", 2 * 35),
        ("racingkings", "KQK", 2 * 9),
        ("racingkings", "KRK", 2 * 12),
    ],
)
def test_longest_wins(variant: str, material: str, longest: int) -> None:
    """In single moves, with Black to move first.

    Those of chess are published. Those of Racing Kings are our own: `db verify` found every position right.
    """
    assert solve_endgames(StrongSolver(backend="compiled"), Endgame(material, variant), len(material)).longest == longest


def test_positions_of_play_are_counted(tmp_path: Path) -> None:
    """Kings stand apart in 3,612 ways; with a queen there are 368,452 positions more (see tests/known), nearly all of them in eights."""
    solved = solve_endgames(StrongSolver(symmetry=False), Endgame("KQK"), 3, tmp_path / "kqk.zdb")
    assert (solved.positions, solved.losses, solved.draws) == (368_452 + 3_612, 0, 0)
    assert solved.slowest == "8/8/8/8/4k3/8/1Q6/K7 b - - 0 1"
    folded = solve_endgames(StrongSolver(), Endgame("KQK"), 3)
    assert (folded.file, folded.longest) == (None, solved.longest)
    assert folded.positions == 46_599
