"""Quantal response on trees: every information set has an agent of its own, who makes mistakes, the costlier the rarer.

In a *logit equilibrium* of agents an action is e^(λ · what it gains) times as likely as another, given that play has come to its set
(R. McKelvey and T. Palfrey, 1998). λ = 0 is pure chance. The branch from there leads, for λ → ∞, to a *sequential* equilibrium (D. Kreps
and R. Wilson, 1982): behaviour, and beliefs at every set that its small mistakes leave. What each agent could gain given these beliefs is
measured.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.extensive.exact.behaviour import InformationSet, information_sets, preorder, tree_of
from zermelo.equilibrium.extensive.exact.normal_form import require_recall
from zermelo.equilibrium.matrix.quantal import LogitPath, LogitSystem
from zermelo.errors import ZermeloError
from zermelo.results import Tabular, weighted
from zermelo.rules import CHANCE, Game, player_name
from zermelo.trees.tree import ROOT, Tree

__all__ = ["AgentQuantal", "Assessment"]

MOST_NODES = 1_000
TARGET = 1e-5  # largest regret at the end of the branch, as a part of the payoffs' spread
IMAGINARY = 1e-30  # a step of derivatives by complex numbers, which have no rounding


@dataclass(frozen=True, repr=False)
class Assessment(Tabular):
    """Behaviour and beliefs."""

    tree: Tree
    behaviour: tuple[tuple[float, ...], ...]  # [set] probability of every action
    beliefs: tuple[tuple[float, ...], ...]  # [set] probability of every node, given that the set is reached
    names: tuple[str, ...]  # [set]
    actions: tuple[tuple[str, ...], ...]  # [set]
    places: tuple[tuple[str, ...], ...]  # [set] its nodes in words
    value: tuple[float, ...]  # [player]
    regret: float  # the most that an agent could gain at its set, given the beliefs
    rationality: float  # λ, in one over payoffs
    limit: bool  # the end of the branch: a sequential equilibrium, up to the regret
    seconds: float

    columns = ("information set", "behaviour", "beliefs")

    def summary(self) -> str:
        kind = "sequential equilibrium" if self.limit else f"logit equilibrium, λ = {self.rationality:.6g}"
        return f"{kind}: value {', '.join(f'{worth:.6g}' for worth in self.value)}; regret {self.regret:.2g}; {len(self.names)} sets"

    def cells(self) -> Iterator[tuple[str, ...]]:
        for name, actions, behaviour, places, beliefs in zip(
            self.names, self.actions, self.behaviour, self.places, self.beliefs, strict=True
        ):
            played, believed = (
                weighted((word, f"{share:.4g}") for word, share in zip(words, shares, strict=True))
                for words, shares in ((actions, behaviour), (places, beliefs))
            )
            yield name, played, believed

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        sets = {
            name: {
                "behaviour": dict(zip(self.actions[place], self.behaviour[place], strict=True)),
                "beliefs": dict(zip(self.places[place], self.beliefs[place], strict=True)),
            }
            for place, name in enumerate(self.names)
        }
        return {
            "method": "logit",
            "limit": self.limit,
            "value": list(self.value),
            "regret": self.regret,
            "rationality": self.rationality,
            "sets": sets,
        }


@dataclass(frozen=True)
class AgentQuantal(WholeGame[Assessment]):
    """Logit equilibrium of the agents of a small tree, with any number of players."""

    rationality: float | None = None  # λ; None: the end of the branch, a sequential equilibrium

    def solve(self, game: Game) -> Assessment:
        """Behaviour and beliefs at λ.

        Raises
        ------
        ZermeloError
            Where a player forgets, the tree is too large, or the branch does not come to λ.
        """
        start = time.perf_counter()
        tree = tree_of(game, limit=10 * MOST_NODES)
        sets = information_sets(tree)
        require_recall(tree, sets)
        if not any(sets):
            raise ZermeloError("Nobody decides anything in this tree, which chance plays alone: it has no behaviour to find.")
        if len(tree.movers) > MOST_NODES:
            raise ZermeloError(f"Quantal response on trees is for up to {MOST_NODES:,} nodes, not {len(tree.movers):,}.")
        if self.rationality is not None and not 0 <= self.rationality < float("inf"):
            raise ZermeloError(f"The rationality λ is a number of at least 0, not {self.rationality}.")
        system = _AgentSystem(tree, [each for own in sets for each in own])
        point = self._point(system)
        strategies = system.split(point)
        return Assessment(
            tree,
            tuple(tuple(map(float, each)) for each in strategies),
            tuple(tuple(each.tolist()) for each in system.beliefs(point)),
            tuple(f"{player_name(tree, each.player)}: {each.name(tree)}" for each in system.agents),
            tuple(each.actions for each in system.agents),
            tuple(tuple(tree.place(node) for node in each.nodes) for each in system.agents),
            tuple(map(float, system.worths(point[:, None])[ROOT][:, 0])),
            system.regret(point),
            float(point[-1]) / system.spread,
            self.rationality is None,
            time.perf_counter() - start,
        )

    def _point(self, system: "_AgentSystem") -> Any:
        before = system.start()
        for after in LogitPath().points(system):
            if self.rationality is None:
                if system.regret(after) <= TARGET * system.spread:
                    return after
            elif min(before[-1], after[-1]) <= self.rationality * system.spread <= max(before[-1], after[-1]):
                return system.corrected(before, after, self.rationality * system.spread)
            before = after
        if self.rationality is None:
            return before
        raise ZermeloError(f"The branch does not reach λ = {self.rationality:g}.")


class _AgentSystem(LogitSystem):
    """Unknowns are logarithms of all probabilities, then λ: they differ by λ times what actions are worth *given* that the set is reached.

    Beliefs are made of logarithms, so that they outlive probabilities too small for floats. Everything takes several points at once, as
    columns.
    """

    def __init__(self, tree: Tree, agents: Sequence[InformationSet]) -> None:
        self.tree, self.agents = tree, agents
        payoffs = [[float(payoff) for payoff in each or ()] for each in tree.utilities]
        every = [payoff for each in payoffs for payoff in each]
        self.spread = (max(every) - min(every)) or 1.0
        self.payoffs = {node: np.array(each) for node, each in enumerate(payoffs) if each}
        self.starts = [0]
        for each in agents:
            self.starts.append(self.starts[-1] + len(each.actions))
        self.place = {node: number for number, each in enumerate(agents) for node in each.nodes}
        self.order = preorder(tree)
        self.chance = {node: self._chance(node) for node in self.order if tree.children[node] and tree.movers[node] == CHANCE}

    def _chance(self, node: int) -> Any:
        weights = np.array([float(self.tree.weights[child]) for child in self.tree.children[node]])
        return weights / weights.sum()

    def start(self) -> Any:
        even = [np.full(len(each.actions), -np.log(len(each.actions))) for each in self.agents]
        return np.append(np.concatenate(even), 0.0)

    def split(self, point: Any) -> list[Any]:
        """[set] probabilities."""
        return [np.exp(point[first:last]) for first, last in zip(self.starts[:-1], self.starts[1:], strict=True)]

    def logs(self, node: int, points: Any) -> Any:
        """[child, column] logarithms of probabilities; chance's have one column."""
        if node in self.chance:
            with np.errstate(divide="ignore"):
                return np.log(self.chance[node])[:, None]
        first = self.starts[self.place[node]]
        return points[first : first + len(self.tree.children[node])]

    def worths(self, points: Any) -> dict[int, Any]:
        """[node] [player, column] expected payoffs from there on."""
        worth: dict[int, Any] = {}
        for node in reversed(self.order):
            children = self.tree.children[node]
            if not children:
                worth[node] = self.payoffs[node][:, None]
                continue
            shares = self.chance[node][:, None] if node in self.chance else np.exp(self.logs(node, points))
            worth[node] = sum(share * worth[child] for share, child in zip(shares, children, strict=True))
        return worth

    def all_beliefs(self, points: Any) -> list[Any]:
        """[set] [node, column] probability of every node, given that the set is reached."""
        reach = {ROOT: np.zeros((1,))}
        for node in self.order:
            if self.tree.children[node]:
                for child, log in zip(self.tree.children[node], self.logs(node, points), strict=True):
                    reach[child] = reach[node] + log
        found = []
        for each in self.agents:
            logs = np.array([np.broadcast_to(reach[node], points.shape[1:]) for node in each.nodes])
            highest = logs.real.max(axis=0)
            weights = np.exp(logs - highest) if np.isfinite(highest).all() else np.ones_like(logs)
            found.append(weights / weights.sum(axis=0))
        return found

    def beliefs(self, point: Any) -> list[Any]:
        """[set] of one point."""
        return [each[:, 0] for each in self.all_beliefs(point[:, None])]

    def conditional(self, points: Any) -> list[Any]:
        """[set] [action, column] what every action is worth given that the set is reached, as a part of the spread."""
        worth, values = self.worths(points), []
        for each, belief in zip(self.agents, self.all_beliefs(points), strict=True):
            rows = [
                sum(share * worth[self.tree.children[node][action]][each.player] for share, node in zip(belief, each.nodes, strict=True))
                for action in range(len(each.actions))
            ]
            values.append(np.array(rows) / self.spread)
        return values

    def equations(self, points: Any) -> Any:
        """[equation, column] 0 on the branch."""
        parts = []
        for number, payoffs in enumerate(self.conditional(points)):
            own = points[self.starts[number] : self.starts[number + 1]]
            parts.append(np.exp(own).sum(axis=0)[None] - 1.0)
            parts.append(own[1:] - own[0] - points[-1] * (payoffs[1:] - payoffs[0]))
        return np.concatenate(parts)

    def values(self, point: Any) -> Any:
        return self.equations(point[:, None])[:, 0]

    def jacobian(self, point: Any) -> Any:
        return self.equations(point[:, None] + 1j * IMAGINARY * np.eye(len(point))).imag / IMAGINARY

    def regret(self, point: Any) -> float:
        """The most that an agent could gain given the beliefs, in payoffs."""
        strategies = self.split(point)
        gains = (
            values[:, 0].max() - values[:, 0] @ play for values, play in zip(self.conditional(point[:, None]), strategies, strict=True)
        )
        return float(max(gains)) * self.spread
