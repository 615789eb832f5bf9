"""The memory that a solve takes is bounded, measured from outside: the peak of a process, above that of a small solve by the same rules."""

import importlib
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from whole_games import SMALL_CONNECT4

from zermelo.games.connect4 import ConnectFour
from zermelo.rules import Game
from zermelo.solve.database import Database
from zermelo.solve.strong import StrongSolver
from zermelo.solve.verification import verify

MEGABYTE = 1 << 20
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"  # whose games are large and quick to solve
DRIVER = """
import sys
sys.path.insert(0, sys.argv[1])
from database import Chase, RankedChase
from zermelo.games.connect4 import ConnectFour
from zermelo.solve.strong import StrongSolver

def peak():  # of this process alone: `getrusage` remembers the one that started it
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) * 1024

game, memory = eval(sys.argv[2]), int(sys.argv[3])
late = game.start()
for column in (0, 0, 1, 1, 2, 2, 0, 0, 3, 4, 1, 1) if isinstance(game, ConnectFour) else ():
    late = game.result(late, column)
small = game if isinstance(game, ConnectFour) else type(game)(20)
for resident, dense in ((True, True), (False, True), (False, False)):
    StrongSolver(symmetry=False, memory=8 << 20, resident=resident, dense=dense).solve(small, late if small is game else None)
before = peak()
result = StrongSolver(symmetry=False, memory=memory).solve(game, out=sys.argv[4] + "/whole.zdb")
print(result.positions, result.groups, peak() - before)
"""
PEAKS = [  # game, positions, bound, the least that its graph takes in memory
    ("ConnectFour(5, 4)", 3_945_711, 64 * MEGABYTE, 120 * MEGABYTE),
    ("Chase(700)", 2 * 700**2, 32 * MEGABYTE, 45 * MEGABYTE),
    ("RankedChase(1400)", 2 * 1400**2, 32 * MEGABYTE, 160 * MEGABYTE),
]


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the peak of a process is told in other ways")
@pytest.mark.parametrize(("game", "positions", "memory", "needed"), PEAKS, ids=["no loops", "loops", "by rank"])
def test_the_peak_of_a_process_stays_within_the_bound(game: str, positions: int, memory: int, needed: int, tmp_path: Path) -> None:
    """Above that of small solves of the same game, in every way in which it can be done."""

    def solved(bound: int) -> tuple[int, ...]:
        command = [sys.executable, "-c", DRIVER, str(BENCHMARKS), game, str(bound), str(tmp_path)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return tuple(map(int, done.stdout.split()))

    assert solved(1024 * MEGABYTE)[0] == positions  # also fills the cache of compiled rules
    *_, above = solved(1024 * MEGABYTE)
    assert above >= needed, "the game must need more than the bound, or this shows nothing"
    solved(memory)  # compiles what only a solve in files needs
    found, _, above = solved(memory)
    assert found == positions
    assert above <= memory


@pytest.mark.parametrize("counted", [1, 1 << 20], ids=["on the way", "at the beginning"])
def test_a_graph_that_turns_out_too_large_is_given_up_for_files(counted: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = SMALL_CONNECT4
    StrongSolver().solve(game, out=tmp_path / "right.zdb", name="game")
    monkeypatch.setattr("zermelo.solve.work.SURELY_TOO_LARGE", float("inf"))
    monkeypatch.setattr("zermelo.solve.estimate.COUNTED", counted)
    monkeypatch.setattr(StrongSolver, "graph_memory", 250_000)
    result = StrongSolver().solve(game, out=tmp_path / "x.zdb", name="game")
    assert result.groups > 1
    assert (tmp_path / "x.zdb").read_bytes() == (tmp_path / "right.zdb").read_bytes()


@pytest.mark.parametrize("form", ["by number", "dense"])
def test_verifying_a_sample_takes_the_memory_of_a_sample(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    game: Game = ConnectFour(4, 4) if form == "by number" else importlib.import_module("database").RankedChase(300)
    StrongSolver(symmetry=False).solve(game, out=tmp_path / "x.zdb", name="game")

    def peak(sample: int | None) -> int:
        """What a verification takes, in bytes."""
        tracemalloc.start()
        try:
            assert verify(database, sample).fault is None
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    with Database(tmp_path / "x.zdb", game) as database:
        assert (database.header.form, database.header.count > 150_000) == (form, True)
        verify(database, 1)  # which compiles
        assert peak(None) > 5 * MEGABYTE, "the whole must need more than the bound, or this shows nothing"
        assert peak(100) < MEGABYTE
        assert peak(1_000) < 2 * MEGABYTE
