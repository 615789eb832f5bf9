"""Chess and its variants: move counts, the laws on draws, boards in and out, evaluations, and the package `chess` as a second opinion."""

import random
import sys
from pathlib import Path
from typing import Any

import chess
import chess.variant
import pytest

from zermelo import ZermeloError
from zermelo.formats.position import parse_moves, parse_position
from zermelo.registry import find
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.classic.perft import perft

SUITE = Path(__file__).resolve().parent.parent / "data" / "chess" / "perftsuite.epd"  # the classic set of 128 positions
LAWLESS = "chess(repetitions=0, clock=0, insufficient=False)"  # published counts know no draws


def suite() -> list[Any]:
    """(FEN, counts at depth 1, 2, 3) of every position; those with many moves are slow."""
    rows = []
    for number, line in enumerate(SUITE.read_text(encoding="ascii").splitlines(), 1):
        fen, *counts = (part.strip() for part in line.split(";"))
        expected = [int(count.split()[1]) for count in counts[:3]]
        backend = "auto" if expected[-1] > 500 else "reference"
        rows.append(pytest.param(fen, expected, backend, id=str(number), marks=[pytest.mark.slow] if expected[-1] > 500 else []))
    assert len(rows) == 128
    return rows


@pytest.mark.parametrize(("fen", "expected", "backend"), suite())
def test_moves_are_as_many_as_published(fen: str, expected: list[int], backend: Any) -> None:
    game: Any = find(LAWLESS)
    state = game.read(fen)
    assert game.show(state) == fen
    assert [perft(game, depth, state, backend=backend).leaves for depth in (1, 2, 3)] == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "leaves"),
    [
        (LAWLESS, (197_281, 4_865_609)),
        ("atomic(repetitions=0, clock=0, insufficient=False)", (197_326, 4_864_979)),
        ("antichess(repetitions=0, clock=0, insufficient=False)", (153_299, 2_732_672)),
        ("horde(repetitions=0, clock=0, insufficient=False)", (23_310, 265_223)),
        ("racingkings(repetitions=0, clock=0, insufficient=False)", (296_242, 9_472_927)),
    ],
)
def test_variants_have_as_many_lines_of_four_and_five_moves_as_published(name: str, leaves: tuple[int, int]) -> None:
    """Sources stand in tests/known, where shorter lines are counted by the rules as written too."""
    assert tuple(perft(find(name), depth, backend="compiled").leaves for depth in (4, 5)) == leaves


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
        ("nonsense", "is not the FEN of a chess position"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "is not a chess position: it has no white king"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "the king on e8 is in check and it is not his turn"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on h8"),
        ("4k3/8/8/8/9/8/8/4K3 w - - 0 1", "row 4 has 9 squares instead of 8"),
        ("4k3/8/8/8/2x5/8/8/4K3 w - - 0 1", "'x' on c4 is not a piece"),
        ("4k3/8/8/8/8/8/.7/4K3 w - - 0 1", "'.' on a2 is not a piece"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling K needs a king and a rook on their first row"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn has just passed by e6"),
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


def test_without_the_package_chess_is_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chess", None)
    assert len(list(find("chess").actions(find("chess").start()))) == 20
    with pytest.raises(ZermeloError, match=r"Chess needs the package chess: install it with `pip install 'zermelo\[chess\]'`"):
        find("chesslib")


# --- the package `chess` as a second opinion


def compare(name: str, board: chess.Board, moves: int, seed: int) -> int:
    """Plays at random on both boards and compares moves, names, FEN and results; how many positions were compared."""
    game: Any = find(name)
    state, rnd = game.start(), random.Random(seed)
    for number in range(moves):
        assert game.fen(state) == board.fen(en_passant="fen")
        assert game.read(game.show(state)) == state
        over = board.is_variant_end()
        theirs = {} if over else {board.uci(move): move for move in board.legal_moves}
        mine = {} if over else {game.name(state, action): action for action in game.legal(state)}
        assert mine.keys() == theirs.keys(), board.fen()
        if not theirs:
            assert {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[board.result()] == game.utility(state), board.fen()
            return number + 1
        word = rnd.choice(sorted(theirs))
        assert game.spoken(state, mine[word]).rstrip("#") == board.san(theirs[word]).rstrip("#")  # antichess marks its ends by #
        state = game.result(state, mine[word])
        board.push(theirs[word])
    return moves


BOARDS: dict[str, Any] = {
    "chess": chess.Board,
    "kingofthehill": chess.variant.KingOfTheHillBoard,
    "threecheck": chess.variant.ThreeCheckBoard,
    "racingkings": chess.variant.RacingKingsBoard,
    "atomic": chess.variant.AtomicBoard,
    "antichess": chess.variant.AntichessBoard,
    "horde": chess.variant.HordeBoard,
}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", BOARDS)
def test_moves_names_and_results_are_those_of_the_package(name: str, seed: int) -> None:
    assert compare(name, BOARDS[name](), 60, seed) > 10


@pytest.mark.parametrize("setup", [0, 100, 518, 777, 959])
def test_chess960_is_that_of_the_package(setup: int) -> None:
    assert compare(f"chess(setup={setup})", chess.Board.from_chess960_pos(setup), 60, setup) > 10


@pytest.mark.slow
def test_ten_thousand_random_positions_have_the_moves_of_the_package() -> None:
    assert sum(compare("chess", chess.Board(), 200, seed) for seed in range(75)) > 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in BOARDS if name != "chess"])
def test_many_games_of_a_variant_are_those_of_the_package(name: str) -> None:
    assert sum(compare(name, BOARDS[name](), 100, seed) for seed in range(12)) > 500


def test_a_move_is_also_read_as_people_write_it() -> None:
    game: Any = find("chess")
    assert parse_moves(game, "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O").state == parse_moves(game, "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1").state


# FEN, material and mobility in pawns for White, material of White and of Black
JUDGED = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0.0, 39, 39),
    ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", 9 + (17 + 5 - 5) / 10, 9, 0),
    ("4k3/4p3/8/8/8/8/8/N3K3 b - - 0 1", 3 - 1 + (2 + 5 - 4) / 10, 3, 1),
]


@pytest.mark.parametrize(("fen", "lead", "white", "black"), JUDGED)
def test_evaluations_are_those_of_the_books(fen: str, lead: float, white: int, black: int) -> None:
    shannon: Any = find("chess(evaluation='mobility')")
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
    found = AlphaBeta(depth=3, backend="reference").search(game, game.read("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"))
    assert game.name(found.state, found.action) == "a1a6"
    assert found.value == 1
    assert [action for action, value in found.scores.items() if value == 1] == [found.action]


def test_captures_of_valuable_men_are_tried_first() -> None:
    game: Any = find("chess")
    state = game.read("4k3/8/8/3q1p2/4P3/2N5/8/4K3 w - - 0 1")
    names = [game.name(state, action) for action in sorted(game.actions(state), key=lambda action: -game.order(state, action))]
    assert names[:3] == ["e4d5", "c3d5", "e4f5"]


@pytest.mark.parametrize("name", ["antichess", "atomic", "gardner", "horde", "kingofthehill", "losalamos", "racingkings", "threecheck"])
def test_variants_are_compiled(name: str) -> None:
    assert perft(find(name), 2, backend="compiled").backend == "compiled"


MIRRORED = ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]


@pytest.mark.parametrize("fen", MIRRORED)
def test_white_and_black_are_judged_alike(fen: str) -> None:
    game: Any = find("chess")
    other = chess.Board(fen).mirror().fen()
    assert game.evaluate(game.read(fen)) == pytest.approx(-game.evaluate(game.read(other)))
    assert tuple(game.features(game.read(fen))) == pytest.approx([-value for value in game.features(game.read(other))])


def test_doing_nothing_is_not_assumed_in_check_or_with_pawns_alone() -> None:
    game: Any = find("chess")
    start = game.start()
    assert game.passed(start)._replace(turn=0) == start
    for fen in ("4k3/8/8/8/8/8/4q3/3K4 w - - 0 1", "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"):
        assert game.passed(game.read(fen)) == game.read(fen)


def test_a_pawn_that_could_be_taken_in_passing_makes_another_position() -> None:
    game: Any = find("chess(repetitions=2)")
    double = parse_moves(game, "e2e4 a7a6 e4e5 d7d5").state  # exd6 is possible, and never again
    state = double
    for word in ("g1f3", "g8f6", "f3g1", "f6g8"):
        state = game.result(state, next(action for action in game.actions(state) if game.name(state, action) == word))
    assert state.board == double.board
    assert not game.terminal(state)
