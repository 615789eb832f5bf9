"""Games whose positions return, solved whole: known values, and agreement with the other ways to the same answer."""

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from zermelo import AlphaBeta, Game, ZermeloError
from zermelo.registry import find
from zermelo.rules import endless_value
from zermelo.search.classic.position_graph import Graph, TooLargeError
from zermelo.solve.strong import StrongSolver

CYCLE = {i: ((i - 1) % 6, (i + 1) % 6) for i in range(6)}
PATH = {i: tuple(j for j in (i - 1, i + 1) if 0 <= j < 6) for i in range(6)}
PETERSEN = {i: ((i + 1) % 5, (i - 1) % 5, i + 5) for i in range(5)} | {i + 5: ((i + 2) % 5 + 5, (i - 2) % 5 + 5, i) for i in range(5)}
GRAPHS = {"cycle": CYCLE, "path": PATH, "petersen": PETERSEN}


@dataclass(frozen=True)
class Cops(Game):
    """Cops catch a robber on a graph, or never do."""

    graph: str = "cycle"
    cops: int = 1
    endless: Any = "draw"
    payoffs = (-1, 1)

    @property
    def repetition(self):
        return dict(self.endless) if isinstance(self.endless, tuple) else self.endless

    def start(self):
        return (-1,) * self.cops, -1, 0

    def player(self, state):
        return 1 if state[2] == self.cops else 0

    def actions(self, state):
        cops, robber, turn = state
        here = robber if turn == self.cops else cops[turn]
        return list(GRAPHS[self.graph]) if here < 0 else [here, *GRAPHS[self.graph][here]]

    def result(self, state, action):
        cops, robber, turn = state
        if turn == self.cops:
            return cops, action, 0
        return tuple(action if place == turn else cop for place, cop in enumerate(cops)), robber, turn + 1

    def terminal(self, state):
        return state[1] in state[0] and state[1] >= 0

    def utility(self, state):
        return 1


@pytest.mark.parametrize(
    ("graph", "cops", "caught"),  # the cop number is 1 for paths, 2 for cycles, 3 for the Petersen graph (Aigner and Fromme, 1984)
    [("path", 1, True), ("cycle", 1, False), ("cycle", 2, True), ("petersen", 2, False), ("petersen", 3, True)],
)
@pytest.mark.parametrize(("endless", "worth"), [("draw", 0), (-1, -1), (((1, 1),), -1), (((0, -1),), -1)])
def test_cop_numbers(graph, cops, caught, endless, worth):
    game = Cops(graph, cops, endless)
    result = Graph().search(game)
    assert result.exact
    assert result.value == (1 if caught else worth)
    if caught:
        assert len(result.line) == result.distance


@pytest.mark.parametrize("name", ["ponghauki", "threemensmorris"])
def test_the_same_as_a_whole_solve(name):
    game = find(name)
    result, solved = Graph().search(game), StrongSolver(symmetry=False, backend="reference").solve(game)
    assert (result.value, result.distance, result.nodes) == (solved.value, solved.distance, solved.positions)


@dataclass(frozen=True)
class Wandering(Game):
    """A random graph with some ends."""

    seed: int
    repetition = "draw"

    def start(self):
        return 0

    def player(self, state):
        return state % 2

    def actions(self, state):
        return list(range(Random(f"{self.seed} {state}").randint(1, 3)))

    def result(self, state, action):
        return Random(f"{self.seed} {state} {action}").randrange(12)

    def terminal(self, state):
        return state >= 9

    def utility(self, state):
        return (1, -1, 3)[state - 9]


@pytest.mark.parametrize("seed", range(40))
def test_the_same_as_alpha_beta_along_every_line(seed):
    game = Wandering(seed)
    result, searched = Graph().search(game), AlphaBeta(backend="reference").search(game)
    assert result.value == searched.value
    assert result.scores == searched.scores
    assert result.distance == searched.distance


@pytest.mark.parametrize("seed", range(20))
def test_a_state_of_the_history_is_a_draw(seed):
    game = Wandering(seed)
    first = game.result(0, 0)
    if game.terminal(first) or first == 0:
        return
    result, searched = (engine.search(game, first, history=(0,)) for engine in (Graph(), AlphaBeta(backend="reference")))
    assert (result.value, result.scores) == (searched.value, searched.scores)


def test_too_many_positions_are_said():
    with pytest.raises(TooLargeError, match="more than 50 positions"):
        Graph(50).search(find("ponghauki"))


def test_what_depends_on_the_line_is_refused():
    with pytest.raises(ZermeloError, match="worth a payoff"):
        Graph().search(Cops(endless="loss"))


@pytest.mark.parametrize(("endless", "worth"), [("draw", 0), (2, 2), (((1, 1),), -1), (((0, 3), (1, -3)), 3), ("loss", None)])
def test_what_endless_play_is_worth(endless, worth):
    assert endless_value(Cops(endless=endless)) == worth
