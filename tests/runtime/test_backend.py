"""Choosing a backend: who runs what, what it costs to ask, and what the answer remembers."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from corpus.boards import FillUnsigned
from corpus.refused import GlobalDict, Lawful
from corpus.styles import Cards, NimTuples, OneNumber, PlainTuple
from zermelo import Game
from zermelo.compiler.faults import Fault
from zermelo.errors import RulesError, ZermeloError
from zermelo.games.chesslib import ChessLib
from zermelo.runtime.backend import Choice, choose
from zermelo.trees import Max, Min, Tree
from zermelo.trees.matrix import Matrix


def test_games_of_objects_are_left_to_the_reference_engine_in_silence() -> None:
    assert choose(ChessLib()) == Choice(None, ())
    with pytest.raises(RulesError, match="no compiled form"):
        choose(ChessLib(), "compiled")


@pytest.mark.parametrize("game", [Tree.of(Max(a=1, b=Min(c=2, d=3))), Matrix.of([[1, -1], [-1, 1]])], ids=["tree", "matrix"])
def test_trees_and_matrices_are_data(game: Game) -> None:
    assert choose(game) == Choice(None, ())
    with pytest.raises(RulesError, match="is data, not rules"):
        choose(game, "compiled")


class Hashed(Lawful):
    def utility(self, state: Any) -> int:
        return hash(state[0])


def test_a_refusal_is_remembered_until_the_rules_change(monkeypatch: pytest.MonkeyPatch) -> None:
    first = choose(Hashed()).notes
    assert first
    assert choose(Hashed()).notes == first
    monkeypatch.setattr(Hashed, "utility", Lawful.utility)
    assert choose(Hashed()).compiled is not None


class BadOrder(Lawful):
    def order(self, state: Any, number: int) -> int:
        return hash(number) + len({"a": number, "b": (2, 3)})

    def evaluate(self, state: Any) -> int:
        return 1


class BadEvaluate(Lawful):
    def evaluate(self, state: Any) -> int:
        return len({"a": 1, "b": (2, 3)}) - hash(state[0] * 0 + 1)


def test_an_optional_rule_that_does_not_compile_is_left_out_where_nothing_depends_on_it() -> None:
    assert choose(BadOrder()).compiled is None
    choice = choose(BadOrder(), spare=("order", "bounds", "evaluate"))
    assert choice.compiled is not None
    assert choice.compiled.has("evaluate")
    assert not choice.compiled.has("order")
    assert "does without `order`, because" in choice.notes[0]
    assert "test_backend.py" in choice.notes[0]
    assert choose(Hashed(), spare=("order", "evaluate")).compiled is None


@pytest.mark.slow
def test_searches_do_without_rules_that_they_do_not_need() -> None:
    from zermelo.search import AlphaBeta, Deepening, Prove, perft

    proof = Prove().search(BadOrder())
    assert (proof.value, proof.exact, proof.backend) == (1, True, "compiled")
    assert "does without `order`" in proof.notes[0]
    counted = perft(BadEvaluate(), 3)
    assert (counted.backend, counted.notes) == ("compiled", ())  # nothing to tell: it never asks for estimates
    assert AlphaBeta().search(BadEvaluate()).backend == "compiled"
    assert AlphaBeta(depth=2).search(BadEvaluate()).backend != "compiled"
    assert AlphaBeta(textbook=True).search(BadOrder()).backend != "compiled"
    assert Deepening(depth=2).search(BadOrder()).backend == "compiled"
    assert Deepening(depth=2).search(BadEvaluate()).backend != "compiled"


def test_the_reference_backend_asks_nothing() -> None:
    assert choose(GlobalDict(), "reference") == Choice(None, ())


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(ZermeloError, match="auto, compiled, interned or reference"):
        choose(Lawful(), "fast")  # type: ignore[arg-type]


QUICK = """
import sys
from corpus.refused import GlobalDict
from zermelo.runtime.backend import choose

choose(GlobalDict(), "reference")
print([name for name in ("numpy", "llvmlite") if name in sys.modules])
"""


def test_nothing_is_imported_before_something_is_compiled() -> None:
    paths = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run([sys.executable, "-c", QUICK], env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_game_is_compiled_once() -> None:
    first = choose(PlainTuple(5)).compiled
    assert choose(PlainTuple(5)).compiled is first
    assert choose(PlainTuple(6)).compiled is not first


@pytest.mark.parametrize(
    ("game", "integer"), [(PlainTuple(), True), (OneNumber(), False), (Cards(), False), (NimTuples(), False), (Lawful(), True)], ids=repr
)
def test_facts(game: Game, integer: bool) -> None:
    compiled = choose(game, "compiled").required
    module: Any = compiled.ready("perft")
    assert (compiled.facts.integer_payoffs, module.INTEGER_PAYOFFS) == (integer, integer)
    assert (compiled.facts.key_words, compiled.facts.information_words, compiled.words) == (module.KEY, module.INFORMATION, module.WORDS)
    assert module.HAS_KEY is hasattr(game, "key")


def test_a_state_that_does_not_fit_is_a_fault() -> None:
    compiled, state = choose(FillUnsigned(64), "compiled").required, FillUnsigned(64).start()
    row = compiled.row(state._replace(mine=(1 << 64) - 1))
    assert compiled.state(row) == state._replace(mine=(1 << 64) - 1)
    with pytest.raises(Fault, match="beyond its room"):
        compiled.row(state._replace(mine=1 << 64))
