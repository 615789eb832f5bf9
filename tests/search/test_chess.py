"""Chess through the package `chess`: move counts, the laws on draws, boards in and out, and the two evaluations."""

import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo import ZermeloError
from zermelo.formats.position import parse_moves, parse_position
from zermelo.registry import find
from zermelo.search.alphabeta import AlphaBeta
from zermelo.search.perft import perft

SUITE = Path(__file__).resolve().parent.parent / "data" / "chess" / "perftsuite.epd"  # the classic set of 128 positions
LAWLESS = "chess(repetitions=0, clock=0, insufficient=False)"  # published counts know no draws


def suite() -> list[Any]:
    """(FEN, counts at depth 1, 2, 3) of every position; those with many moves are slow."""
    rows = []
    for number, line in enumerate(SUITE.read_text(encoding="ascii").splitlines(), 1):
        fen, *counts = (part.strip() for part in line.split(";"))
        expected = [int(count.split()[1]) for count in counts[:3]]
        rows.append(pytest.param(fen, expected, id=str(number), marks=[pytest.mark.slow] if expected[-1] > 500 else []))
    assert len(rows) == 128
    return rows


@pytest.mark.parametrize(("fen", "expected"), suite())
def test_moves_are_as_many_as_published(fen: str, expected: list[int]) -> None:
    game: Any = find(LAWLESS)
    state = game.read(fen)
    assert game.show(state) == fen
    assert [perft(game, depth, state).leaves for depth in (1, 2, 3)] == expected


def played(text: str, **parameters: Any) -> tuple[Any, Any]:
    game: Any = find("chess" if not parameters else f"chess({', '.join(f'{name}={value!r}' for name, value in parameters.items())})")
    return game, parse_moves(game, text).state


def test_an_action_is_from_to_and_promotion() -> None:
    game: Any = find("chess")
    named = {game.name(game.start(), action): action for action in game.actions(game.start())}
    assert named["e2e4"] == 12 + 64 * 28
    late = game.read("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert {game.name(late, action): action >> 12 for action in game.actions(late) if action >> 12} == {
        "a7a8q": 5,
        "a7a8r": 4,
        "a7a8b": 3,
        "a7a8n": 2,
    }


def test_mate_is_a_loss_and_stalemate_a_draw() -> None:
    game, mate = played("f2f3 e7e5 g2g4 d8h4")
    assert (game.terminal(mate), game.utility(mate)) == (True, -1)
    stale = game.read("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert (game.terminal(stale), game.utility(stale), list(game.actions(stale))) == (True, 0, [])


ROUND = "g1f3 g8f6 f3g1 f6g8 "


def test_a_position_that_comes_up_for_the_third_time_is_a_draw() -> None:
    game, twice = played(ROUND)
    assert not game.terminal(twice)
    assert twice != game.start()  # a draw is nearer
    game, thrice = played(ROUND * 2)
    assert (game.terminal(thrice), game.utility(thrice)) == (True, 0)
    assert not list(game.actions(thrice))
    again = played(ROUND, repetitions=2)
    assert again[0].terminal(again[1])
    freely = played(ROUND, repetitions=0, clock=0)
    assert freely[1] == freely[0].start()


def test_castling_rights_and_passing_pawns_are_part_of_a_position() -> None:
    game, lost = played("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8")
    assert not game.terminal(lost)  # the first time there was still castling
    game, third = played("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7")
    assert game.terminal(third)


def test_fifty_moves_without_progress_are_a_draw_but_not_before_mate() -> None:
    game: Any = find("chess")
    late = game.read("7k/8/8/8/8/8/R7/K7 w - - 99 80")
    after = game.result(late, next(iter(game.actions(late))))
    assert (game.terminal(after), game.utility(after)) == (True, 0)
    free: Any = find("chess(clock=0)")
    assert not free.terminal(free.result(free.read(game.show(late)), 8 + 64 * 9))
    mating = game.read("7k/8/6K1/8/8/8/R7/8 w - - 99 80")
    mated = game.result(mating, 8 + 64 * 56)
    assert (game.terminal(mated), game.utility(mated)) == (True, 1)


def test_bare_kings_are_a_draw_unless_the_rules_go_on() -> None:
    assert find("chess").terminal(find("chess").read("7k/8/8/8/8/8/8/K7 w - - 0 1"))  # type: ignore[attr-defined]
    game: Any = find(LAWLESS)
    assert not game.terminal(game.read("7k/8/8/8/8/8/8/K7 w - - 0 1"))


@pytest.mark.parametrize("moves", ["", "e2e4", "g1f3 g8f6", "e2e4 e7e5 g1f3 b8c6 f1b5", ROUND])
def test_a_board_is_read_as_it_is_shown(moves: str) -> None:
    game, state = played(moves)
    assert game.read(game.show(state)) == state


def test_a_board_is_a_position() -> None:
    game, state = played("e2e4 e7e5 g1f3")
    assert parse_position(game, game.show(state)).state == state


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("nonsense", "is no FEN of a chess position"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "is no chess position: no white king, no black king, empty"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "opposite check"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e3", "e1e3 is not possible in"),
    ],
)
def test_a_board_that_is_none_gets_a_sentence(text: str, part: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        find("chess").read(text)  # type: ignore[attr-defined]
    assert part in str(caught.value)


@pytest.mark.parametrize("text", ["chess(evaluation='guess')", "chess(repetitions=1)", "chess(clock=-1)"])
def test_wrong_parameters_get_a_sentence(text: str) -> None:
    with pytest.raises(ZermeloError, match="Chess"):
        find(text)


def test_without_the_package_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(ZermeloError, match=r"Chess needs the package chess: install it with `pip install 'zermelo\[chess\]'`"):
        find("chess")


# FEN, material and mobility in pawns for White, material of White and of Black
JUDGED = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.0, 39, 39),
    ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 9 + (17 + 5 - 5) / 10, 9, 0),
    ("4k3/4p3/8/8/8/8/8/N3K3 b - - 0 1", 3 - 1 + (2 + 5 - 4) / 10, 3, 1),
]


@pytest.mark.parametrize(("fen", "lead", "white", "black"), JUDGED)
def test_evaluations_are_those_of_the_books(fen: str, lead: float, white: int, black: int) -> None:
    shannon: Any = find("chess")
    turing: Any = find("chess(evaluation='turing')")
    assert shannon.evaluate(shannon.read(fen)) == pytest.approx(lead / 100)
    ratio = turing.evaluate(turing.read(fen))
    assert ratio == pytest.approx(0.99 * (white - black) / (white + black))
    assert (ratio > 0) == (white > black)


@pytest.mark.parametrize(
    ("fen", "quiet"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", True),
        ("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", False),  # a pawn takes a rook
        ("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1", True),  # a rook could take a guarded pawn
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", False),  # nobody guards it
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", False),  # a promotion
        ("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1", False),  # check
    ],
)
def test_quiet_is_a_position_without_threats(fen: str, quiet: bool) -> None:
    game: Any = find("chess")
    assert game.quiet(game.read(fen)) is quiet


def test_morphys_problem_is_mate_in_two_moves() -> None:
    game: Any = find("chess")
    found = AlphaBeta(depth=3).search(game, game.read("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"))
    assert game.name(found.state, found.action) == "a1a6"
    assert found.value == 1
    assert [action for action, value in found.scores.items() if value == 1] == [found.action]


def test_captures_of_valuable_men_are_tried_first() -> None:
    game: Any = find("chess")
    state = game.read("4k3/8/8/3q1p2/4P3/2N5/8/4K3 w - - 0 1")
    names = [game.name(state, action) for action in sorted(game.actions(state), key=lambda action: -game.order(state, action))]
    assert names[:3] == ["e4d5", "c3d5", "e4f5"]
