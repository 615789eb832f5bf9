"""The L-game: put your L of four cells to another place of a 4 × 4 board, then, if you like, one of the two neutral stones to a free cell.

Who cannot put his L elsewhere loses. Both are one action here, because they are one turn. Source: E. de Bono, The Use of Lateral Thinking
(1967); E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways (1982): a draw between good players. A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, MIN, Game
from zermelo.words import bits, popcount

__all__ = ["LGame", "Pieces"]

BOARD = (1 << 16) - 1


def turned(cells: int) -> int:
    """A board turned by a quarter: bit 4 × row + column."""
    return sum(1 << 4 * (cell % 4) + 3 - cell // 4 for cell in bits(cells))


def mirrored(cells: int) -> int:
    """A board with its columns in the other order."""
    return sum(1 << cell - cell % 4 + 3 - cell % 4 for cell in bits(cells))


def all_places() -> tuple[int, ...]:
    """The 48 ways in which an L lies on the board, smallest numbers first."""
    found = set()
    for row in range(2):
        for column in range(3):
            cells = 0b0011_0001_0001 << 4 * row + column  # three cells down and one to the right of the last
            for _ in range(4):
                found |= {cells, mirrored(cells)}
                cells = turned(cells)
    return tuple(sorted(found))


def symmetric(symmetry: int, cells: int) -> int:
    """The image of a set of cells: turned by symmetry % 4 quarters, then mirrored where symmetry is at least 4."""
    for _ in range(symmetry % 4):
        cells = turned(cells)
    return mirrored(cells) if symmetry >= 4 else cells


PLACES = all_places()  # [number] the cells of an L
CELL_IMAGES = tuple(symmetric(symmetry, 1 << cell).bit_length() - 1 for symmetry in range(8) for cell in range(16))
PLACE_IMAGES = tuple(PLACES.index(symmetric(symmetry, place)) for symmetry in range(8) for place in PLACES)
STAY = 0  # both neutral stones stay; 1 + 16 × origin + target: a stone goes from one cell to another
OPTIONS = 257
PAIRS = 120  # ways to put two stones on sixteen cells


class Pieces(NamedTuple):
    mine: int  # number of the place of the player to move
    theirs: int
    neutral: int  # cells of the two stones, one bit each:  0  1  2  3
    turn: int  #                                            4  5  6  7
    #                                                       8  9 10 11
    #                                                      12 13 14 15


@dataclass(frozen=True)
class LGame(Game):
    """De Bono's L-game."""

    payoffs = (-1, 1)
    seats = ("Red", "Blue")
    repetition = "draw"

    # --- the six rules

    def start(self) -> Pieces:
        """The Ls interlock in the middle, the stones lie in two corners."""
        return Pieces(PLACES.index(0b0000_0100_0100_0110), PLACES.index(0b0110_0010_0010_0000), 1 << 0 | 1 << 15, MAX)

    def player(self, state: Pieces) -> int:
        return state.turn

    def actions(self, state: Pieces) -> Iterator[int]:
        """257 × the new place of the L + what is done with a stone."""
        for place in range(48):
            if place != state.mine and PLACES[place] & (PLACES[state.theirs] | state.neutral) == 0:
                yield OPTIONS * place
                free = BOARD & ~(PLACES[place] | PLACES[state.theirs] | state.neutral)
                for origin in bits(state.neutral):
                    for target in bits(free):
                        yield OPTIONS * place + 1 + 16 * origin + target

    def result(self, state: Pieces, action: int) -> Pieces:
        option, neutral = action % OPTIONS, state.neutral
        if option != STAY:
            neutral = neutral ^ 1 << (option - 1) // 16 | 1 << (option - 1) % 16
        return Pieces(state.theirs, action // OPTIONS, neutral, 1 - state.turn)

    def terminal(self, state: Pieces) -> bool:
        blocked = PLACES[state.theirs] | state.neutral
        return all(place == state.mine or PLACES[place] & blocked != 0 for place in range(48))

    def utility(self, state: Pieces) -> int:
        return -1 if state.turn == MAX else 1

    # --- knowledge: except for `evaluate` it never changes an answer

    def evaluate(self, state: Pieces) -> float:
        """Who has more places for his L."""
        lead = self.freedom(state.mine, state.theirs, state.neutral) - self.freedom(state.theirs, state.mine, state.neutral)
        return (lead if state.turn == MAX else -lead) / 48

    def freedom(self, place: int, opposite: int, neutral: int) -> int:
        """How many other places an L has."""
        count = 0
        for other in range(48):
            if other != place and PLACES[other] & (PLACES[opposite] | neutral) == 0:
                count += 1
        return count

    def canonical(self, state: Pieces) -> tuple[Pieces, int]:
        """The image with the smallest numbers: the mover's L, then the other L, then the stones."""
        best, symmetry = self.number(state.mine, state.theirs, state.neutral), 0
        for other in range(1, 8):
            number = self.number(
                PLACE_IMAGES[48 * other + state.mine], PLACE_IMAGES[48 * other + state.theirs], self.moved(state.neutral, other)
            )
            if number < best:
                best, symmetry = number, other
        return Pieces(best >> 22, best >> 16 & 63, best & BOARD, state.turn), symmetry

    def image(self, action: int, symmetry: int) -> int:
        option, place = action % OPTIONS, PLACE_IMAGES[48 * symmetry + action // OPTIONS]
        if option == STAY:
            return OPTIONS * place
        origin, target = CELL_IMAGES[16 * symmetry + (option - 1) // 16], CELL_IMAGES[16 * symmetry + (option - 1) % 16]
        return OPTIONS * place + 1 + 16 * origin + target

    def number(self, mine: int, theirs: int, neutral: int) -> int:
        return mine << 22 | theirs << 16 | neutral

    def moved(self, cells: int, symmetry: int) -> int:
        found = 0
        for cell in bits(cells):
            found |= 1 << CELL_IMAGES[16 * symmetry + cell]
        return found

    def key(self, state: Pieces) -> int:
        return 2 * self.number(state.mine, state.theirs, state.neutral) + state.turn

    def rank(self, state: Pieces) -> int:
        """Both Ls, the pair of stones as higher × (higher − 1) / 2 + lower, and who moves."""
        lower, higher = (state.neutral & -state.neutral).bit_length() - 1, state.neutral.bit_length() - 1
        return 2 * ((48 * state.mine + state.theirs) * PAIRS + higher * (higher - 1) // 2 + lower) + state.turn

    def unrank(self, number: int) -> Pieces:
        pair, places, higher = number // 2 % PAIRS, number // 2 // PAIRS, 1
        while higher * (higher + 1) // 2 <= pair:
            higher += 1
        return Pieces(places // 48, places % 48, 1 << higher | 1 << pair - higher * (higher - 1) // 2, number % 2)

    def size(self) -> int:
        return 2 * 48 * 48 * PAIRS

    # --- presentation

    def name(self, state: Pieces, action: int) -> str:
        """The cells of the L as hexadecimal digits, 0 to f row by row; then, if a stone moves, from where to where: `26ae`, `26ae:0-5`."""
        cells = "".join(f"{cell:x}" for cell in bits(PLACES[action // OPTIONS]))
        option = action % OPTIONS
        if option == STAY:
            return cells
        return f"{cells}:{(option - 1) // 16:x}-{(option - 1) % 16:x}"

    def board(self, state: Pieces) -> dict[str, Any]:
        first, second = (state.mine, state.theirs) if state.turn == MAX else (state.theirs, state.mine)
        neutral = [cell for cell in range(16) if state.neutral >> cell & 1]
        marks = ["X" if PLACES[first] >> cell & 1 else "O" if PLACES[second] >> cell & 1 else "" for cell in range(16)]
        for number, cell in enumerate(neutral):
            marks[cell] = f"neutral{number}"
        return {"kind": "grid", "look": "joined", "rows": [marks[4 * row : 4 * row + 4] for row in range(4)]}

    def show(self, state: Pieces) -> str:
        rows = [" ".join(mark[:1] or "." for mark in row) for row in self.board(state)["rows"]]
        return "\n".join([*rows, f"{'XO'[state.turn]} to move"])

    def read(self, text: str) -> Pieces:
        *lines, last = text.strip().splitlines()
        marks = [mark for line in lines for mark in line.split()]
        x, o, neutral = (sum(1 << cell for cell, mark in enumerate(marks) if mark == side) for side in "XOn")
        if (
            len(marks) != 16
            or x not in PLACES
            or o not in PLACES
            or popcount(neutral) != 2
            or last.strip() not in ("X to move", "O to move")
        ):
            raise ZermeloError(
                "This is not a position of the L-game: give four rows of X and O, both Ls, two n and dots, then 'X to move'."
            )
        first, second = PLACES.index(x), PLACES.index(o)
        return Pieces(first, second, neutral, MAX) if last.strip() == "X to move" else Pieces(second, first, neutral, MIN)
