"""Whole games: compiled against plain Python, with and without what a game may declare, and against published figures."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from whole_games import PONG, SMALL_CONNECT4, SMALL_NIM, Laps, PlainLaps

from zermelo.compiler.fields import fields_of, numbers_of
from zermelo.compiler.layout import layout_of
from zermelo.errors import ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.games.dotsandboxes import DotsAndBoxes
from zermelo.games.kalah import Kalah
from zermelo.games.kuhn import Kuhn
from zermelo.games.lgame import LGame
from zermelo.games.mnk import MNK
from zermelo.games.pig import Pig
from zermelo.games.threemensmorris import ThreeMensMorris
from zermelo.games.tictactoe import TicTacToe
from zermelo.rules import Game, draw_value
from zermelo.solve.database import Database
from zermelo.solve.numbering import Positions, narrowest
from zermelo.solve.strong import StrongSolver
from zermelo.solve.strong_reference import solve_by_sweeps

AGREEING: list[tuple[Game, bool]] = [
    (SMALL_CONNECT4, True),
    (SMALL_CONNECT4, False),
    (SMALL_NIM, True),
    (PONG, True),
    (Laps(), True),
    (PlainLaps(), True),
]


ROUTES = [
    StrongSolver(backend="compiled"),
    StrongSolver(backend="compiled", resident=False),
    StrongSolver(backend="compiled", resident=False, dense=False),
]
ROUTE_NAMES = ["in memory", "by sweeps", "in files"]  # a game that does not number its positions is done in files instead of by sweeps


@pytest.mark.parametrize("plan", ROUTES, ids=ROUTE_NAMES)
@pytest.mark.parametrize(("game", "symmetry"), AGREEING, ids=lambda each: type(each).__name__ if isinstance(each, Game) else str(each))
def test_every_position_is_as_plain_python_says(game: Game, symmetry: bool, plan: StrongSolver, tmp_path: Path) -> None:
    solution = solve_by_sweeps(game, game.start(), symmetry and hasattr(game, "canonical"))
    result = replace(plan, symmetry=symmetry).solve(game, out=tmp_path / "game.zdb")
    assert (result.positions, result.edges) == (len(solution.scores), solution.edges)
    with Database(tmp_path / "game.zdb", game) as database:
        found = dict(database.entries())
        draw = draw_value(game)
        assert {state: entry.value for state, entry in found.items()} == {state: score.value for state, score in solution.scores.items()}
        assert all(entry.distance == (solution.scores[state].distance() if entry.value != draw else None) for state, entry in found.items())
        assert {state for state, entry in found.items() if entry.kind == "draw"} == solution.endless
        assert database.probe(game.start()).value == result.value
    assert result.wins + result.losses + result.ties + result.draws == result.positions
    assert not (tmp_path / "game.zdb.work").exists()


def test_laps_holds_every_kind_of_position(tmp_path: Path) -> None:
    for plan, name in zip(ROUTES, ROUTE_NAMES, strict=True):
        result = plan.solve(Laps())
        assert min(result.wins, result.losses, result.ties, result.draws) > 0
        assert (result.groups == 1) == (name != "in files")


def test_the_same_bytes_whoever_does_it(tmp_path: Path) -> None:
    game = Laps()
    plans = [replace(plan, memory=memory, threads=threads) for plan in ROUTES for memory, threads in ((2 << 30, 1), (8 << 20, 2))]
    for number, plan in enumerate(plans):
        plan.solve(game, out=tmp_path / str(number), name="laps")
        assert (tmp_path / str(number)).read_bytes() == (tmp_path / "0").read_bytes()


# --- published figures

TIC_TAC_TOE = (5_478, 765)  # OpenSpiel's tests; up to symmetry counted independently


def test_tic_tac_toe(tmp_path: Path) -> None:
    whole = StrongSolver(symmetry=False).solve(TicTacToe())
    folded = StrongSolver().solve(TicTacToe(), out=tmp_path / "ttt.zdb")
    assert (whole.positions, folded.positions) == TIC_TAC_TOE
    assert (whole.value, whole.kind, whole.draws, folded.kind) == (0, "tie", 0, "tie")


CONNECT_FOUR = [  # width, height, positions (Tromp's table), value, ply of the last stone where somebody wins
    (4, 4, 161_029, 0, None),
    (5, 4, 3_945_711, 0, None),
    (4, 5, 1_706_255, 0, None),
]


@pytest.mark.parametrize(("width", "height", "positions", "value", "distance"), CONNECT_FOUR[:1])
def test_a_small_connect_four(width: int, height: int, positions: int, value: int, distance: int | None) -> None:
    result = StrongSolver(symmetry=False).solve(ConnectFour(width, height))
    assert (result.positions, result.value, result.distance, result.draws) == (positions, value, distance, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "positions", "value", "distance"), CONNECT_FOUR[1:])
def test_connect_four(width: int, height: int, positions: int, value: int, distance: int | None) -> None:
    test_a_small_connect_four(width, height, positions, value, distance)


def test_pong_hau_ki_is_a_draw_without_end() -> None:
    """P. D. Straffin, Position graphs for Pong Hau K'i and Mu Torere (1995)."""
    result = StrongSolver().solve(PONG)
    assert (result.value, result.kind, result.ties) == (0, "draw", 0)


M_N_K = [(3, 4, 3, 1), (4, 3, 3, 1), (4, 4, 4, 0), (3, 5, 4, 0)]  # Uiterwijk and van den Herik (2000)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "k", "value"), M_N_K)
def test_m_n_k_games(m: int, n: int, k: int, value: int) -> None:
    assert StrongSolver().solve(MNK(m, n, k)).value == value


LEADS = [  # Kalah: Irving, Donkers and Uiterwijk (2000); Dots and Boxes: Barker and Korf (2012) and counted independently
    (Kalah(2, 2), -2),
    (Kalah(3, 2), 4),
    (Kalah(4, 2), 6),
    (DotsAndBoxes(2, 2), 2),
    (DotsAndBoxes(1, 3), -1),
    (DotsAndBoxes(2, 3), -2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "value"), LEADS, ids=lambda each: repr(each))
def test_leads_at_the_end(game: Game, value: int) -> None:
    assert StrongSolver().solve(game).value == value


@pytest.mark.slow
def test_the_l_game() -> None:
    """2,296 positions up to symmetry by mover: 1,006 won, 29 lost, 1,261 drawn, 9 plies at most; twice that here."""
    result = StrongSolver().solve(LGame())
    assert (result.positions, result.wins, result.losses, result.draws) == (2 * 2_296, 1_006 + 29, 1_006 + 29, 2 * 1_261)
    assert (result.kind, result.longest) == ("draw", 9)


@pytest.mark.slow
def test_three_mens_morris_by_two_routes(tmp_path: Path) -> None:
    for plan in ROUTES:
        test_every_position_is_as_plain_python_says(ThreeMensMorris(), True, plan, tmp_path)


# --- questions that make no sense


@pytest.mark.parametrize(
    ("game", "words"),
    [(Kuhn(), r"hides information|Chance moves"), (Pig(10), "Chance moves")],
    ids=["hidden", "chance"],
)
def test_games_that_cannot_be_solved_whole(game: Game, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        StrongSolver().solve(game)


@pytest.mark.parametrize("plan", [StrongSolver(memory=1000), StrongSolver(threads=0)])
def test_parameters_out_of_range(plan: StrongSolver) -> None:
    with pytest.raises(ZermeloError):
        plan.solve(SMALL_NIM)


def test_too_little_disk_is_said_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 100

    monkeypatch.setattr("zermelo.solve.work.shutil.disk_usage", lambda path: Usage())
    with pytest.raises(ZermeloError, match=r"needs about .* of disk"):
        StrongSolver().solve(SMALL_NIM, out=tmp_path / "nim.zdb")
    assert list(tmp_path.iterdir()) == []


def test_numbers_of_positions_and_back() -> None:
    states = [SMALL_NIM.start(), SMALL_NIM.start()._replace(heaps=(3, -2), turn=1)]
    positions = Positions(SMALL_NIM, narrowest(SMALL_NIM, states, False))
    for state in states:
        number = positions.number(state)
        assert number is not None
        assert positions.state(number) == state
    assert positions.number(SMALL_NIM.start()._replace(heaps=(9, 0))) is None


class Texts(NamedTuple):
    board: str
    winner: str | None


def test_letters_take_the_bits_that_they_need() -> None:
    states = [Texts("  X", None), Texts("XOX", "X"), Texts("OOX", "O")]
    numbering = narrowest(SMALL_NIM, states, False)
    assert sum(numbering.codes.bits) <= 9
    fields = fields_of(layout_of(states))
    rows = [numbers_of(state, layout_of(states), fields) for state in states]
    numbers = [numbering.codes.number(row) for row in rows]
    assert len(set(numbers)) == 3
    assert [numbering.codes.values(number) for number in numbers if number is not None] == rows


def test_positions_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ZermeloError, match="do not fit 63 bits"):
        narrowest(SMALL_NIM, [SMALL_NIM.start()._replace(heaps=(1 << 40, 1 << 30))], False)
