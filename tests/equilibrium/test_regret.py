"""Regret minimization: the published rows of exploitability, both layouts against each other, limits, checkpoints, locks, warm starts."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from zermelo.equilibrium.extensive.regret.blocks import WIDTH, BlockLayout, choose_layout, public_points
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.regret.checkpoint import Keeper
from zermelo.equilibrium.extensive.regret.course import Course, Ending
from zermelo.equilibrium.extensive.regret.parallel_cfr import ThreadedLayout, shares, useful_threads
from zermelo.equilibrium.extensive.regret.sparse_layout import Layout, SparseLayout
from zermelo.equilibrium.extensive.regret.variants import VARIANTS, schedule, variant
from zermelo.equilibrium.extensive.sequences.arrays import Arrays
from zermelo.equilibrium.extensive.sequences.best_response import exploitability, measure, uniform
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.errors import ZermeloError
from zermelo.games.goofspiel import Goofspiel
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.rules import Game

# Exploitability (NashConv / 2) of the average strategy, alternating updates. CFR and CFR+: OpenSpiel 2.0.2 and an independent program agree
# to six digits; the other rows are of the independent program. Late rows of discounted variants depend on the order of additions.
ROWS = [
    ("kuhn", "cfr", 1, 0.45833333, 1e-6),
    ("kuhn", "cfr", 10, 0.068698794, 1e-6),
    ("kuhn", "cfr", 100, 0.0082259773, 1e-6),
    ("kuhn", "cfr", 1000, 0.00093761665, 1e-6),
    ("kuhn", "cfr+", 10, 0.032687091, 1e-6),
    ("kuhn", "cfr+", 100, 0.0011944041, 1e-6),
    ("kuhn", "cfr+", 1000, 8.7365323e-05, 1e-6),
    ("kuhn", "pcfr+", 10, 0.0202066, 1e-5),
    ("kuhn", "pcfr+", 100, 2.32296e-05, 1e-5),
    ("kuhn", "pcfr+", 1000, 2.35438e-08, 1e-4),
    ("leduc", "cfr", 1, 2.3736111, 1e-6),
    ("leduc", "cfr", 10, 0.88857898, 1e-6),
    ("leduc", "cfr", 100, 0.095716353, 1e-6),
    ("leduc", "cfr", 1000, 0.0118178, 1e-3),
    ("leduc", "cfr+", 10, 0.6104389, 1e-6),
    ("leduc", "cfr+", 100, 0.013415995, 1e-6),
    ("leduc", "cfr+", 1000, 0.000257, 0.2),
    ("leduc", "lcfr", 10, 0.721065, 1e-5),
    ("leduc", "lcfr", 100, 0.0344897, 1e-5),
    ("leduc", "dcfr", 10, 0.778802, 1e-5),
    ("leduc", "dcfr", 100, 0.00775746, 1e-3),
    ("leduc", "pcfr+", 10, 0.536847, 1e-5),
    ("leduc", "pcfr+", 100, 0.0198013, 1e-5),
]


@pytest.fixture(scope="module")
def games() -> dict[str, Arrays]:
    known = {"kuhn": Kuhn(), "leduc": Leduc(), "three": Kuhn(players=3), "goofspiel": Goofspiel(3)}
    return {name: unfold(game, backend="reference") for name, game in known.items()}


def distance_after(layout: Layout, name: str, iterations: int, simultaneous: bool = False) -> float:
    chosen = variant(name)
    vectors = layout.vectors([plex.uniform() for plex in layout.arrays.plexes])
    layout.run(vectors, schedule(chosen, 0, iterations), simultaneous=simultaneous, clip=chosen.clip, predict=chosen.predict)
    values, replies = layout.measure(vectors)
    return float((replies - values).sum() / len(values))


@pytest.mark.parametrize(("name", "method", "iterations", "published", "tolerance"), ROWS)
@pytest.mark.parametrize("kind", ["sparse", "blocks"])
def test_published_exploitability(
    games: dict[str, Arrays], kind: str, name: str, method: str, iterations: int, published: float, tolerance: float
) -> None:
    layout = choose_layout(games[name], kind)
    assert layout.name == kind
    assert distance_after(layout, method, iterations) == pytest.approx(published, rel=tolerance)


@pytest.mark.parametrize(
    ("name", "nash_conv"), [("kuhn", 11 / 12), ("leduc", 4.747222222222222), ("three", 2.0625)], ids=["Kuhn", "Leduc", "three-player Kuhn"]
)  # OpenSpiel 2.0.2
def test_uniform_play(games: dict[str, Arrays], name: str, nash_conv: float) -> None:
    arrays = games[name]
    assert exploitability(arrays, uniform(arrays)) * arrays.players == pytest.approx(nash_conv, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "nash_conv", "histories"),
    [(LiarsDice(), 1.561488646384479, 294883), (Leduc(ranks=4, players=3), 12.611221340388003, 1831601)],
    ids=["Liar's Dice", "three-player Leduc"],
)  # OpenSpiel 2.0.2
def test_uniform_play_in_larger_games(game: Game, nash_conv: float, histories: int) -> None:
    arrays = unfold(game)
    assert arrays.histories == histories
    assert exploitability(arrays, uniform(arrays)) * arrays.players == pytest.approx(nash_conv, abs=1e-9)


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("game", [Kuhn(), Leduc(), LiarsDice(faces=3), LiarsDice(dice=2, faces=2), Leduc(ranks=5, suits=2, raises=1)])
def test_blocks_do_what_sparse_rows_do(game, simultaneous: bool) -> None:  # type: ignore[no-untyped-def]
    arrays = unfold(game, backend="reference")
    points = public_points(arrays)
    assert points is not None
    for name in VARIANTS if points.hands == WIDTH else ("cfr", "lcfr", "dcfr"):  # clipped regrets meet ties there, which rounding decides
        results = [distance_after(layout, name, 8, simultaneous) for layout in (SparseLayout(arrays), BlockLayout(arrays, points))]
        assert results[0] == pytest.approx(results[1], rel=1e-6), name


def test_blocks_are_chosen_where_they_are_dense(games: dict[str, Arrays]) -> None:
    assert choose_layout(games["leduc"]).name == "blocks"
    assert choose_layout(games["kuhn"]).name == "sparse"
    assert public_points(games["three"]) is None
    with pytest.raises(ZermeloError, match="no block structure"):
        choose_layout(games["three"], "blocks")
    with pytest.raises(ZermeloError, match="no layout"):
        choose_layout(games["kuhn"], "dense")


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize(
    ("name", "kind"), [("kuhn", "sparse"), ("three", "sparse"), ("leduc", "sparse"), ("leduc", "blocks"), ("goofspiel", "sparse")]
)
def test_threads_do_not_change_a_bit(games: dict[str, Arrays], name: str, kind: str, simultaneous: bool) -> None:
    layout, chosen = choose_layout(games[name], kind), variant("dcfr")
    ended = []
    for threads in (1, 2, 3):
        vectors = layout.vectors([plex.uniform() for plex in games[name].plexes])
        runner = layout if threads == 1 else ThreadedLayout(layout, threads)
        for done in (0, 5):
            runner.run(vectors, schedule(chosen, done, 5), simultaneous=simultaneous, clip=chosen.clip, predict=chosen.predict)
        ended.append(vectors.columns())
    for other in ended[1:]:
        assert all(np.array_equal(column, other[key]) for key, column in ended[0].items())


def test_a_thread_that_fails_does_not_leave_the_others_waiting(games: dict[str, Arrays], monkeypatch: pytest.MonkeyPatch) -> None:
    layout, chosen = choose_layout(games["leduc"], "sparse"), variant("dcfr")
    vectors = layout.vectors([plex.uniform() for plex in games["leduc"].plexes])
    runner, real = ThreadedLayout(layout, 2), layout.run_part

    def fails(thread: int, phase: int, **how: Any) -> int:
        if thread == 0:
            raise KeyboardInterrupt
        return real(thread, phase, **how)

    monkeypatch.setattr(layout, "run_part", fails)
    with pytest.raises(KeyboardInterrupt):
        runner.run(vectors, schedule(chosen, 0, 5), simultaneous=False, clip=False, predict=0.0)
    runner.pool.shutdown(wait=True)  # returns: nobody waits any more


def test_small_games_are_done_by_one_thread(games: dict[str, Arrays]) -> None:
    assert useful_threads(choose_layout(games["kuhn"]), 2) == 1
    assert RegretMinimization("dcfr", iterations=5, threads=2).solve(games["kuhn"]).parameters["threads"] == 1
    assert useful_threads(SimpleNamespace(shape=lambda: SimpleNamespace(weight=np.full(10, 100_000))), 2) == 2


def test_every_place_of_decision_belongs_to_one_thread(games: dict[str, Arrays]) -> None:
    for name, kind in (("kuhn", "sparse"), ("leduc", "blocks"), ("goofspiel", "sparse")):
        shape = choose_layout(games[name], kind).shape()
        for player, share in enumerate(shares(shape, 3)):
            every = np.concatenate([share.top, *share.parts])
            assert sorted(every) == list(range(shape.players[player], shape.players[player + 1]))
            owner = {int(place): number for number, part in enumerate(share.parts) for place in part}
            top = {int(place) for place in share.top}
            for place, number in owner.items():
                above = int(shape.above[place])
                assert above < 0 or above in top or owner[above] == number
            for place in top:  # nothing of the top hangs below a thread's part
                assert int(shape.above[place]) < 0 or int(shape.above[place]) in top
    kuhn = shares(choose_layout(games["leduc"], "sparse").shape(), 2)[0]
    assert len(kuhn.parts[0]) > 100
    assert len(kuhn.parts[1]) > 100


def test_what_wins_the_race_goes_on_from_there(games: dict[str, Arrays]) -> None:
    auto = RegretMinimization(iterations=300).solve(games["leduc"])
    assert auto.method == "dcfr"
    named = RegretMinimization(auto.method, iterations=300).solve(games["leduc"])
    assert (auto.iterations, auto.exploitability) == (named.iterations, named.exploitability)
    assert RegretMinimization(iterations=40).solve(games["leduc"]).iterations == 40


def test_the_average_can_restart(games: dict[str, Arrays]) -> None:
    restarted = variant("pcfr+", restart=2)
    rows = schedule(restarted, 0, 16)
    assert [place + 1 for place in range(16) if rows[place, 2] == 0] == [1, 2, 4, 8, 16]
    assert rows[10, 2] == pytest.approx((3 / 4) ** 2)  # iteration 11 after 8, 9, 10
    assert np.array_equal(rows[5:], schedule(restarted, 5, 11))
    result = RegretMinimization("pcfr+", iterations=1000, restart=2).solve(games["kuhn"])
    assert result.exploitability is not None
    assert result.exploitability < 1e-9
    with pytest.raises(ZermeloError, match="powers"):
        variant("cfr", restart=1)


@pytest.mark.parametrize("method", ["auto", *VARIANTS])
def test_every_method_converges(games: dict[str, Arrays], method: str) -> None:
    result = RegretMinimization(method, iterations=2000).solve(games["kuhn"])
    assert result.exploitability is not None
    assert result.exploitability < 2e-3
    assert result.value[0] == pytest.approx(-1 / 18, abs=2e-3)
    assert sum(result.value) == pytest.approx(0, abs=1e-12)
    assert result.stopped == "iterations"
    assert result.iterations == 2000
    assert exploitability(games["kuhn"], result.strategies) == pytest.approx(result.exploitability, abs=1e-12)
    assert "equilibrium" in result.guarantee


def test_three_players_say_what_is_guaranteed(games: dict[str, Arrays]) -> None:
    result = RegretMinimization("cfr+", iterations=500).solve(games["three"])
    assert "coarse correlated" in result.guarantee
    assert result.exploitability is not None
    assert result.exploitability < 0.01
    assert sum(result.value) == pytest.approx(0)
    assert measure(games["three"], result.strategies).exploitability == pytest.approx(result.exploitability, abs=1e-12)


def test_limits(games: dict[str, Arrays]) -> None:
    reached = RegretMinimization("dcfr", target=1e-2).solve(games["leduc"])
    assert reached.stopped == "target"
    assert reached.exploitability is not None
    assert reached.exploitability <= 1e-2
    assert [point[0] for point in reached.convergence] == sorted({point[0] for point in reached.convergence})
    assert RegretMinimization("dcfr", seconds=0.05).solve(games["leduc"]).stopped == "time"
    stop = threading.Event()
    stop.set()
    assert RegretMinimization("dcfr", stop=stop).solve(games["leduc"]).stopped == "interrupted"
    told: list[int] = []
    RegretMinimization("cfr", iterations=50, progress=lambda progress: told.append(progress.iterations)).solve(games["kuhn"])
    assert told[-1] == 50


def test_a_target_that_is_out_of_reach_is_no_overflow() -> None:
    """What hardly falls would reach the target after more iterations than a float can count."""

    class Slow:
        done = 0

        def iterate(self, count: int) -> None:
            self.done += count

        def exploitability(self) -> float:
            return 1.0 - 1e-7 * self.done

        def columns(self) -> dict[str, Any]:
            return {}

        def restore(self, columns: dict[str, Any]) -> None:
            raise AssertionError("there is no file")

    course = Course(Slow(), Ending(500, None, 1e-3, None, 1.0), Keeper(None, 1.0, str, "Slow", {}), None, time.perf_counter())
    assert course.go() == "iterations"
    assert course.points[-1][0] == 500


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"iterations": 0}, "at least 1"),
        ({"seconds": 0.0}, "positive"),
        ({"target": float("nan")}, "positive"),
        ({"threads": 0}, "at least 1"),
        ({"method": "cfr*"}, "did you mean"),
        ({"power": -1.0, "method": "cfr"}, "at least 0"),
    ],
)
def test_bad_parameters(games: dict[str, Arrays], wrong: dict[str, object], words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        RegretMinimization(**wrong).solve(games["kuhn"])  # type: ignore[arg-type]


def test_resumed_runs_are_bit_identical(games: dict[str, Arrays], tmp_path: Path) -> None:
    for name, method in (("leduc", "dcfr"), ("kuhn", "pcfr+")):
        file = tmp_path / f"{name}.npz"
        whole = RegretMinimization(method, iterations=300).solve(games[name])
        RegretMinimization(method, iterations=113, checkpoint=file).solve(games[name])
        resumed = RegretMinimization(method, iterations=300, checkpoint=file).solve(games[name])
        assert resumed.iterations == 300
        assert resumed.exploitability == whole.exploitability
        for one, other in zip(resumed.strategies.behaviours(games[name]), whole.strategies.behaviours(games[name]), strict=True):
            assert np.array_equal(one, other)


def test_checkpoints_of_something_else_are_refused(games: dict[str, Arrays], tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    RegretMinimization("cfr+", iterations=10, checkpoint=file).solve(games["kuhn"])
    with pytest.raises(ZermeloError, match="another game"):
        RegretMinimization("cfr+", iterations=20, checkpoint=file).solve(games["three"])
    with pytest.raises(ZermeloError, match=r"other settings \(name=cfr\+"):
        RegretMinimization("cfr", iterations=20, checkpoint=file).solve(games["kuhn"])
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(ZermeloError, match="damaged"):
        RegretMinimization("cfr+", iterations=20, checkpoint=file).solve(games["kuhn"])
    with pytest.raises(ZermeloError, match="cannot be written"):
        RegretMinimization("cfr+", iterations=20, checkpoint=tmp_path / "none" / "run.npz").solve(games["kuhn"])


KILLED = """
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.games.leduc import Leduc
arrays = unfold(Leduc(), backend='reference')
print("ready", flush=True)
RegretMinimization("dcfr", seconds=60, checkpoint=Path(sys.argv[1]), interval=0.0).solve(arrays)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL; the file is replaced in one step there too")
def test_a_kill_loses_at_most_the_last_interval(games: dict[str, Arrays], tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(file)], stdout=subprocess.PIPE, env=dict(os.environ))
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    while not file.exists():
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    with np.load(file) as kept:
        done = json.loads(bytes(kept["about"]))["iterations"]
    resumed = RegretMinimization("dcfr", iterations=done + 50, checkpoint=file).solve(games["leduc"])
    whole = RegretMinimization("dcfr", iterations=done + 50).solve(games["leduc"])
    assert resumed.exploitability == whole.exploitability


def test_locked_sets_stay_and_the_rest_adapts(games: dict[str, Arrays]) -> None:
    arrays = games["kuhn"]
    timid = {"Dealer: Jp": {"check": 1.0, "bet": 0.0}, "Dealer: Jb": {"fold": 1.0, "call": 0.0}}  # Min never bluffs
    result = RegretMinimization("pcfr+", iterations=3000, locked=timid).solve(arrays)
    played = result.strategies.to_dict()
    assert played["Dealer: Jp"] == {"check": 1.0, "bet": 0.0}
    assert result.value[0] > -1 / 18 + 1e-3  # Max profits
    assert played["Opener: Qpb"]["call"] < 1e-2  # and never pays a bet that is no bluff
    assert result.exploitability is not None
    assert result.exploitability < 1e-4
    assert "locked" in result.guarantee
    with pytest.raises(ZermeloError, match="sparse"):
        RegretMinimization("pcfr+", locked=timid, layout="blocks").solve(arrays)
    with pytest.raises(ZermeloError, match="no action"):
        RegretMinimization("pcfr+", locked={"Dealer: Jp": {"raise": 1.0}}).solve(arrays)


def test_a_warm_start_keeps_what_was_good(games: dict[str, Arrays]) -> None:
    arrays = games["leduc"]
    good = RegretMinimization("dcfr", iterations=1000).solve(arrays)
    assert good.exploitability is not None
    for kind in ("sparse", "blocks"):
        cold = RegretMinimization("cfr+", iterations=20, layout=kind).solve(arrays)  # type: ignore[arg-type]
        warm = RegretMinimization("cfr+", iterations=20, layout=kind, start=good.strategies, start_weight=1000).solve(arrays)  # type: ignore[arg-type]
        assert warm.exploitability is not None
        assert cold.exploitability is not None
        assert warm.exploitability < cold.exploitability / 5
    first = Strategy.of(arrays, [_always_first(plex) for plex in arrays.plexes])
    unlearnt = RegretMinimization("dcfr", iterations=2000, start=first, start_weight=10).solve(arrays)
    assert unlearnt.exploitability is not None
    assert unlearnt.exploitability < 1e-2


def _always_first(plex) -> np.ndarray:  # type: ignore[no-untyped-def, type-arg]
    column = np.zeros(plex.sequences)
    column[0] = 1.0
    column[plex.first] = 1.0
    return column
