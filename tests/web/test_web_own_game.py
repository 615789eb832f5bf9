"""A game of one's own in the workbench: rules as a student writes them, with actions of any type and no word about a board."""

from pathlib import Path
from typing import Any

import pytest
from speaking import Page, go, play_address, running

RULES = '''from zermelo import Game


class Corner(Game):
    """Three stones a player; whoever holds the first corner wins."""

    def start(self):
        return ((".",) * 3,) * 2, 0

    def player(self, state):
        return state[1]

    def actions(self, state):
        return [ACTION for r in range(2) for c in range(3) if state[0][r][c] == "."]

    def result(self, state, action):
        row, column = PLACE
        cells = [list(line) for line in state[0]]
        cells[row][column] = "XO"[state[1]]
        return tuple(map(tuple, cells)), 1 - state[1]

    def terminal(self, state):
        return all("." not in line for line in state[0])

    def utility(self, state):
        return 1 if state[0][0][0] == "X" else -1
'''
ACTIONS = {
    "tuple": ("(r, c)", "action"),
    "text": ('f"{r}-{c}"', 'map(int, action.split("-"))'),
    "number": ("3 * r + c", "divmod(action, 3)"),
}


@pytest.mark.parametrize("kind", ACTIONS)
def test_actions_of_any_type_are_valued_and_played(tmp_path: Path, kind: str) -> None:
    action, place = ACTIONS[kind]
    file = tmp_path / "corner.py"
    file.write_text(RULES.replace("ACTION", action).replace("PLACE", place), encoding="utf-8")
    with running(given=(str(file),)) as server, Page.open(server) as page:
        state = page.ask("play.open", game=str(file), seats=["human", "human"], values=True)
        assert [seat["name"] for seat in state["seats"]] == ["First", "Second"]
        assert sorted(move["to"] for move in state["legal"]) == [[r, c] for r in range(2) for c in range(3)]
        while not (judgement := page.event("play.values", table=state["table"])["judgement"])["exact"]:
            assert not judgement["done"]
        corner = next(move["action"] for move in state["legal"] if move["to"] == [0, 0])
        assert set(judgement["moves"]) == {str(move["action"]) for move in state["legal"]}
        assert judgement["best"] == [corner]
        line = page.run("play.line", table=state["table"], now=0, action=corner)
        assert line["action"] == corner
        page.ask("play.move", table=state["table"], now=0, action=corner)
        after = page.event("play.state", now=1)
        assert after["last"] == {"to": [0, 0]}
        assert "not possible" in page.answer("play.move", table=state["table"], now=1, action=corner)["error"]


def test_a_grid_is_played_on_without_a_word_about_it(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "corner.py"
    file.write_text(RULES.replace("ACTION", "(r, c)").replace("PLACE", "action"), encoding="utf-8")
    with running(given=(str(file),)) as server:
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(server.address)
        go(tab, server, play_address(str(file), seats="human;human"))
        tab.wait_for_selector(".lines .best")  # values of actions that are tuples
        for place in ("0,0", "1,2"):
            tab.click(f"[data-place='{place}']")
            tab.wait_for_selector(f"[data-piece='{place}']")
        address = tab.url
        tab.goto("about:blank")
        tab.goto(address)  # the link holds the position
        tab.wait_for_selector("[data-piece='1,2']")
        assert tab.locator(".ply").count() == 3
        context.close()
