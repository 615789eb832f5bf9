"""Trees as matrices: every strategy of every player in a table, and the way between mixed and behaviour strategies.

A pure strategy is a plan: an action for each of the player's information sets. The *full* normal form has all plans. The *reduced* one
leaves open (written `*`) what a plan would do at information sets that its own earlier choices rule out; plans that differ only there are
one.

A mixed strategy draws a plan before the game, a behaviour strategy draws an action at each information set. For players who remember what
they knew and did (perfect recall) the two can do the same (Kuhn 1953); `behaviour` and `mixed` translate.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from zermelo.equilibrium.extensive.exact.behaviour import Behaviour, InformationSet, information_sets, tree_of
from zermelo.equilibrium.matrix.profile import Mixed, judge
from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Game, player_name
from zermelo.trees.matrix import Matrix, Number, exact
from zermelo.trees.tree import ROOT, Tree

__all__ = ["MIXED_ONLY", "NormalForm", "Plan", "forgetting", "normal_form"]

Plan = tuple[int | None, ...]  # [the player's information set] action; None: the plan's own choices never lead there

MOST_CELLS = 5_000_000  # payoffs of one player that a table may have
MOST_PLANS = 100_000
MIXED_ONLY = "Strategies are mixed: plans drawn before the game; behaviour strategies may not do the same."


@dataclass(frozen=True)
class NormalForm:
    """A tree's table, and what its strategies mean in the tree."""

    tree: Tree
    matrix: Matrix
    sets: tuple[tuple[InformationSet, ...], ...]  # [player]
    plans: tuple[tuple[Plan, ...], ...]  # [player][strategy of the matrix]
    reduced: bool

    def behaviour(self, strategies: Sequence[Sequence[Number]]) -> Behaviour:
        """Behaviour strategies that do the same as these mixed ones; all actions are equally likely where a player never gets."""
        judge(self.matrix, strategies)
        require_recall(self.tree, self.sets)
        chosen = []
        for own_sets, plans, mixed in zip(self.sets, self.plans, strategies, strict=True):
            totals: list[list[Any]] = [[Fraction(0)] * len(own.actions) for own in own_sets]
            for plan, weight in zip(plans, mixed, strict=True):
                if weight:
                    for place in reached(own_sets, plan):
                        totals[place][plan[place] or 0] += weight
            chosen.append(tuple(_conditional(each) for each in totals))
        return Behaviour(self.tree, self.sets, tuple(chosen))

    def mixed(self, behaviour: Behaviour) -> tuple[Mixed, ...]:
        """Mixed strategies that do the same as this behaviour: a plan is as likely as all its actions together."""
        if behaviour.sets != self.sets:
            raise ZermeloError("The behaviour belongs to another tree than this normal form.")
        return tuple(
            tuple(
                math.prod((actions[action] for actions, action in zip(own, plan, strict=True) if action is not None), start=Fraction(1))
                for plan in plans
            )
            for own, plans in zip(behaviour.probabilities, self.plans, strict=True)
        )


def _conditional(weights: list[Any]) -> Mixed:
    total = sum(weights)
    if not total:
        return (Fraction(1, len(weights)),) * len(weights)
    return tuple(weight / total for weight in weights)


def normal_form(game: Game, reduced: bool = True, limit: int = MOST_CELLS) -> NormalForm:
    """The table of a tree, or of any finite game; a matrix game's is its own."""
    tree = tree_of(game)
    sets = information_sets(tree)
    plans = tuple(tuple(_plans(tree, player, own, reduced)) for player, own in enumerate(sets))
    cells = math.prod(map(len, plans))
    if cells > limit:
        raise ZermeloError(
            f"The normal form has {' × '.join(f'{len(each):,}' for each in plans)} = {cells:,} profiles, more than {limit:,}: "
            f"use a method for trees, such as {'lcp' if tree.players == 2 else 'sequential'} or cfr+."
        )
    names = tree.names or tuple(player_name(tree, player) for player in range(tree.players))
    strategies = tuple(tuple(_plan_name(own, plan) for plan in each) for own, each in zip(sets, plans, strict=True))
    return NormalForm(tree, Matrix(strategies, _tables(tree, sets, plans), names, tree.title), sets, plans, reduced)


def _plan_name(own: Sequence[InformationSet], plan: Plan) -> str:
    """The actions in a row, as in `Left/Right`; a player without information sets has one plan, to wait."""
    return "/".join("*" if action is None else each.actions[action] for each, action in zip(own, plan, strict=True)) or "wait"


def _plans(tree: Tree, player: int, own: Sequence[InformationSet], reduced: bool) -> Iterator[Plan]:
    """All plans, in the order of their actions, the last information set changing fastest; `*` comes before any action."""
    everything = math.prod(len(each.actions) for each in own)
    if not reduced or not own:
        if everything > MOST_PLANS:
            raise ZermeloError(f"{player_name(tree, player)} has {everything:,} plans: use the reduced normal form, or a method for trees.")
        return iter(product(*(range(len(each.actions)) for each in own)))
    if recall_fault(tree, own) is None:
        found = _reduced_plans(tree, player, own)
    else:  # what a plan rules out cannot be told set by set: try all plans
        if everything > MOST_PLANS:
            raise ZermeloError(f"{player_name(tree, player)} has {everything:,} plans and no perfect recall: the normal form is too large.")
        found = {_ruled_out(tree, player, own, plan) for plan in product(*(range(len(each.actions)) for each in own))}
    return iter(sorted(found, key=lambda plan: [-1 if action is None else action for action in plan]))


def _reduced_plans(tree: Tree, player: int, own: Sequence[InformationSet]) -> set[Plan]:
    """With perfect recall a set is reached exactly if the plan takes the own actions that lead to it, which all its nodes share."""
    partial: list[dict[int, int]] = [{}]
    for place, each in enumerate(own):  # sets come after those of the choices that lead to them
        grown: list[dict[int, int]] = []
        for plan in partial:
            if each.last is None or plan.get(each.last[0]) == each.last[1]:
                grown.extend({**plan, place: action} for action in range(len(each.actions)))
            else:
                grown.append(plan)
        if len(grown) > MOST_PLANS:
            raise ZermeloError(
                f"{player_name(tree, player)} has more than {MOST_PLANS:,} plans: "
                f"use a method for trees, such as {'lcp' if tree.players == 2 else 'sequential'} or cfr+."
            )
        partial = grown
    return {tuple(plan.get(place) for place in range(len(own))) for plan in partial}


def reached(own: Sequence[InformationSet], plan: Plan) -> list[int]:
    """The sets that the plan's own choices do not rule out, in a game of perfect recall."""
    found: dict[int, None] = {}
    for place, each in enumerate(own):
        if each.last is None or (each.last[0] in found and plan[each.last[0]] == each.last[1]):
            found[place] = None
    return list(found)


def _ruled_out(tree: Tree, player: int, own: Sequence[InformationSet], plan: Plan) -> Plan:
    """The plan with `None` at the sets that cannot be reached under it, whatever the others do."""
    place_of = {node: place for place, each in enumerate(own) for node in each.nodes}
    seen: set[int] = set()
    waiting = [ROOT]
    while waiting:
        node = waiting.pop()
        if tree.movers[node] == player:
            place = place_of[node]
            seen.add(place)
            waiting.append(tree.children[node][plan[place] or 0])
        else:
            waiting.extend(tree.children[node])
    return tuple(action if place in seen else None for place, action in enumerate(plan))


def _tables(tree: Tree, sets: Sequence[Sequence[InformationSet]], plans: Sequence[Sequence[Plan]]) -> tuple[tuple[Number, ...], ...]:
    """Every end's payoffs, times its chance, go to all profiles that lead to it."""
    shape = [len(each) for each in plans]
    steps = [math.prod(shape[player + 1 :]) for player in range(len(shape))]
    tables: list[list[Fraction]] = [[Fraction(0)] * math.prod(shape) for _ in plans]
    matching: dict[tuple[int, tuple[tuple[int, int], ...]], list[int]] = {}
    for payoffs, chance, wanted in _ends(tree, sets):
        for player, choices in enumerate(wanted):
            if (player, choices) not in matching:
                fits = [number for number, plan in enumerate(plans[player]) if all(plan[place] == action for place, action in choices)]
                matching[player, choices] = [number * steps[player] for number in fits]
        amounts = [exact(payoff) * chance for payoff in payoffs]
        for numbers in product(*(matching[player, choices] for player, choices in enumerate(wanted))):
            cell = sum(numbers)
            for table, amount in zip(tables, amounts, strict=True):
                if amount:
                    table[cell] += amount
    return tuple(tuple(int(payoff) if payoff.denominator == 1 else payoff for payoff in table) for table in tables)


def _ends(
    tree: Tree, sets: Sequence[Sequence[InformationSet]]
) -> Iterator[tuple[tuple[Number, ...], Fraction, list[tuple[tuple[int, int], ...]]]]:
    """Every end that can happen: payoffs less costs, its chance, and the (set, action) that each player must choose."""
    place_of = {node: place for own in sets for place, each in enumerate(own) for node in each.nodes}
    none: list[tuple[tuple[int, int], ...]] = [()] * tree.players
    waiting: list[tuple[int, Fraction, Any, list[tuple[tuple[int, int], ...]]]] = [(ROOT, Fraction(1), 0, none)]
    while waiting:
        node, chance, cost, wanted = waiting.pop()
        mover, below = tree.movers[node], tree.children[node]
        if not below:
            payoffs = tree.utilities[node] or ()
            yield tuple(exact(payoff) - cost if cost else payoff for payoff in payoffs), chance, wanted
            continue
        weights = chances(tree, node) if mover == CHANCE else None
        for action, child in enumerate(below):
            spent = cost + exact(tree.costs[child]) if tree.costs else cost
            if weights is not None:
                if weights[action]:
                    waiting.append((child, chance * weights[action], spent, wanted))
                continue
            choice = (place_of[node], action)
            own = wanted[mover]
            if any(place == choice[0] and taken != action for place, taken in own):
                continue  # a player who forgets meets the set again, and a plan chooses the same there
            longer = own if choice in own else (*own, choice)
            waiting.append((child, chance, spent, [*wanted[:mover], longer, *wanted[mover + 1 :]]))


def chances(tree: Tree, node: int) -> list[Fraction]:
    """Exact probabilities of a chance node's outcomes."""
    weights = [exact(tree.weights[child]) for child in tree.children[node]]
    total = sum(weights)
    return [weight / total for weight in weights]


def recall_fault(tree: Tree, own: Sequence[InformationSet]) -> tuple[int, int] | None:
    """Two nodes of one information set with different own pasts, where there are any."""
    for each in own:
        if each.other_past is not None:
            return each.nodes[0], each.other_past
    return None


def forgetting(tree: Tree, sets: Sequence[Sequence[InformationSet]]) -> str | None:
    """The sentence that names two histories which a player has forgotten how to tell apart; None where nobody forgets."""
    for player, own in enumerate(sets):
        fault = recall_fault(tree, own)
        if fault is not None:
            first, second = (tree.place(node) for node in fault)
            return (
                f"The tree has imperfect recall: {player_name(tree, player)} cannot tell {first} from {second}, although his own choices "
                "before them differ, so mixed and behaviour strategies are not the same there."
            )
    return None


def require_recall(tree: Tree, sets: Sequence[Sequence[InformationSet]]) -> None:
    """Raise where a player forgets; the two histories are named."""
    fault = forgetting(tree, sets)
    if fault is not None:
        raise ZermeloError(fault)
