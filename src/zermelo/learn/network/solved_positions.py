"""What a network is measured against: solved positions, in which a move keeps what the position is worth or does not.

Only positions in which a mistake is possible count. Of a small game these are all there are; of a larger one, some of games at random.
"""

from collections.abc import Callable, Sequence
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.learn.truth import Truth, solved_positions
from zermelo.rules import MAX, Action, Game, State, draw_value, legal_actions, payoff_vector, simple_payoff

__all__ = ["Measure", "lost_games", "measure_of"]

SMALL = 6_000  # states of a game that is looked at as a whole
Chooser = Callable[[Sequence[State]], list[Action]]  # a move for each state


class Measure:
    """Solved positions."""

    def __init__(self, truths: Sequence[Truth], whole: bool) -> None:
        self.truths, self.whole = tuple(truths), whole  # whole: all positions of the game in which a mistake is possible
        self.states = [truth.state for truth in truths]

    def share(self, chosen: Sequence[Action]) -> float:
        """The share of positions in which the chosen move is one of the best."""
        return 1 - len(self.mistakes(chosen)) / len(self.truths)

    def mistakes(self, chosen: Sequence[Action]) -> list[State]:
        """The positions in which it is not."""
        return [truth.state for truth, action in zip(self.truths, chosen, strict=True) if action not in truth.best]


def measure_of(game: Game, positions: int, seed: int) -> Measure | None:
    """Solved positions of a game; None where they cannot be solved."""
    whole = whole_truth(game)
    truths = solved_positions(game, positions, seed) if whole is None else whole
    return Measure(truths, whole is not None) if truths else None


def whole_truth(game: Game) -> list[Truth] | None:
    """All positions of a game in which a mistake is possible, by backward induction; None where the game is large, or goes in circles."""
    states = all_states(game)
    if states is None:
        return None
    values: dict[State, Any] = {state: simple_payoff(game, state) for state in states if game.terminal(state)}
    truths: list[Truth] = []
    left = [state for state in states if state not in values]
    while left:
        later = []
        for state in reversed(left):  # what is found later is mostly further from the start
            children = {action: game.result(state, action) for action in legal_actions(game, state)}
            if not all(child in values for child in children.values()):
                later.append(state)
                continue
            scores = {action: values[child] for action, child in children.items()}
            values[state] = max(scores.values()) if game.player(state) == MAX else min(scores.values())
            best = frozenset(action for action, score in scores.items() if score == values[state])
            if len(best) < len(scores):
                truths.append(Truth(state, float(values[state]), best))
        if len(later) == len(left):
            return None
        left = later[::-1]
    return truths[::-1]


def all_states(game: Game) -> list[State] | None:
    """Every state that can be reached; None where there are many."""
    found = {game.start(): None}
    queue = list(found)
    for state in queue:  # grows while it is read
        for action in legal_actions(game, state):
            following = game.result(state, action)
            if following not in found:
                if len(found) >= SMALL:
                    return None
                found[following] = None
                queue.append(following)
    return queue


def lost_games(game: Game, choose: Chooser, most: int = 200_000) -> tuple[int, int]:
    """(positions that were met, ends that were lost) when the chooser plays either side and the other side tries everything.

    Meant for games that neither side has to lose; raises where more positions are met than `most`.
    """
    met = lost = 0
    for side in (0, 1):
        level: dict[State, None] = {game.start(): None}
        seen: set[State] = set(level)
        while level:
            mine = [state for state in level if not game.terminal(state) and game.player(state) == side]
            answers = dict(zip(mine, choose(mine) if mine else [], strict=True))
            following: dict[State, None] = {}
            for state in level:
                if game.terminal(state):
                    lost += payoff_vector(game, state)[side] < draw_value(game)
                    continue
                for action in [answers[state]] if state in answers else legal_actions(game, state):
                    child = game.result(state, action)
                    if child not in seen:
                        seen.add(child)
                        following[child] = None
            if len(seen) > most:
                raise ZermeloError(f"More than {most:,} positions can be met: this test is for smaller games.")
            level = following
        met += len(seen)
    return met, lost
