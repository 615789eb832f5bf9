"""Retrograde analysis level by level, in files, against the same in memory, on random groups of positions."""

from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from zermelo.solve.distinct import Distinct
from zermelo.solve.external_retrograde import Levels, Linked
from zermelo.solve.retrograde import LINKS, backwards
from zermelo.solve.retrograde_kernel import END, UNKNOWN
from zermelo.solve.work_folder import Folder, read_array, save_array

UNIT = 1 << 21  # of a packed score


def group(random: Random, count: int, most: int) -> tuple[Any, ...]:
    """movers, best, ties, counts and edges of a group, as `backwards` takes them; a position has up to `most` children inside."""
    movers = np.array([random.choice([0, 1, END]) for _ in range(count)], np.int8)
    best, ties, counts = np.full(count, UNKNOWN, np.int32), np.zeros(count, np.int8), np.zeros(count, np.int64)
    edges: list[int] = []
    for at in range(count):
        if movers[at] == END:
            best[at] = random.choice([-2, -1, 0, 1, 2]) * UNIT
            continue
        inner = random.randint(0, most)
        outer = inner == 0 or random.random() < 0.3
        if outer:
            value = random.choice([-1, 0, 1, 2])
            best[at], ties[at] = value * UNIT - int(np.sign(value)) * random.randint(1, 5), value == 0 and random.random() < 0.5
        counts[at] = 2 * inner + outer
        edges += [random.randrange(count) for _ in range(inner)]
    return movers, best, ties, counts, np.array(edges, np.int32)


def written(folder: Folder, columns: tuple[Any, ...], cuts: list[int]) -> list[Linked]:
    """The same as files of links."""
    first = np.concatenate([[0], np.cumsum(columns[3] >> 1)])
    linked = []
    for low, high in pairwise(cuts):
        linked.append(Linked(low, high, f"link-group-{low}-{high}"))
        parts = [*(column[low:high] for column in columns[:4]), columns[4][first[low] : first[high]]]
        for name, part in zip(LINKS, parts, strict=True):
            save_array(folder.path, f"{linked[-1].prefix}.{name}", part)
    return linked


def scores_by_levels(path: Path, columns: tuple[Any, ...], cuts: list[int]) -> list[int]:
    folder = Folder(path, {})
    try:
        Levels(folder, "group", written(folder, columns, cuts), memory=1, distinct=Distinct()).solve()
        assert not [file for file in path.iterdir() if file.name.startswith(".")], "files that nobody needs are left"
        return list(read_array(path, "group.scores").tolist())
    finally:
        folder.close()


@pytest.mark.parametrize("arrays", [8, 0], ids=["in memory", "mapped"])
def test_levels_agree_with_the_analysis_in_memory(arrays: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.solve.external_retrograde.ARRAY_SHARES", arrays)
    random = Random(1913)
    for trial in range(30):
        count = random.randint(2, 20)
        columns = group(random, count, 4)
        cuts = sorted({0, random.randint(1, count - 1), count})
        assert scores_by_levels(tmp_path / str(trial), columns, cuts) == backwards(*columns).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("short", [(1 << 14) - 2, 0], ids=["two bytes", "four bytes"])
def test_levels_in_much_less_memory_than_the_group_takes(short: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """40,000 positions, whose arrays are many times the share of 64 KB; one of them has more parents than there is room for."""
    monkeypatch.setattr("zermelo.solve.external_retrograde.ARRAY_SHARES", 0)
    monkeypatch.setattr("zermelo.solve.external_retrograde.LARGEST_SHORT", short)
    monkeypatch.setattr("zermelo.solve.external_retrograde.PAGE", 1 << 12)
    columns = group(Random(7), 40_000, 4)
    columns[4][::2] = 5
    assert scores_by_levels(tmp_path / "work", columns, [0, 12_345, 40_000]) == backwards(*columns).tolist()
