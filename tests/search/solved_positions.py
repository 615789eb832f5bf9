"""Pascal Pons' solved positions of Connect Four, as the benchmark carries them."""

from pathlib import Path
from typing import Any

from zermelo.rules import Game

POSITIONS = [
    line.split()
    for line in (Path(__file__).parents[2] / "benchmarks" / "connect4_positions.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def after(game: Game, moves: str) -> Any:
    """The state after these columns, which count from 1."""
    state = game.start()
    for move in moves:
        state = game.result(state, int(move) - 1)
    return state
