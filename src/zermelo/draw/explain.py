"""A search in words: what the OpenGenus article prints, and for alpha-beta the windows and the reason of every cut."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.draw.number_words import probability_texts, text_of, window_text
from zermelo.draw.outlines import CERTAIN
from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, MAX, MIN, action_name, chance_weights, draw_value, player_role
from zermelo.scores import Score
from zermelo.trees.trace import NO_PARENT, Event, Trace
from zermelo.trees.tree import Tree

__all__ = ["explain", "path", "sentences"]

LEAVES = {
    "terminal": "the game ends here",
    "depth": "the depth limit is reached, so this is judged",
    "table": "the table knows this position",
    "repetition": "this position has been here before",
    "bounds": "the rules' own bounds settle it",
}
ROOT_DECISION = "Gametree Decision"  # the OpenGenus article's word for the root's action
MOST_DECISIONS = 200  # explained by default; deeper ones are left out


def path(subject: Trace | SearchResult) -> list[str]:
    """The decision path: the names of the actions of best play, as far as the search knows them."""
    if isinstance(subject, SearchResult):
        return subject.line_names()
    if not isinstance(subject, Trace):
        raise ZermeloError(f"A trace or a search's result has a decision path, not {type(subject).__name__}.")
    return _Explanation(subject, MOST_DECISIONS).path()


def explain(trace: Trace, most: int = MOST_DECISIONS) -> str:
    """The search step by step. Of more than `most` decisions only the upper levels are explained, and a line says how many are not."""
    if not isinstance(trace, Trace):
        raise ZermeloError(f"Only a recorded search can be explained, not {type(trace).__name__}; search with a Recorder.")
    return _Explanation(trace, most).text()


def sentences(trace: Trace) -> Iterator[str]:
    """One sentence for every step of the search, in order; each is made when it is asked for."""
    telling = _Explanation(trace, len(trace.visits) + 1)
    for event in trace.events:
        telling.note(event)
        yield telling.sentence(event)


class _Explanation:
    """One trace, read from its first step to its last."""

    def __init__(self, trace: Trace, most: int) -> None:
        if not trace.visits:
            raise ZermeloError("The trace is empty: nothing was recorded.")
        self.trace, self.game, self.visits = trace, trace.game, trace.visits
        self.values: dict[int, Any] = {}  # of the nodes that are done
        self.children: dict[int, list[int]] = {}  # whose values have come back
        self.cut: dict[int, Event] = {}
        self.windows: dict[int, tuple[Any, Any]] = {}
        self.certain: set[int] = set()  # leaves whose value does not depend on the window
        self.choices = {event.node: event.action for event in trace.events if event.kind == "leave"}
        self.led = {(visit.parent, visit.action): number for number, visit in enumerate(trace.visits) if visit.parent != NO_PARENT}
        self.deepest, self.left_out = self._levels(most)
        self.steps = 0

    def _levels(self, most: int) -> tuple[int, int]:
        """The deepest level that is explained, and how many decisions are below it."""
        by_depth: dict[int, int] = {}
        for node in self.choices:
            by_depth[self.visits[node].depth] = by_depth.get(self.visits[node].depth, 0) + 1
        explained, deepest = 0, -1
        for depth in sorted(by_depth):
            if explained + by_depth[depth] > most and explained:
                break
            explained, deepest = explained + by_depth[depth], depth
        return deepest, len(self.choices) - explained

    def text(self) -> str:
        lines: list[str] = []
        for event in self.trace.events:
            lines += self._lines(event)
        if self.left_out:
            lines.append(f"({self.left_out:,} decisions more than {self.deepest} moves deep are not explained.)")
        line = self._labelled_path()
        lines.append(f"Value: {text_of(self.values.get(0))}")
        lines.append(f"Decision path: {', '.join(line)}" if line else "Decision path: none, the search ends where it begins")
        return "\n".join(lines) + "\n"

    def path(self) -> list[str]:
        names, node = [], 0
        while (action := self.choices.get(node)) is not None:
            names.append(action_name(self.game, self.visits[node].state, action))
            below = self.led.get((node, action))
            if below is None:
                break
            node = below
        return names

    def _labelled_path(self) -> list[str]:
        """The decision path; in a tree with labels each action with the node that it leads to, from the root on."""
        actions, nodes = self.path(), self._followed(0)
        labels = [self._label(node) for node in nodes]
        if len(nodes) != len(actions) + 1 or not all(labels):
            return actions
        return [f"{action} - {label}" for action, label in zip([ROOT_DECISION, *actions], labels, strict=True)]

    def _followed(self, node: int) -> list[int]:
        """A node and those that best play visits after it."""
        nodes = [node]
        while (below := self.led.get((node, self.choices.get(node)))) is not None:
            nodes.append(below)
            node = below
        return nodes

    def _label(self, node: int) -> str:
        return self.game.labels[self.visits[node].state] if isinstance(self.game, Tree) else ""

    def _ending(self, child: int) -> str:
        """What a choice comes to: the label of the leaf at the end of best play after it; its action where the leaves have none."""
        return self._label(self._followed(child)[-1]) or self._name(child)

    def _lines(self, event: Event) -> list[str]:
        """What one step adds to the text."""
        self.note(event)
        told = self.visits[event.node].depth <= self.deepest and event.node in self.choices
        if event.kind == "enter":
            return [self._entrance(event), ""] if told and event.alpha is not None else []
        return self._decision(event) if event.kind == "leave" and told else []

    def note(self, event: Event) -> None:
        """Remembers one step."""
        node = event.node
        if event.kind == "enter":
            self.windows[node] = (event.alpha, event.beta)
        elif event.kind == "leaf":
            self.values[node] = event.value
            if event.reason in CERTAIN:
                self.certain.add(node)
        elif event.kind == "child" and event.child is not None:
            self.children.setdefault(node, []).append(event.child)
        elif event.kind == "cutoff":
            self.cut[node] = event
        elif event.kind == "leave":
            self.values[node] = event.value

    def sentence(self, event: Event) -> str:
        """One step in words; the steps up to it have been noted."""
        if event.kind == "enter":
            return self._entrance(event) if event.alpha is not None else f"{self._place(event.node)}: enter"
        if event.kind == "leaf":
            return f"{self._place(event.node)}: {LEAVES.get(event.reason or '', 'the value is known')}, {text_of(event.value)}"
        if event.kind == "child" and event.child is not None:
            return self._return(event)
        if event.kind == "cutoff":
            return f"{self._place(event.node)}. {self._reason(event)}"
        if self.visits[event.node].player == CHANCE or event.node in self.trace.weights:
            return f"{self._place(event.node)}: the average is {self._value(event.node)}"
        return f"{self._place(event.node)}: {self._choice(event)}"

    def _return(self, event: Event) -> str:
        """A child's value has come back to its parent."""
        assert event.child is not None
        mover = self.visits[event.node].player
        place = self._place(event.node)
        here = f"{place[0].lower()}{place[1:]}" if place.startswith(("After ", "At ")) else f"at {place}"
        found = f"Back {here}: {self._name(event.child)} is worth {self._value(event.child)}"
        if mover == CHANCE or event.node in self.trace.weights:
            return found
        if not event.improved:
            return f"{found}, no better than {text_of(event.value)}"
        if event.alpha is None or event.beta is None:
            return f"{found}, the best so far"
        who = self._opponent(MAX if mover == MAX else MIN)
        sure = f"{who} is now sure of at least {text_of(event.alpha)}" if mover == MAX else f"{who} now gives at most {text_of(event.beta)}"
        return f"{found}, the best so far: {sure}, and the window is {window_text(event.alpha, event.beta)}"

    def _entrance(self, event: Event) -> str:
        """A node is entered with a window; what the window means."""
        sides = ((MAX, event.alpha), (MIN, event.beta))
        sure = [f"{self._opponent(side)} is sure of {text_of(bound)}" for side, bound in sides if _finite(bound)]
        window, meaning = window_text(event.alpha, event.beta), f": {', '.join(sure)}" if sure else ""
        return f"{self._place(event.node)}: enter with the window {window}{meaning}"

    def _decision(self, event: Event) -> list[str]:
        """A node is done: its choices, the choice, and what was cut."""
        node, visit = event.node, self.visits[event.node]
        lines = [f"{self._number()} {self._place(node)}"]
        found = ", ".join(f"{self._ending(child)}: {self._value(child)}" for child in self.children.get(node, []))
        if visit.player == CHANCE or node in self.trace.weights:
            lines.append(f"   [{'Chance' if visit.player == CHANCE else 'Expected'}] average of {{{self._outcomes(node)}}}")
            if node in self.cut:
                lines.append(f"   {self._reason(self.cut[node])}")
            lines.append(f"   The average is {self._value(node)}")
        else:
            lines.append(f"   {self._goal(visit.player)} of {{{found}}}")
            if node in self.cut:
                lines.append(f"   {self._reason(self.cut[node])}")
            lines.append(f"   {self._choice(event)}")
        return [*lines, ""]

    def _choice(self, event: Event) -> str:
        value = self._value(event.node)
        if event.action is None:
            return f"The value is {value}"
        name = action_name(self.game, self.visits[event.node].state, event.action)
        child = self.led.get((event.node, event.action))
        ending = name if child is None else self._ending(child)
        return f"Choice selected is {ending}: {value}{'' if ending == name else f' ({name})'}{self._tie(event)}"

    def _tie(self, event: Event) -> str:
        """Why it is not the first of those that are equally good."""
        visit = self.visits[event.node]
        children = self.children.get(event.node, [])
        equal = [child for child in children if text_of(self.values.get(child)) == text_of(event.value)]
        if not isinstance(event.value, Score) or not equal or self.visits[equal[0]].action == event.action:
            return ""
        won = event.value.value > draw_value(self.game)
        return " (the sooner win)" if won == (visit.player == MAX) else " (the later loss)"

    def _goal(self, player: int | None) -> str:
        game = self.game
        if game.players == 1 or (game.players == 2 and game.total is not None):
            return "[Maximize] highest" if player == MAX else "[Minimize] lowest"
        return f"[{player_role(game, player or 0)}] best for {player_role(game, player or 0)}"

    def _reason(self, event: Event) -> str:
        """Why the rest of a node cannot matter."""
        skipped = [action_name(self.game, self.visits[event.node].state, action) for action in event.skipped]
        rest = f"{_listed(skipped)} {'is' if len(skipped) == 1 else 'are'} never looked at" if skipped else "nothing was left to skip here"
        if event.reason == "sum":
            return (
                f"sum-cut: here {player_role(self.game, self.visits[event.node].player or 0)} is sure of {text_of(event.beta)}, so that "
                f"too little is left for the player who moved here and is sure of {text_of(event.alpha)} elsewhere, and {rest}"
            )
        if event.reason == "alpha":
            sign, bound, other = "at most α", event.alpha, self._opponent(MAX)
        else:
            sign, bound, other = "at least β", event.beta, self._opponent(MIN)
        short = "α-cut" if event.reason == "alpha" else "β-cut"
        return (
            f"{short}: {text_of(event.value)} is {sign} = {text_of(bound)}, which {other} is already sure of elsewhere; "
            f"so {other} never lets the game come here, and {rest}"
        )

    def _opponent(self, player: int) -> str:
        """Max or Min, by the name that the game gives."""
        return player_role(self.game, player) if self.game.players == 2 and self.game.total is not None else ("Max", "Min")[player]

    def _outcomes(self, node: int) -> str:
        state = self.visits[node].state
        weights = self.trace.weights.get(node)
        outcomes = chance_weights(self.game, state) if weights is None else list(weights.items())
        texts = dict(zip((action for action, _ in outcomes), probability_texts([weight for _, weight in outcomes]), strict=True))
        children = self.children.get(node, [])
        return ", ".join(f"{self._name(child)} ({texts[self.visits[child].action or 0]}): {self._value(child)}" for child in children)

    def _value(self, node: int) -> str:
        """A node's value; with ≤ or ≥ where its window tells that it is only a bound."""
        value, (alpha, beta) = self.values.get(node), self.windows.get(node, (None, None))
        if value is None or alpha is None or beta is None or node in self.certain:
            return text_of(value)
        return f"{'≥ ' if value >= beta else '≤ ' if value <= alpha else ''}{text_of(value)}"

    def _name(self, child: int) -> str:
        """The action that led to a node, from its parent."""
        visit = self.visits[child]
        assert visit.action is not None
        return action_name(self.game, self.visits[visit.parent].state, visit.action)

    def _number(self) -> str:
        self.steps += 1
        return f"{self.steps}."

    def _place(self, node: int) -> str:
        """A node by its label and the actions that lead to it."""
        names: list[str] = []
        above = node
        while self.visits[above].parent != NO_PARENT:
            names.append(self._name(above))
            above = self.visits[above].parent
        label = self._label(node)
        way = f"after {', '.join(reversed(names))}" if names else "at the root"
        mover = self.visits[node].player
        who = "" if mover is None or mover == CHANCE else f", {player_role(self.game, mover)} to move"
        return f"{label} ({way}){who}" if label else f"{way[0].upper()}{way[1:]}{who}"


def _finite(bound: Any) -> bool:
    return math.isfinite(bound.value if isinstance(bound, Score) else bound)


def _listed(names: Sequence[str]) -> str:
    """a, b and c; long lists are shortened."""
    if len(names) > 6:
        return f"{', '.join(names[:5])} and {len(names) - 5} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
