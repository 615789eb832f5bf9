"""Lan et al.'s experiment."""

from itertools import pairwise

import pytest

from zermelo.errors import ZermeloError
from zermelo.formats.position import parse_position
from zermelo.play.experiment import compare
from zermelo.registry import find


@pytest.mark.slow
def test_every_engine_sees_the_same_game_and_pruning_visits_fewer_nodes() -> None:
    game = find("tictactoe")
    found = compare(game, ["minimax", "alphabeta"], parse_position(game, None), repeat=1)
    assert found.line == tuple("041263578")  # first optimal actions on both sides
    minimax, alphabeta = found.series("minimax"), found.series("alphabeta")
    assert [measured.move for measured in minimax] == [1, 2, 3, 4]
    assert [measured.nodes for measured in minimax] == [59705, 935, 47, 5]  # whole trees below 0, 0 4 1, …
    assert all(less.nodes <= more.nodes for less, more in zip(alphabeta, minimax, strict=True))
    assert alphabeta[0].nodes * 10 < minimax[0].nodes
    assert [measured.action for measured in minimax] == [measured.action for measured in alphabeta]
    assert all(earlier.nodes > later.nodes for earlier, later in pairwise(minimax))


def test_from_a_later_position_it_is_the_same_game() -> None:
    game = find("tictactoe")
    found = compare(game, ["minimax", "alphabeta"], parse_position(game, "04"), repeat=1)
    assert found.line == tuple("1263578")
    assert [measured.nodes for measured in found.series("minimax")] == [935, 47, 5]
    assert [measured.nodes for measured in found.series("alphabeta")] == [75, 17, 5]


def test_the_data_has_a_row_for_every_move() -> None:
    game = find("tictactoe")
    data = compare(game, ["negamax", "backward"], parse_position(game, "012"), repeat=2).to_dict()
    assert set(data) == {"engines", "repeat", "textbook", "backend", "line", "moves"}
    assert len(data["moves"]["negamax"]) == len(data["moves"]["backward"]) == 3
    assert set(data["moves"]["negamax"][0]) == {"move", "seconds", "fastest", "nodes", "value", "action", "exact"}


@pytest.mark.parametrize(
    ("engines", "position", "repeat", "part"),
    [
        (["minimax"], "03142", 1, "The game is over in this position"),
        (["minimax"], "0314", 1, "ends the game with its first move"),
        (["minimax"], None, 0, "repeated at least once"),
        (["minimax", "minimax"], None, 1, "Name every engine once"),
        ([], None, 1, "Name every engine once"),
        (["minmax"], None, 1, "did you mean minimax?"),
    ],
)
def test_an_experiment_that_cannot_be_run_says_why(engines: list[str], position: str | None, repeat: int, part: str) -> None:
    game = find("tictactoe")
    with pytest.raises(ZermeloError) as caught:
        compare(game, engines, parse_position(game, position), repeat=repeat)
    assert part in str(caught.value)


def test_engines_take_parameters() -> None:
    """The effect of move ordering on one algorithm, side by side."""
    from zermelo.play.algorithms import algorithm_parameters
    from zermelo.play.setup import open_position

    game = find("tictactoe")
    found = compare(
        game, ["alphabeta", "alphabeta(ordering=False)"], open_position(game, "04"), repeat=1, backend="reference", textbook=False
    )
    assert found.engines == ("alphabeta", "alphabeta(ordering=False)")
    assert algorithm_parameters("mcts(playouts=100)") == ("mcts", {"playouts": 100})
    with pytest.raises(ZermeloError, match="no parameter orderin: did you mean ordering"):
        algorithm_parameters("alphabeta(orderin=False)")
