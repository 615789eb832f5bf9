"""Choosing a backend: who runs what, what it costs to ask, and what the answer remembers."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from corpus.boards import FillUnsigned
from corpus.refused import GlobalDict, Lawful, TwoTypes
from corpus.styles import Cards, NimTuples, OneNumber, PlainTuple
from corpus.texts import Words
from zermelo import Game
from zermelo.engine.backend import Choice, choose
from zermelo.errors import RulesError, ZermeloError
from zermelo.trees import Max, Min, Tree
from zermelo.trees.matrix import Matrix


def test_games_of_objects_are_left_to_the_reference_engine_in_silence() -> None:
    assert choose(Words()) == Choice(None, ())
    with pytest.raises(RulesError, match="is a str"):
        choose(Words(), "compiled")


@pytest.mark.parametrize("game", [Tree.of(Max(a=1, b=Min(c=2, d=3))), Matrix.of([[1, -1], [-1, 1]])], ids=["tree", "matrix"])
def test_trees_and_matrices_are_data(game: Game) -> None:
    assert choose(game) == Choice(None, ())
    with pytest.raises(RulesError, match="is data, not rules"):
        choose(game, "compiled")


def test_a_refusal_is_remembered_until_the_rules_change(monkeypatch: pytest.MonkeyPatch) -> None:
    first = choose(TwoTypes()).notes
    assert first
    assert choose(TwoTypes()).notes == first
    monkeypatch.setattr(TwoTypes, "utility", Lawful.utility)
    assert choose(TwoTypes()).compiled is not None


class BadOrder(Lawful):
    def order(self, state: Any, number: int) -> int:
        return len({"a": number, "b": (2, 3)})

    def evaluate(self, state: Any) -> int:
        return 1


class BadEvaluate(Lawful):
    def evaluate(self, state: Any) -> int:
        return len({"a": 1, "b": (2, 3)}) - 1


def test_an_optional_rule_that_does_not_compile_is_left_out_where_nothing_depends_on_it() -> None:
    assert choose(BadOrder()).compiled is None
    choice = choose(BadOrder(), spare=("order", "bounds", "evaluate"))
    assert choice.compiled is not None
    assert "evaluate" in choice.compiled.program.rules
    assert "order" not in choice.compiled.asking().program.rules
    assert "does without `order`, because" in choice.notes[0]
    assert "test_backend.py" in choice.notes[0]
    assert choose(GlobalDict(), spare=("order", "evaluate")).compiled is None
    assert choose(TwoTypes(), spare=("order",)).compiled is None


@pytest.mark.slow
def test_searches_do_without_rules_that_they_do_not_need() -> None:
    from zermelo.search import AlphaBeta, Deepening, Prove, perft

    proof = Prove().search(BadOrder())
    assert (proof.value, proof.exact, proof.backend) == (1, True, "compiled")
    assert "does without `order`" in proof.notes[0]
    assert perft(BadEvaluate(), 3).backend == "compiled"
    assert AlphaBeta().search(BadEvaluate()).backend == "compiled"
    assert AlphaBeta(depth=2).search(BadEvaluate()).backend == "reference"
    assert AlphaBeta(plain=True).search(BadOrder()).backend == "reference"
    assert Deepening(depth=2).search(BadOrder()).backend == "compiled"
    assert Deepening(depth=2).search(BadEvaluate()).backend == "reference"


def test_the_reference_backend_asks_nothing() -> None:
    assert choose(GlobalDict(), "reference") == Choice(None, ())


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(ZermeloError, match="auto, compiled or reference"):
        choose(Lawful(), "fast")  # type: ignore[arg-type]


QUICK = """
import sys
from corpus.refused import GlobalDict
from corpus.texts import Words
from zermelo.engine.backend import choose

choices = choose(Words()), choose(GlobalDict()), choose(GlobalDict(), "reference")
print([len(choice.notes) for choice in choices], [name for name in ("numba", "numpy", "llvmlite") if name in sys.modules])
"""


def test_nothing_is_imported_before_something_is_compiled() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", QUICK], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[0, 1, 0] []"


def test_a_game_is_chosen_once() -> None:
    first = choose(PlainTuple(5))
    assert choose(PlainTuple(5)) is first
    assert choose(PlainTuple(6)) is not first


@pytest.mark.parametrize(
    ("game", "integer", "key", "information"),
    [(PlainTuple(), True, 2, 2), (OneNumber(), False, 1, 1), (Cards(), False, 5, 4), (NimTuples(), False, 4, 4), (Lawful(), True, 5, 5)],
    ids=repr,
)
def test_facts(game: Game, integer: bool, key: int, information: int) -> None:
    compiled = choose(game, "compiled").compiled
    assert compiled is not None
    assert compiled.facts.integer_payoffs is integer
    assert (compiled.facts.key_words, compiled.facts.information_words) == (key, information)
    module: Any = compiled.module("perft")
    assert module.INTEGER_PAYOFFS is integer
    assert (key, information, compiled.words) == (module.KEY, module.INFORMATION, module.WORDS)
    assert module.HAS_KEY is hasattr(game, "key")


def test_a_state_that_does_not_fit_is_an_error() -> None:
    compiled = choose(FillUnsigned(64), "compiled").compiled
    assert compiled is not None
    state = FillUnsigned(64).start()
    row = compiled.row(state._replace(mine=(1 << 64) - 1))
    assert row.tolist() == [-1, 0]
    assert compiled.state(row) == state._replace(mine=(1 << 64) - 1)
    with pytest.raises(RulesError, match="does not fit"):
        compiled.row(state._replace(mine=1 << 64))
