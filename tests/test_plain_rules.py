"""Rules in a class that is not a dataclass: its parameters are its attributes, and every part of the library takes it."""

from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from zermelo import Game
from zermelo.rules import player_name
from zermelo.solve.database import Database
from zermelo.solve.strong import StrongSolver
from zermelo.web.offers import parameters_of
from zermelo.web.views import text_of


class TakeAway(Game):
    """Take one to three stones; whoever takes the last one wins. A state is (stones, turn)."""

    def __init__(self, stones: int = 10) -> None:
        self.stones = stones

    @cached_property
    def most(self) -> int:
        return 3

    def start(self) -> tuple[int, int]:
        return self.stones, 0

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> range:
        return range(1, min(self.most, state[0]) + 1)

    def result(self, state: tuple[int, int], number: int) -> tuple[int, int]:
        return state[0] - number, 1 - state[1]

    def terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, int]) -> int:
        return 1 if state[1] == 1 else -1


def test_a_class_is_named_with_its_parameters_and_not_with_what_it_has_worked_out() -> None:
    game = TakeAway(7)
    assert list(game.actions(game.start())) == [1, 2, 3]  # `most` is worked out
    assert repr(game) == "TakeAway(stones=7)"


def test_a_database_is_taken_up_by_an_equal_game(tmp_path: Path) -> None:
    StrongSolver(backend="reference").solve(TakeAway(), out=tmp_path / "stones.zdb")
    with Database(tmp_path / "stones.zdb", TakeAway()) as database:
        assert database.probe((10, 0)).value == 1


def test_the_workbench_offers_it_without_parameters() -> None:
    assert parameters_of(TakeAway()) == []


class Heap(NamedTuple):
    stones: int
    turn: int


def test_a_state_that_nobody_shows_is_told_by_its_parts() -> None:
    assert text_of(TakeAway(), (10, 0)) == "(10, 0)"
    assert text_of(TakeAway(), Heap(10, 0)) == "stones: 10\nturn: 0"


def test_players_may_be_named_in_a_list() -> None:
    class Named(TakeAway):
        seats = ["Ann", "Bob"]  # noqa: RUF012  as people write it

    assert [player_name(Named(), player) for player in range(2)] == ["Ann", "Bob"]
