"""Every Gambit file of some folders: solved by `auto`, proved in rational numbers where that goes, or refused with the reason.

    python benchmarks/files.py FOLDER …            .efg and .nfg, subfolders too
    python benchmarks/files.py FOLDER --time 60    seconds a file; 20 by default
    python benchmarks/files.py FOLDER --markdown   the rows of docs/reference/gambit-files.md

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
TERMINAL = "{file:56.56} {ending:8} {method:16} {bound:>9} {seconds:>9}   {value}"
MARKDOWN = "| {file} | {ending} | {method} | {bound} | {value} |"


def judged(path: Path, seconds: float) -> dict[str, str]:
    """The file's row."""
    began = time.perf_counter()
    try:
        game = open_game(str(path))
        found = EquilibriumSolver(certify=True, seconds=seconds).solve(game)
    except ZermeloError as error:
        return {"file": path.name, "ending": "refused", "method": "", "bound": "", "seconds": "", "value": str(error)}
    gain = float(found.certificate.exploitability)
    low, high = game.payoffs or (0, 1)
    assert gain <= CLOSE * float(high - low), (path, gain)
    mixed = ", mixed strategies" if any("imperfect recall" in note for note in found.notes) else ""
    return {
        "file": path.name,
        "ending": "proved" if found.certificate.equilibrium else "bounded",
        "method": found.method,
        "bound": f"{gain:.2g}",
        "seconds": f"{time.perf_counter() - began:.3f} s",
        "value": ", ".join(f"{worth:.6g}" for worth in found.value) + mixed,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--time", type=float, default=20.0)
    parser.add_argument("--markdown", action="store_true")
    asked = parser.parse_args()
    files = sorted(path for folder in asked.folders for path in folder.rglob("*.?fg") if path.suffix in (".efg", ".nfg"))
    assert files, "there is no .efg or .nfg in these folders"
    endings: Counter[str] = Counter()
    form = MARKDOWN if asked.markdown else TERMINAL
    print(form.format(file="file", ending="ending", method="method", bound="at most", seconds="time", value="value"))
    if asked.markdown:
        print("| --- " * MARKDOWN.count("{") + "|")
    for path in files:
        row = judged(path, asked.time)
        endings[row["ending"]] += 1
        print(form.format(**row), flush=True)
    print(f"{len(files)} files: " + ", ".join(f"{count} {ending}" for ending, count in endings.most_common()))


if __name__ == "__main__":
    main()
