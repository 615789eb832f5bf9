"""`zermelo tree`: words, pictures and data of a searched tree."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from command_line import Run

TREE = {"root": {"player": "Max", "actions": {"Left": {"player": "Min", "actions": {"Left": 5, "Right": 1}}, "Right": 0}}}


def test_the_tree_of_document_000_is_explained_step_by_step(run: Run) -> None:
    done = run("tree", "kqj", "--engine", "minimax", "--explain")
    assert done.code == 0
    steps = [line.strip() for line in done.out.splitlines() if "[M" in line]
    assert steps == [  # as the OpenGenus article prints them
        "[Maximize] highest of {E2: -1, E3: -2}",
        "[Minimize] lowest of {E1: -1, E2: -1}",
        "[Minimize] lowest of {E4: 1, E5: -2}",
        "[Maximize] highest of {E1: -1, E5: -2}",
    ]
    assert "Decision path: Gametree Decision - P1A, CHECK - P2A, CHECK - E1" in done.out


def test_by_default_the_tree_is_printed_with_its_path(run: Run) -> None:
    out = run("tree", "kqj").out
    assert out.startswith("P1A  Max  -1\n┝━━ CHECK: P2A  Min  -1 ◀\n")
    assert out.endswith("value: −1 for Max (exact)\npath: CHECK, CHECK\n")


@pytest.mark.parametrize(
    ("game", "value", "path"),
    [("threemoves", "3", None), ("twolevel", "1", "Left, Right"), ("pruning", "1", None), ("kqj", "−1", "CHECK, CHECK")],
)
@pytest.mark.parametrize("engine", ["minimax", "negamax", "alphabeta", "backward"])
def test_the_documents_trees_have_their_values_under_every_engine(run: Run, game: str, value: str, path: str | None, engine: str) -> None:
    out = run("tree", game, "--engine", engine).out
    assert f"value: {value} for Max" in out
    assert path is None or f"path: {path}" in out


def test_alpha_beta_shows_what_it_cuts(run: Run) -> None:
    out = run("tree", "pruning", "--engine", "alphabeta").out
    assert "α-cut" in out
    assert "β-cut" in out
    assert "pruned" in out
    assert "pruned" not in run("tree", "pruning", "--engine", "minimax").out


def test_files_are_written(run: Run, tmp_path: Path) -> None:
    files = {kind: tmp_path / f"tree.{kind}" for kind in ("svg", "dot", "tikz")}
    done = run("tree", "kqj", *[word for kind, file in files.items() for word in (f"--{kind}", str(file))])
    assert done.code == 0
    assert done.out == ""
    assert done.err.count("Drawn in") == 3
    assert ElementTree.parse(files["svg"]).getroot().tag.endswith("svg")
    assert "digraph" in files["dot"].read_text()
    assert "tikzpicture" in files["tikz"].read_text()


def test_a_folder_that_is_not_there_loses_nothing(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.svg"
    kept.write_text("old")
    done = run("tree", "kqj", "--svg", str(kept), "--dot", str(tmp_path / "nowhere" / "tree.dot"))
    assert done.code == 2
    assert "there is no folder" in done.err
    assert kept.read_text() == "old"
    assert run("tree", "kqj", "--svg", str(tmp_path)).err.endswith("is a folder: give the name of a file.\n")


def test_data(run: Run) -> None:
    data = run("tree", "kqj", "--engine", "minimax", "--json").data
    assert data["tree"]["value"] == data["result"]["value"] == -1
    assert data["tree"]["line"] == ["CHECK", "CHECK"]
    assert len(data["tree"]["nodes"]) == 9
    assert data["tree"]["statistics"]["depth"] == 3


def test_statistics(run: Run) -> None:
    out = run("tree", "twolevel", "--statistics").out
    assert [line.split()[-1] for line in out.splitlines()] == ["2", "2", "4", "3", "7", "4", "2"]


def test_a_large_tree_is_shown_as_far_as_it_fits(run: Run) -> None:
    done = run("tree", "tictactoe")
    assert "too large to show; searched to depth 3" in done.err
    assert "more nodes" in done.out
    assert "judged at depth 3" in done.out
    whole = run("tree", "tictactoe", "--engine", "alphabeta", "--json", "--limit", "10").data
    assert whole["result"]["nodes"] == 18_297
    assert whole["result"]["exact"]


def test_symmetric_moves_are_merged_on_request(run: Run) -> None:
    merged = run("tree", "tictactoe", "--depth", "1", "--merge").out
    assert len([line for line in merged.splitlines() if "──" in line or "━━" in line]) == 3
    assert "×4" in merged
    assert "has no `canonical`" in run("tree", "nim", "--depth", "1", "--merge").err


def test_from_a_position_and_with_distances(run: Run) -> None:
    out = run("tree", "tictactoe", "--position", "0 1 2 3", "--engine", "alphabeta", "--full").out
    assert "value: X wins in 3 (exact)" in out
    assert "path: 4," in out


def test_hidden_information_is_drawn_but_not_searched(run: Run) -> None:
    done = run("tree", "rps")
    assert done.code == 0
    assert "value" not in done.out
    assert "Drawn without a search" in done.err
    assert run("tree", "rps", "--explain").code == 2
    assert run("tree", "rps", "--engine", "minimax").code == 2
    assert run("tree", "kuhn", "--engine", "backward").code == 2
    assert "value: Right wins in 2" in run("tree", "rps", "--engine", "minimax", "--open", "--full").out


def test_information_sets_are_joined_on_request(run: Run, tmp_path: Path) -> None:
    pictures = {}
    for words in ((), ("--information",), ("--no-information",)):
        assert run("tree", "kuhn", *words, "--svg", str(tmp_path / "kuhn.svg")).code == 0
        pictures[words] = (tmp_path / "kuhn.svg").read_text(encoding="utf-8")
    assert pictures[()].count('<line class="zt-i"') == 6 + 1  # Max's three cards before and after the bet, and the legend
    assert '<path class="zt-i"' not in pictures[()]
    assert pictures["--information",].count('<path class="zt-i"') == 6  # Min's sets: others stand between their nodes
    assert 'class="zt-i"' not in pictures["--no-information",]
    done = run("tree", "tictactoe", "--information")
    assert (done.code, "hides nothing" in done.err) == (2, True)


def test_only_chosen_outcomes_of_chance_are_drawn(run: Run) -> None:
    """The figure of the AIPT chapter: Max has the queen, Min the jack or the king."""
    out = run("tree", "kuhn", "--only", "Q J", "--only", "Q,K").out
    assert out.count("{Q}") == 2
    assert "… 38 more nodes" in out  # 58 in all, the root, and 19 below the queen
    assert run("tree", "kuhn", "--only", "Q").out == out
    assert run("tree", "twoworlds", "--only", "World 1").out.count("{start}") == 1
    for text, sentence in (("Q Z", "no outcome 'Z'"), ("Z", "no outcome 'Z'"), (" ", "needs a name"), ("Q J J", "could be")):
        done = run("tree", "kuhn", "--only", text)
        assert done.code == 2
        assert sentence in done.err


def test_games_without_end_and_other_kinds(run: Run) -> None:
    puzzle = run("tree", "eightpuzzle")
    assert puzzle.code == 0
    assert "can go round forever" in puzzle.err
    assert "Player 3 gets" in run("tree", "threenim").out
    assert "roll" in run("tree", "pig(goal=5)", "--depth", "3").out


def test_a_tree_in_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    file.write_text(json.dumps(TREE))
    assert run("tree", str(file)).out.endswith("value: 1 for Max (exact)\npath: Left, Right\n")
    assert run("best", str(file), "--json").data["value"] == 1
    assert run("games", str(file), "--json").data["properties"]["size"]["value"] == 5
    assert run("play", str(file)).code == 0


BROKEN = [
    # the file's text, part of the sentence
    ('{"root": {"player": "Max", "actions": {"bet": 1, "bet": 2}}}', "bet"),
    ('{"root": {"player": "Max", "actions": {"a": NaN}}}', "nan"),
    ('{"root": {"player": "Max", "actions": {"a": null}}}', "payoff"),
    ('{"root": {"player": "Max"', "line 1, column"),
    ('{"nodes": {"r": {"player": "Max", "actions": {"a": {"node": "r"}}}}, "root": {"node": "r"}}', "cycle"),
    ("[]", "root"),
]


@pytest.mark.parametrize(("text", "part"), BROKEN)
@pytest.mark.parametrize("command", ["tree", "best"])
def test_a_broken_tree_gets_one_sentence(run: Run, tmp_path: Path, text: str, part: str, command: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text)
    done = run(command, str(file))
    assert done.code == 2, done
    assert part in done.err.lower()
    assert done.err.count("\n") == 1
    assert done.out == ""
