"""Battleship, small: each player hides a ship, then they shoot in turn and hear whether they have hit; who first hits all its squares
wins.

Source: a pencil and paper game of the First World War (Milton Bradley 1967), here on a small sea with one ship each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game

HIDDEN = -1  # a ship that is not yet placed


class Sea(NamedTuple):
    ships: tuple[int, int]  # [player] the number of its place
    shots: tuple[tuple[int, ...], tuple[int, ...]]  # [player] squares, in the order of his shots


@dataclass(frozen=True)
class Battleship(Game):
    """One ship each."""

    width: int = 2
    height: int = 2
    ship: int = 2  # squares in a line
    seats = ("Red", "Blue")
    payoffs = (-1, 1)

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or not 1 <= self.ship <= max(self.width, self.height):
            raise RulesError(f"A ship of {self.ship} squares does not fit on {self.width} × {self.height}.")

    @cached_property
    def places(self) -> tuple[frozenset[int], ...]:
        """The squares of every place for a ship."""
        found = []
        for square in range(self.width * self.height):
            row, column = divmod(square, self.width)
            if column + self.ship <= self.width:
                found.append(frozenset(range(square, square + self.ship)))
            if row + self.ship <= self.height and self.ship > 1:
                found.append(frozenset(range(square, square + self.ship * self.width, self.width)))
        return tuple(found)

    def start(self) -> Sea:
        return Sea((HIDDEN, HIDDEN), ((), ()))

    def player(self, sea: Sea) -> int:
        if HIDDEN in sea.ships:
            return sea.ships.index(HIDDEN)
        return MAX if len(sea.shots[MAX]) == len(sea.shots[MIN]) else MIN

    def actions(self, sea: Sea) -> Iterator[int]:
        if HIDDEN in sea.ships:
            yield from range(len(self.places))
        elif not self.terminal(sea):
            done = sea.shots[self.player(sea)]
            yield from (square for square in range(self.width * self.height) if square not in done)

    def result(self, sea: Sea, action: int) -> Sea:
        player = self.player(sea)
        if HIDDEN in sea.ships:
            return Sea((action, HIDDEN) if player == MAX else (sea.ships[MAX], action), sea.shots)
        shots = (*sea.shots[player], action)
        return Sea(sea.ships, (shots, sea.shots[MIN]) if player == MAX else (sea.shots[MAX], shots))

    def sunk(self, sea: Sea, player: int) -> bool:
        return self.places[sea.ships[player]] <= set(sea.shots[1 - player])

    def terminal(self, sea: Sea) -> bool:
        return HIDDEN not in sea.ships and (self.sunk(sea, MAX) or self.sunk(sea, MIN))

    def utility(self, sea: Sea) -> int:
        return 1 if self.sunk(sea, MIN) else -1

    def information(self, sea: Sea, player: int) -> tuple[Any, ...]:
        """The own ship, whether both are placed, the own shots with their answers, and the other's."""
        ready = HIDDEN not in sea.ships
        heard = tuple(int(square in self.places[sea.ships[1 - player]]) for square in sea.shots[player]) if ready else ()
        return sea.ships[player], int(ready), sea.shots[player], heard, sea.shots[1 - player]

    def sample(self, sea: Sea, player: int, random: Random) -> Sea:
        """The other ship anywhere else where all answers are the same."""
        if sea.ships[1 - player] == HIDDEN:
            return sea
        known = self.information(sea, player)
        others = [(place, sea.ships[MIN]) if player == MIN else (sea.ships[MAX], place) for place in range(len(self.places))]
        fitting = [Sea(ships, sea.shots) for ships in others if self.information(Sea(ships, sea.shots), player) == known]
        return random.choice([other for other in fitting if not self.terminal(other)] or [sea])

    def square_name(self, square: int) -> str:
        return f"{'abcdefghijklmnopqrstuvwxyz'[square % self.width]}{square // self.width + 1}"

    def name(self, sea: Sea, action: int) -> str:
        if HIDDEN in sea.ships:
            squares = sorted(self.places[action])
            return f"{self.square_name(squares[0])}-{self.square_name(squares[-1])}"
        return self.square_name(action)

    def name_information(self, information: tuple[Any, ...]) -> str:
        ship, ready, shots, heard, others = information
        own = "no ship" if ship == HIDDEN else f"ship {self.name(self.start(), ship)}"
        told = [f"{self.square_name(square)}{'!' if hit else ''}" for square, hit in zip(shots, heard, strict=True)]
        theirs = " ".join(map(self.square_name, others)) or "-"
        return f"{own}{', both placed' if ready else ''}, own shots {' '.join(told) or '-'}, other's {theirs}"

    def show(self, sea: Sea) -> str:
        """Both ships and both players' shots, by their numbers."""
        ships = " ".join("?" if ship == HIDDEN else self.name(self.start(), ship) for ship in sea.ships)
        return f"{ships} | {' | '.join(' '.join(self.square_name(square) for square in shots) or '-' for shots in sea.shots)}"

    def read(self, text: str) -> Sea:
        parts = [part.split() for part in text.split("|")]
        places = {self.name(self.start(), place): place for place in range(len(self.places))} | {"?": HIDDEN}
        squares = {self.square_name(square): square for square in range(self.width * self.height)}
        shots = [tuple(squares[word] for word in part if word in squares) for part in parts[1:]]
        if len(parts) != 3 or len(parts[0]) != 2 or not all(word in places for word in parts[0]):
            raise ZermeloError(
                f"{text.strip()!r} is not a position of Battleship: write ships and shots as in {self.show(self.start())!r}."
            )
        return Sea((places[parts[0][0]], places[parts[0][1]]), (shots[0], shots[1]))

    def board(self, sea: Sea) -> dict[str, Any]:
        return self.waters(sea, (0, 1))

    def seen_board(self, sea: Sea, player: int) -> dict[str, Any]:
        """A player's own ship, and of the other's water what his shots have found."""
        return self.waters(sea, (player,))

    def move_on_board(self, sea: Sea, action: int) -> dict[str, Any]:
        """Where on the two waters a move is: from one end of a ship to the other, or at the square of a shot."""
        player = self.player(sea)
        side = (self.width + 1) * (player if HIDDEN in sea.ships else 1 - player)
        squares = sorted(self.places[action]) if HIDDEN in sea.ships else [action]
        ends = [[square // self.width, square % self.width + side] for square in (squares[0], squares[-1])]
        return {"from": ends[0], "to": ends[1]} if len(squares) > 1 else {"to": ends[0]}

    def waters(self, sea: Sea, open_to: tuple[int, ...]) -> dict[str, Any]:
        """The waters of both, the first player's on the left, with the ships of some of them."""
        halves = []
        for player in (0, 1):
            ship = self.places[sea.ships[player]] if sea.ships[player] != HIDDEN else frozenset()
            shots = sea.shots[1 - player]
            marks = []
            for square in range(self.width * self.height):
                seen, struck = square in ship and player in open_to, square in ship and square in shots
                marks.append("hit" if struck and seen else "ship" if seen else "found" if struck else "miss" if square in shots else "")
            halves.append([marks[row * self.width : (row + 1) * self.width] for row in range(self.height)])
        letters = "abcdefghij"[: self.width]
        return {
            "kind": "grid",
            "look": "sea",
            "rows": [[*left, "between", *right] for left, right in zip(*halves, strict=True)],
            "coordinates": [[*letters, "", *letters], [str(row + 1) for row in range(self.height)]],
            "figures": {"ship": "ship", "hit": "ship hit", "found": "splash hit", "miss": "splash", "between": "nothing"},
            "caption": f"{self.seats[0]}’s water on the left, {self.seats[1]}’s on the right",
        }
