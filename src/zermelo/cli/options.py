"""Options that mean the same in every command, and the kinds of values they take."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from zermelo.errors import ZermeloError

__all__ = [
    "Backend",
    "Bytes",
    "backend",
    "database",
    "depth",
    "game",
    "json_output",
    "memory",
    "no_database",
    "nodes",
    "open_information",
    "position",
    "seconds",
    "seed",
    "threads",
    "weights",
    "writable",
]

Backend = Literal["auto", "compiled", "reference"]

Command = TypeVar("Command", bound=Callable[..., Any])

SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


class Bytes(click.ParamType):  # type: ignore[type-arg]  # older versions of click have no type here
    """An amount of memory: 500000, 64M, 2G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = SIZE.fullmatch(str(value).strip())
        if match is None:
            self.fail(f"{value!r} is no amount of memory: write bytes, or such as 64M or 2G.", param, ctx)
        return int(float(match[1]) * 1024 ** POWERS[match[2].lower()])


def game(command: Command) -> Command:
    return click.argument("game", metavar="GAME")(command)


def position(command: Command) -> Command:
    text = "Moves from the start, such as 4453, or a board as the game prints it."
    return click.option("--position", "-p", metavar="TEXT", help=text)(command)


def depth(command: Command) -> Command:
    return click.option("--depth", type=click.IntRange(min=0), metavar="N", help="Look at most N moves ahead.")(command)


def seconds(command: Command) -> Command:
    kind = click.FloatRange(min=0, min_open=True)
    return click.option("--time", "seconds", type=kind, metavar="SECONDS", help="Stop after this time with the best so far.")(command)


def nodes(command: Command) -> Command:
    text = "Stop after this many nodes with the best so far."
    return click.option("--nodes", type=click.IntRange(min=1), metavar="N", help=text)(command)


def memory(command: Command) -> Command:
    text = "For the transposition table, such as 64M; 0 for none."
    return click.option("--memory", type=Bytes(), metavar="SIZE", help=text)(command)


def seed(command: Command) -> Command:
    return click.option("--seed", type=int, metavar="N", help="Of all random numbers: the same seed gives the same run.")(command)


def threads(command: Command) -> Command:
    text = "Search together on this many cores."
    return click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help=text)(command)


def backend(command: Command) -> Command:
    kind = click.Choice(["auto", "compiled", "reference"])
    return click.option("--backend", type=kind, default="auto", show_default=True, help="Who runs the search.")(command)


def json_output(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def database(command: Command) -> Command:
    text = "Answer from this database, or search to its positions; without it one in the data folder serves."
    return click.option("--database", type=click.Path(path_type=Path), metavar="FILE", help=text)(command)


def no_database(command: Command) -> Command:
    return click.option("--no-database", is_flag=True, help="Ask no database, not even one in the data folder.")(command)


def open_information(command: Command) -> Command:
    text = "Search as if everybody saw everything."
    return click.option("--open", "open_information", is_flag=True, help=text)(command)


def weights(command: Command) -> Command:
    text = "Judge positions by these weights of `zermelo learn`, or search with this network of `zermelo train`."
    return click.option("--weights", type=click.Path(path_type=Path), metavar="FILE", help=text)(command)


def writable(path: Path) -> Path:
    """The path, if a file can be written there; asked before any work is done, so that nothing is lost."""
    if path.is_dir():
        raise ZermeloError(f"{path} is a folder: give the name of a file.")
    if not path.absolute().parent.is_dir():
        raise ZermeloError(f"{path} cannot be written: there is no folder {path.parent}.")
    return path
