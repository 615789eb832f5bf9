"""What is drawn: the chosen line, what was pruned, what is folded, what is merged."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import alphabeta, minimax, recorded

from zermelo import ZermeloError, draw
from zermelo.draw.scene import Mark
from zermelo.games.connect4 import ConnectFour
from zermelo.games.kqj import KQJ
from zermelo.games.kuhn import Kuhn
from zermelo.games.pruning import PRUNING
from zermelo.games.threenim import ThreeNim
from zermelo.games.tictactoe import TicTacToe
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.trees import BackwardInduction, Chance, Max, Min, Tree, unfold
from zermelo.trees.builder import TreeBuilder
from zermelo.trees.trace import Recorder


def marks(subject: object, **options: object) -> list[Mark]:
    return draw.scene(subject, **options).marks  # type: ignore[arg-type]


def test_a_trace_shows_values_and_the_chosen_line() -> None:
    drawn = marks(minimax(KQJ))
    assert [(mark.label, mark.value) for mark in drawn] == [
        ("P1A", "-1"),
        ("P2A", "-1"),
        ("E1", "-1"),
        ("P1B", "-1"),
        ("E2", "-1"),
        ("E3", "-2"),
        ("P2B", "-2"),
        ("E4", "1"),
        ("E5", "-2"),
    ]
    assert [mark.label for mark in drawn if mark.chosen] == ["P1A", "P2A", "E1"]
    assert [mark.kind for mark in drawn] == ["max", "min", "end", "max", "end", "end", "min", "end", "end"]


def test_alpha_beta_shows_windows_bounds_and_what_it_never_visited() -> None:
    drawn = marks(alphabeta(PRUNING))
    by_path = {path_of(drawn, number): mark for number, mark in enumerate(drawn)}
    assert len(drawn) == len(PRUNING)
    assert by_path["Middle"].value == "≤ -9"
    assert by_path["Middle"].window == "[-4, ∞]"
    assert by_path["Middle"].note == "α-cut"
    assert by_path["Left 2"].value == "≥ 8"
    assert by_path["Left 2"].note == "β-cut"
    pruned = {path for path, mark in by_path.items() if mark.pruned}
    assert pruned == {"Middle 3", "Middle 3 1", "Middle 3 2", "Right 2 2"}
    assert {path for path, mark in by_path.items() if mark.cut} == {"Middle 3", "Right 2 2"}
    assert by_path["Middle 3 1"].value == "3"
    assert [path for path, mark in by_path.items() if mark.chosen] == ["", "Right", "Right 1", "Right 1 1"]


def path_of(drawn: list[Mark], number: int) -> str:
    names: list[str] = []
    while number > 0:
        names.append(drawn[number].action)
        number = drawn[number].parent
    return " ".join(reversed(names))


def test_pruned_branches_of_other_games_are_stubs_with_boards() -> None:
    game = TicTacToe()
    state = game.start()
    for cell in (0, 4, 8, 2, 6):
        state = game.result(state, cell)
    cut = [mark for mark in marks(alphabeta(game, state), limit=1_000) if mark.cut]
    assert cut
    assert all(mark.pruned and mark.board["kind"] == "grid" and not mark.value for mark in cut)


def test_folding_counts_everything_that_is_hidden() -> None:
    trace = minimax(TicTacToe(), depth=4)
    total = len(trace.visits)
    for limit in (1, 5, 10, 60, 500, 10_000):
        drawn = marks(trace, limit=limit)
        shown = [mark for mark in drawn if mark.kind != "fold"]
        assert len(shown) <= limit
        assert len(shown) + sum(mark.hidden for mark in drawn) == total
    assert [mark.action for mark in marks(trace, limit=60) if mark.chosen] == ["", "4", "0", "2", "5"]


@given(st.integers(1, 40), st.integers(0, 5))
def test_folding_by_limit_and_depth(limit: int, depth: int) -> None:
    drawn = marks(PRUNING, limit=limit, depth=depth)
    assert sum(mark.kind != "fold" for mark in drawn) + sum(mark.hidden for mark in drawn) == len(PRUNING)
    assert all(mark.parent < number for number, mark in enumerate(drawn))


def test_the_deepest_tree_is_folded() -> None:
    builder, above = TreeBuilder(), -1
    for level in range(100_000):
        above = builder.branch(above, "on" if level else "", level % 2)
    builder.end(above, "on", 1)
    drawn = marks(builder.tree(), limit=50)
    assert drawn[-1].hidden == 100_001 - 50


def test_symmetric_siblings_are_merged_on_request() -> None:
    tree = unfold(TicTacToe(), depth=2)
    drawn = marks(tree, merge=True)
    assert len(drawn) == 1 + 3 + 12  # first moves up to symmetry, and their replies
    assert [mark.copies for mark in drawn if mark.parent == 0] == [4, 4, 1]
    assert len(marks(tree, limit=1_000)) == 1 + 9 + 72
    trace = minimax(TicTacToe(), depth=2)
    assert sum(mark.kind != "fold" for mark in marks(trace, merge=True)) == 16
    with pytest.raises(ZermeloError, match="has no `canonical`"):
        marks(KQJ, merge=True)


def test_values_and_ties_of_backward_induction() -> None:
    drawn = marks(BackwardInduction().search(KQJ))
    assert [mark.value for mark in drawn][:4] == ["-1", "-1", "-1", "-1"]
    assert [mark.label for mark in drawn if mark.optimal] == ["P2A", "E1", "P1B", "E2", "E5"]
    part = marks(BackwardInduction().search(KQJ, 6))
    assert [mark.label for mark in part] == ["P2B", "E4", "E5"]
    game = marks(BackwardInduction().search(TicTacToe()), merge=True, depth=1)
    assert [mark.value for mark in game if mark.kind != "fold"] == ["0", "0", "0", "0"]
    assert all(mark.at_least for mark in game if mark.kind == "fold")


def test_a_result_shows_its_actions_and_its_line() -> None:
    found = AlphaBeta(depth=3, backend="reference").search(ConnectFour())
    drawn = marks(found)
    first = [mark for mark in drawn if mark.parent == 0]
    assert [mark.action for mark in first] == ["1", "2", "3", "4", "5", "6", "7"]
    assert sum(mark.chosen for mark in drawn) == 1 + len(found.line)
    assert drawn[0].number == found.value


def test_chance_players_and_information_sets() -> None:
    tree = Tree.of(Chance(a=(1, Max(information="x", go=1)), b=(2, Max(information="x", go=2))))
    assert [mark.probability for mark in marks(tree) if mark.parent == 0] == ["1/3", "2/3"]
    assert [mark.information for mark in marks(tree) if mark.kind == "max"] == ["x", "x"]
    drawn = marks(BackwardInduction().search(unfold(ThreeNim(heaps=(1, 1)))))
    assert [(mark.kind, mark.player) for mark in drawn[:3]] == [("player", 0), ("player", 1), ("end", None)]
    assert marks(unfold(Kuhn()))[0].board["kind"] == "cards"


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(ZermeloError, match="can be drawn, not int"):
        draw.svg(3)  # type: ignore[arg-type]
    with pytest.raises(ZermeloError, match="The trace is empty"):
        draw.svg(Recorder(KQJ, "nothing").trace())
    with pytest.raises(ZermeloError, match="at least one node"):
        draw.svg(KQJ, limit=0)
    with pytest.raises(ZermeloError, match="depth must be at least 0"):
        draw.svg(KQJ, depth=-1)


def test_a_search_with_distances_draws_payoffs() -> None:
    tree = Tree.of(Max(slow=Min(on=Max(win=1)), quick=1))
    drawn = marks(recorded(AlphaBeta(), tree))
    assert drawn[0].value == "1"
    assert [mark.action for mark in drawn if mark.chosen] == ["", "quick"]


class Spherical(TicTacToe):
    """A board of a kind that nobody can draw."""

    def board(self, board: str) -> dict[str, Any]:
        return super().board(board) | {"kind": "sphere"}


def test_boards_of_unknown_kinds_are_shown_in_letters() -> None:
    first = marks(unfold(Spherical(), depth=1))[0]
    assert first.text == "0 1 2\n3 4 5\n6 7 8"
    assert "3 4 5" in draw.svg(minimax(Spherical(), depth=1))
    assert marks(unfold(TicTacToe(), depth=1))[0].text == ""
