"""Trees as data and JSON: the file against its re-reading, and every fault of a file."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from small_trees import trees

from zermelo import MAX, ZermeloError
from zermelo.formats.json import read_tree, tree_from_json, tree_to_json, write_tree
from zermelo.games.kqj import KQJ
from zermelo.games.kuhn import Kuhn
from zermelo.games.pruning import PRUNING
from zermelo.games.tictactoe import TicTacToe
from zermelo.trees import Chance, Max, Tree, tree_from_data, tree_to_data, unfold
from zermelo.trees.builder import TreeBuilder

THIRDS = Tree.of(Chance(a=(Fraction(1, 3), Max(x=Fraction(1, 7), y=0.5)), b=(Fraction(2, 3), 2)), title="Thirds")


@pytest.mark.parametrize("tree", [KQJ, PRUNING, THIRDS, unfold(Kuhn()), unfold(Kuhn(players=3), depth=5), unfold(TicTacToe(), depth=2)])
def test_a_file_is_read_as_it_was_written(tree: Tree) -> None:
    again = tree_from_json(tree_to_json(tree))
    assert again == tree
    assert again.perfect_information == tree.perfect_information
    assert again.judged == tree.judged
    if tree.board is not None:
        assert again.board is not None
        assert [again.board(node) for node in range(len(tree))] == [tree.board(node) for node in range(len(tree))]


@given(trees(players=3, total=None))
def test_any_tree_is_read_as_it_was_written(tree: Tree) -> None:
    assert tree_from_json(tree_to_json(tree, indent=None)) == tree


def test_rationals_stay_exact() -> None:
    data = tree_to_data(THIRDS)
    assert data["root"]["weights"] == {"a": "1/3", "b": "2/3"}
    assert data["root"]["actions"]["a"]["actions"] == {"x": "1/7", "y": 0.5}
    assert tree_from_data(data).utility(2) == Fraction(1, 7)


def test_files(tmp_path: Path) -> None:
    write_tree(KQJ, tmp_path / "kqj.json")
    assert read_tree(tmp_path / "kqj.json") == KQJ
    with pytest.raises(ZermeloError, match=r"absent\.json cannot be read: No such file or directory"):
        read_tree(tmp_path / "absent.json")
    with pytest.raises(ZermeloError, match="cannot be written"):
        write_tree(KQJ, tmp_path / "absent" / "kqj.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ZermeloError, match="not UTF-8 text"):
        read_tree(tmp_path / "bytes.json")


def test_deep_trees_come_with_named_nodes() -> None:
    builder, above = TreeBuilder(), -1
    for level in range(20_000):
        above = builder.branch(above, "on" if level else "", MAX)
        builder.end(above, "off", level % 5)
    builder.end(above, "on", 9)
    tree = builder.tree()
    data = tree_to_data(tree)
    assert len(data["nodes"]) == 19_999
    assert tree_from_json(json.dumps(data)) == tree


def test_hand_written_short_forms() -> None:
    tree = tree_from_json('{"root": {"player": "max", "actions": {"go": [3, 4], "stay": [1, 1]}}}')
    assert (tree.players, tree.total) == (2, None)
    assert tree_from_json('{"total": null, "root": {"player": 1, "actions": {"go": [3, -3]}}}').total is None
    assert tree_from_json('{"root": 5}').utility(0) == 5


def leaf(**fields: Any) -> dict[str, Any]:
    return {"root": {"player": "Max", "actions": {"a": {"player": "Min", "actions": {"b": fields or None}}}}}


BROKEN = [
    ('{"root":\n  {"player" "Max"}}', "the text is not JSON: ", ["line 2, column 13"]),
    ("", "the text is not JSON: expecting value in line 1, column 1", []),
    ('{"root": {"player": "Max", "actions": {"a": 1, "a": 2}}}', "Two actions at the root have the label 'a'; give each its own.", []),
    ('{"root": {"player": "Max", "actions": {"a": NaN}}}', "The payoff at the node after a is nan; payoffs must be finite numbers.", []),
    ("[1, 2]", 'A tree needs a "root"', []),
    (leaf(), "A payoff is missing at the node after 'b' at the node after a", []),
    (leaf(label="E1"), "A payoff is missing at the node after 'b' at the node after a", []),
    (leaf(payoff="one"), "The payoff at the node after 'b' at the node after a is 'one', which is not a number", []),
    (leaf(payoff="1/0"), "The payoff at the node after 'b' at the node after a is '1/0', which is not a number", []),
    (leaf(payof=1), "There is an unknown entry 'payof' at the node after 'b' at the node after a: did you mean payoff?", []),
    ({"root": 1, "player": 3}, "There is an unknown entry 'player' at the tree: did you mean players?", []),
    ({"root": 1, "players": "two"}, "`players` of the tree is 'two', which is not a whole number.", []),
    ({"root": {"player": "Nobody", "actions": {"a": 1}}}, "`player` at the root is 'Nobody'; write", ["Max", "Chance"]),
    ({"root": {"actions": {"a": 1}}}, "`player` at the root is None; write", []),
    ({"root": {"player": "Max", "actions": {}}}, "There is no action at the root; an end has a `payoff` instead.", []),
    ({"root": {"player": "Max", "actions": [1]}}, "`actions` at the root must be an object", []),
    ({"root": {"player": "Chance", "actions": {"a": 1}}}, "The weight of 'a' is missing at the root: chance needs `weights`", []),
    ({"root": {"player": "Chance", "actions": {"a": 1}, "weights": {"b": 1}}}, "`weights` at the root has 'b', which is not an action", []),
    ({"root": {"node": "p"}, "nodes": {"q": 1}}, "`nodes` does not have 'p', which is the root: there is q.", []),
    (
        {"root": {"player": "Max", "actions": {"a": {"node": "p"}, "b": {"node": "p"}}}, "nodes": {"p": {"payoff": 1}}},
        "The node 'p' has two parents, the root and the root; a tree's node has one, so write it twice.",
        [],
    ),
    (
        {
            "root": {"player": "Max", "actions": {"a": {"node": "p"}}},
            "nodes": {"p": {"player": "Min", "actions": {"b": {"node": "q"}}}, "q": {"player": "Max", "actions": {"c": {"node": "p"}}}},
        },
        "The tree has a cycle: the node after 'c' at the node after a, b is p, one of the nodes that led there.",
        [],
    ),
]


@pytest.mark.parametrize(("source", "sentence", "parts"), BROKEN)
def test_every_fault_of_a_file_is_one_sentence(source: Any, sentence: str, parts: list[str]) -> None:
    with pytest.raises(ZermeloError) as caught:
        tree_from_json(source if isinstance(source, str) else json.dumps(source))
    assert str(caught.value).startswith(sentence)
    assert all(part in str(caught.value) for part in parts)
    assert "\n" not in str(caught.value)


def test_data_that_contains_itself_is_a_cycle_and_shared_data_is_not() -> None:
    node: dict[str, Any] = {"player": "Max", "actions": {"on": 1}}
    node["actions"]["again"] = node
    with pytest.raises(ZermeloError, match="The tree has a cycle: the node after 'again' at the root is one of the nodes"):
        tree_from_data({"root": node})
    shared = {"player": "Min", "actions": {"x": 1, "y": 2}}
    assert len(tree_from_data({"root": {"player": "Max", "actions": {"a": shared, "b": shared}}})) == 7


def test_nesting_that_no_reader_of_json_can_follow() -> None:
    text = '{"root": ' + '{"player": "Max", "actions": {"a": ' * 50_000 + "1" + "}}" * 50_000 + "}"
    with pytest.raises(ZermeloError, match="nested too deeply; name the nodes"):
        tree_from_json(text)
