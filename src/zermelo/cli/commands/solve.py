"""`zermelo solve`: proves value and distance."""

from pathlib import Path
from typing import Literal

import click

from zermelo.cli import options
from zermelo.cli.commands.best import opened_table, report
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import working
from zermelo.cli.whole import database_for, solve_whole
from zermelo.engine.limits import Limits
from zermelo.errors import ZermeloError
from zermelo.play.engines import interrupted
from zermelo.play.setup import open_game, open_position

__all__ = ["command"]


@click.command("solve")
@options.game
@options.position
@click.option("--weak", is_flag=True, help="Prove only who wins, not how soon.")
@click.option("--no-distance", is_flag=True, help="Prove the value, not how soon it comes.")
@click.option("--plain", is_flag=True, help="Prove the position's own value only, without a score for every move.")
@click.option(
    "--method", type=click.Choice(["alphabeta", "pns"]), default="alphabeta", show_default=True, help="How to prove which side wins."
)
@click.option("--all", "everything", is_flag=True, help="Solve every position that can be reached; --out keeps the database.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="With --all: write the database to this file.")
@click.option(
    "--endgames", type=click.IntRange(min=1), metavar="N", help="With --all: from every position of at most N pieces, not from the start."
)
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --all: solve a game of at most N positions, else say that it has more.",
)
@click.option("--no-symmetry", is_flag=True, help="With --all: count positions that are alike one by one.")
@click.option("--uncompressed", is_flag=True, help="With --all: a larger file that is read faster.")
@click.option("--cluster", metavar="ADDRESS", help="With --all: let the workers of a Dask cluster do it.")
@options.database
@options.no_database
@options.threads
@options.seconds
@options.nodes
@click.option(
    "--memory",
    type=options.Bytes(),
    metavar="SIZE",
    help="For the transposition table, such as 64M; 0 for none. With --all: what the work may take, 2G without it.",
)
@click.option("--table", "table_file", type=click.Path(path_type=Path), metavar="FILE", help="Begin with this table, and keep it there.")
@options.open_information
@options.backend
@options.json_output
def command(
    game: str,
    position: str | None,
    weak: bool,
    no_distance: bool,
    plain: bool,
    method: Literal["alphabeta", "pns"],
    everything: bool,
    out: Path | None,
    endgames: int | None,
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
    open_information: bool,
    backend: options.Backend,
    as_json: bool,
) -> int:
    """Prove who wins, and how soon; with --all from every position.

    When --time or --nodes is spent, or at Ctrl-C, the answer says what is proven by then. A database answers where it holds the
    position: one that is named, or lies in the data folder. With --all the work goes on after an interruption: start it again.
    """
    from zermelo.search.prove import Prove

    rules = open_game(game)
    place = open_position(rules, position)
    if everything or out or endgames or positions or no_symmetry or uncompressed or cluster:
        if not everything:
            raise ZermeloError(
                "--out, --endgames, --positions, --no-symmetry, --uncompressed and --cluster go with --all: every position is solved."
            )
        proof = {
            "--table": table_file,
            "--no-distance": no_distance,
            "--weak": weak,
            "--plain": plain,
            "--method": method != "alphabeta",
            "--time": seconds,
            "--nodes": nodes,
            "--database": database,
            "--no-database": no_database,
            "--open": open_information,
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
        return solve_whole(game, rules, position, place.state, form, memory, out, cluster, endgames, as_json)
    more = plain or weak or no_distance or table_file is not None  # than a database answers
    known, oracle = (None, None) if no_database else database_for(rules, place, database, searches=more)
    if known is not None and not known.exact:  # states before this one count, of which a database knows nothing
        known, oracle = None, None
    if known is not None and not more:
        report(known, game, position, as_json)
        return 0
    request = Prove(
        weak=weak,
        distance=not no_distance,
        plain=plain,
        method=method,
        threads=threads,
        memory=memory,
        open=open_information,
        backend=backend,
    )
    with working(f"Proving {game} (Ctrl-C shows what is proven)") as progress:
        table = None if table_file is None else opened_table(request, rules, table_file)
        limits = Limits(seconds, nodes, progress=progress)
        result = request.search(rules, place.state, history=place.history, limits=limits, oracle=oracle, table=table)
    report(result, game, position, as_json)
    if table is not None:  # after the answer, which a full disk must not cost
        table.save(table_file)
    return INTERRUPTED if interrupted(result) else 0
