"""The explanation: what the OpenGenus article prints, and why branches are cut."""

import pytest
from recorded import alphabeta, minimax, recorded

from zermelo import ZermeloError, draw
from zermelo.games.kqj import KQJ
from zermelo.games.pruning import PRUNING
from zermelo.games.tictactoe import TicTacToe
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.trees import BackwardInduction, Chance, Max, Min, Player, Tree
from zermelo.trees.trace import Recorder

KQJ_EXPLAINED = """\
1. P1B (after CHECK, BET), Max to move
   [Maximize] highest of {E2: -1, E3: -2}
   Choice selected is E2: -1 (FOLD)

2. P2A (after CHECK), Min to move
   [Minimize] lowest of {E1: -1, E2: -1}
   Choice selected is E1: -1 (CHECK)

3. P2B (after BET), Min to move
   [Minimize] lowest of {E4: 1, E5: -2}
   Choice selected is E5: -2 (CALL)

4. P1A (at the root), Max to move
   [Maximize] highest of {E1: -1, E5: -2}
   Choice selected is E1: -1 (CHECK)

Value: -1
Decision path: Gametree Decision - P1A, CHECK - P2A, CHECK - E1
"""

ELSEWHERE = "which {0} is already sure of elsewhere; so {0} never lets the game come here"


def test_what_document_000_prints() -> None:
    trace = minimax(KQJ)
    assert draw.explain(trace) == KQJ_EXPLAINED
    assert draw.path(trace) == ["CHECK", "CHECK"]


@pytest.mark.parametrize(
    "line",
    [
        "At the root, Max to move: enter with the window [-∞, ∞]",
        "After Left, 2, Max to move: enter with the window [-∞, 7]: Min is sure of 7",
        "After Right, 2, Max to move: enter with the window [-4, 1]: Max is sure of -4, Min is sure of 1",
        f"   β-cut: 8 is at least β = 7, {ELSEWHERE.format('Min')}, and nothing was left to skip here",
        f"   α-cut: -9 is at most α = -4, {ELSEWHERE.format('Max')}, and 3 is never looked at",
        "   [Minimize] lowest of {1: 7, 2: ≤ -9}",
        "   [Maximize] highest of {Left: -4, Middle: ≤ -9, Right: 1}",
        "Decision path: Right, 1, 1",
    ],
)
def test_document_004s_reasons_for_its_cuts(line: str) -> None:
    assert line in draw.explain(alphabeta(PRUNING)).splitlines()


def test_chance_and_more_players() -> None:
    tree = Tree.of(Chance(heads=(1, Max(a=3, b=1)), tails=(2, 0)))
    told = draw.explain(recorded(BackwardInduction(), tree))
    assert "[Chance] average of {heads (1/3): 3, tails (2/3): 0}" in told
    assert "The average is 1" in told
    assert "Decision path: none, the search ends where it begins" in told
    trust = Tree.of(Player(1, keep=(1, 0), send=Player(2, share=(2, 2), take=(0, 4))))
    told = draw.explain(recorded(BackwardInduction(), trust))
    assert "[Player 2] best for Player 2 of {share: (2, 2), take: (0, 4)}" in told
    assert "Choice selected is take: (0, 4)" in told


def test_ties_are_explained() -> None:
    quick = Tree.of(Max(slow=Min(on=Max(win=1)), quick=1))
    assert "Choice selected is quick: 1 (the sooner win)" in draw.explain(recorded(AlphaBeta(), quick))
    late = Tree.of(Max(quick=-1, slow=Min(on=Max(lose=-1))))
    assert "Choice selected is slow: -1 (the later loss)" in draw.explain(recorded(AlphaBeta(), late))
    hurry = Tree.of(Min(slow=Max(on=Min(win=-1)), quick=-1))
    assert "Choice selected is quick: -1 (the sooner win)" in draw.explain(recorded(AlphaBeta(), hurry))


def test_long_searches_are_explained_from_the_top() -> None:
    told = draw.explain(minimax(TicTacToe(), depth=3), most=10)
    assert told.count("Choice selected") == 10
    assert "(72 decisions more than 1 moves deep are not explained.)" in told


def test_paths_of_results_and_bad_subjects() -> None:
    assert draw.path(BackwardInduction().search(KQJ)) == ["CHECK", "CHECK"]
    with pytest.raises(ZermeloError, match="has a decision path, not Tree"):
        draw.path(KQJ)  # type: ignore[arg-type]
    with pytest.raises(ZermeloError, match="Only a recorded search can be explained, not Tree"):
        draw.explain(KQJ)  # type: ignore[arg-type]
    with pytest.raises(ZermeloError, match="The trace is empty"):
        draw.explain(Recorder(KQJ, "nothing").trace())
