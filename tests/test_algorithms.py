"""Every algorithm keeps one protocol: parameters at construction, one `search`, a frozen result."""

import ast
import dataclasses
import inspect
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import Algorithm, Game, Limits, Observer, Prove, Recorder, StrongSolver, ZermeloError, game
from zermelo.play.algorithms import ALGORITHMS, algorithm_class
from zermelo.results import SearchResult

PACKAGE = Path(zermelo.__file__).parent
ROOMS = ("search", "solve", "equilibrium", "trees")  # where algorithms live


def class_statements() -> Iterator[tuple[str, ast.ClassDef]]:
    """Every public class of these rooms with its module; kernels are not modules that can be imported."""
    for path in sorted(path for room in ROOMS for path in (PACKAGE / room).rglob("*.py")):
        module = ".".join(("zermelo", *path.relative_to(PACKAGE).with_suffix("").parts))
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body if "\nclass " in text else ():
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield module, node


def based_on(node: ast.ClassDef, *names: str) -> bool:
    return any(ast.unparse(base).partition("[")[0] in names for base in node.bases)


WHOLE = {node.name: getattr(import_module(module), node.name) for module, node in class_statements() if based_on(node, "WholeGame")}
WHOLE |= {"StrongSolver": StrongSolver}
NAMED = {name: algorithm_class(name) for name in ALGORITHMS} | {"prove": Prove}
KINDS: dict[str, type[Any]] = NAMED | WHOLE
SUITED = {  # a small game of the kind that an algorithm is for; "nim(heaps=(1, 2))" otherwise
    **dict.fromkeys(("astar", "idastar", "realtime", "lrta"), "eightpuzzle(tiles=(1, 2, 3, 4, 5, 6, 0, 7, 8))"),
    **dict.fromkeys(("determinized", "ismcts", "isuct", "smooth", "pouct", "equilibrium"), "rps"),
    **dict.fromkeys(WHOLE, "matchingpennies"),
    "AlphaRank": "staghunt",
    "StrongSolver": "nim(heaps=(1, 2))",
    "PublicSolver": "holdem(board='Qs Jh 2h 7c 3d', oop='TT, AKs', ip='99, AQs')",
    "layers": "kayles",
    "graph": "tictactoe",  # it looks at its limits every 256 positions
}
NEEDS_A_FILE = {"network", "database"}  # of weights, of positions: their tests make one
ALONE = sorted(NAMED.keys() - NEEDS_A_FILE)
ALL = sorted(KINDS.keys() - NEEDS_A_FILE)
NO_ANSWER_YET = {"valueiteration", "layers", "graph"}  # before the first sweep is over
RAISED = threading.Event()
RAISED.set()
SMALL = {"backend": "reference", "playouts": 50, "seed": 1, "iterations": 50}


def made(name: str) -> tuple[Any, Game]:
    known = {field.name for field in dataclasses.fields(KINDS[name])}
    return KINDS[name](**{key: value for key, value in SMALL.items() if key in known}), game(SUITED.get(name, "nim(heaps=(1, 2))"))


@pytest.mark.parametrize("name", KINDS)
def test_an_algorithm_is_a_frozen_dataclass_with_the_search_of_the_protocol(name: str) -> None:
    kind = KINDS[name]
    assert issubclass(kind, Algorithm)
    assert dataclasses.is_dataclass(kind)
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert kind.search is Algorithm.search
    assert {"game", "state"} <= set(inspect.signature(kind.run).parameters)


def test_whatever_works_on_a_game_keeps_the_protocol() -> None:
    """A class with `search(game, …)` or `solve(game)` that is no `Algorithm` would be a second calling style."""
    strangers = []
    for module, node in class_statements():
        calls = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name in ("search", "solve")]
        if any([argument.arg for argument in call.args.args][1:2] == ["game"] for call in calls) and not based_on(
            node, "Algorithm", "WholeGame"
        ):
            strangers.append(f"{module}.{node.name}")
    # A method of EquilibriumSolver, which gives it the arrays too.
    assert strangers == ["zermelo.equilibrium.extensive.sampling.mccfr.MonteCarlo"]


@pytest.mark.parametrize("name", ALL)
def test_a_search_leaves_the_parameters_alone_and_returns_a_frozen_result(name: str) -> None:
    algorithm, rules = made(name)
    before = repr(algorithm)
    found = algorithm.search(rules, history=(), limits=Limits(), observer=Observer())
    if name in NAMED:
        assert isinstance(found, SearchResult)
        assert found.action in list(rules.actions(rules.start()))
    assert repr(algorithm) == before
    assert callable(found.to_dict)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(found, dataclasses.fields(found)[0].name, 0)


@pytest.mark.parametrize("name", sorted(WHOLE.keys() - {"StrongSolver"}))
def test_an_answer_for_the_whole_game_is_given_from_its_start_alone(name: str) -> None:
    algorithm, rules = made(name)
    later = rules.result(rules.start(), next(iter(rules.actions(rules.start()))))
    with pytest.raises(ZermeloError, match="whole game"):
        algorithm.search(rules, later)


@pytest.mark.parametrize("name", sorted(WHOLE))
@pytest.mark.parametrize("question", [{"limits": Limits(time=0)}, {"limits": Limits(nodes=1)}, {"observer": Observer(stop=RAISED)}])
def test_a_whole_game_is_answered_within_the_limits_or_they_are_refused(name: str, question: dict[str, Any]) -> None:
    algorithm, rules = made(name)
    with suppress(ZermeloError):
        assert algorithm.search(rules, **question) is not None


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize("question", [{"limits": Limits(nodes=1)}, {"observer": Observer(stop=RAISED)}], ids=["nodes", "stop"])
def test_limits_are_kept_or_refused(name: str, question: dict[str, Any]) -> None:
    algorithm, rules = made(name)
    if "limits" not in inspect.signature(algorithm.run).parameters:
        with pytest.raises(ZermeloError, match="cannot stop early"):
            algorithm.search(rules, **question)
    elif name in NO_ANSWER_YET:
        with pytest.raises(ZermeloError, match=r"not finished|not solved|no answer"):
            algorithm.search(rules, **question)
    else:
        assert algorithm.search(rules, **question).nodes <= 100


@pytest.mark.parametrize("name", ALL)
def test_the_other_limits_replace_parameters_or_are_refused(name: str) -> None:
    algorithm, rules = made(name)
    known = {field.name for field in dataclasses.fields(algorithm)}
    for limit, value in {"depth": 1, "memory": 64 << 20, "threads": 1, "seed": 7}.items():
        if limit not in known:
            with pytest.raises(ZermeloError, match=f"has no {limit}"):
                algorithm.search(rules, limits=Limits(**{limit: value}))
        elif name in NAMED:
            found = algorithm.search(rules, limits=Limits(**{limit: value}))
            assert found.parameters.get(limit, value) == value


@pytest.mark.parametrize("name", ALL)
def test_a_trace_is_recorded_or_refused(name: str) -> None:
    algorithm, rules = made(name)
    recorder = Recorder(rules, name)
    if "recorder" in inspect.signature(algorithm.run).parameters:
        algorithm.search(rules, observer=Observer(trace=recorder))
        assert recorder.trace().visits
    else:
        with pytest.raises(ZermeloError, match="records no trace"):
            algorithm.search(rules, observer=Observer(trace=recorder))
