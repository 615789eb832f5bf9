"""`zermelo learn`, and the weights it finds in best, play and match."""

import json
from pathlib import Path

import pytest
from command_line import Run

QUICK = ("--backend", "reference", "--truth", "0", "--pairs", "2")


@pytest.fixture
def weights(run: Run, tmp_path: Path) -> str:
    file = tmp_path / "ttt.weights"
    done = run("learn", "tictactoe", "--games", "40", "--out", str(file), *QUICK)
    assert done.code == 0, done.err
    assert f"The weights are in {file}." in done.err
    return str(file)


def test_a_run_in_words(run: Run, tmp_path: Path) -> None:
    done = run("learn", "tictactoe", "--games", "20", "--measures", "2", "--plot", str(tmp_path / "curve.png"), *QUICK)
    assert done.code == 0, done.err
    assert "against random" in done.out
    assert "20 games in" in done.out
    assert (tmp_path / "curve.png").stat().st_size > 1_000


def test_a_run_as_json(run: Run) -> None:
    done = run("learn", "mnk", "--games", "5", "--patterns", "3", "--json", *QUICK)
    found = json.loads(done.out)
    assert found["games"] == 5
    assert found["weights"] == {}  # the game has no features
    assert found["pattern_weights"] == 3072
    assert found["curve"][-1]["games"] == 5
    assert set(found["curve"][0]["duels"]) == {"random"}


def test_the_same_seed_gives_the_same_weights(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "other", "third")]
    for file, seed in zip(files, "778", strict=True):
        run("learn", "tictactoe", "--games", "10", "--seed", seed, "--out", str(file), *QUICK)
    texts = [file.read_text(encoding="utf-8") for file in files]
    assert texts[0] == texts[1] != texts[2]


def test_weights_change_what_best_says(run: Run, weights: str) -> None:
    asked = ("best", "tictactoe", "--depth", "2", "--backend", "reference", "--json")
    plain, judged = (json.loads(run(*asked, *more).out) for more in ((), ("--weights", weights)))
    assert plain["scores"] != judged["scores"]


def test_weights_at_the_table(run: Run, weights: str) -> None:
    done = run("play", "tictactoe", "--seats", "minimax(depth=1),minimax(depth=1)", "--weights", weights, "--backend", "reference")
    assert done.code == 0, done.err


def test_weights_in_a_match(run: Run, weights: str, tmp_path: Path) -> None:
    store = str(tmp_path / "match.db")
    player = f"minimax(depth=1, backend='reference', weights={weights!r})"
    match = ("match", player, "random", "--game", "tictactoe", "--games", "4", "--out", store, "--json")
    done = run(*match)
    assert done.code == 0, done.err
    assert json.loads(done.out)["games"] == 4
    Path(weights).write_text(Path(weights).read_text(encoding="utf-8").replace("move 0", "move 1"), encoding="utf-8")
    assert run(*match).code == 2  # other weights under the same name: another match


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("learn", "tictactoe", "--method", "tdleef"), "There is no method tdleef: did you mean tdleaf"),
        (("learn", "kuhn"), "chance moves"),
        (("learn", "nim"), "no board of rows"),
        (("learn", "tictactoe", "--games", "1", "--out", "nowhere/x.weights"), "there is no folder nowhere"),
        (("learn", "tictactoe", "--method", "regression", "--checkpoint", "x.npz", "--backend", "reference"), "in one go"),
        (("learn", "mnk", "--against", "evaluate"), "no `evaluate` to play against"),
        (("best", "tictactoe", "--weights", "none.weights"), "There is no file none.weights"),
        (("match", "minimax(weights='none.weights')", "random", "--game", "tictactoe"), "There is no file none.weights"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_weights_of_another_game_are_refused(run: Run, weights: str) -> None:
    done = run("best", "connect4", "--weights", weights)
    assert done.code == 2
    assert "These weights are for tictactoe, not for ConnectFour" in done.err
