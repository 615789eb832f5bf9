"""The door: finds the command, and turns every way of failing into one sentence and an exit code.

0 done · 1 a check or verification failed · 2 bad input · 3 a fault of ours · 130 interrupted, after printing the best so far
"""

import importlib
import inspect
import io
import os
import pkgutil
import platform
import re
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from types import FrameType
from typing import Any, NoReturn

import click

import zermelo
from zermelo.cli.blame import rules_error, short
from zermelo.cli.output import note
from zermelo.errors import ZermeloError, nearest
from zermelo.registry.rules_file import PREFIX

__all__ = ["BAD_INPUT", "FAILED", "INTERRUPTED", "OUR_FAULT", "main"]

FAILED = 1
BAD_INPUT = 2
OUR_FAULT = 3
INTERRUPTED = 130
SLOW_LOADING = 5.0  # seconds after which a user's file that is still being loaded is mentioned


class ReaderLeft(Exception):  # noqa: N818 - not an error: the reader of our output, such as `head`, has closed the pipe
    """Nobody reads stdout any more. (click would make an exit code 1 of a broken pipe.)"""


def described(name: str) -> str:
    """The docstring of a command."""
    text = resources.files("zermelo.cli.commands").joinpath(f"{name}.py").read_text(encoding="utf-8")
    found = re.search(r'^def command\(.*?^    """(.*?)"""', text, re.DOTALL | re.MULTILINE)
    assert found, name
    return inspect.cleandoc(found[1])


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

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands from the text of their files: to import them all takes longer than anything else that `--help` does."""
        known = self.list_commands(context)
        room = formatter.width - 6 - max(map(len, known))
        with formatter.section("Commands"):
            formatter.write_dl([(name, click.Command(name, help=described(name)).get_short_help_str(room)) for name in known])

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
        open_streams()
        hear_term()
        watch = tell_slow_loading()
        try:
            code = super().main(*args, **options)
        except ReaderLeft:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except (KeyboardInterrupt, click.Abort) as error:
            cause = error.__cause__ or error
            click.echo(f"Interrupted{was_loading(cause) or was_compiling(cause)}.", err=True)
            code = INTERRUPTED
        except click.ClickException as error:
            refuse(error.format_message())
        except ZermeloError as error:
            refuse(str(error))
        except (Exception, SystemExit) as error:
            blamed = rules_error(error)
            if blamed is not None:
                refuse(str(blamed))
            if isinstance(error, SystemExit):
                raise
            confess(error)
        finally:
            watch.cancel()
        if code == INTERRUPTED:
            forget_signal()
        sys.exit(code if isinstance(code, int) else 0)


def forget_signal() -> None:
    """Let Python end with our exit code.

    Once Ctrl-C has struck in text that is executed, as dataclasses do with their methods, `python -m` ends by the signal, even where the
    exception was caught, unless some other text is executed after it.
    """
    eval("None")  # noqa: S307 - a constant


def was_compiling(error: BaseException) -> str:
    """Was the compiler at work when this was raised? Says so."""
    frames = traceback.walk_tb(error.__traceback__)
    compiling = any(str(frame.f_globals.get("__name__", "")).startswith("zermelo.compiler.") for frame, _ in frames)
    return " while the rules were being compiled: there is nothing to show yet" if compiling else ""


def was_loading(error: BaseException) -> str:
    """Was a file of the user's being loaded? Says which, and the line."""
    lines = filter(None, map(line_loaded, traceback.walk_tb(error.__traceback__)))
    return next((f" at {line}, while the file was being loaded" for line in lines), "")


def line_loaded(place: tuple[FrameType, int]) -> str:
    """The line of a user's file that runs because the file is being loaded; empty: this frame does something else."""
    frame, line = place
    loading = frame.f_code.co_name == "<module>" and str(frame.f_globals.get("__name__")).startswith(PREFIX)
    return f"{short(frame.f_code.co_filename)}:{line}" if loading else ""


def tell_slow_loading() -> threading.Timer:
    """Tells of a user's file that takes long to load, once: it may be a loop without end."""
    owner = threading.get_ident()

    def look() -> None:
        line = next(filter(None, map(line_loaded, traceback.walk_stack(sys._current_frames().get(owner)))), "")
        if line:
            note(f"Still loading: {line} is running. Ctrl-C stops it.")

    timer = threading.Timer(SLOW_LOADING, look)
    timer.daemon = True
    timer.start()
    return timer


def confess(error: Exception) -> NoReturn:
    """A fault of ours: one sentence, and a file with the details to send in."""
    if isinstance(error, MemoryError):
        click.echo("The memory of this machine is full: a smaller game, --memory or --depth needs less.", err=True)
        sys.exit(BAD_INPUT)
    kind = traceback.format_exception_only(error)[-1].strip().rstrip(".")
    details = [f"zermelo {zermelo.__version__}, Python {sys.version}, {platform.platform()}", " ".join(sys.argv), ""]
    try:
        with tempfile.NamedTemporaryFile("w", prefix="zermelo-fault-", suffix=".txt", delete=False, encoding="utf-8") as file:
            file.write("\n".join([*details, *traceback.format_exception(error)]))
        where = f"The details are in {file.name}: please send that file in."
    except OSError:
        where = "The details could not be written to a file."
    click.echo(f"Zermelo failed, which is a fault of ours ({' '.join(kind.split())[:200]}). {where}", err=True)
    sys.exit(OUR_FAULT)


def open_streams() -> None:
    """Streams that are closed become empty ones; a sign that the terminal does not have is no reason to fail."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115 - for the whole run
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def hear_term() -> None:
    """SIGTERM does what Ctrl-C does, in this process; in those that it forks it ends them."""
    owner = os.getpid()

    def end(number: int, frame: FrameType | None) -> None:
        if os.getpid() == owner:
            raise KeyboardInterrupt
        os._exit(128 + number)

    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end)


def refuse(sentence: str) -> NoReturn:
    """Bad input: one sentence, no traceback."""
    note(" ".join(sentence.split()))
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
