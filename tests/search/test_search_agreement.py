"""One suite for every algorithm: minimax = negamax = alpha-beta = with and without a table = compiled = backward induction."""

import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_games import RandomLadder, RandomShares, RandomTree, Rung, Seeded, Steps

from zermelo import CHANCE, MAX, Game, Tree, ZermeloError
from zermelo.formats.position import parse_position
from zermelo.games.connect4 import ConnectFour
from zermelo.games.mnk import MNK
from zermelo.games.nim import Nim
from zermelo.games.othello import Othello
from zermelo.games.ponghauki import PongHauKi
from zermelo.games.tictactoe import TicTacToe
from zermelo.registry import find, names
from zermelo.rules import draw_value, has, hidden_information
from zermelo.scores import Score, leaf, lift
from zermelo.search import AlphaBeta, Minimax, Negamax
from zermelo.trees.backward_induction import BackwardInduction

ANSWER = ("value", "action", "actions", "scores", "distances", "distance", "exact", "bounds")
CHOICE = ("value", "action", "actions", "scores")
WORK = ("nodes", "alpha_cuts", "beta_cuts", "line")

DEFAULT = {
    "minimax": Minimax(),
    "negamax": Negamax(memory=0),
    "negamax with a table": Negamax(),
    "alpha-beta": AlphaBeta(memory=0, ordering=False, knowledge=False),
    "alpha-beta ordered": AlphaBeta(memory=0, knowledge=False),
    "alpha-beta with knowledge": AlphaBeta(memory=0, ordering=False),
    "alpha-beta with a table": AlphaBeta(ordering=False, knowledge=False),
    "alpha-beta with a table of a few entries": AlphaBeta(memory=6_000),
    "alpha-beta with everything": AlphaBeta(),
}
PLAIN = {
    "minimax": Minimax(textbook=True),
    "negamax": Negamax(textbook=True),
    "negamax with a table": Negamax(textbook=True, memory=1 << 20),
    "alpha-beta": AlphaBeta(textbook=True),
    "alpha-beta with a table": AlphaBeta(textbook=True, memory=1 << 20),
}


def run(algorithm, game, state=None, backend="reference", **changes):
    fields = {name: getattr(algorithm, name) for name in algorithm.__dataclass_fields__}
    return type(algorithm)(**{**fields, **changes, "backend": backend}).search(game, state)


def answer(found, names=ANSWER):
    return {name: getattr(found, name) for name in names}


def exhaustive(game: Game, state):
    """The obvious way: every action's score, by plain recursion with a memory, from the rules alone."""
    draw = draw_value(game)

    @functools.cache
    def score(state) -> Score:
        if game.terminal(state):
            return leaf(game.utility(state))
        children = [lift(score(game.result(state, action)), draw) for action in game.actions(state)]
        return max(children) if game.player(state) == MAX else min(children)

    return {action: lift(score(game.result(state, action)), draw) for action in game.actions(state)}


def check_against_the_obvious(found, game, state):
    scores, draw = exhaustive(game, state), draw_value(game)
    best = max(scores.values()) if game.player(state) == MAX else min(scores.values())
    assert found.scores == {action: score.value for action, score in scores.items()}
    assert found.distances == {action: None if score.value == draw else score.distance() for action, score in scores.items()}
    assert found.actions == tuple(action for action, score in scores.items() if score.value == best.value)
    assert found.action == next(action for action, score in scores.items() if score == best)


def check_line(found, game, state):
    """The line leads to an end of the promised value, in the promised number of actions."""
    for action in found.line:
        assert action in list(game.actions(state))
        state = game.result(state, action)
    assert game.terminal(state)
    assert game.utility(state) == found.value
    assert found.distance in (None, len(found.line))


# --- random trees

ROOTS = st.builds(Seeded, seed=st.integers(0, 210).filter(lambda seed: seed % 11 != 3), left=st.integers(1, 6), turn=st.integers(0, 1))


@settings(max_examples=60)
@given(state=ROOTS, game=st.sampled_from([RandomTree(), RandomShares()]))
def test_every_search_finds_what_is_there(state, game):
    for algorithm in DEFAULT.values():
        found = run(algorithm, game, state)
        check_against_the_obvious(found, game, state)
        check_line(found, game, state)
        assert found.exact


@settings(max_examples=60)
@given(state=ROOTS, game=st.sampled_from([RandomTree(), RandomShares()]))
def test_every_plain_search_finds_the_first_best_action(state, game):
    found = {name: run(algorithm, game, state) for name, algorithm in PLAIN.items()}
    values = {action: score.value for action, score in exhaustive(game, state).items()}
    best = max(values.values()) if game.player(state) == MAX else min(values.values())
    for result in found.values():
        assert (result.value, result.exact, result.distance, result.scores) == (best, True, None, {})
        assert result.actions == (result.action,)
        assert result.action == next(action for action, value in values.items() if value == best)


@settings(max_examples=60)
@given(state=ROOTS, game=st.sampled_from([RandomTree(), RandomShares()]), depth=st.integers(0, 5), textbook=st.booleans())
def test_the_compiled_engine_does_the_same_work(state, game, depth, textbook):
    limit = None if depth == 5 else depth
    for algorithm in (Minimax(), Negamax(memory=0), AlphaBeta(memory=0), AlphaBeta(memory=0, ordering=False)):
        pair = [run(algorithm, game, state, backend, depth=limit, textbook=textbook) for backend in ("reference", "compiled")]
        assert answer(pair[0], ANSWER + WORK) == answer(pair[1], ANSWER + WORK)
        assert [found.backend for found in pair] == ["reference", "compiled"]


LADDERS = st.builds(Rung, place=st.integers(0, 3), turn=st.integers(0, 1), salt=st.integers(0, 1008))
TABLES = (0, 300, 6_000, None)  # bytes: none, one that holds an entry or two, a small one, the default


@pytest.mark.slow
@settings(max_examples=60)
@given(state=LADDERS, depth=st.none() | st.integers(1, 7))
def test_a_table_never_changes_an_answer(state, depth):
    """What is cut off differs with the table and the order, so that one search may be spared an estimate that another has to use."""
    textbook = run(Minimax(), RandomLadder(), state, depth=depth)
    for backend in ("reference", "compiled"):
        for memory in TABLES:
            for algorithm in (AlphaBeta(memory=memory), AlphaBeta(memory=memory, ordering=False), Negamax(memory=memory)):
                found = run(algorithm, RandomLadder(), state, backend, depth=depth)
                assert answer(found, CHOICE) == answer(textbook, CHOICE)
                assert found.exact or not textbook.exact
                if textbook.exact:
                    assert answer(found) == answer(textbook)


@settings(max_examples=60)
@given(state=LADDERS)
def test_lines_that_a_table_has_shortened_are_completed(state):
    for backend in ("reference", "compiled"):
        for algorithm in (AlphaBeta(), AlphaBeta(ordering=False), Negamax(), AlphaBeta(memory=6_000)):
            found = run(algorithm, RandomLadder(), state, backend)
            check_against_the_obvious(found, RandomLadder(), state)
            check_line(found, RandomLadder(), state)


# --- the games of the library

LIBRARY = [
    (TicTacToe(), (0, 4, 8)),
    (TicTacToe(early=True), (4, 0, 2)),
    (Nim((1, 2, 3)), ()),
    (ConnectFour(4, 3), (0, 1)),
    (MNK(3, 3, 3), (4, 0)),
    (Othello(4), ()),
]


def after(game, actions):
    state = game.start()
    for action in actions:
        state = game.result(state, action)
    return state


@pytest.mark.parametrize(("game", "actions"), LIBRARY[:-1])
def test_all_algorithms_agree(game, actions):
    state = after(game, actions)
    for algorithm in DEFAULT.values():
        found = run(algorithm, game, state)
        check_against_the_obvious(found, game, state)
        check_line(found, game, state)
    induction = BackwardInduction().search(game, state)
    assert answer(induction, ("value", "action", "actions", "scores", "distances")) == answer(
        run(AlphaBeta(), game, state), ("value", "action", "actions", "scores", "distances")
    )


@pytest.mark.parametrize(("game", "actions"), [LIBRARY[0], LIBRARY[3], LIBRARY[5]])
def test_compiled_searches_agree(game, actions):
    state = after(game, actions)
    depth = 5 if isinstance(game, Othello) else None
    for name, algorithm in DEFAULT.items():
        wanted = run(algorithm, game, state, depth=depth)
        found = run(algorithm, game, state, "compiled", depth=depth)
        assert answer(found) == answer(wanted), name
        if getattr(algorithm, "memory", 0) == 0:
            assert answer(found, WORK) == answer(wanted, WORK), name
        if depth is None:
            check_line(found, game, state)


def test_a_game_with_cycles_agrees():
    for algorithm in (Minimax(), Minimax(textbook=True), Negamax(), AlphaBeta(), AlphaBeta(textbook=True)):
        pair = [run(algorithm, PongHauKi(), None, backend) for backend in ("reference", "compiled")]
        assert answer(pair[0], ANSWER + WORK) == answer(pair[1], ANSWER + WORK)
        assert pair[0].value == 0


def suits(game):
    """May minimax search it? (Chance is noticed only where it moves.)"""
    return (game.players == 1 or (game.players == 2 and game.total is not None)) and not hidden_information(game)


def meets_chance(game, depth):
    """Does chance move within so many actions?"""
    if not has(game, "chances") and not isinstance(game, Tree):
        return False
    states = {game.start()}
    for _ in range(depth + 1):
        states = {state for state in states if not game.terminal(state)}
        if any(game.player(state) == CHANCE for state in states):
            return True
        states = {game.result(state, action) for state in states for action in game.actions(state)}
    return False


@pytest.mark.parametrize("name", names())
def test_every_registered_game_is_searched_or_refused_with_a_reason(name):
    game = find(name)
    depth = 1 if len(list(game.actions(game.start()))) > 30 else 2
    algorithms = [Minimax(depth=depth), Negamax(depth=depth), AlphaBeta(depth=depth), AlphaBeta(depth=depth, memory=0)]
    if suits(game) and not meets_chance(game, 2):
        found = [answer(run(algorithm, game)) for algorithm in algorithms]
        assert all(result == found[0] for result in found)
        return
    for algorithm in algorithms:
        with pytest.raises(ZermeloError, match="fit.*|backward" if not hidden_information(game) else "equilibrium|backward"):
            run(algorithm, game)


def test_one_player_pays_for_every_action():
    """0 → 7 costs least as 3 + 3 + 1: 2 + 2 + 1 = 5, in three actions, in any order; the first in order begins with 1."""
    for algorithm in (Minimax(), Negamax(), AlphaBeta(), AlphaBeta(memory=0)):
        found = run(algorithm, Steps(7))
        assert (found.value, found.action, found.distance, found.line) == (-5, 1, 3, (1, 3, 3))
        assert found.scores == {1: -5, 3: -5}
    assert run(Minimax(), Steps(7), textbook=True).value == -5
    assert BackwardInduction().search(Steps(7)).value == -5


@pytest.mark.slow
def test_the_compiled_engine_runs_again_from_the_cache_in_another_process(tmp_path):
    """Kernels that were compiled by one process must run in the next, and must not be compiled again."""
    import os
    import subprocess
    import sys
    from pathlib import Path

    program = (
        "from search_games import RandomTree\n"
        "from zermelo.runtime.backend import choose\n"
        "from zermelo.search import AlphaBeta, perft\n"
        "game = RandomTree()\n"
        "found = AlphaBeta(backend='compiled').search(game)\n"
        "print(found.value, found.scores, found.line, perft(game, 6, backend='compiled').nodes)\n"
        "kernels = [choose(game, family=family).compiled.ready(family) for family in ('alphabeta', 'perft')]\n"
        "print(*(kernel.code.from_cache for kernel in kernels))\n"
    )
    environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parent)}
    runs = [
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
        for _ in range(2)
    ]
    assert runs[0][0] == runs[1][0]
    assert (runs[0][1], runs[1][1]) == ("False False", "True True")


@pytest.mark.parametrize("backend", ["reference", "compiled"])
def test_a_win_at_the_full_depth_is_exact_although_positions_are_judged_there(backend):
    game = find("tictactoe")
    state = parse_position(game, "0418").state
    found = AlphaBeta(depth=1, backend=backend).search(game, state)
    assert (found.exact, found.value, found.distance) == (True, 1, 1)
    assert found.extra["estimated"] == ["3", "5", "6", "7"]


def test_an_estimate_that_looks_like_a_win_is_no_proof():
    class Boastful(type(find("tictactoe"))):
        def evaluate(self, board):
            return 1

    found = AlphaBeta(depth=2, backend="reference").search(Boastful())
    assert (found.value, found.exact) == (1, False)
