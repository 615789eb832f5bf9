"""`zermelo equilibrium`: strategies of all players, the value, and how far from an equilibrium they are."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import options
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.wording import number, plural
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game
from zermelo.results import EquilibriumResult
from zermelo.rules import Game, player_name

if TYPE_CHECKING:
    from zermelo.equilibrium.cfr import Progress

__all__ = ["command"]

TABLE_METHODS = ("pure", "all", "lemke-howson", "prm+", "supports", "logit")  # on a table of payoffs: see cli/equilibria.py
SUBGAMES = "subgame-perfect"  # all of them, on the tree
METHODS = ("auto", "cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr+", "mccfr", "lp", *TABLE_METHODS, SUBGAMES)
ENDINGS = (".json", ".csv", ".efg")
SHOWN = 60  # information sets in the terminal
ROUNDING = 1e-15  # a value below this is 0


@click.command("equilibrium")
@click.argument("game", metavar="GAME-or-FILE")
@click.option("--method", type=click.Choice(METHODS), default="auto", show_default=True, help="How it is found.")
@click.option("--iterations", type=click.IntRange(min=1), metavar="N", help="Stop after N iterations.")
@options.seconds
@click.option("--target", type=click.FloatRange(min=0, min_open=True), metavar="E", help="Stop at this exploitability.")
@click.option("--certify", is_flag=True, help="Prove the exploitability in exact arithmetic.")
@click.option("--simultaneous", is_flag=True, help="All players update at once, not one after the other.")
@click.option("--sampling", type=click.Choice(["external", "outcome", "chance"]), default="external", show_default=True, help="For mccfr.")
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Cut the game after N moves, where its `evaluate` judges.")
@click.option("--lock", type=click.Path(path_type=Path), metavar="FILE", help="JSON: information sets that keep these probabilities.")
@click.option("--start", type=click.Path(path_type=Path), metavar="FILE", help="JSON or CSV: a strategy to start from.")
@click.option("--checkpoint", type=click.Path(path_type=Path), metavar="FILE", help="Keep the run in this file, and resume from it.")
@click.option("--resolve", metavar="MOVES", help="Make one player's part of the --start strategy anew behind these moves.")
@click.option("--player", type=click.IntRange(min=1), metavar="N", help="Whose part --resolve makes anew: 1 or 2.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the strategies as .json, .csv or .efg.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw exploitability over iterations and time.")
@options.seed
@click.option(
    "--memory", type=options.Bytes(), metavar="SIZE", help="For the tree, or the memory of sampling, such as 2G; half the machine's."
)
@options.threads
@options.backend
@options.json_output
def command(
    game: str,
    method: str,
    iterations: int | None,
    seconds: float | None,
    target: float | None,
    certify: bool,
    simultaneous: bool,
    sampling: Any,
    depth: int | None,
    lock: Path | None,
    start: Path | None,
    checkpoint: Path | None,
    resolve: str | None,
    player: int | None,
    out: Path | None,
    plot: Path | None,
    seed: int | None,
    memory: int | None,
    threads: int,
    backend: Any,
    as_json: bool,
) -> int:
    """Strategies of all players, the value, and how far from an equilibrium they are.

    Exploitability is what a player could gain by the best reply, on average over the players. Without limits a small game for two with a
    constant sum is solved by linear program, a larger one by the regret minimizer that wins a short race, and one whose tree does not fit
    into memory by sampling. A small game with a general sum or more players gets one exact equilibrium. The methods pure, all,
    lemke-howson, prm+, supports and logit work on the table of payoffs of a matrix game or of a small tree: `all` lists every equilibrium
    of two players, proved in rational numbers; subgame-perfect lists those that are equilibria in every subgame, in pure strategies.
    """
    for path in filter(None, (out, plot, checkpoint)):
        options.writable(path)
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise ZermeloError(f"Strategies cannot be written as {out.name}: give it an ending such as {', '.join(ENDINGS)}.")
    if plot is not None:
        from zermelo.draw.plots import require_plot

        require_plot(plot)
    rules = open_game(game)
    if method in (*TABLE_METHODS, SUBGAMES):
        from zermelo.cli.equilibria import answer_by_subgames, answer_by_table, refuse

        others: dict[str, object] = {"--iterations": iterations, "--time": seconds, "--target": target, "--simultaneous": simultaneous}
        others |= {"--depth": depth, "--lock": lock, "--start": start, "--checkpoint": checkpoint, "--out": out, "--plot": plot}
        refuse(method, others | {"--certify": certify, "--resolve": resolve, "--player": player, "--threads": threads > 1})
        (answer_by_subgames if method == SUBGAMES else answer_by_table)(rules, game, method, as_json)
        return 0
    if resolve is not None or player is not None:
        from zermelo.cli.resolving import answer_by_resolving, refuse_others

        refuse_others(
            {"--target": target, "--time": seconds, "--certify": certify, "--lock": lock, "--checkpoint": checkpoint, "--plot": plot}
        )
        answer_by_resolving(rules, game, (resolve, player, start), method, iterations, depth, out, as_json)
        return 0
    from zermelo.equilibrium.solver import EquilibriumSolver

    stop = threading.Event()
    asked = EquilibriumSolver(
        method,
        iterations,
        seconds,
        target,
        certify,
        simultaneous,
        sampling,
        depth,
        seed or 0,
        memory,
        backend,
        checkpoint=checkpoint,
        threads=threads,
        stop=stop,
    )
    with working(f"{method} on {game} (Ctrl-C shows the best so far)") as tell:
        asked = replace(asked, progress=None if tell is None else progress_line(tell))
        result = run(with_strategies(asked, rules, lock, start), rules, stop)
    if out is not None:
        write_strategies(result, out)
    if plot is not None:
        draw(result, plot, game)
    if as_json:
        print_json({"game": game, **result.to_dict()})
    else:
        show(result)
    return INTERRUPTED if result.stopped == "interrupted" else 0


def with_strategies(asked: Any, game: Game, lock: Path | None, start: Path | None) -> Any:
    """The parameters with locked sets and a warm start read from their files."""
    if lock is None and start is None:
        return asked
    from zermelo.equilibrium.strategy import Strategy
    from zermelo.equilibrium.unfold import unfold

    arrays = unfold(game, depth=asked.depth, memory=asked.memory, backend=asked.backend)
    if lock is not None:
        asked = replace(asked, locked=Strategy.read_locks(arrays, read_text(lock)))
    if start is not None:
        text = read_text(start)
        asked = replace(
            asked, start=Strategy.from_csv(arrays, text) if start.suffix.lower() == ".csv" else Strategy.from_json(arrays, text)
        )
    return asked


def read_text(path: Path) -> str:
    """The file's text."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def run(asked: Any, game: Game, stop: threading.Event) -> EquilibriumResult:
    """Solve in a thread, so that Ctrl-C asks it to stop and the best so far is shown."""
    from zermelo.engine.stack import deep

    result: EquilibriumResult = deep(asked.solve, game, levels=1 << 12, interrupt=stop.set)
    return result


def progress_line(tell: Callable[[object], None]) -> "Callable[[Progress], None]":
    """Tells how far the run is."""

    def report(progress: "Progress") -> None:
        tell(f"{progress.method}, {plural(progress.iterations, 'iteration')}, exploitability {progress.exploitability:.2g}")

    return report


def write_strategies(result: EquilibriumResult, path: Path) -> None:
    """The strategies in the format of the file's ending."""
    kind = path.suffix.lower()
    if kind == ".efg":
        from zermelo.equilibrium.fixed_tree import fixed_tree
        from zermelo.formats.efg import write_efg

        write_efg(fixed_tree(result.strategies), path)
        return
    text = result.strategies.to_csv() if kind == ".csv" else result.strategies.to_json()
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error


def draw(result: EquilibriumResult, path: Path, game: str) -> None:
    """Exploitability on its way."""
    from zermelo.draw.convergence import plot_convergence

    if not result.convergence:
        raise ZermeloError("There is nothing to plot: without the game's tree no exploitability was measured.")
    plot_convergence({result.method: result.convergence}, path, game)


def show(result: EquilibriumResult) -> None:
    """The result in words and a table."""
    out = console()
    seats = range(result.game.players)
    out.print(f"Value: {', '.join(f'{player_name(result.game, seat)} {value_text(result, seat)}' for seat in seats)}")
    out.print(f"Exploitability: {exploitability_text(result)}")
    if result.certificate is not None:
        out.print(f"Certified: {certificate_text(result)}")
    out.print(f"{result.method}, {plural(result.iterations, 'iteration')} in {result.seconds:.3g} s, {sizes(result)}")
    out.print(result.guarantee)
    rows = result.strategies.rows[:SHOWN]
    words = table("information set", "strategy")
    for row in rows:
        words.add_row(row.name, ", ".join(f"{action} {number(round(weight, 4))}" for action, weight in row.probabilities.items()))
    out.print(words)
    if len(result.strategies.rows) > SHOWN:
        out.print(f"… and {len(result.strategies.rows) - SHOWN:,} more information sets: --out FILE writes them all.")
    for sentence in result.notes:
        note(sentence)


def value_text(result: EquilibriumResult, seat: int) -> str:
    """The value: exact where it is proven, otherwise in digits."""
    certificate = result.certificate
    if certificate is not None and certificate.equilibrium:
        return str(certificate.value[seat]).replace("-", "−")
    value = result.value[seat]
    return f"{0.0 if abs(value) < ROUNDING else value:.6g}".replace("-", "−")


def exploitability_text(result: EquilibriumResult) -> str:
    """How far from an equilibrium: measured, or what replies were found to gain."""
    if result.exploitability is not None:
        return f"{max(result.exploitability, 0.0):.3g}"
    if result.lower_bound is None:
        return "unknown"
    bound, error = result.lower_bound
    return f"about {bound:.3g} or more (by samples, ± {error:.2g})"


def certificate_text(result: EquilibriumResult) -> str:
    """What has been proven, in words."""
    certificate = result.certificate
    if certificate.equilibrium:
        return "an exact equilibrium in rational numbers"
    proven = f"exploitability at most {float(certificate.exploitability) * (1 + 1e-12):.6g}, in exact arithmetic"
    bounds = certificate.bounds
    if bounds is None:
        return proven
    return f"{proven}; Max's value lies between {float(bounds[0]):.9g} and {float(bounds[1]):.9g}".replace("-", "−")


def sizes(result: EquilibriumResult) -> str:
    """How large the game is."""
    sets = plural(result.sets or 0, "information set")
    return sets if result.histories is None else f"{result.histories:,} histories, {sets}"
