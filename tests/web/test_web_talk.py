"""Messages: right ones and wrong ones. Whatever is said, it is answered, logged in one line, and nothing else is disturbed."""

import json
import logging
import time
from typing import Any

import pytest
from speaking import Page, running, visit
from websockets.exceptions import ConnectionClosed

from zermelo.web.bounds import Bounds
from zermelo.web.server import Server

QUICK = 'alphabeta(depth=2,backend="reference")'
SLOW = 'minimax(time=30.0,backend="reference")'
PEOPLE = ["human", "human"]

MALFORMED = [
    ("{", "not JSON"),
    ("[1, 2]", "not an object"),
    ('{"id": 1}', "not an object with a type"),
    ('{"id": "x", "type": "ping"}', "not a whole number"),
    ('{"id": 1, "type": "nonsense"}', "no message"),
    ('{"id": 1, "type": "play.open"}', "game"),
    ('{"id": 1, "type": "play.open", "game": "\\ud800"}', "There is no game"),  # half a character
    ('{"id": 1, "type": "play.open", "game": 7}', "game"),
    ('{"id": 1, "type": "play.move", "table": "x", "action": 1, "now": 0}', "gone"),
    ('{"id": 1, "type": "stop", "job": "x"}', "job"),
    ('{"id": 1, "type": "tree.run", "engine": "magic", "source": {}}', "engine"),
    ('{"id": 1, "type": "tree.nodes", "lab": "x", "open": [0]}', "no longer kept"),
    ('{"id": 1, "type": "compare.run", "game": "tictactoe", "engines": []}', "algorithms"),
]


@pytest.mark.parametrize(("raw", "part"), MALFORMED)
def test_a_malformed_message_is_answered_in_a_sentence(workbench: Server, raw: str, part: str) -> None:
    with Page.open(workbench) as page:
        page.socket.send(raw)
        assert part in page.receive()["error"]
        assert page.ask("ping") == {}  # the connection goes on


GAMES = [
    ("conect4", "did you mean connect4"),
    ("connect4(width=100000)", "smaller"),
    ("connect4(wdth=5)", "did you mean width"),
    ("mygame.py", "given at the start|giving it at the start"),
    ("../../etc/passwd", "giving it at the start"),
    ("examples/mygame.py:Chomp", "giving it at the start"),
    ("__import__('os')", "no game"),
    ("nim(heaps=(1,)*9)", "cannot be read"),
    ("x" * 5000, "longer"),
]


@pytest.mark.parametrize(("game", "sentence"), GAMES)
def test_games_that_are_not_on_offer_are_refused(workbench: Server, game: str, sentence: str) -> None:
    with Page.open(workbench) as page:
        error = page.answer("play.open", game=game)["error"]
        assert any(part in error for part in sentence.split("|")), error


def test_a_file_that_was_given_at_the_start_is_on_offer(workbench: Server) -> None:
    name = workbench.bench.offers.given[0]
    listed = json.loads(visit(workbench, "/api/games")[2])
    assert any(game["name"] == name and game["title"] == "Chomp" for game in listed)
    with Page.open(workbench) as page:
        assert page.ask("play.open", game=name, seats=PEOPLE)["title"] == "Chomp"


def test_binary_and_huge_messages_end_only_their_own_connection(workbench: Server) -> None:
    with Page.open(workbench) as other, Page.open(workbench) as page:
        page.socket.send(b"\x00\xff")
        assert "not JSON" in page.receive()["error"]
        page.socket.send("x" * (workbench.bench.bounds.message + 1))
        with pytest.raises(ConnectionClosed):
            page.receive()
        assert other.ask("ping") == {}


def babble(page: Page) -> None:
    """Nonsense, until the other side has had enough."""
    for _ in range(60):
        page.socket.send("nonsense")
        page.receive()


def test_whoever_sends_only_nonsense_is_dropped(workbench: Server) -> None:
    with Page.open(workbench) as page:
        with pytest.raises(ConnectionClosed):
            babble(page)
        assert page.socket.close_code == 4400


def test_moves_that_are_not_legal_are_refused(workbench: Server, caplog: pytest.LogCaptureFixture) -> None:
    with Page.open(workbench) as page, caplog.at_level(logging.WARNING, "zermelo.web"):
        state = page.ask("play.open", game="tictactoe", seats=PEOPLE)
        table = state["table"]
        for action in (9, -1, 10**15):
            assert "not possible" in page.answer("play.move", table=table, now=0, action=action)["error"]
        page.ask("play.move", table=table, now=0, action=4)
        assert "not possible" in page.answer("play.move", table=table, now=1, action=4)["error"]
        assert "not possible" in page.answer("play.move", table=table, now=1, action="4")["error"]
        assert "needs a text action" in page.answer("play.move", table=table, now=1, action=True)["error"]
        assert "no such move" in page.answer("play.go", table=table, move=99)["error"]
    assert len([record for record in caplog.records if "not possible" in record.message]) == 5
    assert all("\n" not in record.getMessage() for record in caplog.records)


def test_a_second_tab_sees_the_same_match_and_cannot_move_in_the_past(workbench: Server) -> None:
    with Page.open(workbench) as first, Page.open(workbench) as second:
        table = first.ask("play.open", game="tictactoe", seats=PEOPLE)["table"]
        assert second.ask("play.open", table=table, game="tictactoe")["table"] == table
        first.ask("play.move", table=table, now=0, action=4)
        assert second.event("play.state", now=1)["position"] == "4"
        assert "moved on" in second.answer("play.move", table=table, now=0, action=0)["error"]
        assert second.event("play.state")["now"] == 1
        second.ask("play.move", table=table, now=1, action=0)
        assert first.event("play.state", now=2)["position"] == "40"


def test_variations_are_kept_and_returned_to(workbench: Server) -> None:
    with Page.open(workbench) as page:
        table = page.ask("play.open", game="tictactoe", seats=PEOPLE, moves="40")["table"]
        page.ask("play.undo", table=table)
        page.ask("play.move", table=table, now=1, action=8)
        state = page.event("play.state", now=3)
        assert state["position"] == "48"
        assert [(move["parent"], move["name"]) for move in state["moves"]] == [(-1, ""), (0, "4"), (1, "0"), (1, "8")]
        page.ask("play.go", table=table, move=2)
        assert page.event("play.state", now=2)["position"] == "40"
        page.ask("play.undo", table=table)
        page.ask("play.redo", table=table)
        assert page.event("play.state", now=2)["position"] == "40"


def test_an_engine_answers_and_tells_what_it_thinks(workbench: Server) -> None:
    with Page.open(workbench) as page:
        state = page.ask("play.open", game="tictactoe", seats=["human", QUICK])
        page.ask("play.move", table=state["table"], now=0, action=4)
        assert page.event("play.thinking")["nodes"] > 0
        assert len(page.event("play.state", now=2)["position"]) == 2


def test_nobody_moves_for_an_engine(workbench: Server) -> None:
    with Page.open(workbench) as page:
        state = page.ask("play.open", game="connect4", seats=[SLOW, "human"])
        assert "not your turn" in page.answer("play.move", table=state["table"], now=0, action=page.legal(state, "4"))["error"]
        page.ask("play.run", table=state["table"], on=False)
        assert not page.event("play.state")["thinking"]


def test_two_engines_play_a_game_to_its_end(workbench: Server) -> None:
    with Page.open(workbench) as page:
        page.ask("play.open", game="tictactoe", seats=[QUICK, "random"], moves="401")
        while not (state := page.event("play.state"))["over"]:
            assert not state["human"]
        assert state["outcome"] in ("X wins.", "O wins.", "Draw.")


def test_what_is_hidden_stays_hidden_until_the_end(workbench: Server) -> None:
    with Page.open(workbench) as page:
        state = page.ask("play.open", game="kuhn", seats=["human", "random"])
        while not state["human"]:
            state = page.event("play.state")
        assert not card_of(state, "Dealer")
        assert card_of(state, "Opener") in "JQK"
        assert state["position"] == ""
        assert all(move["name"] in ("", "…") for move in state["moves"][:2])
        assert "hidden" in page.answer("play.values", table=state["table"], on=True)["error"]
        assert "hidden" in page.answer("play.hint", table=state["table"])["error"]
        while not state["over"]:
            if state["human"]:
                page.ask("play.move", table=state["table"], now=state["now"], action=state["legal"][0]["action"])
            state = page.event("play.state")
        assert card_of(state, "Dealer") in ("J", "Q", "K")


def card_of(state: dict[str, Any], owner: str) -> str:
    """What the first card of a hand shows in the picture; nothing where it lies face down."""
    _, _, parts = next(shape for shape in state["picture"]["shapes"] if shape[1].get("data-piece") == f"{owner},0")
    return "".join(words for tag, _, children in parts if tag == "text" for words in children)


def test_every_move_gets_its_value(workbench: Server) -> None:
    with Page.open(workbench) as page:
        state = page.ask("play.open", game="kqj", seats=PEOPLE)
        page.ask("play.values", table=state["table"], on=True)
        while not (found := page.event("play.values")["judgement"])["done"]:
            pass
        assert found["exact"]
        assert set(found["moves"]) == {str(move["action"]) for move in state["legal"]}
        assert all(worth["shape"] in ("win", "draw", "loss") and worth["words"] for worth in found["moves"].values())


def test_a_browser_that_closes_stops_its_search() -> None:
    with running(workers=1) as server:
        with Page.open(server) as page:
            state = page.ask("play.open", game="connect4", seats=["human", SLOW])
            page.ask("play.move", table=state["table"], now=0, action=page.legal(state, "4"))
            while not server.bench.queue.at_work:
                time.sleep(0.01)
        deadline = time.monotonic() + 20
        while server.bench.queue.at_work and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not server.bench.queue.at_work
        with Page.open(server) as page:  # the match is still there, and goes on for whoever comes back
            again = page.ask("play.open", table=state["table"], game="connect4")
            assert again["position"] == "4"
            assert again["thinking"]


def test_a_search_started_twice_is_bounded_and_stopped() -> None:
    with running(Bounds(jobs=2), workers=1) as server, Page.open(server) as page:
        table = page.ask("play.open", game="connect4", seats=PEOPLE)["table"]
        source = {"kind": "game", "game": "connect4", "depth": 5}
        first = page.ask("tree.run", source=source, engine="minimax")["job"]
        second = page.ask("tree.run", source=source, engine="minimax")["job"]
        assert "2 searches" in page.answer("tree.run", source=source, engine="minimax")["error"]
        page.ask("stop", job=second)
        page.ask("stop", job=first)
        assert page.ending(second)["result"] is None  # it never began
        assert page.ending(first)["job"] == first
        assert page.ask("play.open", table=table, game="connect4")["table"] == table


def test_too_many_pages_and_matches_are_refused() -> None:
    with running(Bounds(connections=2, tables=2)) as server, Page.open(server) as first, Page.open(server) as second:
        with Page.open(server) as third, pytest.raises(ConnectionClosed):
            third.receive()
        first.ask("play.open", game="nim", seats=PEOPLE)
        second.ask("play.open", game="nim", seats=PEOPLE)
        assert first.ask("play.open", game="nim", seats=PEOPLE)["table"]  # its old one gives way, since nobody watches it
        assert len(server.bench.tables.open) == 2


def test_a_browser_that_does_not_read_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    with running(Bounds(behind=5)) as server, Page.open(server) as other, caplog.at_level(logging.WARNING, "zermelo.web"):
        other.ask("ping")
        before = set(server.bench.connections)
        with Page.open(server) as page:
            page.ask("ping")
            other.ask("ping")
            connection = (set(server.bench.connections) - before).pop()
            for _ in range(50):
                server.bench.call(connection.send, {"event": "noise", "text": "x" * 100_000})
            deadline = time.monotonic() + 20
            while connection in server.bench.connections and time.monotonic() < deadline:
                time.sleep(0.02)
        assert len(server.bench.connections) == 1
        assert any("behind" in record.message for record in caplog.records)
        assert other.ask("ping") == {}


def test_the_equilibrium_lab_offers_every_method_of_the_library(workbench: Server) -> None:
    from zermelo.equilibrium.extensive.solver import METHODS

    with Page.open(workbench) as page:
        assert tuple(page.run("equilibrium.look", game="matchingpennies")["methods"]) == METHODS
        job = page.ask("equilibrium.run", game="matchingpennies", method="magic")["job"]
        assert "no method magic" in page.event("failed", job=job)["error"]


def test_a_comparison_stops_in_the_middle_of_the_opponents_own_search(workbench: Server) -> None:
    """The opponent, too, must find its best move, which takes forever from the start of chess."""
    pytest.importorskip("chess")
    with Page.open(workbench) as page:
        others = set(workbench.bench.queue.at_work)  # of pages that have gone, not yet stopped
        job = page.ask("compare.run", game="chess", engines=["minimax"], backend="reference", repeat=1)["job"]
        while not any(each.begun for each in workbench.bench.queue.at_work - others):
            time.sleep(0.01)
        page.ask("stop", job=job)
        assert page.ending(job)["result"] == {"stopped": True, "line": []}


def test_what_breaks_the_protocol_is_dropped_and_logged_in_one_line(workbench: Server, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "zermelo.web"), Page.open(workbench) as other, Page.open(workbench) as page:
        page.socket.send("x" * (2 << 20))
        with pytest.raises(ConnectionClosed):
            page.receive()
        assert other.ask("ping") == {}
        for _ in range(200):
            if caplog.records:
                break
            time.sleep(0.05)
    assert [record.getMessage() for record in caplog.records] == ["Dropped a browser: it sent a message that is too large."]
