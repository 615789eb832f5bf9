"""Starts the workbench on this machine."""

import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

from zermelo.errors import ZermeloError
from zermelo.web.bounds import Bounds

__all__ = ["USUAL_PORT", "Server", "serve"]

USUAL_PORT = 1913  # the year of the theorem
SWITCH = 0.0005  # seconds after which a search in Python lets the event loop have its turn


class Server:
    """A workbench that listens, but does not answer before `run`."""

    def __init__(
        self, port: int | None = None, given: Sequence[str] = (), bounds: Bounds | None = None, workers: int | None = None
    ) -> None:
        try:
            import uvicorn

            from zermelo.web.app import application
            from zermelo.web.security import Keys
            from zermelo.web.workbench import Workbench
        except ImportError as error:
            raise ZermeloError(
                f"The workbench needs {error.name or 'more packages'}, which is not installed: install zermelo[web]."
            ) from error
        bounds = bounds or Bounds()
        self.bench = Workbench(given, bounds, workers)
        self.socket = bound_socket(port)
        self.keys = Keys(self.socket.getsockname()[1])
        config = uvicorn.Config(
            application(self.bench, self.keys),
            log_level="warning",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            ws="websockets-sansio",
            ws_max_size=bounds.message,
            backlog=2048,
            timeout_graceful_shutdown=1,
            lifespan="on",
        )
        self.uvicorn = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """Where the user enters."""
        return self.keys.address

    def run(self) -> None:
        """Answers until it is told to end."""
        self.uvicorn.run(sockets=[self.socket])

    def end(self) -> None:
        """Tells `run` to return, from any thread."""
        self.uvicorn.should_exit = True


class LoadedCode:
    """Has the garbage collector leave loaded code alone: a look at all of the compiler's objects holds everybody up for 0.3 s."""

    def __init__(self) -> None:
        self.modules = 0

    def settle(self) -> None:
        """Where modules were loaded since the last time, all that is there now is taken to stay."""
        if len(sys.modules) > self.modules:
            self.modules = len(sys.modules)
            gc.freeze()


class OneLine(logging.Filter):
    """What the server's own library has to say takes one line, too."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[1] is not None:
            record.msg, record.args = "%s (%s: %s)", (record.getMessage(), type(record.exc_info[1]).__name__, record.exc_info[1])
            record.exc_info = record.exc_text = None
        return True


def bound_socket(port: int | None) -> socket.socket:
    """A socket on this machine only: on the port that was asked for; without one on the usual port, or on any where that is taken."""
    for wanted in (USUAL_PORT, 0) if port is None else (port,):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", wanted))
            listener.listen(2048)
            return listener
        except OSError as error:
            listener.close()
            if port is not None:
                raise ZermeloError(f"Port {port} cannot be used: {error.strerror or error}; choose another with `port=`.") from error
    raise ZermeloError("No port of this machine is free.")


def has_screen() -> bool:
    """May a browser be opened? Without a screen one would take the terminal."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def serve(port: int | None, given: Sequence[str], browser: bool, announce: Callable[[str], object], weights: Sequence[Path] = ()) -> None:
    """Starts the workbench, announces its address, opens the browser, and answers until Ctrl-C. `weights` are files of learned ones."""
    logging.getLogger("zermelo.web").addHandler(logging.StreamHandler())
    logging.getLogger("uvicorn.error").addFilter(OneLine())
    server = Server(port, given)
    server.bench.offers.adopt(weights)
    announce(server.address)
    if browser and has_screen():
        threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
    sys.setswitchinterval(SWITCH)
    server.bench.queue.between = LoadedCode().settle
    server.run()
