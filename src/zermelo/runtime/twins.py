"""Does it pay to look for symmetry below a state? Canonical states cost time, and are worth it where lines mirror each other."""

from zermelo.rules import Game, State, ask, legal_actions

__all__ = ["actions_alike", "has_twins"]


def actions_alike(game: Game, state: State) -> float:
    """How many actions of the state, in the mean, lead to states that are alike by the game's `canonical`: 1 where all differ."""
    children = [ask(game, "canonical", game.result(state, action))[0] for action in legal_actions(game, state)]
    return len(children) / len(set(children))


def has_twins(game: Game, state: State) -> bool:
    """Do two actions of the state lead to states that are alike?"""
    return actions_alike(game, state) > 1
