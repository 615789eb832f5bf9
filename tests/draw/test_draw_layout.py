"""The layout's promises, on any tree: no overlaps, parents in the middle, the same picture wherever a subtree stands."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.draw.tree_layout import layout

Shape = tuple[list[int], list[list[int]]]  # parents, children


def shape(choices: list[int]) -> Shape:
    """A tree in which node n + 1 hangs below one of the nodes 0 … n."""
    parents = [-1] + [choice % (number + 1) for number, choice in enumerate(choices)]
    children: list[list[int]] = [[] for _ in parents]
    for node in range(1, len(parents)):
        children[parents[node]].append(node)
    return parents, children


def rows(children: list[list[int]]) -> list[list[int]]:
    """The nodes of every depth, from left to right."""
    found: list[list[int]] = []
    waiting = [(0, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth == len(found):
            found.append([])
        found[depth].append(node)
        waiting.extend((child, depth + 1) for child in reversed(children[node]))
    return found


def assert_tidy(children: list[list[int]], left: list[float], right: list[float], across: list[float]) -> None:
    for row in rows(children):
        for one, other in pairwise(row):
            assert across[one] + right[one] <= across[other] - left[other] + 1e-6
    for node, below in enumerate(children):
        if below:
            assert across[node] == pytest.approx((across[below[0]] + across[below[-1]]) / 2, abs=1e-6)
    assert min(x - extent for x, extent in zip(across, left, strict=True)) == pytest.approx(0, abs=1e-6)


WIDTHS = st.floats(0.5, 40)


@given(st.lists(st.integers(0, 1_000), max_size=60), st.data())
def test_no_overlaps_and_centred_parents(choices: list[int], data: st.DataObject) -> None:
    _, children = shape(choices)
    left = data.draw(st.lists(WIDTHS, min_size=len(children), max_size=len(children)))
    right = data.draw(st.lists(WIDTHS, min_size=len(children), max_size=len(children)))
    assert_tidy(children, left, right, layout(children, left, right))


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=40))
def test_neighbours_touch_somewhere(choices: list[int]) -> None:
    """Nothing is wider than it must be: two neighbouring subtrees are tight in at least one row, or room was shared out."""
    _, children = shape(choices)
    ones = [1.0] * len(children)
    across = layout(children, ones, ones)
    for below in children:
        if len(below) == 2:
            under = [rows_below(children, child) for child in below]
            gaps = [across[row[0]] - across[line[-1]] for line, row in zip(*under, strict=False)]
            assert min(gaps) == pytest.approx(2)


def rows_below(children: list[list[int]], root: int) -> list[list[int]]:
    found, row = [], [root]
    while row:
        found.append(row)
        row = [child for node in row for child in children[node]]
    return found


def test_small_subtrees_between_large_ones_are_spread_evenly() -> None:
    children = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [], [], [], [11, 12, 13, 14, 15], *([[]] * 10)]
    ones = [1.0] * len(children)
    across = layout(children, ones, ones)
    steps = [across[other] - across[one] for one, other in pairwise(children[0])]
    assert steps == pytest.approx([steps[0]] * 4)


def test_a_subtree_looks_the_same_wherever_it_is() -> None:
    children = [[1, 2, 3], [4, 5], [], [6, 7], [8], [], [9], [], [], []]
    ones = [1.0] * len(children)
    across = layout(children, ones, ones)
    assert [across[node] - across[1] for node in (4, 5, 8)] == pytest.approx([across[node] - across[3] for node in (6, 7, 9)])


@pytest.mark.parametrize("kind", ["random", "narrow", "uniform", "line", "star"])
def test_one_hundred_thousand_nodes(kind: str) -> None:
    source, count = random.Random(1), 100_000
    choose = {
        "random": lambda node: source.randrange(node),
        "narrow": lambda node: max(0, node - 1 - int(source.expovariate(0.3))),
        "uniform": lambda node: (node - 1) // 3,
        "line": lambda node: node - 1,
        "star": lambda node: 0,
    }[kind]
    children: list[list[int]] = [[] for _ in range(count)]
    for node in range(1, count):
        children[choose(node)].append(node)
    extents = [5.0] * count
    assert_tidy(children, extents, extents, layout(children, extents, extents))


def test_a_single_node() -> None:
    assert layout([[]], [3.0], [5.0]) == [3.0]
