"""What a search is asked to do, and whether the game allows it."""

import math
from collections import deque
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any, Literal

from zermelo.errors import ZermeloError, hidden_error
from zermelo.rules import CHANCE, MAX, Game, State, draw_value, has, hidden_information, legal_actions

__all__ = [
    "BACKENDS",
    "DEFAULT_MEMORY",
    "Backend",
    "Plan",
    "chance_error",
    "check_backend",
    "check_depth",
    "endless_error",
    "lost_payoff",
    "require_no_chance",
    "require_two_opponents",
]

Backend = Literal["auto", "compiled", "interned", "reference"]
BACKENDS = ("auto", "compiled", "interned", "reference")
DEFAULT_MEMORY = 64 << 20  # bytes of the table of a search that is not a textbook search
FIRST_STATES = 256  # that are looked at before rules are compiled


@dataclass(frozen=True)
class Plan:
    """One search with all its switches; Minimax, Negamax and AlphaBeta differ in nothing else.

    A textbook search compares payoffs only and asks no knowledge of the game. Without a depth limit knowledge never changes an answer;
    with one it would (a proof beats an estimate), so `bounds` and `candidates` serve unlimited searches only.
    """

    algorithm: str
    depth: int | None = None
    textbook: bool = False
    memory: int | None = None  # bytes of the table; None: the default
    pruning: bool = False  # alpha-beta's cut-offs
    ordering: bool | None = False  # `order`, and the table's best action first; None: unless this is a textbook search
    knowledge: bool = False  # `bounds` and `candidates`
    window: tuple[Any, Any] | None = None  # payoffs (alpha, beta) at the root of a textbook search
    perfect_information: bool = False
    backend: Backend = "auto"

    def check(self) -> None:
        """Raises where the parameters make no sense."""
        check_depth(self.depth)
        check_backend(self.backend)
        if self.memory is not None and (not isinstance(self.memory, int) or isinstance(self.memory, bool) or self.memory < 0):
            raise ZermeloError(f"The memory of a search is a number of bytes of at least 0, not {self.memory!r}.")
        if self.window is not None:
            self._check_window(self.window)

    def _check_window(self, window: Any) -> None:
        if not self.textbook:
            raise ZermeloError("A window needs textbook=True: the default search gives every action an exact score.")
        if not (isinstance(window, tuple) and len(window) == 2) or any(math.isnan(bound) for bound in window) or window[0] >= window[1]:
            raise ZermeloError(f"A window is a pair (alpha, beta) of payoffs with alpha below beta, not {window!r}.")

    def table_bytes(self, game: Game) -> int:
        """Bytes of the table that this search may use in this game; none where values depend on the path."""
        if game.repetition is not None:
            return 0
        return (0 if self.textbook else DEFAULT_MEMORY) if self.memory is None else self.memory

    def notes(self, game: Game) -> list[str]:
        """What the user should know about switches that this game overrides."""
        wanted = self.memory != 0 if not self.textbook else bool(self.memory)
        if game.repetition is not None and wanted and self.algorithm != "minimax":
            return [f'No table was used: with repetition = "{game.repetition}" a value depends on the line that led there.']
        return []

    @property
    def informed(self) -> bool:
        """May `bounds` and `candidates` be used?"""
        return self.knowledge and not self.textbook and self.depth is None

    @property
    def ordered(self) -> bool:
        """May `order` and the table's best action change the order of actions?"""
        return not self.textbook if self.ordering is None else self.ordering

    def tracks(self, game: Game) -> bool:
        """Must the search notice a state that returns on the current line?"""
        return game.repetition is not None or self.depth is None

    def parameters(self) -> dict[str, Any]:
        """The switches as the result records them."""
        values = asdict(self)
        del values["algorithm"]
        values["ordering"] = self.ordered
        return values


def check_depth(depth: object) -> None:
    """A depth is None or a whole number of at least 0."""
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int)):
        raise ZermeloError(f"A depth is a whole number of actions, not {depth!r}.")
    if isinstance(depth, int) and depth < 0:
        raise ZermeloError(f"A depth cannot be negative: {depth}; give 0 or more, or none at all.")


def check_backend(backend: object) -> None:
    """A backend is one of three words."""
    if backend not in BACKENDS:
        near = get_close_matches(str(backend), BACKENDS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ZermeloError(f"There is no backend {backend!r}, only {', '.join(BACKENDS)}{hint}")


def require_two_opponents(game: Game, algorithm: str, see_all: bool) -> None:
    """Raises unless the game is for one player, or for two with a constant sum, and nothing in it is hidden (or `see_all`)."""
    if game.players > 2 or (game.players == 2 and game.total is None):
        why = f"has {game.players} players" if game.players > 2 else "is a game of general sum"
        raise ZermeloError(
            f"{algorithm} needs two players with a constant sum, but {type(game).__name__} {why}; "
            "maxn, paranoid, coalition and backward fit."
        )
    if hidden_information(game) and not see_all:
        raise hidden_error(algorithm, game)


def require_no_chance(game: Game, state: State, algorithm: str) -> None:
    """Raises where chance moves in one of the first states from here on, before rules are compiled in vain."""
    seen, waiting = {state}, deque([state] if has(game, "chances") else [])
    while waiting:
        here = waiting.popleft()
        if game.terminal(here):
            continue
        if game.player(here) == CHANCE:
            raise chance_error(game, algorithm)
        for action in legal_actions(game, here):
            after = game.result(here, action)
            if after not in seen and len(seen) < FIRST_STATES:
                seen.add(after)
                waiting.append(after)


def chance_error(game: Game, algorithm: str) -> ZermeloError:
    """For a state in which chance moves."""
    return ZermeloError(
        f"{algorithm} needs two players with a constant sum and no chance, but chance moves in {type(game).__name__}; "
        "expectiminimax, star1, star2 and backward fit."
    )


class EndlessError(ZermeloError):
    """Play need not end, so a search to the end does not either."""


def endless_error(game: Game, length: int | None) -> ZermeloError:
    """For a line that goes round, or on and on (`length` is None)."""
    what = f"can go round forever: a state returns after {length} action{'' if length == 1 else 's'}" if length else "has no end in sight"
    other = "use value iteration (`algorithm='valueiteration'`), " if has(game, "chances") and game.repetition is None else ""
    return EndlessError(
        f'{type(game).__name__} {what}; {other}give a depth, or declare `repetition` ("draw", "loss" or "forbidden") in the rules.'
    )


def lost_payoff(game: Game, player: int) -> Any:
    """Max's payoff when this player loses by repetition: the player gets the lowest payoff, or one below the draw."""
    draw = draw_value(game)
    if game.payoffs is None:
        return draw - 1 if player == MAX else draw + 1
    low = game.payoffs[0]
    return low if player == MAX else (game.total or 0) - low
