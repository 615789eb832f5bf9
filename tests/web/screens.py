"""Screens of every game and page, in light and dark, at the widths of a phone, a laptop and a large screen.

    python tests/web/screens.py FOLDER [NAME …] [WIDTH …] [THEME …]
    python tests/web/screens.py docs/pictures documentation

Names choose some of the pages or games, widths and themes some of the windows. The second form makes the pictures of the
documentation. Needs Playwright and chromium (see `conftest.py`).
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import sync_playwright
from speaking import running

from conftest import CHROMIUM

SIZES = {390: 844, 1280: 900, 1920: 1080}
THEMES = ("light", "dark")
PAGES = {
    "front": "#/",
    "tree": "#/tree?example=pruning&engine=alphabeta",
    "tree-of-a-game": "#/tree?game=tictactoe&moves=40213&depth=2",
    "lecture": "#/tree?example=pruning&engine=alphabeta&lecture=1&step=52",
    "playouts": "#/mcts?game=tictactoe",
    "equilibrium": "#/equilibrium?game=battleofthesexes",
    "poker": "#/poker",
    "compare": "#/compare?game=tictactoe",
    "exercises": "#/exercises?kind=cutoffs&level=2&seed=4",
}
READY = {
    "lecture=1": ".lecture-next",
    "#/play": ".seat",
    "#/tree": ".tree-node",
    "#/equilibrium": ".payoffs",
    "#/poker": ".range-grid",
}  # part of an address → what it shows
SETTLED = 1_200  # milliseconds
MATE = "moves=e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 b1c3 g7g6 f3e5 g4d1&seats=human;human"
DOCUMENTATION = {  # name → address, window, share of its size, theme, the place that is picked
    "workbench-play": ("#/play?game=connect4&moves=4434&seats=human;human", (1440, 900), 2 / 3, "light", None),
    "workbench-chess": (f"#/play?game=chess&{MATE}", (1440, 900), 2 / 3, "dark", "4,2"),
    "workbench-lecture": ("#/tree?example=pruning&engine=alphabeta&lecture=1&step=52", (1920, 1080), 5 / 8, "light", None),
}
VALUED = "() => { const page = document.querySelector('play-page'); return !page || page.state?.judgement?.done; }"


def places(entries: list[dict[str, str]]) -> Iterator[tuple[str, str]]:
    """Name and address of every page, then of every game."""
    yield from PAGES.items()
    for entry in entries:
        if entry.get("kind") in ("game", "puzzle"):
            yield entry["name"].split("/")[-1], f"#/play?game={quote(entry.get('showcase', entry['name']))}"


def documentation(folder: Path) -> int:
    """The pictures of the documentation, once every move in them is valued."""
    with running() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, (address, (width, height), share, theme, picked) in DOCUMENTATION.items():
            tab = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=share, color_scheme=theme)
            tab.goto(server.address)
            tab.goto(f"http://127.0.0.1:{server.keys.port}/{address}")
            tab.reload()
            tab.wait_for_selector(".seat, .lecture-next")
            tab.wait_for_function(VALUED, timeout=120_000)
            tab.wait_for_timeout(5 * SETTLED)  # lines and the curve follow
            if picked is not None:
                tab.click(f'[data-place="{picked}"]')
            tab.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=80)
        browser.close()
    return 0


def main(folder: Path, wanted: set[str]) -> int:
    """Takes the screens; says which pages are wider than their window or report an error, and how many."""
    folder.mkdir(parents=True, exist_ok=True)
    faults = 0
    widths = {width: height for width, height in SIZES.items() if str(width) in wanted} or SIZES
    themes = [theme for theme in THEMES if theme in wanted] or THEMES
    names = wanted - {str(width) for width in SIZES} - set(THEMES)
    with running(given=(str(Path(__file__).parents[2] / "examples" / "mygame.py"),)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        entries = server.bench.offers.listing()
        for width, height in widths.items():
            for theme in themes:
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
                tab = context.new_page()
                said: list[str] = []
                tab.on("pageerror", lambda error, said=said: said.append(str(error)))
                tab.goto(server.address)
                for name, address in places(entries):
                    if names and name not in names:
                        continue
                    tab.goto(f"http://127.0.0.1:{server.keys.port}/{address}")
                    tab.reload()
                    tab.wait_for_selector(next((there for part, there in READY.items() if part in address), "h1"))
                    tab.wait_for_timeout(SETTLED)
                    tab.screenshot(path=folder / f"{name}-{width}-{theme}.png")
                    wide = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
                    if wide > 0 or said:
                        faults += 1
                        sys.stdout.write(f"{name} {width} {theme}: {wide} px too wide; {' '.join(said)}\n")
                        said.clear()
                context.close()
        browser.close()
    sys.stdout.write(f"{len(list(folder.glob('*.png')))} screens in {folder}; {faults} with faults\n")
    return 1 if faults else 0


if __name__ == "__main__":
    chosen = set(sys.argv[2:])
    sys.exit(documentation(Path(sys.argv[1])) if chosen == {"documentation"} else main(Path(sys.argv[1]), chosen))
