"""Engineer: ABC, inheritance, super(), classmethod, staticmethod, ClassVar, TypeVar generic."""
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Dict, List, Sequence, Generic, TypeVar
from zermelo import Game
T = TypeVar("T")
@dataclass(frozen=True)
class Piece(ABC):
    owner: int
    square: int
    letter: ClassVar[str] = "?"
    @abstractmethod
    def steps(self) -> Sequence[int]: ...
    def targets(self, size: int) -> List[int]:
        return [self.square + d for d in self.steps() if 0 <= self.square + d < size]
    def moved(self, to: int) -> "Piece":
        return type(self)(self.owner, to)
    @classmethod
    def at(cls, owner, square):
        return cls(owner, square)
@dataclass(frozen=True)
class Walker(Piece):
    letter: ClassVar[str] = "w"
    def steps(self):
        return (1,) if self.owner == 0 else (-1,)
@dataclass(frozen=True)
class Hopper(Piece):
    letter: ClassVar[str] = "h"
    def steps(self):
        base = (2, 3)
        return base if self.owner == 0 else tuple(-b for b in base)
    def targets(self, size):
        inherited = super().targets(size)
        return inherited[::-1]
@dataclass(frozen=True)
class Position:
    pieces: tuple[Piece, ...]
    turn: int = 0
    def at(self, square):
        for p in self.pieces:
            if p.square == square:
                return p
        return None
class Race(Game):
    """Capture by landing; first to have no legal move loses."""
    SIZE: ClassVar[int] = 7
    @staticmethod
    def other(player: int) -> int:
        return 1 - player
    def start(self):
        return Position((Walker.at(0, 0), Hopper.at(0, 1), Walker.at(1, 6), Hopper.at(1, 5)))
    def player(self, s):
        return s.turn
    def actions(self, s):
        return [(p.square, t) for p in s.pieces if p.owner == s.turn for t in p.targets(self.SIZE)
                if (q := s.at(t)) is None or q.owner != s.turn]
    def result(self, s, a):
        frm, to = a
        kept = tuple(p.moved(to) if p.square == frm else p for p in s.pieces if p.square != to)
        return Position(kept, self.other(s.turn))
    def terminal(self, s):
        return not self.actions(s)
    def utility(self, s):
        return -1 if s.turn == 0 else 1
