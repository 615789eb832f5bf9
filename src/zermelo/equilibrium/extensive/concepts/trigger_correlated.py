"""Correlated equilibria of a tree: a mediator draws a plan for everybody, and tells a player his action only where he has to move.

In an *extensive-form correlated equilibrium* (EFCE) nobody gains by disobeying an action that he was told; from there on he is told
nothing more. In a *coarse* one (EFCCE) he has to decide on reaching the set, before he is told. Each is a linear program over the
probabilities of all profiles of reduced plans. For every *trigger* (a set, with its action or without) the best way to go on alone is a
value for each set that follows:

    value(trigger, set) ≥ payoffs behind an action of the set + Σ value(trigger, sets that follow the action)     for every action
    value(trigger, its set) ≤ what obeying brings

Source: B. von Stengel, F. Forges, Extensive-form correlated equilibrium, Mathematics of Operations Research 33 (2008); G. Farina,
T. Bianchi, T. Sandholm, Coarse correlation in extensive-form games, AAAI 2020.
"""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import product
from typing import Any, NamedTuple

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.extensive.exact.behaviour import InformationSet, preorder
from zermelo.equilibrium.extensive.exact.normal_form import NormalForm, normal_form, require_recall
from zermelo.equilibrium.matrix.rational_program import Program
from zermelo.errors import ZermeloError
from zermelo.results import Tabular
from zermelo.rules import CHANCE, Game
from zermelo.trees.matrix import exact
from zermelo.trees.tree import ROOT

__all__ = ["Mediation", "TriggerCorrelated", "gains"]

MOST_PROFILES = 20_000
MOST_ENTRIES = 20_000_000  # profiles times leaves
MOST_EXACT = 300_000  # numbers of a program that is solved in rational ones
DENOMINATORS = (60, 840, 100_000)

Choice = tuple[int, int]  # set, action
Entry = tuple[int, Any, Fraction]  # of the program: row, columns, and the number that stands in all of them


class _Leaf(NamedTuple):
    chance: Fraction
    payoffs: tuple[Fraction, ...]
    choices: tuple[dict[int, int], ...]  # [player] set → action on the way
    last: tuple[Choice | None, ...]  # [player]


@dataclass(frozen=True, repr=False)
class Mediation(Tabular):
    """What the mediator draws, and how little there is to gain by disobeying."""

    form: NormalForm
    coarse: bool
    weights: Mapping[tuple[int, ...], Any]  # profile of plans → probability
    value: tuple[Any, ...]  # [player]
    regrets: tuple[Any, ...]  # [player] the most that he gains by disobeying, in expectation before the game; 0: an equilibrium
    exact: bool
    best: bool  # proved in rational numbers: no other such equilibrium has a larger sum of payoffs
    seconds: float

    columns = ("plans", "probability")

    def summary(self) -> str:
        return f"{'EFCCE' if self.coarse else 'EFCE'}: value {', '.join(map(str, self.value))}; {len(self.weights)} profiles of plans"

    def cells(self) -> Iterator[tuple[str, ...]]:
        return ((name, str(weight)) for name, weight in self.named().items())

    @property
    def regret(self) -> Any:
        """The most that anybody gains."""
        return max(self.regrets)

    def named(self) -> dict[str, Any]:
        """Profile in words → probability."""
        names = self.form.matrix.strategies
        return {
            ", ".join(own[plan] for own, plan in zip(names, profile, strict=True)): weight
            for profile, weight in sorted(self.weights.items(), key=lambda pair: -pair[1])
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "method": "efcce" if self.coarse else "efce",
            "value": [float(worth) for worth in self.value],
            "exact": [str(worth) for worth in self.value] if self.exact else None,
            "regrets": [float(regret) for regret in self.regrets],
            "certified": self.exact and self.regret == 0,
            "best": self.best,
            "profiles": {name: str(weight) if self.exact else float(weight) for name, weight in self.named().items()},
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class TriggerCorrelated(WholeGame[Mediation]):
    """The equilibrium with the largest sum of payoffs, of a small tree with any number of players."""

    coarse: bool = False

    def solve(self, game: Game) -> Mediation:
        """One linear program; rounded to rational numbers, and proved where small ones do."""
        began = time.perf_counter()
        form = normal_form(game)
        require_recall(form.tree, form.sets)
        profiles = math.prod(map(len, form.plans))
        leaves = _leaves(form)
        if profiles > MOST_PROFILES or profiles * len(leaves) > MOST_ENTRIES:
            raise ZermeloError(
                f"There are {profiles:,} profiles of plans and {len(leaves):,} ends, too many for the program of correlated equilibria "
                f"on trees ({MOST_PROFILES:,} profiles)."
            )
        program = _Program(form, leaves, self.coarse)
        found, proved = program.solve()
        for given in [proved] if proved is not None else map(partial(_rounded, found), DENOMINATORS):
            weights = {profile: weight for profile, weight in zip(program.profiles, given, strict=True) if weight}
            regrets = gains(form, weights, self.coarse)
            near = max(abs(float(weight) - other) for weight, other in zip(given, found, strict=True)) < 1e-6
            if near and min(given) >= 0 and max(regrets) == 0:
                seconds = time.perf_counter() - began
                return Mediation(form, self.coarse, weights, program.value(weights), regrets, True, proved is not None, seconds)
        floats = {profile: weight for profile, weight in zip(program.profiles, found, strict=True) if weight > 1e-12}
        regrets = gains(form, floats, self.coarse)
        return Mediation(form, self.coarse, floats, program.value(floats), regrets, False, False, time.perf_counter() - began)


def _rounded(weights: Sequence[float], denominator: int) -> list[Fraction]:
    shares = [Fraction(weight).limit_denominator(denominator) for weight in weights]
    shares[shares.index(max(shares))] += 1 - sum(shares)
    return shares


def _leaves(form: NormalForm) -> list[_Leaf]:
    tree = form.tree
    place = {node: number for own in form.sets for number, each in enumerate(own) for node in each.nodes}
    empty: tuple[dict[int, int], ...] = ({},) * tree.players
    ways: dict[int, tuple[Fraction, tuple[dict[int, int], ...], tuple[Choice | None, ...]]] = {
        ROOT: (Fraction(1), empty, (None,) * tree.players)
    }
    found = []
    for node in preorder(tree):
        chance, choices, last = ways.pop(node)
        children, mover = tree.children[node], tree.movers[node]
        if not children:
            found.append(_Leaf(chance, tuple(exact(payoff) for payoff in tree.utilities[node] or ()), choices, last))
            continue
        whole = sum(exact(tree.weights[child]) for child in children) if mover == CHANCE else Fraction(1)
        for action, child in enumerate(children):
            if mover == CHANCE:
                ways[child] = chance * exact(tree.weights[child]) / whole, choices, last
                continue
            own = {**choices[mover], place[node]: action}
            ways[child] = (
                chance,
                (*choices[:mover], own, *choices[mover + 1 :]),
                (*last[:mover], (place[node], action), *last[mover + 1 :]),
            )
    return found


class _Trigger(NamedTuple):
    """Where a player stops to obey."""

    player: int
    place: int  # his set
    action: int | None  # what he was told; None: nothing yet

    def met(self, plan: tuple[int | None, ...]) -> bool:
        """Does the plan lead to the set, and say this action there?"""
        return plan[self.place] is not None and self.action in (None, plan[self.place])


def _triggers(form: NormalForm, coarse: bool) -> Iterator[_Trigger]:
    for player, own in enumerate(form.sets):
        for place, each in enumerate(own):
            yield from (_Trigger(player, place, action) for action in ([None] if coarse else range(len(each.actions))))


def _behind(own: tuple[InformationSet, ...], place: int) -> list[int]:
    """The set and all sets of the same player that follow it, in the order of the tree."""
    found = [place]
    for number, each in enumerate(own):
        if each.last is not None and each.last[0] in found and number != place:
            found.append(number)
    return found


class _Program:
    """Unknowns are the profiles' probabilities, then the values of triggers and sets."""

    def __init__(self, form: NormalForm, leaves: list[_Leaf], coarse: bool) -> None:
        self.form, self.leaves, self.coarse = form, leaves, coarse
        self.profiles = list(product(*(range(len(plans)) for plans in form.plans)))
        self.units = [
            max(map(abs, each)) or Fraction(1) for each in zip(*(leaf.payoffs for leaf in leaves), strict=True)
        ]  # values around 1

    def value(self, weights: Mapping[tuple[int, ...], Any]) -> tuple[Any, ...]:
        """[player] expected payoffs."""
        players = range(self.form.tree.players)
        totals = [Fraction(0)] * len(players) if all(isinstance(weight, Fraction) for weight in weights.values()) else [0.0] * len(players)
        for profile, weight in weights.items():
            for leaf in self.leaves:
                if all(self._allows(leaf, player, profile[player]) for player in players):
                    totals = [old + weight * leaf.chance * payoff for old, payoff in zip(totals, leaf.payoffs, strict=True)]
        return tuple(totals)

    def _allows(self, leaf: _Leaf, player: int, plan: int) -> bool:
        chosen = self.form.plans[player][plan]
        return all(chosen[place] == action for place, action in leaf.choices[player].items())

    def solve(self) -> tuple[list[float], list[Fraction] | None]:
        """Probabilities of all profiles: in floats, and in rational numbers that are proved to be best where the size allows."""
        count = len(self.profiles)
        entries, rows, unknowns = self._constraints()
        if not entries:  # nobody decides anything
            return [1.0], [Fraction(1)]
        cost = [(self._columns([each[number] for each in self.allowed]), -leaf.chance * sum(leaf.payoffs))
                for number, leaf in enumerate(self.leaves)]  # fmt: skip
        if sum(len(columns) for _, columns, _ in entries) <= MOST_EXACT:
            table: list[dict[int, Fraction]] = [{} for _ in range(rows)]
            goal: dict[int, Fraction] = {}
            for row, columns, number in [(table[row], columns, number) for row, columns, number in entries] + [
                (goal, columns, number) for columns, number in cost
            ]:
                for column in map(int, columns):
                    row[column] = row.get(column, 0) + number
            whole = [(dict.fromkeys(range(count), 1), 1)]
            found = Program(unknowns, goal, [(row, 0) for row in table], whole, range(count, unknowns)).solve()
            if found is not None and found.best and found.exact is not None:
                return found.floats[:count], found.exact[:count]
        return self._in_floats(entries, cost, rows, unknowns), None

    def _in_floats(self, entries: list[Entry], cost: list[tuple[Any, Fraction]], rows: int, unknowns: int) -> list[float]:
        import numpy as np
        from scipy.optimize import linprog
        from scipy.sparse import coo_matrix

        count = len(self.profiles)
        goal = np.zeros(unknowns)
        for columns, number in cost:
            goal[columns] += float(number)
        at = np.concatenate([np.full(len(columns), row) for row, columns, _ in entries])
        columns = np.concatenate([np.asarray(part, np.int64) for _, part, _ in entries])
        numbers = np.concatenate([np.full(len(part), float(number)) for _, part, number in entries])
        table = coo_matrix((numbers, (at, columns)), shape=(rows, unknowns)).tocsr()
        whole = coo_matrix((np.ones(count), (np.zeros(count, int), np.arange(count))), shape=(1, unknowns)).tocsr()
        bounds = [(0.0, None)] * count + [(None, None)] * (unknowns - count)
        solve: Any = linprog
        spread = float(np.abs(goal).max()) or 1.0
        solved = solve(goal / spread, A_ub=table, b_ub=np.zeros(rows), A_eq=whole, b_eq=[1.0], bounds=bounds, method="highs-ds")
        if solved.x is None:
            raise ZermeloError(f"HiGHS did not solve the program of correlated equilibria: {' '.join(solved.message.split())}.")
        found: list[float] = solved.x[:count].clip(min=0.0).tolist()
        return found

    @cached_property
    def allowed(self) -> list[Any]:
        """[player] [leaf, plan] does the plan allow the leaf?"""
        import numpy as np

        sizes = map(len, self.form.plans)
        return [
            np.array([[self._allows(leaf, player, plan) for plan in range(size)] for leaf in self.leaves])
            for player, size in enumerate(sizes)
        ]

    @cached_property
    def numbers(self) -> Any:
        """[plan of each player …] number of the profile."""
        import numpy as np

        return np.arange(len(self.profiles)).reshape(tuple(map(len, self.form.plans)))

    def _columns(self, masks: Sequence[Any]) -> Any:
        """Numbers of the profiles whose plans the masks, one a player, select."""
        import numpy as np

        return self.numbers[np.ix_(*(np.nonzero(mask)[0] for mask in masks))].ravel()

    def _constraints(self) -> tuple[list[Entry], int, int]:
        """Entries of the inequalities, their number, and the number of unknowns."""
        entries: list[Entry] = []
        rows, unknowns = 0, len(self.profiles)
        for trigger in _triggers(self.form, self.coarse):
            own, behind = self.form.sets[trigger.player], _behind(self.form.sets[trigger.player], trigger.place)
            value = {place: unknowns + number for number, place in enumerate(behind)}
            unknowns += len(behind)
            row_of = {}
            for place in behind:
                for action in range(len(own[place].actions)):
                    row_of[place, action] = rows
                    entries.append((rows, [value[place]], Fraction(-1)))
                    entries.extend((rows, [value[each]], Fraction(1)) for each in behind if own[each].last == (place, action))
                    rows += 1
            entries.append((rows, [value[trigger.place]], Fraction(1)))
            entries.extend(self._payoffs(trigger, row_of, rows))
            rows += 1
        return entries, rows, unknowns

    def _payoffs(self, trigger: "_Trigger", row_of: Mapping[Choice, int], obey: int) -> Iterator[Entry]:
        """What every leaf behind a trigger pays who goes his own way there, and who obeys."""
        import numpy as np

        player = trigger.player
        told = np.array([trigger.met(plan) for plan in self.form.plans[player]])
        for number, leaf in enumerate(self.leaves):
            last = leaf.last[player]
            if trigger.place not in leaf.choices[player] or last is None:
                continue
            worth = leaf.chance * leaf.payoffs[player] / self.units[player]
            masks = [each[number] for each in self.allowed]
            for row, plans, sign in ((row_of[last], told, 1), (obey, told & masks[player], -1)):
                columns = self._columns([*masks[:player], plans, *masks[player + 1 :]])
                yield row, columns, sign * worth


def gains(form: NormalForm, weights: Mapping[tuple[int, ...], Any], coarse: bool) -> tuple[Any, ...]:
    """[player] the most that disobeying at one trigger brings, in expectation before the game: by walking the sets, not by the program."""
    leaves = _leaves(form)
    most: list[Any] = [Fraction(0)] * form.tree.players
    for trigger in _triggers(form, coarse):
        player, own = trigger.player, form.sets[trigger.player]
        obeys: Any = Fraction(0)
        worth: dict[Choice, Any] = {}
        for leaf in leaves:
            last = leaf.last[player]
            if trigger.place not in leaf.choices[player] or last is None:
                continue
            for profile, weight in weights.items():
                plans = [form.plans[seat][plan] for seat, plan in enumerate(profile)]
                if not trigger.met(plans[player]):
                    continue
                others = (seat for seat in range(len(plans)) if seat != player)
                if all(plans[seat][place] == action for seat in others for place, action in leaf.choices[seat].items()):
                    gained = weight * leaf.chance * leaf.payoffs[player]
                    worth[last] = worth.get(last, 0) + gained
                    if all(plans[player][place] == action for place, action in leaf.choices[player].items()):
                        obeys += gained
        behind = _behind(own, trigger.place)
        best: Any = 0
        for place in reversed(behind):
            best = max(worth.get((place, action), Fraction(0)) for action in range(len(own[place].actions)))
            parent = own[place].last
            if place != trigger.place and parent is not None:
                worth[parent] = worth.get(parent, 0) + best
        most[player] = max(most[player], best - obeys)
    return tuple(most)
