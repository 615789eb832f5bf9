"""Numbering, tiers and symmetries of the games that are made to be solved, and their published values."""

import random

import pytest

from zermelo.registry import find
from zermelo.rules import legal_actions

NUMBERED = ["kalah(holes=3, seeds=3)", "awari(holes=3, seeds=2)", "threemensmorris", "sixmensmorris", "ninemensmorris", "lgame"]
ALIKE = ["threemensmorris", "sixmensmorris", "ninemensmorris", "lgame", "hex", "dotsandboxes", "breakthrough"]


def met(game, count, seed=7):
    """States of random games."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        state = game.start()
        for _ in range(60):
            found.append(state)
            actions = legal_actions(game, state)
            if not actions:
                break
            state = game.result(state, chance.choice(actions))
    return found


@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_lead_back_to_their_states(name):
    game = find(name)
    states = set(met(game, 200))
    assert len({game.rank(state) for state in states}) == len(states)
    assert all(game.unrank(game.rank(state)) == state for state in states)
    chance = random.Random(1)
    for number in (0, game.size() - 1, *(chance.randrange(game.size()) for _ in range(100))):
        assert game.rank(game.unrank(number)) == number


@pytest.mark.parametrize("name", [name for name in NUMBERED if name != "lgame"])
def test_progress_never_goes_back(name):
    game = find(name)
    for state in met(game, 200):
        assert all(game.tier(game.result(state, action)) >= game.tier(state) for action in legal_actions(game, state))


@pytest.mark.parametrize("name", ALIKE)
def test_alike_states_have_one_representative(name):
    """The canonical states after an action and after its image are the same."""
    game = find(name)
    for state in met(game, 60):
        twin, symmetry = game.canonical(state)
        assert game.canonical(twin)[0] == twin
        for action in legal_actions(game, state)[:6]:
            image = game.image(action, symmetry)
            assert game.canonical(game.result(state, action))[0] == game.canonical(game.result(twin, image))[0]


@pytest.mark.parametrize(("name", "openings"), [("hex(width=2, height=2)", 2), ("hex(width=3, height=3)", 5)])
def test_hex_has_as_many_winning_openings_as_published(name, openings):
    """2 of 4 and 5 of 9; benzene's regression tests have the larger boards."""
    from zermelo.search import AlphaBeta

    scores = AlphaBeta(backend="reference").search(find(name)).scores
    assert sum(value > 0 for value in scores.values()) == openings


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("hex", 1), ("dotsandboxes(rows=3, columns=3)", -3), ("breakthrough(rows=6, columns=3)", 1)])
def test_values_that_were_solved_elsewhere_are_proven(name, value):
    """Hex 4 × 4: J. Nash; Dots and Boxes 3 × 3: Barker and Korf (2012); Breakthrough: solved independently."""
    from zermelo.search import Prove

    found = Prove(textbook=True).search(find(name))
    assert (found.value, found.exact, found.backend) == (value, True, "compiled")


# The first player's lead with empty capture; G. Irving, J. Donkers and J. Uiterwijk, Solving Kalah (2000).
KALAH = {(3, 4): 2, (4, 3): 8}


@pytest.mark.slow
@pytest.mark.parametrize(("holes", "seeds"), KALAH)
def test_larger_boards_of_kalah_have_their_published_values(holes, seeds):
    from zermelo.games.kalah import Kalah
    from zermelo.search import Prove

    assert Prove(textbook=True).search(Kalah(holes, seeds)).value == KALAH[holes, seeds]
