"""The command line: the only code, beside the web, that prints or reads input."""

from zermelo.cli.entry import main

__all__ = ["main"]
