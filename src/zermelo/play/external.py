"""Programs of others as players: any engine that speaks UCI (chess) or UGI (every other game), in a process of its own.

A program is started when it is first asked, and kept for the moves and games that follow. One that hangs, dies or answers with a move
that is not possible is ended; the next question starts it again.
"""

import atexit
import contextlib
import queue
import shlex
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.play.match import Match, find_action
from zermelo.rules import Action, action_name

__all__ = ["EngineFailure", "Program", "ask", "end_all", "require_program"]

GAMES = "/usr/games"  # where Debian installs them, which is not on everybody's path
FAREWELL = 1.0  # seconds that a program has to leave by itself


class EngineFailure(ZermeloError):  # noqa: N818 - what happened, as a referee writes it down
    """A program of others did not play: it hung, died, or gave a move that is not possible."""


class Program:
    """One running program."""

    def __init__(self, command: str, protocol: str, patience: float, options: str = "") -> None:
        self.command, self.protocol = command, protocol
        words = require_program(command)
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise ZermeloError(f"The engine {command} cannot be started: {error.strerror or error}.") from None
        self.lines: queue.Queue[str | None] = queue.Queue()  # None: nothing more will come
        threading.Thread(target=self.listen, daemon=True).start()
        self.say(protocol)
        self.wait_for(f"{protocol}ok", patience)
        for option in filter(None, options.split(",")):
            name, _, value = option.partition("=")
            self.say(f"setoption name {name.strip()} value {value.strip()}")
        self.say("isready")
        self.wait_for("readyok", patience)

    def listen(self) -> None:
        """Takes in what the program says, on a thread of its own."""
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed while reading
            for line in self.process.stdout:
                self.lines.put(line.strip())
        self.lines.put(None)

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise EngineFailure(f"the engine {self.command} has died") from None

    def wait_for(self, word: str, patience: float) -> str:
        """The first line that begins with a word."""
        deadline = time.monotonic() + patience
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise EngineFailure(f"the engine {self.command} hung: no {word} within {patience:g} seconds") from None
            if line is None:
                raise EngineFailure(f"the engine {self.command} has died")
            if line.split()[:1] == [word]:
                return line

    def choose(self, match: Match, limits: str, patience: float) -> Action:
        """The program's move."""
        self.say(f"position {place(match)}")
        self.say(f"go {limits}")
        words = self.wait_for("bestmove", patience).split()
        action = find_action(match.game, match.state, match.legal, words[1]) if len(words) > 1 else None
        if action is None:
            raise EngineFailure(f"the engine {self.command} answered {' '.join(words[1:2]) or 'nothing'}, which is not possible")
        return action

    def end(self) -> None:
        """Lets the program leave; one that stays is killed."""
        with contextlib.suppress(EngineFailure):
            self.say("quit")
        try:
            self.process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def require_program(command: str) -> list[str]:
    """The words of a command whose program is there."""
    words = shlex.split(command)
    if not words:
        raise ZermeloError("An external engine needs a command, such as uci('stockfish').")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES)
    if program is None:
        raise ZermeloError(f"There is no program {words[0]}: install the package {Path(words[0]).name}, or give its path.")
    return [program, *words[1:]]


def place(match: Match) -> str:
    """The position of a match as the protocol writes it: from the start by moves, or from a board."""
    game: Any = match.game
    beginning = match.beginning
    names = match.names()
    if beginning.state == game.start() or beginning.actions:
        before = zip((*beginning.history, beginning.state), beginning.actions, strict=False)
        names = [*(action_name(game, state, action) for state, action in before), *names]
        board = "startpos"
    else:
        board = "fen " + "/".join(game.show(beginning.state).splitlines())
    return f"{board} moves {' '.join(names)}" if names else board


running: dict[tuple[str, str, str], Program] = {}  # by command, protocol and options, of this process


def ask(command: str, match: Match, limits: str, patience: float, first_patience: float, options: str = "") -> Action:
    """A move of the program; it is started where it does not run, and ended where it fails."""
    protocol = "uci" if type(match.game).__module__ in ("zermelo.games.chess", "zermelo.games.chesslib") else "ugi"
    key = command, protocol, options
    try:
        if key not in running:
            running[key] = Program(command, protocol, first_patience, options)
        return running[key].choose(match, limits, patience)
    except EngineFailure:
        if key in running:
            forget(key)
        raise


def forget(key: tuple[str, str, str]) -> None:
    """Ends a program."""
    running.pop(key).end()


def end_all() -> None:
    """Ends every program that this process has started."""
    for key in list(running):
        forget(key)


atexit.register(end_all)
