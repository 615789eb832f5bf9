"""Tak: place flat stones, standing walls or a capstone on free squares, or spread a stack over others; a road between opposite sides wins.

A stack belongs to its top stone and moves in a line, dropping one stone or more on every square; nothing goes onto walls and capstones,
but a capstone alone flattens a wall. Where the board is full or somebody has no stone left, more flat stones on top win. On their first
turn players place a flat stone of the other. Source: J. Ernest and P. Rothfuss (Cheapass Games 2016).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.games._squares import STRAIGHT, SquareGame
from zermelo.rules import MAX

FLAT, WALL, CAPSTONE = ("w", "b"), ("W", "B"), ("C", "c")  # [player]
OWN = ("wWC", "bBc")
SUPPLY = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1), 7: (40, 2), 8: (50, 2)}  # [rows] stones and capstones of each player
ARROWS = "+<>-"  # up, left, right, down


class Table(NamedTuple):
    stacks: tuple[str, ...]  # [square] the stones that stand there, the top one last
    stones: tuple[int, int]  # [player] that he has left
    capstones: tuple[int, int]
    turn: int


class Move(NamedTuple):
    square: int
    kind: int = 0  # of a stone that is placed: 0 flat, 1 wall, 2 capstone
    direction: int = -1  # of a stack that is spread
    drops: tuple[int, ...] = ()  # stones on each square of its way


@dataclass(frozen=True)
class Tak(SquareGame):
    """A beautiful game of roads."""

    size: int = 4
    seats = ("White", "Black")
    repetition = "draw"

    def __post_init__(self) -> None:
        if self.size not in SUPPLY:
            raise RulesError(f"Tak is played on 3 to 8 rows, not {self.size}.")

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every move that could ever be made; an action is a place in here."""
        found = [Move(square, kind) for square in range(self.squares) for kind in range(3)]
        for square in range(self.squares):
            for direction, step in enumerate(STRAIGHT):
                longest = len(list(self.ray(square, step)))
                found += [Move(square, 0, direction, drops) for drops in self.partitions(self.size) if len(drops) <= longest]
        return tuple(found)

    def partitions(self, most: int) -> list[tuple[int, ...]]:
        """Every way to drop up to so many stones, one or more at a time."""
        found: list[tuple[int, ...]] = []
        for first in range(1, most + 1):
            found += [(first,), *((first, *rest) for rest in self.partitions(most - first))]
        return found

    def start(self) -> Table:
        stones, capstones = SUPPLY[self.size]
        return Table(("",) * self.squares, (stones, stones), (capstones, capstones), MAX)

    def first_turns(self, table: Table) -> bool:
        """Do the players still place a stone of the other?"""
        return sum(map(len, table.stacks)) < 2

    def way(self, move: Move) -> list[int]:
        return list(self.ray(move.square, STRAIGHT[move.direction]))[: len(move.drops)]

    def possible(self, table: Table, move: Move) -> bool:
        turn, stack = table.turn, table.stacks[move.square]
        if not move.drops:
            supply = table.capstones[turn] if move.kind == 2 else table.stones[turn]
            return not stack and supply > 0 and (move.kind == 0 or not self.first_turns(table))
        if self.first_turns(table) or not stack or stack[-1] not in OWN[turn] or sum(move.drops) > len(stack):
            return False
        *before, last = [table.stacks[square][-1:] for square in self.way(move)]
        if any(top in "WBCc" for top in before if top) or (last and last in "Cc"):
            return False
        return not (last and last in "WB") or (stack[-1] in "Cc" and move.drops[-1] == 1)

    def actions(self, table: Table) -> Iterator[int]:
        if not self.terminal(table):
            for action, move in enumerate(self.moves):
                if self.possible(table, move):
                    yield action

    def result(self, table: Table, action: int) -> Table:
        move, turn, stacks = self.moves[action], table.turn, list(table.stacks)
        stones, capstones = list(table.stones), list(table.capstones)
        if not move.drops:
            owner = 1 - turn if self.first_turns(table) else turn
            stacks[move.square] = (FLAT, WALL, CAPSTONE)[move.kind][owner]
            stones[owner] -= move.kind != 2
            capstones[owner] -= move.kind == 2
            return Table(tuple(stacks), (stones[0], stones[1]), (capstones[0], capstones[1]), 1 - turn)
        carried = stacks[move.square][-sum(move.drops) :]
        stacks[move.square] = stacks[move.square][: -sum(move.drops)]
        for square, number in zip(self.way(move), move.drops, strict=True):
            flattened = stacks[square].replace("W", "w").replace("B", "b")
            stacks[square] = flattened + carried[:number]
            carried = carried[number:]
        return table._replace(stacks=tuple(stacks), turn=1 - turn)

    def road(self, table: Table, player: int) -> bool:
        """Do the player's flat stones and capstones join two opposite sides?"""
        own = {square for square, stack in enumerate(table.stacks) if stack and stack[-1] in FLAT[player] + CAPSTONE[player]}
        size = self.size
        for starts, ends in (
            (range(size), range(self.squares - size, self.squares)),
            (range(0, self.squares, size), range(size - 1, self.squares, size)),
        ):
            waiting = [square for square in starts if square in own]
            reached = set(waiting)
            while waiting:
                for square in self.neighbours[waiting.pop()]:
                    if square in own and square not in reached:
                        reached.add(square)
                        waiting.append(square)
            if reached & set(ends):
                return True
        return False

    def over(self, table: Table) -> bool:
        """Is the board full, or has somebody no stone left?"""
        return all(table.stacks) or any(table.stones[player] + table.capstones[player] == 0 for player in (0, 1))

    def terminal(self, table: Table) -> bool:
        return self.over(table) or self.road(table, 0) or self.road(table, 1)

    def flats(self, table: Table) -> int:
        """White's flat stones on top less Black's."""
        tops = [stack[-1:] for stack in table.stacks]
        return tops.count("w") - tops.count("b")

    def utility(self, table: Table) -> int:
        white, black = self.road(table, 0), self.road(table, 1)
        if white and black:
            return 1 if table.turn != MAX else -1  # who has just moved
        lead = self.flats(table)
        return white - black if white or black else (lead > 0) - (lead < 0)

    def evaluate(self, table: Table) -> float:
        return self.flats(table) / (self.squares + 1)

    def name(self, table: Table, action: int) -> str:
        """As Tak players write it: a1, Sa1 a wall, Ca1 a capstone, 3b2>12; + is up."""
        move = self.moves[action]
        square = self.square_name(move.square)
        if not move.drops:
            return ("", "S", "C")[move.kind] + square
        count = sum(move.drops)
        drops = "".join(map(str, move.drops)) if len(move.drops) > 1 else ""
        return f"{count if count > 1 else ''}{square}{ARROWS[move.direction]}{drops}"

    def show(self, table: Table) -> str:
        """Stacks from the bottom: w and b flat stones, W and B walls, C and c capstones, White's first."""
        rows = [table.stacks[start : start + self.size] for start in range(0, self.squares, self.size)]
        lines = [f"{number} {' '.join(stack or '.' for stack in row)}" for number, row in enumerate(rows, 1)]
        left = f"left: {table.stones[0]} {table.stones[1]} stones, {table.capstones[0]} {table.capstones[1]} capstones"
        return "\n".join(["  " + " ".join("abcdefgh"[: self.size]), *lines, left, f"{self.seats[table.turn]} to move"])

    def read(self, text: str) -> Table:
        lines = text.strip("\n").splitlines()
        stacks = tuple(word.strip(".") for line in lines[1 : self.size + 1] for word in line.split()[1:])
        counts = [int(word) for word in lines[-2].replace(",", " ").split() if word.isdecimal()] if len(lines) > 2 else []
        if len(stacks) != self.squares or len(counts) != 4:
            raise ZermeloError(f"This is not a board of Tak: write it as\n{self.show(self.start())}")
        return Table(stacks, (counts[0], counts[1]), (counts[2], counts[3]), self.mover(lines[-1].strip()))

    def board(self, table: Table) -> dict[str, Any]:
        rows = [list(table.stacks[start : start + self.size]) for start in range(0, self.squares, self.size)]
        stacks = {stack for stack in table.stacks if stack}
        left = [f"{seat} has {stones} stones" for seat, stones in zip(self.seats, table.stones, strict=True)]
        return {
            "kind": "grid",
            "look": "men",
            "rows": rows,
            "coordinates": "a8",
            "owners": {stack: int(stack[-1] in "bBc") for stack in stacks},
            "figures": {stack: f"stack {stack}" for stack in stacks},
            "caption": "; ".join(left),
        }
