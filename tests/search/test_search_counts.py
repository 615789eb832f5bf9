"""Published move counts, node counts and values."""

from pathlib import Path

import pytest

from zermelo.games.connect4 import ConnectFour
from zermelo.games.nim import Heaps, Nim
from zermelo.games.othello import Othello
from zermelo.games.tictactoe import TicTacToe
from zermelo.registry import find
from zermelo.search import AlphaBeta, Minimax, Negamax, perft

CONNECT_FOUR = "counted independently to depth 10"
TIC_TAC_TOE = "OpenSpiel's get_all_states_test has the sum, 549,946; counted independently by ply"
OTHELLO = "Aart Bik's perft of Othello: a pass is a ply, and a finished game stays a leaf at deeper depths"
PEGS = Path(__file__).parents[1] / "corpus" / "natural19" / "pegs.py"
BACKENDS = ("reference", "compiled")

# game, leaves by depth, how deep the reference backend looks, source
LEAVES = [
    (ConnectFour(), [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234], 4, CONNECT_FOUR),
    (TicTacToe(), [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872], 4, TIC_TAC_TOE),
]
OTHELLO_LEAVES = [
    pytest.param(8, [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216], marks=pytest.mark.slow),
    (4, [1, 4, 12, 44, 128, 424, 1_256, 3_624, 9_116, 20_044, 36_540, 50_704, 57_436, 59_564, 59_980, 60_060]),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("game", "leaves", "reference_depth", "source"), LEAVES)
def test_perft(game, leaves, reference_depth, source, backend):
    for depth, count in enumerate(leaves if backend == "compiled" else leaves[: reference_depth + 1]):
        found = perft(game, depth, backend=backend)
        assert (found.leaves, found.backend) == (count, backend), (depth, source)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("size", "counts"), OTHELLO_LEAVES)
def test_perft_of_othello(size, counts, backend):
    for depth, count in enumerate(counts if backend == "compiled" else counts[:5]):
        found = perft(Othello(size), depth, backend=backend)
        assert found.leaves + found.finished == count, (depth, OTHELLO)


@pytest.mark.parametrize("backend", BACKENDS)
def test_dead_ends_of_a_puzzle_are_finished(backend):
    """Triangular peg solitaire with twelve holes, counted by hand-written breadth-first search."""
    found = perft(find(str(PEGS)), 8, backend=backend)
    assert (found.leaves, found.finished, found.backend) == (140, 34, backend)


@pytest.mark.slow
def test_perft_of_connect_four_to_depth_ten():
    assert perft(ConnectFour(), 9, backend="compiled").leaves == 39_394_572, CONNECT_FOUR
    assert perft(ConnectFour(), 10, backend="compiled").leaves == 268_031_646, CONNECT_FOUR


def test_every_game_of_tic_tac_toe():
    found = perft(TicTacToe(), 9, backend="compiled")
    assert found.finished + found.leaves == 255_168
    assert found.nodes == 549_946


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 6, 9])
def test_both_engines_count_everything_alike(depth):
    state = TicTacToe().result(TicTacToe().result(TicTacToe().start(), 0), 4)
    counts = [perft(TicTacToe(), depth, state, backend) for backend in BACKENDS]
    assert len({(count.leaves, count.finished, count.nodes) for count in counts}) == 1


# --- node counts of the textbook searches


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("window", "nodes", "alpha_cuts", "beta_cuts"),
    [
        (None, 18_297, 4_422, 3_758),  # recomputed independently
        ((-1, 1), 16_811, None, None),
    ],
)
def test_plain_alpha_beta_of_tic_tac_toe_in_cell_order(window, nodes, alpha_cuts, beta_cuts, backend):
    found = AlphaBeta(textbook=True, window=window, backend=backend).search(TicTacToe())
    assert (found.value, found.action, found.exact) == (0, 0, True)
    assert found.nodes == nodes
    assert alpha_cuts is None or (found.alpha_cuts, found.beta_cuts) == (alpha_cuts, beta_cuts)
    assert (found.scores, found.distances, found.actions) == ({}, {}, (0,))


@pytest.mark.parametrize("algorithm", [Minimax, Negamax])
def test_plain_minimax_of_tic_tac_toe_visits_the_whole_tree(algorithm):
    found = algorithm(textbook=True, backend="compiled").search(TicTacToe())
    assert (found.value, found.nodes, found.alpha_cuts, found.beta_cuts) == (0, 549_946, 0, 0)


def test_minimax_visits_what_perft_counts():
    state = TicTacToe().result(TicTacToe().result(TicTacToe().start(), 0), 4)
    found = {Minimax(textbook=True, backend=backend).search(TicTacToe(), state).nodes for backend in BACKENDS}
    assert found == {perft(TicTacToe(), 7, state, "reference").nodes}


class LateTicTacToe(TicTacToe):
    """A win scores 10 less the number of turns."""

    def utility(self, board):
        won = 1 + board.count(" ")
        return {"X": won, "O": -won, None: 0}[self.winner(board)]


def test_plain_alpha_beta_where_a_win_scores_ten_less_the_turns():
    assert AlphaBeta(textbook=True, backend="reference").search(LateTicTacToe()).nodes == 20_866  # recomputed independently


# --- values

# who wins, with which stone; source: C. Steininger's table of Connect Four by board, which agrees with J. Tromp's
CONNECT_FOUR_VALUES = [(5, 4, 0, None), pytest.param(6, 4, -1, 24, marks=pytest.mark.slow)]


@pytest.mark.parametrize(("width", "height", "value", "distance"), CONNECT_FOUR_VALUES)
def test_values_of_connect_four(width, height, value, distance):
    found = AlphaBeta(backend="compiled").search(ConnectFour(width, height))
    assert (found.value, found.distance, found.exact) == (value, distance, True)


@pytest.mark.slow
def test_the_value_of_othello_on_four_by_four():
    assert AlphaBeta(backend="compiled").search(Othello(4)).value == -8  # solved by many; recomputed independently


@pytest.mark.parametrize("backend", BACKENDS)
def test_nim_is_decided_by_the_xor_of_its_heaps(backend):
    """Source: Bouton (1901). Every position up to three heaps of 7, as one game's states, so that one table serves them all."""
    game = Nim((7, 7, 7))
    largest = 7 if backend == "compiled" else 4
    for a in range(largest + 1):
        for b in range(a + 1):
            for c in range(b + 1):
                if a:
                    found = AlphaBeta(backend=backend).search(game, Heaps((a, b, c), 0))
                    assert found.value == (1 if a ^ b ^ c else -1), (a, b, c)
