"""Trees, traces and results as outlines: what each of them knows about a node."""

from collections.abc import Callable
from typing import Any

from zermelo.draw.boards import is_known
from zermelo.draw.number_words import probability_texts, text_of, window_text
from zermelo.draw.scene import Kind, Mark, Outline
from zermelo.equilibrium.extensive.exact.subgames import Marked, SubgamePerfectEquilibrium
from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, action_name, chance_weights, legal_actions
from zermelo.scores import Score
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree
from zermelo.trees.backward_induction import InductionResult
from zermelo.trees.trace import NO_PARENT, Event, Trace
from zermelo.trees.tree import Tree

__all__ = ["CERTAIN", "Subject", "outline_of"]

Subject = Tree | Trace | SearchResult | SubgamePerfectEquilibrium | MonteCarloTree

SMALL = 2_000  # nodes of a tree up to which pruned branches are drawn with all that is below them
SHOWN_LINE = 6  # actions of a result's line that are drawn
WIDE_TEXT = 24  # columns up to which a board in letters fits into a node
CERTAIN = ("terminal", "depth", "repetition")  # leaves whose value does not depend on the window
CUTS = {"alpha": "α-cut", "beta": "β-cut", "sum": "sum-cut"}
REASONS = {"depth": "depth limit", "table": "from the table", "repetition": "repetition", "bounds": "by bounds"}


def outline_of(subject: Subject, boards: bool = True) -> Outline:
    """The outline of anything that can be drawn."""
    if isinstance(subject, Tree):
        return _of_tree(subject, boards)
    if isinstance(subject, Trace):
        return _Traced(subject, boards).outline()
    if isinstance(subject, InductionResult):
        return _of_induction(subject, boards)
    if isinstance(subject, SearchResult):
        return _of_result(subject, boards)
    if isinstance(subject, SubgamePerfectEquilibrium):
        return _of_tree(subject.behaviour.tree, boards, subject.on_tree())
    if isinstance(subject, MonteCarloTree):
        return _of_playouts(subject, boards)
    raise ZermeloError(f"A tree, a trace or a search's result can be drawn, not {type(subject).__name__}.")


def kind_of(game: Game, player: int | None) -> Kind:
    """How a node looks."""
    if player is None:
        return "end"
    if player == CHANCE:
        return "chance"
    if game.players == 1 or (game.players == 2 and game.total is not None):
        return "max" if player == 0 else "min"
    return "player"


def title_of(game: Game) -> str:
    """The name of what is drawn."""
    return game.title or "Game tree" if isinstance(game, Tree) else type(game).__name__


def _payoff(value: Any) -> Any:
    """The payoff in a score; anything else as it is."""
    return value.value if isinstance(value, Score) else value


class _Looks:
    """What a game shows of its states: boards, and names of actions with their probabilities."""

    def __init__(self, game: Game, boards: bool) -> None:
        self.game = game
        self.board: Callable[[State], Any] | None = getattr(game, "board", None) if boards else None
        bare = isinstance(game, Tree) and getattr(game.source, "show", None) is None
        self.show: Callable[[State], str] | None = getattr(game, "show", None) if boards and not bare else None

    def put(self, mark: Mark, state: State) -> None:
        """The state's board as data, and in letters where that data cannot be drawn."""
        mark.board = self.board(state) if self.board is not None else None
        if self.show is not None and not is_known(mark.board):
            text = self.show(state)
            mark.text = text if max(map(len, text.splitlines()), default=0) <= WIDE_TEXT else ""

    def action(self, mark: Mark, state: State, action: Action, weights: dict[Action, Any] | None = None) -> None:
        """The action that leads from `state` to the mark; `weights` where a player is expected to move by chance."""
        mark.action = action_name(self.game, state, action)
        if weights is not None or self.game.player(state) == CHANCE:
            outcomes = chance_weights(self.game, state) if weights is None else list(weights.items())
            texts = probability_texts([weight for _, weight in outcomes])
            mark.probability = next(text for (outcome, _), text in zip(outcomes, texts, strict=True) if outcome == action)


def _of_tree(tree: Tree, boards: bool, found: InductionResult | Marked | None = None) -> Outline:
    """A tree; with values and choices where backward induction, or a subgame-perfect equilibrium, has them."""
    looks = _Looks(tree, boards)
    root = 0 if found is None else found.state
    nodes, parents = _below(tree, root)

    def mark(number: int) -> Mark:
        node = nodes[number]
        made = _tree_mark(tree, node, looks)
        if found is not None and tree.children[node]:
            made.value, made.number = text_of(found.values[node]), found.values[node]
        if number > 0:
            above = tree.parents[node]
            looks.action(made, above, tree.children[above].index(node))
            made.optimal = found is not None and tree.children[above].index(node) in found.optimal.get(above, ())
        return made

    line: list[int] = []
    if found is not None:
        number_of, node = {node: number for number, node in enumerate(nodes)}, root
        for action in found.line:
            node = tree.children[node][action]
            line.append(number_of[node])
    return Outline(title_of(tree), tree, parents, mark, lambda number: nodes[number], line)


def _of_playouts(tree: MonteCarloTree, boards: bool) -> Outline:
    """The tree of a search by playouts: every node with its visits and mean payoff; a branch is as wide as it was visited often."""
    game, sprouts, looks = tree.game, tree.sprouts, _Looks(tree.game, boards)
    whole = max(sprouts[0].visits, 1)

    def mark(number: int) -> Mark:
        sprout = sprouts[number]
        made = Mark(kind_of(game, sprout.player), player=sprout.player, visits=sprout.visits, share=sprout.visits / whole)
        if sprout.means:
            single = game.players == 1 or (game.players == 2 and game.total is not None)
            means = tuple(round(mean, 3) for mean in sprout.means)
            made.number = means[0] if single else means
            made.value = text_of(made.number)
        made.note = f"{sprout.visits:,} {'visit' if sprout.visits == 1 else 'visits'}{', proven' if sprout.proven else ''}"
        if number > 0 and sprout.action is not None:
            looks.action(made, sprouts[sprout.parent].state, sprout.action)
        looks.put(made, sprout.state)
        return made

    beyond = {number: sprout.hidden for number, sprout in enumerate(sprouts) if sprout.hidden}
    parents = [sprout.parent for sprout in sprouts]
    return Outline(title_of(game), game, parents, mark, lambda number: sprouts[number].state, tree.line, beyond)


def _below(tree: Tree, root: int) -> tuple[list[int], list[int]]:
    """The nodes of a subtree in order, and [place] → place of the parent."""
    if root == 0:
        return list(range(len(tree))), list(tree.parents)
    nodes, places = [root], {root: 0}
    parents = [NO_PARENT]
    for node in range(root + 1, len(tree)):
        above = places.get(tree.parents[node])
        if above is not None:
            places[node] = len(nodes)
            nodes.append(node)
            parents.append(above)
    return nodes, parents


def _tree_mark(tree: Tree, node: int, looks: _Looks) -> Mark:
    """What a tree itself says about a node."""
    over = not tree.children[node]
    kind = "judged" if node in tree.judged else kind_of(tree, None if over else tree.movers[node])
    made = Mark(kind, label=tree.labels[node], player=None if over else tree.movers[node], information=tree.informations[node])
    if over:
        made.number = tree.utility(node)
        made.value = text_of(made.number)
    looks.put(made, node)
    return made


class _Traced:
    """A recorded search. Nodes that it skipped come behind those that it visited."""

    def __init__(self, trace: Trace, boards: bool) -> None:
        self.trace, self.game = trace, trace.game
        self.looks = _Looks(trace.game, boards)
        count = len(trace.visits)
        if not count:
            raise ZermeloError("The trace is empty: nothing was recorded.")
        self.windows: list[tuple[Any, Any]] = [(None, None)] * count
        self.values: list[Any] = [None] * count
        self.reasons: list[str | None] = [None] * count  # of leaves
        self.choices: list[Action | None] = [None] * count
        self.cuts: dict[int, Event] = {}
        for event in trace.events:
            self._note(event)
        self.parents = [visit.parent for visit in trace.visits]
        self.skipped: list[tuple[State, Action, State | None, bool]] = []  # (state above, action, state, is it the branch's first?)
        self._add_skipped()
        self.chosen = self._chosen_children()

    def _note(self, event: Event) -> None:
        node = event.node
        if event.kind == "enter":
            self.windows[node] = event.alpha, event.beta
        elif event.kind == "leaf":
            self.values[node], self.reasons[node] = event.value, event.reason
        elif event.kind == "leave":
            self.values[node], self.choices[node] = event.value, event.action
        elif event.kind == "cutoff":
            self.cuts[node] = event

    def _add_skipped(self) -> None:
        """Every action that was never tried; with its whole subtree where the game is a small tree."""
        game = self.game
        small = isinstance(game, Tree) and len(game) <= SMALL
        for node, event in self.cuts.items():
            for action in event.skipped:
                self.parents.append(node)
                above = self.trace.visits[node].state
                self.skipped.append((above, action, None, True))
                if small:
                    self._add_below(game.result(above, action), len(self.parents) - 1)

    def _add_below(self, root: int, place: int) -> None:
        tree = self.game
        assert isinstance(tree, Tree)
        waiting = [(root, place)]
        while waiting:
            node, above = waiting.pop()
            for action, child in enumerate(tree.children[node]):
                self.parents.append(above)
                self.skipped.append((node, action, child, False))
                waiting.append((child, len(self.parents) - 1))

    def _chosen_children(self) -> dict[int, int]:
        """Node → the child that its best action led to; the last one where it was searched again."""
        chosen = {}
        for node, visit in enumerate(self.trace.visits):
            if visit.parent != NO_PARENT and self.choices[visit.parent] == visit.action and visit.action is not None:
                chosen[visit.parent] = node
        return chosen

    def line(self) -> list[int]:
        """The nodes of best play below the root."""
        nodes, node = [], 0
        while (below := self.chosen.get(node)) is not None:
            nodes.append(below)
            node = below
        return nodes

    def outline(self) -> Outline:
        title = f"{title_of(self.game)}, {self.trace.algorithm}"
        return Outline(title, self.game, self.parents, self.mark, self.state, self.line())

    def state(self, node: int) -> State:
        visits = self.trace.visits
        if node < len(visits):
            return visits[node].state
        above, action, state, _ = self.skipped[node - len(visits)]
        return self.game.result(above, action) if state is None else state

    def mark(self, node: int) -> Mark:
        return self._visited(node) if node < len(self.trace.visits) else self._unvisited(node)

    def _visited(self, node: int) -> Mark:
        visit, reason, cut = self.trace.visits[node], self.reasons[node], self.cuts.get(node)
        kind: Kind = "judged" if reason == "depth" or self._is_judged(visit.state) else kind_of(self.game, visit.player)
        made = Mark(kind, player=visit.player, value=self._value(node), window=window_text(*self.windows[node]))
        made.number = _payoff(self.values[node])
        if made.window:
            made.bounds = _payoff(self.windows[node][0]), _payoff(self.windows[node][1])
        if isinstance(self.game, Tree):
            made.label, made.information = self.game.labels[visit.state], self.game.informations[visit.state]
        if cut is not None:
            made.note = CUTS[cut.reason or "beta"]
        elif reason is not None:
            made.note = REASONS.get(reason, "")
        if kind == "end":
            made.window = ""
        self.looks.put(made, visit.state)
        if visit.parent != NO_PARENT and visit.action is not None:
            self.looks.action(made, self.trace.visits[visit.parent].state, visit.action, self.trace.weights.get(visit.parent))
            made.optimal = self.chosen.get(visit.parent) == node
        return made

    def _is_judged(self, state: State) -> bool:
        return isinstance(self.game, Tree) and state in self.game.judged

    def _value(self, node: int) -> str:
        """The value that went back, with a sign where the window tells that it is only a bound."""
        value, (alpha, beta) = self.values[node], self.windows[node]
        text = text_of(value)
        if value is None or alpha is None or beta is None or self.reasons[node] in CERTAIN:
            return text
        return f"≥ {text}" if value >= beta else f"≤ {text}" if value <= alpha else text

    def _unvisited(self, node: int) -> Mark:
        above, action, _, first = self.skipped[node - len(self.trace.visits)]
        state = self.state(node)
        if isinstance(self.game, Tree):
            made = _tree_mark(self.game, state, self.looks)
        else:
            over = self.game.terminal(state)
            made = Mark(kind_of(self.game, None if over else self.game.player(state)), player=None if over else self.game.player(state))
            self.looks.put(made, state)
        self.looks.action(made, above, action)
        made.pruned, made.cut = True, first
        return made


def _of_induction(found: InductionResult, boards: bool) -> Outline:
    """Every value that backward induction found; a game that is not a tree is shown two actions deep."""
    game = found.game
    if isinstance(game, Tree):
        return _of_tree(game, boards, found)
    growth = _Growth(game, found.state, boards)
    for node in growth.grow(0, legal_actions(game, found.state)):
        growth.grow(node, legal_actions(game, growth.states[node]))
    growth.follow(found.line)
    for node, state in enumerate(growth.states):
        growth.values[node] = found.values[state]
        if not growth.below[node]:
            growth.beyond[node] = len(legal_actions(game, state))
    growth.optimal = found.optimal
    return growth.outline(f"{title_of(game)}, {found.algorithm}")


def _of_result(found: SearchResult, boards: bool) -> Outline:
    """The state that was searched, its actions with their values, and the line of best play."""
    growth = _Growth(found.game, found.state, boards)
    actions = legal_actions(found.game, found.state)
    growth.values[0] = found.value
    for node, action in zip(growth.grow(0, actions), actions, strict=True):
        growth.values[node] = found.scores.get(action)
    growth.follow(found.line[:SHOWN_LINE])
    rest = len(found.line) - SHOWN_LINE
    if rest > 0:
        growth.beyond[growth.line[-1]] = rest
    elif found.line and found.exact and growth.values.get(growth.line[-1]) is None and found.game.players == 2:
        growth.values[growth.line[-1]] = found.value
    growth.optimal = {found.state: found.actions}
    return growth.outline(f"{title_of(found.game)}, {found.algorithm}")


class _Growth:
    """A few states of a game, added by hand."""

    def __init__(self, game: Game, root: State, boards: bool) -> None:
        self.game, self.looks = game, _Looks(game, boards)
        self.states: list[State] = [root]
        self.parents = [NO_PARENT]
        self.actions: list[Action] = [-1]
        self.below: list[dict[Action, int]] = [{}]
        self.values: dict[int, Any] = {}
        self.optimal: Any = {}  # state → actions
        self.beyond: dict[int, int] = {}
        self.line: list[int] = []

    def grow(self, node: int, actions: list[Action]) -> list[int]:
        """The states after these actions."""
        added = []
        for action in actions:
            number = len(self.states)
            self.states.append(self.game.result(self.states[node], action))
            self.parents.append(node)
            self.actions.append(action)
            self.below.append({})
            self.below[node][action] = number
            added.append(number)
        return added

    def follow(self, line: tuple[Action, ...]) -> None:
        """The chosen line, grown where it is not there yet."""
        node = 0
        for action in line:
            below = self.below[node]
            node = below[action] if action in below else self.grow(node, [action])[0]
            self.line.append(node)

    def outline(self, title: str) -> Outline:
        return Outline(title, self.game, self.parents, self.mark, lambda node: self.states[node], self.line, self.beyond)

    def mark(self, node: int) -> Mark:
        state = self.states[node]
        player = None if self.game.terminal(state) else self.game.player(state)
        value = self.values.get(node)
        made = Mark(kind_of(self.game, player), player=player, value=text_of(value), number=value)
        if isinstance(self.game, Tree):
            made.label = self.game.labels[state]
        self.looks.put(made, state)
        if node:
            above = self.states[self.parents[node]]
            self.looks.action(made, above, self.actions[node])
            made.optimal = self.actions[node] in self.optimal.get(above, ())
        return made
