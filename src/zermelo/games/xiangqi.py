"""Xiangqi, Chinese chess: armies on the 90 points of a board with a river and two palaces; who leaves the enemy's general no way out wins.

Generals and advisors stay in their palace, elephants on their side; generals may not face each other on an open file; cannons jump over
one piece to take. Who has no move loses. Source: the rules of the Asian Xiangqi Federation (2003); a position that returns is a draw
here, whoever chases.

Pieces as in FEN, capitals are Red's: K general, A advisor, B elephant, N horse, R chariot, C cannon, P soldier. Squares are numbered
from a0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game

EMPTY = "."
ARMIES = ("KABNRCP", "kabnrcp")  # [player]
WIDTH, HEIGHT = 9, 10
SQUARES = WIDTH * HEIGHT
STRAIGHT = ((1, 0), (0, 1), (-1, 0), (0, -1))  # (up, right)
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
FILES = "abcdefghi"
WORTH = {"K": 0, "A": 2, "B": 2, "N": 4, "R": 9, "C": 4.5, "P": 1, EMPTY: 0}
FIRST = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"


class Position(NamedTuple):
    board: str  # a letter a point, a0 first
    turn: int  # 0 Red, 1 Black


@dataclass(frozen=True)
class Xiangqi(Game):
    """Chinese chess."""

    seats = ("Red", "Black")
    payoffs = (-1, 1)
    repetition = "draw"

    def start(self) -> Position:
        return self.read(FIRST)

    def player(self, position: Position) -> int:
        return position.turn

    def at(self, row: int, column: int) -> int | None:
        """The number of a point; None outside the board."""
        return row * WIDTH + column if 0 <= row < HEIGHT and 0 <= column < WIDTH else None

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """[point][straight direction] the points that way, the nearest first."""
        found = []
        for square in range(SQUARES):
            row, column = divmod(square, WIDTH)
            lines = []
            for up, right in STRAIGHT:
                points = [self.at(row + up * step, column + right * step) for step in range(1, HEIGHT)]
                lines.append(tuple(point for point in points if point is not None))
            found.append(tuple(lines))
        return tuple(found)

    def in_palace(self, player: int, square: int) -> bool:
        row, column = divmod(square, WIDTH)
        return 3 <= column <= 5 and (row <= 2 if player == MAX else row >= 7)

    def at_home(self, player: int, square: int) -> bool:
        """On the player's side of the river?"""
        return square // WIDTH <= 4 if player == MAX else square // WIDTH >= 5

    def reach(self, board: str, square: int) -> Iterator[int]:
        """Where the piece there can go, if it does not find its own."""
        piece, (row, column) = board[square].upper(), divmod(square, WIDTH)
        player = 0 if board[square] in ARMIES[0] else 1
        if piece == "R":
            for line in self.rays[square]:
                for point in line:
                    yield point
                    if board[point] != EMPTY:
                        break
        elif piece == "C":
            for line in self.rays[square]:
                jumped = False
                for point in line:
                    if not jumped and board[point] == EMPTY:
                        yield point
                    elif jumped and board[point] != EMPTY:
                        yield point
                        break
                    jumped = jumped or board[point] != EMPTY
        elif piece == "N":
            for up, right in STRAIGHT:
                leg = self.at(row + up, column + right)
                if leg is not None and board[leg] == EMPTY:
                    for aside in (-1, 1):
                        target = self.at(row + 2 * up + aside * right, column + 2 * right + aside * up)
                        if target is not None:
                            yield target
        elif piece == "B":
            for up, right in DIAGONAL:
                eye, target = self.at(row + up, column + right), self.at(row + 2 * up, column + 2 * right)
                if eye is not None and target is not None and board[eye] == EMPTY and self.at_home(player, target):
                    yield target
        elif piece == "P":
            ways = STRAIGHT[::2][player : player + 1] if self.at_home(player, square) else (STRAIGHT[2 * player], (0, 1), (0, -1))
            for up, right in ways:
                target = self.at(row + up, column + right)
                if target is not None:
                    yield target
        else:
            for up, right in STRAIGHT if piece == "K" else DIAGONAL:
                target = self.at(row + up, column + right)
                if target is not None and self.in_palace(player, target):
                    yield target

    def in_check(self, board: str, player: int) -> bool:
        """Is the general attacked, or does it face the other on an open file?"""
        king, other = board.find(ARMIES[player][0]), board.find(ARMIES[1 - player][0])
        if king % WIDTH == other % WIDTH:
            low, high = min(king, other), max(king, other)
            if all(board[square] == EMPTY for square in range(low + WIDTH, high, WIDTH)):
                return True
        enemies = (square for square in range(SQUARES) if board[square] in ARMIES[1 - player])
        return any(king in self.reach(board, square) for square in enemies)

    def after(self, board: str, square: int, target: int) -> str:
        piece = board[square]
        board = board[:square] + EMPTY + board[square + 1 :]
        return board[:target] + piece + board[target + 1 :]

    def actions(self, position: Position) -> Iterator[int]:
        """90 × from + to."""
        board, own = position.board, ARMIES[position.turn]
        for square in range(SQUARES):
            if board[square] in own:
                for target in self.reach(board, square):
                    if board[target] not in own and not self.in_check(self.after(board, square, target), position.turn):
                        yield SQUARES * square + target

    def result(self, position: Position, action: int) -> Position:
        square, target = divmod(action, SQUARES)
        return Position(self.after(position.board, square, target), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return not any(True for _ in self.actions(position))

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1

    def evaluate(self, position: Position) -> float:
        """Material; a soldier beyond the river counts twice."""
        lead = 0.0
        for square, piece in enumerate(position.board):
            if piece != EMPTY:
                player = 0 if piece in ARMIES[0] else 1
                worth = WORTH[piece.upper()] * (2 if piece in "Pp" and not self.at_home(player, square) else 1)
                lead += worth if player == MAX else -worth
        return max(-0.99, min(0.99, lead / 60))

    def order(self, position: Position, action: int) -> int:
        """The most valuable victims first."""
        return int(2 * WORTH[position.board[action % SQUARES].upper()])

    def name(self, position: Position, action: int) -> str:
        return "".join(f"{FILES[square % WIDTH]}{square // WIDTH}" for square in divmod(action, SQUARES))

    def show(self, position: Position) -> str:
        rows = [position.board[start : start + WIDTH] for start in range(0, SQUARES, WIDTH)]
        text = "/".join(rows[::-1])
        for run in range(WIDTH, 0, -1):
            text = text.replace(EMPTY * run, str(run))
        return f"{text} {'wb'[position.turn]}"

    def read(self, text: str) -> Position:
        words = text.split()
        rows = ["".join(EMPTY * int(mark) if mark.isdecimal() else mark for mark in row) for row in words[0].split("/")] if words else []
        board = "".join(reversed(rows))
        strange = set(board) - {*ARMIES[0], *ARMIES[1], EMPTY}
        if len(words) < 2 or words[1] not in ("w", "b") or [len(row) for row in rows] != [WIDTH] * HEIGHT or strange:
            raise ZermeloError(f"{text.strip()!r} is not a position of xiangqi: write ten rows of nine points and w or b, as in {FIRST}.")
        if board.count("K") != 1 or board.count("k") != 1:
            raise ZermeloError(f"{text.strip()!r} is not a position of xiangqi: it needs one general of each side.")
        return Position(board, "wb".index(words[1]))

    def board(self, position: Position) -> dict[str, Any]:
        """Points with the lines of files, ranks and palaces; the river has no files but at its ends."""
        points = [[square % WIDTH, HEIGHT - 1 - square // WIDTH] for square in range(SQUARES)]
        lines = [[square, square + 1] for square in range(SQUARES) if square % WIDTH < WIDTH - 1]
        lines += [[s, s + WIDTH] for s in range(SQUARES - WIDTH) if s // WIDTH != 4 or s % WIDTH in (0, WIDTH - 1)]
        lines += [[base + 3 + up * WIDTH, base + 5 + (2 - up) * WIDTH] for base in (0, 7 * WIDTH) for up in (0, 2)]
        pieces = ARMIES[0] + ARMIES[1]
        return {
            "kind": "graph",
            "points": points,
            "lines": lines,
            "crossings": True,
            "marks": ["" if piece == EMPTY else piece for piece in position.board],
            "owners": {piece: int(piece.islower()) for piece in pieces},
            "colours": ["red", "black"],
            "figures": {piece: f"ring {piece.upper()}" for piece in pieces},
        }
