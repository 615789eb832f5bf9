"""Othello: place a disc so that a straight run of the opponent's discs is enclosed, and turn them; who cannot, passes.

When neither can, the game is over, and the payoff is the lead in discs. Black moves first.
Source: the rules of the World Othello Federation. Values: J. Feinstein, Amenor wins world 6 × 6 championships (1993), −4 on 6 × 6;
H. Takizawa, Othello is solved (arXiv 2310.19387, 2023), 0 on 8 × 8.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game
from zermelo.scores import score
from zermelo.words import bits, lsb, popcount, shift, u64

__all__ = ["Discs", "Othello"]

WORD = (1 << 64) - 1
NO_MOVE = -100  # below every lead
FEW = 3  # free cells from which on `bounds` knows the lead
CLOSE = 6  # free cells from which on only parity decides the order


class Discs(NamedTuple):
    mine: u64  # discs of the player to move; bit row * size + column, on 4 × 4:   0  1  2  3
    theirs: u64  #                                                                 4  5  6  7
    black: bool  # is Black to move?                                               8  9 10 11
    #                                                                             12 13 14 15


class Outlook(NamedTuple):
    """Features: each is counted for Black where Black is to move, and against Black where White is. `late` is how full the board is."""

    move: float  # 1: to be on move at all
    odd: float  # 1 where the number of free cells is odd: then the player to move is likely to have the last move
    corners: float  # of the player to move less the opponent's; so are all that follow
    anchored: float  # discs that are never turned again
    beside: float  # discs diagonally beside a free corner
    moves: float  # how many cells the player to move has to choose from
    replies: float  # how many the opponent would have
    moves_late: float  # the lead in moves, times late
    frontier: float  # free cells next to discs of the player to move, less those next to the opponent's
    frontier_late: float
    discs: float
    discs_late: float


@dataclass(frozen=True)
class Othello(Game):
    """Othello on 4 × 4, 6 × 6 or 8 × 8."""

    size: int = 8
    fill: bool = False  # do cells that are free at the end count for the winner?

    payoffs = (-64, 64)
    seats = ("Black", "White")
    unit = ("discs", 1)

    def __post_init__(self) -> None:
        if self.size not in (4, 6, 8):
            raise ZermeloError(f"Othello is played here on boards of size 4, 6 or 8, not {self.size}.")

    # --- the six rules

    def start(self) -> Discs:
        middle = self.size * (self.size // 2 - 1) + self.size // 2 - 1  # upper left of the four in the middle
        return Discs(1 << middle + 1 | 1 << middle + self.size, 1 << middle | 1 << middle + self.size + 1, True)

    def player(self, discs: Discs) -> int:
        return 0 if discs.black else 1

    def actions(self, discs: Discs) -> Iterator[int]:
        moves = self.moves(discs.mine, discs.theirs)
        if moves:
            yield from bits(moves)
        elif self.moves(discs.theirs, discs.mine):
            yield self.passing

    def result(self, discs: Discs, action: int) -> Discs:
        if action == self.passing:
            return Discs(discs.theirs, discs.mine, not discs.black)
        turned = self.turned(discs.mine, discs.theirs, action)
        return Discs(discs.theirs & ~turned, discs.mine | turned | 1 << action, not discs.black)

    def terminal(self, discs: Discs) -> bool:
        return not self.moves(discs.mine, discs.theirs) and not self.moves(discs.theirs, discs.mine)

    def utility(self, discs: Discs) -> int:
        lead = self.final(discs.mine, discs.theirs)
        return lead if discs.black else -lead

    def final(self, mine: int, theirs: int) -> int:
        """The lead of `mine` where nobody can move any more."""
        lead = popcount(mine) - popcount(theirs)
        free = popcount(self.cells & ~(mine | theirs)) if self.fill else 0
        return lead + free if lead > 0 else lead - free if lead < 0 else 0

    # --- the board in bits

    @cached_property
    def cells(self) -> int:
        return (1 << self.size * self.size) - 1

    @cached_property
    def passing(self) -> int:
        """The action of a player who cannot place a disc."""
        return self.size * self.size

    @cached_property
    def corners(self) -> int:
        last = self.size - 1
        return 1 | 1 << last | 1 << self.size * last | 1 << self.size * last + last

    @cached_property
    def edges(self) -> tuple[int, int]:
        """The first and the last row; the first and the last column."""
        row, column = (1 << self.size) - 1, sum(1 << self.size * row for row in range(self.size))
        return row | row << self.size * (self.size - 1), column | column << self.size - 1

    @cached_property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """The eight directions: how far to shift, and the cells in which a run may lie: for all but two, no first or last column."""
        directions = ((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)
        return tuple((down * self.size + right, self.cells & ~self.edges[1] if right else self.cells) for down, right in directions)

    @cached_property
    def pairs(self) -> int:
        """A run of discs that are turned has at most 2 + 2 × pairs."""
        return self.size // 2 - 2

    @cached_property
    def rays(self) -> tuple[int, ...]:
        """[8 × cell + direction] the cells from the next one to the edge; directions 0 to 3 lead to larger bits, 4 to 7 to smaller ones."""
        found = []
        for cell in range(self.size * self.size):
            for down, right in ((0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)):
                row, column, ray = cell // self.size + down, cell % self.size + right, 0
                while 0 <= row < self.size and 0 <= column < self.size:
                    ray |= 1 << row * self.size + column
                    row, column = row + down, column + right
                found.append(ray)
        return tuple(found)

    def moves(self, mine: int, theirs: int) -> int:
        """Free cells at the far end of a run of `theirs` that begins next to one of `mine`."""
        found = 0
        for step, inside in self.steps:
            inner = theirs & inside
            run = shift(mine, step) & inner
            run |= shift(run, step) & inner
            pair = shift(inner, step) & inner
            for _ in range(self.pairs):
                run |= shift(run, 2 * step) & pair
            found |= shift(run, step)
        return found & ~(mine | theirs) & self.cells

    def turned(self, mine: int, theirs: int, cell: int) -> int:
        """The discs that a disc of `mine` on this cell encloses.

        Upwards, adding 1 to all bits that do not stop a run carries to the first that does; downwards that is the highest bit.
        """
        found = 0
        for direction in range(4):
            ray = self.rays[8 * cell + direction]
            end = (theirs | WORD ^ ray) + 1 & ray & mine
            if end:
                found |= end - 1 & ray
            ray = self.rays[8 * cell + direction + 4]
            end = 1 << (ray & ~theirs | 1).bit_length() - 1 & ray & mine
            if end:
                found |= ray & ~(2 * end - 1)
        return found

    # --- knowledge: except for `evaluate` it never changes an answer

    def evaluate(self, discs: Discs) -> int:
        """Discs that are never turned again, and freedom of movement."""
        safe = popcount(self.anchored(discs.mine)) - popcount(self.anchored(discs.theirs))
        freedom = popcount(self.moves(discs.mine, discs.theirs)) - popcount(self.moves(discs.theirs, discs.mine))
        corners = popcount(discs.mine & self.corners) - popcount(discs.theirs & self.corners)
        lead = max(-64, min(64, 6 * corners + 2 * safe + freedom))
        return lead if discs.black else -lead

    def features(self, discs: Discs) -> Outlook:
        free = self.cells & ~(discs.mine | discs.theirs)
        late = 1 - popcount(free) / (self.size * self.size)
        moves = popcount(self.moves(discs.mine, discs.theirs))
        replies = popcount(self.moves(discs.theirs, discs.mine))
        frontier = popcount(self.around(discs.mine) & free) - popcount(self.around(discs.theirs) & free)
        lead = popcount(discs.mine) - popcount(discs.theirs)
        beside = self.around(free & self.corners) & self.diagonals
        sign = 1.0 if discs.black else -1.0
        return Outlook(
            sign,
            sign * (popcount(free) & 1),
            sign * (popcount(discs.mine & self.corners) - popcount(discs.theirs & self.corners)),
            sign * (popcount(self.anchored(discs.mine)) - popcount(self.anchored(discs.theirs))),
            sign * (popcount(discs.mine & beside) - popcount(discs.theirs & beside)),
            sign * moves,
            sign * replies,
            sign * late * (moves - replies),
            sign * frontier,
            sign * late * frontier,
            sign * lead,
            sign * late * lead,
        )

    def around(self, side: int) -> int:
        """Cells next to these, in any direction, and the cells themselves."""
        inner = side & ~self.last_column
        level = side | shift(inner, 1) | shift(side & ~self.first_column, -1)
        return (level | shift(level, self.size) | shift(level, -self.size)) & self.cells

    @cached_property
    def first_column(self) -> int:
        return sum(1 << self.size * row for row in range(self.size))

    @cached_property
    def last_column(self) -> int:
        return self.first_column << self.size - 1

    @cached_property
    def diagonals(self) -> int:
        """The four cells that touch a corner by a corner."""
        row = 1 << self.size + 1 | 1 << 2 * self.size - 2
        return row | row << self.size * (self.size - 3)

    def anchored(self, side: int) -> int:
        """Discs in the corners and along the edges from there: they can never be turned."""
        safe = side & self.corners
        if safe:
            level, upright = side & self.edges[0], side & self.edges[1]
            for _ in range(self.size - 2):
                safe |= (shift(safe, 1) | shift(safe, -1)) & level | (shift(safe, self.size) | shift(safe, -self.size)) & upright
        return safe

    def order(self, discs: Discs, action: int) -> int:
        """Few replies first, corners before others, then cells of regions in which the number of free cells is odd."""
        if action == self.passing:
            return 0
        free = self.cells & ~(discs.mine | discs.theirs)
        odd = popcount(free & self.quarters[self.quarter(action)]) & 1
        corner = 1 if self.corners >> action & 1 else 0
        if popcount(free) <= CLOSE:
            return 2 * odd + corner
        turned = self.turned(discs.mine, discs.theirs, action)
        replies = self.moves(discs.theirs & ~turned, discs.mine | turned | 1 << action)
        return 8 * corner + odd - 4 * (popcount(replies) + popcount(replies & self.corners))

    def quarter(self, cell: int) -> int:
        """The quarter of the board in which a cell lies."""
        half = self.size // 2
        return 2 * (cell // self.size // half) + cell % self.size // half

    @cached_property
    def quarters(self) -> tuple[int, ...]:
        return tuple(sum(1 << cell for cell in range(self.size * self.size) if self.quarter(cell) == part) for part in range(4))

    def bounds(self, discs: Discs) -> tuple[int, int]:
        """The lead itself where few cells are free; otherwise nobody loses what is anchored."""
        cells = self.cells & ~(discs.mine | discs.theirs)
        free = popcount(cells)
        if free <= FEW:
            low = high = self.last(discs.mine, discs.theirs, cells)
        else:
            low = 2 * popcount(self.anchored(discs.mine)) - self.size * self.size
            high = self.size * self.size - 2 * popcount(self.anchored(discs.theirs))
        if not discs.black:
            low, high = -high, -low
        longest = 2 * free  # a pass before every disc
        return score(low, longest if low > 0 else 1), score(high, longest if high < 0 else 1)

    def last(self, mine: int, theirs: int, free: int) -> int:
        """The lead of the player to move where at most three cells are free."""
        if popcount(free) < 3:
            return self.last_two(mine, theirs, free)
        sign = 1
        for _ in range(2):  # who cannot move leaves it to the other
            best = NO_MOVE
            for cell in bits(free):
                turned = self.turned(mine, theirs, cell)
                if turned:
                    best = max(best, -self.last_two(theirs & ~turned, mine | turned | 1 << cell, free & ~(1 << cell)))
            if best > NO_MOVE:
                return sign * best
            mine, theirs, sign = theirs, mine, -sign
        return self.final(mine, theirs)

    def last_two(self, mine: int, theirs: int, free: int) -> int:
        """The same where at most two are free."""
        if free & free - 1 == 0:
            return self.last_one(mine, theirs, free)
        sign = 1
        for _ in range(2):
            best = NO_MOVE
            for cell in bits(free):
                turned = self.turned(mine, theirs, cell)
                if turned:
                    best = max(best, -self.last_one(theirs & ~turned, mine | turned | 1 << cell, free & ~(1 << cell)))
            if best > NO_MOVE:
                return sign * best
            mine, theirs, sign = theirs, mine, -sign
        return self.final(mine, theirs)

    def last_one(self, mine: int, theirs: int, free: int) -> int:
        """The same where at most one is free."""
        sign = 1
        for _ in range(2):
            gain = popcount(self.turned(mine, theirs, lsb(free))) if free else 0
            if gain:
                return sign * (popcount(mine) - popcount(theirs) + 2 * gain + 1)
            mine, theirs, sign = theirs, mine, -sign
        return self.final(mine, theirs)

    def key(self, discs: Discs) -> tuple[int, int]:
        """The discs of the player to move and all discs, where a cell in the middle, never free, tells who that is."""
        middle = 1 << self.size * (self.size // 2) + self.size // 2
        return discs.mine, (discs.mine | discs.theirs) & ~middle | (middle if discs.black else 0)

    # --- presentation

    def name(self, discs: Discs, action: int) -> str:
        """Columns have letters, rows numbers from the top: `d3`."""
        return "pass" if action == self.passing else f"{'abcdefgh'[action % self.size]}{action // self.size + 1}"

    def board(self, discs: Discs) -> dict[str, Any]:
        black, white = (discs.mine, discs.theirs) if discs.black else (discs.theirs, discs.mine)
        marks = ["X" if black >> cell & 1 else "O" if white >> cell & 1 else "" for cell in range(self.size * self.size)]
        rows = [marks[row * self.size :][: self.size] for row in range(self.size)]
        return {"kind": "grid", "look": "othello", "rows": rows, "coordinates": "a8"}

    def show(self, discs: Discs) -> str:
        rows = [f"{number} {' '.join(mark or '.' for mark in row)}" for number, row in enumerate(self.board(discs)["rows"], 1)]
        return "\n".join([f"  {' '.join('abcdefgh'[: self.size])}", *rows, f"{'X' if self.player(discs) == MAX else 'O'} to move"])

    def read(self, text: str) -> Discs:
        *lines, last = text.strip().splitlines()
        marks = [mark for line in lines for mark in line.split() if mark in ".XO"]
        black, white = (sum(1 << cell for cell, mark in enumerate(marks) if mark == side) for side in "XO")
        if len(marks) != self.size * self.size or last.strip() not in ("X to move", "O to move"):
            raise ZermeloError(f"This is not a board of Othello of size {self.size}: give its cells as X, O or dots, then 'X to move'.")
        return Discs(black, white, True) if last.strip() == "X to move" else Discs(white, black, False)
