"""Trees ⇄ Gambit's .efg files (extensive games).

    EFG 2 R "title" { "Player 1" "Player 2" }
    c "name" 1 "chance" { "King" 1/2 "Queen" 1/2 } 0
    p "name" 1 1 "information set" { "Bet" "Fold" } 0
    t "name" 1 "outcome" { 1, -1 }

Nodes come parents first, children in the order of the actions. Information sets are numbered for each player, outcomes for the whole game;
both are described where they first occur and only numbered later. An outcome at an inner node adds its payoffs to all ends below it.
Format: https://gambitproject.readthedocs.io/en/latest/formats.efg.html
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.formats.gambit import Token, Tokens, quoted, read_text, unique, write_text, written
from zermelo.rules import CHANCE, player_name, probabilities
from zermelo.trees.builder import TreeBuilder
from zermelo.trees.tree import NO_PARENT, NOBODY, ROOT, Tree

__all__ = ["read_efg", "tree_from_efg", "tree_to_efg", "write_efg"]

ROUNDING = Fraction(1, 100_000)  # how far probabilities that are written as decimals may be from adding up to 1
Payoffs = tuple[int | Fraction, ...]


@dataclass
class Set:
    """An information set, or a chance move, as the file describes it."""

    name: str
    actions: list[str]
    weights: list[int | Fraction] | None  # of chance
    nodes: list[int] = field(default_factory=list)


def tree_from_efg(text: str, name: str = "the text") -> Tree:
    """The tree that the text of an .efg file describes."""
    return _Reader(Tokens(text, name)).tree()


def read_efg(path: str | Path) -> Tree:
    """The tree in an .efg file."""
    return tree_from_efg(read_text(path), str(path))


def write_efg(tree: Tree, path: str | Path) -> None:
    """A tree into an .efg file."""
    write_text(path, tree_to_efg(tree))


class _Reader:
    """Reads one file."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.title, self.names = tokens.header("EFG", "2")
        if tokens.is_text():
            tokens.next()  # a comment
        self.builder = TreeBuilder(self.title)
        self.sets: dict[tuple[int, int], Set] = {}  # (player, number) → set
        self.outcomes: dict[int, Payoffs] = {0: (0,) * len(self.names)}

    def tree(self) -> Tree:
        # (parent, action's label, weight of the chance outcome, payoffs collected on the way), the next node last
        waiting: list[tuple[int, str, Any, Payoffs]] = [(NO_PARENT, "", None, self.outcomes[0])]
        while waiting:
            if self.tokens.at_end():
                missing = f"{len(waiting)} more" if self.builder.movers else "its"
                self.tokens.fail(self.tokens.peek(), f"the file is cut off: the tree needs {missing} node{'s' * (len(waiting) > 1)}")
            waiting.extend(reversed(self._node(*waiting.pop())))
        if not self.tokens.at_end():
            self.tokens.fail(self.tokens.peek(), "the tree is complete, but the file goes on; an action is missing above")
        self._name_sets()
        tree = self.builder.tree(players=len(self.names))
        return tree if self.names == default_names(tree) else replace(tree, names=tuple(self.names))

    def _node(self, parent: int, choice: str, weight: Any, payoffs: Payoffs) -> list[tuple[int, str, Any, Payoffs]]:
        """Reads one node; returns its children, still to be read."""
        token = self.tokens.next()
        if token.kind != "word" or token.value not in ("c", "p", "t"):
            self.tokens.fail(token, f"there is {token.value!r} where a node should begin, with c, p or t")
        label = self.tokens.text("the node's name") if self.tokens.is_text() else ""
        if token.value == "t":
            name, sums = self._outcome(payoffs)
            self.builder.end(parent, choice, sums, label=label or name, weight=weight)
            return []
        player = CHANCE if token.value == "c" else self._player()
        actions = self._set(player)
        name, sums = self._outcome(payoffs)
        node = self.builder.branch(parent, choice, player, label=label, weight=weight)
        actions.nodes.append(node)
        weights: list[Any] = [*actions.weights] if actions.weights is not None else [None] * len(actions.actions)
        return [(node, action, weight, sums) for action, weight in zip(actions.actions, weights, strict=True)]

    def _player(self) -> int:
        token = self.tokens.peek()
        number = self.tokens.whole("the player's number", 1)
        if number > len(self.names):
            self.tokens.fail(token, f"there is no player {number}: the game has {len(self.names)}")
        return number - 1

    def _set(self, player: int) -> Set:
        """The node's information set: described here, or earlier."""
        token = self.tokens.peek()
        number = self.tokens.whole("the number of the information set", 1)
        known = self.sets.get((player, number))
        name = self.tokens.text("the name of the information set") if self.tokens.is_text() else None
        if not self.tokens.is_brace("{"):
            if known is None:
                self.tokens.fail(token, f"the actions of information set {number} are not given here, where it first occurs")
            return known
        described = self._chances(name or "") if player == CHANCE else self._actions(name or "")
        if known is None:
            self.sets[player, number] = described
            return described
        if len(described.actions) != len(known.actions):
            counts = f"{len(described.actions)} actions here, but {len(known.actions)} where it first occurs"
            self.tokens.fail(token, f"information set {number} has {counts}")
        if described.weights != known.weights:
            self.tokens.fail(token, f"chance move {number} has other probabilities here than where it first occurs")
        return known

    def _actions(self, name: str) -> Set:
        place = self.tokens.peek()
        actions = self.tokens.texts("an action")
        if not actions:
            self.tokens.fail(place, "there is no action")
        return Set(name, unique(actions), None)

    def _chances(self, name: str) -> Set:
        """Actions of chance with their probabilities, which must add up to 1."""
        place = self.tokens.peek()
        self.tokens.brace("{", "before the actions")
        actions, weights = [], []
        decimals = False
        while not self.tokens.is_brace("}"):
            actions.append(self.tokens.text("an action"))
            token = self.tokens.peek()
            weights.append(self.tokens.number(f"the probability of {actions[-1]!r}"))
            decimals = decimals or "." in token.value or "e" in token.value.lower()
            if weights[-1] < 0:
                self.tokens.fail(token, f"the probability {token.value} is below 0")
        self.tokens.next()
        if not actions:
            self.tokens.fail(place, "there is no action")
        return Set(name, unique(actions), self._distribution(place, weights, decimals))

    def _distribution(self, place: Token, weights: list[int | Fraction], decimals: bool) -> list[int | Fraction]:
        total = Fraction(sum(weights))
        if total != 1 and not (decimals and abs(total - 1) <= ROUNDING):
            self.tokens.fail(place, f"the probabilities add up to {total}, not to 1")
        return [plain(weight / total) for weight in weights]

    def _outcome(self, payoffs: Payoffs) -> tuple[str, Payoffs]:
        """The outcome's name, and the payoffs on the way with those of the outcome added; 0 is no outcome."""
        token = self.tokens.peek()
        number = self.tokens.whole("the outcome's number")
        name = self.tokens.text("the outcome's name") if self.tokens.is_text() else ""
        if self.tokens.is_brace("{"):
            described = self._payoffs()
            if number == 0:
                self.tokens.fail(token, "outcome 0 means that there is none, so it has no payoffs")
            if self.outcomes.setdefault(number, described) != described:
                self.tokens.fail(token, f"outcome {number} has other payoffs here than where it first occurs")
        elif number not in self.outcomes:
            self.tokens.fail(token, f"the payoffs of outcome {number} are not given here, where it first occurs")
        return name, tuple(plain(mine + added) for mine, added in zip(payoffs, self.outcomes[number], strict=True))

    def _payoffs(self) -> Payoffs:
        place = self.tokens.peek()
        self.tokens.brace("{", "before the payoffs")
        payoffs = []
        while not self.tokens.is_brace("}"):
            payoffs.append(self.tokens.number("a payoff"))
        self.tokens.next()
        if len(payoffs) != len(self.names):
            self.tokens.fail(place, f"the game has {len(self.names)} players, but the number of payoffs here is {len(payoffs)}")
        return tuple(payoffs)

    def _name_sets(self) -> None:
        """Gives every set its text: its name where that is its own; a single node without a name stays without a text."""
        used: set[tuple[int, str]] = set()
        copies: dict[tuple[int, str], int] = {}
        for (player, number), actions in sorted(self.sets.items()):
            if player == CHANCE or (len(actions.nodes) == 1 and not actions.name):
                continue
            words = actions.name or f"{player + 1}:{number}"
            text, copy = words, copies.get((player, words), 1)
            while (player, text) in used:
                copy += 1
                text = f"{words} #{copy}"
            copies[player, words] = copy
            used.add((player, text))
            for node in actions.nodes:
                self.builder.informations[node] = text


def plain(value: int | Fraction) -> int | Fraction:
    """A rational number, as an `int` where it is whole."""
    return int(value) if value.denominator == 1 else value


def tree_to_efg(tree: Tree) -> str:
    """The text of an .efg file; `tree_from_efg` is its inverse. Weights of chance are written as probabilities."""
    return _Writer(tree).text()


class _Writer:
    """Writes one tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.numbers: dict[tuple[int, str], int] = {}  # (player, text) → number of the set
        self.counts = [0] * (tree.players + 1)  # sets of each player so far; the last place is chance's
        self.outcomes: dict[tuple[Any, ...], int] = {}

    def text(self) -> str:
        names = self.tree.names or default_names(self.tree)
        lines = [f"EFG 2 R {quoted(self.tree.title)} {{ {' '.join(map(quoted, names))} }}", '""', ""]
        waiting = [(ROOT, 0)]
        while waiting:
            node, cost = waiting.pop()
            lines.append(self._line(node, cost))
            below = [(child, cost + (self.tree.costs[child] if self.tree.costs else 0)) for child in self.tree.children[node]]
            waiting.extend(reversed(below))
        return "\n".join(lines) + "\n"

    def _line(self, node: int, cost: Any) -> str:
        tree, mover, label = self.tree, self.tree.movers[node], quoted(self.tree.labels[node])
        if mover == NOBODY:
            payoffs = tuple(payoff - cost if cost else payoff for payoff in tree.utilities[node] or ())
            number = self.outcomes.setdefault(payoffs, len(self.outcomes) + 1)
            return f't {label} {number} "" {{ {", ".join(map(written, payoffs))} }}'
        names = [quoted(tree.choices[child]) for child in tree.children[node]]
        if mover == CHANCE:
            chances = exact_probabilities([tree.weights[child] for child in tree.children[node]])
            pairs = " ".join(f"{name} {written(chance)}" for name, chance in zip(names, chances, strict=True))
            return f'c {label} {self._fresh(CHANCE)} "" {{ {pairs} }} 0'
        text = tree.informations[node]
        if text is None:
            number = self._fresh(mover)
        else:
            number = self.numbers.get((mover, text), 0) or self.numbers.setdefault((mover, text), self._fresh(mover))
        return f"p {label} {mover + 1} {number} {quoted(text or '')} {{ {' '.join(names)} }} 0"

    def _fresh(self, player: int) -> int:
        """A number for one more set of the player."""
        self.counts[player] += 1
        return self.counts[player]


def default_names(tree: Tree) -> list[str]:
    """What players without names are called: Max and Min where two share a constant sum, numbers elsewhere."""
    return [player_name(replace(tree, names=()), player) for player in range(tree.players)]


def exact_probabilities(weights: list[Any]) -> list[Any]:
    """Whole weights as fractions of their sum, others as they stand."""
    if all(isinstance(weight, int) for weight in weights):
        return [Fraction(weight, sum(weights)) for weight in weights]
    return probabilities(weights)
