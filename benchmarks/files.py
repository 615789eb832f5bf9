"""Every Gambit file of some folders: solved by `auto`, proved in rational numbers where that goes, or refused with the reason.

    python benchmarks/files.py FOLDER …            .efg and .nfg, subfolders too
    python benchmarks/files.py FOLDER --time 60    seconds a file; 20 by default

"proved" is an exact equilibrium, found by one method and judged by the best replies in whole numbers; "bounded" has a proved bound of the
exploitability; where a tree has imperfect recall the strategies are mixed. An answer whose bound exceeds 1e-3 of the payoffs' span fails.
"""

import argparse
import time
from collections import Counter
from pathlib import Path

from zermelo.equilibrium.extensive.solver import EquilibriumSolver
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game

CLOSE = 1e-3  # of the payoffs' span


def judged(path: Path, seconds: float) -> tuple[str, str]:
    """How the file ended, and the rest of its row."""
    began = time.perf_counter()
    try:
        game = open_game(str(path))
        found = EquilibriumSolver(certify=True, seconds=seconds).solve(game)
    except ZermeloError as error:
        return "refused", str(error)
    gain = float(found.certificate.exploitability)
    low, high = game.payoffs or (0, 1)
    assert gain <= CLOSE * float(high - low), (path, gain)
    ending = "proved" if found.certificate.equilibrium else "bounded"
    mixed = ", mixed strategies" if any("imperfect recall" in note for note in found.notes) else ""
    values = ", ".join(f"{worth:.6g}" for worth in found.value)
    return ending, f"{found.method:16} {gain:9.2g} {time.perf_counter() - began:7.3f} s   {values}{mixed}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--time", type=float, default=20.0)
    asked = parser.parse_args()
    files = sorted(path for folder in asked.folders for path in folder.rglob("*.?fg") if path.suffix in (".efg", ".nfg"))
    assert files, "there is no .efg or .nfg in these folders"
    endings: Counter[str] = Counter()
    print(f"{'file':56} {'ending':8} {'method':16} {'at most':>9} {'time':>9}   value")
    for path in files:
        ending, row = judged(path, asked.time)
        endings[ending] += 1
        print(f"{path.name[:56]:56} {ending:8} {row}", flush=True)
    print(f"{len(files)} files: " + ", ".join(f"{count} {ending}" for ending, count in endings.most_common()))


if __name__ == "__main__":
    main()
