"""Max^n, coalitions and paranoid search: the values that are there, ties in the open, one answer from both backends."""

import functools
import itertools
from dataclasses import replace

import pytest
from chance_games import Draft, Merry, RandomDice, RandomTable
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import CHANCE, MAX, Player, Tree, ZermeloError
from zermelo.draw import explain, svg
from zermelo.games.kuhn import Kuhn
from zermelo.games.threeconnect import ThreeConnect
from zermelo.games.threenim import ThreeNim
from zermelo.limits import Limits
from zermelo.rules import chance_weights
from zermelo.search.chance.expectiminimax import Expectiminimax
from zermelo.search.players.coalition import Coalition
from zermelo.search.players.maxn import MaxN
from zermelo.search.players.paranoid import Paranoid
from zermelo.trees import BackwardInduction
from zermelo.trees.trace import Recorder

ROOTS = st.builds(Draft, seed=st.integers(0, 210).filter(lambda seed: seed % 11 != 3), left=st.integers(1, 5))
ALONE = ((0,), (1,), (2,))


def close(value):
    return pytest.approx(value, abs=1e-12)


def obvious(game, state, coalitions=ALONE, side=None):
    """Payoffs by plain recursion: for coalitions, or (side given) for a side that all others are against."""

    def own(payoffs, player):
        if side is not None:
            return sum(payoffs[member] for member in side) * (1 if player in side else -1)
        return sum(payoffs[member] for member in next(members for members in coalitions if player in members))

    @functools.cache
    def value(state):
        if game.terminal(state):
            return game.utility(state)
        if game.player(state) == CHANCE:
            weights = chance_weights(game, state)
            whole = sum(weight for _, weight in weights)
            parts = [(weight, value(game.result(state, action))) for action, weight in weights]
            return tuple(sum(weight * payoffs[player] for weight, payoffs in parts) / whole for player in range(game.players))
        player = game.player(state)
        return max((value(game.result(state, action)) for action in game.actions(state)), key=lambda payoffs: own(payoffs, player))

    return value(state)


@settings(max_examples=80, deadline=None)
@given(state=ROOTS, textbook=st.booleans(), memory=st.sampled_from([0, 8_000, None]), pruning=st.booleans())
def test_max_n_finds_what_is_there_and_breaks_ties_by_order(state, textbook, memory, pruning):
    game = RandomTable()
    found = MaxN(textbook=textbook, memory=memory, pruning=pruning, backend="reference").search(game, state)
    assert found.value == close(obvious(game, state))
    for action, value in found.scores.items():
        assert value == close(obvious(game, game.result(state, action)))
    ways = possible(game, state)
    if ways is not None:
        for player in range(3):
            values = [way[player] for way in ways]
            assert found.extra["least"][player] <= min(values) + 1e-9
            assert found.extra["most"][player] >= max(values) - 1e-9
        if len(ways) > 1:
            assert found.extra["depends_on_ties"]
            assert "depends on how ties are broken" in found.notes[-1]


def possible(game, state, most=200):
    """Every value that some way of breaking ties gives; None where there are too many to list."""
    if game.terminal(state):
        return {game.utility(state)}
    children = [(action, possible(game, game.result(state, action), most)) for action in ways_on(game, state)]
    if any(values is None for _, values in children):
        return None
    if game.player(state) == CHANCE:
        weights = dict(chance_weights(game, state))
        whole = sum(weights.values())
        combined = set()
        for choice in itertools.islice(itertools.product(*(values for _, values in children)), most + 1):
            parts = [(weights[action] / whole, payoffs) for (action, _), payoffs in zip(children, choice, strict=True)]
            combined.add(tuple(round(sum(part * payoffs[player] for part, payoffs in parts), 9) for player in range(3)))
        return combined if len(combined) <= most else None
    player = game.player(state)
    sure = max(min(payoffs[player] for payoffs in values) for _, values in children)
    found = {payoffs for _, values in children for payoffs in values if payoffs[player] >= sure}
    return found if len(found) <= most else None


def ways_on(game, state):
    return [action for action, _ in chance_weights(game, state)] if game.player(state) == CHANCE else list(game.actions(state))


@settings(max_examples=50, deadline=None)
@given(state=ROOTS, textbook=st.booleans(), pruning=st.booleans(), depth=st.sampled_from([None, 2]))
def test_the_compiled_engine_does_the_same_work(state, textbook, pruning, depth):
    searches = [
        MaxN(depth=depth, textbook=textbook, pruning=pruning, memory=0),
        Coalition(((0, 2),), depth=depth, textbook=textbook, pruning=pruning, memory=0),
    ]
    for search in searches:
        pair = [replace(search, backend=backend).search(RandomTable(), state) for backend in ("reference", "compiled")]
        assert [found.backend for found in pair] == ["reference", "compiled"]
        for name in ("value", "action", "actions", "scores", "line", "nodes", "exact", "extra"):
            assert getattr(pair[0], name) == getattr(pair[1], name), name
        assert replace(search, memory=None, backend="compiled").search(RandomTable(), state).value == pair[0].value


@settings(max_examples=60, deadline=None)
@given(state=ROOTS, side=st.sampled_from([(0,), (1,), (2,), (0, 2)]), memory=st.sampled_from([0, None]))
def test_paranoid_gets_what_nobody_can_take_away(state, side, memory):
    game = RandomTable()
    wanted = sum(obvious(game, state, side=side)[player] for player in side)
    found = Paranoid(side, memory=memory, backend="reference").search(game, state)
    assert found.value == close(wanted)
    assert found.extra["side"] == list(side)


@settings(max_examples=40, deadline=None)
@given(state=ROOTS, coalition=st.sampled_from([(0, 1), (0, 2), (1, 2)]))
def test_coalitions_want_the_largest_sum(state, coalition):
    game = RandomTable()
    rest = next(player for player in range(3) if player not in coalition)
    found = Coalition((coalition,), backend="reference").search(game, state)
    wanted = obvious(game, state, ((rest,), coalition))
    assert sum(found.value[player] for player in coalition) == close(sum(wanted[player] for player in coalition))
    against = Paranoid(coalition, backend="reference").search(game, state)  # two sides with a constant sum: the same question
    assert against.value == close(sum(wanted[player] for player in coalition))


def test_pruning_by_the_sum_spares_nodes_and_changes_nothing():
    game = ThreeConnect(3, 3)
    whole, pruned = (MaxN(pruning=pruning, memory=0, backend="reference").search(game) for pruning in (False, True))
    assert pruned.extra["sum_cuts"] > 0
    assert pruned.nodes < whole.nodes
    assert (pruned.value, pruned.scores, pruned.actions) == (whole.value, whole.scores, whole.actions)
    assert whole.value == (1, 1, 1)


def test_two_players_with_a_constant_sum_are_expectiminimax():
    for seed in (1, 8, 60, 100):
        wanted = Expectiminimax(backend="reference").search(RandomDice(), Draft(seed, 5)).value
        assert MaxN(backend="reference").search(RandomDice(), Draft(seed, 5)).value == close(wanted)
        assert Paranoid((MAX,), backend="reference").search(RandomDice(), Draft(seed, 5)).value == close(wanted)


def test_max_n_is_backward_induction_where_there_are_no_ties():
    found = MaxN(backend="reference").search(ThreeNim())
    assert (found.value, found.extra["depends_on_ties"]) == (BackwardInduction().search(ThreeNim()).value, False)


KINGMAKER = Tree.of(Player(1, Left=Player(2, Up=(1, 1, 0), Down=(3, 1, 0)), Right=(2, 0, 0)), players=3, total=None, title="Kingmaker")


def test_a_kingmaker_is_told():
    """Player 2 is indifferent, and what Player 1 should do hangs on it."""
    found = MaxN().search(KINGMAKER)
    assert (found.value, found.action) == ((2, 0, 0), 1)
    assert found.extra["depends_on_ties"]
    assert (found.extra["least"], found.extra["most"]) == ([2, 0, 0], [3, 1, 0])
    assert found.notes == (
        "The value depends on how ties are broken (the first action was taken): Player 1 may get 2 to 3, Player 2 may get 0 to 1.",
    )


def test_a_search_for_many_is_drawn_and_explained():
    recorder = Recorder(ThreeConnect(3, 2), "maxn")
    found = MaxN(textbook=True, memory=0).search(ThreeConnect(3, 2), recorder=recorder)
    trace = recorder.trace()
    kinds = [event.kind for event in trace.events]
    assert len(trace.visits) == found.nodes
    assert kinds.count("leaf") + kinds.count("leave") == len(trace.visits)
    assert sum(event.reason == "sum" for event in trace.events) == found.extra["sum_cuts"]
    assert "best for Green" in explain(trace)
    assert "<svg" in svg(trace)


@pytest.mark.parametrize("repetition", ["draw", "loss", "forbidden"])
def test_repetition_is_what_the_rules_say(repetition):
    wanted = Expectiminimax(backend="reference").search(Merry(3, repetition)).value
    assert MaxN(backend="reference").search(Merry(3, repetition)).value == close(wanted)


def test_limits_stop_with_the_best_so_far():
    found = MaxN(memory=0, backend="reference").search(ThreeConnect(), limits=Limits(nodes=300))
    assert not found.exact
    assert "300 nodes" in found.notes[-1]
    assert found.action == 0


@pytest.mark.parametrize(
    ("search", "words"),
    [
        (Coalition(((0, 3),)), "has no player 3: players are 0 to 2"),
        (Coalition(((0, 1), (1, 2))), "Player 1 is in two coalitions"),
        (Coalition(((),)), "one or more different players"),
        (Paranoid(()), "one or more different players"),
        (MaxN(depth=-1), "cannot be negative"),
    ],
)
def test_bad_questions_get_one_sentence(search, words):
    with pytest.raises(ZermeloError, match=words):
        search.search(ThreeNim())


@pytest.mark.parametrize("search", [MaxN(), Paranoid(), Coalition()])
def test_hidden_cards_are_not_looked_at(search):
    with pytest.raises(ZermeloError, match="hidden cards"):
        search.search(Kuhn())


def test_endless_games_are_told():
    with pytest.raises(ZermeloError, match="can go round forever"):
        MaxN(backend="reference").search(Merry())
