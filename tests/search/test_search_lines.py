"""Long lines, lines that go round, and what `repetition` makes of them."""

import pytest
from search_games import Chain, Link, Ring, Spot

from zermelo import MAX, MIN, ZermeloError
from zermelo.scores import LONGEST
from zermelo.search import AlphaBeta, Minimax, Negamax, perft

BACKENDS = ("reference", "compiled")
ALGORITHMS = (Minimax, Negamax, AlphaBeta)
LONG = 100_000


# --- 100,000 actions


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_line_of_100_000_actions(algorithm, backend):
    found = algorithm(backend=backend).search(Chain(LONG))
    assert (found.value, found.distance, found.nodes, found.backend) == (1, LONG, LONG + 1, backend)
    assert found.line == (0,) * LONG


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_plain_search_of_a_long_line(backend):
    found = AlphaBeta(textbook=True, backend=backend).search(Chain(LONG))
    assert (found.value, found.distance, found.nodes, len(found.line)) == (1, None, LONG + 1, LONG)


@pytest.mark.parametrize("backend", BACKENDS)
def test_perft_of_a_long_line(backend):
    found = perft(Chain(LONG), LONG, backend=backend)
    assert (found.leaves, found.finished, found.nodes) == (1, 0, LONG + 1)
    found = perft(Chain(LONG), LONG + 1, backend=backend)
    assert (found.leaves, found.finished, found.nodes) == (0, 1, LONG + 1)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_line_without_end_is_refused(backend):
    """A search cannot tell a very long game from an endless one; beyond the longest line that a score can count it stops."""
    with pytest.raises(ZermeloError, match="give a depth"):
        AlphaBeta(backend=backend).search(Chain(-1), Link(0))
    assert AlphaBeta(backend=backend).search(Chain(LONGEST)).distance == LONGEST


# --- cycles

# Ring: 0 → 1 → 2 → 3 → 4 → the end, by 1; by 2 the stone jumps, and from 3 and 4 it jumps past the end.


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_cycle_without_a_rule_for_it_is_refused(algorithm, backend):
    with pytest.raises(ZermeloError, match=r"returns after \d+ actions; give a depth, or declare `repetition`"):
        algorithm(backend=backend).search(Ring())


@pytest.mark.parametrize("backend", BACKENDS)
def test_both_engines_meet_the_same_cycle(backend):
    """By 1 and then always by 2, since the first action that is tried at 4 ends the game: 0 1 2 3 4 1 3 0 …"""
    with pytest.raises(ZermeloError) as refused:
        Minimax(backend=backend).search(Ring())
    with pytest.raises(ZermeloError) as reference:
        Minimax(backend="reference").search(Ring())
    assert str(refused.value) == str(reference.value)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("depth", [0, 1, 6, 9])
def test_with_a_depth_a_cycle_does_no_harm(depth, backend):
    found = AlphaBeta(depth=depth, backend=backend).search(Ring())
    assert found.depth == depth
    assert not found.exact or depth > 3


def by_hand(spot, turn, seen, rule):
    """Max's payoff under a rule for repetition, by plain recursion; seen: the states before this one."""
    game, state = Ring(), Spot(spot, turn)
    if game.terminal(state):
        return game.utility(state)
    values = []
    for action in (1, 2):
        child = game.result(state, action)
        if child in (*seen, state):
            if rule == "forbidden":
                continue
            values.append(0 if rule == "draw" else -1 if turn == MAX else 1)
        else:
            values.append(by_hand(child.spot, child.turn, (*seen, state), rule))
    if not values:
        return -1 if turn == MAX else 1
    return max(values) if turn == MAX else min(values)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rule", ["draw", "loss", "forbidden"])
@pytest.mark.parametrize("spot", range(5))
def test_repetition(rule, spot, backend):
    game = Ring(repetition=rule)
    wanted = by_hand(spot, MAX, (), rule)
    for algorithm in (
        Minimax(backend=backend),
        Negamax(backend=backend),
        AlphaBeta(backend=backend),
        AlphaBeta(textbook=True, backend=backend),
    ):
        found = algorithm.search(game, Spot(spot, MAX))
        assert (found.value, found.exact) == (wanted, True)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_rules_differ_where_they_should(backend):
    """The three rules give this ring different values somewhere, so that the test above can tell them apart."""
    values = {rule: [AlphaBeta(backend=backend).search(Ring(repetition=rule), Spot(s, MAX)).value for s in range(5)] for rule in RULES}
    assert len({tuple(each) for each in values.values()}) > 1, values


RULES = ("draw", "loss", "forbidden")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rule", RULES)
def test_states_before_the_search_count_as_repetition(rule, backend):
    """At spot 3, Max to move; the stone was at 4 and at 0 before, with Min to move: both actions lead back."""
    history = (Spot(4, MIN), Spot(0, MIN))
    found = AlphaBeta(backend=backend).search(Ring(repetition=rule), Spot(3, MAX), history=history)
    assert found.value == {"draw": 0, "loss": -1, "forbidden": -1}[rule]
    if rule == "forbidden":
        assert (found.action, found.actions, found.scores, found.nodes) == (None, (), {}, 1)
    else:
        assert found.distances == {1: None, 2: None} if rule == "draw" else {1: 1, 2: 1}
        assert found.nodes == 3


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rule", RULES)
def test_engines_agree_on_repetition(rule, backend):
    game = Ring(spots=7, repetition=rule)
    for algorithm in ALGORITHMS:
        for textbook in (False, True):
            found, wanted = (algorithm(textbook=textbook, backend=each).search(game) for each in (backend, "reference"))
            for name in ("value", "action", "actions", "scores", "distances", "line", "nodes", "alpha_cuts", "beta_cuts", "notes"):
                assert getattr(found, name) == getattr(wanted, name)


def test_a_table_is_left_out_where_the_path_matters_and_says_so():
    assert "No table" in AlphaBeta(backend="reference").search(Ring(repetition="draw")).notes[0]
    assert AlphaBeta(memory=0, backend="reference").search(Ring(repetition="draw")).notes == ()
    assert Minimax(backend="reference").search(Ring(repetition="draw")).notes == ()
