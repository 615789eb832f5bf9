"""Subgame perfection: equilibria that are equilibria in every subgame, found from the ends of the tree upwards.

A subgame begins at a node below which no information set reaches outside. Each is solved once everything below it is solved: smaller
subgames inside it stand for their values. Where a smaller subgame has several values, each of them is tried, so that ties are kept. With
perfect information every node begins a subgame, and this is backward induction with all ties, for any number of players and any sums.

pure   all subgame-perfect equilibria in pure strategies: at every information set one action for certain
all    two players: every extreme equilibrium of each subgame; more players: every isolated one (see `supports`)
"""

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import Any, Literal, NamedTuple

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.extensive.exact.behaviour import Behaviour, information_sets, preorder, tree_of
from zermelo.equilibrium.extensive.exact.normal_form import chances, normal_form
from zermelo.equilibrium.matrix.lemke_howson import LemkeHowson
from zermelo.equilibrium.matrix.polytope import TooManyVerticesError
from zermelo.equilibrium.matrix.profile import Mixed
from zermelo.equilibrium.matrix.pure_equilibria import pure_profiles
from zermelo.equilibrium.matrix.supports import SupportEnumeration
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.errors import ZermeloError
from zermelo.results import Tabular
from zermelo.rules import CHANCE, Game
from zermelo.trees.builder import TreeBuilder
from zermelo.trees.matrix import exact
from zermelo.trees.tree import NO_PARENT, ROOT, Tree

__all__ = ["SubgamePerfect", "SubgamePerfectEquilibrium", "SubgamePerfectResult", "subgame_roots"]

Value = tuple[Fraction, ...]  # [player]
Key = tuple[int, int]  # (player, number of the information set)


@dataclass(frozen=True)
class Option:
    """One solution of one subgame, given which value each subgame directly inside it has."""

    actions: dict[Key, Mixed]  # at the information sets between this subgame's root and the roots inside
    inside: tuple[tuple[int, Value], ...]  # (root, value)


class Marked(NamedTuple):
    """Values and choices at the nodes of a tree, as pictures mark them."""

    state: int  # the root of what is drawn
    values: list[Any]  # [node] Max's value, or one per player
    optimal: dict[int, tuple[int, ...]]  # node → the actions that are played
    line: tuple[int, ...]  # actions from the root on, as long as they are certain


@dataclass(frozen=True)
class SubgamePerfectEquilibrium:
    """What every player does everywhere, on the way of play and off it."""

    behaviour: Behaviour
    value: Value

    def choices(self) -> dict[int, int]:
        """Node → action, at every node where one action is certain: what a picture of the tree marks."""
        found = {}
        for own_sets, own in zip(self.behaviour.sets, self.behaviour.probabilities, strict=True):
            for each, actions in zip(own_sets, own, strict=True):
                if 1 in actions:
                    found.update(dict.fromkeys(each.nodes, actions.index(1)))
        return found

    def line(self) -> list[int]:
        """The nodes of play from the root on, as long as single actions are certain."""
        tree, choices, nodes = self.behaviour.tree, self.choices(), [ROOT]
        while nodes[-1] in choices:
            nodes.append(tree.children[nodes[-1]][choices[nodes[-1]]])
        return nodes

    def on_tree(self) -> "Marked":
        """What a picture of the tree shows: the value of every node, the actions that are played there, and the line of play."""
        tree, place_of = self.behaviour.tree, {}
        for own_sets, own in zip(self.behaviour.sets, self.behaviour.probabilities, strict=True):
            for each, actions in zip(own_sets, own, strict=True):
                place_of.update(dict.fromkeys(each.nodes, actions))
        values: list[Value] = [()] * len(tree)
        optimal: dict[int, tuple[int, ...]] = {}
        for node in reversed(preorder(tree)):
            below = tree.children[node]
            if not below:
                values[node] = tuple(exact(payoff) for payoff in tree.utilities[node] or ())
                continue
            weights = [Fraction(weight) for weight in place_of[node]] if node in place_of else chances(tree, node)
            pairs = list(zip(weights, below, strict=True))
            values[node] = tuple(
                sum((weight * values[child][player] for weight, child in pairs), Fraction(0)) for player in range(tree.players)
            )
            if node in place_of:
                optimal[node] = tuple(action for action, weight in enumerate(weights) if weight)
        nodes = self.line()
        line = tuple(tree.children[node].index(after) for node, after in pairwise(nodes))
        single = tree.players == 1 or (tree.players == 2 and tree.total is not None)
        return Marked(ROOT, [value[0] if single else value for value in values], optimal, line)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "value": [float(worth) for worth in self.value],
            "strategies": {name: {key: float(each) for key, each in actions.items()} for name, actions in self.behaviour.named().items()},
        }


@dataclass(frozen=True, repr=False)
class SubgamePerfectResult(Tabular):
    """All subgame-perfect equilibria of a tree, or the first of very many."""

    tree: Tree
    kind: str
    subgames: tuple[int, ...]  # their roots, the whole tree's first
    count: int  # of all of them, also where only the first are listed
    equilibria: tuple[SubgamePerfectEquilibrium, ...]
    values: tuple[Value, ...]  # the different values of the whole tree
    seconds: float
    notes: tuple[str, ...] = field(default=())

    columns = ("value", "strategies")

    def summary(self) -> str:
        return f"{self.kind}: {self.count:,} subgame-perfect equilibria; {len(self.subgames)} subgames"

    def cells(self) -> Iterator[tuple[str, ...]]:
        for each in self.equilibria:
            sets = (f"{name}: {_mixed(actions)}" for name, actions in each.behaviour.named().items())
            yield ", ".join(map(str, each.value)), "; ".join(sets)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "method": "subgame-perfect",
            "kind": self.kind,
            "subgames": [self.tree.place(node) for node in self.subgames],
            "count": self.count,
            "values": [[float(worth) for worth in value] for value in self.values],
            "equilibria": [equilibrium.to_dict() for equilibrium in self.equilibria],
            "seconds": self.seconds,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class SubgamePerfect(WholeGame[SubgamePerfectResult]):
    """Subgame-perfect equilibria of a tree, or of any finite game."""

    kind: Literal["pure", "all"] = "pure"
    most: int = 1000  # equilibria that are listed; all are counted
    combinations: int = 100_000  # of values of the subgames directly inside one subgame

    def solve(self, game: Game) -> SubgamePerfectResult:
        """All of them, by solving the subgames one by one."""
        start = time.perf_counter()
        if self.kind not in ("pure", "all"):
            raise ZermeloError(f"There is no kind {self.kind} of subgame-perfect equilibrium: it is pure or all.")
        tree = tree_of(game)
        if tree.costs:
            raise ZermeloError("A tree with costs has one player: backward induction finds his best way.")
        solving = _Solving(tree, self)
        values = list(solving.solved[ROOT])
        count = sum(solving.count(ROOT, value) for value in values)
        equilibria = tuple(islice((each for value in values for each in solving.listed(value)), self.most))
        notes = [f"Only the first {self.most:,} of {count:,} equilibria are listed."] * (count > len(equilibria)) + solving.notes
        return SubgamePerfectResult(
            tree, self.kind, tuple(solving.roots), count, equilibria, tuple(values), time.perf_counter() - start, tuple(notes)
        )


def subgame_roots(tree: Tree) -> list[int]:
    """The nodes at which subgames begin, the whole tree's first: no information set reaches from below such a node to elsewhere."""
    order = preorder(tree)
    place = {node: number for number, node in enumerate(order)}
    last = {node: place[node] for node in order}  # the end of the part below, in this order
    low, high = dict(place), dict(place)  # how far the information sets at and below a node reach
    for each in (each for own in information_sets(tree) for each in own):
        reach = [place[node] for node in each.nodes]
        for node in each.nodes:
            low[node], high[node] = min(reach), max(reach)
    for node in reversed(order):
        if node != ROOT:
            parent = tree.parents[node]
            last[parent] = max(last[parent], last[node])
            low[parent] = min(low[parent], low[node])
            high[parent] = max(high[parent], high[node])
    return [node for node in order if tree.children[node] and low[node] >= place[node] and high[node] <= last[node]]


class _Solving:
    """The work on one tree."""

    def __init__(self, tree: Tree, wanted: SubgamePerfect) -> None:
        self.tree, self.wanted = tree, wanted
        self.sets = information_sets(tree)
        self.set_of: dict[int, Key] = {
            node: (player, number) for player, own in enumerate(self.sets) for number, each in enumerate(own) for node in each.nodes
        }
        self.roots = subgame_roots(tree)
        self.is_root = set(self.roots)
        self.notes: list[str] = []
        self.solved: dict[int, dict[Value, list[Option]]] = {}  # root → value → solutions
        self.counts: dict[tuple[int, Value], int] = {}
        if not self.roots:  # the tree is a single end
            self.solved[ROOT] = {self._payoffs(ROOT): [Option({}, ())]}
        for root in reversed(self.roots):
            self.solved[root] = self._solve(root)

    def _payoffs(self, node: int) -> Value:
        return tuple(exact(payoff) for payoff in self.tree.utilities[node] or ())

    def _inside(self, root: int) -> list[int]:
        """The roots of the subgames directly inside a subgame, in order."""
        found, waiting = [], list(reversed(self.tree.children[root]))
        while waiting:
            node = waiting.pop()
            if node in self.is_root:
                found.append(node)
            else:
                waiting.extend(reversed(self.tree.children[node]))
        return found

    def _solve(self, root: int) -> dict[Value, list[Option]]:
        """value → solutions of the subgame with that value."""
        inside = self._inside(root)
        number = math.prod(len(self.solved[each]) for each in inside)
        if number > self.wanted.combinations:
            raise ZermeloError(
                f"The subgame at {self.tree.place(root)} meets {number:,} combinations of values of the subgames inside it, "
                f"more than {self.wanted.combinations:,}: the tree has too many ties to try them all."
            )
        alone = all(child in self.is_root or not self.tree.children[child] for child in self.tree.children[root])
        found: dict[Value, list[Option]] = {}
        for combination in product(*(self.solved[each] for each in inside)):
            values = dict(zip(inside, combination, strict=True))
            pairs = tuple(values.items())
            for actions, value in self._single(root, values) if alone else self._stage(root, values):
                found.setdefault(value, []).append(Option(actions, pairs))
        if not found:
            kinds = "in pure strategies" if self.wanted.kind == "pure" else "among the isolated ones"
            self.notes.append(f"The subgame at {self.tree.place(root)} has no equilibrium {kinds}.")
        return found

    def _single(self, root: int, values: dict[int, Value]) -> Iterator[tuple[dict[Key, Mixed], Value]]:
        """A subgame in which one choice, or chance, comes before the subgames inside: every best action is a solution."""
        below = [values.get(child) or self._payoffs(child) for child in self.tree.children[root]]
        mover = self.tree.movers[root]
        if mover == CHANCE:
            weights = chances(self.tree, root)
            pairs = list(zip(weights, below, strict=True))
            yield {}, tuple(sum((weight * each[player] for weight, each in pairs), Fraction(0)) for player in range(self.tree.players))
            return
        best = max(each[mover] for each in below)
        for action, value in enumerate(below):
            if value[mover] == best:
                yield {self.set_of[root]: _certain(action, len(below))}, value

    def _stage(self, root: int, values: dict[int, Value]) -> Iterator[tuple[dict[Key, Mixed], Value]]:
        """A subgame with hidden information, the subgames inside replaced by their values: solved by its normal form."""
        stage, origin = self._cut(root, values)
        form = normal_form(stage, reduced=self.wanted.kind == "all")
        keys = [[self.set_of[origin[each.nodes[0]]] for each in own] for own in form.sets]
        if self.wanted.kind == "pure":
            for profile in pure_profiles(form.matrix):
                actions: dict[Key, Mixed] = {}
                for own, own_sets, plans, chosen in zip(keys, form.sets, form.plans, profile, strict=True):
                    for key, each, action in zip(own, own_sets, plans[chosen], strict=True):
                        actions[key] = _certain(action or 0, len(each.actions))
                yield actions, tuple(exact(payoff) for payoff in form.matrix.payoff(profile))
            return
        try:
            found = AllEquilibria().solve(form.matrix) if stage.players == 2 else SupportEnumeration().solve(form.matrix)
        except TooManyVerticesError as fault:
            found = LemkeHowson(exact=True).solve(form.matrix)
            self.notes.append(f"In the subgame at {self.tree.place(root)} one equilibrium was found: {fault}")
        self.notes.extend(f"In the subgame at {self.tree.place(root)}: {note}" for note in found.notes)
        for equilibrium in found.equilibria:
            behaviour = form.behaviour(equilibrium.strategies)
            mixed: dict[Key, Mixed] = {}
            for own_keys, probabilities in zip(keys, behaviour.probabilities, strict=True):
                mixed.update(zip(own_keys, probabilities, strict=True))
            yield mixed, tuple(Fraction(worth) for worth in equilibrium.value)

    def _cut(self, root: int, values: dict[int, Value]) -> tuple[Tree, list[int]]:
        """The subgame as a tree of its own in which the subgames inside are ends, and [its node] the node here."""
        tree, builder, origin = self.tree, TreeBuilder(self.tree.title), []
        waiting = [(root, NO_PARENT)]
        while waiting:
            node, parent = waiting.pop()
            origin.append(node)
            choice = tree.choices[node] if parent != NO_PARENT else ""
            weight = tree.weights[node] if parent != NO_PARENT else None
            if node != root and (node in values or not tree.children[node]):
                builder.end(parent, choice, values.get(node) or self._payoffs(node), weight=weight)
                continue
            number = builder.branch(parent, choice, tree.movers[node], weight=weight, information=tree.informations[node])
            waiting.extend((child, number) for child in reversed(tree.children[node]))
        return builder.tree(players=tree.players), origin

    def count(self, root: int, value: Value) -> int:
        """How many equilibria of the subgame have this value; every subgame inside multiplies."""
        if (root, value) not in self.counts:
            for each in reversed(self.roots):  # smaller subgames first, so that nothing recurses deeply
                for worth, options in self.solved[each].items():
                    if (each, worth) not in self.counts:
                        products = (math.prod(self.counts[pair] for pair in option.inside) for option in options)
                        self.counts[each, worth] = sum(products)
            self.counts.setdefault((root, value), len(self.solved[root][value]))
        return self.counts[root, value]

    def listed(self, value: Value) -> Iterator[SubgamePerfectEquilibrium]:
        """The equilibria of the whole tree with this value, one after the other."""
        # What is chosen so far and what is still open, both as linked pairs (first, rest) that alternatives share.
        waiting: list[tuple[Any, Any]] = [(None, ((ROOT, value), None))]
        while waiting:
            chosen, still_open = waiting.pop()
            if still_open is None:
                yield SubgamePerfectEquilibrium(self._behaviour(chosen), value)
                continue
            (root, worth), rest = still_open
            for option in reversed(self.solved[root][worth]):
                deeper = rest
                for pair in reversed(option.inside):
                    deeper = (pair, deeper)
                waiting.append(((option, chosen), deeper))

    def _behaviour(self, chosen: Any) -> Behaviour:
        actions: dict[Key, Mixed] = {}
        while chosen is not None:
            option, chosen = chosen
            actions.update(option.actions)
        probabilities = (tuple(actions[player, number] for number in range(len(own))) for player, own in enumerate(self.sets))
        return Behaviour(self.tree, self.sets, tuple(probabilities))


def _certain(action: int, size: int) -> Mixed:
    return tuple(Fraction(each == action) for each in range(size))


def _mixed(actions: Mapping[str, Any]) -> str:
    """One action, or those that are mixed with their probabilities."""
    return ", ".join(name if weight == 1 else f"{name} {weight}" for name, weight in actions.items() if weight)
