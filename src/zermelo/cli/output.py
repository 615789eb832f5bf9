"""Results to stdout, everything else to stderr. Rich tables in a terminal, the same words in plain text elsewhere."""

import json
import math
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["Reporter", "console", "has_all_signs", "note", "plain_data", "print_json", "table", "worded", "working"]

ADVISED = (
    "algorithm all backend database depth game memory out perfect_information port position precision side teacher time "
    "weights"  # by the library
)
ADVICE = re.compile(rf"`({ADVISED.replace(' ', '|')})=([^`]*)`")
ODD_OPTIONS = {"`database=False`": "--no-database", "`side=`": "--coalition"}
REPORTED_EVERY = 10.0  # seconds


def plain_data(value: Any) -> Any:
    """What JSON can hold: numbers without NaN and infinity, text, lists and maps."""
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_data(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if hasattr(value, "item"):  # a NumPy number
        return plain_data(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def print_json(document: Any) -> None:
    """One document on stdout; letters that the terminal does not have are written as JSON's own escapes."""
    click.echo(json.dumps(plain_data(document), ensure_ascii=not has_all_signs(), indent=2, allow_nan=False))


def has_all_signs() -> bool:
    """Can stdout show every letter and sign?"""
    return (sys.stdout.encoding or "").lower().startswith("utf")


def console(stderr: bool = False) -> "Console":
    """Where words go, as they are; wide enough that nothing is cut where there is no terminal."""
    from rich.console import Console

    terminal = (sys.stderr if stderr else sys.stdout).isatty()

    class Pipe(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # for `zermelo.cli.entry`, which knows what that means

    return Pipe(stderr=stderr, markup=False, emoji=False, highlight=False, soft_wrap=True, width=None if terminal else 200)


def table(*columns: str, right: Iterable[str] = ()) -> "Table":
    """An empty table without a frame; the columns named in `right` hold numbers."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left")
    return made


def note(sentence: str) -> None:
    """Something the user should know, beside the result."""
    click.echo(worded(sentence), err=True)


def worded(sentence: str) -> str:
    """The sentence with every parameter that it advises as an option: `depth=N` becomes --depth N."""
    return ADVICE.sub(
        lambda found: ODD_OPTIONS.get(found[0], f"--{found[1].replace('_', '-')} {found[2].removeprefix('True')}").strip(), sentence
    )


class Reporter:
    """Says now and then how far the work is, where no terminal shows it all the time."""

    def __init__(self, words: str = "") -> None:
        self.words, self.told = words, time.monotonic()

    def tell(self, progress: object) -> None:
        now = time.monotonic()
        if now - self.told >= REPORTED_EVERY:
            self.told = now
            note(f"{self.words}: {spoken(progress)}." if self.words else f"Now {spoken(progress)}.")


def spoken(progress: object) -> str:
    """How far the work is, in words."""
    return f"{progress:,} nodes" if isinstance(progress, int) else str(progress)


@contextmanager
def working(words: str) -> Iterator[Callable[[object], None] | None]:
    """Shows on stderr that work is under way, in a terminal only; gives a function that tells how far it is, or None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return

    def tell(progress: object) -> None:
        status.update(f"{words}: {spoken(progress)}")

    with console(stderr=True).status(words) as status:
        yield tell
