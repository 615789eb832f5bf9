"""Monte Carlo tree search: both backends grow the same tree, values approach the exact ones for everybody, and proofs are proofs."""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from chance_games import Draft, RandomDice, RandomTable

from zermelo import Game
from zermelo.games.connect4 import ConnectFour
from zermelo.games.ponghauki import PongHauKi
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits
from zermelo.registry import find
from zermelo.rules import legal_actions
from zermelo.search import AlphaBeta
from zermelo.search.chance.expectiminimax import Expectiminimax
from zermelo.search.montecarlo.mcts import MCTS, MCTSSession
from zermelo.search.montecarlo.mcts_statistics import interval
from zermelo.search.montecarlo.splitmix import SplitMix
from zermelo.trees.backward_induction import BackwardInduction

DICE = Draft(32, 8)  # a tree of some thousand nodes in which both players and chance move
PLAIN: list[dict[str, Any]] = [
    {"selection": "uct"},
    {"selection": "uct", "solver": False},
    {"exploration": 0.2, "final": "secure"},
    {"selection": "uct", "cutoff": 2},
]
VARIANTS: list[dict[str, Any]] = [
    {},
    {"selection": "puct"},
    {"selection": "puct", "priors": "evaluate", "cutoff": 0},
    {"selection": "puct", "priors": "order", "temperature": 2.0},
    {"urgency": 0.1},
    {"rave": 0},
    {"rave": 20, "exploration": 0.1},
    {"bias": 0.5},
    {"transpositions": True},
    {"transpositions": True, "rave": 3, "urgency": -0.1},
    {"policy": "order", "epsilon": 0.2},
    {"policy": "evaluate"},
    {"open_loop": True},
    {"open_loop": True, "rave": 5, "urgency": 0.0},
]


def test_the_generator_gives_the_published_numbers() -> None:
    """S. Vigna's splitmix64.c from the seed 1234567, as quoted by Rosetta Code ("Pseudo-random numbers/Splitmix64")."""
    random = SplitMix(1234567)
    assert [random.draw() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


# --- two backends, one tree


def facts(game: Game, state: Any, **switches: Any) -> dict[str, Any]:
    found = MCTS(seed=11, playouts=400, **switches).search(game, state).to_dict()
    assert 0 < found["playouts"] <= 400
    return {name: fact for name, fact in found.items() if name not in ("seconds", "backend", "parameters", "tree", "notes")}


@pytest.mark.parametrize("switches", PLAIN, ids=str)
def test_both_engines_grow_the_same_tree(switches: dict[str, Any]) -> None:
    game = RandomDice()
    assert facts(game, DICE, backend="compiled", **switches) == facts(game, DICE, backend="reference", **switches)


@pytest.mark.slow
@pytest.mark.parametrize("switches", VARIANTS, ids=str)
def test_both_engines_grow_the_same_tree_with_every_variant(switches: dict[str, Any]) -> None:
    game, state = RandomDice(), Draft(56, 8)  # Min moves
    assert facts(game, state, backend="compiled", **switches) == facts(game, state, backend="reference", **switches)


@pytest.mark.slow
@pytest.mark.parametrize("game", [RandomTable(), ConnectFour(4, 4)], ids=lambda game: type(game).__name__)
@pytest.mark.parametrize(
    "switches", [{"selection": "uct"}, {"solver": False, "exploration": 1.4}, {"rave": 10}, {"transpositions": True}], ids=str
)
def test_both_engines_grow_the_same_tree_on_other_games(game: Game, switches: dict[str, Any]) -> None:
    assert facts(game, None, backend="compiled", **switches) == facts(game, None, backend="reference", **switches)


def test_no_move_is_listed_beyond_what_is_proven_about_it() -> None:
    """A mean over playouts may lie above the most that a move can still be worth; what is shown does not."""
    game = TicTacToe()
    state = game.result(game.result(game.start(), 0), 4)
    corrected = 0
    for seed in range(5):
        session = MCTSSession(MCTS(playouts=300, seed=seed, backend="reference"), game)
        scores = session.search(state).scores
        assert session.tree is not None
        for move in session.tree.moves():
            low, high = move.bounds
            assert low <= scores[move.action] <= high
            corrected += not low <= move.means[0] <= high
    assert corrected > 0


def test_the_default_is_what_wins_most() -> None:
    """PUCT with priors and playouts by `evaluate` where the rules have it, else UCT; see what each wins (docs/theory/mcts.md)."""

    def chosen(game: Game, **switches: Any) -> tuple[Any, ...]:
        found = MCTS(playouts=5, seed=1, backend="reference", **switches).search(game).parameters
        return found["selection"], found["priors"], found["exploration"], found["policy"]

    assert chosen(TicTacToe()) == ("puct", "evaluate", 1.4, "evaluate")
    assert chosen(TicTacToe(), policy="random") == ("puct", "evaluate", 1.4, "random")
    assert chosen(TicTacToe(), exploration=0.7) == ("uct", None, 0.7, "random")
    assert chosen(TicTacToe(), rave=0) == ("uct", None, 0.35, "random")
    assert chosen(TicTacToe(), selection="puct") == ("puct", None, 1.4, "random")
    assert chosen(TicTacToe(), priors="evaluate", exploration=2.0) == ("puct", "evaluate", 2.0, "random")
    assert chosen(Prize()) == ("uct", None, 0.35, "random")


def test_how_often_a_policy_moves_at_random_depends_on_who_asked_for_it() -> None:
    game = TicTacToe()
    assert MCTS().definite(game).epsilon == 0.25
    assert MCTS(policy="evaluate").definite(game).epsilon == 0.1
    assert MCTS(epsilon=0.5).definite(game).epsilon == 0.5


def test_playouts_are_random_where_compiled_code_could_not_make_them() -> None:
    """Asking `evaluate` about every move of a playout pays where compiled code does it; foreign states and repetition are interpreted."""
    for name in ("lgame", "awari", "chesslib"):
        assert MCTS().definite(find(name)).policy == "random"
    assert MCTS().definite(find("othello")).policy == "evaluate"


# --- what every search promises


@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_visits_add_up_and_intervals_hold_the_values(backend: str) -> None:
    found = MCTS(playouts=500, seed=3, selection="uct", solver=False, backend=backend).search(RandomDice(), DICE)
    assert sum(found.extra["visits"].values()) == found.extra["playouts"] == 500
    mover = RandomDice().player(DICE)
    for action, value in found.scores.items():
        low, high = found.extra["intervals"][found.action_name(action)]
        assert low <= (value if mover <= 0 else -value) <= high or found.extra["visits"][found.action_name(action)] < 20
    again = MCTS(playouts=500, seed=3, selection="uct", solver=False, backend=backend).search(RandomDice(), DICE)
    assert again.extra["visits"] == found.extra["visits"]


def test_an_interval_is_never_a_certainty() -> None:
    low, high = interval(3, 3.0, 3.0, -1.0, 1.0)  # three wins in three playouts
    assert -1 < low < 0.5
    assert high == 1
    assert interval(10_000, 0.0, 10_000.0, -1.0, 1.0) == pytest.approx((-0.0196, 0.0196), abs=1e-4)


# --- convergence: no sign is ever wrong


class Walk(NamedTuple):
    place: int
    left: int


@dataclass(frozen=True)
class Prize(Game):
    """One player walks left or right, pays one a step and two for a step to the right, and gets three for every place to the right."""

    players = 1

    def start(self) -> Walk:
        return Walk(0, 5)

    def player(self, walk: Walk) -> int:
        return 0

    def actions(self, walk: Walk) -> Iterator[int]:
        return iter(() if walk.left == 0 else (0, 1))

    def result(self, walk: Walk, action: int) -> Walk:
        return Walk(walk.place + (1 if action else -1), walk.left - 1)

    def terminal(self, walk: Walk) -> bool:
        return walk.left == 0

    def utility(self, walk: Walk) -> int:
        return 3 * walk.place

    def cost(self, walk: Walk, action: int) -> int:
        return 1 + action


THREAT, MIN_TO_MOVE = "XX OO    ", "OXX OX   "


@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize(
    ("game", "state", "exact"),
    [
        (TicTacToe(), THREAT, 1),  # Max completes a row
        (TicTacToe(), MIN_TO_MOVE, None),  # Min to move
        (TicTacToe(), "O   X   O", None),
        (Prize(), None, 5),  # 15 for five steps to the right, less 10
        (RandomDice(), Draft(32, 4), None),  # Max to move, then Min, with dice
        (RandomDice(), Draft(62, 4), None),
        (RandomDice(), Draft(101, 4), None),
        (RandomDice(), Draft(137, 4), None),
    ],
)
def test_values_approach_the_exact_ones(game: Game, state: Any, exact: float | None, solver: bool) -> None:
    truth = Expectiminimax(backend="reference").search(game, state)
    if exact is not None:
        assert truth.value == exact
    found = MCTS(playouts=3_000, seed=5, selection="uct", solver=solver, backend="reference").search(game, state)
    assert found.value == pytest.approx(truth.value, abs=1e-9 if found.exact else 0.3 if game.players == 1 else 0.12)
    assert found.action in truth.actions or truth.action is None
    if solver:
        assert found.exact


@pytest.mark.parametrize("seed", [1, 3, 5])
def test_three_players_each_look_at_their_own_payoffs(seed: int) -> None:
    game, state = RandomTable(), Draft(seed, 3)
    truth = BackwardInduction().search(game, state)
    found = MCTS(playouts=4_000, seed=2, exploration=0.5, backend="reference").search(game, state)
    mover = game.player(state)
    assert sum(found.value) == pytest.approx(4)
    assert found.value[mover] == pytest.approx(truth.value[mover], abs=0.2)


def test_general_sums_are_no_duels() -> None:
    game = find("twolevel")  # Right could bring 6, but then Player 2 replies Left
    truth, found = BackwardInduction().search(game), MCTS(playouts=4_000, seed=2).search(game)
    assert found.action == truth.action
    assert found.value == pytest.approx(truth.value, abs=0.3)


def test_errors_shrink_as_playouts_grow() -> None:
    game, state = RandomDice(), Draft(32, 5)
    truth = Expectiminimax(backend="reference").search(game, state).value

    def error(playouts: int) -> float:
        runs = [MCTS(playouts=playouts, seed=seed, selection="uct", solver=False).search(game, state).value - truth for seed in range(8)]
        return math.sqrt(sum(run * run for run in runs) / len(runs))

    assert error(4_000) < error(30) / 2


# --- proof


@pytest.mark.parametrize("position", ["XX OO    ", "O   X   O", "X   O    "])
def test_a_proven_value_is_the_value(position: str) -> None:
    truth = AlphaBeta(backend="reference").search(TicTacToe(), position)
    found = MCTS(playouts=20_000, seed=1, backend="reference").search(TicTacToe(), position)
    assert found.exact
    assert found.value == truth.value
    assert set(found.actions) <= set(truth.actions)
    assert found.extra["playouts"] < 20_000  # a proven root ends the search


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "value"), [(4, 4, 0), (5, 4, 0)])
def test_the_solver_proves_small_boards_of_connect_four(width: int, height: int, value: int) -> None:
    """Values: J. Tromp, John's Connect Four Playground: 4 × N and 5 × N are draws."""
    found = MCTS(playouts=3_000_000, exploration=0.7, transpositions=True, seed=1, backend="compiled").search(ConnectFour(width, height))
    assert found.exact
    assert found.value == value


@pytest.mark.slow
def test_tic_tac_toe_is_never_lost_from_any_position() -> None:
    """In all 4,520 positions that are not the end, 10,000 playouts choose a move that keeps the value."""
    game = TicTacToe()
    truth: dict[str, int] = {}

    def value(board: str) -> int:
        if board not in truth:
            if game.terminal(board):
                truth[board] = int(game.utility(board))
            else:
                best = max if game.player(board) == 0 else min
                truth[board] = best(value(game.result(board, action)) for action in game.actions(board))
        return truth[board]

    value(game.start())
    assert len(truth) == 5_478
    searched = 0
    for board in truth:
        if not game.terminal(board):
            found = MCTS(playouts=10_000, seed=searched, backend="compiled").search(game, board)
            assert found.action is not None
            assert truth[game.result(board, found.action)] == truth[board], game.show(board)
            searched += 1
    assert searched == 4_520


# --- many hands


@pytest.mark.slow
def test_threads_share_one_tree_and_lose_no_playout() -> None:
    found = MCTS(playouts=4_000, threads=4, seed=1, selection="uct", solver=False, backend="compiled").search(RandomDice(), DICE)
    assert sum(found.extra["visits"].values()) == found.extra["playouts"] == 4_000
    assert found.extra["threads"] == 4
    truth = Expectiminimax(backend="reference").search(RandomDice(), DICE)
    assert found.value == pytest.approx(truth.value, abs=0.3)


@pytest.mark.slow
def test_threads_prove_what_is_true() -> None:
    state = Draft(32, 5)
    truth = Expectiminimax(backend="reference").search(RandomDice(), state)
    for seed in range(5):
        found = MCTS(playouts=50_000, threads=3, seed=seed, selection="uct", backend="compiled").search(RandomDice(), state)
        assert found.exact
        assert found.value == pytest.approx(truth.value)
        assert set(found.actions) <= set(truth.actions)


@pytest.mark.parametrize("playouts", [1, 2, 33, 1_000])
def test_threads_make_just_as_many_playouts_as_asked_for(playouts: int) -> None:
    found = MCTS(playouts=playouts, threads=2, seed=7, selection="uct", solver=False, backend="compiled").search(RandomDice(), DICE)
    assert sum(found.extra["visits"].values()) == found.extra["playouts"] == playouts
    assert found.extra["tree"]["nodes"] <= playouts + 1


def test_a_full_tree_takes_the_playouts_of_all_threads() -> None:
    found = MCTS(playouts=6_000, threads=3, seed=2, selection="uct", solver=False, memory=1 << 16, backend="compiled").search(
        RandomDice(), Draft(32, 40)
    )
    assert found.extra["tree"]["full"]
    assert found.extra["tree"]["bytes"] <= 1 << 16
    assert sum(found.extra["visits"].values()) == found.extra["playouts"] == 6_000


def test_threads_keep_the_tree_for_the_next_move() -> None:
    game = RandomDice()
    kept = MCTS(playouts=3_000, threads=2, seed=4, selection="uct", solver=False, backend="compiled").keep(game)
    first = kept.search(DICE)
    action = max(first.scores, key=lambda action: first.extra["visits"][first.action_name(action)])
    second = kept.search(game.result(DICE, action))
    assert sum(second.extra["visits"].values()) >= max(first.extra["visits"].values()) - 1 + 3_000


@pytest.mark.slow
@pytest.mark.parametrize("switches", [{"rave": 5}, {"transpositions": True}, {"open_loop": True}, {"selection": "puct"}], ids=str)
def test_threads_lose_no_playout_with_any_variant(switches: dict[str, Any]) -> None:
    found = MCTS(playouts=5_000, threads=3, seed=1, solver=False, backend="compiled", **switches).search(RandomDice(), Draft(56, 8))
    assert sum(found.extra["visits"].values()) == found.extra["playouts"] == 5_000


def test_parts_in_an_executor_are_added_up() -> None:
    algorithm = MCTS(playouts=1_001, seed=4, solver=False, backend="reference")
    with ThreadPoolExecutor(2) as pool:
        found = algorithm.search(RandomDice(), DICE, executor=pool, parts=3)
        again = algorithm.search(RandomDice(), DICE, executor=pool, parts=3)
    assert sum(found.extra["visits"].values()) == found.extra["playouts"] == 1_001
    assert found.extra["visits"] == again.extra["visits"]
    alone = MCTS(playouts=1_001, seed=4, solver=False, backend="reference").search(RandomDice(), DICE)
    assert found.value == pytest.approx(alone.value, abs=0.3)


# --- from move to move


@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_what_has_grown_is_kept_for_the_next_move(backend: str) -> None:
    game = RandomDice()
    kept = MCTS(playouts=600, seed=4, selection="uct", solver=False, backend=backend).keep(game)
    first = kept.search(DICE)
    visits = max(first.extra["visits"].values())
    action = next(action for action in first.scores if first.extra["visits"][first.action_name(action)] == visits)
    second = kept.search(game.result(DICE, action))
    assert kept.tree is not None
    assert sum(second.extra["visits"].values()) >= visits - 1 + 600
    assert second.extra["tree"]["nodes"] >= 1
    third = kept.search(game.start())  # elsewhere: a new tree
    assert sum(third.extra["visits"].values()) == 600


def test_both_engines_keep_the_same_tree_through_a_whole_game() -> None:
    """What is below the new root, proofs included, and nothing else: later searches would differ otherwise."""
    game, state = RandomDice(), DICE
    searchers = [MCTS(playouts=150, seed=4, selection="uct", backend=backend).keep(game) for backend in ("compiled", "reference")]
    inherited = 0
    while not game.terminal(state):
        found = [searcher.search(state) for searcher in searchers]
        compiled, reference = (each.to_dict() for each in found)
        for fact in ("visits", "scores", "bounds", "action", "line", "playouts", "nodes", "exact"):
            assert compiled[fact] == reference[fact]
        assert compiled["tree"]["nodes"] == reference["tree"]["nodes"]
        assert compiled["playouts"] <= 150
        inherited += sum(compiled["visits"].values()) > 150
        state = game.result(state, found[0].action if found[0].action is not None else legal_actions(game, state)[0])
    assert inherited > 2


def test_a_kept_tree_remembers_what_was_played_since_it_was_planted() -> None:
    game = PongHauKi()
    kept = MCTS(playouts=100, seed=1).keep(game)
    kept.search(game.start())
    after = game.result(game.start(), legal_actions(game, game.start())[0])
    kept.search(after)
    assert kept.tree is not None
    root = kept.tree.sketch(1, []).sprouts[0]
    assert root.state == after
    assert 100 <= root.visits < 200


@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_limits_on_a_kept_tree_are_those_of_one_move(backend: str) -> None:
    game, limits = RandomDice(), Limits(nodes=500)
    kept = MCTS(seed=4, selection="uct", solver=False, backend=backend).keep(game)
    first = kept.search(DICE, limits=limits)
    second = kept.search(game.result(DICE, first.action or 0), limits=limits)
    assert 400 < first.nodes < 600
    assert 400 < second.nodes < 600
    assert second.extra["playouts"] > 10
