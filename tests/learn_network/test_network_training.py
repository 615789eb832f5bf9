"""Training: the library's arithmetic is the compiled one's, games and checkpoints repeat, and tic-tac-toe is learned to perfection."""

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pages import blocks
from zermelo.errors import ZermeloError
from zermelo.games.tictactoe import TicTacToe
from zermelo.learn.network.selfplay import Samples, SelfPlay, choose_moves
from zermelo.learn.network.solved_positions import Measure, lost_games, measure_of, whole_truth
from zermelo.learn.network.training import Training
from zermelo.search.montecarlo.network.inputs import look_at
from zermelo.search.montecarlo.network.network_file import Network, Sizes, new_weights, read_network
from zermelo.search.montecarlo.network.puct import NetworkSearch

GAME = TicTacToe()
TINY = Training(iterations=3, games=12, playouts=8, width=16, blocks=1, batch=32, gate_games=2, gate_playouts=4, test_playouts=8, seed=5)


@pytest.fixture(name="torch")
def pytorch() -> Any:
    return pytest.importorskip("torch", reason="networks are trained with PyTorch: pip install 'zermelo[network]'")


SIZES = Sizes(inputs=7, outputs=4, width=24, blocks=2, value_width=8)


def some_samples(rows: int = 64) -> Samples:
    """Inputs at random, of which the first says which move is best and who wins."""
    random = np.random.default_rng(3)
    inputs = random.integers(0, 2, (rows, SIZES.inputs)).astype(np.float32)
    best = inputs[:, 0].astype(int)
    lessons = np.repeat(2 * inputs[:, :1] - 1, 2, axis=1)
    legal = np.ones((rows, SIZES.outputs), np.uint8)
    legal[:, 3] = 0
    return Samples(inputs, np.eye(SIZES.outputs, dtype=np.float32)[best], legal, lessons)


# --- the library's half


def test_pytorch_and_numpy_agree_to_five_places(torch: Any) -> None:
    from zermelo.learn.network.model import evaluator

    random = np.random.default_rng(7)
    weights = random.normal(0, 0.3, len(new_weights(SIZES, 1))).astype(np.float32)
    inputs = random.normal(0, 1, (50, SIZES.inputs)).astype(np.float32)
    sight: Any = None
    policies, values = Network("", "", sight, SIZES, weights).answer(inputs)
    learned_policies, learned_values = evaluator(SIZES, weights)(inputs)
    assert np.ptp(values) > 0.1
    assert learned_policies == pytest.approx(policies, abs=1e-5)
    assert learned_values == pytest.approx(values, abs=1e-5)


def test_a_network_learns_what_samples_say_and_goes_on_from_its_memory(torch: Any) -> None:
    from zermelo.learn.network.model import Learner, evaluator

    samples = some_samples()
    learner = Learner(SIZES, new_weights(SIZES, 1), 0.0)
    before = learner.study(samples, 1, 64, 1.0, 0, 1e-2)
    learner.study(samples, 60, 64, 1.0, 1, 1e-2)
    memory = learner.memory()
    after = learner.study(samples, 5, 64, 1.0, 2, 1e-2)
    assert after[0] < before[0] / 10
    assert after[1] < before[1] / 10
    policies, values = evaluator(SIZES, learner.weights)(samples.inputs)
    assert (policies[:, :3].argmax(1) == samples.inputs[:, 0]).all()
    assert (np.sign(values) == samples.lessons[:, 0]).all()
    again = Learner(SIZES, new_weights(SIZES, 2), 0.0)
    again.recall(memory)
    again.study(samples, 5, 64, 1.0, 2, 1e-2)
    assert (again.weights == learner.weights).all()


@pytest.mark.slow
def test_a_step_is_adamw_s(torch: Any) -> None:
    """The optimiser that is written out makes the steps of the library's own."""
    from zermelo.learn.network.model import Learner

    weights = new_weights(SIZES, 1)
    learner = Learner(SIZES, weights, 0.01)
    theirs = torch.from_numpy(weights.copy()).requires_grad_()
    optimiser = torch.optim.AdamW([theirs], lr=1e-2, weight_decay=0.01)
    random = np.random.default_rng(2)
    for _ in range(4):
        gradient = torch.from_numpy(random.normal(0, 0.01, len(weights)).astype(np.float32))
        learner.step(gradient, 1e-2)
        theirs.grad = gradient.clone()
        optimiser.step()
    assert learner.weights == pytest.approx(theirs.detach().numpy(), abs=1e-6)
    assert np.abs(learner.weights - weights).max() > 0.03


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 0}, "games is a whole number of at least 1"),
        ({"rate": 0.0}, "epochs and rate are above 0"),
        ({"gate": 1.5}, "gate are between 0 and 1"),
        ({"gate_games": 3}, "play an even number"),
    ],
)
def test_settings_that_make_no_sense_are_named(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(ZermeloError, match=words):
        replace(TINY, **change).run(GAME, "tictactoe", tmp_path / "out.npz")


# --- what it is measured by


def test_of_a_small_game_every_position_in_which_a_mistake_is_possible_is_known() -> None:
    """4,520 positions of tic-tac-toe are not over (5,478 less 958 ends); in 3,191 of them some move is worse than another."""
    truths = whole_truth(GAME)
    assert truths is not None
    assert len(truths) == 3191
    fork = next(truth for truth in truths if truth.state == GAME.read("X 1 2 3 O 5 6 7 X"))
    assert (fork.value, fork.best) == (0, {1, 3, 5, 7})  # a corner would lose to a fork


def test_who_plays_at_random_loses_games_and_who_plays_best_does_not() -> None:
    truths = {truth.state: truth.best for truth in whole_truth(GAME) or ()}
    best = lost_games(GAME, lambda states: [min(truths.get(state, GAME.actions(state))) for state in states])
    worst = lost_games(GAME, lambda states: [max(GAME.actions(state)) for state in states])
    assert best[1] == 0
    assert best[0] > 500
    assert worst[1] > 0


# --- with compiled self-play


def sight_and_network(seed: int = 1) -> tuple[Any, Network]:
    sight = look_at(GAME, symmetric=True, positions=2_000)
    sizes = Sizes(sight.inputs, sight.outputs, 16, 1, 8)
    return sight, Network("tictactoe", "", sight, sizes, new_weights(sizes, seed))


@pytest.mark.slow
def test_games_repeat_by_their_seed_and_teach_lawful_lessons() -> None:
    """The network's own NumPy half answers, so that no library is needed."""
    sight, network = sight_and_network()
    settings = SelfPlay(playouts=10, slots=7, opening=2)
    first, again, other = (settings.play(GAME, sight, network.answer, 25, seed, 2) for seed in (4, 4, 5))
    assert all((column == repeated).all() for column, repeated in zip(first, again, strict=True))
    assert len(other.inputs) != len(first.inputs) or (other.policies != first.policies).any()
    assert 25 * 3 <= len(first.inputs) <= 25 * 9
    assert first.policies.sum(1) == pytest.approx(1, abs=1e-6)
    assert (first.policies[first.legal == 0] == 0).all()
    empty = first.inputs[:, :27:3].sum(1)  # a cell is blank, O or X
    assert (empty == first.legal.sum(1)).all()
    assert set(np.unique(first.lessons[:, 0])) <= {-1.0, 0.0, 1.0}
    assert (np.abs(first.lessons[:, 1]) <= 1).all()


@pytest.mark.slow
def test_searches_side_by_side_choose_what_one_search_chooses(tmp_path: Path) -> None:
    from zermelo.search.montecarlo.network.puct_driver import NetworkTree

    sight, network = sight_and_network(3)
    truths = whole_truth(GAME)
    assert truths is not None
    states = [truth.state for truth in truths[::97]]
    chosen = choose_moves(GAME, sight, network.answer, states, 60, slots=10)
    for state, action in zip(states, chosen, strict=True):
        tree = NetworkTree(GAME, state, network, 1.5, 1 << 30)
        tree.grow(60, None)
        visits = {move.action: move.visits for move in tree.moves()}
        assert visits[action] >= max(visits.values()) - 2  # rounding may decide between equals


@pytest.mark.slow
def test_a_run_that_goes_on_from_its_checkpoint_is_the_run_that_never_stopped(torch: Any, tmp_path: Path) -> None:
    whole = TINY.run(GAME, "tictactoe", tmp_path / "whole.npz")
    checkpoint = tmp_path / "run.npz"

    def press_ctrl_c(lesson: Any) -> None:
        if lesson.iteration == 2:
            raise KeyboardInterrupt

    cut = TINY.run(GAME, "tictactoe", tmp_path / "parts.npz", checkpoint, tell=press_ctrl_c)
    assert (cut.stopped, len(cut.lessons)) == ("interrupted", 2)
    rest = TINY.run(GAME, "tictactoe", tmp_path / "parts.npz", checkpoint)
    assert [lesson.iteration for lesson in rest.lessons] == [1, 2, 3]
    assert (rest.network.weights == whole.network.weights).all()
    assert [replace(lesson, seconds=0) for lesson in rest.lessons] == [replace(lesson, seconds=0) for lesson in whole.lessons]
    assert (read_network(tmp_path / "parts.npz", GAME).weights == whole.network.weights).all()
    with pytest.raises(ZermeloError, match="was made with other settings"):
        replace(TINY, width=8).run(GAME, "tictactoe", tmp_path / "parts.npz", checkpoint)


@pytest.mark.slow
def test_a_network_that_loses_the_gate_is_not_taken(torch: Any, tmp_path: Path) -> None:
    result = replace(TINY, gate=1.0, iterations=1).run(GAME, "tictactoe", tmp_path / "out.npz")
    assert not result.lessons[0].passed
    assert result.lessons[0].gate is not None
    assert result.lessons[0].gate < 1
    assert (result.network.weights == new_weights(result.network.sizes, TINY.seed)).all()
    assert json.loads(json.dumps(result.to_dict()))["curve"][0]["passed"] is False


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """What the commands of the page about training leave behind: the folder, and what each has printed."""
    pytest.importorskip("torch", reason="networks are trained with PyTorch: pip install 'zermelo[network]'")
    folder = tmp_path_factory.mktemp("page")
    page = (Path(__file__).parents[2] / "docs" / "howto" / "learn-network.md").read_text(encoding="utf-8")
    lines = [line for block in blocks(page) if block.language == "sh" for line in block.text.splitlines() if line.startswith("zermelo ")]
    printed = {}
    for line in lines:
        command = [sys.executable, "-m", "zermelo", *shlex.split(line)[1:]]
        done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, check=False)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        printed[line.split()[1]] = done.stdout
    return folder, printed


@pytest.mark.slow
def test_the_commands_of_the_page_train_a_network_and_use_it(learned: tuple[Path, dict[str, str]]) -> None:
    folder, printed = learned
    assert (folder / "tictactoe.npz").exists()
    assert "100.00 %" in printed["train"].splitlines()[-3]  # the last iteration, with its search
    assert "measured on 3,191 positions in which a mistake is possible, all there are" in printed["train"]
    assert printed["best"].startswith("4 is O's best move")  # the centre is the only answer to a corner
    assert "(network, compiled)" in printed["best"]
    assert "draw" in printed["play"].lower()
    assert "lost 0" in printed["match"]


@pytest.mark.slow
def test_tic_tac_toe_is_learned_to_perfection(learned: tuple[Path, dict[str, str]]) -> None:
    """With its compiled search the network makes a best move wherever a mistake is possible, and so never loses."""
    search = NetworkSearch(str(learned[0] / "tictactoe.npz"), playouts=200)
    measure = measure_of(GAME, 0, 0)
    assert isinstance(measure, Measure)
    assert measure.whole
    chosen = [search.search(GAME, state).action or 0 for state in measure.states]
    assert measure.mistakes(chosen) == []
    assert lost_games(GAME, lambda states: [search.search(GAME, state).action or 0 for state in states])[1] == 0


@pytest.mark.slow
def test_the_benchmark_of_networks_runs(torch: Any) -> None:
    """It asserts its answers where it is not cut short; here it is only made sure that it runs."""
    program = Path(__file__).parents[2] / "benchmarks" / "network.py"
    command = [sys.executable, str(program), "--game", "tictactoe", "--seconds", "1", "--threads", "1"]
    printed = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
    assert "3,191 positions in which a mistake is possible" in printed
    assert "of the games lost, whatever the other side did" in printed
