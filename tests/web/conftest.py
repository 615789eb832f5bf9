"""One workbench for all tests of this folder that do not need one of their own, and one browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from speaking import WIDE, running

from zermelo.web.server import Server

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def workbench() -> Iterator[Server]:
    with running(given=(str(Path(__file__).parents[2] / "examples" / "mygame.py"),)) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's chromium, driven by Playwright."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright drives the browser: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no chromium is installed: apt-get install chromium, or name one in CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def page(workbench: Server, browser: Any) -> Iterator[Any]:
    """A fresh tab that has entered; a word in its console, or an error in its script, fails the test."""
    context = browser.new_context(viewport=WIDE, accept_downloads=True)
    context.add_init_script("localStorage.values ??= 'off'")
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(workbench.address)
    yield tab
    context.close()
    assert not complaints
