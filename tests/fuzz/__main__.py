"""`python -m tests.fuzz`: see the package."""

import argparse
import multiprocessing
import sys
import time
import warnings
from collections import Counter
from multiprocessing.connection import Connection

from .compare import Outcome, compare, interpreted
from .programs import program
from .shrink import shrink


def work(pipe: Connection, games: int, stub: bool) -> None:
    """Compare the programs that come through the pipe: in a process of its own, which compiled code may bring down."""
    warnings.simplefilter("ignore")
    number = 0
    while (source := pipe.recv()) is not None:
        number += 1
        pipe.send(compare(source, games, f"fuzzed{number}", interpreted if stub else None))


class Workshop:
    """A worker that is started again when it dies or grows old."""

    def __init__(self, games: int, stub: bool) -> None:
        self.games, self.stub, self.done = games, stub, 0
        self.begin()

    def begin(self) -> None:
        self.pipe, other = multiprocessing.Pipe()
        self.worker = multiprocessing.get_context("fork").Process(target=work, args=(other, self.games, self.stub), daemon=True)
        self.worker.start()
        other.close()

    def end(self) -> None:
        self.worker.kill()
        self.worker.join()
        self.pipe.close()

    def compare(self, source: str) -> Outcome:
        self.done += 1
        if self.done % 400 == 0:
            self.end()
            self.begin()
        try:
            self.pipe.send(source)
            if self.pipe.poll(600):
                return self.pipe.recv()
            outcome = Outcome("crash", "no answer in 600 s")
        except (EOFError, BrokenPipeError, ConnectionResetError):
            outcome = Outcome("crash", "the process died")
        self.end()
        self.begin()
        return outcome


def main() -> int:
    """Run, report, shrink."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first program's; the others count on from it")
    parser.add_argument("--games", type=int, default=3, help="random games a program")
    parser.add_argument("--stub", action="store_true", help="interpreter against interpreter")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first difference")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--show", action="store_true", help="print the programs instead")
    parser.add_argument("--reasons", action="store_true", help="list why programs were refused, raised or handed over")
    options = parser.parse_args()
    if options.show:
        for seed in range(options.seed, options.seed + options.programs):
            print(f"# seed {seed}\n{program(seed)}")
        return 0
    shop, counts, reasons, states, begun = Workshop(options.games, options.stub), Counter[str](), Counter[str](), 0, time.time()
    for seed in range(options.seed, options.seed + options.programs):
        source = program(seed)
        outcome = shop.compare(source)
        counts[outcome.kind] += 1
        states += outcome.states
        if outcome.kind in ("refused", "faults", "unfit", "types"):
            reasons[f"{outcome.kind}: {outcome.detail.splitlines()[0][:160]}"] += 1
        if outcome.bad:
            print(f"\n# seed {seed}: {outcome.kind}: {outcome.detail}", flush=True)
            if not options.no_shrink:
                symptom = outcome.symptom
                source = shrink(source, lambda text: shop.compare(text).symptom == symptom)  # noqa: B023
                print(f"# shrunk: {shop.compare(source).detail.splitlines()[0]}\n{source}", flush=True)
            if not options.keep_going:
                break
        if (seed - options.seed) % 100 == 99:
            print(
                f"{seed - options.seed + 1} programs, {states} states, {time.time() - begun:.0f} s: {dict(counts)}",
                file=sys.stderr,
                flush=True,
            )
    shop.end()
    if options.reasons:
        for reason, number in reasons.most_common(60):
            print(f"{number:6} {reason}")
    print(f"{sum(counts.values())} programs, {states} states, {time.time() - begun:.0f} s: {dict(counts)}")
    return 1 if counts["wrong"] or counts["crash"] else 0


if __name__ == "__main__":
    sys.exit(main())
