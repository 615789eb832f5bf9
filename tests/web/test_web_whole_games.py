"""Whole games in a real browser, from the first move to the outcome: by mouse, by keyboard, by touch, one of each family."""

from typing import Any

import pytest
from speaking import NARROW, go, play_address

from zermelo.web.server import Server

GAMES = {  # small ones, so that a game is soon over
    "tictactoe": "squares",
    "connect4(width=4,height=4)": "discs that fall",
    "hex(width=3,height=3)": "hexes",
    "kalah(holes=2,seeds=1)": "pits",
    "nim": "heaps",
    "dotsandboxes(rows=1,columns=2)": "dots",
    "breakthrough(columns=3,rows=5)": "pieces that move",
    "kayles": "a row of pins",
    "kuhn": "cards",
}
LONGEST = 60  # moves
NEXT = """() => {
    const board = document.querySelector('game-board');
    const move = board.state.legal[0];
    const known = board.state.picture?.places ?? {};
    const places = [move.from, move.to, move.then].filter(Boolean).map((place) => place.join(',')).filter((place) => place in known);
    return { now: board.state.now, name: move.name, places };
}"""
WAITING = "() => { const state = document.querySelector('game-board').state; return state && (state.over || state.human); }"
MOVED = "(now) => document.querySelector('game-board').state.now !== now"


def choose(page: Any, selector: str, how: str) -> None:
    """Presses something with the mouse, a finger, or the Enter key."""
    found = page.locator(selector).first
    if how == "touch":
        found.tap()
    elif how == "keyboard":
        found.focus()
        page.keyboard.press("Enter")
    else:
        found.click()


def make_next_move(page: Any, how: str) -> None:
    """Makes the first legal move where the page shows it: on the board, in the question that follows, or by its button."""
    move = page.evaluate(NEXT)
    for place in move["places"]:
        if page.evaluate(MOVED, move["now"]):
            return
        hit = f"game-board [data-place='{place}']"
        if page.locator(hit).count():  # the only piece that can move need not be picked
            choose(page, hit, how)
    if not move["places"]:
        choose(page, f".choice:has-text('{move['name']}')", how)
    page.wait_for_timeout(20)
    if page.locator("dialog[open]").count():
        choose(page, f"dialog[open] button:text-is('{move['name']}')", how)
    page.wait_for_function(MOVED, arg=move["now"])


@pytest.mark.parametrize("how", ["mouse", "keyboard", "touch"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played(browser: Any, workbench: Server, game: str, how: str) -> None:
    context = browser.new_context(viewport=NARROW, has_touch=how == "touch", reduced_motion="reduce")
    context.add_init_script("localStorage.values ??= 'off'")
    page = context.new_page()
    page.goto(workbench.address)
    go(page, workbench, play_address(game, seats="human;human"))
    page.wait_for_selector("game-board svg")
    for _ in range(LONGEST):
        page.wait_for_function(WAITING)
        if page.evaluate("document.querySelector('game-board').state.over"):
            break
        make_next_move(page, how)
    assert page.inner_text(".turn") == page.evaluate("document.querySelector('game-board').state.outcome") != ""
    context.close()
