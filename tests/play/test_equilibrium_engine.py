"""Choices that others do not see: `best` answers from an equilibrium where the game is small, and claims nothing where it is not."""

from dataclasses import dataclass
from pathlib import Path

import pytest

import zermelo
from zermelo.play.equilibrium_algorithm import Equilibrium, TooManyHistoriesError
from zermelo.registry import find
from zermelo.rules import CHANCE, Game
from zermelo.search.montecarlo.hidden.determinized import Determinized, ManyWorlds
from zermelo.search.montecarlo.hidden.ismcts import ISMCTS
from zermelo.search.montecarlo.mcts_root import Verdict
from zermelo.search.montecarlo.mcts_statistics import MoveStatistics

CORPUS = Path(__file__).parent.parent / "corpus" / "natural"


@pytest.mark.parametrize(
    ("name", "value", "mixed"),
    [
        ("prisonersdilemma", (1, 1), {"Coop": 0, "Def": 1}),  # Def dominates
        ("matchingpennies", 0, {"heads": 0.5, "tails": 0.5}),
        ("rps", 0, {"rock": 1 / 3, "paper": 1 / 3, "scissors": 1 / 3}),
    ],
)
def test_choices_made_at_once(name, value, mixed):
    result = Equilibrium().search(find(name))
    assert result.value == pytest.approx(value)
    assert result.extra["probabilities"] == pytest.approx(mixed)


def test_poker_of_three_cards():
    """H. W. Kuhn, 1950: worth -1/18; the worst hand never calls, the best never folds."""
    game = find("kuhn")
    assert Equilibrium().search(game).value == pytest.approx(-1 / 18)
    jack = game.result(game.result(game.start(), 0), 1)
    found = Equilibrium().search(game, jack)
    assert not found.exact
    assert max(found.scores.values()) == pytest.approx(max(found.scores[action] for action in found.actions))


def test_a_large_game_is_left_to_others():
    with pytest.raises(TooManyHistoriesError, match="more than 100 histories"):
        Equilibrium(histories=100).search(find("leduc"))


def test_sampled_means_are_not_shown_as_bounds():
    result = ISMCTS(playouts=200, seed=1, backend="reference").search(find("matchingpennies"))
    assert set(result.extra["intervals"].values()) == {None}
    assert "zermelo equilibrium" in result.notes[-1]


class World:
    """A finished tree of one world."""

    backend, size, memory, full, cuts, deepest = "reference", 0, 0, False, 0, 0

    def __init__(self, visits, mean):
        self.playouts = self.visited = self.visits = visits
        self.mean = mean

    def moves(self):
        return [MoveStatistics(0, self.visits, (self.mean, -self.mean), (-2.0, 2.0), (-2.0, 2.0), None, self.visits * self.mean**2)]


def test_worlds_count_alike_however_often_a_move_was_tried_in_them():
    """A bet that wins 1 in one world and loses 2 in the other is worth -0.5, also where the first one was visited a hundred times more."""
    worlds = iter([World(1000, 1.0), World(10, -2.0)])
    many = ManyWorlds(lambda: next(worlds), 10, (-2.0, 2.0), 0)
    many.share = 1000
    many.next_world()
    many.share = 10
    assert many.moves()[0].means[0] == pytest.approx(-0.5)


def test_determinized_still_searches():
    game = find("kuhn")
    state = game.result(game.result(game.start(), 2), 0)
    result = Determinized(playouts=600, worlds=6, seed=1, backend="reference").search(game, state)
    assert set(result.scores) == set(game.actions(state))


class Proven:
    """A tree whose one move has a mean above what is proven."""

    root_bounds = (-1.0, 1.0)

    def moves(self):
        return [MoveStatistics(0, 10, (0.25, -0.25), (0.1, 0.4), (-1.0, 0.0), None, 1.0)]


def test_no_mean_is_shown_that_is_proven_impossible():
    game = find("tictactoe")
    verdict = Verdict(game, game.start(), Proven(), "visits")
    move = verdict.moves[0]
    assert verdict.score(move) == 0
    assert verdict.around(move) == [0, 0]


@pytest.mark.parametrize(("file", "value"), [("kuhnfractions", -1 / 18), ("liarbids", 1 / 3)])
def test_actions_may_be_texts_or_members_of_an_enum(file: str, value: float) -> None:
    game = find(str(CORPUS / f"{file}.py"))
    assert Equilibrium().search(game).value == pytest.approx(value)


def test_a_player_who_forgets_has_no_equilibrium_in_actions() -> None:
    with pytest.raises(TooManyHistoriesError, match="forgets"):
        Equilibrium().search(find(str(CORPUS / "rpsrounds.py")))


@dataclass(frozen=True)
class MontyHall(Game):
    """Choose a door; the host opens another without the car; stay or switch. (vos Savant 1990.)"""

    doors: int = 3
    players = 1
    payoffs = (0, 1)

    def start(self) -> tuple[int, ...]:
        return ()  # the car, the first choice, the opened door, the last choice

    def player(self, doors: tuple[int, ...]) -> int:
        return CHANCE if len(doors) in (0, 2) else 0

    def chances(self, doors: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(door, 1) for door in range(self.doors) if door not in doors]

    def actions(self, doors: tuple[int, ...]) -> list[int]:
        return [door for door in range(self.doors) if door != (doors[2] if len(doors) == 3 else None)]

    def result(self, doors: tuple[int, ...], door: int) -> tuple[int, ...]:
        return (*doors, door)

    def terminal(self, doors: tuple[int, ...]) -> bool:
        return len(doors) == 4

    def utility(self, doors: tuple[int, ...]) -> int:
        return int(doors[0] == doors[3])

    def information(self, doors: tuple[int, ...], player: int) -> tuple[int, ...]:
        return doors[1:]


class DearMontyHall(MontyHall):
    """Changing one's mind costs a tenth."""

    def cost(self, doors: tuple[int, ...], door: int) -> float:
        return 0.1 if len(doors) == 3 and door != doors[1] else 0


@pytest.mark.parametrize(("game", "value"), [(MontyHall(), 2 / 3), (MontyHall(doors=4), 3 / 8), (DearMontyHall(), 2 / 3 - 0.1)])
def test_a_single_player_who_sees_part_plays_the_best_plan(game: Game, value: float) -> None:
    found = zermelo.best(game)
    assert (found.algorithm, found.exact) == ("equilibrium", True)
    assert found.value == pytest.approx(value)
    switch = zermelo.best(game, "0 1 2")
    assert (switch.action, switch.exact) == (0, True)
    assert zermelo.equilibrium(game).value == (pytest.approx(value),)
