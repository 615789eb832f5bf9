"""Cheapest ways: A* and IDA*, interpreted and compiled, against Dijkstra's algorithm and each other."""

from collections.abc import Iterator
from typing import Any

import pytest
from puzzles import Maze, Spot, arrangements, costs_to_go, korf

from zermelo.errors import RulesError, ZermeloError
from zermelo.games.eightpuzzle import EightPuzzle
from zermelo.games.fifteenpuzzle import FifteenPuzzle
from zermelo.games.pig import Pig
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits
from zermelo.search import AlphaBeta, AStar, IDAStar
from zermelo.trees.trace import Recorder

ALGORITHMS = [
    pytest.param(lambda textbook=True: AStar(textbook=textbook), id="astar"),
    pytest.param(lambda textbook=True: IDAStar(textbook=textbook, backend="reference"), id="idastar"),
    pytest.param(lambda textbook=True: IDAStar(textbook=textbook, backend="compiled"), id="idastar, compiled", marks=pytest.mark.slow),
]
MANHATTAN, CONFLICTS = (EightPuzzle(rows=2, columns=3, conflicts=conflicts) for conflicts in (False, True))


def walked(game: Any, state: Any, line: tuple[int, ...]) -> Any:
    """What a line costs; it must be legal and end the game."""
    cost = 0
    for action in line:
        assert action in list(game.actions(state))
        cost += game.cost(state, action)
        state = game.result(state, action)
    assert game.terminal(state)
    return cost - game.utility(state)


# --- values


@pytest.mark.parametrize("engine", ALGORITHMS)
@pytest.mark.parametrize("game", [MANHATTAN, CONFLICTS], ids=["Manhattan", "conflicts"])
def test_every_arrangement_of_a_small_puzzle(engine: Any, game: EightPuzzle) -> None:
    states = list(arrangements(game))
    exact = costs_to_go(game, states)
    assert len(exact) == len(states) == 360
    for state in states:
        found = engine().search(game, state)
        assert (found.exact, -found.value, found.distance) == (True, exact[state], exact[state])
        assert walked(game, state, found.line) == exact[state]


@pytest.mark.parametrize("engine", ALGORITHMS)
@pytest.mark.parametrize("toll", [0, 2.5])
def test_costs_that_differ_are_free_or_belong_to_the_end(engine: Any, toll: float) -> None:
    game = Maze(toll=toll)
    exact = costs_to_go(game, game.spots())
    assert exact[Spot(0, 0)] == 5 + toll
    for spot in game.spots():
        found = engine().search(game, spot)
        assert -found.value == exact[spot]
        assert walked(game, spot, found.line) == exact[spot]


@pytest.mark.parametrize("engine", ALGORITHMS)
def test_every_action_gets_its_score(engine: Any) -> None:
    game = Maze()
    exact = costs_to_go(game, game.spots())
    for spot in game.spots():
        found = engine(textbook=False).search(game, spot)
        scores = {action: -game.cost(spot, action) - exact[game.result(spot, action)] for action in game.actions(spot)}
        assert found.scores == scores
        assert set(found.actions) == {action for action, score in scores.items() if score == max(scores.values())}
        if scores:
            assert found.action in found.actions


@pytest.mark.parametrize("engine", ALGORITHMS)
def test_alpha_beta_agrees(engine: Any) -> None:
    game = EightPuzzle()
    state = game.arranged((1, 2, 3, 5, 6, 0, 4, 7, 8))
    deep = AlphaBeta(depth=6).search(game, state)
    assert engine().search(game, state).value == deep.value == -5


HARDEST = [
    ((8, 6, 7, 2, 5, 4, 3, 0, 1), 31, "A. Reinefeld, IJCAI 1993: one of the two hardest arrangements"),
    ((6, 4, 7, 8, 5, 0, 3, 2, 1), 31, "A. Reinefeld, IJCAI 1993: the other one"),
]


@pytest.mark.parametrize("engine", ALGORITHMS)
@pytest.mark.parametrize(("tiles", "slides", "source"), HARDEST)
def test_the_hardest_arrangements_of_the_8_puzzle(engine: Any, tiles: tuple[int, ...], slides: int, source: str) -> None:
    assert engine().search(EightPuzzle(), EightPuzzle().arranged(tiles)).value == -slides, source


@pytest.mark.slow
@pytest.mark.parametrize("conflicts", [False, True])
def test_the_three_quickest_of_korfs_arrangements(conflicts: bool) -> None:
    game = FifteenPuzzle(tiles=(1, 0, *range(2, 16)), gap_first=True, conflicts=conflicts)
    for instance in korf():
        if instance.number in (79, 12, 42):
            found = IDAStar(textbook=True, backend="compiled").search(game, game.arranged(instance.tiles))
            assert -found.value == instance.slides
            assert walked(found.game, found.state, found.line) == instance.slides


# --- the two backends


@pytest.mark.parametrize("game", [Maze(), Maze(toll=1.5), CONFLICTS, MANHATTAN, EightPuzzle()])
def test_compiled_and_reference_visit_the_same_nodes(game: Any) -> None:
    slow, quick = (IDAStar(backend=backend).search(game) for backend in ("reference", "compiled"))  # type: ignore[arg-type]
    assert (slow.backend, quick.backend) == ("reference", "compiled")
    for name in ("value", "action", "actions", "scores", "distances", "distance", "line", "nodes", "exact"):
        assert getattr(slow, name) == getattr(quick, name), name


@pytest.mark.parametrize("nodes", [1, 5, 100, 5000])
def test_a_limit_stops_both_engines_with_the_same_answer(nodes: int) -> None:
    slow, quick = (IDAStar(backend=backend).search(EightPuzzle(), limits=Limits(nodes=nodes)) for backend in ("reference", "compiled"))  # type: ignore[arg-type]
    assert not slow.exact
    assert (slow.nodes, slow.value, slow.line, slow.extra, slow.notes) == (quick.nodes, quick.value, quick.line, quick.extra, quick.notes)
    assert nodes <= slow.nodes <= nodes + 4
    assert slow.extra["cost_at_least"] <= 30


def test_better_estimates_need_fewer_nodes() -> None:
    games = CONFLICTS, MANHATTAN, Blind(rows=2, columns=3)
    conflicts, manhattan, none = (AStar(textbook=True).search(game, game.arranged((3, 2, 1, 5, 4, 0))).nodes for game in games)
    assert conflicts < manhattan < none
    conflicts, manhattan = (IDAStar(textbook=True).search(game, game.arranged((3, 2, 1, 5, 4, 0))).nodes for game in games[:2])
    assert conflicts < manhattan


class Blind(EightPuzzle):
    """Without a heuristic A* is Dijkstra's algorithm."""

    heuristic = None  # type: ignore[assignment]


# --- limits


@pytest.mark.parametrize("limits", [Limits(nodes=50), Limits(time=0)])
def test_a_star_that_is_stopped_names_the_way_of_best_f(limits: Limits) -> None:
    found = AStar(textbook=True).search(EightPuzzle(), limits=limits)
    assert not found.exact
    assert found.distance is None
    assert 20 <= found.extra["cost_at_least"] <= 30
    assert found.value == -found.extra["cost_at_least"]
    assert "not finished" in found.notes[0]


def test_a_star_stops_where_its_memory_is_full() -> None:
    found = AStar(textbook=True, memory=60_000).search(EightPuzzle())
    assert not found.exact
    assert "memory of 60,000 bytes is full" in found.notes[0]
    assert found.nodes <= 105


def test_a_proven_way_stands_although_other_actions_were_not_searched() -> None:
    game = EightPuzzle()
    textbook = AStar(textbook=True).search(game)
    found = AStar().search(game, limits=Limits(nodes=textbook.nodes + 10))
    assert (found.exact, found.value, found.line) == (True, -30, textbook.line)
    assert "the way is proven" in found.notes[0]


# --- at the end, and where there is no way


@pytest.mark.parametrize("engine", ALGORITHMS)
def test_where_the_game_is_over_there_is_nothing_to_do(engine: Any) -> None:
    game = Maze(toll=3)
    found = engine().search(game, Spot(4, 4))
    assert (found.value, found.action, found.line, found.distance, found.exact) == (-3, None, (), 0, True)


WALLED = Maze(rows=((1, 1, 9), (9, 9, 9), (1, 1, 1)))


@pytest.mark.parametrize("engine", ALGORITHMS)
def test_an_unsolvable_puzzle_is_told_at_once(engine: Any) -> None:
    game = EightPuzzle()
    with pytest.raises(ZermeloError, match="cannot be solved from this state: its rules say"):
        engine().search(game, game.read("1 2 3 4 5 6 8 7 ."))
    with pytest.raises(ZermeloError, match="can never be put in order"):
        EightPuzzle(tiles=(1, 2, 3, 4, 5, 6, 8, 7, 0))


@pytest.mark.slow
def test_a_puzzle_without_a_way_is_told_after_the_search() -> None:
    for engine in (AStar(), IDAStar(backend="reference"), IDAStar(backend="compiled")):
        with pytest.raises(ZermeloError, match="no end was found"):
            engine.search(WALLED)


@pytest.mark.parametrize("backend", ["reference", "compiled"])
def test_idastar_remembers_no_states_and_goes_round_until_a_limit_strikes(backend: Any) -> None:
    room = Maze(rows=((1, 1, 9, 1), (1, 1, 9, 1)))
    with pytest.raises(ZermeloError, match="no end was found among all 4"):
        AStar().search(room)
    found = IDAStar(backend=backend).search(room, limits=Limits(nodes=500))
    assert not found.exact
    assert found.extra["cost_at_least"] > 4


def test_an_action_that_spoils_everything_gets_no_score() -> None:
    found = AStar().search(Pit())
    assert found.scores == {1: -2}
    assert found.notes == ("No end can be reached after 0.",)


class Pit(Maze):
    """The first action falls into a ring without an end."""

    def start(self) -> Any:
        return 0

    def actions(self, state: int) -> Iterator[int]:
        return iter((0, 1) if state == 0 else (1,))

    def result(self, state: int, action: int) -> int:
        return 7 if state == 7 or action == 0 else state + 1

    def terminal(self, state: int) -> bool:
        return state == 2

    def cost(self, state: int, action: int) -> int:
        return 1


# --- bad input


class Pays(Maze):
    def utility(self, spot: Spot) -> float:
        return 1.0


class Negative(Maze):
    def cost(self, spot: Spot, action: int) -> int:
        return -1


class Below(Maze):
    def heuristic(self, spot: Spot) -> float:
        return -0.5


class Stuck(Maze):
    def actions(self, spot: Spot) -> Iterator[int]:
        for action in range(1 if spot.row == 0 else 0):
            yield action + 3


@pytest.mark.parametrize("engine", ALGORITHMS)
@pytest.mark.parametrize(
    ("game", "error", "words"),
    [
        (TicTacToe(), ZermeloError, "for one player, but TicTacToe has 2 players"),
        (Pig(), ZermeloError, "for one player"),
        (Pays(), ZermeloError, "needs ends that pay nothing or less, but Pays pays 1"),
        (Negative(), RulesError, "Negative.cost gives -1"),
        (Below(), RulesError, "Below.heuristic gives -0.5"),
        (Stuck(), ZermeloError, "Stuck cannot be solved from this state"),
    ],
)
def test_rules_that_do_not_suit_are_refused(engine: Any, game: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        engine().search(game)


def test_parameters_are_checked() -> None:
    with pytest.raises(ZermeloError, match="bytes of at least"):
        AStar(memory=10).search(EightPuzzle())
    with pytest.raises(ZermeloError, match="no backend"):
        IDAStar(backend="fast").search(EightPuzzle())  # type: ignore[arg-type]


# --- traces


@pytest.mark.parametrize("engine", [AStar(textbook=True), IDAStar(textbook=True)])
@pytest.mark.parametrize("game", [EightPuzzle(tiles=(1, 2, 3, 5, 6, 0, 4, 7, 8)), Maze(), CONFLICTS])
def test_a_trace_leads_along_the_line_that_was_found(engine: Any, game: Any) -> None:
    recorder = Recorder(game, "test")
    found = engine.search(game, recorder=recorder)
    trace = recorder.trace()
    values = {event.node: event.value for event in trace.events if event.kind in ("leaf", "leave")}
    choices = {event.node: event.action for event in trace.events if event.kind == "leave"}
    children = trace.children()
    node, line = 0, []
    while node in choices:
        line.append(choices[node])
        node = next(child for child in children[node] if trace.visits[child].action == choices[node])
    assert tuple(line) == found.line
    assert len(values) == len(trace.visits)
    assert values[0] == found.value
