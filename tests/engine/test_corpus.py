"""The corpus of awkward rules: each compiles and agrees with the interpreter, or names the user's line and the reason."""

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from corpus import boards, mixtures, odds, refused, styles, unlike
from zermelo.engine.backend import choose, entry_of
from zermelo.engine.cache import load_module
from zermelo.engine.diagnose import type_rules
from zermelo.engine.program import Program
from zermelo.engine.selfcheck import check_rules, sample_states
from zermelo.engine.writing import SELFCHECK, write_module
from zermelo.errors import RulesError
from zermelo.rules import Game

COMPILING = [
    odds.Odds(),
    pytest.param(odds.Odds(variant="misere", length=9), marks=pytest.mark.slow),
    styles.Methods(),
    styles.OneNumber(),
    styles.PlainTuple(),
    styles.NimTuples(),
    styles.NimSlices(),
    styles.NimComprehension(players=2),
    styles.Cards(),
    pytest.param(styles.Cards(exact=False), marks=pytest.mark.slow),
    styles.Signs(),
    styles.Nested(),
    boards.Fill(63),
    boards.FillUnsigned(64),
    boards.FillWord(70),
    boards.FillWord(200),
    pytest.param(boards.FillFixed(100), marks=pytest.mark.slow),
    refused.Lawful(),
    unlike.Masked(),
    mixtures.make_mixture(4),
    mixtures.Extremes(),
]


@pytest.mark.parametrize("game", COMPILING, ids=repr)
def test_compiles_and_agrees_on_thousands_of_positions(game: Game) -> None:
    choice = choose(game, "compiled")
    assert choice.compiled is not None
    assert choice.notes == ()
    program = Program(game)
    written = write_module(program, SELFCHECK, None)
    module = load_module(entry_of(program, SELFCHECK, written))
    check_rules(program, module, type_rules(program, module, written), positions=3000, seed=2)
    start = game.start()
    assert choice.compiled.state(choice.compiled.row(start)) == start


def test_samples_reach_the_end_of_games() -> None:
    samples = sample_states(styles.PlainTuple(), 3000, seed=2)
    assert any(styles.PlainTuple().terminal(sample.state) for sample in samples)
    assert samples == sample_states(styles.PlainTuple(), 3000, seed=2)


def marked(cls: type) -> tuple[int, str]:
    """The line of a class, or of a function that it uses, that carries HERE, and the words behind that."""
    file = inspect.getsourcefile(cls)
    assert file is not None
    lines, first = inspect.getsourcelines(cls)
    everywhere = Path(file).read_text().splitlines()
    candidates = list(enumerate(lines, first))
    if not any("# HERE" in line for line in lines):  # in the function right before the class
        candidates = [(number, everywhere[number - 1]) for number in range(first - 1, 0, -1)]
    number, line = next((number, line) for number, line in candidates if "# HERE" in line)
    match = re.search(r"# HERE ?([^#\n]*)", line)
    assert match is not None
    return number, match[1].strip()


def games_of(module: ModuleType, *, leaving: tuple[str, ...]) -> list[type[Game]]:
    classes = [value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == module.__name__]
    return [cls for cls in classes if issubclass(cls, Game) and cls.__name__ not in leaving]


REFUSED = games_of(refused, leaving=("Lawful",))
UNLIKE = games_of(unlike, leaving=("Lawful", "Masked"))


@pytest.mark.parametrize("cls", REFUSED + UNLIKE, ids=lambda cls: f"{cls.__module__}.{cls.__name__}")
def test_names_the_line_and_the_reason(cls: type[Game]) -> None:
    line, words = marked(cls)
    game = cls()
    with pytest.raises(RulesError) as caught:
        choose(game, "compiled")
    error = caught.value
    assert Path(error.file or "").name == f"{cls.__module__.rpartition('.')[2]}.py", str(error)
    assert error.line == line, str(error)
    assert words.lower() in error.reason.lower(), str(error)
    choice = choose(game, "auto")  # from the cache, where the reason was found by compiling
    assert choice.compiled is None
    assert len(choice.notes) == 1
    assert f":{line}: " in choice.notes[0]


@pytest.mark.parametrize("game", [boards.Fill(64), boards.Fill(70), boards.FillUnsigned(70)], ids=repr)
def test_a_board_that_is_wider_than_its_word_runs_on_the_reference_engine(game: Game) -> None:
    choice = choose(game)
    assert choice.compiled is None
    (note,) = choice.notes
    place = re.search(r"boards\.py:(\d+): ", note)
    assert place is not None, note
    file = inspect.getsourcefile(boards)
    assert file is not None
    assert "1 << cell" in Path(file).read_text().splitlines()[int(place[1]) - 1]
    assert "does not fit" in note
