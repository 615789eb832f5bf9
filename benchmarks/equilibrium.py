"""How fast are equilibria of extensive games? Every time is printed with an answer that is asserted.

    python benchmarks/equilibrium.py [--quick] [--large] [--threads]

1. time of one iteration of CFR+ with alternating updates: Leduc (target 12 µs by blocks, 35 µs by sparse rows), Liar's Dice 1×6 (0.25 ms),
   with --large Goofspiel with five cards; Leduc over ranges, too
2. time to exploitability 1e-2, 1e-3, 1e-4 by every regret minimizer; Leduc to 1e-4 (target 20 ms)
3. external-sampling Monte Carlo on Leduc, on the rules themselves (target 5 µs an iteration)
4. the sequence-form linear program: Leduc (0.10 s), Liar's Dice 1×5 (0.9 s), 1×6 (2.7 s)
5. with --large a tree of ten million histories: unfolded, iterated in memory, with bytes a history
6. with --threads the same work on one thread and on two, with the same result

`equilibrium_others.py` compares with other libraries. A game that is written in Python rules and one that is built in are the same thing
here: all of these are rules in plain Python. Times are processor time of one core, the best of several runs; a busy machine still makes
them longer.
"""

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.public.public_form import PublicForm
from zermelo.equilibrium.extensive.public.public_solver import PublicRun
from zermelo.equilibrium.extensive.regret.blocks import choose_layout, public_points
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.regret.parallel_cfr import ThreadedLayout
from zermelo.equilibrium.extensive.regret.variants import VARIANTS, schedule, variant
from zermelo.equilibrium.extensive.sampling.mccfr import MonteCarlo
from zermelo.equilibrium.extensive.sampling.mccfr_driver import CompiledSampler
from zermelo.equilibrium.extensive.sequences.arrays import Arrays
from zermelo.equilibrium.extensive.sequences.best_response import exploitability
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.games.goofspiel import Goofspiel
from zermelo.games.holdem import Holdem
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.runtime.backend import choose

LEDUC_VALUE = -0.085606424078  # independent sequence-form program
LIARS_DICE_VALUE = {5: 0.008, 6: -0.027131782946}
LEDUC_AFTER_100 = 0.013415995  # exploitability of CFR+: OpenSpiel 2.0.2
TARGETS = (1e-2, 1e-3, 1e-4)


def best(work: Callable[[], Any], repeat: int) -> float:
    """The shortest processor time of so many runs."""
    times = []
    for _ in range(repeat):
        began = time.thread_time()
        work()
        times.append(time.thread_time() - began)
    return min(times)


def iteration(arrays: Arrays, kind: str, repeat: int) -> float:
    """Seconds of one iteration of CFR+."""
    layout, chosen = choose_layout(arrays, kind), variant("cfr+")
    vectors = layout.vectors([plex.uniform() for plex in arrays.plexes])
    layout.run(vectors, schedule(chosen, 0, 100), simultaneous=False, clip=True, predict=0.0)
    values, replies = layout.measure(vectors)
    if arrays.game == Leduc():
        distance = float((replies - values).sum() / 2)
        assert abs(distance / LEDUC_AFTER_100 - 1) < 1e-5, distance
    rows = schedule(chosen, 100, 20)
    return best(lambda: layout.run(vectors, rows, simultaneous=False, clip=True, predict=0.0), repeat) / 20


def iterations(games: dict[str, Arrays], quick: bool) -> None:
    """Part 1."""
    for name, arrays in games.items():
        for kind in ("blocks", "sparse") if public_points(arrays) is not None else ("sparse",):
            repeat = 3 if arrays.histories > 1_000_000 else 20 if quick else 100
            print(f"{name}, {kind}: {iteration(arrays, kind, repeat) * 1e6:.1f} µs an iteration")


def over_ranges(quick: bool) -> None:
    """Part 1, too: Leduc as a small hold'em, walked over ranges. Both suits are dealt, as in the other layouts."""
    bets = "preflop: 2; flop: 4"
    small: dict[str, Any] = {"deck": "Q-A hs", "hole": 1, "streets": "1", "board": "", "oop": "random", "ip": "random"}
    leduc = Holdem(**small, pot=2, stack=1000, bets=bets, raises=bets, raise_limit=1)
    run = PublicRun(PublicForm(leduc.public(), isomorphism=False), variant("cfr+"))
    run.iterate(1000)
    assert abs(run.values()[0] - LEDUC_VALUE) < 2 * run.exploitability() < 1e-3
    rows = schedule(run.chosen, 1000, 20)
    print(f"Leduc, over ranges: {best(lambda: run.iterate_at_once(rows), 20 if quick else 100) / 20 * 1e6:.1f} µs an iteration")


def times_to_targets(games: dict[str, Arrays], quick: bool) -> None:
    """Part 2."""
    for name, arrays in games.items():
        for method in ("auto", *VARIANTS):
            result = RegretMinimization(method, target=TARGETS[-1], seconds=2 if quick else 10).solve(arrays)
            assert result.exploitability is not None
            assert result.stopped in ("target", "time")
            reached = {target: next((point for point in result.convergence if point[2] <= target), None) for target in TARGETS}
            words = ", ".join(
                f"{target:.0e} {'–' if point is None else f'{point[1] * 1e3:.1f} ms ({point[0]} iterations)'}"
                for target, point in reached.items()
            )
            print(f"{name}, {method}{f' ({result.method})' if method == 'auto' else ''}: {words}")


def sampling(leduc: Arrays, quick: bool) -> None:
    """Part 3."""
    compiled = choose(Leduc()).compiled
    assert compiled is not None
    sampler = CompiledSampler(Leduc(), compiled, "external", 0.6, 0, 1 << 30)
    sampler.run(20_000)
    seconds = best(lambda: sampler.module.run(2000, sampler.way, 0.6, sampler.row, sampler.work, sampler.reals), 10 if quick else 50) / 2000
    distance = exploitability(leduc, sampler.strategy())
    assert distance < 0.3, distance
    print(f"Leduc, external sampling: {seconds * 1e6:.2f} µs an iteration; exploitability {distance:.3f}")


def programs(games: dict[str, Arrays]) -> None:
    """Part 4."""
    for name, arrays in games.items():
        game = arrays.game
        if isinstance(game, Goofspiel):
            continue
        result = LinearProgram().solve(arrays)
        value = LIARS_DICE_VALUE[game.faces] if isinstance(game, LiarsDice) else LEDUC_VALUE
        assert abs(result.value[0] - value) < 1e-9, result.value
        print(f"{name}, linear program: {result.seconds:.2f} s, value {result.value[0]:.9f}")


def large() -> None:
    """Part 5: ten million histories."""
    arrays = unfold(Leduc(ranks=26))
    assert arrays.histories == 9_984_833
    each = arrays.bytes / arrays.histories
    print(f"Leduc with 52 cards: {arrays.histories:,} histories in {arrays.seconds:.1f} s, arrays {each:.1f} bytes a history")
    for kind in ("sparse", "blocks"):
        began = time.perf_counter()
        layout = choose_layout(arrays, kind)
        made = time.perf_counter() - began
        print(f"  {kind}: made in {made:.1f} s, {iteration(arrays, kind, 3) * 1e3:.1f} ms an iteration ({layout.name})")
    result = RegretMinimization("dcfr", iterations=200).solve(arrays)
    assert result.exploitability is not None
    assert result.exploitability < 0.02, result.exploitability
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"  200 iterations of dcfr in {result.seconds:.1f} s: exploitability {result.exploitability:.2g}, value {result.value[0]:.4f}")
    print(f"  most memory of the whole process: {peak / arrays.histories:.0f} bytes a history ({peak / (1 << 30):.2f} GB)")


def threads(games: dict[str, Arrays]) -> None:
    """Part 6: wall-clock time of the same iterations on one thread and on two; sampling, too."""
    for name, arrays in games.items():
        layout, chosen = choose_layout(arrays), variant("dcfr")
        count = max(20, int(0.5 / iteration(arrays, layout.name, 3)))
        taken, ended = [], []
        for runner in (layout, ThreadedLayout(layout, 2)):
            vectors = layout.vectors([plex.uniform() for plex in arrays.plexes])
            runner.run(vectors, schedule(chosen, 0, 3), simultaneous=False, clip=False, predict=0.0)
            began = time.perf_counter()
            runner.run(vectors, schedule(chosen, 3, count), simultaneous=False, clip=False, predict=0.0)
            taken.append((time.perf_counter() - began) / count)
            ended.append(vectors.regret)
        assert np.array_equal(ended[0], ended[1])
        one, two = (each * 1e3 for each in taken)
        print(f"{name} ({layout.name}): {one:.3f} ms an iteration on 1 thread, {two:.3f} ms on 2: {one / two:.2f} times as fast")
    seconds = []
    for count in (1, 2):
        result = MonteCarlo(iterations=300_000, threads=count).solve(Leduc(), games["Leduc"])
        assert result.exploitability is not None
        assert result.exploitability < 0.1
        seconds.append(result.seconds)
        print(f"Leduc, 300,000 samples on {count} threads: {result.seconds:.2f} s, exploitability {result.exploitability:.4f}")
    print(f"  {seconds[0] / seconds[1]:.2f} times")


def main() -> None:
    quick = "--quick" in sys.argv
    named = {
        "Leduc": Leduc(),
        "Liar's Dice 1×5": LiarsDice(faces=5),
        "Liar's Dice 1×6": LiarsDice(),
        "Goofspiel 4, random": Goofspiel(4, shuffled=True),
    }
    if "--large" in sys.argv:
        named["Goofspiel 5, random"] = Goofspiel(5, shuffled=True)
    games = {}
    for name, game in named.items():
        arrays = unfold(game)
        games[name] = arrays
        print(f"{name}: {arrays.histories:,} histories unfolded in {arrays.seconds * 1e3:.1f} ms ({arrays.backend}), {arrays.sets:,} sets")
    iterations(games, quick)
    over_ranges(quick)
    times_to_targets(games, quick)
    sampling(games["Leduc"], quick)
    programs(games)
    if "--threads" in sys.argv:
        threads(games)
    if "--large" in sys.argv:
        large()


if __name__ == "__main__":
    main()
