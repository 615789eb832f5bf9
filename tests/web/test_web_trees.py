"""Trees for the page: as they are edited, reordered, searched, stepped through, sent in parts and exported."""

import json

import pytest
from speaking import Page, visit

from zermelo.errors import ZermeloError
from zermelo.formats.efg import tree_from_efg
from zermelo.formats.json import tree_from_json
from zermelo.play.setup import open_position
from zermelo.registry import find
from zermelo.trees.backward_induction import BackwardInduction
from zermelo.web.editing import ORDERS, editable, ordered, tree_from_editable
from zermelo.web.server import Server
from zermelo.web.trees import Lab, outgrows, searched

TREES = ("kqj", "pruning", "threemoves", "twolevel", "twoworlds")


@pytest.mark.parametrize("name", TREES)
def test_a_tree_comes_back_from_the_page_as_it_was(name: str) -> None:
    tree = find(name)
    assert tree_from_editable(json.loads(json.dumps(editable(tree)))) == tree


@pytest.mark.parametrize("how", ORDERS)
@pytest.mark.parametrize("name", TREES)
def test_another_order_is_the_same_game(name: str, how: str) -> None:
    tree = find(name)
    other = ordered(tree, how, seed=7)
    assert len(other) == len(tree)
    solve = BackwardInduction(perfect_information=True).search
    assert solve(other).value == solve(tree).value


# Visited leaves of the CSC384 slides' tree, b^⌈d/2⌉ + b^⌊d/2⌋ − 1 with the best move first only for uniform trees (Knuth and Moore 1975).
def test_the_best_move_first_visits_fewest_nodes_and_the_worst_most() -> None:
    tree = find("pruning")
    visited = {how: searched(ordered(tree, how), "alphabeta", 1000)[1] for how in ORDERS}
    nodes = {how: result.nodes for how, result in visited.items() if result is not None}
    assert nodes["best"] < nodes["drawn"] == 24 < nodes["worst"] <= len(tree) == 28


def test_every_step_has_a_sentence_and_cuts_have_a_reason() -> None:
    tree = find("pruning")
    subject, result = searched(tree, "alphabeta", 1000)
    lab = Lab.of(tree, subject, result)
    steps = lab.steps(0, 1000)
    assert len(steps) == len(lab.events)
    assert all(step["words"] for step in steps)
    cut = next(step for step in steps if step.get("reason") == "alpha")
    assert "−9 is at most α = −4, which Max is already sure of elsewhere" in cut["words"]
    assert [lab.node(node)["a"] for node in cut["skipped"]] == ["3"]
    assert lab.steps(10, 5) == steps[10:15]


BROKEN = [
    ({}, "root"),
    ({"root": {"player": "Max", "actions": []}}, "no action"),
    ({"root": {"player": "Max", "actions": [{"name": "a", "node": {"payoff": 1}}, {"name": "a", "node": {"payoff": 2}}]}}, "'a'"),
    ({"root": {"player": "Nobody", "actions": [{"name": "a", "node": {"payoff": 1}}]}}, "player"),
    ({"root": {"payoff": "x"}}, "not a number"),
    ({"root": {"player": "Chance", "actions": [{"name": "a", "node": {"payoff": 1}}]}}, "weight"),
    ([1, 2, 3], "root"),
]


@pytest.mark.parametrize(("data", "part"), BROKEN)
def test_a_broken_tree_is_named(data: object, part: str) -> None:
    with pytest.raises(ZermeloError, match=part):
        tree_from_editable(data)


def test_a_tree_that_is_far_too_deep_is_refused() -> None:
    node: dict[str, object] = {"payoff": 1}
    for _ in range(400):
        node = {"player": "Max", "actions": [{"name": "a", "node": node}]}
    with pytest.raises(ZermeloError, match="deep"):
        tree_from_editable({"root": node})


def test_a_position_is_unfolded_and_sent_in_parts(workbench: Server) -> None:
    with Page.open(workbench) as page:
        found = page.run("tree.run", source={"kind": "game", "game": "tictactoe", "moves": "", "depth": 4}, engine="none")
        assert found["size"] == 1 + 9 + 72 + 504 + 3024
        sent = {node["i"]: node for node in found["nodes"]}
        assert len(sent) < 400
        closed = next(node for node in sent.values() if node["m"] and not any(other["p"] == node["i"] for other in sent.values()))
        more = page.ask("tree.nodes", lab=found["lab"], open=[closed["i"]], budget=50)["nodes"]
        assert len([node for node in more if node["p"] == closed["i"]]) == closed["m"]


def test_a_file_opens_and_rules_do_not(workbench: Server) -> None:
    with Page.open(workbench) as page:
        text = visit(workbench, "/api/export", body=request("kqj", "efg"), origin=own(workbench))[2]
        found = page.run("tree.run", source={"kind": "text", "name": "kqj.efg", "text": text})
        assert found["value"] == page.run("tree.run", source={"kind": "game", "game": "kqj"})["value"]
        job = page.ask("tree.run", source={"kind": "text", "name": "evil.py", "text": "import os"})["job"]
        assert "not a tree" in page.event("failed", job=job)["error"]


def own(workbench: Server) -> str:
    return f"http://127.0.0.1:{workbench.keys.port}"


def request(game: str, form: str, engine: str = "alphabeta") -> dict[str, object]:
    return {"source": {"kind": "game", "game": game}, "engine": engine, "format": form}


BEGINNINGS = [("svg", "<svg"), ("dot", "digraph"), ("tikz", "\\documentclass"), ("json", "{"), ("efg", "EFG 2 R")]


@pytest.mark.parametrize(("form", "beginning"), BEGINNINGS)
def test_a_tree_is_exported(workbench: Server, form: str, beginning: str) -> None:
    status, headers, text = visit(workbench, "/api/export", body=request("pruning", form), origin=own(workbench))
    assert status == 200
    assert text.startswith(beginning)
    assert "attachment" in headers["content-disposition"]
    if form in ("json", "efg"):
        again = tree_from_json(text) if form == "json" else tree_from_efg(text)
        assert BackwardInduction().search(again).value == 1


@pytest.mark.parametrize("body", [b"{", b"[]", b"{}", b'{"format": "exe"}', b"x" * 2_000_000])
def test_a_bad_export_is_answered(workbench: Server, body: bytes) -> None:
    assert visit(workbench, "/api/export", body=body, origin=own(workbench))[0] in (400, 413)


TOLL = """EFG 2 R "The toll road" { "Driver" "Warden" }
p "" 1 1 "" { "Pay" "Sneak" } 0
t "" 1 "" { -1, 1 }
p "" 2 1 "" { "Check" "Sleep" } 0
t "" 2 "" { -5, 5 }
t "" 3 "" { 2, -2 }
"""


@pytest.mark.parametrize("order", ["drawn", "worst"])
def test_players_are_called_as_the_file_calls_them(workbench: Server, order: str) -> None:
    with Page.open(workbench) as page:
        found = page.run("tree.run", source={"kind": "text", "name": "toll.efg", "text": TOLL}, engine="alphabeta", order=order)
        assert found["names"] == ["Driver", "Warden"]
        assert {node.get("y") for node in found["nodes"]} == {"Driver", "Warden", None}
        told = " ".join(step["words"] for step in page.ask("tree.steps", lab=found["lab"], **{"from": 0, "count": 100})["steps"])
        assert "Driver is sure of −1" in told or order == "worst"
        assert "Warden to move" in told
        assert "Max" not in told
        assert "Min" not in told


def test_a_tree_that_is_too_large_says_which_depth_fits(workbench: Server) -> None:
    with Page.open(workbench) as page:
        job = page.ask("tree.run", source={"kind": "game", "game": "connect4", "moves": "", "depth": 12})["job"]
        ended = page.ending(job)
        assert ended["event"] == "failed"
        assert ended["error"].endswith("5 deep fits.")


@pytest.mark.parametrize(
    ("name", "moves", "depth", "expected"),
    [
        ("chess", "", None, True),
        ("chess", "", 3, False),
        ("tictactoe", "", None, True),  # 549,946 nodes
        ("tictactoe", "4", None, False),  # 59,705
        ("leduc", "", None, False),  # chance moves, too
    ],
)
def test_a_tree_that_outgrows_the_page_is_foreseen(name: str, moves: str, depth: int | None, expected: bool) -> None:
    game = find(name)
    assert outgrows(game, open_position(game, moves).state, depth, 250_000) is expected
