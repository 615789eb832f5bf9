"""Strategies: files there and back, playing, best replies and head to head against plain walks through the tree."""

from random import Random

import pytest

from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram
from zermelo.equilibrium.extensive.sequences.arrays import Arrays
from zermelo.equilibrium.extensive.sequences.best_response import best_response, expected, head_to_head, measure, set_regrets, uniform
from zermelo.equilibrium.extensive.sequences.fixed_tree import fixed_tree
from zermelo.equilibrium.extensive.sequences.strategy import Strategy, play_out
from zermelo.equilibrium.extensive.sequences.treeplex import chance_probabilities, unfold
from zermelo.errors import ZermeloError
from zermelo.formats.efg import tree_from_efg, tree_to_efg
from zermelo.games.kuhn import Kuhn
from zermelo.rules import CHANCE, Game, legal_actions, payoff_vector


@pytest.fixture(scope="module")
def kuhn() -> Arrays:
    return unfold(Kuhn(), backend="reference")


@pytest.fixture(scope="module")
def solved(kuhn: Arrays) -> Strategy:
    strategy: Strategy = LinearProgram().solve(kuhn).strategies
    return strategy


def walk(game: Game, state, strategies) -> list[float]:  # type: ignore[no-untyped-def]
    """Expected payoffs by the definition."""
    if game.terminal(state):
        return [float(payoff) for payoff in payoff_vector(game, state)]
    if game.player(state) == CHANCE:
        shares = {action: float(share) for action, share in chance_probabilities(game, state)}
    else:
        shares = strategies[game.player(state)].at(state)
    below = [(share, walk(game, game.result(state, action), strategies)) for action, share in shares.items()]
    return [sum(share * values[seat] for share, values in below) for seat in range(game.players)]


def test_files_there_and_back(kuhn: Arrays, solved: Strategy) -> None:
    for again in (Strategy.from_json(kuhn, solved.to_json()), Strategy.from_csv(kuhn, solved.to_csv())):
        assert again.to_dict() == solved.to_dict()
    assert solved.to_csv().splitlines()[0] == "player,information_set,action,probability"
    assert list(solved.to_dict()) == [row.name for row in solved.rows]
    partial = Strategy.from_dict(kuhn, {"Opener: K": {"bet": 1}})
    assert partial.to_dict()["Opener: K"] == {"check": 0.0, "bet": 1.0}
    assert partial.to_dict()["Opener: J"] == {"check": 0.5, "bet": 0.5}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1, column 2"),
        ("[]", "information set → action"),
        ('{"Opener: K": {"bet": "much"}}', "information set → action"),
        ('{"Opener: K": {"bet": 0.4}}', "add up to 1, not to 0.4"),
        ('{"Opener: K": {"bet": 1.5, "check": -0.5}}', "at least 0"),
        ('{"Opener: K": {"raise": 1}}', "no action 'raise': there is check, bet"),
        ('{"Opener: X": {"bet": 1}}', "no information set 'Opener: X'"),
    ],
)
def test_files_that_are_no_strategy(kuhn: Arrays, text: str, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        Strategy.from_json(kuhn, text)


def test_a_csv_with_a_wrong_column(kuhn: Arrays) -> None:
    with pytest.raises(ZermeloError, match="Line 2"):
        Strategy.from_csv(kuhn, "information_set,action\nMax: K,bet\n")


def test_expectations_are_those_of_the_definition(kuhn: Arrays, solved: Strategy) -> None:
    even = uniform(kuhn)
    game = kuhn.game
    for pair in ([solved, solved], [solved, even], [even, solved], [even, even]):
        assert list(expected(kuhn, pair)) == pytest.approx(walk(game, game.start(), pair))
    duel = head_to_head(kuhn, solved, even)
    assert duel.seats[0] == pytest.approx(tuple(walk(game, game.start(), [solved, even])))
    assert duel.seats[1] == pytest.approx(tuple(walk(game, game.start(), [even, solved])))
    assert duel.first == pytest.approx(-duel.second)
    assert duel.first > 0


def test_best_replies_are_as_good_as_they_claim(kuhn: Arrays) -> None:
    even = uniform(kuhn)
    for player in range(2):
        reply = best_response(kuhn, even, player)
        seats = [even, even]
        seats[player] = reply.strategy
        assert walk(kuhn.game, kuhn.game.start(), seats)[player] == pytest.approx(reply.value)
        assert reply.value == pytest.approx(measure(kuhn, even).replies[player])
    with pytest.raises(ZermeloError, match="no player 5"):
        best_response(kuhn, even, 5)


def test_regrets_vanish_in_equilibrium(kuhn: Arrays, solved: Strategy) -> None:
    assert max(set_regrets(kuhn, solved).values()) == pytest.approx(0, abs=1e-9)
    regrets = set_regrets(kuhn, uniform(kuhn))
    assert len(regrets) == 12
    # Max with K after a check and a bet: calling wins 2, folding loses 1; half the time against each of two cards that bet half the time
    assert regrets["Opener: Kpb"] == pytest.approx(1 / 3 * 1 / 2 * (2 - (2 - 1) / 2))
    assert min(regrets.values()) >= 0


def test_games_follow_the_strategy(kuhn: Arrays, solved: Strategy) -> None:
    random = Random(7)
    line, payoffs = play_out(kuhn.game, [solved, solved], random)
    assert 4 <= len(line) <= 5
    assert sum(payoffs) == 0
    total = sum(play_out(kuhn.game, [solved, uniform(kuhn)], random)[1][0] for _ in range(4000)) / 4000
    assert total == pytest.approx(head_to_head(kuhn, solved, uniform(kuhn)).seats[0][0], abs=0.08)
    weak = kuhn.game.read("K J -")  # type: ignore[attr-defined]
    assert solved.choose(weak, random) in legal_actions(kuhn.game, weak)
    assert solved.at(weak) == {0: 1.0, 1: 0.0} or sum(solved.at(weak).values()) == pytest.approx(1)


def test_a_strategy_as_a_tree(kuhn: Arrays, solved: Strategy) -> None:
    tree = fixed_tree(solved, [1])
    arrays = unfold(tree)
    assert [plex.sets for plex in arrays.plexes] == [6, 0]
    value = measure(arrays, uniform(arrays)).replies[0]
    assert value == pytest.approx(-1 / 18, abs=1e-6)  # Max's best reply to Min's equilibrium strategy
    again = tree_from_efg(tree_to_efg(fixed_tree(solved)))
    everything = unfold(again)
    assert everything.sets == 0
    assert measure(everything, uniform(everything)).value[0] == pytest.approx(-1 / 18, abs=1e-6)
    with pytest.raises(ZermeloError, match="more than 10 nodes"):
        fixed_tree(solved, limit=10)
