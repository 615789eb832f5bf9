"""Ultimate tic-tac-toe: nine boards of tic-tac-toe; where you mark in a board tells in which board the opponent must mark next.

Who wins a board has its place on the large one; three places in a row win. A board that is won or full sends nobody: the opponent
chooses. Source: E. Orlin, Math with Bad Drawings (2013); G. Bertholon, R. Géraud-Stewart, A. Kugelmann, T. Lenoir and D. Naccache, At
Most 43 Moves, At Least 29: Optimal Strategies and Bounds for Ultimate Tic-Tac-Toe (2020).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
EMPTY = "."
FULL = "="  # a board that nobody has won
ANYWHERE = -1


class Boards(NamedTuple):
    marks: tuple[str, ...]  # nine boards of nine marks, in reading order
    next: int  # the board to mark in, or ANYWHERE
    turn: int


def winner(marks: str) -> str:
    """X, O, a full board, or EMPTY while it goes on."""
    for one, two, three in LINES:
        if marks[one] == marks[two] == marks[three] and marks[one] in "XO":
            return marks[one]
    return EMPTY if EMPTY in marks else FULL


@dataclass(frozen=True)
class UltimateTicTacToe(Game):
    """Tic-tac-toe of tic-tac-toes."""

    seats = ("X", "O")
    payoffs = (-1, 1)

    def start(self) -> Boards:
        return Boards((EMPTY * 9,) * 9, ANYWHERE, MAX)

    def player(self, state: Boards) -> int:
        return state.turn

    def large(self, state: Boards) -> str:
        """Who has won which board."""
        return "".join(winner(marks) for marks in state.marks)

    def actions(self, state: Boards) -> Iterator[int]:
        """9 × board + cell."""
        large = self.large(state)
        if winner(large) == EMPTY:
            for board in range(9) if state.next == ANYWHERE else (state.next,):
                for cell in range(9):
                    if large[board] == EMPTY and state.marks[board][cell] == EMPTY:
                        yield 9 * board + cell

    def result(self, state: Boards, action: int) -> Boards:
        board, cell = divmod(action, 9)
        old = state.marks[board]
        new = old[:cell] + "XO"[state.turn] + old[cell + 1 :]
        marks = (*state.marks[:board], new, *state.marks[board + 1 :])
        return Boards(marks, cell if winner(marks[cell]) == EMPTY else ANYWHERE, 1 - state.turn)

    def terminal(self, state: Boards) -> bool:
        return winner(self.large(state)) != EMPTY

    def utility(self, state: Boards) -> int:
        return {"X": 1, "O": -1, FULL: 0}[winner(self.large(state))]

    def evaluate(self, state: Boards) -> float:
        """Boards that are won, those on more lines for more."""
        worth = (3, 2, 3, 2, 4, 2, 3, 2, 3)
        return sum(worth[board] * {"X": 1, "O": -1}.get(mark, 0) for board, mark in enumerate(self.large(state))) / 25

    def cell_name(self, board: int, cell: int) -> str:
        """Columns have letters, rows numbers from the top, over all nine boards."""
        return f"{'abcdefghi'[board % 3 * 3 + cell % 3]}{board // 3 * 3 + cell // 3 + 1}"

    def name(self, state: Boards, action: int) -> str:
        return self.cell_name(*divmod(action, 9))

    def rows(self, state: Boards) -> list[str]:
        return ["".join(state.marks[row // 3 * 3 + column // 3][row % 3 * 3 + column % 3] for column in range(9)) for row in range(9)]

    def show(self, state: Boards) -> str:
        lines = ["  a b c   d e f   g h i"]
        for number, row in enumerate(self.rows(state), 1):
            lines.append(f"{number} {'   '.join(' '.join(row[start : start + 3]) for start in (0, 3, 6))}")
            if number in (3, 6):
                lines.append("")
        where = "anywhere" if state.next == ANYWHERE else f"in the board of {self.cell_name(state.next, 4)}"
        return "\n".join([*lines, f"{self.seats[state.turn]} to move {where}"])

    def read(self, text: str) -> Boards:
        *lines, last = text.strip("\n").splitlines()
        rows = ["".join(line.split()[1:]) for line in lines if line[:1].isdecimal()]
        words = last.split()
        centres = {self.cell_name(board, 4): board for board in range(9)} | {"anywhere": ANYWHERE}
        if [len(row) for row in rows] != [9] * 9 or words[:1] not in (["X"], ["O"]) or words[-1] not in centres:
            raise ZermeloError("This is not a board of ultimate tic-tac-toe: it needs nine rows of nine marks, and who moves where.")
        marks = tuple("".join(rows[board // 3 * 3 + cell // 3][board % 3 * 3 + cell % 3] for cell in range(9)) for board in range(9))
        return Boards(marks, centres[words[-1]], "XO".index(words[0]))

    def board(self, state: Boards) -> dict[str, Any]:
        """Small boards that are decided have a large mark."""
        decided = [[*divmod(board, 3), mark] for board, mark in enumerate(self.large(state)) if mark != EMPTY]
        rows = [["" if mark == EMPTY else mark for mark in row] for row in self.rows(state)]
        return {"kind": "grid", "look": "paper", "rows": rows, "bold": [3, 3], "large": decided}
