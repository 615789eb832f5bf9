"""The figures of documents 000 and 001."""

import math

import pytest

from zermelo.games.kqj import KQJ
from zermelo.games.pruning import PRUNING
from zermelo.search.alphabeta import AlphaBeta
from zermelo.search.minimax import Minimax
from zermelo.trees import Max, Min, Tree, statistics
from zermelo.trees.statistics import best_case, effective_branching_factor
from zermelo.trees.trace import Recorder, Trace


def recorded(algorithm: Minimax | AlphaBeta, tree: Tree) -> Trace:
    recorder = Recorder(tree, "test")
    algorithm.search(tree, recorder=recorder)
    return recorder.trace()


def test_kqj_has_branching_factor_2_and_depth_3() -> None:
    figures = statistics(KQJ)  # document 000, "Time and Space Complexity"
    assert (figures.branching, figures.depth, figures.full) == (2, 3, 8)
    assert (figures.nodes, figures.leaves) == (9, 5)
    assert figures.best == 2**2 + 2**1 - 1


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
    figures = statistics(recorded(AlphaBeta(plain=True), tree))
    assert figures.leaves == best_case(branching, depth) == figures.best
    assert statistics(recorded(Minimax(plain=True), tree)).leaves == figures.full == branching**depth
    assert statistics(tree).branching == figures.branching == branching


def test_effective_branching_factor() -> None:
    assert effective_branching_factor(1 + 3 + 9 + 27, 3) == pytest.approx(3)
    assert effective_branching_factor(53, 5) == pytest.approx(1.92, abs=0.005)  # Russell and Norvig: depth 5, 52 nodes without the root
    assert effective_branching_factor(11, 10) == pytest.approx(1)
    assert effective_branching_factor(1, 0) == 0


def test_what_a_search_skipped() -> None:
    figures = statistics(recorded(AlphaBeta(plain=True), PRUNING))
    assert (figures.nodes, figures.cutoffs, figures.skipped) == (24, 3, 2)
    assert figures.effective < statistics(PRUNING).effective
    assert "cut-offs                           3, skipping 2 actions" in figures.text()


def test_figures_beyond_every_float() -> None:
    line: object = 1
    for _ in range(3000):
        line = Max(0, line)
    figures = statistics(Tree.of(line))
    assert math.isinf(figures.full)
    assert figures.to_dict()["full"] is None
    assert "more than 10^308" in figures.text()
