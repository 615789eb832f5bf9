"""`zermelo solve`: proves value and distance."""

import shlex
from pathlib import Path
from typing import Any, Literal

import click

from zermelo.cli import options
from zermelo.cli.answer import report
from zermelo.cli.commands.best import opened_table
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import Reporter, note, working
from zermelo.cli.whole import counting_positions, database_for, solve_whole
from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.play.algorithms import double_checked, interrupted, search
from zermelo.play.choosing import default_algorithm, returns
from zermelo.play.setup import open_game, open_record
from zermelo.play.small_games import MOST_PROVEN, solved_graph
from zermelo.registry.spelling import parse
from zermelo.results import SearchResult
from zermelo.rules import Game, hidden_information

__all__ = ["command"]

REPEATED = 50_000  # nodes of a proof that is repeated without compiled code, for half a second at most


@click.command("solve")
@options.game
@options.position
@click.option("--weak", is_flag=True, help="Prove only who wins, not how soon.")
@click.option("--no-distance", is_flag=True, help="Prove the value, but not how soon.")
@click.option("--textbook", "--plain", "textbook", is_flag=True, help="Prove only the position's own value, without scores for the moves.")
@click.option(
    "--method", type=click.Choice(["alphabeta", "pns"]), default="alphabeta", show_default=True, help="How to prove which side wins."
)
@click.option("--all", "everything", is_flag=True, help="Solve every position that can be reached; --out keeps the database.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="With --all: write the database to this file.")
@click.option(
    "--endgames", metavar="N|PIECES", help="With --all: solve every position with at most N pieces, or of chess pieces such as KQK."
)
@click.option(
    "--positions",
    type=options.Whole(min=1),
    metavar="N",
    help="With --all: stop if there are more than N positions.",
)
@click.option("--no-symmetry", is_flag=True, help="With --all: do not fold symmetric positions.")
@click.option("--uncompressed", is_flag=True, help="With --all: write a larger file that reads faster.")
@click.option("--cluster", metavar="ADDRESS", help="With --all: run on the workers of a Dask cluster.")
@options.database
@options.no_database
@options.threads
@options.seconds
@options.nodes
@click.option(
    "--memory",
    type=options.Bytes(),
    metavar="SIZE",
    help="Size of the transposition table, such as 64M; 0 for none. With --all: memory for the work, 2G by default.",
)
@click.option(
    "--table",
    "table_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Start with the transposition table in this file, and save it there.",
)
@options.perfect_information
@options.backend
@options.json_output
def command(
    game: str,
    position: str | None,
    weak: bool,
    no_distance: bool,
    textbook: bool,
    method: Literal["alphabeta", "pns"],
    everything: bool,
    out: Path | None,
    endgames: str | None,
    positions: int | None,
    no_symmetry: bool,
    uncompressed: bool,
    cluster: str | None,
    database: Path | None,
    no_database: bool,
    threads: int,
    seconds: float | None,
    nodes: int | None,
    memory: int | None,
    table_file: Path | None,
    perfect_information: bool,
    backend: options.Backend,
    as_json: bool,
) -> int:
    """Prove who wins and how soon; with --all, from every position.

    At the limit, or at Ctrl-C, the answer says what is proven so far. A database that holds the position answers at once. With --all an
    interrupted run continues when you start it again.
    """
    from zermelo.search.deepening.deepening import Deepening
    from zermelo.search.proof.prove import Prove

    if endgames is not None and not endgames.isdecimal():
        game, endgames, everything = endgame_of(game, endgames), str(len(endgames)), True
    rules = open_game(game)
    place = open_record(rules, position, note)
    require_provable(game, rules, perfect_information, everything)
    if everything or out or endgames or positions or no_symmetry or uncompressed or cluster:
        if not everything:
            raise ZermeloError(
                "--out, --endgames, --positions, --no-symmetry, --uncompressed and --cluster go with --all: every position is solved."
            )
        proof = {
            "--table": table_file,
            "--no-distance": no_distance,
            "--weak": weak,
            "--textbook": textbook,
            "--method": method != "alphabeta",
            "--time": seconds,
            "--nodes": nodes,
            "--database": database,
            "--no-database": no_database,
            "--perfect-information": perfect_information,
        }
        given = [name for name, value in proof.items() if value is not None and value is not False]
        if given:
            raise ZermeloError(f"{' and '.join(given)} belongs to the proof of one position: leave it or --all out.")
        form = {
            "symmetry": not no_symmetry,
            "compress": not uncompressed,
            "threads": threads,
            "backend": backend,
            "positions": positions,
        }
        return solve_whole(game, rules, position, place.state, form, memory, out, cluster, pieces_of(endgames), as_json)
    more = textbook or weak or no_distance or table_file is not None  # than a database answers
    known, oracle = (None, None) if no_database else database_for(rules, place, database, searches=more)
    if known is not None and not known.exact:  # states before this one count, of which a database knows nothing
        known, oracle = None, None
    if known is not None and not more:
        report(known, game, position, as_json)
        return 0
    whole: SearchResult | str | None = None
    if returns(rules) and oracle is None and not more and not perfect_information and nodes is None:
        words = f"Solving {game} whole, because positions can return (Ctrl-C stops)"
        with working(words) as progress:
            observer = counting_positions(progress or Reporter(words).tell)
            whole = solved_graph(rules, place, seconds, observer, MOST_PROVEN)
        if isinstance(whole, SearchResult):
            report(whole, game, position, as_json)
            return 0
        note(str(whole))
    request: Any = Prove(
        weak=weak,
        distance=not no_distance,
        textbook=textbook,
        method=method,
        threads=threads,
        memory=memory,
        perfect_information=perfect_information,
        backend=backend,
    )
    if whole is not None and table_file is None:  # values depend on the line: what does not is kept in deepening's table
        request = Deepening(textbook=textbook, threads=threads, memory=memory, perfect_information=perfect_information, backend=backend)
    words = f"Proving {game} (Ctrl-C shows what is proven)"
    with working(words) as progress:
        table = None if table_file is None else opened_table(request, rules, table_file)
        limits = Limits(seconds, nodes, progress=progress or Reporter(words).tell)
        result = search(request, rules, place.state, place.history, limits, oracle=oracle, table=table)
        result = double_checked(request, result, place.history, small=REPEATED)
    report(result, game, position, as_json)
    if table is not None:  # after the answer, which a full disk must not cost
        table.save(table_file)
    return INTERRUPTED if interrupted(result) else 0


def require_provable(text: str, game: Game, see_all: bool, everything: bool) -> None:
    """Raises where nothing can be proven, and names the command that answers there."""
    engine, called = default_algorithm(game, perfect_information=see_all), shlex.quote(text)
    if hidden_information(game) and not see_all:
        beside = "" if everything or game.players > 2 or game.total is None else "; --perfect-information solves it with all cards open"
        raise ZermeloError(f"{text} hides information from its players: zermelo equilibrium {called} finds how to play it{beside}.")
    if engine == "maxn":
        why = f"has {game.players} players" if game.players > 2 else "is a game of general sum"
        raise ZermeloError(f"{text} {why}, and proofs are for two opponents: zermelo best {called} shows what each player gets.")
    if engine in ("valueiteration", "star2", "expectiminimax"):
        raise ZermeloError(f"Chance moves in {text}, and proofs are for games without it: zermelo best {called} gives expected payoffs.")
    if everything and game.players == 1:
        raise ZermeloError(f"{text} is for one player, and --all for two: zermelo solve {called} finds the cheapest way.")


def endgame_of(game: str, material: str) -> str:
    """The game in which every position of these pieces of a chess variant is set up."""
    from zermelo.games.endgame import VARIANTS

    variant = parse(game).name
    if variant not in VARIANTS:
        raise ZermeloError(f"{game} has no endgames by pieces: {', '.join(VARIANTS)} have; elsewhere --endgames takes a number of pieces.")
    return f"endgame(material={material!r},variant={variant!r})"


def pieces_of(text: str | None) -> int | None:
    """The number of pieces that --endgames names."""
    if text is None:
        return None
    if int(text) < 1:
        raise ZermeloError("Endgames have at least one piece.")
    return int(text)
