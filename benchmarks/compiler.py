"""Rules in plain Python, compiled: how many compile, how long a first answer takes, and how much faster it is than the interpreter.

    python benchmarks/compiler.py            the natural games of tests/corpus
    python benchmarks/compiler.py --cold     a first answer of whole processes, with an empty cache
    python benchmarks/compiler.py --interned rules that do not compile, against the reference backend

Every answer is compared with the interpreter's. Times are of the processor.
"""

import argparse
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.compiler.game import compiled_game
from zermelo.compiler.interning import interned_game
from zermelo.errors import ZermeloError
from zermelo.games.chesslib import ChessLib
from zermelo.registry import find
from zermelo.rules import Game
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.classic.perft import perft
from zermelo.search.montecarlo.mcts import MCTS

CORPORA = [Path(__file__).parent.parent / "tests" / "corpus" / name for name in ("natural19", "natural")]
ENOUGH = 20_000  # nodes that the interpreter counts


def depth_for(game: Game) -> int:
    """So deep that counting takes the interpreter a while."""
    depth = 1
    while depth < 12 and perft(game, depth, backend="reference").nodes < ENOUGH:
        depth += 1
    return depth


def measure(file: Path) -> tuple[float, float] | None:
    """(seconds to compile, ratio of speeds); None where the rules do not compile."""
    game = find(str(file))
    begun = time.process_time()
    try:
        compiled_game(game).ready("perft")
    except ZermeloError as reason:
        print(f"{file.stem:14} does not compile: {reason}")
        return None
    compiling = time.process_time() - begun
    depth = depth_for(game)
    slow = perft(game, depth, backend="reference")
    fast = perft(game, depth, backend="compiled")
    assert (fast.leaves, fast.finished) == (slow.leaves, slow.finished), f"{file}: compiled and interpreted rules differ"
    repeats = max(1, int(0.05 / max(fast.seconds, 1e-6)))
    best = min(perft(game, depth, backend="compiled").seconds for _ in range(min(repeats, 20)))
    ratio = slow.seconds / max(best, 1e-6)
    print(f"{file.stem:14} {compiling:6.2f} s to compile   {slow.nodes:9,} nodes   {ratio:7.0f} x the interpreter")
    return compiling, ratio


def natural() -> None:
    for folder in CORPORA:
        files = sorted(file for file in folder.glob("*.py") if file.stem != "__init__")
        measured = [found for file in files if (found := measure(file)) is not None]
        compiling, ratios = zip(*measured, strict=True)
        print(f"{folder.name}: {len(measured)} of {len(files)} compile; median {statistics.median(compiling):.2f} s to compile, "
              f"{statistics.median(ratios):.0f} x the interpreter\n")  # fmt: skip


def cold() -> None:
    """Whole processes: `zermelo best GAME`."""
    files = [str(CORPORA[0] / f"{name}.py") for name in ("hexapawn", "domineering", "isolation", "ataxx", "oware")]
    first("tictactoe")  # so that Python has its bytecode
    for game in ["tictactoe", "connect4(width=5,height=4)", "connect4(width=4,height=5)", *files]:
        empty = full = math.inf
        for _ in range(3):  # the least, because other work disturbs
            with tempfile.TemporaryDirectory() as folder:
                empty, full = min(empty, first(game, folder)), min(full, first(game, folder))
        print(f"{Path(game).stem:28} empty cache {empty:5.2f} s   full cache {full:5.2f} s")


def first(game: str, folder: str = "") -> float:
    """Seconds of the processor that a whole process takes to the exact answer."""
    before = os.times()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "zermelo", "best", game, "--json"]
    done = subprocess.run(command, env=environment | {"ZERMELO_CACHE": folder}, capture_output=True, text=True, check=True)
    after = os.times()
    assert '"exact": true' in done.stdout, f"{game}: no exact answer"
    return after.children_user + after.children_system - before.children_user - before.children_system


# --- rules that do not compile


class Grid:
    """A board as people write it who think in objects: it changes, is copied, and has a hash of its own."""

    __slots__ = ("cells", "moved")

    def __init__(self, cells: list[str], moved: int) -> None:
        self.cells, self.moved = cells, moved

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.cells == other.cells

    def __hash__(self) -> int:
        return hash(tuple(self.cells))

    def put(self, cell: int, mark: str) -> None:
        self.cells[cell] = mark
        self.moved += 1


LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class SlottedTicTacToe(Game):
    """States are objects that the rules copy and change."""

    payoffs = (-1, 1)

    def start(self) -> Any:
        return Grid([" "] * 9, 0)

    def player(self, grid: Any) -> int:
        return int(grid.moved % 2)

    def actions(self, grid: Any) -> list[int]:
        return [cell for cell in range(9) if grid.cells[cell] == " "]

    def result(self, grid: Any, cell: int) -> Any:
        after = Grid(list(grid.cells), grid.moved)
        after.put(cell, "XO"[grid.moved % 2])
        return after

    def winner(self, grid: Any) -> int:
        for a, b, c in LINES:
            if grid.cells[a] == grid.cells[b] == grid.cells[c] != " ":
                return 1 if grid.cells[a] == "X" else -1
        return 0

    def terminal(self, grid: Any) -> bool:
        return self.winner(grid) != 0 or grid.moved == 9

    def utility(self, grid: Any) -> int:
        return self.winner(grid)


class RegexTicTacToe(Game):
    """Regular expressions look for lines on a board that is a text: no compiled rules can do that."""

    payoffs = (-1, 1)

    def start(self) -> Any:
        return "... ... ..."

    def player(self, text: Any) -> int:
        return len(re.findall("[XO]", text)) % 2

    def actions(self, text: Any) -> list[Any]:
        return [match.start() for match in re.finditer(r"\.", text)]

    def result(self, text: Any, place: Any) -> Any:
        return text[:place] + "XO"[self.player(text)] + text[place + 1 :]

    def won(self, text: Any, mark: str) -> bool:
        return re.search(f"{mark}{{3}}|{mark}(...{mark}){{2}}|{mark}(....{mark}){{2}}|^..{mark}.(.{mark}.){mark}", text) is not None

    def terminal(self, text: Any) -> bool:
        return self.won(text, "X") or self.won(text, "O") or "." not in text

    def utility(self, text: Any) -> int:
        return self.won(text, "X") - self.won(text, "O")


def counted(game: Game, backend: Any, depth: int) -> Any:
    found = perft(game, depth, backend=backend)
    return found.leaves, found.finished, found.nodes


def searched(game: Game, backend: Any, depth: int) -> Any:
    found = AlphaBeta(depth=depth, textbook=True, backend=backend).search(game)
    return found.value, found.action, found.nodes


def played(game: Game, backend: Any, playouts: int) -> Any:
    found = MCTS(playouts=playouts, seed=1, backend=backend).search(game)
    return found.value, found.action, found.nodes


@dataclass(frozen=True)
class RookEnding(ChessLib):
    """King and rook against king, by the package `chess`."""

    repetitions: int = 0
    clock: int = 0

    def start(self) -> Any:
        return self.read("8/8/8/3k4/8/8/8/R3K3 w - - 0 1")


Searches = list[tuple[str, Any, int]]  # name, function, how far


def uncompiled() -> list[tuple[Any, Searches]]:
    """Games that do not compile, with searches of them."""
    sys.path.remove(str(Path(__file__).parent))  # where a benchmark hides the package `chess`
    return [
        (SlottedTicTacToe(), [("perft", counted, 7), ("alpha-beta", searched, 9), ("MCTS", played, 5000)]),
        (RegexTicTacToe(), [("perft", counted, 6), ("alpha-beta", searched, 9), ("MCTS", played, 5000)]),
        (RookEnding(), [("perft", counted, 5), ("alpha-beta", searched, 6)]),
        (find("chesslib"), [("perft", counted, 4), ("alpha-beta", searched, 4), ("MCTS", played, 20)]),
    ]


def interned() -> None:
    """Searches of games that do not compile, from empty tables, by compiled kernels on interned states and by the reference backend."""
    for game, searches in uncompiled():
        ratios = []
        for name, search, size in searches:
            search(game, "interned", 1)  # makes or loads the kernel
            slow = fast = math.inf
            for _ in range(2):
                begun = time.process_time()
                expected = search(game, "reference", size)
                slow = min(slow, time.process_time() - begun)
                interned_game(game).forget()
                begun = time.process_time()
                found = search(game, "interned", size)
                fast = min(fast, time.process_time() - begun)
                assert found == expected, f"{type(game).__name__}: {name} differs: {found} and {expected}"
            ratios.append(f"{name} {slow / fast:5.1f} x")
        print(f"{type(game).__name__:17} {'   '.join(ratios)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--interned", action="store_true")
    arguments = parser.parse_args()
    cold() if arguments.cold else interned() if arguments.interned else natural()
