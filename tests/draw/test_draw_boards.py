"""What boards are, and what is wrong with those that are none."""

import math
import re
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import pytest

from zermelo import draw
from zermelo.draw.description import chain, fault_of, longest_run
from zermelo.draw.figures import FIGURES, Paint, figure
from zermelo.draw.grids import Grid, _labels, rows_of
from zermelo.draw.guessing import guessed, guessed_board, guessed_from_state
from zermelo.draw.picture import markup
from zermelo.draw.pictures import picture_of
from zermelo.errors import ZermeloError
from zermelo.registry import find, names
from zermelo.rules import CHANCE, Game, has, legal_actions
from zermelo.trees.tree import Tree

WRONG = [
    (None, "not a dictionary"),
    ({"kind": "sphere"}, "the kinds are grid"),
    ({"kind": "grid"}, "needs `rows`"),
    ({"kind": "grid", "rows": [[]]}, "needs `rows`"),
    ({"kind": "grid", "rows": [["X"] * 99]}, "more than 60"),
    ({"kind": "grid", "rows": [["X"]], "look": "marble"}, "the looks are"),
    ({"kind": "graph", "points": [[0, 0]], "marks": ["X", "O"]}, "1 points and 2 marks"),
    ({"kind": "graph", "points": [[0, 0]], "lines": [[0, 3]]}, "a point that there is not"),
    ({"kind": "graph", "points": [[0, float("nan")]]}, "pairs of numbers"),
    ({"kind": "pits", "rows": [[1], [1, 2]]}, "two `rows`"),
    ({"kind": "piles", "piles": [-1]}, "not negative"),
    ({"kind": "dots"}, "does not fit the kind 'dots'"),
    ({"kind": "cards", "hands": [1]}, "a dictionary of lists"),
    ({"kind": "dice", "dice": 6}, "for each cup"),
    ({"kind": "points", "points": [["X"]]}, "a mark and a number"),
    ({"kind": "pegs", "pegs": [[0]]}, "the sizes of discs"),
    ({"kind": "grid", "rows": [["X"]], "line": [[0, 1], [0, 2]]}, "not on the board"),
    ({"kind": "grid", "rows": [["X"]], "floor": [[5, 0, "goal"]]}, "not on the board"),
    ({"kind": "grid", "rows": [["X"]], "walls": [["x", 0, 0]]}, "A wall is"),
    ({"kind": "grid", "rows": [["X"]], "walls": 3}, "does not fit the kind 'grid'"),
    ({"kind": "grid", "rows": [["X"]], "figures": ["tiger"]}, "a dictionary of marks"),
    ({"kind": "grid", "rows": [["X"]], "hands": {"X": 1}}, "a dictionary of lists of marks"),
]


@pytest.mark.parametrize(("board", "words"), WRONG)
def test_a_board_that_is_none_is_told_in_a_sentence(board: Any, words: str) -> None:
    assert words in fault_of(board)


@pytest.mark.parametrize("name", [name for name in names() if not name.startswith("openspiel")])
def test_every_game_has_a_board_of_its_kind(name: str) -> None:
    game = find(name)
    if isinstance(game, Tree) or not has(game, "board"):
        return
    state = game.start()
    for _ in range(6):
        for turned in (False, True):
            made = picture_of(game.board(state), turned)  # type: ignore[attr-defined]
            left, top, right, bottom = made.left, made.top, made.left + made.width, made.top + made.height
            for place in made.places.values():
                assert left <= place.x <= right, name
                assert top <= place.y <= bottom, name
        legal = legal_actions(game, state)
        if not legal:
            break
        state = game.result(state, legal[len(legal) // 2])


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_drawn_in_both_colours(name: str) -> None:
    arguments = {"answer": "answer 2 1", "steps": "steps ox 1,0;0,1"}
    drawn = [markup(figure(arguments.get(name, f"{name} 1"), Paint(side, f"{side}-edge"))) for side in ("white", "black")]
    assert all(drawn)
    if name in ("pawn", "tiger", "builder", "cup", "letter"):
        assert drawn[0] != drawn[1]


def test_the_chain_that_joins_two_sides_is_found() -> None:
    assert chain([["X", "O"], ["X", ""]]) == [[0, 0], [1, 0]]
    assert chain([["O", "O"], ["X", ""]]) == [[0, 0], [0, 1]]
    assert chain([["X", "O"], ["", "X"]]) == []


def test_two_sides_of_a_board_show_the_same_places() -> None:
    game = find("breakthrough")
    here, there = (picture_of(game.board(game.start()), turned) for turned in (False, True))  # type: ignore[attr-defined]
    assert here.places.keys() == there.places.keys()
    assert here.places["0,0"].x == there.places["4,4"].x


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("X . O\n. X .\nO . X\nX to move", "paper"),
        ("1 2\n3 4", "plain"),
        ("# #\n# .", "blocks"),
        ("3 4 5 | Max to move", None),
        ("one line", None),
    ],
)
def test_a_grid_is_guessed_from_letters(text: str, look: str | None) -> None:
    found = guessed(text)
    assert (found and found["look"]) == look


class Parameters(NamedTuple):
    width: int = 4
    height: int = 2


@pytest.mark.parametrize(
    ("state", "rows"),
    [
        ("X O      ", [["X", "", "O"], ["", "", ""], ["", "", ""]]),
        (((0, 1), (2, 0)), [["", "X"], ["O", ""]]),
        ((("..", ".#"), 1), [["", ""], ["", "#"]]),
        (((1, -1, 0, 0, 0, 0, 0, 0, 0), 0), [["X", "O", ""], ["", "", ""], ["", "", ""]]),
        ((None, 0, 1, None, None, None, None, None), [["", "X", "O", ""], ["", "", "", ""]]),  # folded by the parameters
        ((8, 1, 2, 3, 0, 4, 7, 6, 5), [["8", "1", "2"], ["3", "", "4"], ["7", "6", "5"]]),
        (("bb\n..\nww\n", 0), [["b", "b"], ["", ""], ["w", "w"]]),
        ((3, 4, 5), None),
        (7, None),
        ((("a", "b"), ("c", "d", "e")), None),
        (((0, 1), 5, "abc"), None),
    ],
)
def test_a_grid_is_guessed_from_a_state_that_is_one(state: Any, rows: Any) -> None:
    found = guessed_from_state(Parameters(), state)  # type: ignore[arg-type]
    assert (found and found["rows"]) == rows


@dataclass(frozen=True)
class Taking(Game):
    """Cells of a small board are taken by turns until all are."""

    seats: ClassVar = ("Red", "Yellow")

    def start(self) -> Any:
        return (frozenset(), frozenset(), 0)

    def player(self, state: Any) -> int:
        return int(state[2])

    def actions(self, state: Any) -> Any:
        return [(row, column) for row in (1, 2) for column in (1, 2, 3) if (row, column) not in state[0] | state[1]]

    def result(self, state: Any, action: Any) -> Any:
        red, yellow, turn = state
        return (red | {action}, yellow, 1) if turn == 0 else (red, yellow | {action}, 0)

    def terminal(self, state: Any) -> bool:
        return len(state[0] | state[1]) == 6

    def utility(self, state: Any) -> int:
        return 0


def test_a_grid_is_guessed_from_sets_of_cells_in_the_colours_of_their_players() -> None:
    game = Taking()
    after = game.result(game.result(game.start(), (1, 2)), (2, 1))
    found = {"kind": "grid", "look": "stones", "colours": ["Red", "Yellow"]}
    assert guessed_board(game, game.start()) == {**found, "rows": [["", "", ""], ["", "", ""]]}
    assert guessed_board(game, after) == {**found, "rows": [["", "X", ""], ["O", "", ""]]}


class Lettered(Taking):
    """The same, but the state is rows of the letters that begin the players' names."""

    def show(self, state: Any) -> str:
        taken = ["".join(("." if (r, c) not in state[0] | state[1] else "RY"[(r, c) in state[1]]) + " " for c in (1, 2, 3)) for r in (1, 2)]
        return "\n".join(taken)


def test_letters_that_begin_the_players_names_are_their_stones() -> None:
    game = Lettered()
    empty, found = (guessed_board(game, state) for state in (game.start(), game.result(game.start(), (1, 1))))
    assert found is not None
    assert (found["look"], found["owners"]["R"], found["owners"]["Y"]) == ("stones", 0, 1)
    assert empty == {**found, "rows": [["", "", ""], ["", "", ""]]}  # a board that is empty looks the same


class Growing(Taking):
    """The state is the list of moves: no board, however square it becomes."""

    def start(self) -> Any:
        return ()

    def player(self, state: Any) -> int:
        return len(state) % 2

    def actions(self, state: Any) -> Any:
        return [(1, 2), (2, 1)]

    def result(self, state: Any, action: Any) -> Any:
        return (*state, action)

    def terminal(self, state: Any) -> bool:
        return len(state) == 2


def test_a_list_of_moves_is_no_grid() -> None:
    assert guessed_board(Growing(), ((1, 2), (2, 1))) is None


def test_the_longest_run_is_the_line_that_won() -> None:
    assert longest_run([["X", "O", ""], ["O", "X", ""], ["", "", "X"]]) == [[0, 0], [1, 1], [2, 2]]


def test_a_position_as_a_picture_of_its_own() -> None:
    picture = draw.board(find("tictactoe"))
    assert picture.startswith("<svg")
    assert "@" not in picture  # every colour has been found
    with pytest.raises(ZermeloError, match="has no board"):
        draw.board(find("prisonersdilemma"))


@pytest.mark.parametrize("name", [name for name in names() if not name.startswith("openspiel")])
def test_coordinates_say_what_moves_are_called(name: str) -> None:
    """Where a move is called by its square (`d4`), that is what stands at the edge of the board."""
    game = find(name)
    if isinstance(game, Tree) or not has(game, "board") or not has(game, "name") or game.terminal(game.start()):
        return
    before = game.board(game.start())
    if before is None or before["kind"] != "grid" or not before.get("coordinates"):
        return
    columns, rows = _labels(Grid(before, rows_of(before), False, ""))
    for action in () if game.player(game.start()) == CHANCE else legal_actions(game, game.start()):
        after = game.board(game.result(game.start(), action))
        cells = [(r, c) for r, row in enumerate(after["rows"]) for c, mark in enumerate(row) if mark and not before["rows"][r][c]]
        called = game.name(game.start(), action)
        if len(cells) == 1 and re.fullmatch(r"[a-z]\d+", called):
            assert called == columns[cells[0][1]] + rows[cells[0][0]]


def test_a_board_of_boards_has_bold_lines_between_its_parts() -> None:
    made = picture_of({"kind": "grid", "look": "paper", "rows": [[""] * 9] * 9, "bold": [3, 3]})
    assert made is not None
    strokes = [attributes["stroke"] for tag, attributes, _ in made.shapes if tag == "path"]
    assert strokes == ["@line", "@ink"]


def test_a_graph_whose_points_are_computed_keeps_its_size() -> None:
    """Coordinates that differ by a rounding error are no measure of the picture."""
    ring = [[math.cos(turn * math.pi / 5), math.sin(turn * math.pi / 5)] for turn in range(10)]
    made = picture_of({"kind": "graph", "points": ring, "lines": [[0, 5]]})
    assert 100 < made.width < 600
    crowded = picture_of({"kind": "graph", "points": [[0, 0], [0, 1e-9], [9, 9]]})
    assert crowded.width < 3_000


def test_pits_without_stores_have_none() -> None:
    """A count that is always 0 would be a riddle."""
    bare, full = ({"kind": "pits", "rows": [[4, 4], [4, 4]], **stores} for stores in ({}, {"stores": [0, 0]}))
    assert picture_of(bare).width < picture_of(full).width
    assert "ellipse" in markup(picture_of(full).shapes)
    assert "ellipse" not in markup(picture_of(bare).shapes)
