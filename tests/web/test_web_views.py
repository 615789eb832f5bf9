"""Where a move is on a board, and what a player may see."""

from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import ZermeloError
from zermelo.play.match import Match
from zermelo.play.players import player_text
from zermelo.play.setup import open_position
from zermelo.registry import find, names
from zermelo.search.mcts import MCTS, Gardener
from zermelo.web.bounds import Bounds
from zermelo.web.offers import Offers, title_of
from zermelo.web.sampling import picture
from zermelo.web.seating import natural_name, seat_player, suitable
from zermelo.web.views import moves_of, public_board

PLACES = [
    ("tictactoe", "", "4", {"to": [1, 1]}),
    ("connect4", "44", "4", {"to": [3, 3]}),  # it falls on the two that are there
    ("othello", "", None, {"to"}),  # the disc that is set, not those that are turned over
    ("nim", "", "2-3", {"to": [1, 1]}),  # the second heap keeps one
    ("eightpuzzle", "", None, {"to", "from"}),
    ("kalah", "", "3", {"to": [1, 3]}),  # the hole that is emptied, not those that are filled
    ("hypergammon", "2-1", None, {"from", "to"}),  # a checker moves, nothing is sown
]


@pytest.mark.parametrize(("game", "position", "name", "place"), PLACES)
def test_a_move_is_found_on_the_board(game: str, position: str, name: str | None, place: Any) -> None:
    rules = find(game)
    moves = moves_of(Match(rules, open_position(rules, position or None)), secret=False)
    if name is None:
        assert all(place <= set(move) for move in moves)
    else:
        move = next(move for move in moves if move["name"] == name)
        assert {key: move[key] for key in place} == place


def test_places_are_different_where_moves_are() -> None:
    rules = find("othello")
    moves = moves_of(Match(rules, open_position(rules, None)), secret=False)
    assert len({tuple(move["to"]) for move in moves}) == len(moves) == 4


def test_every_game_is_in_the_gallery_and_says_who_can_play() -> None:
    offers = Offers()
    listed = {entry["name"]: entry for entry in offers.listing()}
    assert set(listed) == set(names())
    for name, entry in listed.items():
        if "problem" in entry:
            continue
        assert entry["title"]
        assert entry["summary"], name
        assert {"name", "words", "parameters"} <= set(suitable(offers.open(name))[0])


@pytest.mark.parametrize("game", ["connect4", "pig", "threenim", "kuhn", "eightpuzzle"])
def test_who_fits_best_is_among_those_who_can_play(game: str) -> None:
    rules = find(game)
    offered = {each["name"] for each in suitable(rules)}
    assert natural_name(rules) in offered
    assert "human" not in offered
    assert ("alphabeta" in offered) == (game == "connect4")


UNSEATED = [
    ('uci("rm -rf /")', "command line"),
    ('strategy("secrets.txt")', "command line"),
    ("alphabeta(threads=64)", "threads"),
    ("alphabeta(time=1e9)", "at most"),
    ("alphabeta(1000000)", "names"),
    ("nobody", "no player"),
]


@pytest.mark.parametrize(("player", "part"), UNSEATED)
def test_a_browser_cannot_seat_programs_files_or_giants(player: str, part: str) -> None:
    with pytest.raises(ZermeloError, match=part):
        seat_player(player, Bounds())


def test_a_browser_seats_engines_of_chosen_strength() -> None:
    for text in ("alphabeta(depth=2)", "deepening(time=0.05)", "mcts(playouts=300)", "random", "human"):
        assert player_text(seat_player(text, Bounds())) == text


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("tictactoe", "Tic-tac-toe"),
        ("kalah", "Kalah"),
        ("mnk", "(m,n,k)-games"),
        ("dawsonskayles", "Dawson's Kayles"),
        ("twenty48", "2048"),
    ],
)
def test_a_game_is_called_what_its_rules_call_it(name: str, title: str) -> None:
    assert title_of(name, find(name)) == title


def test_rules_of_ones_own_are_called_by_their_class() -> None:
    game = find(str(Path(__file__).parents[2] / "examples" / "mygame.py"))
    assert title_of("mygame.py", game) == type(game).__name__
    assert title_of("openspiel:kuhn_poker", game) == "openspiel:kuhn_poker"


def test_playouts_that_were_stopped_before_the_first_show_an_empty_tree() -> None:
    game = find("tictactoe")
    tree = Gardener(MCTS(seed=1, backend="reference"), game).plant(game.start(), (), 100)
    shown = picture(game, game.start(), tree, 70)
    assert (shown["playouts"], len(shown["moves"]), len(shown["nodes"])) == (0, 9, 1)


def test_hands_are_called_as_the_seats_are() -> None:
    rules = find("kuhn")
    state = open_position(rules, "JQ").state
    board, _ = public_board(rules, state, 0, over=False)
    assert board is not None
    assert board["hands"] == {"Max": ["J"], "Min": ["?"]}


def test_a_name_far_from_all_others_is_answered_in_a_short_sentence() -> None:
    with pytest.raises(ZermeloError, match="There is no game zzzzz: the page Games shows all"):
        Offers().open("zzzzz")


def test_cards_show_what_small_trees_and_tables_look_like() -> None:
    listed = {entry["name"]: entry for entry in Offers().listing()}
    assert listed["twolevel"]["outline"] == [[-1, "max"], [0, "min"], [1, "end"], [1, "end"], [0, "min"], [4, "end"], [4, "end"]]
    assert listed["prisonersdilemma"]["payoffs"] == [["3, 3", "0, 4"], ["4, 0", "1, 1"]]
    assert listed["tictactoe"]["outline"] is listed["tictactoe"]["payoffs"] is None
