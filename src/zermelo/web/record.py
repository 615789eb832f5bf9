"""A match with its variations: every move that was tried is kept, and any of them can be returned to."""

from dataclasses import dataclass, field
from typing import NamedTuple

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position, format_moves
from zermelo.play.match import Match
from zermelo.rules import Action, Game, State
from zermelo.web.views import spoken

__all__ = ["BEGINNING", "Move", "Record"]

BEGINNING = 0  # the move before the first: where the match began


class Move(NamedTuple):
    """One move that was made, and where it led."""

    parent: int
    action: Action
    name: str
    mover: int
    state: State


@dataclass
class Record:
    """A tree of moves with one place in it. Numbers of moves never change: what was tried is never forgotten."""

    game: Game
    beginning: Position
    most: int
    moves: list[Move] = field(default_factory=list)
    below: list[list[int]] = field(default_factory=list)  # [move] → the moves tried after it, in the order of trying
    latest: dict[int, int] = field(default_factory=dict)  # move → the one after it that was looked at last
    now: int = BEGINNING

    def __post_init__(self) -> None:
        self.moves.append(Move(-1, -1, "", -1, self.beginning.state))
        self.below.append([])

    @property
    def state(self) -> State:
        return self.moves[self.now].state

    def line(self, move: int | None = None) -> list[int]:
        """The moves from the beginning to this one, without the beginning."""
        place = self.now if move is None else move
        numbers: list[int] = []
        while place != BEGINNING:
            numbers.append(place)
            place = self.moves[place].parent
        return numbers[::-1]

    def whole_line(self) -> list[int]:
        """The present line, and beyond the present place what was looked at last."""
        numbers = self.line()
        place = self.now
        while place in self.latest:
            place = self.latest[place]
            numbers.append(place)
        return numbers

    def match(self, move: int | None = None) -> Match:
        """The match as it stands at a place, for whoever needs its rules: legal moves, its end, its history."""
        numbers = self.line(move)
        states = [self.beginning.state, *(self.moves[number].state for number in numbers)]
        return Match(self.game, self.beginning, [self.moves[number].action for number in numbers], states)

    def play(self, action: Action) -> int:
        """Makes a legal move, or returns to it where it was tried before."""
        if action not in self.match().legal:
            raise ZermeloError("This move is not possible here.")
        known = next((number for number in self.below[self.now] if self.moves[number].action == action), None)
        if known is None:
            if len(self.moves) >= self.most:
                raise ZermeloError(f"This match has {self.most:,} moves already: begin a new one.")
            known = len(self.moves)
            state = self.state
            name = spoken(self.game, state, action)
            self.moves.append(Move(self.now, action, name, self.game.player(state), self.game.result(state, action)))
            self.below.append([])
            self.below[self.now].append(known)
        self.latest[self.now] = known
        self.now = known
        return known

    def go(self, move: int) -> None:
        """Goes to a place that is there already."""
        if not 0 <= move < len(self.moves):
            raise ZermeloError("There is no such move in this match.")
        for number in self.line(move):
            self.latest[self.moves[number].parent] = number
        self.now = move

    def text(self) -> str:
        """The moves from the start of the game to here, as every command reads them."""
        line = [self.moves[number].action for number in self.line()]
        return format_moves(self.game, self.game.start(), [*self.beginning.actions, *line])
