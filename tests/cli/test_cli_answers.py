"""`games`, `best`, `perft` and `compare`: the fields that other tools read, and figures that are known."""

from pathlib import Path

import pytest
from command_line import Run

BEST_FIELDS = {
    "value",
    "action",
    "actions",
    "scores",
    "distances",
    "distance",
    "line",
    "exact",
    "bounds",
    "nodes",
    "seconds",
    "alpha_cuts",
    "beta_cuts",
}

PLAIN = [
    # engine, nodes, alpha cuts, beta cuts of the textbook's search of tic-tac-toe; recomputed by many, cuts named as in the Comp 212 slides
    ("minimax", 549_946, 0, 0),
    ("negamax", 549_946, 0, 0),
    ("alphabeta", 18_297, 4_422, 3_758),
]


@pytest.mark.parametrize(("engine", "nodes", "alpha_cuts", "beta_cuts"), PLAIN)
def test_the_textbooks_search_visits_the_published_nodes(run: Run, engine: str, nodes: int, alpha_cuts: int, beta_cuts: int) -> None:
    data = run("best", "tictactoe", "--engine", engine, "--plain", "--json").data
    assert set(data) >= BEST_FIELDS
    assert (data["value"], data["action"], data["exact"]) == (0, "0", True)
    assert (data["nodes"], data["alpha_cuts"], data["beta_cuts"]) == (nodes, alpha_cuts, beta_cuts)
    assert (data["scores"], data["distances"], data["actions"]) == ({}, {}, ["0"])


def test_best_scores_every_move(run: Run) -> None:
    data = run("best", "tictactoe", "--position", "0", "--json").data
    assert set(data["scores"]) == set("12345678")
    assert data["value"] == 0
    assert data["actions"] == ["4"]
    assert data["action"] == "4"
    assert {name for name, value in data["scores"].items() if value == 1} == set("1235678")
    assert data["distances"]["4"] is None
    assert all(data["distances"][name] % 2 == 0 for name in "1235678")  # X wins with an own mark
    assert data["line"][0] == "4"
    assert data["bounds"] is None


def test_the_shortest_win_and_the_longest_loss_are_chosen(run: Run) -> None:
    won = run("best", "tictactoe", "--position", "0314", "--json").data
    assert (won["action"], won["distance"], won["value"]) == ("2", 1, 1)
    lost = run("best", "tictactoe", "--position", "013", "--json").data  # O is lost, whatever happens
    assert set(lost["scores"].values()) == {1}
    assert lost["distance"] == lost["distances"][lost["action"]] == max(lost["distances"].values()) == 4
    assert min(lost["distances"].values()) == 2


def test_a_depth_is_judged_and_says_so(run: Run) -> None:
    data = run("best", "connect4", "--depth", "4", "--backend", "reference", "--json").data
    assert (data["exact"], data["depth"], data["distance"], data["bounds"]) == (False, 4, None, [-1, 1])
    words = run("best", "connect4", "--depth", "4", "--backend", "reference").out
    assert "judged at depth 4" in words
    assert "Red's best move" in words


@pytest.mark.slow
def test_a_limit_deepens_until_it_is_spent(run: Run) -> None:
    data = run("best", "connect4", "--nodes", "20000", "--backend", "reference", "--json").data
    assert data["nodes"] <= 20_000
    assert data["depth"] > 2
    assert run("best", "tictactoe", "--time", "60", "--json").data["exact"]


def test_words_of_an_answer(run: Run) -> None:
    out = run("best", "tictactoe", "--position", "0 3 1 4").out
    assert out.startswith("2 is X's best move: X wins in 1 (exact)\n")
    assert "line: 2\n" in out
    assert "O wins in" in out
    assert "nodes" in out
    assert run("best", "tictactoe", "--position", "03142").out.startswith("The game is over: X wins")
    assert run("best", "kqj").out.startswith("CHECK is Max's best move: −1 for Max, in 2 moves (exact)\n")


def test_backward_induction_answers_with_a_payoff_for_every_player(run: Run) -> None:
    data = run("best", "threenim", "--engine", "backward", "--json").data
    assert len(data["value"]) == 3
    assert data["exact"]
    assert "Player 3 gets" in run("best", "threenim", "--engine", "backward").out


def test_hidden_cards_are_refused_unless_open(run: Run) -> None:
    refused = run("best", "rps", "--engine", "alphabeta")
    assert refused.code == 2
    assert all(word in refused.err for word in ("hidden", "`equilibrium`", "`ismcts`", "--perfect-information"))
    assert run("best", "rps", "--perfect-information", "--backend", "reference", "--json").data["value"] == -1  # who sees wins


def test_memory_and_backend_are_taken(run: Run) -> None:
    without = run("best", "tictactoe", "--memory", "0", "--backend", "reference", "--json").data
    small = run("best", "tictactoe", "--memory", "2M", "--backend", "reference", "--json").data
    assert without["table_hits"] == 0
    assert small["table_hits"] > 0
    assert small["parameters"]["memory"] == 2 * 1024**2
    assert without["backend"] == "reference"
    assert without["scores"] == small["scores"]


def test_compiled_and_reference_agree(run: Run) -> None:
    answers = [
        run("best", "tictactoe", "--position", "08", "--memory", "0", "--backend", who, "--json").data for who in ("compiled", "reference")
    ]
    assert [answer.pop("backend") for answer in answers] == ["compiled", "reference"]
    for answer in answers:
        del answer["seconds"], answer["parameters"], answer["notes"]
    assert answers[0] == answers[1]


PERFT = [
    # game, depth, leaves, finished, source
    ("tictactoe", 5, 15_120, 0, "nodes by ply"),
    ("tictactoe", 9, 127_872, 127_296, "255,168 finished games in all"),
    ("connect4", 6, 117_649, 0, "7^6: no game ends before"),
    ("connect4", 7, 823_536, 0, "perft by ply"),
    ("kqj", 2, 4, 0, "the OpenGenus article's tree"),
]


@pytest.mark.parametrize(("game", "depth", "leaves", "finished", "source"), PERFT)
def test_perft(run: Run, game: str, depth: int, leaves: int, finished: int, source: str) -> None:
    data = run("perft", game, "--depth", str(depth), "--json").data
    assert set(data) >= {"leaves", "finished", "nodes", "seconds"}
    assert (data["leaves"], data["finished"]) == (leaves, finished), source


def test_perft_in_words_and_from_a_position(run: Run) -> None:
    assert run("perft", "tictactoe", "--depth", "2", "--position", "0").out.startswith(
        "56 lines of 2 moves, 0 games over before that, 65 nodes"
    )
    assert run("perft", "connect4", "--depth", "1", "--position", "444444", "--json").data["leaves"] == 6


def test_games_lists_and_describes(run: Run) -> None:
    listed = {row["name"]: row["summary"] for row in run("games", "--json").data}
    assert {"tictactoe", "mnk", "connect4", "nim", "kqj", "threemoves", "twolevel", "pruning"} <= set(listed)
    assert all(listed.values())
    out = run("games").out
    assert all(name in out for name in listed)
    described = run("games", "tictactoe", "--json").data["properties"]
    assert set(described) == {"players", "sum", "chance", "information", "finite", "discrete", "size"}
    assert described["size"] == {"value": 5478, "words": "5,478 states, in 958 of them the game is over", "status": "verified"}
    words = run("games", "connect4(width=4,height=2)").out
    assert "zero sum" in words
    assert "verified" in words
    assert "declared" in words


def test_a_game_that_returns_to_a_position_is_compared_up_to_there(run: Run) -> None:
    done = run("compare", "ponghauki", "--repeat", "1", "--json")
    assert done.code == 0
    assert "4 actions ahead; --depth changes that" in done.err
    assert done.data["line"]


def test_compare_prints_a_table_and_draws_the_figure(run: Run, tmp_path: Path) -> None:
    figure = tmp_path / "figure.svg"
    done = run("compare", "tictactoe", "--engines", "minimax,alphabeta", "--repeat", "2", "--position", "04", "--plot", str(figure))
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines() if "minimax" in line or "alphabeta" in line]
    assert [row[0] for row in rows if row[1] == "minimax"] == ["1", "2", "3"]
    assert "×" in done.out
    assert "mean of 2 runs, textbook search, backend reference" in done.out
    assert "Drawn in" in done.err
    drawing = figure.read_text()
    assert "<svg" in drawing
    data = run("compare", "tictactoe", "--repeat", "1", "--position", "04", "--json").data
    assert data["repeat"] == 1
    assert [row["nodes"] for row in data["moves"]["minimax"]] > [row["nodes"] for row in data["moves"]["alphabeta"]]


def test_a_missing_matplotlib_is_told_before_the_work(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    done = run("compare", "tictactoe", "--plot", str(tmp_path / "figure.png"))
    assert (done.code, done.out) == (2, "")
    assert done.err == "Plots need matplotlib: install it with `pip install 'zermelo[plot]'`.\n"
