"""Where a move is on a board, and what a player may see."""

import re
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from zermelo.draw.pictures import picture_of
from zermelo.errors import ZermeloError
from zermelo.play.match import Match
from zermelo.play.players import player_text
from zermelo.play.setup import open_position
from zermelo.registry import find, names
from zermelo.rules import CHANCE, Game, legal_actions
from zermelo.search.deepening.deepening import Deepening
from zermelo.search.montecarlo.mcts import MCTS, MCTSSession
from zermelo.web import judging
from zermelo.web.bounds import Bounds
from zermelo.web.judging import glance
from zermelo.web.measures import reason, seat_name, short_of, words_of
from zermelo.web.offers import Offers, cover, rules_of, title_of
from zermelo.web.record import Record
from zermelo.web.sampling import picture
from zermelo.web.seating import natural_name, seat_player, suitable
from zermelo.web.views import board_of, drawn, moves_of, painted, public_board

PLACES = [
    ("tictactoe", "", "4", {"to": [1, 1]}),
    ("connect4", "44", "4", {"to": [3, 3]}),  # it falls on the two that are there
    ("othello", "", None, {"to"}),  # the disc that is set, not those that are turned over
    ("nim", "", "2-3", {"to": [1, 1]}),  # the second heap keeps one
    ("eightpuzzle", "", None, {"to", "from"}),
    ("kalah", "", "3", {"to": [1, 2]}),  # the hole that is emptied, not those that are filled
    ("hypergammon", "2-1", None, {"from", "to"}),  # a checker moves, nothing is sown
    ("ninemensmorris", "", None, {"to"}),
    ("dotsandboxes", "", None, {"to"}),
    ("chess", "", None, {"from", "to"}),
    ("chess", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "O-O", {"from": [7, 4], "to": [7, 6]}),  # the king moves, not the rook
    ("sokoban", "", None, {"from", "to"}),
    ("rushhour", "", "B+2", {"from": [0, 0], "to": [0, 3]}),  # the car, not the square behind it
    ("hanoi", "", "1-3", {"from": ["0"], "to": ["2"]}),
    ("domineering", "", "b1b2", {"to": [0, 1]}),  # its upper square is enough
    ("cram", "", "a1b1", {"from": [0, 0], "to": [0, 1]}),
    ("quoridor", "", "b2|", {"to": ["v", 1, 1]}),
    ("amazons", "", None, {"from", "to", "then"}),
    ("santorini", "a1 a2 e1 e2", "a1b1/c1", {"from": [0, 0], "to": [0, 1], "then": [0, 2]}),
    ("gobblet", "", "Da1", {"from": ["X", 0], "to": [0, 0]}),  # from beside the board
    ("quarto", "", "0001", {"from": ["To give", 1]}),
    ("baghchal", "", "c1", {"to": [2]}),
    ("pegsolitaire", "", "c3a1", {"from": [2, 2], "to": [0, 0]}),  # the peg that jumps, not the one that is taken
    ("isolation", "", "d8-a1", {"from": [7, 2], "to": [7, 3], "then": [0, 0]}),
    ("pentago", "", "f4-D>", {"to": [3, 5]}),
]


def test_a_captured_stone_is_not_where_a_move_came_from() -> None:
    game = find("go(size=5)")
    moves = moves_of(Match(game, open_position(game, "a2 a1 b2")), secret=False)
    assert not [move for move in moves if "from" in move]


@pytest.mark.parametrize(("game", "position", "name", "place"), PLACES)
def test_a_move_is_found_on_the_board(game: str, position: str, name: str | None, place: Any) -> None:
    rules = find(game)
    moves = moves_of(Match(rules, open_position(rules, position or None)), secret=False)
    if name is None:
        assert all(place <= set(move) for move in moves)
    else:
        move = next(move for move in moves if move["name"] == name)
        assert {key: move[key] for key in place} == place


def test_moves_that_do_not_count_cells_have_no_place() -> None:
    rules = find("mastermind")  # nine codes, and nine places on the board
    assert all("to" not in move for move in moves_of(Match(rules, open_position(rules, "12")), secret=True))


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
    tree = MCTSSession(MCTS(seed=1, backend="reference"), game).plant(game.start(), (), 100)
    shown = picture(game, game.start(), tree, 70)
    assert (shown["playouts"], len(shown["moves"]), len(shown["nodes"])) == (0, 9, 1)


def test_hands_are_called_as_the_seats_are() -> None:
    rules = find("kuhn")
    state = open_position(rules, "JQ").state
    board, _, _ = public_board(rules, state, 0, over=False)
    assert board is not None
    assert board["hands"] == {"Opener": ["J"], "Dealer": ["?"]}


def test_a_name_far_from_all_others_is_answered_in_a_short_sentence() -> None:
    with pytest.raises(ZermeloError, match="There is no game zzzzz: the page Games shows all"):
        Offers().open("zzzzz")


def test_cards_show_what_small_trees_and_tables_look_like() -> None:
    listed = {entry["name"]: entry for entry in Offers().listing()}
    assert listed["twolevel"]["outline"] == [[-1, "max"], [0, "min"], [1, "end"], [1, "end"], [0, "min"], [4, "end"], [4, "end"]]
    assert listed["prisonersdilemma"]["payoffs"] == [["3, 3", "0, 4"], ["4, 0", "1, 1"]]
    assert listed["tictactoe"]["outline"] is listed["tictactoe"]["payoffs"] is None


def test_people_at_a_board_are_never_called_max_and_min() -> None:
    own = find(f"{Path(__file__).parents[2] / 'examples' / 'mygame.py'}:Chomp")
    assert [seat_name(own, seat) for seat in (0, 1)] == ["First", "Second"]
    assert [seat_name(find("chess"), seat) for seat in (0, 1)] == ["White", "Black"]
    assert seat_name(find("eightpuzzle"), 0) == "Player"
    for name in names():
        game = find(name)
        if name != "openspiel" and not hasattr(game, "movers"):  # a tree keeps the words of trees
            assert not {"Max", "Min"} & {seat_name(game, seat) for seat in range(game.players)}, name


def test_the_sentence_names_the_first_move_where_several_are_best() -> None:
    win = {"shape": "win", "distance": 5, "exact": True, "short": "win 5"}
    nim = find("nim")
    assert reason(nim, 0, {"a": win, "b": win}, ["a", "c", "d"], ["a", "b"]) == "a and b win in 5; after a, c is answered by d."
    cost = {"shape": "estimate", "distance": None, "exact": True, "short": "cost 28"}
    slow = {**win, "exact": True, "distance": 9}
    fast = {**win, "exact": True, "distance": 3}
    assert reason(nim, 0, {"a": slow, "b": fast}, ["a", "c", "d"], ["a", "b"]) == "b wins in 3."  # the line is another move's
    assert reason(find("eightpuzzle"), 0, {"5": cost}, ["5", "2", "1"], ["5"]) == "5 is best (cost 28), then 2 1."


def test_lines_and_boxes_belong_to_those_who_drew_and_closed_them() -> None:
    game = find("dotsandboxes(rows=1,columns=1)")
    record = Record(game, open_position(game, None), 100)
    for line in legal_actions(game, game.start()):
        record.play(line)
    board = painted(game, game.board(record.match().state), [record.moves[place] for place in (0, *record.line())])
    assert board["boxes"] == [["B"]]  # the fourth line is B's
    assert sorted(line[3] for line in board["lines"]) == [0, 0, 1, 1]
    assert "@red" in str(picture_of(board).to_dict())


def test_a_game_is_opened_by_the_name_that_people_type() -> None:
    offers = Offers((), Bounds())
    assert offers.open("2048") == find("twenty48")
    with pytest.raises(ZermeloError, match="There is no game"):
        offers.open("2049")


def test_no_game_of_the_gallery_is_refused() -> None:
    """Also with the parameters that a game is shown with, such as 2048 on 4 × 4."""
    entries = Offers((), Bounds()).listing()
    assert not [entry for entry in entries if entry.get("problem") and "install" not in entry["problem"]]
    assert next(entry for entry in entries if entry["name"] == "twenty48")["showcase"] == "twenty48(width=4,height=4,goal=2048)"


def test_a_puzzle_is_valued_at_once_without_waiting_for_other_searches() -> None:
    game = find("hanoi")
    found = glance(Match(game, open_position(game, None)), "astar", Event())
    assert found is not None
    assert found.exact
    assert {worth.value for worth in found.worths.values()} == {-15, -16}  # 2⁴ − 1 moves, or one more


def test_a_goal_that_random_games_never_reach_has_a_chance_at_first_sight() -> None:
    game = find("twenty48(width=4,height=4,goal=2048)")
    found = glance(Match(game, open_position(game, "2@a2 2@a3")), judging.judging_engine(game), Event())
    assert found is not None
    assert all(0 < worth.value < 1 for worth in found.worths.values())


def test_one_random_game_behind_each_move_calls_none_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "TO_AN_END", 0.0)
    game = find("yahtzee")
    found = glance(Match(game, open_position(game, "roll 13456")), judging.judging_engine(game), Event())
    assert found is not None
    assert (found.best, found.line) == ((), ())
    assert found.to_dict()["why"] == ""


def test_the_lead_in_a_constant_sum_is_the_difference_of_the_payoffs() -> None:
    split = find("split")  # 33 in all
    assert (words_of(split, 22, True, None), short_of(split, 15, True, None, 0)) == ("Left wins by 11", "−3")


def test_nobody_wins_where_payoffs_do_not_add_up() -> None:
    worth = {"shape": "win", "distance": 5, "exact": True, "short": "1"}
    words = reason(find("threenim"), 0, {"a": worth, "b": worth, "c": {**worth, "shape": "loss"}}, ["a", "c"], ["a", "b"])
    assert words == "a and b are best for Player 1 (1), and c does not help."


def test_three_moves_are_listed() -> None:
    worth = {"shape": "win", "distance": 5, "exact": True, "short": "win 5"}
    assert reason(find("nim"), 0, dict.fromkeys("abc", worth), ["a"], list("abc")) == "a, b and c win in 5."


@pytest.mark.parametrize("name", [name for name in names() if isinstance(getattr(find(name), "seats", None), tuple)])
def test_the_rules_call_the_players_by_their_names(name: str) -> None:
    rules = rules_of(find(name))
    assert not re.search(r"\b(Max|Min)\b", rules)
    assert "0  1  2" not in rules  # the layout of a state is for those who read the file


@pytest.mark.parametrize(("game", "player"), [("liarsdice", "equilibrium"), ("rhodeisland", "ismcts"), ("phantomtictactoe", "ismcts")])
def test_hidden_games_have_a_strong_opponent(game: str, player: str) -> None:
    assert natural_name(find(game)) == player


class Countdown(Game):
    def start(self) -> int:
        return 5

    def player(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> list[int]:
        return [1]

    def result(self, state: int, action: int) -> int:
        return state - action

    def terminal(self, state: int) -> bool:
        return state == 0

    def utility(self, state: int) -> int:
        return 1


def test_a_cover_is_no_nearly_finished_game() -> None:
    assert cover(Countdown(), Countdown().start()) == 3  # of the five positions in which the game goes on the one in the middle
    yahtzee = find("yahtzee")
    assert yahtzee.player(cover(yahtzee, yahtzee.start())) != CHANCE


@pytest.mark.parametrize(
    ("name", "moves", "pot", "chips"),
    [
        ("holdem", "AsAc-KhKd", 50, {}),
        ("holdem", "AsAc-KhKd all-in", 150, {"First to act": 100}),
        ("holdem", "AsAc-KhKd all-in call", 250, {"First to act": 100, "Last to act": 100}),
        ("rhodeisland", "Kc Ad bet10 raise20", 40, {"Opener": 10, "Dealer": 20}),
    ],
)
def test_bets_lie_on_the_table(name: str, moves: str, pot: int, chips: dict[str, int]) -> None:
    game = find(name)
    board = board_of(game, open_position(game, moves).state)
    assert board is not None
    assert (board["pot"], board["chips"]) == (pot, chips)


def test_a_loss_at_cards_is_no_cost() -> None:
    assert short_of(find("blackjack"), -0.25, True, None, 0) == "−0.25"
    assert short_of(find("eightpuzzle"), -4, True, None, 0) == "cost 4"
    assert short_of(find("eightpuzzle"), -4, False, None, 0) == "≥ 4"


@pytest.mark.parametrize(
    ("name", "sides"),
    [
        ("connect4", ["red", "yellow", "teal"]),
        ("clobber", ["white", "black"]),
        ("hex", ["red", "blue", "yellow"]),
        ("draughts", ["black", "white", "red"]),
        ("quarto", []),  # pieces belong to nobody
        ("kuhn", []),
    ],
)
def test_a_seat_has_the_colour_of_its_pieces(name: str, sides: list[str]) -> None:
    game = find(name)
    picture = drawn(board_of(game, game.start()))
    assert picture is not None
    assert picture["sides"] == sides


def test_a_first_look_that_is_cut_short_compares_like_with_like(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("chess")
    place = open_position(game, "e2e4 e7e5 g1f3 d7d6 f1c4 c8g4 b1c3 g7g6 f3e5 g4d1")
    some = Deepening(depth=1, backend="reference").search(game, place.state)
    least = min(some.scores, key=lambda action: some.scores[action])
    seen = replace(some, action=least, actions=(least,), scores={least: some.scores[least]}, distances={}, exact=False)
    monkeypatch.setattr(judging, "quick_answer", lambda *asked: seen)
    found = glance(Match(game, place), "deepening", Event())
    assert found is not None
    assert found.worths[found.best[0]].value == max(worth.value for worth in found.worths.values())


def test_a_puzzle_that_is_too_hard_for_a_first_look_says_what_it_costs_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "quick_answer", lambda *asked: None)
    game = find("eightpuzzle")
    found = glance(Match(game, open_position(game, None)), "astar", Event())
    assert found is not None
    assert len(found.worths) == 2
    assert all(not worth.exact and worth.value >= -30 for worth in found.worths.values())  # 30 moves solve it


class Undeclared(Game):
    """Whoever takes the last of five counters wins `worth`."""

    worth = 1

    def start(self) -> tuple[int, int]:
        return 5, 0

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> list[int]:
        return [taken for taken in (1, 2) if taken <= state[0]]

    def result(self, state: tuple[int, int], taken: int) -> tuple[int, int]:
        return state[0] - taken, 1 - state[1]

    def terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, int]) -> int:
        return self.worth if state[1] else -self.worth


class Worth3(Undeclared):
    worth = 3


@pytest.mark.parametrize(("game", "short", "words"), [(Undeclared(), "win 3", "First wins in 3"), (Worth3(), "+3", "First wins by 3")])
def test_a_game_that_is_won_or_lost_is_known_from_its_ends(game: Game, short: str, words: str) -> None:
    worth = game.utility((0, 1))
    assert short_of(game, worth, True, 3, 0) == short
    assert words_of(game, worth, True, 3) == words


@pytest.mark.parametrize(("game", "value"), [("tictactoe", 0.004), ("kalah", 0.001), ("othello", 0)])
def test_nobody_is_ahead_by_nothing(game: str, value: float) -> None:
    assert words_of(find(game), value, False, None) == "nobody is ahead"


@pytest.mark.parametrize("game", ["pig", "smallyahtzee", "threenim"])
def test_games_of_luck_and_of_several_have_values_at_first_sight(game: str) -> None:
    rules = find(game)
    match = Match(rules, open_position(rules, "11" if game == "smallyahtzee" else None))
    found = glance(match, judging.judging_engine(rules), Event())
    assert found is not None
    assert not found.done
    assert set(found.worths) == set(match.legal)
