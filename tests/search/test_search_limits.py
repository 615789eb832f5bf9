"""Limits on time, nodes and patience: the best so far, and a word that it is no more than that."""

import threading

import pytest

from zermelo import ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import POLL, Limits
from zermelo.search import AlphaBeta, Minimax, Negamax

BACKENDS = ("reference", "compiled")


@pytest.mark.parametrize("allowed", [1, 2, 500, 7_000, 20_000])
@pytest.mark.parametrize("algorithm", [Minimax, Negamax, AlphaBeta])
def test_a_limit_on_nodes_stops_both_engines_at_the_same_node(algorithm, allowed):
    pair = []
    for backend in BACKENDS:
        switches = {} if algorithm is Minimax else {"memory": 0}
        pair.append(algorithm(backend=backend, **switches).search(TicTacToe(), limits=Limits(nodes=allowed)))
    for name in ("value", "action", "actions", "scores", "distances", "line", "exact", "bounds", "nodes", "notes"):
        assert getattr(pair[0], name) == getattr(pair[1], name)
    assert pair[0].nodes == allowed
    assert not pair[0].exact
    assert f"the limit of {allowed:,} nodes was reached" in pair[0].notes[-1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_plain_search_gives_the_best_of_the_actions_that_are_done(backend):
    found = AlphaBeta(textbook=True, backend=backend).search(TicTacToe(), limits=Limits(nodes=10_000))
    assert (found.value, found.action, found.exact, found.nodes) == (0, 0, False, 10_000)
    assert found.bounds == (-1, 1)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_done_is_a_bound(backend):
    """Of tic-tac-toe's nine cells some are searched: Max has a draw at least."""
    found = AlphaBeta(memory=0, backend=backend).search(TicTacToe(), limits=Limits(nodes=20_000))
    assert 0 < len(found.scores) < 9
    assert found.bounds == (0, 1)
    assert f"{len(found.scores)} of 9 actions" in found.notes[-1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_time_at_all_still_gives_an_action(backend):
    found = AlphaBeta(backend=backend).search(ConnectFour(5, 4), limits=Limits(time=0))
    assert found.action == 0
    assert not found.exact
    assert found.nodes <= 1 + POLL
    assert "the limit of 0 seconds was reached" in found.notes[-1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_flag_stops_the_search(backend):
    flag = threading.Event()
    flag.set()
    found = AlphaBeta(backend=backend).search(ConnectFour(5, 4), limits=Limits(stop=flag))
    assert "stopped on request" in found.notes[-1]
    assert found.action is not None


class Impatient:
    """A flag that is asked, and answers as the user who presses Ctrl-C."""

    def __init__(self, patience):
        self.patience = patience

    def is_set(self):
        self.patience -= 1
        if self.patience < 0:
            raise KeyboardInterrupt
        return False


@pytest.mark.parametrize("backend", BACKENDS)
def test_ctrl_c_gives_the_best_so_far(backend):
    found = AlphaBeta(memory=0, backend=backend).search(TicTacToe(), limits=Limits(stop=Impatient(4)))
    assert found.stopped == "interrupted"
    assert not found.exact
    assert found.action in found.actions
    assert 0 < len(found.scores) < 9


@pytest.mark.parametrize("backend", BACKENDS)
def test_limits_that_do_not_strike_change_nothing(backend):
    free = AlphaBeta(memory=0, backend=backend).search(TicTacToe())
    bound = AlphaBeta(memory=0, backend=backend).search(TicTacToe(), limits=Limits(time=3600, nodes=free.nodes + 1, stop=threading.Event()))
    assert (bound.scores, bound.nodes, bound.exact, bound.notes) == (free.scores, free.nodes, True, ())


@pytest.mark.parametrize("backend", BACKENDS)
def test_progress_is_told(backend, monkeypatch):
    monkeypatch.setattr("zermelo.limits.PROGRESS_SECONDS", 0)
    told = []
    found = AlphaBeta(memory=0, backend=backend).search(TicTacToe(), limits=Limits(progress=told.append))
    assert told == list(range(POLL, found.nodes, POLL))


@pytest.mark.parametrize("wrong", [{"time": -1}, {"time": float("nan")}, {"nodes": 0}, {"nodes": 1.5}, {"nodes": True}])
def test_limits_that_are_none(wrong):
    with pytest.raises(ZermeloError, match="limit is a"):
        Limits(**wrong)


def test_a_search_that_is_stopped_already_compiles_nothing():
    flag = threading.Event()
    flag.set()
    found = AlphaBeta().search(ConnectFour(5, 4), limits=Limits(stop=flag))
    assert found.backend == "reference"
    assert "stopped on request" in found.notes[-1]
