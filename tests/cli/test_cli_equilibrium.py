"""`zermelo equilibrium`: the JSON that scripts rely on, files in and out, and every sentence for bad input."""

from pathlib import Path

import pytest
from command_line import Run

KUHN_FILE = """EFG 2 R "Matching pennies" { "Even" "Odd" }
p "" 1 1 "" { "heads" "tails" } 0
p "" 2 1 "" { "heads" "tails" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "" { "heads" "tails" } 0
t "" 3 "" { -1, 1 }
t "" 4 "" { 1, -1 }
"""


def test_json_has_what_scripts_rely_on(run: Run) -> None:
    data = run("equilibrium", "kuhn", "--certify", "--json", "--backend", "reference").data
    assert data["value"] == pytest.approx([-1 / 18, 1 / 18])
    assert data["exploitability"] == pytest.approx(0, abs=1e-12)
    assert data["certified"] is True
    assert data["certificate"]["value"] == ["-1/18", "1/18"]
    assert data["iterations"] > 0
    assert data["seconds"] > 0
    assert data["method"] == "lp"
    assert len(data["strategies"]) == 12
    assert data["strategies"]["Dealer: Qb"] == pytest.approx({"fold": 2 / 3, "call": 1 / 3})


def test_words_and_table(run: Run) -> None:
    done = run("equilibrium", "kuhn", "--certify", "--backend", "reference")
    assert done.code == 0
    assert "Value: Opener −1/18, Dealer 1/18" in done.out
    assert "an exact equilibrium in rational numbers" in done.out
    assert "58 histories, 12 information sets" in done.out
    assert "Opener: Qpb" in done.out


@pytest.mark.parametrize("method", ["cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr+", "mccfr"])
def test_every_method(run: Run, method: str) -> None:
    data = run("equilibrium", "kuhn", "--method", method, "--iterations", "1000", "--json", "--backend", "reference", "--seed", "1").data
    assert data["method"] == method
    assert data["iterations"] == 1000
    assert data["certified"] is False
    assert 0 < data["exploitability"] < 0.1
    assert data["convergence"][-1][0] == 1000


def test_target_and_a_bound_that_is_a_theorem(run: Run) -> None:
    done = run("equilibrium", "leduc", "--method", "dcfr", "--target", "0.01", "--certify", "--json", "--backend", "reference")
    data = done.data
    assert data["stopped"] == "target"
    assert data["certificate"]["exploitability_float"] == pytest.approx(data["exploitability"], abs=1e-6)
    low, high = data["certificate"]["bounds_float"]
    assert low <= -0.085606424078 <= high


def test_strategies_go_out_and_come_back(run: Run, tmp_path: Path) -> None:
    for ending in ("json", "csv", "efg"):
        file = tmp_path / f"strategy.{ending}"
        assert run("equilibrium", "kuhn", "--out", str(file), "--backend", "reference").code == 0
        assert file.stat().st_size > 100
    again = run("equilibrium", str(tmp_path / "strategy.efg"), "--json").data  # only chance moves there
    assert again["value"][0] == pytest.approx(-1 / 18, abs=1e-6)
    warm = ("--start", str(tmp_path / "strategy.csv"), "--method", "cfr+", "--iterations", "5")
    assert run("equilibrium", "kuhn", *warm, "--json", "--backend", "reference").data["exploitability"] < 0.01
    lock = tmp_path / "lock.json"
    lock.write_text('{"Dealer: Jp": {"check": 1, "bet": 0}}')
    locked = run("equilibrium", "kuhn", "--lock", str(lock), "--iterations", "500", "--json", "--backend", "reference").data
    assert locked["strategies"]["Dealer: Jp"] == {"check": 1.0, "bet": 0.0}
    assert locked["value"][0] > -1 / 18


def test_a_file_of_gambit_is_a_game(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "pennies.efg"
    file.write_text(KUHN_FILE)
    data = run("equilibrium", str(file), "--certify", "--json").data
    assert data["certificate"]["value"] == ["0", "0"]
    assert [list(weights.values()) for weights in data["strategies"].values()] == [[0.5, 0.5], [0.5, 0.5]]


def test_a_general_sum_matrix_gets_an_equilibrium(run: Run) -> None:
    data = run("equilibrium", "prisonersdilemma", "--json").data
    assert data["exploitability"] == 0
    assert data["method"] == "lemke-howson"


def test_plot_and_checkpoint(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot, kept = tmp_path / "way.svg", tmp_path / "run.npz"
    flags = ("--method", "cfr+", "--backend", "reference", "--checkpoint", str(kept))
    assert run("equilibrium", "kuhn", *flags, "--iterations", "100", "--plot", str(plot)).code == 0
    assert "exploitability" in plot.read_text() or "<svg" in plot.read_text()
    assert run("equilibrium", "kuhn", *flags, "--iterations", "200", "--json").data["iterations"] == 200
    other = run("equilibrium", "kuhn(players=3)", *flags, "--iterations", "200")
    assert (other.code, "another game" in other.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("kuhn(players=3)", "--method", "lp"), "for this game use auto, cfr"),
        (("kuhn", "--method", "lp", "--iterations", "5"), "neither iterations nor a target"),
        (("kuhn", "--method", "mccfr", "--simultaneous"), "no simultaneous updates"),
        (("phantomtictactoe", "--method", "cfr", "--memory", "100M"), "use the method mccfr"),
        (("phantomtictactoe", "--target", "0.1", "--memory", "100M"), "use the method mccfr"),
        (("kuhn", "--out", "strategy.doc"), ".json, .csv, .efg"),
        (("kuhn", "--out", "none/strategy.json"), "there is no folder"),
        (("kuhn", "--depth", "3"), "evaluate"),
        (("kuhn", "--start", "none.json"), "cannot be read"),
        (("eightpuzzle",), "one player"),
        (("kuhnn",), "did you mean kuhn"),
        (("kuhn", "--target", "0"), "0"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, arguments: tuple[str, ...], words: str) -> None:
    done = run("equilibrium", *arguments, "--backend", "reference")
    assert done.code == 2
    assert words in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert done.out == ""


def test_all_equilibria_of_a_matrix_game(run: Run) -> None:
    data = run("equilibrium", "battleofthesexes", "--method", "all", "--json").data
    assert [each["exact"]["value"] for each in data["equilibria"]] == [["2", "1"], ["2/3", "2/3"], ["1", "2"]]
    assert data["complete"] is True
    assert data["certified"] is True
    done = run("equilibrium", "battleofthesexes", "--method", "all")
    assert "3 equilibria, all there are" in done.out
    assert "fight 2/3, ballet 1/3" in done.out


def test_a_tree_is_solved_by_its_table(run: Run) -> None:
    data = run("equilibrium", "twolevel", "--method", "pure", "--json").data
    assert data["strategies"]["Max"] == {"Left": 1, "Right": 0}
    assert data["value"] == [1, -1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--method", "prm+"], "those that do are pure, all, perfect, proper, lemke-howson, supports, logit"),
        (["--method", "all", "--iterations", "5"], "does not take --iterations"),
        (["--method", "pure", "--out", "x.json"], "does not take --out"),
    ],
)
def test_table_methods_refuse_what_does_not_fit(run: Run, words: list[str], sentence: str) -> None:
    refused = run("equilibrium", "battleofthesexes", *words)
    assert refused.code == 2
    assert sentence in refused.err


def test_threads_and_the_checkpoint_of_a_sampler(run: Run, tmp_path: Path) -> None:
    one, two = (
        run("equilibrium", "kuhn", "--method", "cfr+", "--iterations", "20", "--threads", threads, "--json", "--backend", "reference").data
        for threads in ("1", "2")
    )
    assert one["strategies"] == two["strategies"]
    assert two["parameters"]["threads"] == 1  # the game is too small for two to gain anything
    words = ("--method", "mccfr", "--checkpoint", str(tmp_path / "run.npz"), "--backend", "reference", "--json")
    assert run("equilibrium", "kuhn", *words, "--iterations", "50").data["iterations"] == 50
    resumed = run("equilibrium", "kuhn", *words, "--iterations", "90").data
    whole = run("equilibrium", "kuhn", "--method", "mccfr", "--backend", "reference", "--json", "--iterations", "90").data
    assert resumed["strategies"] == whole["strategies"]
    done = run("equilibrium", "kuhn(players=3)", *words, "--iterations", "90")
    assert (done.code, "another game" in done.err) == (2, True)


def test_a_part_is_made_anew(run: Run, tmp_path: Path) -> None:
    rough, better = tmp_path / "rough.json", tmp_path / "better.json"
    run("equilibrium", "kuhn", "--method", "cfr", "--iterations", "3", "--out", str(rough), "--backend", "reference")
    words = ("--start", str(rough), "--resolve", "J Q check", "--player", "2")
    data = run("equilibrium", "kuhn", *words, "--out", str(better), "--json").data
    assert set(data["resolved"]) == {"Dealer: Jp", "Dealer: Qp", "Dealer: Kp"}
    assert data["replies"][1] <= data["replies"][0] + 1e-9
    assert better.exists()
    assert "Best reply of Opener" in run("equilibrium", "kuhn", *words).out
    for wrong, sentence in (
        (("--resolve", "J Q check"), "needs all three"),
        ((*words, "--certify"), "does not take --certify"),
        ((*words[:-1], "3"), "no player"),
        (("--start", str(rough), "--resolve", "J J", "--player", "1"), "J"),
    ):
        done = run("equilibrium", "kuhn", *wrong)
        assert done.code == 2
        assert sentence in done.err


def test_subgame_perfect_equilibria_are_listed(run: Run) -> None:
    data = run("equilibrium", "split", "--method", "subgame-perfect", "--json").data
    assert data["count"] == 2
    assert [22.0, 11.0] in data["values"]
    assert "2 equilibria in pure strategies" in run("equilibrium", "split", "--method", "subgame-perfect").out
    done = run("equilibrium", "tictactoe", "--method", "subgame-perfect")
    assert (done.code, "zermelo solve" in done.err) == (2, True)
    done = run("equilibrium", "split", "--method", "subgame-perfect", "--iterations", "5")
    assert (done.code, "does not take --iterations" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("method", "line"),
    [
        ("correlated", "The correlated equilibrium with the largest sum of payoffs: Player 1 1, Player 2 1"),
        ("coarse-correlated", "The coarse correlated equilibrium"),
        ("dominance", "Player 1: Coop is strictly dominated by Def"),
        ("fictitious-play", "Exploitability of that average: 0.0005"),
        ("regret-matching", "at the end"),
        ("replicator", "at the end"),
        ("stackelberg", "proved in rational numbers"),
        ("ess", "Evolutionarily stable: 1 of"),
        ("alpha-rank", "Share of time"),
        ("repeated", "11/3"),
        ("sequential", "A sequential equilibrium"),
        ("perfect", "1 equilibrium"),
        ("proper", "1 equilibrium"),
        ("quasi-perfect", "A quasi-perfect equilibrium"),
        ("efce", "The extensive-form correlated equilibrium"),
        ("efcce", "The extensive-form coarse correlated equilibrium"),
    ],
)
def test_every_concept_is_a_method(run: Run, method: str, line: str) -> None:
    assert line in run("equilibrium", "prisonersdilemma", "--method", method).out
    assert run("equilibrium", "prisonersdilemma", "--method", method, "--json").data


def test_names_and_numbers_are_told_apart(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "numbers.nfg"
    game.write_text('NFG 1 R "" { "Ann" "Bob" } { { "1" "2" } { "3" "4" } } 1 -1 -1 1 -1 1 1 -1', encoding="utf-8")
    assert "1: 1/2, 2: 1/2" in run("equilibrium", str(game), "--method", "all").out
    assert "1: 0.5, 2: 0.5" in run("equilibrium", str(game)).out
    assert "Value: Ann 0, Bob 0; nobody gains" in run("equilibrium", str(game), "--method", "sequential").out
    game.write_text('NFG 1 R "" { "Ann" "Bob" } { 2 2 } 1 1 0 0 0 0 1 1', encoding="utf-8")
    assert "Bob: nothing chosen yet" in run("equilibrium", str(game), "--method", "subgame-perfect").out


def test_of_many_actions_those_that_are_taken_are_shown(run: Run, tmp_path: Path) -> None:
    game = tmp_path / "many.nfg"
    payoffs = " ".join(f"{100 - abs(row - column)} {-abs(row - 5)}" for column in range(20) for row in range(20))
    game.write_text(f'NFG 1 R "" {{ "Ann" "Bob" }} {{ 20 20 }} {payoffs}', encoding="utf-8")
    assert "; 19 others 0" in (shown := run("equilibrium", str(game)).out)
    assert "; 7 others more" in shown


def test_dynamics_go_on_for_so_many_iterations(run: Run) -> None:
    assert "at time 7:" in run("equilibrium", "rockpaperscissors", "--method", "fictitious-play", "--iterations", "7").out
    assert "does not take --iterations" in run("equilibrium", "rockpaperscissors", "--method", "replicator", "--iterations", "7").err


def test_concepts_on_trees_have_the_players_names(run: Run, tmp_path: Path) -> None:
    committed = run("equilibrium", "kuhn", "--method", "stackelberg").out
    assert "Value: Opener −1/18, Dealer 1/18" in committed
    assert "Opener: Jpb" in run("equilibrium", "kuhn", "--method", "logit", "--rationality", "1").out
    assert "λ = 2" in run("equilibrium", "staghunt", "--method", "logit", "--rationality", "2").out
    assert "is for the method logit" in run("equilibrium", "kuhn", "--method", "cfr", "--rationality", "1").err
    run("equilibrium", "staghunt", "--method", "replicator", "--plot", str(tmp_path / "way.svg"))
    assert "<svg" in (tmp_path / "way.svg").read_text()


def test_a_strategy_goes_on_behind_the_edge(run: Run, tmp_path: Path) -> None:
    rough = tmp_path / "rough.json"
    run("equilibrium", "leduc", "--method", "cfr", "--iterations", "100", "--backend", "reference", "--out", str(rough))
    done = run("equilibrium", "leduc", "--edge", str(rough))
    assert done.code == 0
    assert "3,457 histories" in done.out


def test_commitment_of_a_forgetful_player_is_drawn_before_the_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "driver.efg"
    path.write_text(FORGETFUL)
    assert "Driver commits" in run("equilibrium", str(path), "--method", "stackelberg").out


def test_coalitions_from_a_file(run: Run, tmp_path: Path) -> None:
    """Gloves, two left and one right (Shapley's value 1/6, 1/6, 2/3); and a majority of three, whose core is empty."""
    path = tmp_path / "gloves.toml"
    path.write_text('players = ["L1", "L2", "R"]\n[worth]\n"L1 R" = 1\n"L2 R" = 1\n"L1 L2 R" = 1\n')
    assert run("equilibrium", str(path), "--method", "shapley", "--json").data["shares"] == {"L1": "1/6", "L2": "1/6", "R": "2/3"}
    assert "no coalition earns more alone" in run("equilibrium", str(path), "--method", "core").out
    path.write_text('players = ["A", "B", "C"]\n[worth]\n"A B" = 1\n"A C" = 1\n"B, C" = 1\n"A B C" = "1/1"\n')
    done = run("equilibrium", str(path), "--method", "core")
    assert "The core is empty" in done.out
    assert "B C" in done.out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("players = 3", "is not a game of coalitions"),
        ('players = ["A"]\n[worth]\n"A B" = 1', "There is no player 'B'"),
        ('players = ["A"]\n[worth]\nA = "much"', "The worth of 'A' is a number"),
        ('players = ["A"]\n[worth]\nA = "1e999999999"', "The worth of 'A' is a number"),
        ('players = ["A"', "in TOML"),
    ],
)
def test_coalitions_that_are_not_understood(run: Run, tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "group.toml"
    path.write_text(text)
    refused = run("equilibrium", str(path), "--method", "shapley")
    assert (refused.code, sentence in refused.err) == (2, True)


FORGETFUL = """EFG 2 R "Absent-minded driver, with somebody who watches" { "Driver" "Watcher" }
p "" 1 1 "" { "exit" "on" } 0
t "" 1 "" { 0, 0 }
p "" 1 1 "" { "exit" "on" } 0
t "" 2 "" { 4, -4 }
p "" 2 1 "" { "a" "b" } 0
t "" 3 "" { 1, -1 }
t "" 4 "" { 2, -2 }
"""


def test_imperfect_recall_is_said_by_methods_that_answer_all_the_same(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "driver.efg"
    path.write_text(FORGETFUL)
    for method in ("all", "auto"):
        done = run("equilibrium", str(path), "--method", method)
        assert done.code == 0
        assert "imperfect recall" in done.err
    assert "plans drawn before the game" in done.out
    refused = run("equilibrium", str(path), "--method", "dcfr").err
    assert "imperfect recall" in refused
    assert "`information`" not in refused  # a file has no such method
    assert "imperfect recall" in run("equilibrium", str(path), "--method", "correlated").err


def test_limits_of_lists(run: Run) -> None:
    assert "raise the limit" in run("equilibrium", "battleofthesexes", "--method", "supports", "--limit", "2").err
    assert "--limit is for the methods all, perfect and supports" in run("equilibrium", "kuhn", "--limit", "2").err
    assert run("equilibrium", "shapley", "--method", "supports", "--time", "30").code == 0


@pytest.mark.parametrize("more", [(), ("--resolve", "J Q check", "--player", "2")])
def test_a_file_that_is_not_there_is_told_before_the_tree_is_unfolded(
    run: Run, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    def unfold(*_: object, **__: object) -> None:
        raise AssertionError("the tree is unfolded for nothing")

    monkeypatch.setattr("zermelo.equilibrium.extensive.sequences.treeplex.unfold", unfold)
    done = run("equilibrium", "kuhn", "--start", "none.json", *more)
    assert (done.code, done.err) == (2, "none.json cannot be read: No such file or directory.\n")


def test_the_time_limit_bounds_the_tree_that_a_strategy_is_read_for(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "start.json"
    file.write_text("{}", encoding="utf-8")
    done = run("equilibrium", "goofspiel(cards=5)", "--start", str(file), "--time", "0.01")
    assert done.code == 2
    assert "too many for the time allowed" in done.err
