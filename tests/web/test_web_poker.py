"""Poker spots in the workbench: solved, walked through, trained on, opened from a file; and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from speaking import Page, go, running

from zermelo.equilibrium.extensive.public.public_solver import PublicSolver
from zermelo.games.holdem import Holdem
from zermelo.web.server import Server

SPOT = {"board": "Qs Jh 2h 7c 3d", "pot": 50, "stack": 100, "oop": "AA:0.5,KQs,T9s", "ip": "KK,QTs,AhTh", "bets": "50%,a", "raises": "a"}


def test_a_spot_is_solved_and_walked_through(workbench: Server) -> None:
    with Page.open(workbench) as page:
        found = page.run("ranges.solve", **SPOT, target=0.1)
        assert found["value"][0] == pytest.approx(31.7796, abs=0.05)  # by linear program
        assert found["percent"] <= 0.1
        behind = page.run("ranges.point", spot=found["spot"], line="check, bet 25")
        assert (behind["kind"], behind["seat"], behind["pot"]) == ("decision", "oop", 75)
        assert [name for name, *_ in behind["actions"]] == ["fold", "call", "all-in"]
        assert behind["grid"][0][0][0] == "AA"
        assert len(behind["grid"][0][0]) == 4
        assert behind["grid"][12][12] == ["22"]
        assert page.run("ranges.point", spot=found["spot"], line="check, check")["kind"] == "end"


def test_every_card_that_may_come(workbench: Server) -> None:
    with Page.open(workbench) as page:
        found = page.run("ranges.solve", **{**SPOT, "board": "Qs Jh 2h 7c"}, target=2)
        cards = page.run("ranges.point", spot=found["spot"], line="check, check")["cards"]
        assert len(cards) == 48
        assert all(sum(share for _, share, _ in each["shares"]) == pytest.approx(1) for each in cards)


def test_a_question_and_what_an_answer_costs(workbench: Server) -> None:
    with Page.open(workbench) as page:
        spot = page.run("ranges.solve", **SPOT)["spot"]
        asked = page.run("ranges.question", spot=spot, seed=7)
        assert "shares" not in asked
        costs = [page.run("ranges.question", spot=spot, seed=7, action=action)["cost"] for action in asked["actions"]]
        assert min(costs) == 0 < max(costs)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"board": "Qs Qs 2h"}, "twice"),
        ({"oop": "A1s"}, "A1s"),
        ({"stack": 10**9, "bets": "1%", "raises": "2%"}, "larger sizes"),
        ({"board": "Qs Jh 2h", "oop": "random", "ip": "random", "bets": "30%,60%,a", "raises": "60%,a"}, "fewer sizes"),
    ],
)
def test_bad_spots_are_said(workbench: Server, changed: dict[str, Any], sentence: str) -> None:
    with Page.open(workbench) as page:
        ending = page.ending(page.ask("ranges.solve", **{**SPOT, **changed})["job"])
        assert ending["event"] == "failed"
        assert sentence in ending["error"]
        assert "no longer kept" in page.answer("ranges.point", spot="x", line="")["error"]


def test_a_saved_solution_opens(tmp_path: Path) -> None:
    path = tmp_path / "river.npz"
    PublicSolver(iterations=20).solve(Holdem()).save(path, "holdem")
    with running(given=(str(path),)) as server, Page.open(server) as page:
        assert page.ask("ranges.begin")["files"] == ["river.npz"]
        assert page.run("ranges.open", file=0)["iterations"] == 20


def test_clicks_lead_down_the_tree(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/poker")
    page.wait_for_selector(".range-grid", timeout=120_000)  # the example is solved at once
    page.click(".range-actions button:has-text('check')")
    page.wait_for_selector("h2:has-text('Last to act decides')")
    page.reload()  # the address holds the spot and the way
    page.wait_for_selector("h2:has-text('Last to act decides')", timeout=120_000)
    page.click(".range-grid button:has-text('AKs')")
    assert page.locator(".range-table").last.locator("tbody tr").count() == 4
    page.click("text=Ask me")
    page.click("text=You are >> xpath=../.. >> .range-actions button >> nth=0")
    page.wait_for_selector(".trained")
    page.click(".way button:has-text('Start')")
    page.wait_for_selector("h2:has-text('First to act decides')")
