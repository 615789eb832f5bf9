"""Speed of this checkout against an older one: every bundled game that both have, by several algorithms.

    python benchmarks/release.py PATH [GAME …]      PATH: the older checkout

Both search to the same depth. Values are asserted to be equal, and so are the node counts of searches that visit the whole tree; cut-offs
depend on the order of actions, which rules may have changed since, so speed is in nodes a second. Times are of the processor, the best of
several. A ratio above 1 means that this checkout is faster.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import zermelo
from zermelo.errors import ZermeloError
from zermelo.registry import find

WHOLE_TREE = ("Minimax", "Expectiminimax", "MaxN")  # visit the same nodes in any order
ALGORITHMS = (*WHOLE_TREE, "AlphaBeta", "Deepening")
ENOUGH = 0.15  # seconds of a search that is long enough to be timed
DEEPEST = 14
WARM = 0.6  # seconds of work after which code is optimised, or about to be
REPEATS = 4
CLOSE = 1e-9  # sums of floats in another order


def search(game: Any, name: str, depth: int) -> tuple[float, Any, int]:
    """(seconds of the processor, value, nodes)"""
    kind = getattr(zermelo, name)
    options = {"memory": 0} if name != "Deepening" and hasattr(kind(), "memory") else {}  # tables depend on how states are laid out
    begun = time.process_time()
    found = kind(depth=depth, **options).search(game)
    return time.process_time() - begun, found.value, found.nodes


def warm_up(game: Any, name: str, depth: int) -> None:
    """Search so long that code is optimised which was made in a hurry, and wait for it."""
    begun = time.process_time()
    while time.process_time() - begun < WARM:
        search(game, name, depth)
    for thread in threading.enumerate():
        if thread.name == "zermelo optimiser":
            thread.join()


def measure(spelling: str, name: str, depth: int) -> dict[str, Any]:
    """One algorithm on one game; the depth is sought where it is 0."""
    try:
        game = find(spelling)
        search(game, name, 1)  # compiles
        if depth == 0:
            depth = 1
            while depth < DEEPEST and search(game, name, depth)[0] < ENOUGH:
                depth += 1
        warm_up(game, name, depth)
        runs = [search(game, name, depth) for _ in range(REPEATS)]
    except (ZermeloError, ValueError, TypeError, AttributeError) as reason:
        return {"refused": str(reason)}
    return {"depth": depth, "seconds": min(run[0] for run in runs), "nodes": runs[0][2], "value": runs[0][1]}


def asked(checkout: Path, spelling: str, name: str, depth: int) -> dict[str, Any]:
    """The same in a process of its own, on the sources of a checkout."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    command = [sys.executable, __file__, "--measure", spelling, name, str(depth)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def agree(first: Any, second: Any) -> bool:
    pairs = zip(first, second, strict=True) if isinstance(first, list) else [(first, second)]
    return all(math.isclose(one, other, rel_tol=CLOSE, abs_tol=CLOSE) for one, other in pairs)


def compare(older: Path, games: list[str]) -> None:
    here = Path(__file__).parent.parent
    ratios: dict[str, list[float]] = {name: [] for name in ALGORITHMS}
    for spelling in games:
        for name in ALGORITHMS:
            now = asked(here, spelling, name, 0)
            before = now if "refused" in now else asked(older, spelling, name, now["depth"])
            if "refused" in before:
                continue
            assert name == "Deepening" or agree(now["value"], before["value"]), f"{spelling}, {name}: {now} against {before}"
            if name in WHOLE_TREE:
                assert now["nodes"] == before["nodes"], f"{spelling}, {name}: {now['nodes']} against {before['nodes']} nodes"
            ratio = (now["nodes"] / max(now["seconds"], 1e-6)) / (before["nodes"] / max(before["seconds"], 1e-6))
            ratios[name].append(ratio)
            figures = f"depth {now['depth']:2}  {now['nodes']:12,} nodes  {now['seconds']:7.3f} s  {ratio:6.2f} x"
            print(f"{spelling:28} {name:15} {figures}", flush=True)
    for name, found in ratios.items():
        if found:
            print(f"{name:15} {len(found):3} games: least {min(found):.2f} x, median {statistics.median(found):.2f} x")
    assert any(ratios.values()), "nothing was compared"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("arguments", nargs="*", metavar="PATH [GAME …]")
    given = parser.parse_args()
    if given.measure:
        spelling, name, depth = given.measure
        print(json.dumps(measure(spelling, name, int(depth)), default=float))
        return
    if not given.arguments:
        parser.error("give the path of an older checkout")
    from zermelo.registry import names

    compare(Path(given.arguments[0]).resolve(), given.arguments[1:] or list(names()))


if __name__ == "__main__":
    main()
