"""Small searches without a compiler, and commands that import no heavy library."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from zermelo.play.algorithms import make_algorithm, search
from zermelo.play.small_trees import interpreted_first, lines
from zermelo.registry import find

HEAVY = ("llvmlite", "numpy")
SCRIPT = """
import json, sys
from zermelo.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(json.dumps([name for name in ("llvmlite", "numpy") if name in sys.modules]), file=sys.stderr)
"""


def loaded(folder: Path, *words: str) -> tuple[str, list[str]]:
    """What a command prints, and which heavy libraries it has imported."""
    environment = {**os.environ, "ZERMELO_CACHE": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        input="position startpos\ngo nodes 20\nquit\n",
    )
    return done.stdout, json.loads(done.stderr.splitlines()[-1])


def test_a_small_tree_is_searched_before_a_compiler_is_imported(tmp_path: Path) -> None:
    out, heavy = loaded(tmp_path, "best", "tictactoe", "--position", "0142", "--json")
    answer = json.loads(out)
    assert (answer["backend"], answer["value"], answer["action"]) == ("reference", 1, "8")
    assert heavy == []


@pytest.mark.parametrize(
    ("name", "depth", "least", "most"),
    [("tictactoe", None, 100_000, 1_000_000), ("tictactoe", 2, 72, 72), ("connect4", None, 1e12, float("inf")), ("connect4", 3, 343, 343)],
)
def test_the_size_of_a_tree_is_estimated(name: str, depth: int | None, least: float, most: float) -> None:
    game = find(name)
    assert least <= lines(game, game.start(), depth) <= most


def test_only_searches_that_go_all_the_way_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.play.small_trees.is_compiled", lambda game: False)
    game: Any = find("tictactoe")
    assert interpreted_first(make_algorithm("alphabeta"), game, game.start())
    assert not interpreted_first(make_algorithm("alphabeta", backend="compiled"), game, game.start())
    assert not interpreted_first(make_algorithm("mcts"), game, game.start())
    assert not interpreted_first(make_algorithm("alphabeta"), find("connect4"), find("connect4").start())
    assert not interpreted_first(make_algorithm("alphabeta", depth=7), find("connect4"), find("connect4").start())  # 7 ** 7 lines


def test_compiled_code_takes_over_where_the_tree_is_larger_than_it_seemed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.play.algorithms.interpreted_first", lambda *_: True)
    monkeypatch.setattr("zermelo.play.algorithms.FIRST_NODES", 50)
    game: Any = find("tictactoe")
    engine = make_algorithm("alphabeta", depth=4)
    result = search(engine, game, game.start())
    assert result.backend == "compiled"
    assert result.scores == search(replace(engine, backend="reference"), game, game.start()).scores
