"""Pages of documentation as programs: read their fenced blocks, and run them as a reader would, from top to bottom.

A page is run in an empty folder. Its blocks mean:

    ```python              executed; all blocks of a page share one namespace, as the cells of a notebook do
    ```output              what the block before it printed
    ```python mygame.py    a file of that name (any language), written into the folder and not executed
    ```console             `$ zermelo …` and `$ python …` are run, the lines below are what they print; a command that fails shows
                           its exit code with `$ echo $?` right after it
    anything else          is text

In expected output `…` stands for anything: alone on a line for any number of lines, inside a line for any characters of that line.
Runs of spaces and of horizontal rules count as one, because the width of a column changes with a time measured in it.
"""

import contextlib
import io
import linecache
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

__all__ = ["Block", "PageError", "blocks", "matches", "run_page"]

FENCE = re.compile(r"^ {0,3}(`{3,})\s*([^`]*)$")
COLUMNS = "100"  # the width of terminal for which the pages show tables


class PageError(AssertionError):
    """A page says something that is not so; the message names the page and the line."""


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    file: str | None  # the name that the block's text is saved under
    text: str
    line: int  # of the page, where the text begins


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page in order; a fence that is never closed is an error."""
    fence, words, start, text = None, [""], 0, []
    for number, line in enumerate(page.splitlines(), 1):
        match = FENCE.match(line)
        if fence is None:
            if match:
                fence, words, start, text = match[1], match[2].split() or [""], number + 1, []
        elif match and match[1] == fence and not match[2].strip():
            yield Block(words[0], words[1] if len(words) > 1 else None, "".join(part + "\n" for part in text), start)
            fence = None
        else:
            text.append(line)
    if fence is not None:
        raise PageError(f"the block that begins in line {start} is never closed")


def matches(expected: str, printed: str) -> bool:
    """Is the printed text what the page shows?"""
    pattern = ""
    for line in squeeze(expected):
        if line == "…":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += r"[^\n]*?".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in squeeze(printed))) is not None


def squeeze(text: str) -> list[str]:
    """Lines in which runs of spaces and of rules are one sign, without empty lines at the end."""
    lines = [re.sub(r"([─━═])\1+", r"\1", re.sub(r" +", " ", line)).strip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return lines


@dataclass
class Reader:
    """Somebody who does everything a page says, in one folder."""

    page: str  # its name, for messages
    folder: Path
    module: ModuleType
    printed: str = ""  # by the last python block
    code: int = 0  # exit code of the last command
    commands: list[str] = field(default_factory=list)

    def do(self, block: Block) -> None:
        """Follow one block."""
        if block.file is not None:
            (self.folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            self.execute(block)
        elif block.language == "output":
            self.compare(block.line, block.text, self.printed)
        elif block.language == "console":
            self.type_in(block)

    def execute(self, block: Block) -> None:
        """Run a cell; its source can be found under its name, as in a notebook, and its lines are the page's."""
        name = f"<{self.page}, block at line {block.line}>"
        source = "\n" * (block.line - 1) + block.text
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(source, name, "exec"), self.module.__dict__)
        self.printed = printed.getvalue()

    def type_in(self, block: Block) -> None:
        """Run each command of a console block and compare what it prints."""
        typed: list[tuple[int, str, list[str]]] = []  # line, command, what the page shows below it
        for number, line in enumerate(block.text.splitlines(), block.line):
            if line.startswith("$ "):
                typed.append((number, line[2:].strip(), []))
            elif typed:
                typed[-1][2].append(line)
            else:
                raise PageError(f"{self.page}:{number}: a console block begins with a command, `$ zermelo …`")
        for index, (number, command, shown) in enumerate(typed):
            if command == "echo $?":
                self.compare(number, "\n".join(shown), str(self.code))
                continue
            printed = self.command(number, command)
            failure_is_shown = index + 1 < len(typed) and typed[index + 1][1] == "echo $?"
            if self.code != 0 and not failure_is_shown:
                raise PageError(f"{self.page}:{number}: `{command}` ends with exit code {self.code}:\n{printed}")
            self.compare(number, "\n".join(shown), printed)

    def command(self, number: int, command: str) -> str:
        """Run one command; returns what it prints, errors included."""
        words = shlex.split(command)
        if words[0] not in ("zermelo", "python"):
            raise PageError(f"{self.page}:{number}: only `zermelo`, `python` and `echo $?` can be run on a page, not `{words[0]}`")
        scripts = Path(sys.executable).parent
        environment = os.environ | {
            "PATH": f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}",
            "COLUMNS": COLUMNS,
            "NO_COLOR": "1",
            "TERM": "dumb",
            "PYTHONIOENCODING": "utf-8",
            "ZERMELO_DATA": str(self.folder / "data"),  # nobody's own, and writable
        }
        program = [sys.executable, *words[1:]] if words[0] == "python" else [str(scripts / "zermelo"), *words[1:]]
        done = subprocess.run(
            program,
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.code = done.returncode
        self.commands.append(command)
        return done.stdout

    def compare(self, line: int, expected: str, printed: str) -> None:
        """What the page shows must be what was printed."""
        if not matches(expected, printed):
            raise PageError(f"{self.page}:{line}: the page shows\n{expected}\nbut this was printed:\n{printed}")


def run_page(page: str, text: str, folder: Path) -> list[str]:
    """Do everything that a page says, in `folder`; returns the commands that were run."""
    module = ModuleType(f"page_{re.sub(r'[^a-z0-9]', '_', page.lower())}")
    modules_before, path_before, folder_before = set(sys.modules), list(sys.path), Path.cwd()
    sys.modules[module.__name__] = module  # dataclasses look their module up
    sys.path.insert(0, str(folder))  # the reader's own files can be imported
    os.chdir(folder)
    reader = Reader(page, folder, module)
    try:
        for block in blocks(text):
            reader.do(block)
    finally:
        os.chdir(folder_before)
        sys.path[:] = path_before
        for name in set(sys.modules) - modules_before:
            file = getattr(sys.modules[name], "__file__", None)
            if name == module.__name__ or (file and Path(file).is_relative_to(folder)):
                del sys.modules[name]
    return reader.commands
