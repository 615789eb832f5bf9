"""Gambit's .efg files: what the format allows, round trips, and faults with line and column."""

import os
from fractions import Fraction
from pathlib import Path

import pytest

from zermelo.errors import ZermeloError
from zermelo.formats.efg import read_efg, tree_from_efg, tree_to_efg, write_efg
from zermelo.registry import find
from zermelo.rules import CHANCE
from zermelo.trees.branches import Chance, Leaf, Max, Min, Player
from zermelo.trees.tree import Tree
from zermelo.trees.unfolding import unfold

REPOSITORY = Path(__file__).resolve().parent.parent.parent
DATA = REPOSITORY / "tests" / "data" / "gambit"
TRUTH = Path(os.environ.get("ZERMELO_TRUTH", REPOSITORY.parent / "shared" / "truth"))

POKER = """EFG 2 R "Stripped-down poker" { "Alice" "Bob" }
"One card. A comment in quotes,
over two lines."

c "deal" 1 "" { "King" 1/2, "Queen" 0.5 } 1 "Ante" { -1, -1 }
p "" 1 1 "king" { "Bet" "Fold" } 0
p "" 2 1 "bob" { "Call" "Fold" } 3 "Alice bets" { -1 0 }
t "" 6 "Bob calls and loses" { 4, -1, }
t "won" 4 "Bob folds" { 3, 0 }
t "" 2 "Alice folds" { 0, 2 }
p "" 1 2 "queen" { "Bet" "Fold" } 0
p "" 2 1 3
t "" 5 "Bob calls and wins" { 0, 3 }
t "" 4
t "" 2
"""


def test_everything_the_format_allows() -> None:
    tree = tree_from_efg(POKER)
    assert tree.title == "Stripped-down poker"
    assert tree.names == ("Alice", "Bob")
    assert tree.movers[0] == CHANCE
    assert tree.weights[1] == tree.weights[6] == Fraction(1, 2)
    ends = [payoffs for payoffs in tree.utilities if payoffs is not None]
    assert ends == [(2, -2), (1, -1), (-1, 1), (-2, 2), (1, -1), (-1, 1)]  # outcomes on the way added up
    assert tree.total == 0
    assert tree.informations[2] == tree.informations[7] == "bob"
    assert not tree.perfect_information
    assert tree.labels[4] == "won"
    assert tree.labels[3] == "Bob calls and loses"


def test_numbers_are_kept_exactly() -> None:
    text = (
        'EFG 2 D "" { "a" }\np "" 1 1 "" { "x" "y" "z" } 0\nt "" 1 "" { 1/3 }\nt "" 2 "" { -.5e1 }\nt "" 3 "" { 99999999999999999999/7 }\n'
    )
    assert [payoffs for payoffs in tree_from_efg(text).utilities if payoffs] == [
        (Fraction(1, 3),),
        (-5,),
        (Fraction(99999999999999999999, 7),),
    ]


def test_labels_are_made_lawful() -> None:
    tree = tree_from_efg('EFG 2 R "q \\" q" { "a" }\np "" 1 1 { "" "L" "L" } 0\nt "" 0\nt "" 0\nt "" 0\n')
    assert tree.title == 'q " q'
    assert tree.choices[1:] == ("1", "L", "L (2)")
    assert tree.utilities[1] == (0,)


def test_sets_are_numbered_for_each_player() -> None:
    text = """EFG 2 R "" { "a" "b" }
p "" 1 1 "same" { "l" "r" } 0
p "" 2 1 "" { "l" "r" } 0
t "" 1 "" { 1 1 }
p "" 1 2 "same" { "l" "r" } 0
t "" 1
t "" 1
p "" 2 1 "" { "l" "r" } 0
t "" 1
t "" 1
"""
    tree = tree_from_efg(text)
    assert tree.informations[0] == "same"
    assert tree.informations[3] == "same #2"
    assert tree.informations[1] == tree.informations[6] == "2:1"


HAND_MADE = [
    Tree.of(Max(Left=Min(Left=5, Right=1), Right=Min(Left=-3, Right=6)), title="two levels"),
    Tree.of(Chance(a=(Fraction(1, 3), Max(x=1, y=Leaf(2, label="end"))), b=(Fraction(2, 3), Min({"raise 2": 0, 'say "go"': 4})))),
    Tree.of(
        Player(1, l=Player(2, information="hidden", a=(1, 2, 3), b=(4, 5, 6)), r=Player(2, information="hidden", a=(0, 0, 1), b=(1, 1, 1)))
    ),
    Tree.of(Player(1, a=(Fraction(1, 7),), b=(2,)), players=1),
    Tree.of(3),
]


@pytest.mark.parametrize("tree", HAND_MADE, ids=repr)
def test_round_trip_of_trees(tree: Tree) -> None:
    assert tree_from_efg(tree_to_efg(tree)) == tree


@pytest.mark.parametrize("name", ["kuhn", "rockpaperscissors", "kqj", "twoworlds", "threenim"])
def test_games_become_files_and_come_back_the_same(name: str) -> None:
    text = tree_to_efg(unfold(find(name)))
    assert tree_to_efg(tree_from_efg(text)) == text
    assert len(tree_from_efg(text)) == len(unfold(find(name)))


def test_files(tmp_path: Path) -> None:
    tree = tree_from_efg(POKER)
    write_efg(tree, tmp_path / "poker.efg")
    assert read_efg(tmp_path / "poker.efg") == tree
    with pytest.raises(ZermeloError, match="cannot be read"):
        read_efg(tmp_path / "missing.efg")
    with pytest.raises(ZermeloError, match="cannot be written"):
        write_efg(tree, tmp_path / "no folder" / "poker.efg")
    (tmp_path / "latin.efg").write_bytes('EFG 2 R "Bj\xf6rn" { "a" }\nt "" 0\n'.encode("latin-1"))
    assert read_efg(tmp_path / "latin.efg").title == "Björn"


@pytest.mark.parametrize(
    ("find_text", "put", "sentence"),
    [
        ("EFG 2", "NFG 1", "line 1, column 1: this is no .efg file"),
        ("EFG 2", "EFG 3", "line 1, column 5: version 3"),
        ('"Alice"', "Alice", "line 1, column 33: there is 'Alice' where the players' names in quotes should be"),
        ("0.5 }", "0.25 }", "line 5, column 15: the probabilities add up to 3/4, not to 1"),
        ("1/2,", "-1/2,", "line 5, column 24: the probability -1/2 is below 0"),
        ("1/2,", "1/0,", "line 5, column 24: 1/0 divides by 0"),
        ("1/2,", "half,", "line 5, column 24: there is 'half' where the probability of 'King' should be"),
        ("{ 4, -1, }", "{ 4 }", "line 8, column 30: the game has 2 players, but the number of payoffs here is 1"),
        ('p "" 1 2', 'p "" 3 2', "line 11, column 6: there is no player 3: the game has 2"),
        ('t "" 4\n', 't "" 9\n', "line 14, column 6: the payoffs of outcome 9 are not given here"),
        ('p "" 2 1 3\n', 'p "" 2 7 3\n', "line 12, column 8: the actions of information set 7 are not given here"),
        ('p "" 2 1 3\n', 'p "" 2 1 "" { "Call" } 3\n', "line 12, column 8: information set 1 has 1 actions here, but 2"),
        ('t "" 4\nt "" 2\n', 't "" 4\n', "line 15, column 1: the file is cut off: the tree needs 1 more node"),
        ('t "" 4\nt "" 2\n', 't "" 4\nt "" 2\nt "" 2\n', "line 16, column 1: the tree is complete, but the file goes on"),
        ('"won"', '"won', "a quoted text begins here and does not end|should be"),
        ('t "won"', 'x "won"', "line 9, column 1: there is 'x' where a node should begin"),
        ('2 "Alice folds" { 0, 2 }', '0 "" { 0, 2 }', "line 10, column 6: outcome 0 means that there is none"),
        ('4 "Bob folds" { 3, 0 }', '6 "" { 3, 0 }', "line 9, column 9: outcome 6 has other payoffs here"),
    ],
)
def test_faults_name_line_and_column(find_text: str, put: str, sentence: str) -> None:
    assert find_text in POKER
    with pytest.raises(ZermeloError, match=sentence):
        tree_from_efg(POKER.replace(find_text, put, 1))


@pytest.mark.parametrize("length", range(0, len(POKER) - 8, 17))
def test_a_file_cut_anywhere_is_refused_in_one_sentence(length: int) -> None:
    with pytest.raises(ZermeloError, match=r"the text, line \d+, column \d+: "):
        tree_from_efg(POKER[:length])


@pytest.mark.parametrize("file", sorted(DATA.glob("*.efg")), ids=lambda file: file.stem)
def test_our_own_files_are_stable(file: Path) -> None:
    assert tree_to_efg(read_efg(file)) == file.read_text(encoding="utf-8")


@pytest.mark.skipif(not TRUTH.is_dir(), reason="the folder with Gambit's and OpenSpiel's own files is not here; set ZERMELO_TRUTH")
@pytest.mark.parametrize("file", sorted(TRUTH.glob("**/*.efg")), ids=lambda file: file.stem)
def test_files_of_other_programs(file: Path) -> None:
    tree = read_efg(file)
    assert tree_from_efg(tree_to_efg(tree)) == tree
