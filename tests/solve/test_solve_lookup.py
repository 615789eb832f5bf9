"""What a database is asked, and what it cannot know: states before, ways to a tie, positions behind the last one of a book."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from zermelo.games.tictactoe import TicTacToe
from zermelo.rules import Game, legal_actions
from zermelo.solve.book import write_book
from zermelo.solve.database import Database
from zermelo.solve.database_format import Entry
from zermelo.solve.lookup import Lookup
from zermelo.solve.strong import StrongSolver
from zermelo.solve.verification import verify


class Node(NamedTuple):
    at: int


@dataclass(frozen=True)
class Ways(Game):
    """From each place to those that are named, in this order; who has none has come to the end."""

    ways: tuple[tuple[int, ...], ...] = ((1, 2), (5,), (3,), (4,), (0,), ())
    movers: tuple[int, ...] = (0, 1, 1, 0, 1, 0)
    payoff: int = 1
    repetition = "draw"
    payoffs = (-1, 1)

    def start(self) -> Node:
        return Node(0)

    def player(self, node: Node) -> int:
        return self.movers[node.at]

    def actions(self, node: Node) -> Iterator[int]:
        yield from self.ways[node.at]

    def result(self, node: Node, action: int) -> Node:
        return Node(action)

    def terminal(self, node: Node) -> bool:
        return len(self.ways[node.at]) == 0

    def utility(self, node: Node) -> int:
        return self.payoff


@dataclass(frozen=True)
class Rising(Ways):
    """The same where the first two places are left forever."""

    ways: tuple[tuple[int, ...], ...] = ((1,), (2,), (3,), ())
    movers: tuple[int, ...] = (0, 1, 0, 1)

    def tier(self, node: Node) -> int:
        return node.at


def solved(game: Game, folder: Path) -> Lookup:
    StrongSolver(backend="reference").solve(game, out=folder / "game.zdb")
    return Lookup(str(folder / "game.zdb"))


def test_a_win_by_way_of_a_state_before_is_not_called_exact(tmp_path: Path) -> None:
    """From 3 the way to the win goes through 0, where the game has been: then it is a draw."""
    lookup = solved(Ways(), tmp_path)
    found = lookup.search(Ways(), Node(3), history=(Node(0), Node(2)))
    assert (found.exact, found.bounds, found.distance) == (False, (0, 1), None)
    assert "may return" in found.notes[0]
    alone = lookup.search(Ways(), Node(3))
    assert (alone.value, alone.distance, alone.exact, alone.notes) == (1, 4, True, ())


def test_what_a_tier_leaves_behind_does_not_return(tmp_path: Path) -> None:
    assert solved(Rising(), tmp_path).search(Rising(), Node(2), history=(Node(0), Node(1))).exact


# from 0 the first way goes round, the third to the end; from 1 likewise
TIE = Ways(ways=((1, 2), (0, 2), (0, 3), ()), movers=(0, 1, 0, 1), payoff=0)


def test_a_tie_is_played_to_its_end(tmp_path: Path) -> None:
    lookup = solved(TIE, tmp_path)
    found = lookup.search(TIE)
    assert found.line == (2, 3)
    assert found.extra["kind"] == "tie"
    assert found.extra["kinds"] == {"1": "tie", "2": "tie"}
    assert lookup.search(TIE, Node(1)).line == (2, 3)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    game = TicTacToe()
    StrongSolver(backend="reference").solve(game, out=tmp_path / "whole.zdb")
    with Database(tmp_path / "whole.zdb", game) as database:
        write_book(game, game.start(), 2, database.probe, tmp_path / "book.zdb", "tictactoe", database.header.numbering)
    return tmp_path / "book.zdb"


def test_nothing_is_searched_behind_a_book(book: Path) -> None:
    game = TicTacToe()
    first = Lookup(str(book)).search(game)
    assert (len(first.scores), len(first.line)) == (9, 2)
    state = game.result(game.result(game.start(), 0), 4)
    last = Lookup(str(book)).search(game, state)
    assert (last.value, last.exact, last.action, last.line, last.scores) == (0, True, None, (), {})
    assert last.nodes == 0


def test_a_book_is_verified_as_far_as_it_goes(book: Path) -> None:
    game = TicTacToe()
    with Database(book, game) as database:
        found = verify(database)
        inner = {database.positions.canonical(game.result(game.start(), action)) for action in legal_actions(game, game.start())}
        assert (found.fault, found.checked) == (None, 1 + len(inner))
        few = verify(database, sample=2)
        assert (few.fault, few.checked <= 2) == (None, True)


def test_a_book_with_a_wrong_value_is_found(book: Path, tmp_path: Path) -> None:
    game = TicTacToe()
    with Database(book, game) as database:
        lie = Entry(1, 7, "win")  # of the first position
        numbering = database.header.numbering
        write_book(
            game,
            game.start(),
            1,
            lambda state: database.probe(state) if state != game.start() else lie,
            tmp_path / "lie.zdb",
            "x",
            numbering,
        )
    with Database(tmp_path / "lie.zdb", game) as database:
        assert "does not follow" in str(verify(database).fault)
