"""The one way in which trees are put together: nodes are added one by one, parents first, then checked and frozen."""

from collections.abc import Sequence
from typing import Any

from zermelo.rules import Game, State
from zermelo.trees.lawful import NOBODY, NUMBERS, describe
from zermelo.trees.tree import Tree

__all__ = ["TreeBuilder"]

SAME = 1e-9  # payoffs whose sums differ by less have one total


class TreeBuilder:
    """Collects the nodes of a tree, parents before children; `tree()` checks them and freezes them."""

    def __init__(self, title: str = "") -> None:
        self.title = title
        self.movers: list[int] = []
        self.parents: list[int] = []
        self.choices: list[str] = []
        self.labels: list[str] = []
        self.payoffs: list[Any] = []  # as given: a number, a sequence, or None at a branch
        self.weights: list[Any] = []
        self.informations: list[str | None] = []
        self.costs: list[Any] = []
        self.judged: list[int] = []
        self.boards: dict[int, Any] = {}
        self.states: list[State] = []

    def branch(
        self, parent: int, choice: str, player: int, *, label: str = "", weight: Any = None, information: str | None = None, cost: Any = 0
    ) -> int:
        """A node at which `player` (or CHANCE) moves; returns its number."""
        return self._add(parent, choice, player, label, weight, information, cost, None)

    def end(
        self, parent: int, choice: str, payoff: Any, *, label: str = "", weight: Any = None, cost: Any = 0, judged: bool = False
    ) -> int:
        """A node at which the game is over, or judged; returns its number."""
        node = self._add(parent, choice, NOBODY, label, weight, None, cost, payoff)
        if judged:
            self.judged.append(node)
        return node

    def _add(self, parent: int, choice: str, player: int, label: str, weight: Any, information: str | None, cost: Any, payoff: Any) -> int:
        node = len(self.movers)
        self.movers.append(player)
        self.parents.append(parent)
        self.choices.append(choice)
        self.labels.append(label)
        self.payoffs.append(payoff)
        self.weights.append(weight)
        self.informations.append(information)
        self.costs.append(cost)
        return node

    def place(self, node: int) -> str:
        """A node in words, for a message about it."""
        return describe(self.labels, self.parents, self.choices, node)

    def tree(self, *, players: int | None = None, total: Any = "infer", source: Game | None = None, names: Sequence[str] = ()) -> Tree:
        """The finished tree; `players`, `total` and `names` as in `Tree.of`."""
        players = self._players() if players is None else players
        vectors, total = self._vectors(players, total)
        return Tree(
            tuple(self.movers),
            tuple(self.parents),
            tuple(self.choices),
            tuple(self.labels),
            tuple(vectors),
            tuple(self.weights),
            tuple(self.informations),
            players=players,
            total=total,
            title=self.title,
            costs=tuple(self.costs) if any(self.costs) else (),
            judged=frozenset(self.judged),
            boards=self.boards,
            source=source,
            names=tuple(names),
            states=tuple(self.states),
        )

    def _players(self) -> int:
        """As many as the longest payoff tuple shows, or two; never fewer than the players that move."""
        shown = [len(payoff) for payoff in self.payoffs if isinstance(payoff, tuple | list)]
        return max(max(shown, default=2), max(self.movers, default=0) + 1)

    def _vectors(self, players: int, total: Any) -> tuple[list[tuple[Any, ...] | None], Any]:
        """Every end's payoffs as one number a player, and the total that they add up to."""
        single = [node for node, payoff in enumerate(self.payoffs) if _is_single(payoff)]
        if total == "infer":
            total = 0 if single and players <= 2 else self._common_total(players)
        vectors: list[tuple[Any, ...] | None] = [tuple(payoff) if isinstance(payoff, tuple | list) else None for payoff in self.payoffs]
        for node in single:
            vectors[node] = self._vector(node, players, total)
        return vectors, total

    def _vector(self, node: int, players: int, total: Any) -> tuple[Any, ...]:
        payoff = self.payoffs[node]
        if players == 1:
            return (payoff,)
        if players == 2 and total is not None and isinstance(payoff, NUMBERS):
            return (payoff, total - payoff)
        return (payoff,)  # of the wrong length or kind: `judge` names the node

    def _common_total(self, players: int) -> Any:
        """What all payoff tuples add up to; None where they differ, and for tuples that will be refused anyway."""
        sums = []
        for payoff in self.payoffs:
            if isinstance(payoff, tuple | list):
                if len(payoff) != players or not all(isinstance(item, NUMBERS) for item in payoff):
                    return None
                sums.append(sum(payoff))
        same = bool(sums) and all(abs(each - sums[0]) <= SAME for each in sums)
        return sums[0] if same and players > 1 else (0 if players == 1 else None)


def _is_single(payoff: Any) -> bool:
    return payoff is not None and not isinstance(payoff, tuple | list)
