"""Any game as a tree, to its end or to a depth: states become nodes, and names and boards stay."""

from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import (
    CHANCE,
    Action,
    Game,
    State,
    action_name,
    ask,
    chance_weights,
    cost_function,
    draw_value,
    hidden_information,
    legal_actions,
    payoff_vector,
)
from zermelo.trees.builder import TreeBuilder
from zermelo.trees.tree import NO_PARENT, Tree, name_of

__all__ = ["unfold"]


def unfold(game: Game, state: State = None, depth: int | None = None, limit: int = 1_000_000) -> Tree:
    """The game's tree below a state (the start by default), to a depth or to every end.

    A state that returns within one line follows the game's `repetition`; where it has none, a game with cycles needs a depth.

    Parameters
    ----------
    game : Game
        The rules.
    state : optional
        The root; the start by default.
    depth : int, optional
        Actions, after which states become ends with their `evaluate`, or the draw, as an estimate (`tree.judged`).
    limit : int, default 1,000,000
        More nodes are refused.

    Returns
    -------
    Tree
    """
    if depth is not None and depth < 0:
        raise ZermeloError(f"The depth must be at least 0, not {depth}.")
    return _Unfolding(game, depth, limit).tree(game.start() if state is None else state)


class _Unfolding:
    """One walk through a game, depth first, without recursion."""

    def __init__(self, game: Game, depth: int | None, limit: int) -> None:
        self.game, self.depth, self.limit = game, depth, limit
        self.builder = TreeBuilder(game.title if isinstance(game, Tree) else name_of(game))
        self.hidden = hidden_information(game)
        self.sets: dict[tuple[int, Any], str] = {}  # (player, information) → text
        self.texts: set[tuple[int, str]] = set()
        self.line: list[State] = []  # from the root to the present state's parent
        self.on_line: dict[State, int] = {}  # state → its first depth on the line

    def tree(self, root: State) -> Tree:
        waiting: list[tuple[int, int, str, Any, Any, int | None, State]] = [(0, NO_PARENT, "", None, 0, None, root)]
        while waiting:
            depth, parent, choice, weight, cost, mover, state = waiting.pop()
            while len(self.line) > depth:
                left = self.line.pop()
                if self.on_line[left] == len(self.line):
                    del self.on_line[left]
            if len(self.builder.movers) >= self.limit:
                raise ZermeloError(
                    f"{name_of(self.game)} unfolds to more than {self.limit:,} nodes; give a smaller depth or a larger limit."
                )
            self.builder.states.append(state)
            label = self.game.labels[state] if isinstance(self.game, Tree) else ""
            payoff, judged = self._end(state, depth, mover)
            if payoff is not None:
                self.builder.end(parent, choice, payoff, label=label, weight=weight, cost=cost, judged=judged)
                continue
            player = self.game.player(state)
            information = self._information(state, player)
            node = self.builder.branch(parent, choice, player, label=label, weight=weight, information=information, cost=cost)
            self.line.append(state)
            self.on_line.setdefault(state, depth)
            waiting.extend(reversed([(depth + 1, node, *child) for child in self._children(state, player)]))
        game = self.game
        opponents = game.players <= 2 and game.total is not None  # called Max and Min where a tree is explained
        seats = getattr(game, "seats", ()) if not opponents else ()
        names = game.names if isinstance(game, Tree) else seats if len(seats) == game.players else ()  # seats may be two, players three
        return self.builder.tree(players=game.players, total=game.total, source=game, names=names)

    def _end(self, state: State, depth: int, mover: int | None) -> tuple[Any, bool]:
        """The payoff, one per player, where the tree stops, and whether it is an estimate; (None, False) where it goes on."""
        game = self.game
        if game.terminal(state):
            return payoff_vector(game, state), isinstance(game, Tree) and state in game.judged
        if state in self.on_line:
            if game.repetition in ("draw", "loss"):
                return self._repeated(mover), False
            if self.depth is None:
                raise ZermeloError(
                    f"{name_of(game)} has a cycle of {depth - self.on_line[state]} moves, so its tree has no end; give a depth."
                )
        if self.depth is not None and depth >= self.depth:
            return self._estimate(state), True
        if game.player(state) != CHANCE and not self._actions(state):
            if game.repetition == "forbidden":
                return self._loss(game.player(state)), False
            raise ZermeloError(f"{name_of(game)} has a state that is not terminal and has no actions: {state!r}.")
        return None, False

    def _children(self, state: State, player: int) -> list[tuple[str, Any, Any, int, State]]:
        """(name, weight, cost, mover, state) after every action."""
        game, cost = self.game, cost_function(self.game)
        weights = dict(chance_weights(game, state)) if player == CHANCE else {}
        return [
            (
                action_name(game, state, action),
                weights.get(action),
                cost(state, action),
                player,
                game.result(state, action),
            )
            for action in (weights or self._actions(state))
        ]

    def _actions(self, state: State) -> list[Action]:
        """Legal actions, without those that `repetition = "forbidden"` takes away."""
        actions = legal_actions(self.game, state)
        if self.game.repetition != "forbidden":
            return actions
        return [action for action in actions if (after := self.game.result(state, action)) not in self.on_line and after != state]

    def _vector(self, value: Any) -> tuple[Any, ...]:
        """Max's payoff, or a tuple, as one payoff per player."""
        if isinstance(value, tuple):
            return value
        if self.game.players == 2 and self.game.total is not None:
            return (value, self.game.total - value)
        return (value,) * self.game.players

    def _estimate(self, state: State) -> tuple[Any, ...]:
        evaluate = getattr(self.game, "evaluate", None)
        return self._vector(evaluate(state) if evaluate is not None else draw_value(self.game))

    def _repeated(self, mover: int | None) -> tuple[Any, ...]:
        """Payoffs where a state returns: a draw, or a loss for the player who moved there."""
        if self.game.repetition == "loss" and mover is not None and mover != CHANCE:
            return self._loss(mover)
        return self._vector(draw_value(self.game))

    def _loss(self, loser: int) -> tuple[Any, ...]:
        """The lowest payoff for one player; the rest of the total goes to the others in equal parts."""
        game, draw = self.game, draw_value(self.game)
        low = game.payoffs[0] if game.payoffs is not None else draw - 1
        if game.players == 1:
            return (low,)
        other = (game.total - low) / (game.players - 1) if game.total is not None else draw
        other = int(other) if other == int(other) else other
        return tuple(low if player == loser else other for player in range(game.players))

    def _information(self, state: State, player: int) -> str | None:
        """The text of the information set, where something is hidden; two sets never share a text."""
        if not self.hidden or player == CHANCE:
            return None
        information = ask(self.game, "information", state, player)
        text = self.sets.get((player, information))
        if text is None:
            named = getattr(self.game, "name_information", None)
            text = words = str(named(information) if named is not None else information)
            number = 1
            while (player, text) in self.texts:
                number += 1
                text = f"{words} #{number}"
            self.texts.add((player, text))
            self.sets[player, information] = text
        return text
