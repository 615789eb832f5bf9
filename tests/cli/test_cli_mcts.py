"""Monte Carlo tree search on the command line: `best`, `tree` and a seat at the table."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import Run

ASKED = ("--position", "04", "--engine", "mcts", "--playouts", "200", "--seed", "1")


def test_best_shows_visits_values_and_intervals(run: Run) -> None:
    data = run("best", "tictactoe", *ASKED, "--backend", "reference", "--json").data
    assert data["playouts"] == sum(data["visits"].values()) == 200
    assert data["seed"] == 1
    for name, (low, high) in data["intervals"].items():
        assert -1 <= low <= high <= 1
        assert data["visits"][name] > 0
    again = run("best", "tictactoe", *ASKED, "--backend", "reference", "--json").data
    assert again["visits"] == data["visits"]
    shown = run("best", "tictactoe", *ASKED, "--backend", "reference").out
    assert "interval of the mover" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("best", "tictactoe", "--engine", "mcts", "--playouts", "0"), "--playouts"),
        (("best", "tictactoe", "--engine", "minimax", "--playouts", "5"), "has no parameter playouts"),
        (("best", "tictactoe", "--engine", "mcts", "--depth", "3"), "has no parameter depth"),
        (("best", "kuhn", "--engine", "mcts"), "ismcts"),
        (("tree", "tictactoe", "--playouts", "5"), "--algorithm"),
        (("tree", "tictactoe", *ASKED, "--explain"), "not explained one by one"),
        (("play", "tictactoe", "--seats", "mcts(playouts=0),random"), "playouts must be at least 1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(run: Run, arguments: tuple[str, ...], words: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert words in done.err


def test_the_tree_is_drawn_with_branches_as_wide_as_they_were_visited(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "tree.svg"
    assert run("tree", "twolevel", "--engine", "mcts", "--playouts", "100", "--seed", "1", "--svg", str(picture)).code == 0
    lines = [each for each in ElementTree.parse(picture).iter() if each.tag.endswith("line") and "zt-e" in each.get("class", "")]
    widths = [float(each.get("style", "").removeprefix("stroke-width:")) for each in lines if each.get("style")]
    assert len(widths) >= 4
    assert max(widths) > 2 * min(widths)
    data = run("tree", "twolevel", "--engine", "mcts", "--playouts", "100", "--seed", "1", "--json").data
    nodes = data["tree"]["nodes"]
    assert nodes[0]["visits"] == data["result"]["playouts"] > 0
    assert sum(node["visits"] for node in nodes[1:] if node["parent"] == 0) == nodes[0]["visits"]


def test_it_plays_a_whole_game(run: Run) -> None:
    done = run("play", "tictactoe", "--seats", "mcts(playouts=60,backend='reference'),random", "--seed", "2")
    assert done.code == 0
    assert "mcts" in done.out
