"""Quoridor: step to a neighbouring square or put up a wall two squares long; who first reaches the opposite row wins.

A wall may not cross another, nor cut off anybody's last way. A pawn jumps over the other one that stands in its way, straight ahead, or
aside where a wall or the edge is behind it. Source: M. Marchesi (Gigamic 1997). A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.games._squares import STRAIGHT, SquareGame
from zermelo.rules import MAX

FLAT, UPRIGHT = 0, 1


class Field(NamedTuple):
    pawns: tuple[int, int]  # [player] his square
    flat: frozenset[int]  # walls below a square and its right neighbour, by that square
    upright: frozenset[int]  # walls to the right of a square and its lower neighbour
    left: tuple[int, int]  # [player] walls that he still has
    turn: int


@dataclass(frozen=True)
class Quoridor(SquareGame):
    """A race with walls."""

    size: int = 5  # 9 is the usual board
    walls: int = 2  # of each player; 10 are usual
    seats = ("White", "Black")
    repetition = "draw"

    def __post_init__(self) -> None:
        if not 3 <= self.size <= 9 or self.walls < 0:
            raise RulesError(f"Quoridor needs 3 to 9 rows and 0 walls or more, not {self.size} and {self.walls}.")

    def start(self) -> Field:
        middle = self.size // 2
        return Field((self.squares - self.size + middle, middle), frozenset(), frozenset(), (self.walls, self.walls), MAX)

    def open(self, field: Field, square: int, direction: tuple[int, int]) -> int | None:
        """The next square in a direction; None beyond a wall or the edge."""
        target = next(self.ray(square, direction), None)
        if target is None:
            return None
        first = min(square, target)
        if direction[0]:
            return None if first in field.flat or (first % self.size and first - 1 in field.flat) else target
        return None if first in field.upright or first - self.size in field.upright else target

    def steps(self, field: Field) -> list[int]:
        """Where the pawn to move can go."""
        here, other = field.pawns[field.turn], field.pawns[1 - field.turn]
        found = []
        for down, right in STRAIGHT:
            target = self.open(field, here, (down, right))
            if target == other:
                behind = self.open(field, other, (down, right))
                aside = [self.open(field, other, way) for way in ((right, down), (-right, -down))]
                found += [behind] if behind is not None else [square for square in aside if square is not None]
            elif target is not None:
                found.append(target)
        return sorted(found)

    def goal(self, player: int, square: int) -> bool:
        return square // self.size == (0 if player == MAX else self.size - 1)

    def distance(self, field: Field, player: int) -> int:
        """Steps that a player needs, the other pawn aside; -1 where there is no way."""
        seen, frontier, steps = {field.pawns[player]}, [field.pawns[player]], 0
        while frontier:
            if any(self.goal(player, square) for square in frontier):
                return steps
            ways = {self.open(field, square, direction) for square in frontier for direction in STRAIGHT} - seen
            frontier = [square for square in ways if square is not None]
            seen |= set(frontier)
            steps += 1
        return -1

    def fits(self, field: Field, square: int, kind: int) -> bool:
        """Is there room for a wall, and a way for both afterwards?"""
        if square in field.flat or square in field.upright:
            return False
        walls, step = (field.flat, 1) if kind == FLAT else (field.upright, self.size)
        before = square - step if kind == UPRIGHT or square % self.size else -1
        if before in walls or square + step in walls:
            return False
        after = self.with_wall(field, square, kind)
        return self.distance(after, 0) >= 0 and self.distance(after, 1) >= 0

    def with_wall(self, field: Field, square: int, kind: int) -> Field:
        return field._replace(flat=field.flat | {square}) if kind == FLAT else field._replace(upright=field.upright | {square})

    def actions(self, field: Field) -> Iterator[int]:
        """A square to step to; then squares + 2 × a wall's square + 1 for an upright one."""
        if not self.terminal(field):
            yield from self.steps(field)
            if field.left[field.turn]:
                for square in range(self.squares - self.size):
                    if square % self.size < self.size - 1:
                        for kind in (FLAT, UPRIGHT):
                            if self.fits(field, square, kind):
                                yield self.squares + 2 * square + kind

    def result(self, field: Field, action: int) -> Field:
        turn = field.turn
        if action < self.squares:
            pawns = (action, field.pawns[1]) if turn == MAX else (field.pawns[0], action)
            return field._replace(pawns=pawns, turn=1 - turn)
        square, kind = divmod(action - self.squares, 2)
        left = (field.left[0] - 1, field.left[1]) if turn == MAX else (field.left[0], field.left[1] - 1)
        return self.with_wall(field, square, kind)._replace(left=left, turn=1 - turn)

    def terminal(self, field: Field) -> bool:
        return self.goal(1 - field.turn, field.pawns[1 - field.turn]) or not self.steps(field)

    def utility(self, field: Field) -> int:
        return 1 if self.goal(0, field.pawns[0]) or field.turn != MAX else -1

    def evaluate(self, field: Field) -> float:
        """Steps that Black needs more than White."""
        return max(-0.99, min(0.99, (self.distance(field, 1) - self.distance(field, 0)) / self.squares))

    def name(self, field: Field, action: int) -> str:
        if action < self.squares:
            return self.square_name(action)
        square, kind = divmod(action - self.squares, 2)
        return f"{self.square_name(square)}{'-|'[kind]}"

    def show(self, field: Field) -> str:
        """The pawns on the board, and the walls by their names."""
        cells = "".join("W" if square == field.pawns[0] else "B" if square == field.pawns[1] else "." for square in range(self.squares))
        walls = [f"{self.square_name(square)}-" for square in sorted(field.flat)]
        walls += [f"{self.square_name(square)}|" for square in sorted(field.upright)]
        lines = (self.draw(cells), f"walls: {' '.join(walls) or 'none'}", f"left: {field.left[0]} {field.left[1]}")
        return "\n".join((*lines, f"{self.seats[field.turn]} to move"))

    @property
    def marks(self) -> str:  # type: ignore[override]
        return "WB."

    def read(self, text: str) -> Field:
        cells, below = self.undraw(text)
        words = {line.partition(":")[0]: line.partition(":")[2].split() for line in below[:-1]}
        if words.keys() != {"walls", "left"} or len(words["left"]) != 2 or cells.count("W") != 1 or cells.count("B") != 1:
            raise ZermeloError("A board of Quoridor has pawns W and B, then walls: …, left: 2 2, and who moves.")
        walls = [word for word in words["walls"] if word != "none"]
        flat, upright = (frozenset(self.square_of(word[:-1]) for word in walls if word[-1] == sign) for sign in "-|")
        left = (int(words["left"][0]), int(words["left"][1]))
        return Field((cells.index("W"), cells.index("B")), flat, upright, left, self.mover(below[-1]))

    def board(self, field: Field) -> dict[str, Any]:
        marks = ["W" if square == field.pawns[0] else "B" if square == field.pawns[1] else "" for square in range(self.squares)]
        flat, upright = (sorted(walls) for walls in (field.flat, field.upright))
        return {
            "kind": "grid",
            "look": "tokens",
            "rows": [marks[start : start + self.size] for start in range(0, self.squares, self.size)],
            "coordinates": "a8",
            "owners": {"W": 0, "B": 1},
            "colours": list(self.seats),
            "figures": {"W": "pawn", "B": "pawn"},
            "walls": [*(["h", *divmod(square, self.size)] for square in flat), *(["v", *divmod(square, self.size)] for square in upright)],
            "caption": f"Walls left: {self.seats[0]} {field.left[0]}, {self.seats[1]} {field.left[1]}",
        }
