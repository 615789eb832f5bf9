"""Gambit's .nfg files: payoffs, outcomes, round trips, and faults with line and column."""

import os
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from zermelo.errors import ZermeloError
from zermelo.formats.nfg import matrix_from_nfg, matrix_to_nfg, read_nfg, write_nfg
from zermelo.trees.matrix import Matrix

REPOSITORY = Path(__file__).resolve().parent.parent.parent
DATA = REPOSITORY / "tests" / "data" / "gambit"
TRUTH = Path(os.environ.get("ZERMELO_TRUTH", REPOSITORY.parent / "shared" / "truth"))

PAYOFFS = 'NFG 1 R "Selten (IJGT, 75), Figure 2" { "Player 1" "Player 2" } { 3 2 }\n\n1 1 0 2 0 2 1 1 0 3 2 0\n'
OUTCOMES = """NFG 1 R "coordination" { "a" "b" }
{ { "x" "y" } { "u" "v" "w" } }
"a comment"
{
{ "good" 1/2, 0.25 }
{ "bad" -1 -1 }
}
1 2 2 1 0 0
"""


def test_the_first_player_changes_fastest() -> None:
    game = matrix_from_nfg(PAYOFFS)
    assert game.shape == (3, 2)
    assert [game.payoff(profile) for profile in game.profiles()] == [(1, 1), (1, 1), (0, 2), (0, 3), (0, 2), (2, 0)]


def test_outcomes() -> None:
    game = matrix_from_nfg(OUTCOMES)
    assert game.strategies == (("x", "y"), ("u", "v", "w"))
    assert game.payoff((0, 0)) == game.payoff((1, 1)) == (Fraction(1, 2), Fraction(1, 4))
    assert game.payoff((1, 0)) == game.payoff((0, 1)) == (-1, -1)
    assert game.payoff((0, 2)) == (0, 0)


@pytest.mark.parametrize("shape", [(2, 2), (1, 4), (3, 2, 2), (2, 2, 2, 2), (3,)])
def test_round_trip(shape: tuple[int, ...], tmp_path: Path) -> None:
    random = Random(str(shape))
    cells = 1
    for size in shape:
        cells *= size
    tables = tuple(tuple(Fraction(random.randint(-9, 9), random.randint(1, 9)) for _ in range(cells)) for _ in shape)
    strategies = tuple(tuple(f"{number} of {size}" for number in range(size)) for size in shape)
    game = Matrix(strategies, tables, tuple(f'"{player}"' for player in range(len(shape))), title="a \\ b")
    assert matrix_from_nfg(matrix_to_nfg(game)) == game
    write_nfg(game, tmp_path / "game.nfg")
    assert read_nfg(tmp_path / "game.nfg") == game


def test_floats_are_written_as_the_decimals_that_they_print_as() -> None:
    game = matrix_from_nfg(matrix_to_nfg(Matrix.of([[0.1, -2.5]])))
    assert game.payoff((0, 0)) == (Fraction(1, 10), Fraction(-1, 10))
    assert matrix_from_nfg(matrix_to_nfg(game)) == game


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (PAYOFFS.replace("3 2 0", "3 2"), "line 4, column 1: the file ends where the payoff of player 2 in profile 6 of 6 should be"),
        (PAYOFFS.replace("0 3 2 0", ""), "line 4, column 1: the file is cut off: 4 of 6 profiles have their payoffs"),
        (PAYOFFS + "7", "line 4, column 1: all 6 profiles have their payoffs, but the file goes on"),
        (PAYOFFS.replace("{ 3 2 }", "{ 3 2 2 }"), "line 1, column 65: there are strategies for 3 players, but the names of 2"),
        (PAYOFFS.replace("{ 3 2 }", "{ 3 0 }"), "line 1, column 69: there is 0 where the number of strategies should be"),
        (PAYOFFS.replace("1 1 0", "1 one 0", 1), "line 3, column 3: there is 'one' where the payoff of player 2 in profile 1"),
        (PAYOFFS.replace("NFG 1", "EFG 2"), "this is no .nfg file"),
        (OUTCOMES.replace("1 0 0", "1 0 3"), "line 8, column 11: there is no outcome 3: the file lists 2"),
        (OUTCOMES.replace("1 0 0", "1"), "the file is cut off: 4 of 6 profiles have their outcome"),
        (OUTCOMES.replace("0.25 }", "}"), "line 5, column 15: there is '}' where the payoff of player 2 should be"),
        (OUTCOMES.replace('{ "x" "y" }', "{ }"), "a player has no strategy"),
    ],
)
def test_faults_name_line_and_column(text: str, sentence: str) -> None:
    with pytest.raises(ZermeloError, match=sentence):
        matrix_from_nfg(text)


@pytest.mark.parametrize("file", sorted(DATA.glob("*.nfg")), ids=lambda file: file.stem)
def test_our_own_files_are_stable(file: Path) -> None:
    assert matrix_to_nfg(read_nfg(file)) == file.read_text(encoding="utf-8")


@pytest.mark.skipif(not TRUTH.is_dir(), reason="the folder with Gambit's and OpenSpiel's own files is not here; set ZERMELO_TRUTH")
@pytest.mark.parametrize("file", sorted(TRUTH.glob("**/*.nfg")), ids=lambda file: file.stem)
def test_files_of_other_programs(file: Path) -> None:
    game = read_nfg(file)
    assert matrix_from_nfg(matrix_to_nfg(game)) == game
