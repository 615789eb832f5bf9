"""`zermelo equilibrium`: strategies of all players, the value, and how far from an equilibrium they are."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import options
from zermelo.cli.coalitions import COALITION_METHODS, answer_by_coalitions
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.ranges import SAVED, SPOT, answer_by_ranges, open_spot
from zermelo.cli.wording import digits, number, plural
from zermelo.errors import ZermeloError, require_file
from zermelo.play.setup import open_game
from zermelo.results import EquilibriumResult, weighted
from zermelo.rules import Game, player_name
from zermelo.scores import LONGEST

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive.regret.course import Progress
    from zermelo.equilibrium.extensive.sequences.strategy import Row

__all__ = ["command"]

TABLE_METHODS = (
    "pure",
    "all",
    "perfect",
    "proper",
    "lemke-howson",
    "prm+",
    "supports",
    "logit",
)  # on a table of payoffs: see cli/matrix_equilibria.py
SUBGAMES = "subgame-perfect"  # all of them, on the tree
RANGE_METHODS = ("dcfr+",)  # only over ranges: see cli/ranges.py
CONCEPT_METHODS = (  # see cli/concepts.py
    *("correlated", "coarse-correlated", "dominance", "fictitious-play", "regret-matching", "replicator"),
    *("stackelberg", "ess", "alpha-rank", "repeated", "sequential", "efce", "efcce"),
)
METHODS = (
    "auto",
    "cfr",
    "cfr+",
    "lcfr",
    "dcfr",
    "pcfr+",
    "pdcfr+",
    "mccfr",
    "lp",
    "lcp",
    "quasi-perfect",
    *RANGE_METHODS,
    *TABLE_METHODS,
    SUBGAMES,
    *CONCEPT_METHODS,
    *COALITION_METHODS,
)
PLOTTED = ("fictitious-play", "regret-matching", "replicator")  # concepts whose way is drawn
COUNTED = PLOTTED[:2]  # those that go on for a number of iterations
LIMITED = ("all", "perfect", "supports")  # table methods that take a limit,
TIMED = (*LIMITED, "proper")  # and a time
ENDINGS = (".json", ".csv", ".efg")
SHOWN = 60  # information sets in the terminal
FEW = 12  # actions of a set, of which all are shown
ROUNDING = 1e-15  # a value below this is 0
COST_SHOWN = 1e-6  # what an action costs is shown from here on


@click.command("equilibrium")
@click.argument("game", metavar="GAME-or-FILE")
@click.option("--method", type=click.Choice(METHODS), default="auto", show_default=True, help="The method.")
@click.option("--iterations", type=options.Whole(min=1), metavar="N", help="Stop after N iterations.")
@options.seconds
@click.option("--target", metavar="E", help="Stop at this exploitability; over ranges also in % of the pot, such as 0.3%.")
@click.option("--certify", is_flag=True, help="Prove the exploitability in exact arithmetic.")
@click.option("--simultaneous", is_flag=True, help="Update all players at once instead of in turn.")
@click.option("--sampling", type=click.Choice(["external", "outcome", "chance"]), default="external", show_default=True, help="For mccfr.")
@click.option("--depth", type=options.Whole(1, LONGEST), metavar="N", help="Cut the game after N moves and use its `evaluate` there.")
@click.option("--lock", type=click.Path(path_type=Path), metavar="FILE", help="JSON file of information sets with fixed probabilities.")
@click.option("--start", type=click.Path(path_type=Path), metavar="FILE", help="JSON or CSV file with a strategy to start from.")
@click.option(
    "--edge", type=click.Path(path_type=Path), metavar="FILE", help="Cut the game, and let this strategy and its variants play on."
)
@click.option("--checkpoint", type=click.Path(path_type=Path), metavar="FILE", help="Save the run in this file, and resume from it.")
@click.option("--resolve", metavar="MOVES", help="Re-solve one player's part of the --start strategy after these moves.")
@click.option("--player", type=options.Whole(min=1), metavar="N", help="The player whose part --resolve computes: 1 or 2.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the strategies as .json, .csv or .efg.")
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw exploitability over iterations and time, or the path of a dynamic.",
)
@click.option("--limit", type=options.Whole(min=1), metavar="N", help="For all, perfect and supports: give up at N bases or supports.")
@click.option(
    "--rationality", type=options.Number(min=0), metavar="λ", help="For logit: the quantal response equilibrium at λ, not its limit."
)
@click.option("--line", default="", metavar="LINE", help="Over ranges: the point to show, such as 'check, bet 25, call, 7h'.")
@click.option("--train", type=options.Whole(min=1), metavar="N", help="Over ranges: N questions from the solved tree.")
@click.option("--walk", is_flag=True, help="Over ranges: walk down the tree, choice by choice.")
@click.option(
    "--precision",
    type=click.Choice(["float32", "float64", "int16"]),
    help="Over ranges: number type of regrets and averages; float32 by default.",
)
@options.seed
@click.option(
    "--memory",
    type=options.Bytes(),
    metavar="SIZE",
    help="Memory for the tree or for sampling, such as 2G. Default: half of the machine's.",
)
@options.threads
@options.backend
@options.json_output
def command(**given: Any) -> int:
    """Find strategies for all players, the value, and how far from an equilibrium they are.

    Exploitability is what a player could gain by the best reply, on average over the players. Without limits a small game for two with a
    constant sum is solved by linear program, a larger one by the regret minimizer that wins a short race, and one whose tree does not fit
    into memory by sampling. A small game with a general sum or more players gets one exact equilibrium. The methods pure, all,
    perfect, proper, lemke-howson, prm+, supports and logit work on the table of payoffs of a matrix game or of a small tree: `all` lists
    every equilibrium of two players, proved in rational numbers; subgame-perfect lists those that are equilibria in every subgame, in pure
    strategies. The concepts correlated, coarse-correlated, dominance, fictitious-play, regret-matching, replicator, ess, alpha-rank and
    repeated work on that table too; quasi-perfect, sequential, stackelberg, efce and efcce work on the tree. For shapley and
    core GAME is a TOML file with the players and what coalitions earn.
    """
    asked = Request(**given)
    for path in filter(None, (asked.out, asked.plot, asked.checkpoint)):
        options.writable(path)
    if asked.plot is not None:
        from zermelo.draw.plots import require_plot

        require_plot(asked.plot)
    if asked.method in COALITION_METHODS:
        answer_by_coalitions(asked.game, asked.method, asked.as_json)
        return 0
    opened = Path(asked.game) if asked.game.endswith(SAVED) else None
    asked, rules = open_rules(asked, opened)
    if over_ranges(rules, asked.method):
        return on_public_tree(asked, rules, opened)
    asked.require_fitting()
    if asked.method in (*TABLE_METHODS, SUBGAMES, *CONCEPT_METHODS):
        by_concept(asked, rules)
        return 0
    if asked.resolve is not None or asked.player is not None:
        by_resolving(asked, rules)
        return 0
    return by_solver(asked, rules)


@dataclass(frozen=True)
class Request:
    """What the command line asked for; each field is an option."""

    game: str
    method: str
    iterations: int | None
    seconds: float | None
    target: str | None
    certify: bool
    simultaneous: bool
    sampling: Any
    depth: int | None
    lock: Path | None
    start: Path | None
    edge: Path | None
    checkpoint: Path | None
    resolve: str | None
    player: int | None
    out: Path | None
    plot: Path | None
    limit: int | None
    rationality: float | None
    line: str
    train: int | None
    walk: bool
    precision: str | None
    seed: int | None
    memory: int | None
    threads: int
    backend: Any
    as_json: bool

    @property
    def exploitability(self) -> float | None:
        """The target, in payoffs."""
        return target_chips(self.target)

    def require_fitting(self) -> None:
        """Refuses options that have no meaning for a game that is not solved over ranges, or for the method."""
        for option, value in (("--line", self.line), ("--train", self.train), ("--walk", self.walk), ("--precision", self.precision)):
            if value:
                raise ZermeloError(f"{option} is for games over ranges, such as holdem.")
        target_chips(self.target)
        if self.out is not None and self.out.suffix.lower() not in ENDINGS:
            raise ZermeloError(f"Strategies cannot be written as {self.out.name}: give it an ending such as {', '.join(ENDINGS)}.")
        if self.limit is not None and self.method not in LIMITED:
            raise ZermeloError(f"--limit is for the methods {', '.join(LIMITED[:-1])} and {LIMITED[-1]}.")
        if self.rationality is not None and self.method != "logit":
            raise ZermeloError("--rationality is for the method logit.")


def open_rules(asked: Request, opened: Path | None) -> tuple[Request, Game]:
    """The game that is named, by a saved solution, by a spot in a file, or by its name; cut at the edge where that is asked for."""
    source = asked.game
    if opened is not None:
        from zermelo.equilibrium.extensive.public.public_result import RangeResult

        source = RangeResult.source_of(opened)
    source = open_spot(Path(source)) if source.endswith(SPOT) else source
    asked, rules = replace(asked, game=source), open_game(source)
    if asked.edge is None:
        return asked, rules
    return replace(asked, depth=None, backend="reference"), cut_at_the_edge(rules, asked.edge, asked.depth)


def on_public_tree(asked: Request, rules: Game, opened: Path | None) -> int:
    """Solves over ranges, or opens what was solved, and shows it."""
    refused: dict[str, object] = {"--simultaneous": asked.simultaneous, "--depth": asked.depth, "--start": asked.start}
    refused |= {"--resolve": asked.resolve, "--player": asked.player, "--limit": asked.limit}
    for name, given in (refused | {"--rationality": asked.rationality is not None}).items():
        if given:
            raise ZermeloError(f"A game over ranges is solved on its public tree, which does not take {name}.")
    if opened is not None:
        done: dict[str, object] = {"--target": asked.target, "--iterations": asked.iterations, "--time": asked.seconds}
        done |= {"--lock": asked.lock, "--checkpoint": asked.checkpoint, "--precision": asked.precision, "--plot": asked.plot}
        for name, given in done.items():
            if given:
                raise ZermeloError(f"{opened} is solved already, and does not take {name}: solve its spot again.")
    names = ("method", "iterations", "seconds", "memory", "threads", "checkpoint")
    parameters = {name: getattr(asked, name) for name in names}
    parameters |= {"target": percent_of_pot(asked.target, rules), "precision": asked.precision or "float32"}
    shown = ("line", "lock", "certify", "out", "plot", "train", "walk", "seed", "as_json")
    return answer_by_ranges(rules, asked.game, parameters, opened=opened, **{name: getattr(asked, name) for name in shown})


def by_concept(asked: Request, rules: Game) -> None:
    """Lists of equilibria and other solution concepts, on the tree or on the table of payoffs."""
    from zermelo.cli.concepts import answer_by_concept, answer_by_quantal_response
    from zermelo.cli.matrix_equilibria import answer_by_subgames, answer_by_table, refuse

    method = asked.method
    others: dict[str, object] = {"--target": asked.exploitability, "--simultaneous": asked.simultaneous}
    others["--time"] = None if method in TIMED else asked.seconds
    others["--iterations"] = None if method in COUNTED else asked.iterations
    others |= {"--depth": asked.depth, "--lock": asked.lock, "--start": asked.start, "--checkpoint": asked.checkpoint, "--out": asked.out}
    others["--plot"] = None if method in PLOTTED else asked.plot
    others |= {"--certify": asked.certify, "--resolve": asked.resolve, "--player": asked.player, "--threads": asked.threads > 1}
    refuse(method, others)
    if method == "logit" and answer_by_quantal_response(rules, asked.game, asked.rationality, asked.as_json):
        return
    if method in CONCEPT_METHODS:
        answer_by_concept(rules, asked.game, method, asked.as_json, asked.plot, asked.iterations)
    elif method == SUBGAMES:
        answer_by_subgames(rules, asked.game, asked.as_json)
    else:
        answer_by_table(rules, asked.game, method, asked.as_json, asked.seconds, asked.limit)


def by_resolving(asked: Request, rules: Game) -> None:
    """One player's part of a strategy, solved again."""
    from zermelo.cli.subgame_resolving import answer_by_resolving, refuse_others

    others: dict[str, object] = {"--target": asked.exploitability, "--time": asked.seconds, "--certify": asked.certify}
    refuse_others(others | {"--lock": asked.lock, "--checkpoint": asked.checkpoint, "--plot": asked.plot})
    part = (asked.resolve, asked.player, asked.start)
    answer_by_resolving(rules, asked.game, part, asked.method, asked.iterations, asked.depth, asked.out, asked.as_json)


def by_solver(asked: Request, rules: Game) -> int:
    """One equilibrium, or the way to one, and its exploitability."""
    from zermelo.equilibrium.extensive.solver import EquilibriumSolver

    stop = threading.Event()
    same = ("method", "iterations", "seconds", "certify", "simultaneous", "sampling", "depth", "memory", "backend", "checkpoint", "threads")
    parameters = {name: getattr(asked, name) for name in same}
    solver = EquilibriumSolver(**parameters, target=asked.exploitability, seed=asked.seed or 0, stop=stop)
    with working(f"{asked.method} on {asked.game} (Ctrl-C shows the best so far)") as tell:
        solver = replace(solver, progress=None if tell is None else progress_line(tell))
        result = run(with_strategies(solver, rules, asked.lock, asked.start), rules, stop)
    if asked.out is not None:
        write_strategies(result, asked.out)
    if asked.plot is not None:
        draw(result, asked.plot, asked.game)
    if asked.as_json:
        print_json({"game": asked.game, **result.to_dict()})
    else:
        show(result)
    return INTERRUPTED if result.stopped == "interrupted" else 0


def over_ranges(game: Game, method: str) -> bool:
    """Is the game solved on its public tree? Methods that only the unfolded tree knows unfold it."""
    if not callable(getattr(game, "public", None)):
        return False
    from zermelo.equilibrium.extensive.public.public_solver import PUBLIC_METHODS

    return method in PUBLIC_METHODS


def target_chips(text: str | None) -> float | None:
    """A target exploitability, in payoffs."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        hint = "over ranges, such as holdem, also in % of the pot" if text.endswith("%") else "such as 0.001"
        raise ZermeloError(f"The target is a positive number ({hint}), not {text}.")
    return value


def percent_of_pot(text: str | None, game: Any) -> float | None:
    """A target in % of the pot, from chips or `0.3%`."""
    if text is not None and text.endswith("%"):
        return target_chips(text[:-1])
    chips = target_chips(text)
    return None if chips is None else 100 * chips / float(game.public().pot)


def with_strategies(asked: Any, game: Game, lock: Path | None, start: Path | None) -> Any:
    """The parameters with locked sets and a warm start read from their files."""
    if lock is None and start is None:
        return asked
    from zermelo.equilibrium.extensive.sequences.strategy import Strategy
    from zermelo.equilibrium.extensive.sequences.treeplex import unfold

    locks, text = (None if path is None else read_text(path) for path in (lock, start))
    arrays = unfold(game, depth=asked.depth, memory=asked.memory, backend=asked.backend, seconds=asked.seconds)
    if locks is not None:
        asked = replace(asked, locked=Strategy.read_locks(arrays, locks))
    if start is not None and text is not None:
        asked = replace(
            asked, start=Strategy.from_csv(arrays, text) if start.suffix.lower() == ".csv" else Strategy.from_json(arrays, text)
        )
    return asked


def cut_at_the_edge(game: Game, path: Path, depth: int | None) -> Game:
    """The game that ends where the strategy of a file, and variants of it, go on."""
    from zermelo.equilibrium.extensive.resolving.depth_limited import EdgeGame
    from zermelo.equilibrium.extensive.sequences.strategy import Strategy
    from zermelo.equilibrium.extensive.sequences.treeplex import unfold

    text = read_text(path)
    arrays = unfold(game)
    return EdgeGame(game, Strategy.from_csv(arrays, text) if path.suffix.lower() == ".csv" else Strategy.from_json(arrays, text), depth)


def read_text(path: Path) -> str:
    """The file's text."""
    try:
        require_file(path)
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ZermeloError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def run(asked: Any, game: Game, stop: threading.Event) -> EquilibriumResult:
    """Solve in a thread, so that Ctrl-C asks it to stop and the best so far is shown."""
    from zermelo.runtime.stack import deep

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
        from zermelo.equilibrium.extensive.sequences.fixed_tree import fixed_tree
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
    from zermelo.cli.matrix_equilibria import payoff_table

    out = console()
    payoffs = payoff_table(result.game)
    if payoffs is not None:
        out.print(payoffs, end="\n\n")
    seats = range(result.game.players)
    out.print(f"Value: {', '.join(f'{seat_name(result.game, seat)} {value_text(result, seat)}' for seat in seats)}")
    out.print(f"Exploitability: {exploitability_text(result)}")
    if result.certificate is not None:
        out.print(f"Certified: {certificate_text(result)}")
    out.print(f"{result.method}, {plural(result.iterations, 'iteration')} in {result.seconds:.3g} s, {sizes(result)}")
    out.print(result.guarantee)
    words = table("information set", "strategy", *(("value", "costs") if result.strategies.arrays is not None else ()))
    arrays = result.strategies.arrays
    rounding = 0.0 if arrays is None else ROUNDING * arrays.span
    for row in islice(result.strategies.first_rows(), SHOWN):
        words.add_row(row.name, strategy_text(row), *worth_texts(row, rounding))
    out.print(words)
    if result.strategies.sets > SHOWN:
        out.print(f"… and {result.strategies.sets - SHOWN:,} more information sets: --out FILE writes them all.")
    for sentence in result.notes:
        note(sentence)


def seat_name(game: Game, seat: int) -> str:
    """What a player is called beside a number: files often call players 1 and 2."""
    name = player_name(game, seat)
    return f"player {name}" if name.isdecimal() else name


def strategy_text(row: "Row") -> str:
    """How often each action is taken; of very many, those that are."""
    shares = {action: round(weight, 4) for action, weight in row.probabilities.items()}
    shown = {action: share for action, share in shares.items() if share} if len(shares) > FEW else shares
    rest = len(shares) - len(shown)
    return weighted((action, number(share)) for action, share in shown.items()) + (f"; {rest} others 0" if rest else "")


def worth_texts(row: "Row", rounding: float) -> tuple[str, ...]:
    """What the set is worth to its player, and what each action costs that is worse than the best; nothing where there are no arrays.
    Differences up to `rounding` are the floats'.
    """
    if not row.values:
        return ()
    best = max(row.values.values())
    costs = {
        action: best - value for action, value in row.values.items() if best - value > max(COST_SHOWN, COST_SHOWN * abs(best), rounding)
    }
    worth = sum(weight * row.values[action] for action, weight in row.probabilities.items())
    shown = dict(sorted(costs.items(), key=lambda item: item[1])[:FEW]) if len(costs) > FEW else costs
    rest = f"; {len(costs) - FEW} others more" if len(costs) > FEW else ""
    return digits(worth), (weighted((action, digits(cost)) for action, cost in shown.items()) or "–") + rest


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
        gains = (f"{seat_name(result.game, seat)} {float(gain):.6g}" for seat, gain in enumerate(certificate.regrets))
        return f"{proven}; the best reply gains {', '.join(gains)}"
    first = seat_name(result.game, 0)
    return f"{proven}; the value of {first} lies between {float(bounds[0]):.9g} and {float(bounds[1]):.9g}".replace("-", "−")


def sizes(result: EquilibriumResult) -> str:
    """How large the game is."""
    sets = plural(result.sets or 0, "information set")
    return sets if result.histories is None else f"{result.histories:,} histories, {sets}"
