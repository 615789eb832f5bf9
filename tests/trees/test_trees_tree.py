"""Trees written by hand: what they hold, and how faults are named."""

import subprocess
import sys
from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest

from zermelo import CHANCE, MAX, MIN, ZermeloError
from zermelo.games.kqj import KQJ
from zermelo.rules import hidden_information, legal_actions, probabilities
from zermelo.trees import Chance, Leaf, Max, Min, Player, Tree
from zermelo.trees.builder import TreeBuilder

NAN, INFINITY = float("nan"), float("inf")


def test_a_tree_is_a_game() -> None:
    tree = Tree.of(Max(Left=Min(Left=5, Right=1), Right=Min(Left=-3, Right=6)))
    assert tree.start() == 0
    assert tree.player(0) == MAX
    assert [tree.name(0, action) for action in tree.actions(0)] == ["Left", "Right"]
    right = tree.result(0, 1)
    assert tree.player(right) == MIN
    assert not tree.terminal(right)
    end = tree.result(right, 0)
    assert tree.terminal(end)
    assert tree.utility(end) == -3
    assert tree.payoffs == (-6, 6)
    assert (tree.players, tree.total, len(tree)) == (2, 0, 7)


def test_nodes_are_numbered_depth_first() -> None:
    assert KQJ.labels == ("P1A", "P2A", "E1", "P1B", "E2", "E3", "P2B", "E4", "E5")
    assert [KQJ.labels[parent] for parent in KQJ.parents[1:]] == ["P1A", "P2A", "P2A", "P1B", "P1B", "P1A", "P2B", "P2B"]
    assert KQJ.path(5) == [0, 1, 1]
    assert KQJ.place(5) == "node E3 (after CHECK, BET, CALL)"


def test_children_by_keyword_by_mapping_and_by_position() -> None:
    tree = Tree.of(Max(1, {"raise 2": 2, "label": 3}, Last=4))
    assert [tree.name(0, action) for action in tree.actions(0)] == ["1", "raise 2", "label", "Last"]
    assert [tree.utility(tree.result(0, action)) for action in tree.actions(0)] == [1, 2, 3, 4]


def test_chance_keeps_weights_as_they_are_written() -> None:
    tree = Tree.of(Chance(red=(1, 5), black=(2, -1)))
    assert tree.player(0) == CHANCE
    assert list(tree.chances(0)) == [(0, 1), (1, 2)]
    assert legal_actions(tree, 0) == [0, 1]
    assert probabilities([weight for _, weight in tree.chances(0)]) == pytest.approx([1 / 3, 2 / 3])
    third = Tree.of(Chance(red=(Fraction(1, 3), 5), black=(Fraction(2, 3), -1)))
    assert dict(third.chances(0)) == {0: Fraction(1, 3), 1: Fraction(2, 3)}


@pytest.mark.parametrize(
    ("root", "players", "total", "utility"),
    [
        (Max(a=5), 2, 0, 5),
        (Max(a=(5, -5)), 2, 0, 5),
        (Max(a=(5, -4)), 2, 1, 5),
        (Player(1, a=(5, -4), b=(0, 0)), 2, None, (5, -4)),
        (Player(3, a=(1, 2, 3), b=(3, 2, 1)), 3, 6, (1, 2, 3)),
        (Player(3, a=(1, 2, 3), b=(0, 0, 0)), 3, None, (1, 2, 3)),
        (Leaf(7), 2, 0, 7),
    ],
)
def test_players_and_total_are_read_off_the_payoffs(root: object, players: int, total: object, utility: object) -> None:
    tree = Tree.of(root)
    assert (tree.players, tree.total) == (players, total)
    assert tree.utility(1 if len(tree) > 1 else 0) == utility


def test_one_player_pays_nothing_for_actions_by_hand() -> None:
    tree = Tree.of(Max(a=5, b=7), players=1)
    assert tree.utility(1) == 5
    assert tree.cost is not None
    assert tree.cost(0, 1) == 0
    assert KQJ.cost is None


def test_constant_sum_gives_min_the_rest() -> None:
    tree = Tree.of(Max(a=0.25, b=1), total=1)
    assert tree.utilities[1:] == ((0.25, 0.75), (1, 0))


def test_information_sets() -> None:
    hand = {
        "a": Max(information="J", bet=1, fold=-1),
        "b": Max(information="J", bet=-2, fold=-1),
        "c": Max(information="K", bet=2, fold=-1),
    }
    tree = Tree.of(Chance({name: (1, branch) for name, branch in hand.items()}))
    assert not tree.perfect_information
    assert hidden_information(tree)
    first, second, third = (tree.result(0, action) for action in range(3))
    assert tree.information(first, MAX) == tree.information(second, MAX) != tree.information(third, MAX)
    assert tree.name_information(tree.information(second, MAX)) == "J"
    assert tree.information(first, MIN) == tree.information(0, MIN) == ()
    after = tree.result(second, 0)
    assert tree.information(after, MAX) == (first, 0)
    assert tree.name_information((first, 0)) == "J, bet"


def test_a_tree_whose_sets_are_single_nodes_hides_nothing() -> None:
    tree = Tree.of(Max(information="root", a=Min(information="left", a=1), b=2))
    assert tree.perfect_information
    assert not hidden_information(tree)
    assert tree.information(1, MIN) == 1


def test_boards_are_there_only_where_a_tree_has_them() -> None:
    assert KQJ.board is None
    builder = TreeBuilder()
    root = builder.branch(-1, "", MAX)
    builder.boards[root] = {"kind": "piles", "piles": [1, 2]}
    builder.end(root, "take", 1)
    tree = builder.tree()
    assert tree.board is not None
    assert tree.board(0) == {"kind": "piles", "piles": [1, 2]}
    assert tree.board(1) is None


def test_trees_are_frozen_equal_and_hashable() -> None:
    one, other = Tree.of(Max(a=1, b=2)), Tree.of(Max(a=1, b=2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Tree.of(Max(a=1, b=3))
    with pytest.raises(FrozenInstanceError):
        one.players = 3  # type: ignore[misc]
    assert repr(KQJ) == "Tree(The K-Q-J bluff: 9 nodes, 5 leaves, 2 players)"


FAULTS = [
    (lambda: Max(a=Min(b=Max(), c=1)), "A payoff is missing at the node after a, b, where the game ends."),
    (lambda: Max(a=Min({"x": 1}, x=2)), "Two actions at the node after a have the label 'x'; give each its own."),
    (lambda: Max({"": 2}), "An action at the root has an empty label; give it a name."),
    (lambda: Max(a=Leaf(NAN, label="E1")), "The payoff at node E1 (after a) is nan; payoffs must be finite numbers."),
    (lambda: Max(a=1, b=-INFINITY), "The payoff at the node after b is -inf; payoffs must be finite numbers."),
    (lambda: Max(a="much"), "The payoff at the node after a is 'much', which is not a number."),
    (lambda: Max(a=True), "The payoff at the node after a is True, which is not a number."),
    (lambda: Player(3, a=(1, 2, 3), b=(1, 2)), "There are 2 payoffs at the node after b, but the tree has 3 players; give one each."),
    (lambda: Player(3, a=1), "There is 1 payoff at the node after a, but the tree has 3 players; give one each."),
    (
        lambda: Chance(a=(0.5, 1), b=(0.6, 2)),
        "The chance weights at the root add up to 1.1; weights that are not all whole must add up to 1.",
    ),
    (lambda: Chance(a=(Fraction(1, 3), 1), b=(Fraction(1, 3), 2)), "The chance weights at the root add up to 2/3; weights"),
    (lambda: Chance(a=(-1, 1), b=(2, 2)), "A chance weight at the root is -1; weights are numbers of at least 0."),
    (lambda: Chance(a=(NAN, 1), b=(2, 2)), "A chance weight at the root is nan; weights are numbers of at least 0."),
    (lambda: Max(a=Chance(a=(0, 1), b=(0, 2))), "The chance weights at the node after a are all 0; at least one outcome must be possible."),
    (
        lambda: Chance(a=(1, Max(information="J", bet=1)), b=(1, Max(information="J", fold=1))),
        "The information set 'J' holds nodes with different actions: bet at the node after a, but fold at the node after b.",
    ),
]


@pytest.mark.parametrize(("root", "sentence"), FAULTS)
def test_every_fault_is_one_sentence_that_names_the_node(root: object, sentence: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        Tree.of(root())  # type: ignore[operator]
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_nodes_of_two_players_never_share_an_information_set() -> None:
    tree = Tree.of(Chance(a=(1, Max(information="J", bet=1)), b=(1, Min(information="J", bet=1))))
    assert tree.perfect_information


def test_faults_of_single_branches() -> None:
    with pytest.raises(ZermeloError, match="the outcome 'a' must be a pair"):
        Chance(a=3)
    with pytest.raises(ZermeloError, match="players are numbered 1, 2"):
        Player(0, a=3)
    with pytest.raises(ZermeloError, match="add up to 3, but the tree's total is 0"):
        Tree.of(Max(a=(1, 2)), total=0)
    with pytest.raises(ZermeloError, match="player 3 moves, but the tree has 2 players"):
        Tree.of(Player(3, a=1), players=2)
    with pytest.raises(ZermeloError, match="is not an end of the game"):
        KQJ.utility(0)


def test_one_hundred_thousand_levels() -> None:
    root: object = 1
    for level in range(100_000):
        root = (Max, Min)[level % 2](on=root, off=0)
    tree = Tree.of(root)
    assert len(tree) == 200_001
    assert len(tree.path(tree.children.index((), 100_000))) <= 100_000
    deepest = 0
    while not tree.terminal(deepest):
        deepest = tree.result(deepest, 0)
    assert tree.place(deepest) == "the node after on, on, on, … 99994 more …, on, on, on"


def test_small_trees_never_load_the_compiler() -> None:
    script = (
        "import sys\n"
        "from zermelo.games.kqj import KQJ\n"
        "from zermelo.search.classic.alphabeta import AlphaBeta\n"
        "from zermelo.trees import BackwardInduction\n"
        "assert AlphaBeta().search(KQJ).value == BackwardInduction().search(KQJ).value == -1\n"
        "assert 'llvmlite' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
