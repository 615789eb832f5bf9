"""Matches add up: scores in the file are checked against moves and payoffs when it is opened."""

import sqlite3

import pytest

from zermelo import ZermeloError
from zermelo.play.arena.store import Store
from zermelo.play.arena.tournament import Tournament


@pytest.fixture
def played(tmp_path):
    file = tmp_path / "match.sqlite"
    tournament = Tournament("tictactoe", ("random", "minimax(depth=1)"), games=4, seed=1)
    store = Store(file)
    outcome = tournament.run(store)
    store.close()
    return tournament, file, outcome


def test_a_whole_file_says_the_same_again(played):
    tournament, file, outcome = played
    store = Store(file)
    assert tournament.judge(store).records == outcome.records
    store.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("score = 'nan'", "score or times that are none"),
        ("score = 1 - score + 0.25", "does not follow from its payoffs"),
        ("payoffs = '[5.0, -5.0]', score = 1", "its moves end with"),
        ("moves = '[]'", "do not come to an end"),
        ("moves = '[\"99\"]'", "is not possible"),
        ("first = second", "not those of the schedule"),
        ("number = 77", "has a game 77, but the match has 4"),
    ],
)
def test_a_changed_row_is_refused(played, change, said):
    tournament, file, _ = played
    with sqlite3.connect(file) as connection:
        connection.execute(f"UPDATE games SET {change} WHERE number = 2")
    connection.close()
    store = Store(file)
    with pytest.raises(ZermeloError, match=said.replace("[", r"\[")):
        tournament.judge(store)
    store.close()
