"""Atomic chess: every capture explodes; the taker, the taken and all pieces but pawns on the eight squares around are gone.

Who explodes the enemy's king wins; kings that stand next to each other are safe from check. Source: the variant as played on Lichess;
first played on German servers in 1995.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.games.chess import ARMIES, EMPTY, Chess, Position, put


@dataclass(frozen=True)
class Atomic(Chess):
    """Chess with explosions."""

    def after(self, board: str, action: int) -> str:
        origin, target, _ = self.parts_of(action)
        moved = super().after(board, action)
        own = ARMIES[0] if board[origin] in ARMIES[0] else ARMIES[1]
        if board[target] in own or board.count(EMPTY) == moved.count(EMPTY):
            return moved  # castling, or nothing was taken
        moved = put(moved, target, EMPTY)
        for square in self.steps["K"][target]:
            if moved[square] not in "Pp":
                moved = put(moved, square, EMPTY)
        return moved

    def legal(self, position: Position) -> Iterator[int]:
        for action in self.moves(position):  # any capture may uncover the king
            if not self.in_check(self.after(position.board, action), position.turn):
                yield action

    def result(self, position: Position, action: int) -> Position:
        after = super().result(position, action)
        if not self.castles:
            return after
        return after._replace(castling=tuple(rook for rook in after.castling if self.stands(after.board, rook)))

    def stands(self, board: str, rook: int) -> bool:
        """Are the rook and its king still there?"""
        return (board[rook] == "R" and "K" in board) or (board[rook] == "r" and "k" in board)

    def in_check(self, board: str, player: int) -> bool:
        """A king who is gone is worse off than in check; with the enemy's king gone there is no check any more."""
        if ARMIES[player][5] not in board:
            return True
        return ARMIES[1 - player][5] in board and super().in_check(board, player)

    def threatened(self, board: str, square: int, by: int) -> bool:
        beside = any(board[other] == ARMIES[by][5] for other in self.steps["K"][square])
        return not beside and self.attacked(board, square, by)

    def won(self, position: Position) -> int:
        return -1 if "K" not in position.board else 1 if "k" not in position.board else 0

    def bare(self, board: str) -> bool:
        return all(piece in (EMPTY, "K", "k") for piece in board)

    def fault(self, position: Position) -> str:
        """A king may be gone: then the game is over."""
        return "" if position.board.count("K") + position.board.count("k") == 1 else super().fault(position)
