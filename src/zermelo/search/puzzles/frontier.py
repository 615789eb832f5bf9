"""A*, one expansion at a time: the tree of what was found, and the states at its edge in the order of f = g + h.

    g   what the way from the root to a state costs
    h   a lower bound on what is still to pay
    f   g + h: no way through the state costs less

Of equal f the larger g comes first, then what was found first. A state that is found again on a cheaper way is opened again, so that a
heuristic need not be consistent; it must never be above the cost to go. A state is at least as far from an end as the one before it,
less the step between them; so f never falls along a way (L. Mérő, 1984).
"""

import heapq
from collections.abc import Callable
from typing import Any

from zermelo.limits import Watch
from zermelo.rules import Action, State
from zermelo.search.puzzles.problem import Problem
from zermelo.search.puzzles.recording import Branch, record_tree
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["NODE_BYTES", "Exploration"]

NODE_BYTES = 600  # about what a node takes with its state, its place in the queue and its share of the lists


class Exploration:
    """A* from one state. A node is a way to a state; of several ways to one state the cheapest lives, the others are dead.

    Nodes are numbered as they are found, so a parent's number is smaller than its children's; the root is 0.
    """

    def __init__(self, problem: Problem, root: State, estimate: Callable[[State], Any] | None = None) -> None:
        self.problem = problem
        self.estimate = estimate or problem.heuristic  # of states that are not the end
        self.states: list[State] = []
        self.keys: list[Any] = []
        self.parents: list[int] = []
        self.actions: list[Action | None] = []  # that led here
        self.costs: list[Any] = []  # g
        self.rests: list[Any] = []  # h; at an end, what it costs
        self.ends: list[bool] = []
        self.expanded: list[bool] = []
        self.elsewhere: list[list[Any]] = []  # keys of states one action further that had been found on a way that is no dearer
        self.living: dict[Any, int] = {}  # key → the node of the cheapest way
        self.queue: list[tuple[Any, Any, int]] = []  # (f, -g, node), with nodes that have died or were expanded since
        self.found = 0  # nodes that were ever added, those that are kept from an earlier search not counted again
        self.add(root, problem.key(root), NO_PARENT, None, 0)

    def add(self, state: State, key: Any, parent: int, action: Action | None, cost: Any) -> int:
        """A new node, at the edge."""
        node = len(self.states)
        end = self.problem.end(state)
        self.states.append(state)
        self.keys.append(key)
        self.parents.append(parent)
        self.actions.append(action)
        self.costs.append(cost)
        rest = self.estimate(state) if end is None else end
        if end is None and parent != NO_PARENT:
            rest = max(rest, self.rests[parent] - (cost - self.costs[parent]))
        self.rests.append(rest)
        self.ends.append(end is not None)
        self.expanded.append(False)
        self.elsewhere.append([])
        self.living[key] = node
        self.enqueue(node)
        self.found += 1
        return node

    def enqueue(self, node: int) -> None:
        heapq.heappush(self.queue, (self.costs[node] + self.rests[node], -self.costs[node], node))

    def best(self) -> int | None:
        """The node at the edge with the least f; None where everything was expanded."""
        while self.queue:
            node = self.queue[0][2]
            if self.living[self.keys[node]] == node and not self.expanded[node]:
                return node
            heapq.heappop(self.queue)
        return None

    def bound(self, node: int) -> Any:
        """f of a node."""
        return self.costs[node] + self.rests[node]

    def expand(self, node: int) -> None:
        """Adds the states one action beyond a node that are new, or found on a cheaper way."""
        problem, game, state = self.problem, self.problem.game, self.states[node]
        self.expanded[node] = True
        self.elsewhere[node] = []
        for action in problem.actions(state):
            child = game.result(state, action)
            cost = self.costs[node] + problem.cost(state, action)
            key = problem.key(child)
            known = self.living.get(key)
            if known is None or cost < self.costs[known]:
                self.add(child, key, node, action, cost)
            elif self.parents[known] != node:
                self.elsewhere[node].append(key)

    def run(self, watch: Watch, counted: int = 0, most: int | None = None) -> int | None:
        """Expands until an end has the least f, or `most` nodes more are expanded; the node with the least f, None where none is left.

        `counted` nodes were found by earlier searches under the same limits. Raises `Stopped`.
        """
        pause = watch.next_look(counted + self.found)
        while (node := self.best()) is not None and not self.ends[node] and most != 0:
            if counted + self.found >= pause:
                watch.look(counted + self.found)
                pause = watch.next_look(counted + self.found)
            self.expand(node)
            most = None if most is None else most - 1
        return node

    def way(self, node: int) -> tuple[Action, ...]:
        """The actions from the root to a node."""
        actions: list[Action] = []
        while (action := self.actions[node]) is not None:
            actions.append(action)
            node = self.parents[node]
        return tuple(reversed(actions))

    def moved(self, action: Action) -> "Exploration | None":
        """The useful part after an action is taken: what lies below it, seen from there; None where that was not found.

        A node is opened again where one of its states had been found on another way, which is not kept.
        """
        first = next((node for node in range(1, len(self.states)) if self.parents[node] == 0 and self.actions[node] == action), None)
        if first is None or self.living[self.keys[first]] != first:
            return None
        kept = Exploration(self.problem, self.states[first], self.estimate)
        kept.rests[0], kept.expanded[0] = self.rests[first], self.expanded[first]
        numbers = {first: 0}
        for node in range(first + 1, len(self.states)):
            parent = numbers.get(self.parents[node])
            if parent is not None:
                numbers[node] = kept.adopt(self, node, parent, self.costs[node] - self.costs[first])
        for old, new in numbers.items():
            kept.elsewhere[new] = [key for key in self.elsewhere[old] if key in kept.living]
            missing = len(kept.elsewhere[new]) < len(self.elsewhere[old])
            kept.expanded[new] = kept.expanded[new] and not missing
        kept.queue = []
        for new in range(len(kept.states)):
            if not kept.expanded[new] and kept.living[kept.keys[new]] == new:
                kept.enqueue(new)
        kept.found = 0
        return kept

    def adopt(self, other: "Exploration", node: int, parent: int, cost: Any) -> int:
        """A node of another exploration, below `parent` of this one."""
        number, key = len(self.states), other.keys[node]
        self.states.append(other.states[node])
        self.keys.append(key)
        self.actions.append(other.actions[node])
        self.rests.append(other.rests[node])
        self.ends.append(other.ends[node])
        self.expanded.append(other.expanded[node])
        self.parents.append(parent)
        self.costs.append(cost)
        self.elsewhere.append([])
        if key not in self.living or cost < self.costs[self.living[key]]:
            self.living[key] = number
        return number

    def record(self, recorder: Recorder, chosen: int) -> None:
        """Tells a recorder the whole tree, with the way to the node that was chosen."""
        way, least = {chosen}, self.bound(chosen)
        while (chosen := self.parents[chosen]) != NO_PARENT:
            way.add(chosen)
        record_tree(recorder, [self.branch(node, least) for node in range(len(self.states))], way)

    def branch(self, node: int, least: Any) -> Branch:
        """A node as it is recorded; `least` is the least f at the edge, below which no way costs."""
        at_edge = self.living[self.keys[node]] == node and not self.expanded[node]
        reason = "terminal" if self.ends[node] else "depth" if at_edge else "repetition"
        bound = self.bound(node) if at_edge else max(self.bound(node), least)
        return Branch(self.parents[node], self.actions[node], self.states[node], bound, reason)
