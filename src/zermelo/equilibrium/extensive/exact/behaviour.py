"""Information sets of a tree, and behaviour strategies on them: a probability for every action of every set."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from zermelo.equilibrium.matrix.profile import Mixed
from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Game, player_name
from zermelo.trees.matrix import Number, exact
from zermelo.trees.tree import ROOT, Tree
from zermelo.trees.unfolding import unfold

__all__ = ["Behaviour", "InformationSet", "information_sets", "tree_of"]


@dataclass(frozen=True)
class InformationSet:
    """Nodes that the player who moves there cannot tell apart."""

    player: int
    nodes: tuple[int, ...]
    actions: tuple[str, ...]
    last: tuple[int, int] | None  # the player's own last (set, action) before the first node; None: there was none
    other_past: int | None  # a node of the set before which the player's own last choice was another: imperfect recall

    def name(self, tree: Tree) -> str:
        """The set in words: its text, its node's label, or how it is reached."""
        first = self.nodes[0]
        return tree.informations[first] or tree.labels[first] or tree.place(first)


def tree_of(game: Game, limit: int | None = None) -> Tree:
    """The game's tree, whose players have the game's names."""
    if isinstance(game, Tree):
        return game
    tree = unfold(game) if limit is None else unfold(game, limit=limit)
    return replace(tree, names=tuple(player_name(game, player) for player in range(game.players)))


def information_sets(tree: Tree) -> tuple[tuple[InformationSet, ...], ...]:
    """[player] his information sets, in the order of their first nodes."""
    nodes_of: list[list[list[int]]] = [[] for _ in range(tree.players)]
    number_of: dict[Any, int] = {}
    place_of: dict[int, int] = {}
    order = preorder(tree)
    for node in order:
        mover, text = tree.movers[node], tree.informations[node]
        if not tree.children[node] or mover == CHANCE:
            continue
        key = (mover, text) if text is not None else node
        if key not in number_of:
            number_of[key] = len(nodes_of[mover])
            nodes_of[mover].append([])
        nodes_of[mover][number_of[key]].append(node)
        place_of[node] = number_of[key]
    last = _last_choices(tree, order, place_of)
    return tuple(tuple(_information_set(tree, player, nodes, last) for nodes in own) for player, own in enumerate(nodes_of))


def preorder(tree: Tree) -> list[int]:
    """All nodes, each before its children, the first child's part before the second's."""
    found, waiting = [], [ROOT]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting.extend(reversed(tree.children[node]))
    return found


Choice = tuple[int, int]  # (the player's information set, action)


def _last_choices(tree: Tree, order: list[int], place_of: dict[int, int]) -> dict[int, Choice | None]:
    """[node] the mover's own last choice before it. Sets before that are told by the set of that choice, and so on."""
    found: dict[int, Choice | None] = {}
    own: dict[int, tuple[Choice | None, ...]] = {ROOT: (None,) * tree.players}
    for node in order:
        last, mover = own.pop(node), tree.movers[node]
        if mover >= 0:
            found[node] = last[mover]
        for action, child in enumerate(tree.children[node]):
            own[child] = (*last[:mover], (place_of[node], action), *last[mover + 1 :]) if mover >= 0 else last
    return found


def _information_set(tree: Tree, player: int, nodes: list[int], last: dict[int, Choice | None]) -> InformationSet:
    first = nodes[0]
    actions = tuple(tree.choices[child] for child in tree.children[first])
    other = next((node for node in nodes[1:] if last[node] != last[first]), None)
    return InformationSet(player, tuple(nodes), actions, last[first], other)


@dataclass(frozen=True)
class Behaviour:
    """What every player does at every information set."""

    tree: Tree
    sets: tuple[tuple[InformationSet, ...], ...]  # [player]
    probabilities: tuple[tuple[Mixed, ...], ...]  # [player][set][action]

    @classmethod
    def of(cls, tree: Tree, probabilities: Sequence[Sequence[Sequence[Number]]]) -> "Behaviour":
        """The behaviour, checked against the tree's information sets."""
        sets = information_sets(tree)
        given = tuple(tuple(tuple(actions) for actions in own) for own in probabilities)
        shapes = tuple(tuple(len(each.actions) for each in own) for own in sets)
        if tuple(tuple(map(len, own)) for own in given) != shapes:
            raise ZermeloError("The behaviour does not fit the tree: it needs one probability for every action of every information set.")
        for own, own_sets in zip(given, sets, strict=True):
            for actions, each in zip(own, own_sets, strict=True):
                total = sum(actions)
                slack = 1e-9 if isinstance(total, float) else 0
                if not -slack <= total - 1 <= slack or min(actions) < 0:
                    raise ZermeloError(
                        f"The probabilities at {each.name(tree)} add up to {total}; they must be at least 0 and add up to 1."
                    )
        return cls(tree, sets, given)

    def reaches(self) -> list[Number]:
        """[node] the probability that the game comes there."""
        tree = self.tree
        place_of = {node: (player, place) for player, own in enumerate(self.sets) for place, each in enumerate(own) for node in each.nodes}
        found: list[Number] = [Fraction(1)] * len(tree)
        for node in preorder(tree):
            below = tree.children[node]
            if not below:
                continue
            if node in place_of:
                player, place = place_of[node]
                weights: Sequence[Number] = self.probabilities[player][place]
            else:
                total = sum(exact(tree.weights[child]) for child in below)
                weights = [exact(tree.weights[child]) / total for child in below]
            for child, weight in zip(below, weights, strict=True):
                found[child] = found[node] * weight
        return found

    def value(self) -> tuple[Number, ...]:
        """[player] expected payoff, counted in the tree; costs are not taken off."""
        reaches = self.reaches()
        ends = [(node, payoffs) for node, payoffs in enumerate(self.tree.utilities) if payoffs is not None and reaches[node]]
        return tuple(
            sum((reaches[node] * exact(payoffs[player]) for node, payoffs in ends), Fraction(0)) for player in range(self.tree.players)
        )

    def named(self) -> dict[str, dict[str, Number]]:
        """Information set → action → probability, in words; sets of two players with one name are told apart by the player."""
        names = [each.name(self.tree) for own in self.sets for each in own]
        found = {}
        for player, (own_sets, own) in enumerate(zip(self.sets, self.probabilities, strict=True)):
            for place, (each, actions) in enumerate(zip(own_sets, own, strict=True)):
                words = each.name(self.tree)
                name = words if names.count(words) == 1 else f"{player_name(self.tree, player)}: {words}"
                while name in found:
                    name = f"{name} #{place + 1}"
                found[name] = dict(zip(each.actions, actions, strict=True))
        return found
