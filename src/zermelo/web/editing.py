"""Trees as the page edits them: nested, with the actions of a node in a list, because objects of a browser do not keep their order."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, MIN
from zermelo.trees.backward_induction import BackwardInduction
from zermelo.trees.builder import TreeBuilder
from zermelo.trees.data import Repeated, plain_number, tree_from_data
from zermelo.trees.tree import NO_PARENT, ROOT, Tree

__all__ = ["ORDERS", "editable", "ordered", "tree_from_editable"]

ORDERS = ("drawn", "best", "worst", "shuffled")
DEEPEST = 150  # levels of a tree that a page may send


def editable(tree: Tree) -> dict[str, Any]:
    """A tree as nested data; `tree_from_editable` is its inverse, boards apart."""
    items: list[dict[str, Any]] = [{} for _ in range(len(tree))]
    for node in range(len(tree) - 1, -1, -1):
        items[node] = _item(tree, node, [items[child] for child in tree.children[node]])
    total = None if tree.total is None else plain_number(tree.total)
    return {"title": tree.title, "players": tree.players, "total": total, "names": list(tree.names), "root": items[ROOT]}


def _item(tree: Tree, node: int, below: list[dict[str, Any]]) -> dict[str, Any]:
    label = {"label": tree.labels[node]} if tree.labels[node] else {}
    if not below:
        payoff = tree.utility(node)
        plain = [plain_number(each) for each in payoff] if isinstance(payoff, tuple) else plain_number(payoff)
        return {"payoff": plain, **label, **({"judged": True} if node in tree.judged else {})}
    actions = []
    for child, item in zip(tree.children[node], below, strict=True):
        action: dict[str, Any] = {"name": tree.choices[child], "node": item}
        if tree.movers[node] == CHANCE:
            action["weight"] = plain_number(tree.weights[child])
        if tree.costs:
            action["cost"] = plain_number(tree.costs[child])
        actions.append(action)
    mover = {CHANCE: "Chance", MAX: "Max", MIN: "Min"}.get(tree.movers[node], tree.movers[node] + 1)
    information = {} if tree.informations[node] is None else {"information": tree.informations[node]}
    return {"player": mover, "actions": actions, **label, **information}


def tree_from_editable(data: Any) -> Tree:
    """The tree that a page has sent; a ZermeloError names the node that is at fault."""
    if not isinstance(data, Mapping) or "root" not in data:
        raise ZermeloError("A tree needs a root.")
    head: dict[str, Any] = {"title": str(data.get("title", ""))[:200], "root": _nested(data["root"], 0)}
    if "players" in data:
        head["players"] = data["players"]
    if "total" in data:
        head["total"] = data["total"]
    if data.get("names"):
        head["names"] = data["names"]
    return tree_from_data(head)


def _nested(item: Any, depth: int) -> Any:
    if depth > DEEPEST:
        raise ZermeloError(f"The tree is more than {DEEPEST} levels deep, too deep for the page.")
    if not isinstance(item, Mapping) or not isinstance(item.get("actions"), list):
        return item
    names = [str(action.get("name", "")) for action in item["actions"] if isinstance(action, Mapping)]
    actions = Repeated(
        {str(action.get("name", "")): _nested(action.get("node"), depth + 1) for action in item["actions"] if isinstance(action, Mapping)}
    )
    node: dict[str, Any] = {key: value for key, value in item.items() if key in ("player", "label", "information")}
    node["actions"] = dict(actions)
    if len(actions) < len(names):
        actions.keys_twice = tuple(name for name in actions if names.count(name) > 1)
        node["actions"] = actions
    for part, many in (("weight", "weights"), ("cost", "costs")):
        given = {str(action.get("name", "")): action[part] for action in item["actions"] if isinstance(action, Mapping) and part in action}
        if given and (part != "weight" or item.get("player") == "Chance"):
            node[many] = given
    return node


def ordered(tree: Tree, how: str, seed: int = 0) -> Tree:
    """The same game with the actions of every player in another order: best or worst first, or shuffled; chance keeps its own."""
    if how == "drawn":
        return tree
    values = {} if how == "shuffled" else BackwardInduction(perfect_information=True).search(tree).values
    dice = random.Random(seed)

    def arranged(node: int) -> list[int]:
        below, mover = list(tree.children[node]), tree.movers[node]
        if mover == CHANCE or tree.informations[node] is not None:  # nodes of one information set have one order
            return below
        if how == "shuffled":
            dice.shuffle(below)
            return below
        return sorted(below, key=lambda child: _gain(tree, values[child], mover), reverse=how == "best")

    builder = TreeBuilder(tree.title)
    waiting = [(NO_PARENT, ROOT)]
    while waiting:
        parent, node = waiting.pop()
        weight, cost = tree.weights[node], tree.costs[node] if tree.costs else 0
        if tree.states:
            builder.states.append(tree.states[node])
        if not tree.children[node]:
            payoff, judged = tree.utilities[node], node in tree.judged
            builder.end(parent, tree.choices[node], payoff, label=tree.labels[node], weight=weight, cost=cost, judged=judged)
            continue
        number = builder.branch(
            parent,
            tree.choices[node],
            tree.movers[node],
            label=tree.labels[node],
            weight=weight,
            information=tree.informations[node],
            cost=cost,
        )
        waiting.extend((number, child) for child in reversed(arranged(node)))
    return replace(builder.tree(players=tree.players, total=tree.total, source=tree.source), names=tree.names)


def _gain(tree: Tree, value: Any, mover: int) -> float:
    """What a value is worth to a player."""
    if isinstance(value, tuple | list):
        return float(value[mover])
    return float(-value if mover == MIN and tree.players == 2 else value)
