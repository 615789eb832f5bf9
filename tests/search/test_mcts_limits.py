"""Monte Carlo tree search within limits: playouts, time, memory, somebody's wish to stop; and what cannot be asked of it."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from chance_games import Draft, Merry, Odd, OddDice, RandomDice

from zermelo import Game, ZermeloError
from zermelo.games.kuhn import Kuhn
from zermelo.games.nim import Nim
from zermelo.games.ponghauki import PongHauKi
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits
from zermelo.search.montecarlo.mcts import DEFAULT_PLAYOUTS, MCTS
from zermelo.search.montecarlo.mcts_root import next_portion
from zermelo.search.montecarlo.mcts_statistics import Snapshot

DICE = Draft(32, 8)
BACKENDS = ("compiled", "reference")


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({"playouts": 0}, "playouts is a whole number of at least 1, not 0"),
        ({"playouts": 1.5}, "playouts is a whole number"),
        ({"threads": 0}, "threads is a whole number of at least 1"),
        ({"memory": 10}, "memory is a whole number of at least 65,536"),
        ({"exploration": -1}, "exploration is a number of at least 0, not -1"),
        ({"exploration": float("nan")}, "exploration is a number of at least 0, not nan"),
        ({"epsilon": 2}, "epsilon is a number from 0 to 1, not 2"),
        ({"temperature": 0, "selection": "puct"}, "temperature is a number above 0, not 0"),
        ({"final": "best"}, "final is one of visits, value, secure, not 'best'"),
        ({"policy": "greedy"}, "policy is one of auto, random, order, evaluate, not 'greedy'"),
        ({"policy": "order"}, "needs the rules' `order`, which Nim does not have"),
        ({"priors": "evaluate", "selection": "uct"}, "Priors are used by selection='puct' only"),
        ({"bias": 1}, "needs the rules' `evaluate`"),
        ({"open_loop": True, "selection": "puct"}, "The open loop has no priors"),
        ({"backend": "fast"}, "There is no backend"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(switches: dict[str, Any], words: str) -> None:
    with pytest.raises(ZermeloError, match=words.replace("(", "\\(")):
        MCTS(**switches).search(Nim())


def test_no_time_is_refused() -> None:
    with pytest.raises(ZermeloError, match="above 0 seconds"):
        MCTS().search(TicTacToe(), limits=Limits(time=0))


def test_hidden_cards_are_not_looked_at() -> None:
    with pytest.raises(ZermeloError, match="ismcts"):
        MCTS().search(Kuhn())
    assert MCTS(playouts=500, perfect_information=True, seed=1, backend="reference").search(Kuhn()).extra["playouts"] > 0


@pytest.mark.parametrize("backend", [pytest.param("compiled", marks=pytest.mark.slow), "reference"])
@pytest.mark.parametrize(("fault", "words"), [(1, "not negative"), (2, "add up to 0.75"), (3, "no outcome")])
def test_dice_that_are_none_are_told(backend: str, fault: int, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        MCTS(playouts=50, backend=backend).search(OddDice(), Odd(fault, 0))


def test_a_search_without_limits_ends() -> None:
    found = MCTS(seed=1, selection="uct", solver=False).search(RandomDice(), DICE)
    assert found.extra["playouts"] == DEFAULT_PLAYOUTS
    assert found.stopped == ""


@pytest.mark.parametrize("allowed", [1, 57, 1_000])
def test_a_limit_on_nodes_stops_both_engines_at_the_same_playout(allowed: int) -> None:
    pair = [
        MCTS(seed=2, selection="uct", solver=False, backend=backend).search(RandomDice(), DICE, limits=Limits(nodes=allowed))
        for backend in BACKENDS
    ]
    assert pair[0].nodes == pair[1].nodes >= allowed
    assert pair[0].extra["playouts"] == pair[1].extra["playouts"] > 0


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_it_stops_when_asked_and_tells_how_far_it_is(backend: str, threads: int) -> None:
    stop, told = threading.Event(), []

    def follow(snapshot: Snapshot) -> None:
        told.append(snapshot)
        stop.set()

    found = MCTS(seed=2, selection="uct", solver=False, threads=threads, backend=backend).search(
        RandomDice(), DICE, limits=Limits(stop=stop), follow=follow
    )
    assert found.stopped == "stopped on request"
    assert "The search was not finished (stopped on request)" in found.notes[-1]
    assert told[-1].playouts == found.extra["playouts"]
    assert sum(move.visits for move in told[-1].moves) == told[-1].playouts
    assert found.action in found.scores


def test_looks_at_the_limits_come_after_about_ten_milliseconds() -> None:
    assert next_portion(100, 0.001) == 200
    assert next_portion(100, 0.010) == 100
    assert next_portion(100, 0.040) == 50
    assert next_portion(1, 1.0) == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_full_tree_stops_growing_and_the_search_goes_on(backend: str) -> None:
    game, state = RandomDice(), Draft(32, 40)
    found = MCTS(playouts=3_000, seed=2, selection="uct", solver=False, memory=1 << 16, backend=backend).search(game, state)
    assert found.extra["tree"]["full"]
    assert any("reached its memory limit" in note for note in found.notes)
    assert sum(found.extra["visits"].values()) == 3_000
    roomy = MCTS(playouts=3_000, seed=2, selection="uct", solver=False, backend=backend).search(game, state)
    assert found.extra["tree"]["nodes"] < roomy.extra["tree"]["nodes"]


@pytest.mark.parametrize("switches", [{}, {"cutoff": 7}])
def test_a_game_without_end_is_cut_off_with_a_note(switches: dict[str, Any]) -> None:
    @dataclass(frozen=True)
    class Endless(Game):
        def start(self) -> int:
            return 0

        def player(self, state: int) -> int:
            return state % 2

        def actions(self, state: int) -> Iterator[int]:
            return iter((0, 1))

        def result(self, state: int, action: int) -> int:
            return (2 * state + action) % 1_000_003

        def terminal(self, state: int) -> bool:
            return False

        def utility(self, state: int) -> int:
            return 0

    found = MCTS(playouts=20, seed=1, backend="reference", **switches).search(Endless())
    assert found.extra["cut_off"] == 20
    assert any("did not end within 1,000 actions" in note for note in found.notes) == (not switches)


def test_a_state_that_returns_means_what_the_rules_say() -> None:
    found = MCTS(playouts=300, seed=1).search(PongHauKi())
    assert found.backend == "reference"
    assert any("must remember its line" in note for note in found.notes)
    assert abs(found.value) < 1
    with pytest.raises(ZermeloError, match="use backend auto or reference"):
        MCTS(playouts=300, backend="compiled").search(PongHauKi())


def test_a_dag_with_cycles_does_not_go_round_for_ever() -> None:
    found = MCTS(playouts=400, seed=1, transpositions=True, cutoff=50, backend="reference").search(Merry())
    assert found.extra["playouts"] > 0


# --- functions of the user's


def test_a_policy_that_raises_is_named_with_its_state_and_the_best_so_far_is_kept() -> None:
    calls = []

    def policy(game: Game, state: Any, actions: list[int]) -> int:
        calls.append(state)
        if len(calls) > 200:
            raise ValueError("no idea")
        return actions[0]

    found = MCTS(playouts=1_000, seed=1, policy=policy).search(TicTacToe())
    assert 0 < found.extra["playouts"] < 1_000
    assert f"the policy raised ValueError: no idea in the state {calls[-1]!r}" in found.notes[-1]
    assert found.action in TicTacToe().actions(TicTacToe().start())


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({"policy": lambda game, state, actions: 1 // 0}, "policy raised ZeroDivisionError"),
        ({"policy": lambda game, state, actions: 99, "epsilon": 0}, "policy chose 99"),
        ({"selection": "puct", "priors": lambda game, state, actions: [-1.0] * len(actions)}, "a prior in the state .* is -1.0"),
        ({"selection": "puct", "priors": lambda game, state, actions: [float("nan")] * len(actions)}, "is nan"),
        ({"selection": "puct", "priors": lambda game, state, actions: [1.0]}, "are 1, but there are 9 actions"),
        ({"judge": lambda game, state: float("inf")}, "judge gave inf"),
    ],
)
def test_functions_that_cannot_be_used_are_told_with_the_state(switches: dict[str, Any], words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        MCTS(playouts=10, seed=1, **switches).search(TicTacToe())


def test_priors_and_values_of_the_users_own_lead_the_search() -> None:
    def priors(game: Game, state: Any, actions: list[int]) -> list[float]:
        return [100.0 if action == 8 else 1.0 for action in actions]

    found = MCTS(playouts=40, seed=1, selection="puct", priors=priors, judge=lambda game, state: 0.0).search(TicTacToe())
    assert found.action == 8
    assert "only it can call functions of Python" in found.notes[0]
