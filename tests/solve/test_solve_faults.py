"""Faults of rules, of files and of the machine, each of which a solve meets with one sentence or goes round."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from whole_games import SMALL_NIM

from zermelo.errors import ZermeloError
from zermelo.rules import Game
from zermelo.runtime.backend import choose
from zermelo.solve.database_writer import Codes, dense_parts, in_order
from zermelo.solve.estimate import Estimate, likely_range
from zermelo.solve.job import Job, kernel_of
from zermelo.solve.numbering import first_numbering
from zermelo.solve.strong import StrongSolver, work_folder
from zermelo.solve.strong_reference import LARGEST_LEAD
from zermelo.solve.tasks import merge_runs
from zermelo.solve.work_folder import ArrayFile, lock_in, read_array, save_array
from zermelo.solve.workers import Progress, duration
from zermelo.trees import Chance, Max, Min, Tree

PLAIN = StrongSolver(backend="reference")


class Heap(NamedTuple):
    left: int
    turn: int


@dataclass(frozen=True)
class Take(Game):
    """Take 1 to 3 counters; who takes the last one wins `pay`."""

    counters: int = 7
    pay: float = 1

    def start(self) -> Heap:
        return Heap(self.counters, 0)

    def player(self, heap: Heap) -> int:
        return heap.turn

    def actions(self, heap: Heap) -> Iterator[int]:
        yield from range(1, min(heap.left, 3) + 1)

    def result(self, heap: Heap, action: int) -> Heap:
        return Heap(heap.left - action, 1 - heap.turn)

    def terminal(self, heap: Heap) -> bool:
        return heap.left == 0

    def utility(self, heap: Heap) -> float:
        return self.pay if heap.turn == 1 else -self.pay


# --- numbers by `rank`


@dataclass(frozen=True)
class SameNumbers(Take):
    def rank(self, heap: Heap) -> int:
        return heap.left

    def unrank(self, number: int) -> Heap:
        return Heap(number, 0)

    def size(self) -> int:
        return self.counters + 1


@dataclass(frozen=True)
class Numbered(Take):
    def rank(self, heap: Heap) -> int:
        return 2 * heap.left + heap.turn

    def unrank(self, number: int) -> Heap:
        return Heap(number // 2, number % 2)

    def size(self) -> int:
        return 2 * self.counters + 2


@dataclass(frozen=True)
class TooFewNumbers(Numbered):
    def size(self) -> int:
        return 5


@dataclass(frozen=True)
class OtherWay(Numbered):
    def unrank(self, number: int) -> Heap:
        return Heap(number // 2, 1 - number % 2)


@dataclass(frozen=True)
class Unnumbered(Numbered):
    def rank(self, heap: Heap) -> int:
        return -1 if heap.left == 2 else 2 * heap.left + heap.turn


RANKS = [
    (SameNumbers(), "gives two positions the same number"),
    (TooFewNumbers(), "which is not below `size`, 5"),
    (OtherWay(), "`unrank` of OtherWay does not undo `rank`"),
]


@pytest.mark.parametrize("backend", ["auto", "reference"])
@pytest.mark.parametrize(("game", "words"), RANKS, ids=lambda each: type(each).__name__)
def test_a_rank_that_is_not_one_to_one_is_refused(game: Game, words: str, backend: Any, tmp_path: Path) -> None:
    for _ in range(2):  # what was compiled the first time is not believed the second time
        with pytest.raises(ZermeloError, match=words):
            StrongSolver(backend=backend).solve(game, out=tmp_path / "x.zdb")
    assert list(tmp_path.iterdir()) == []


def test_a_position_without_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ZermeloError, match=r"has no number for Heap\(left=2"):
        PLAIN.solve(Unnumbered(), out=tmp_path / "x.zdb")
    with pytest.raises(ZermeloError, match="`position=`"):
        PLAIN.solve(Unnumbered(), Heap(2, 0), out=tmp_path / "x.zdb")


# --- payoffs and states


@dataclass(frozen=True)
class TakePlain(Take):
    """The same in rules that do not compile."""

    def actions(self, heap: Heap) -> Iterator[int]:
        yield from {0: [], 1: [1], 2: [1, 2]}.get(heap.left, [1, 2, 3])


@dataclass(frozen=True)
class Mutable(Game):
    def start(self) -> list[int]:
        return [0]

    def player(self, state: list[int]) -> int:
        return 0

    def actions(self, state: list[int]) -> Iterator[int]:
        yield 0

    def result(self, state: list[int], action: int) -> list[int]:
        return [1]

    def terminal(self, state: list[int]) -> bool:
        return state[0] == 1

    def utility(self, state: list[int]) -> int:
        return 1


TOO_LARGE = [
    (Take(pay=1000.5), "compiled"),
    (Take(pay=1000.5), "reference"),
    (TakePlain(pay=2000), "reference"),
    (Take(pay=10**12), "reference"),
    (Take(pay=0.3), "reference"),
]


@pytest.mark.parametrize(("game", "backend"), TOO_LARGE, ids=str)
def test_both_engines_have_the_same_limit_of_payoffs(game: Game, backend: Any) -> None:
    with pytest.raises(ZermeloError, match="is not a multiple of a half up to 1000 beside the draw"):
        StrongSolver(backend=backend).solve(game)


@pytest.mark.parametrize("pay", [float("nan"), float("inf")])
def test_payoffs_are_finite(pay: float) -> None:
    with pytest.raises(ZermeloError, match="payoffs must be finite numbers"):
        StrongSolver(backend="reference").solve(Take(pay=pay))


def test_the_largest_payoff() -> None:
    results = [StrongSolver(backend=backend).solve(Take(pay=1000)) for backend in ("compiled", "reference")]  # type: ignore[arg-type]
    assert [result.value for result in results] == [1000, 1000]
    assert (
        kernel_of(Job(Take(pay=1000), first_numbering(Take(), choose(Take(pay=1000), "compiled").required.program.state, True), ""))[
            1
        ].LARGEST_LEAD
        == LARGEST_LEAD
    )


def test_a_state_that_can_be_changed_is_refused() -> None:
    with pytest.raises(ZermeloError, match=r"\[0\] has no hash"):
        StrongSolver().solve(Mutable())


# --- memory of the reference backend


def test_the_reference_engine_keeps_to_its_memory() -> None:
    with pytest.raises(ZermeloError, match="needs more than 8 MB for the positions of Take"):
        StrongSolver(backend="reference", memory=8 << 20).solve(Take(20_000))


def test_the_reference_engine_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.workers.LOOK", 0)
    told: list[str] = []
    PLAIN.solve(Take(), progress=told.append)
    assert any(words.startswith("enumerating") for words in told)
    assert any(words.startswith("sweep 1, 5 of 12") for words in told)


# --- files


@pytest.fixture
def few_files() -> Iterator[None]:
    """The system allows two hundred open files."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("few_files")
def test_very_many_groups_are_written_with_few_open_files(tmp_path: Path) -> None:
    groups, length = 300, 600  # larger than a page, so that each is mapped
    solved, step = [], 7
    for group in range(groups):
        numbers = np.arange(length) * groups + group * step % groups
        save_array(tmp_path, f"{group}.numbers", numbers)
        save_array(tmp_path, f"{group}.scores", numbers % 3 + 1)
        solved.append((ArrayFile(tmp_path, f"{group}.numbers"), ArrayFile(tmp_path, f"{group}.scores")))
    codes = Codes.of(scores.open() for _, scores in solved)
    found = np.concatenate([numbers for numbers, _ in in_order(solved, codes, 1 << 20)])
    assert (found == np.unique(found)).all()
    dense = np.concatenate([part for _, part in dense_parts(solved, codes, 1 << 18, groups * length)])
    assert (np.flatnonzero(dense) == found).all()
    assert (dense == np.arange(groups * length) % 3 + 1)[found].all()


@pytest.mark.usefixtures("few_files")
def test_short_files_do_not_stay_open(tmp_path: Path) -> None:
    save_array(tmp_path, "x.numbers", np.arange(9))
    held = [read_array(tmp_path, "x.numbers") for _ in range(300)]
    assert all(len(array) == 9 for array in held)


@pytest.mark.usefixtures("few_files")
@pytest.mark.parametrize("most", [128, 3], ids=["two passes", "many passes"])
def test_very_many_runs_are_merged_with_few_open_files(most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbours share numbers, and the first run is known already."""
    monkeypatch.setattr("zermelo.solve.tasks.MOST_MERGED", most)
    runs, length = 300, 600  # larger than a page, so that each is mapped
    names = [save_array(tmp_path, f"{run}.numbers", np.sort(np.arange(length) * 7 % 1_201 + run * 400)).name for run in range(runs)]
    everything = np.unique(np.concatenate([read_array(tmp_path, name).copy() for name in names]))
    known = read_array(tmp_path, "0.numbers").copy()
    expected = save_array(tmp_path, "expected.numbers", np.setdiff1d(everything, known))
    before = {file.name for file in tmp_path.iterdir()}
    note, dropped = merge_runs(tmp_path, names, ["0.numbers"], "all.numbers", 1 << 20)
    assert (note.count, note.checksum, dropped) == (expected.count, expected.checksum, len(known))
    assert (tmp_path / "all.numbers").read_bytes() == (tmp_path / "expected.numbers").read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == before | {"all.numbers"}


@pytest.mark.parametrize("kept", [0, 1], ids=["in the first pass", "later"])
def test_a_merge_that_fails_leaves_nothing_between_passes(kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.tasks.MOST_MERGED", 2)
    names = [save_array(tmp_path, f"{run}.numbers", np.arange(run, run + 9)).name for run in range(5)]
    (tmp_path / names[2 * kept + 1]).unlink()
    with pytest.raises(FileNotFoundError):
        merge_runs(tmp_path, names, [], "all.numbers", 1 << 20)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(set(names) - {names[2 * kept + 1]})


# --- the work folder

IN_FILES = StrongSolver(resident=False, dense=False)
HOLDER = """
import sys
from pathlib import Path
from zermelo.solve.work_folder import lock_in

held = lock_in(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def at_work(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that works in a folder."""
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


def test_one_solve_at_a_time(tmp_path: Path) -> None:
    folder = work_folder(tmp_path / "x.zdb")
    with at_work(folder) as process:
        with pytest.raises(ZermeloError, match=rf"Another solve \(process {process.pid}\) is at work in .*x.zdb.work"):
            StrongSolver().solve(SMALL_NIM, out=tmp_path / "x.zdb")
        process.kill()
        process.wait()
        assert (folder / "lock").exists()
        StrongSolver().solve(SMALL_NIM, out=tmp_path / "x.zdb")
    assert [file.name for file in tmp_path.iterdir()] == ["x.zdb"]


def test_two_solves_of_one_process(tmp_path: Path) -> None:
    held = lock_in(work_folder(tmp_path / "x.zdb"))
    with pytest.raises(ZermeloError, match="is at work"):
        StrongSolver().solve(SMALL_NIM, out=tmp_path / "x.zdb")
    held.release()
    StrongSolver().solve(SMALL_NIM, out=tmp_path / "x.zdb")


def test_what_killed_solves_without_a_file_leave_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    lock_in(tmp_path / "zermelo-solve-dead").release()
    with at_work(tmp_path / "zermelo-solve-alive"):
        StrongSolver().solve(SMALL_NIM)
        assert [file.name for file in tmp_path.iterdir()] == ["zermelo-solve-alive"]


@pytest.mark.parametrize("names", [["notes.txt"], ["journal"], ["a.scores"]], ids=" ".join)
def test_a_folder_of_somebody_else_is_not_touched(names: list[str], tmp_path: Path) -> None:
    folder = work_folder(tmp_path / "x.zdb")
    folder.mkdir()
    for name in names:
        (folder / name).write_text("mine\n")
    with pytest.raises(ZermeloError, match="is there and something else"):
        StrongSolver().solve(SMALL_NIM, out=tmp_path / "x.zdb")
    assert [file.read_text() for file in folder.iterdir()] == ["mine\n"] * len(names)


def test_a_file_where_the_folder_would_be(tmp_path: Path) -> None:
    work_folder(tmp_path / "x.zdb").write_text("mine")
    with pytest.raises(ZermeloError, match="is there and something else"):
        StrongSolver().solve(SMALL_NIM, out=tmp_path / "x.zdb")


def test_what_was_put_into_the_folder_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = work_folder(tmp_path / "x.zdb")
    monkeypatch.setattr("zermelo.solve.workers.LOOK", 0)
    IN_FILES.solve(SMALL_NIM, out=tmp_path / "x.zdb", progress=lambda words: (folder / "notes.txt").write_text("mine"))
    assert [file.name for file in folder.iterdir()] == ["notes.txt"]


def test_only_a_database_of_the_same_rules_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(ZermeloError, match="is there already and no database"):
        StrongSolver().solve(SMALL_NIM, out=tmp_path / "thesis.txt")
    assert (tmp_path / "thesis.txt").read_text() == "mine"
    file = tmp_path / "x.zdb"
    file.touch()
    PLAIN.solve(Take(), out=file, name="take")
    with pytest.raises(ZermeloError, match="made for take with other rules: remove it"):
        StrongSolver().solve(SMALL_NIM, out=file)
    before = file.read_bytes()
    PLAIN.solve(Take(), out=file, name="take")
    assert file.read_bytes() == before
    file.write_bytes(before[:20] + b"?" + before[21:])  # damaged in its header, so that it is of no use
    PLAIN.solve(Take(), out=file, name="take")
    assert file.read_bytes() == before


def test_room_that_an_earlier_attempt_takes_is_not_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        free = 1_000

    monkeypatch.setattr("zermelo.solve.work.shutil.disk_usage", lambda path: Full())
    out, folder = tmp_path / "x.zdb", work_folder(tmp_path / "x.zdb")
    with pytest.raises(ZermeloError, match=r"needs about 10 kB of disk .* has 1 kB"):
        StrongSolver().solve(SMALL_NIM, out=out)
    assert not folder.exists()
    lock_in(folder).release()
    (folder / "lock").write_bytes(bytes(10_000))  # stands in for an earlier attempt's files
    assert StrongSolver().solve(SMALL_NIM, out=out).positions == 20
    assert not folder.exists()


@pytest.mark.parametrize("plan", [StrongSolver(), IN_FILES], ids=["in memory", "in files"])
def test_too_many_different_scores_leave_nothing_behind(plan: StrongSolver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.distinct.MOST_CODES", 3)
    with pytest.raises(ZermeloError, match="more than 3 different pairs of value and distance"):
        plan.solve(SMALL_NIM, out=tmp_path / "x.zdb")
    assert list(tmp_path.iterdir()) == []


# --- other questions


def test_trees_are_solved_whole_unless_chance_moves(tmp_path: Path) -> None:
    tree = Tree.of(Max(Left=Min(Left=5, Right=1), Right=Min(Left=-3, Right=6)))
    assert (StrongSolver().solve(tree).value, StrongSolver().solve(tree, out=tmp_path / "x.zdb").positions) == (1, 7)
    with pytest.raises(ZermeloError, match="Chance moves"):
        StrongSolver().solve(Tree.of(Chance(Left=(1, Max(Left=5, Right=1)), Right=(2, 3))))


class Cells(NamedTuple):
    cells: tuple[int, ...]
    turn: int


@dataclass(frozen=True)
class Wide(Game):
    """Two stones on any of 40 cells: few positions, and 41 words of two bits and more."""

    depth: int = 2

    def start(self) -> Cells:
        return Cells((0,) * 40, 0)

    def player(self, state: Cells) -> int:
        return state.turn

    def actions(self, state: Cells) -> Iterator[int]:
        yield from range(40)

    def result(self, state: Cells, action: int) -> Cells:
        cells = state.cells
        return Cells(cells[:action] + (cells[action] + 3,) + cells[action + 1 :], 1 - state.turn)  # noqa: RUF005 - this compiles

    def terminal(self, state: Cells) -> bool:
        return sum(state.cells) >= 3 * self.depth

    def utility(self, state: Cells) -> int:
        return 1 if state.cells[0] > 3 else -1


def test_positions_that_do_not_fit_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = StrongSolver().solve(Wide())
    assert (result.positions, result.backend) == (861, "reference")
    assert any("do not fit 63 bits" in words for words in result.notes)
    for plan in (StrongSolver(), PLAIN):
        with pytest.raises(ZermeloError, match=r"do not fit 63 bits \(states that were seen need \d\d\).*leave out `out=`"):
            plan.solve(Wide(), out=tmp_path / "x.zdb")
    with pytest.raises(ZermeloError, match="take `backend='reference'`"):
        StrongSolver(backend="compiled").solve(Wide())
    monkeypatch.setattr("zermelo.solve.strong_reference.POSITION_BYTES", 1 << 30)
    with pytest.raises(ZermeloError, match=r"or smaller parameters\.$"):
        StrongSolver().solve(Wide())


LEFT = [(1.4, "1 s"), (119, "119 s"), (150, "2 min"), (3_599, "1 h 0 min"), (360_000, "100 h 0 min")]


@pytest.mark.parametrize(("seconds", "words"), LEFT)
def test_how_long_it_takes(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_progress_fits_a_terminal() -> None:
    progress = Progress(None)
    progress.expected = 4_531_985_219
    progress.begin("enumerating")
    progress.done = 1_531_985_219
    words = progress.words(86_400)
    assert words == "enumerating, 1,531,985,219 of about 4,531,985,219, 47 h 0 min left"
    assert len(f"⠋ Solving: {words}") <= 80


# --- estimates

GUESS = Estimate(positions=765, fewest=765, most=765, exact=True, least=False, work_bytes=20_000, file_bytes=10_000, seconds=0.1)
WORDS = [
    (GUESS, "765 positions, less than 0.1 MB of disk for the work, less than 0.1 MB for the database, less than 1 s"),
    (
        replace(GUESS, most=900, work_bytes=2_340_000, file_bytes=1_200_000_000, seconds=7_300),
        "about 765 (765 to 900) positions, 2.3 MB of disk for the work, 1.2 GB for the database, 2 h 2 min",
    ),
]


@pytest.mark.parametrize(("guess", "words"), WORDS)
def test_estimates_in_words(guess: Estimate, words: str) -> None:
    assert guess.words() == words


def test_estimates_without_a_file_or_of_endgames() -> None:
    assert GUESS.words(disk=False) == "765 positions, less than 1 s"
    assert replace(GUESS, exact=False).words(disk=False) == "about 765 positions, less than 1 s"


def test_a_wide_range_is_told_where_samples_return_to_earlier_rounds() -> None:
    """Six Men's Morris has 6,017,969 positions up to symmetry; samples behind the first million find 1,584,031."""
    low, high = likely_range(1_584_031, 1_061_133, 211_066_612, returning=True)
    assert low <= 6_017_969 <= high
    assert likely_range(1_646_966, 1_048_576, 0) == (1_300_000, 1_900_000)
