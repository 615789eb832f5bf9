"""What a recorder is told: the same nodes, values and cut-offs that the result counts."""

import pytest
from search_games import RandomTree

from zermelo.games.tictactoe import TicTacToe
from zermelo.registry import find
from zermelo.scores import Score
from zermelo.search import AlphaBeta, Minimax, Negamax
from zermelo.trees.trace import NO_PARENT, Recorder

ALGORITHMS = [
    Minimax(),
    Minimax(textbook=True),
    Negamax(),
    Negamax(textbook=True),
    AlphaBeta(),
    AlphaBeta(memory=0),
    AlphaBeta(textbook=True),
    AlphaBeta(depth=3),
]


def recorded(algorithm, game, state=None):
    recorder = Recorder(game, "test")
    return algorithm.search(game, state, recorder=recorder), recorder.trace()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_trace_tells_what_the_result_counts(algorithm):
    found, trace = recorded(algorithm, RandomTree())
    kinds = [event.kind for event in trace.events]
    assert kinds.count("enter") == len(trace.visits)
    assert kinds.count("leaf") + kinds.count("leave") == len(trace.visits)
    assert len(trace.visits) <= found.nodes  # the line may have needed some more
    assert sum(event.reason == "alpha" for event in trace.events) <= found.alpha_cuts
    assert sum(event.reason == "table" for event in trace.events) <= found.table_hits
    if getattr(algorithm, "memory", 0) == 0 or algorithm.textbook:
        assert len(trace.visits) == found.nodes
        assert sum(event.reason == "alpha" for event in trace.events) == found.alpha_cuts
        assert sum(event.reason == "beta" for event in trace.events) == found.beta_cuts


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_trace_is_a_tree_with_one_root(algorithm):
    found, trace = recorded(algorithm, RandomTree())
    assert [visit.parent for visit in trace.visits].count(NO_PARENT) == 1
    for node, visit in enumerate(trace.visits[1:], 1):
        assert visit.parent < node
        assert trace.game.result(trace.visits[visit.parent].state, visit.action) == visit.state
    leave = trace.events[-1]
    assert (leave.kind, leave.node, leave.action) == ("leave", 0, found.action)
    value = leave.value.value if isinstance(leave.value, Score) else leave.value
    assert value == found.value
    assert isinstance(leave.value, Score) != algorithm.textbook


@pytest.mark.parametrize("algorithm", [AlphaBeta(memory=0), AlphaBeta(textbook=True)])
def test_cutoffs_name_what_was_skipped(algorithm):
    _, trace = recorded(algorithm, TicTacToe(), TicTacToe().result(TicTacToe().result(TicTacToe().start(), 0), 4))
    below = trace.children()
    cutoffs = [event for event in trace.events if event.kind == "cutoff"]
    assert cutoffs
    for event in cutoffs:
        visit = trace.visits[event.node]
        tried = [trace.visits[child].action for child in below[event.node]]
        assert sorted([*tried, *event.skipped]) == list(trace.game.actions(visit.state))
        assert event.value <= event.alpha if event.reason == "alpha" else event.value >= event.beta
        assert event.reason == ("beta" if visit.player == 0 else "alpha")


def test_minimax_has_no_windows():
    for algorithm in (Minimax(), Negamax()):
        _, trace = recorded(algorithm, RandomTree())
        assert all(event.alpha is None and event.beta is None for event in trace.events)


def test_values_of_negamax_are_those_of_max():
    """Recorded values are Max's, the player to move."""
    traces = [recorded(algorithm, RandomTree())[1] for algorithm in (Minimax(textbook=True), Negamax(textbook=True))]
    assert traces[0].events == traces[1].events


# --- the trees of the lecture notes

DOCUMENTS = [("kqj", -1), ("threemoves", 3), ("twolevel", 1), ("pruning", 1)]  # values as the documents state them


@pytest.mark.parametrize(("name", "value"), DOCUMENTS)
@pytest.mark.parametrize("algorithm", [algorithm for algorithm in ALGORITHMS if algorithm.depth is None])
def test_values_of_the_documents(name, value, algorithm):
    found, _ = recorded(algorithm, find(name))
    assert (found.value, found.exact) == (value, True)
    assert found.backend == "reference"


def test_the_path_of_the_bluff():
    found = Minimax().search(find("kqj"))
    assert found.line_names() == ["CHECK", "CHECK"]
    assert (found.backend, found.notes) == ("reference", ())
