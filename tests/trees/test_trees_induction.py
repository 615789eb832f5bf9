"""Backward induction against the documents, against plain recursion, and on games that would break a naive one."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from small_trees import trees

from zermelo import CHANCE, MAX, MIN, ZermeloError
from zermelo.games.kqj import KQJ
from zermelo.games.kuhn import Kuhn
from zermelo.games.nim import Nim
from zermelo.games.ponghauki import PongHauKi
from zermelo.games.pruning import PRUNING
from zermelo.games.threemoves import THREE_MOVES
from zermelo.games.tictactoe import TicTacToe
from zermelo.games.twolevel import TWO_LEVEL
from zermelo.trees import BackwardInduction, Chance, Max, Min, Player, Tree, unfold
from zermelo.trees.builder import TreeBuilder
from zermelo.trees.trace import Recorder

DOCUMENTS = [
    (KQJ, -1, ["CHECK", "CHECK"], "the OpenGenus article: value -1, path CHECK, CHECK"),
    (THREE_MOVES, 3, ["s2", "t4"], "the CSC384 slides: U(s0) = max(-6, 3, -10) = 3"),
    (TWO_LEVEL, 1, ["Left", "Right"], "the AIPT chapter: value 1, Left"),
    (PRUNING, 1, ["Right", "1", "1"], "Lan et al. (2023): the root has the value 1"),
]


@pytest.mark.parametrize(("tree", "value", "line", "source"), DOCUMENTS)
def test_the_documents_trees(tree: Tree, value: int, line: list[str], source: str) -> None:
    found = BackwardInduction().search(tree)
    assert found.value == value, source
    assert found.line_names() == line, source
    assert found.exact
    assert found.nodes == len(tree)


def test_every_optimal_action_at_every_node() -> None:
    found = BackwardInduction().search(KQJ)
    labelled = {KQJ.labels[node]: [KQJ.name(node, action) for action in actions] for node, actions in found.optimal.items()}
    assert labelled == {"P1A": ["CHECK"], "P2A": ["CHECK", "BET"], "P1B": ["FOLD"], "P2B": ["CALL"]}
    assert found.to_dict()["actions"] == ["CHECK"]
    assert found.scores == {0: -1, 1: -2}
    assert BackwardInduction().search(THREE_MOVES).scores == {0: -6, 1: 3, 2: -10}  # the CSC384 slides


def plain_value(tree: Tree, node: int) -> tuple[Any, ...]:
    """The books' recursion, with the first of equal actions; what a value means, without any cleverness."""
    if tree.terminal(node):
        vector = tree.utilities[node]
        assert vector is not None
        return vector
    below = [plain_value(tree, child) for child in tree.children[node]]
    if tree.player(node) == CHANCE:
        weights = [weight for _, weight in tree.chances(node)]
        return tuple(
            sum(Fraction(weight) * payoff for weight, payoff in zip(weights, column, strict=True)) / sum(weights)
            for column in zip(*below, strict=True)
        )
    return max(below, key=lambda vector: vector[tree.player(node)])


@given(trees(players=2, total=0))
def test_two_opponents_and_chance_as_by_the_books(tree: Tree) -> None:
    found = BackwardInduction().search(tree)
    assert found.value == pytest.approx(float(plain_value(tree, 0)[0]))
    for node, optimal in found.optimal.items():
        player = tree.player(node)
        sign = 1 if player == MAX else -1
        values = [sign * plain_value(tree, child)[0] for child in tree.children[node]]
        assert sorted(optimal) == [action for action, value in enumerate(values) if value == max(values)]


@given(trees(players=3, total=None))
def test_three_players_choose_what_is_best_for_them(tree: Tree) -> None:
    found = BackwardInduction().search(tree)
    for node, optimal in found.optimal.items():
        player = tree.player(node)
        best = found.values[node][player]
        for action, child in enumerate(tree.children[node]):
            own = found.values[child][player]
            assert own <= best
            assert (own == best) == (action in optimal)


def test_general_sums_choose_their_own_payoff() -> None:
    trust = Tree.of(Player(1, keep=(1, 0), send=Player(2, share=(2, 2), take=(0, 4))))
    found = BackwardInduction().search(trust)
    assert found.value == (1, 0)
    assert found.scores == {0: (1, 0), 1: (0, 4)}
    assert found.line_names() == ["keep"]


def test_sooner_wins_and_later_losses_come_first() -> None:
    slow_win = Tree.of(Max(slow=Min(on=Max(win=1)), quick=1, none=0))
    found = BackwardInduction().search(slow_win)
    assert found.line_names() == ["quick"]
    assert found.actions == (0, 1)  # both are optimal by value, in the order of the rules
    assert found.optimal[0] == (1, 0)
    assert found.distances == {0: 3, 1: 1, 2: None}
    assert found.distance == 1
    late_loss = Tree.of(Max(quick=-1, slow=Min(on=Max(lose=-1))))
    assert BackwardInduction().search(late_loss).line_names() == ["slow", "on", "lose"]
    min_hurries = Tree.of(Min(slow=Max(on=Min(win=-1)), quick=-1))
    assert BackwardInduction().search(min_hurries).line_names() == ["quick"]
    constant_sum = Tree.of(Max(slow=Min(on=Max(win=1)), quick=1), total=1)
    assert BackwardInduction().search(constant_sum).line_names() == ["quick"]
    lost_half = Tree.of(Max(quick=0.25, slow=Min(on=Max(lose=0.25))), total=1)
    assert BackwardInduction().search(lost_half).line_names() == ["slow", "on", "lose"]


def test_ties_through_chance_are_exact() -> None:
    tenths = Tree.of(Max(a=Chance(x=(1, 3), y=(9, 0)), b=Chance(x=(1, 1), y=(1, 1), z=(1, 1), rest=(7, 0))))
    assert BackwardInduction().search(tenths).actions == (0, 1)  # 3/10 twice; in floats 0.1 + 0.1 + 0.1 is more
    assert BackwardInduction().search(tenths).value == 0.3
    rational = Tree.of(Chance(a=(Fraction(1, 3), 1), b=(Fraction(2, 3), 0)))
    assert BackwardInduction().search(rational).value == Fraction(1, 3)
    assert BackwardInduction().search(Tree.of(Chance(a=(1, 3), b=(1, 1)))).value == 2


def test_games_that_are_no_trees_are_remembered_by_state() -> None:
    found = BackwardInduction().search(TicTacToe())
    assert found.value == 0
    assert found.nodes == len(found.values) == 5478  # distinct positions
    assert len(found.actions) == 9


@pytest.mark.parametrize("heaps", [(1,), (1, 1), (2, 3), (1, 2, 3), (1, 2, 4), (3, 4, 5)])
def test_nim_by_the_xor_rule(heaps: tuple[int, ...]) -> None:
    nim_sum = 0
    for heap in heaps:
        nim_sum ^= heap
    assert (BackwardInduction().search(Nim(heaps=heaps)).value > 0) == (nim_sum != 0)


def test_hidden_information_is_refused_unless_open() -> None:
    with pytest.raises(ZermeloError) as caught:
        BackwardInduction().search(Kuhn())
    assert all(word in str(caught.value) for word in ("hidden", "equilibrium", "ismcts", "perfect_information"))
    assert BackwardInduction(perfect_information=True).search(Kuhn()).exact
    blind = Tree.of(Chance(a=(1, Max(information="?", go=1)), b=(1, Max(information="?", go=2))), title="Blind")
    with pytest.raises(ZermeloError, match="the hidden cards of Blind"):
        BackwardInduction().search(blind)


def test_estimates_are_not_exact() -> None:
    found = BackwardInduction().search(unfold(TicTacToe(), depth=3))
    assert not found.exact
    assert found.bounds == (-1, 1)  # the source's: estimates are no bounds
    assert found.distance is None
    assert "estimates" in found.notes[0]


def test_cycles_and_limits_are_named() -> None:
    with pytest.raises(ZermeloError, match=r"PongHauKi has a cycle of \d+ moves, and backward induction needs a game that always ends"):
        BackwardInduction().search(PongHauKi())
    with pytest.raises(ZermeloError, match="more than 1,000 states"):
        BackwardInduction(limit=1_000).search(TicTacToe())


def test_a_line_of_one_hundred_thousand_levels() -> None:
    builder, above = TreeBuilder(), -1
    for level in range(100_000):
        above = builder.branch(above, "on" if level else "", (MAX, MIN)[level % 2])
    builder.end(above, "on", 1)
    found = BackwardInduction().search(builder.tree())
    assert found.value == 1
    assert found.distance == len(found.line) == 100_000


def test_the_end_and_a_state_in_the_middle() -> None:
    over = BackwardInduction().search(KQJ, 2)
    assert (over.value, over.action, over.actions, over.line) == (-1, None, (), ())
    middle = BackwardInduction().search(KQJ, 6)
    assert (middle.value, middle.line_names()) == (-2, ["CALL"])
    chance = BackwardInduction().search(Tree.of(Chance(a=(1, 2), b=(1, 4))))
    assert (chance.value, chance.action, chance.scores) == (3, None, {0: 2, 1: 4})


def test_costs_of_a_single_player() -> None:
    builder = TreeBuilder()
    root = builder.branch(-1, "", MAX)
    dear = builder.branch(root, "dear", MAX, cost=5)
    builder.end(dear, "on", 10, cost=1)
    builder.end(root, "cheap", 3, cost=0)
    found = BackwardInduction().search(builder.tree(players=1))
    assert (found.value, found.line_names()) == (4, ["dear", "on"])
    assert found.scores == {0: 4, 1: 3}


def test_the_trace_has_every_node_and_the_table() -> None:
    recorder = Recorder(KQJ, "backward induction")
    BackwardInduction().search(KQJ, recorder=recorder)
    trace = recorder.trace()
    assert [KQJ.labels[visit.state] for visit in trace.visits] == list(KQJ.labels)
    assert [event.value.value for event in trace.events if event.kind == "leave"] == [-1, -1, -2, -1]
    recorder = Recorder(Nim(heaps=(2, 2)), "backward induction")
    BackwardInduction().search(Nim(heaps=(2, 2)), recorder=recorder)
    assert "table" in {event.reason for event in recorder.trace().events}
