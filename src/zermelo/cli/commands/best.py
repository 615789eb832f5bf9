"""`zermelo best`: best move, every move's score, the line, how sure."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import Reporter, console, note, print_json, table, working
from zermelo.cli.whole import counting_positions, database_for
from zermelo.cli.wording import certainty, duration, ending, number, plural, worth
from zermelo.errors import ZermeloError, nearest
from zermelo.formats.position import Position, format_moves
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
from zermelo.play.wording import win_or_lose
from zermelo.registry.spelling import build, parse
from zermelo.results import SearchResult
from zermelo.rules import MAX, Game, hidden_information, player_name
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
def command(
    game: str,
    position: str | None,
    engine: str | None,
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    playouts: int | None,
    seed: int | None,
    memory: int | None,
    threads: int,
    table_file: Path | None,
    database: Path | None,
    no_database: bool,
    weights: Path | None,
    textbook: bool,
    opponent: str | None,
    coalition: tuple[str, ...],
    perfect_information: bool,
    backend: str,
    as_json: bool,
) -> int:
    """Find the best move, every move's score, the line, and how sure that is.

    Without a limit the search goes to the end of the game; where that takes more than ten seconds, it looks ahead for ten more and says
    so. With --time or --nodes it goes deeper and deeper until that is spent. A small game with hidden information, or whose positions
    return, is solved whole. A database of the game answers at once, or where the search meets its positions: one that is named, or one
    in the data folder if no algorithm is named.
    """
    engine, tuned = (None, {}) if engine is None else algorithm_parameters(engine)
    led = weights is not None and (engine == "network" or (engine is None and is_network(weights)))
    rules = with_weights(open_game(game), None if led else weights)
    engine = "network" if led else engine
    place = open_record(rules, position, note)
    deepening = seconds is not None or nodes is not None
    unasked = (
        engine is None and depth is None and playouts is None and table_file is None and not (weights or textbook or opponent or coalition)
    )
    known, oracle = None, None
    if not no_database and (database is not None or unasked or engine == "deepening"):
        known, oracle = database_for(rules, place, database, searches=engine == "deepening")
    if known is not None and engine != "deepening":
        report(known, game, position, as_json)
        return 0
    if oracle is not None and engine == "database":
        from zermelo.solve.lookup import Lookup

        known = Lookup(oracle.name).search(rules, place.state, history=place.history, limits=Limits(seconds, nodes))
        report(known, game, position, as_json)
        return 0
    if oracle is not None and engine not in (None, "deepening"):
        raise ZermeloError(f"The position is not in {oracle.name}, and {engine} asks no database inside: leave --engine or --database out.")
    unnamed = engine is None
    if (
        unnamed
        and not (opponent or coalition or textbook or depth or playouts or nodes or perfect_information)
        and hidden_information(rules)
    ):
        with working(f"Solving {game}"):
            solved = solved_hidden(rules, place)
        if solved is not None:
            report(solved, game, position, as_json)
            return 0
    if unnamed and unasked and oracle is None and not perfect_information and returns(rules):
        words = f"Solving {game} whole, because positions can return (Ctrl-C stops)"
        with working(words) as progress:
            whole = solved_graph(rules, place, seconds or WHOLE_SECONDS, counting_positions(progress or Reporter(words).tell))
        if isinstance(whole, SearchResult):
            report(whole, game, position, as_json)
            return 0
        note(str(whole))
        seconds, deepening = seconds or DEFAULT_SECONDS, True
    engine = (
        engine
        or ("deepening" if oracle is not None else None)
        or chosen(rules, deepening or threads > 1 or table_file is not None, depth is not None, perfect_information, opponent, coalition)
    )
    unlimited = unnamed and engine in TO_THE_END and not deepening and depth is None and playouts is None and not textbook
    others = company(engine, opponent, coalition) | ({"threads": threads} if threads > 1 else {})
    others |= {"playouts": playouts, "seed": seed} if playouts is not None or seed is not None else {}
    others |= {"weights": str(weights)} if led else {}
    given = {
        "depth": depth,
        "memory": memory,
        "textbook": textbook,
        "perfect_information": perfect_information,
        "backend": backend,
        **others,
    }
    algorithm = make_algorithm(engine, **given | tuned)
    words = f"{engine} on {game} (Ctrl-C shows the best so far)"
    with working(words) as progress:
        story = Story(progress or Reporter(words).tell)
        try:
            table_kept = None if table_file is None else opened_table(algorithm, rules, table_file)
            if deepening:
                budget = Budget(depth, seconds, nodes)
                result = think(
                    algorithm, rules, place.state, budget, place.history, story.nodes, tell=story.tell, table=table_kept, oracle=oracle
                )
            else:
                limits = Limits(time=DEFAULT_SECONDS if unlimited else None, progress=story.nodes)
                try:
                    if unlimited and engine == "alphabeta" and seems_endless(rules, place.state):
                        raise endless_error(rules, None)
                    result = search(algorithm, rules, place.state, place.history, limits, tell=story.tell, table=table_kept, oracle=oracle)
                except EndlessError as endless:
                    ahead = looked_deeper(rules, place, perfect_information, backend, story, endless) if unlimited else None
                    if ahead is None:
                        raise
                    result = ahead
                else:
                    if unlimited and out_of_time(result):
                        result = looked_deeper(rules, place, perfect_information, backend, story) or result
            result = double_checked(algorithm, result, place.history)
        except KeyboardInterrupt:  # before the search began: rules were being compiled
            if (anytime(engine) and engine != "deepening") or not deepens(
                engine
            ):  # which had not begun, or has no answer before it is done
                raise
            result, table_kept = None, None
        if result is None or (interrupted(result) and not anytime(engine)):
            able = "reference" if result is None else result.backend  # nobody waits for a compiler now
            look_ahead = make_algorithm(
                engine, textbook=textbook, perfect_information=perfect_information, **suited(engine, backend=able), **others
            )
            result = quick_look(look_ahead, rules, place, result, deepening)
    report(result, game, position, as_json)
    if table_kept is not None:  # after the answer, which a full disk must not cost
        table_kept.save(table_file)
    return INTERRUPTED if interrupted(result) else 0


def out_of_time(result: SearchResult) -> bool:
    """Did the time end a search that nobody had limited?"""
    return unfinished(result) and not interrupted(result) and not result.exact


def looked_deeper(
    game: Game, place: Position, see_all: bool, backend: str, story: "Story", endless: EndlessError | None = None
) -> SearchResult | None:
    """The best so far where the end of the game is too far away: deeper and deeper for a while; None for a game of another kind."""
    engine = default_algorithm(game, limited=True, perfect_information=see_all)
    if not deepens(engine):
        return None
    algorithm = make_algorithm(engine, open=see_all, backend=backend)
    seconds = DEFAULT_SECONDS if endless is None or callable(getattr(game, "evaluate", None)) else ENDLESS_SECONDS
    found = think(algorithm, game, place.state, Budget(seconds=seconds), place.history, story.nodes, tell=story.tell)
    sentence = f"{engine} looked ahead for {seconds:g} seconds; --time allows more."
    return replace(found, notes=(str(endless or UNREACHED), sentence, *found.notes))


def report(result: SearchResult, game: str, position: str | None, as_json: bool) -> None:
    """The answer as one document, or in words."""
    if as_json:
        print_json({"game": game, "position": position, **result.to_dict()})
    else:
        show(result)


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
        raise ZermeloError("Only the engine deepening has a table that can be kept: leave --table or --engine out.")
    table_kept = algorithm.new_table(game)
    if table_kept is None:
        raise ZermeloError(f"{type(game).__name__} is searched without a table that can be kept: leave --table out.")
    if path.exists():
        table_kept.load(path)
    return table_kept


def chosen(game: Game, limited: bool, to_depth: bool, see_all: bool, opponent: str | None, coalition: tuple[str, ...]) -> str:
    """The algorithm where none is named: the one that the other options are for, or the one that fits the game."""
    if opponent is not None:
        return "expectimax"
    return "coalition" if coalition else default_algorithm(game, limited=limited, to_depth=to_depth, perfect_information=see_all)


def company(engine: str, opponent: str | None, coalition: tuple[str, ...]) -> dict[str, Any]:
    """Who else is at the table, as parameters of the engine: a model of the opponent, players who stand together."""
    wanted: dict[str, Any] = {}
    if opponent is not None:
        wanted["opponent"] = model_named(opponent)
    if coalition:
        sides = tuple(players_named(text) for text in coalition)
        if engine == "paranoid" and len(sides) > 1:
            raise ZermeloError("Paranoid search knows one side and the rest: give --coalition once.")
        wanted |= {"side": sides[0]} if engine == "paranoid" else {"coalitions": sides}
    return wanted


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


def quick_look(look_ahead: Any, game: Game, place: Position, before: SearchResult | None, deepening: bool) -> SearchResult:
    """The best so far after Ctrl-C: a look a few moves ahead says more than the beginning of a search to the end of the game.

    What a deepening search had finished by then stands, if it looked as far.
    """
    compiled = before is not None and before.backend == "compiled"
    quick = think(look_ahead, game, place.state, COMPILED_LOOK if compiled else INTERPRETED_LOOK, place.history)
    if before is None:
        return replace(quick, stopped="interrupted")
    if deepening and not quick.exact and (before.depth or 0) >= (quick.depth or 0):
        return before
    return replace(
        quick, nodes=before.nodes + quick.nodes, seconds=before.seconds + quick.seconds, stopped=before.stopped, notes=before.notes
    )


def show(result: SearchResult) -> None:
    """The answer in words."""
    out = console()
    if interrupted(result):
        note("Interrupted.")
    for sentence in result.notes:
        note(sentence)
    words = worth(result, result.value, result.distance) + ending(result.extra.get("kind"))
    if result.game.terminal(result.state):
        out.print(f"The game is over: {words}.")
        return
    who = player_name(result.game, result.game.player(result.state))
    if result.action is None:
        out.print(f"{who} moves: {words} ({certainty(result)})")
    elif "probabilities" in result.extra and len(result.actions) > 1:
        out.print(f"{who} mixes {mixture(result)}: {words} ({certainty(result)})", style="bold")
    else:
        out.print(f"{result.action_name(result.action)} is {who}'s best move: {words} ({certainty(result)})", style="bold")
    if len(result.actions) > 1 and "probabilities" not in result.extra:
        alike, others = as_good(result)
        for words, names in (("as good", alike), ("same result, sooner or later", others)):
            if names:
                out.print(f"{words}: {', '.join(names)}")
    if result.line and "probabilities" not in result.extra:
        out.print(f"line: {format_moves(result.game, result.state, result.line)}")
    if result.scores:
        out.print(scores(result))
    if "minimax_against_model" in result.extra:
        out.print(comparison(result))
    cuts = ""
    if result.alpha_cuts or result.beta_cuts:
        cuts = f", {plural(result.alpha_cuts, 'alpha cut')}, {plural(result.beta_cuts, 'beta cut')}"
    out.print(f"{plural(result.nodes, 'node')}{cuts}, {duration(result.seconds)} ({result.algorithm}, {result.backend})", style="dim")


def as_good(result: SearchResult) -> tuple[list[str], list[str]]:
    """The other actions of best value: those that come to the same end as soon, and those that do not."""
    alike: list[str] = []
    others: list[str] = []
    for action in result.actions:
        if action != result.action:
            same = result.distances.get(action) == (None if result.action is None else result.distances.get(result.action))
            (alike if same else others).append(result.action_name(action))
    return alike, others


def mixture(result: SearchResult) -> str:
    """How often each action is chosen."""
    names = [result.action_name(action) for action in result.actions]
    return ", ".join(f"{name} {number(result.extra['probabilities'][name])}" for name in names)


def comparison(result: SearchResult) -> str:
    """What minimax would have got against the same opponent."""
    held, worst = number(result.extra["minimax_against_model"]), number(result.extra["minimax_value"])
    return f"against this opponent: the best reply gets {number(result.value)}, minimax {held} (and {worst} against a perfect one)"


def scores(result: SearchResult) -> Any:
    """Every legal move with its value, in the order of the rules; the chosen one is marked."""
    if "visits" in result.extra:
        return sampled_scores(result)
    listing = table("", "move", "value", "meaning", right=["value"])
    for action, value in result.scores.items():
        mark = "→" if action == result.action else "=" if action in result.actions else ""
        name = result.action_name(action)
        seen = replace(result, exact=False) if name in result.extra.get("estimated", ()) else result
        words = worth(seen, value, result.distances.get(action)) + ending(result.extra.get("kinds", {}).get(name))
        listing.add_row(mark, name, number(value), words)
    return listing


def sampled_scores(result: SearchResult) -> Any:
    """The same for a search by playouts: how often each move was tried, its value, and the 95 % interval of the mover's payoff.

    The moves come in the order in which the search would choose them: by visits, or by their means.
    """
    visits, mover = result.extra["visits"], result.game.player(result.state)
    known = any(around is not None for around in result.extra["intervals"].values())
    wins = win_or_lose(result.game)
    numbers = ["visits", *(["win %"] if wins else []), "value"]
    listing = table("", "move", *numbers, "interval of the mover" if known else "", "", right=numbers)

    def own(value: Any) -> float:
        return float(value[mover] if isinstance(value, tuple) else value if mover == MAX else (result.game.total or 0) - value)

    def rank(pair: tuple[Any, Any]) -> tuple[float, float]:
        often, worth = visits[result.action_name(pair[0])], own(pair[1])
        return (-often, -worth) if result.parameters.get("final", "visits") == "visits" else (-worth, -often)

    for action, value in sorted(result.scores.items(), key=rank):
        name = result.action_name(action)
        mark = "→" if action == result.action else "=" if action in result.actions else ""
        around = result.extra["intervals"][name]  # None where payoffs are estimates, not those of games played out
        sure = "proven" if name in result.extra["proven"] else ""
        words = "" if around is None else f"{number(around[0])} … {number(around[1])}"
        share = [f"{win_share(result.game, own(value)):.1f}"] if wins else []
        listing.add_row(mark, name, f"{visits[name]:,}", *share, number(value), words, sure)
    return listing


def win_share(game: Game, payoff: float) -> float:
    """A mean payoff as a share of what a win is worth, in %; a draw counts half."""
    low, high = game.payoffs or (0, 1)
    return 100 * (payoff - float(low)) / float(high - low)
