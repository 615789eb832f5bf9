"""Real-time search: the CSC384 slides' loop, and LRTA*."""

from itertools import pairwise
from random import Random
from statistics import mean
from typing import Any

import pytest
from puzzles import Maze, arrangements, costs_to_go

from zermelo import draw
from zermelo.errors import ZermeloError
from zermelo.games.eightpuzzle import EightPuzzle
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits, Watch
from zermelo.search import LRTA, AStar, RealTime
from zermelo.search.puzzles.frontier import Exploration
from zermelo.search.puzzles.journey import travel
from zermelo.search.puzzles.problem import Problem
from zermelo.trees.trace import Recorder

SMALL = EightPuzzle(rows=2, columns=3)
STATES = list(arrangements(SMALL))
COSTS = costs_to_go(SMALL, STATES)
TRAVELLERS = [RealTime(expansions=1), RealTime(expansions=7), RealTime(expansions=40), LRTA(), LRTA(depth=3)]


# --- journeys


@pytest.mark.parametrize("engine", TRAVELLERS, ids=str)
def test_every_journey_arrives(engine: Any) -> None:
    for state in STATES:
        journey = engine.journey(SMALL, state, steps=5_000)
        assert journey.arrived
        assert SMALL.terminal(journey.state)
        assert journey.cost == len(journey.steps) >= COSTS[state]


@pytest.mark.parametrize("engine", TRAVELLERS, ids=str)
def test_costs_that_differ(engine: Any) -> None:
    paid = Maze(toll=2)
    game = Maze(rows=tuple(tuple(price or 1 for price in row) for row in paid.rows), toll=2)
    costs = costs_to_go(game, game.spots())
    for spot in game.spots():
        journey = engine.journey(game, spot, steps=500)
        assert journey.arrived
        assert journey.cost >= costs[spot]
    with pytest.raises(ZermeloError, match="could take an action that costs nothing forever"):
        engine.journey(paid)


def test_a_journey_through_the_8_puzzle() -> None:
    journey = RealTime(expansions=100).journey(EightPuzzle(), steps=1_000)
    assert journey.arrived
    assert 30 <= journey.cost < 60
    state = EightPuzzle().start()
    for step in journey.steps:
        assert step.state == state
        state = EightPuzzle().result(state, step.decision.action)
    assert state == journey.state
    assert len(journey.to_dict()["steps"]) == len(journey.line_names()) == journey.cost


def test_with_enough_expansions_the_journey_is_a_cheapest_way() -> None:
    for state in STATES[::7]:
        journey = RealTime(expansions=1_000).journey(SMALL, state)
        assert journey.cost == COSTS[state]
        assert all(step.decision.proven for step in journey.steps)


def test_limits_end_a_journey() -> None:
    game = EightPuzzle()
    assert RealTime().journey(game, steps=3).stopped == "3 steps were taken"
    stopped = LRTA().journey(game, limits=Limits(nodes=20))
    assert not stopped.arrived
    assert stopped.stopped is not None
    assert "20 nodes" in stopped.stopped


# --- one decision


@pytest.mark.parametrize("engine", TRAVELLERS, ids=str)
def test_a_decision_after_a_history_is_the_journeys_own(engine: Any) -> None:
    journey = engine.journey(SMALL, SMALL.arranged((3, 2, 1, 5, 4, 0)), steps=12)
    states = [step.state for step in journey.steps]
    for number, step in enumerate(journey.steps):
        found = engine.search(SMALL, states[number], history=states[:number])
        assert found.action == step.decision.action
        assert found.value == -step.decision.bound


@pytest.mark.parametrize("engine", TRAVELLERS, ids=str)
def test_a_value_is_a_bound_and_exact_where_it_says_so(engine: Any) -> None:
    for state in STATES:
        found = engine.search(SMALL, state)
        assert -found.value <= COSTS[state]
        if found.exact:
            assert -found.value == COSTS[state] == found.distance


def test_the_useful_part_is_kept() -> None:
    """From the second step on, what lies below the state reached is there already, with its cost seen from there."""
    problem = Problem(SMALL, "test")
    for state in STATES[::11]:
        if SMALL.terminal(state):
            continue
        exploration = Exploration(problem, state)
        node = exploration.run(Watch(), most=12)
        assert node is not None
        action = exploration.way(node)[0]
        kept = exploration.moved(action)
        assert kept is not None
        assert kept.states[0] == SMALL.result(state, action)
        assert 1 < len(kept.states) < len(exploration.states)
        assert all(kept.costs[child] == kept.costs[parent] + 1 for child, parent in enumerate(kept.parents) if parent >= 0)
        end = kept.run(Watch())
        assert end is not None
        assert kept.bound(end) == COSTS[kept.states[0]]  # nothing that matters was thrown away


def test_memory_bounds_the_tree() -> None:
    free = RealTime(expansions=10_000).search(EightPuzzle())
    bounded = RealTime(expansions=10_000, memory=60_000).search(EightPuzzle())
    assert bounded.nodes <= 105 < free.nodes


def test_limits_end_the_thinking_not_the_answer() -> None:
    found = RealTime(expansions=100_000).search(EightPuzzle(), limits=Limits(nodes=200))
    assert 200 <= found.nodes <= 204
    assert found.action is not None
    assert found.notes == ()


# --- learning


def test_lrta_gets_better_from_trial_to_trial_on_average() -> None:
    """Every arrangement once a trial, in an order of its own, with the estimates of all trials before."""
    learner, random = LRTA().learner(SMALL), Random(1)
    means = []
    for _ in range(6):
        order = random.sample(STATES, len(STATES))
        means.append(mean(travel(learner, state).cost for state in order))
    best = mean(COSTS.values())
    assert all(later <= earlier for earlier, later in pairwise(means))
    assert means[0] > 1.2 * best
    assert means[-1] == best  # every journey is a cheapest way


def test_learned_estimates_grow_and_never_exceed_the_true_cost() -> None:
    learner = LRTA().learner(SMALL)
    for state in STATES[::5]:
        travel(learner, state)
    assert learner.learned
    costs = {SMALL.key(state): COSTS[state] for state in STATES}
    starts = {SMALL.key(state): SMALL.heuristic(state) for state in STATES}
    assert all(starts[key] <= value <= costs[key] for key, value in learner.learned.items())


def test_trials_from_one_state_become_cheapest_ways() -> None:
    state = SMALL.arranged((3, 2, 1, 5, 4, 0))
    trials = LRTA().trials(SMALL, 60, state)
    assert trials[0].cost > COSTS[state]
    assert trials[-1].cost == trials[-2].cost == COSTS[state]


@pytest.mark.slow
def test_lrta_reaches_the_goal_from_arrangements_of_the_8_puzzle() -> None:
    """A hundred at random, each from scratch; `benchmarks/puzzle.py` does it for all 181,440."""
    game, random = EightPuzzle(), Random(3)
    for _ in range(100):
        cells = random.sample(range(9), 9)
        state = game.arranged(cells)
        if game.solvable(state):
            assert LRTA().journey(game, state, steps=50_000).arrived


# --- pictures and bad input


@pytest.mark.parametrize("engine", [RealTime(expansions=6), LRTA(depth=2)], ids=str)
def test_every_step_can_be_drawn(engine: Any) -> None:
    journey = engine.journey(EightPuzzle(tiles=(1, 2, 3, 5, 6, 0, 4, 7, 8)), record=True)
    assert journey.arrived
    for step in journey.steps:
        assert step.trace is not None
        assert step.trace.visits[0].state == step.state
        assert draw.path(step.trace)[0] == EightPuzzle().name(step.state, step.decision.action)
        assert draw.svg(step.trace).startswith("<svg")


def test_a_recorded_decision_is_the_same() -> None:
    game = EightPuzzle()
    recorder = Recorder(game, "realtime")
    recorded = RealTime(expansions=30).search(game, recorder=recorder)
    assert recorded.line == RealTime(expansions=30).search(game).line
    assert len(recorder.visits) == recorded.nodes


def test_bad_input_is_refused() -> None:
    game = EightPuzzle()
    unsolvable = game.read("1 2 3 4 5 6 8 7 .")
    for engine in (RealTime(), LRTA()):
        with pytest.raises(ZermeloError, match="cannot be solved"):
            engine.search(game, unsolvable)  # type: ignore[attr-defined]
        with pytest.raises(ZermeloError, match="cannot be solved"):
            engine.journey(game, unsolvable)  # type: ignore[attr-defined]
        with pytest.raises(ZermeloError, match="for one player"):
            engine.search(TicTacToe())  # type: ignore[attr-defined]
    with pytest.raises(ZermeloError, match="at least 1 before a step, not 0"):
        RealTime(expansions=0).search(game)
    with pytest.raises(ZermeloError, match="at least 1 ahead, not 0"):
        LRTA(depth=0).search(game)
    with pytest.raises(ZermeloError, match="at least one trial"):
        LRTA().trials(game, 0)
    with pytest.raises(ZermeloError, match="at least one step"):
        RealTime().journey(game, steps=0)


def test_where_the_game_is_over_there_is_nothing_to_decide() -> None:
    goal = SMALL.arranged(SMALL.goal)
    for engine in (RealTime(), LRTA(), AStar()):
        found = engine.search(SMALL, goal)  # type: ignore[attr-defined]
        assert (found.value, found.action, found.exact) == (0, None, True)
    assert RealTime().journey(SMALL, goal).steps == ()
