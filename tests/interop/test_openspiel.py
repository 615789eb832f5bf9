"""OpenSpiel's own tests and algorithms on games of this library, and this library's on those of OpenSpiel: the same values both ways."""

import pickle
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("pyspiel", reason="games of OpenSpiel need it: pip install 'zermelo[openspiel]'")

import pyspiel

from zermelo.equilibrium.extensive.solver import EquilibriumSolver
from zermelo.errors import ZermeloError
from zermelo.interop.encoding import encode
from zermelo.interop.openspiel import LONGEST, from_openspiel, to_openspiel
from zermelo.registry import find
from zermelo.registry.properties import properties
from zermelo.rules import Game, legal_actions
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.classic.perft import perft

# --- games of this library in OpenSpiel


@pytest.mark.parametrize(
    "name",
    ["tictactoe", "kuhn", "kuhn(players=3)", "rps", "threenim", "pig(goal=8)", "twenty48(goal=8)", "eightpuzzle(rows=2,columns=2)",
     "goofspiel", "kqj", "battleofthesexes", "ponghauki", "leduc"],
)  # fmt: skip
def test_openspiel_is_content(name: str) -> None:
    """Its random simulations check masks, returns, histories, tensors, copies and serialised states."""
    game = find(name)
    pyspiel.random_sim_test(to_openspiel(name, encoding=encode(game, look=2_000)), num_sims=3, serialize=True, verbose=False)


def test_a_game_tells_openspiel_what_it_is() -> None:
    game = to_openspiel("kuhn(players=3)")
    kind = game.get_type()
    assert kind.short_name == "zermelo_kuhn_players_3"
    assert (game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes(), game.max_game_length()) == (3, 2, 4, 8)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-2, 4, 0)
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert to_openspiel("threenim").get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert to_openspiel("pig(goal=8)").max_game_length() == LONGEST
    assert str(pyspiel.load_game("zermelo_kuhn_players_3").new_initial_state()) == "? ? ? -"


def test_a_single_player_has_paid_for_every_move() -> None:
    state = to_openspiel("eightpuzzle(tiles=(1,2,3,4,5,6,0,7,8))", encoding=encode(find("eightpuzzle"), look=200)).new_initial_state()
    state.apply_action(7)
    assert (state.returns(), state.rewards()) == ([-1], [-1])
    state.apply_action(8)
    assert state.is_terminal()
    assert (state.returns(), state.rewards()) == ([-2], [-1])


def test_a_state_that_returns_ends_the_game_where_the_rules_say_so() -> None:
    game = find("ponghauki")
    state = to_openspiel(game).new_initial_state()
    for _ in range(200):
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[-1])
    assert state.returns() == [0, 0]
    assert not game.terminal(state.standing.state)


def test_openspiels_regret_minimisation_finds_the_value_of_our_kuhn_poker() -> None:
    from open_spiel.python.algorithms import expected_game_score

    game = to_openspiel("kuhn")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.exploitability(game, policy) < 0.02
    value = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert value[0] == pytest.approx(-1 / 18, abs=0.01)


def test_openspiels_tree_search_plays_our_connect_four() -> None:
    """One move from a win, which it has to find."""
    import numpy
    from open_spiel.python.algorithms import mcts

    game = to_openspiel("connect4(width=5,height=4)", encoding=encode(find("connect4(width=5,height=4)"), look=1_000))
    state = game.new_initial_state()
    for action in (0, 1, 0, 1, 0, 1):
        state.apply_action(action)
    random = numpy.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 200, mcts.RandomRolloutEvaluator(1, random), solve=True, random_state=random)
    assert bot.step(state) == 0


def test_python_ends_in_peace_after_a_game_was_registered() -> None:
    program = "from zermelo.interop.openspiel import to_openspiel; print(to_openspiel('rps').num_players())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "2"), done.stderr


# --- games of OpenSpiel here


def value_of(game: Game) -> float:
    """Of the first player, by linear programming."""
    return EquilibriumSolver("lp", backend="reference").solve(game).value[0]


@pytest.mark.parametrize(
    ("theirs", "ours", "depth"),
    [
        ("tic_tac_toe", "tictactoe", 5),
        ("connect_four", "connect4", 4),
        ("hex(board_size=3)", "hex(width=3,height=3)", 4),
        ("kuhn_poker", "kuhn", 5),
        ("kuhn_poker(players=3)", "kuhn(players=3)", 6),
        ("liars_dice(dice_sides=3)", "liarsdice(faces=3)", 4),
    ],
)
def test_both_generate_the_same_tree(theirs: str, ours: str, depth: int) -> None:
    there, here = perft(from_openspiel(theirs), depth=depth), perft(find(ours), depth=depth, backend="reference")
    assert (there.leaves, there.finished, there.nodes) == (here.leaves, here.finished, here.nodes)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tic_tac_toe", 0),
        ("hex(board_size=2)", 1),
        pytest.param("hex(board_size=3)", 1, marks=pytest.mark.slow),
        ("nim(pile_sizes=1;2;3)", -1),
    ],
)
def test_search_finds_the_value_of_games_of_openspiel(name: str, value: int) -> None:
    """Tic-tac-toe is a draw, the first player wins Hex (J. Nash, 1952); OpenSpiel's Nim is misère, where 1 2 3 loses for the mover."""
    result = AlphaBeta().search(from_openspiel(name))
    assert (result.value, result.exact, result.backend) == (value, True, "reference")


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("kuhn_poker", {}, -1 / 18),
        ("liars_dice", {"dice_sides": 2}, None),
        ("matrix_rps", {}, 0),
        ("matrix_mp", {}, 0),
        ("goofspiel", {"num_cards": 3, "imp_info": True, "points_order": "descending"}, 0),
    ],
)
def test_equilibria_of_games_of_openspiel(name: str, parameters: dict[str, Any], value: float | None) -> None:
    expected = value_of(find("liarsdice(faces=2)")) if value is None else value
    assert value_of(from_openspiel(name, **parameters)) == pytest.approx(expected, abs=1e-9)


def test_what_is_hidden_stays_hidden() -> None:
    game = from_openspiel("kuhn_poker")
    answers = {answer.name: answer.value for answer in properties(game)}
    assert (answers["players"], answers["sum"], answers["chance"], answers["information"], answers["finite"]) == (
        2,
        "zero",
        True,
        "hidden",
        True,
    )
    dealt = [game.result(game.result(game.start(), 1), other) for other in (0, 2)]
    assert game.known_to(dealt[0], 0) == game.known_to(dealt[1], 0)
    assert game.known_to(dealt[0], 1) != game.known_to(dealt[1], 1)


def test_where_there_is_no_information_state_all_observations_are_kept() -> None:
    game = from_openspiel("phantom_go(board_size=2)")
    assert game.information is not None
    line, own = game.start(), 0
    for moves in range(6):
        assert len(game.information(line, 0)) == 1 + moves + own
        own += game.player(line) == 0
        line = game.result(line, legal_actions(game, line)[0])
    assert 0 < own < 6


def test_lines_are_values() -> None:
    game = from_openspiel("tic_tac_toe")
    line = game.result(game.result(game.start(), 4), 0)
    again = pickle.loads(pickle.dumps(line))
    assert again == line
    assert hash(again) == hash(line)
    assert game.show(again) == game.show(line) == "o..\n.x.\n..."
    assert game.result(game.result(game.start(), 0), 4) != line
    assert pickle.loads(pickle.dumps(game)) == game


def test_a_game_of_openspiel_has_a_name_here() -> None:
    assert find("openspiel:hex(board_size=3)") == from_openspiel("hex", board_size=3)
    assert from_openspiel(pyspiel.load_game("kuhn_poker")).players == 2
    assert find("openspiel:2048").players == 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("openspiel:kuhn_pokr", "OpenSpiel has no game kuhn_pokr: did you mean kuhn_poker?"),
        ("openspiel:kuhn_poker(plyers=3)", "OpenSpiel's kuhn_poker has no parameter plyers: did you mean players?"),
        ("openspiel:kuhn_poker(3)", "need names"),
        ("openspiel:kuhn_poker(players='x')", "OpenSpiel cannot make kuhn_poker"),
        ("openspiel:mfg_crowd_modelling", "mean-field"),
        ("openspiel:stones_and_gems", "how likely"),
        ("openspil:kuhn_poker", "There is no source of games openspil: did you mean openspiel?"),
    ],
)
def test_what_is_wrong_is_said(name: str, sentence: str) -> None:
    with pytest.raises(ZermeloError) as raised:
        find(name)
    assert sentence in str(raised.value)


@pytest.mark.slow
def test_leduc_poker_is_worth_the_same_in_both() -> None:
    """-0.0856064: M. Lanctot et al., OpenSpiel (2019), and this library's own."""
    theirs, ours = (value_of(game) for game in (from_openspiel("leduc_poker"), find("leduc")))
    assert theirs == pytest.approx(-0.0856064, abs=1e-6)
    assert theirs == pytest.approx(ours, abs=1e-9)
