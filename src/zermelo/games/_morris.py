"""What the morris games share: men are placed, then moved along lines; three in a line, a mill, may be the aim or take an opponent's man.

A subclass says where the lines are. Placing or moving and, after a mill, taking a man are actions of their own, so that a player may move
twice in a row. A position that returns within a game is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import comb
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, MIN, Game
from zermelo.words import bits, lsb, popcount

__all__ = ["Men", "Morris"]

Point = tuple[int, int]  # row and column on the grid of the picture


class Men(NamedTuple):
    x: int  # Max's points, one bit each, in the order of `points`
    o: int  # Min's
    hand: int  # men that are still to be placed, of both players together; Max places first
    turn: int
    taking: bool  # has the player to move just closed a mill? Then he takes a man


@dataclass(frozen=True)
class Morris(Game):
    """A morris game: subclasses draw the board."""

    payoffs = (-1, 1)
    seats = ("White", "Black")
    repetition = "draw"

    # --- what a subclass says, as plain class attributes

    men = 0  # of each player
    flying = False  # may a player with three men left move to any free point?
    capturing = True  # does a mill take a man? Otherwise it wins
    drawing = ""  # the board in letters: points are `o`, and lines are drawn between them

    # --- the six rules

    def start(self) -> Men:
        return Men(0, 0, 2 * self.men, MAX, False)

    def player(self, state: Men) -> int:
        return state.turn

    def actions(self, state: Men) -> Iterator[int]:
        """A point to place on or to take from; or, when all men are placed, (from + 1) × points + to."""
        if not self.terminal(state):
            if state.taking:
                yield from bits(self.takable(state))
            elif state.hand > 0:
                yield from bits(self.free(state))
            else:
                for origin in bits(self.own(state)):
                    for target in bits(self.reach(state, origin)):
                        yield (origin + 1) * self.count + target

    def result(self, state: Men, action: int) -> Men:
        x, o, target = state.x, state.o, action % self.count
        if state.taking:
            taken = ~(1 << target)
            return Men(x & taken, o & taken, state.hand, 1 - state.turn, False)
        change = 1 << target
        if action >= self.count:
            change |= 1 << action // self.count - 1
        if state.turn == MAX:
            x ^= change
        else:
            o ^= change
        closed = self.closes(x if state.turn == MAX else o, target)
        hand = state.hand - 1 if action < self.count else 0
        if closed and self.capturing:
            return Men(x, o, hand, state.turn, True)
        return Men(x, o, hand, 1 - state.turn, False)

    def terminal(self, state: Men) -> bool:
        if not self.capturing and self.aligned(self.other(state)):
            return True
        if state.taking or state.hand > 0:
            return False
        if self.capturing and popcount(self.own(state)) < 3:
            return True
        return self.blocked(state)

    def utility(self, state: Men) -> int:
        return -1 if state.turn == MAX else 1

    # --- the board in bits

    def own(self, state: Men) -> int:
        return state.x if state.turn == MAX else state.o

    def other(self, state: Men) -> int:
        return state.o if state.turn == MAX else state.x

    def free(self, state: Men) -> int:
        return self.everywhere & ~(state.x | state.o)

    def flies(self, state: Men) -> bool:
        return self.flying and popcount(self.own(state)) == 3

    def reach(self, state: Men, origin: int) -> int:
        """Free points to which a man of the player to move can go."""
        return self.free(state) if self.flies(state) else self.free(state) & self.neighbours[origin]

    def blocked(self, state: Men) -> bool:
        """Can no man of the player to move go anywhere?"""
        if self.flies(state):
            return False
        return all(self.free(state) & self.neighbours[origin] == 0 for origin in bits(self.own(state)))

    def closes(self, side: int, point: int) -> bool:
        """Is there a mill of this side through the point?"""
        for place in range(self.most_mills):
            mill = self.mills_through[point * self.most_mills + place]
            if mill != 0 and side & mill == mill:
                return True
        return False

    def aligned(self, side: int) -> bool:
        """Has this side a mill anywhere?"""
        return self.in_mills(side) != 0

    def in_mills(self, side: int) -> int:
        """The men of a side that stand in mills."""
        found = 0
        for mill in self.mills:
            if side & mill == mill:
                found |= mill
        return found

    def takable(self, state: Men) -> int:
        """Men that the player to move may take: those outside mills, or any where all are in mills."""
        other = self.other(state)
        outside = other & ~self.in_mills(other)
        return outside if outside else other

    # --- the board as it is drawn

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """[point] its row and column in the drawing, row by row."""
        return tuple((row, column) for row, line in enumerate(self.drawing.split("\n")) for column, mark in enumerate(line) if mark == "o")

    @cached_property
    def count(self) -> int:
        return len(self.points)

    @cached_property
    def everywhere(self) -> int:
        return (1 << self.count) - 1

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Points in a row that are joined in the drawing, in each of four directions."""
        picture = self.drawing.split("\n")
        number = {point: index for index, point in enumerate(self.points)}
        found = []
        for (down, right), dash in (((0, 1), "-"), ((1, 0), "|"), ((1, 1), "\\"), ((1, -1), "/")):

            def mark(row: int, column: int) -> str:
                inside = 0 <= row < len(picture) and 0 <= column < len(picture[row])
                return picture[row][column] if inside else " "

            for row, column in self.points:
                if mark(row - down, column - right) == dash:
                    continue  # not the first of its line
                line, at = [number[row, column]], (row + down, column + right)
                while mark(*at) in (dash, "o"):
                    if mark(*at) == "o":
                        line.append(number[at])
                    at = at[0] + down, at[1] + right
                if len(line) > 1:
                    found.append(tuple(line))
        return tuple(found)

    @cached_property
    def mills(self) -> tuple[int, ...]:
        return tuple(sum(1 << point for point in line) for line in self.lines if len(line) == 3)

    @cached_property
    def most_mills(self) -> int:
        """On how many lines of three a point lies at most."""
        return max(sum(mill >> point & 1 for mill in self.mills) for point in range(self.count))

    @cached_property
    def mills_through(self) -> tuple[int, ...]:
        """[point × most_mills + place] the lines of three through a point, then zeros."""
        through = [[mill for mill in self.mills if mill >> point & 1] for point in range(self.count)]
        return tuple(mill for mills in through for mill in (mills + [0] * self.most_mills)[: self.most_mills])

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """[point] the points at the next places of its lines."""
        found = [0] * self.count
        for line in self.lines:
            for first, second in pairwise(line):
                found[first] |= 1 << second
                found[second] |= 1 << first
        return tuple(found)

    # --- knowledge: except for `evaluate` it never changes an answer

    def evaluate(self, state: Men) -> float:
        """Men on the board, mills, and points to go to."""
        lead = 8 * (popcount(state.x) - popcount(state.o)) + popcount(self.in_mills(state.x)) - popcount(self.in_mills(state.o))
        lead += popcount(self.around(state.x) & self.free(state)) - popcount(self.around(state.o) & self.free(state))
        return lead / (16 * self.count)

    def around(self, side: int) -> int:
        """The points next to those of a side."""
        found = 0
        for point in bits(side):
            found |= self.neighbours[point]
        return found

    def order(self, state: Men, action: int) -> int:
        """Mills first, then points on many lines."""
        target = action % self.count
        if state.taking:
            return popcount(self.neighbours[target])
        side = self.own(state) | 1 << target
        if action >= self.count:
            side &= ~(1 << action // self.count - 1)
        return (8 if self.closes(side, target) else 0) + popcount(self.neighbours[target])

    def tier(self, state: Men) -> int:
        """Men placed, then men taken."""
        return (2 * self.men - state.hand) * (2 * self.men + 1) + 2 * self.men - state.hand - popcount(state.x | state.o)

    # --- symmetry

    @cached_property
    def images(self) -> tuple[int, ...]:
        """[symmetry × points + point] where a point comes: turns and mirror images of the square."""
        height, width = max(row for row, _ in self.points), max(column for _, column in self.points)
        number = {
            (2 * row * width - height * width, 2 * column * height - height * width): n for n, (row, column) in enumerate(self.points)
        }
        places = sorted(number, key=lambda place: number[place])  # centred, and as high as wide
        found: list[int] = []
        for swap in (False, True):
            for down in (1, -1):
                for right in (1, -1):
                    moved = [(down * b, right * a) if swap else (down * a, right * b) for a, b in places]
                    found += [number[place] for place in moved]
        return tuple(found)

    def canonical(self, state: Men) -> tuple[Men, int]:
        """The image whose men are the smallest numbers, Max's first."""
        best_x, best_o, symmetry = state.x, state.o, 0
        for number in range(1, len(self.images) // self.count):
            x, o = self.moved(state.x, number), self.moved(state.o, number)
            if x < best_x or (x == best_x and o < best_o):
                best_x, best_o, symmetry = x, o, number
        return Men(best_x, best_o, state.hand, state.turn, state.taking), symmetry

    def moved(self, side: int, symmetry: int) -> int:
        found = 0
        for point in bits(side):
            found |= 1 << self.images[symmetry * self.count + point]
        return found

    def image(self, action: int, symmetry: int) -> int:
        target = self.images[symmetry * self.count + action % self.count]
        if action < self.count:
            return target
        return (self.images[symmetry * self.count + action // self.count - 1] + 1) * self.count + target

    # --- numbering: men in hand, how many men are on the board, where Max's are, where Min's are among the rest, who does what

    def rank(self, state: Men) -> int:
        some_x, some_o = popcount(state.x), popcount(state.o)
        number = self.choose(self.count - some_x, some_o) * self.subset(state.x, self.everywhere)
        number += self.subset(state.o, self.everywhere & ~state.x)
        block = self.blocks[(state.hand * (self.men + 1) + some_x) * (self.men + 1) + some_o]
        return block + 4 * number + 2 * state.turn + (1 if state.taking else 0)

    def unrank(self, number: int) -> Men:
        block = 0
        while block + 1 < len(self.blocks) and self.blocks[block + 1] <= number:
            block += 1
        some_o, some_x, hand = block % (self.men + 1), block // (self.men + 1) % (self.men + 1), block // (self.men + 1) ** 2
        places = (number - self.blocks[block]) // 4
        ways = self.choose(self.count - some_x, some_o)
        x = self.nth_subset(places // ways, some_x, self.everywhere)
        o = self.nth_subset(places % ways, some_o, self.everywhere & ~x)
        return Men(x, o, hand, number // 2 % 2, number % 2 == 1)

    def size(self) -> int:
        return self.blocks[len(self.blocks) - 1]

    @cached_property
    def blocks(self) -> tuple[int, ...]:
        """[(hand × (men + 1) + Max's men on the board) × (men + 1) + Min's] the first number of such states; at the end, their count."""
        numbers = [0]
        for hand in range(2 * self.men + 1):
            for some_x in range(self.men + 1):
                for some_o in range(self.men + 1):
                    fits = some_x + hand // 2 <= self.men and some_o + (hand + 1) // 2 <= self.men
                    ways = comb(self.count, some_x) * comb(self.count - some_x, some_o) if fits else 0
                    numbers.append(numbers[-1] + 4 * ways)
        return tuple(numbers)

    def subset(self, side: int, among: int) -> int:
        """Which of all sets of as many points it is, counted among some points only."""
        number, place, members = 0, 0, 0
        while among:
            if side & among & -among:
                members += 1
                number += self.choose(place, members)
            among &= among - 1
            place += 1
        return number

    def nth_subset(self, number: int, members: int, among: int) -> int:
        """The inverse of `subset`."""
        found, place = 0, popcount(among)
        while members > 0:
            place -= 1
            if self.choose(place, members) <= number:
                number -= self.choose(place, members)
                members -= 1
                found |= 1 << self.nth_point(place, among)
        return found

    def nth_point(self, place: int, among: int) -> int:
        """The point at a place among some points."""
        for _ in range(place):
            among &= among - 1
        return lsb(among)

    def choose(self, things: int, taken: int) -> int:
        """The binomial coefficient, from a table."""
        return self.binomials[things * (self.men + 1) + taken]

    @cached_property
    def binomials(self) -> tuple[int, ...]:
        return tuple(comb(things, taken) for things in range(self.count + 1) for taken in range(self.men + 1))

    # --- presentation

    def point_name(self, point: int) -> str:
        """Columns of the drawing that have points have letters, rows numbers from below."""
        row, column = self.points[point]
        rows, columns = sorted({row for row, _ in self.points}), sorted({column for _, column in self.points})
        return f"{chr(ord('a') + columns.index(column))}{len(rows) - rows.index(row)}"

    def name(self, state: Men, action: int) -> str:
        """`a1` places, `a1-a4` moves, `xa1` takes."""
        target = self.point_name(action % self.count)
        if action >= self.count:
            return f"{self.point_name(action // self.count - 1)}-{target}"
        return f"x{target}" if state.taking else target

    def marks(self, state: Men) -> list[str]:
        return ["X" if state.x >> point & 1 else "O" if state.o >> point & 1 else "" for point in range(self.count)]

    def board(self, state: Men) -> dict[str, Any]:
        points = [[column, row] for row, column in self.points]
        joined = [[point, other] for point in range(len(points)) for other in bits(self.neighbours[point]) if point < other]
        caption = f"{state.hand} men to be placed" if state.hand else "A mill: take a man." if state.taking else ""
        return {"kind": "graph", "points": points, "lines": joined, "marks": self.marks(state), "caption": caption}

    def show(self, state: Men) -> str:
        picture = [list(line) for line in self.drawing.split("\n")]
        for mark, (row, column) in zip(self.marks(state), self.points, strict=True):
            picture[row][column] = mark or "."
        words = f"{'XO'[state.turn]} to {'take' if state.taking else 'place' if state.hand else 'move'}"
        return "\n".join(["".join(line) for line in picture] + [words + (f", {state.hand} men in hand" if state.hand else "")])

    def read(self, text: str) -> Men:
        *lines, last = text.rstrip().splitlines()
        marks = [mark for line in lines for mark in line if mark in ".XO"]
        words, _, hand = last.partition(",")
        mover, _, verb = words.strip().partition(" to ")
        if len(marks) != self.count or mover not in ("X", "O") or verb not in ("take", "place", "move"):
            raise ZermeloError(f"This is not a board of this game: give its {self.count} points as X, O or dots, then 'X to move'.")
        x, o = (sum(1 << point for point, mark in enumerate(marks) if mark == side) for side in "XO")
        return Men(x, o, int(hand.split()[0]) if hand else 0, MAX if mover == "X" else MIN, verb == "take")
