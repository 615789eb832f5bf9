"""`zermelo equilibrium holdem`: words, files in and out, locks, training, and every sentence for bad input."""

import json
from pathlib import Path

import pytest
from command_line import Run


def test_words_of_a_spot(run: Run) -> None:
    done = run("equilibrium", "holdem", "--target", "0.5%")
    assert done.code == 0
    assert "of a pot of 50" in done.out
    assert "% of the pot" in done.out
    assert "oop on Qs Jh 2h 7c 3d, pot 50" in done.out


def test_json_and_a_point_of_the_tree(run: Run) -> None:
    data = run("equilibrium", "holdem", "--target", "0.5%", "--line", "check, bet 25", "--json").data
    assert sum(data["value"]) == pytest.approx(50, abs=1e-3)
    assert data["exploitability_percent"] <= 0.5
    assert data["point"]["seat"] == "oop"
    assert data["point"]["pot"] == 75
    assert set(data["point"]["hands"][0]) == {"hand", "weight", "equity", "value", "frequencies", "values", "made", "draw"}


def test_a_certificate_of_a_river_spot(run: Run) -> None:
    """The value by linear program, 31.7796, lies within the bounds."""
    done = run("equilibrium", "holdem", "--target", "0.1%", "--certify")
    assert "Certified: exploitability at most 0.0" in done.out
    data = run("equilibrium", "holdem", "--target", "0.1%", "--certify", "--json").data["certificate"]
    low, high = data["bounds"]
    assert low <= 31.77961433 <= high <= low + 0.1
    refused = run(
        "equilibrium", "holdem(board='Qs Jh 2h 7c', oop='random', ip='random')", "--iterations", "1000000", "--certify"
    )  # at once
    assert (refused.code, "boards that are complete" in refused.err) == (2, True)


def test_files(run: Run, tmp_path: Path) -> None:
    for name in ("spot.npz", "hands.csv", "grid.svg", "spot.json"):
        assert run("equilibrium", "holdem", "--iterations", "20", "--out", str(tmp_path / name)).code == 0
    assert "<svg" in (tmp_path / "grid.svg").read_text()
    assert (tmp_path / "hands.csv").read_text().startswith("hand,weight,equity,value,check")
    opened = run("equilibrium", str(tmp_path / "spot.npz"), "--line", "all-in")
    assert opened.code == 0
    assert "ip on Qs Jh 2h 7c 3d after all-in" in opened.out


def test_hands_by_what_they_made_and_a_report_of_all_cards(run: Run, tmp_path: Path) -> None:
    turn = "holdem(board='Qs Jh 2h 7c', oop='AA,KQs,9h8h', ip='KK,QTs', bets='50%')"
    done = run("equilibrium", turn, "--iterations", "10", "--json").data["point"]
    assert set(done["made"]) == {"overpair", "top pair", "nothing"}
    assert sum(group["weight"] for group in done["made"].values()) == pytest.approx(1)
    assert "flush draw and gutshot" in done["draws"]
    path = tmp_path / "rivers.csv"
    assert run("equilibrium", turn, "--iterations", "10", "--line", "check, check", "--out", str(path)).code == 0
    lines = path.read_text().splitlines()
    assert lines[0] == "card,equity,value,check,bet 25"
    assert len(lines) == 1 + 48
    refused = run("equilibrium", turn, "--iterations", "2", "--line", "check, check", "--out", str(tmp_path / "x.svg"))
    assert "a card comes" in refused.err


def test_a_spot_in_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    weights = [[0] * 13 for _ in range(13)]
    weights[0][0] = 1  # AA
    path.write_text(f'board = "Qs Jh 2h 7c 3d"\npot = 20\nstack = 30\noop = {weights}\nip = "KK,AKs"\nbets = "50%"\n')
    assert "of a pot of 20" in run("equilibrium", str(path), "--iterations", "10").out
    path.write_text("board = ")
    assert "is not a spot in TOML" in run("equilibrium", str(path)).err
    path.write_text("oop = [[1]]\n")
    assert "13 rows of 13 weights" in run("equilibrium", str(path)).err


def test_sizes_of_a_spot_in_tables(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "spot.toml"
    path.write_text('board = "Qs Jh 2h 7c"\noop = "AA"\nip = "KK,QQ"\n[bets]\nturn = "50%"\n[bets.river]\noop = ["75%", "a"]\nip = "a"\n')
    data = run("equilibrium", str(path), "--iterations", "4", "--json").data
    assert "turn: 50%; river oop: 75%, a; river ip: a" in data["game"]
    path.write_text("[bets]\nflop = 3\n")
    assert "The bets of flop are sizes in quotes" in run("equilibrium", str(path)).err


def test_a_solved_file_takes_no_limits_and_a_run_can_be_drawn(run: Run, tmp_path: Path) -> None:
    solved, drawn = tmp_path / "spot.npz", tmp_path / "way.svg"
    assert run("equilibrium", "holdem", "--iterations", "20", "--out", str(solved), "--plot", str(drawn)).code == 0
    assert "<svg" in drawn.read_text()
    for words in (["--target", "1%"], ["--iterations", "3"], ["--lock", "x.json"]):
        assert "is solved already" in run("equilibrium", str(solved), *words).err


def test_locks_from_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "locks.json"
    path.write_text(json.dumps({"": {"T9s": {"check": 1}}}))
    data = run("equilibrium", "holdem", "--target", "0.5%", "--lock", str(path), "--json").data
    assert "locked" in data["guarantee"]
    path.write_text("[1]")
    assert "is not a file of locks" in run("equilibrium", "holdem", "--lock", str(path)).err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--target", "x%"], "The target is a positive number"),
        (["--simultaneous"], "does not take --simultaneous"),
        (["--line", "limp", "--iterations", "1"], "There is no action 'limp'"),
        (["--out", "x.gif", "--iterations", "1"], "give it an ending"),
        (["--memory", "1"], "needs"),
    ],
)
def test_what_does_not_fit_is_said(run: Run, words: list[str], sentence: str) -> None:
    refused = run("equilibrium", "holdem", *words)
    assert refused.code == 2
    assert sentence in refused.err
    assert "for games over ranges" in run("equilibrium", "kuhn", "--line", "check").err


def test_ranges_of_every_hand_are_opened_by_name(run: Run) -> None:
    """More than a million pairs of hands can be dealt; over ranges nobody deals them."""
    found = run("equilibrium", "holdem(oop='random', ip='random')", "--iterations", "2")
    assert found.code == 0
    assert "1,081 × 1,081 hands" in found.out


@pytest.mark.parametrize(
    ("spot", "sentence"),
    [
        ("board='Qs Jh 2h', oop='random', ip='random', bets='1%', raises='1%', stack=100000", "The betting does not end"),
        ("board='', oop='random', ip='random'", "start with more cards on the board"),
        ("board='Qs Jh 2h', oop='random', ip='random', bets='33%,50%,75%,a', raises='50%,100%,a'", "what would help is fewer sizes"),
        ("oop='QsJh'", "a card that lies on the board"),
        ("oop=''", "is empty"),
        ("oop='AA:1.5'", "a number from 0 to 1"),
        ("board='Qs Qs 2h'", "is twice in the board"),
        ("oop='1T'", "has no rank"),
    ],
)
def test_a_spot_that_cannot_be_solved_is_one_sentence(run: Run, spot: str, sentence: str) -> None:
    refused = run("equilibrium", f"holdem({spot})", "--memory", "1G")
    assert refused.code == 2
    assert sentence in refused.err
    assert len(refused.err.strip().splitlines()) == 1


def test_a_walk_down_the_tree_and_back(run: Run) -> None:
    done = run("equilibrium", "holdem", "--iterations", "30", "--walk", input="check\nlimp\nbet 25\nback\n\n")
    assert done.code == 0
    assert done.out.count("ip on Qs Jh 2h 7c 3d after check, pot 50") == 3  # once more after what is no action, and after `back`
    assert "oop on Qs Jh 2h 7c 3d after check, bet 25, pot 75" in done.out
    assert "There is no action 'limp' here" in done.err


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("--walk", "--json"), "--walk asks questions, and does not take --json"),
        (("--train", "2", "--json"), "--train asks questions, and does not take --json"),
        (("--walk", "--train", "2"), "does not take --train"),
        (("--train", "2", "--certify"), "does not take --certify"),
    ],
)
def test_who_is_asked_gets_no_document(run: Run, options: tuple[str, ...], name: str) -> None:
    done = run("equilibrium", "holdem", "--iterations", "2", *options)
    assert (done.code, done.out) == (2, "")
    assert name in done.err


def test_training_counts_what_a_choice_costs(run: Run) -> None:
    done = run("equilibrium", "holdem", "--iterations", "30", "--train", "2", "--seed", "1", input="1\n1\n")
    assert done.code == 0
    assert "costs" in done.out
    assert "2 spots:" in done.out
    again = run("equilibrium", "holdem", "--iterations", "30", "--train", "1", "--seed", "1", input="limp\n1\n")
    assert "'limp' is none of" in again.err
    assert "1 spot:" in again.out
    ended = run("equilibrium", "holdem", "--iterations", "30", "--train", "5", "--seed", "1", input="1\n\n")
    assert "1 spot:" in ended.out


def test_every_card_that_may_come(run: Run) -> None:
    spot = "holdem(board='Qs Jh 2h 7c', oop='AcAd,KhQh', ip='KcKd,9h8h', bets='50%')"
    done = run("equilibrium", spot, "--iterations", "5", "--line", "check, check")
    assert "by the card that comes" in done.out
    assert len(run("equilibrium", spot, "--iterations", "5", "--line", "check, check", "--json").data["runouts"]) == 48
