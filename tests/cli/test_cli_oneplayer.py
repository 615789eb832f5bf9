"""One player alone on the command line: best, play, tree, compare and check."""

import json
from pathlib import Path

import pytest
from command_line import Run

PUZZLE = "eightpuzzle(rows=2,columns=3,tiles=(3,2,1,5,4,0))"
ALGORITHMS = ["astar", "idastar", "realtime", "lrta"]


@pytest.mark.parametrize("engine", ["astar", "idastar"])
def test_best_finds_the_cheapest_way_and_scores_every_move(run: Run, engine: str) -> None:
    done = run("best", PUZZLE, "--engine", engine, "--backend", "reference", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert (found["value"], found["exact"], found["distance"], len(found["line"])) == (-20, True, 20, 20)
    assert set(found["scores"]) == {"1", "4"}
    assert max(found["scores"].values()) == -20


@pytest.mark.parametrize("engine", ["realtime", "lrta"])
def test_best_decides_one_move_of_a_journey(run: Run, engine: str) -> None:
    found = json.loads(run("best", PUZZLE, "--engine", engine, "--json").out)
    assert found["action"] in ("1", "4")
    assert found["cost_at_least"] <= 20
    assert found["value"] == -found["cost_at_least"]


def test_limits_and_memory(run: Run) -> None:
    found = json.loads(run("best", "eightpuzzle", "--engine", "astar", "--nodes", "100", "--json").out)
    assert not found["exact"]
    assert found["nodes"] <= 104
    full = run("best", "eightpuzzle", "--engine", "astar", "--memory", "60k")
    assert full.code == 0
    assert "is full" in full.err
    assert run("best", "eightpuzzle", "--engine", "realtime", "--nodes", "50").code == 0


@pytest.mark.parametrize("seat", ["astar", "idastar(backend=reference)", "realtime(expansions=5)", "lrta", "lrta(depth=3)"])
def test_play_walks_to_the_end(run: Run, seat: str) -> None:
    done = run("play", "eightpuzzle(rows=2,columns=2)", "--seats", seat.replace("=reference", "='reference'"))
    assert done.code == 0
    assert "Cost " in done.out


@pytest.mark.parametrize("engine", ALGORITHMS)
def test_tree_draws_the_search(run: Run, engine: str, tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    assert run("tree", PUZZLE, "--engine", engine, "--svg", str(file)).code == 0
    assert file.read_text(encoding="utf-8").startswith("<svg")
    done = run("tree", PUZZLE, "--engine", engine)
    assert "path: " in done.out


def test_compare_measures_every_move_of_a_cheapest_way(run: Run) -> None:
    game = "eightpuzzle(tiles=(1,2,3,5,6,0,4,7,8))"
    found = json.loads(run("compare", game, "--engines", ",".join(ALGORITHMS), "--repeat", "1", "--json").out)
    assert found["line"] == ["6", "5", "4", "7", "8"]
    for engine in ALGORITHMS:
        assert len(found["moves"][engine]) == 5
    assert [measured["value"] for measured in found["moves"]["astar"]] == [-5, -4, -3, -2, -1]


def test_check_tests_the_heuristic_and_what_is_solvable(run: Run) -> None:
    done = run("check", "eightpuzzle(rows=2,columns=2)")
    assert done.code == 0
    assert "heuristic" in done.out
    assert "solvable" in done.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("best", "tictactoe", "--engine", "astar"), "astar finds cheapest ways for one player, but TicTacToe has 2 players"),
        (("best", "eightpuzzle", "--engine", "astar", "--position", "1 2 3 4 5 6 8 7 ."), "cannot be solved from this state"),
        (("best", "eightpuzzle(tiles=(1,2,3,4,5,6,8,7,0))", "--engine", "idastar"), "can never be put in order"),
        (("best", "eightpuzzle", "--engine", "astar", "--depth", "3"), "The algorithm astar has no parameter depth"),
        (("best", "eightpuzzle", "--engine", "astar", "--memory", "1"), "bytes of at least"),
        (("best", "eightpuzzle", "--engine", "lrta", "--depth", "0"), "at least 1 ahead, not 0"),
        (("best", "eightpuzzle", "--engine", "realtime", "--textbook"), "The algorithm realtime has no parameter textbook"),
        (("play", "eightpuzzle", "--seats", "astar", "--depth", "3"), "astar has no depth"),
        (("play", "eightpuzzle", "--seats", "realtime(expansions=0)"), "at least 1"),
    ],
)
def test_bad_input(run: Run, words: tuple[str, ...], sentence: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert sentence in done.err
    assert "Traceback" not in done.err
