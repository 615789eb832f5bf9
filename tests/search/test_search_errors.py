"""Questions that have no answer get one clear sentence, and answers say how sure they are."""

import subprocess
import sys

import pytest
from search_games import (
    CHANCE_MOVES,
    INFINITE,
    NO_ACTIONS,
    NO_PLAYER,
    NOT_A_NUMBER,
    Break,
    Chain,
    Faulty,
    Link,
    RandomTree,
    Seeded,
    Steps,
)

from zermelo import RulesError, ZermeloError
from zermelo.games.kuhn import Kuhn
from zermelo.games.pig import Pig
from zermelo.games.threenim import ThreeNim
from zermelo.games.tictactoe import TicTacToe
from zermelo.search import AlphaBeta, Minimax, Negamax, perft
from zermelo.trees.trace import Recorder

BACKENDS = ("reference", "compiled")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"depth": -1}, "cannot be negative"),
        ({"depth": 2.5}, "whole number"),
        ({"depth": True}, "whole number"),
        ({"memory": -1}, "number of bytes"),
        ({"memory": 1e6}, "number of bytes"),
        ({"backend": "compile"}, "did you mean 'compiled'"),
        ({"window": (0, 1)}, "textbook=True"),
        ({"textbook": True, "window": (1, 0)}, "alpha below beta"),
        ({"textbook": True, "window": (0, float("nan"))}, "alpha below beta"),
    ],
)
def test_parameters_that_make_no_sense(wrong, words):
    with pytest.raises(ZermeloError, match=words):
        AlphaBeta(**wrong).search(TicTacToe())


def test_perft_checks_its_parameters():
    with pytest.raises(ZermeloError, match="cannot be negative"):
        perft(TicTacToe(), -1)
    with pytest.raises(ZermeloError, match="no backend"):
        perft(TicTacToe(), 1, backend="fast")


@pytest.mark.parametrize("algorithm", [Minimax, Negamax, AlphaBeta])
def test_games_that_need_another_algorithm(algorithm):
    with pytest.raises(ZermeloError, match=r"3 players.*maxn, paranoid, coalition and backward fit"):
        algorithm().search(ThreeNim())
    with pytest.raises(ZermeloError, match=r"chance moves in Pig.*expectiminimax, star1, star2 and backward fit"):
        algorithm(backend="reference").search(Pig())
    with pytest.raises(ZermeloError, match=r"hidden cards of Kuhn: `equilibrium` and `ismcts`.*`perfect_information=True`"):
        algorithm().search(Kuhn())


def test_open_cards_leave_chance():
    with pytest.raises(ZermeloError, match="chance moves in Kuhn"):
        AlphaBeta(perfect_information=True, backend="reference").search(Kuhn())
    game = Kuhn()
    state = game.start()
    while game.player(state) == -1:
        state = game.result(state, next(iter(game.chances(state)))[0])
    assert AlphaBeta(perfect_information=True, backend="reference").search(game, state).exact


FAULTS = [
    (CHANCE_MOVES, "chance moves in Faulty"),
    (NO_PLAYER, "player gives 7, but players are 0 to 1"),
    (NO_ACTIONS, r"not terminal and has no actions: Break.place=3, fault=3."),
    (NOT_A_NUMBER, "finite numbers"),
    (INFINITE, "finite numbers"),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("fault", "words"), FAULTS)
def test_rules_that_break_a_promise(fault, words, backend):
    for algorithm in (Minimax, Negamax, AlphaBeta):
        with pytest.raises(ZermeloError, match=words):
            algorithm(backend=backend).search(Faulty(), Break(0, fault))
    assert AlphaBeta(backend=backend).search(Faulty()).value == 1


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("depth", [4, 6])
def test_perft_names_the_state_without_actions(depth, backend):
    with pytest.raises(RulesError, match=r"no actions: Break.place=3, fault=3."):
        perft(Faulty(), depth, Break(0, NO_ACTIONS), backend)


class Large(Chain):
    """Payoffs beyond what a float holds exactly."""

    def utility(self, state):
        return 2**60 + 1


@pytest.mark.slow
def test_payoffs_too_large_for_the_machine_go_to_the_reference_engine():
    found = Minimax().search(Large(4))
    assert (found.value, found.backend) == (2**60 + 1, "reference")
    assert any("2^53" in note for note in found.notes)
    with pytest.raises(ZermeloError, match=r"2\^53"):
        Minimax(backend="compiled").search(Large(4))


def test_one_player_runs_on_the_reference_engine():
    assert AlphaBeta().search(Steps()).backend == "reference"
    with pytest.raises(ZermeloError, match="one player"):
        AlphaBeta(backend="compiled").search(Steps())


def test_a_recorder_needs_the_reference_engine():
    recorder = Recorder(TicTacToe(), "alphabeta")
    assert AlphaBeta(depth=2, backend="compiled").search(TicTacToe(), recorder=recorder).backend == "reference"


# --- how sure


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_finished_game_has_no_action(backend):
    state = Seeded(14, 3, 0)  # 14 % 11 == 3: the end
    found = AlphaBeta(backend=backend).search(RandomTree(), state)
    assert (found.value, found.action, found.actions, found.line, found.nodes, found.exact) == (2, None, (), (), 1, True)
    assert found.distance == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_depth_limit_is_not_exact_unless_it_is_not_felt(backend):
    found = AlphaBeta(depth=2, backend=backend).search(TicTacToe())
    assert (found.exact, found.bounds, found.distance) == (False, (-1, 1), None)
    assert set(found.distances.values()) == {None}
    found = AlphaBeta(depth=9, backend=backend).search(TicTacToe())
    assert (found.exact, found.bounds, found.value) == (True, None, 0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_depth_zero_judges_the_state_itself(backend):
    found = AlphaBeta(depth=0, backend=backend).search(RandomTree(), Seeded(7, 4, 0))
    assert (found.value, found.action, found.nodes, found.exact) == (RandomTree().evaluate(Seeded(7, 4, 0)), None, 1, False)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("window", "bounds", "exact"), [((0, 1), (-1, 0), False), ((-1, 0), (0, 1), False), ((-0.5, 0.5), None, True)])
def test_a_value_outside_the_window_is_a_bound(window, bounds, exact, backend):
    found = AlphaBeta(textbook=True, window=window, backend=backend).search(TicTacToe())
    assert (found.exact, found.bounds) == (exact, bounds)
    assert found.action is not None


@pytest.mark.parametrize("backend", BACKENDS)
def test_whole_payoffs_are_whole_numbers(backend):
    found = Minimax(backend=backend).search(Chain(3), Link(1))
    assert (found.value, type(found.value)) == (1, int)


def test_parameters_and_plain_data():
    found = AlphaBeta(depth=3, memory=0, backend="reference").search(TicTacToe())
    data = found.to_dict()
    assert (data["parameters"]["depth"], data["parameters"]["memory"], data["depth"]) == (3, 0, 3)
    assert data["backend"] == "reference"


def test_importing_the_searches_loads_neither_llvmlite_nor_numpy():
    program = "import sys, zermelo.search; print([name for name in ('llvmlite', 'numpy', 'matplotlib') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "[]"
