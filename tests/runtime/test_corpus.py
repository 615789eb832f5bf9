"""Rules in many styles, odd ones among them: compiled code does what the interpreter does, or says at which line it cannot."""

import inspect
from pathlib import Path
from types import ModuleType

import pytest

from corpus import boards, mixtures, odds, refused, styles, unlike
from zermelo.compiler.game import difference
from zermelo.errors import RulesError
from zermelo.rules import Game
from zermelo.runtime.backend import choose

COMPILING = [
    odds.Odds(),
    odds.Odds(variant="misere", length=9),
    styles.Methods(),
    styles.OneNumber(),
    styles.PlainTuple(),
    styles.NimTuples(),
    styles.NimSlices(),
    styles.NimComprehension(players=2),
    styles.Cards(),
    styles.Cards(exact=False),
    styles.Signs(),
    styles.Nested(),
    boards.Fill(63),
    boards.Fill(64),
    boards.Fill(70),
    boards.FillUnsigned(64),
    boards.FillWord(70),
    boards.FillWord(200),
    boards.FillFixed(100),
    refused.Lawful(),
    unlike.Masked(),
    mixtures.make_mixture(4),
    mixtures.Extremes(),
]


def agree(game: Game) -> None:
    """Both backends say the same in every state that random games reach."""
    compiled = choose(game, "compiled").required
    assert len(compiled.program.states) > 1
    for state in compiled.program.states[:400]:
        assert difference(compiled.rules, state) is None


@pytest.mark.parametrize("game", COMPILING, ids=repr)
def test_compiles_and_agrees(game: Game) -> None:
    agree(game)
    compiled = choose(game, "compiled").required
    assert compiled.state(compiled.row(game.start())) == game.start()


def games_of(module: ModuleType, *, leaving: tuple[str, ...]) -> list[type[Game]]:
    classes = [value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == module.__name__]
    return [cls for cls in classes if issubclass(cls, Game) and cls.__name__ not in leaving]


@pytest.mark.parametrize(
    "cls", games_of(refused, leaving=("Lawful",)) + games_of(unlike, leaving=("Lawful", "Masked")), ids=lambda cls: cls.__qualname__
)
def test_odd_rules_agree_or_are_refused_with_a_line(cls: type[Game]) -> None:
    choice = choose(cls())
    if choice.compiled is not None:
        agree(cls())
        return
    with pytest.raises(RulesError) as refused:
        choose(cls(), "compiled")
    assert refused.value.file is None or Path(refused.value.file).name == Path(inspect.getfile(cls)).name, str(refused.value)
    assert "bug in Zermelo" not in refused.value.reason
