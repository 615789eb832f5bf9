"""Self-play that learns: both backends bit by bit alike, runs that are interrupted, and what is learned in the end."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from zermelo.games.tictactoe import TicTacToe
from zermelo.learn import Learner, Practice
from zermelo.learn.learning_driver import KernelTrainer, new_trainer, reference_trainer
from zermelo.learn.practice import layout_of
from zermelo.learn.regression import examples
from zermelo.learn.truth import least_payoff
from zermelo.registry import find
from zermelo.rules import legal_actions
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.weights import Weights, learned, patterns_of

GAMES = 12
QUICK: dict[str, Any] = {"pairs": 0, "truths": 0, "backend": "reference"}


def numbers(trainer: Any) -> dict[str, list[float]]:
    return {name: list(map(float, values)) for name, values in trainer.memory().items()}


@pytest.mark.parametrize("method", [pytest.param("tdleaf", marks=pytest.mark.slow), "td"])
@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("tictactoe", 3),
        pytest.param("connect4(width=5, height=4)", 4, marks=pytest.mark.slow),
        pytest.param("connect4(width=10, height=6)", 0, marks=pytest.mark.slow),  # words of 128 bits
        pytest.param("othello(size=4)", 4, marks=pytest.mark.slow),
        pytest.param("hex(width=3, height=3)", 3, marks=pytest.mark.slow),  # without features
    ],
)
def test_compiled_and_reference_learn_the_same_in_every_bit(name: str, cells: int, method: str) -> None:
    game = find(name)
    layout = layout_of(game, patterns_of(game, cells) if cells else None)
    practice = Practice(method=method, exploration=0.2, seed=5, longest=30)
    compiled, notes = new_trainer(game, layout, practice, "compiled")
    reference = reference_trainer(game, layout, practice)
    assert (compiled.backend, reference.backend) == ("compiled", "reference")
    assert notes == ()
    for trainer in (compiled, reference):
        trainer.train(GAMES)
    assert numbers(compiled) == numbers(reference)
    assert any(numbers(compiled)["weights"])
    judges = [("learned", "random")] + ([("learned", "evaluate")] if hasattr(game, "evaluate") else [])
    for judge in judges:
        assert compiled.contest(3, 7, 2, judge, 2) == reference.contest(3, 7, 2, judge, 2)
    states = [game.start(), *(game.result(game.start(), action) for action in legal_actions(game, game.start()))]
    assert compiled.choose(states, "learned", 2) == reference.choose(states, "learned", 2)


def test_weights_that_are_learned_judge_alike_in_every_search() -> None:
    game = TicTacToe()
    found = Learner(Practice(opening=2), games=50, patterns=3, **QUICK).learn(game, "tictactoe")
    judging = learned(game, found.weights)
    trainer = reference_trainer(game, layout_of(game, patterns_of(game, 3)), Practice())
    trainer.restore(0, {"weights": found.weights.numbers, "net": found.weights.numbers, "gross": found.weights.numbers})
    board = game.result(game.result(game.start(), 0), 4)
    assert [judging.evaluate(board)] == trainer.choose([board], "learned", 0)[1]  # type: ignore[attr-defined]
    assert judging == learned(game, found.weights)
    assert -1 < judging.evaluate(board) < 1  # type: ignore[attr-defined]


def results_of(weights: Weights) -> list[float]:
    """The least that weights get at tic-tac-toe with a search of two moves, in either seat, over all replies."""
    game = TicTacToe()
    judging = learned(game, weights)

    @cache
    def chosen(state: Any) -> int:
        action = AlphaBeta(depth=2, textbook=True, backend="reference").search(judging, state).action
        assert action is not None
        return action

    return [least_payoff(game, seat, chosen) for seat in (0, 1)]


@pytest.mark.parametrize("seed", [0, 1])
def test_learned_weights_never_lose_at_tic_tac_toe(seed: int) -> None:
    game = TicTacToe()
    found = Learner(Practice(opening=2, seed=seed), games=5_000, patterns=3, pairs=0, truths=0).learn(game, "tictactoe")
    assert min(results_of(found.weights)) >= 0


def test_without_learning_games_are_lost() -> None:
    game = TicTacToe()
    found = Learner(Practice(), games=0, **QUICK).learn(game, "tictactoe")
    assert set(found.weights.numbers) == {0.0}
    assert min(results_of(found.weights)) < 0


# --- runs


def test_a_resumed_run_is_the_uninterrupted_one_bit_by_bit(tmp_path: Path) -> None:
    game, file = TicTacToe(), tmp_path / "run.npz"
    learner = Learner(Practice(seed=3), games=30, measures=3, **QUICK)
    whole = learner.learn(game, "tictactoe")
    replace(learner, games=11).learn(game, "tictactoe", file)
    resumed = learner.learn(game, "tictactoe", file)
    assert resumed.weights == whole.weights
    assert resumed.games == whole.games == 30
    assert [point.games for point in resumed.curve][-1] == 30


def test_ctrl_c_keeps_what_is_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = TicTacToe(), tmp_path / "run.npz"
    learner = Learner(Practice(seed=3), games=60, measures=3, **QUICK)
    whole = learner.learn(game, "tictactoe")
    train = KernelTrainer.train

    def interrupted(trainer: KernelTrainer, games: int) -> None:
        for _ in range(games):
            if trainer.played == 17:
                raise KeyboardInterrupt
            train(trainer, 1)

    monkeypatch.setattr(KernelTrainer, "train", interrupted)
    stopped = learner.learn(game, "tictactoe", file)
    assert (stopped.stopped, stopped.games) == ("interrupted", 17)
    monkeypatch.undo()
    assert learner.learn(game, "tictactoe", file).weights == whole.weights


def test_a_checkpoint_of_other_settings_or_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    Learner(Practice(seed=3), games=2, **QUICK).learn(TicTacToe(), "tictactoe", file)
    with pytest.raises(Exception, match="other settings"):
        Learner(Practice(seed=4), games=2, **QUICK).learn(TicTacToe(), "tictactoe", file)
    with pytest.raises(Exception, match="another game"):
        Learner(Practice(seed=3), games=2, **QUICK).learn(TicTacToe(early=True), "tictactoe(early=True)", file)


def test_a_limit_of_time_stops_a_run() -> None:
    found = Learner(Practice(), games=10**9, seconds=0.05, measures=1, **QUICK).learn(TicTacToe(), "tictactoe")
    assert found.stopped == "time"
    assert 0 < found.games < 10**9


# --- the truth


@pytest.fixture
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only positions near the end are solved, which is quick without compiled code."""
    monkeypatch.setattr("zermelo.learn.truth.NODES", 150)


@pytest.mark.usefixtures("few_nodes")
def test_share_of_best_moves_rises() -> None:
    settings = QUICK | {"truths": 20, "pairs": 3}
    found = Learner(Practice(opening=2), games=300, patterns=3, measures=2, **settings).learn(TicTacToe(), "tictactoe")
    first, last = found.curve[0], found.curve[-1]
    assert found.positions == 20
    assert first.optimal is not None
    assert last.optimal is not None
    assert last.optimal > first.optimal + 0.2
    assert last.duels["random"].score > 0.6
    assert 0 <= (found.optimal_by_hand or 0) <= 1


def test_games_of_self_play_teach_what_their_positions_paid() -> None:
    known = examples(TicTacToe(), "games", 40, seed=1, nodes=30, backend="reference")
    assert len(known) == 40
    assert all(-1 <= value <= 1 for _, value in known)
    assert len({value for _, value in known}) > 1


@pytest.mark.usefixtures("few_nodes")
@pytest.mark.parametrize("teacher", ["solved", pytest.param("search", marks=pytest.mark.slow)])
def test_regression_learns_from_positions_whose_value_is_known(teacher: str) -> None:
    settings = QUICK | {"truths": 20}
    learner = Learner(Practice(method="regression"), teacher=teacher, positions=50, nodes=100, **settings)
    found = learner.learn(TicTacToe(), "tictactoe")
    assert found.games == 50
    first, last = found.curve[0].optimal, found.curve[-1].optimal
    assert first is not None
    assert last is not None
    assert last > first
    assert found.weights.numbers[found.weights.names.index("wins")] > 0  # two in a line on one's own move wins
