"""Branching factor, depth, nodes, and the best case of pruning."""

import math
from random import Random
from typing import Any

import pytest

from zermelo.games.kqj import KQJ
from zermelo.games.pruning import PRUNING
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.classic.minimax import Minimax
from zermelo.trees import Max, Min, Player, Tree, statistics
from zermelo.trees.trace import Recorder, Trace
from zermelo.trees.tree_size import best_case, effective_branching_factor


def recorded(algorithm: Minimax | AlphaBeta, tree: Tree) -> Trace:
    recorder = Recorder(tree, "test")
    algorithm.search(tree, recorder=recorder)
    return recorder.trace()


def test_kqj_has_branching_factor_2_and_depth_3() -> None:
    figures = statistics(KQJ)  # the OpenGenus article, "Time and Space Complexity"
    assert (figures.branching, figures.depth) == (2, 3)  # of a uniform tree: 8 leaves, 5 in the best case
    assert (figures.nodes, figures.leaves, figures.full) == (9, 5, 5)


@pytest.mark.parametrize(
    ("branching", "depth", "leaves"),
    [(2, 1, 2), (2, 2, 3), (2, 3, 5), (3, 4, 17), (35, 4, 2449), (1, 9, 1), (40, 0, 1)],  # Knuth and Moore 1975, corollary to theorem 1
)
def test_the_best_case_of_alpha_beta(branching: int, depth: int, leaves: int) -> None:
    assert best_case(branching, depth) == leaves


def uniform(branching: int, depth: int) -> Tree:
    """A uniform tree in which the best action always comes first."""

    def grow(level: int, value: int) -> object:
        if level == depth:
            return value
        step = -1 if level % 2 == 0 else 1
        children = [grow(level + 1, value + step * 10 ** (depth - level) * number) for number in range(branching)]
        return (Max, Min)[level % 2](*children)

    return Tree.of(grow(0, 0))


@pytest.mark.parametrize(("branching", "depth"), [(2, 3), (3, 3), (2, 6), (4, 4)])
def test_alpha_beta_reaches_the_best_case_when_the_best_action_comes_first(branching: int, depth: int) -> None:
    tree = uniform(branching, depth)
    figures = statistics(recorded(AlphaBeta(textbook=True), tree))
    assert figures.leaves == best_case(branching, depth) == figures.best
    assert statistics(recorded(Minimax(textbook=True), tree)).leaves == figures.full == branching**depth
    assert statistics(tree).branching == figures.branching == branching


def test_effective_branching_factor() -> None:
    assert effective_branching_factor(1 + 3 + 9 + 27, 3) == pytest.approx(3)
    assert effective_branching_factor(53, 5) == pytest.approx(1.92, abs=0.005)  # Russell and Norvig: depth 5, 52 nodes without the root
    assert effective_branching_factor(11, 10) == pytest.approx(1)
    assert effective_branching_factor(1, 0) == 0


def test_what_a_search_skipped() -> None:
    figures = statistics(recorded(AlphaBeta(textbook=True), PRUNING))
    assert (figures.nodes, figures.cutoffs, figures.skipped) == (24, 3, 2)
    assert figures.effective < statistics(PRUNING).effective
    assert "cut-offs                           3, skipping 2 actions" in figures.text()


def test_figures_beyond_every_float() -> None:
    line: object = (1, 2)
    for _ in range(3000):
        line = Player(1, (0, 0), line)
    figures = statistics(Tree.of(line))
    assert math.isinf(figures.full)
    assert figures.to_dict()["full"] is None
    assert "more than 10^308" in figures.text()


def test_the_best_case_of_an_irregular_tree_is_counted() -> None:
    """Six leaves with the best move first, of sixteen: b^d and the formula for uniform trees say 11.4 and 6.3."""
    figures = statistics(PRUNING)
    assert (figures.full, figures.best, figures.uniform) == (16, 6, False)


@pytest.mark.parametrize(("branching", "depth"), [(2, 4), (3, 3), (4, 2)])
def test_of_a_uniform_tree_it_is_knuth_and_moores(branching: int, depth: int) -> None:
    values = iter(Random(branching).sample(range(10_000), branching**depth))

    def grown(level: int) -> Any:
        if level == depth:
            return next(values)
        return (Max if level % 2 == 0 else Min)(*(grown(level + 1) for _ in range(branching)))

    assert statistics(Tree.of(grown(0))).best == best_case(branching, depth)
