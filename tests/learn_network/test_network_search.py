"""Search with a network, without the library that trains it: the network's file, its arithmetic, and the compiled search."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo.compiler.fields import Field, fields_of, numbers_of
from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.games.nim import Nim
from zermelo.play.algorithms import Budget, think
from zermelo.play.match import Match
from zermelo.play.players import parse_player
from zermelo.registry import find
from zermelo.rules import Game, legal_actions
from zermelo.runtime.identity import rules_hash
from zermelo.search.montecarlo.network.inputs import BIT, EQUAL, REAL, TURN, inputs_of, look_at, outputs_of
from zermelo.search.montecarlo.network.network_file import Network, Sizes, new_weights, read_network, write_network
from zermelo.search.montecarlo.network.puct import NetworkSearch
from zermelo.search.montecarlo.network.puct_driver import NetworkTree

GAME = Nim()  # 3, 4, 5: the first player wins by leaving 1 ^ 4 ^ 5 = 0, and in no other way (Bouton, 1901)


def network_for(game: Game, name: str, width: int = 16, seed: int = 1) -> Network:
    """A network that has learned nothing."""
    sight = look_at(game, symmetric=False, positions=300)
    sizes = Sizes(sight.inputs, sight.outputs, width, 2, 8)
    return Network(name, rules_hash(game, False), sight, sizes, new_weights(sizes, seed))


@pytest.fixture(scope="module")
def network() -> Network:
    return network_for(GAME, "nim")


@pytest.fixture(scope="module")
def file(network: Network, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("networks") / "nim.npz"
    write_network(network, path)
    return path


# --- what it sees


INT, WORD, REAL_FIELD = (Field(0, 8, signed, letter, 0) for signed, letter in ((True, False), (False, False), (True, True)))


def test_words_with_few_values_are_seen_by_value_and_others_by_bit() -> None:
    reals = np.array([0.5, 1.5, 2.5] * 10)
    rows = np.stack([np.tile([0, 7, 9], 10), np.arange(30), np.full(30, 4), np.arange(30) % 2 << 5, reals.view(np.int64)], axis=1)
    codes, scales = inputs_of(rows, [INT, INT, INT, WORD, REAL_FIELD])
    kinds = [tuple(code) for code in codes.tolist()]
    assert kinds[:3] == [(EQUAL, 0, 0), (EQUAL, 0, 7), (EQUAL, 0, 9)]
    assert kinds[3:8] == [(BIT, 1, bit) for bit in range(5)]
    assert kinds[8:14] == [(BIT, 3, bit) for bit in range(6)]  # the third word never changes: nothing to see
    assert kinds[14:] == [(REAL, 4, 0), (TURN, 0, 0), (TURN, 0, 1)]
    assert scales[14].tolist() == pytest.approx([1.5, 1 / reals.std()])


@pytest.mark.parametrize(("actions", "outputs"), [({3, 5}, [3, 4, 5]), ({0, 1000}, [0, 1000])])
def test_actions_get_outputs(actions: set[int], outputs: list[int]) -> None:
    assert outputs_of(actions).tolist() == outputs


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("kuhn", "hides some of it"),
        ("pig", "without chance"),
        ("threenim", "two players with a constant sum"),
        ("eightpuzzle", "two players with a constant sum"),
        ("ninemensmorris", "not the line that led there"),
    ],
)
def test_games_that_it_cannot_learn_are_refused(game: str, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        look_at(find(game), symmetric=False)


# --- arithmetic


def test_the_compiled_network_says_what_numpy_says(network: Network) -> None:
    random = np.random.default_rng(5)
    inputs = random.normal(0, 1, (20, network.sizes.inputs)).astype(np.float32)
    kernel: Any = NetworkTree(GAME, GAME.start(), network, 1.5, 1 << 30).kernel
    policies, values = network.answer(inputs)
    assert np.ptp(values) > 1e-3  # something is calculated
    for row, policy, value in zip(inputs, policies, values, strict=True):
        written, scratch = np.zeros(network.sizes.outputs, np.float32), np.zeros(3 * network.sizes.width, np.float32)
        said = kernel.answer(network.weights, network.sizes.array(), row, scratch, written)
        assert said == pytest.approx(value, abs=1e-6)
        assert written == pytest.approx(policy, abs=1e-6)


def test_the_first_answer_of_a_search_is_the_network_s_own(network: Network) -> None:
    tree = NetworkTree(GAME, GAME.start(), network, 1.5, 1 << 30)
    tree.grow(1, None)
    rows = {BIT: lambda word, number: word >> number & 1, EQUAL: lambda word, number: word == number}
    layout = tree.trees.compiled.program.state
    words = numbers_of(GAME.start(), layout, fields_of(layout))
    seen = [rows[kind](words[word], number) if kind in rows else number == 0 for kind, word, number in network.sight.codes.tolist()]
    policies, _ = network.answer(np.array([seen], np.float32))
    legal = list(GAME.actions(GAME.start()))
    logits = policies[0][np.searchsorted(network.sight.actions, legal)].astype(float)
    expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    assert tree.priors() == pytest.approx(dict(zip(legal, expected.tolist(), strict=True)), abs=1e-6)


# --- the search


def test_visits_add_up_and_the_winning_move_is_found_by_search_alone(file: Path) -> None:
    result = NetworkSearch(str(file), playouts=100_000).search(GAME)
    assert sum(result.extra["visits"].values()) == result.extra["playouts"] == 100_000
    assert result.algorithm == "network"
    assert not result.exact
    assert set(result.extra["priors"]) == set(result.extra["visits"])
    assert result.action is not None
    assert GAME.result(GAME.start(), result.action).heaps == (1, 4, 5)
    assert result.value > 0.2
    assert result.line[0] == result.action


def test_the_same_playouts_give_the_same_search_in_one_go_and_in_many(network: Network) -> None:
    whole, parts = (NetworkTree(GAME, GAME.start(), network, 1.5, 1 << 30) for _ in range(2))
    whole.grow(400, None)
    for _ in range(40):
        parts.grow(10, None)
    assert whole.moves() == parts.moves()
    assert whole.visited == parts.visited
    assert whole.size == parts.size <= 401


def test_a_tree_grows_beyond_its_first_arrays(network: Network) -> None:
    tree = NetworkTree(GAME, GAME.start(), network, 50.0, 1 << 30)  # so eager to explore that the tree is wide
    tree.grow(6_000, None)
    assert tree.size > 1 << 10
    assert sum(move.visits for move in tree.moves()) == 6_000


def test_limits_hold(file: Path) -> None:
    limited = think(NetworkSearch(str(file)), GAME, GAME.start(), Budget(nodes=500))
    again = think(NetworkSearch(str(file)), GAME, GAME.start(), Budget(nodes=500))
    assert 500 <= limited.nodes < 520
    assert limited.extra["visits"] == again.extra["visits"]
    with pytest.raises(ZermeloError, match="allow more memory"):
        NetworkSearch(str(file), memory=1 << 16).search(GAME)


def test_a_game_that_is_over_needs_no_network() -> None:
    game = Nim((1,))
    assert NetworkSearch("nowhere.npz").search(game, game.result(game.start(), legal_actions(game, game.start())[0])).action is None


def test_a_player_searches_with_it(file: Path) -> None:
    from random import Random

    player = parse_player(f"network({file})")
    choice = player.changed(playouts=50).choose(Match(GAME, Position(GAME.start())), Random(0))  # type: ignore[union-attr]
    assert choice.action in legal_actions(GAME, GAME.start())
    with pytest.raises(ZermeloError, match="playouts must be at least 1"):
        parse_player(f"network(file={str(file)!r}, playouts=0)")


# --- files


def test_a_network_is_read_as_it_was_written(network: Network, file: Path) -> None:
    read = read_network(file, GAME)
    assert (read.weights == network.weights).all()
    assert (read.sight.codes == network.sight.codes).all()
    assert (read.game, read.rules, read.sizes) == (network.game, network.rules, network.sizes)


def test_the_network_of_other_rules_is_refused(file: Path) -> None:
    with pytest.raises(ZermeloError, match=r"was trained for nim, not for"):
        read_network(file, Nim((1, 3, 5)))


def damaged(arrays: dict[str, Any], change: str) -> dict[str, Any]:
    """The file's arrays with something wrong."""
    about = json.loads(bytes(arrays["about"]))
    match change:
        case "format":
            about["format"] = "zermelo network 999"
        case "sizes":
            about["sizes"]["width"] += 1
        case "weights":
            arrays["weights"][3] = np.nan
        case "inputs":
            arrays["codes"][0] = 99, 0, 0
        case "actions":
            arrays["actions"][0] = 99
        case "half":
            del arrays["codes"]
    return arrays | {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}


@pytest.mark.parametrize("change", ["format", "sizes", "weights", "inputs", "actions", "half"])
def test_a_damaged_file_is_refused(file: Path, tmp_path: Path, change: str) -> None:
    with np.load(file) as opened:
        arrays = {name: opened[name].copy() for name in opened.files}
    with (tmp_path / "damaged.npz").open("wb") as out:
        np.savez(out, **damaged(arrays, change))
    with pytest.raises(ZermeloError, match="is not the file of a network, or it is damaged"):
        read_network(tmp_path / "damaged.npz", GAME)


def test_a_network_that_sees_more_than_there_is_is_refused(network: Network) -> None:
    far = network.sight.codes.copy()
    far[0, 1] = 40
    wrong = replace(network, sight=replace(network.sight, codes=far))
    with pytest.raises(ZermeloError, match="belongs to another game"):
        NetworkTree(GAME, GAME.start(), wrong, 1.5, 1 << 30)


@pytest.mark.parametrize(
    ("search", "words"),
    [
        (NetworkSearch(), "needs the file of a trained network"),
        (NetworkSearch("missing.npz"), "There is no file missing.npz"),
        (NetworkSearch("missing.npz", backend="reference"), "runs compiled only"),
        (NetworkSearch("missing.npz", playouts=0), "playouts is a whole number of at least 1"),
        (NetworkSearch("missing.npz", exploration=float("nan")), "exploration is a number of at least 0"),
    ],
)
def test_bad_parameters_are_named(search: NetworkSearch, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        search.search(GAME)
