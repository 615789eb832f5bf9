"""Chance and many players on the command line: best, play, tree, compare and check with every engine for them."""

from pathlib import Path

import pytest
from command_line import Run

CHANCE = ["expectimax", "expectiminimax", "star1", "star2"]
MANY = ["maxn", "paranoid", "coalition"]
DICE, NIM = "einstein(size=3)", "threenim(heaps=(1,2))"
ROLLED = ("--position", "2")  # the first die


def compiled_or_not(engine: str) -> list[str]:
    return [] if engine == "expectimax" else ["--backend", "reference"]


@pytest.mark.parametrize("engine", CHANCE)
def test_best_with_dice(run: Run, engine: str) -> None:
    found = run("best", DICE, *ROLLED, "--engine", engine, "--depth", "4", *compiled_or_not(engine), "--json").data
    assert (found["algorithm"], found["backend"], found["exact"], found["stopped"]) == (engine, "reference", False, "")
    assert found["action"] in found["actions"]
    assert found["scores"][found["action"]] == max(found["scores"].values()) == found["value"]


@pytest.mark.parametrize("engine", ["valueiteration", "layers"])
def test_best_of_a_game_that_goes_round(run: Run, engine: str) -> None:
    found = run("best", "pig(goal=2)", "--engine", engine, "--backend", "reference", "--json").data
    assert (found["exact"], found["actions"]) == (True, ["roll"])
    assert found["value"] == pytest.approx(6 / 7, abs=1e-11)  # p = 5/6 + (1 - p) / 6: who does not roll a 1 wins


@pytest.mark.parametrize("engine", MANY)
def test_best_with_three_players(run: Run, engine: str) -> None:
    done = run("best", NIM, "--engine", engine, "--backend", "reference")
    assert done.code == 0
    assert "Player 1's best move" in done.out
    assert f"({engine}, reference)" in done.out


@pytest.mark.parametrize("seat", [*CHANCE, "backward"])
def test_play_with_dice(run: Run, seat: str) -> None:
    limits = "" if seat == "backward" else "(depth=3)" if seat == "expectimax" else "(depth=3,backend='reference')"
    game = "twenty48(goal=8)" if seat in ("expectimax", "backward") else DICE
    seats = f"{seat}{limits}" if game != DICE else f"{seat}{limits},random"
    done = run("play", game, "--seats", seats, "--seed", "1")
    assert done.code == 0, done.err
    assert "Moves: " in done.out


@pytest.mark.parametrize("engine", MANY)
def test_play_with_three_players(run: Run, engine: str) -> None:
    done = run("play", NIM, "--seats", f"{engine}(depth=3,backend='reference'),random,random", "--seed", "1")
    assert done.code == 0, done.err
    assert "Player 3 gets" in done.out


@pytest.mark.parametrize("engine", CHANCE)
def test_trees_have_probabilities_on_edges_and_expected_values_at_nodes(run: Run, engine: str, tmp_path: Path) -> None:
    done = run("tree", "pig(goal=4)", "--engine", engine, "--depth", "4")
    assert "roll: Chance" in done.out
    assert "1 (1/6): Min" in done.out
    file = tmp_path / "tree.svg"
    assert run("tree", "pig(goal=4)", "--engine", engine, "--depth", "4", "--svg", str(file)).code == 0
    assert "(1/6)" in file.read_text(encoding="utf-8")
    assert "[Chance] average of" in run("tree", "pig(goal=4)", "--engine", engine, "--depth", "4", "--explain").out


def test_the_tree_of_expectimax_goes_to_the_ends(run: Run) -> None:
    """X moves, the opponent moves at random, X moves: every level is drawn, with the opponent's probabilities."""
    done = run("tree", "tictactoe", "--position", "041287", "--engine", "expectimax")
    assert "5 (0.5): Max" in done.out
    assert "[Expected] average of" in run("tree", "tictactoe", "--position", "041287", "--engine", "expectimax", "--explain").out
    data = run("tree", "tictactoe", "--position", "041287", "--engine", "expectimax", "--json").data
    assert data["result"]["exact"]


@pytest.mark.parametrize("engine", MANY)
def test_trees_of_three_players(run: Run, engine: str) -> None:
    done = run("tree", NIM, "--engine", engine)
    assert "Player 3" in done.out
    assert "value: " in done.out


@pytest.mark.parametrize("engine", ["valueiteration", "layers"])
def test_what_looks_at_all_positions_has_no_tree(run: Run, engine: str) -> None:
    done = run("tree", "pig(goal=3)", "--engine", engine)
    assert done.code == 2
    assert "does not search a tree" in done.err


@pytest.mark.slow
def test_compare_takes_engines_that_fit(run: Run) -> None:
    dice = run("compare", DICE, "--depth", "3", "--repeat", "1", "--json").data
    assert dice["engines"] == ["expectiminimax", "star1", "star2"]
    assert len({measured["value"] for engine in dice["engines"] for measured in dice["moves"][engine][:1]}) == 1
    assert run("compare", NIM, "--repeat", "1", "--json").data["engines"] == ["maxn", "paranoid", "coalition"]
    assert run("compare", "twenty48(goal=8)", "--repeat", "1", "--depth", "5", "--json").data["engines"] == ["expectimax", "expectiminimax"]


def test_options_name_the_engine_that_they_are_for(run: Run) -> None:
    assert run("best", "tictactoe", "--position", "041287", "--opponent", "uniform", "--json").data["algorithm"] == "expectimax"
    found = run("best", NIM, "--coalition", "1+2", "--backend", "reference", "--json").data
    assert found["algorithm"] == "coalition"


GAMES = ["pig(goal=5)", DICE, "twenty48", "smallyahtzee(dice=1,sides=2)", "hypergammon", NIM, "split", "eightpuzzle"]


@pytest.mark.parametrize("game", GAMES)
def test_check_finds_every_game_lawful(run: Run, game: str) -> None:
    done = run("check", game, "--backend", "reference", "--states", "300", "--games", "3")
    assert done.code == 0, done.out + done.err


@pytest.mark.slow
@pytest.mark.parametrize("game", [*GAMES, "fifteenpuzzle", "threeconnect"])
def test_check_compares_compiled_rules(run: Run, game: str) -> None:
    found = run("check", game, "--backend", "compiled", "--states", "300", "--games", "3", "--json").data
    assert found["lawful"]
    assert "compiled rules" in found["tested"]
