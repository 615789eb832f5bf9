"""Many states proven in one call: as each by itself, whatever it takes to prove them."""

import pytest
from solved_positions import POSITIONS, after

from zermelo import ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.pig import Pig
from zermelo.games.tictactoe import TicTacToe
from zermelo.limits import Limits
from zermelo.rules import legal_actions
from zermelo.search import Prove, prove_many
from zermelo.search.proof.prove_many import Proven


def reachable(game):
    """All states of a small game, ends included."""
    states = {game.start(): None}
    for state in (queue := [game.start()]):
        if not game.terminal(state):
            new = {game.result(state, action) for action in legal_actions(game, state)} - states.keys()
            states |= dict.fromkeys(new)
            queue.extend(new)
    return sorted(states)


def test_published_scores_of_connect_four_in_one_call():
    """Sets of easy positions, and of positions that take more than a call of the kernel allows each."""
    game = ConnectFour()
    chosen = [(moves, int(published)) for name, moves, published in POSITIONS if name in ("L3_R1", "L1_R1")]
    chosen += [(moves, int(published)) for name, moves, published in POSITIONS if name == "L2_R2"][:3]
    found = prove_many(game, [after(game, moves) for moves, _ in chosen], proof=Prove(backend="compiled"))
    for (moves, published), proven in zip(chosen, found, strict=True):
        lead = 0 if proven.distance is None else 22 - (len(moves) + proven.distance + 1) // 2
        assert (lead if (proven.value > 0) == (len(moves) % 2 == 0) else -lead) == published, moves


@pytest.mark.parametrize("proof", [Prove(), Prove(distance=False), Prove(memory=0), Prove(method="pns"), Prove(backend="reference")])
def test_each_state_as_by_itself(proof):
    game = Nim((3, 4, 5))
    states = reachable(game)[::5]
    assert any(game.terminal(state) for state in states)
    for state, proven in zip(states, prove_many(game, states, proof=proof), strict=True):
        alone = proof.search(game, state)
        assert (proven.value, proven.distance) == (alone.value, alone.distance), state
        assert proven.action in (alone.actions or (None,)), state


def test_draws_ends_and_nothing_at_all():
    game = TicTacToe()
    over = after(game, "14253")
    assert game.terminal(over)
    assert prove_many(game, [over, game.start(), over]) == [
        Proven(1, 0, None),
        Proven(0, None, prove_many(game, [game.start()])[0].action),
        Proven(1, 0, None),
    ]
    assert prove_many(game, []) == []


def test_a_limit_is_for_all_and_says_how_many_are_proven():
    game = ConnectFour()
    easy = [after(game, moves) for name, moves, _ in POSITIONS if name == "L3_R1"]
    with pytest.raises(ZermeloError, match=r"^[1-9]\d* of 20 states are proven \(the limit of 300 nodes was reached\): allow more"):
        prove_many(game, easy, limits=Limits(nodes=300))


def test_a_limit_is_for_all_where_each_is_proven_by_itself():
    game = Nim((2, 2))
    proof = Prove(backend="reference")
    nodes = proof.search(game).nodes
    assert len(prove_many(game, [game.start()] * 2, proof=proof, limits=Limits(nodes=2 * nodes + 1))) == 2
    with pytest.raises(ZermeloError, match=r"^2 of 9 states are proven \(a limit was reached\): allow more"):
        prove_many(game, [game.start()] * 9, proof=proof, limits=Limits(nodes=2 * nodes + 1))


def test_what_it_is_not_for():
    with pytest.raises(ZermeloError, match="threads"):
        prove_many(Nim(), [Nim().start()], proof=Prove(threads=0))
    with pytest.raises(ZermeloError, match="method"):
        prove_many(Nim(), [Nim().start()], proof=Prove(method="pn"))
    with pytest.raises(ZermeloError, match="leave weak=True out"):
        prove_many(Nim(), [Nim().start()], proof=Prove(weak=True))
    with pytest.raises(ZermeloError, match="chance"):
        prove_many(Pig(), [Pig().start()])
