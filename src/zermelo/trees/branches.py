"""Trees written by hand: `Max(Left=Min(Left=5, Right=1), Right=Min(Left=-3, Right=6))`.

A branch is a node at which somebody moves. Its children come in three ways, which may be mixed and keep their order:

    Max(Left=5, Right=1)            by keyword: the keyword is the action's label
    Max({"raise 2": 5, "fold": 1})  by a mapping, for labels that are not Python names (or are `label` and `information`)
    Max(5, 1)                       by position: the labels are 1, 2, …

A child is another branch, a `Leaf`, a number (Max's payoff) or a tuple (one payoff per player). Below `Chance` every child is a pair
`(weight, child)`. `label` names the node; nodes of one player with the same `information` are one information set.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, MIN

__all__ = ["Branch", "Chance", "Leaf", "Max", "Min", "Player"]


@dataclass(frozen=True)
class Leaf:
    """An end of the game that carries a label: `Leaf(-1, label="E1")`.

    Parameters
    ----------
    payoff : number or tuple
        Max's payoff, or one payoff per player.
    label : str, default ""
        The end's name.
    """

    payoff: Any
    label: str = ""


class Branch:
    """A node at which somebody moves; see `Max`, `Min`, `Player` and `Chance`."""

    player: int
    children: tuple[tuple[str, Any], ...]  # (the action's label, the child)
    weights: tuple[Any, ...] | None  # one a child below chance; None elsewhere
    label: str
    information: str | None

    def __init__(self, player: int, children: tuple[Any, ...], actions: Mapping[str, Any], label: str, information: str | None) -> None:
        self.player, self.label, self.information = player, label, information
        self.children, self.weights = tuple(_labelled(children, actions)), None


class Max(Branch):
    """Player 1 moves and wants the larger payoff.

    Parameters
    ----------
    *children
        Branches, leaves, numbers or tuples of payoffs, labelled 1, 2, …; or mappings from labels to these.
    label : str, default ""
        The node's name.
    information : str, optional
        Nodes of one player with the same text are one information set.
    **actions
        Children by the labels of their actions.
    """

    def __init__(self, /, *children: Any, label: str = "", information: str | None = None, **actions: Any) -> None:
        super().__init__(MAX, children, actions, label, information)


class Min(Branch):
    """Player 2 moves and, where the payoffs add up to a constant, wants Max's payoff to be small.

    Parameters
    ----------
    *children
        Branches, leaves, numbers or tuples of payoffs, labelled 1, 2, …; or mappings from labels to these.
    label : str, default ""
        The node's name.
    information : str, optional
        Nodes of one player with the same text are one information set.
    **actions
        Children by the labels of their actions.
    """

    def __init__(self, /, *children: Any, label: str = "", information: str | None = None, **actions: Any) -> None:
        super().__init__(MIN, children, actions, label, information)


class Player(Branch):
    """The player of that number moves; numbers start at 1, so that `Player(1, …)` is `Max(…)`.

    Parameters
    ----------
    number : int
        Of the player who moves, from 1.
    *children
        Branches, leaves, numbers or tuples of payoffs, labelled 1, 2, …; or mappings from labels to these.
    label : str, default ""
        The node's name.
    information : str, optional
        Nodes of one player with the same text are one information set.
    **actions
        Children by the labels of their actions.
    """

    def __init__(self, number: int, /, *children: Any, label: str = "", information: str | None = None, **actions: Any) -> None:
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise ZermeloError(f"Player({number!r}, …): players are numbered 1, 2, …, and chance is written `Chance(…)`.")
        super().__init__(number - 1, children, actions, label, information)


class Chance(Branch):
    """Nobody moves: each child is a pair `(weight, child)`. Whole weights are divided by their sum, others must add up to 1.

    Parameters
    ----------
    *children
        Pairs of a weight and a child, labelled 1, 2, …; or mappings from labels to these.
    label : str, default ""
        The node's name.
    **actions
        Pairs by the labels of their outcomes.
    """

    def __init__(self, /, *children: Any, label: str = "", **actions: Any) -> None:
        super().__init__(CHANCE, children, actions, label, None)
        for action, child in self.children:
            if not isinstance(child, tuple) or len(child) != 2:
                raise ZermeloError(f"Chance(…): the outcome {action!r} must be a pair (weight, child), not {child!r}.")
        self.weights = tuple(weight for _, (weight, _) in self.children)
        self.children = tuple((action, child) for action, (_, child) in self.children)


def _labelled(children: tuple[Any, ...], actions: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """All children with their actions' labels, in the order written."""
    position = 0
    for child in children:
        if isinstance(child, Mapping):
            for action, grandchild in child.items():
                position += 1
                yield str(action), grandchild
        else:
            position += 1
            yield str(position), child
    yield from actions.items()
