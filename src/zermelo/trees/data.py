"""Trees ⇄ nested plain data: dicts, lists, numbers and strings, as JSON has them.

    {"title": "…", "players": 2, "total": 0, "root": NODE, "nodes": {NAME: NODE, …}}

All but `root` may be left out: `players` and `total` are then found as in `Tree.of` (`"total": null` is a general sum); `names` may list
what the players are called. A NODE is

    -1, 0.5, "1/3", [1, 0]                             an end with Max's payoff, or one payoff per player; rationals are strings
    {"payoff": -1, "label": "E1"}                      an end with a label; `"judged": true` marks a payoff that is an estimate
    {"player": "Max", "actions": {ACTION: NODE, …}}    somebody moves: "Max", "Min", "Chance", or a player's number from 1
    {"node": NAME}                                     the node that `nodes` has under this name

A node that moves may also have `label`, `information` (nodes of one player with the same text are one information set), `weights`
({ACTION: number}, below chance), `costs` ({ACTION: number}, one player) and `board` (plain data, as a game's `board` gives it).

Names are for trees that are too deep to be nested; each may be used once. Actions keep their order.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from zermelo.errors import ZermeloError, nearest
from zermelo.rules import CHANCE, MAX, MIN
from zermelo.trees.builder import TreeBuilder
from zermelo.trees.exact_numbers import LARGEST, exact_number
from zermelo.trees.tree import NO_PARENT, ROOT, Tree

__all__ = ["Repeated", "tree_from_data", "tree_to_data"]

MOVERS = {"max": MAX, "min": MIN, "chance": CHANCE}
TREE_FIELDS = {"format", "title", "players", "names", "total", "root", "nodes"}
NODE_FIELDS = {"player", "actions", "weights", "costs", "label", "information", "board"}
LEAF_FIELDS = {"payoff", "label", "judged", "board"}
FORMAT = "zermelo tree 1"
NESTED = 60  # levels up to which a tree is written nested; readers of JSON have limits
MOST = 10_000_000  # nodes; data that shares its parts can describe more than any memory holds


class Repeated(dict[str, Any]):
    """An object of a file in which a key stood twice; `keys_twice` names them. A reader makes it so that no child gets lost."""

    keys_twice: tuple[str, ...] = ()


def tree_from_data(data: Any) -> Tree:
    """The tree that nested data describes; a ZermeloError names the node that is at fault."""
    if not isinstance(data, Mapping) or "root" not in data:
        raise ZermeloError('A tree needs a "root": {"root": {"player": "Max", "actions": {"Left": 1, "Right": 2}}}.')
    _known(data, TREE_FIELDS, _Where(TreeBuilder(), NO_PARENT, "", "the tree"))
    players = data.get("players")
    if players is not None and (isinstance(players, bool) or not isinstance(players, int)):
        raise ZermeloError(f"`players` of the tree is {players!r}, which is not a whole number.")
    reader = _Reader(str(data.get("title", "")), data.get("nodes", {}))
    reader.read(data["root"])
    total = _number(data["total"], "`total`", "the tree") if data.get("total") is not None else None if "total" in data else "infer"
    tree = reader.builder.tree(players=players, total=total)
    return replace(tree, names=_names(data["names"], tree.players)) if "names" in data else tree


def _names(names: Any, players: int) -> tuple[str, ...]:
    """What the players are called."""
    if not isinstance(names, list) or len(names) != players or not all(isinstance(name, str) for name in names):
        raise ZermeloError(f"`names` of the tree is {names!r}; it must be a list of {players} names, one per player.")
    return tuple(names)


class _Where:
    """The place that a message is about, put into words only when a message needs it: lines may be very long."""

    def __init__(self, builder: TreeBuilder, parent: int, action: str, words: str = "the root") -> None:
        self.builder, self.parent, self.action, self.words = builder, parent, action, words

    def __str__(self) -> str:
        return self.words if self.parent == NO_PARENT else f"the node after {self.action!r} at {self.builder.place(self.parent)}"


class _Reader:
    """Walks through nested data, however deep, and adds one node after the other."""

    def __init__(self, title: str, names: Any) -> None:
        if not isinstance(names, Mapping):
            raise ZermeloError("`nodes` of the tree must be an object: {NAME: NODE, …}.")
        self.builder, self.names = TreeBuilder(title), names
        self.used: dict[str, int] = {}  # name → the node that refers to it

    def read(self, root: Any) -> None:
        waiting: list[tuple[int, int, str, Any, Any, Any]] = [
            (0, NO_PARENT, "", None, 0, root)
        ]  # depth, parent, action, weight, cost, item
        line: list[int] = []  # identities of the items from the root to the present one
        on_line: set[int] = set()
        while waiting:
            depth, parent, action, weight, cost, item = waiting.pop()
            while len(line) > depth:
                on_line.discard(line.pop())
            where = _Where(self.builder, parent, action)
            item = self._resolve(item, parent, where, on_line)
            if len(self.builder.movers) >= MOST:
                raise ZermeloError(f"The tree has more than {MOST:,} nodes; data that is shared counts as often as it is used.")
            if not isinstance(item, Mapping) or "actions" not in item:
                self._end(item, parent, action, weight, cost, where)
                continue
            line.append(id(item))
            on_line.add(id(item))
            node = self._branch(item, parent, action, weight, cost, where)
            waiting.extend(reversed([(depth + 1, node, *child) for child in self._children(item, where)]))

    def _resolve(self, item: Any, parent: int, where: "_Where", on_line: set[int]) -> Any:
        """What a reference stands for; refuses a node that returns to itself and a name that is used twice."""
        if isinstance(item, Mapping) and "node" in item:
            name = item["node"]
            if name not in self.names:
                raise ZermeloError(f"`nodes` does not have {name!r}, which is {where}: {nearest(str(name), self.names)}")
            if id(self.names[name]) not in on_line:
                if name in self.used:
                    raise ZermeloError(
                        f"The node {name!r} has two parents, {self.builder.place(self.used[name])} and {self.builder.place(parent)}; "
                        "a tree's node has one, so write it twice."
                    )
                self.used[name] = parent
            item = self.names[name]
        if id(item) in on_line:
            label = item.get("label") or next((name for name, node in self.names.items() if node is item), "")
            raise ZermeloError(f"The tree has a cycle: {where} is {f'{label}, ' if label else ''}one of the nodes that led there.")
        return item

    def _end(self, item: Any, parent: int, action: str, weight: Any, cost: Any, where: "_Where") -> None:
        fields: Mapping[str, Any] = item if isinstance(item, Mapping) else {"payoff": item}
        _known(fields, LEAF_FIELDS, where)
        payoff = fields.get("payoff")
        if payoff is None:
            raise ZermeloError(f"A payoff is missing at {where}: an end needs `payoff`, any other node `player` and `actions`.")
        several = isinstance(payoff, list | tuple)
        value = tuple(_number(each, "The payoff", where) for each in payoff) if several else _number(payoff, "The payoff", where)
        label, judged = str(fields.get("label", "")), bool(fields.get("judged", False))
        node = self.builder.end(parent, action, value, label=label, weight=weight, cost=cost, judged=judged)
        if "board" in fields:
            self.builder.boards[node] = fields["board"]

    def _branch(self, item: Mapping[str, Any], parent: int, action: str, weight: Any, cost: Any, where: "_Where") -> int:
        _known(item, NODE_FIELDS, where)
        if not isinstance(item["actions"], Mapping):
            raise ZermeloError(f"`actions` at {where} must be an object: {{ACTION: NODE, …}}.")
        if not item["actions"]:
            raise ZermeloError(f"There is no action at {where}; an end has a `payoff` instead.")
        information = item.get("information")
        node = self.builder.branch(
            parent,
            action,
            _mover(item.get("player"), where),
            label=str(item.get("label", "")),
            weight=weight,
            information=None if information is None else str(information),
            cost=cost,
        )
        if "board" in item:
            self.builder.boards[node] = item["board"]
        return node

    def _children(self, item: Mapping[str, Any], where: "_Where") -> Iterator[tuple[str, Any, Any, Any]]:
        """(action, weight, cost, child) for every action of a node."""
        weights = _per_action(item, "weights", where)
        costs = _per_action(item, "costs", where)
        chance = _mover(item.get("player"), where) == CHANCE
        for action, child in item["actions"].items():
            if chance and action not in weights:
                raise ZermeloError(f"The weight of {action!r} is missing at {where}: chance needs `weights`, a number for every action.")
            yield str(action), weights.get(action) if chance else None, costs.get(action, 0), child


def _known(fields: Mapping[str, Any], allowed: set[str], where: "_Where") -> None:
    if isinstance(fields, Repeated):
        raise ZermeloError(f"Two entries at {where} have the name {fields.keys_twice[0]!r}; give each its own.")
    for field in fields:
        if field not in allowed:
            raise ZermeloError(f"There is an unknown entry {field!r} at {where}: {nearest(str(field), sorted(allowed))}")
    actions = fields.get("actions")
    if isinstance(actions, Repeated):
        raise ZermeloError(f"Two actions at {where} have the label {actions.keys_twice[0]!r}; give each its own.")


def _mover(player: Any, where: "_Where") -> int:
    if isinstance(player, str) and player.lower() in MOVERS:
        return MOVERS[player.lower()]
    if isinstance(player, int) and not isinstance(player, bool) and player >= 1:
        return player - 1
    raise ZermeloError(f'`player` at {where} is {player!r}; write "Max", "Min", "Chance" or a number from 1.')


def _per_action(item: Mapping[str, Any], name: str, where: "_Where") -> dict[str, Any]:
    numbers = item.get(name, {})
    if not isinstance(numbers, Mapping):
        raise ZermeloError(f"`{name}` at {where} must be an object: {{ACTION: number, …}}.")
    for action in numbers:
        if action not in item["actions"]:
            raise ZermeloError(f"`{name}` at {where} has {action!r}, which is not an action: {nearest(str(action), item['actions'])}")
    return {action: _number(number, f"`{name}` of {action!r}", where) for action, number in numbers.items()}


def _number(value: Any, what: str, where: "_Where | str") -> Any:
    """A number as it is, a string such as "1/3" as a Fraction."""
    if isinstance(value, str):
        try:
            return Fraction(exact_number(value))
        except (ValueError, ZeroDivisionError):
            shown = value if len(value) <= 40 else f"{value[:40]}…"
            raise ZermeloError(
                f'{what} at {where} is {shown!r}, which is not a number up to 1e{LARGEST}; write it like -1, 0.5 or "1/3".'
            ) from None
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise ZermeloError(f'{what} at {where} is {value!r}, which is not a number; write it like -1, 0.5 or "1/3".')
    if abs(value) > 10**LARGEST:
        raise ZermeloError(f"{what} at {where} is beyond 1e{LARGEST}: give a smaller number.")
    return value


def tree_to_data(tree: Tree) -> dict[str, Any]:
    """Nested data of a tree; `tree_from_data` is its inverse. Trees deeper than 60 levels come with named nodes instead of nested ones."""
    depths = [0] * len(tree)
    for node in range(1, len(tree)):
        depths[node] = depths[tree.parents[node]] + 1
    named = max(depths) > NESTED
    names: dict[str, Any] = {}
    items: list[Any] = [None] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        items[node] = _item(tree, node, [items[child] for child in tree.children[node]])
        if named and node != ROOT and tree.children[node]:
            names[str(node)], items[node] = items[node], {"node": str(node)}
    head: dict[str, Any] = {"format": FORMAT}
    if tree.title:
        head["title"] = tree.title
    head |= {"players": tree.players, "total": None if tree.total is None else plain_number(tree.total), "root": items[ROOT]}
    if tree.names:
        head["names"] = list(tree.names)
    if named:
        head["nodes"] = dict(reversed(names.items()))
    return head


def _item(tree: Tree, node: int, below: list[Any]) -> Any:
    """One node as data, with its children's data inside."""
    children = tree.children[node]
    label, board = tree.labels[node], tree.board(node) if tree.board is not None else None
    if not children:
        payoff = tree.utility(node)
        plain = [plain_number(each) for each in payoff] if isinstance(payoff, tuple) else plain_number(payoff)
        if not label and node not in tree.judged and board is None:
            return plain
        item: dict[str, Any] = {"payoff": plain}
    else:
        mover, names = tree.movers[node], [tree.choices[child] for child in children]
        item = {"player": {CHANCE: "Chance", MAX: "Max", MIN: "Min"}.get(mover, mover + 1), "actions": dict(zip(names, below, strict=True))}
        if mover == CHANCE:
            item["weights"] = {tree.choices[child]: plain_number(tree.weights[child]) for child in children}
        if tree.costs and any(tree.costs[child] for child in children):
            item["costs"] = {tree.choices[child]: plain_number(tree.costs[child]) for child in children}
        if tree.informations[node] is not None:
            item["information"] = tree.informations[node]
    if label:
        item["label"] = label
    if node in tree.judged:
        item["judged"] = True
    if board is not None:
        item["board"] = board
    return item


def plain_number(value: Any) -> Any:
    """Fractions as strings such as "1/3", whole ones included; other numbers as they are."""
    return str(value) if isinstance(value, Fraction) else value
