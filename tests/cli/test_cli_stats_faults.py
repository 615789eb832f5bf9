"""`zermelo stats` and `zermelo grundy` where something is in the way: folded databases, a full disk, options that do not go together."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from command_line import Run

from zermelo.games.tictactoe import TicTacToe
from zermelo.solve.strong import StrongSolver

FIRST_MIN = """
from typing import NamedTuple
from zermelo import Game
class Heap(NamedTuple):
    left: int
    turn: int
class FirstMin(Game):
    payoffs = (-1, 1)
    def start(self): return Heap(1, 1)
    def player(self, state): return state.turn
    def actions(self, state): return [1]
    def result(self, state, action): return Heap(0, 1 - state.turn)
    def terminal(self, state): return state.left == 0
    def utility(self, state): return 1 if state.turn == 1 else -1
class Over(FirstMin):
    def start(self): return Heap(0, 1)
class Words(FirstMin):
    def start(self): return Heap("one", 1)
    def result(self, state, action): return Heap(0, 1 - state.turn)
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(FIRST_MIN)
    return file


@pytest.fixture(scope="module")
def kept() -> dict[str, Path]:
    return {}


@pytest.fixture
def folded(kept: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of noughts and crosses in which positions that are alike are one."""
    if "folded" not in kept:
        kept["folded"] = tmp_path_factory.mktemp("data") / "folded.zdb"
        StrongSolver().solve(TicTacToe(), out=kept["folded"])
    return kept["folded"]


def test_the_player_who_begins_has_the_advantage(run: Run, mine: Path) -> None:
    done = run("stats", f"{mine}:Words", "--games", "10")
    assert "advantage of the first player +100.0% ± 0.0%" in done.out


def test_a_game_that_is_over_has_no_best_play(run: Run, mine: Path) -> None:
    done = run("stats", f"{mine}:Over", "--games", "1")
    assert "1 position\n" in done.out
    assert "best play" not in done.out


def test_a_folded_database_serves_only_where_it_is_named(run: Run, folded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_DATA", str(folded.parent))
    plain = run("stats", "tictactoe", "--games", "10")
    assert "5,478 positions\n" in plain.out
    assert run("stats", "tictactoe", "--games", "10", "--no-database").out == plain.out
    assert "765 positions, those that are alike counted once" in run("stats", "tictactoe", "--database", str(folded), "--games", "10").out
    data = run("stats", "tictactoe", "--database", str(folded), "--games", "10", "--json").data
    assert (data["symmetric"], data["database"]) == (True, str(folded))


def test_a_full_disk_leaves_no_cut_plot_and_costs_no_figures(
    run: Run, folded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    def half(figure: Any, path: Path) -> None:
        Path(path).write_text("<svg")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    plot = tmp_path / "balance.svg"
    plot.write_text("the plot of yesterday")
    monkeypatch.setattr(Figure, "savefig", half)
    done = run("stats", "tictactoe", "--database", str(folded), "--games", "10", "--plot", str(plot))
    assert (done.code, done.err) == (2, f"{plot} cannot be written: No space left on device.\n")
    assert "10 random games" in done.out
    assert [file.name for file in tmp_path.iterdir()] == ["balance.svg"]
    assert plot.read_text() == "the plot of yesterday"


def test_a_book_does_not_hold_every_position(run: Run, folded: Path, tmp_path: Path) -> None:
    book = tmp_path / "book.zdb"
    assert run("db", "book", str(folded), str(book), "--plies", "2", "--game", "tictactoe").code == 0
    done = run("stats", "tictactoe", "--database", str(book))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "is a book" in done.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["stats", "tictactoe", "--database", "x.zdb", "--no-database"], "leave one of them out"),
        (["grundy", "nim", "kayles", "--sequence", "3"], "--sequence goes with one game"),
        (["grundy", "nim", "--position", "1-1", "--sequence", "3"], "leave --position out"),
        (["grundy", "kayles", "--sequence", "300"], "not (257,)"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run: Run, words: list[str], sentence: str) -> None:
    done = run(*words)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert sentence in done.err


def test_one_position_is_one(run: Run) -> None:
    assert "\n1 position\n" in run("grundy", "kayles(rows=(1,))").out
    assert run("grundy", "dawsonskayles", "--sequence", "1").out == "0 0\n"


def test_a_game_without_a_size_has_no_sequence(run: Run, mine: Path) -> None:
    done = run("grundy", f"{mine}:FirstMin", "--sequence", "3")
    assert (done.code, done.err) == (2, "FirstMin has no parameter whose size could vary.\n")


NEGATIVE_WORD = '''
from typing import NamedTuple
from zermelo import Game, u64

class S(NamedTuple):
    left: u64
    turn: int

class Down(Game):
    """Count down below nothing, where the state says that there is no such number."""
    payoffs = (-1, 1)
    def start(self): return S(3, 0)
    def player(self, s): return s.turn
    def actions(self, s): return [0, 1]
    def result(self, s, action): return S(s.left - 1 - action, 1 - s.turn)
    def terminal(self, s): return s.left <= 0
    def utility(self, s): return 1 if s.left < 0 else -1
'''


def test_numbers_beyond_their_type(run: Run, tmp_path: Path) -> None:
    """Positions that no database can hold are a reason for random games alone, and for a refusal of `--out`."""
    file = tmp_path / "down.py"
    file.write_text(NEGATIVE_WORD)
    assert run("stats", str(file), "--games", "5", "--json").data["reason"]
    assert run("solve", str(file), "--all", "--json").data["positions"] > 1
    done = run("solve", str(file), "--all", "--out", str(tmp_path / "down.zdb"))
    assert done.code == 2
    assert "the type written for it" in done.err
