"""Names → games: found where they are, spelled with literals only, and every mistake told in one sentence."""

import inspect
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from zermelo.errors import RulesError, ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.games.tictactoe import TicTacToe
from zermelo.registry import catalogue, find, names, properties, spell, summary
from zermelo.rules import Game

COUNTDOWN = '''"""Countdown: players take turns to take one or two; who takes the last wins."""
from dataclasses import dataclass
from typing import NamedTuple
from zermelo import Game

class Left(NamedTuple):
    left: int
    turn: int

@dataclass(frozen=True)
class Countdown(Game):
    """Take one or two."""
    size: int = 5
    payoffs = (-1, 1)
    def start(self): return Left(self.size, 0)
    def player(self, state): return state.turn
    def actions(self, state): yield from range(1, min(2, state.left) + 1)
    def result(self, state, action): return Left(state.left - action, 1 - state.turn)
    def terminal(self, state): return state.left == 0
    def utility(self, state): return 1 if state.turn == 1 else -1
'''


@pytest.fixture
def countdown(tmp_path: Path) -> Path:
    path = tmp_path / "countdown.py"
    path.write_text(COUNTDOWN)
    return path


def test_every_module_of_games_is_a_game_of_that_name() -> None:
    import zermelo.games

    files = {file.stem for folder in zermelo.games.__path__ for file in Path(folder).glob("*.py") if not file.stem.startswith("_")}
    assert files == set(names())
    assert {"tictactoe", "mnk", "connect4", "nim", "kqj", "threemoves", "twolevel", "pruning"} <= set(names())


@pytest.mark.parametrize("name", names())
def test_every_game_can_be_made_and_says_what_it_is(name: str) -> None:
    game = find(name)
    assert isinstance(game, Game)
    assert not game.terminal(game.start())
    assert len(summary(name)) > 10


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *(("2048", "twenty48"), ("liars_dice", "liarsdice"), ("Liar's Dice", "liarsdice"), ("tic-tac-toe", "tictactoe")),
        *(
            ("TicTacToe", "tictactoe"),
            ("Connect Four", "connect4"),
            ("nine men's morris", "ninemensmorris"),
            ("15-puzzle", "fifteenpuzzle"),
            ("Atomic Chess", "atomic"),
            ("four in a row", "connect4"),
        ),
    ],
)
def test_a_game_is_found_by_its_name_as_people_type_it(typed: str, name: str) -> None:
    assert find(typed) == find(name)
    assert summary(typed) == summary(name)


def test_no_two_names_are_alike() -> None:
    assert len({catalogue.fold(name) for name in names()}) == len(names())


def test_a_typed_name_takes_parameters() -> None:
    assert find("Connect Four(width=5)") == ConnectFour(width=5)


def test_parameters_reach_the_game() -> None:
    assert find("connect4(width=5,height=4)") == ConnectFour(width=5, height=4)
    assert find(" connect4( 5, height = 4 ) ") == ConnectFour(width=5, height=4)
    assert find("tictactoe(early=True)") == TicTacToe(early=True)


@pytest.mark.parametrize("text", ["connect4", "connect4(width=5)", "nim(heaps=(1, 2))", "tictactoe(early=True)"])
def test_spelling_is_the_inverse_of_finding(text: str) -> None:
    assert spell(find(text), text.partition("(")[0]) == text


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("conect4", "There is no game conect4: did you mean connect4?"),
        ("bridge_of_mars", "There is no game bridge_of_mars: there is "),
        ("connect4(widht=5)", "connect4 has no parameter widht: did you mean width?"),
        ("kqj(width=5)", "kqj takes no parameters."),
        ("connect4(5,4,3)", "connect4 takes width, height; 3 were given."),
        ("connect4(5,width=4)", "connect4 is given width twice."),
        ("connect4(width='wide')", "connect4's width must be a whole number, not 'wide'."),
        ("connect4(width=True)", "connect4's width must be a whole number, not True."),
        ("connect4(width=5.0)", "connect4's width must be a whole number, not 5.0."),
        ("nim(heaps=5)", "nim's heaps must be a tuple such as (3, 4, 5), not 5."),
        ("nim(heaps=(1,'two'))", "must be a whole number, not 'two'."),
        ("connect4(width=__import__('os'))", "cannot be read"),
        ("connect4(width=5", "is not a name"),
        ("connect4(**{})", "cannot be read"),
        ("", "is not a name"),
        ("connect4(width=0)", "at least 1 × 1"),
    ],
)
def test_a_wrong_name_or_parameter_gets_one_sentence(text: str, part: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        find(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_is_a_game(countdown: Path) -> None:
    assert find(f"{countdown}").start().left == 5
    assert find(f"{countdown}:Countdown(size=9)").start().left == 9
    assert find(f"{countdown}(9)").start().left == 9
    assert find(f"{countdown}:").start().left == 5


def test_a_file_is_known_to_inspect_and_read_again_after_an_edit(countdown: Path) -> None:
    first = find(str(countdown))
    assert "range(1, min(2, state.left) + 1)" in inspect.getsource(type(first).actions)
    assert sys.modules[type(first).__module__].__file__ == str(countdown.resolve())
    countdown.write_text(COUNTDOWN.replace("min(2,", "min(3,"))  # the same length within the same second
    second = find(str(countdown))
    assert list(second.actions(second.start())) == [1, 2, 3]
    assert "min(3," in inspect.getsource(type(second).actions)


def test_a_file_may_import_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_countdown.py").write_text("SIZE = 7\n")
    (tmp_path / "far.py").write_text("from neighbour_of_countdown import SIZE\n" + COUNTDOWN.replace("size: int = 5", "size: int = SIZE"))
    assert find(str(tmp_path / "far.py")).start().left == 7


def test_a_tree_in_a_file_is_a_game(tmp_path: Path) -> None:
    path = tmp_path / "mytree.py"
    path.write_text("from zermelo.trees.branches import Max\nfrom zermelo.trees.tree import Tree\nsmall = Tree.of(Max(Left=1, Right=2))\n")
    assert list(find(str(path)).actions(0)) == [0, 1]
    assert find(f"{path}:small") == find(str(path))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("class Broken(\n", "broken.py:1: this is not Python"),
        ("x = 1\nraise ValueError('no luck')\n", "broken.py:2: loading the file raises ValueError: no luck."),
        ("raise SystemExit(3)\n", "broken.py:1: loading the file raises SystemExit: 3."),
        ("import no_such_module_anywhere\n", "broken.py:1: loading the file raises ModuleNotFoundError"),
        ("x = 1\n", "has no game: it needs a class derived from zermelo.Game, or a Tree."),
        ("from zermelo import Game\nclass A(Game):\n  def start(self): return 0\n", "is not complete: its rules lack actions, player"),
        (COUNTDOWN + "class Other(Game):\n" + COUNTDOWN.partition("payoffs = (-1, 1)\n")[2], "has 2 games, Countdown, Other: choose one"),
        ("\0", "is not Python"),
    ],
)
def test_a_broken_file_names_the_file_and_the_line(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(ZermeloError) as caught:
        find(str(path))
    assert part in str(caught.value)
    assert "broken.py" in str(caught.value)


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "latin.py"
    path.write_bytes(b"name = '\xe9'\n")
    with pytest.raises(ZermeloError, match=r"latin\.py"):
        find(str(path))


def test_a_missing_file_names_its_neighbour(countdown: Path) -> None:
    with pytest.raises(ZermeloError, match=r"There is no file .*countdwn\.py: did you mean .*countdown\.py\?"):
        find(str(countdown.with_name("countdwn.py")))
    (countdown.parent / "folder.py").mkdir()
    with pytest.raises(ZermeloError, match="is a folder"):
        find(str(countdown.parent / "folder.py"))
    with pytest.raises(ZermeloError, match=r"has no game Countdwn: did you mean Countdown\?"):
        find(f"{countdown}:Countdwn")


def test_entry_points_add_games(monkeypatch: pytest.MonkeyPatch) -> None:
    offers = {
        "theirs": EntryPoint("theirs", "zermelo.games.nim:Nim", catalogue.GROUP),
        "module": EntryPoint("module", "zermelo.games.nim", catalogue.GROUP),
        "gone": EntryPoint("gone", "no_such_package:Game", catalogue.GROUP),
        "number": EntryPoint("number", "math:pi", catalogue.GROUP),
    }
    monkeypatch.setattr(catalogue, "entries", lambda: offers)
    assert {"theirs", "connect4"} <= set(names())
    assert find("theirs(heaps=(1, 1))") == find("nim(heaps=(1, 1))") == find("module((1, 1))")
    with pytest.raises(RulesError, match="The game gone of another package cannot be loaded from no_such_package:Game"):
        find("gone")
    with pytest.raises(RulesError, match="names math:pi, which is not a game"):
        find("number")


def test_listing_and_describing_games_load_no_numerics() -> None:
    program = (
        "import sys; from zermelo.registry import names, summary, find, properties\n"
        "[summary(name) for name in names()]; properties(find('tictactoe'))\n"
        "print([name for name in ('llvmlite', 'numpy', 'scipy', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- properties: declared by the rules, or verified by looking

KNOWN = [
    # game, property, value, status, why
    ("tictactoe", "size", 5478, "verified", "states of tic-tac-toe, recomputed by many"),
    ("tictactoe", "finite", True, "verified", "at most nine marks"),
    ("tictactoe", "chance", False, "verified", "no dice"),
    ("tictactoe", "sum", "zero", "declared", "one number, so the other payoff follows"),
    ("tictactoe", "players", 2, "verified", "X and O"),
    ("connect4", "size", None, "verified", "more than the budget"),
    ("connect4", "finite", None, "unknown", "not all states were seen"),
    ("connect4", "chance", False, "declared", "not all states were seen"),
    ("connect4", "discrete", True, "declared", "not all states were seen"),
    ("kuhn", "chance", True, "verified", "cards are dealt"),
    ("kuhn", "information", "hidden", "verified", "the other's card"),
    ("kuhn", "size", 58, "verified", "histories with cards dealt one at a time"),
    ("pig", "chance", True, "verified", "a die"),
    ("pig", "sum", "constant", "declared", "winning chances add up to 1"),
    ("threenim", "players", 3, "verified", "three players"),
    ("kqj", "information", "perfect", "verified", "every information set of the tree is one node"),
    ("kqj", "size", 9, "verified", "nodes of the OpenGenus article's tree"),
    ("eightpuzzle", "sum", "single", "declared", "one player"),
    ("ponghauki", "finite", True, "verified", "a state that returns is a draw"),
]


@pytest.mark.parametrize(("name", "property_name", "value", "status", "why"), KNOWN)
def test_properties(name: str, property_name: str, value: object, status: str, why: str) -> None:
    answer = next(answer for answer in properties(find(name)) if answer.name == property_name)
    assert (answer.value, answer.status) == (value, status), why


class Wheel(Game):
    """A game that goes round forever, and pays what it does not declare."""

    def start(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return 0 if state < 5 else 1

    def actions(self, state: int) -> list[int]:
        return [0, 1]

    def result(self, state: int, action: int) -> int:
        return state + 1 if action and state < 6 else 0 if state < 6 else state

    def terminal(self, state: int) -> bool:
        return state == 6

    def utility(self, state: int) -> tuple[int, int]:
        return (1, 1)


def test_a_cycle_is_found_and_a_false_declaration_is_not_called_verified() -> None:
    found = {answer.name: answer for answer in properties(Wheel())}
    assert (found["finite"].value, found["finite"].status) == (False, "verified")
    assert found["sum"].status == "declared"
    assert found["size"].value == 7


@pytest.mark.parametrize(("other", "name"), catalogue.OTHER_NAMES.items())
def test_other_names_of_a_game_lead_to_it(other: str, name: str) -> None:
    assert catalogue.fold(other) == other
    assert other not in {catalogue.fold(known) for known in names()}
    assert catalogue.registered(other) == name in names()
