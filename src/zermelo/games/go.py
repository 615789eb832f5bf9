"""Go: Black and White place stones in turn; a group without a free point next to it is taken, and two passes in a row end the game.

The larger area wins: a player's stones and the free points that reach only them, White with komi on top. A stone may not take away its
own group's last free point, and by the superko rule no earlier board may return. Source: J. Tromp and B. Taylor, Logical Rules of Go
(1995), here without suicide. Black moves first.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.games._squares import DIAGONAL, EMPTY, SquareGame, put
from zermelo.rules import MAX

__all__ = ["Go", "Position"]

KO_RULES = ("positional", "simple", "open")
MANY = 9  # free points of a group that are told apart; more count as so many
NO_KO = -1
FILES = "abcdefghjklmnopqrstuvwxyz"  # Go has no column i


class Position(NamedTuple):
    cells: str  # a mark a point: X Black, O White
    turn: int
    passes: int = 0  # in a row, just before
    ko: int = NO_KO  # the point on which a single stone has just been taken and may not be retaken: simple ko
    earlier: tuple[str, ...] = ()  # the boards that may not return, the oldest first: superko
    free: str = ""  # a digit a point: the free points next to its group, 0 where it is empty; kept because actions ask it 81 times


@dataclass(frozen=True)
class Go(SquareGame):
    """The oldest board game that is still played."""

    size: int = 9
    komi: float = 7.5  # points for White, who moves second; a whole number makes draws possible
    ko: str = "positional"  # no earlier board may return; "simple": not the last one; "open": the same, and longer circles go on
    margin: bool = False  # the payoff is the lead in points instead of 1, 0 or -1
    seats = ("Black", "White")
    look = "go"

    def __post_init__(self) -> None:
        if not 1 <= self.size <= len(FILES):
            raise RulesError(f"Go is played on 1 to {len(FILES)} rows, not {self.size}.")
        if self.ko not in KO_RULES:
            raise RulesError(f"Go has the ko rules {', '.join(KO_RULES)}, not {self.ko!r}.")
        if not isfinite(self.komi):
            raise RulesError(f"Komi is a number of points, not {self.komi}.")

    @property
    def caution(self) -> str:
        return "" if self.komi % 1 else f"A komi of {self.komi:g} makes draws possible: {self.komi + 0.5:g} leaves none."

    @property
    def payoffs(self) -> tuple[float, float]:  # type: ignore[override]
        most = self.squares + abs(self.komi) if self.margin else 1
        return -most, most

    @property
    def repetition(self) -> Any:
        """With simple ko, boards can return in a longer circle, which is not a result: a draw."""
        return "draw" if self.ko == "simple" else None

    @property
    def passing(self) -> int:
        """The number of a pass."""
        return self.squares

    def start(self) -> Position:
        return self.position(EMPTY * self.squares, MAX)

    def position(self, cells: str, turn: int, passes: int = 0, ko: int = NO_KO, earlier: tuple[str, ...] = ()) -> Position:
        """A position with the free points of its groups."""
        return Position(cells, turn, passes, ko, earlier, self.freedom(cells))

    def freedom(self, cells: str) -> str:
        """A digit a point: how many free points are next to its group, at most 9; 0 where the point is empty."""
        return self.freedom_after("0" * self.squares, cells, range(self.squares))

    def freedom_after(self, before: str, cells: str, changed: Iterable[int]) -> str:
        """The same after stones came or went on some points, which concerns only the groups there and next to them."""
        free = ["0" if cells[point] == EMPTY else before[point] for point in range(self.squares)]
        done = [False] * self.squares
        for point in changed:
            for other in (point, *self.neighbours[point]):
                if cells[other] != EMPTY and not done[other]:
                    stones, around = self.group(cells, other)
                    for stone in stones:
                        free[stone] = "0123456789"[min(len(around), MANY)]
                        done[stone] = True
        return "".join(free)

    # --- groups

    def group(self, cells: str, stone: int) -> tuple[list[int], list[int]]:
        """The stones that are joined with this one, and the free points next to them; or a region of free points."""
        stones, free, seen = [stone], [], [False] * self.squares  # type: list[int], list[int], list[bool]
        seen[stone] = True
        for member in stones:  # which grows on the way
            for point in self.neighbours[member]:
                if not seen[point] and cells[point] in (EMPTY, cells[stone]):
                    seen[point] = True
                    (stones if cells[point] == cells[stone] else free).append(point)
        return stones, free

    def place(self, cells: str, point: int, player: int) -> tuple[str, int]:
        """The board after a stone, and how many stones it has taken."""
        cells, taken = put(cells, point, "XO"[player]), 0
        for other in self.neighbours[point]:
            if cells[other] == "XO"[1 - player]:
                stones, free = self.group(cells, other)
                if not free:
                    taken += len(stones)
                    for stone in stones:
                        cells = put(cells, stone, EMPTY)
        return cells, taken

    def allowed(self, position: Position, point: int) -> bool:
        """May a stone be placed here? It must have a free point afterwards, and repeat no board."""
        cells, own = position.cells, "XO"[position.turn]
        if cells[point] != EMPTY or point == position.ko:
            return False
        breathes = takes = False
        for other in self.neighbours[point]:
            last = position.free[other] == "1"  # its group has no free point but this one
            breathes = breathes or cells[other] == EMPTY or (cells[other] == own) != last
            takes = takes or (last and cells[other] != own)
        if not breathes:
            return False
        if not position.earlier:
            return True
        after = self.place(cells, point, position.turn)[0] if takes else put(cells, point, own)
        return after not in position.earlier

    # --- the six rules

    def actions(self, position: Position) -> Iterator[int]:
        """Points, then the pass."""
        if not self.terminal(position):
            for point in range(self.squares):
                if self.allowed(position, point):
                    yield point
            yield self.passing

    def result(self, position: Position, action: int) -> Position:
        if action == self.passing:
            return position._replace(turn=1 - position.turn, passes=position.passes + 1, ko=NO_KO)
        cells, taken = self.place(position.cells, action, position.turn)
        changed = [point for point in range(self.squares) if cells[point] != position.cells[point]]
        after = Position(cells, 1 - position.turn, free=self.freedom_after(position.free, cells, changed))
        if self.ko == "positional":
            return after._replace(earlier=(*position.earlier, position.cells))
        stones, free = self.group(cells, action)
        return after._replace(ko=free[0] if taken == len(stones) == len(free) == 1 else NO_KO)

    def terminal(self, position: Position) -> bool:
        return position.passes >= 2

    def utility(self, position: Position) -> float:
        lead = self.area(position.cells) - self.komi
        return lead if self.margin else (lead > 0) - (lead < 0)

    def area(self, cells: str, largest: int = 361) -> int:
        """Black's stones and free points less White's; a region that reaches both, or that is larger than that, is nobody's."""
        lead = cells.count("X") - cells.count("O")
        seen: set[int] = set()
        for point in range(self.squares):
            if cells[point] == EMPTY and point not in seen:
                region, _ = self.group(cells, point)
                seen.update(region)
                if len(region) > largest:
                    continue
                reached = {cells[other] for member in region for other in self.neighbours[member]} - {EMPTY}
                lead += len(region) if reached == {"X"} else -len(region) if reached == {"O"} else 0
        return lead

    # --- knowledge

    def is_eye(self, cells: str, point: int, mark: str) -> bool:
        """Is the point surrounded by stones of one player, so that he had better not fill it? One corner may be lost, none at the edge."""
        if any(cells[other] != mark for other in self.neighbours[point]):
            return False
        corners = self.around(point, DIAGONAL)
        lost = sum(cells[other] not in (mark, EMPTY) for other in corners)
        return lost == 0 or (lost == 1 and len(corners) == 4)

    def order(self, position: Position, action: int) -> int:
        """Captures first, then groups that are saved from capture; own eyes and passes last."""
        if action == self.passing:
            return -2
        cells, mark = position.cells, "XO"[position.turn]
        if self.is_eye(cells, action, mark):
            return -3
        gain = 0
        for other in self.neighbours[action]:
            if position.free[other] == "1":
                stones, _ = self.group(cells, other)
                gain = max(gain, 2 * len(stones) + (cells[other] != mark))
        return gain

    def outline(self, position: Position) -> tuple[str, int, int, int]:
        """What decides how good a position is, but for superko."""
        return position.cells, position.turn, position.passes, position.ko

    def evaluate(self, position: Position) -> float:
        """The area as it stands; what is wider than half the board is still open."""
        lead = self.area(position.cells, self.squares // 2) - self.komi
        return lead if self.margin else lead / (self.squares + abs(self.komi) + 1)

    # --- presentation

    def square_name(self, square: int) -> str:
        """Columns have letters without i, rows numbers from the bottom, as Go players write them: `d4`."""
        return f"{FILES[square % self.size]}{self.size - square // self.size}"

    def square_of(self, name: str) -> int:
        return FILES.index(name[0].lower()) + self.size * (self.size - int(name[1:]))

    def name(self, position: Position, action: int) -> str:
        return "pass" if action == self.passing else self.square_name(action)

    def draw(self, cells: str) -> str:
        wide = len(str(self.size))
        rows = (cells[start : start + self.size] for start in range(0, self.squares, self.size))
        lines = [f"{self.size - number:>{wide}} {' '.join(row)}" for number, row in enumerate(rows)]
        return "\n".join([f"{'':{wide}} {' '.join(FILES[: self.size])}", *lines])

    def board(self, position: Position) -> dict[str, Any]:
        rows = [str(self.size - row) for row in range(self.size)]
        return {**super().board(position), "coordinates": [list(FILES[: self.size]), rows]}

    def show(self, position: Position) -> str:
        """The board and who moves; then a ko, passes, and by superko the moves that led here."""
        lines = [self.draw(position.cells), f"{self.seats[position.turn]} to move"]
        if position.ko != NO_KO:
            lines.append(f"ko: {self.square_name(position.ko)}")
        if position.earlier:
            first = position.earlier[0]
            lines.append(f"moves: {' '.join([*([first] if first.strip(EMPTY) else []), *self.moves_since(position)])}")
        elif position.passes:
            lines.append(f"passes: {position.passes}")
        return "\n".join(lines)

    def moves_since(self, position: Position) -> list[str]:
        """The moves from the oldest of the earlier boards to here, by their names; who began is the first letter."""
        marks, names = "", []
        for before, now in pairwise((*position.earlier, position.cells)):
            point = next(point for point in range(self.squares) if before[point] == EMPTY != now[point])
            if marks and marks[-1] == now[point]:
                names.append("pass")
            marks += now[point]
            names.append(self.square_name(point))
        if (marks[-1] == "XO"[position.turn]) != (position.passes % 2 == 1):
            names.append("pass")
        return [marks[0], *names, *["pass"] * position.passes]

    def read(self, text: str) -> Position:
        cells, below = self.undraw(text)
        position = self.position(cells, self.mover(below[0] if below else ""))
        words = {line.partition(":")[0]: line.partition(":")[2].split() for line in below[1:]}
        if "ko" in words:
            position = position._replace(ko=self.square_of(words["ko"][0]))
        if "passes" in words:
            position = position._replace(passes=int(words["passes"][0]))
        if "moves" in words:
            position = self.replay(words["moves"])
        return position

    def replay(self, words: list[str]) -> Position:
        """The position after the moves of `show`: an earlier board, if it was not empty, who began, and the moves."""
        board = words[0] if len(words[0]) == self.squares and words[0] not in ("X", "O") else EMPTY * self.squares
        names = words if board == EMPTY * self.squares else words[1:]
        position = self.position(board, "XO".index(names[0]))
        for name in names[1:]:
            action = self.passing if name == "pass" else self.square_of(name)
            if action != self.passing and not self.allowed(position, action):
                raise ZermeloError(f"{name} cannot be played after {' '.join(names[1:])}.")
            position = self.result(position, action)
        return position
