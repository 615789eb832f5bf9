"""Onitama: a move is made by one of two cards in the hand, which is then exchanged for the card at the side of the board.

A card shows steps that any piece may take. Who takes the enemy's master, or brings his own to the enemy's temple, wins; who cannot move
only exchanges a card. Source: S. Sato (Conception 2014), with its sixteen cards. A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.games._squares import EMPTY, SquareGame, put
from zermelo.rules import MAX

CARDS = {  # steps (forward, right), as the player sees them
    "tiger": ((2, 0), (-1, 0)),
    "crab": ((1, 0), (0, -2), (0, 2)),
    "monkey": ((1, -1), (1, 1), (-1, -1), (-1, 1)),
    "crane": ((1, 0), (-1, -1), (-1, 1)),
    "dragon": ((1, -2), (1, 2), (-1, -1), (-1, 1)),
    "elephant": ((1, -1), (1, 1), (0, -1), (0, 1)),
    "mantis": ((1, -1), (1, 1), (-1, 0)),
    "boar": ((1, 0), (0, -1), (0, 1)),
    "frog": ((1, -1), (0, -2), (-1, 1)),
    "goose": ((1, -1), (0, -1), (0, 1), (-1, 1)),
    "horse": ((1, 0), (0, -1), (-1, 0)),
    "eel": ((1, -1), (0, 1), (-1, -1)),
    "rabbit": ((1, 1), (0, 2), (-1, -1)),
    "rooster": ((1, 1), (0, -1), (0, 1), (-1, -1)),
    "ox": ((1, 0), (0, 1), (-1, 0)),
    "cobra": ((1, 1), (0, -1), (-1, 1)),
}
NAMES = tuple(CARDS)
TEMPLES = (22, 2)  # [player] his own: where his master begins
PIECES = ("SM", "sm")  # [player] student and master


class Table(NamedTuple):
    cells: str
    turn: int
    hands: tuple[tuple[str, ...], tuple[str, ...]]  # [player] two cards, in order of their names
    side: str


@dataclass(frozen=True)
class Onitama(SquareGame):
    """Martial arts with five cards."""

    cards: tuple[str, ...] = ("ox", "boar", "horse", "elephant", "crab")  # two of the first player, two of the second, the side
    width = 5
    height = 5
    seats = ("Blue", "Red")
    look = "tokens"
    marks = "SMsm."
    repetition = "draw"

    def __post_init__(self) -> None:
        strange = [card for card in self.cards if card not in CARDS]
        if strange or len(set(self.cards)) != 5:
            raise RulesError(f"Onitama needs five different cards of {', '.join(NAMES)}.")

    def start(self) -> Table:
        first, second = tuple(sorted(self.cards[:2])), tuple(sorted(self.cards[2:4]))
        return Table(f"ssmss{EMPTY * 15}SSMSS", MAX, (first, second), self.cards[4])

    def steps(self, table: Table, card: str) -> Iterator[tuple[int, int]]:
        """From where to where the card lets the mover go."""
        up = -1 if table.turn == MAX else 1
        for square in range(25):
            if table.cells[square] in PIECES[table.turn]:
                row, column = divmod(square, 5)
                for forward, right in CARDS[card]:
                    down, across = row + up * forward, column - up * right
                    if 0 <= down < 5 and 0 <= across < 5 and table.cells[5 * down + across] not in PIECES[table.turn]:
                        yield square, 5 * down + across

    def actions(self, table: Table) -> Iterator[int]:
        """625 × card + 25 × from + to; a card that is only exchanged goes from 0 to 0."""
        if not self.terminal(table):
            stuck = True
            for card in table.hands[table.turn]:
                for square, target in self.steps(table, card):
                    stuck = False
                    yield 625 * NAMES.index(card) + 25 * square + target
            if stuck:
                for card in table.hands[table.turn]:
                    yield 625 * NAMES.index(card)

    def parts_of(self, action: int) -> tuple[str, int, int]:
        card, rest = divmod(action, 625)
        return NAMES[card], rest // 25, rest % 25

    def result(self, table: Table, action: int) -> Table:
        card, square, target = self.parts_of(action)
        cells = table.cells
        if square != target:
            cells = put(put(cells, target, cells[square]), square, EMPTY)
        hand = tuple(sorted(table.side if held == card else held for held in table.hands[table.turn]))
        hands = (hand, table.hands[1]) if table.turn == MAX else (table.hands[0], hand)
        return Table(cells, 1 - table.turn, hands, card)

    def terminal(self, table: Table) -> bool:
        cells = table.cells
        return "M" not in cells or "m" not in cells or cells[TEMPLES[1]] == "M" or cells[TEMPLES[0]] == "m"

    def utility(self, table: Table) -> int:
        return 1 if "m" not in table.cells or table.cells[TEMPLES[1]] == "M" else -1

    def evaluate(self, table: Table) -> float:
        """Blue's students less Red's."""
        return (table.cells.count("S") - table.cells.count("s")) / 5

    def name(self, table: Table, action: int) -> str:
        card, square, target = self.parts_of(action)
        return card if square == target else f"{card}:{self.square_name(square)}{self.square_name(target)}"

    def show(self, table: Table) -> str:
        blue, red = (" ".join(hand) for hand in table.hands)
        return f"{super().show(table)}\nBlue: {blue}; Red: {red}; side: {table.side}"

    def read(self, text: str) -> Table:
        cells, below = self.undraw(text)
        parts = [part.partition(":")[2].split() for part in below[-1].split(";")]
        if len(below) != 2 or [len(part) for part in parts] != [2, 2, 1] or not all(card in CARDS for part in parts for card in part):
            raise ZermeloError("Below a board of Onitama stands who moves, then the cards: Blue: boar ox; Red: elephant horse; side: crab.")
        return Table(cells, self.mover(below[0]), (tuple(sorted(parts[0])), tuple(sorted(parts[1]))), parts[2][0])

    def board(self, table: Table) -> dict[str, Any]:
        """The cards of both lie before them, the fifth beside; temples are marked on the floor."""
        drawn = {name: f"steps {name} " + ";".join(f"{forward},{right}" for forward, right in steps) for name, steps in CARDS.items()}
        temples = [[*divmod(square, 5), "plate"] for square in TEMPLES]
        hands = {self.seats[0]: list(table.hands[0]), self.seats[1]: list(table.hands[1]), "Beside": [table.side]}
        figures = {"S": "pawn", "M": "king", "s": "pawn", "m": "king", **drawn}
        return {**super().board(table), "figures": figures, "floor": temples, "hands": hands}
