"""`zermelo web` as a user starts it."""

import signal
import socket
import subprocess
import sys
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "zermelo", "web", "--no-browser"]


def refusal(*arguments: str) -> str:
    """What the command says when it refuses; it must be one line, and the exit code 2."""
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    return done.stderr


def test_the_first_line_is_the_address_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    tree = tmp_path / "mine.json"
    tree.write_text('{"title": "Mine", "root": {"player": "Max", "actions": {"a": 1, "b": 2}}}', encoding="utf-8")
    with subprocess.Popen([*COMMAND, "--port", "0", str(tree)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        with visitor.open(address, timeout=60) as page:
            assert b"<title>Zermelo</title>" in page.read()
        with visitor.open(address.partition("?")[0] + "api/games", timeout=60) as games:
            assert b'"title":"Mine"' in games.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert "choose another with --port" in refusal("--port", str(taken.getsockname()[1]))


def test_a_file_that_is_not_there_is_told() -> None:
    assert "There is no file nothing.json" in refusal("nothing.json")


@pytest.mark.parametrize("package", ["uvicorn", "starlette"])
def test_missing_packages_are_named(package: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; from zermelo.web.server import Server; Server(0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert "install zermelo[web]" in done.stderr
    assert package in done.stderr
