"""Gobblet: place pieces of four sizes, or move those on the board, on free squares or over smaller ones; four in a row on top win.

A piece from outside may cover an enemy only where he has three in a row. Who moves a piece away and uncovers four of the enemy's loses,
unless he covers one of them. On 3 × 3 (Gobblet Gobblers) there are three sizes, three in a row win, and any smaller piece may be
covered. Source: T. Denoual (Blue Orange 2001). A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.games._squares import SquareGame
from zermelo.rules import MAX, MIN

SIZES = ("ABCD", "abcd")  # [player] the smallest piece first


class Piles(NamedTuple):
    cells: tuple[str, ...]  # [square] the pieces that stand there, the top one last
    outside: tuple[tuple[str, ...], tuple[str, ...]]  # [player] piles beside the board, of which the top can be taken; sorted
    turn: int


@dataclass(frozen=True)
class Gobblet(SquareGame):
    """Four in a row with pieces that swallow each other."""

    size: int = 4  # or 3: Gobblet Gobblers
    repetition = "draw"

    def __post_init__(self) -> None:
        if self.size not in (3, 4):
            raise RulesError(f"Gobblet is played on 3 or 4 rows, not {self.size}.")

    def start(self) -> Piles:
        outside = tuple((sizes,) * 3 if self.size == 4 else tuple(letter for letter in sizes[:3] for _ in range(2)) for sizes in SIZES)
        return Piles(("",) * self.squares, (outside[0], outside[1]), MAX)

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        return self.lines(self.size)

    def tops(self, cells: tuple[str, ...], player: int) -> list[bool]:
        """[square] is the top piece there the player's?"""
        return [pile[-1:] != "" and pile[-1] in SIZES[player] for pile in cells]

    def wins(self, cells: tuple[str, ...], player: int) -> bool:
        own = self.tops(cells, player)
        return any(all(own[square] for square in row) for row in self.rows)

    def covers(self, piece: str, pile: str) -> bool:
        """Is the piece larger than the top of the pile?"""
        return not pile or pile[-1].upper() < piece.upper()

    def threatened(self, cells: tuple[str, ...], player: int) -> set[int]:
        """Squares of rows in which a player has all but one."""
        own = self.tops(cells, player)
        return {square for row in self.rows if sum(own[square] for square in row) == self.size - 1 for square in row}

    def actions(self, piles: Piles) -> Iterator[int]:
        """20 × to + from: a square of the board, or from 16 on the size of a piece from outside."""
        if not self.terminal(piles):
            own, danger = self.tops(piles.cells, piles.turn), self.threatened(piles.cells, 1 - piles.turn)
            for target, pile in enumerate(piles.cells):
                for size, piece in enumerate(SIZES[piles.turn]):
                    free = not pile or (self.covers(piece, pile) and (self.size == 3 or (not own[target] and target in danger)))
                    if free and any(other[-1:] == piece for other in piles.outside[piles.turn]):
                        yield 20 * target + 16 + size
                for square in range(self.squares):
                    if own[square] and square != target and self.covers(piles.cells[square][-1], pile):
                        yield 20 * target + square

    def result(self, piles: Piles, action: int) -> Piles:
        target, source = divmod(action, 20)
        cells, outside = list(piles.cells), list(piles.outside[piles.turn])
        if source < 16:
            piece = cells[source][-1]
            cells[source] = cells[source][:-1]
        else:
            piece = SIZES[piles.turn][source - 16]
            place = next(place for place, pile in enumerate(outside) if pile[-1:] == piece)
            outside[place] = outside[place][:-1]
        cells[target] += piece
        mine = tuple(sorted(outside))
        both = (mine, piles.outside[1]) if piles.turn == MAX else (piles.outside[0], mine)
        return Piles(tuple(cells), both, 1 - piles.turn)

    def terminal(self, piles: Piles) -> bool:
        return self.wins(piles.cells, MAX) or self.wins(piles.cells, MIN)

    def utility(self, piles: Piles) -> int:
        mover = 1 if self.wins(piles.cells, piles.turn) else -1  # a row that the opponent has uncovered
        return mover if piles.turn == MAX else -mover

    def name(self, piles: Piles, action: int) -> str:
        target, source = divmod(action, 20)
        return f"{SIZES[0][source - 16] if source >= 16 else self.square_name(source)}{self.square_name(target)}"

    def show(self, piles: Piles) -> str:
        """A pile is written from its bottom; X has capitals."""
        rows = [piles.cells[start : start + self.size] for start in range(0, self.squares, self.size)]
        lines = [f"{number} {' '.join(pile or '.' for pile in row)}" for number, row in enumerate(rows, 1)]
        outside = [f"{seat} outside: {' '.join(pile or '.' for pile in own)}" for seat, own in zip(self.seats, piles.outside, strict=True)]
        return "\n".join(["  " + " ".join("abcd"[: self.size]), *lines, *outside, f"{self.seats[piles.turn]} to move"])

    def read(self, text: str) -> Piles:
        lines = text.strip("\n").splitlines()
        cells = tuple(word.strip(".") for line in lines[1 : self.size + 1] for word in line.split()[1:])
        outside = [tuple(sorted(word.strip(".") for word in line.partition(":")[2].split())) for line in lines[self.size + 1 : -1]]
        if len(cells) != self.squares or len(outside) != 2:
            raise ZermeloError(f"This is not a board of Gobblet: write it as\n{self.show(self.start())}")
        return Piles(cells, (outside[0], outside[1]), self.mover(lines[-1].strip()))

    def board(self, piles: Piles) -> dict[str, Any]:
        tops = [pile[-1:] for pile in piles.cells]
        rows = [tops[start : start + self.size] for start in range(0, self.squares, self.size)]
        hands = {seat: [pile[-1] for pile in own if pile] for seat, own in zip(self.seats, piles.outside, strict=True)}
        letters = [(letter, player, size) for player, sizes in enumerate(SIZES) for size, letter in enumerate(sizes)]
        return {
            "kind": "grid",
            "look": "tokens",
            "rows": rows,
            "coordinates": "a8",
            "hands": hands,
            "owners": {letter: player for letter, player, _ in letters},
            "figures": {letter: f"cup {size + 4 - self.size}" for letter, _, size in letters},
        }
