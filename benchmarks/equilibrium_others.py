"""The same equilibria by other libraries, in one process on one core: ratios, with every answer asserted.

    python benchmarks/equilibrium_others.py [--quick] [iterations] [targets] [sampling] [programs]

1. time of one iteration of CFR+ with alternating updates: OpenSpiel's C++ CFRPlusSolver, LiteEFG
2. time to exploitability 1e-2, 1e-3, 1e-4 on Leduc: OpenSpiel's C++ CFRSolver and CFRPlusSolver, LiteEFG; ours is what `auto` chooses
3. external-sampling Monte Carlo on Leduc: OpenSpiel's C++ solver
4. the linear program: OpenSpiel's (where cvxpy and ecos are installed) and Gambit's on Kuhn and Leduc

What is not installed is left out: `pip install open_spiel LiteEFG pygambit cvxpy ecos`. Their exploitability is measured by their own
functions and their measuring is not counted; ours is counted.
"""

import contextlib
import io
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.regret.blocks import choose_layout
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.regret.variants import schedule, variant
from zermelo.equilibrium.extensive.sampling.mccfr_driver import CompiledSampler
from zermelo.equilibrium.extensive.sequences.arrays import Arrays
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.formats.efg import write_efg
from zermelo.games.kuhn import Kuhn
from zermelo.games.leduc import Leduc
from zermelo.games.liarsdice import LiarsDice
from zermelo.runtime.backend import choose
from zermelo.trees.unfolding import unfold as tree_of

GAMES = {"Leduc": (Leduc(), "leduc_poker"), "Liar's Dice 1×6": (LiarsDice(), "liars_dice(numdice=1,dice_sides=6)")}
TARGETS = (1e-2, 1e-3, 1e-4)
LEDUC_VALUE = -0.085606424078  # independent sequence-form program
GAMBIT_PATIENCE = 300.0  # seconds for its linear program
PATIENCE = 90.0  # seconds for one of the others to come to the last target


def processor_time(work: Callable[[], Any], repeat: int = 1) -> float:
    """The shortest processor time of this thread over so many runs."""
    times = []
    for _ in range(repeat):
        began = time.thread_time()
        work()
        times.append(time.thread_time() - began)
    return min(times)


def our_iteration(arrays: Arrays) -> float:
    """Seconds of one iteration of CFR+."""
    layout, chosen = choose_layout(arrays), variant("cfr+")
    vectors = layout.vectors([plex.uniform() for plex in arrays.plexes])
    layout.run(vectors, schedule(chosen, 0, 100), simultaneous=False, clip=True, predict=0.0)
    rows = schedule(chosen, 100, 20)
    return processor_time(lambda: layout.run(vectors, rows, simultaneous=False, clip=True, predict=0.0), 50) / 20


def quietly(work: Callable[[], Any]) -> Any:
    """LiteEFG's graphs talk."""
    with contextlib.redirect_stdout(io.StringIO()):
        return work()


def lite_environment(spelling: str) -> tuple[Any, Any]:
    """LiteEFG's graph of CFR+ and its game."""
    import LiteEFG
    import pyspiel
    from LiteEFG.baselines import CFRplus

    graph = quietly(CFRplus.graph)
    environment = quietly(lambda: LiteEFG.OpenSpielEnv(pyspiel.load_game(spelling), traverse_type="Enumerate", regenerate=True))
    environment.set_graph(graph)
    return graph, environment


def iterations(found: dict[str, Arrays], count: int, lite: bool) -> None:
    """Part 1."""
    import pyspiel

    for name, (_, spelling) in GAMES.items():
        ours = our_iteration(found[name])
        print(f"{name}: ours {ours * 1e6:.1f} µs an iteration of CFR+")
        solver = pyspiel.CFRPlusSolver(pyspiel.load_game(spelling))
        seconds = processor_time(lambda solver=solver: [solver.evaluate_and_update_policy() for _ in range(count)], 2) / count
        print(f"  OpenSpiel C++ {seconds * 1e3:.2f} ms: {seconds / ours:.0f} times as long")
        if lite:
            graph, environment = lite_environment(spelling)
            seconds = processor_time(
                lambda graph=graph, environment=environment: [graph.update_graph(environment) for _ in range(count)], 2
            )
            print(f"  LiteEFG {seconds / count * 1e3:.2f} ms: {seconds / count / ours:.0f} times as long")


def race(step: Callable[[int], Any], distance: Callable[[], float], patience: float) -> dict[float, float]:
    """Target → processor time of the iterations until it was reached, looked at after every fifth part more; measuring is free."""
    reached: dict[float, float] = {}
    done, spent = 0, 0.0
    while len(reached) < len(TARGETS) and spent < patience:
        count = max(1, done // 5)
        spent += processor_time(lambda count=count: step(count))
        done += count
        now = distance()
        for target in TARGETS:
            if now <= target:
                reached.setdefault(target, spent)
    return reached


def to_targets(leduc: Arrays, patience: float, lite: bool) -> None:
    """Part 2."""
    import pyspiel

    RegretMinimization(target=TARGETS[-1]).solve(leduc)
    ours = {target: processor_time(lambda target=target: RegretMinimization(target=target).solve(leduc), 10) for target in TARGETS}
    result = min((RegretMinimization(target=TARGETS[-1]).solve(leduc) for _ in range(10)), key=lambda each: each.seconds)
    words = ", ".join(f"{target:.0e} {seconds * 1e3:.1f} ms" for target, seconds in ours.items())
    print(f"Leduc, ours by auto ({result.method}), the layout, the race and the measuring included: {words}")
    print(f"  of the last, {result.seconds * 1e3:.1f} ms are the race, {result.iterations} iterations, and the measuring")
    game = pyspiel.load_game("leduc_poker")
    racers: dict[str, dict[float, float]] = {}
    for name in ("CFRSolver", "CFRPlusSolver"):
        solver = getattr(pyspiel, name)(game)

        def step(count: int, solver: Any = solver) -> None:
            for _ in range(count):
                solver.evaluate_and_update_policy()

        racers[f"OpenSpiel C++ {name}"] = race(step, lambda solver=solver: pyspiel.exploitability(game, solver.average_policy()), patience)
    if lite:
        graph, environment = lite_environment("leduc_poker")

        def advance(count: int) -> None:
            for _ in range(count):
                graph.update_graph(environment)
                environment.update_strategy(graph.current_strategy())

        average = "linear-avg-iterate"
        racers["LiteEFG CFR+"] = race(advance, lambda: sum(environment.exploitability(graph.current_strategy(), average)) / 2, patience)
    for name, reached in racers.items():
        assert TARGETS[0] in reached, name
        parts = (
            f"{target:.0e} {reached[target]:.2f} s ({reached[target] / ours[target]:.0f} times)"
            if target in reached
            else f"{target:.0e} more than {patience:.0f} s ({patience / ours[target]:.0f} times and more)"
            for target in TARGETS
        )
        print(f"  {name}: {', '.join(parts)}")


def sampling(count: int) -> None:
    """Part 3."""
    import pyspiel

    compiled = choose(Leduc()).compiled
    assert compiled is not None
    sampler = CompiledSampler(Leduc(), compiled, "external", 0.6, 0, 1 << 30)
    sampler.run(20_000)
    ours = processor_time(lambda: sampler.module.run(2000, sampler.way, 0.6, sampler.row, sampler.work, sampler.reals), 20) / 2000
    solver = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"), 1)
    for _ in range(count):
        solver.run_iteration()
    theirs = processor_time(lambda: [solver.run_iteration() for _ in range(count)], 3) / count
    print(
        f"Leduc, external sampling: ours {ours * 1e6:.2f} µs an iteration, OpenSpiel C++ {theirs * 1e6:.1f} µs: {theirs / ours:.1f} times"
    )


def programs(quick: bool) -> None:
    """Part 4."""
    for name, game, spelling in (("Kuhn", Kuhn(), "kuhn_poker"), ("Leduc", Leduc(), "leduc_poker")):
        arrays = unfold(game)
        LinearProgram().solve(arrays)
        result = min((LinearProgram().solve(arrays) for _ in range(3)), key=lambda each: each.seconds)
        value = -1 / 18 if name == "Kuhn" else LEDUC_VALUE
        assert abs(result.value[0] - value) < 1e-9
        print(f"{name}, linear program: ours {result.seconds * 1e3:.1f} ms")
        with contextlib.suppress(ImportError):
            import ecos  # noqa: F401 - what it solves with
            import pyspiel
            from open_spiel.python.algorithms import sequence_form_lp

            began = time.perf_counter()
            found = sequence_form_lp.solve_zero_sum_game(pyspiel.load_game(spelling))[0]
            seconds = time.perf_counter() - began
            assert abs(found - value) < 1e-4, found
            print(f"  OpenSpiel (by ECOS) {seconds * 1e3:.1f} ms: {seconds / result.seconds:.2g} times")
        if installed("pygambit"):
            if name == "Leduc" and quick:
                continue
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "game.efg"
                write_efg(tree_of(game), file)
                gambit_program(str(file), value, result.seconds)


def gambit_program(file: str, value: float, ours: float) -> None:
    """Gambit's linear program in a process of its own, which can be ended when patience is."""
    answers: multiprocessing.Queue[tuple[float, float]] = multiprocessing.Queue()
    process = multiprocessing.Process(target=ask_gambit, args=(file, answers))
    process.start()
    process.join(GAMBIT_PATIENCE)
    if process.is_alive():
        process.kill()
        print(f"  Gambit (floats) not done after {GAMBIT_PATIENCE:.0f} s: more than {GAMBIT_PATIENCE / ours:,.0f} times")
        return
    seconds, found = answers.get()
    assert abs(found - value) < 1e-6
    print(f"  Gambit (floats) {seconds * 1e3:.1f} ms: {seconds / ours:.2g} times")


def ask_gambit(file: str, answers: "multiprocessing.Queue[tuple[float, float]]") -> None:
    """Seconds and the first player's payoff."""
    import pygambit

    game = pygambit.read_efg(file)
    began = time.perf_counter()
    profile = pygambit.nash.lp_solve(game, rational=False).equilibria[0]
    answers.put((time.perf_counter() - began, float(profile.payoff(next(iter(game.players))))))


def installed(name: str) -> bool:
    """Can it be imported?"""
    try:
        __import__(name)
    except ImportError as error:
        print(f"{name} is left out: {error}.")
        return False
    return True


def main() -> None:
    quick = "--quick" in sys.argv
    parts = [word for word in sys.argv[1:] if not word.startswith("-")] or ["programs", "iterations", "sampling", "targets"]
    if "programs" in parts:
        programs(quick)
    if not installed("pyspiel"):
        return
    lite = installed("LiteEFG")
    found = {name: unfold(game) for name, (game, _) in GAMES.items()}
    if "iterations" in parts:
        iterations(found, 3 if quick else 20, lite)
    if "sampling" in parts:
        sampling(500 if quick else 5000)
    if "targets" in parts:
        to_targets(found["Leduc"], 5.0 if quick else PATIENCE, lite)


if __name__ == "__main__":
    main()
