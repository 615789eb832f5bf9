"""What the workbench promises its users, in a real browser: whole games of every family, lecture mode, exercises, saved pages."""

import json
from pathlib import Path
from typing import Any

import pytest
from speaking import NARROW, go, play_address, running

from zermelo.web.server import Server

PEOPLE = "human;human"
FAMILIES = [  # one game of each family, with the places that play it for a while
    ("tictactoe", "", ["1,1", "0,0", "2,2"]),
    ("connect4", "", ["5,3", "4,3", "5,2"]),
    ("hex", "", ["1,1", "2,2"]),
    ("ninemensmorris", "", ["0", "4", "9"]),
    ("kalah", "", ["1,0", "0,2"]),
    ("nim", "", ["1,1", "2,0"]),
    ("dotsandboxes", "", ["h,0,0", "v,0,0"]),
    ("draughts", "", ["2,1", "3,0"]),
    ("eightpuzzle", "", []),
    ("hypergammon", "2-1", []),
]


def moves(page: Any) -> int:
    """How many moves the record has."""
    return int(page.locator(".ply").count()) - 1


@pytest.mark.parametrize(("game", "position", "places"), FAMILIES)
def test_a_game_of_each_family_is_played_with_the_mouse(page: Any, workbench: Server, game: str, position: str, places: list[str]) -> None:
    seats = "human" if game == "eightpuzzle" else PEOPLE
    go(page, workbench, play_address(game, position, seats))
    page.wait_for_selector(".board")
    before = moves(page)
    for place in places:
        page.locator(f"[data-place='{place}']").click()
        page.wait_for_timeout(60)
    if not places:
        page.locator("[data-place]").first.click()
        if page.locator(".mark-picked").count():
            page.locator(".hit:not([data-place='bar'])").last.click()
    page.wait_for_function(f"() => document.querySelectorAll('.ply').length - 1 > {before}")


def test_a_piece_is_dragged_to_its_place(page: Any, workbench: Server) -> None:
    pytest.importorskip("chess")
    go(page, workbench, play_address("chess", seats=PEOPLE))
    box = page.locator("[data-place='7,6']").bounding_box()
    x, y, side = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - side / 2, y - side, steps=4)
    page.mouse.move(x - side, y - 2 * side, steps=4)
    page.mouse.up()
    page.wait_for_selector(".ply:has-text('Nf3')")


def test_a_game_is_played_by_touch(workbench: Server, browser: Any) -> None:
    context = browser.new_context(viewport=NARROW, has_touch=True, is_mobile=True)
    context.add_init_script("localStorage.values ??= 'off'")
    tab = context.new_page()
    tab.goto(workbench.address)
    go(tab, workbench, play_address("draughts", seats=PEOPLE))
    tab.locator("[data-place='2,1']").tap()
    tab.wait_for_selector(".mark-picked")
    tab.locator("[data-place='3,0']").tap()
    tab.wait_for_function("() => document.querySelectorAll('.ply').length === 2")
    board, words = tab.locator(".board").bounding_box(), tab.locator(".turn").bounding_box()
    assert words["y"] + words["height"] < NARROW["height"]  # board and sentence are visible together
    assert board["width"] > 300
    context.close()


def test_chess_is_played_with_the_keyboard(page: Any, workbench: Server) -> None:
    pytest.importorskip("chess")
    go(page, workbench, play_address("chess", seats=PEOPLE))
    page.focus("[data-place='6,3']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".mark-picked")
    page.focus("[data-place='4,3']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".ply:has-text('d4')")


def test_the_board_turns_to_its_player(page: Any, workbench: Server) -> None:
    pytest.importorskip("chess")
    go(page, workbench, play_address("chess", seats="random;human"))
    page.wait_for_selector(".seat-bar >> nth=1 >> text=Black")
    page.wait_for_selector("[data-piece='7,4']")
    top, low = (page.locator(f"[data-piece='{row},4']").bounding_box()["y"] for row in (7, 0))
    assert top < low  # White's king stands above
    page.click("text=Flip")
    page.wait_for_selector(".seat-bar >> nth=1 >> text=White")
    assert "turned=0" in page.url


def test_a_pasted_game_is_reviewed_and_a_broken_one_refused(page: Any, workbench: Server) -> None:
    page.add_init_script("localStorage.values = 'on'")
    go(page, workbench, play_address("tictactoe", seats=PEOPLE))
    page.wait_for_selector(".board")
    page.get_by_role("button", name="New game").click()
    page.click("text=Paste a game…")
    page.fill("dialog textarea", "4 0\n4")
    page.click("text=Review it")
    page.wait_for_selector("dialog .problem:has-text('Line 2: 4 is not possible as move 3, where X is to move')")
    page.fill("dialog textarea", "0 1 4 2 8")
    page.click("text=Review it")
    page.wait_for_selector(".turn:has-text('X wins')")
    page.wait_for_selector(".faults li", timeout=60_000)  # O's reply at the edge loses
    assert page.locator(".ply b").count() >= 1
    page.click("text=Try again from here")
    page.wait_for_selector("[data-place]")


def test_a_saved_page_opens_from_a_file(page: Any, workbench: Server, browser: Any, tmp_path: Path) -> None:
    go(page, workbench, play_address("tictactoe", "401", PEOPLE))
    page.wait_for_selector(".board")
    with page.expect_download() as download:
        page.click("text=Save as a page")
    file = tmp_path / "match.html"
    download.value.save_as(file)
    context = browser.new_context(offline=True)
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(file.as_uri())
    tab.wait_for_selector(".board")
    tab.click("[aria-label='One move back']")
    tab.wait_for_selector("[data-place='0,1']")
    tab.click("[data-place='0,1']")  # the variation that was played
    tab.wait_for_selector("[data-place='0,1']", state="detached")
    tab.click("[data-place='2,2']")
    tab.wait_for_selector(".toast:has-text('variations that were played')")
    assert not complaints
    context.close()


def test_a_saved_search_steps_without_a_workbench(page: Any, workbench: Server, browser: Any, tmp_path: Path) -> None:
    go(page, workbench, "#/tree?example=pruning&engine=alphabeta")
    page.wait_for_selector(".tree-node")
    with page.expect_download() as download:
        page.click("text=Save as a page")
    file = tmp_path / "tree.html"
    download.value.save_as(file)
    context = browser.new_context(offline=True)
    tab = context.new_page()
    tab.goto(file.as_uri())
    tab.wait_for_selector(".tree-node")
    tab.click(".step-first")
    tab.wait_for_selector(".step-count:has-text('Step 0')")
    tab.click(".step-cut")
    tab.wait_for_selector(".step-kind.cutoff")
    context.close()


def test_the_class_is_asked_where_something_is_cut_and_where_nothing_is(page: Any, workbench: Server) -> None:
    """Otherwise the question would be its own answer."""
    page.set_viewport_size(NARROW)
    go(page, workbench, "#/tree?example=pruning&engine=alphabeta&lecture=1&step=0")
    page.wait_for_selector("lecture-mode .lecture-count", state="attached")
    right = page.evaluate(
        """async () => {
            const mode = document.querySelector('lecture-mode');
            await mode.stepper.fetch(mode.stepper.total);
            const found = new Set();
            for (let at = 1; at < mode.stepper.total; at += 1) {
                await mode.go(at);
                const asked = mode.ask(mode.stepper.steps[at]);
                if (asked?.words.startsWith('What happens')) found.add(asked.right);
            }
            return [...found].sort();
        }"""
    )
    assert right == ["the next child is searched", "the rest is cut"]
    assert page.evaluate("document.querySelector('.lecture-words').getBoundingClientRect().right <= innerWidth")


def test_lecture_mode_steps_asks_and_holds_still(page: Any, workbench: Server) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    go(page, workbench, "#/tree?example=pruning&engine=alphabeta")
    page.wait_for_selector(".tree-node")
    page.focus(".tree-canvas")
    page.keyboard.press("l")
    page.wait_for_selector("lecture-mode .lecture-count:has-text('Step 0')")
    size = page.evaluate("document.querySelector('.lecture .tree-value').getBoundingClientRect().height")
    assert size >= 24
    place = page.evaluate("(() => { const view = document.querySelector('tree-view'); return [view.left, view.top, view.scale]; })()")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)
    page.wait_for_selector(".lecture-count:has-text('Step 12')")
    assert place == page.evaluate(
        "(() => { const view = document.querySelector('tree-view'); return [view.left, view.top, view.scale]; })()"
    )
    page.keyboard.press("End")
    page.wait_for_selector(".lecture-count:has-text('Step 74 of 74')")
    page.keyboard.press("Home")
    page.wait_for_selector(".lecture-count:has-text('Step 0')")
    page.get_by_label("Ask first").check()
    page.locator(".lecture-next").focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(40)
        if page.locator(".lecture-answers button").count():
            break
    assert page.locator(".lecture-answers button").count() >= 2
    page.locator(".lecture-answers button").first.click()
    assert page.locator(".lecture-answers .right, .lecture-answers .wrong").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_selector("lecture-mode", state="detached")
    assert page.locator(".tree-panel tree-view").count() == 1


def test_values_are_read_on_a_phone(page: Any, workbench: Server) -> None:
    page.add_init_script("localStorage.values = 'on'")
    page.set_viewport_size(NARROW)
    go(page, workbench, play_address("tictactoe", "4", PEOPLE))
    page.reload()
    page.wait_for_selector(".tag")
    assert page.evaluate("document.querySelector('.tag').getBoundingClientRect().height") >= 17


def test_a_game_is_called_by_its_name_as_it_is_shown(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/play?game=twenty48(width=4,height=4,goal=2048)")
    page.wait_for_selector(".choice")
    assert page.eval_on_selector(".game-picker", "list => list.selectedOptions[0].text") == "2048"


def test_2048_is_played_with_the_arrow_keys(page: Any, workbench: Server) -> None:
    go(page, workbench, play_address("twenty48", "2@a1 2@a2", "human"))
    page.wait_for_selector(".choice:has-text('down')")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".ply:has-text('right')")


def test_a_small_game_is_compared_as_soon_as_it_is_opened(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/compare?game=tictactoe")
    page.wait_for_selector("compare-page table td", timeout=30_000)


def test_a_review_says_what_is_left_and_what_it_found(page: Any, workbench: Server) -> None:
    page.add_init_script("localStorage.values = 'on'")
    go(page, workbench, play_address("tictactoe", "40263517", PEOPLE))
    page.reload()
    page.wait_for_selector("[data-place='2,2']")
    page.click("[data-place='2,2']")
    page.wait_for_selector(".review:has-text('No mistake was found')", timeout=60_000)


def test_a_kind_of_exercise_that_there_is_not_is_refused(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/exercises?kind=regret&level=1&seed=3")
    page.wait_for_selector(".problem:has-text('kind must be one of minimax')")
    page.select_option("select >> nth=0", "cutoffs")
    page.wait_for_selector(".tree-node")


def test_an_exercise_is_answered(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/exercises?kind=minimax&level=1&seed=3")
    page.wait_for_selector(".tree-node")
    page.get_by_role("textbox", name="value").fill("7")
    page.get_by_role("textbox", name="move").fill("b")
    page.click("text=Check")
    page.wait_for_selector(".verdict:has-text('Not yet')")
    page.get_by_role("textbox", name="value").fill("−2")
    page.click("text=Check")
    page.wait_for_selector(".verdict:has-text('Right')")


def test_the_front_page_finds_a_game(page: Any, workbench: Server) -> None:
    page.wait_for_selector(".game-card")
    page.fill("[aria-label='Find a game']", "othello")
    assert page.locator(".game-card:visible").count() == 1
    page.fill("[aria-label='Find a game']", "nothing at all")
    page.wait_for_selector("text=No game fits these words")


BROKEN = """
from dataclasses import dataclass
from zermelo import Game

@dataclass(frozen=True)
class Count(Game):
    payoffs = (-1, 1)

    def start(self): return (5, 0)
    def player(self, state): return state[1]
    def actions(self, state): return range(1, min(2, state[0]) + 1)
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def terminal(self, state): return state[0] == 0
    def utility(self, state): return 1 if state[1] else -1
    def show(self, state): return f"{state[0]} left"
    def board(self, state): return BOARD
"""


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ('{"kind": "sphere"}', "the kind 'sphere'"),
        ("1 / 0", "ZeroDivisionError"),
        ("[1, 2]", "not a dictionary"),
        ('{"kind": "piles", "piles": ["many"]}', "whole numbers"),
    ],
)
def test_a_board_that_is_none_is_named_and_play_goes_on(browser: Any, tmp_path: Path, board: str, words: str) -> None:
    file = tmp_path / "count.py"
    file.write_text(BROKEN.replace("BOARD", board), encoding="utf-8")
    with running(given=(str(file),)) as server:
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(server.address)
        go(tab, server, play_address(str(file), seats=PEOPLE))
        tab.wait_for_selector(f"game-board .problem:has-text({json.dumps(words)})")
        assert "5 left" in tab.inner_text(".board-text")
        tab.click(".choice >> nth=0")
        tab.wait_for_selector(".board-text:has-text('4 left')")
        context.close()


def test_rules_that_change_on_disk_keep_the_position(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "count.py"
    rules = BROKEN.replace("BOARD", '{"kind": "piles", "piles": [state[0]]}')
    file.write_text(rules, encoding="utf-8")
    with running(given=(str(file),)) as server:
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(server.address)
        go(tab, server, play_address(str(file), "1 2", PEOPLE))
        tab.wait_for_selector(".check-text", state="attached")
        file.write_text(rules.replace("min(2, state[0])", "min(3, state[0])").replace("left", "there"), encoding="utf-8")
        tab.wait_for_selector(".toast:has-text('the position is kept')")
        assert moves(tab) == 2
        file.write_text(rules.replace("(5, 0)", "(1, 0)"), encoding="utf-8")
        tab.wait_for_selector(".toast:has-text('2 is not possible as move 2')")
        file.write_text("this is no Python", encoding="utf-8")
        tab.wait_for_selector(".toast:has-text('goes on with the old rules')")
        context.close()


def test_a_link_of_another_version_says_so(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/tree?tree=cut-off")
    page.wait_for_selector(".toast:has-text('cut off or of another version')")
    go(page, workbench, "#/play?game=tictactoe&moves=44&seats=human;human")
    page.wait_for_selector(".problem, .toast")


def test_only_whole_names_of_moves_stand_out_in_the_sentence(page: Any, workbench: Server) -> None:
    page.evaluate("localStorage.values = 'on'")
    go(page, workbench, play_address("ponghauki", seats=PEOPLE))  # its best move is called b, as "best" begins
    page.wait_for_selector(".why-words:has-text('A draw with best play.')")
    assert page.locator(".why-words em").count() == 0


def test_the_frame_offers_the_games_that_fit_the_page(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/equilibrium?game=kuhn")
    page.wait_for_function("() => document.querySelector('.game-picker')?.value === 'kuhn'")
    page.select_option(".game-picker", "leduc")
    page.wait_for_url("**game=leduc")
    go(page, workbench, "#/exercises")
    page.wait_for_selector("exercises-page h1")
    assert page.locator(".game-picker").count() == 0


def test_a_game_that_is_over_is_played_again(page: Any, workbench: Server) -> None:
    go(page, workbench, play_address("tictactoe", "0142", PEOPLE))
    page.locator("[data-place='2,2']").click()
    page.wait_for_selector(".turn:has-text('X wins')")
    page.get_by_role("button", name="Play again").click()
    page.wait_for_function("() => document.querySelectorAll('.ply').length === 1")
    assert page.get_by_role("button", name="Play again").count() == 0


VALUES = """() => import('/static/channel.js').then(({ channel }) => {
    const { state } = document.querySelector('play-page');
    const worth = { value: 0, lead: 0, exact: false, distance: null, shape: 'estimate', short: '50%', words: 'even', interval: null };
    const moves = Object.fromEntries(state.legal.map((move) => [String(move.action), worth]));
    const whole = { value: 0, words: 'even', share: 0.5, short: '50%', why: '', exact: false, done: false };
    const judgement = { ...whole, best: [], moves, line: [], depth: 1, nodes: 1 };
    channel.emit('play.values', { table: state.table, now: state.now, judgement, graph: [[0, false, 0.5, null, '']] });
})"""  # what a search tells while it goes on


def test_values_that_come_while_a_place_is_pressed_do_not_lose_the_click(page: Any, workbench: Server) -> None:
    go(page, workbench, play_address("tictactoe", seats=PEOPLE))
    page.hover("[data-place='1,1']")
    page.mouse.down()
    page.evaluate(VALUES)
    page.mouse.up()
    page.wait_for_function("() => document.querySelectorAll('.ply').length === 2")


def test_values_that_come_leave_the_focus_where_it_is(page: Any, workbench: Server) -> None:
    go(page, workbench, play_address("kayles", "1", seats=PEOPLE))
    page.wait_for_selector(".ply:has-text('1')")
    page.locator(".ply").first.focus()
    page.evaluate("document.querySelector('.ply').old = true")
    page.evaluate(VALUES)
    page.wait_for_function("() => !document.querySelector('.ply').old")  # it is drawn anew
    assert page.evaluate("document.activeElement === document.querySelector('.ply')")


def test_an_address_is_kept_while_its_tree_is_on_the_way(page: Any, workbench: Server) -> None:
    go(page, workbench, "#/tree?example=twoworlds")
    page.wait_for_selector(".tree-node")
    page.evaluate(
        """() => {
            const replace = history.replaceState.bind(history);
            window.addresses = [];
            history.replaceState = (state, title, address) => { window.addresses.push(address); replace(state, title, address); };
            location.hash = '#/tree?example=pruning&engine=alphabeta&lecture=1&step=52';
        }"""
    )
    page.wait_for_selector(".lecture-count:has-text('Step 52')")
    assert all("lecture=1" in address and "step=52" in address for address in page.evaluate("window.addresses"))


def test_lines_that_nobody_waits_for_are_stopped(page: Any, workbench: Server) -> None:
    """Four unfinished ones would lock every other search of the page out."""
    page.evaluate("localStorage.values = 'on'")
    page.evaluate(
        """async () => {
            const { channel } = await import('/static/channel.js');
            const run = channel.run.bind(channel);
            window.lines = [];
            channel.run = (type, message, ...rest) => {
                if (type !== 'play.line') return run(type, message, ...rest);
                window.lines.push(message.action);
                return { result: new Promise(() => {}), stop: () => window.lines.splice(window.lines.indexOf(message.action), 1) };
            };
        }"""
    )
    page.evaluate(f"location.hash = '{play_address('tictactoe', '40', PEOPLE)}'")
    page.wait_for_function("() => window.lines.length === 1")  # one of those listed
    page.hover("[data-place='2,2']")
    page.wait_for_function("() => window.lines.includes(8)")
    page.hover("[data-place='2,1']")
    page.wait_for_function("() => window.lines.includes(7)")
    assert not page.evaluate("window.lines.includes(8)")
    page.evaluate("location.hash = '#/'")
    page.wait_for_function("() => window.lines.length === 0")


def test_the_review_numbers_moves_as_people_do(page: Any, workbench: Server) -> None:
    page.evaluate("localStorage.values = 'on'")
    go(page, workbench, play_address("tictactoe", "01428", PEOPLE))
    page.wait_for_selector(".faults li:has-text('1... 1?')", timeout=60_000)


@pytest.mark.parametrize(("opponent", "words"), [("equilibrium", "Afterwards you hear"), ("random", "single moves have no value")])
def test_advice_is_promised_only_where_the_equilibrium_plays(page: Any, workbench: Server, opponent: str, words: str) -> None:
    go(page, workbench, play_address("kuhn", seats=f"human;{opponent}"))
    page.wait_for_selector(f".why-words:has-text('{words}')")
