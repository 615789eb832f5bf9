"""Impartial games: the Sprague–Grundy value of a position, and sums of games.

Both players of an impartial game have the same actions; who cannot move has lost. A position is then worth a heap of Nim of a certain
size, its *Grundy value*: the smallest number that none of its successors has. In a sum of games a player moves in one of them; its value is
the xor of theirs, and the mover loses exactly where it is 0. (R. Sprague 1935, P. M. Grundy 1939.)
"""

import ast
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from inspect import getattr_static
from types import FunctionType
from typing import Any

from zermelo.compiler.source import plain_function, read_function
from zermelo.errors import RulesError, ZermeloError, no_actions
from zermelo.rules import CHANCE, MAX, MIN, Action, Game, State, ask, draw_value, has, legal_actions, simple_payoff

__all__ = ["GrundyResult", "Impartial", "grundy", "grundy_sequence", "grundy_sum", "mex", "same_rules"]

MOST = 5_000_000  # positions
LONGEST = 500_000  # moves of a game
LEARNT = 50  # states from which is learnt which part of them says whose turn it is
RULES = ("player", "actions", "result", "terminal", "utility", "parts")  # that values depend on


@dataclass(frozen=True)
class GrundyResult:
    """The Grundy value of one position, or of a sum."""

    value: int
    values: tuple[int, ...]  # of the parts of a sum; of one game the same value alone
    wins: bool  # does the player who moves win?
    actions: tuple[tuple[int, Action], ...]  # (part, action) of every move that wins
    positions: int  # that were looked at

    def to_dict(self) -> dict[str, Any]:
        return {"grundy": self.value, "parts": list(self.values), "wins": self.wins, "positions": self.positions}


def mex(values: set[int]) -> int:
    """The smallest number from 0 on that is not among the values."""
    number = 0
    while number in values:
        number += 1
    return number


@dataclass(slots=True)
class Open:
    """A position whose successors are being looked at."""

    key: Hashable
    children: list[list[State]]  # successors that are left, each as its parts
    seen: set[int]  # values of the others


@dataclass(frozen=True)
class Turn:
    """The parts of a state that say whose turn it is: a field `turn`, or any with one value for each player."""

    values: dict[int, tuple[Any, Any]]  # by the number of the part: its value if Max moves, and if Min does

    @staticmethod
    def of(game: Game) -> "Turn | None":
        """Learnt from the first states of a game; None where no part says it. `check_fair` finds a part that misleads."""
        start = game.start()
        if split(start) is None:
            return None
        seen: dict[State, int] = {}
        waiting = [start]
        for state in waiting:
            if state not in seen and not game.terminal(state) and len(seen) < LEARNT:
                seen[state] = game.player(state)
                waiting += [game.result(state, action) for action in legal_actions(game, state)]
        known: list[tuple[list[Any], int]] = [(split(state) or [], mover) for state, mover in seen.items()]
        values: dict[int, tuple[Any, Any]] = {}
        for part in range(min((len(parts) for parts, _ in known), default=0)):
            found = [{parts[part] for parts, mover in known if mover == player} for player in (MAX, MIN)]
            if all(len(each) == 1 for each in found) and found[0] != found[1]:
                values[part] = (*found[0], *found[1])
        plain = {part: pair for part, pair in values.items() if pair == (MAX, MIN)}
        values = plain or {part: pair for part, pair in values.items() if not any(isinstance(value, tuple | frozenset) for value in pair)}
        if not values and {mover for _, mover in known} <= {MAX}:  # over after a move at most
            turn = getattr(start, "_fields", ()).index("turn") if "turn" in getattr(start, "_fields", ()) else None
            return Turn({} if turn is None else {turn: (MAX, MIN)})
        return Turn(values) if values else None

    def without(self, state: State) -> Hashable:
        """The state's other parts."""
        return tuple(value for part, value in enumerate(split(state) or ()) if part not in self.values)

    def passed(self, state: State, mover: int) -> State:
        """The same position with the other player to move."""
        parts = split(state) or []
        for part, values in self.values.items():
            parts[part] = values[1 - mover]
        if is_dataclass(state) and not isinstance(state, type):
            return replace(state, **dict(zip((field.name for field in fields(state)), parts, strict=True)))
        return state._make(parts) if hasattr(state, "_make") else tuple(parts)


def split(state: State) -> list[Any] | None:
    """The parts of a tuple or a dataclass; None for other states."""
    if isinstance(state, tuple):
        return list(state)
    return [getattr(state, field.name) for field in fields(state)] if is_dataclass(state) else None


class Impartial:
    """Grundy values of one game, each position looked at once.

    A position is a state without what says whose turn it is: it must be the same to both players. If the game has `parts(state)`, the
    states whose sum a state is, only such parts are looked at, so that a row of hundreds of pins takes hundreds of positions and not 2 to
    that power.
    """

    def __init__(self, game: Game, most: int = MOST, values: dict[Hashable, int] | None = None) -> None:
        """`values` are those of positions that are known before, by the same rules; what is found is added to them."""
        self.game, self.most = game, most
        name = type(game).__name__
        if game.players != 2 or game.total is None or has(game, "chances"):
            raise ZermeloError(f"{name} is not impartial: that takes two players, a constant sum and no chance.")
        self.turn = Turn.of(game)
        if self.turn is None:
            raise ZermeloError(
                f"No part of {name}'s states says whose turn it is, so the other player's moves are unknown: "
                "make the state a tuple, NamedTuple or dataclass with the player to move in it."
            )
        self.values: dict[Hashable, int] = {} if values is None else values

    def key(self, state: Any) -> Hashable:
        """The position without its mover."""
        return self.turn.without(state)  # type: ignore[union-attr]

    def parts(self, state: State) -> list[State]:
        """The states whose sum this one is."""
        return list(ask(self.game, "parts", state)) if has(self.game, "parts") else [state]

    def value(self, root: State) -> int:
        """The Grundy value."""
        parts = self.parts(root)
        for part in parts:
            if self.key(part) not in self.values:
                self.explore(part)
        return self.sum_of(parts)

    def explore(self, root: State) -> None:
        """Finds the values of a part and of all that follow it; with a stack of its own, because games can be longer than Python's."""
        stack = [self.opened(root)]
        path = {stack[0].key}
        while stack:
            position = stack[-1]
            missing = self.missing(position)
            if missing is not None:
                self.require_end(self.key(missing), path)
                stack.append(self.opened(missing))
                path.add(stack[-1].key)
            else:
                stack.pop()
                path.remove(position.key)
                self.values[position.key] = mex(position.seen)

    def missing(self, position: Open) -> State | None:
        """A part of a successor that is to be looked at first; None where all are known."""
        while position.children:
            for part in position.children[-1]:
                if self.key(part) not in self.values:
                    return part
            position.seen.add(self.sum_of(position.children.pop()))
        return None

    def require_end(self, key: Hashable, path: set[Hashable]) -> None:
        """Raises where a position on the way returns, or more have been met than are looked at."""
        name = type(self.game).__name__
        if key in path:
            raise ZermeloError(f"{name} can go round forever, so its positions have no Grundy values.")
        if len(self.values) + len(path) >= self.most:
            raise ZermeloError(f"{name} has more than {self.most:,} positions from here: take a smaller one.")
        if len(path) >= LONGEST:
            raise ZermeloError(f"{name} can go on for more than {LONGEST:,} moves from here: take one that ends sooner.")

    def sum_of(self, parts: list[State]) -> int:
        """The value of a sum of parts that are known."""
        total = 0
        for part in parts:
            total ^= self.values[self.key(part)]
        return total

    def opened(self, state: State) -> Open:
        """A position whose successors are to be looked at; checks that the game is impartial there."""
        game = self.game
        if game.terminal(state):
            self.check_end(state)
            return Open(self.key(state), [], set())
        actions = legal_actions(game, state)
        if not actions:
            raise no_actions(game, state)
        results = [game.result(state, action) for action in actions]
        self.check_fair(state, actions, results)
        return Open(self.key(state), [self.parts(result) for result in results], set())

    def check_end(self, state: State) -> None:
        """Who cannot move has lost."""
        lead = simple_payoff(self.game, state) - draw_value(self.game)
        if lead == 0 or (lead > 0) != (self.game.player(state) == MIN):
            name = type(self.game).__name__
            raise ZermeloError(f"{name} is not impartial in normal play: in {state!r} the game is over, and the mover has not lost.")

    def check_fair(self, state: Any, actions: list[Action], results: list[State]) -> None:
        """The other player would have the same actions, which lead to the same positions."""
        game, name = self.game, type(self.game).__name__
        if game.player(state) == CHANCE:
            raise ZermeloError(f"{name} is not impartial: chance moves in {state!r}.")
        other = self.turn.passed(state, game.player(state))  # type: ignore[union-attr]
        if legal_actions(game, other) != actions:
            raise ZermeloError(f"{name} is not impartial: in {state!r} the two players have different moves.")
        for action, result in zip(actions, results, strict=True):
            if self.key(game.result(other, action)) != self.key(result):
                raise ZermeloError(f"{name} is not impartial: in {state!r} a move of the two players leads to different positions.")

    def winning_actions(self, state: State, others: int = 0) -> list[Action]:
        """The actions after which the sum with games worth `others` is lost for the player to move next."""
        return [action for action in legal_actions(self.game, state) if self.value(self.game.result(state, action)) ^ others == 0]


def grundy(game: Game, state: State | None = None) -> GrundyResult:
    """The Grundy value of a state (the start by default), and the moves that win."""
    return grundy_sum([(game, game.start() if state is None else state)])


def grundy_sum(parts: Sequence[tuple[Game, State]]) -> GrundyResult:
    """The Grundy value of a sum of games, each from a state, and the moves that win."""
    sides = [(Impartial(game), state) for game, state in parts]
    values = tuple(side.value(state) for side, state in sides)
    total = 0
    for value in values:
        total ^= value
    winning = tuple(
        (part, action) for part, (side, state) in enumerate(sides) for action in side.winning_actions(state, total ^ values[part])
    )
    return GrundyResult(total, values, total != 0, winning, sum(len(side.values) for side, _ in sides))


def grundy_sequence(games: Sequence[Game]) -> list[int]:
    """The values of games at their starts, such as rows of growing length. What follows from the same rules is looked at once."""
    values: list[int] = []
    before, known = None, dict[Hashable, int]()
    for game in games:
        if before is None or not same_rules(before, game):
            known = {}
        values.append(Impartial(game, values=known).value(game.start()))
        before = game
    return values


def same_rules(one: Game, other: Game) -> bool:
    """Do two games of a class lead from each state to the same ones for sure, whatever their starts and sizes?

    They do where every field that the rules look at has the same value in both.
    """
    names = looked_at(type(one)) if type(one) is type(other) else None
    try:
        return names is not None and all(bool(getattr(one, name) == getattr(other, name)) for name in (*names, "total"))
    except (AttributeError, ValueError):  # a field that is not there, or cannot be compared
        return False


def looked_at(kind: type[Game]) -> set[str] | None:
    """Names of fields and properties that the rules of a class look at; None where that cannot be told."""
    waiting, methods, fields = [rule for rule in RULES if hasattr(kind, rule)], set[str](), set[str]()
    while waiting:
        name = waiting.pop()
        method = plain_function(getattr_static(kind, name, None))
        if not isinstance(method, FunctionType):
            fields.add(name)
        elif name not in methods:
            methods.add(name)
            try:
                names = names_of_self(read_function(method))
            except RulesError:
                return None
            if names is None:
                return None
            waiting += names
    return fields


def names_of_self(method: ast.FunctionDef) -> set[str] | None:
    """What a method reads from its game; None where it hands the game on as a whole."""
    own = method.args.args[0].arg if method.args.args else ""
    attributes = [each for each in ast.walk(method) if isinstance(each, ast.Attribute) and is_name(each.value, own)]
    mentions = sum(is_name(each, own) or is_name(each, "super") for each in ast.walk(method))
    return {each.attr for each in attributes} if mentions == len(attributes) else None


def is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
