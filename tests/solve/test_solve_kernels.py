"""Retrograde analysis and sets of numbers on random data, against the obvious way."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.scores import Score, leaf, lift, score
from zermelo.solve.estimate import different
from zermelo.solve.graph_values import Resolution
from zermelo.solve.number_sets_kernel import each_once, in_sequence, sort_pairs, table_size, without
from zermelo.solve.retrograde import backwards
from zermelo.solve.retrograde_kernel import END, ENDLESS, TIE, UNKNOWN
from zermelo.solve.tasks import Shelf, merge_runs, ranges, sorted_once
from zermelo.solve.work_folder import read_array, save_array
from zermelo.solve.workers import WorkerPool

NUMBERS = st.lists(st.integers(0, 60))


def sweep(movers: list[int], ends: list[int], children: list[list[int]]) -> list[int]:
    """The same by sweeps until nothing changes; see `zermelo.solve.strong_reference`."""
    scores = [leaf(ends[at]) if mover == END else leaf(0) for at, mover in enumerate(movers)]
    changed = True
    while changed:
        changed = False
        for at, mover in enumerate(movers):
            if mover != END:
                best: Score = (max if mover == 0 else min)(lift(scores[child], 0) for child in children[at])
                changed, scores[at] = changed or best != scores[at], best
    ending = {at for at, mover in enumerate(movers) if mover == END and ends[at] == 0}
    while True:
        more = {at for at, below in enumerate(children) if scores[at].value == 0 and any(child in ending for child in below)} - ending
        if not more:
            break
        ending |= more
    return [score(found.value, found.distance()) if found.value else TIE if at in ending else ENDLESS for at, found in enumerate(scores)]


@pytest.mark.slow
@given(st.data())
def test_retrograde_analysis_agrees_with_sweeps_on_random_graphs(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 14))
    movers = data.draw(st.lists(st.sampled_from([0, 1, END]), min_size=count, max_size=count))
    ends = data.draw(st.lists(st.integers(-2, 2), min_size=count, max_size=count))
    children = [data.draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=4)) if mover != END else [] for mover in movers]
    best = np.array([end * (1 << 21) if mover == END else UNKNOWN for mover, end in zip(movers, ends, strict=True)], np.int32)
    counts = np.array([2 * len(below) for below in children], np.int64)
    edges = np.array([child for below in children for child in below], np.int32)
    found = backwards(np.array(movers, np.int8), best, np.zeros(count, np.int8), counts, edges)
    assert found.tolist() == sweep(movers, ends, children)


class Held:
    """A graph as `Resident` holds it: all positions, in a given order of numbers."""

    memory, bytes = 1 << 40, 0

    def __init__(self, movers: list[int], ends: list[int], children: list[list[int]], numbers: list[int]) -> None:
        self.movers, self.count = np.array(movers, np.int8), len(movers)
        packed = [end * (1 << 21) if mover == END else UNKNOWN for mover, end in zip(movers, ends, strict=True)]
        self.scores, self.numbers = np.array(packed, np.int32), np.array(numbers, np.int64)
        self.first = np.cumsum([0, *map(len, children)]).astype(np.int32)
        self.edges = np.array([child for below in children for child in below], np.int32)
        self.edge_count = len(self.edges)

    def drop_index(self) -> None:
        """There is none."""

    def by_number(self) -> Any:
        return np.argsort(self.numbers).astype(np.int32)


@given(st.data(), st.sampled_from(["anything", "later", "larger", "smaller"]))
def test_graphs_in_memory_agree_with_sweeps(data: st.DataObject, way: str) -> None:
    """Edges lead anywhere, or to positions met later, or to larger or to smaller numbers: each has its own way to the values."""
    count = data.draw(st.integers(2, 14))
    numbers = data.draw(st.permutations(range(count)))
    movers, children = [], []
    for at in range(count):
        allowed = {
            "anything": list(range(count)),
            "later": list(range(at + 1, count)),
            "larger": [other for other in range(count) if numbers[other] > numbers[at]],
            "smaller": [other for other in range(count) if numbers[other] < numbers[at]],
        }[way]
        below = data.draw(st.lists(st.sampled_from(allowed), max_size=4)) if allowed else []
        children.append(below)
        movers.append(data.draw(st.sampled_from([0, 1])) if below else END)
    reached, waiting = {0}, [0]
    while waiting:
        fresh = set(children[waiting.pop()]) - reached
        reached |= fresh
        waiting += fresh
    ends = data.draw(st.lists(st.integers(-2, 2), min_size=count, max_size=count))
    graph: Any = Held(movers, ends, children, numbers)
    found, expected = Resolution(graph, WorkerPool()).solve().tolist(), sweep(movers, ends, children)
    assert [found[at] for at in sorted(reached)] == [expected[at] for at in sorted(reached)]


@given(st.lists(st.integers(0, (1 << 62) - 1)))
def test_numbers_are_sorted_with_their_values(some: list[int]) -> None:
    numbers, values = np.array(some, np.int64), np.arange(len(some), dtype=np.int32)
    bits = max(1, max(some, default=0).bit_length())
    sort_pairs(numbers, values, np.empty_like(numbers), np.empty_like(values), bits)
    assert numbers.tolist() == sorted(some)
    assert [some[value] for value in values] == sorted(some)
    assert in_sequence(numbers) == (len(set(some)) == len(some))


def test_how_many_there_are_from_how_often_they_meet() -> None:
    """20,000 things, each of which can be met five times, in a tenth of all meetings."""
    counts = np.random.default_rng(1).binomial(5, 0.1, 20_000)
    assert 19_000 < different(counts[counts > 0], 0.1) < 21_000
    assert different(np.array([1, 1, 3]), 1.0) == 3


@given(NUMBERS, NUMBERS)
def test_sets_of_numbers(some: list[int], others: list[int]) -> None:
    numbers, out = np.array(some, np.int64), np.empty(len(some), np.int64)
    count = each_once(numbers, np.zeros(table_size(len(some)), np.int64), out)
    assert out[:count].tolist() == list(dict.fromkeys(some))
    assert sorted_once(numbers).tolist() == sorted(set(some))
    ordered, barred, left = sorted_once(numbers), sorted_once(np.array(others, np.int64)), np.empty(len(some), np.int64)
    assert left[: without(ordered, barred, left)].tolist() == sorted(set(some) - set(others))


@pytest.mark.parametrize("memory", [0, 1 << 30], ids=["bisection", "hash table"])
@given(some=NUMBERS, wanted=NUMBERS)
def test_shelves_find_places(memory: int, some: list[int], wanted: list[int]) -> None:
    numbers = sorted_once(np.array(some, np.int64))
    places = Shelf(numbers, memory).places(np.array(wanted, np.int64)).tolist()
    assert places == [numbers.tolist().index(number) if number in some else -1 for number in wanted]


@given(runs=st.lists(NUMBERS, min_size=1, max_size=4), known=NUMBERS)
def test_runs_are_merged_in_little_memory(tmp_path_factory: pytest.TempPathFactory, runs: list[list[int]], known: list[int]) -> None:
    folder = tmp_path_factory.mktemp("runs")
    names = [save_array(folder, f"{at}.numbers", sorted_once(np.array(run, np.int64))).name for at, run in enumerate(runs)]
    barred = save_array(folder, "known.numbers", sorted_once(np.array(known, np.int64))).name
    note, dropped = merge_runs(folder, names, [barred], "all.numbers", memory=1)
    everything = {number for run in runs for number in run}
    assert read_array(folder, "all.numbers").tolist() == sorted(everything - set(known))
    assert (note.count, dropped) == (len(everything - set(known)), len(everything & set(known)))


def test_ranges_are_as_small_as_memory_asks() -> None:
    arrays = [np.arange(0, 100_000, 3), np.arange(1, 100_000, 7)]
    spans = ranges(arrays, 1 << 18)
    assert len(spans) > 3
    sizes = [sum(int(np.diff(np.searchsorted(array, span))[0]) for array in arrays) for span in spans]
    assert sum(sizes) == sum(map(len, arrays))
    assert max(sizes) < 2 * sum(sizes) / len(spans)
