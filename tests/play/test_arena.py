"""The arena: schedules, records, statistics, the sequential test, results on disk, and programs that misbehave."""

import math
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from zermelo import ZermeloError
from zermelo.draw.ratings import plot_duel, plot_standings
from zermelo.formats.position import parse_position
from zermelo.play import external
from zermelo.play.arena import Outcome, Record, Sequential, Store, Tournament, replayed
from zermelo.play.arena.openings import random_openings, read_openings
from zermelo.play.arena.rating import duel, elo, expected, standings
from zermelo.play.choice import Choice
from zermelo.play.strategies import strategy
from zermelo.registry import find
from zermelo.search.classic.alphabeta import AlphaBeta

NIM = "nim(heaps=(2, 3, 4))"
GOOD, BAD = "minimax(depth=3, backend='reference')", "random"


def tournament(**changes: Any) -> Tournament:
    return Tournament(**({"game": NIM, "players": [GOOD, BAD], "games": 8, "plies": 2, "seed": 5} | changes))


def played(outcome: Outcome) -> list[tuple[Any, ...]]:
    """The games without their times."""
    return [(record.number, record.first, record.opening, record.moves, record.score) for record in outcome.records]


# --- statistics


@pytest.mark.parametrize(("difference", "score"), [(0, 0.5), (100, 0.64), (200, 0.76), (400, 0.909), (-100, 0.36)])
def test_elo_is_what_the_book_says(difference: float, score: float) -> None:
    assert expected(difference) == pytest.approx(score, abs=0.001)  # A. Elo, The Rating of Chessplayers (1978)
    assert elo(expected(difference)) == pytest.approx(difference)


def simulated(difference: float, pairs: int, random: Random) -> list[tuple[float, float]]:
    """Pairs of games, half of them with draws, whose openings favour one side."""
    found = []
    for _ in range(pairs):
        bias = random.choice([-150, 150])
        one, two = (float(random.random() < expected(difference + side)) for side in (bias, -bias))
        found.append((one, two))
    return found


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    random = Random(1)
    truth = elo((expected(60 + 150) + expected(60 - 150)) / 2)
    held = 0
    for _ in range(400):
        found = duel(simulated(60, 60, random))
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 400 <= 0.99


def test_a_duel_counts_its_games() -> None:
    found = duel([(1, 0.5), (1, 0), (0.5, 0.5)])
    assert (found.pairs, found.wins, found.draws, found.losses) == (3, 2, 3, 1)
    assert found.score == pytest.approx(3.5 / 6)
    assert found.low < 0 < found.elo < found.high
    assert 0.5 < found.superiority < 0.9


def test_a_clean_sweep_is_no_certainty() -> None:
    found = duel([(1.0, 1.0)] * 5)
    assert found.elo == math.inf
    assert found.high == math.inf
    assert found.low == pytest.approx(elo(0.05 ** (1 / 5)))
    assert 0.9 < found.superiority < 1
    lost = duel([(0.0, 0.0)] * 5)
    assert lost.elo == -math.inf
    assert lost.high == pytest.approx(-found.low)


def test_equal_results_are_no_certainty() -> None:
    few, many = duel([(1.0, 0.0)] * 2), duel([(1.0, 0.0)] * 200)
    assert few.elo == many.elo == 0
    assert few.superiority == many.superiority == pytest.approx(0.5)
    assert few.high > 100
    assert many.high < 20


def test_ratings_of_many_are_found_again() -> None:
    truth = [120.0, 20.0, -140.0]
    random = Random(2)
    results: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for i, j in [(0, 1), (0, 2), (1, 2)]:
        chance = expected(truth[i] - truth[j])
        results[i, j] = [(float(random.random() < chance), float(random.random() < chance)) for _ in range(3000)]
    table = standings(["strong", "middle", "weak"], results)
    assert [standing.player for standing in table] == ["strong", "middle", "weak"]
    for standing, rating in zip(table, truth, strict=True):
        assert standing.rating == pytest.approx(rating, abs=3 * standing.error / 2)
        assert standing.error < 10
        assert standing.games == 12000
    assert table[0].superiority is not None
    assert table[0].superiority > 0.99
    assert table[2].superiority is None


def test_ratings_of_two_are_their_duel() -> None:
    pairs = simulated(80, 500, Random(4))
    first, second = standings(["one", "two"], {(0, 1): pairs})
    found = duel(pairs)
    assert first.rating - second.rating == pytest.approx(found.elo, abs=1)
    assert 2 * first.error == pytest.approx((found.high - found.low) / 2, rel=0.05)


@pytest.mark.parametrize(("difference", "right"), [(0, "low"), (60, "high")])
def test_the_sequential_test_errs_as_seldom_as_it_says(difference: float, right: str) -> None:
    random = Random(3)
    test = Sequential(0, 50, 0.05)
    assert test.bound == pytest.approx(2.944, abs=0.001)  # log 19
    wrong, lengths = 0, []
    for _ in range(60):
        pairs: list[tuple[float, float]] = []
        while test.verdict(pairs) is None:
            pairs += simulated(difference, 5, random)
        wrong += test.verdict(pairs) != right
        lengths.append(len(pairs))
    assert wrong <= 6
    assert max(lengths) < 2000


@pytest.mark.parametrize("wanted", [(10, 0, 0.05), (0, 0, 0.05), (0, math.nan, 0.05), (0, 10, 0), (0, 10, 0.5)])
def test_a_test_without_sense_is_refused(wanted: tuple[float, float, float]) -> None:
    with pytest.raises(ZermeloError, match="A sequential test"):
        Sequential(*wanted)


# --- openings


def test_openings_differ_and_are_the_same_every_time() -> None:
    game = find("tictactoe")
    openings = list(islice(random_openings(game, 3, 9), 40))
    assert openings == list(islice(random_openings(game, 3, 9), 40))
    assert openings != list(islice(random_openings(game, 3, 10), 40))
    assert len(set(openings)) == 40
    assert all(len(opening) == 3 for opening in openings)


def test_openings_never_end_the_game() -> None:
    game = find("nim(heaps=(1, 1))")
    for opening in islice(random_openings(game, 5, 0), 5):
        assert not game.terminal(parse_position(game, opening).state)


def test_openings_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# two\n01\n\n48\n", encoding="utf-8")
    assert read_openings(find("tictactoe"), path) == ["01", "48"]
    schedule = Tournament("tictactoe", ["random", "minimax"], games=6, openings=path).schedule()
    assert [contest.opening for contest in schedule] == ["01", "01", "48", "48", "01", "01"]


@pytest.mark.parametrize(
    ("text", "part"), [("01\n0011\n", "line 2: Move 2, 0"), ("\n", "has no openings"), ("03142", "line 1: the game is over")]
)
def test_bad_openings_are_told_with_their_line(tmp_path: Path, text: str, part: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ZermeloError) as caught:
        read_openings(find("tictactoe"), path)
    assert part in str(caught.value)
    with pytest.raises(ZermeloError, match="There is no file"):
        read_openings(find("tictactoe"), tmp_path / "nothing.txt")


# --- matches


def test_every_opening_is_played_from_both_sides() -> None:
    schedule = tournament(players=["random", GOOD, "alphabeta(depth=1)"], games=4).schedule()
    assert len(schedule) == 4 * 3
    assert [contest.number for contest in schedule] == list(range(1, 13))
    for one, two in zip(schedule[::2], schedule[1::2], strict=True):
        assert (one.first, one.second, one.opening, one.seed) == (two.second, two.first, two.opening, two.seed)
    assert [contest.opening for contest in schedule[:6]] == [schedule[0].opening] * 6


def test_a_match_is_played_recorded_and_replayed() -> None:
    outcome = tournament().run()
    assert len(outcome.records) == 8
    assert outcome.duel is not None
    assert outcome.duel.wins + outcome.duel.losses == 8
    assert outcome.duel.wins >= 6
    game = find(NIM)
    for record in outcome.records:
        match = replayed(game, record)
        assert match.over
        assert match.payoffs() == record.payoffs
        assert record.score == (1 if record.payoffs[0] > 0 else 0)
    assert outcome.cross_table()[0][1] == outcome.duel.wins


def test_the_same_seed_gives_the_same_games_on_any_executor() -> None:
    alone = tournament().run()
    with ThreadPoolExecutor(3) as threads:
        together = tournament().run(executor=threads, workers=3)
    assert played(alone) == played(together)
    assert played(alone) != played(tournament(seed=6).run())


@pytest.mark.slow
def test_the_same_seed_gives_the_same_games_in_processes() -> None:
    assert played(tournament().run()) == played(tournament().run(workers=2))


def test_dice_are_the_same_in_both_games_of_a_pair() -> None:
    schedule = Tournament("pig(goal=10)", ["random", "expectimax"], games=4, plies=1).schedule()
    assert schedule[0].seed == schedule[1].seed != schedule[2].seed


def test_a_game_that_is_too_long_is_a_draw() -> None:
    outcome = Tournament("ponghauki", ["random", "minimax(depth=2, backend='reference')"], games=2, plies=0, longest=1).run()
    assert [(record.score, record.reason) for record in outcome.records] == [(0.5, "a draw after 1 moves")] * 2


def test_ctrl_c_during_a_search_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is interrupted answers with what it has; a match must not take that for a move."""

    class Interrupted:
        def choose(self, match: Any, random: Random) -> Choice:
            found = AlphaBeta(depth=1, backend="reference").search(match.game, match.state)
            return Choice(found.action, 0.0, replace(found, stopped="interrupted"))

    monkeypatch.setattr("zermelo.play.arena.contest.parse_player", lambda text: Interrupted())
    monkeypatch.setattr(Tournament, "prepare", lambda self: None)
    outcome = Tournament("tictactoe", ["random", "minimax"], games=4).run()
    assert (outcome.stopped, len(outcome.records)) == ("interrupted", 0)


def test_a_strategy_without_an_answer_forfeits(tmp_path: Path) -> None:
    path = tmp_path / "nim.jsonl"
    strategy(find(NIM)).save(path)
    outcome = tournament(players=[f"strategy({path})", "random"], games=4, plies=0).run()
    reasons = [record.reason for record in outcome.records if f"strategy(file='{path}')" == record.second]
    assert all("forfeits: " in reason and "is a strategy of Left, and Right moves" in reason for reason in reasons)
    assert len(outcome.forfeits()) == 2
    firsts = [record.score for record in outcome.records if record.first != "random"]
    assert firsts == [1.0, 1.0]


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"players": ["random"]}, "at least two players"),
        ({"players": ["random", "random"]}, "each named once"),
        ({"players": ["random", "human"]}, "human cannot play a match"),
        ({"players": ["random", "alphabta"]}, "did you mean alphabeta?"),
        ({"games": 7}, "play an even number of at least 2, not 7"),
        ({"games": 0}, "play an even number"),
        ({"game": "threenim"}, "A match is for two players"),
        ({"game": "eightpuzzle"}, "A match is for two players"),
        ({"game": "nmi"}, "did you mean nim?"),
        ({"players": ["random", GOOD, "minimax"], "sequential": Sequential()}, "compares two players"),
        ({"plies": -1}, "at least 0 moves"),
    ],
)
def test_a_match_without_sense_is_refused(changes: dict[str, Any], part: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        tournament(**changes)
    assert part in str(caught.value)


def test_a_player_that_does_not_suit_the_game_is_told_before_the_match() -> None:
    store = Store(None)
    with pytest.raises(ZermeloError, match="chance moves in Pig"):
        Tournament("pig(goal=10)", ["minimax(depth=2, backend='reference')", "random"], games=2, plies=1).run(store)
    assert not store.records()


# --- the sequential test in a match


def test_a_test_stops_the_match_by_itself() -> None:
    outcome = tournament(games=200, sequential=Sequential(0, 150)).run()
    assert (outcome.verdict, outcome.stopped) == ("high", "decided")
    assert len(outcome.records) < 100
    data = outcome.to_dict()
    assert data["sprt"]["verdict"] == "high"
    assert data["sprt"]["ratio"] >= data["sprt"]["bound"]


def test_where_a_test_stops_does_not_depend_on_who_is_faster() -> None:
    alone = tournament(games=60, sequential=Sequential(0, 150)).run()
    with ThreadPoolExecutor(4) as threads:
        together = tournament(games=60, sequential=Sequential(0, 150)).run(executor=threads, workers=4)
    assert alone.pairs == together.pairs
    assert alone.verdict == together.verdict


# --- results on disk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.db"


def test_a_match_goes_on_where_it_was_interrupted(path: Path) -> None:
    whole = tournament().run()

    def interrupt(outcome: Outcome) -> None:
        if len(outcome.records) == 3:
            raise KeyboardInterrupt

    store = Store(path)
    part = tournament().run(store, progress=interrupt)
    store.close()
    assert (part.stopped, len(part.records)) == ("interrupted", 3)
    assert part.duel is not None
    assert part.duel.pairs == 1  # half a pair says nothing
    before = Store(path).records()
    resumed = tournament().run(Store(path))
    assert played(resumed) == played(whole)
    assert {number: Store(path).records()[number] for number in before} == before
    again = tournament().run(Store(path), progress=lambda outcome: pytest.fail("everything was played"))
    assert played(again) == played(whole)


def test_a_match_can_be_extended(path: Path) -> None:
    tournament(games=4).run(Store(path))
    longer = tournament(games=8).run(Store(path))
    assert played(longer) == played(tournament(games=8).run())


@pytest.mark.parametrize("changes", [{"seed": 6}, {"players": [BAD, GOOD]}, {"game": "nim"}, {"plies": 3}, {"longest": 7}])
def test_a_file_of_another_match_is_refused(path: Path, changes: dict[str, Any]) -> None:
    tournament(games=2).run(Store(path))
    with pytest.raises(ZermeloError, match="is another match: its"):
        tournament(**changes).run(Store(path))


def test_a_file_that_is_none_is_refused(path: Path) -> None:
    path.write_text("this is not a database, and long enough to be taken for one " * 20, encoding="utf-8")
    with pytest.raises(ZermeloError, match="is not a file of results that can be used"):
        Store(path)


def test_a_damaged_row_is_told(path: Path) -> None:
    tournament(games=2).run(Store(path))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET moves = '[not json' WHERE number = 1")
    connection.close()
    with pytest.raises(ZermeloError, match="cannot be used as a file of results"):
        Store(path).records()


def test_a_record_that_was_changed_does_not_replay(path: Path) -> None:
    record = tournament(games=2).run().records[0]
    wrong = Record(**vars(record) | {"moves": ("9-9", *record.moves)})
    with pytest.raises(ZermeloError, match="Game 1 is damaged: move 1, 9-9, is not possible"):
        replayed(find(NIM), wrong)
    with pytest.raises(ZermeloError, match="has no game 5: there is none yet"):
        Store(None).record(5)


# --- programs of others

PROGRAM = """
import sys, time
for line in sys.stdin:
    words = line.split()
    if words[0] in ("uci", "ugi"):
        print("noise before", words[0] + "ok", flush=True)
        print(words[0] + "ok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "go":
        if sys.argv[1] == "hang":
            time.sleep(600)
        elif sys.argv[1] == "die":
            sys.exit(3)
        elif sys.argv[1] == "illegal":
            print("bestmove 7-7", flush=True)
        elif sys.argv[1] == "mute":
            print("bestmove", flush=True)
    elif words[0] == "quit":
        break
"""


@pytest.fixture
def misbehaving(tmp_path: Path) -> Iterator[Any]:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")

    def command(how: str) -> str:
        words = f"{sys.executable} {tmp_path / 'program.py'} {how}"
        return f"uci({words!r}, time=0.01, patience={0.2 if how == 'hang' else 60.0})"

    yield command
    external.end_all()


@pytest.mark.parametrize(
    ("how", "part"),
    [
        ("hang", "hung: no bestmove within"),
        ("die", "has died"),
        ("illegal", "answered 7-7, which is not possible"),
        ("mute", "answered nothing, which is not possible"),
    ],
)
def test_a_program_that_misbehaves_forfeits_and_the_match_goes_on(misbehaving: Any, how: str, part: str) -> None:
    outcome = tournament(players=[misbehaving(how), "random"], games=2, plies=0).run()
    assert len(outcome.records) == 2
    assert outcome.duel is not None
    assert outcome.duel.losses == len(outcome.forfeits()) == 2
    assert all(part in record.reason for record in outcome.forfeits())


def test_a_program_where_debian_installs_games_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "a-program-for-games"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(external, "GAMES", str(tmp_path))
    assert external.require_program("a-program-for-games --uci") == [str(program), "--uci"]


def test_a_program_that_is_not_there_is_named_before_the_match() -> None:
    with pytest.raises(ZermeloError, match="There is no program no-such-program: install the package no-such-program, or give its path"):
        tournament(players=["uci('no-such-program')", "random"], games=2, plies=0)


def test_our_own_engine_plays_as_a_program_of_others() -> None:
    command = f"{sys.executable} -m zermelo uci kqj"
    outcome = Tournament("kqj", [f"uci('{command}', depth=3)", "random"], games=2, plies=0).run()
    external.end_all()
    assert not outcome.forfeits()
    assert len(outcome.records) == 2


# --- pictures


def test_pictures_are_drawn(tmp_path: Path) -> None:
    plot_duel([(2, 10.0, -math.inf, math.inf), (4, 20.0, -50.0, 90.0)], tmp_path / "duel.svg", "a match", (0, 10))
    plot_standings(["one", "two"], [20.0, -20.0], [5.0, 6.0], tmp_path / "table.svg", "a tournament")
    assert "difference in Elo" in (tmp_path / "duel.svg").read_text(encoding="utf-8") or (tmp_path / "duel.svg").stat().st_size > 5000
    assert (tmp_path / "table.svg").stat().st_size > 5000
