"""A tree is a game too: labels, payoffs, chance and information sets in flat columns, with the interface of any other game.

    twolevel = Tree.of(Max(Left=Min(Left=5, Right=1), Right=Min(Left=-3, Right=6)))

A state is a node's number, an action is the index of a child. Trees are written by hand (`Tree.of`, see `branches`), made from nested
data (`data`), read from JSON (`zermelo.formats.json`) or unfolded from any game (`unfold`). All of them go through `builder`, and every
tree is checked when it is made: a tree that exists is lawful.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.results import Drawable
from zermelo.rules import MAX, Action, Game, State
from zermelo.trees.branches import Branch, Leaf
from zermelo.trees.lawful import NO_PARENT, NOBODY, describe, judge

__all__ = ["NOBODY", "NO_PARENT", "ROOT", "Tree", "name_of"]

ROOT = 0


@dataclass(frozen=True, repr=False)
class Tree(Drawable, Game):
    """A finite game given by all its nodes.

    Columns have one entry a node. Parents come before their children, and the children of a node are in the order of their numbers.
    `Tree.of` makes one from branches.

    Parameters
    ----------
    movers : tuple of int
        [node] who moves; CHANCE; NOBODY where the game is over.
    parents : tuple of int
        [node] smaller than the node; NO_PARENT at the root, which is 0.
    choices : tuple of str
        [node] label of the action that leads here; "" at the root.
    labels : tuple of str
        [node] the node's own label; "" where it has none.
    utilities : tuple
        [node] one payoff per player where the game is over; None elsewhere.
    weights : tuple
        [node] weight of the chance outcome that leads here; None below a player.
    informations : tuple
        [node] nodes of one player with the same text are one information set; None: a set of its own.
    players : int, default 2
        How many there are.
    total : float, optional
        What all payoffs add up to, 0 by default; None: general sum.
    title : str, default ""
        What the game is called.
    costs : tuple, optional
        [node] what the action that leads here costs the one player; empty: nothing does.
    judged : frozenset of int
        Ends that are none in the source: a depth limit stood there, their payoff is an estimate.
    boards : dict
        Plain data by node, where the tree carries its own boards.
    source : Game, optional
        The game that was unfolded.
    names : tuple of str, optional
        [player] what the players are called; empty: Max and Min, or numbers.
    states : tuple, optional
        [node] the source's state; empty without a source.
    """

    movers: tuple[int, ...]
    parents: tuple[int, ...]
    choices: tuple[str, ...]
    labels: tuple[str, ...]
    utilities: tuple[tuple[Any, ...] | None, ...]
    weights: tuple[Any, ...]
    informations: tuple[str | None, ...]
    players: int = 2
    total: float | None = 0
    title: str = ""
    costs: tuple[Any, ...] = ()
    judged: frozenset[int] = frozenset()
    boards: Mapping[int, Any] = field(default_factory=dict, compare=False)
    source: Game | None = field(default=None, compare=False)
    names: tuple[str, ...] = ()
    states: tuple[State, ...] = field(default=(), compare=False)
    children: tuple[tuple[int, ...], ...] = field(init=False, compare=False)  # [node] its children, the action's index is the place
    perfect_information: bool = field(init=False, compare=False)  # is every information set a single node?

    def __post_init__(self) -> None:
        below: list[list[int]] = [[] for _ in self.movers]
        for node in range(1, len(self.movers)):
            below[self.parents[node]].append(node)
        self._set("children", tuple(map(tuple, below)))
        self._set("perfect_information", judge(self))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @classmethod
    def of(cls, root: Branch | Leaf | Any, *, players: int | None = None, total: Any = "infer", title: str = "") -> "Tree":
        """A tree written by hand; `branches` says how.

        Without `players` there are as many as the payoff tuples or the branches show, at least two. Without `total` it is 0 for payoffs
        that are single numbers; tuples have the total that they all add up to, or None (general sum).
        """
        from zermelo.trees.builder import TreeBuilder  # which itself needs this module

        builder = TreeBuilder(title)
        waiting: list[tuple[int, str, Any, Any]] = [(NO_PARENT, "", None, root)]
        while waiting:
            parent, choice, weight, item = waiting.pop()
            if not isinstance(item, Branch):
                leaf = item if isinstance(item, Leaf) else Leaf(item)
                builder.end(parent, choice, leaf.payoff, label=leaf.label, weight=weight)
                continue
            node = builder.branch(parent, choice, item.player, label=item.label, weight=weight, information=item.information)
            weights = item.weights or (None,) * len(item.children)
            pairs = zip(item.children, weights, strict=True)
            waiting.extend(reversed([(node, action, weight, child) for (action, child), weight in pairs]))
        return builder.tree(players=players, total=total)

    # The six functions of a game.

    def start(self) -> int:
        return ROOT

    def player(self, state: int, /) -> int:
        return self.movers[state]

    def actions(self, state: int, /) -> Iterator[Action]:
        yield from range(len(self.children[state]))

    def result(self, state: int, action: Action, /) -> int:
        return self.children[state][action]

    def terminal(self, state: int, /) -> bool:
        return not self.children[state]

    def utility(self, state: int, /) -> Any:
        vector = self.utilities[state]
        if vector is None:
            raise ZermeloError(f"{self.place(state).capitalize()} is not an end of the game, so it has no payoff.")
        return vector[MAX] if self.players == 1 or (self.players == 2 and self.total is not None) else vector

    @cached_property
    def payoffs(self) -> tuple[float, float] | None:
        """Lowest and highest payoff of any player; None where that is not known.

        Estimates are no bounds: a tree that was cut at a depth has its source's. Costs count on the way, so payoffs alone are none either.
        """
        if self.judged or self.costs:
            return self.source.payoffs if self.source is not None else None
        every = [payoff for vector in self.utilities if vector is not None for payoff in vector]
        return (min(every), max(every))

    # Chance, hidden information, costs.

    def chances(self, state: int, /) -> Iterator[tuple[Action, Any]]:
        """The outcomes of a chance node with their weights."""
        for action, child in enumerate(self.children[state]):
            yield action, self.weights[child]

    def information(self, state: int, player: int, /) -> int | tuple[int, ...]:
        """What a player knows: the node itself where nothing is hidden.

        Otherwise the player to move knows the information set, `(first node of the set,)`; anybody else knows their own last choice,
        `(first node of the set, action)`, or `()` before it.
        """
        if self.perfect_information:
            return state
        if self.movers[state] == player:
            return (self._first_of_set(state),)
        node = state
        while node != ROOT:
            parent = self.parents[node]
            if self.movers[parent] == player:
                return (self._first_of_set(parent), self.children[parent].index(node))
            node = parent
        return ()

    def _first_of_set(self, node: int) -> int:
        return self.information_sets.get((self.movers[node], self.informations[node]), (node,))[0]

    @cached_property
    def information_sets(self) -> dict[tuple[int, str | None], tuple[int, ...]]:
        """(player, text) → the nodes of every information set that was given a text."""
        sets: dict[tuple[int, str | None], list[int]] = {}
        for node, text in enumerate(self.informations):
            if text is not None:
                sets.setdefault((self.movers[node], text), []).append(node)
        return {key: tuple(nodes) for key, nodes in sets.items()}

    def name_information(self, information: int | tuple[int, ...], /) -> str:
        """The information set in words."""
        if isinstance(information, int):
            return self.place(information)
        if not information:
            return "nothing yet"
        node = information[0]
        words = self.informations[node] or self.place(node)
        return words if len(information) == 1 else f"{words}, {self.choices[self.children[node][information[1]]]}"

    @property
    def cost(self) -> Callable[[int, Action], Any] | None:
        """What an action costs in a game for one player; None in any other."""
        return self._cost_of if self.players == 1 else None

    def _cost_of(self, state: int, action: Action) -> Any:
        return self.costs[self.children[state][action]] if self.costs else 0

    # Presentation.

    def name(self, state: int, action: Action, /) -> str:
        """The action's label."""
        return self.choices[self.children[state][action]]

    def show(self, state: int, /) -> str:
        """The source's board where there is one, otherwise where the node is."""
        shown = getattr(self.source, "show", None)
        return str(shown(self.states[state])) if shown is not None else self.place(state)

    @property
    def board(self) -> Callable[[int], Any] | None:
        """Plain data of a node's board, or None where the tree has none at all; a single node may have None."""
        return self._board_of if self.boards or getattr(self.source, "board", None) is not None else None

    def _board_of(self, state: int) -> Any:
        if state in self.boards:
            return self.boards[state]
        drawn = getattr(self.source, "board", None)
        return drawn(self.states[state]) if drawn is not None else None

    def path(self, node: int) -> list[int]:
        """The actions from the root to a node."""
        actions = []
        while node != ROOT:
            parent = self.parents[node]
            actions.append(self.children[parent].index(node))
            node = parent
        return actions[::-1]

    def place(self, node: int) -> str:
        """A node in words: its label and how it is reached."""
        return describe(self.labels, self.parents, self.choices, node)

    def __len__(self) -> int:
        """How many nodes there are."""
        return len(self.movers)

    def __hash__(self) -> int:
        return hash((len(self.movers), self.title, self.players, self.choices[:16], self.utilities[-16:]))

    def __repr__(self) -> str:
        leaves = sum(not below for below in self.children)
        return f"Tree({self.title + ': ' if self.title else ''}{len(self)} nodes, {leaves} leaves, {self.players} players)"


def name_of(game: Game) -> str:
    """What a message calls a game: a tree has a title, any other game the name of its class."""
    return (game.title or "The tree") if isinstance(game, Tree) else type(game).__name__
