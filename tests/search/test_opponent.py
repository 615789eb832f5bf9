"""Opponents who are not perfect: models, the best reply to them, and minimax beside it."""

import math

import pytest

from zermelo import MAX, Max, Min, Tree, ZermeloError
from zermelo.games.pig import Pig
from zermelo.games.ponghauki import PongHauKi
from zermelo.games.split import Split
from zermelo.games.threenim import ThreeNim
from zermelo.games.tictactoe import TicTacToe
from zermelo.games.twenty48 import Twenty48
from zermelo.limits import Limits
from zermelo.search.chance.expectiminimax import Expectiminimax
from zermelo.search.chance.opponent import Expectimax, Mistakes, Softmax, Uniform
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.trees.trace import Recorder

GAMBLE = Tree.of(Max(safe=Min(one=1, two=2), risky=Min(low=0, high=10)), title="Gamble")


def test_the_best_reply_takes_the_risk_that_minimax_fears():
    found = Expectimax("uniform").search(GAMBLE)
    assert (found.value, found.action, found.scores) == (5, 1, {0: 1.5, 1: 5})
    assert (found.extra["minimax_action"], found.extra["minimax_value"], found.extra["minimax_against_model"]) == ("safe", 1, 1.5)


@pytest.mark.parametrize(
    ("model", "scores"),
    [
        (Uniform(), {0: 1.5, 1: 5}),
        (Mistakes(0.25), {0: 1.25, 1: 2.5}),
        (Mistakes(0), {0: 1, 1: 0}),
        (Softmax(1.0), {0: 1 + 1 / (1 + math.e), 1: 10 / (1 + math.exp(10))}),
        (lambda game, state: {1: 1.0}, {0: 2, 1: 10}),
    ],
)
def test_models_weigh_actions(model, scores):
    assert Expectimax(model).search(GAMBLE).scores == pytest.approx(scores)


def test_a_random_opponent_at_tic_tac_toe():
    """A first player who plays well wins 191 of 192 games against one who plays at random, and draws the rest."""
    found = Expectimax().search(TicTacToe())
    assert found.value == pytest.approx(191 / 192)
    assert found.extra["minimax_against_model"] <= found.value + 1e-12


@pytest.mark.parametrize("model", [Uniform(), Mistakes(0.2), Mistakes(1.0), Softmax(0.3)])
@pytest.mark.parametrize("game", [Split((3, 1, 4, 1, 5)), GAMBLE])
def test_nobody_does_better_than_the_best_reply(game, model):
    found = Expectimax(model).search(game)
    assert found.extra["minimax_against_model"] <= found.value + 1e-12
    assert found.extra["minimax_value"] <= found.extra["minimax_against_model"] + 1e-12
    assert found.extra["minimax_value"] == AlphaBeta(backend="reference").search(game).value


def test_a_perfect_opponent_makes_it_minimax():
    for coins in [(3, 1, 4, 1, 5), (2, 7, 1, 8)]:
        assert Expectimax(Mistakes(0)).search(Split(coins)).value == AlphaBeta(backend="reference").search(Split(coins)).value


def test_the_second_player_may_be_the_one_who_replies():
    game = Split((3, 1, 4, 1, 5))
    state = game.result(game.start(), 0)
    found = Expectimax().search(game, state)
    assert found.value == min(found.scores.values())
    assert found.value <= found.extra["minimax_against_model"] + 1e-12


def test_alone_it_is_expectiminimax():
    assert Expectimax().search(Twenty48()).value == pytest.approx(Expectiminimax(backend="reference").search(Twenty48()).value)


@pytest.mark.parametrize(
    ("search", "game", "words"),
    [
        (Expectimax("misstakes"), TicTacToe(), "did you mean mistakes?"),
        (Expectimax(3), TicTacToe(), "a model or a function, not 3"),
        (Expectimax(lambda game, state: {99: 1.0}), TicTacToe(), "weight 1.0 on 99, which is not a legal action in"),
        (Expectimax(lambda game, state: dict.fromkeys(game.actions(state), 0.1)), GAMBLE, "add up to 0.2, not 1, in the state"),
        (Expectimax(lambda game, state: {0: -1.0, 1: 2.0}), GAMBLE, "the weight -1.0 in"),
        (Expectimax(), Pig(), "has no end in sight"),
        (Expectimax(), PongHauKi(), "depend on the line"),
        (Expectimax(), ThreeNim(), "maxn"),
    ],
)
def test_bad_questions_get_one_sentence(search, game, words):
    with pytest.raises(ZermeloError, match=words.replace("?", r"\?")):
        search.search(game)


@pytest.mark.parametrize(("make", "words"), [(lambda: Mistakes(1.5), "probability from 0 to 1"), (lambda: Softmax(0), "above 0")])
def test_models_check_their_parameters(make, words):
    with pytest.raises(ZermeloError, match=words):
        make()


def test_limits_stop_it():
    found = Expectimax(depth=6).search(TicTacToe(), limits=Limits(nodes=100))
    assert not found.exact
    assert "100 nodes" in found.notes[-1]
    assert TicTacToe().player(found.state) == MAX


def test_the_trace_goes_to_the_ends_and_tells_how_likely_the_opponent_takes_each_action():
    game = Tree.of(Max(safe=Min(one=1, two=2), risky=Min(low=0, high=10)))
    recorder = Recorder(game, "expectimax")
    found = Expectimax(Mistakes(0.25)).search(game, recorder=recorder)
    trace = recorder.trace()
    assert len(trace.visits) == 7
    assert [trace.weights[node] for node in sorted(trace.weights)] == [{0: 0.75, 1: 0.25}, {0: 0.75, 1: 0.25}]
    left = {event.node: (event.value, event.action) for event in trace.events if event.kind == "leave"}
    assert left[0] == (found.value, found.action) == (2.5, 1)
    assert sorted(value for value, _ in left.values()) == [1.25, 2.5, 2.5]
