"""Games in arrays: what is seen can be told apart, actions keep their numbers, and a surprise is an error and never a wrong number."""

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from zermelo.errors import ZermeloError
from zermelo.interop.encoding import encode, first_states, load, save
from zermelo.registry import find
from zermelo.rules import CHANCE, knowledge, legal_actions


@pytest.mark.parametrize(
    ("name", "actions", "chances", "shape"),
    [
        ("tictactoe", 9, 0, (2 + 2, 3, 3)),  # the cells of X and of O, and who moves
        ("kuhn", 2, 3, (2 + 3 + 2 + 2 + 3 * 7,)),  # how many numbers, a card of -1 to 2, and up to three letters behind their number
        ("threenim", 2 * 64 + 3 + 1, 0, (3 + 1 + 2 + 2 + 3,)),  # heaps of 1, 2 and 3 counters, up to six turns
        ("rps", 3, 0, (2 + 2 + 2,)),
    ],
)
def test_small_games_are_seen_as_a_whole(name: str, actions: int, chances: int, shape: tuple[int, ...]) -> None:
    encoding = encode(find(name))
    assert (encoding.actions, encoding.chances, encoding.shape, encoding.complete) == (actions, chances, shape, True)


@pytest.mark.parametrize("name", ["tictactoe", "kuhn(players=3)", "goofspiel", "twoworlds", "kqj", "threenim"])
def test_an_observation_is_what_a_player_knows(name: str) -> None:
    """Two states look the same exactly where the player knows the same; and what is hidden never shows."""
    game = find(name)
    encoding = encode(game)
    states, complete = first_states(game, 10_000)
    assert complete
    for player in range(game.players):
        seen = {}
        for state in states:
            bits = tuple(encoding.observation(game, state, player))
            assert len(bits) == math.prod(encoding.shape)
            assert set(bits) <= {0, 1}
            assert seen.setdefault(bits, knowledge(game, state, player)) == knowledge(game, state, player)
        assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize("name", ["connect4", "leduc", "draughts", "ninemensmorris", "phantomtictactoe"])
def test_an_encoding_made_from_random_games_holds_in_others(name: str) -> None:
    game, random = find(name), Random(99)
    encoding = encode(game, look=3_000)
    for _ in range(3):
        state = game.start()
        for _ in range(200):
            if not (legal := legal_actions(game, state)):
                break
            assert len(encoding.observation(game, state, 0)) == encoding.shape[0]
            if game.player(state) != CHANCE:
                assert [action for action, possible in enumerate(encoding.mask(legal)) if possible] == sorted(legal)
            state = game.result(state, random.choice(legal))


def test_a_board_is_seen_in_planes() -> None:
    game = find("tictactoe")
    encoding = encode(game, observe="board")
    assert (encoding.marks, encoding.shape) == (("O", "X"), (4, 3, 3))
    state = game.result(game.result(game.start(), 0), 4)
    planes = encoding.observation(game, state, 0)
    assert planes[:9] == [0, 0, 0, 0, 1, 0, 0, 0, 0]  # O in the centre
    assert planes[9:18] == [1, 0, 0, 0, 0, 0, 0, 0, 0]  # X in the corner
    assert planes[18:] == [1] * 9 + [0] * 9  # Max is to move


def test_states_that_are_no_numbers_show_their_board() -> None:
    game = find("chess")
    encoding = encode(game, look=200)
    assert encoding.shape == (12 + 2, 8, 8)
    assert sum(encoding.observation(game, game.start(), 0)) == 32 + 64
    assert sum(encoding.mask(legal_actions(game, game.start()))) == 20


def test_what_a_board_would_give_away_is_refused() -> None:
    with pytest.raises(ZermeloError, match="hides something"):
        encode(find("phantomtictactoe"), observe="board")
    with pytest.raises(ZermeloError, match="no board of rows"):
        encode(find("nim"), observe="board")


def test_a_surprise_is_an_error() -> None:
    game = find("connect4(width=4,height=4)")
    narrow = replace(encode(game, look=1), actions=2)
    with pytest.raises(ZermeloError, match=r"action 2 is possible.*look=…"):
        narrow.mask([0, 1, 2])
    with pytest.raises(ZermeloError, match="the number in place 1 is 1,"):
        replace(narrow, lows=(0, 0), widths=(0, 5)).observation(game, game.result(game.result(game.start(), 0), 0), 0)


def test_an_encoding_is_saved_beside_what_was_trained_with_it(tmp_path: Path) -> None:
    game, file = find("threeconnect"), tmp_path / "encoding.json"
    encoding = encode(game, look=500)
    save(encoding, file)
    assert load(file, game) == encoding
    with pytest.raises(ZermeloError, match=r"encoding of ThreeConnect\(.*not of TicTacToe"):
        load(file, find("tictactoe"))
    file.write_text('{"zermelo": "match"}')
    with pytest.raises(ZermeloError, match="not a saved encoding"):
        load(file, game)
    with pytest.raises(ZermeloError, match="cannot be read"):
        load(tmp_path / "nothing.json", game)


@pytest.mark.parametrize(
    ("program", "missing", "sentence"),
    [
        ("import zermelo.interop.pettingzoo", "pettingzoo", "Environments of PettingZoo need pettingzoo: install zermelo[gym]."),
        ("import zermelo.interop.gymnasium", "gymnasium", "Environments of Gymnasium need gymnasium: install zermelo[gym]."),
        (
            "import zermelo.registry as r; r.find('openspiel:pig')",
            "pyspiel",
            "Games of OpenSpiel need pyspiel: install zermelo[openspiel].",
        ),
    ],
)
def test_a_library_that_is_not_there_is_named(program: str, missing: str, sentence: str) -> None:
    without = f"import sys\nsys.modules[{missing!r}] = None\n{program}"
    done = subprocess.run([sys.executable, "-c", without], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1
    assert done.stderr.strip().endswith(f"zermelo.errors.ZermeloError: {sentence}")
