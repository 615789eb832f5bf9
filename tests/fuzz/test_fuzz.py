"""The fuzzer itself: it writes programs that run, sees planted faults, and shrinks them."""

from typing import Any

import pytest

from zermelo.errors import RulesError
from zermelo.rules import Game

from .compare import Interpreted, compare, interpreted
from .programs import program
from .shrink import shrink


class Fault(Exception):
    pass


class Planted(Interpreted):
    """Wrong on purpose: sums are one too large where a list has more than two items."""

    def utility(self, state: Any) -> Any:
        value = self.game.utility(state)
        return value + 1 if isinstance(value, int) and value > 2 else value


class Silent(Interpreted):
    """Gives 0 where the interpreter raises."""

    def utility(self, state: Any) -> Any:
        try:
            return self.game.utility(state)
        except ArithmeticError:
            return 0


def planted(game: Game) -> tuple[Any, type[Exception]]:
    return Planted(game), Fault


def silent(game: Game) -> tuple[Any, type[Exception]]:
    return Silent(game), Fault


DIVIDES = """
from zermelo import Game
class G(Game):
    def start(self): return 3
    def player(self, state): return state % 2
    def actions(self, state): return [1]
    def result(self, state, action): return state - action
    def terminal(self, state): return state <= 0
    def utility(self, state): return 7 // state
"""


def test_a_seed_is_a_program() -> None:
    assert program(7) == program(7) != program(8)


def test_most_programs_run_and_agree_with_themselves() -> None:
    kinds = [compare(program(seed), games=1, maker=interpreted).kind for seed in range(150)]
    assert not {"wrong", "crash", "refused"} & set(kinds)
    assert kinds.count("unfit") < 15


def test_a_planted_fault_is_seen_and_shrunk() -> None:
    source = next(text for text in map(program, range(2, 50)) if compare(text, 1, maker=planted).kind == "wrong")
    small = shrink(source, lambda text: compare(text, 1, maker=planted).kind == "wrong")
    assert compare(small, 1, maker=planted).kind == "wrong"
    assert len(small) < min(900, len(source) / 2)


def test_a_value_in_place_of_an_error_is_wrong() -> None:
    outcome = compare(DIVIDES, maker=silent)
    assert outcome.kind == "wrong"
    assert "raises ZeroDivisionError" in outcome.detail


def test_rules_that_are_refused_are_no_difference() -> None:
    def refuse(game: Game) -> Any:
        raise RulesError("no")

    assert compare(DIVIDES, maker=refuse).kind == "refused"


@pytest.mark.parametrize(
    ("first", "number"), [(0, 15), pytest.param(1000, 120, marks=pytest.mark.slow), pytest.param(9000, 80, marks=pytest.mark.slow)]
)
def test_compiled_rules_agree_with_the_interpreter(first: int, number: int) -> None:
    """No value differs. Code that takes too long, because its room grows and grows, is no wrong value: it still happens."""
    for seed in range(first, first + number):
        outcome = compare(program(seed), games=2)
        assert not outcome.bad or outcome.detail.startswith("endless"), f"seed {seed}: {outcome.detail}"
