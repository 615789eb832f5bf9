"""Faults that were found by using the workbench, each as the user met it."""

import threading
from typing import Any

import pytest
from speaking import go, play_address

from zermelo.play.match import Match
from zermelo.play.setup import open_position
from zermelo.registry import find
from zermelo.web.bounds import Bounds
from zermelo.web.judging import judge, judging_engine
from zermelo.web.server import Server

QUEEN_DOWN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"


def test_values_are_the_searchs_and_not_those_of_a_few_playouts() -> None:
    pytest.importorskip("chess")
    rules = find("chess")
    found = judge(
        Match(rules, open_position(rules, QUEEN_DOWN)), judging_engine(rules), 1.5, Bounds(), threading.Event(), lambda step: None
    )
    shown = found.to_dict()
    assert all(-12 < 100 * worth.value < -7 for worth in found.worths.values())  # pawns: a queen is nine
    assert shown["words"].startswith("Black is ahead by")
    assert shown["words"].endswith("pawns")
    assert len(found.best) < 10


def test_a_result_belongs_to_the_question_that_it_answers(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/equilibrium?game=leduc")
    page.wait_for_selector("h1:has-text('Leduc')", timeout=60_000)
    page.get_by_label("Iterations").fill("100000")
    page.get_by_text("Run", exact=True).click()
    page.wait_for_selector("equilibrium-page .progress:visible", timeout=60_000)
    go(page, workbench, "#/equilibrium?game=prisonersdilemma")
    page.wait_for_selector(".payoffs")
    page.wait_for_timeout(3000)
    assert page.locator(".exploitability").count() == 0
    assert page.locator(".bar").count() == 0
    assert page.locator("equilibrium-page .progress:visible").count() == 0


def test_a_mistyped_payoff_never_becomes_part_of_the_tree(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/tree")
    page.wait_for_selector(".tree-node")
    page.click("text=New tree")
    page.wait_for_function("() => document.querySelector('.value').textContent === '3'")
    page.focus(".tree-canvas")
    for key in ("ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    field = page.get_by_label("Payoff for Max")
    field.fill("three")
    field.press("Tab")
    page.wait_for_selector(".progress.failed")
    page.wait_for_timeout(200)
    field.fill("−4")
    field.press("Tab")
    page.wait_for_function("() => document.querySelector('.value').textContent === '2'")
    page.click("text=Take back")
    page.wait_for_function("() => document.querySelector('.value').textContent === '3'")
    page.wait_for_function("() => location.hash.includes('tree=')")
    page.reload()  # and the tree is still there
    page.wait_for_selector("h1:has-text('My tree')")
    page.wait_for_function("() => document.querySelector('.value').textContent === '3'")


def test_a_second_click_lets_go_of_a_piece(page: Any, workbench: Server) -> None:
    pytest.importorskip("chess")
    go(page, workbench, play_address("chess", seats="human;human"))
    page.click("[data-place='6,4']")
    page.wait_for_selector(".mark-picked")
    assert page.locator(".target-dot").count() == 2
    page.click("[data-place='6,4']")
    page.wait_for_selector(".mark-picked", state="detached")
    assert page.locator("dialog[open]").count() == 0
    page.click("[data-place='6,4']")
    page.click("[data-place='4,4']")
    page.wait_for_selector(".ply:has-text('e4')")


def test_the_back_button_goes_back_one_move(page: Any, workbench: Server) -> None:
    go(page, workbench, play_address("tictactoe", seats="human;human"))
    page.click("[data-place='1,1']")
    page.wait_for_function("() => location.hash.includes('moves=4&')")
    page.click("[data-place='0,0']")
    page.wait_for_function("() => location.hash.includes('moves=40&')")
    page.go_back()
    page.wait_for_selector("[data-place='0,0']")
    assert page.inner_text(".moves-text code") == "4"
    page.go_forward()
    page.wait_for_function("() => document.querySelector('.moves-text code').textContent === '40'")


@pytest.mark.parametrize("look", ["light", "dark"])
def test_squares_and_pieces_can_be_told_apart(page: Any, workbench: Server, look: str) -> None:
    pytest.importorskip("chess")
    page.emulate_media(color_scheme=look)
    page.set_viewport_size({"width": 1440, "height": 900})
    go(page, workbench, play_address("chess", seats="human;human"))
    page.wait_for_selector(".board")
    colours = page.evaluate(
        """() => {
            const colour = (name) => { document.body.style.color = `var(--b-${name})`; return getComputedStyle(document.body).color; };
            return Object.fromEntries(['light', 'dark', 'black', 'white', 'paper'].map((name) => [name, colour(name)]));
        }"""
    )
    for one, other in (("light", "dark"), ("black", "dark"), ("black", "light"), ("white", "dark"), ("light", "paper"), ("dark", "paper")):
        assert contrast(colours[one], colours[other]) > 1.15, (one, other)
    assert contrast(colours["black"], colours["dark"]) > 2


def test_hypergammon_fits_the_page(page: Any, workbench: Server) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    go(page, workbench, play_address("hypergammon", "2-1", "human;human"))
    page.wait_for_selector(".board")
    box = page.locator(".board").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1440
    assert page.locator("[data-place='bar']").count() <= 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' brightness, as the Web Content Accessibility Guidelines 2.1 define it."""
    bright = sorted((brightness(one), brightness(other)))
    return (bright[1] + 0.05) / (bright[0] + 0.05)


def brightness(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
