"""Impartial games: the Sprague–Grundy value of a position, and sums of games.

Both players of an impartial game have the same actions; who cannot move has lost. A position is then worth a heap of Nim of a certain
size, its *Grundy value*: the smallest number that none of its successors has. In a sum of games a player moves in one of them; its value is
the xor of theirs, and the mover loses exactly where it is 0. (R. Sprague 1935, P. M. Grundy 1939.)
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MIN, Action, Game, State, ask, draw_value, has, legal_actions, simple_payoff

__all__ = ["GrundyResult", "Impartial", "grundy", "grundy_sum", "mex"]

MOST = 5_000_000  # positions


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


class Impartial:
    """Grundy values of one game, each position looked at once.

    A position is a state without its field `turn`: it must be the same to both players. Where the game has `parts(state)`, the states whose
    sum a state is, only such parts are looked at, so that a row of hundreds of pins takes hundreds of positions and not 2 to that power.
    """

    def __init__(self, game: Game, most: int = MOST) -> None:
        self.game, self.most = game, most
        name = type(game).__name__
        if game.players != 2 or game.total is None or has(game, "chances"):
            raise ZermeloError(f"{name} is not impartial: that takes two players, a constant sum and no chance.")
        if "turn" not in getattr(game.start(), "_fields", ()):
            raise ZermeloError(
                f"The states of {name} have no field `turn`, so that nobody can tell whether both players have the same moves."
            )
        self.values: dict[Hashable, int] = {}

    def key(self, state: Any) -> Hashable:
        """The position without its mover."""
        return tuple(item for name, item in zip(state._fields, state, strict=True) if name != "turn")

    def parts(self, state: State) -> list[State]:
        """The states whose sum this one is."""
        return list(ask(self.game, "parts", state)) if has(self.game, "parts") else [state]

    def value(self, root: State) -> int:
        """The Grundy value; with a stack of its own, because games can be longer than Python's."""
        path: set[Hashable] = set()
        for part in self.parts(root):
            stack = [] if self.key(part) in self.values else [self.opened(part, path)]
            while stack:
                state, children, seen = stack[-1]
                missing = None
                while children and missing is None:
                    missing = next((each for each in children[-1] if self.key(each) not in self.values), None)
                    if missing is None:
                        seen.add(self.sum_of(children.pop()))
                if missing is not None:
                    stack.append(self.opened(missing, path))
                    continue
                stack.pop()
                path.discard(self.key(state))
                self.values[self.key(state)] = mex(seen)
                if len(self.values) > self.most:
                    raise ZermeloError(f"{type(self.game).__name__} has more than {self.most:,} positions from here: take a smaller one.")
        return self.sum_of(self.parts(root))

    def sum_of(self, parts: list[State]) -> int:
        """The value of a sum of parts that are known."""
        total = 0
        for part in parts:
            total ^= self.values[self.key(part)]
        return total

    def opened(self, state: State, path: set[Hashable]) -> tuple[State, list[list[State]], set[int]]:
        """A position whose successors are to be looked at, each as its parts; checks that the game is impartial there."""
        key = self.key(state)
        if key in path:
            raise ZermeloError(f"{type(self.game).__name__} can go round for ever, so its positions have no Grundy values.")
        path.add(key)
        self.check(state)
        return state, [self.parts(self.game.result(state, action)) for action in legal_actions(self.game, state)], set()

    def check(self, state: Any) -> None:
        """Who cannot move has lost, and the other player would have the same actions."""
        game = self.game
        name = type(game).__name__
        if game.terminal(state):
            lead = simple_payoff(game, state) - draw_value(game)
            if lead == 0 or (lead > 0) != (game.player(state) == MIN):
                raise ZermeloError(f"{name} is not impartial in normal play: in {state!r} the game is over, and the mover has not lost.")
            return
        if game.player(state) == CHANCE:
            raise ZermeloError(f"{name} is not impartial: chance moves in {state!r}.")
        other = state._replace(turn=1 - state.turn)
        if list(legal_actions(game, other)) != list(legal_actions(game, state)):
            raise ZermeloError(f"{name} is not impartial: in {state!r} the two players have different moves.")
        for action in legal_actions(game, state):
            if self.key(game.result(state, action)) != self.key(game.result(other, action)):
                raise ZermeloError(f"{name} is not impartial: in {state!r} a move of the two players leads to different positions.")

    def winning_actions(self, state: State, others: int = 0) -> list[Action]:
        """The actions after which the sum with games worth `others` is lost for whoever moves next."""
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
