"""The public names: one table, loaded lazily, documented, and the functions that are the words of the command line."""

import ast
import doctest
import importlib
import inspect
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo
import zermelo.solve.strong  # so that `zermelo.solve` is the subpackage, as after any import of it
from zermelo import ZermeloError
from zermelo.cli import main

WORDS = ("best", "check", "equilibrium", "game", "match", "perft", "solve", "stats", "tree")


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    assert set(zermelo.__all__) <= set(dir(zermelo))
    for name in zermelo.__all__:
        value = getattr(zermelo, name)
        assert inspect.getdoc(value) or not callable(value), name


@pytest.mark.parametrize("name", zermelo.__all__)
def test_every_public_name_explains_its_parameters(name: str) -> None:
    public = getattr(zermelo, name)
    if not inspect.isfunction(public) and not inspect.isclass(public):
        return
    text = inspect.getdoc(public) or ""
    assert text, f"{name} has no docstring"
    parameters = [] if public is ZermeloError else inspect.signature(public).parameters.values()
    explained = text.partition("Parameters\n---")[2] or text.partition("Attributes\n---")[2]
    for parameter in parameters:
        assert re.search(rf"\b{parameter.name}\b", explained), f"{name} does not explain {parameter.name}"
    if inspect.isfunction(public):
        assert "Returns\n---" in text, f"{name} does not say what it returns"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        _ = zermelo.nosuch  # type: ignore[attr-defined]


@pytest.mark.parametrize("word", WORDS)
def test_the_words_of_the_command_line_are_documented_functions(word: str) -> None:
    function = getattr(importlib.import_module("zermelo.api"), word)
    text = inspect.getdoc(function) or ""
    assert all(section in text for section in ("Parameters\n---", "Returns\n---", "Examples\n---"))
    for name in inspect.signature(function).parameters:
        assert name in text, f"{word} does not explain {name}"
    assert word == "game" or word in main.list_commands(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("module", ["zermelo", "zermelo.api", "zermelo.limits", "zermelo.rules"])
def test_the_examples_in_docstrings_run(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))
    assert found.attempted
    assert not found.failed


def test_a_subpackage_is_also_the_function_of_its_name() -> None:
    assert zermelo.solve.strong is sys.modules["zermelo.solve.strong"]  # type: ignore[attr-defined]
    assert zermelo.solve("nim(heaps=(1, 2))", backend="reference").value == 1


def test_help_and_hover_show_the_function_even_where_a_subpackage_has_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    pydoc.help(zermelo.solve)
    assert "solve(game:" in capsys.readouterr().out
    assert "position" in inspect.signature(zermelo.solve).parameters
    assert not {"sys", "Path", "Any", "import_module"} & set(dir(zermelo))
    with pytest.raises(AttributeError, match="no attribute 'nosuch'"):
        _ = zermelo.solve.nosuch  # type: ignore[attr-defined]


def test_results_show_themselves_in_one_line() -> None:
    found = zermelo.best("nim(heaps=(1, 2))", backend="reference")
    assert repr(found).startswith("SearchResult(alphabeta: best 2-1; value 1, exact; over in 3; ")
    game = zermelo.game("nim(heaps=(1, 2))")
    shown = [found, zermelo.tree(game), zermelo.check(game, backend="reference"), zermelo.perft(game, depth=2), zermelo.stats(game)]
    assert all(len(repr(each)) < 120 for each in shown)


def test_games_that_no_file_holds_are_played_too() -> None:
    rules: dict[str, object] = {}
    exec(compile(Path(inspect.getfile(type(zermelo.game("nim")))).read_text(encoding="utf-8"), "<typed in>", "exec"), rules)
    game = rules["Nim"](heaps=(1, 2))  # type: ignore[operator]
    found = zermelo.match(game, "alphabeta", "random", games=4, plies=0)
    assert (len(found.records), repr(found)[:19]) == (4, "Outcome(Nim (unsave")
    with pytest.raises(ZermeloError, match="save its rules"):
        zermelo.match(game, "alphabeta", "random", games=4, workers=2)


def test_a_game_is_an_object_or_a_name_and_a_position_a_text_or_a_state() -> None:
    game = zermelo.game("nim", heaps=(1, 2))
    state = game.result(game.start(), next(iter(game.actions(game.start()))))
    answers = [
        zermelo.best(game, state, backend="reference"),
        zermelo.best("nim(heaps=(1, 2))", state, algorithm="alphabeta(backend='reference')"),
        zermelo.best(game, state, algorithm=zermelo.AlphaBeta(backend="reference"), time=60),
    ]
    assert len({(found.value, found.action, found.exact) for found in answers}) == 1


@pytest.mark.parametrize(
    ("game", "value", "algorithm"),
    [
        ("kuhn", pytest.approx(-1 / 18), "equilibrium"),  # Kuhn 1950
        ("ponghauki", 0, "graph"),  # positions return
        ("tictactoe", 0, "alphabeta"),
    ],
)
def test_without_an_algorithm_a_small_game_is_solved_by_what_suits_it(game: str, value: object, algorithm: str) -> None:
    found = zermelo.best(game)
    assert (found.algorithm, found.value, found.exact) == (algorithm, value, True)
    if algorithm == "graph":
        assert zermelo.solve(game).algorithm == "graph"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: zermelo.game("nosuch"), "There is no game nosuch"),
        (lambda: zermelo.game("nim", rows=3), "nim has no parameter rows"),
        (lambda: zermelo.best("nim", algorithm="nosuch"), "There is no algorithm nosuch"),
        (lambda: zermelo.best("nim", algorithm="mcts(5)"), "named parameters"),
        (lambda: zermelo.best("kuhn", algorithm="alphabeta"), "`perfect_information=True` searches"),
        (lambda: zermelo.solve("nim", out="x.zdb"), "`all=True`"),
        (lambda: zermelo.solve("nim", all=True, time=1), "no limit of time"),
        (lambda: zermelo.match("nim", "random"), "at least two players"),
    ],
)
def test_errors_are_one_sentence_that_names_no_flag(call: object, sentence: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        call()  # type: ignore[operator]
    assert sentence in str(caught.value)
    assert "--" not in str(caught.value)


def test_no_module_below_the_command_line_names_its_flags() -> None:
    """Messages name parameters as Python does (`depth=N`); `zermelo.cli.output.worded` makes options of them."""
    package = Path(zermelo.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py") if not path.is_relative_to(package / "cli")}
    nodes = [(path, node) for path, text in texts.items() if " --" in text for node in ast.walk(ast.parse(text))]
    assert not [f"{path}:{node.lineno}" for path, node in nodes if isinstance(node, ast.Raise) and " --" in ast.unparse(node)]


def test_importing_the_package_loads_none_of_its_modules() -> None:
    program = "import sys, zermelo; print(sorted(name for name in sys.modules if name.startswith('zermelo.')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
