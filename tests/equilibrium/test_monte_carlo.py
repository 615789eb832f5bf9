"""Sampling: every way of it converges, interpreted and compiled, repeats with its seed, and grows without forgetting."""

import threading
from pathlib import Path
from typing import Any

import pytest

from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.sampling import mccfr
from zermelo.equilibrium.extensive.sampling.mccfr import SAMPLINGS, MonteCarlo
from zermelo.equilibrium.extensive.sampling.mccfr_driver import FEW_SETS, PlainSampler, Sampler
from zermelo.equilibrium.extensive.sequences.best_response import best_response, exploitability
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.errors import ZermeloError
from zermelo.games.eightpuzzle import EightPuzzle
from zermelo.games.goofspiel import Goofspiel
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.games.nim import Nim
from zermelo.games.phantomtictactoe import PhantomTicTacToe
from zermelo.games.ponghauki import PongHauKi
from zermelo.runtime.backend import Backend, choose


@pytest.mark.parametrize(("backend", "iterations", "near"), [("reference", 3000, 0.1), ("compiled", 100_000, 0.01)])
@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_every_sampling_converges(sampling, backend, iterations: int, near: float) -> None:  # type: ignore[no-untyped-def]
    arrays = unfold(Kuhn(), backend="reference")
    result = MonteCarlo(sampling, iterations=iterations, backend=backend, seed=1).solve(Kuhn(), arrays)
    assert result.exploitability is not None
    assert result.exploitability < near
    assert result.value[0] == pytest.approx(-1 / 18, abs=near)
    assert (result.iterations, result.sets, result.backend) == (iterations, 12, backend)
    assert "probability 1" in result.guarantee


@pytest.mark.parametrize("backend", ["reference", "compiled"])
def test_the_seed_decides(backend) -> None:  # type: ignore[no-untyped-def]
    runs = [MonteCarlo(iterations=200, backend=backend, seed=seed).solve(Kuhn()).strategies.to_dict() for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    assert set(runs[0]["Opener: Qpb"]) == {"fold", "call"}


WAYS = [{"backend": "reference"}, {"backend": "compiled"}, {"backend": "compiled", "sampling": "outcome"}, {"threads": 2}]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_resumed_runs_are_bit_identical(way: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    arrays = unfold(Kuhn(), backend="reference")
    whole = MonteCarlo(iterations=1024, seed=5, **way).solve(Kuhn(), arrays)
    first = MonteCarlo(iterations=512, seed=5, checkpoint=file, **way).solve(Kuhn(), arrays)
    resumed = MonteCarlo(iterations=1024, seed=5, checkpoint=file, **way).solve(Kuhn(), arrays)
    assert (first.iterations, resumed.iterations) == (512, 1024)
    assert first.strategies.to_dict() != whole.strategies.to_dict()
    assert resumed.strategies.to_dict() == whole.strategies.to_dict()
    assert MonteCarlo(iterations=1024, seed=5, checkpoint=file, **way).solve(Kuhn(), arrays).iterations == 1024  # nothing is left to do


def test_a_time_limit_leaves_whole_iterations_behind(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    timed = MonteCarlo(seconds=0.05, backend="compiled", checkpoint=file).solve(Kuhn())
    done = timed.iterations + 500
    resumed = MonteCarlo(iterations=done, backend="compiled", checkpoint=file).solve(Kuhn())
    assert resumed.strategies.to_dict() == MonteCarlo(iterations=done, backend="compiled").solve(Kuhn()).strategies.to_dict()


def test_checkpoints_of_something_else_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    MonteCarlo(iterations=50, backend="reference", checkpoint=file).solve(Kuhn())
    for game, wrong, words in (
        (Kuhn(players=3), {}, "another game"),
        (Kuhn(cards=4), {}, "another game"),
        (Kuhn(), {"seed": 1}, "seed=0"),
        (Kuhn(), {"sampling": "chance"}, "sampling=external"),
    ):
        with pytest.raises(ZermeloError, match=words):
            MonteCarlo(**{"iterations": 60, "backend": "reference", "checkpoint": file, **wrong}).solve(game)  # type: ignore[arg-type]
    arrays = unfold(Kuhn(), backend="reference")
    with pytest.raises(ZermeloError, match="other settings"):
        RegretMinimization("cfr", iterations=5, checkpoint=file).solve(arrays)


def test_threads_learn_as_well_as_one() -> None:
    arrays = unfold(Kuhn(), backend="reference")
    runs = [MonteCarlo(iterations=50_000, threads=threads, seed=2).solve(Kuhn(), arrays) for threads in (2, 2, 3)]
    assert runs[0].strategies.to_dict() == runs[1].strategies.to_dict()
    for run in runs:
        assert (run.iterations, run.sets) == (50_000, 12)
        assert run.exploitability is not None
        assert run.exploitability < 0.03
    with pytest.raises(ZermeloError, match="needs compiled rules"):
        MonteCarlo(iterations=5, threads=2, backend="reference").solve(Kuhn())


@pytest.mark.parametrize(("backend", "players"), [("reference", 2), ("compiled", 2), ("reference", 3)])
def test_without_a_tree_replies_bound_the_exploitability(backend: Any, players: int) -> None:
    game = Kuhn(players=players)
    result = MonteCarlo(iterations=400, backend=backend, seed=1).solve(game)
    assert result.exploitability is None
    assert result.lower_bound is not None
    bound, error = result.lower_bound
    true = exploitability(unfold(game, backend="reference"), result.strategies)
    assert 0 <= bound <= true + 5 * error
    assert result.to_dict()["lower_bound"] == [bound, error]
    assert any("about that or more" in note for note in result.notes)


def test_a_bad_strategy_is_found_out() -> None:
    compiled = choose(Kuhn(), "compiled").compiled
    assert compiled is not None
    way = ("external", 0.6, 0, 1 << 30, False, None)
    for sampler in (Sampler(Kuhn(), compiled, *way), PlainSampler(Kuhn(), *way)):
        sampler.run(1)  # nearly uniform still
        reply = sampler.reply(0)
        reply.run(300)
        best = best_response(unfold(Kuhn(), backend="reference"), sampler.strategy(), 0).value
        means, errors, _ = reply.worth(20_000)
        assert means[0] == pytest.approx(best, abs=0.05 + 5 * errors[0])
        assert sampler.sets() <= reply.sets() <= 12


def test_three_players() -> None:
    arrays = unfold(Kuhn(players=3), backend="reference")
    result = MonteCarlo(iterations=3000, backend="reference").solve(Kuhn(players=3), arrays)
    assert "coarse correlated" in result.guarantee
    assert result.exploitability is not None
    assert result.exploitability < 0.1


@pytest.mark.slow
def test_memory_grows_while_strategies_are_learnt() -> None:
    result = MonteCarlo(iterations=1020).solve(LiarsDice())  # 24,576 information sets: more than there is room for at first
    assert result.iterations == 1020
    assert result.strategies.sets > FEW_SETS


def test_a_run_that_fills_its_memory_ends_with_what_it_has_learnt() -> None:
    """It used to end in an error; before that, copies and tables took several times the memory allowed."""
    result = MonteCarlo(iterations=100_000, memory=8 << 20).solve(LiarsDice())
    assert result.stopped == "memory"
    assert 0 < result.iterations < 100_000
    assert any("allow more memory" in note for note in result.notes)


def test_replies_are_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """They used to take as long again as the run."""
    shares: list[float] = []
    monkeypatch.setattr(mccfr, "_learn", lambda reply, nodes, seconds, stop: shares.append(seconds))
    MonteCarlo("outcome", seconds=0.5, backend="reference").solve(Kuhn())
    assert sum(shares) == pytest.approx(mccfr.REPLY_TIME * 0.5)


def test_the_first_rows_of_samples_make_no_table_of_all() -> None:
    """Of 4 million sets 60 are shown: the others took a minute and gigabytes."""
    strategy = MonteCarlo(iterations=200).solve(Kuhn()).strategies
    rows = strategy.first_rows()
    assert next(rows).player == 0
    assert strategy._tables is None  # noqa: SLF001 - nothing but this row was made
    assert len({row.name for row in strategy.rows}) == strategy.sets == sum(map(len, strategy.tables))


@pytest.mark.slow
def test_leduc_comes_near() -> None:
    arrays = unfold(Leduc())
    result = MonteCarlo(iterations=200_000).solve(Leduc(), arrays)
    assert result.exploitability is not None
    assert result.exploitability < 0.08
    assert result.value[0] == pytest.approx(-0.0856, abs=0.02)


def test_games_too_large_for_a_tree_can_be_sampled() -> None:
    result = MonteCarlo("outcome", iterations=30, backend="reference").solve(PhantomTicTacToe())
    assert result.exploitability is None
    assert any("standard error" in note for note in result.notes)
    assert result.to_dict()["exploitability"] is None
    assert -1 <= result.value[0] <= 1


def test_limits_and_misuse() -> None:
    arrays = unfold(Kuhn(), backend="reference")
    assert MonteCarlo(seconds=0.05, backend="reference").solve(Kuhn()).stopped == "time"
    assert MonteCarlo(target=0.3, backend="reference").solve(Kuhn(), arrays).stopped == "target"
    stop = threading.Event()
    stop.set()
    assert MonteCarlo(stop=stop, backend="reference").solve(Kuhn()).stopped == "interrupted"
    for wrong, words in (
        ({"sampling": "robust"}, "no sampling"),
        ({"iterations": 0}, "at least 1"),
        ({"exploration": 0.0}, "exploration"),
        ({"target": 0.1}, "without the game's tree"),
    ):
        with pytest.raises(ZermeloError, match=words):
            MonteCarlo(**wrong).solve(Kuhn())  # type: ignore[arg-type]
    with pytest.raises(ZermeloError, match="one player"):
        MonteCarlo().solve(EightPuzzle())


def test_a_limit_of_time_holds_for_the_replies_too() -> None:
    """One iteration of external sampling takes seconds here: none is finished, none is waited for, and that is said."""
    found = MonteCarlo(seconds=0.01).solve(Goofspiel(cards=9))
    assert found.iterations == 0
    assert any("before one iteration" in note for note in found.notes)


@pytest.mark.parametrize("backend", ["reference", "compiled"])
def test_play_without_end_is_refused(backend) -> None:  # type: ignore[no-untyped-def]
    """The compiled walk used to run out of its thread's stack, which ended the process."""
    with pytest.raises(ZermeloError, match="may go on without end"):
        MonteCarlo(iterations=10, backend=backend).solve(PongHauKi())


@pytest.mark.parametrize("backend", ["compiled", "reference"])
def test_an_iteration_that_never_ends_is_stopped(backend: Backend) -> None:
    """The learner tries all of his moves: far more lines than anybody can wait for."""
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    result = MonteCarlo(backend=backend, stop=stop).solve(Nim((400,)))
    assert (result.stopped, result.iterations) == ("interrupted", 0)
    assert "nothing was learnt" in " ".join(result.notes)
