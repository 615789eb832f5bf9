"""A game as flat arrays: per player a treeplex of information sets and sequences, and the leaves with what chance and payoffs say.

Everything about equilibria of extensive games runs on these. Histories are not kept: a leaf knows the last choice of every player (its
*sequence*), the probability of chance's part of the history, and the payoffs. `unfold` makes the arrays, level by level.

    sets of one player, in the order of first sight     0          1       2 …
    first sequence, number of actions                   1, 2       3, 3    6, 2 …
    sequences                                     0     1 2        3 4 5   6 7 …
                                                  └ the empty one: nothing chosen yet

A set's parent sequence always has a smaller number than its own sequences: ascending order is top-down, descending order bottom-up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError, nearest
from zermelo.rules import Action, Game, State, action_name, has, knowledge, player_name

__all__ = ["EMPTY", "NO_ACTION", "Arrays", "Floats", "Ints", "Treeplex", "objects"]

EMPTY = 0  # the sequence of a player who has not chosen yet
NO_ACTION = -1  # the action of the empty sequence

Ints = NDArray[np.int32] | NDArray[np.int64]
Floats = NDArray[np.float64]


def objects(items: list[Any]) -> NDArray[Any]:
    """An array of any objects, tuples too: texts, members of an Enum."""
    array = np.empty(len(items), object)
    for place, item in enumerate(items):
        array[place] = item
    return array


@dataclass(frozen=True, eq=False)
class Treeplex:
    """What one player can decide: information sets, and under each of them one sequence an action."""

    first: NDArray[np.int32]  # [set] its first sequence; the others follow
    count: NDArray[np.int32]  # [set] number of actions, at least 1
    parent: NDArray[np.int32]  # [set] the player's own sequence that leads here, smaller than first[set]
    actions: NDArray[Any]  # [sequence] the action: whole numbers, or objects; NO_ACTION for the empty sequence

    @property
    def sets(self) -> int:
        return len(self.first)

    @property
    def sequences(self) -> int:
        return len(self.actions)

    @cached_property
    def owner(self) -> NDArray[np.int32]:
        """[sequence] → the set it belongs to; -1 for the empty one."""
        return np.concatenate([np.array([-1], np.int32), np.repeat(np.arange(self.sets, dtype=np.int32), self.count)])

    def action(self, sequence: int) -> Action:
        """The action of a sequence, as the rules have it."""
        return self.actions[sequence] if self.actions.dtype == object else int(self.actions[sequence])

    def span(self, number: int) -> range:
        """The sequences of one set."""
        start = int(self.first[number])
        return range(start, start + int(self.count[number]))

    def uniform(self) -> Floats:
        """[sequence] behaviour that prefers nothing."""
        behaviour = np.ones(self.sequences)
        behaviour[1:] = np.repeat(1.0 / self.count, self.count)
        return behaviour

    def plan(self, behaviour: Floats) -> Floats:
        """[sequence] realization plan: the product of the player's own probabilities on the way."""
        plan = np.ones(self.sequences)
        for number in range(self.sets):
            span = slice(self.first[number], self.first[number] + self.count[number])
            plan[span] = plan[self.parent[number]] * behaviour[span]
        return plan

    def behaviour(self, plan: Floats) -> Floats:
        """[sequence] probabilities at every set, from a realization plan or any multiple of one; uniform where it does not come."""
        totals = np.add.reduceat(plan, self.first) if self.sets else np.ones(0)
        spread = np.repeat(totals, self.count)
        behaviour = self.uniform()
        reached = spread > 0
        behaviour[1:][reached] = plan[1:][reached] / spread[reached]
        return behaviour


@dataclass(frozen=True, eq=False)
class Arrays:
    """A whole game, or all of it down to a depth."""

    game: Game
    plexes: tuple[Treeplex, ...]  # [player]
    leaves: NDArray[np.int32]  # [leaf, player] the last sequence of each player
    chance: NDArray[np.int32]  # [leaf] which of `probabilities` chance's part of the history has
    probabilities: tuple[Any, ...]  # Fractions where the rules give whole or rational weights, floats elsewhere
    payoffs: Floats  # [leaf, player]
    states: tuple[Sequence[State], ...]  # [player][set] one state of the set: the first that was seen
    histories: int  # nodes of the tree, the root and the ends included
    judged: int = 0  # leaves at which an evaluation stands in for the end of the game
    exact_payoffs: tuple[tuple[Any, ...], ...] | None = None  # [leaf] where floats cannot hold them
    backend: str = "reference"
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    names: dict[Any, Any] = field(default_factory=dict, repr=False)  # filled on first use: words for information sets

    @property
    def players(self) -> int:
        return len(self.plexes)

    @property
    def sets(self) -> int:
        """Information sets of all players."""
        return sum(plex.sets for plex in self.plexes)

    @property
    def sequences(self) -> int:
        """Sequences of all players, the empty ones included."""
        return sum(plex.sequences for plex in self.plexes)

    @property
    def bytes(self) -> int:
        """Memory of the arrays."""
        columns: list[Any] = [self.leaves, self.chance, self.payoffs]
        for plex in self.plexes:
            columns += [plex.first, plex.count, plex.parent, plex.actions]
        rows = (getattr(states, "rows", None) for states in self.states)
        return sum(int(column.nbytes) for column in [*columns, *(row for row in rows if row is not None)])

    @cached_property
    def weights(self) -> Floats:
        """[leaf] probability of chance's part."""
        return np.array([float(value) for value in self.probabilities])[self.chance]

    def unreachable(self) -> list[tuple[int, int]]:
        """Player and set of the sets to which chance never leads: every way there has an outcome of probability 0."""
        if self.weights.all():
            return []
        found = []
        for player, plex in enumerate(self.plexes):
            reached = np.zeros(plex.sequences, np.bool_)
            reached[self.leaves[self.weights > 0, player]] = True
            for number in range(plex.sets - 1, -1, -1):
                span = plex.span(number)
                if reached[span.start : span.stop].any():
                    reached[plex.parent[number]] = True
                else:
                    found.append((player, number))
        return sorted(found)

    @cached_property
    def constant_total(self) -> float | None:
        """What the payoffs add up to at every leaf; None: they do not agree on one number."""
        sums = self.payoffs.sum(axis=1)
        return float(sums[0]) if np.allclose(sums, sums[0], rtol=0, atol=1e-9 * max(1.0, float(abs(self.payoffs).max()))) else None

    @property
    def zero_sum(self) -> bool:
        """Two players whose payoffs add up to a constant: the games that have a value."""
        return self.players == 2 and self.constant_total is not None

    @property
    def span(self) -> float:
        """Difference between the largest and the smallest payoff."""
        return float(self.payoffs.max() - self.payoffs.min())

    def exact_leaves(self) -> tuple[list[Fraction], list[tuple[Fraction, ...]]]:
        """Chance and payoffs of every leaf as exact numbers; floats count as the number that they are."""
        known = [Fraction(value) for value in self.probabilities]
        payoffs = self.exact_payoffs if self.exact_payoffs is not None else map(tuple, self.payoffs.tolist())
        return [known[number] for number in self.chance.tolist()], [tuple(map(Fraction, vector)) for vector in payoffs]

    def information(self, player: int, number: int) -> Any:
        """What the player knows at one of his sets: as the rules say it; the state where nothing is hidden."""
        return knowledge(self.game, self.states[player][number], player)

    def set_name(self, player: int, number: int) -> str:
        """Words for one information set, unique in the game: `Max: Q`."""
        return self._names_of(player, number + 1)[number]

    def sequence_name(self, player: int, number: int, place: int) -> str:
        """The word for one action of a set."""
        action = self.plexes[player].action(int(self.plexes[player].first[number]) + place)
        return action_name(self.game, self.states[player][number], action)

    def set_actions(self, player: int, number: int) -> list[Action]:
        """The actions of one set."""
        plex = self.plexes[player]
        return [plex.action(sequence) for sequence in plex.span(number)]

    def find(self, player: int, information: Any) -> int | None:
        """The set in which this player knows this; None where he never does."""
        if "lookup" not in self.names:
            self.names["lookup"] = [
                {self.information(owner, number): number for number in range(plex.sets)} for owner, plex in enumerate(self.plexes)
            ]
        found: int | None = self.names["lookup"][player].get(information)
        return found

    def named(self, name: str) -> tuple[int, int]:
        """Player and set of a name that `set_name` gives."""
        if "by_name" not in self.names:
            every = self._all_names()
            self.names["by_name"] = {word: (player, number) for player, words in enumerate(every) for number, word in enumerate(words)}
        found: tuple[int, int] | None = self.names["by_name"].get(name)
        if found is None:
            known = list(self.names["by_name"])
            raise ZermeloError(f"There is no information set {name!r}; {nearest(name, known if len(known) < 2000 else known[:8])}")
        return found

    def fingerprint(self) -> str:
        """A text that is equal for equal arrays: what a checkpoint compares."""
        digest = sha256()
        for plex in self.plexes:
            for column in (plex.first, plex.count, plex.parent, plex.actions):
                digest.update(repr(column.tolist()).encode() if column.dtype == object else np.ascontiguousarray(column).tobytes())
        for part in (self.leaves, self.weights, self.payoffs):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()[:32]

    def _all_names(self) -> list[list[str]]:
        return [self._names_of(player, plex.sets) for player, plex in enumerate(self.plexes)]

    def _names_of(self, player: int, count: int) -> list[str]:
        """The names of the player's first sets, `count` at least; a name depends on those before it alone."""
        kept: tuple[list[str], dict[str, int]] = self.names.setdefault(("words", player), ([], {}))
        names, seen = kept
        describe = getattr(self.game, "name_information", None) if has(self.game, "information") else getattr(self.game, "show", None)
        for number in range(len(names), count):
            information = self.information(player, number)
            word = f"{player_name(self.game, player)}: {' '.join(str(describe(information) if describe else information).split())}"
            seen[word] = seen.get(word, 0) + 1
            names.append(word if seen[word] == 1 else f"{word} #{seen[word]}")
        return names
