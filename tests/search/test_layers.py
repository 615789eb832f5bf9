"""Layers: every position up to symmetry, from the last layer to the first; 2048 by two routes."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from zermelo import ZermeloError
from zermelo.games.pig import Pig
from zermelo.games.tictactoe import TicTacToe
from zermelo.games.twenty48 import Tiles, Twenty48
from zermelo.limits import Limits
from zermelo.search.chance.expectiminimax import Expectiminimax
from zermelo.search.chance.layers import Layers
from zermelo.search.chance.value_iteration import ValueIteration

# The greatest chance of making a tile, counted independently
TILES = {8: 1.0, 16: 0.96251125375, 32: 0.082887289072, 64: 0.0}


@pytest.mark.parametrize("goal", TILES)
def test_tiles_of_the_smallest_board_by_three_routes(goal):
    game = Twenty48(goal=goal)
    found = Layers(backend="reference").search(game)
    assert (found.exact, found.value) == (True, pytest.approx(TILES[goal], abs=1e-11))
    everywhere = ValueIteration(backend="reference").search(game)
    assert everywhere.value == pytest.approx(found.value, abs=1e-11)
    assert found.nodes < everywhere.nodes
    if goal <= 16:
        assert Expectiminimax(backend="reference").search(game).value == pytest.approx(found.value, abs=1e-11)


def test_every_action_has_its_value():
    game = Twenty48(3, 2, goal=16)
    state = Tiles((1, 1, 0, 2, 0, 0), 0)
    found = Layers(backend="reference").search(game, state)
    other = Expectiminimax(backend="reference").search(game, state)
    assert found.scores == pytest.approx(other.scores, abs=1e-12)
    assert (found.action, found.actions) == (other.action, other.actions)


@pytest.mark.parametrize("goal", [3, 5])
def test_layers_that_go_round_are_squeezed(goal):
    found = Layers(backend="reference").search(Pig(goal))
    assert found.exact
    assert found.value == pytest.approx(ValueIteration(backend="reference").search(Pig(goal)).value, abs=1e-11)
    assert found.extra["layers"] > 1
    assert found.extra["sweeps"] > 1


@dataclass(frozen=True)
class Backwards(Pig):
    """Its progress goes back."""

    def tier(self, turn):
        return -turn.mine


@pytest.mark.parametrize(
    ("engine", "game", "words"),
    [
        (Layers(backend="reference"), TicTacToe(), "Layers need `tier`"),
        (Layers(backend="reference"), Backwards(5), "tier goes back"),
        (Layers(backend="reference", limit=20), Twenty48(), "more than 20 positions"),
        (Layers(tolerance=0), Twenty48(), "tolerance"),
        (Layers(backend="fast"), Twenty48(), "There is no backend"),
    ],
)
def test_bad_questions_get_one_sentence(engine, game, words):
    with pytest.raises(ZermeloError, match=words):
        engine.search(game)


def test_a_limit_leaves_no_answer():
    with pytest.raises(ZermeloError, match="not finished"):
        Layers(backend="reference").search(Twenty48(), limits=Limits(nodes=10))


@pytest.mark.slow
def test_both_engines_find_the_same_layers():
    for game in (Twenty48(), Pig(5)):
        pair = [Layers(backend=backend).search(game) for backend in ("reference", "compiled")]
        assert [found.backend for found in pair] == ["reference", "compiled"]
        assert (pair[0].nodes, pair[0].actions, pair[0].extra) == (pair[1].nodes, pair[1].actions, pair[1].extra)
        assert pair[0].scores == pytest.approx(pair[1].scores, abs=1e-12)


@pytest.mark.slow
def test_the_benchmark_of_tiles_runs():
    program = Path(__file__).parents[2] / "benchmarks" / "tiles.py"
    printed = subprocess.run([sys.executable, str(program), "--quick"], capture_output=True, text=True, check=True).stdout
    assert "2048 on 3 × 3: a 32 with 1.000000000000, both ways" in printed
