"""The door: finds the command, and turns every way of failing into one sentence and an exit code.

0 done · 1 a check or verification failed · 2 bad input · 130 interrupted, after printing the best so far
"""

import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import click

import zermelo
from zermelo.cli.blame import rules_error
from zermelo.errors import ZermeloError, nearest

__all__ = ["BAD_INPUT", "FAILED", "INTERRUPTED", "main"]

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130


class ReaderLeft(Exception):  # noqa: N818 - no error: whoever read our output, such as `head`, has seen enough
    """Nobody reads stdout any more. (click would make an exit code 1 of a broken pipe.)"""


@contextmanager
def told_apart() -> Iterator[None]:
    """Turns a broken pipe into `ReaderLeft`."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderLeft from None


class Commands(click.Group):
    """The commands are the modules of `zermelo.cli.commands`; one is imported when it is asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        package = importlib.import_module("zermelo.cli.commands")
        return sorted(module.name for module in pkgutil.iter_modules(package.__path__))

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        command: click.Command = importlib.import_module(f"zermelo.cli.commands.{name}").command
        return command

    def resolve_command(self, context: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(context)
        if args and not args[0].startswith("-") and args[0] not in known:
            raise ZermeloError(f"There is no command {args[0]}: {nearest(args[0], known)}")
        return super().resolve_command(context, args)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        with told_apart():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        with told_apart():
            return super().invoke(ctx)

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Runs a command and exits."""
        options["standalone_mode"] = False
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # a sign that the terminal does not have is no reason to fail
        try:
            code = super().main(*args, **options)
        except ReaderLeft:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except (KeyboardInterrupt, click.Abort):
            click.echo("Interrupted.", err=True)
            sys.exit(INTERRUPTED)
        except click.ClickException as error:
            refuse(error.format_message())
        except ZermeloError as error:
            refuse(str(error))
        except Exception as error:
            blamed = rules_error(error)
            if blamed is None:
                raise
            refuse(str(blamed))
        sys.exit(code if isinstance(code, int) else 0)


def refuse(sentence: str) -> NoReturn:
    """Bad input: one sentence, no traceback."""
    click.echo(" ".join(sentence.split()), err=True)
    sys.exit(BAD_INPUT)


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(zermelo.__version__, prog_name="zermelo")
@click.pass_context
def main(context: click.Context) -> None:
    """Write the rules of a game once, in plain Python, and get every answer its tree holds.

    A GAME is a name such as connect4, with parameters connect4(width=5,height=4), a file mygame.py:MyGame(width=5), or a tree in a
    .json file. A position is a list of moves from the start, such as 4453, or a board as the game prints it.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
