"""The hash of rules: whatever decides positions changes it, in whichever file it is written; where the files lie does not."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from zermelo.registry import find
from zermelo.rules import Game
from zermelo.runtime.identity import rules_hash, rules_texts
from zermelo.runtime.own_files import is_own
from zermelo.trees import Max, Tree
from zermelo.weights.weights_file import identity_of

TAKE = '''"""Players take turns to take counters; who takes the last wins."""
from dataclasses import dataclass
from typing import NamedTuple
from zermelo import Game
{imports}

class Left(NamedTuple):
    left: int
    turn: int

def cap(left: int) -> int:
    return {most}

@dataclass(frozen=True)
class Take(Game):
    counters: int = 7
    def start(self): return Left(self.counters, 0)
    def player(self, state): return state.turn
    def actions(self, state): yield from range(1, cap(state.left) + 1)
    def result(self, state, action): return Left(state.left - action, 1 - state.turn)
    def terminal(self, state): return state.left == 0
    def utility(self, state): return 1 if state.turn == 1 else -1
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose modules are forgotten afterwards, as is its place on the path."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # Python takes a file that is changed within a second for the old one
    path, modules = list(sys.path), set(sys.modules)
    yield tmp_path
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        files = [getattr(sys.modules[name], "__file__", None) or "", *getattr(sys.modules[name], "__path__", ())]
        if any(file.startswith(str(tmp_path)) for file in files):
            del sys.modules[name]


def take(path: Path, imports: str = "", most: str = "min(left, 2)") -> Game:
    path.parent.mkdir(exist_ok=True)
    path.write_text(TAKE.format(imports=imports, most=most))
    return find(f"{path}:Take")


def hashes(game: Game) -> tuple[str, str]:
    return rules_hash(game, False), identity_of(game)


def test_two_trees_are_told_apart_by_their_payoffs() -> None:
    assert rules_hash(Tree.of(Max(left=1, right=2))) != rules_hash(Tree.of(Max(left=1, right=3)))


IMPORTS = [
    # how the file imports, how it uses that, and the files beside it; the number 3 is in the last of these
    ("from limits import MOST", "min(left, MOST['take'])", {"limits.py": "MOST = {'take': 3}"}),
    ("import limits", "min(left, limits.MOST['take'])", {"limits.py": "MOST = {'take': 3}"}),
    ("from limits import *", "min(left, MOST['take'])", {"limits.py": "MOST = {'take': 3}"}),
    ("from table import MOST", "min(left, MOST['take'])", {"table.py": "from limits import MOST", "limits.py": "MOST = {'take': 3}"}),
    ("from house.rules import most", "most({}, left)", {"house/rules.py": "def most(_, left): return min(left, 3)"}),
    ("from house import rules", "rules.most({}, left)", {"house/rules.py": "def most(_, left): return min(left, 3)"}),
    (
        "import house.rules",
        "min(left, house.rules.MOST['take'])",
        {"house/__init__.py": "", "house/rules.py": "from .limits import MOST", "house/limits.py": "MOST = {'take': 3}"},
    ),
]


@pytest.mark.parametrize(("imports", "most", "files"), IMPORTS)
def test_a_changed_file_that_rules_import_is_another_hash(folder: Path, imports: str, most: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    last = folder / list(files)[-1]
    first = hashes(take(folder / "game.py", imports, most))
    last.write_text(f'"""Limits."""\n{last.read_text()}  # of the house\n')
    assert hashes(find(f"{folder / 'game.py'}:Take")) == first
    last.write_text(last.read_text().replace("3", "2"))
    changed = hashes(find(f"{folder / 'game.py'}:Take"))
    assert all(one != other for one, other in zip(first, changed, strict=True))


def test_an_import_inside_a_rule_counts_before_it_has_run(folder: Path) -> None:
    (folder / "limits.py").write_text("MOST = {'take': 3}")
    game = take(folder / "game.py", most="__import__('limits').MOST['take']", imports="def later():\n    from limits import MOST")
    first = rules_hash(game, False)
    (folder / "limits.py").write_text("MOST = {'take': 2}")
    assert rules_hash(find(f"{folder / 'game.py'}:Take"), False) != first
    assert "limits" not in sys.modules


def test_a_hash_does_not_see_the_neighbour_of_another_game(folder: Path) -> None:
    games = []
    for place in ("one", "other"):
        (folder / place).mkdir()
        (folder / place / "limits.py").write_text(f"MOST = {{'take': {len(place)}}}")
        games.append(take(folder / place / "game.py", "from limits import MOST", "min(left, MOST['take'])"))
    one, other = games
    alone = rules_hash(one, False)
    (folder / "other" / "limits.py").write_text("MOST = {'take': 1}")
    assert rules_hash(find(f"{folder / 'one' / 'game.py'}:Take"), False) == alone != rules_hash(other, False)


def test_libraries_are_not_the_users() -> None:
    import dataclasses

    import numpy

    import zermelo.rules

    assert is_own(__file__)
    assert not any(is_own(str(module.__file__)) for module in (dataclasses, numpy, zermelo.rules))


@pytest.mark.parametrize("most", ["min(left, 2)", "min(left, {'take': 2}['take'])"], ids=["bound", "not bound"])
def test_the_hash_does_not_depend_on_where_the_file_lies_and_how_it_is_called(folder: Path, most: str) -> None:
    here = take(folder / "here" / "game.py", most=most)
    copies = [take(folder / place, most=most) for place in ("there/game.py", "here/other.py", "here/2048.py", "here/my-game.py")]
    assert {hashes(game) for game in copies} == {hashes(here)}
    assert hashes(take(folder / "there" / "game.py", most=most.replace("2", "3"))) != hashes(here)


def test_a_game_that_is_imported_by_name_has_the_hash_of_its_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = take(folder / "imported_take.py")
    monkeypatch.syspath_prepend(str(folder))
    import imported_take  # type: ignore[import-not-found]

    assert rules_hash(imported_take.Take(), False) == rules_hash(game, False)


def test_files_of_one_name_are_not_confused(folder: Path) -> None:
    two, three = take(folder / "two" / "game.py"), take(folder / "three" / "game.py", most="min(left, 3)")
    assert rules_hash(two, False) != rules_hash(three, False)
    assert [list(game.actions(game.start())) for game in (two, three)] == [[1, 2], [1, 2, 3]]
    assert rules_hash(two, False) == rules_hash(take(folder / "again" / "game.py"), False)


def test_names_that_only_knowledge_uses_do_not_count(folder: Path) -> None:
    known = take(folder / "known.py")
    path = folder / "ordered.py"
    text = TAKE.format(imports="TWO = (2, 1)", most="min(left, (2, 1)[0])")
    path.write_text(text)
    plain = find(f"{path}:Take")
    path.write_text(text + "    def order(self, state, action): return TWO[action - 1]\n")
    assert rules_hash(find(f"{path}:Take"), False) == rules_hash(plain, False)
    assert rules_texts(known, ["terminal"]) == rules_texts(plain, ["terminal"])
