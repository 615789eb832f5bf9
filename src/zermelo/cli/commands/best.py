"""`zermelo best`: best move, every move's score, the line, how sure."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.answer import report
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import Reporter, note, working
from zermelo.cli.whole import counting_positions, database_for
from zermelo.cli.wording import number
from zermelo.errors import ZermeloError, nearest
from zermelo.formats.position import format_moves
from zermelo.limits import Limits
from zermelo.play.algorithms import (
    Budget,
    algorithm_parameters,
    anytime,
    deepens,
    double_checked,
    interrupted,
    make_algorithm,
    search,
    suited,
    think,
    unfinished,
)
from zermelo.play.choosing import default_algorithm, returns, seems_endless
from zermelo.play.setup import open_game, open_record
from zermelo.play.small_games import WHOLE_SECONDS, solved_graph, solved_hidden
from zermelo.registry.spelling import build, parse
from zermelo.results import SearchResult
from zermelo.rules import Game, hidden_information
from zermelo.search.plan import EndlessError, endless_error
from zermelo.weights import with_weights

__all__ = ["command"]

ENGINE_HELP = "The algorithm, such as mcts or alphabeta(ordering=False); without it the one that fits the game."
DEFAULT_SECONDS = 10.0  # for a search to the end of the game where nobody has set a limit, and for the best so far after it
UNREACHED = f"The end of the game was not reached in {DEFAULT_SECONDS:g} seconds."
ENDLESS_SECONDS = 2.0  # for a look ahead where play has no end in sight and the rules have no `evaluate`: there is little to see
TO_THE_END = ("alphabeta", "astar", "idastar", "maxn", "expectiminimax", "star2")  # engines that this is about
INTERPRETED_LOOK = Budget(seconds=2.0, nodes=30_000)  # for a second look, after a search was interrupted
COMPILED_LOOK = Budget(seconds=0.2)


def is_network(weights: Path) -> bool:
    from zermelo.search.montecarlo.network.puct import holds_network

    return holds_network(weights)


@click.command("best")
@options.game
@options.position
@click.option("--algorithm", "--engine", "engine", type=options.Engine(), metavar="NAME", help=ENGINE_HELP)
@options.depth
@options.seconds
@options.nodes
@click.option("--playouts", type=options.Whole(min=1), metavar="N", help="Number of simulations, for mcts and its relatives.")
@options.seed
@options.memory
@options.threads
@click.option(
    "--table",
    "table_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Start with the transposition table in this file, and save it there.",
)
@options.database
@options.no_database
@options.weights
@click.option("--textbook", "--plain", "textbook", is_flag=True, help="The textbook search: one search from the root, payoffs only.")
@click.option(
    "--opponent", metavar="MODEL", help="Opponent model for expectimax: uniform, mistakes, softmax; parameters as in mistakes(rate=0.2)."
)
@click.option("--coalition", multiple=True, metavar="PLAYERS", help="Players on one side, such as 1+3; for coalition and paranoid.")
@options.perfect_information
@options.backend
@options.json_output
def command(game: str, position: str | None, as_json: bool, **asked: Any) -> int:
    """Find the best move, every move's score, the line, and how sure that is.

    Without a limit the search goes to the end of the game; where that takes more than ten seconds, it looks ahead for ten more and says
    so. With --time or --nodes it goes deeper and deeper until that is spent. A small game with hidden information, or whose positions
    return, is solved whole. A database of the game answers at once, or where the search meets its positions: one that is named, or one
    in the data folder if no algorithm is named.
    """
    question = Question(game, position, **asked)
    known = question.from_database() or question.whole()
    result = known or question.searched()
    report(result, game, position, as_json)
    question.save_table()  # after the answer, which a full disk must not cost
    return INTERRUPTED if known is None and interrupted(result) else 0


@dataclass
class Question:
    """What `zermelo best` was asked, and who is to answer it."""

    game: str
    position: str | None
    engine: str | None
    depth: int | None
    seconds: float | None
    nodes: int | None
    playouts: int | None
    seed: int | None
    memory: int | None
    threads: int
    table_file: Path | None
    database: Path | None
    no_database: bool
    weights: Path | None
    textbook: bool
    opponent: str | None
    coalition: tuple[str, ...]
    perfect_information: bool
    backend: str

    def __post_init__(self) -> None:
        self.engine, self.tuned = (None, {}) if self.engine is None else algorithm_parameters(self.engine)
        self.led = self.weights is not None and (self.engine == "network" or (self.engine is None and is_network(self.weights)))
        self.rules = with_weights(open_game(self.game), None if self.led else self.weights)
        self.engine = "network" if self.led else self.engine
        self.place = open_record(self.rules, self.position, note)
        self.deepening = self.seconds is not None or self.nodes is not None
        self.unnamed = self.engine is None
        particular = self.weights or self.textbook or self.opponent or self.coalition
        self.plain = self.unnamed and not particular and self.depth is None and self.playouts is None and self.table_file is None
        self.oracle: Any = None
        self.table: Any = None

    def from_database(self) -> SearchResult | None:
        """What a database says of the position. One that knows only what may follow becomes the oracle of the search."""
        if self.no_database or not (self.database is not None or self.plain or self.engine == "deepening"):
            return None
        known, self.oracle = database_for(self.rules, self.place, self.database, searches=self.engine == "deepening")
        if known is not None and self.engine != "deepening":
            return known
        if self.oracle is None or self.engine in (None, "deepening"):
            return None
        if self.engine != "database":
            raise ZermeloError(
                f"The position is not in {self.oracle.name}, and {self.engine} asks no database inside: leave --engine or --database out."
            )
        from zermelo.solve.lookup import Lookup

        limits = Limits(self.seconds, self.nodes)
        return Lookup(self.oracle.name).search(self.rules, self.place.state, history=self.place.history, limits=limits)

    def whole(self) -> SearchResult | None:
        """The answer of a game that is solved whole: a small one with hidden information, or one whose positions return."""
        if not self.unnamed or self.perfect_information:
            return None
        limited = self.opponent or self.coalition or self.textbook or self.depth or self.playouts or self.nodes
        if not limited and hidden_information(self.rules):
            with working(f"Solving {self.game}"):
                solved = solved_hidden(self.rules, self.place)
            if solved is not None:
                return solved
        if not self.plain or self.oracle is not None or not returns(self.rules):
            return None
        words = f"Solving {self.game} whole, because positions can return (Ctrl-C stops)"
        with working(words) as progress:
            tell = counting_positions(progress or Reporter(words).tell)
            graph = solved_graph(self.rules, self.place, self.seconds or WHOLE_SECONDS, tell)
        if isinstance(graph, SearchResult):
            return graph
        note(str(graph))
        self.seconds, self.deepening = self.seconds or DEFAULT_SECONDS, True
        return None

    def searched(self) -> SearchResult:
        """The answer of a search."""
        engine = self.engine = self.engine or ("deepening" if self.oracle is not None else self.fitting())
        algorithm = make_algorithm(engine, **self.parameters() | self.tuned)
        words = f"{engine} on {self.game} (Ctrl-C shows the best so far)"
        result: SearchResult | None
        with working(words) as progress:
            try:
                result = double_checked(algorithm, self.run(algorithm, Story(progress or Reporter(words).tell)), self.place.history)
            except KeyboardInterrupt:  # before the search began: rules were being compiled
                if (anytime(engine) and engine != "deepening") or not deepens(engine):  # there is no answer before it is done
                    raise
                result, self.table = None, None
            if result is None or (interrupted(result) and not anytime(engine)):
                result = self.quick_look(result)
        return result

    def fitting(self) -> str:
        """The algorithm where none is named: the one that the other options are for, or the one that fits the game."""
        if self.opponent is not None:
            return "expectimax"
        if self.coalition:
            return "coalition"
        limited = self.deepening or self.threads > 1 or self.table_file is not None
        return default_algorithm(self.rules, limited=limited, to_depth=self.depth is not None, perfect_information=self.perfect_information)

    def parameters(self) -> dict[str, Any]:
        """Of the algorithm."""
        given = {name: getattr(self, name) for name in ("depth", "memory", "textbook", "perfect_information", "backend")}
        return given | self.company()

    def company(self) -> dict[str, Any]:
        """Those of them that a second, quicker look takes as well: who else is at the table, playouts, threads."""
        wanted: dict[str, Any] = {"threads": self.threads} if self.threads > 1 else {}
        if self.playouts is not None or self.seed is not None:
            wanted |= {"playouts": self.playouts, "seed": self.seed}
        if self.led:
            wanted["weights"] = str(self.weights)
        if self.opponent is not None:
            wanted["opponent"] = model_named(self.opponent)
        if self.coalition:
            sides = tuple(players_named(text) for text in self.coalition)
            if self.engine == "paranoid" and len(sides) > 1:
                raise ZermeloError("Paranoid search knows one side and the rest: give --coalition once.")
            wanted |= {"side": sides[0]} if self.engine == "paranoid" else {"coalitions": sides}
        return wanted

    def run(self, algorithm: Any, story: "Story") -> SearchResult:
        """The search itself, within its limits."""
        self.table = None if self.table_file is None else opened_table(algorithm, self.rules, self.table_file)
        state, history = self.place.state, self.place.history
        if self.deepening:
            budget = Budget(self.depth, self.seconds, self.nodes)
            return think(algorithm, self.rules, state, budget, history, story.nodes, tell=story.tell, table=self.table, oracle=self.oracle)
        limited = self.depth is not None or self.playouts is not None or self.textbook
        if self.unnamed and self.engine in TO_THE_END and not limited:
            return self.to_the_end(algorithm, story)
        limits = Limits(progress=story.nodes)
        return search(algorithm, self.rules, state, history, limits, tell=story.tell, table=self.table, oracle=self.oracle)

    def to_the_end(self, algorithm: Any, story: "Story") -> SearchResult:
        """A search to the end of the game; where that is too far away, one that goes deeper and deeper for a while."""
        result, endless = None, None
        try:
            if self.engine == "alphabeta" and seems_endless(self.rules, self.place.state):
                raise endless_error(self.rules, None)
            limits = Limits(time=DEFAULT_SECONDS, progress=story.nodes)
            result = search(
                algorithm, self.rules, self.place.state, self.place.history, limits, tell=story.tell, table=self.table, oracle=self.oracle
            )
            if result.exact or interrupted(result) or not unfinished(result):
                return result
        except EndlessError as error:
            endless = error
        engine = default_algorithm(self.rules, limited=True, perfect_information=self.perfect_information)
        if not deepens(engine):
            if result is None:
                assert endless is not None
                raise endless
            return result
        ahead = make_algorithm(engine, perfect_information=self.perfect_information, backend=self.backend)
        seconds = DEFAULT_SECONDS if endless is None or callable(getattr(self.rules, "evaluate", None)) else ENDLESS_SECONDS
        budget = Budget(seconds=seconds)
        found = think(ahead, self.rules, self.place.state, budget, self.place.history, story.nodes, tell=story.tell)
        sentence = f"{engine} looked ahead for {seconds:g} seconds; --time allows more."
        return replace(found, notes=(str(endless or UNREACHED), sentence, *found.notes))

    def quick_look(self, before: SearchResult | None) -> SearchResult:
        """The best so far after Ctrl-C: a look a few moves ahead says more than the beginning of a search to the end of the game.

        What a deepening search had finished by then stands, if it looked as far.
        """
        assert self.engine is not None
        able = "reference" if before is None else before.backend  # nobody waits for a compiler now
        shared = {"textbook": self.textbook, "perfect_information": self.perfect_information}
        look_ahead = make_algorithm(self.engine, **shared, **suited(self.engine, backend=able), **self.company())
        budget = COMPILED_LOOK if able == "compiled" else INTERPRETED_LOOK
        quick = think(look_ahead, self.rules, self.place.state, budget, self.place.history)
        if before is None:
            return replace(quick, stopped="interrupted")
        if self.deepening and not quick.exact and (before.depth or 0) >= (quick.depth or 0):
            return before
        nodes, seconds = before.nodes + quick.nodes, before.seconds + quick.seconds
        return replace(quick, nodes=nodes, seconds=seconds, stopped=before.stopped, notes=before.notes)

    def save_table(self) -> None:
        if self.table is not None:
            self.table.save(self.table_file)


class Story:
    """What a search tells on its way, as one line of words: how deep, the line, how fast, and how many nodes."""

    def __init__(self, show_words: Callable[[object], object] | None) -> None:
        self.show, self.words = show_words, ""
        self.nodes = None if show_words is None else self.count  # nobody counts for nobody
        self.tell = None if show_words is None else self.finished

    def finished(self, result: SearchResult) -> None:
        """A depth is done."""
        speed = result.nodes / max(result.seconds, 1e-6)
        line = format_moves(result.game, result.state, result.line)
        self.words = f"depth {result.depth}, {number(result.value)}, {line}, {speed:,.0f} nodes a second, "
        self.count(result.nodes)

    def count(self, nodes: int) -> None:
        """So many nodes by now."""
        if self.show is not None:
            self.show(f"{self.words}{nodes:,} nodes")


def opened_table(algorithm: Any, game: Game, path: Path) -> Any:
    """The table of an algorithm that has one, with what the file holds, if it is there."""
    options.writable(path)
    if not hasattr(algorithm, "new_table"):
        raise ZermeloError("Only the algorithm deepening has a table that can be kept: leave --table or --engine out.")
    table_kept = algorithm.new_table(game)
    if table_kept is None:
        raise ZermeloError(f"{type(game).__name__} is searched without a table that can be kept: leave --table out.")
    if path.exists():
        table_kept.load(path)
    return table_kept


def model_named(text: str) -> Any:
    """The opponent's model that a text such as mistakes(rate=0.2) names."""
    from zermelo.search.chance.opponent import MODELS

    spelling = parse(text)
    if spelling.name not in MODELS:
        raise ZermeloError(f"There is no opponent {text.strip()}: {nearest(spelling.name or text, MODELS)}")
    return build(MODELS[spelling.name], spelling.arguments, spelling.name)


def players_named(text: str) -> tuple[int, ...]:
    """The players that a text such as 1+3 names; they count from 1 there."""
    words = [word.strip() for word in text.split("+")]
    if not all(word.isdecimal() and int(word) > 0 for word in words):
        raise ZermeloError(f"{text!r} names no players: write their numbers from 1, such as 1+3.")
    return tuple(int(word) - 1 for word in words)
