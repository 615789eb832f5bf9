"""Whole games on the command line: solving every position, and answers from a database."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from zermelo.cli import options
from zermelo.cli.output import Reporter, console, note, print_json, table, working
from zermelo.cli.wording import ending, plural, verdict
from zermelo.errors import RulesError, ZermeloError
from zermelo.formats.position import Position
from zermelo.limits import Observer
from zermelo.results import SearchResult
from zermelo.rules import MAX, MIN, Game, State, legal_actions, player_name
from zermelo.solve.data_folder import damaged_databases, damaged_files
from zermelo.solve.database_oracle import DatabaseOracle, oracle_named, oracle_of
from zermelo.solve.numbering import TooWideError

__all__ = ["counting_positions", "database_for", "solve_whole", "tell_damage"]

SHORT = 22  # letters of a game's name that leave room for how far its solve is, in 80 columns
WITHOUT = "It is left aside."


def finished_part(out: Path, endgames: bool) -> str | None:
    """Where the finished part of a solve lies that has stopped; None where there is none."""
    from zermelo.solve.endgames import setup_file
    from zermelo.solve.strong import work_folder

    folder = work_folder(setup_file(out) if endgames else out)
    return os.path.relpath(folder) if folder.is_dir() else None


def counting_positions(tell: Callable[[str], object]) -> Observer:
    """Tells how many positions there are so far."""
    return Observer(lambda count: tell(f"{count:,} positions"))


def tell_what_is_kept(out: Path | None, endgames: bool, command: str) -> None:
    """Where the finished part of a solve lies that has stopped, and which command goes on from there."""
    folder = None if out is None else finished_part(out, endgames)
    if folder is not None:
        note(f"What is finished is kept in {folder}: {command} goes on from there.")


def solve_whole(
    text: str,
    game: Game,
    position: str | None,
    root: State,
    form: dict[str, Any],
    memory: int | None,
    out: Path | None,
    cluster: str | None,
    endgames: int | None,
    as_json: bool,
) -> int:
    """`zermelo solve GAME --all`."""
    from zermelo.solve.limit import TooManyPositionsError
    from zermelo.solve.strong import DEFAULT_MEMORY, StrongSolver

    plan = StrongSolver(**form, memory=DEFAULT_MEMORY if memory is None else memory)
    if cluster is not None and out is None:
        raise ZermeloError("Name the database with --out FILE in a folder that all workers see: their files lie beside it.")
    if endgames is not None and position is not None:
        raise ZermeloError("--endgames goes without --position: every position of so many pieces is solved.")
    target = None if out is None else options.writable(out)

    def kept() -> str:
        folder = None if target is None else finished_part(target, endgames is not None)
        return "nothing is finished yet" if folder is None else f"what is finished is kept in {folder}: the same command goes on from there"

    try:
        from zermelo.cli.cluster import workers_at

        with working(text if len(text) <= SHORT else "Solving") as progress, workers_at(cluster, kept) as executor:
            given: dict[str, Any] = {
                "executor": executor,
                "progress": progress or Reporter().tell,
                "announce": lambda guess: note(f"Estimate: {guess.words(out is not None)}."),
            }
            if endgames is None:
                result = plan.solve(game, root, out=target, name=text, **given)
            else:
                from zermelo.solve.endgames import solve_endgames

                result = solve_endgames(plan, game, endgames, target, text, **given)
    except KeyboardInterrupt:
        tell_what_is_kept(target, endgames is not None, "the same command")
        raise
    except TooManyPositionsError:
        tell_what_is_kept(target, endgames is not None, "the same command with a higher limit")
        raise
    if as_json:
        print_json({"game": text, "position": position, **result.to_dict()})
        return 0
    for sentence in result.notes:
        note(sentence)
    show(result, unfolded(plan, game, root) if result.symmetric and endgames is None else None)
    return 0


def unfolded(plan: Any, game: Game, root: State) -> str | None:
    """How many positions there are without symmetry; None where compiled rules cannot count them."""
    try:
        return str(replace(plan, symmetry=False, positions=None).estimate(game, root).count())
    except (RulesError, TooWideError):
        return None


def show(result: Any, plain: str | None) -> None:
    """The figures of a solved game; `plain` is the number of positions without symmetry, where that is another one."""
    out = console()
    title = "every endgame of so few pieces"
    if result.kind:
        title = verdict(result.game, result.value, result.distance, True) + ending(result.kind)
    out.print(title, style="bold")
    columns = ("positions", *(f"{player_name(result.game, player)} wins" for player in (MAX, MIN)), "ties", "endless")
    listing = table(*columns, right=columns)
    listing.add_row(*(f"{count:,}" for count in (result.positions, result.wins, result.losses, result.ties, result.draws)))
    out.print(listing)
    longest = f"longest win {plural(result.longest, 'move')}"
    if result.kind:
        out.print(f"{longest}, {plural(result.edges, 'move')} in all")
    else:  # of endgames, where moves of set-ups are counted too
        out.print(longest + (f" from {result.slowest}" if result.slowest else ""), soft_wrap=True)
    if result.symmetric:
        out.print(f"symmetric positions are counted once{f'; without symmetry there are {plain}' if plain else ''}")
    if result.file is not None:
        out.print(f"{result.file}: {result.bytes:,} bytes, {result.bytes / result.positions:.2f} a position")
    speed = result.positions / max(result.seconds, 1e-9)
    out.print(f"{result.seconds:.3f} s, {speed:,.0f} positions a second ({result.backend})", style="dim")


def database_answer(game: Game, oracle: DatabaseOracle, place: Position) -> SearchResult | None:
    """The answer of a database that holds the position with all its moves; None where it does not."""
    after = [game.result(place.state, action) for action in legal_actions(game, place.state)]
    if any(oracle.score(state) is None for state in (place.state, *after)):
        return None
    from zermelo.solve.lookup import Lookup

    return Lookup(oracle.name).search(game, place.state, history=place.history)


def tell_damage(game: Game | None, blocks: bool = True) -> None:
    """Says which databases in the data folder are left aside: those of the game, without `blocks` as far as that shows at once, or of any
    game."""
    for sentence in damaged_files() if game is None else damaged_databases(game, blocks=blocks):
        note(f"{sentence} {WITHOUT}")


def database_for(
    game: Game, place: Position, file: Path | None, searches: bool = False
) -> tuple[SearchResult | None, DatabaseOracle | None]:
    """The answer of a database, or the oracle for a search that meets its positions: the one that is named, or one in the data folder.

    A book that does not hold the position with all its moves says nothing, nor does a damaged file that nobody has named; one block is
    looked at for an answer, and all where a search follows. `searches`: it does in every case.
    """
    if file is None:
        tell_damage(game, blocks=False)
    oracle = oracle_of(game, blocks=False) if file is None else oracle_named(file, game)
    if oracle is None:
        return None, None
    from zermelo.solve.database import require_whole
    from zermelo.solve.database_format import DamagedError

    try:
        known = database_answer(game, oracle, place)
        if file is None and (known is None or searches):
            require_whole(oracle.path)
    except DamagedError as error:
        if file is not None:
            raise
        note(f"{error} {WITHOUT}")
        return None, None
    if known is None and oracle.is_book:
        note(f"The position is not in the book {oracle.name} with all its moves: the search goes on without it.")
        return None, None
    return known, oracle
