"""A mini chess of classes: a king and a rook against a king and a knight on 4 x 4, five moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Iterator

from zermelo import Game

SIZE = 4
Cell = tuple[int, int]


def inside(cell: Cell) -> bool:
    return all(0 <= x < SIZE for x in cell)


@dataclass(frozen=True, order=True)
class Piece(ABC):
    owner: int
    row: int
    column: int

    @property
    def cell(self) -> Cell:
        return self.row, self.column

    @abstractmethod
    def targets(self, position: Position) -> Iterator[Cell]: ...

    def moved(self, cell: Cell) -> Piece:
        return type(self)(self.owner, *cell)


class Stepper(Piece):
    steps: list[Cell] = []

    def targets(self, position):
        for dr, dc in self.steps:
            cell = self.row + dr, self.column + dc
            if inside(cell) and not position.own(self.owner, cell):
                yield cell


class King(Stepper):
    steps = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]


class Knight(Stepper):
    steps = [(dr, dc) for dr in (-2, -1, 1, 2) for dc in (-2, -1, 1, 2) if abs(dr) != abs(dc)]


class Rook(Piece):
    def targets(self, position):
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            r, c = self.row + dr, self.column + dc
            while inside((r, c)):
                if position.own(self.owner, (r, c)):
                    break
                yield r, c
                if position.at((r, c)):
                    break
                r += dr
                c += dc


@dataclass(frozen=True)
class Position:
    pieces: tuple[Piece, ...]
    ply: int = 0

    def at(self, cell: Cell) -> Piece | None:
        return next((piece for piece in self.pieces if piece.cell == cell), None)

    def own(self, owner: int, cell: Cell) -> bool:
        piece = self.at(cell)
        return piece is not None and piece.owner == owner

    def has_king(self, owner: int) -> bool:
        return any(isinstance(piece, King) and piece.owner == owner for piece in self.pieces)


class MiniPieces(Game):
    def start(self):
        return Position((King(0, 0, 0), Rook(0, 0, 1), King(1, 3, 3), Knight(1, 3, 2)))

    def player(self, position):
        return position.ply % 2

    def actions(self, position):
        return [
            (piece.cell, target) for piece in position.pieces if piece.owner == position.ply % 2 for target in piece.targets(position)
        ]

    def result(self, position, action):
        source, target = action
        kept = tuple(
            piece.moved(target) if piece.cell == source else piece for piece in position.pieces if piece.cell != target
        )
        return Position(kept, position.ply + 1)

    def terminal(self, position):
        return position.ply >= 5 or not (position.has_king(0) and position.has_king(1))

    def utility(self, position):
        return int(position.has_king(0)) - int(position.has_king(1))
