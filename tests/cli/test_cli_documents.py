"""What five documents on game trees print or ask for, as a reader would try it on the command line."""

import re

import pytest
from command_line import Run

PRESET = [
    "01o\n345\nxox",
    "01o/345/xox",
    "0 1 O / 3 4 5 / X O X",
    "6287",
]  # of the AIPT chapter, as it prints it, and as moves


def test_the_opengenus_article_names_leaves_and_nodes(run: Run) -> None:
    done = run("tree", "kqj", "--explain")
    assert re.findall(r"\[M\w+\] .*", done.out) == [
        "[Maximize] highest of {E2: -1, E3: -2}",
        "[Minimize] lowest of {E1: -1, E2: -1}",
        "[Minimize] lowest of {E4: 1, E5: -2}",
        "[Maximize] highest of {E1: -1, E5: -2}",
    ]
    assert done.out.endswith("Decision path: Gametree Decision - P1A, CHECK - P2A, CHECK - E1\n")


def test_orders_of_moves_are_compared(run: Run) -> None:
    """CSC384: "This can make a tremendous difference in practice"."""
    engines = "minimax,alphabeta,alphabeta(ordering=False)"
    done = run("compare", "connect4(width=5,height=4)", "--engines", engines, "--depth", "5", "--repeat", "1", "--json")
    nodes = {engine: sum(move["nodes"] for move in moves) for engine, moves in done.data["moves"].items()}
    assert nodes["alphabeta"] < nodes["alphabeta(ordering=False)"] < nodes["minimax"]


def test_an_alpha_of_twenty_prunes_the_rest_of_c2(run: Run) -> None:
    done = run("tree", "alphacut", "--algorithm", "alphabeta", "--explain")
    assert "15 is at most α = 20" in done.out
    assert "E and F are never looked at" in done.out


@pytest.mark.parametrize("position", PRESET)
def test_the_moves_of_the_preset_position_by_win_share(run: Run, position: str) -> None:
    done = run("best", "tictactoe", "-p", position, "--engine", "mcts", "--textbook", "--playouts", "10000", "--seed", "1")
    rows = re.findall(r"^[→ ]+(\d) +([\d,]+) +(\d+\.\d) ", done.out, re.MULTILINE)
    shares = [float(share) for _, _, share in rows]
    assert done.out.startswith("0 is X's best move")
    assert rows[0][0] == "0"
    assert shares == sorted(shares, reverse=True)
    assert sum(int(count.replace(",", "")) for _, count, _ in rows) == 10_000


def test_the_payoff_table_of_two_levels(run: Run) -> None:
    done = run("equilibrium", "twolevel")
    assert "Right      -3, 3       6, -6       -3, 3        6, -6" in done.out


@pytest.mark.parametrize("typed", ["1 1", "1,1", "(1, 1)", "row 1 column 1"])
def test_cells_are_typed_as_row_and_column(run: Run, typed: str) -> None:
    done = run("play", "tictactoe", "--seats", "human,random", input=f"{typed}\nquit\n")
    assert re.search(r"Moves: 4\d", done.out)


@pytest.mark.parametrize("engine", ["minimax", "alphabeta", "negamax"])
@pytest.mark.parametrize("backend", ["reference", "compiled"])
def test_searches_keep_their_cache_across_turns(run: Run, engine: str, backend: str) -> None:
    """Lan et al., section 3.5; without it the second turn takes hundreds of nodes."""
    done = run("play", "tictactoe", "--seats", f"human,{engine}", "--backend", backend, input="4\n2\n3\nquit\n")
    counts = [int(text.replace(",", "")) for text in re.findall(r"([\d,]+) nodes, exact", done.out)]
    assert len(counts) == 3
    assert counts[1] < 60


def test_times_have_the_digits_they_need(run: Run) -> None:
    done = run("play", "tictactoe", "--seats", "human,alphabeta", "--backend", "reference", input="4\n2\n3\nquit\n")
    assert all(float(text) > 0 for text in re.findall(r"\(([\d.]+) s,", done.out))
