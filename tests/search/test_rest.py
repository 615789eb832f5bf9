"""What is left of a game, whoever leads: proofs by the rest are equal to others and cheaper; chains of boxes as Berlekamp has them."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from zermelo.errors import ZermeloError
from zermelo.games.dotsandboxes import DotsAndBoxes, Lines
from zermelo.games.kalah import Kalah
from zermelo.rules import MAX, Game, State, legal_actions
from zermelo.search import Prove, prove_many

VALUES = Prove(textbook=True, distance=False, memory=1 << 22, backend="compiled")


@dataclass(frozen=True)
class KalahWithoutRest(Kalah):
    rest = None  # type: ignore[assignment]  # as if it were not written


@dataclass(frozen=True)
class DotsWithoutRest(DotsAndBoxes):
    rest = None  # type: ignore[assignment]  # likewise


def all_values(game: Game) -> dict[State, Any]:
    """Every state that can be reached in which somebody has to move, with its value, by plain recursion."""

    @cache
    def value(state: State) -> Any:
        if game.terminal(state):
            return game.utility(state)
        children = [value(game.result(state, action)) for action in legal_actions(game, state)]
        found[state] = max(children) if game.player(state) == MAX else min(children)
        return found[state]

    found: dict[State, Any] = {}
    value(game.start())
    return found


def agrees(game: Game) -> None:
    """Every position's value is that of plain recursion, with one table for all of them."""
    values = all_values(game)
    assert len({state.lead for state in values}) > 2
    proven = prove_many(game, list(values), proof=VALUES)
    assert [each.value for each in proven] == list(values.values())
    for state, each in list(zip(values, proven, strict=True))[::17]:
        assert each.action is not None
        child = game.result(state, each.action)
        assert (values[child] if child in values else game.utility(child)) == each.value


def test_every_value_by_the_rest_is_that_of_plain_recursion() -> None:
    agrees(Kalah(2, 3))


def test_a_line_by_the_rest_keeps_the_value() -> None:
    game = Kalah(2, 3)
    found = VALUES.search(game)
    state = game.start()
    for action in found.line:
        state = game.result(state, action)
    assert game.terminal(state)
    assert (game.utility(state), found.value, found.distance) == (-2, -2, None)


def test_every_action_is_scored_by_the_rest() -> None:
    game = Kalah(2, 3)
    values = all_values(game)
    scores = Prove(distance=False, memory=1 << 22, backend="compiled").search(game).scores
    assert scores == {action: values[game.result(game.start(), action)] for action in legal_actions(game, game.start())}


def test_a_table_of_rests_is_kept() -> None:
    game = Kalah(2, 3)
    table = VALUES.new_table(game)
    first, again = (VALUES.search(game, table=table) for _ in range(2))
    assert (first.value, again.value) == (-2, -2)
    assert again.nodes < first.nodes


@pytest.mark.slow
def test_a_table_of_rests_is_not_one_of_distances() -> None:
    game = Kalah(2, 3)
    with pytest.raises(ZermeloError, match="another search"):
        Prove(textbook=True, memory=1 << 22, backend="compiled").search(game, table=VALUES.new_table(game))


ALIKE: list[Game] = [Kalah(2, 4, bare=False), DotsAndBoxes(2, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("game", ALIKE, ids=repr)
def test_every_value_of_more_boards(game: Game) -> None:
    agrees(game)


CHEAPER: list[tuple[Game, Game]] = [(Kalah(3, 6), KalahWithoutRest(3, 6)), (DotsAndBoxes(2, 4), DotsWithoutRest(2, 4))]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "without"), CHEAPER, ids=repr)
def test_the_rest_takes_fewer_nodes(game: Game, without: Game) -> None:
    """With all other knowledge it is a little less: 16,333 nodes and 21,087; 68,367 and 68,638."""
    cheap, dear = VALUES.search(game), VALUES.search(without)
    assert cheap.value == dear.value
    assert cheap.nodes < dear.nodes


# --- chains


def best_of(game: DotsAndBoxes, values: list[int], drawn: int, lines: list[int]) -> int:
    """What the mover gets of the boxes that are left, less what the opponent does, if one of these lines is drawn now."""
    best = -len(game.boxes)
    for line in lines:
        after = drawn | 1 << line
        taken = game.completed(after, line)
        best = max(best, taken + values[after] if taken else -values[after])
    return best


@pytest.mark.parametrize("board", [(1, 1), (1, 2), (1, 3), (2, 2), *(pytest.param(b, marks=pytest.mark.slow) for b in [(1, 4), (2, 3)])])
def test_candidates_hold_a_best_line_in_every_position(board: tuple[int, int]) -> None:
    """Whatever is drawn, also what no game leads to."""
    game = DotsAndBoxes(*board)
    values = [0] * (game.all_lines + 1)
    for drawn in range(game.all_lines - 1, -1, -1):
        state = Lines(drawn, 0, MAX)
        candidates = list(game.candidates(state))
        values[drawn] = best_of(game, values, drawn, list(game.actions(state)))
        assert best_of(game, values, drawn, candidates) == values[drawn], game.show(state)
        assert len(set(candidates)) == len(candidates)


@pytest.mark.parametrize("board", [(1, 3), (2, 2), pytest.param((2, 3), marks=pytest.mark.slow)])
def test_boards_that_are_alike_are_worth_the_same(board: tuple[int, int]) -> None:
    """Turned, mirrored, or with another line of a corner; and the lines lead from one to the other's children."""
    game = DotsAndBoxes(*board)
    values = [0] * (game.all_lines + 1)
    different = set()
    for drawn in range(game.all_lines - 1, -1, -1):
        state = Lines(drawn, 0, MAX)
        lines = list(game.actions(state))
        values[drawn] = best_of(game, values, drawn, lines)
        alike, symmetry = game.canonical(state)
        different.add(alike.drawn)
        for line in lines:
            child, image = game.result(state, line), game.result(alike, game.image(line, symmetry))
            assert game.canonical(child)[0] == game.canonical(image)[0], game.show(state)
    assert all(values[game.canonical(Lines(drawn, 0, MAX))[0].drawn] == value for drawn, value in enumerate(values))
    corners = 3 if min(board) > 1 else 4  # of the four ways to draw a corner's two lines
    assert len(different) < 2**game.word * (corners / 4) ** 4 / 2


CHAINS = [  # a board, and the lines that are candidates in it
    ("+--+--+--+\n|  :  :  :\n+--+--+--+", ["b1-b2"]),  # three boxes that can be taken, as long as the last two may be left
    ("+--+--+--+\n|  |  :  :\n+--+--+--+", ["c1-c2", "d1-d2"]),  # both, or leave them
    ("+--+--+--+\n|  :  |  :\n+--+--+--+", ["b1-b2"]),  # two boxes by one line
    ("+--+--+--+\n:  :  :  :\n+--+--+--+", ["a1-a2"]),  # a chain of three boxes has to be opened somewhere
    ("+--+--+--+\n:  :  :  |\n+--+--+--+", ["c1-c2"]),
    ("+--+--+..+\n:  :  :  :\n+--+--+..+", ["c1-d1", "c2-d2", "b1-b2", "d1-d2"]),  # one of two boxes is opened between them
]


@pytest.mark.parametrize(("board", "lines"), CHAINS)
def test_chains(board: str, lines: list[str]) -> None:
    game = DotsAndBoxes(1, 3)
    state = game.read(board + "\nMax to move, Max's lead is 0")
    assert [game.name(state, line) for line in game.candidates(state)] == lines


def test_a_chain_that_others_can_change_is_not_kept_before_one_that_none_can() -> None:
    """The left chain of two becomes part of a closed chain of four when the box below it is taken: so the right one is kept to the last."""
    game = DotsAndBoxes(2, 5)
    board = "+--+--+..+--+--+\n|  :  |  :  |  |\n+--+..+--+..+..+\n|  :  :  |  |  |\n+--+--+--+..+..+"
    state = game.read(board + "\nMax to move, Max's lead is 0")
    assert [game.name(state, line) for line in game.candidates(state)] == ["b2-b3"]
