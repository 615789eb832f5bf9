"""Records with named fields, shared by kernels and Python, and kernels run as plain Python."""

import functools
from typing import Any

import numpy as np
import pytest

from zermelo.compiler.plain import plain_game
from zermelo.compiler.records import Array, Int8, Ints, Real32, Reals, Record, ints, item_type, reals
from zermelo.games.pig import Pig
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits, Watch
from zermelo.rules import Game
from zermelo.runtime.backend import choose
from zermelo.search.classic.alphabeta_driver import CompiledSearch
from zermelo.search.classic.perft import counted, counted_by_kernel
from zermelo.search.plan import Plan


class Sample(Record):
    """One field of each kind."""

    value: float
    count: int
    small: Int8
    words: Ints = ints(3)
    sure: bool
    single: Real32
    shares: Reals = reals(2)


def test_a_record_refers_to_its_array() -> None:
    samples = Sample.array(2)
    sample = samples[1]
    sample.value, sample.words[2], sample.sure = 0.5, 7, True
    assert (samples["value"][1], samples["words"][1, 2], samples["sure"][1], samples["count"][1]) == (0.5, 7, 1, 0)
    assert samples[0].tobytes() == bytes(Sample.dtype.itemsize), "the other record is as it was"


def test_parameters_say_what_an_array_holds() -> None:
    found = [item_type(kind) for kind in (Array[Sample], Ints, Array[Int8], int)]
    assert found == [Sample, np.int64, np.int8, None]


def test_a_field_of_no_known_type_is_refused() -> None:
    with pytest.raises(TypeError, match="no field of a record"):
        type("Wrong", (Record,), {"__annotations__": {"name": str}})


@pytest.mark.parametrize("game", [TicTacToe(), Pig(goal=8)], ids=["moves", "chance"])
@pytest.mark.parametrize("turns", [False, True])
def test_a_kernel_counts_the_same_as_plain_python(game: Game, turns: bool) -> None:
    plain = plain_game(game)
    compiled = choose(game, "compiled").required
    state, depth = game.start(), 4
    expected = counted(game, state, depth, turns)
    assert counted_by_kernel(plain, plain.ready("perft"), game, state, depth, turns) == expected
    assert counted_by_kernel(compiled, compiled.ready("perft"), game, state, depth, turns) == expected


def test_a_part_of_a_kernel_runs_alone() -> None:
    game = TicTacToe()
    kernel: Any = plain_game(game).ready("perft")
    stack, count = kernel.Waiting.array(4), kernel.Count.array(1)[0]
    first = game.result(game.start(), 0)
    won = functools.reduce(game.result, [3, 1, 4, 2], first)
    assert kernel.take_in(won, 0, 2, stack, 0, count) == 0
    assert (count.finished, count.leaves) == (1, 0)
    assert kernel.take_in(first, 0, 2, stack, 0, count) == 1
    assert (stack[0].left, kernel.decode(stack[0].state)) == (1, first)


def test_a_field_that_is_not_there_is_named() -> None:
    kernel: Any = plain_game(TicTacToe()).ready("perft")
    with pytest.raises(AttributeError, match="depth"):
        kernel.Count.array(1)[0].depth  # noqa: B018
    with pytest.raises(AttributeError, match="no unheard"):
        kernel.unheard  # noqa: B018


PLANS = [Plan("alphabeta", memory=0, pruning=True, ordering=None, knowledge=True), Plan("minimax", memory=0)]  # entries collide otherwise


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.algorithm)
def test_the_stack_search_visits_the_same_nodes_as_plain_python(plan: Plan) -> None:
    game = TicTacToe()
    state = functools.reduce(game.result, [0, 4], game.start())
    searches = [CompiledSearch(backend, game, plan, Watch(Limits())) for backend in (choose(game, "compiled").required, plain_game(game))]
    compiled, plain = (search.search(state, (), None) for search in searches)
    assert (compiled, searches[0].nodes, searches[0].beta_cuts) == (plain, searches[1].nodes, searches[1].beta_cuts)
    assert searches[1].nodes > 100
