"""`zermelo db`: databases of every position."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import options
from zermelo.cli.answer import show
from zermelo.cli.entry import FAILED
from zermelo.cli.output import console, note, print_json, table, worded, working
from zermelo.cli.wording import number, plural
from zermelo.errors import RulesError, ZermeloError
from zermelo.play.setup import open_game, open_record
from zermelo.rules import Game, State, draw_value, player_name

if TYPE_CHECKING:
    from zermelo.solve.database_format import Entry

__all__ = ["command"]

FEW = 2_000_000  # positions of a game that is solved whole for its book
FILE = click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
GAME = click.option("--game", metavar="GAME", help="The game, if the file's own name for it does not open it.")


def game_of(file: Path, text: str | None) -> tuple[str, Game]:
    """The game of a database, and its name."""
    from zermelo.solve.database import open_file

    header, data, _ = open_file(file)
    data.close()
    name = text or header.game
    return name, open_game(name)


@click.group("db")
def command() -> None:
    """Inspect and check databases."""


@command.command("info")
@FILE
@options.json_output
def info(file: Path, as_json: bool) -> None:
    """Show what a database says about itself."""
    from zermelo.solve.database import open_file

    header, data, _ = open_file(file)
    data.close()
    if as_json:
        print_json({"file": str(file), "bytes": file.stat().st_size, **header.to_dict()})
        return
    kinds = Counter[str]()
    for entry, count in zip(header.scores, header.counts, strict=True):
        kinds[entry.kind] += count
    out = console()
    content = header.content if header.content == "endgames" else f"a {header.content}"
    out.print(f"{header.game}: {plural(header.count, 'position')}, {content}", style="bold")
    out.print(", ".join(f"{words} {kinds[kind]:,}" for kind, words in kind_words(header.game).items()))
    alike = "alike ones once" if header.numbering.symmetric else "each by itself"
    out.print(f"{header.form}, {alike}, {plural(header.blocks, 'block')} of {header.block:,}, compression {header.compression}")
    out.print(f"{file.stat().st_size:,} bytes, rules {header.rules}", style="dim")


def kind_words(name: str) -> dict[str, str]:
    """The kinds of positions in words; the players are Max and Min where the rules are not at hand."""
    try:
        rules = open_game(name)
        first, second = (player_name(rules, player) for player in (0, 1))
    except ZermeloError:
        first, second = "Max", "Min"
    return {"win": f"{first} wins", "loss": f"{second} wins", "tie": "ties", "draw": "endless"}


@command.command("verify")
@FILE
@GAME
@click.option("--sample", type=options.Whole(min=1), metavar="N", help="Check the successors of only N positions.")
@options.json_output
def verify(file: Path, game: str | None, sample: int | None, as_json: bool) -> int:
    """Check every block, and that every value follows from the position's successors."""
    from zermelo.solve.database import Database
    from zermelo.solve.database_format import DamagedError
    from zermelo.solve.verification import Verification
    from zermelo.solve.verification import verify as look

    try:
        _, rules = game_of(file, game)
        with Database(file, rules) as database, working(f"Verifying {file}") as progress:
            found = look(database, sample, progress)
    except DamagedError as error:
        found = Verification(0, 0, 0, str(error))
    if as_json:
        print_json({"file": str(file), **found.to_dict()})
    elif found.fault is None:
        checked = "all" if found.checked == found.positions else f"{found.checked:,}"
        plainly = "all" if found.interpreted == found.positions else f"{found.interpreted:,}"
        sizes = f"{plural(found.blocks, 'block')}, {plural(found.positions, 'position')}"
        console().print(f"right: {sizes}, {checked} checked by successors, {plainly} of them by the rules as written")
    else:
        console().print(f"wrong: {worded(found.fault)}")
    return 0 if found.fault is None else FAILED


@command.command("probe")
@FILE
@GAME
@options.position
@options.json_output
def probe(file: Path, game: str | None, position: str | None, as_json: bool) -> None:
    """Value and distance of a position and of every move."""
    from zermelo.solve.database import Database
    from zermelo.solve.lookup import Lookup

    name, rules = game_of(file, game)
    place = open_record(rules, position, note)
    with Database(file, rules) as database:
        database.probe(place.state)  # which says so where it is not there
    result = Lookup(str(file)).search(rules, place.state)
    if as_json:
        print_json({"game": name, "position": position, **result.to_dict()})
    else:
        show(result)


@command.command("export")
@FILE
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT")
@GAME
@click.option("--states", is_flag=True, help="Add the states as the rules write them (slower).")
def export(file: Path, out: Path, game: str | None, states: bool) -> None:
    """Write a database as a Parquet table: number, value, distance, kind."""
    from zermelo.solve.database import Database
    from zermelo.solve.parquet import export_parquet

    _, rules = game_of(file, game)
    options.writable(out)
    with Database(file, rules) as database, working(f"Writing {out}"), written(out, file):
        rows = export_parquet(database, out, states)
    console().print(f"{out}: {plural(rows, 'row')}")


@command.command("book")
@click.argument("source", metavar="SOURCE")
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT")
@click.option("--plies", type=options.Whole(min=0), required=True, metavar="N", help="Positions at most N moves from the start.")
@GAME
def book(source: str, out: Path, plies: int, game: str | None) -> None:
    """Write an opening book from a database, or for a GAME: a small game is solved, otherwise positions are proven one by one."""
    from zermelo.solve.book import write_book
    from zermelo.solve.data_folder import ENDING

    options.writable(out)
    if Path(source).suffix == ENDING or Path(source).is_file():
        name, rules = game_of(Path(source), game)
        with working(f"Writing {out}") as progress, written(out, Path(source)):
            count = book_of(Path(source), name, rules, out, plies, progress)
    else:
        rules = open_game(source)
        with working(f"Solving {source}") as progress, tempfile.TemporaryDirectory() as folder, written(out):
            whole = solved_whole(source, rules, Path(folder) / "whole.zdb", progress)
            if whole is not None:
                count = book_of(whole, source, rules, out, plies, progress)
            else:
                count = write_book(rules, rules.start(), plies, proven(rules), out, source, progress=progress)
    console().print(f"{out}: {plural(count, 'position')}")


@contextmanager
def written(out: Path, source: Path | None = None) -> Iterator[None]:
    """Around the writing of a file: one sentence where that fails, or would replace the source."""
    if source is not None and out.exists() and out.samefile(source):
        raise ZermeloError(f"{out} is what is read: name another file to write.")
    try:
        yield
    except OSError as error:
        raise ZermeloError(f"{out} cannot be written: {error.strerror or error}.") from None


def book_of(file: Path, name: str, game: Game, out: Path, plies: int, progress: Callable[[str], object] | None) -> int:
    """Writes a book from a database; gives how many positions it has."""
    from zermelo.solve.book import write_book
    from zermelo.solve.database import Database

    with Database(file, game) as database:
        root, numbering = database.positions.state(database.header.root), database.header.numbering
        return write_book(game, root, plies, database.probe, out, name, numbering, progress)


def solved_whole(name: str, game: Game, out: Path, progress: Callable[[str], object] | None) -> Path | None:
    """A database of every position, where these are few: that is quicker than to prove one after the other."""
    from zermelo.solve.estimate import Estimate
    from zermelo.solve.strong import StrongSolver, check_game

    class TooManyError(Exception):
        """Proof is the better way."""

    def announce(guess: Estimate) -> None:
        if guess.least or guess.positions > FEW:
            raise TooManyError

    check_game(game)
    with suppress(TooManyError, RulesError):  # or the rules do not compile
        StrongSolver(backend="compiled").solve(game, out=out, name=name, progress=progress, announce=announce)
        return out
    return None


def proven(game: Game) -> Callable[[State], "Entry"]:
    """A position's value by proof."""
    from zermelo.search.proof.prove import Prove
    from zermelo.solve.database_format import Entry

    def value(state: State) -> Entry:
        found = Prove(textbook=True).search(game, state)
        if not found.exact:
            raise ZermeloError("A position of the book could not be proven: take fewer plies or a smaller game.")
        if found.distance is not None:
            return Entry(found.value, found.distance, "win" if found.value > draw_value(game) else "loss")
        last = reduce(game.result, found.line, state)
        return Entry(found.value, None, "tie" if game.repetition is None or game.terminal(last) else "draw")

    return value


@command.command("list")
@options.json_output
def listed(as_json: bool) -> None:
    """The databases in the data folder."""
    from zermelo.solve.data_folder import ENDING, data_folder

    found: list[dict[str, Any]] = []
    for file in sorted(data_folder().glob(f"*{ENDING}")) if data_folder().is_dir() else []:
        from zermelo.solve.database import open_file

        try:
            header, data, _ = open_file(file)
        except ZermeloError as error:
            found.append({"file": file.name, "game": None, "positions": None, "fault": str(error)})
            continue
        data.close()
        found.append({"file": file.name, "game": header.game, "positions": header.count, "fault": None})
    if as_json:
        print_json({"folder": str(data_folder()), "databases": found})
        return
    listing = table("file", "game", "positions", right=["positions"])
    for row in found:
        listing.add_row(str(row["file"]), str(row["game"] or row["fault"]), number(row["positions"]) if row["positions"] else "")
    console().print(f"{plural(len(found), 'database')} in {data_folder()}")
    if found:
        console().print(listing)
