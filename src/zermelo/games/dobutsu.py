"""Dobutsu shogi: lion, giraffe, elephant and chick on 3 × 4 squares; taken pieces are put back as one's own, and who takes the lion wins.

All step one square: the lion anywhere, the giraffe straight, the elephant diagonally, the chick forward; a chick that reaches the last
row becomes a hen, which steps like a gold general. A lion that reaches the last row and cannot be taken there wins too. Source: M.
Kitao and M. Fujita (2008); T. Tanaka, An Analysis of a Board Game "Doubutsu Shogi" (2009): the second player wins. A position that
returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.games._squares import EMPTY, SquareGame, put
from zermelo.rules import MAX

ARMIES = ("LGECH", "lgech")  # [player] lion, giraffe, elephant, chick, hen
STRAIGHT = ((1, 0), (0, 1), (0, -1), (-1, 0))  # (forward, right)
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
STEPS = {"L": STRAIGHT + DIAGONAL, "G": STRAIGHT, "E": DIAGONAL, "C": ((1, 0),), "H": (*STRAIGHT, (1, 1), (1, -1))}
DROPS = "GEC"


class Table(NamedTuple):
    cells: str
    hands: tuple[str, str]  # [player] pieces that he may drop, in capitals and in order
    turn: int


@dataclass(frozen=True)
class Dobutsu(SquareGame):
    """Let's catch the lion."""

    width = 3
    height = 4
    seats = ("Sente", "Gote")
    marks = "LGECHlgech."
    repetition = "draw"

    def start(self) -> Table:
        return Table("gle.c..C.ELG", ("", ""), MAX)

    def steps(self, cells: str, square: int) -> Iterator[int]:
        """Where the piece there can step, if it does not find its own."""
        player = 0 if cells[square] in ARMIES[0] else 1
        up = -1 if player == MAX else 1
        row, column = divmod(square, 3)
        for forward, right in STEPS[cells[square].upper()]:
            down, across = row + up * forward, column + right
            if 0 <= down < 4 and 0 <= across < 3:
                yield 3 * down + across

    def attacked(self, cells: str, square: int, by: int) -> bool:
        return any(square in self.steps(cells, other) for other in range(12) if cells[other] in ARMIES[by])

    def actions(self, table: Table) -> Iterator[int]:
        """12 × from + to, where from is 12 and more for a piece from the hand."""
        if not self.terminal(table):
            own = ARMIES[table.turn]
            for square in range(12):
                if table.cells[square] in own:
                    for target in self.steps(table.cells, square):
                        if table.cells[target] not in own:
                            yield 12 * square + target
            for number, piece in enumerate(DROPS):
                if piece in table.hands[table.turn]:
                    for target in range(12):
                        if table.cells[target] == EMPTY:
                            yield 12 * (12 + number) + target

    def result(self, table: Table, action: int) -> Table:
        origin, target = divmod(action, 12)
        turn, cells, hand = table.turn, table.cells, table.hands[table.turn]
        if origin >= 12:
            piece = DROPS[origin - 12]
            hand = hand.replace(piece, "", 1)
        else:
            piece = cells[origin].upper()
            taken = cells[target].upper().replace("H", "C")
            hand = "".join(sorted(hand + taken)) if taken not in (EMPTY, "L") else hand
            cells = put(cells, origin, EMPTY)
            last = 0 if turn == MAX else 3
            piece = "H" if piece == "C" and target // 3 == last else piece
        cells = put(cells, target, piece if turn == MAX else piece.lower())
        return Table(cells, (hand, table.hands[1]) if turn == MAX else (table.hands[0], hand), 1 - turn)

    def won(self, table: Table) -> int:
        """1 or -1 where a lion is taken, or the one that has just moved stands on the last row and cannot be taken."""
        if "L" not in table.cells or "l" not in table.cells:
            return 1 if "L" in table.cells else -1
        mover = 1 - table.turn
        lion = table.cells.index(ARMIES[mover][0])
        if lion // 3 == (0 if mover == MAX else 3) and not self.attacked(table.cells, lion, table.turn):
            return 1 if mover == MAX else -1
        return 0

    def terminal(self, table: Table) -> bool:
        return self.won(table) != 0

    def utility(self, table: Table) -> int:
        return self.won(table)

    def evaluate(self, table: Table) -> float:
        """Pieces on the board and in hand."""
        worth = {"L": 0, "G": 5, "E": 4, "C": 2, "H": 6}
        held = [sum(worth[piece] for piece in hand) for hand in table.hands]
        placed = [sum(worth[piece.upper()] for piece in table.cells if piece in army) for army in ARMIES]
        return (held[0] + placed[0] - held[1] - placed[1]) / 50

    def name(self, table: Table, action: int) -> str:
        origin, target = divmod(action, 12)
        return f"{DROPS[origin - 12]}*{self.square_name(target)}" if origin >= 12 else self.square_name(origin) + self.square_name(target)

    def show(self, table: Table) -> str:
        hands = [f"{seat}: {hand or '-'}" for seat, hand in zip(self.seats, table.hands, strict=True)]
        return f"{super().show(table)}\n{'; '.join(hands)}"

    def read(self, text: str) -> Table:
        cells, below = self.undraw(text)
        hands = [part.partition(":")[2].strip().strip("-") for part in below[-1].split(";")]
        if len(below) != 2 or len(hands) != 2 or not all(set(hand) <= set(DROPS) for hand in hands):
            raise ZermeloError("Below a board of Dobutsu shogi stands who moves, then the hands: Sente: C; Gote: -.")
        return Table(cells, ("".join(sorted(hands[0])), "".join(sorted(hands[1]))), self.mover(below[0]))

    def board(self, table: Table) -> dict[str, Any]:
        names = ("lion", "giraffe", "elephant", "chick", "hen")
        figures = {mark: name for army in ARMIES for mark, name in zip(army, names, strict=True)}
        hands = {self.seats[0]: list(table.hands[0]), self.seats[1]: list(table.hands[1].lower())}
        owners = {mark: player for player, army in enumerate(ARMIES) for mark in army}
        return {**super().board(table), "figures": figures, "owners": owners, "hands": hands}
