"""Games unfolded into trees: sizes that are published, and the game's own words kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from zermelo import MAX, Game, ZermeloError
from zermelo.games.eightpuzzle import EightPuzzle
from zermelo.games.kqj import KQJ
from zermelo.games.kuhn import Kuhn
from zermelo.games.ponghauki import PongHauKi
from zermelo.games.threenim import ThreeNim
from zermelo.games.tictactoe import TicTacToe
from zermelo.trees import BackwardInduction, unfold


@dataclass(frozen=True)
class Circle(Game):
    """Walk around three places, or stop where you are."""

    repetition: Any = None  # type: ignore[assignment]

    def start(self) -> int:
        return 0

    def player(self, place: int) -> int:
        return place % 2

    def actions(self, place: int) -> Iterator[int]:
        yield from (0, 1)

    def result(self, place: int, action: int) -> int:
        return -1 - place if action == 0 else (place + 1) % 3

    def terminal(self, place: int) -> bool:
        return place < 0

    def utility(self, place: int) -> float:
        return -1 - place


class Backwards(Circle):
    """The same walk with the actions the other way round."""

    def actions(self, place: int) -> Iterator[int]:
        yield from (1, 0)


def test_kuhn_poker_has_58_histories_and_12_information_sets() -> None:
    tree = unfold(Kuhn())  # H. W. Kuhn 1950; cards dealt one at a time
    assert len(tree) == 58
    assert len(tree.information_sets) == 12
    assert not tree.perfect_information
    assert tree.name(0, 0) == "J"
    assert tree.board is not None
    assert tree.board(0) == Kuhn().board(Kuhn().start())


def test_tic_tac_toe_by_ply() -> None:
    tree = unfold(TicTacToe(), depth=4)  # nodes by ply 1, 9, 72, 504, 3024
    assert len(tree) == 1 + 9 + 72 + 504 + 3024
    assert len(tree.judged) == 3024
    assert tree.title == "TicTacToe"


def test_states_can_be_unfolded_from_anywhere() -> None:
    game = TicTacToe()
    state = game.start()
    for cell in (0, 4, 8, 2, 6, 3):
        state = game.result(state, cell)
    tree = unfold(game, state)
    assert tree.states[0] == state
    assert not tree.judged
    assert BackwardInduction().search(tree).value == 1
    assert tree.show(0) == game.show(state)


def test_unfolding_changes_no_value() -> None:
    game = ThreeNim(heaps=(1, 2, 2))
    assert BackwardInduction().search(unfold(game)).value == BackwardInduction().search(game).value
    kuhn = Kuhn(players=3)
    assert (
        BackwardInduction(perfect_information=True).search(unfold(kuhn)).value
        == BackwardInduction(perfect_information=True).search(kuhn).value
    )
    assert unfold(KQJ) == KQJ


def test_players_keep_their_names_where_they_are_not_max_and_min() -> None:
    class Three(Circle):
        players, total, seats = 3, None, ("Ada", "Bea", "Cem")

        def utility(self, place: int) -> tuple[int, ...]:  # type: ignore[override]
            return (0, 0, 0)

    assert unfold(Three(), depth=1).names == ("Ada", "Bea", "Cem")
    assert unfold(TicTacToe(), depth=1).names == ()


def test_a_single_player_keeps_the_costs() -> None:
    tree = unfold(EightPuzzle(), depth=2)
    assert tree.players == 1
    assert tree.cost is not None
    assert tree.cost(0, 0) == 1
    assert tree.payoffs is None


@pytest.mark.parametrize(
    ("repetition", "payoff"),
    [("draw", 0), ("loss", -1)],  # the state returns by Max's move from place 2
)
def test_a_state_that_returns_follows_the_rule(repetition: str, payoff: float) -> None:
    tree = unfold(Circle(repetition))
    returned = tree.children[tree.children[tree.children[0][1]][1]][1]
    assert tree.terminal(returned)
    assert tree.utility(returned) == payoff
    assert len(tree) == 7


def test_a_forbidden_return_is_no_action() -> None:
    tree = unfold(Circle("forbidden"))
    last = tree.children[tree.children[0][1]][1]
    assert [tree.name(last, action) for action in tree.actions(last)] == ["0"]


def test_endless_and_huge_games_are_refused() -> None:
    with pytest.raises(ZermeloError, match="Circle has a cycle of 3 moves, so its tree has no end; give a depth"):
        unfold(Circle())
    assert len(unfold(Circle(), depth=10)) == 21
    assert len(unfold(Backwards(), depth=10)) == 21  # walks around first, stops afterwards
    with pytest.raises(ZermeloError, match="unfolds to more than 1,000 nodes"):
        unfold(TicTacToe(), limit=1_000)
    with pytest.raises(ZermeloError, match="depth must be at least 0, not -1"):
        unfold(TicTacToe(), depth=-1)
    assert unfold(PongHauKi(), depth=3).player(0) == MAX
