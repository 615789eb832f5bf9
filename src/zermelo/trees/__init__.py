"""Trees: written by hand, from data, or unfolded from any game; the trace of a search; backward induction."""

from typing import TYPE_CHECKING

from zermelo.lazily import lazily

if TYPE_CHECKING:
    from zermelo.trees.backward_induction import BackwardInduction, InductionResult
    from zermelo.trees.branches import Chance, Leaf, Max, Min, Player
    from zermelo.trees.data import tree_from_data, tree_to_data
    from zermelo.trees.trace import Recorder, Trace
    from zermelo.trees.tree import Tree
    from zermelo.trees.tree_size import TreeStatistics, statistics
    from zermelo.trees.unfolding import unfold

__all__ = [
    "BackwardInduction",
    "Chance",
    "InductionResult",
    "Leaf",
    "Max",
    "Min",
    "Player",
    "Recorder",
    "Trace",
    "Tree",
    "TreeStatistics",
    "statistics",
    "tree_from_data",
    "tree_to_data",
    "unfold",
]

HOMES = {
    "BackwardInduction": "backward_induction",
    "InductionResult": "backward_induction",
    "Chance": "branches",
    "Leaf": "branches",
    "Max": "branches",
    "Min": "branches",
    "Player": "branches",
    "tree_from_data": "data",
    "tree_to_data": "data",
    "Recorder": "trace",
    "Trace": "trace",
    "Tree": "tree",
    "TreeStatistics": "tree_size",
    "statistics": "tree_size",
    "unfold": "unfolding",
}
__getattr__ = lazily(__name__, HOMES)
