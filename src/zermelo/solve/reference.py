"""The whole game in plain Python: short, slow, and on any rules. It is what the compiled solver is compared with.

Positions are found breadth first. Then all of them are looked at again and again: nobody knows anything at first, which counts as a draw; a
position gets the best score of its children. Every claim of a win is true from the beginning, so that the claims only grow until nothing
changes any more. What then still counts as a draw is a tie where an end can be reached without anybody giving way, otherwise endless.
"""

from collections import deque
from dataclasses import dataclass, field

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game, State, ask, draw_value, legal_actions, simple_payoff
from zermelo.scores import Score, leaf, lift

__all__ = ["Solution", "solve_by_sweeps"]

MOST = 2_000_000  # positions


@dataclass
class Solution:
    """Every position with its score; `endless` are those of a draw's value from which best play need not end."""

    scores: dict[State, Score] = field(default_factory=dict)
    endless: set[State] = field(default_factory=set)
    edges: int = 0


def solve_by_sweeps(game: Game, root: State, symmetric: bool, most: int = MOST) -> Solution:
    """Values and distances of all positions that can be reached from the root."""

    def fold(state: State) -> State:
        return ask(game, "canonical", state)[0] if symmetric else state

    children = explore(game, fold(root), fold, most)
    draw = draw_value(game)
    scores = {state: leaf(simple_payoff(game, state)) if game.terminal(state) else leaf(draw) for state in children}
    open_ones = [state for state in reversed(children) if children[state]]  # late positions first: their scores come first
    choose = {state: max if game.player(state) == MAX else min for state in open_ones}
    changed = True
    while changed:
        changed = False
        for state in open_ones:
            score = choose[state](lift(scores[child], draw) for child in children[state])
            if score != scores[state]:
                scores[state], changed = score, True
    return Solution(scores, without_end(game, children, scores, draw), sum(map(len, children.values())))


def explore(game: Game, root: State, fold: object, most: int) -> dict[State, list[State]]:
    """Every position, in the order of its discovery, with the positions that its actions lead to."""
    assert callable(fold)
    children: dict[State, list[State]] = {}
    waiting, known = deque([root]), {root}
    while waiting:
        state = waiting.popleft()
        actions = legal_actions(game, state)
        if not game.terminal(state):
            if game.player(state) not in (MAX, MIN):
                raise RulesError(f"In {state!r} neither Max nor Min moves: a whole game is solved for two players without chance.")
            if not actions:
                raise RulesError(f"{type(game).__name__} has no actions in {state!r}, which is not terminal.")
        children[state] = [fold(game.result(state, action)) for action in actions]
        for child in children[state]:
            if child not in known:
                known.add(child)
                waiting.append(child)
        if len(known) > most:
            raise ZermeloError(f"{type(game).__name__} has more than {most:,} positions: too many for the reference engine.")
    return children


def without_end(game: Game, children: dict[State, list[State]], scores: dict[State, Score], draw: object) -> set[State]:
    """Positions worth a draw from which no end is reached through others of that worth."""
    parents: dict[State, list[State]] = {state: [] for state in children}
    for state, others in children.items():
        for child in others:
            parents[child].append(state)
    drawn = {state for state, score in scores.items() if score.value == draw}
    waiting = [state for state in drawn if game.terminal(state)]
    ending = set(waiting)
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent in drawn and parent not in ending:
                ending.add(parent)
                waiting.append(parent)
    return drawn - ending
