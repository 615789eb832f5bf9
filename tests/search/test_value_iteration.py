"""Value iteration: games that may go round forever, squeezed between lower and upper values."""

import pytest
from chance_games import NEGATIVE, Merry, Odd, OddDice

from zermelo import RulesError, ZermeloError
from zermelo.games.hypergammon import Hypergammon
from zermelo.games.kuhn import Kuhn
from zermelo.games.nim import Nim
from zermelo.games.pig import Pig
from zermelo.games.smallyahtzee import SmallYahtzee
from zermelo.games.threenim import ThreeNim
from zermelo.games.twenty48 import Twenty48
from zermelo.limits import Limits
from zermelo.search.chance.expectiminimax import Expectiminimax
from zermelo.search.chance.value_iteration import ValueIteration
from zermelo.search.classic.alphabeta import AlphaBeta

# T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004), whose 53.06 % for 100 is the first
PIG = {100: 0.530592725274, 50: 0.546150844167, 20: 0.615558549805, 10: 0.709424322598}


@pytest.mark.parametrize(
    ("game", "value", "positions"),
    [(Pig(10), PIG[10], 2412), (Hypergammon(4, 1, 2), 6 / 35, 92), (Twenty48(), 0.96251125375, 399)],
)
def test_positions_that_return_have_the_values_that_are_known(game, value, positions):
    found = ValueIteration(backend="reference").search(game)
    assert found.exact
    assert (found.value, found.nodes) == (pytest.approx(value, abs=1e-11), positions)


@pytest.mark.slow
@pytest.mark.parametrize("goal", PIG)
def test_pig_has_the_published_values(goal):
    found = ValueIteration(backend="compiled").search(Pig(goal))
    assert (found.value, found.exact) == (pytest.approx(PIG[goal], abs=1e-11), True)


def test_both_engines_find_the_same_positions_and_values():
    pair = [ValueIteration(backend=backend).search(Pig(8)) for backend in ("reference", "compiled")]
    assert [found.backend for found in pair] == ["reference", "compiled"]
    assert (pair[0].nodes, pair[0].action, pair[0].extra) == (pair[1].nodes, pair[1].action, pair[1].extra)
    assert pair[0].value == pytest.approx(pair[1].value, abs=1e-14)


def test_games_that_end_have_the_values_that_searches_find():
    assert ValueIteration(backend="reference").search(Nim((1, 2, 3))).value == AlphaBeta(backend="reference").search(Nim((1, 2, 3))).value
    game = SmallYahtzee(dice=1, sides=2)
    wanted = Expectiminimax(backend="reference").search(game).value
    assert ValueIteration(backend="reference").search(game).value == pytest.approx(wanted, abs=1e-11)


def test_play_that_may_never_end_is_not_called_exact():
    """Without dice a player who is about to lose may go round forever; the rules do not say what that is worth."""
    found = ValueIteration(backend="reference").search(Merry(4))
    assert found.bounds is None or found.bounds[0] < found.bounds[1]
    assert found.exact == (found.bounds is None)


@pytest.mark.parametrize(
    ("search", "game", "words"),
    [
        (ValueIteration(limit=100), Pig(10), "more than 100 positions"),
        (ValueIteration(tolerance=0), Pig(10), "above 0, not 0"),
        (ValueIteration(backend="fast"), Pig(10), "no backend"),
        (ValueIteration(), Merry(4, "draw"), "without their history"),
        (ValueIteration(), ThreeNim(), "maxn"),
        (ValueIteration(), Kuhn(), "hidden cards"),
    ],
)
def test_bad_questions_get_one_sentence(search, game, words):
    with pytest.raises(ZermeloError, match=words):
        (search if search.backend == "fast" else ValueIteration(search.tolerance, search.limit, backend="reference")).search(game)


def test_chances_that_are_no_distribution():
    with pytest.raises(RulesError, match=r"the weight -0\.5 in the state"):
        ValueIteration(backend="reference").search(OddDice(), Odd(NEGATIVE, 0))


def test_limits_stop_it():
    with pytest.raises(ZermeloError, match="not finished"):
        ValueIteration(backend="reference").search(Pig(10), limits=Limits(nodes=100))
