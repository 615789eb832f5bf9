"""The pages in a real browser: played, stepped through, edited, run, reloaded; and their consoles stay clean.

Engines here are of the reference kind, so that no test waits for a compiler.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from speaking import NARROW, WIDE, go, play_address, running

from zermelo.web.server import Server

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
PAGES = {  # where, and what is there once the page is ready
    "#/": ".game-card",
    "#/play?game=tictactoe&seats=human;human": ".board",
    "#/tree?example=pruning&engine=alphabeta": ".tree-node",
    "#/equilibrium?game=prisonersdilemma": ".payoffs",
    "#/compare": ".engines input",
    "#/mcts": "h1",
    "#/exercises": ".tree-node",
    "#/poker": ".range-grid",
    "#/play?game=kuhn": ".seat",
    "#/tree?example=pruning&engine=alphabeta&lecture=1": ".lecture-next",
}
LONG = 300_000  # milliseconds: workers give way to everybody, so that compiling takes long where the processors are busy


def test_a_whole_game_is_played_by_clicks_and_keys(page: Any, workbench: Server) -> None:
    go(page, workbench, play_address("tictactoe"))
    page.click("[data-place='1,1']")
    page.wait_for_function("() => document.querySelectorAll('.ply').length > 1")
    for _ in range(4):
        page.wait_for_function("() => /your move|wins|Draw/.test(document.querySelector('.turn').textContent)")
        if "your move" not in page.inner_text(".turn"):
            break
        page.locator("game-board [role=button]").first.focus()
        before = page.locator(".ply").count()
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => document.querySelectorAll('.ply').length > {before}")
    page.wait_for_function("() => /wins|Draw/.test(document.querySelector('.turn').textContent)")
    assert page.inner_text(".turn") in ("O wins.", "Draw.")  # the engine sees to the end of the game
    assert re.search(r"moves=4\d+", page.url)


def test_a_match_survives_a_reload_and_a_lost_connection(page: Any, workbench: Server) -> None:
    go(page, workbench, play_address("tictactoe", seats="human;human"))
    for place in ("1,1", "0,0", "2,2"):
        page.click(f"[data-place='{place}']")
        page.wait_for_selector(f"[data-place='{place}']", state="detached")
    page.click("text=Undo")
    page.wait_for_selector("[data-place='2,2']")
    page.click("[data-place='0,2']")
    page.wait_for_selector(".variation")
    page.reload()
    page.wait_for_selector(".variation")  # what was tried is still there
    assert page.inner_text(".moves-text code") == "402"
    page.evaluate("() => import('/static/channel.js').then(({ channel }) => channel.socket.close())")
    page.wait_for_selector("#connection:visible")
    page.wait_for_selector("#connection", state="hidden")
    page.click("[data-place='1,0']")
    page.wait_for_function("() => document.querySelector('.moves-text code').textContent === '4023'")


@pytest.mark.slow
def test_a_match_comes_back_from_its_address_when_the_workbench_was_started_anew(browser: Any) -> None:
    with running() as first:
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(first.address)
        go(tab, first, play_address("tictactoe", "40", "human;human"))
        tab.wait_for_selector(".moves-text code")
        address = tab.url.partition("#")[2]
        context.close()
    with running() as second:
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(second.address)
        go(tab, second, f"#{address}")
        tab.wait_for_selector(".moves-text code")
        assert tab.inner_text(".moves-text code") == "40"
        context.close()


def test_a_pruned_tree_is_stepped_through_and_says_why(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/tree?example=pruning&engine=alphabeta")
    page.wait_for_selector(".tree-node")
    page.click(".step-first")
    page.wait_for_selector(".step-count:has-text('Step 0')")
    assert page.locator(".tree-cut").count() == 0
    page.click(".step-cut")
    page.wait_for_selector(".step-kind.cutoff")
    page.click(".step-cut")
    page.wait_for_selector(".step-words:has-text('α-cut')")
    assert "−9 is at most α = −4, which Max is already sure of elsewhere" in page.inner_text(".step-words")
    assert page.locator(".tree-cut").count() == 1
    before = page.inner_text(".step-count")
    page.click(".step-on")
    page.wait_for_selector(".step-kind.leave")
    page.click(".step-back")
    page.wait_for_selector(".step-kind.cutoff")
    assert page.inner_text(".step-count") == before
    page.click(".step-last")
    page.wait_for_selector(".step-count:has-text('24 nodes visited')")


def test_an_edited_tree_changes_its_value_and_its_order_the_number_of_nodes(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/tree")
    page.wait_for_selector(".tree-node")
    page.click("text=New tree")
    page.wait_for_selector("h1:has-text('My tree')")
    page.wait_for_function("() => document.querySelector('.value').textContent === '3'")
    page.focus(".tree-canvas")
    for key in ("ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    field = page.get_by_label("Payoff for Max")
    field.fill("−4")
    field.press("Tab")
    page.wait_for_function("() => document.querySelector('.value').textContent === '2'")
    page.click("text=Take back")
    page.wait_for_function("() => document.querySelector('.value').textContent === '3'")
    visited = {}
    for order in ("best", "worst"):
        page.get_by_label("Order of moves").select_option(order)
        page.wait_for_selector(f".tree-facts:has-text('{'best' if order == 'best' else 'worst'} first')")
        page.wait_for_timeout(300)
        visited[order] = int(page.inner_text(".visited"))
    assert visited == {"best": 6, "worst": 7}


@pytest.mark.slow
def test_a_tree_is_saved_in_every_form(page: Any, workbench: Server, tmp_path: Path) -> None:
    go(page, workbench, "#/tree?example=kqj")
    page.wait_for_selector(".tree-node")
    beginnings = {"SVG": b"<svg", "PNG": b"\x89PNG", "TikZ": b"\\documentclass", "DOT": b"digraph", "JSON": b"{", "EFG": b"EFG 2 R"}
    for form, beginning in beginnings.items():
        page.evaluate("document.querySelector('.menu').open = true")
        with page.expect_download() as download:
            page.click(f".tree-tools button:text-is('{form}')")
        file = tmp_path / form
        download.value.save_as(file)
        assert file.read_bytes().startswith(beginning), form


def test_best_replies_and_equilibria_are_marked_in_a_table(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/equilibrium?game=battleofthesexes")
    page.wait_for_selector(".payoffs")
    assert page.locator(".payoffs .star").count() == 2
    assert "3 equilibria" in page.inner_text("equilibrium-page")
    page.get_by_label("Equilibrium").select_option("1")
    page.wait_for_selector(".often:has-text('2/3'), .often:has-text('1')")


def test_a_tree_of_the_tree_lab_goes_to_the_equilibrium_lab(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/tree?example=twoworlds")
    page.wait_for_selector(".tree-node")
    page.click("text=Find its equilibrium")
    page.wait_for_selector(".payoffs")
    assert page.inner_text("h1") == "Two worlds"
    assert page.locator(".tree-set").count() >= 3


@pytest.mark.slow
def test_cfr_finds_the_value_of_kuhn_poker(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/equilibrium?game=kuhn")
    page.wait_for_selector(".payoffs", timeout=LONG)
    page.get_by_label("Iterations").fill("3000")
    page.get_by_text("Run", exact=True).click()
    page.wait_for_selector(".exploitability", timeout=LONG)
    value = float(page.inner_text(".value-0").replace("−", "-"))
    assert abs(value + 1 / 18) < 1e-3  # H. W. Kuhn, A simplified two-person poker (1950)
    assert page.locator(".bar").count() == 24
    assert page.locator(".curve .chart-line").count() == 1
    assert not faults_of(page)


@pytest.mark.slow
def test_playouts_grow_a_tree_until_the_root_is_proven(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/mcts?game=tictactoe&moves=4012")
    page.wait_for_selector("h1")
    page.get_by_role("spinbutton", name="Playouts").fill("50000")
    page.get_by_label("Pace").select_option("0")
    page.get_by_text("Grow", exact=True).click()
    page.wait_for_selector(".step-words:has-text('Proven')", timeout=LONG)
    assert page.locator(".mcts-table tbody tr").count() == 5
    assert page.locator(".tree-node").count() > 5
    assert not faults_of(page)


@pytest.mark.slow
def test_algorithms_are_compared_move_by_move(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/compare?game=tictactoe&moves=40")
    page.wait_for_selector(".engines input")
    page.get_by_label("Who runs it").select_option("reference")
    page.get_by_label("Repeat").select_option("1")
    page.get_by_text("Measure", exact=True).click()
    page.wait_for_selector("text=The game:", timeout=LONG)
    assert page.locator(".chart-mark.series-1").count() >= 3
    assert "alphabeta" in page.inner_text("table")


@pytest.mark.slow
def test_a_tree_of_a_hundred_thousand_nodes_stays_smooth(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/tree?game=connect4&depth=6&engine=none")
    page.click("text=Open everything")  # before there is anything to open: it waits
    page.wait_for_function(
        """() => {
            const work = document.querySelector('.progress');
            if (!work.textContent.includes('nodes are here')) return false;
            work.querySelector('button').click();
            return true;
        }""",
        timeout=LONG,
    )
    page.wait_for_selector(".progress", state="hidden", timeout=LONG)
    assert 260 < page.evaluate("document.querySelector('tree-view').model.nodes.size") < 100_000
    page.click("text=Open everything")
    page.wait_for_function("() => document.querySelector('tree-view').model.nodes.size > 100000", timeout=LONG)
    page.wait_for_selector(".progress", state="hidden")
    drawn = page.evaluate(
        """async () => {
            const view = document.querySelector('tree-view');
            const drawn = [];
            for (let turn = 0; turn < 30; turn += 1) {
                view.left += 40 / view.scale;
                view.zoom(turn < 20 ? 1.3 : 0.8);
                view.paint();
                drawn.push(view.drawn);
            }
            return drawn;
        }"""
    )
    assert max(drawn) < 1500  # only what is seen is drawn, however large the tree is
    assert min(drawn) > 20  # and something always is: rows stay in sight while the picture grows


@pytest.mark.slow
@pytest.mark.parametrize(("place", "ready"), PAGES.items())
@pytest.mark.parametrize("look", ["wide light", "narrow dark"])
def test_no_page_has_an_accessibility_fault(page: Any, workbench: Server, place: str, ready: str, look: str) -> None:
    page.emulate_media(color_scheme="dark" if "dark" in look else "light")
    page.set_viewport_size(NARROW if "narrow" in look else WIDE)
    go(page, workbench, place)
    page.wait_for_selector(ready)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the screen"
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm install")
    assert not faults_of(page)


def faults_of(page: Any) -> list[str]:
    """What axe-core finds, if it is there. Its script is run beside the page, whose policy would not load it."""
    if not AXE.is_file():
        return []
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((found) => found.violations)")
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in found]


def test_everything_can_be_reached_with_the_keyboard(page: Any, workbench: Server) -> None:
    go(page, workbench, play_address("tictactoe", seats="human;human"))
    page.wait_for_selector("[data-place='0,0']")
    page.focus("[data-place='0,0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.place") == "1,1"
    page.keyboard.press(" ")
    page.wait_for_selector("[data-place='1,1']", state="detached")
    page.keyboard.press("u")
    page.wait_for_selector("[data-place='1,1']")


def test_text_of_a_file_never_becomes_part_of_the_page(page: Any, workbench: Server, tmp_path: Path) -> None:
    evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    tree = tmp_path / "evil.json"
    root = {"player": "Max", "label": evil, "actions": {evil: 1, "b": 2}}
    tree.write_text(json.dumps({"title": evil, "root": root}), encoding="utf-8")
    go(page, workbench, "#/tree")
    page.wait_for_selector(".tree-node")
    page.set_input_files("input[type=file]", tree)
    page.wait_for_selector("h1:has-text('<img')")
    assert page.locator("main img, main script").count() == 0
    assert page.title() not in ("1", "2")


def test_the_first_page_is_there_at_once(page: Any, workbench: Server) -> None:
    """That it takes less than a second is measured by benchmarks/web.py; here, that nothing is fetched twice or from elsewhere."""
    page.wait_for_selector(".game-card")
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.wait_for_selector(".game-card")
    assert all(url.startswith((f"http://127.0.0.1:{workbench.keys.port}/", "data:")) for url in asked)
    assert len(asked) == len(set(asked))
