"""Games in the manner of aima-python, with dictionaries in their states, run here and have the values of the textbook."""

from collections import namedtuple
from typing import Any, ClassVar

import pytest

import zermelo
from zermelo.interop import aima
from zermelo.interop.aima import from_aima

State = namedtuple("State", "to_move, utility, board, moves")


class Figure52:
    """Russell and Norvig, Figure 5.2: the value is 3, by a1."""

    initial = "A"
    below: ClassVar = {"A": "BCD", "B": ("3", "12", "8"), "C": ("2", "4", "6"), "D": ("14", "5", "2")}

    def actions(self, state: str) -> list[int]:
        return list(range(len(self.below.get(state, ()))))

    def result(self, state: str, move: int) -> str:
        return self.below[state][move]

    def terminal_test(self, state: str) -> bool:
        return state not in self.below

    def to_move(self, state: str) -> str:
        return "MAX" if state == "A" else "MIN"

    def utility(self, state: str, player: str) -> int:
        return int(state) if player == "MAX" else -int(state)


class Noughts:
    """Tic-tac-toe with a dictionary as board and a list of moves: states that cannot be hashed."""

    lines: ClassVar = [((r, 0), (r, 1), (r, 2)) for r in range(3)] + [((0, c), (1, c), (2, c)) for c in range(3)]
    lines += [((0, 0), (1, 1), (2, 2)), ((0, 2), (1, 1), (2, 0))]

    def __init__(self) -> None:
        self.initial = State("X", 0, {}, [(row, column) for row in range(3) for column in range(3)])

    def actions(self, state: Any) -> Any:
        return state.moves

    def result(self, state: Any, move: Any) -> Any:
        board = {**state.board, move: state.to_move}
        won = any(all(board.get(cell) == state.to_move for cell in line) for line in self.lines)
        utility = 0 if not won else 1 if state.to_move == "X" else -1
        return State("O" if state.to_move == "X" else "X", utility, board, [other for other in state.moves if other != move])

    def terminal_test(self, state: Any) -> bool:
        return state.utility != 0 or not state.moves

    def to_move(self, state: Any) -> Any:
        return state.to_move

    def utility(self, state: Any, player: str) -> Any:
        return state.utility if player == "X" else -state.utility

    def display(self, state: Any) -> None:
        for row in range(3):
            print(*(state.board.get((row, column), ".") for column in range(3)))  # noqa: T201 - as the originals do


class Coins:
    """A stochastic game: each turn a coin says how much a point is worth; after two turns the game is over."""

    initial = (0, 0, None)  # turns, the first player's lead, the coin

    def chances(self, state: Any) -> list[int]:
        return [1, 3]

    def probability(self, chance: int) -> float:
        return 0.25 if chance == 3 else 0.75

    def outcome(self, state: Any, chance: int) -> Any:
        return (state[0], state[1], chance)

    def actions(self, state: Any) -> list[str]:
        return ["take", "leave"]

    def result(self, state: Any, move: str) -> Any:
        gain = state[2] if move == "take" else 0
        return (state[0] + 1, state[1] + (gain if state[0] == 0 else -gain), None)

    def terminal_test(self, state: Any) -> bool:
        return state[0] == 2

    def to_move(self, state: Any) -> str:
        return "AB"[state[0] % 2]

    def utility(self, state: Any, player: str) -> int:
        return state[1] if player == "A" else -state[1]


def test_the_figure_of_the_textbook() -> None:
    found = zermelo.best(from_aima(Figure52()), algorithm="minimax")
    assert (found.value, found.action, found.scores) == (3, 0, {0: 3, 1: 2, 2: 2})


def test_states_with_dictionaries_are_searched_counted_and_shown() -> None:
    game = from_aima(Noughts())
    assert zermelo.perft(game, 4, backend="reference").leaves == 3_024
    found = zermelo.best(game, "(0,0) (0,1) (1,1)")
    assert (found.value, found.exact) == (1, True)
    assert game.show(found.state) == "X O .\n. X .\n. . .\nO to move"  # type: ignore[attr-defined]


def test_tic_tac_toe_has_as_many_positions_and_the_value_that_ours_has() -> None:
    found = zermelo.solve(from_aima(Noughts()), all=True)
    assert (found.positions, found.value) == (5_478, 0)


def test_a_stochastic_game_rolls_before_every_move() -> None:
    found = zermelo.best(from_aima(Coins()), algorithm="expectiminimax")
    assert found.value == pytest.approx(0)  # each may expect 1.5 from a coin
    later = zermelo.best(from_aima(Coins()), "3 take", algorithm="expectiminimax")
    assert later.value == pytest.approx(1.5)


def test_three_players_are_named() -> None:
    class Shares:
        """Everybody takes what is best for themselves."""

        initial = ()

        def actions(self, state: Any) -> list[int]:
            return [0, 1] if len(state) < 3 else []

        def result(self, state: Any, move: int) -> Any:
            return (*state, move)

        def terminal_test(self, state: Any) -> bool:
            return len(state) == 3

        def to_move(self, state: Any) -> str:
            return "abc"[len(state) % 3]

        def utility(self, state: Any, player: str) -> int:
            return int(state["abc".index(player)])

    assert zermelo.best(from_aima(Shares(), players="abc")).value == (1, 1, 1)


def test_what_is_no_game_is_told() -> None:
    with pytest.raises(zermelo.ZermeloError, match="it lacks initial, actions"):
        from_aima(object())
    with pytest.raises(zermelo.ZermeloError, match=r"give a game, Figure52\(\)"):
        from_aima(Figure52)


def test_the_example_runs() -> None:
    import doctest

    assert doctest.testmod(aima).failed == 0
