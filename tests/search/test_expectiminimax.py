"""Expectiminimax, Star1 and Star2: one value, with and without pruning, table and compiler, and the value that is there."""

import functools
from fractions import Fraction

import pytest
from chance_games import EMPTY, NEGATIVE, OUTSIDE, SHORT, Draft, Merry, Odd, OddDice, RandomDice
from hypothesis import given, settings
from hypothesis import strategies as st
from search_games import RandomTree, Steps

from zermelo import CHANCE, MAX, Chance, Max, RulesError, ZermeloError
from zermelo.games.eightpuzzle import EightPuzzle
from zermelo.games.einstein import EinStein
from zermelo.games.hypergammon import Hypergammon
from zermelo.games.kuhn import Kuhn
from zermelo.games.pig import Pig
from zermelo.games.smallyahtzee import SmallYahtzee
from zermelo.games.split import Split
from zermelo.games.threenim import ThreeNim
from zermelo.games.twenty48 import Twenty48
from zermelo.limits import Limits
from zermelo.registry import find
from zermelo.rules import chance_weights
from zermelo.search.chance.expectiminimax import Expectiminimax
from zermelo.search.chance.star import Star1, Star2
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.trees import BackwardInduction, Tree
from zermelo.trees.trace import Recorder

ALL = [Expectiminimax, Star1, Star2]
ANSWER = ("action", "actions", "exact", "bounds", "line")
WORK = ("value", "scores", "nodes", "alpha_cuts", "beta_cuts")
ROOTS = st.builds(Draft, seed=st.integers(0, 210).filter(lambda seed: seed % 11 != 3), left=st.integers(1, 6))


def obvious(game, state, depth=None):
    """The value by plain recursion, from the rules alone."""

    @functools.cache
    def value(state, left):
        if game.terminal(state):
            return game.utility(state)
        if left == 0:
            return game.evaluate(state)
        below = None if left is None else left - 1
        if game.player(state) == CHANCE:
            weights = chance_weights(game, state)
            whole = sum(weight for _, weight in weights)
            return sum(weight * value(game.result(state, action), below) for action, weight in weights) / whole
        values = [value(game.result(state, action), below) for action in game.actions(state)]
        return max(values) if game.player(state) == MAX else min(values)

    return value(state, depth)


def close(value):
    return pytest.approx(value, abs=1e-12)


@settings(max_examples=80, deadline=None)
@given(state=ROOTS, depth=st.sampled_from([None, 1, 2, 3]), textbook=st.booleans(), memory=st.sampled_from([0, 6_000, None]))
def test_every_search_finds_what_is_there(state, depth, textbook, memory):
    game = RandomDice()
    for algorithm in ALL:
        found = algorithm(depth=depth, textbook=textbook, memory=memory, backend="reference").search(game, state)
        assert found.value == close(obvious(game, state, depth))
        if not textbook:
            below = None if depth is None else depth - 1
            for action, value in found.scores.items():
                assert value == close(obvious(game, game.result(state, action), below))
            if game.player(state) != CHANCE:
                best = max(found.scores.values()) if game.player(state) == MAX else min(found.scores.values())
                assert found.scores[found.action] == best == close(found.value)
        if game.player(state) == CHANCE:
            assert (found.action, found.actions, found.line) == (None, (), ())


@settings(max_examples=60, deadline=None)
@given(state=ROOTS, depth=st.sampled_from([None, 2, 3]), textbook=st.booleans(), algorithm=st.sampled_from(ALL))
def test_the_compiled_engine_does_the_same_work(state, depth, textbook, algorithm):
    pair = [
        algorithm(depth=depth, textbook=textbook, memory=0, backend=backend).search(RandomDice(), state)
        for backend in ("reference", "compiled")
    ]
    assert [found.backend for found in pair] == ["reference", "compiled"]
    for name in ANSWER + WORK:
        assert getattr(pair[0], name) == getattr(pair[1], name), name
    remembered = algorithm(depth=depth, textbook=textbook, backend="compiled").search(RandomDice(), state)
    assert remembered.value == close(pair[0].value)
    assert remembered.action == pair[0].action or remembered.scores


def test_pruning_prunes_and_keeps_the_chosen_action():
    """On many trees; a bound that rounding made look like a value would choose a wrong action."""
    game, total = RandomDice(), dict.fromkeys(ALL, 0)
    for seed in range(0, 211, 3):
        if seed % 11 == 3:
            continue
        found = {algorithm: algorithm(textbook=True, backend="reference").search(game, Draft(seed, 6)) for algorithm in ALL}
        for algorithm, result in found.items():
            total[algorithm] += result.nodes
            assert result.value == close(found[Expectiminimax].value)
            if result.action is not None:
                assert obvious(game, game.result(Draft(seed, 6), result.action)) == close(result.value)
    assert total[Star1] < 0.7 * total[Expectiminimax]


@pytest.mark.parametrize("algorithm", ALL)
@pytest.mark.parametrize(
    ("game", "depth", "value"),
    [
        (Twenty48(), None, 0.96251125375),
        (Twenty48(goal=32), None, 0.082887289072),
        (Split(), None, 22),
        (Split((1, 2, 3, 4)), None, 6),
        (SmallYahtzee(dice=1, sides=2, rolls=1, prize=3), None, 7.5),
        (EinStein(3), 7, None),
        (Hypergammon(4, 1, 2), 7, None),
        (Pig(10), 6, 7 / 12),
    ],
)
def test_games_have_the_values_that_are_known(algorithm, game, depth, value):
    found = algorithm(depth=depth, backend="reference").search(game)
    assert found.value == pytest.approx(obvious_to(game, depth) if value is None else value, abs=1e-10)
    assert found.exact == (depth is None)


def obvious_to(game, depth):
    return Expectiminimax(depth=depth, memory=0, textbook=True, backend="reference").search(game).value


@pytest.mark.slow
def test_einstein_on_nine_cells_is_won_by_97_of_243():
    assert Star2(backend="reference").search(EinStein(3)).value == pytest.approx(97 / 243, abs=1e-12)


def test_without_chance_they_are_minimax():
    for seed in range(40):
        state = RandomTree().start()._replace(seed=seed)
        if RandomTree().terminal(state):
            continue
        wanted = AlphaBeta(textbook=True, backend="reference").search(RandomTree(), state)
        for algorithm in ALL:
            found = (
                algorithm(textbook=True, ordering=False, backend="reference")
                if algorithm is not Expectiminimax
                else algorithm(textbook=True)
            )
            result = found.search(RandomTree(), state)
            assert (result.value, result.action) == (wanted.value, wanted.action)


def test_trees_with_fractions_stay_exact():
    tree = Tree.of(Max(safe=Fraction(1, 4), gamble=Chance(win=(Fraction(1, 3), 1), lose=(Fraction(2, 3), 0))))
    assert Expectiminimax().search(tree).value == BackwardInduction().search(tree).value == Fraction(1, 3)


def test_a_single_player_pays_what_actions_cost():
    assert Expectiminimax().search(Steps(7)).value == BackwardInduction().search(Steps(7)).value
    with pytest.raises(ZermeloError, match="does not declare `payoffs`"):
        Star1().search(EightPuzzle(), None)


# --- endless games


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["reference", "compiled"])
@pytest.mark.parametrize("algorithm", ALL)
def test_a_game_without_end_is_told(algorithm, backend):
    with pytest.raises(ZermeloError, match="can go round forever"):
        algorithm(backend=backend).search(Merry())


@pytest.mark.parametrize("repetition", ["draw", "loss", "forbidden"])
def test_repetition_is_what_the_rules_say(repetition):
    values = {algorithm(backend="reference").search(Merry(3, repetition)).value for algorithm in ALL}
    assert len({round(value, 12) for value in values}) == 1
    assert Expectiminimax(backend="reference").search(Merry(3, repetition)).notes[0].startswith("No table was used")


@pytest.mark.slow
@pytest.mark.parametrize("repetition", ["draw", "loss", "forbidden"])
@pytest.mark.parametrize("algorithm", ALL)
def test_repetition_is_the_same_compiled(algorithm, repetition):
    pair = [algorithm(backend=backend).search(Merry(3, repetition)) for backend in ("reference", "compiled")]
    for name in ANSWER + WORK:
        assert getattr(pair[0], name) == getattr(pair[1], name), name


# --- traces, limits, bad input


@pytest.mark.parametrize("algorithm", ALL)
@pytest.mark.parametrize("textbook", [True, False])
def test_a_trace_tells_what_the_result_counts(algorithm, textbook):
    recorder = Recorder(RandomDice(), "test")
    found = algorithm(textbook=textbook, memory=0).search(RandomDice(), Draft(60, 6), recorder=recorder)
    trace = recorder.trace()
    kinds = [event.kind for event in trace.events]
    assert len(trace.visits) == found.nodes
    assert kinds.count("leaf") + kinds.count("leave") == len(trace.visits)
    assert sum(event.reason == "alpha" for event in trace.events) == found.alpha_cuts
    assert sum(event.reason == "beta" for event in trace.events) == found.beta_cuts
    leave = trace.events[-1]
    assert (leave.kind, leave.node, leave.value) == ("leave", 0, found.value)


@pytest.mark.parametrize("algorithm", ALL)
def test_limits_stop_with_the_best_so_far(algorithm):
    found = algorithm(depth=8, memory=0, backend="reference").search(EinStein(), limits=Limits(nodes=200))
    assert not found.exact
    assert found.bounds == (-1, 1)
    assert "200 nodes" in found.notes[-1]


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["reference", "compiled"])
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (NEGATIVE, r"the weight -0.5 in the state Odd\(fault=1, place=1\)"),
        (SHORT, r"add up to 0.75, not 1, in the state Odd\(fault=2, place=1\)"),
        (EMPTY, r"gives no outcome in the state Odd\(fault=3, place=1\)"),
    ],
)
def test_chances_that_are_no_distribution(fault, words, backend):
    with pytest.raises(RulesError, match=words):
        Expectiminimax(backend=backend).search(OddDice(), Odd(fault, 0))


@pytest.mark.parametrize("backend", ["reference", "compiled"])
@pytest.mark.parametrize("algorithm", [Star1, Star2])
def test_payoffs_outside_the_bounds_are_noticed_under_pruning(algorithm, backend):
    with pytest.raises(RulesError, match=r"a payoff of 7, outside the declared payoffs -1 … 1"):
        algorithm(backend=backend).search(OddDice(), Odd(OUTSIDE, 0))
    assert Expectiminimax(backend=backend).search(OddDice(), Odd(OUTSIDE, 0)).value == 7


@pytest.mark.parametrize("algorithm", ALL)
def test_games_that_need_another_algorithm(algorithm):
    with pytest.raises(ZermeloError, match="maxn, paranoid, coalition and backward fit"):
        algorithm().search(ThreeNim())
    with pytest.raises(ZermeloError, match="hidden cards"):
        algorithm().search(Kuhn())
    with pytest.raises(ZermeloError, match="cannot be negative"):
        algorithm(depth=-1).search(Pig())


@pytest.mark.parametrize("name", ["pig(goal=20)", "einstein"])
def test_probes_never_cost_more_than_they_save_here(name):
    """Star2 probes only where a bound from either side could settle a mean."""
    game = find(name)
    nodes = [kind(depth=4, textbook=True, backend="reference").search(game).nodes for kind in (Expectiminimax, Star1, Star2)]
    assert nodes == sorted(nodes, reverse=True)
