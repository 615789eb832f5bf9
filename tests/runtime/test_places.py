"""Rules wherever they are written: in `__main__`, in a notebook, in a file loaded by its path, in a file edited meanwhile."""

import importlib.util
import linecache
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import RulesError
from zermelo.runtime.backend import choose

RULES = """\
from dataclasses import dataclass
from typing import NamedTuple

from zermelo import Game


class Pile(NamedTuple):
    left: int
    turn: int


LARGEST = 3


def worth(pile):
    return 1 if pile.turn else -1


@dataclass(frozen=True)
class Subtraction(Game):
    size: int = 12

    def start(self):
        return Pile(self.size, 0)

    def player(self, pile):
        return pile.turn

    def actions(self, pile):
        for taken in range(1, LARGEST + 1):
            if taken <= pile.left:
                yield taken

    def result(self, pile, taken):
        return Pile(pile.left - taken, 1 - pile.turn)

    def terminal(self, pile):
        return pile.left == 0

    def utility(self, pile):
        return worth(pile)
"""

RUN = """\
from zermelo.runtime.backend import choose

choice = choose(Subtraction(), "compiled")
print("perft counts", choice.compiled.ready("perft").SHALLOW, choice.notes)
"""


def load(file: Path, name: str = "loaded_rules") -> Any:
    """A module from a path, as the command line loads a user's game."""
    specification = importlib.util.spec_from_file_location(name, file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


def notebook(number: int, cell: str, namespace: dict[str, Any]) -> None:
    """Run a cell as IPython does: its source is known to linecache alone."""
    name = f"<ipython-input-{number}-0123456789ab>"
    linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
    exec(compile(cell, name, "exec", dont_inherit=True), namespace)


def test_rules_in_main(tmp_path: Path) -> None:
    script = tmp_path / "play.py"
    script.write_text(RULES + RUN)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert "perft" in done.stdout


def test_rules_in_a_file_loaded_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "my game.py"
    file.write_text(RULES)
    assert choose(load(file).Subtraction(), "compiled").compiled is not None


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
def test_rules_in_a_notebook(future: str) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    notebook(1, future + RULES, namespace)
    game = namespace["Subtraction"]()
    first = choose(game, "compiled").compiled
    assert first is not None
    assert choose(game).compiled is first
    notebook(2, "def worth(pile):\n    return 5 if pile.turn else -5\n", namespace)  # the helper in a new cell
    again = choose(game, "compiled").compiled
    assert again is not first
    assert again is not None
    assert again.rules.utility(game.result(game.start(), 1)) == 5
    notebook(3, "LARGEST = 2\n", namespace)
    third = choose(game, "compiled").compiled
    assert third is not None
    assert third is not again
    assert third.rules.actions(game.start()) == [1, 2]


def test_an_error_in_a_notebook_names_the_cell() -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    notebook(7, RULES.replace("return Pile(pile.left - taken, 1 - pile.turn)", 'return Pile("ab", 1 - pile.turn)'), namespace)
    with pytest.raises(RulesError) as caught:
        choose(namespace["Subtraction"](), "compiled")
    assert caught.value.file == "<ipython-input-7-0123456789ab>"
    assert "TypeError" in caught.value.reason


def test_rules_without_source_are_refused_by_name() -> None:
    namespace: dict[str, Any] = {"__name__": "typed"}
    exec(compile(RULES.replace("1 - pile.turn", "1 + 0 - pile.turn"), "<stdin>", "exec", dont_inherit=True), namespace)
    choice = choose(namespace["Subtraction"]())
    assert choice.compiled is None
    assert "source" in choice.notes[0]


def test_a_file_edited_after_its_import_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "edited.py"
    file.write_text(RULES.replace("pile.left == 0", "pile.left <= 0"))
    game = load(file, "edited_rules").Subtraction(size=5)
    file.write_text(RULES.replace("pile.left == 0", "pile.left < 1"))
    with pytest.raises(RulesError, match="has changed in the file since it was imported"):
        choose(game, "compiled")


@pytest.mark.slow
def test_an_edited_helper_makes_another_entry(tmp_path: Path) -> None:
    helper, rules = tmp_path / "worth_helper.py", tmp_path / "with_helper.py"
    helper.write_text("def worth(pile):\n    return 1 if pile.turn else -1\n")
    start, end = RULES.index("def worth"), RULES.index("@dataclass")
    rules.write_text(RULES[:start] + "from worth_helper import worth\n\n\n" + RULES[end:])
    script = tmp_path / "run.py"
    script.write_text(
        "import sys\nfrom with_helper import Subtraction\nfrom zermelo.runtime.backend import choose\n"
        "print(choose(Subtraction(int(sys.argv[1])), 'compiled').compiled.identity('alphabeta'))\n"
    )

    def entry(size: int) -> str:
        return subprocess.run([sys.executable, str(script), str(size)], capture_output=True, text=True, check=True).stdout

    first = entry(6)
    assert entry(6) == first
    helper.write_text("def worth(pile):\n    return 2 if pile.turn else -2\n")
    assert entry(6) != first


def test_a_parameter_that_changes_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "mutable.py"
    file.write_text(RULES.replace("@dataclass(frozen=True)\n", "").replace("size: int = 12", "size = 12"))
    game = load(file, "mutable_rules").Subtraction()
    first = choose(game, "compiled").compiled
    game.size = 13
    second = choose(game, "compiled").compiled
    assert first is not None
    assert second is not None
    assert second is not first
    assert second.state(second.row(game.start())).left == 13
