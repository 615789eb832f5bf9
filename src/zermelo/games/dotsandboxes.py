"""Dots and Boxes: players take turns to join two neighbouring dots; who completes a box owns it and moves again; most boxes win.

Source: É. Lucas, La Pipopipette (1889); J. Barker and R. Korf, Solving Dots-And-Boxes (AAAI 2012). The payoff is the lead in boxes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game, player_name
from zermelo.scores import score
from zermelo.words import Word, bits, lsb, popcount

__all__ = ["DotsAndBoxes", "Lines"]

OUTSIDE = -1
FIRST = 1 << 20  # in an order: more than any distance
BRANCHING = 3  # two boxes of a chain that ends at a box with more open lines: others that are taken may change it


class Lines(NamedTuple):
    """One bit a line, level ones first, row by row. For 2 × 2 boxes:

    ·  0 ·  1 ·
    6    7    8
    ·  2 ·  3 ·
    9   10   11
    ·  4 ·  5 ·
    """

    drawn: Word
    lead: int  # Max's boxes less Min's
    turn: int


class Chain(NamedTuple):
    """Boxes that can be taken one after the other."""

    box: int  # the first
    left: int  # boxes that may be left of it now: 2, BRANCHING or 4, from what is kept to the last to what is not; 0: none
    first: int  # the first line on the way
    second: int  # the second one; where boxes are left, it is drawn for that
    end: int  # the box behind the last line, which has one open line itself or more than two; OUTSIDE where there is none


@dataclass(frozen=True)
class DotsAndBoxes(Game):
    """Complete boxes; each gives another move."""

    rows: int = 2
    columns: int = 2

    seats = ("A", "B")
    unit = ("boxes", 1)
    showcase = "dotsandboxes(rows=3,columns=3)"
    cover = 14

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 1 or self.word > 256:
            raise RulesError(f"Dots and Boxes has from 1 × 1 boxes to 256 lines, not {self.rows} × {self.columns} boxes.")

    @property
    def payoffs(self) -> tuple[float, float]:
        return -self.rows * self.columns, self.rows * self.columns

    # --- the six rules

    def start(self) -> Lines:
        return Lines(0, 0, MAX)

    def player(self, lines: Lines) -> int:
        return lines.turn

    def actions(self, lines: Lines) -> Iterator[int]:
        yield from bits(self.all_lines & ~lines.drawn)

    def result(self, lines: Lines, line: int) -> Lines:
        drawn = lines.drawn | 1 << line
        gained = self.completed(drawn, line)
        lead = lines.lead + gained if lines.turn == MAX else lines.lead - gained
        return Lines(drawn, lead, lines.turn if gained > 0 else 1 - lines.turn)

    def terminal(self, lines: Lines) -> bool:
        return lines.drawn == self.all_lines

    def utility(self, lines: Lines) -> int:
        return lines.lead

    # --- the board in bits

    @property
    def word(self) -> int:
        return 2 * self.rows * self.columns + self.rows + self.columns

    @cached_property
    def all_lines(self) -> int:
        return (1 << self.word) - 1

    @cached_property
    def level(self) -> int:
        """How many lines are level; the upright ones come after them."""
        return (self.rows + 1) * self.columns

    @cached_property
    def boxes(self) -> tuple[int, ...]:
        """[box, row by row] its four lines."""
        found = []
        for row in range(self.rows):
            for column in range(self.columns):
                above, left = row * self.columns + column, self.level + row * (self.columns + 1) + column
                found.append(1 << above | 1 << above + self.columns | 1 << left | 1 << left + 1)
        return tuple(found)

    @cached_property
    def beside(self) -> tuple[int, ...]:
        """[2 × line, 2 × line + 1] the four lines of the boxes beside it; 0, which is never complete, where there is no such box."""
        found = []
        for line in range(self.word):
            near = [box for box in self.boxes if box >> line & 1]
            found += [*near, 0][:2] if near else [0, 0]
        return tuple(found)

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """[2 × line, 2 × line + 1] the boxes beside it; OUTSIDE where there is none."""
        found = []
        for line in range(self.word):
            near = [box for box, lines in enumerate(self.boxes) if lines >> line & 1]
            found += [*near, OUTSIDE][:2]
        return tuple(found)

    def beyond(self, line: int, box: int) -> int:
        """The box on the other side of one of a box's lines; OUTSIDE where there is none."""
        return self.sides[2 * line] + self.sides[2 * line + 1] - box

    def open_lines(self, drawn: int, box: int) -> int:
        """How many lines of a box are not drawn; none of what is outside."""
        return popcount(self.boxes[box] & ~drawn) if box != OUTSIDE else 0

    def completed(self, drawn: int, line: int) -> int:
        """How many boxes beside a line are complete."""
        first, second = self.beside[2 * line], self.beside[2 * line + 1]
        return (1 if drawn & first == first else 0) + (1 if second != 0 and drawn & second == second else 0)

    # --- knowledge: except for `evaluate` it never changes an answer

    def evaluate(self, lines: Lines) -> float:
        """The lead, and what can be taken at once."""
        open_boxes = 0
        for box in self.boxes:
            if popcount(lines.drawn & box) == 3:
                open_boxes += 1
        return lines.lead + (open_boxes if lines.turn == MAX else -open_boxes)

    def order(self, lines: Lines, line: int) -> int:
        """What completes boxes first, last what leaves a box to the opponent, and otherwise what lies nearer to the middle.

        It matters more that the order is the same everywhere than where it begins: lines of play then meet in the same positions.
        """
        drawn = lines.drawn | 1 << line
        rank = FIRST * self.completed(drawn, line) - self.distances[line]
        for side in (0, 1):
            box = self.beside[2 * line + side]
            if box != 0 and popcount(drawn & box) == 3:
                rank -= FIRST
        return rank

    @cached_property
    def distances(self) -> tuple[int, ...]:
        """[line] how far it lies from the line that halves the longer side of the board, then from the one that halves the shorter."""
        found = []
        for line in range(self.word):
            upright = line >= self.level
            row, column = divmod(line - self.level, self.columns + 1) if upright else divmod(line, self.columns)
            across, down = abs(2 * column + (not upright) - self.columns), abs(2 * row + upright - self.rows)
            far, near = (across, down) if self.columns >= self.rows else (down, across)
            found.append(far * 2 * (self.rows + self.columns) + near)
        return tuple(found)

    def candidates(self, lines: Lines) -> Iterator[int]:
        """Boxes that can be completed are taken, save perhaps the last two or four; of a chain one line is as good as another.

        A chain is a row of boxes in which two lines are open, one between each and the next. It can be taken from a box with one open line.
        Who takes a chain may leave two boxes of it to the opponent, and the turn, or four where both ends are such boxes. He needs to keep
        only one chain for that. Who has to open a chain of two boxes draws the line between them, so that the opponent has no such choice.
        Source: E. Berlekamp, The Dots and Boxes Game (2000); J. Barker and R. Korf (2012).
        """
        drawn = lines.drawn
        kept = self.kept_chain(drawn)
        if kept.box == OUTSIDE:
            seen = drawn
            while seen != self.all_lines:
                opened, line = self.chain_through(drawn, lsb(self.all_lines & ~seen))
                seen |= opened
                yield line
        elif kept.left == 0:
            yield kept.first
        else:
            others = 0
            for box in bits(self.boxes_to_take(drawn)):
                if box != kept.box and box != kept.end:
                    others += 1
                    if kept.left == BRANCHING or others == 1:
                        yield lsb(self.boxes[box] & ~drawn)
            if kept.left == BRANCHING or others == 0:
                yield kept.first
            if others == 0:
                yield kept.second

    def kept_chain(self, drawn: int) -> Chain:
        """The chain to keep to the last, or one that is not kept, so that it is taken at once; of box OUTSIDE where none can be taken."""
        kept = Chain(OUTSIDE, 0, 0, 0, OUTSIDE)
        for box in bits(self.boxes_to_take(drawn)):
            chain = self.chain_from(drawn, box)
            kept = chain if kept.box == OUTSIDE or chain.left < kept.left else kept
        return kept

    def boxes_to_take(self, drawn: int) -> int:
        """One bit a box: those with one open line."""
        found = drawn & 0  # a word as wide as the board
        for box in range(self.rows * self.columns):
            if self.open_lines(drawn, box) == 1:
                found |= 1 << box
        return found

    def chain_from(self, drawn: int, box: int) -> Chain:
        """The chain that begins with a box with one open line."""
        first = lsb(self.boxes[box] & ~drawn)
        line, second, boxes, at = first, first, 1, self.beyond(first, box)
        while self.open_lines(drawn, at) == 2:
            line = lsb(self.boxes[at] & ~drawn & ~(1 << line))
            second = line if boxes == 1 else second
            boxes, at = boxes + 1, self.beyond(line, at)
        left = 0
        if self.open_lines(drawn, at) == 1:
            left = 4 if boxes == 3 else 0
        elif boxes == 2:
            left = 2 if at == OUTSIDE else BRANCHING
        return Chain(box, left, first, second, at)

    def chain_through(self, drawn: int, line: int) -> tuple[int, int]:
        """The lines of the chain that a line would open, and which of them to draw; the line itself where it opens none."""
        chain_lines, boxes, between = 1 << line, 0, line
        for side in range(2):
            at, step = self.sides[2 * line + side], line
            while self.open_lines(drawn, at) == 2:
                step_on = lsb(self.boxes[at] & ~drawn & ~(1 << step))
                boxes += 1
                if chain_lines >> step_on & 1 != 0:
                    break
                chain_lines |= 1 << step_on
                at, step = self.beyond(step_on, at), step_on
                between = step if boxes == 1 and self.open_lines(drawn, at) == 2 else between
        return chain_lines, between if boxes == 2 else line

    def bounds(self, lines: Lines) -> tuple[int, int]:
        """Nobody gets more than all boxes left; the player to move can take those with one open line; every line is drawn in the end."""
        left, sure, actions = 0, 0, popcount(self.all_lines & ~lines.drawn)
        for box in self.boxes:
            missing = popcount(box & ~lines.drawn)
            left += 1 if missing > 0 else 0
            sure += 1 if missing == 1 else 0
        low, high = (2 * sure - left, left) if lines.turn == MAX else (-left, left - 2 * sure)
        return score(lines.lead + low, actions), score(lines.lead + high, actions)

    def rest(self, lines: Lines) -> tuple[Lines, int]:
        """Who owns the boxes that are complete does not matter for the others."""
        return Lines(lines.drawn, 0, lines.turn), lines.lead

    def tier(self, lines: Lines) -> int:
        """Lines that are drawn."""
        return popcount(lines.drawn)

    def canonical(self, lines: Lines) -> tuple[Lines, int]:
        """The smallest number among the images of the lines drawn.

        The two outer lines of a box in a corner do the same (Barker and Korf 2012): where one of them is drawn, it is the level one.
        """
        best, symmetry = self.image_of(lines.drawn, 0)
        for number in range(1, self.symmetries):
            image, code = self.image_of(lines.drawn, number)
            if image < best:
                best, symmetry = image, code
        return Lines(best, lines.lead, lines.turn), symmetry

    def image_of(self, drawn: int, number: int) -> tuple[int, int]:
        """Where lines come by a symmetry of the board and then in the corners; for `image` the symmetry, and one bit a turned corner."""
        image, code = drawn & 0, number << 4  # a word as wide as the board
        for line in bits(drawn):
            image |= 1 << self.images[number * self.word + line]
        for corner in range(self.corners):
            level, upright = self.corner_lines[2 * corner], self.corner_lines[2 * corner + 1]
            if image >> upright & 1 != 0 and image >> level & 1 == 0:
                image ^= 1 << upright | 1 << level
                code += 1 << corner
        return image, code

    def image(self, line: int, symmetry: int) -> int:
        moved = self.images[(symmetry >> 4) * self.word + line]
        for corner in range(self.corners):
            level, upright = self.corner_lines[2 * corner], self.corner_lines[2 * corner + 1]
            if symmetry >> corner & 1 != 0 and moved in (level, upright):
                return level + upright - moved
        return moved

    @cached_property
    def corners(self) -> int:
        """Boxes with just two outer lines; where the board has a single row or column, there are none."""
        return 4 if min(self.rows, self.columns) > 1 else 0

    @cached_property
    def corner_lines(self) -> tuple[int, ...]:
        """[2 × corner, 2 × corner + 1] the level and the upright outer line of a box in a corner."""
        return tuple(self.moved(line, symmetry) for symmetry in range(4) for line in (0, self.level))

    @cached_property
    def symmetries(self) -> int:
        return 8 if self.rows == self.columns else 4

    @cached_property
    def images(self) -> tuple[int, ...]:
        """[symmetry × lines + line] where a line comes: symmetries 0 to 3 mirror across and down, 4 to 7 also exchange rows and columns."""
        return tuple(self.moved(line, symmetry) for symmetry in range(self.symmetries) for line in range(self.word))

    def moved(self, line: int, symmetry: int) -> int:
        upright = line >= self.level
        row, column = divmod(line - self.level, self.columns + 1) if upright else divmod(line, self.columns)
        if symmetry & 1:
            column = (self.columns if upright else self.columns - 1) - column
        if symmetry & 2:
            row = (self.rows - 1 if upright else self.rows) - row
        if symmetry & 4:
            upright, row, column = not upright, column, row
        return self.level + row * (self.columns + 1) + column if upright else row * self.columns + column

    # --- presentation

    def name(self, lines: Lines, line: int) -> str:
        """The two dots, columns with letters and rows with numbers from the top: `a1-b1` is level, `a1-a2` upright."""
        upright = line >= self.level
        row, column = divmod(line - self.level, self.columns + 1) if upright else divmod(line, self.columns)
        other = (row + 1, column) if upright else (row, column + 1)
        return "-".join(f"{chr(ord('a') + c)}{r + 1}" for r, c in ((row, column), other))

    def board(self, lines: Lines) -> dict[str, Any]:
        drawn = [
            ["h", *divmod(line, self.columns)] if line < self.level else ["v", *divmod(line - self.level, self.columns + 1)]
            for line in bits(lines.drawn)
        ]
        ahead = player_name(self, MAX if lines.lead > 0 else MIN)
        caption = f"{ahead} leads by {abs(lines.lead)}" if lines.lead else "Nobody leads."
        return {"kind": "dots", "size": [self.rows, self.columns], "lines": drawn, "caption": caption}

    def show(self, lines: Lines) -> str:
        rows = []
        for row in range(self.rows + 1):
            level = [lines.drawn >> row * self.columns + column & 1 for column in range(self.columns)]
            rows.append("+" + "+".join("--" if drawn else ".." for drawn in level) + "+")
            upright = [lines.drawn >> self.level + row * (self.columns + 1) + column & 1 for column in range(self.columns + 1)]
            rows.append("  ".join("|" if drawn else ":" for drawn in upright))
        return "\n".join([*rows[:-1], f"{('Max', 'Min')[lines.turn]} to move, Max's lead is {lines.lead}"])

    def read(self, text: str) -> Lines:
        *rows, last = text.strip().splitlines()
        mover, _, lead = last.partition(" to move, Max's lead is ")
        if len(rows) != 2 * self.rows + 1 or mover.strip() not in ("Max", "Min"):
            raise ZermeloError(f"This is not a board of Dots and Boxes with {self.rows} × {self.columns} boxes, as `show` writes it.")
        drawn = 0
        for number, row in enumerate(rows):
            if number % 2 == 0:
                dashes = row.strip().strip("+").split("+")
                drawn |= sum(1 << number // 2 * self.columns + column for column, dash in enumerate(dashes) if dash == "--")
            else:
                first = self.level + number // 2 * (self.columns + 1)
                drawn |= sum(1 << first + column for column, dash in enumerate(row.split()) if dash == "|")
        return Lines(drawn, int(lead), MAX if mover.strip() == "Max" else MIN)
