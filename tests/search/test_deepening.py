"""The deepening search: the value of the textbook search whatever is switched on, limits, determinism, repetition, odd games."""

import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_games import RandomLadder, RandomShares, RandomTree, Ring, Rung, Seeded

from zermelo import Game, ZermeloError
from zermelo.formats.position import parse_position
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.connect4 import ConnectFour
from zermelo.games.eightpuzzle import EightPuzzle
from zermelo.games.kuhn import Kuhn
from zermelo.games.nim import Nim
from zermelo.games.pig import Pig
from zermelo.games.ponghauki import PongHauKi
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits
from zermelo.registry import find, names
from zermelo.rules import has, hidden_information, legal_actions
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.deepening.deepening import Deepening

ANSWER = ("value", "action", "actions", "scores", "distances", "distance", "exact", "bounds")
PLAIN = ("value", "distance", "exact")
SWITCHES = (
    {},
    {"memory": 0},
    {"memory": 2_000},
    {"windows": False},
    {"aspiration": True},
    {"foresight": False},
    {"history": 0},
    {"killers": 1},
    {"killers": 2},
    {"history": 2},
    {"ordering": False},
    {"knowledge": False},
    {"symmetry": False},
    {"quiescence": 0},
    {"extensions": False},
    {"reductions": False},
    {"null_move": False},
    {"futility": False},
    {"threads": 2},
)


def same(found, expected, fields=ANSWER):
    for field in fields:
        assert getattr(found, field) == getattr(expected, field), (field, found.parameters)


def agrees(game, state, backend, before=(), **switches):
    expected = AlphaBeta(backend="reference").search(game, state, history=before)
    same(Deepening(backend=backend, **switches).search(game, state, history=before), expected)
    textbook = Deepening(backend=backend, textbook=True, **switches).search(game, state, history=before)
    same(textbook, expected, PLAIN)
    if game.terminal(state if state is not None else game.start()):
        return
    assert textbook.action in expected.actions
    assert expected.distances[textbook.action] == expected.distance


# --- one answer, whatever is switched on


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_no_switch_changes_what_is_proven(switches):
    """Random trees whose estimates, passes and noisy states mislead as well as they can."""
    random = Random(str(switches))
    for _ in range(12):
        state = Seeded(random.randrange(211), random.randint(1, 6), random.randrange(2))
        agrees(RandomTree(), state, "compiled", **switches)
        agrees(RandomTree(), state, "reference", **{**switches, "threads": 1})


@pytest.mark.slow
@settings(max_examples=80)
@given(seed=st.integers(0, 210), left=st.integers(1, 7), turn=st.integers(0, 1), switches=st.sampled_from(SWITCHES))
def test_random_trees(seed, left, turn, switches):
    agrees(RandomTree(), Seeded(seed, left, turn), "compiled", **switches)


@pytest.mark.slow
@settings(max_examples=60)
@given(salt=st.integers(0, 10_000), turn=st.integers(0, 1), switches=st.sampled_from(SWITCHES))
def test_lines_of_different_lengths_that_meet(salt, turn, switches):
    agrees(RandomLadder(), Rung(0, turn, salt), "compiled", **switches)


@pytest.mark.slow
@settings(max_examples=40)
@given(seed=st.integers(0, 210), left=st.integers(1, 6), switches=st.sampled_from(SWITCHES))
def test_payoffs_that_share_a_cake(seed, left, switches):
    agrees(RandomShares(), Seeded(seed, left, 0), "compiled", **switches)


def perfect_information():
    """The registry's games for two opponents in which nothing is hidden and no die is cast."""
    for name in names():
        try:
            game = find(name)
        except ZermeloError:  # a library that a game wraps is not there
            continue
        if game.players == 2 and game.total is not None and not hidden_information(game) and not has(game, "chances"):
            yield name


def somewhere(game, random):
    """A state of a random game in which somebody still has to move, and the states before it."""
    while True:
        states = [game.start()]
        for _ in range(random.randrange(40)):
            if not game.terminal(states[-1]):
                states.append(game.result(states[-1], random.choice(legal_actions(game, states[-1]))))
        if not game.terminal(states[-1]) and (game.repetition is None or states[-1] not in states[:-1]):
            return states[-1], tuple(states[:-1])


SPARING = tuple(switches for switches in SWITCHES if not {"memory", "knowledge", "threads", "reductions", "null_move"} & set(switches))


@pytest.mark.slow
@pytest.mark.parametrize("name", list(perfect_information()))
def test_every_game_of_the_registry(name):
    """To a depth and without a table, which knows more than the depth, every action has the value that the textbook search gives it."""
    game, random = find(name), Random(name)
    for _ in range(4):
        state, history = somewhere(game, random)
        choices = len(legal_actions(game, state))
        depth = 1 if choices > 60 else 2 if choices > 15 else 3
        textbook = AlphaBeta(depth=depth, memory=0, backend="reference").search(game, state, history=history)
        judged = {"depth": depth, "memory": 0, "knowledge": False, "extensions": False, "reductions": False, "quiescence": 0}
        found = Deepening(**{**random.choice(SPARING), **judged}).search(game, state, history=history)
        assert found.scores == pytest.approx({action: float(value) for action, value in textbook.scores.items()}, abs=1e-6)
        everything = Deepening(**random.choice(SWITCHES)).search(game, state, history=history, limits=Limits(nodes=10_000))
        proven = AlphaBeta(backend="reference").search(game, state, history=history, limits=Limits(nodes=1_000))
        if proven.exact and everything.exact:
            assert everything.value == proven.value
            assert everything.distance in (None, proven.distance)


def test_to_a_depth_without_knowledge_it_is_alpha_beta():
    """No proof beats an estimate there, so the values of every action are those of the depth."""
    for seed in range(0, 210, 9):
        state = Seeded(seed, 7, seed % 2)
        for depth in (1, 2, 3, 4):
            expected = AlphaBeta(depth=depth, memory=0, backend="reference").search(RandomShares(), state)
            found = Deepening(depth=depth, memory=0, extensions=False, reductions=False, backend="reference").search(RandomShares(), state)
            assert found.scores == pytest.approx({action: float(value) for action, value in expected.scores.items()}, abs=1e-8)


# --- states that return


@pytest.mark.parametrize("repetition", ["draw", "loss", "forbidden"])
def test_states_that_return_reference(repetition):
    for spots in (3, 5, 6):
        agrees(Ring(spots, repetition), None, "reference")


@pytest.mark.slow
@pytest.mark.parametrize("repetition", ["draw", "loss", "forbidden"])
def test_states_that_return_compiled(repetition):
    game = Ring(6, repetition)
    for switches in SWITCHES:
        agrees(game, None, "compiled", **switches)
    start = game.start()
    before = (start, game.result(start, 1))
    agrees(game, game.result(before[1], 2), "compiled", before=before)


def test_a_game_that_goes_round_is_a_draw():
    found = Deepening(backend="reference").search(PongHauKi())
    assert (found.value, found.exact) == (0, True)


# --- limits


def test_one_thread_gives_the_same_search_every_time():
    runs = [Deepening(textbook=True).search(RandomTree(), Seeded(7, 9, 0), limits=Limits(nodes=700)) for _ in range(2)]
    assert runs[0].to_dict() | {"seconds": 0} == runs[1].to_dict() | {"seconds": 0}
    assert runs[0].nodes <= 701


@pytest.mark.parametrize("backend", ["reference", "compiled"])
def test_a_limit_on_nodes_leaves_the_best_so_far(backend):
    depths = []
    game, state = RandomTree(), Seeded(7, 12, 0)
    found = Deepening(backend=backend).search(game, state, limits=Limits(nodes=900), tell=lambda result: depths.append(result.depth))
    assert found.stopped == "the limit of 900 nodes was reached"
    assert (found.exact, found.bounds) == (False, (-2, 2))
    assert found.action in legal_actions(game, state)
    assert depths == list(range(1, found.depth + 1))
    assert set(found.scores) == set(legal_actions(game, state))
    assert "not proven" in found.notes[-1]


@pytest.mark.parametrize("backend", ["reference", "compiled"])
def test_no_time_at_all_still_gives_an_action(backend):
    found = Deepening(backend=backend).search(RandomTree(), Seeded(7, 12, 0), limits=Limits(time=0))
    assert (found.action, found.depth, found.exact) == (0, 0, False)


def test_a_flag_stops_the_search():
    flag = threading.Event()
    game = ConnectFour()

    def raise_flag(result):
        if result.depth == 3:
            flag.set()

    found = Deepening(backend="reference").search(game, limits=Limits(stop=flag), tell=raise_flag)
    assert (found.stopped, found.depth, found.action) == ("stopped on request", 3, 3)


@pytest.mark.slow
def test_a_search_on_other_threads_stops():
    for threads in (1, 2):
        Deepening(threads=threads, depth=1).search(ConnectFour())
        found = Deepening(threads=threads).search(ConnectFour(), limits=Limits(time=0.3))
        assert found.stopped == "the limit of 0.3 seconds was reached"
        assert found.nodes > 0


# --- knowledge


@pytest.mark.slow
def test_connect_four_with_and_without_its_knowledge():
    game = ConnectFour(5, 4)
    expected = AlphaBeta(backend="compiled").search(game)
    for switches in ({}, {"knowledge": False}, {"symmetry": False}, {"threads": 2}, {"reductions": False}):
        same(Deepening(backend="compiled", **switches).search(game), expected)


def test_a_single_candidate_among_several_actions_is_not_extended():
    """Three in a column leave one candidate, but the rules leave seven columns: with and without extensions the same search."""
    game = ConnectFour()
    state = game.start()
    for column in (3, 0, 3, 0, 3):
        state = game.result(state, column)
    assert (list(game.candidates(state)), len(legal_actions(game, state))) == ([3], 7)
    searches = [Deepening(depth=4, textbook=True, extensions=extensions, backend="reference") for extensions in (True, False)]
    first, second = (search.search(game, state) for search in searches)
    assert first.nodes == second.nodes


@pytest.mark.parametrize("backend", [pytest.param("compiled", marks=pytest.mark.slow), "reference"])
def test_symmetry_is_looked_for_where_two_actions_are_alike(backend):
    """From the empty board mirrored lines are searched once; after a stone in the corner nothing mirrors another, and nothing changes."""
    game = ConnectFour(5, 4)
    spared = {}
    for column in (None, 0):
        state = game.start() if column is None else game.result(game.start(), column)
        nodes = [Deepening(depth=5, textbook=True, symmetry=on, backend=backend).search(game, state).nodes for on in (True, False)]
        spared[column] = nodes[1] - nodes[0]
    assert spared[None] > 0
    assert spared[0] == 0


def test_history_spares_nodes_where_the_rules_tell_no_order():
    without, learned = (
        Deepening(textbook=True, depth=5, ordering=False, history=history, backend="reference").search(Breakthrough(4, 5)).nodes
        for history in (0, 1)
    )
    assert learned < 0.9 * without


@pytest.mark.parametrize("switches", [{"history": 0}, {}, {"killers": 1}, {"killers": 2, "history": 2}], ids=str)
def test_both_engines_learn_the_same_from_what_cut_off(switches):
    compiled, textbook = (
        Deepening(textbook=True, depth=6, backend=backend, **switches).search(TicTacToe()) for backend in ("compiled", "reference")
    )
    assert compiled.nodes == textbook.nodes


@dataclass(frozen=True)
class UncompiledSymmetry(Nim):
    """Its symmetry uses what compiled rules do not have; everything else compiles."""

    def canonical(self, state):
        return state, len(f"{state!r}") * 0

    def quiet(self, state):
        return True


@pytest.mark.slow
def test_a_rule_that_does_not_compile_is_left_out_and_the_rest_stays_compiled():
    found = Deepening().search(UncompiledSymmetry((2, 3)))
    assert found.backend == "compiled"
    assert any("does without `canonical`" in note for note in found.notes)
    same(found, AlphaBeta(backend="reference").search(Nim((2, 3))), ("value", "actions", "distance", "exact"))


@dataclass(frozen=True)
class Thirds(RandomTree):
    """Payoffs that no machine fraction holds."""

    def utility(self, state):
        return (state.seed % 5 - 2) / 3

    def evaluate(self, state):
        return 0.0


@pytest.mark.slow
def test_payoffs_that_do_not_fit_go_to_the_reference_engine():
    found = Deepening().search(Thirds(), Seeded(1, 5, 0))
    assert found.backend == "reference"
    assert "reference backend" in found.notes[-1]
    same(found, AlphaBeta(backend="reference").search(Thirds(), Seeded(1, 5, 0)))


# --- bad input


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"depth": 0}, "at least one action"),
        ({"depth": -1}, "negative"),
        ({"memory": -5}, "memory of a search"),
        ({"threads": 0}, "number of threads"),
        ({"history": 3}, "history of a search"),
        ({"quiescence": -1}, "quiescence of a search"),
        ({"backend": "compile"}, "no backend"),
    ],
)
def test_parameters_that_make_no_sense(parameters, words):
    with pytest.raises(ZermeloError, match=words):
        Deepening(**parameters).search(TicTacToe())


@pytest.mark.parametrize(("game", "words"), [(Kuhn(), "hidden cards"), (Pig(), "chance"), (EightPuzzle(), "two opponents")])
def test_games_that_it_is_not_for(game: Game, words):
    with pytest.raises(ZermeloError, match=words):
        Deepening(backend="reference").search(game)


def test_a_position_that_is_over():
    game = TicTacToe()
    state = game.start()
    for cell in (0, 3, 1, 4, 2):
        state = game.result(state, cell)
    found = Deepening().search(game, state)
    assert (found.value, found.action, found.actions, found.exact, found.distance, found.line) == (1, None, (), True, 0, ())


def test_more_threads_than_cores_is_allowed_with_a_note():
    found = Deepening(threads=64, backend="reference").search(Nim((1, 2)))
    assert found.exact
    assert any("64 threads share" in note for note in found.notes)


# --- the benchmark of its devices


@pytest.mark.slow
def test_the_benchmark_of_features_runs():
    program = Path(__file__).parents[2] / "benchmarks" / "features.py"
    command = [sys.executable, str(program), "--quick", "--only", "no table", "no reductions"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [line.split("  ")[1] for line in printed.splitlines()[1:]] == ["no table", "no reductions"]


def test_go_with_all_its_earlier_boards_is_searched_by_compiled_code() -> None:
    """A stone is a point and the open board is nobody's: the lead less komi, as a share of 81 + 7.5 + 1."""
    game = find("go")
    result = Deepening(depth=1, backend="compiled").search(game)
    assert sorted(set(result.scores.values())) == pytest.approx([-7.5 / 89.5, -6.5 / 89.5])


@dataclass(frozen=True)
class Growing(Game):
    """Whoever does not play 7 loses. Random games are short, and states of the longest one are large."""

    seats = ("Max", "Min")
    payoffs = (-1, 1)

    def start(self):
        return ()

    def player(self, state):
        return len(state) % 2

    def actions(self, state):
        return range(10)

    def result(self, state, action):
        return (*state, action)

    def terminal(self, state):
        return bool(state) and (state[-1] != 7 or len(state) == 50)

    def utility(self, state):
        return 0 if state[-1] == 7 else -1 if len(state) % 2 else 1


def test_a_kept_table_begins_again_where_states_outgrow_their_room():
    search = Deepening(textbook=True, depth=45)
    table = search.new_table(Growing())
    before = table.owner
    found = search.search(Growing(), table=table)
    assert table.owner != before
    assert (found.backend, found.depth) == ("compiled", 45)
    assert search.search(Growing(), table=table).depth == 45


@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_a_win_at_once_is_exact_whatever_the_other_moves_are_worth(backend) -> None:  # type: ignore[no-untyped-def]
    state = parse_position(ConnectFour(), "112233").state
    found = Deepening(backend=backend).search(ConnectFour(), state, limits=Limits(nodes=3_000))
    assert found.stopped
    assert (found.action, found.value, found.exact, found.distance, found.bounds) == (3, 1, True, 1, None)
