"""Engineer: Protocol, match statement with class patterns, dataclass actions, slots."""
from __future__ import annotations
from dataclasses import dataclass
from typing import Final, Iterator, Protocol, TypeAlias, Union
from zermelo import Game

SIZE: Final = 5

class Move(Protocol):
    def label(self) -> str: ...

@dataclass(frozen=True, slots=True)
class Step:
    delta: int
    def label(self) -> str:
        return f"step{self.delta:+d}"

@dataclass(frozen=True, slots=True)
class Block:
    square: int
    def label(self) -> str:
        return f"block {self.square}"

@dataclass(frozen=True, slots=True)
class Pass:
    def label(self) -> str:
        return "pass"

Action: TypeAlias = Union[Step, Block, Pass]

@dataclass(frozen=True, slots=True)
class State:
    where: tuple[int, int]
    blocked: frozenset[int]
    turn: int
    ply: int

class Corridor(Game):
    """Two walkers on a ring of squares; who cannot step loses; blocks are permanent."""
    def start(self) -> State:
        return State((0, SIZE - 1), frozenset(), 0, 0)
    def player(self, s: State) -> int:
        return s.turn
    def free(self, s: State, q: int) -> bool:
        return 0 <= q < SIZE and q not in s.blocked and q not in s.where
    def actions(self, s: State) -> Iterator[Action]:
        me = s.where[s.turn]
        for d in (-1, 1, 2):
            if self.free(s, me + d):
                yield Step(d)
        for q in range(SIZE):
            if self.free(s, q):
                yield Block(q)
        if s.ply % 3 == 2:
            yield Pass()
    def result(self, s: State, a: Action) -> State:
        where, blocked = s.where, s.blocked
        match a:
            case Step(delta=d):
                where = tuple(w + d if i == s.turn else w for i, w in enumerate(where))
            case Block(q):
                blocked |= {q}
            case Pass():
                pass
            case _:
                raise ValueError(f"unknown {a!r}")
        return State(where, blocked, 1 - s.turn, s.ply + 1)
    def terminal(self, s: State) -> bool:
        return s.ply >= 6 or next(self.actions(s), None) is None
    def utility(self, s: State) -> int:
        if s.ply >= 6 and next(self.actions(s), None) is not None:
            return 0
        match s.turn:
            case 0: return -1
            case 1: return 1
    def name(self, s, a):
        return a.label()
