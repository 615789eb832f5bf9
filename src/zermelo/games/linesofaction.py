"""Lines of Action: a piece moves in a line as many squares as there are pieces of both colours on it; unite all of yours to win.

A piece jumps over its own but not over enemies, and takes an enemy on which it lands. Pieces are united when they touch, corners
included. Who unites both sides by one move wins; who cannot move passes. Source: C. Soucie, in S. Sackson, A Gamut of Games (1969); M.
H. M. Winands, Informed Search in Complex Games (2004). A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games._squares import DIAGONAL, EMPTY, STRAIGHT, Position, SquareGame, put
from zermelo.rules import MAX

PASS = -1


@dataclass(frozen=True)
class LinesOfAction(SquareGame):
    """Bring your pieces together."""

    size: int = 8
    seats = ("Black", "White")
    look = "men"
    repetition = "draw"

    def __post_init__(self) -> None:
        if self.size < 4:
            raise RulesError(f"Lines of Action needs four rows or more, not {self.size}.")

    def start(self) -> Position:
        """Black in the first and last row, White in the first and last column, the corners free."""
        edge = f".{'X' * (self.size - 2)}."
        return Position(edge + f"O{EMPTY * (self.size - 2)}O" * (self.size - 2) + edge, MAX)

    def moves(self, cells: str, player: int) -> Iterator[tuple[int, int]]:
        """From where to where the player can move."""
        mine, theirs = "XO"[player], "XO"[1 - player]
        for square in range(self.squares):
            if cells[square] == mine:
                for down, right in STRAIGHT + DIAGONAL:
                    ahead, behind = list(self.ray(square, (down, right))), self.ray(square, (-down, -right))
                    steps = 1 + sum(cells[other] != EMPTY for other in (*ahead, *behind))
                    free = steps <= len(ahead) and all(cells[other] != theirs for other in ahead[: steps - 1])
                    if free and cells[ahead[steps - 1]] != mine:
                        yield square, ahead[steps - 1]

    def united(self, cells: str, mark: str) -> bool:
        """Do all pieces of a colour touch?"""
        group = {cells.index(mark)}
        waiting = list(group)
        while waiting:
            for square in self.touching[waiting.pop()]:
                if cells[square] == mark and square not in group:
                    group.add(square)
                    waiting.append(square)
        return len(group) == cells.count(mark)

    def actions(self, position: Position) -> Iterator[int]:
        if not self.terminal(position):
            passes = True
            for square, target in self.moves(position.cells, position.turn):
                passes = False
                yield square * self.squares + target
            if passes:
                yield PASS

    def result(self, position: Position, action: int) -> Position:
        if action == PASS:
            return Position(position.cells, 1 - position.turn)
        square, target = divmod(action, self.squares)
        return Position(put(put(position.cells, square, EMPTY), target, "XO"[position.turn]), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return self.united(position.cells, "X") or self.united(position.cells, "O")

    def utility(self, position: Position) -> int:
        black, white = (self.united(position.cells, mark) for mark in "XO")
        if black and white:
            return 1 if position.turn != MAX else -1  # who has just moved
        return 1 if black else -1

    def evaluate(self, position: Position) -> float:
        """Whose pieces stand nearer to their own centre."""
        return (self.spread(position.cells, "O") - self.spread(position.cells, "X")) / (2 * self.size)

    def spread(self, cells: str, mark: str) -> float:
        """How far the pieces are from their centre, on average."""
        places = [divmod(square, self.size) for square in range(self.squares) if cells[square] == mark]
        row, column = (sum(place[axis] for place in places) / len(places) for axis in (0, 1))
        return sum(max(abs(place[0] - row), abs(place[1] - column)) for place in places) / len(places)

    def name(self, position: Position, action: int) -> str:
        return "pass" if action == PASS else "".join(self.square_name(square) for square in divmod(action, self.squares))
