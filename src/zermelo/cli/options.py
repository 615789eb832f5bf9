"""Options that mean the same in every command, and the kinds of values they take."""

import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

import click

from zermelo.errors import ZermeloError
from zermelo.scores import LONGEST

__all__ = [
    "Backend",
    "Bytes",
    "Engine",
    "Number",
    "Threads",
    "Whole",
    "backend",
    "database",
    "depth",
    "game",
    "json_output",
    "memory",
    "no_database",
    "nodes",
    "perfect_information",
    "position",
    "seconds",
    "seed",
    "threads",
    "weights",
    "writable",
]

Backend = Literal["auto", "compiled", "interned", "reference"]

Command = TypeVar("Command", bound=Callable[..., Any])

SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
MOST = 2**62  # of anything that is counted
LONGEST_NUMBER = 25  # digits
FEWEST_ALLOWED = 64  # threads on any machine
POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


class Bytes(click.ParamType):  # type: ignore[type-arg]  # older versions of click have no type here
    """An amount of memory: 500000, 64M, 2G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = SIZE.fullmatch(str(value).strip())
        if match is None:
            self.fail(f"{value!r} is not an amount of memory: write bytes, or such as 64M or 2G.", param, ctx)
        amount = float(match[1]) * 1024 ** POWERS[match[2].lower()]
        if amount > MOST:
            self.fail(f"{value!r} is more memory than any machine has.", param, ctx)
        return int(amount)


class Engine(click.ParamType):  # type: ignore[type-arg]  # older versions of click have no type here
    """An algorithm by its name, with parameters where they are wanted: alphabeta, alphabeta(ordering=False)."""

    name = "engine"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from zermelo.play.algorithms import ALGORITHMS

        name = str(value).partition("(")[0].strip()
        if name not in ALGORITHMS:
            self.fail(f"{value!r} is not one of {', '.join(ALGORITHMS)}.", param, ctx)
        return str(value)


class Whole(click.IntRange):
    """A whole number, never larger than what a search can count."""

    def __init__(self, min: int | None = None, max: int = MOST) -> None:
        super().__init__(min, max)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        most = int(self.max or MOST)
        digits = isinstance(value, str) and value.strip().isdecimal()
        if digits and most >= LONGEST and (len(value) > LONGEST_NUMBER or int(value) > most):
            self.fail(f"{value[:LONGEST_NUMBER]} is too large: {most:,} at most.", param, ctx)
        return int(super().convert(value, param, ctx))

    def _describe_range(self) -> str:
        """For the help: bounds that nobody meets are not worth a word."""
        if self.max is not None and self.max >= LONGEST:
            return "" if self.min is None or self.min < 0 else f"x>={self.min}"
        return super()._describe_range()


class Number(click.FloatRange):
    """A finite number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return float(number)


class Threads(click.IntRange):
    """How many threads or processes work at once: a few for every core at most."""

    def __init__(self) -> None:
        super().__init__(1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number, cores = int(super().convert(value, param, ctx)), os.cpu_count() or 1
        if number > max(FEWEST_ALLOWED, 4 * cores):
            self.fail(f"{number} are too many: this machine has {cores} core{'' if cores == 1 else 's'}, and more do not help.", param, ctx)
        return number


def game(command: Command) -> Command:
    return click.argument("game", metavar="GAME")(command)


def position(command: Command) -> Command:
    text = "Moves from the start, such as 4453, or a board as the game prints it."
    return click.option("--position", "-p", metavar="TEXT", help=text)(command)


def depth(command: Command) -> Command:
    return click.option("--depth", type=Whole(0, LONGEST), metavar="N", help="Look at most N moves ahead.")(command)


def seconds(command: Command) -> Command:
    kind = Number(min=0, min_open=True)
    return click.option("--time", "seconds", type=kind, metavar="SECONDS", help="Stop after this many seconds and show the best so far.")(
        command
    )


def nodes(command: Command) -> Command:
    text = "Stop after this many nodes and show the best so far."
    return click.option("--nodes", type=Whole(1), metavar="N", help=text)(command)


def memory(command: Command) -> Command:
    text = "Size of the transposition table, such as 64M; 0 for none."
    return click.option("--memory", type=Bytes(), metavar="SIZE", help=text)(command)


def seed(command: Command) -> Command:
    return click.option("--seed", type=Whole(-MOST), metavar="N", help="Seed of the random numbers: the same seed repeats the run.")(
        command
    )


def threads(command: Command) -> Command:
    text = "Number of threads."
    return click.option("--threads", type=Threads(), default=1, show_default=True, metavar="N", help=text)(command)


def backend(command: Command) -> Command:
    kind = click.Choice(["auto", "compiled", "interned", "reference"])
    return click.option("--backend", type=kind, default="auto", show_default=True, help="What runs the search.")(command)


def json_output(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def database(command: Command) -> Command:
    text = "Use this database. Default: one from the data folder, if there is one."
    return click.option("--database", type=click.Path(path_type=Path), metavar="FILE", help=text)(command)


def no_database(command: Command) -> Command:
    return click.option("--no-database", is_flag=True, help="Use no database, not even one from the data folder.")(command)


def perfect_information(command: Command) -> Command:
    text = "Search as if every player saw everything."
    return click.option("--perfect-information", "--open", "perfect_information", is_flag=True, help=text)(command)


def weights(command: Command) -> Command:
    text = "Evaluate with weights from `zermelo learn`, or search with a network from `zermelo train`."
    return click.option("--weights", type=click.Path(path_type=Path), metavar="FILE", help=text)(command)


def writable(path: Path) -> Path:
    """The path, if a file can be written there; asked before any work is done, so that nothing is lost."""
    if path.is_dir():
        raise ZermeloError(f"{path} is a folder: give the name of a file.")
    if not path.absolute().parent.is_dir():
        raise ZermeloError(f"{path} cannot be written: there is no folder {path.parent}.")
    return path
