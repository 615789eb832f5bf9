"""Random small trees for properties: any number of players, chance, general sums."""

from typing import Any

from hypothesis import strategies as st

from zermelo.trees import Chance, Leaf, Player, Tree

NAMES = ("a", "b", "c", "d")


def branches(players: int, total: int | None = 0, chance: bool = True) -> st.SearchStrategy[Any]:
    """Nested branches up to a few levels deep; payoffs are whole numbers."""
    number = st.integers(-3, 3)
    payoff: st.SearchStrategy[Any] = number if players == 2 and total is not None else st.tuples(*([number] * players))
    leaves = st.builds(Leaf, payoff)

    def grow(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        several = st.lists(children, min_size=1, max_size=4).map(lambda items: dict(zip(NAMES, items, strict=False)))
        moved = st.builds(Player, st.integers(1, players), several)
        if not chance:
            return moved
        weighted = st.lists(st.tuples(st.integers(1, 5), children), min_size=1, max_size=3)
        return moved | weighted.map(lambda pairs: Chance(dict(zip(NAMES, pairs, strict=False))))

    return st.recursive(leaves, grow, max_leaves=14)


def trees(players: int = 2, total: int | None = 0, chance: bool = True) -> st.SearchStrategy[Tree]:
    """Random trees."""
    return branches(players, total, chance).map(lambda root: Tree.of(root, players=players, total=total))
