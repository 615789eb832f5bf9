"""What Gambit's two file formats have in common: words, numbers and quoted texts, each with its place, and files that hold them.

A word is anything between blanks, commas and braces. Commas mean nothing. Numbers are kept exactly: 3, -1/3, 0.25 and 1e-3 are rational
numbers, whole ones come as `int`. Every error names line and column.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from zermelo.errors import ZermeloError, require_file
from zermelo.trees.exact_numbers import exact_number

__all__ = ["Token", "Tokens", "quoted", "read_text", "require_readable", "unique", "write_text", "written"]

TOKEN = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")|(?P<brace>[{}])|(?P<word>[^\s,{}"]+)|(?P<blank>[\s,]+)|(?P<open>")', re.DOTALL)
NUMBER = re.compile(r"[+-]?(\d+(/\d+)?|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)")
END = "end"
MOST_BYTES = 256 << 20  # of a file


class Token(NamedTuple):
    """One piece of a file."""

    kind: str  # "text", "brace", "word" or END
    value: str  # a text without its quotes
    line: int  # from 1
    column: int  # from 1


class Tokens:
    """The pieces of a file, read one after the other."""

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.tokens = list(self._split(text.removeprefix("\ufeff")))
        self.place = 0

    def _split(self, text: str) -> Iterator[Token]:
        line, begin = 1, 0  # the present line and where it begins
        for match in TOKEN.finditer(text):
            kind, value = str(match.lastgroup), match.group()
            token = Token(kind, value, line, match.start() - begin + 1)
            if kind == "open":
                self.fail(token, "a quoted text begins here and does not end")
            if kind == "text":
                yield token._replace(value=re.sub(r"\\(.)", r"\1", value[1:-1], flags=re.DOTALL))
            elif kind != "blank":
                yield token
            if "\n" in value:
                line += value.count("\n")
                begin = match.start() + value.rindex("\n") + 1
        yield Token(END, "the end of the file", line, len(text) - begin + 1)

    def fail(self, token: Token, reason: str) -> NoReturn:
        """The sentence about a fault at a token."""
        raise ZermeloError(f"{self.name}, line {token.line}, column {token.column}: {reason}.")

    def peek(self) -> Token:
        """The next token, left where it is."""
        return self.tokens[self.place]

    def next(self) -> Token:
        """The next token, taken."""
        token = self.tokens[self.place]
        self.place = min(self.place + 1, len(self.tokens) - 1)
        return token

    def at_end(self) -> bool:
        """Is the file over?"""
        return self.peek().kind == END

    def _expected(self, token: Token, wanted: str) -> NoReturn:
        found = (
            "the file ends" if token.kind == END else f"there is {token.value!r}" if token.kind != "text" else f'there is "{token.value}"'
        )
        self.fail(token, f"{found} where {wanted} should be")

    def text(self, wanted: str) -> str:
        """A quoted text."""
        token = self.next()
        if token.kind != "text":
            self._expected(token, f"{wanted} in quotes")
        return token.value

    def is_text(self) -> bool:
        """Does a quoted text come next?"""
        return self.peek().kind == "text"

    def is_brace(self, brace: str) -> bool:
        """Does this brace come next?"""
        return self.peek().kind == "brace" and self.peek().value == brace

    def brace(self, brace: str, wanted: str) -> None:
        """A brace."""
        token = self.next()
        if token.kind != "brace" or token.value != brace:
            self._expected(token, f"{brace!r} {wanted}")

    def word(self, wanted: str) -> str:
        """A word that is not in quotes."""
        token = self.next()
        if token.kind != "word":
            self._expected(token, wanted)
        return token.value

    def number(self, wanted: str) -> int | Fraction:
        """A number, kept exactly."""
        token = self.next()
        if token.kind != "word" or not NUMBER.fullmatch(token.value):
            self._expected(token, wanted)
        try:
            return exact_number(token.value)
        except ZeroDivisionError:
            self.fail(token, f"{token.value} divides by 0")
        except ValueError as fault:
            self.fail(token, str(fault))

    def whole(self, wanted: str, low: int = 0) -> int:
        """A whole number of at least `low`."""
        token = self.peek()
        value = self.number(wanted)
        if not isinstance(value, int) or value < low:
            self.fail(token, f"there is {token.value} where {wanted} should be, a whole number of at least {low}")
        return value

    def texts(self, wanted: str) -> list[str]:
        """Quoted texts in braces."""
        self.brace("{", f"before {wanted}")
        found = []
        while not self.is_brace("}"):
            found.append(self.text(wanted))
        self.next()
        return found

    def header(self, format: str, version: str) -> tuple[str, list[str]]:
        """The opening line: format, version, R or D, title, players' names."""
        token = self.next()
        if token.kind != "word" or token.value != format:
            self.fail(token, f"this is no .{format.lower()} file, which begins with {format} {version} R")
        token = self.next()
        if token.value != version:
            self.fail(token, f"version {token.value} of the format is not known, only {version} is")
        token = self.next()
        if token.value not in ("R", "D"):
            self._expected(token, "R or D")
        title = self.text("the title")
        place = self.peek()
        names = self.texts("the players' names")
        if not names:
            self.fail(place, "there is no player")
        return title, names


def unique(labels: list[str]) -> list[str]:
    """Labels that differ and are not empty: an empty one becomes its number, a repeated one gets a number."""
    found: dict[str, None] = {}
    copies: dict[str, int] = {}  # of a label so far
    for place, label in enumerate(labels, start=1):
        words = label.strip() or str(place)
        candidate, number = words, copies.get(words, 1)
        while candidate in found:
            number += 1
            candidate = f"{words} ({number})"
        found[candidate], copies[words] = None, number
    return list(found)


def quoted(text: str) -> str:
    """A text as the formats write it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def written(number: Any) -> str:
    """A number as the formats write it: a float as the decimal number that it prints as."""
    return repr(number) if isinstance(number, float) else str(number)


def require_readable(path: str | Path) -> None:
    """Raises where a file is too large to be read as text."""
    require_file(path)
    size = Path(path).stat().st_size
    if size > MOST_BYTES:
        raise ZermeloError(f"{path} has {size:,} bytes: files of trees and matrices may have {MOST_BYTES:,}.")


def read_text(path: str | Path) -> str:
    """The text of a file; older files of other encodings are read as Latin-1."""
    try:
        require_readable(path)
        data = Path(path).read_bytes()
    except OSError as fault:
        raise ZermeloError(f"{path} cannot be read: {fault.strerror or fault}.") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def write_text(path: str | Path, text: str) -> None:
    """Writes a file whole."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise ZermeloError(f"{path} cannot be written: {fault.strerror or fault}.") from None
