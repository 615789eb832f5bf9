"""Compiled rules against independent truths: the corpora of natural rules, the idioms, the adversarial games, the language's constructs."""

import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from corpus.ladders import LADDERS, Ladder
from corpus.truth import HERE as CORPUS
from corpus.truth import LONGEST, cheapest, checksum, load, moves, perft, text, value
from zermelo.compiler import Fault
from zermelo.compiler.rules import compile_rules
from zermelo.errors import RulesError

from . import language

TRUTHS = tomllib.loads((CORPUS / "truths.toml").read_text(encoding="utf-8"))
FILES = [CORPUS / folder / f"{name}.py" for folder, games in TRUTHS.items() for name in games]
IDIOMS = sorted((CORPUS / "idioms").glob("*.py"))
ADVERSARIAL = sorted((CORPUS / "adversarial").glob("*.py"))

# Rules that do not compile yet, with the reason; the interpreter runs them. A row leaves when its file compiles: the test says so.
REFUSED: dict[str, str] = {
    "natural/gems": "an object with a dict that is made in two ways",
    "natural/pirates": "actions that are tuples or bools",
    "habits/bitcoinrace": "bytes",
    "habits/bridgeburn": "a forest of sets is joined in the order of a set",
    "habits/mixedmoves": "1 and True are both actions",
    "habits/obstacletrack": "attributes of a caught exception",
    "habits/tuplechild": "a subclass of tuple",
}


def key(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def some(paths: list[Path], every: int) -> list[Any]:
    """Every so many of the files in the quick run, all of them in the slow one."""
    return [pytest.param(path, id=key(path), marks=[] if number % every == 0 else [pytest.mark.slow]) for number, path in enumerate(paths)]


@pytest.mark.parametrize("path", some(FILES, 6))
def test_natural_rules_compile_and_keep_their_truths(path: Path) -> None:
    game, truth = load(path), TRUTHS[path.parent.name][path.stem]
    if key(path) in REFUSED:
        with pytest.raises((RulesError, Fault)):
            perft(compile_rules(game), game.start(), 4)
        return
    rules = compile_rules(game)
    assert [perft(rules, game.start(), depth) for depth in range(len(truth["perft"]))] == truth["perft"]
    assert [checksum(game, rules, seed) for seed in range(len(truth["playouts"]))] == truth["playouts"]


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=key(path)) for path in FILES if key(path) not in REFUSED])
def test_values_by_brute_force_on_compiled_rules(path: Path) -> None:
    game, truth = load(path), TRUTHS[path.parent.name][path.stem]
    rules = compile_rules(game)
    puzzle = game.players == 1 and not hasattr(game, "chances")
    found = cheapest(game, rules) if puzzle else value(game, rules, truth.get("depth"))
    assert text(found) == text(float(truth["value"]))


@pytest.mark.parametrize("path", some(IDIOMS, 6))
def test_idioms_compile_and_agree(path: Path) -> None:
    game = load(path)
    rules = compile_rules(game)
    for depth in range(5):
        assert perft(rules, game.start(), depth) == perft(game, game.start(), depth)
    for seed in range(20):
        assert checksum(game, rules, seed) == checksum(game, game, seed)


@pytest.mark.parametrize("ladder", [pytest.param(ladder, id=ladder.name) for ladder in LADDERS])
def test_ladders_are_never_silently_wrong(ladder: Ladder, tmp_path: Path) -> None:
    path = tmp_path / f"{ladder.name}.py"
    path.write_text(ladder.rules, encoding="utf-8")
    never_silently_wrong(load(path))


@pytest.mark.parametrize("path", some(ADVERSARIAL, 2))
def test_adversarial_rules_are_never_silently_wrong(path: Path) -> None:
    never_silently_wrong(load(path))


def never_silently_wrong(game: Any) -> None:
    """The game is played to its end: every answer is Python's, or a fault, or the rules are refused."""
    try:
        rules = compile_rules(game)
    except RulesError:
        return
    for seed in range(20):
        state, random = game.start(), Random(seed)
        for _ in range(3 * LONGEST):
            for name in ("terminal", "player", "utility"):
                agree(getattr(game, name), getattr(rules, name), state)
            try:
                options = moves(game, state)
                after = [game.result(state, action) for action, _ in options]
            except Exception:
                after = []
            for action, _ in options:
                agree(game.result, rules.result, state, action)
            if not after:
                break
            state = after[-1] if random.random() < 0.9 else after[0]


def agree(expected: Any, compiled: Any, *arguments: Any) -> None:
    try:
        wanted = text(expected(*arguments))
    except Exception as error:
        wanted = f"raises {type(error).__name__}"
    try:
        found = text(compiled(*arguments))
    except Fault:
        return
    assert found == wanted


ROWS = language.rows()
PAGE = language.DOCS.read_text(encoding="utf-8")


def line_of(row: language.Row) -> str:
    """The row's line on the page, up to whether it compiles."""
    return f"| {row.name.replace('|', chr(92) + '|')} | "


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row.name, marks=[] if i % 6 == 0 else [pytest.mark.slow]) for i, row in enumerate(ROWS)]
)
def test_a_construct_is_compiled_as_the_page_says(row: language.Row, tmp_path: Path) -> None:
    game = language.game_of(row, tmp_path)
    if line_of(row) + "by the interpreter" in PAGE:
        with pytest.raises(RulesError):
            compile_rules(game)
        return
    assert line_of(row) + "yes" in PAGE
    assert language.differences(game, compile_rules(game)) == []


def test_the_page_has_every_construct_and_no_other() -> None:
    assert all(line_of(row) in PAGE for row in ROWS)
    assert PAGE.count(" | 0.1 |") == len(ROWS)
